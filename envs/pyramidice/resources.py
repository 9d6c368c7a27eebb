"""Workers, Cats and Stone dice on the boards: what can be paid, gaining unit by unit, choosing and losing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from . import components as pieces
from . import pending
from .actions import GAIN, LOSE
from .cards import has
from .components import BASTET, CAT, FOR_KHEPRI, NOT_WORKER, NUM_RESOURCES, SPACES_ON_BOARD, STONE, THREE_OF_ONE, WORKER
from .dice import roll_stone_die_from_supply
from .state import (
    FOR_HAPY,
    FOR_SWAP,
    LOSE_ONE,
    OVERFLOW,
    PICK,
    REST_STEP_3,
    RUN_QUEUE,
    SEAT_FACTOR,
    START_WORK,
    STAY,
    THEN_STEP_3,
    THEN_USE,
    THEN_WORK,
    USE,
)

# --- Having ------------------------------------------------------------------------------------------------------------------


@kernel
def total(s, p):
    return s.resources[p][WORKER] + s.resources[p][CAT] + s.resources[p][STONE]


@kernel
def golden_cat(s):
    """1 if the turn player can still pay a Cat with the one on the Gold Scarab."""
    return np.int64((s.scarab[s.turn_player] == pieces.GOLD) & (s.gold_used == 0))


@kernel
def can_pay(s, workers, cats):
    own = s.resources[s.turn_player]
    own_cats = own[CAT] + golden_cat(s)
    each_is_there = (own[WORKER] >= workers) & (own_cats >= cats)
    return each_is_there | (has(s, BASTET) & (own[WORKER] + own_cats >= workers + cats))


@kernel
def payable_workers(s):
    """The largest number of Workers the turn player could pay."""
    own = s.resources[s.turn_player]
    return own[WORKER] + (own[CAT] + golden_cat(s) if has(s, BASTET) else 0)


# --- Gaining: units wait in a queue and come one by one (R4, R5) -------------------------------------------------------------

ALLOWED = np.array([0, 0, 0, 0b111, 0b110, 0b101, 0b011, 0b111, 0b111])  # resources by unit of choice


@kernel
def push_unit(s, p, unit):
    s.queue[s.queue_length] = SEAT_FACTOR * p + unit
    s.queue_length += 1


@kernel
def pop_unit(s):
    for i in range(1, s.queue_length):
        s.queue[i - 1] = s.queue[i]
    s.queue_length -= 1
    s.queue[s.queue_length] = 0


@kernel
def run_queue(s):
    """Hand out units until one needs a decision; what cannot be supplied is lost (R1 to R3)."""
    while s.queue_length > 0:
        p, unit = s.queue[0] // SEAT_FACTOR, s.queue[0] % SEAT_FACTOR
        if unit >= NUM_RESOURCES and pick_options(s, unit) != 0:
            s.phase = PICK
            s.current_player = p
            return STAY
        pop_unit(s)
        if unit < NUM_RESOURCES and s.supply[unit] > 0:
            gain(s, p, unit)
            if total(s, p) > SPACES_ON_BOARD:
                s.phase = LOSE_ONE
                s.lose_reason = OVERFLOW
                s.current_player = p
                return STAY
    return continue_after_gaining(s)


@kernel
def gain(s, p, resource):
    """From the supply, whether there is a space left or not (R7: gains cannot be refused)."""
    s.supply[resource] -= 1
    s.resources[p][resource] += 1
    if total(s, p) == SPACES_ON_BOARD and s.scarab[p] == pieces.SILVER:
        s.fame[p] += pieces.SILVER_FAME


@kernel
def continue_after_gaining(s):
    afterwards = s.afterwards
    s.afterwards = THEN_STEP_3
    s.current_player = s.turn_player
    if afterwards == THEN_STEP_3:
        return REST_STEP_3
    if afterwards == THEN_WORK:
        s.rest_pending = 1
        return START_WORK
    s.phase = USE
    return STAY


@kernel
def gain_in_work(s, unit):
    push_unit(s, s.turn_player, unit)
    s.afterwards = THEN_USE
    return RUN_QUEUE


# Which gains can be under way, for the checks below.

GAINING_GODS = sum(1 << pieces.GODS.index(god) for god in ("Heka", "Min", "Montu", "Sopdet"))
Units = list[tuple[int, int]]  # seat and unit


def units_in_queue(s: np.void) -> Units:
    return [(int(entry) // SEAT_FACTOR, int(entry) % SEAT_FACTOR) for entry in s["queue"][: s["queue_length"]]]


def gains_under_way(s: np.void) -> Iterator[tuple[int, Units]]:
    """What follows them, and all their units in order, of every gain that this turn can have brought so far."""
    t, n = int(s["turn_player"]), int(s["num_players"])
    if s["in_work"]:
        yield from ((THEN_USE, units) for units in _units_of_gods(s, t))
        return
    for tile in range(pieces.NUM_TILES):
        if pending.tile_is_in_use(s, tile):
            own = [(t, int(unit)) for unit in pieces.TILE_UNITS[tile] if unit != pieces.NO_UNIT]
            feast = [((t + i) % n, CAT) for i in range(1, n)] if tile == pieces.TILE_FEAST else []
            yield THEN_WORK if tile == pieces.TILE_WORK else THEN_STEP_3, own + feast
            if tile == pieces.TILE_THREE:
                yield from ((THEN_STEP_3, [(t, x)] * 3) for x in range(NUM_RESOURCES))
            if tile == pieces.TILE_SWAP:
                yield from ((THEN_STEP_3, [(t, NOT_WORKER + x)] * 2) for x in range(NUM_RESOURCES))
    if int(s["gods"][t]) >> pieces.HAPY & 1:
        yield from ((THEN_STEP_3, [(t, NOT_WORKER + x)] * 3) for x in range(NUM_RESOURCES))


def _units_of_gods(s: np.void, t: int) -> Iterator[Units]:
    if pending.has_power(s, pieces.KHEPRI):
        yield [(t, FOR_KHEPRI)]
    if int(s["used"]) & GAINING_GODS:
        yield from ([(t, WORKER)], [(t, CAT)])


def _check_gain(s: np.void, taken: int, seat_of: int) -> Findings:
    """The queue is what is left of a gain: at least `taken` units are gone, the one `seat_of` from its head is the decider's."""
    yield from pending.in_a_work_turn(s, *pending.GAINS) if s["in_work"] else pending.nothing_but(s, *pending.GAINS)
    if s["queue"][s["queue_length"] :].any():
        yield "queue", "more units than queue_length says"
        return
    queue, p = units_in_queue(s), int(s["current_player"])
    for afterwards, units in gains_under_way(s):
        gone = len(units) - len(queue)
        if gone >= taken and units[gone:] == queue and s["afterwards"] == afterwards and units[gone + seat_of][0] == p:
            return
    yield "queue", "not what is left of a gain of this turn"


