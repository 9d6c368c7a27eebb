"""What is derived from the edifices: kept up to date card by card, or computed anew for a position that came from outside."""

from __future__ import annotations

from ..core.kernel.jit import inlined, kernel
from .components import FIRST_GLYPH, GLYPH, MARKS, NUM_COLOURS, NUM_MARKS, NUM_SLOTS, OBELISK, PYRAMID, SHOWS, STONES
from .scoring import group_at, largest_group_of, tally
from .state import NOTHING

# --- Card by card ------------------------------------------------------------------------------------------------------------


@inlined
def pyramid_grew(s, p, slot):
    """Only the groups that the new card belongs to can have become the largest."""
    slots = s.pyramid[p]
    card = slots[slot]
    s.filled_slots[p] = filled(slots)
    s.open_glyphs[p][PYRAMID] += GLYPH[card] == PYRAMID
    for colour in range(NUM_COLOURS):
        if STONES[card, colour]:
            s.largest_group[p][colour] = max(s.largest_group[p][colour], group_at(slots, slot, colour))
    tally(s, p)


@inlined
def filled(slots):
    bits = 0
    for slot in range(NUM_SLOTS):
        bits |= (slots[slot] != NOTHING) << slot
    return bits


@kernel
def obelisk_grew(s, p, card):
    s.open_glyphs[p][OBELISK] += GLYPH[card] == OBELISK
    for colour in range(NUM_COLOURS):
        s.obelisk_colours[p][colour] += SHOWS[card, colour]
    tally(s, p)


@kernel
def tomb_grew(s, p, card):
    add_marks(s.tomb_marks[p], card)


@inlined
def add_marks(marks, card):
    for mark in range(NUM_MARKS):
        marks[mark] += MARKS[card, mark]


# --- Anew --------------------------------------------------------------------------------------------------------------------


@kernel
def count_edifices(s, p):
    s.filled_slots[p] = filled(s.pyramid[p])
    for colour in range(NUM_COLOURS):
        s.largest_group[p][colour] = largest_group_of(s.pyramid[p], colour)
        s.obelisk_colours[p][colour] = count_on(s.obelisk[p], SHOWS, colour)
    s.open_glyphs[p][PYRAMID] = count_on(s.pyramid[p], MARKS, FIRST_GLYPH + PYRAMID)
    s.open_glyphs[p][OBELISK] = count_on(s.obelisk[p], MARKS, FIRST_GLYPH + OBELISK)
    for mark in range(NUM_MARKS):
        s.tomb_marks[p][mark] = count_on(s.tomb[p], MARKS, mark)
    tally(s, p)


@kernel
def count_on(cards, table, column):
    total = 0
    for card in cards:
        if card != NOTHING:
            total += table[card, column]
    return total
