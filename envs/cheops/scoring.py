"""Scores: heights of pyramid and arch, cells of the mosaic, bonuses, and the material left over."""

from __future__ import annotations

import numpy as np

from ..core.jit import kernel
from ..core.wide import count_ones
from .components import (
    ALL_CELLS,
    ARCH_POINTS,
    BA1,
    BA2,
    BM1,
    BONUS_POINTS,
    BP1,
    BP2,
    BP3,
    CENTRE_STONE,
    FIRST_ROW,
    GROUND,
    JOKER_POINTS,
    KEYSTONE_POINTS,
    LEVEL_START,
    LOW_ARCH,
    MOSAIC_POINTS,
    MOST_DOMINOES,
    PYRAMID_POINTS,
    QUARRY_SIZE,
    ROW,
    TOP_STONE,
)

# --- What is complete --------------------------------------------------------------------------------------------------------


@kernel
def complete_buildings(s, p):
    """A supported top stone means the whole pyramid, a keystone the whole arch."""
    return (s.pyramid[p] >> TOP_STONE & 1) + s.keystone[p] + (s.mosaic[p] == ALL_CELLS)


@kernel
def complete_groups(s, p):
    """The bonus groups of which all stones are crossed, as bits."""
    pyramid, mosaic = s.pyramid[p], s.mosaic[p]
    groups = (pyramid & GROUND == GROUND) << BP1
    groups |= (pyramid >> CENTRE_STONE & 1) << BP2
    groups |= (pyramid >> TOP_STONE & 1) << BP3
    groups |= (min(s.left[p], s.right[p]) >= LOW_ARCH) << BA1
    groups |= s.keystone[p] << BA2
    for row in range(3):
        groups |= (mosaic >> ROW * row & FIRST_ROW == FIRST_ROW) << (BM1 + row)
    return groups


# --- The parts of a score ----------------------------------------------------------------------------------------------------


@kernel
def pyramid_points(s, p):
    level = 0
    for first_stone in LEVEL_START:
        level += s.pyramid[p] >> first_stone != 0
    return PYRAMID_POINTS[level]


@kernel
def arch_points(s, p):
    return KEYSTONE_POINTS if s.keystone[p] else ARCH_POINTS[min(s.left[p], s.right[p])]


@kernel
def mosaic_points(s, p):
    return MOSAIC_POINTS[count_ones(np.uint64(s.mosaic[p])) // 2]


@kernel
def bonus_points(s, p):
    return BONUS_POINTS * count_ones(np.uint64(s.bonuses[p]))


@kernel
def quarry_points(s, p):
    return QUARRY_SIZE - 1 - s.mark[p]


@kernel
def joker_points(s, p):
    return JOKER_POINTS * s.jokers[p]


# Observations show these numbers of every seat at every decision, but only a builder's own actions change them: they are kept.


@kernel
def count_pyramid(s, p):
    s.points_of_pyramid[p] = pyramid_points(s, p)


@kernel
def count_mosaic(s, p):
    s.points_of_mosaic[p] = mosaic_points(s, p)
    s.dominoes_left[p] = MOST_DOMINOES[ALL_CELLS & ~s.mosaic[p]]


@kernel
def count_score(s, p):
    s.points[p] = score_of(s, p)


@kernel
def score_of(s, p):
    buildings = s.points_of_pyramid[p] + arch_points(s, p) + s.points_of_mosaic[p]
    return buildings + bonus_points(s, p) + quarry_points(s, p) + joker_points(s, p)


@kernel
def scores(s, out):
    """Each player's score if the game ended now."""
    for p in range(s.num_players):
        out[p] = s.points[p]


@kernel
def standings(s, points, out):
    """Most points win; among equals more pyramid stones; then victory is shared (R31)."""
    for p in range(s.num_players):
        out[p] = 0
        for q in range(s.num_players):
            more_stones = count_ones(np.uint64(s.pyramid[q])) > count_ones(np.uint64(s.pyramid[p]))
            out[p] += points[q] > points[p] or (points[q] == points[p] and more_stones)
