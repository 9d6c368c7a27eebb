"""PettingZoo classic, as it comes (`raw_env`) and as its users make it (`env`, behind the stock wrappers)."""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ..measure import Case, Run

GAMES = {"connect_four": "connect_four_v3", "tic_tac_toe": "tictactoe_v3", "hanabi": "hanabi_v5", "chess": "chess_v6"}
FACES = {"raw": "raw_env", "wrapped": "env"}
INCLUDES = ("mask", "observation", "reset")


def cases() -> list[Case]:
    return [
        Case("pettingzoo", game, 2, face, 1, 1, INCLUDES, partial(prepare, module, maker))
        for game, module in GAMES.items()
        for face, maker in FACES.items()
    ]


def prepare(module: str, maker: str) -> Run:
    from . import picking

    env = getattr(import_module(f"pettingzoo.classic.{module}"), maker)()
    env.reset(seed=1)
    picking.seed(1)

    def run(steps: int) -> int:
        done = 0
        while done < steps:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()  # at the first sight of the end: the dead steps that would follow are nobody's decisions
                continue
            env.step(picking.pick(observation["action_mask"]))
            done += 1
        return done

    run(2)
    return run
