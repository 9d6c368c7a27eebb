"""Scores: groups of stones in the Pyramid, the Obelisk's best colour, majorities in the Tombs, glyphs."""

from __future__ import annotations

import numpy as np

from ..core.jit import kernel
from ..core.ranking import rank
from ..core.wide import count_ones
from .components import (
    BONUS,
    BONUS_GROUP,
    CELL_BOARD,
    GLYPH_POINTS,
    LOWER_HALF_BOARD,
    NUM_COLOURS,
    NUM_SLOTS,
    OBELISK,
    OBELISK_POINTS,
    PYRAMID,
    SLOT_SHIFT,
    TOMB_MAJORITY,
)
from .state import NOTHING

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
    for slot in range(NUM_SLOTS):
        card = slots[slot]
        if card != NOTHING:
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


# --- The parts of a score ----------------------------------------------------------------------------------------------------


@kernel
def groups_and_longest(s, p):
    groups, longest = 0, 0
    for colour in range(NUM_COLOURS):
        groups += s.largest_group[p][colour]
        longest = max(longest, s.largest_group[p][colour])
    return groups, longest


@kernel
def has_bonus(s, p):
    smallest = BONUS_GROUP
    for colour in range(NUM_COLOURS):
        smallest = min(smallest, s.largest_group[p][colour])
    return smallest == BONUS_GROUP


@kernel
def obelisk_points(s, p):
    stages = 0
    for colour in range(NUM_COLOURS):
        stages = max(stages, s.obelisk_colours[p][colour])
    return OBELISK_POINTS[min(stages, len(OBELISK_POINTS) - 1)]


@kernel
def tomb_points(s, p):
    """A colour pays whoever alone has the most stones of it; a tie pays nobody (R33)."""
    points = 0
    for colour in range(NUM_COLOURS):
        majority = True
        for q in range(s.num_players):
            if q != p and s.tomb_stones[q][colour] >= s.tomb_stones[p][colour]:
                majority = False
        points += TOMB_MAJORITY * majority
    return points


@kernel
def glyph_points(s, p):
    return GLYPH_POINTS * (s.glyphs[p][0] + s.glyphs[p][1] + s.glyphs[p][2])


@kernel
def public_points(s, p):
    """Pyramid and Obelisk with their glyphs: all that the table can count before the end."""
    groups, longest = groups_and_longest(s, p)
    glyphs = s.glyphs[p][PYRAMID] + s.glyphs[p][OBELISK]
    return groups + longest + BONUS * has_bonus(s, p) + obelisk_points(s, p) + GLYPH_POINTS * glyphs


@kernel
def score_of(s, p):
    groups, longest = groups_and_longest(s, p)
    return groups + longest + BONUS * has_bonus(s, p) + obelisk_points(s, p) + tomb_points(s, p) + glyph_points(s, p)


@kernel
def scores(s, out):
    """Each player's score if the game ended now."""
    for p in range(s.num_players):
        out[p] = score_of(s, p)


@kernel
def write_score_sheet(s):
    for p in range(s.num_players):
        groups, longest = groups_and_longest(s, p)
        sheet = s.score[p]
        sheet[0], sheet[1], sheet[2] = groups, longest, BONUS * has_bonus(s, p)
        sheet[3], sheet[4], sheet[5] = obelisk_points(s, p), tomb_points(s, p), glyph_points(s, p)
        sheet[6] = sheet[0] + sheet[1] + sheet[2] + sheet[3] + sheet[4] + sheet[5]


@kernel
def standings(s, points, out):
    """Most points win; ties share (R42)."""
    rank(points, s.num_players, out)
