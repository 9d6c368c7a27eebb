"""The pieces: God cards, Scarabs, Projects, Rest tiles, the three pyramids and the Great Architects.

Effects and counts follow the rulebook; the printed numbers that are lost (costs, most tiles, Projects, Architects) are designed
[D], see README.md. Tables of names come first, arrays for the kernels are computed from them.
"""

from __future__ import annotations

import numpy as np

# --- Resources and dice ------------------------------------------------------------------------------------------------------

RESOURCES = ("W", "C", "S")
WORKER, CAT, STONE = range(3)
NUM_RESOURCES = 3
NUM_WORKERS, NUM_CATS, NUM_PRAYER_DICE = 21, 9, 4
SPACES_ON_BOARD = 8

# Units to be gained: a resource by its number, or a choice to be made.
UNITS = ("W", "C", "S", "any", "not W", "not C", "not S", "three", "khepri")
ANY, NOT_WORKER, THREE_OF_ONE, FOR_KHEPRI = 3, 4, 7, 8
NO_UNIT = -1

KINDS = ("P", "S", "V")  # Prayer, Stone, virtual; the first two are real dice
PRAYER, STONE_DIE, VIRTUAL = range(3)
REAL_KINDS = 2
FACES = 6

# --- God cards ---------------------------------------------------------------------------------------------------------------
# cost: a digit is a die of that value, S4 a Stone die of that value, * any die, C a Cat, W a Worker.

GODS_TABLE = (
    #  name        symbol   cost       Fame at the end
    ("Atum", "stack", "1 2", 0),
    ("Shu", "stack", "2 3", 0),
    ("Tefnut", "stack", "3 4", 0),
    ("Geb", "stack", "4 5", 0),
    ("Nut", "stack", "5 6", 0),
    ("Osiris", "stack", "1 6", 0),
    ("Seth", "stack", "3 6", 0),
    ("Isis", "stack", "1 4", 0),
    ("Nephthys", "stack", "2 5", 0),
    ("Horus", "stack", "4 6", 0),
    ("Khnum", "work", "1 *", 0),
    ("Satis", "work", "4 *", 0),
    ("Anuket", "work", "6 *", 0),
    ("Amon", "work", "2 6 *", 2),
    ("Anubis", "ongoing", "4 *", 0),
    ("Aton", "work", "3 3", 1),
    ("Bastet", "ongoing", "C 2", 0),
    ("Bes", "rest", "2 *", 0),
    ("Hapy", "rest", "1 5", 1),
    ("Hathor", "none", "1 1 5 5", 6),
    ("Heh", "work", "5 *", 0),
    ("Heka", "work", "C 5", 0),
    ("Khepri", "ongoing", "2 2", 1),
    ("Khonsu", "work", "W 3", 0),
    ("Min", "work", "4 4", 2),
    ("Ptah", "work", "1 3 *", 2),
    ("Maat", "work", "1 2 3", 3),
    ("Montu", "work", "W 4 *", 0),
    ("Ra", "work", "W 6 *", 0),
    ("Mertseger", "work", "S3 *", 2),
    ("Mut", "work", "S6", 0),
    ("Sekhmet", "work", "S4 C W", 0),
    ("Neith", "work", "C 1", 0),
    ("Serket", "ongoing", "S5 *", 0),
    ("Seshat", "ongoing", "S1 *", 0),
    ("Sobek", "work", "5 6 *", 0),
    ("Sopdet", "work", "3 *", 1),
    ("Thoth", "ongoing", "S2 3", 0),
)
GODS = tuple(name for name, *_ in GODS_TABLE)
NUM_GODS = len(GODS)
NUM_ENNEAD = 10  # the first ten ids: one stack, one God in every count
ROW = 3  # face-up Gods: position 0 is the newest, 2 the oldest


def _god(name: str) -> int:
    return GODS.index(name)


