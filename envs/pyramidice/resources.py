"""Workers, Cats and Stone dice on the boards: what can be paid, gaining unit by unit, choosing and losing."""

from __future__ import annotations

import numpy as np

from ..core.jit import inlined, kernel
from .actions import GAIN, LOSE
from .cards import has
from .components import (
    BASTET,
    CAT,
    FOR_KHEPRI,
    GOLD,
    NOT_WORKER,
    NUM_RESOURCES,
    SILVER,
    SILVER_FAME,
    SPACES_ON_BOARD,
    STONE,
    STONE_DIE,
    THREE_OF_ONE,
    WORKER,
)
from .dice import roll_stone_die_from_supply
from .state import (
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
    return np.int64(s.scarab[s.turn_player] == GOLD and not s.gold_used)


@kernel
def can_pay(s, workers, cats):
    own = s.resources[s.turn_player]
    own_cats = own[CAT] + golden_cat(s)
    if has(s, BASTET):
        return own[WORKER] + own_cats >= workers + cats
    return own[WORKER] >= workers and own_cats >= cats


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
        if unit < NUM_RESOURCES and s.supply[unit] > 0 and overflows(s, p, unit):
            s.phase = LOSE_ONE
            s.lose_reason = OVERFLOW
            s.current_player = p
            return STAY
    return continue_after_gaining(s)


@kernel
def overflows(s, p, resource):
    """Take one from the supply; whether it has no space left (R7: gains cannot be refused)."""
    s.supply[resource] -= 1
    s.resources[p][resource] += 1
    spaces = total(s, p)
    if spaces == SPACES_ON_BOARD and s.scarab[p] == SILVER:
        s.fame[p] += SILVER_FAME
    return spaces > SPACES_ON_BOARD


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


# --- Choose a resource -------------------------------------------------------------------------------------------------------


@kernel
def pick_options(s, unit):
    options = 0
    for resource in range(NUM_RESOURCES):
        options |= (s.supply[resource] > 0) << resource
    return options & ALLOWED[unit]


@inlined
def legal_pick(s, mask):
    options = pick_options(s, s.queue[0] % SEAT_FACTOR)
    count = 0
    for resource in range(NUM_RESOURCES):
        if options >> resource & 1:
            mask[GAIN + resource] = 1
            count += 1
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


@inlined
def legal_lose(s, mask):
    count = 0
    for resource in range(NUM_RESOURCES):
        if s.resources[s.current_player][resource] > 0:
            mask[LOSE + resource] = 1
            count += 1
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
        s.quarry[STONE_DIE] += 1
    else:
        s.supply[resource] += 1
