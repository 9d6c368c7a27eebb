"""The pieces: zones where workers stand, rows of the Turn Order Track, stones, the pyramid, and the points.

The board picture of the rulebook is lost. Designed [D]: three spaces on every Quarry Track (R4), the eighth row of the Turn Order
Track and its place (R1, R2), and the counts of tokens taken as limits (R8). All the rest is from the rulebook.
"""

from __future__ import annotations

import numpy as np

NOTHING = -1  # no row, no bid, no stone, no sled

NUM_ROUNDS = 10
ROUNDS_PER_DYNASTY = 5
ACTIONS_PER_TURN = 3

# --- Zones: where a worker can stand -----------------------------------------------------------------------------------------

TRACK_LENGTH = 3  # [D] R4
SPACES = TRACK_LENGTH + 1  # the quarry site, then the spaces of its track
OFF_TRACK = SPACES
NUM_QUARRIES = 4

CAMPS = ("farm", "ra", "art", "ml", "cl")
FARM, RA, ART, MIDDLE_LIFT, CAPSTONE_LIFT = range(len(CAMPS))
NUM_CAMPS = len(CAMPS)
FIRST_SPACE = NUM_CAMPS
QUARRIES = tuple(f"q{q}" for q in range(NUM_QUARRIES))
ZONES = (*CAMPS, *(f"q{q}.{s}" if s else f"q{q}" for q in range(NUM_QUARRIES) for s in range(SPACES)))
NUM_ZONES = len(ZONES)
SITES = tuple(FIRST_SPACE + SPACES * q for q in range(NUM_QUARRIES))
SPACE_CAPACITY = 4  # of quarry sites and track spaces; camps hold any number (R6)

TABLES = (3, 4)  # numbers of players
SEATS = max(TABLES)
WORKERS = np.array([0, 0, 0, 10, 8])  # of each player, by number of players
MAX_WORKERS = int(WORKERS.max())
ALL_WORKERS = int((WORKERS * np.arange(SEATS + 1)).max())
# R40: with three players one stone of each of the two tiers is built beforehand, and as many quarries are not used.
BUILT_BEFOREHAND = np.array([0, 0, 0, 1, 0])
QUARRIES_USED = NUM_QUARRIES - BUILT_BEFOREHAND

# --- Moves between zones -----------------------------------------------------------------------------------------------------

SUPPORT_MOVES = tuple((a, b) for a in (FARM, RA, ART) for b in (FARM, RA, ART) if a != b)
QUARRY_MOVES = (
    *((a, b) for a in SITES for b in SITES if a != b),
    *((a, b) for a in SITES for b in (FARM, RA, ART)),
    *((a, b) for a in (FARM, RA, ART) for b in SITES),
)
LIFTER_MOVES = (
    *((MIDDLE_LIFT, CAPSTONE_LIFT), (CAPSTONE_LIFT, MIDDLE_LIFT)),
    *((a, b) for a in (MIDDLE_LIFT, CAPSTONE_LIFT) for b in (FARM, RA, ART)),
    *((a, b) for a in (FARM, RA, ART) for b in (MIDDLE_LIFT, CAPSTONE_LIFT)),
)
MOVES = np.array((*SUPPORT_MOVES, *QUARRY_MOVES, *LIFTER_MOVES))


def _walk(sled: int, full: int, space: int) -> int:
    """The spaces a worker walks from `space` until it may stop, 0 if it cannot go; `full` is a set of spaces of the track."""
    if sled == space:
        return 0  # never forward off a sled
    for ahead in range(space + 1, SPACES):
        if not full >> ahead & 1:
            return ahead - space
        if sled == ahead:
            return 0  # R18: a full sled blocks, other full spaces are walked through
    return OFF_TRACK - space


SLED_POSITIONS = range(NOTHING, OFF_TRACK + 1)
# By position of the sled + 1, set of full spaces, space of the worker: what the walk costs.
WALK = np.array([[[_walk(sled, full, s) for s in range(SPACES)] for full in range(1 << SPACES)] for sled in SLED_POSITIONS])


