"""What the schema cannot say of an observation: the own pyramid space by space, cards owned, points so far, stocks."""

from __future__ import annotations

from ...encoders.flat import Feature
from ..core.jit import kernel
from .components import (
    LYING_FEATURES,
    NOTHING,
    NUM_CARDS,
    NUM_LARGE_SPACES,
    NUM_PAIRS,
    PAIR_SPACES,
    SMALL_FEATURES,
    TURNS,
)
from .rules import current_small
from .scoring import card_points, collection_points, solid_points, symbol_points

PER_SPACE = LYING_FEATURES.shape[-1]
PER_SMALL = SMALL_FEATURES.shape[-1]
NUM_POINTS = 8
PER_SEAT = NUM_CARDS + NUM_PAIRS + NUM_POINTS
CATEGORY_SCALE, TOTAL_SCALE, COLLECTION_SCALE = 40.0, 100.0, 12.0


def feature_table(num_players: int) -> list[Feature]:
    return [
        Feature("progress", 1, "finished turns, by all turns of the game"),
        Feature("current_small", PER_SMALL, "small stone to be placed now: colour, workers by 3"),
        Feature("unseen_cards", NUM_CARDS, "cards still to come"),
        Feature("own_large", NUM_LARGE_SPACES * PER_SPACE, "per own large space: colour, sarcophagi by 2, openings as it lies"),
        Feature("standing", num_players * PER_SEAT,
                "per seat: cards owned; filled part of each card pair; solid, burial, symbols, workers, collection, cards by 40, "
                "total by 100, stones in the Collection by 12"),
    ]  # fmt: skip


@kernel
def features(s, observer, out):
    out[0] = s.turn / (TURNS * s.num_players)
    at = 1
    stone = current_small(s)
    if stone != NOTHING:
        for i in range(PER_SMALL):
            out[at + i] = SMALL_FEATURES[stone, i]
    at += PER_SMALL
    for i in range(s.cards_drawn, NUM_CARDS):
        out[at + s.card_deck[i]] = 1
    at += NUM_CARDS
    write_large(s, observer, out[at : at + NUM_LARGE_SPACES * PER_SPACE])
    at += NUM_LARGE_SPACES * PER_SPACE
    for i in range(s.num_players):
        write_standing(s, (observer + i) % s.num_players, out[at : at + PER_SEAT])
        at += PER_SEAT


@kernel
def write_large(s, p, out):
    at = 0
    for space in range(NUM_LARGE_SPACES):
        stone = s.large_stone[p][space]
        if stone != NOTHING:
            for i in range(PER_SPACE):
                out[at + i] = LYING_FEATURES[stone, s.large_turned[p][space], i]
        at += PER_SPACE


@kernel
def write_standing(s, p, out):
    for card in range(NUM_CARDS):
        out[card] = s.owned[p] >> card & 1
    at = NUM_CARDS
    for pair in range(NUM_PAIRS):
        a, b = PAIR_SPACES[pair, 0], PAIR_SPACES[pair, 1]
        out[at] = ((s.filled_large[p] >> a & 1) + (s.filled_large[p] >> b & 1)) * (1 / 2)
        at += 1
    solid, symbols, collection, cards = solid_points(s, p), symbol_points(s, p), collection_points(s, p), card_points(s, p)
    out[at] = solid * (1 / CATEGORY_SCALE)
    out[at + 1] = min(s.burial[p] * (1 / CATEGORY_SCALE), 1.0)
    out[at + 2] = symbols * (1 / CATEGORY_SCALE)
    out[at + 3] = s.worker_points[p] * (1 / CATEGORY_SCALE)
    out[at + 4] = min(collection * (1 / CATEGORY_SCALE), 1.0)
    out[at + 5] = min(cards * (1 / CATEGORY_SCALE), 1.0)
    total = solid + s.burial[p] + symbols + s.worker_points[p] + collection + cards
    out[at + 6] = min(total * (1 / TOTAL_SCALE), 1.0)
    out[at + 7] = min(s.collected[p] * (1 / COLLECTION_SCALE), 1.0)
