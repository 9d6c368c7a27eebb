"""Scores: groups of stones in the Pyramid, the Obelisk's best colour, majorities in the Tombs, glyphs."""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import kernel
from ..core.kernel.ranking import rank
from ..core.kernel.words import count_ones
from .components import (
    BONUS,
    BONUS_GROUP,
    CATEGORIES,
    CELL_BOARD,
    FIRST_GLYPH,
    GLYPH_POINTS,
    LOWER_HALF_BOARD,
    NUM_COLOURS,
    NUM_SLOTS,
    OBELISK,
    OBELISK_POINTS,
    PYRAMID,
    SLOT_SHIFT,
    TOMB,
    TOMB_MAJORITY,
)
from .state import OPEN_CATEGORIES

# --- The Pyramid -------------------------------------------------------------------------------------------------------------

ONE, EIGHT = np.uint64(1), np.uint64(8)
NOT_FIRST_COLUMN = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_LAST_COLUMN = np.uint64(0x7F7F7F7F7F7F7F7F)


@kernel
def group_of(stone, cells):
    """The cells connected to `stone` along edges within `cells` (R3, R4)."""
    group = stone
    while True:
        sideways = ((group & NOT_LAST_COLUMN) << ONE) | ((group & NOT_FIRST_COLUMN) >> ONE)
        grown = (group | sideways | (group << EIGHT) | (group >> EIGHT)) & cells
        if grown == group:
            return group
        group = grown


@kernel
def boards_of(slots, colour):
    """The cells of a colour, and the lower halves of its tall stones."""
    cells = np.uint64(0)
    lower_halves = np.uint64(0)
    for slot in range(np.uint64(NUM_SLOTS)):  # without a branch: whether a slot is filled is as good as random
        card = np.uint64(slots[slot])
        cells |= CELL_BOARD[card, colour] << SLOT_SHIFT[slot]
        lower_halves |= LOWER_HALF_BOARD[card, colour] << SLOT_SHIFT[slot]
    return cells, lower_halves


@kernel
def count_stones(cells, lower_halves):
    """A tall stone covers two cells and counts once (R2)."""
    return count_ones(cells) - count_ones(cells & lower_halves)


@kernel
def group_at(slots, slot, colour):
    """Stones in the group that the card in a slot belongs to with its stones of a colour (on one card they all touch)."""
    cells, lower_halves = boards_of(slots, colour)
    return count_stones(group_of(CELL_BOARD[slots[slot], colour] << SLOT_SHIFT[slot], cells), lower_halves)


@kernel
def largest_group_of(slots, colour):
    """Stones in the largest connected group of a colour."""
    cells, lower_halves = boards_of(slots, colour)
    largest = 0
    while cells != 0:
        group = group_of(cells & (~cells + ONE), cells)
        largest = max(largest, count_stones(group, lower_halves))
        cells &= ~group
    return largest


# --- The score sheet ---------------------------------------------------------------------------------------------------------

OPEN_GROUPS, OPEN_LONGEST, OPEN_BONUS, OPEN_OBELISK, OPEN_GLYPHS = range(len(OPEN_CATEGORIES))
AT_GROUPS, AT_LONGEST, AT_BONUS, AT_OBELISK, AT_TOMB, AT_GLYPHS = range(len(CATEGORIES))


@kernel
def tally(s, p):
    """Bring the open part of p's score sheet up to date: what the table can count before the end."""
    groups, longest, smallest, stages = 0, 0, BONUS_GROUP, 0
    for colour in range(NUM_COLOURS):
        size = s.largest_group[p][colour]
        groups += size
        longest = max(longest, size)
        smallest = min(smallest, size)
        stages = max(stages, s.obelisk_colours[p][colour])
    sheet = s.open_sheet[p]
    sheet[OPEN_GROUPS] = groups
    sheet[OPEN_LONGEST] = longest
    sheet[OPEN_BONUS] = BONUS * (smallest == BONUS_GROUP)
    sheet[OPEN_OBELISK] = OBELISK_POINTS[min(stages, len(OBELISK_POINTS) - 1)]
    sheet[OPEN_GLYPHS] = GLYPH_POINTS * (s.open_glyphs[p][PYRAMID] + s.open_glyphs[p][OBELISK])
    points = 0
    for part in range(len(OPEN_CATEGORIES)):
        points += sheet[part]
    s.open_points[p] = points


@kernel
def majority_points(s, p):
    """A colour pays whoever alone has the most stones of it; a tie pays nobody (R33)."""
    points = 0
    for colour in range(NUM_COLOURS):
        majority = True
        for q in range(s.num_players):
            if q != p and s.tomb_marks[q][colour] >= s.tomb_marks[p][colour]:
                majority = False
        points += TOMB_MAJORITY * majority
    return points


@kernel
def tomb_glyph_points(s, p):
    return GLYPH_POINTS * s.tomb_marks[p][FIRST_GLYPH + TOMB]


@kernel
def parts(s, p, out):
    """p's points by category if the game ended now."""
    sheet = s.open_sheet[p]
    out[AT_GROUPS] = sheet[OPEN_GROUPS]
    out[AT_LONGEST] = sheet[OPEN_LONGEST]
    out[AT_BONUS] = sheet[OPEN_BONUS]
    out[AT_OBELISK] = sheet[OPEN_OBELISK]
    out[AT_TOMB] = majority_points(s, p)
    out[AT_GLYPHS] = sheet[OPEN_GLYPHS] + tomb_glyph_points(s, p)


@kernel
def scores(s, out):
    """Each player's score if the game ended now."""
    for p in range(s.num_players):
        out[p] = s.open_points[p] + majority_points(s, p) + tomb_glyph_points(s, p)


@kernel
def standings(s, points, out):
    """Most points win; ties share (R42)."""
    rank(points, s.num_players, out)
