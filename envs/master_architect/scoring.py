"""Scores, read off the tallies of pyramid.py: what a pyramid and a Collection are worth in points, and what cards add to that."""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import kernel
from ..core.kernel.words import count_ones
from .components import FILLED_UP, FOR_CARDS, HIGHEST_BITS, LEVEL_BITS, NOTHING, NUM_CARDS, NUM_COLOURS, ONE_LEVEL

TIE_BREAK = 128  # more than the small stones of a player

# --- The six categories ------------------------------------------------------------------------------------------------------


@kernel
def members(of):
    """How many members a set has."""
    return count_ones(np.uint64(of))


@kernel
def card_points(s, p):
    cards = s.cards[p]
    return points_of(s, p, cards[0]) + points_of(s, p, cards[1]) + points_of(s, p, cards[2])


@kernel
def parts(s, p, out):
    """The points of p in the order of CATEGORIES."""
    for category in range(FOR_CARDS):
        out[category] = s.points[p][category]
    out[FOR_CARDS] = card_points(s, p)


@kernel
def score_of(s, p):
    points = s.points[p]
    return points[0] + points[1] + points[2] + points[3] + points[4] + card_points(s, p)


# --- Cards -------------------------------------------------------------------------------------------------------------------
# What each card is worth to each player stands in `worth`, also while nobody owns it: pyramid.py keeps it up to date.


@kernel
def owns(s, p, card):
    return s.owned[p] >> card & 1


@kernel
def points_of(s, p, card):
    """What a card adds to the score of p; nothing, if it is none."""
    return s.worth[p][card if card != NOTHING else NUM_CARDS]


@kernel
def colours_of_level(s, p, level):
    """How many colours the stones of a level (0-5) show."""
    count = 0
    for colour in range(NUM_COLOURS):
        count += (s.colour_cells[p][colour] >> LEVEL_BITS * level & ONE_LEVEL) != 0
    return count


@kernel
def four_colour_levels(s, p):
    """Without asking level by level: to fill up a level that is not empty sets its highest bit, which no cell has."""
    cells = s.colour_cells[p]
    of_two = (cells[0] + FILLED_UP) & (cells[1] + FILLED_UP)
    return members(of_two & (cells[2] + FILLED_UP) & (cells[3] + FILLED_UP) & HIGHEST_BITS)


# --- Scores and ranks --------------------------------------------------------------------------------------------------------


@kernel
def scores(s, out):
    """Each player's score if the game ended now."""
    for p in range(s.num_players):
        out[p] = score_of(s, p)


@kernel
def merit(s, p, points):
    """Points, then small stones in pyramid and Collection; those on the red stone and in hand count for nobody (R23)."""
    return points * TIE_BREAK + members(s.filled_small[p]) + s.collected[p]


@kernel
def standings(s, points, out):
    for p in range(s.num_players):
        out[p] = 0
        for q in range(s.num_players):
            out[p] += merit(s, q, points[q]) > merit(s, p, points[p])


@kernel
def write_winners(s):
    s.winners = 0
    best = 0
    for p in range(s.num_players):
        mine = merit(s, p, score_of(s, p))
        if mine > best:
            best = mine
            s.winners = 0
        if mine == best:
            s.winners |= 1 << p