KHNUM, AMON, ANUBIS, ATON, BASTET = map(_god, ("Khnum", "Amon", "Anubis", "Aton", "Bastet"))
BES, HAPY, KHEPRI, PTAH, MAAT = map(_god, ("Bes", "Hapy", "Khepri", "Ptah", "Maat"))
MERTSEGER, MUT, SERKET, SESHAT, THOTH = map(_god, ("Mertseger", "Mut", "Serket", "Seshat", "Thoth"))

END_FAME = np.array([fame for *_, fame in GODS_TABLE])
COPYABLE = np.array([symbol in ("work", "ongoing") for _, symbol, *_ in GODS_TABLE], np.int64)
ENNEAD_FAME = np.array([0, 0, 2, 6, 12, 20, 20, 20, 20, 20, 20])  # by number of Ennead cards


def _costs() -> tuple[np.ndarray, ...]:
    """Per God: dice by value, Stone dice by value, dice of any value, Workers, Cats, and dice in all."""
    of_value, stone = np.zeros((NUM_GODS, FACES), np.int64), np.zeros((NUM_GODS, FACES), np.int64)
    single = {symbol: np.zeros(NUM_GODS, np.int64) for symbol in "*WC"}
    for g, (_, _, cost, _) in enumerate(GODS_TABLE):
        for item in cost.split():
            if item in single:
                single[item][g] += 1
            elif item[0] == "S":
                stone[g, int(item[1]) - 1] += 1
            else:
                of_value[g, int(item) - 1] += 1
    dice = of_value.sum(1) + stone.sum(1) + single["*"]
    return of_value, stone, single["*"], single["W"], single["C"], dice


COST_OF_VALUE, COST_STONE, COST_ANY, COST_WORKERS, COST_CATS, COST_DICE = _costs()


def _word(counts: np.ndarray) -> int:
    """Counts by value as one number, a byte each."""
    return sum(int(n) << 8 * face for face, n in enumerate(counts))


COST_OF_VALUE_WORD = np.array([_word(row) for row in COST_OF_VALUE], np.uint64)
COST_STONE_WORD = np.array([_word(row) for row in COST_STONE], np.uint64)


def _god_features() -> np.ndarray:
    """The row of a face-up God in observations: who it is, what it costs, what it is worth."""
    cost = np.hstack([COST_OF_VALUE / 2, COST_STONE, np.stack([COST_ANY, COST_WORKERS, COST_CATS], 1)])
    return np.hstack([np.eye(NUM_GODS), cost, END_FAME[:, None] / 6, COPYABLE[:, None]]).astype(np.float32)


GOD_FEATURES = _god_features()
GOD_COLUMNS = (
    ("which God, one-hot", NUM_GODS),
    ("dice of each value in its price, by 2", FACES),
    ("Stone dice of each value in its price", FACES),
    ("dice of any value, Workers, Cats in its price", 3),
    ("Fame at the end, by 6", 1),
    ("Amethyst can borrow its power", 1),
)

# --- Powers that cost something and pay Fame or resources: `use <God>` in the order of the action table ------------------------

USABLE_GODS = (
    "Amon", "Aton", "Heh", "Heka", "Khepri", "Khonsu", "Min", "Ptah", "Maat",
    "Montu", "Ra", "Mertseger", "Mut", "Sekhmet", "Neith", "Sobek", "Sopdet",
)  # fmt: skip
TRIAD = ("Khnum", "Satis", "Anuket")  # a virtual die of 1 or 2, 3 or 4, 5 or 6

POWERS = {
    #            Workers, Cats, any dice, Stone dice, equal dice: paid;  Fame, unit gained, resource that must be in the supply
    "Heh": (0, 0, 0, 0, 0, 1, NO_UNIT, None),
    "Heka": (0, 2, 0, 0, 0, 3, WORKER, None),
    "Khepri": (0, 0, 0, 0, 1, 3, FOR_KHEPRI, None),
    "Khonsu": (1, 1, 0, 0, 0, 4, NO_UNIT, None),
    "Min": (0, 0, 2, 0, 0, 0, WORKER, WORKER),
    "Ptah": (0, 0, 1, 0, 0, 0, NO_UNIT, None),
    "Montu": (2, 0, 0, 0, 0, 4, CAT, None),
    "Ra": (1, 0, 0, 0, 0, 3, NO_UNIT, None),
    "Mertseger": (0, 0, 2, 0, 0, 0, NO_UNIT, STONE),
    "Sekhmet": (1, 1, 0, 1, 0, 7, NO_UNIT, None),
    "Neith": (0, 1, 0, 0, 0, 2, NO_UNIT, None),
    "Sobek": (0, 0, 2, 0, 0, 3, NO_UNIT, None),
    "Sopdet": (0, 0, 1, 0, 0, 0, CAT, CAT),
}


