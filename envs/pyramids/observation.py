"""What the schema cannot say of an observation: what the table knows of the others' cards, open locations, scores so far."""

from __future__ import annotations

import numpy as np

from ...encoders.flat import Feature
from ..core.jit import kernel
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
from .state import CANDIDATE, INITIAL_CANDIDATE, KNOWN_IN_HAND, KNOWN_IN_TOMB, NOTHING

HAND_STONES, TOMB_STONES = 9, 30  # at most three cards in hand, ten in a Tomb
MOST_GLYPHS = 10
PER_SEAT, PER_OTHER = 2, 4 * NUM_COLOURS
NO_STONES, BYTE, LOW_BYTE = np.uint64(0), np.uint64(8), np.uint64(255)  # of packed stones


def feature_table(num_players: int) -> list[Feature]:
    others = num_players - 1
    return [
        Feature("deck_left", 1, "cards left in the deck, by 105"),
        Feature("own_points", 1, "own points without Tomb majorities, which depend on what is hidden"),
        Feature("open_locations", NUM_LOCATIONS, f"where the own Pyramid can grow: {', '.join(LOCATIONS)}"),
        Feature("tiles_in_play", NUM_TILES, "tiles in play this round"),
        Feature("tiles_free", NUM_TILES, "tiles that can still be chosen"),
        Feature("public_glyphs", num_players * PER_SEAT, "per player: Pyramid and Obelisk glyphs by 10"),
        Feature(
            "known",
            others * PER_OTHER,
            "per other: stones by colour surely in hand, expected there of the candidates, surely in the Tomb, expected there",
        ),
    ]


@kernel
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
        p = p + 1 if p + 1 < s.num_players else 0
    q = observer
    for _ in range(s.num_players - 1):
        q = q + 1 if q + 1 < s.num_players else 0
        write_known(s, q, out, at)
        at += PER_OTHER


@kernel
def write_open_locations(s, p, out, at):
    open_locations = OPEN_LOCATIONS[s.filled_slots[p]]
    for location in range(NUM_LOCATIONS):
        out[at + location] = open_locations >> location & 1


@kernel
def write_tiles(s, out, at):
    for tile in range(NUM_TILES):
        used = in_play(s, tile)
        out[at + tile] = used
        out[at + NUM_TILES + tile] = used & (s.tile_owner[tile] == NOTHING)


@kernel
def write_known(s, q, out, at):
    """Only sums over publicly known sets: which candidate is really in hand must not show."""
    candidates = np.int64(s.initial_status[q] == INITIAL_CANDIDATE)  # the initial card may be one, nobody knows its stones
    in_hand, doubtful, in_tomb = NO_STONES, NO_STONES, NO_STONES
    for i in range(s.hand_size[q] + s.tomb_size[q]):
        card = s.hand[q][i] if i < s.hand_size[q] else s.tomb[q][i - s.hand_size[q]]
        place = s.public_place[card] - q
        in_hand += PACKED_STONES[card] * np.uint64(place == KNOWN_IN_HAND)  # sums without branches, see encoders/flat.py
        in_tomb += PACKED_STONES[card] * np.uint64(place == KNOWN_IN_TOMB)
        doubtful += PACKED_STONES[card] * np.uint64(place == CANDIDATE)
        candidates += place == CANDIDATE
    held = 1 / candidates if candidates else 0.0  # the chance that a candidate is the one in hand
    unpack(in_hand, 1 / HAND_STONES, out, at)
    unpack(doubtful, held * (1 / HAND_STONES), out, at + NUM_COLOURS)
    unpack(in_tomb, 1 / TOMB_STONES, out, at + 2 * NUM_COLOURS)
    unpack(doubtful, (1 - held) * (1 / TOMB_STONES), out, at + 3 * NUM_COLOURS)


@kernel
def unpack(stones, scale, out, at):
    """Write the number of stones of each colour."""
    for colour in range(NUM_COLOURS):
        out[at + colour] = np.int64(stones >> BYTE * np.uint64(colour) & LOW_BYTE) * scale