# --- Choose a resource -------------------------------------------------------------------------------------------------------


@kernel
def pick_options(s, unit):
    options = 0
    for resource in range(NUM_RESOURCES):
        options |= (s.supply[resource] > 0) << resource
    return options & ALLOWED[unit]


def check_pick(s: np.void) -> Findings:
    if s["queue_length"] == 0 or s["queue"][0] % SEAT_FACTOR not in range(NUM_RESOURCES, len(pieces.UNITS)):
        yield "queue", "no unit of choice comes next"
        return
    yield from _check_gain(s, taken=0, seat_of=0)


@inlined
def legal_pick(s, mask):
    options = pick_options(s, s.queue[0] % SEAT_FACTOR)
    count = 0
    for resource in range(NUM_RESOURCES):
        possible = options >> resource & 1
        mask[GAIN + resource] = possible
        count += possible
    return count


@kernel
def do_pick(s, resource):
    unit = s.queue[0] % SEAT_FACTOR
    if unit == FOR_KHEPRI and resource == STONE:
        pop_unit(s)
        roll_stone_die_from_supply(s)  # R43: it goes to the pool, not to the board
        return RUN_QUEUE
    s.queue[0] += resource - unit
    if unit == THREE_OF_ONE:
        push_unit(s, s.current_player, resource)
        push_unit(s, s.current_player, resource)
    return RUN_QUEUE


# --- Lose a resource ---------------------------------------------------------------------------------------------------------


def check_lose(s: np.void) -> Findings:
    if s["lose_reason"] == OVERFLOW:
        if s["resources"][s["current_player"]].sum() <= SPACES_ON_BOARD:
            yield "lose_reason", "the board of the player does not overflow"
        yield from _check_gain(s, taken=1, seat_of=-1)
        return
    yield from pending.turn_player_decides(s)
    yield from pending.nothing_but(s, "lose_reason")
    hapy = bool(int(s["gods"][s["turn_player"]]) >> pieces.HAPY & 1)
    if not (hapy if s["lose_reason"] == FOR_HAPY else pending.tile_is_in_use(s, pieces.TILE_SWAP)):
        yield "lose_reason", "what a resource is lost for is not in use"


@inlined
def legal_lose(s, mask):
    count = 0
    for resource in range(NUM_RESOURCES):
        there = s.resources[s.current_player][resource] > 0
        mask[LOSE + resource] = there
        count += there
    return count


@kernel
def do_lose(s, resource):
    """Overflow; or the price of `swap` and Hapy, which then give two or three units of other types (R10)."""
    lose(s, s.current_player, resource)
    if s.lose_reason != OVERFLOW:
        for _ in range(2 if s.lose_reason == FOR_SWAP else 3):
            push_unit(s, s.turn_player, NOT_WORKER + resource)
    s.lose_reason = OVERFLOW
    return RUN_QUEUE


@kernel
def lose(s, p, resource):
    """Stone dice go to the Quarry, never back to the supply (R6)."""
    s.resources[p][resource] -= 1
    if resource == STONE:
        s.quarry[pieces.STONE_DIE] += 1
    else:
        s.supply[resource] += 1
