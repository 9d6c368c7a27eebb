"""The whole: setup, the phases in one table, and positions from outside. What the phases do is in the other modules."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings, Phase, PhaseTable
from ..core.kernel.jit import inlined, kernel
from ..core.kernel.rng import below
from . import auction, building, decoration, state, turns
from .actions import ACTIONS, PUT, PUT_QUARRY
from .components import (
    BASE,
    BUILT_BEFOREHAND,
    FIRST_SPACE,
    NOTHING,
    NUM_CAMPS,
    NUM_QUARRIES,
    NUM_ZONES,
    QUARRIES_USED,
    SEATS,
    SPACE_CAPACITY,
    START_ART,
    START_FOOD,
    STONES_PER_TIER,
    WORKERS,
)
from .marks import mark_members, mark_run
from .pending import asked, only
from .state import ART_BID, SETUP
from .stones import built
from .turns import TURN_GOES_ON, end_turn, start_round
from .workers import clockwise, enter, legal_camps, quarry_sites, space_of

# --- Setup: two workers in turn until all stand on the board ------------------------------------------------------------------

PLACED_AT_ONCE = 2


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
        used = quarry < QUARRIES_USED[n]
        s.sled_position[quarry] = 0 if used else NOTHING
        s.sled_stone[quarry] = BASE if used else NOTHING
    for at in range(BUILT_BEFOREHAND[n]):
        s.base_built[at] = s.middle_built[at] = 1
    s.middle_in_reserve = STONES_PER_TIER - built(s.middle_built)
    close_unused_quarries(s)
    s.phase = SETUP
    s.first_player = s.current_player = below(s, n)


@kernel
def close_unused_quarries(s):
    for quarry in range(QUARRIES_USED[s.num_players], NUM_QUARRIES):
        s.closed |= 1 << space_of(quarry, 0)


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
    elif s.workers_placed % PLACED_AT_ONCE == 0:
        s.current_player = clockwise(s, s.current_player, 1)
    return TURN_GOES_ON


def check_setup(s: np.void) -> Findings:
    """Workers are placed in turn, and nothing else has happened."""
    yield from only(s)
    n, first = int(s["num_players"]), int(s["first_player"])
    pairs, odd = divmod(int(s["workers_placed"]), PLACED_AT_ONCE)
    yield from asked(s, (first + pairs) % n)
    for i in range(n):
        p = (first + i) % n
        due = PLACED_AT_ONCE * (pairs // n + (i < pairs % n)) + odd * (i == pairs % n)
        if s["workers"][p].sum() != due:
            yield "workers", f"seat {p} has placed {s['workers'][p].sum()} of the {s['workers_placed']}, expected {due}"
    if s["workers"][:, FIRST_SPACE:].reshape(SEATS, NUM_QUARRIES, -1)[:, :, 1:].any():
        yield "workers", "nobody stands on a track before round 1"


# --- The phases, the most frequent first --------------------------------------------------------------------------------------

PHASE_TABLE = PhaseTable(
    state.PHASES,
    ACTIONS,
    Phase(
        state.ACTION,
        turns.legal_action,
        turns.do_action,
        ("pass", "farm", "fish", "art", "support", "quarry", "adv"),
        turns.check_action,
    ),
    Phase(SETUP, legal_setup, do_setup, "put", check_setup),
    Phase(state.ROW, turns.legal_row, turns.do_row, "row", turns.check_row),
    Phase(state.BONUS, turns.legal_bonus, turns.do_bonus, ("pass", "support", "quarry", "lifter", "adv"), turns.check_bonus),
    Phase(state.FOOD_BID, auction.legal_food_bid, auction.do_food_bid, "food", auction.check_food_bid),
    Phase(state.NOMINATE, auction.legal_nominate, auction.do_nominate, ("push", "lift"), auction.check_nominate),
    Phase(state.REASSIGN, legal_camps, building.do_reassign, "put", building.check_reassign),
    Phase(state.EXIT, legal_camps, turns.do_exit, "put", turns.check_exit),
    Phase(state.BUILD, building.legal_build, building.do_build, "build", building.check_build),
    Phase(ART_BID, decoration.legal_art_bid, decoration.do_art_bid, "deco", decoration.check_art_bid),
    Phase(state.STONE, decoration.legal_stone, decoration.do_stone, "load", decoration.check_stone),
)
act = PHASE_TABLE.do


@kernel
def step(s, action):
    """Do one legal action, and end the turn with it if it was the last."""
    turn_is_over = act(s, action)
    if turn_is_over:
        end_turn(s)


# --- Positions from outside ---------------------------------------------------------------------------------------------------


@kernel
def determinize(s, player):
    """Only committed art bids are hidden: those of the others could be anything they can afford."""
    if s.phase == ART_BID:
        for i in range(1, s.num_players):  # clockwise, so that a world is the same from every seat
            p = clockwise(s, player, i)
            if s.art_bid[p] != NOTHING:
                s.art_bid[p] = below(s, s.art[p] + 1)


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    s.closed = 0
    s.stands_in[:] = 0
    close_unused_quarries(s)
    for zone in range(NUM_ZONES):
        s.crowd[zone] = 0
        for p in range(SEATS):
            s.crowd[zone] += s.workers[p][zone]
            if s.workers[p][zone] > 0:
                s.stands_in[p] |= 1 << zone
        if zone >= FIRST_SPACE and s.crowd[zone] == SPACE_CAPACITY:
            s.closed |= 1 << zone
