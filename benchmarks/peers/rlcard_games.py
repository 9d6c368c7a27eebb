"""RLCard: legal actions come as a dictionary inside the state, next to the encoded observation."""

from __future__ import annotations

import random
from functools import partial

from ..measure import Case, Run

PLAYERS = {"leduc-holdem": 2, "limit-holdem": 2, "uno": 2, "gin-rummy": 2, "mahjong": 4, "doudizhu": 3}


def cases() -> list[Case]:
    return [
        Case("rlcard", game, players, "state", 1, 1, ("legal list", "observation", "reset"), partial(prepare, game))
        for game, players in PLAYERS.items()
    ]


def prepare(game: str) -> Run:
    import rlcard

    env = rlcard.make(game, config={"seed": 1})
    rng = random.Random(1)

    def run(steps: int) -> int:
        done = 0
        state, _ = env.reset()
        while done < steps:
            if env.is_over():
                state, _ = env.reset()
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            done += 1
        return done

    run(2)
    return run