def _powers() -> np.ndarray:
    table = np.zeros((8, NUM_GODS), np.int64)
    for name, (*paid_and_fame, gained, supply) in POWERS.items():
        table[:, _god(name)] = (*paid_and_fame, gained, -1 if supply is None else supply)
    return table


PAY_WORKERS, PAY_CATS, PAY_ANY, PAY_STONE, PAY_SAME, POWER_FAME, POWER_GAINS, POWER_SUPPLY = _powers()
ATON_FAME, SERKET_FAME, ANUBIS_LIMIT, SESHAT_COST = 4, 3, 3, 1

USE_OFFSET = np.array([USABLE_GODS.index(g) if g in USABLE_GODS else -1 for g in GODS])
USABLE = np.array([_god(g) for g in USABLE_GODS])

# --- Scarabs -----------------------------------------------------------------------------------------------------------------

SCARABS = (
    "Amethyst", "Silver", "Pearl", "Emerald", "Quartz", "Obsidian",
    "Gold", "Ruby", "LapisLazuli", "Turquoise", "Carnelian", "Malachite",
)  # fmt: skip
AMETHYST, SILVER, PEARL, EMERALD, QUARTZ, OBSIDIAN, GOLD, RUBY, LAPIS, TURQUOISE, CARNELIAN, MALACHITE = range(12)
NUM_SCARABS = 12
NO_SCARAB = 12
SILVER_FAME, RUBY_FAME, MALACHITE_FAME, OBSIDIAN_FAME, PEARL_PRICE = 2, 2, 3, 2, 2

# --- Rest tiles --------------------------------------------------------------------------------------------------------------

TILES = ("work", "each", "god", "three", "swap", "feast", "WW", "WC", "WS", "CC", "CS", "SS")
NUM_TILES = len(TILES)
TILE_WORK, TILE_EACH, TILE_GOD, TILE_THREE, TILE_SWAP, TILE_FEAST = range(6)
TILE_FAME_COST = np.array([1, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0])
FULL_SET_OF_TILES = 3


def _tile_units() -> np.ndarray:
    """Per tile: the units its user gains, in order; -1 pads. `swap` gains after its discard, `god` gains no resource."""
    units = {"work": (ANY,), "each": (WORKER, CAT, STONE), "three": (THREE_OF_ONE,), "feast": (ANY, ANY)}
    table = np.full((NUM_TILES, 3), NO_UNIT, np.int64)
    for i, tile in enumerate(TILES):
        own = units.get(tile, () if tile.islower() else tuple(RESOURCES.index(x) for x in tile))
        table[i, : len(own)] = own
    return table


TILE_UNITS = _tile_units()

# --- Projects ----------------------------------------------------------------------------------------------------------------
# Cards 0 to 4 are the five ways to pair off the six faces, card 5 the equal pairs: each face has one partner on each card.

PROJECTS = ("Seven", "Second", "Third", "Fourth", "Fifth", "Twins")
NUM_PROJECTS = 6
PROJECT_FAME = 2
PARTNER = np.array(
    [
        [0, 6, 5, 4, 3, 2, 1],
        [0, 3, 6, 1, 5, 4, 2],
        [0, 5, 4, 6, 2, 1, 3],
        [0, 2, 1, 5, 6, 3, 4],
        [0, 4, 3, 2, 1, 6, 5],
        [0, 1, 2, 3, 4, 5, 6],
    ]
)  # the face that scores next to face v; 0 is an empty space and scores with nothing

# --- The pyramids ------------------------------------------------------------------------------------------------------------

