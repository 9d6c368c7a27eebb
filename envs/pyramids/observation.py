"""What the schema cannot say of an observation: what the table knows of the others' cards, open locations, scores so far."""

from __future__ import annotations

import numpy as np

from ...encoders.flat import Feature
from ..core.jit import inlined
from ..core.seats import after
from .components import (
    GLYPH_POINTS,
    LOCATIONS,
    MAX_SCORE,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_LOCATIONS,
    NUM_TILES,
    OBELISK,
    OPEN_LOCATIONS,
    PACKED_STONES,
    PYRAMID,
    TOMB,
)
from .rules import in_play
from .state import CANDIDATE, HAND_SIZE, INITIAL_CANDIDATE, KNOWN_IN_HAND, KNOWN_IN_TOMB, NOTHING

OPEN_LOCATION_ROWS = (OPEN_LOCATIONS[:, None] >> np.arange(NUM_LOCATIONS) & 1).astype(np.float32)
BY_HAND, BY_TOMB = np.float32(1 / 9), np.float32(1 / 30)  # at most three cards in hand, ten in a Tomb
HELD = np.array([0] + [1 / n for n in range(1, 15)], np.float32)  # the chance that one of n candidates is the one in hand
MOST_GLYPHS = 10
PER_SEAT, PER_OTHER = 2, 2 * NUM_COLOURS
NO_STONES, FIVE, BYTE, LOW_BYTE = (np.uint64(i) for i in (0, NUM_COLOURS, 8, 255))  # for packed stones


def feature_table(num_players: int) -> list[Feature]:
    others = num_players - 1
    return [
        Feature("deck_left", 1, "cards left in the deck, by 105"),
        Feature("own_points", 1, "own points without Tomb majorities, which depend on what is hidden"),
        Feature("open_locations", NUM_LOCATIONS, f"where the own Pyramid can grow: {', '.join(LOCATIONS)}"),
        Feature("tiles_in_play", NUM_TILES, "tiles in play this round"),
        Feature("tiles_free", NUM_TILES, "tiles that can still be chosen"),
        Feature("public_glyphs", num_players * PER_SEAT, "per player: Pyramid and Obelisk glyphs by 10"),
        Feature("known", others * PER_OTHER, "per other: stones by colour expected in hand, in the Tomb, as the table knows"),
    ]


@inlined
def features(s, observer, out):
    out[0] = (NUM_CARDS - s.deck_position) * (1 / NUM_CARDS)
    out[1] = (s.public_points[observer] + GLYPH_POINTS * s.glyphs[observer][TOMB]) * (1 / MAX_SCORE)
    at = 2
    write_open_locations(s, observer, out, at)
    at += NUM_LOCATIONS
    write_tiles(s, out, at)
    at += 2 * NUM_TILES
    p = observer
    for _ in range(s.num_players):
        out[at] = s.glyphs[p][PYRAMID] * (1 / MOST_GLYPHS)
        out[at + 1] = s.glyphs[p][OBELISK] * (1 / MOST_GLYPHS)
        at += PER_SEAT
        p = after(p, s.num_players)
    q = observer
    for _ in range(s.num_players - 1):
        q = after(q, s.num_players)
        write_known(s, q, out, at)
        at += PER_OTHER


@inlined
def write_open_locations(s, p, out, at):
    filled = np.uint64(s.filled_slots[p])
    for location in range(np.uint64(NUM_LOCATIONS)):
        out[np.uint64(at) + location] = OPEN_LOCATION_ROWS[filled, location]


@inlined
def write_tiles(s, out, at):
    for tile in range(NUM_TILES):
        used = in_play(s, tile)
        out[at + tile] = used
        out[at + NUM_TILES + tile] = used & (s.tile_owner[tile] == NOTHING)


@inlined
def write_known(s, q, out, at):
    """Only sums over publicly known sets: which candidate is really in hand must not show. No branches, see encoders/flat.py."""
    candidates = np.int64(s.initial_status[q] == INITIAL_CANDIDATE)  # the initial card may be one, nobody knows its stones
    in_hand, doubtful, in_tomb = NO_STONES, NO_STONES, NO_STONES
    for i in range(HAND_SIZE):
        card = s.hand[q][i]
        place = s.public_place[min(card, NUM_CARDS - 1)] - q
        in_hand += PACKED_STONES[card] * np.uint64(place == KNOWN_IN_HAND)
        doubtful += PACKED_STONES[card] * np.uint64(place == CANDIDATE)
        candidates += (place == CANDIDATE) & (card != NOTHING)
    for i in range(s.tomb_size[q]):
        card = s.tomb[q][i]
        place = s.public_place[card] - q
        in_tomb += PACKED_STONES[card] * np.uint64(place == KNOWN_IN_TOMB)
        doubtful += PACKED_STONES[card] * np.uint64(place == CANDIDATE)
        candidates += place == CANDIDATE
    held = HELD[candidates]
    first = np.uint64(at)
    for colour in range(np.uint64(NUM_COLOURS)):
        maybe = stones_of(doubtful, colour)
        out[first + colour] = (stones_of(in_hand, colour) + maybe * held) * BY_HAND
        out[first + FIVE + colour] = (stones_of(in_tomb, colour) + maybe - maybe * held) * BY_TOMB


@inlined
def stones_of(packed, colour):
    return np.float32(np.int32(packed >> BYTE * colour & LOW_BYTE))
