"""The arrays of a batch. Row i of each belongs to game i.

What a game needs besides its state (seed, rewards, how it stands) is a second record, so that kernels are handed two pointers
instead of a dozen arrays.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .checks import check
from .masks import new_masks

if TYPE_CHECKING:
    from .game import Game

__all__ = ["AUTORESET", "Batch", "Rivals", "new_batch", "new_rivals"]

AUTORESET = ("disabled", "next_step", "same_step")  # when a finished game is replaced by a new one
DISABLED, NEXT_STEP, SAME_STEP = range(3)
SCRATCH = 16  # states a policy may think with


class Batch(NamedTuple):
    """Games side by side, and what their steps write."""

    states: np.ndarray
    lanes: np.ndarray  # of dtype `lane_dtype`
    masks: np.ndarray  # padded
    observations: np.ndarray
    template: np.ndarray  # the record before setup
    terms: np.ndarray  # one TERMS


@cache  # numba remembers record types by the address of the dtype: it must not be freed and another one put in its place
def lane_dtype(seats: int) -> np.dtype:
    return np.dtype(
        [
            # What every step touches stands together, in one cache line.
            ("seed", "u8"),
            ("episode", "u8"),  # the game is number `episode` of its seed
            ("player", "i8"),  # whose view is shown: the player to act, or the learner's seat in a duel
            ("earned", "f8"),  # by the learner of a duel, since its last decision
            ("rewards", "f4", (seats,)),  # of the last step
            ("terminated", "?"),
            ("truncated", "?"),
            ("points", "i8", (seats,)),  # the latest that were counted
            ("ranks", "i8", (seats,)),
            ("before", "i8", (seats,)),  # points before the step, for SCORE_DELTA
        ],
        align=True,
    )


TERMS = np.dtype(
    [("mode", "i8"), ("scale", "f8"), ("autoreset", "i8"), ("observe", "?"), ("seat", "i8")],  # seat: the learner's in a duel
    align=True,
)


class Rivals(NamedTuple):
    """What a duel adds: the opponents' dice, where the last observation of a game goes, and scratch space per thread."""

    counters: np.ndarray
    final_observations: np.ndarray
    scratch: np.ndarray
    scratch_masks: np.ndarray


def new_batch(game: Game, count: int, reward: str, autoreset: str, observe: bool = True, seat: int = 0) -> Batch:
    check("autoreset", autoreset, AUTORESET)
    if count < 1:
        raise ValueError(f"a batch has at least one environment, got {count}")
    terms = (game.reward_mode(reward), game.rules.score_scale, AUTORESET.index(autoreset), observe, seat)
    return Batch(
        states=game.new_states(count),
        lanes=np.zeros(count, lane_dtype(game.rules.schema.seats)),
        masks=new_masks(count, game.num_actions)[0],
        observations=np.zeros((count if observe else 0, game.encoder.size), np.float32),
        template=game.template,
        terms=np.array([terms], TERMS),
    )


def new_rivals(game: Game, count: int, threads: int) -> Rivals:
    return Rivals(
        counters=np.zeros((count, 1), np.uint64),
        final_observations=np.zeros((count, game.encoder.size), np.float32),
        scratch=game.new_states(threads * SCRATCH).reshape(threads, SCRATCH),
        scratch_masks=new_masks(threads * SCRATCH, game.num_actions)[0].reshape(threads, SCRATCH, -1),
    )
