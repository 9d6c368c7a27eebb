"""A stone is nominated, and whoever has workers with it bids food."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from .actions import BID_FOOD, CHOOSE_STONE
from .building import lift, push
from .components import (
    ENOUGH_FOOD,
    FARM,
    FINAL,
    FINAL_LIFT,
    FOOD_PER_SPACE,
    FOOD_PER_WORKER,
    FOOD_TOKENS,
    FOR_LIFTS,
    LIFT_MIDDLE,
    MAX_PUSH,
    NOTHING,
    NUM_NOMINATIONS,
    ORDINARY,
)
from .marks import mark_members, mark_run
from .pending import TURN, asked, bids_in_order, can_be_moved, crew_zone_of, nominated_one_of, only
from .scoring import award
from .state import FOOD_BID
from .stones import crew_zone, eligible
from .turns import TURN_GOES_ON, TURN_OVER, clear_bids, on_turn
from .workers import clockwise, enter, leave

# --- Nominate a stone ---------------------------------------------------------------------------------------------------------


@inlined
def legal_nominate(s, mask):
    return mark_members(mask, CHOOSE_STONE, eligible(s))


@kernel
def do_nominate(s, action):
    s.nominated = action - CHOOSE_STONE
    s.phase = FOOD_BID
    ask_next_bidder(s)
    return TURN_GOES_ON


def check_nominate(s: np.void) -> Findings:
    yield from only(s, *TURN)
    yield from on_turn(s)
    yield from asked(s, int(s["turn_player"]))


# --- Bid food -----------------------------------------------------------------------------------------------------------------


@kernel
def ask_next_bidder(s):
    """The next player clockwise with workers on the stone, the nominator last; return whether there is one."""
    zone = crew_zone(s)
    while s.bid_step < s.num_players:
        s.bid_step += 1
        s.current_player = clockwise(s, s.turn_player, s.bid_step)
        if s.workers[s.current_player][zone] > 0:
            return True
    return False


@kernel
def most_food(s, p):
    return min(FOOD_PER_WORKER * s.workers[p][crew_zone(s)], s.food[p])


@kernel
def food_offered(s):
    total = 0
    for p in range(s.num_players):
        total += max(s.food_bid[p], 0)
    return total


@kernel
def bidders_left(s):
    """Players who have still to bid food, the current one included."""
    zone, count = crew_zone(s), 0
    for p in range(s.num_players):
        count += s.food_bid[p] == NOTHING and s.workers[p][zone] > 0
    return count


@inlined
def legal_food_bid(s, mask):
    return mark_run(mask, BID_FOOD, most_food(s, s.current_player) + 1)


@kernel
def do_food_bid(s, food):
    s.food_bid[s.current_player] = food
    if ask_next_bidder(s):
        return TURN_GOES_ON
    return resolve(s)


def check_food_bid(s: np.void) -> Findings:
    yield from only(s, *TURN, "nominated", "bid_step", "food_bid")
    yield from on_turn(s)
    wrong = [*nominated_one_of(s, range(NUM_NOMINATIONS))] or [*can_be_moved(s)]
    if wrong:
        yield from wrong
        return
    crew = s["workers"][:, crew_zone_of(s, int(s["nominated"]))]
    most = [min(FOOD_PER_WORKER * int(k), int(food)) if k else NOTHING for k, food in zip(crew, s["food"], strict=True)]
    yield from bids_in_order(s, "food_bid", most)


# --- All have bid -------------------------------------------------------------------------------------------------------------


@kernel
def resolve(s):
    """All bids are paid, success or not."""
    total, lowest = food_offered(s), FOOD_TOKENS
    for p in range(s.num_players):
        if s.food_bid[p] != NOTHING:
            s.food[p] -= s.food_bid[p]
            lowest = min(lowest, s.food_bid[p])
    if total < ENOUGH_FOOD:
        starve(s, lowest)
        return TURN_OVER
    if s.nominated < LIFT_MIDDLE:
        clear_bids(s)
        return push(s, s.nominated, (min(total, MAX_PUSH) - ENOUGH_FOOD) // FOOD_PER_SPACE + 1)
    award(s, s.food_bid, FINAL if s.nominated == FINAL_LIFT else ORDINARY, FOR_LIFTS)
    clear_bids(s)
    return lift(s)


@kernel
def starve(s, lowest):
    """Every lowest bidder loses a worker to the farms (R30)."""
    zone = crew_zone(s)
    for p in range(s.num_players):
        if s.food_bid[p] == lowest:
            leave(s, p, zone)
            enter(s, p, FARM)
