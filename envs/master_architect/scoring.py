"""Scores: solid structure, burial chambers, symbols, workers, Collection and cards, read off the tallies of pyramid.py."""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import kernel
from ..core.kernel.words import count_ones
from .components import (
    ANUBIS,
    DIVINE_PATH,
    FIXED_POINTS,
    HAPI,
    HIDDEN_TOMB,
    HIGH,
    KHEPRI,
    KHONSU,
    LEVEL_BITS,
    MAAT,
    NOTHING,
    NUM_COLOURS,
    NUM_HELD,
    NUM_LEVELS,
    NUM_SYMBOLS,
    NUT,
    ONE_LEVEL,
    OSIRIS,
    PRIEST,
    PTAH,
    SET,
    STONEMASON,
    STONES_PER_POINT,
    SURVEYOR,
    SYMBOL_POINTS,
    THOTH,
    TREASURER,
    WORKERS_PER_POINT,
)

CATEGORIES = ("solid", "burial", "symbols", "workers", "collection", "cards")
TIE_BREAK = 128  # more than the small stones of a player

# --- The six categories ------------------------------------------------------------------------------------------------------


@kernel
def solid_points(s, p):
    height = s.height[p]
    return height[0] + height[1] + height[2] + height[3]


@kernel
def members(of):
    """How many members a set has."""
    return count_ones(np.uint64(of))


@kernel
def symbol_points(s, p):
    return SYMBOL_POINTS[members(s.symbols[p])]


@kernel
def collection_points(s, p):
    return s.collected[p] // STONES_PER_POINT


@kernel
def card_points(s, p):
    points = 0
    for i in range(NUM_HELD):
        if s.cards[p][i] != NOTHING:
            points += points_of(s, p, s.cards[p][i])
    return points


@kernel
def sheet(s, p):
    """The points of p in the order of CATEGORIES."""
    burial, workers = np.int64(s.burial[p]), np.int64(s.worker_points[p])
    return solid_points(s, p), burial, symbol_points(s, p), workers, collection_points(s, p), card_points(s, p)


@kernel
def parts(s, p, out):
    points = sheet(s, p)
    for i in range(len(points)):
        out[i] = points[i]


@kernel
def score_of(s, p):
    solid, burial, symbols, workers, collection, cards = sheet(s, p)
    return solid + burial + symbols + workers + collection + cards


# --- Cards -------------------------------------------------------------------------------------------------------------------


@kernel
def owns(s, p, card):
    return s.owned[p] >> card & 1


@kernel
def points_of(s, p, card):
    """What a card adds to the score of p."""
    if HAPI <= card <= KHONSU:
        return s.large_of_colour[p][card - HAPI]
    if card == SET:
        return s.edge_sarcophagi[p]
    if card == PRIEST:
        kinds = members(s.symbols[p])
        return SYMBOL_POINTS[min(kinds + 1, NUM_SYMBOLS)] - SYMBOL_POINTS[kinds]
    if card == OSIRIS:
        return s.workers[p] // WORKERS_PER_POINT
    if card == DIVINE_PATH:
        return s.exits[p]
    if card == ANUBIS:
        return s.inner_sarcophagi[p]
    if card == MAAT:
        return members(s.balanced[p])
    if card == PTAH:
        return 2 * four_colour_levels(s, p)
    if card == THOTH:
        return s.symbol_stones[p] + owns(s, p, PRIEST)  # R31
    if card == NUT:
        return 2 * high_colours(s, p)
    if card == KHEPRI:
        return highest(s, p)
    if card == TREASURER:
        return s.collected[p] - collection_points(s, p)
    if card == HIDDEN_TOMB:
        return s.sarcophagi[p] - s.edge_sarcophagi[p] - s.inner_sarcophagi[p]
    if card in (STONEMASON, SURVEYOR):
        return FIXED_POINTS
    return 0


@kernel
def colours_of_level(s, p, level):
    """How many colours the stones of a level (0-5) show."""
    count = 0
    for colour in range(NUM_COLOURS):
        count += (s.colour_cells[p][colour] >> LEVEL_BITS * level & ONE_LEVEL) != 0
    return count


@kernel
def four_colour_levels(s, p):
    count = 0
    for level in range(NUM_LEVELS):
        count += colours_of_level(s, p, level) == NUM_COLOURS
    return count


@kernel
def high_colours(s, p):
    count = 0
    for colour in range(NUM_COLOURS):
        count += s.height[p][colour] >= HIGH
    return count


@kernel
def highest(s, p):
    height = s.height[p]
    return max(max(height[0], height[1]), max(height[2], height[3]))


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
