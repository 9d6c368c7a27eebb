"""The arrays of games side by side. Row i of each belongs to game i, its lane.

What a game needs besides its state (seed, rewards, how it stands) is a second record, so that kernels are handed two pointers
instead of a dozen arrays.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..declare.checks import check, whole
from ..kernel.addresses import array_at
from ..kernel.jit import kernel
from ..kernel.masks import new_masks, padded
from .endings import ending_dtype
from .policies import SCRATCH

if TYPE_CHECKING:
    from ..game import Game
    from ..observing import Encoder
    from ..rules import Rules

__all__ = ["AUTORESET", "BLOCK", "RANDOM_SEAT", "Games", "Rivals", "build_games_at", "build_rivals_at", "new_games", "new_rivals"]

AUTORESET = ("disabled", "next_step", "same_step")  # when a finished game is replaced by a new one
DISABLED, NEXT_STEP, SAME_STEP = range(3)
RANDOM_SEAT = -1
BLOCK = 64  # lanes that one core takes at a time; with 32 a step of 8192 games took 5 to 10 % longer, with 256 as long


class Games(NamedTuple):
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
            ("ended", "?"),  # one of the two: Python asks at every step whether there is anything to tell
            ("points", "i8", (seats,)),  # the latest that were counted
            ("ranks", "i8", (seats,)),  # of the last game that ended, and
            ("winner", "i8"),  # the seat that won it alone, or NO_WINNER
            ("before", "i8", (seats,)),  # points before the step, for SCORE_DELTA
            ("who", "i2", (seats,)),  # in a duel: the number of a policy; below 0: somebody outside, who is waited for
            ("idle", "?"),  # in a duel: the game was over before the step
        ],
        align=True,
    )


TERMS = np.dtype(
    [("mode", "i8"), ("scale", "f8"), ("autoreset", "i8"), ("seat", "i8")], align=True
)  # seat: the learner's in a duel


class Rivals(NamedTuple):
    """What a duel adds: the opponents' dice, whom to draw, how the last game of a lane ended, and space to think.

    Few arrays: they are handed from kernel to kernel, and each is seven words.
    """

    counters: np.ndarray
    odds: np.ndarray  # [other seats + 1, choices]: cumulated, who is drawn for a seat; the last row holds what `who` says of each
    final_observations: np.ndarray  # of games that a new one replaces in the same step
    endings: np.ndarray  # of dtype `ending_dtype`: how the last game ended
    scratch: np.ndarray
    scratch_masks: np.ndarray


def new_games(
    game: Game, count: int, reward: str, autoreset: str = "disabled", encoder: Encoder | None = None, seat: int = 0
) -> Games:
    """Lanes that have not begun. Without an encoder nothing is observed."""
    check("autoreset", autoreset, AUTORESET)
    if whole("num_envs", count) < 1:
        raise ValueError(f"num_envs: a batch has at least one environment, got {count}")
    terms = (game.reward_mode(reward), game.rules.score_scale, AUTORESET.index(autoreset), seat)
    return Games(
        states=game.new_states(count),
        lanes=np.zeros(count, lane_dtype(game.rules.schema.seats)),
        masks=new_masks(count, game.num_actions)[0],
        observations=observation_rows(encoder, count),
        template=game.template,
        terms=np.array([terms], TERMS),
    )


def observation_rows(encoder: Encoder | None, count: int) -> np.ndarray:
    return encoder.buffer(count) if encoder else np.zeros((count, 0), np.float32)


def new_rivals(game: Game, count: int, threads: int, encoder: Encoder | None) -> Rivals:
    """Everybody is policy 0, until somebody says otherwise."""
    return Rivals(
        counters=np.zeros((count, 1), np.uint64),
        odds=np.ones((game.num_players, 1)),
        final_observations=observation_rows(encoder, count),
        endings=np.zeros(count, _ending_dtype(game.rules)),
        scratch=game.new_states(threads * SCRATCH).reshape(threads, SCRATCH),
        scratch_masks=new_masks(threads * SCRATCH, game.num_actions)[0].reshape(threads, SCRATCH, -1),
    )


def _ending_dtype(rules: Rules) -> np.dtype:
    return ending_dtype(rules.schema.seats, max(len(rules.categories), 1))


# --- In kernels ---------------------------------------------------------------------------------------------------------------

NUMBER, ENTRY, DICE, ODDS = np.dtype(np.int64), np.dtype(np.int8), np.dtype(np.uint64), np.dtype(np.float64)
GAME_ENTRIES, RIVAL_ENTRIES = 2 * len(Games._fields), 2 * len(Rivals._fields)  # in a Book: an address and a width for each array
AFTER_GAMES = GAME_ENTRIES * NUMBER.itemsize  # bytes


@cache
def build_games_at(rules: Rules, observed: np.dtype) -> Any:
    state, lane, width = rules.schema.dtype, lane_dtype(rules.schema.seats), padded(len(rules.actions))

    @kernel
    def games_at(book, count):
        """The arrays of `Games` by the address of a Book that begins with them."""
        entry = array_at(book, NUMBER, (GAME_ENTRIES,))
        return Games(
            array_at(entry[0], state, (count,)),
            array_at(entry[2], lane, (count,)),
            array_at(entry[4], ENTRY, (count, width)),
            array_at(entry[6], observed, (count, entry[7])),
            array_at(entry[8], state, (1,)),
            array_at(entry[10], TERMS, (1,)),
        )

    return games_at


@cache
def build_rivals_at(rules: Rules, observed: np.dtype) -> Any:
    state, ending = rules.schema.dtype, _ending_dtype(rules)

    @kernel
    def rivals_at(book, count, chunks, players):
        """The arrays of `Rivals` by the address of a Book that holds `Games`, then them."""
        entry = array_at(book + AFTER_GAMES, NUMBER, (RIVAL_ENTRIES,))
        return Rivals(
            array_at(entry[0], DICE, (count, 1)),
            array_at(entry[2], ODDS, (players, entry[3])),
            array_at(entry[4], observed, (count, entry[5])),
            array_at(entry[6], ending, (count,)),
            array_at(entry[8], state, (chunks, SCRATCH)),
            array_at(entry[10], ENTRY, (chunks, SCRATCH, entry[11])),
        )

    return rivals_at
