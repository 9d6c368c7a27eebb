"""The pieces: 105 Construction cards, five God tiles, and the geometry of the Pyramid.

The card faces are designed [D] (the rulebook's pictures are lost): a balanced set of unique cards. A card has two columns;
a column is one tall stone or two small ones. `B|R/W^P` is a tall blue stone, then red over white, with a Pyramid glyph.
"""

from __future__ import annotations

import numpy as np

COLOURS = ("blue", "white", "red", "green", "yellow")
LETTERS = "BWRGY"
NUM_COLOURS = 5
NUM_CARDS = 105
NUM_ROUNDS = 10
NUM_SLOTS = 10

# --- Construction cards ------------------------------------------------------------------------------------------------------

PYRAMID, OBELISK, TOMB = 0, 1, 2  # the three edifices, also the three glyphs
NO_GLYPH = 3
GLYPHS = "POT"

#                offsets of the two small colours, face left out, face with the glyph, glyph
TRIPLES = (
    ((1, 2), 0, 1, "P"),
    ((1, 3), 3, 2, "P"),
    ((1, 4), 1, 0, "O"),
    ((2, 3), 2, 3, "O"),
    ((2, 4), 0, 1, "T"),
    ((3, 4), 3, 2, "T"),
)
DOUBLES = ((0, "O"), (1, "P"), (2, "T"))  # offset of the right colour, glyph


def _card_names() -> list[str]:
    def colour(i: int) -> str:
        return LETTERS[i % NUM_COLOURS]

    names = []
    for (i, j), left_out, with_glyph, glyph in TRIPLES:
        for tall in range(NUM_COLOURS):
            t, a, b = colour(tall), colour(tall + i), colour(tall + j)
            faces = (f"{t}|{a}/{b}", f"{t}|{b}/{a}", f"{a}/{b}|{t}", f"{b}/{a}|{t}")
            names += [f + f"^{glyph}" * (k == with_glyph) for k, f in enumerate(faces) if k != left_out]
    for offset, glyph in DOUBLES:
        names += [f"{colour(c)}|{colour(c + offset)}^{glyph}" for c in range(NUM_COLOURS)]
    return names


CARDS = tuple(_card_names())

LEFT_TOP, LEFT_BOTTOM, RIGHT_TOP, RIGHT_BOTTOM = 0, 1, 2, 3
NUM_CELLS = 4


