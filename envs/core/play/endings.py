"""Endings: how a game ended, written by the step that ends it.

scores      points of each seat
standings   rank of each seat after tie-breaks, 0 is the best
winner      the seat that won alone; NO_WINNER if nobody did (a shared victory, or an automaton won)
breakdown   points by category
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernel.jit import kernel

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["NO_WINNER", "build_note_ending", "ending_dtype", "only_winner"]

NO_WINNER = -1


@cache  # numba remembers record types by the address of the dtype: it must not be freed and another one put in its place
def ending_dtype(seats: int, categories: int) -> np.dtype:
    """Numbers of one type: so each field of many endings is an array that every library can read in place."""
    return np.dtype(
        [
            ("scores", "i8", (seats,)),
            ("standings", "i8", (seats,)),
            ("winner", "i8"),
            ("breakdown", "i8", (seats, categories)),
        ]
    )


@cache
def build_note_ending(rules: Rules) -> Any:
    write_sheet = build_sheet(rules.parts) if rules.parts else one_category

    @kernel
    def note_ending(s, lane, ending):
        """Write the ending of a finished game whose points and ranks the lane holds."""
        for p in range(s.num_players):
            ending.scores[p] = lane.points[p]
            ending.standings[p] = lane.ranks[p]
            write_sheet(s, p, lane.points, ending.breakdown[p])
        ending.winner = lane.winner

    return note_ending


def build_sheet(parts: Any) -> Any:
    @kernel
    def write_sheet(s, p, points, out):
        out[:] = 0
        parts(s, p, out)

    return write_sheet


@kernel
def one_category(s, p, points, out):
    """A game without a score sheet."""
    out[0] = points[p]


@kernel
def only_winner(ranks, players):
    """The only seat of rank 0."""
    winner = NO_WINNER
    for p in range(players):
        if ranks[p] == 0:
            if winner != NO_WINNER:
                return NO_WINNER
            winner = p
    return winner
