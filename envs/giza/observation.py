"""What the schema cannot say of an observation: stocks and workers on a useful scale, what is eligible, what the sleds would pay.

Written without branches and with unsigned indices, for the reasons in encoders/flat.py.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ...encoders.flat import BIT_ROWS, Feature
from ..core.jit import inlined
from .auction import food_offered
from .components import (
    ART_TOKENS,
    CAMPS,
    FINAL,
    FIRST_SPACE,
    FOOD_TOKENS,
    MAX_PUSH,
    MAX_WORKERS,
    NUM_CAMPS,
    NUM_NOMINATIONS,
    NUM_QUARRIES,
    NUM_ZONES,
    POINTS,
    SPACE_CAPACITY,
    ZONES,
)
from .production import art_left, food_left
from .scoring import push_share
from .state import CREW_BASE, SEATS
from .stones import eligible, on_track, sled_zone

ONE, TWO = np.uint64(1), np.uint64(2)
FULL = np.float32(1)
OF_FOOD, OF_ART, OF_PUSH = np.float32(1 / FOOD_TOKENS), np.float32(1 / ART_TOKENS), np.float32(1 / MAX_PUSH)
# What counts as plenty: larger amounts are cut off at 1.
MUCH_VP, MUCH_FOOD, MUCH_ART = 100, 32, 16
OF_MUCH_VP, OF_MUCH_FOOD, OF_MUCH_ART = np.float32(1 / MUCH_VP), np.float32(1 / MUCH_FOOD), np.float32(1 / MUCH_ART)
WORKERS_SHARE = (np.arange(MAX_WORKERS + 1) / MAX_WORKERS).astype(np.float32)  # quicker than to convert and multiply
MOST_POINTS = POINTS[FINAL][0]

PER_SEAT = 3 + NUM_CAMPS
CREWS_START = np.uint64(3 + NUM_NOMINATIONS)


def feature_table(num_players: int) -> list[Feature]:
    spaces = ZONES[FIRST_SPACE:]
    return [
        Feature("supply", 2, "food and art left in the supply, by 128 and 60"),
        Feature("eligible", NUM_NOMINATIONS, "stones with workers enough to be nominated: four sleds, three lifts"),
        Feature("food_offered", 1, "food bid so far by 8, at most 1"),
        Feature("sleds", NUM_QUARRIES * 2 * num_players,
                "per sled: workers of each seat on it by 4; points of each if it unloaded, by 10"),
        Feature("spaces", len(spaces) * num_players, f"per space: workers of each seat by 4, in {', '.join(spaces)}"),
        Feature("stocks", num_players * PER_SEAT,
                f"per seat: victory points by 100, food by 32, art by 16, at most 1; workers by 10 in {', '.join(CAMPS)}"),
    ]  # fmt: skip


@inlined
def features(s, observer, out):
    out[0] = np.float32(food_left(s)) * OF_FOOD
    out[1] = np.float32(art_left(s)) * OF_ART
    stones = np.uint64(eligible(s))
    for stone in range(np.uint64(NUM_NOMINATIONS)):
        out[TWO + stone] = BIT_ROWS[stones, stone]
    out[2 + NUM_NOMINATIONS] = min(np.float32(food_offered(s)) * OF_PUSH, FULL)
    at = write_crews(s, observer, out, CREWS_START)
    write_stocks(s, observer, out, at)


# --- Workers on sleds and in spaces: each a row of a table ---------------------------------------------------------------------


def _turned(values: list, num_players: int, observer: int) -> list:
    """By seat, the observer first; seats that are not at the table stay behind."""
    return [*values[observer:num_players], *values[:observer], *values[num_players:]]


CREWS = [crew for crew in product(range(CREW_BASE), repeat=SEATS) if sum(crew) <= SPACE_CAPACITY]


def _crew_numbers() -> np.ndarray:
    """By code: the place in CREWS. Seventy rows stay in the cache, 625 do not."""
    numbers = np.zeros(CREW_BASE**SEATS, np.uint8)
    for number, crew in enumerate(CREWS):
        numbers[sum(workers * CREW_BASE**p for p, workers in enumerate(crew))] = number
    return numbers


def _crew_rows() -> np.ndarray:
    """By players beyond three, observer and crew: the workers of the seats by 4, and their points for an unloaded sled by 10."""
    rows = np.zeros((2, SEATS, len(CREWS), 2, SEATS), np.float32)
    for number, crew in enumerate(CREWS):
        points = [push_share.py_func(crew, SEATS, p) for p in range(SEATS)]
        for n in (3, 4):
            for observer in range(n):
                rows[n - 3, observer, number, 0] = np.array(_turned(list(crew), n, observer)) / SPACE_CAPACITY
                rows[n - 3, observer, number, 1] = np.array(_turned(points, n, observer)) / MOST_POINTS
    return rows


CREW_NUMBERS, CREW_ROWS = _crew_numbers(), _crew_rows()


@inlined
def crew_number(code):
    return np.uint64(CREW_NUMBERS[np.uint64(code)])


@inlined
def write_crews(s, observer, out, at):
    """All rows are four seats wide: with three players the next one begins where the absent seat was written."""
    n = np.uint64(s.num_players)
    table, me = np.uint64(s.num_players - 3), np.uint64(observer)
    for quarry in range(NUM_QUARRIES):
        crew = crew_number(s.crew_code[sled_zone(s, quarry)] * on_track(s, quarry))  # code 0: nobody
        for part in range(TWO):
            for i in range(np.uint64(SEATS)):
                out[at + i] = CREW_ROWS[table, me, crew, part, i]
            at += n
    for zone in range(np.uint64(FIRST_SPACE), np.uint64(NUM_ZONES)):
        crew = crew_number(s.crew_code[zone])
        for i in range(np.uint64(SEATS)):
            out[at + i] = CREW_ROWS[table, me, crew, np.uint64(0), i]
        at += n
    return at


@inlined
def write_stocks(s, observer, out, at):
    n, p = np.uint64(s.num_players), np.uint64(observer)
    for _ in range(n):
        out[at] = min(np.float32(s.vp[p]) * OF_MUCH_VP, FULL)
        out[at + ONE] = min(np.float32(s.food[p]) * OF_MUCH_FOOD, FULL)
        out[at + TWO] = min(np.float32(s.art[p]) * OF_MUCH_ART, FULL)
        for camp in range(np.uint64(NUM_CAMPS)):
            out[at + np.uint64(3) + camp] = WORKERS_SHARE[np.uint64(s.workers[p, camp])]
        at += np.uint64(PER_SEAT)
        p = p + ONE if p + ONE < n else np.uint64(0)
