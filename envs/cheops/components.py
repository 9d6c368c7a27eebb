"""The pieces: colour dice, and five sheets with a pyramid, an arch, a mosaic, a quarry and jokers.

The colours on the sheets, the sizes of pyramid and arch, the points below the printed ones and the bonus groups are designed [D]
(the rulebook's pictures are lost). Sheets B to E are sheet A with every colour moved on, so all five are equally strong.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

COLOURS = ("blue", "red", "lilac", "orange", "green", "yellow")
LETTERS = "BRLOGY"
NUM_COLOURS = len(COLOURS)
ALL_COLOURS = (1 << NUM_COLOURS) - 1

SHEETS = "ABCDE"
NUM_SHEETS = len(SHEETS)
SEATS = NUM_SHEETS  # builders at the largest table
MAX_DICE = 4
DICE_OF_TWO = 3  # with two builders
STONES_A_TURN = 2
MAX_ROUNDS = 100  # R35


def _on_every_sheet(places: str) -> np.ndarray:
    """Per sheet and place: the colour, from the letters of sheet A."""
    first = np.array([LETTERS.index(letter) for letter in places])
    return ((first + np.arange(NUM_SHEETS)[:, None]) % NUM_COLOURS).astype(np.int8)


def _places_of(colour: np.ndarray) -> np.ndarray:
    """Per sheet and set of colours: the set of places that have one of them."""
    places = 1 << np.arange(colour.shape[1])
    chosen = np.arange(1 << NUM_COLOURS)[None, :, None] >> colour[:, None, :] & 1
    return (chosen * places).sum(2).astype(np.int16)


# --- Pyramid: 15 stones, numbered from the ground and from the left ----------------------------------------------------------

PYRAMID_ROWS = ("RBOYG", "GRLO", "LBY", "GL", "B")
PYRAMID_SIZE = sum(map(len, PYRAMID_ROWS))
LEVEL_START = tuple(accumulate(map(len, PYRAMID_ROWS[:-1]), initial=0))
PYRAMID_COLOUR = _on_every_sheet("".join(PYRAMID_ROWS))
PYRAMID_PLACES = _places_of(PYRAMID_COLOUR)
PYRAMID_POINTS = np.array([0, 3, 6, 10, 15, 21])  # by the highest level with a crossed stone (R27)

GROUND = (1 << len(PYRAMID_ROWS[0])) - 1
TOP_STONE = PYRAMID_SIZE - 1
# A stone rests on its two neighbours one level down. As the levels shrink by one, the stone above stones i and i+1 is number
# i+5 on the ground, i+4 on level 2, and so on: (pairs of neighbours on a level, distance to the stone they carry).
CARRY = tuple(((1 << len(row) - 1) - 1 << start, len(row)) for start, row in zip(LEVEL_START, PYRAMID_ROWS[:-1], strict=False))


def _with_all_below(stone: int) -> int:
    """A stone and all that must be crossed out before it."""
    stones = 1 << stone
    for pairs, distance in reversed(CARRY):
        carrying = stones >> distance & pairs
        stones |= carrying | carrying << 1
    return stones


# --- Arch: two columns of four stones, one colour per level, and the keystone ------------------------------------------------

ARCH_ROWS = "OYGRL"
COLUMN = len(ARCH_ROWS) - 1  # stones of a column; the last row is the keystone
ARCH_COLOUR = _on_every_sheet(ARCH_ROWS)
ARCH_POINTS = np.array([0, 0, 2, 4, 6])  # by the lower column (R28)
KEYSTONE_POINTS = 9
ARCH_SIZE = 2 * COLUMN + 1

# --- Mosaic: 12 cells in 3 rows of 4, crossed two neighbours at a time -------------------------------------------------------

MOSAIC_ROWS = ("LYGB", "RLBO", "OBRY")
ROW = len(MOSAIC_ROWS[0])
NUM_ROWS = len(MOSAIC_ROWS)
MOSAIC_SIZE = NUM_ROWS * ROW
ALL_CELLS = (1 << MOSAIC_SIZE) - 1
MOSAIC_COLOUR = _on_every_sheet("".join(MOSAIC_ROWS))
MOSAIC_PLACES = _places_of(MOSAIC_COLOUR)
MOSAIC_POINTS = np.array([0, 0, 4, 6, 8, 11, 15])  # by the number of dominoes crossed

DOMINOES = np.array(
    [(cell, cell + 1) for cell in range(MOSAIC_SIZE) if cell % ROW < ROW - 1]
    + [(cell, cell + ROW) for cell in range(MOSAIC_SIZE - ROW)]
)
NUM_DOMINOES, FIRST_STANDING = len(DOMINOES), NUM_ROWS * (ROW - 1)
DOMINO_CELLS = (1 << DOMINOES).sum(1)


def _most_dominoes() -> np.ndarray:
    """Per set of cells: how many dominoes fit into it at once."""
    most = np.zeros(1 << MOSAIC_SIZE, np.int8)
    for cells in range(1, 1 << MOSAIC_SIZE):
        first = (cells & -cells).bit_length() - 1
        right, below = 1 << first + 1 if first % ROW < ROW - 1 else 0, 1 << first + ROW
        rest = cells & ~(1 << first)
        most[cells] = max([most[rest]] + [1 + most[rest & ~other] for other in (right, below) if rest & other])
    return most


MOST_DOMINOES = _most_dominoes()
MAX_DOMINOES = MOSAIC_SIZE // 2

# --- Quarry: 12 stones used from left to right, and jokers beside it ---------------------------------------------------------

QUARRY_ROW = "BRYLGOYBLROG"
QUARRY_SIZE = len(QUARRY_ROW)
QUARRY_COLOUR = _on_every_sheet(QUARRY_ROW)
QUARRY_PLACES = _places_of(QUARRY_COLOUR)[:, 1 << np.arange(NUM_COLOURS)]  # per sheet and single colour


def _colours_right_of() -> np.ndarray:
    """Per sheet and mark + 1: the colours that still lie to the right of the mark."""
    table = np.zeros((NUM_SHEETS, QUARRY_SIZE + 1), np.int8)
    for place in reversed(range(QUARRY_SIZE)):
        table[:, place] = table[:, place + 1] | 1 << QUARRY_COLOUR[:, place]
    return table


QUARRY_COLOURS = _colours_right_of()
JOKER_POINTS = 2

# --- Bonuses -----------------------------------------------------------------------------------------------------------------

BONUSES = ("BP1", "BP2", "BP3", "BA1", "BA2", "BM1", "BM2", "BM3", "BE")
BP1, BP2, BP3, BA1, BA2, BM1, BM2, BM3, BE = range(len(BONUSES))
NUM_GROUPS = BE  # all but the bonus at the end belong to a group of stones
BONUS_POINTS = 3
PYRAMID_GROUPS = (GROUND, _with_all_below(10), _with_all_below(TOP_STONE))  # all that BP1, BP2 (the centre), BP3 (the top) need
LOW_ARCH = 2  # both columns this high: BA1
MOSAIC_GROUPS = tuple((1 << ROW) - 1 << ROW * row for row in range(NUM_ROWS))  # BM1, BM2, BM3

# --- The score sheet ---------------------------------------------------------------------------------------------------------

CATEGORIES = ("pyramid", "arch", "mosaic", "bonuses", "quarry", "jokers")
MOST_POINTS = (
    int(PYRAMID_POINTS[-1]),
    KEYSTONE_POINTS,
    int(MOSAIC_POINTS[-1]),
    BONUS_POINTS * len(BONUSES),
    QUARRY_SIZE,
    JOKER_POINTS * SEATS,
)
