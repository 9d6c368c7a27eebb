"""Scores: heights of pyramid and arch, cells of the mosaic, bonuses, and the material left over.

A score is what stands on the sheet so far. The bonus for two complete buildings, BE, is written down when the game closes (R22), so
until then the score of a builder who has two is 3 points short of what the builder would get if the round were the last.
"""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import kernel
from ..core.kernel.words import count_ones
from .components import (
    ALL_CELLS,
    ARCH_POINTS,
    BA1,
    BA2,
    BM1,
    BONUS_POINTS,
    BP1,
    CATEGORIES,
    JOKER_POINTS,
    KEYSTONE_POINTS,
    LEVEL_START,
    LOW_ARCH,
    MOSAIC_GROUPS,
    MOSAIC_POINTS,
    MOST_DOMINOES,
    PYRAMID_GROUPS,
    PYRAMID_POINTS,
    QUARRY_SIZE,
    TOP_STONE,
)

IN_PYRAMID, IN_ARCH, IN_MOSAIC, IN_BONUSES, IN_QUARRY, IN_JOKERS = range(len(CATEGORIES))

# --- What is complete --------------------------------------------------------------------------------------------------------


@kernel
def complete_buildings(s, p):
    """A supported top stone means the whole pyramid, a keystone the whole arch."""
    return (s.pyramid[p] >> TOP_STONE & 1) + s.keystone[p] + (s.mosaic[p] == ALL_CELLS)


@kernel
def complete_groups(s, p):
    """The bonus groups of which all stones are crossed, as bits."""
    groups = s.keystone[p] << BA2
    groups |= (min(s.left[p], s.right[p]) >= LOW_ARCH) << BA1
    b = BP1
    for stones in PYRAMID_GROUPS:
        groups |= (s.pyramid[p] & stones == stones) << b
        b += 1
    b = BM1
    for cells in MOSAIC_GROUPS:
        groups |= (s.mosaic[p] & cells == cells) << b
        b += 1
    return groups


# --- The score sheet ---------------------------------------------------------------------------------------------------------


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
def quarry_points(s, p):
    return QUARRY_SIZE - 1 - s.mark[p]


@kernel
def tally(s, p):
    """Bring p's score sheet up to date. It is kept in the record: only p's actions change it, but observations show it always."""
    s.score_sheet[p, IN_PYRAMID] = pyramid_points(s, p)
    s.score_sheet[p, IN_ARCH] = arch_points(s, p)
    s.score_sheet[p, IN_MOSAIC] = mosaic_points(s, p)
    s.score_sheet[p, IN_BONUSES] = BONUS_POINTS * count_ones(np.uint64(s.bonuses[p]))
    s.score_sheet[p, IN_QUARRY] = quarry_points(s, p)
    s.score_sheet[p, IN_JOKERS] = JOKER_POINTS * s.jokers[p]
    points = 0
    for category in range(len(CATEGORIES)):
        points += s.score_sheet[p, category]
    s.points[p] = points
    s.dominoes_left[p] = MOST_DOMINOES[ALL_CELLS & ~s.mosaic[p]]


@kernel
def parts(s, p, out):
    """What stands on p's sheet so far, by category. BE is not in it before the game closes."""
    for category in range(len(CATEGORIES)):
        out[category] = s.score_sheet[p, category]


@kernel
def scores(s, out):
    """What stands on the sheets so far. BE is not in it before the game closes."""
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
