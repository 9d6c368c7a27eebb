"""A stone is nominated, and whoever has workers with it bids food."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from .actions import BID_FOOD, CHOOSE_STONE
from .building import lift, push
from .components import ENOUGH_FOOD, FARM, FINAL, FINAL_LIFT, FOOD_PER_WORKER, FOOD_TOKENS, LIFT_MIDDLE, MAX_PUSH, ORDINARY
from .marks import mark_members, mark_run
from .scoring import award
from .state import FOOD_BID, NOTHING
from .stones import crew_zone, eligible
from .turns import TURN_OVER, clear_bids
from .workers import clockwise, enter, leave

# --- Nominate a stone ---------------------------------------------------------------------------------------------------------


@inlined
def legal_nominate(s, mask):
    return mark_members(mask, CHOOSE_STONE, eligible(s))


@kernel
def do_nominate(s, stone):
    s.nominated = stone
    s.phase = FOOD_BID
    ask_next_bidder(s)


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
    if not ask_next_bidder(s):
        resolve(s)


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
        s.phase = TURN_OVER
    elif s.nominated < LIFT_MIDDLE:
        clear_bids(s)
        push(s, s.nominated, (min(total, MAX_PUSH) - ENOUGH_FOOD) // 2 + 1)
    else:
        award(s, s.food_bid, FINAL if s.nominated == FINAL_LIFT else ORDINARY)
        clear_bids(s)
        lift(s)


@kernel
def starve(s, lowest):
    """Every lowest bidder loses a worker to the farms (R30)."""
    zone = crew_zone(s)
    for p in range(s.num_players):
        if s.food_bid[p] == lowest:
            leave(s, p, zone)
            enter(s, p, FARM)
