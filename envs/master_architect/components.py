"""The pieces: 74 large stones, 72 small stones, 20 cards, and the geometry of the pyramid.

The rulebook's pictures are lost. Counts, colours, rows, multipliers, the four cards marked [R] and the point table are the
rulebook's; the faces of all stones, the places of the card pairs and the cards marked [D] are designed.
"""

from __future__ import annotations

import numpy as np

COLOURS = ("blue", "brown", "yellow", "white")
LETTERS = "bnyw"
NUM_COLOURS = len(COLOURS)
NOTHING = -1

# --- Large stones [D] --------------------------------------------------------------------------------------------------------
# A large stone has up to six chamber openings: the short sides W and E, the halves of the top NW and NE, of the bottom SW and
# SE. In this order a turn by 180 degrees moves every opening by three, and opposite openings are three apart.

PORTS = ("W", "NW", "NE", "E", "SE", "SW")
NUM_PORTS = len(PORTS)
ALL_PORTS = (1 << NUM_PORTS) - 1
SYMBOLS = ("ankh", "eye", "scarab", "djed", "lotus")
NUM_SYMBOLS = len(SYMBOLS)
MOST_SARCOPHAGI = 2  # on one stone (R12)

#   openings, sarcophagi, symbol of blue and brown, symbol of yellow and white. Brown and white are left-right mirror images of
#   blue and yellow, so the whole set is symmetric; the last face exists in blue and brown only.
FACES = (
    ("W", 1, "", ""),
    ("W+E", 1, "", ""),
    ("W+NW", 1, "", ""),
    ("NE", 1, "", ""),
    ("W+NE+SE", 1, "", ""),
    ("W", 2, "", ""),
    ("NW", 2, "", ""),
    ("W+SE", 2, "", ""),
    ("", 0, "ankh", "djed"),
    ("W+E", 0, "eye", "lotus"),
    ("NE+SE", 0, "scarab", "ankh"),
    ("NW+SE", 0, "djed", "eye"),
    ("", 0, "lotus", "scarab"),
    ("NE+SW", 0, "", ""),
    ("NW+NE+SE", 0, "", ""),
    ("W+NW+E", 0, "", ""),
    ("NW+E+SW", 0, "", ""),
    ("W+NE+E+SW", 0, "", ""),
    ("W+NW+NE+E+SE+SW", 0, "", ""),
)
FACES_OF_COLOUR = (19, 19, 18, 18)
MIRRORED_PORT = (3, 2, 1, 0, 5, 4)


def turned(ports: int) -> int:
    """A set of openings after a turn by 180 degrees."""
    half = NUM_PORTS // 2
    return (ports << half | ports >> half) & ALL_PORTS


