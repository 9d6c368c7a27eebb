"""What the schema cannot say of an observation: open places, and what the table knows of everybody's hidden cards.

All of it is computed from what the table knows, never from where a hidden card really is; only the observer's own cards add to it.
"""

from __future__ import annotations

import numpy as np

from ..core.declare.features import OTHER, SEAT, Feature
from ..core.declare.grid import Grid
from ..core.kernel.jit import inlined
from ..core.kernel.seats import after
from ..core.kernel.writing import add_scaled, put_row, stack_row, write_counts, write_equal, write_scaled
from .components import (
    BASE,
    BONUS_GROUP,
    CELL_BIT,
    FIRST_UPPER_LOCATION,
    LEFT_END,
    MAX_SPARE,
    MAX_STONES,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_LOCATIONS,
    NUM_MARKS,
    NUM_ROUNDS,
    NUM_SLOTS,
    NUM_TILES,
    OPEN_LOCATIONS,
    RIGHT_END,
    SLOT_X,
    SLOT_Y,
)
from .rules import in_play
from .state import CANDIDATE, HAND_SIZE, KNOWN_IN_HAND, NOTHING, UNSEEN

# --- Tiles and places --------------------------------------------------------------------------------------------------------


@inlined
def write_tiles_free(s, me, out):
    for tile in range(NUM_TILES):
        out[tile] = in_play(s, tile) & (s.tile_owner[tile] == NOTHING)


@inlined
def write_tile_taken(s, me, p, out):
    write_equal(s.tile_owner, p, out, NUM_TILES)


@inlined
def write_open_places(s, me, p, out):
    put_row(OPEN_PLACES, s.filled_slots[p], out, NUM_PLACES)


def _open_places() -> np.ndarray:
    """Per set of filled slots: whether the left end is open, and which slots are: the right end is the base's first empty slot."""
    rows = np.zeros((1 << NUM_SLOTS, 1 + NUM_SLOTS), np.float32)
    for filled, locations in enumerate(OPEN_LOCATIONS.tolist()):
        right_end = next((slot for slot in range(BASE) if not filled >> slot & 1), BASE)
        slots = {LEFT_END: -1, RIGHT_END: right_end}
        slots |= {location: location - FIRST_UPPER_LOCATION + BASE for location in range(FIRST_UPPER_LOCATION, NUM_LOCATIONS)}
        for location, slot in slots.items():
            if locations >> location & 1:
                rows[filled, 1 + slot] = 1
    return rows


NUM_PLACES = 1 + NUM_SLOTS
OPEN_PLACES = _open_places()

# --- Hidden cards ------------------------------------------------------------------------------------------------------------

# The chance that one of n candidates is the one in hand, and that it is in the Tomb.
HELD = np.array([0] + [1 / n for n in range(1, MAX_SPARE + 2)], np.float32)
BURIED = np.where(HELD > 0, 1 - HELD, 0).astype(np.float32)
BY_HAND = np.float32(1 / 4)  # three cards show at most four stones of a colour: only one of them shows it twice
BY_TOMB = np.float32(1 / MAX_STONES)


@inlined
def write_hand_expected(s, me, p, out):
    write_scaled(s.sure_hand[p], BY_HAND, out, NUM_MARKS)
    add_scaled(s.candidate_marks[p], HELD[s.candidates[p]] * BY_HAND, out, NUM_MARKS)


@inlined
def write_tomb_expected(s, me, p, out):
    write_scaled(s.candidate_marks[p], BURIED[s.candidates[p]] * BY_TOMB, out, NUM_MARKS)


@inlined
def write_whereabouts(s, me, out):
    """Counted in half seats, as bytes: thirty-two cards at a time."""
    halves = stack_row(NUM_CARDS, np.int8)
    farthest = 2 * (s.num_players - 1)
    for card in range(np.uint64(NUM_CARDS)):
        halves[card] = np.int8(-farthest if s.public_place[card] == np.uint8(UNSEEN) else 0)
    p, away = after(me, s.num_players), 2
    while p != me:
        known, candidate = np.uint8(KNOWN_IN_HAND + p), np.uint8(CANDIDATE + p)
        for card in range(np.uint64(NUM_CARDS)):
            place = s.public_place[card]
            halves[card] |= np.int8(away if place == known else away - 1 if place == candidate else 0)
        p, away = after(p, s.num_players), away + 2
    halves[np.uint64(s.initial_card[me])] = 0  # it is unseen only by the others
    write_counts(halves, np.float32(1) / np.float32(farthest), out)


