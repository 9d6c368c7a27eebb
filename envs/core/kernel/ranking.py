"""Ranks from points, shared by every game."""

from __future__ import annotations

from .jit import kernel

__all__ = ["rank"]


@kernel
def rank(points, num_players, out):
    """out[p] = number of players with more points; ties share a rank: 40, 55, 55 gives 2, 0, 0."""
    for p in range(num_players):
        out[p] = 0
        for q in range(num_players):
            out[p] += points[q] > points[p]
