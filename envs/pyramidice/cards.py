"""The God cards: who has which, the row of three, the deck and the discards. Sets of Gods are bits."""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import kernel
from ..core.kernel.words import count_ones
from .components import END_FAME, NUM_ENNEAD, NUM_GODS, ROW
from .state import NONE, SEATS

ENNEAD = (1 << NUM_ENNEAD) - 1  # the stack
ALL_GODS = (1 << NUM_GODS) - 1

# --- Owning ------------------------------------------------------------------------------------------------------------------


@kernel
def owns(s, p, god):
    return s.gods[p] >> god & 1 != 0


@kernel
def powers(s):
    """In a Work turn: the Gods whose powers its player has, his own and the one that Amethyst borrows."""
    borrowed = 1 << s.copied if s.copied != NONE else 0
    return s.gods[s.turn_player] | borrowed


@kernel
def has(s, god):
    return owns(s, s.turn_player, god) | (s.copied == god)


@kernel
def give(s, god, p):
    s.gods[p] |= 1 << god
    count_gods(s, p)


@kernel
def discard_gods(s, p, gods):
    """Put a set of p's Gods on the discards."""
    s.gods[p] &= ~gods
    s.discards |= gods
    count_gods(s, p)


@kernel
def count_gods(s, p):
    """After a change; the Ennead stack is one God."""
    stack, single = s.gods[p] & ENNEAD, s.gods[p] >> NUM_ENNEAD
    s.ennead_cards[p] = count_ones(np.uint64(stack))
    s.god_count[p] = count_ones(np.uint64(single)) + (stack != 0)
    fame, god = 0, NUM_ENNEAD
    while single != 0:
        fame += END_FAME[god] * (single & 1)
        single >>= 1
        god += 1
    s.god_fame[p] = fame


@kernel
def unseen(s):
    """The Gods in the deck and in the box."""
    seen = s.discards
    for p in range(SEATS):
        seen |= s.gods[p]
    for i in range(ROW):
        if s.row[i] != NONE:
            seen |= 1 << s.row[i]
    return ALL_GODS & ~seen


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
    s.discards |= 1 << take_from_row(s, position)


@kernel
def cards_left(s):
    return s.deck_end - s.deck_position


@kernel
def draw_card(s):
    """Into the rightmost hole of a row that has one; an empty deck is never reshuffled (R27)."""
    if cards_left(s) == 0:
        return
    hole = ROW - 1
    while s.row[hole] != NONE:
        hole -= 1
    s.row[hole] = s.deck[s.deck_position]
    s.deck_position += 1


@kernel
def refill(s):
    while s.row[0] == NONE and cards_left(s) > 0:
        draw_card(s)


@kernel
def row_discard(s):
    if s.row[ROW - 1] != NONE:
        discard_from_row(s, ROW - 1)
    refill(s)
