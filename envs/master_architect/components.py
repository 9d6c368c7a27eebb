"""The pieces: 74 large stones, 72 small stones, 20 cards, and the geometry of the pyramid.

The rulebook's pictures are lost. Counts, colours, rows, multipliers, the four cards marked [R] and the point table are the
rulebook's; the faces of all stones, the places of the card pairs and the cards marked [D] are designed.
"""

from __future__ import annotations

import numpy as np

COLOURS = ("blue", "brown", "yellow", "white")
LETTERS = "bnyw"
NUM_COLOURS = 4
NOTHING = -1

# --- Large stones [D] --------------------------------------------------------------------------------------------------------
# A large stone has up to six chamber openings: the short sides W and E, the halves of the top NW and NE, of the bottom SW and
# SE. In this order a turn by 180 degrees moves every opening by three, and opposite openings are three apart.

PORTS = ("W", "NW", "NE", "E", "SE", "SW")
NUM_PORTS = 6
SYMBOLS = ("ankh", "eye", "scarab", "djed", "lotus")
NUM_SYMBOLS = 5

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
    return (ports << 3 | ports >> 3) & 0b111111


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
NUM_LARGE = 74
ORIENTATIONS = np.where(OPENINGS[:, 0] == OPENINGS[:, 1], 1, 2)  # turning a symmetric stone changes nothing (R3)

# --- Small stones [D]: 4 colours with 1, 2 or 3 workers; stones of one type are the same ---------------------------------------

COPIES = (8, 6, 4)  # of the types with 1, 2, 3 workers, in every colour
SMALL_STONES = tuple(f"{letter}{workers}" for letter in LETTERS for workers in (1, 2, 3))
NUM_TYPES = 12
SMALL_COLOUR = np.arange(NUM_TYPES) // 3
WORKERS = np.arange(NUM_TYPES) % 3 + 1
SMALL_COUNT = np.array(COPIES * NUM_COLOURS)
NUM_SMALL = 72
FULL_BAG = np.repeat(np.arange(NUM_TYPES), SMALL_COUNT)

# --- Cards: the first four are the rulebook's [R], the others designed [D] -----------------------------------------------------

CARDS = (
    "Set", "Priest", "Osiris", "Divine Path", "Anubis", "Hapi", "Geb", "Ra", "Khonsu", "Maat",
    "Ptah", "Thoth", "Nut", "Khepri", "Treasurer", "Hidden Tomb", "Overseer", "Stonemason", "Surveyor", "Vizier",
)  # fmt: skip
NUM_CARDS = 20
(
    SET, PRIEST, OSIRIS, DIVINE_PATH, ANUBIS, HAPI, GEB, RA, KHONSU, MAAT,
    PTAH, THOTH, NUT, KHEPRI, TREASURER, HIDDEN_TOMB, OVERSEER, STONEMASON, SURVEYOR, VIZIER,
) = range(NUM_CARDS)  # fmt: skip
OVERSEER_STONES = 3
SURVEYOR_LIFTS = 2

ROW = 5
DISPLAY = 4

# --- The pyramid: 15 large spaces in rows 5-4-3-2-1, a small space at each end of 6 levels --------------------------------------

NUM_LARGE_SPACES = 15
NUM_SMALL_SPACES = 12
NUM_LEVELS = 6
PLACES = tuple((level, position) for level in range(1, NUM_LEVELS) for position in range(1, NUM_LEVELS - level + 1))
LARGE_SPACES = tuple(f"{level}.{position}" for level, position in PLACES)
SMALL_SPACES = tuple(f"{level}{side}" for level in range(1, NUM_LEVELS + 1) for side in "LR")
ALL_LARGE = (1 << NUM_LARGE_SPACES) - 1
ALL_SMALL = (1 << NUM_SMALL_SPACES) - 1

MULTIPLIER = np.array([1 + min(position - 1, 6 - level - position) for level, position in PLACES])  # distance to the edge

