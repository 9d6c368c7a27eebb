"""Two players of Giza: GREEDY tries every action and judges the position, BUILDER follows a script that finishes pyramids."""

from __future__ import annotations

import numpy as np

from ...envs.core.kernel.jit import kernel
from ...envs.core.kernel.masks import first_set
from ...envs.giza.actions import (
    ACTIONS,
    ADVANCE,
    BID_ART,
    BID_FOOD,
    CHOOSE_ROW,
    CHOOSE_STONE,
    DO_FARM,
    DO_FISH,
    MAKE_ART,
    NUM_ACTIONS,
    PASS,
    PUT,
    PUT_QUARRY,
)
from ...envs.giza.auction import bidders_left, food_offered, most_food
from ...envs.giza.components import (
    ART,
    CAPSTONE_LIFT,
    ENOUGH_FOOD,
    FARM,
    FINAL,
    FINAL_LIFT,
    LIFT_MIDDLE,
    MAX_WORKERS,
    MIDDLE,
    MIDDLE_LIFT,
    NOTHING,
    NUM_NOMINATIONS,
    NUM_QUARRIES,
    NUM_ROWS,
    ORDINARY,
    RA,
    ROW_ART2,
    ROW_FARM2,
    ROW_LIFTER,
    ROW_QUARRY,
    ROW_TRACK,
    SEATS,
    SHARES,
    SPACE_CAPACITY,
    SPACES,
    STONES_PER_TIER,
)
from ...envs.giza.rules import step
from ...envs.giza.scoring import push_share, share_of, victory_points
from ...envs.giza.state import (
    ACTION,
    ART_BID,
    BONUS,
    BUILT,
    EXIT,
    FOOD_BID,
    IN_CAPSTONE_LIFT,
    IN_MIDDLE_LIFT,
    NOMINATE,
    REASSIGN,
    ROW,
    SETUP,
    UNLOADED,
)
from ...envs.giza.stones import built, crew_zone, zone_of_stone
from ...envs.giza.turns import turns_to_act
from ...envs.giza.workers import space_of

__all__ = ["POLICIES", "VALUE", "builder", "greedy", "value"]

# --- GREEDY: every action is tried and the position judged -------------------------------------------------------------------

CLOSE = 1e-9  # values this close are equal: the lower action wins
ROW_VALUE = np.array([-0.5, 0.0, 0.15, 0.4, 0.1, 0.4, 0.0, 0.1])


@kernel
def greedy(s, mask, counter, scratch, masks):
    if s.phase == ART_BID:
        return BID_ART + best_art_bid(s)
    p = s.current_player
    best, best_value = -1, -np.inf
    for action in range(NUM_ACTIONS):
        if mask[action]:
            scratch[0] = s
            after = scratch[0]
            step(after, action)
            while after.phase == FOOD_BID:
                step(after, BID_FOOD + default_bid(after))
            worth = value(after, p)
            if s.phase == ROW:
                worth += row_value(s, p, action - CHOOSE_ROW)
            if worth > best_value + CLOSE:
                best, best_value = action, worth
    return best


@kernel
def default_bid(s):
    """What GREEDY expects of bidders: one food, and the last one makes it four."""
    wanted = 1 if bidders_left(s) > 1 else max(0, ENOUGH_FOOD - food_offered(s))
    return min(wanted, most_food(s, s.current_player))


@kernel
def row_value(s, p, row):
    value = ROW_VALUE[row]
    if row == ROW_FARM2:
        value += 0.15 * s.workers[p][FARM]
    elif row == ROW_ART2:
        value += 0.3 * min(s.workers[p][ART], s.food[p])
    return value


@kernel
def value(s, p):
    """What a position is worth to p, in points."""
    if s.over:
        return victory_points(s, p) + 0.01 * (s.food[p] + s.art[p])
    own_turns = turns_to_act(s, p)
    all_turns = 0
    for q in range(s.num_players):
        all_turns += turns_to_act(s, q)
    soon = min(1.0, all_turns / 4)
    return (
        victory_points(s, p)
        + stock_value(s, p, own_turns, all_turns)
        + support_value(s, p, own_turns)
        + sled_values(s, p, all_turns)
        + soon * (0.6 * middle_lift_value(s, p) + 0.7 * capstone_lift_value(s, p, all_turns) + 0.75 * temple_value(s, p))
    )