def _faces() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per card: the colour of its four cells, whether each column is one tall stone, the glyph."""
    cells = np.zeros((NUM_CARDS, NUM_CELLS), np.int64)
    tall = np.zeros((NUM_CARDS, 2), np.int64)
    glyph = np.full(NUM_CARDS, NO_GLYPH, np.int64)
    for card, name in enumerate(CARDS):
        face, _, mark = name.partition("^")
        if mark:
            glyph[card] = GLYPHS.index(mark)
        for column, stones in enumerate(face.split("|")):
            top, _, bottom = stones.partition("/")
            tall[card, column] = not bottom
            cells[card, 2 * column] = LETTERS.index(top)
            cells[card, 2 * column + 1] = LETTERS.index(bottom or top)
    return cells, tall, glyph


CELL_COLOUR, COLUMN_IS_TALL, GLYPH = _faces()


def _stones() -> np.ndarray:
    """Per card and colour: the number of stones; a tall stone is one stone (R2)."""
    stones = np.zeros((NUM_CARDS, NUM_COLOURS), np.int64)
    for card in range(NUM_CARDS):
        for cell in range(NUM_CELLS):
            lower_half = cell % 2 == 1 and COLUMN_IS_TALL[card, cell // 2]
            stones[card, CELL_COLOUR[card, cell]] += not lower_half
    return stones


STONES = _stones()
SHOWS = (STONES > 0).astype(np.int64)  # a colour counts once per Obelisk card (R30)
# What can be counted on a card: stones of each colour, then a glyph of each kind.
MARKS = np.hstack([STONES, np.eye(NO_GLYPH + 1, dtype=np.int64)[GLYPH][:, :NO_GLYPH]])
NUM_MARKS, FIRST_GLYPH = NUM_COLOURS + NO_GLYPH, NUM_COLOURS
MARK_NAMES = (*COLOURS, "Pyramid", "Obelisk", "Tomb glyph")


# The rows of cards in observations: four cells by colour (a column is tall when its cells are equal), then the glyph. Once a card
# is built into the Pyramid, its glyph is only a number of points.
FACE_FEATURES = np.eye(NUM_COLOURS, dtype=np.float32)[CELL_COLOUR].reshape(NUM_CARDS, -1)
CARD_FEATURES = np.hstack([FACE_FEATURES, MARKS[:, FIRST_GLYPH:].astype(np.float32)])
FACE_COLUMNS = tuple(
    (f"colour of the cell {cell}, one-hot", NUM_COLOURS) for cell in ("left top", "left bottom", "right top", "right bottom")
)
CARD_COLUMNS = (*FACE_COLUMNS, ("glyph: Pyramid, Obelisk, Tomb", len(GLYPHS)))

# --- God tiles ---------------------------------------------------------------------------------------------------------------

TILES = ("horus", "anubis", "khepri", "sekhmet", "thoth")
NUM_TILES = 5
SEKHMET, THOTH = 3, 4
ALLOWS_OBELISK = np.array([0, 0, 1, 1, 1])
ALLOWS_TOMB = np.array([0, 1, 0, 1, 1])
SMALL_TABLE = 2  # with two players one tile is out of play, every round the next one before Thoth (R19)
LARGE_TABLE = 4  # from four players on Thoth joins and Sekhmet allows only one of Obelisk and Tomb (R13)

# --- The Pyramid: ten slots on an 8x8 grid of cells ---------------------------------------------------------------------------
# Stage by stage from the left: 0-3, 4-6, 7-8, 9. A card of a higher stage is shifted by half a card, that is by one column, so
# the cells of all ten cards lie on one square grid and stones touch along its edges. A set of cells is one 64-bit board.

BASE = 4  # cards of stage 1
LOCATIONS = ("L", "R", "2a", "2b", "2c", "3a", "3b", "4a")
NUM_LOCATIONS = 8
LEFT_END, RIGHT_END = 0, 1
FIRST_UPPER_LOCATION = 2  # location 2 is slot 4, and so on
SUPPORTS = ((), (), (), (), (0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (7, 8))
SLOT_X = (0, 2, 4, 6, 1, 3, 5, 2, 4, 3)
SLOT_Y = (0, 0, 0, 0, 2, 2, 2, 4, 4, 6)
SLOT_SHIFT = np.array([8 * y + x for x, y in zip(SLOT_X, SLOT_Y, strict=True)], np.uint64)
CELL_BIT = (8, 0, 9, 1)  # of the four cells in a card at the origin: x + 8 y


def _open_locations() -> np.ndarray:
    """Per set of filled slots (ten bits): the open locations (eight bits)."""
    table = np.zeros(1 << NUM_SLOTS, np.int64)
    for filled in range(1 << NUM_SLOTS):
        base = sum(filled >> slot & 1 for slot in range(BASE))
        if base < BASE:
            table[filled] |= (base > 0) << LEFT_END | 1 << RIGHT_END
        for slot in range(BASE, NUM_SLOTS):
            supported = all(filled >> below & 1 for below in SUPPORTS[slot])
            if supported and not filled >> slot & 1:
                table[filled] |= 1 << (slot - BASE + FIRST_UPPER_LOCATION)
    return table


OPEN_LOCATIONS = _open_locations()


def _boards() -> tuple[np.ndarray, np.ndarray]:
    """Per card and colour, at the origin: the cells, and the lower halves of tall stones; nothing for the empty place 255."""
    cells = np.zeros((256, NUM_COLOURS), np.uint64)
    lower_halves = np.zeros((256, NUM_COLOURS), np.uint64)
    for card in range(NUM_CARDS):
        for cell in range(NUM_CELLS):
            colour, bit = CELL_COLOUR[card, cell], np.uint64(1 << CELL_BIT[cell])
            cells[card, colour] |= bit
            if cell % 2 == 1 and COLUMN_IS_TALL[card, cell // 2]:
                lower_halves[card, colour] |= bit
    return cells, lower_halves


CELL_BOARD, LOWER_HALF_BOARD = _boards()

# --- Points ------------------------------------------------------------------------------------------------------------------

CATEGORIES = ("groups", "longest", "bonus", "obelisk", "tomb", "glyphs")
OBELISK_POINTS = np.array([0, 1, 3, 6, 10, 15])
TOMB_MAJORITY = 5
GLYPH_POINTS = 2
BONUS = 10  # all five colours have a group of at least BONUS_GROUP
BONUS_GROUP = 3
MAX_GROUPS = 3 * NUM_SLOTS  # every stone counts
MAX_STONES = 11  # of a colour on ten cards: only one card shows it twice
MAX_GLYPHS = 10  # in an edifice
MAX_SPARE = 1 + NUM_ROUNDS  # cards for Obelisk and Tomb: of the 21 that a player gets, ten go into the Pyramid
MAX_SCORE = 133
