"""The whole: setup, and for each phase what is legal and what it does. The phases themselves are in the other modules."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from ..core.rng import below
from .actions import BID_ART, BID_FOOD, BUILD_AT, CHOOSE_ROW, CHOOSE_STONE, PUT, PUT_QUARRY
from .auction import do_food_bid, do_nominate, legal_food_bid, legal_nominate
from .building import do_build, do_reassign, legal_build
from .components import (
    BASE,
    FIRST_SPACE,
    FULL_TABLE,
    NUM_CAMPS,
    NUM_QUARRIES,
    NUM_ZONES,
    SPACE_CAPACITY,
    START_ART,
    START_FOOD,
    WORKERS,
)
from .decoration import do_art_bid, do_stone, legal_art_bid, legal_stone
from .marks import mark_members, mark_run
from .state import ACTION, ART_BID, BONUS, BUILD, EXIT, FOOD_BID, NOMINATE, NOTHING, REASSIGN, ROW, SEATS, SETUP, STONE
from .turns import TURN_OVER, do_action, do_bonus, do_exit, do_row, end_turn, legal_action, legal_bonus, legal_row, start_round
from .workers import DIGIT, clockwise, enter, legal_camps, quarry_sites, space_of

# --- Setup: two workers in turn until all stand on the board ------------------------------------------------------------------


@kernel
def setup(s):
    n = s.num_players
    s.order[:] = NOTHING
    s.row[:] = NOTHING
    s.food_bid[:] = NOTHING
    s.art_bid[:] = NOTHING
    s.nominated = s.built_at = s.turn_player = NOTHING
    for p in range(n):
        s.food[p] = START_FOOD
        s.art[p] = START_ART
    for quarry in range(NUM_QUARRIES):
        used = quarry < n
        s.sled_position[quarry] = 0 if used else NOTHING
        s.sled_stone[quarry] = BASE if used else NOTHING
    s.middle_in_reserve = n
    if n < FULL_TABLE:
        s.base_built[0] = s.middle_built[0] = 1
        close_last_quarry(s)
    s.phase = SETUP
    s.first_player = s.current_player = below(s, n)


@kernel
def close_last_quarry(s):
    s.closed |= 1 << space_of(NUM_QUARRIES - 1, 0)


@inlined
def legal_setup(s, mask):
    open_sites = ~quarry_sites(s.closed) & ((1 << NUM_QUARRIES) - 1)
    return mark_run(mask, PUT, NUM_CAMPS) + mark_members(mask, PUT_QUARRY, open_sites)


@kernel
def do_setup(s, place):
    enter(s, s.current_player, place if place < NUM_CAMPS else space_of(place - NUM_CAMPS, 0))
    s.workers_placed += 1
    if s.workers_placed == s.num_players * WORKERS[s.num_players]:
        start_round(s)
    elif s.workers_placed % 2 == 0:
        s.current_player = clockwise(s, s.current_player, 1)


# --- The phases ---------------------------------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark the legal actions in a cleared mask; return how many there are."""
    if s.phase == ACTION:
        return legal_action(s, mask)
    if s.phase == SETUP:
        return legal_setup(s, mask)
    if s.phase == ROW:
        return legal_row(s, mask)
    if s.phase == BONUS:
        return legal_bonus(s, mask)
    if s.phase == NOMINATE:
        return legal_nominate(s, mask)
    if s.phase == FOOD_BID:
        return legal_food_bid(s, mask)
    if s.phase == BUILD:
        return legal_build(s, mask)
    if s.phase == ART_BID:
        return legal_art_bid(s, mask)
    if s.phase == STONE:
        return legal_stone(s, mask)
    return legal_camps(mask)


@kernel
def step(s, action):
    """Do one legal action."""
    if s.phase == ACTION:
        do_action(s, action)
    elif s.phase == SETUP:
        do_setup(s, action - PUT)
    elif s.phase == ROW:
        do_row(s, action - CHOOSE_ROW)
    elif s.phase == BONUS:
        do_bonus(s, action)
    elif s.phase == EXIT:
        do_exit(s, action - PUT)
    elif s.phase == NOMINATE:
        do_nominate(s, action - CHOOSE_STONE)
    elif s.phase == FOOD_BID:
        do_food_bid(s, action - BID_FOOD)
    elif s.phase == BUILD:
        do_build(s, action - BUILD_AT)
    elif s.phase == REASSIGN:
        do_reassign(s, action - PUT)
    elif s.phase == ART_BID:
        do_art_bid(s, action - BID_ART)
    else:
        do_stone(s, action)
    if s.phase == TURN_OVER:
        end_turn(s)


# --- Positions from outside ---------------------------------------------------------------------------------------------------


@kernel
def determinize(s, player):
    """Only committed art bids are hidden: those of the others could be anything they can afford."""
    if s.phase == ART_BID:
        for p in range(s.num_players):
            if p != player and s.art_bid[p] != NOTHING:
                s.art_bid[p] = below(s, s.art[p] + 1)


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    s.closed = 0
    s.stands_in[:] = 0
    if s.num_players < FULL_TABLE:
        close_last_quarry(s)
    for zone in range(NUM_ZONES):
        s.crowd[zone] = s.crew_code[zone] = 0
        for p in range(SEATS):
            s.crowd[zone] += s.workers[p][zone]
            s.crew_code[zone] += s.workers[p][zone] * DIGIT[p]
            if s.workers[p][zone] > 0:
                s.stands_in[p] |= 1 << zone
        if zone >= FIRST_SPACE and s.crowd[zone] == SPACE_CAPACITY:
            s.closed |= 1 << zone