@kernel
def decorations_left(s):
    """Rows that can still be decorated; the capstone counts as two."""
    rows = 2 * (s.capstone != BUILT)
    for at in range(0, 4, 2):
        rows += not (s.base_built[at] and s.base_built[at + 1])
        rows += not (s.middle_built[at] and s.middle_built[at + 1])
    return rows


@kernel
def art_value(art):
    return 0.7 * (min(art, 3) + 0.6 * min(max(art - 3, 0), 3) + 0.2 * max(art - 6, 0))


@kernel
def stock_value(s, p, own_turns, all_turns):
    food = s.food[p]
    food_value = 0.3 * (min(food, 6) + 0.6 * min(max(food - 6, 0), 6) + 0.15 * max(food - 12, 0))
    return food_value * min(1.0, 0.1 + 0.3 * own_turns) + (
        art_value(s.art[p]) * min(1.0, decorations_left(s) / 3) * min(1.0, 0.2 + all_turns / 8)
    )


@kernel
def support_value(s, p, own_turns):
    farmers, artists = s.workers[p][FARM], s.workers[p][ART]
    harvests = min(own_turns, 5)
    value = 0.3 * harvests * (min(farmers, 4) + 0.4 * max(0, min(farmers, 6) - 4))
    if decorations_left(s) > 0:
        value += 0.15 * harvests * min(artists, 2)
    return value + 0.5 * (s.to_reassign[p] + (s.worker_in_hand and s.current_player == p))


SLED_CREW_VALUE = np.array([0.0, 0.4, 0.65, 0.9, 1.0])


@kernel
def sled_values(s, p, all_turns):
    value = 0.0
    for quarry in range(NUM_QUARRIES):
        position = s.sled_position[quarry]
        if NOTHING < position < UNLOADED:
            value += sled_value(s, p, space_of(quarry, position), UNLOADED - position, all_turns)
            if s.crowd[space_of(quarry, position)] < SPACE_CAPACITY:
                value += walkers_value(s, p, quarry, position)
    return value


@kernel
def sled_value(s, p, zone, to_go, all_turns):
    chance = 0.0 if all_turns < 0.5 * to_go else 0.7 if all_turns < 1.5 * to_go else 1.0
    share = push_share(s.workers[:, zone], s.num_players, p)
    return share * (1 - 0.15 * to_go) * SLED_CREW_VALUE[s.crowd[zone]] * chance


@kernel
def walkers_value(s, p, quarry, position):
    """Own workers on their way to a sled that has room."""
    crew = s.crowd[space_of(quarry, position)]
    value = 0.0
    for behind in range(position):
        walkers = min(s.workers[p][space_of(quarry, behind)], SPACE_CAPACITY - crew)
        value += 0.6 * (1.6 if crew < 3 else 0.6) * 0.75 ** (position - behind) * walkers
    return value


LIFT_CREW_VALUE = np.array([0.0, 0.3, 0.6, 1.0])


@kernel
def middle_lift_value(s, p):
    lifts = STONES_PER_TIER - built(s.middle_built) + (s.capstone <= IN_MIDDLE_LIFT)
    coming = s.middle_in_camp + 0.7 * (s.capstone == IN_MIDDLE_LIFT)
    for quarry in range(NUM_QUARRIES):
        if s.sled_stone[quarry] == MIDDLE:
            coming += 0.15 + 0.15 * s.sled_position[quarry]
    share = share_of(s.workers[:, MIDDLE_LIFT], s.num_players, p, ORDINARY)
    return share * LIFT_CREW_VALUE[min(s.crowd[MIDDLE_LIFT], 3)] * min(lifts, 1.7, coming)


@kernel
def capstone_lift_value(s, p, all_turns):
    if s.capstone == BUILT:
        return 0.0
    need = (STONES_PER_TIER - built(s.base_built)) + 2 * (STONES_PER_TIER - built(s.middle_built))
    if need > 0 or s.capstone < IN_MIDDLE_LIFT:
        ready = 0.45 * 0.8**need
    else:
        ready = 1.0 if s.capstone == IN_CAPSTONE_LIFT else 0.75
    if all_turns < 1.2 * need:
        ready *= 0.2
    share = share_of(s.workers[:, CAPSTONE_LIFT], s.num_players, p, FINAL)
    return share * LIFT_CREW_VALUE[min(s.crowd[CAPSTONE_LIFT], 3)] * ready