def _large_stones() -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Per stone: name, colour, sarcophagi, symbol, openings as it is and turned."""
    names, colours, sarcophagi, symbols, ports = [], [], [], [], []
    for colour, faces in enumerate(FACES_OF_COLOUR):
        for number, (openings, tombs, *symbol) in enumerate(FACES[:faces], start=1):
            directions = [PORTS.index(name) for name in openings.split("+") if name]
            if COLOURS[colour] in ("brown", "white"):
                directions = [MIRRORED_PORT[d] for d in directions]
            mask = sum(1 << d for d in directions)
            shown = symbol[COLOURS[colour] in ("yellow", "white")]
            names.append(f"{LETTERS[colour]}{number:02}")
            colours.append(colour)
            sarcophagi.append(tombs)
            symbols.append(SYMBOLS.index(shown) if shown else NOTHING)
            ports.append((mask, turned(mask)))
    return tuple(names), np.array(colours), np.array(sarcophagi), np.array(symbols), np.array(ports)


LARGE_STONES, LARGE_COLOUR, SARCOPHAGI, SYMBOL, OPENINGS = _large_stones()
NUM_LARGE = len(LARGE_STONES)
ORIENTATIONS = np.where(OPENINGS[:, 0] == OPENINGS[:, 1], 1, 2)  # turning a symmetric stone changes nothing (R3)

# --- Small stones [D]: 4 colours with 1, 2 or 3 workers; stones of one type are the same ---------------------------------------

COPIES = (8, 6, 4)  # of the types with 1, 2, 3 workers, in every colour
MOST_WORKERS = len(COPIES)  # on one stone
MOST_OF_A_TYPE = max(COPIES)
SMALL_STONES = tuple(f"{letter}{workers}" for letter in LETTERS for workers in range(1, MOST_WORKERS + 1))
NUM_TYPES = len(SMALL_STONES)
SMALL_COLOUR = np.arange(NUM_TYPES) // MOST_WORKERS
WORKERS = np.arange(NUM_TYPES) % MOST_WORKERS + 1
SMALL_COUNT = np.array(COPIES * NUM_COLOURS)
FULL_BAG = np.repeat(np.arange(NUM_TYPES), SMALL_COUNT)
NUM_SMALL = len(FULL_BAG)

# --- Cards: the first four are the rulebook's [R], the others designed [D] -----------------------------------------------------

CARDS = (
    "Set", "Priest", "Osiris", "Divine Path", "Anubis", "Hapi", "Geb", "Ra", "Khonsu", "Maat",
    "Ptah", "Thoth", "Nut", "Khepri", "Treasurer", "Hidden Tomb", "Overseer", "Stonemason", "Surveyor", "Vizier",
)  # fmt: skip
NUM_CARDS = len(CARDS)
(
    SET, PRIEST, OSIRIS, DIVINE_PATH, ANUBIS, HAPI, GEB, RA, KHONSU, MAAT,
    PTAH, THOTH, NUT, KHEPRI, TREASURER, HIDDEN_TOMB, OVERSEER, STONEMASON, SURVEYOR, VIZIER,
) = range(NUM_CARDS)  # fmt: skip
OVERSEER_STONES = 3
SURVEYOR_LIFTS = 2

ROW = 5
DISPLAY = 4

# --- The pyramid: 15 large spaces in rows 5-4-3-2-1, a small space at each end of 6 levels --------------------------------------

NUM_LEVELS = 6
PLACES = tuple((level, position) for level in range(1, NUM_LEVELS) for position in range(1, NUM_LEVELS - level + 1))
LARGE_SPACES = tuple(f"{level}.{position}" for level, position in PLACES)
SMALL_SPACES = tuple(f"{level}{side}" for level in range(1, NUM_LEVELS + 1) for side in "LR")
NUM_LARGE_SPACES = len(LARGE_SPACES)
NUM_SMALL_SPACES = len(SMALL_SPACES)
ALL_LARGE = (1 << NUM_LARGE_SPACES) - 1
ALL_SMALL = (1 << NUM_SMALL_SPACES) - 1

# One more than the distance to the nearer end of the level.
MULTIPLIER = np.array([1 + min(position - 1, NUM_LEVELS - level - position) for level, position in PLACES])

PAIRS = (("1.1", "1.2"), ("1.4", "1.5"), ("4.1", "4.2"))  # [D] filling both spaces gives a card
PAIR_SPACES = np.array([[LARGE_SPACES.index(space) for space in pair] for pair in PAIRS])
NUM_PAIRS = len(PAIRS)
NUM_HELD = NUM_PAIRS  # cards of a player at the end


def _partners() -> np.ndarray:
    """Per large space: the other one of its card pair."""
    partner = np.full(NUM_LARGE_SPACES, NOTHING)
    for a, b in PAIR_SPACES:
        partner[a], partner[b] = b, a
    return partner


PAIR_PARTNER = _partners()


def _exits() -> np.ndarray:
    """Per large space and set of openings: how many lead out, W of the first and E of the last stone of a level (R10)."""
    exits = np.zeros((NUM_LARGE_SPACES, 1 << NUM_PORTS), np.int64)
    for space, (level, position) in enumerate(PLACES):
        for ports in range(1 << NUM_PORTS):
            west = position == 1 and ports >> PORTS.index("W") & 1
            east = position == NUM_LEVELS - level and ports >> PORTS.index("E") & 1
            exits[space, ports] = west + east
    return exits


EXITS = _exits()

# Boards. Small stones touch like large ones (R5), so all 27 spaces form a triangle of hexagons: level L has the small space L at
# position 0, its large spaces at 1, 2, ... and the small space R behind them. A set of spaces is a 64-bit board with one byte a
# level, and the six neighbours of a cell are shifts by 1 (sideways), UP_LEFT and UP_RIGHT (up and down). The bit behind the end of
# a level is never set, so nothing wraps around.

LEVEL_BITS = 8
UP_LEFT, UP_RIGHT = LEVEL_BITS - 1, LEVEL_BITS


def _cell(level: int, position: int) -> int:
    return 1 << LEVEL_BITS * (level - 1) + position


LARGE_CELL = np.array([_cell(level, position) for level, position in PLACES])
SMALL_CELL = np.array([_cell(level, end) for level in range(1, NUM_LEVELS + 1) for end in (0, NUM_LEVELS + 1 - level)])
ONE_LEVEL = (1 << LEVEL_BITS) - 1  # all cells of the lowest level
GROUND = ONE_LEVEL >> 1  # its seven spaces
EVERY_LEVEL = sum(1 << LEVEL_BITS * level for level in range(NUM_LEVELS))  # the lowest bit of each level
FILLED_UP, HIGHEST_BITS = EVERY_LEVEL * GROUND, EVERY_LEVEL * (ONE_LEVEL - GROUND)  # the bit that no cell has, and all below it
ALL_BOARDS = (1 << LEVEL_BITS * NUM_LEVELS) - 1
ALL_CELLS = int(LARGE_CELL.sum() + SMALL_CELL.sum())
ALL_LARGE_CELLS = int(LARGE_CELL.sum())
EDGE_CELLS = int(LARGE_CELL[MULTIPLIER == 1].sum())

# --- Points ------------------------------------------------------------------------------------------------------------------

CATEGORIES = ("solid", "burial", "symbols", "workers", "collection", "cards")
FOR_SOLID, FOR_BURIAL, FOR_SYMBOLS, FOR_WORKERS, FOR_COLLECTION, FOR_CARDS = range(len(CATEGORIES))

SYMBOL_POINTS = np.array([0, 2, 4, 7, 11, 16])  # for so many different symbols
WORKERS_PER_POINT = 4  # Osiris
HIGH = 4  # Nut
FIXED_POINTS = 3  # Stonemason, Surveyor
STONES_PER_POINT = 2  # Collection
TURNS = NUM_LARGE_SPACES  # of each player

# --- Bounds ------------------------------------------------------------------------------------------------------------------


def _most_sarcophagi() -> np.ndarray:
    """Sarcophagi of the fifteen richest stones, the richest last."""
    return np.sort(SARCOPHAGI)[-NUM_LARGE_SPACES:]


MAX_SOLID = 21  # at most two colours reach level 6 and three level 5, which have so few spaces
MAX_BURIAL = int(_most_sarcophagi() @ np.sort(MULTIPLIER))
MAX_EDGE_SARCOPHAGI = MOST_SARCOPHAGI * int((MULTIPLIER == 1).sum())
MAX_SARCOPHAGI = int(_most_sarcophagi().sum())
MAX_WORKERS = MOST_WORKERS * NUM_SMALL_SPACES
MAX_WORKER_POINTS = MOST_WORKERS * NUM_LEVELS
MAX_COLLECTION_POINTS = NUM_SMALL // STONES_PER_POINT
MAX_POINTS_OF_A_CARD = NUM_SMALL - MAX_COLLECTION_POINTS  # Treasurer
MAX_CARD_POINTS = MAX_POINTS_OF_A_CARD + MAX_SARCOPHAGI + MAX_EDGE_SARCOPHAGI  # Treasurer, Hidden Tomb, Set: more than together

# --- Kinds of large stones, by which those to come are counted -----------------------------------------------------------------

FACE_KINDS = ("one sarcophagus", "two sarcophagi", *SYMBOLS, "plain")
STOCK_KINDS = tuple(f"{colour} {kind}" for colour in COLOURS for kind in FACE_KINDS)
NUM_KINDS = len(STOCK_KINDS)


def _stock_kind() -> np.ndarray:
    """Per large stone: its colour and what it shows. A stone has sarcophagi or a symbol or neither, never both."""
    plain, first_symbol = FACE_KINDS.index("plain"), FACE_KINDS.index(SYMBOLS[0])
    shows = np.where(SARCOPHAGI > 0, SARCOPHAGI - 1, np.where(SYMBOL != NOTHING, SYMBOL + first_symbol, plain))
    return LARGE_COLOUR * len(FACE_KINDS) + shows


STOCK_KIND = _stock_kind()
MOST_OF_A_KIND = int(np.bincount(STOCK_KIND).max())

# --- Stones as rows of numbers, for observations -------------------------------------------------------------------------------


def _one_hot(values: np.ndarray, size: int) -> np.ndarray:
    """NOTHING is a row of zeros."""
    return (values[:, None] == np.arange(size)).astype(np.float32)


def _openings(turned: int) -> np.ndarray:
    return (OPENINGS[:, turned, None] >> np.arange(NUM_PORTS) & 1).astype(np.float32)


def _offered() -> np.ndarray:
    """A large stone on offer: colour, one sarcophagus, two, symbol, openings as it is and turned, whether turning matters."""
    tombs = _one_hot(SARCOPHAGI - 1, MOST_SARCOPHAGI)
    shown = _one_hot(LARGE_COLOUR, NUM_COLOURS), tombs, _one_hot(SYMBOL, NUM_SYMBOLS)
    return np.hstack([*shown, _openings(0), _openings(1), ORIENTATIONS[:, None] - 1]).astype(np.float32)


def _lying(turned: int) -> np.ndarray:
    """A large stone in a pyramid: colour, sarcophagi by 2, symbol by its number, openings as it lies."""
    tombs, symbol = SARCOPHAGI[:, None] / MOST_SARCOPHAGI, (SYMBOL[:, None] + 1) / NUM_SYMBOLS
    return np.hstack([_one_hot(LARGE_COLOUR, NUM_COLOURS), tombs, symbol, _openings(turned)]).astype(np.float32)


# The widths are multiples of four: such rows are copied with vector instructions only.
OFFERED_FEATURES = _offered()
LYING_FEATURES = np.stack([_lying(0), _lying(1)], axis=1)
OFFERED_COLUMNS = (
    ("colour, one-hot", NUM_COLOURS),
    ("one sarcophagus, two", MOST_SARCOPHAGI),
    ("symbol, one-hot", NUM_SYMBOLS),
    (f"openings as it is: {' '.join(PORTS)}", NUM_PORTS),
    ("openings when turned", NUM_PORTS),
    ("turning it matters", 1),
)
SMALL_COLUMNS = ((f"Workers at the place of its colour, by {MOST_WORKERS}", NUM_COLOURS),)
SMALL_FEATURES = _one_hot(SMALL_COLOUR, NUM_COLOURS) * (WORKERS[:, None] / MOST_WORKERS).astype(np.float32)