def _walkers(actions: int) -> list[list[int]]:
    return [[sum(1 << s for s in range(SPACES) if 0 < cost[s] <= actions) for cost in costs] for costs in WALK.tolist()]


# By actions left, position of the sled + 1, set of full spaces: the set of spaces from which a worker can walk.
CAN_WALK = np.array([_walkers(actions) for actions in range(ACTIONS_PER_TURN + 1)])

# --- Turn Order Track --------------------------------------------------------------------------------------------------------

ROWS = ("fish2", "none", "support", "quarry", "track", "lifter", "farm2", "art2")
NUM_ROWS = len(ROWS)
ROW_FISH2, ROW_NONE, ROW_SUPPORT, ROW_QUARRY, ROW_TRACK, ROW_LIFTER, ROW_FARM2, ROW_ART2 = range(NUM_ROWS)
# How often in a turn, by row (R9, R10).
FARMING = np.array([0, 1, 1, 1, 1, 1, 2, 1])
FISHING = np.array([2, 1, 1, 1, 1, 1, 0, 1])
ART_MAKING = np.array([1, 1, 1, 1, 1, 1, 1, 2])

# --- Stones and the pyramid --------------------------------------------------------------------------------------------------

STONES = ("base", "middle", "capstone")
BASE, MIDDLE, CAPSTONE = range(len(STONES))
STONES_PER_TIER = 4
LOCATIONS = ("A", "B", "C", "D")
NUM_LOCATIONS = len(LOCATIONS)  # rows are {A, B} and {C, D}: the partner of a location is location ^ 1
NUM_PYRAMID_ROWS = 2 * STONES_PER_TIER // 2  # of both tiers

NOMINATIONS = (*(f"push {q}" for q in QUARRIES), "lift mid", "lift cap1", "lift cap2")
NUM_NOMINATIONS = len(NOMINATIONS)
LIFT_MIDDLE, LIFT_CAPSTONE, FINAL_LIFT = range(NUM_QUARRIES, NUM_NOMINATIONS)
CREW = 3  # workers that a stone needs

FOOD_PER_WORKER = 2  # the most that a worker can be fed in a bid
ENOUGH_FOOD, FOOD_PER_SPACE = 4, 2  # for one space or one lift; so much more for each further space
LONGEST_PUSH = 3
MAX_PUSH = ENOUGH_FOOD + FOOD_PER_SPACE * (LONGEST_PUSH - 1)
MAX_FOOD_BID = FOOD_PER_WORKER * MAX_WORKERS

# --- Stock and points --------------------------------------------------------------------------------------------------------

FOOD_TOKENS, ART_TOKENS = 128, 60  # by value (R8)
START_FOOD, START_ART = 8, 3

SOLO_BONUS = 4
ORDINARY, FINAL = 0, 1
POINTS = ((6, 3, 1, 0), (10, 6, 3, 1))

CATEGORIES = ("pushes", "lifts", "decorations", "temple")
FOR_PUSHES, FOR_LIFTS, FOR_DECORATION, FOR_TEMPLE = range(len(CATEGORIES))
FIRST_PLACE, FIRST_PLACE_OF_FINAL = (points[0] for points in POINTS)
PUSH_ALONE = FIRST_PLACE + SOLO_BONUS
# What a player can win at most: nine sleds pushed alone, and the first place everywhere.
MOST_POINTS = (
    (2 * STONES_PER_TIER + 1) * PUSH_ALONE,
    (STONES_PER_TIER + 1) * FIRST_PLACE + FIRST_PLACE_OF_FINAL,
    NUM_PYRAMID_ROWS * FIRST_PLACE + FIRST_PLACE_OF_FINAL,
    len(STONES) * FIRST_PLACE,
)


def _shares() -> np.ndarray:
    """Points by scale, players ahead, players tied (the player included): tied players share their places, rounded down (R34)."""
    shares = np.zeros((len(POINTS), SEATS, SEATS + 1), np.int64)
    for scale, points in enumerate(POINTS):
        for ahead in range(SEATS):
            for tied in range(1, SEATS + 1 - ahead):
                shares[scale, ahead, tied] = sum(points[ahead : ahead + tied]) // tied
    return shares


SHARES = _shares()