@kernel
def temple_value(s, p):
    base = STONES_PER_TIER - built(s.base_built)
    middle = STONES_PER_TIER - built(s.middle_built)
    tiers = 0.0
    if base > 0:
        tiers += 0.6**base
    if middle > 0:
        tiers += 0.6**middle * (1.0 if base == 0 else 0.5)
    if s.capstone == IN_CAPSTONE_LIFT:
        tiers += 0.7
    elif s.capstone != BUILT and base == 0 and middle == 0:
        tiers += 0.35
    return share_of(s.workers[:, RA], s.num_players, p, ORDINARY) * min(1.3, tiers)


@kernel
def best_art_bid(s):
    """The bid with the best points for its price, if the others spend their art evenly over the decorations to come."""
    p = s.current_player
    final = s.nominated == FINAL_LIFT
    best, best_value = 0, -np.inf
    for bid in range(s.art[p] + 1):
        price = 0.01 * bid if final else art_value(s.art[p]) - art_value(s.art[p] - bid)
        value = points_of_art_bid(s, p, bid, final) - price
        if value > best_value + CLOSE:
            best, best_value = bid, value
    return best


@kernel
def points_of_art_bid(s, p, bid, final):
    if bid == 0:
        return 0
    ahead, tied = 0, 1
    for q in range(s.num_players):
        if q != p:
            other = s.art[q] if final else ceiling(2 * s.art[q], decorations_left(s) + 2)
            ahead += other > bid
            tied += other == bid
    return SHARES[FINAL if final else ORDINARY, ahead, tied]


@kernel
def ceiling(a, b):
    return (a + b - 1) // b


# --- BUILDER: a script ---------------------------------------------------------------------------------------------------------

ROW_CHOICE = np.array([6, 3, 5, 7, 2, 4, 1, 0])
FARM_TO_QUARRY, RA_TO_QUARRY, ART_TO_QUARRY = (ACTIONS.index[f"{camp}>q0"] for camp in ("farm", "ra", "art"))
FARM_TO_LIFT = np.array([ACTIONS.index["farm>ml"], ACTIONS.index["farm>cl"]])
NO_ACTION = -1


@kernel
def builder(s, mask, counter, scratch, masks):
    if s.phase == ACTION:
        return builder_action(s, mask)
    if s.phase == SETUP:
        return builder_setup(s, mask)
    if s.phase == ROW:
        return builder_row(mask)
    if s.phase == BONUS:
        return builder_bonus(s, mask)
    if s.phase == NOMINATE:
        return builder_nominate(s, mask)
    if s.phase == FOOD_BID:
        return BID_FOOD + builder_food_bid(s)
    if s.phase == REASSIGN:
        return PUT + builder_reassign(s)
    if s.phase == EXIT:
        return PUT + (MIDDLE_LIFT if s.workers[s.current_player][MIDDLE_LIFT] < 2 else CAPSTONE_LIFT)
    if s.phase == ART_BID:
        return BID_ART + (s.art[s.current_player] + 1) // 2
    return first_set(mask)


@kernel
def builder_setup(s, mask):
    p = s.current_player
    at_quarry, farmers, artists = s.workers[p][space_of(p, 0)], s.workers[p][FARM], s.workers[p][ART]
    placed = 0
    for workers in s.workers[p]:
        placed += workers
    if mask[PUT_QUARRY + p] and at_quarry < SPACE_CAPACITY and placed < 5:
        return PUT_QUARRY + p
    if farmers >= 5 and artists < 2:
        return PUT + ART
    return PUT + FARM


@kernel
def builder_row(mask):
    i = 0
    while not mask[CHOOSE_ROW + ROW_CHOICE[i]]:
        i += 1
    return CHOOSE_ROW + ROW_CHOICE[i]


