"""What the schema cannot say of an observation: colours as the observer's own sheet shows them, quarries, arches.

Sheets differ only by a rotation of the colours. Counted from the observer's sheet every builder looks at sheet A, and another
builder's sheet is told by its rotation against the own one. So a quarry is a matter of its rotation and its mark: one row of a
table.
"""

from __future__ import annotations

import numpy as np

from ..core.declare.features import OTHER, SEAT, Feature
from ..core.declare.grid import Grid
from ..core.kernel.jit import inlined
from ..core.kernel.words import count_ones
from ..core.kernel.writing import part, put_row, write_turned
from .components import (
    ARCH_SIZE,
    BA1,
    BA2,
    BM1,
    BONUSES,
    BP1,
    COLUMN,
    LOW_ARCH,
    MAX_DICE,
    MOSAIC_GROUPS,
    MOSAIC_SIZE,
    NUM_COLOURS,
    NUM_GROUPS,
    NUM_SHEETS,
    PYRAMID_GROUPS,
    PYRAMID_ROWS,
    QUARRY_COLOUR,
    QUARRY_SIZE,
    ROW,
    SEATS,
    STONES_A_TURN,
)
from .state import NOTHING, PAY

HEIGHTS = COLUMN + 1
PER_ROTATION, PER_QUARRY, PER_ARCH = NUM_COLOURS - 1, 2 * NUM_COLOURS + 1, 2 * HEIGHTS  # numbers of a builder
STONES_PER_COLOUR = 2  # in a quarry

# --- Dice and payment --------------------------------------------------------------------------------------------------------

# Colours stand in the order in which they stand where sheet A has blue, red, lilac, ...: sheet B begins with red, and so on.


@inlined
def write_pool(s, me, out):
    write_turned(s.pool, s.sheet[me], 1 / MAX_DICE, out, NUM_COLOURS)


@inlined
def write_dice(s, me, out):
    write_turned(s.dice, s.sheet[me], 1 / MAX_DICE, out, NUM_COLOURS)


@inlined
def write_owed(s, me, out):
    for i in range(STONES_A_TURN):
        colour = part(out, NUM_COLOURS * i, NUM_COLOURS)
        put_row(OWED_ROWS, OWED_COLOURS * s.sheet[me] + s.owed[i] - NOTHING, colour, NUM_COLOURS)


# Per own sheet and colour owed, none first: the colour one-hot, counted from the sheet.
OWED_COLOURS = NUM_COLOURS + 1
_NONE_OR_COLOUR = np.eye(OWED_COLOURS, dtype=np.float32)[:, 1:]
OWED_ROWS = np.concatenate([np.roll(_NONE_OR_COLOUR, -sheet, axis=1) for sheet in range(NUM_SHEETS)])


@inlined
def write_usable_for_payment(s, me, out):
    out[0] = QUARRY_SHARE[(s.phase == PAY) * (QUARRY_SIZE - 1 - s.mark_before)]


QUARRY_SHARE = (np.arange(QUARRY_SIZE + 1) / QUARRY_SIZE).astype(np.float32)


# --- Builders ----------------------------------------------------------------------------------------------------------------


@inlined
def rotation(s, me, p):
    """By how many colours p's sheet is ahead of the observer's."""
    ahead = s.sheet[p] - s.sheet[me]
    return ahead + NUM_COLOURS * (ahead < 0)


@inlined
def write_rotation(s, me, p, out):
    put_row(ROTATIONS, rotation(s, me, p), out, PER_ROTATION)


ROTATIONS = np.eye(NUM_COLOURS, dtype=np.float32)[:, 1:].copy()  # no two sheets are the same, so none is 0


@inlined
def write_quarry(s, me, p, out):
    put_row(QUARRY_ROWS, QUARRIES * rotation(s, me, p) + QUARRY_SIZE - 1 - s.mark[p], out, PER_QUARRY)


def _quarry_row(rotation: int, usable: int) -> list[float]:
    stones, next_stone = np.zeros(NUM_COLOURS), np.zeros(NUM_COLOURS)
    first = QUARRY_SIZE - usable
    for place in reversed(range(first, QUARRY_SIZE)):  # from right to left: the nearest stone of a colour has the last word
        colour = (QUARRY_COLOUR[0, place] + rotation) % NUM_COLOURS
        stones[colour] += 1 / STONES_PER_COLOUR
        next_stone[colour] = 1 - (place - first) / QUARRY_SIZE
    return [*stones, *next_stone, usable / QUARRY_SIZE]


# Per rotation and number of usable stones.
QUARRIES = QUARRY_SIZE + 1
QUARRY_ROWS = np.array([_quarry_row(turned, usable) for turned in range(NUM_COLOURS) for usable in range(QUARRIES)], np.float32)