@inlined
def chance_in_hand(s, p, card):
    """As the table knows it; the initial card, of which the table knows only that it is one, has none."""
    place = s.public_place[np.uint64(card)] - p
    return np.float32(place == KNOWN_IN_HAND) + np.float32(place == CANDIDATE) * HELD[s.candidates[p]]


@inlined
def write_exposed(s, me, out):
    for i in range(HAND_SIZE):
        card = min(s.hand[me][i], NUM_CARDS - 1)
        out[i] = chance_in_hand(s, me, card) * np.float32(i < s.hand_size[me])


# --- What an action changes --------------------------------------------------------------------------------------------------


@inlined
def write_groups(s, me, out):
    write_counts(s.largest_group[me], BY_TOMB, out)


@inlined
def write_lacking(s, me, out):
    lacking = 0
    for colour in range(NUM_COLOURS):
        lacking += max(0, BONUS_GROUP - s.largest_group[me, colour])
    out[0] = np.float32(lacking) / np.float32(BONUS_GROUP * NUM_COLOURS)


@inlined
def write_stages(s, me, out):
    write_counts(s.obelisk_colours[me], 1 / NUM_ROUNDS, out)


@inlined
def write_tomb(s, me, out):
    write_counts(s.tomb_marks[me], BY_TOMB, out)


LOOKAHEAD = (
    Feature("groups", NUM_COLOURS, "stones in the largest group of each colour, by 11", write_groups),
    Feature("lacking", 1, "stones that are lacking in groups of three of every colour, by 15", write_lacking),
    Feature("stages", NUM_COLOURS, "Obelisk cards that show each colour, by 10", write_stages),
    Feature("tomb", NUM_COLOURS, "stones of each colour in the Tomb, by 11", write_tomb),
)

# --- Where it lies -----------------------------------------------------------------------------------------------------------

# The 8 x 8 cells of a Pyramid, the ground at the bottom, and left of them the place of a card at the left end.
PLANE_HEIGHT, LEFT_MARGIN = 8, 2
PLANE_WIDTH = LEFT_MARGIN + 8


def _cells(x: int, y: int) -> tuple[int, ...]:
    """The four cells of a card at (x, y) from the lower left, in the order of its face."""
    at = [(x + bit % 8, y + bit // 8) for bit in CELL_BIT]
    return tuple((PLANE_HEIGHT - 1 - row) * PLANE_WIDTH + LEFT_MARGIN + column for column, row in at)


SLOT_CELLS = tuple(_cells(x, y) for x, y in zip(SLOT_X, SLOT_Y, strict=True))
PLANES = Grid(
    PLANE_HEIGHT,
    PLANE_WIDTH,
    {"pyramid": tuple(cell for cells in SLOT_CELLS for cell in cells), "open_places": (_cells(-LEFT_MARGIN, 0), *SLOT_CELLS)},
)

FEATURES = (
    Feature("tiles_free", NUM_TILES, "tiles that can still be chosen; one that is neither free nor taken is out of play",
            write_tiles_free, by=1),
    Feature("exposed", HAND_SIZE, "per own hand card: the chance by which the table takes it to be in hand; 0: nobody has seen it, "
            "or no card", write_exposed),
    Feature("whereabouts", NUM_CARDS, "per card of the list: -1: the observer has not seen it; k / others: in the hand of the "
            "k-th other; (k - 1/2) / others: one of the candidates of the k-th other; 0: it is open, gone or the observer's",
            write_whereabouts),
    Feature("tile_taken", NUM_TILES, "the tile taken this round, one-hot", write_tile_taken, per=SEAT, by=1),
    Feature("open_places", 1 + NUM_SLOTS, "where the Pyramid can grow: left end, then slots 0 to 9", write_open_places, per=SEAT,
            things=1 + NUM_SLOTS, by=1),
    Feature("hand_expected", NUM_MARKS, "what the table expects in hand without the unseen initial card: stones by colour, "
            "glyphs of Pyramid, Obelisk, Tomb, by 4", write_hand_expected, per=OTHER),
    Feature("tomb_expected", NUM_MARKS, "what the table expects of the candidates in the Tomb, beyond `sure_tomb`: the same, by 11",
            write_tomb_expected, per=OTHER),
)  # fmt: skip