@kernel
def builder_bonus(s, mask):
    p = s.current_player
    row = s.row[p]
    if row == ROW_LIFTER and s.workers[p][FARM] > 2 and built(s.base_built) >= 2:
        for i in range(2):
            if s.workers[p][MIDDLE_LIFT + i] < 2:
                return FARM_TO_LIFT[i]
    if row in (ROW_QUARRY, ROW_TRACK):
        action = refill(s, mask)
        if action != NO_ACTION:
            return action
    return PASS


@kernel
def builder_action(s, mask):
    food = s.food[s.current_player]
    if mask[DO_FARM] and food < 14:
        return DO_FARM
    action = refill(s, mask)
    if action != NO_ACTION:
        return action
    if mask[DO_FISH]:
        return DO_FISH
    if food > 10:
        for amount in range(MAX_WORKERS, 0, -1):
            if mask[MAKE_ART + amount]:
                return MAKE_ART + amount
    return DO_FARM if mask[DO_FARM] else PASS


@kernel
def refill(s, mask):
    """Bring a worker to the sled that needs it most."""
    p = s.current_player
    best, best_score = NO_ACTION, -1
    for quarry in range(NUM_QUARRIES):
        position = s.sled_position[quarry]
        if not NOTHING < position < UNLOADED:
            continue
        zone = space_of(quarry, position)
        crew, own = s.crowd[zone], s.workers[p][zone]
        if crew == SPACE_CAPACITY:
            continue
        action, urgency = walk_to_sled(mask, quarry, position), 3
        if action == NO_ACTION and (position == 0 or (crew < 3 and own > 0)):
            action = enter_quarry(s, mask, quarry, position)
            urgency = 2 if position > 0 or crew == own else 1
        score = urgency * (SPACE_CAPACITY + 1) + own
        if action != NO_ACTION and score > best_score:
            best, best_score = action, score
    return best


@kernel
def walk_to_sled(mask, quarry, position):
    for behind in range(position):
        action = ADVANCE + SPACES * quarry + behind
        if mask[action]:
            return action
    return NO_ACTION


@kernel
def enter_quarry(s, mask, quarry, position):
    if mask[RA_TO_QUARRY + quarry]:
        return RA_TO_QUARRY + quarry
    if mask[ART_TO_QUARRY + quarry]:
        return ART_TO_QUARRY + quarry
    needed = 2 if s.num_players == SEATS else 4 if position == 0 else 3
    if mask[FARM_TO_QUARRY + quarry] and s.workers[s.current_player][FARM] > needed:
        return FARM_TO_QUARRY + quarry
    return NO_ACTION


@kernel
def builder_nominate(s, mask):
    best, best_score = NO_ACTION, -1
    for stone in range(NUM_NOMINATIONS):
        if mask[CHOOSE_STONE + stone]:
            own = s.workers[s.current_player][zone_of_stone(s, stone)]
            haste = UNLOADED if stone >= LIFT_MIDDLE else s.sled_position[stone]
            score = own * (UNLOADED + 1) + haste
            if score > best_score:
                best, best_score = CHOOSE_STONE + stone, score
    return best


@kernel
def builder_food_bid(s):
    p = s.current_player
    zone, offered, most = crew_zone(s), food_offered(s), most_food(s, p)
    if 2 * s.workers[p][zone] < s.crowd[zone]:
        return min(most, 1 if bidders_left(s) > 1 else max(1, ENOUGH_FOOD - offered))
    if s.nominated >= LIFT_MIDDLE:
        return min(most, max(ENOUGH_FOOD - offered, 2))
    target = 2 + 2 * min(UNLOADED - s.sled_position[s.nominated], 3)
    bid = min(most, max(0, target - offered))
    wasted = bid > 0 and offered + bid in (5, 7)
    return bid - wasted


@kernel
def builder_reassign(s):
    own = s.workers[s.current_player]
    if own[FARM] < (3 if s.num_players == SEATS else 4):
        return FARM
    if built(s.base_built) >= 2 and own[MIDDLE_LIFT] < 2 and built(s.middle_built) < STONES_PER_TIER:
        return MIDDLE_LIFT
    if built(s.middle_built) >= 2 and own[CAPSTONE_LIFT] < 2:
        return CAPSTONE_LIFT
    return RA if own[RA] < 2 else FARM


POLICIES = {"greedy": greedy, "builder": builder}
VALUE = value
assert len(ROW_VALUE) == len(ROW_CHOICE) == NUM_ROWS