PAIRS = (("1.1", "1.2"), ("1.4", "1.5"), ("4.1", "4.2"))  # [D] filling both spaces gives a card
PAIR_SPACES = np.array([[LARGE_SPACES.index(space) for space in pair] for pair in PAIRS])
NUM_PAIRS = 3
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
MAX_EXITS = 10

# Boards. Small stones touch like large ones (R5), so all 27 spaces form a triangle of hexagons: level L has the small space L at
# position 0, its large spaces at 1, 2, ... and the small space R behind them. A set of spaces is a 64-bit board with one byte a
# level, and the six neighbours of a cell are shifts by 1 (sideways), 7 and 8 (up and down). The bit behind the end of a level is
# never set, so nothing wraps around.


def _cell(level: int, position: int) -> int:
    return 1 << 8 * (level - 1) + position


LARGE_CELL = np.array([_cell(level, position) for level, position in PLACES])
SMALL_CELL = np.array([_cell(level, end) for level in range(1, NUM_LEVELS + 1) for end in (0, NUM_LEVELS + 1 - level)])
GROUND = 0x7F  # level 1
ALL_CELLS = int(LARGE_CELL.sum() + SMALL_CELL.sum())
ALL_LARGE_CELLS = int(LARGE_CELL.sum())
EDGE_CELLS = int(LARGE_CELL[MULTIPLIER == 1].sum())
LEVEL_BITS = 8

# --- Points ------------------------------------------------------------------------------------------------------------------

SYMBOL_POINTS = np.array([0, 2, 4, 7, 11, 16])  # for so many different symbols
WORKERS_PER_POINT = 4  # Osiris
HIGH = 4  # Nut
FIXED_POINTS = 3  # Stonemason, Surveyor
STONES_PER_POINT = 2  # Collection
MAX_BURIAL = 41
MAX_WORKER_POINTS = 18
TURNS = NUM_LARGE_SPACES  # of each player

# --- For observations --------------------------------------------------------------------------------------------------------


def _stone_features() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Feature rows of a large stone on offer, of a large stone lying in the pyramid (per rotation), of a small stone.

    Their widths are multiples of four: such rows are copied with vector instructions only.
    """
    colour = np.eye(NUM_COLOURS)[LARGE_COLOUR]
    tombs = SARCOPHAGI[:, None] / 2
    symbol = np.eye(NUM_SYMBOLS + 1)[SYMBOL][:, :NUM_SYMBOLS]  # NOTHING is the last row, which is cut off
    as_it_is, turned = (OPENINGS[:, turn, None] >> np.arange(NUM_PORTS) & 1 for turn in (0, 1))
    offered = np.hstack([colour, tombs, symbol, as_it_is])
    lying = np.stack([offered, np.hstack([colour, tombs, symbol, turned])], axis=1)
    small = np.eye(NUM_COLOURS)[SMALL_COLOUR] * WORKERS[:, None] / 3
    return offered.astype(np.float32), lying.astype(np.float32), small.astype(np.float32)


OFFERED_FEATURES, LYING_FEATURES, SMALL_FEATURES = _stone_features()


FACE_KINDS = ("one sarcophagus", "two sarcophagi", *SYMBOLS, "plain")
STOCK_KINDS = tuple(f"{colour} {kind}" for colour in COLOURS for kind in FACE_KINDS)  # what unseen large stones are counted by
NUM_KINDS = len(STOCK_KINDS)


def _stock_kind() -> np.ndarray:
    """Per large stone: its colour and what it shows. A stone has sarcophagi or a symbol or neither, never both."""
    shows = np.where(SARCOPHAGI > 0, SARCOPHAGI - 1, np.where(SYMBOL != NOTHING, SYMBOL + 2, len(FACE_KINDS) - 1))
    return LARGE_COLOUR * len(FACE_KINDS) + shows


STOCK_KIND = _stock_kind()
