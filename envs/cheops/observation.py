"""What the schema cannot say of an observation: colours as the observer's own sheet shows them, open bonuses, progress.

Sheets differ only by a rotation of the colours. Counted from the observer's sheet every builder looks at sheet A, and another
builder's sheet is told by its rotation against the own one.
"""

from __future__ import annotations

import numpy as np

from ...encoders.flat import Feature
from ..core.jit import kernel
from ..core.wide import count_ones
from .components import (
    ALL_CELLS,
    ARCH_SIZE,
    BONUS_POINTS,
    BONUSES,
    COLUMN,
    KEYSTONE_POINTS,
    MAX_DICE,
    MAX_DOMINOES,
    MAX_SCORE,
    MOSAIC_POINTS,
    MOSAIC_SIZE,
    MOST_DOMINOES,
    NUM_COLOURS,
    NUM_GROUPS,
    PYRAMID_POINTS,
    PYRAMID_SIZE,
    QUARRY_COLOUR,
    QUARRY_SIZE,
)
from .scoring import arch_points, bonus_points, mosaic_points, pyramid_points, score_of
from .state import NOTHING

MAX_PYRAMID, MAX_MOSAIC, MAX_BONUS = int(PYRAMID_POINTS[-1]), int(MOSAIC_POINTS[-1]), BONUS_POINTS * len(BONUSES)
HEIGHTS = COLUMN + 1
STONES_PER_COLOUR = 2  # in a quarry

DICE, OWED, BONUS = 3 * NUM_COLOURS, 2 * NUM_COLOURS, 2 * NUM_GROUPS
ROTATION, ARCH, STONES, NEXT_STONE, PROGRESS, POINTS = NUM_COLOURS, 2 * HEIGHTS, NUM_COLOURS, NUM_COLOURS, 4, 5
PER_SEAT = ROTATION + ARCH + STONES + NEXT_STONE + PROGRESS + POINTS


def feature_table(num_players: int) -> list[Feature]:
    return [
        Feature("dice_by_colour", DICE, "dice rolled, in the middle when the turn began, now; by colour from the own sheet, by 4"),
        Feature("owed_colours", OWED, "colours still to be paid, one-hot, from the own sheet"),
        Feature("open_bonuses", BONUS, "per group: nobody has it; it was earned in this round, so others still can"),
        Feature("builders", num_players * PER_SEAT,
                "observer, then clockwise: rotation of the sheet against the own one (6); heights of the columns (5 + 5); "
                "usable quarry stones by colour from the own sheet, by 2 (6); nearness of the next one (6); "
                "stones missing of pyramid, arch, mosaic and dominoes that still fit, by size (4); "
                "points of pyramid, arch, mosaic, bonuses by their most, score by 94 (5)"),
    ]  # fmt: skip


@kernel
def features(s, observer, out):
    own = s.sheet[observer]
    for die in range(s.num_dice):
        out[turned(s.roll[die], own)] += np.float32(1 / MAX_DICE)
    for colour in range(NUM_COLOURS):
        out[NUM_COLOURS + turned(colour, own)] = s.pool[colour] * (1 / MAX_DICE)
        out[2 * NUM_COLOURS + turned(colour, own)] = s.dice[colour] * (1 / MAX_DICE)
    at = DICE
    for i in range(2):
        if s.owed[i] != NOTHING:
            out[at + NUM_COLOURS * i + turned(s.owed[i], own)] = 1
    at += OWED
    for b in range(NUM_GROUPS):
        out[at + b] = s.bonus_round[b] == NOTHING
        out[at + NUM_GROUPS + b] = s.bonus_round[b] == s.round
    at += BONUS
    p = observer
    for _ in range(s.num_players):
        write_builder(s, p, own, out[at : at + PER_SEAT])
        at += PER_SEAT
        p = p + 1 if p + 1 < s.num_players else 0


@kernel
def turned(colour, sheet):
    """The colour of sheet A that stands where `sheet` shows `colour`."""
    return colour - sheet + (NUM_COLOURS if colour < sheet else 0)


@kernel
def write_builder(s, p, own, out):
    out[turned(s.sheet[p], own)] = 1
    at = ROTATION
    out[at + s.left[p]] = 1
    out[at + HEIGHTS + s.right[p]] = 1
    at += ARCH
    write_quarry(s, p, own, out[at : at + STONES + NEXT_STONE])
    at += STONES + NEXT_STONE
    out[at] = 1 - count_ones(np.uint64(s.pyramid[p])) * (1 / PYRAMID_SIZE)
    out[at + 1] = 1 - (s.left[p] + s.right[p] + s.keystone[p]) * (1 / ARCH_SIZE)
    out[at + 2] = 1 - count_ones(np.uint64(s.mosaic[p])) * (1 / MOSAIC_SIZE)
    out[at + 3] = MOST_DOMINOES[ALL_CELLS & ~s.mosaic[p]] * (1 / MAX_DOMINOES)
    at += PROGRESS
    out[at] = pyramid_points(s, p) * (1 / MAX_PYRAMID)
    out[at + 1] = arch_points(s, p) * (1 / KEYSTONE_POINTS)
    out[at + 2] = mosaic_points(s, p) * (1 / MAX_MOSAIC)
    out[at + 3] = bonus_points(s, p) * (1 / MAX_BONUS)
    out[at + 4] = score_of(s, p) * (1 / MAX_SCORE)


@kernel
def write_quarry(s, p, own, out):
    """From right to left, so that the nearest stone of a colour has the last word."""
    for i in range(QUARRY_SIZE - 1, s.mark[p], -1):
        colour = turned(QUARRY_COLOUR[s.sheet[p], i], own)
        out[colour] += np.float32(1 / STONES_PER_COLOUR)
        out[STONES + colour] = 1 - (i - s.mark[p] - 1) * (1 / QUARRY_SIZE)