PYRAMIDS = ("cheops", "chephren", "mykerinos")
#            pyramid, level, side of the square of spaces, players from whom on it is in play
STOREYS = ((0, 1, 3, 1), (0, 2, 2, 1), (0, 3, 1, 1), (1, 1, 2, 3), (1, 2, 1, 3), (2, 1, 1, 4))
EXTRA_OF_STOREY = (0, 1, 2, 1, 2, 2)  # Workers beyond the die's own; each brings 2 Fame
NUM_SPACES = 20
CHEOPS_SPACES = 14


def _spaces() -> tuple[np.ndarray, ...]:
    level: list[int] = []
    extra, players, support, neighbours = [], [], [], []
    for (_, height, side, least), extra_workers in zip(STOREYS, EXTRA_OF_STOREY, strict=True):
        first = len(level)
        below = first - (side + 1) ** 2
        for row in range(side):
            for column in range(side):
                here = first + row * side + column
                level.append(height)
                extra.append(extra_workers)
                players.append(least)
                corner = below + row * (side + 1) + column
                rests_on = (corner, corner + 1, corner + side + 1, corner + side + 2) if height > 1 else ()
                support.append(sum(1 << i for i in rests_on))
                beside = [(row - 1, -side), (row + 1, side), (column - 1, -1), (column + 1, 1)]
                neighbours.append(sorted(here + step for line, step in beside if 0 <= line < side))
    padded = np.array([n + [-1] * (4 - len(n)) for n in neighbours])
    return np.array(level), np.array(extra), np.array(players), np.array(support), padded


SPACE_LEVEL, EXTRA_WORKERS, SPACE_PLAYERS, SUPPORT, NEIGHBOURS = _spaces()
EXTRA_FAME = 2 * EXTRA_WORKERS
PAIRS = np.array([(a, b) for a in range(NUM_SPACES) for b in NEIGHBOURS[a] if b > a])
VALUE_WORKERS = np.array([0, 0, 0, 1, 1, 2, 2])  # Workers to build a die of value v, before the level's extra


def _space_sets() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As bits: spaces in play by players, spaces with at most 0, 1, 2 extra Workers, Cheops' spaces by level."""
    bit = 1 << np.arange(NUM_SPACES)
    in_play = [bit[np.less_equal(SPACE_PLAYERS, players)].sum() for players in range(5)]
    within = [bit[np.less_equal(EXTRA_WORKERS, extra)].sum() for extra in range(3)]
    cheops = [bit[:CHEOPS_SPACES][np.equal(SPACE_LEVEL[:CHEOPS_SPACES], level)].sum() for level in range(4)]
    return np.array(in_play), np.array(within), np.array(cheops)


SPACES_IN_PLAY, WITHIN_EXTRA, CHEOPS_LEVEL = _space_sets()

# --- Setup, by number of players (1 is the solo game) ------------------------------------------------------------------------

TILES_IN_PLAY = np.array([0, 6, 6, 8, 10])
GODS_REMOVED = np.array([0, 10, 10, 5, 3])
STONE_DICE = np.array([0, 14, 14, 19, 20])
START_RESOURCES = (4, 1, 1)
START_FAME = 5
TURNS_PER_SEAT = 40  # then the game is cut off

# --- The Great Architects ----------------------------------------------------------------------------------------------------

ARCHITECTS = ("Snefru", "Hemionu", "Amenhotep", "Imothep")
ARCHITECT_SEAT = 1
NUM_SLOTS = 6
ARCHITECT_PROJECTS = np.array([2, 2, 3, 2])
ARCHITECT_TILE_FAME = np.array([[0, 0, 1], [0, 1, 1], [0, 1, 1], [0, 1, 2]])
UPPER_LEVEL_FAME = np.array([1, 0, 0, 0])  # when he builds above the ground
ADJACENCY_FAME = np.array([0, 1, 0, 0])  # when his die completes a pair of one of his Projects
ENNEAD_CARD_FAME = np.array([0, 0, 1, 0])  # when he takes an Ennead card
BUILD_FAME = np.array([0, 0, 0, 2])  # when he builds
