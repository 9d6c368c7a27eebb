"""The God cards: who has which, the row of three, the deck and the discards."""

from __future__ import annotations

import numpy as np

from ..core.jit import kernel
from ..core.wide import count_ones
from .components import END_FAME, NUM_ENNEAD, ROW
from .state import DISCARDED, IN_ROW, NONE, OWNED

ENNEAD = (1 << NUM_ENNEAD) - 1  # the stack, as bits

# --- Owning ------------------------------------------------------------------------------------------------------------------


@kernel
def owns(s, p, god):
    return s.god_place[god] == OWNED + p


@kernel
def has(s, god):
    """In a Work turn: its player can use this power, from his own card or from the one that Amethyst borrows."""
    return s.god_place[god] == OWNED + s.turn_player or s.copied == god


@kernel
def give(s, god, p):
    s.god_place[god] = OWNED + p
    s.gods[p] |= 1 << god
    count_gods(s, p)


@kernel
def discard_gods(s, p, gods):
    """Put a set of p's Gods on the discards."""
    s.gods[p] &= ~gods
    s.discards |= gods
    count_gods(s, p)
    god = 0
    while gods >> god != 0:
        if gods >> god & 1:
            s.god_place[god] = DISCARDED
        god += 1


@kernel
def count_gods(s, p):
    """After a change; the Ennead stack is one God."""
    stack, powers = s.gods[p] & ENNEAD, s.gods[p] >> NUM_ENNEAD
    s.ennead_cards[p] = count_ones(np.uint64(stack))
    s.god_count[p] = count_ones(np.uint64(powers)) + (stack != 0)
    fame, god = 0, NUM_ENNEAD
    while powers != 0:
        fame += END_FAME[god] * (powers & 1)
        powers >>= 1
        god += 1
    s.god_fame[p] = fame


# --- The row -----------------------------------------------------------------------------------------------------------------
# Cards lie to the right without holes: a card taken lets the newer ones slide at once (R30).


@kernel
def take_from_row(s, position):
    god = s.row[position]
    for i in range(position, 0, -1):
        s.row[i] = s.row[i - 1]
    s.row[0] = NONE
    return god


@kernel
def discard_from_row(s, position):
    god = take_from_row(s, position)
    s.god_place[god] = DISCARDED
    s.discards |= 1 << god


@kernel
def cards_left(s):
    return s.deck_end - s.deck_position


@kernel
def draw_card(s):
    """Into the rightmost hole of a row that has one; an empty deck is never reshuffled (R27)."""
    if cards_left(s) == 0:
        return
    god = s.deck[s.deck_position]
    s.deck_position += 1
    s.god_place[god] = IN_ROW
    hole = ROW - 1
    while s.row[hole] != NONE:
        hole -= 1
    s.row[hole] = god


@kernel
def refill(s):
    while s.row[0] == NONE and cards_left(s) > 0:
        draw_card(s)


@kernel
def row_discard(s):
    if s.row[ROW - 1] != NONE:
        discard_from_row(s, ROW - 1)
    refill(s)
