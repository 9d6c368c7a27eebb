"""What the schema cannot say of an observation, and what can be written faster than from a schema.

There are no branches here, and counts, sets and stones are copied four or eight numbers at a time: the inner loops have unsigned
indices and run over constant tables or whole fields, which is what numba turns into vector instructions (see encoders/flat.py).
"""

from __future__ import annotations

import numpy as np

from ...encoders.flat import BIT_ROWS, Feature
from ..core.jit import inlined
from ..core.seats import after
from .components import (
    LYING_FEATURES,
    NOTHING,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_KINDS,
    NUM_LARGE_SPACES,
    NUM_LEVELS,
    NUM_SMALL_SPACES,
    NUM_SYMBOLS,
    NUM_TYPES,
    SMALL_FEATURES,
    TURNS,
)
from .state import SAME_TYPE, SEATS

PER_SPACE, PER_SMALL = LYING_FEATURES.shape[-1], SMALL_FEATURES.shape[-1]
LYING_ROWS = np.pad(LYING_FEATURES.reshape(-1, PER_SPACE), ((2, 0), (0, 0)))  # zeros for NOTHING, which comes before stone 0
SMALL_ROWS = np.pad(SMALL_FEATURES, ((1, 0), (0, 0)))
SMALL_SHARE, LARGE_SHARE = np.float32(1 / SAME_TYPE), np.float32(1 / 6)
HEIGHT_SHARE, COLOUR_SHARE = np.float32(1 / NUM_LEVELS), np.float32(1 / NUM_LARGE_SPACES)
TURN_SHARE = (1 / (TURNS * np.arange(1, SEATS + 1))).astype(np.float32)  # of a turn in the game, by players - 1

# The sets of a seat side by side in one word.
SMALL_AT = NUM_LARGE_SPACES
OWNED_AT = SMALL_AT + NUM_SMALL_SPACES
SYMBOLS_AT = OWNED_AT + NUM_CARDS
BALANCED_AT = SYMBOLS_AT + NUM_SYMBOLS
PER_SETS = BALANCED_AT + NUM_LEVELS
BYTES = -(-PER_SETS // 8)
BYTE, LOW_BYTE = np.uint64(8), np.uint64(255)
PER_SEAT = PER_SETS + 2 * NUM_COLOURS + PER_SMALL


def feature_table(num_players: int) -> list[Feature]:
    return [
        Feature("seats", num_players * PER_SEAT,
                "per player: filled large spaces, filled small spaces, cards owned, symbols, balanced levels; per colour "
                "height by 6; per colour large stones by 15; small stone in hand: workers by 3 at the place of its colour"),
        Feature("pile", NUM_TYPES, "small stones on the red stone by type, by 8"),
        Feature("pending", NUM_TYPES, "small stones still to place in this turn by type, by 8"),
        Feature("unseen_small", NUM_TYPES, "small stones in the bag by type, by 8"),
        Feature("unseen_large", NUM_KINDS, "large stones to come by colour and face, by 6"),
        Feature("own_large", NUM_LARGE_SPACES * PER_SPACE,
                "per own large space: colour, sarcophagi by 2, symbol, openings as the stone lies"),
        Feature("own_small", NUM_SMALL_SPACES * PER_SMALL, "per own small space: workers by 3 at the place of the colour"),
        Feature("current_small", PER_SMALL, "small stone to be placed now"),
        Feature("progress", 1, "finished turns, by all turns of the game"),
    ]  # fmt: skip


@inlined
def features(s, observer, out):
    at = write_seats(s, observer, out)
    at = write_counts(s.pile, SMALL_SHARE, out, at)
    at = write_counts(s.pending, SMALL_SHARE, out, at)
    at = write_counts(s.unseen_small, SMALL_SHARE, out, at)
    at = write_counts(s.unseen_large, LARGE_SHARE, out, at)
    at = write_pyramid(s, observer, out, at)
    write_small(current_small(s), out, at)
    out[at + np.uint64(PER_SMALL)] = s.turn * TURN_SHARE[s.num_players - 1]


@inlined
def write_seats(s, observer, out):
    at, p = np.uint64(0), observer
    for _ in range(s.num_players):
        members = sets_of(s, p)
        for byte in range(np.uint64(BYTES)):  # the last one has members to spare: what follows is written over their zeros
            row = members >> byte * BYTE & LOW_BYTE
            for i in range(BYTE):
                out[at + byte * BYTE + i] = BIT_ROWS[row, i]
        write_counts(s.height[p], HEIGHT_SHARE, out, at + np.uint64(PER_SETS))
        write_counts(s.large_of_colour[p], COLOUR_SHARE, out, at + np.uint64(PER_SETS + NUM_COLOURS))
        write_small(s.hand[p], out, at + np.uint64(PER_SETS + 2 * NUM_COLOURS))
        at += np.uint64(PER_SEAT)
        p = after(p, s.num_players)
    return at


@inlined
def sets_of(s, p):
    spaces = np.int64(s.filled_large[p]) | np.int64(s.filled_small[p]) << SMALL_AT
    gained = np.int64(s.owned[p]) << OWNED_AT | np.int64(s.symbols[p]) << SYMBOLS_AT | np.int64(s.balanced[p]) << BALANCED_AT
    return np.uint64(spaces | gained)


@inlined
def write_counts(counts, share, out, at):
    for i in range(np.uint64(len(counts))):
        out[at + i] = np.float32(counts[i]) * share
    return at + np.uint64(len(counts))


@inlined
def write_small(stone, out, at):
    row = np.uint64(stone - NOTHING)
    for i in range(np.uint64(PER_SMALL)):
        out[at + i] = SMALL_ROWS[row, i]


@inlined
def write_pyramid(s, p, out, at):
    for space in range(NUM_LARGE_SPACES):
        row = np.uint64(2 * (s.large_stone[p, space] - NOTHING) + s.large_turned[p, space])
        for i in range(np.uint64(PER_SPACE)):
            out[at + i] = LYING_ROWS[row, i]
        at += np.uint64(PER_SPACE)
    for space in range(NUM_SMALL_SPACES):
        write_small(s.small_stone[p, space], out, at)
        at += np.uint64(PER_SMALL)
    return at


@inlined
def current_small(s):
    """As that of the rules, but without branches."""
    found = NOTHING
    for i in range(NUM_TYPES):
        stone = NUM_TYPES - 1 - i
        found = stone if s.pending[stone] else found
    return found
