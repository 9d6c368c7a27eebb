"""The three stocks: large stones, the bag of small stones, cards. Their order is hidden, what is left in them is not."""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import kernel
from ..core.kernel.rng import shuffle
from .components import FULL_BAG, NUM_CARDS, NUM_LARGE, NUM_SMALL, NUM_TYPES, STOCK_KIND


@kernel
def shuffle_stocks(s):
    """All pieces in any order. Nothing ever returns to a stock, so no further chance is needed."""
    for i in range(NUM_LARGE):
        s.large_deck[i] = i
    for i in range(NUM_SMALL):
        s.bag[i] = FULL_BAG[i]
    for i in range(NUM_CARDS):
        s.card_deck[i] = i
    shuffle_what_is_left(s)
    count_stocks(s)


@kernel
def shuffle_what_is_left(s):
    shuffle(s, s.large_deck, s.large_drawn, NUM_LARGE)
    shuffle(s, s.bag, s.small_drawn, NUM_SMALL)
    shuffle(s, s.card_deck, s.cards_drawn, NUM_CARDS)


@kernel
def sort_what_is_left(s):
    """In an order that does not depend on the one in which it will be drawn: all that a player knows is what is left."""
    low, high = np.uint64(0), np.uint64(0)  # a bit per large stone
    for i in range(s.large_drawn, NUM_LARGE):
        stone = np.uint64(s.large_deck[i])
        low |= np.uint64(stone < WORD) << (stone & LAST_BIT)
        high |= np.uint64(stone >= WORD) << (stone & LAST_BIT)
    at = s.large_drawn
    for stone in range(NUM_LARGE):
        if (low if stone < WORD else high) >> (np.uint64(stone) & LAST_BIT) & np.uint64(1):
            s.large_deck[at] = stone
            at += 1
    at = s.small_drawn
    for stone in range(NUM_TYPES):
        for _ in range(s.unseen_small[stone]):
            s.bag[at] = stone
            at += 1
    at = s.cards_drawn
    for card in range(NUM_CARDS):
        if s.unseen_cards >> card & 1:
            s.card_deck[at] = card
            at += 1


WORD, LAST_BIT = 64, np.uint64(63)


@kernel
def count_stocks(s):
    """What is still to come, by kind."""
    s.unseen_large[:] = 0
    s.unseen_small[:] = 0
    for i in range(s.large_drawn, NUM_LARGE):
        s.unseen_large[STOCK_KIND[s.large_deck[i]]] += 1
    for i in range(s.small_drawn, NUM_SMALL):
        s.unseen_small[s.bag[i]] += 1
    s.unseen_cards = 0
    for i in range(s.cards_drawn, NUM_CARDS):
        s.unseen_cards |= 1 << s.card_deck[i]


@kernel
def draw_large(s):
    stone = s.large_deck[s.large_drawn]
    s.large_drawn += 1
    s.unseen_large[STOCK_KIND[stone]] -= 1
    return stone


@kernel
def draw_small(s):
    stone = s.bag[s.small_drawn]
    s.small_drawn += 1
    s.unseen_small[stone] -= 1
    return stone


@kernel
def draw_card(s):
    card = s.card_deck[s.cards_drawn]
    s.cards_drawn += 1
    s.unseen_cards ^= 1 << card
    return card