@inlined
def write_columns(s, me, p, out):
    put_row(COLUMN_ROWS, HEIGHTS * s.left[p] + s.right[p], out, PER_ARCH)


_HEIGHT = np.eye(HEIGHTS, dtype=np.float32)
COLUMN_ROWS = np.array([[*left, *right] for left in _HEIGHT for right in _HEIGHT], np.float32)


FEATURES = (
    Feature("dice_at_first", NUM_COLOURS, "dice in the middle when the turn began, by colour from the own sheet, by 4", write_pool,
            by=4),
    Feature("dice_left", NUM_COLOURS, "dice in the middle now, by colour from the own sheet, by 4", write_dice, by=4),
    Feature("owed_colours", STONES_A_TURN * NUM_COLOURS,
            "first and second colour still to be paid, one-hot, from the own sheet; nothing: zeros", write_owed, by=1),
    Feature("usable_for_payment", 1,
            "quarry stones right of the mark before the payment, by 12; nothing to be paid: 0", write_usable_for_payment, by=12),
    Feature("rotation", PER_ROTATION, "colours that the sheet is ahead of the own one, 1 to 5, one-hot", write_rotation,
            per=OTHER, by=1),
    Feature("usable_quarry", PER_QUARRY,
            "quarry stones right of the mark: by colour from the own sheet, by 2 (6); nearness of the next one of each colour, "
            "1 the next of all, 0 none (6); all, by 12 (1)", write_quarry, per=SEAT, by=12),
    Feature("columns", PER_ARCH, "height of the arch's left and right column, 0 to 4, one-hot (5 + 5)", write_columns, per=SEAT,
            by=1),
)  # fmt: skip


# --- Planes: a sheet as it is drawn, but every level of the pyramid begins at the left: a stone lies beside those below ---

LEVELS = len(PYRAMID_ROWS)
ARCH_AT = LEVELS + 1
MOSAIC_AT = ARCH_AT + 3
WIDTH = MOSAIC_AT + ROW


def _cell(row: int, column: int) -> int:
    return row * WIDTH + column


PYRAMID_CELLS = tuple(_cell(LEVELS - 1 - level, i) for level, row in enumerate(PYRAMID_ROWS) for i in range(len(row)))
ARCH_CELLS = tuple(_cell(LEVELS - 1 - height, ARCH_AT + side) for side in (0, 1) for height in range(HEIGHTS))
MOSAIC_CELLS = tuple(_cell(LEVELS - MOSAIC_SIZE // ROW + i // ROW, MOSAIC_AT + i % ROW) for i in range(MOSAIC_SIZE))

PLANES = Grid(
    LEVELS,
    WIDTH,
    {
        "pyramid": PYRAMID_CELLS,
        "columns": ARCH_CELLS,
        "keystone": ((_cell(0, ARCH_AT), _cell(0, ARCH_AT + 1)),),
        "mosaic": MOSAIC_CELLS,
    },
)

# --- What an action changes ----------------------------------------------------------------------------------------------------


@inlined
def write_groups(s, me, out):
    """Bonuses that are gone count nothing."""
    out[BA1] = (min(s.left[me], LOW_ARCH) + min(s.right[me], LOW_ARCH)) / (2 * LOW_ARCH)
    out[BA2] = (s.left[me] + s.right[me] + s.keystone[me]) / ARCH_SIZE
    for i in range(len(PYRAMID_STONES)):
        out[BP1 + i] = count_ones(np.uint64(s.pyramid[me] & PYRAMID_STONES[i])) / PYRAMID_NEEDS[i]
    for i in range(len(MOSAIC_STONES)):
        out[BM1 + i] = count_ones(np.uint64(s.mosaic[me] & MOSAIC_STONES[i])) / ROW
    for b in range(NUM_GROUPS):
        out[b] *= (s.open_bonuses | s.fresh_bonuses | s.bonuses[me]) >> b & 1


PYRAMID_STONES, MOSAIC_STONES = np.array(PYRAMID_GROUPS), np.array(MOSAIC_GROUPS)
PYRAMID_NEEDS = np.array([stones.bit_count() for stones in PYRAMID_GROUPS])


@inlined
def write_material(s, me, out):
    out[0] = (QUARRY_SIZE - 1 - s.mark[me]) / QUARRY_SIZE
    out[1] = s.jokers[me] / SEATS


LOOKAHEAD = (
    Feature("groups", NUM_GROUPS, f"share of each group that is crossed, "
            f"while its bonus is there: {', '.join(BONUSES[:NUM_GROUPS])}", write_groups),
    Feature("material", 2, "usable quarry stones, by 12; jokers, by 5", write_material),
)  # fmt: skip
