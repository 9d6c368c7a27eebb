"""EnvPool's C++ ports of the Pgx games, stepped in batches from Python."""

from __future__ import annotations

from functools import partial

from ..measure import Case, Run

GAMES = {
    "tic_tac_toe": "TicTacToe-v1",
    "connect_four": "ConnectFour-v1",
    "backgammon": "Backgammon-v1",
    "go_9x9": "Go9x9-v1",
}
BATCHES_THREADS = ((1, 1), (64, 1), (1024, 1), (8192, 1), (1024, 2))
INCLUDES = ("mask", "observation of all", "reset")


def cases() -> list[Case]:
    return [
        Case("envpool", game, 2, "batch", batch, threads, INCLUDES, partial(prepare, name, batch, threads))
        for game, name in GAMES.items()
        for batch, threads in BATCHES_THREADS
    ]


def prepare(name: str, batch: int, threads: int) -> Run:
    import envpool
    import numpy as np

    from . import picking

    env = envpool.make(name, env_type="gymnasium", num_envs=batch, num_threads=threads, seed=1)
    actions = np.zeros(batch, np.int32)
    picking.seed(1)
    _, info = env.reset()
    ended = np.zeros(batch, bool)

    def run(steps: int) -> int:
        nonlocal info, ended
        done = 0
        while done < steps:
            picking.pick_each(info["legal_action_mask"], actions)
            done += batch - int(np.count_nonzero(ended))  # after an end, the next step only resets
            _, _, terminated, truncated, info = env.step(actions)
            ended = terminated | truncated
        return done

    run(2 * batch)
    return run
