"""What the schema cannot say of an observation: colours as the observer's own sheet shows them, quarries, arches.

Sheets differ only by a rotation of the colours. Counted from the observer's sheet every builder looks at sheet A, and another
builder's sheet is told by its rotation against the own one. So a quarry is a matter of its rotation and its mark: one row of a
table, and an arch is another one. Copying rows takes no branches, and those would be guessed wrong (see encoders/flat.py).
"""

from __future__ import annotations

import numpy as np

from ...encoders.flat import Feature
from ..core.jit import inlined
from ..core.seats import after
from .components import (
    ARCH_POINTS,
    COLUMN,
    KEYSTONE_POINTS,
    MAX_DICE,
    NUM_COLOURS,
    NUM_SHEETS,
    QUARRY_COLOUR,
    QUARRY_SIZE,
)

HEIGHTS = COLUMN + 1
STONES_PER_COLOUR = 2  # in a quarry

DICE, OWED = 2 * NUM_COLOURS, 2 * NUM_COLOURS
ROTATION, STONES, NEXT_STONE = NUM_COLOURS - 1, NUM_COLOURS, NUM_COLOURS
QUARRY = ROTATION + STONES + NEXT_STONE + 1
ARCH = 2 * HEIGHTS + 2


def feature_table(num_players: int) -> list[Feature]:
    return [
        Feature("dice_by_colour", DICE, "dice in the middle when the turn began, now; by colour from the own sheet, by 4"),
        Feature("owed_colours", OWED, "colours still to be paid, one-hot, from the own sheet"),
        Feature("builders", num_players * (QUARRY + ARCH),
                "observer, then clockwise: rotation of the sheet against the own one, 1 to 5 (5); usable quarry stones by colour "
                "from the own sheet, by 2 (6); nearness of the next one (6); all usable ones by 12 (1); "
                "heights of the arch's columns (5 + 5); keystone (1); points of the arch by 9 (1)"),
    ]  # fmt: skip


# --- Tables ------------------------------------------------------------------------------------------------------------------


def _quarry_row(rotation: int, usable: int) -> list[float]:
    turned, stones, next_stone = np.eye(NUM_COLOURS)[rotation], np.zeros(NUM_COLOURS), np.zeros(NUM_COLOURS)
    first = QUARRY_SIZE - usable
    for place in reversed(range(first, QUARRY_SIZE)):  # from right to left: the nearest stone of a colour has the last word
        colour = (QUARRY_COLOUR[0, place] + rotation) % NUM_COLOURS
        stones[colour] += 1 / STONES_PER_COLOUR
        next_stone[colour] = 1 - (place - first) / QUARRY_SIZE
    return [*turned[1:], *stones, *next_stone, usable / QUARRY_SIZE]


def _arch_row(left: int, right: int, keystone: int) -> list[float]:
    columns = [float(height == column) for column in (left, right) for height in range(HEIGHTS)]
    points = KEYSTONE_POINTS if keystone else ARCH_POINTS[min(left, right)]
    return [*columns, float(keystone), points / KEYSTONE_POINTS]


# Per sheet and colour: the colour of sheet A that stands where the sheet shows the colour.
TURNED = ((np.arange(NUM_COLOURS) - np.arange(NUM_SHEETS)[:, None]) % NUM_COLOURS).astype(np.uint64)
# Per sheet and colour + 1: that colour one-hot; first a row for nothing.
OWED_ROWS = np.pad(np.eye(NUM_COLOURS, dtype=np.float32)[TURNED], ((0, 0), (1, 0), (0, 0)))
QUARRY_ROWS = np.array([[_quarry_row(r, usable) for usable in range(QUARRY_SIZE + 1)] for r in range(NUM_COLOURS)], np.float32)
# The keystone's row follows that of the two full columns below it.
ARCHES = [(left, right, 0) for left in range(HEIGHTS) for right in range(HEIGHTS)] + [(COLUMN, COLUMN, 1)]
ARCH_ROWS = np.array([_arch_row(*arch) for arch in ARCHES], np.float32)


# --- Writing -----------------------------------------------------------------------------------------------------------------


@inlined
def features(s, observer, out):
    n, own = np.int64(s.num_players), np.uint64(s.sheet[observer])
    write_dice(s, own, out)
    write_owed(s, own, out)
    at = np.uint64(DICE + OWED)
    p = np.int64(observer)
    for _ in range(n):
        write_builder(s, p, own, out, at)
        at += np.uint64(QUARRY + ARCH)
        p = after(p, n)


@inlined
def write_dice(s, own, out):
    for colour in range(np.uint64(NUM_COLOURS)):
        here = TURNED[own, colour]
        out[here] = np.float32(s.pool[colour]) * np.float32(1 / MAX_DICE)
        out[here + np.uint64(NUM_COLOURS)] = np.float32(s.dice[colour]) * np.float32(1 / MAX_DICE)


@inlined
def write_owed(s, own, out):
    for i in range(np.uint64(2)):
        owed = np.uint64(s.owed[i] + 1)
        for j in range(np.uint64(NUM_COLOURS)):
            out[np.uint64(DICE) + i * np.uint64(NUM_COLOURS) + j] = OWED_ROWS[own, owed, j]


@inlined
def write_builder(s, p, own, out, at):
    rotation = TURNED[own, np.uint64(s.sheet[p])]
    usable = np.uint64(QUARRY_SIZE - 1 - s.mark[p])
    for j in range(np.uint64(QUARRY)):
        out[at + j] = QUARRY_ROWS[rotation, usable, j]
    arch = np.uint64(HEIGHTS * s.left[p] + s.right[p] + s.keystone[p])
    for j in range(np.uint64(ARCH)):
        out[at + np.uint64(QUARRY) + j] = ARCH_ROWS[arch, j]
