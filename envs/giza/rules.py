"""The course of a game: for each phase what is legal and what it does, in the order of a round."""

from __future__ import annotations

import numpy as np

from ..core.jit import kernel
from ..core.masks import BITS_OF_BYTE, WORD
from ..core.rng import below
from ..core.wide import BYTES, U56, count_ones
from .actions import (
    ADVANCE,
    BID_ART,
    BID_FOOD,
    BUILD_AT,
    BY_ACTION,
    BY_LIFTER_BONUS,
    BY_QUARRY_BONUS,
    BY_SUPPORT_BONUS,
    CHOOSE_ROW,
    CHOOSE_STONE,
    DO_FARM,
    DO_FISH,
    FIRST_MOVE_WORD,
    LOAD_CAPSTONE,
    LOAD_MIDDLE,
    MAKE_ART,
    MOVE,
    MOVE_WORDS,
    MOVES_FROM,
    MOVES_INTO_OPEN,
    MOVES_OF,
    PASS,
    PUT,
    PUT_QUARRY,
)
from .components import (
    ACTIONS_PER_TURN,
    ART,
    ART_MAKING,
    ART_TOKENS,
    BASE,
    CAN_WALK,
    CAPSTONE,
    CAPSTONE_LIFT,
    CREW,
    ENOUGH_FOOD,
    FARM,
    FARMING,
    FINAL,
    FINAL_LIFT,
    FIRST_SPACE,
    FISHING,
    FOOD_PER_WORKER,
    FOOD_TOKENS,
    FULL_TABLE,
    LIFT_CAPSTONE,
    LIFT_MIDDLE,
    MAX_PUSH,
    MAX_WORKERS,
    MIDDLE,
    MIDDLE_LIFT,
    MOVES,
    NUM_CAMPS,
    NUM_LOCATIONS,
    NUM_QUARRIES,
    NUM_ROUNDS,
    NUM_ROWS,
    NUM_ZONES,
    OFF_TRACK,
    ORDINARY,
    RA,
    ROUNDS_PER_DYNASTY,
    ROW_LIFTER,
    ROW_QUARRY,
    ROW_SUPPORT,
    ROW_TRACK,
    SPACE_CAPACITY,
    SPACES,
    START_ART,
    START_FOOD,
    STONES_PER_TIER,
    WALK,
    WORKERS,
)
from .scoring import award, push_share
from .state import (
    ACTION,
    ART_BID,
    BONUS,
    BUILD,
    BUILT,
    CHOOSING,
    CREW_BASE,
    EXIT,
    FOOD_BID,
    IN_CAPSTONE_LIFT,
    IN_MIDDLE_LIFT,
    IN_RESERVE,
    NOMINATE,
    NOTHING,
    ON_SLED,
    OVER,
    PHASES,
    PLAYING,
    REASSIGN,
    ROW,
    SEATS,
    SETUP,
    STONE,
    UNLOADED,
)

ALL_ROWS = (1 << NUM_ROWS) - 1
TURN_OVER = len(PHASES)  # never seen from outside: `step` ends the turn before it returns

DIGIT = CREW_BASE ** np.arange(SEATS)

# --- Workers and zones -------------------------------------------------------------------------------------------------------


@kernel
def space_of(quarry, position):
    """The zone of a quarry site (position 0) or a space of its track."""
    return FIRST_SPACE + SPACES * quarry + position


@kernel
def enter(s, p, zone):
    s.workers[p][zone] += 1
    s.crowd[zone] += 1
    s.crew_code[zone] += DIGIT[p]
    s.stands_in[p] |= 1 << zone
    s.closed |= ((zone >= FIRST_SPACE) & (s.crowd[zone] == SPACE_CAPACITY)) << zone


@kernel
def leave(s, p, zone):
    s.workers[p][zone] -= 1
    s.crowd[zone] -= 1
    s.crew_code[zone] -= DIGIT[p]
    s.stands_in[p] &= ~((s.workers[p][zone] == 0) << zone)
    s.closed &= ~(1 << zone)


@kernel
def move_everybody(s, source, target):
    if s.crowd[source] == 0:
        return
    for p in range(s.num_players):
        while s.workers[p][source] > 0:
            leave(s, p, source)
            enter(s, p, target)


@kernel
def quarry_sites(zones):
    """Of a set of zones, the quarry sites as a set of quarries."""
    track = zones >> FIRST_SPACE
    return (track & 1) | (track >> 3 & 2) | (track >> 6 & 4) | (track >> 9 & 8)


@kernel
def clockwise(s, seat, steps):
    other = seat + steps
    return other - s.num_players if other >= s.num_players else other


# --- Writing masks -----------------------------------------------------------------------------------------------------------


@kernel
def mark_members(mask, first, members):
    """Mark the actions of a set of at most 16, counted from `first`, and clear what follows; return how many there are."""
    for i in range(np.uint64(WORD)):
        mask[np.uint64(first) + i] = BITS_OF_BYTE[np.uint64(members & 0xFF), i]
    for i in range(np.uint64(WORD)):
        mask[np.uint64(first + WORD) + i] = BITS_OF_BYTE[np.uint64(members >> WORD), i]
    return count_ones(np.uint64(members))


@kernel
def mark_run(mask, first, count):
    for action in range(first, first + count):
        mask[action] = 1
    return count


@kernel
def write_word(mask, i, marks):
    """Write the i-th eight bytes. The loop becomes one instruction, whereas `mask.view(np.uint64)` costs 30 ns."""
    for j in range(np.uint64(WORD)):
        mask[np.uint64(WORD * i) + j] = np.int8(marks >> np.uint64(WORD) * j)


# --- Setup: two workers in turn until all stand on the board -----------------------------------------------------------------


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


@kernel
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


# --- A round begins ----------------------------------------------------------------------------------------------------------


@kernel
def start_round(s):
    n = s.num_players
    if s.round == 0:
        for i in range(n):
            s.order[i] = clockwise(s, s.first_player, i)
    else:
        for i in range(n // 2):  # R44: always the order of play of the last round, reversed
            s.order[i], s.order[n - 1 - i] = s.order[n - 1 - i], s.order[i]
    if s.round == ROUNDS_PER_DYNASTY:
        s.used_rows[:] = 0
    s.round += 1
    s.row[:] = NOTHING
    s.stage = CHOOSING
    s.turn_player = NOTHING
    ask_for_row(s, 0)


@kernel
def ask_for_row(s, index):
    s.order_index = index
    s.current_player = s.order[index]
    s.phase = ROW


# --- Choose a row ------------------------------------------------------------------------------------------------------------


@kernel
def legal_row(s, mask):
    taken = np.int64(s.used_rows[s.current_player])
    for p in range(s.num_players):
        if s.row[p] != NOTHING:
            taken |= 1 << s.row[p]
    return mark_members(mask, CHOOSE_ROW, ALL_ROWS & ~taken)


@kernel
def do_row(s, row):
    p = s.current_player
    s.row[p] = row
    s.used_rows[p] |= 1 << row
    if ROW_SUPPORT <= row <= ROW_LIFTER:
        s.phase = BONUS
    else:
        next_chooser(s)


@kernel
def next_chooser(s):
    if s.order_index + 1 < s.num_players:
        ask_for_row(s, s.order_index + 1)
        return
    for p in range(s.num_players):
        place = 0
        for q in range(s.num_players):
            place += s.row[q] < s.row[p]
        s.order[place] = p
    s.stage = PLAYING
    start_turn(s, 0)


# --- The bonus of a row: one move at once, or none (R14) ---------------------------------------------------------------------


@kernel
def legal_bonus(s, mask):
    mask[PASS] = 1
    row = s.row[s.current_player]
    if row == ROW_TRACK:
        return 1 + legal_advances(s, mask, 1)  # R20
    if row == ROW_SUPPORT:
        return 1 + legal_moves(s, mask, BY_SUPPORT_BONUS)
    if row == ROW_QUARRY:
        return 1 + legal_moves(s, mask, BY_QUARRY_BONUS)
    return 1 + legal_moves(s, mask, BY_LIFTER_BONUS)


@kernel
def do_bonus(s, action):
    if action >= ADVANCE:
        walk(s, action - ADVANCE)
    elif action != PASS:
        do_move(s, action - MOVE)
    if s.phase != EXIT:
        next_chooser(s)


# --- A turn: three actions ---------------------------------------------------------------------------------------------------


@kernel
def start_turn(s, index):
    s.order_index = index
    s.turn_player = s.current_player = s.order[index]
    s.actions_left = ACTIONS_PER_TURN
    s.phase = ACTION


@kernel
def legal_action(s, mask):
    mask[PASS] = 1
    count = 1 + legal_moves(s, mask, BY_ACTION)  # first, because it writes whole words
    return count + legal_food(s, mask) + legal_art(s, mask) + legal_advances(s, mask, s.actions_left)


@kernel
def do_action(s, action):
    spent = 1
    if action == PASS:  # R12: ends the actions, not the turn
        spent = s.actions_left
    elif action == DO_FARM:
        do_farm(s)
    elif action == DO_FISH:
        do_fish(s)
    elif action < MOVE:
        do_art(s, action - MAKE_ART)
    elif action < ADVANCE:
        do_move(s, action - MOVE)
    else:
        spent = walk(s, action - ADVANCE)
    s.actions_left -= spent
    if s.phase != EXIT:
        continue_turn(s)


@kernel
def continue_turn(s):
    if s.actions_left > 0:
        s.phase = ACTION
    elif eligible(s):
        s.phase = NOMINATE
    else:
        s.phase = TURN_OVER


# Farm, fish, make art: what is left in stock limits the yield (R8), and no yield is no action (R11).


@kernel
def food_left(s):
    return FOOD_TOKENS - s.food[0] - s.food[1] - s.food[2] - s.food[3]


@kernel
def art_left(s):
    return ART_TOKENS - s.art[0] - s.art[1] - s.art[2] - s.art[3]


@kernel
def legal_food(s, mask):
    p = s.current_player
    farmers, row, left = s.workers[p][FARM], s.row[p], food_left(s) > 0
    can_farm = left & (farmers >= 1) & (s.times_farmed < FARMING[row])
    can_fish = left & (farmers >= 2) & (s.times_fished < FISHING[row])
    mask[DO_FARM] = can_farm
    mask[DO_FISH] = can_fish
    return can_farm + can_fish


@kernel
def do_farm(s):
    p = s.current_player
    s.food[p] += min(s.workers[p][FARM], food_left(s))
    s.times_farmed += 1


@kernel
def do_fish(s):
    p = s.current_player
    s.food[p] += min(s.workers[p][FARM] // 2, food_left(s))
    s.times_fished += 1


@kernel
def legal_art(s, mask):
    p = s.current_player
    most = min(s.workers[p][ART], s.food[p], art_left(s)) * (s.times_made_art < ART_MAKING[s.row[p]])
    for amount in range(1, MAX_WORKERS + 1):
        mask[MAKE_ART + amount] = amount <= most
    return most


@kernel
def do_art(s, amount):
    p = s.current_player
    s.food[p] -= amount
    s.art[p] += amount
    s.times_made_art += 1


# Moves between zones. A worker in a quarry site may leave even if the sled is there (R16).


@kernel
def legal_moves(s, mask, kind):
    zones = s.stands_in[s.current_player]
    here = zones & ((1 << NUM_CAMPS) - 1) | quarry_sites(zones) << NUM_CAMPS
    closed = quarry_sites(s.closed)
    marked = np.uint64(0)
    for i in range(MOVE_WORDS):
        moves = MOVES_OF[kind, i] & MOVES_FROM[here, i] & MOVES_INTO_OPEN[closed, i]
        write_word(mask, FIRST_MOVE_WORD + i, moves)
        marked += moves
    return np.int64((marked * BYTES) >> U56)  # each byte of `marked` counts up to MOVE_WORDS; this adds them up


@kernel
def do_move(s, move):
    leave(s, s.current_player, MOVES[move, 0])
    enter(s, s.current_player, MOVES[move, 1])


# Quarry Track advance, one action per space; the sets and costs are tables by sled and full spaces (R17-R21).


@kernel
def full_spaces(s, quarry):
    return s.closed >> (FIRST_SPACE + SPACES * quarry) & ((1 << SPACES) - 1)


@kernel
def legal_advances(s, mask, most):
    zones = s.stands_in[s.current_player] >> FIRST_SPACE
    walkers = 0
    for quarry in range(NUM_QUARRIES):
        walkers |= CAN_WALK[most, s.sled_position[quarry] + 1, full_spaces(s, quarry)] << SPACES * quarry
    return mark_members(mask, ADVANCE, zones & walkers)


@kernel
def walk(s, space):
    """A worker walks on; past the last space it is taken in hand. Return the number of spaces."""
    quarry, position = space // SPACES, space % SPACES
    cost = WALK[s.sled_position[quarry] + 1, full_spaces(s, quarry), position]
    leave(s, s.current_player, FIRST_SPACE + space)
    if position + cost == OFF_TRACK:
        s.worker_in_hand = 1
        s.phase = EXIT
    else:
        enter(s, s.current_player, FIRST_SPACE + space + cost)
    return cost


# --- A worker that left its track chooses a camp -----------------------------------------------------------------------------


@kernel
def legal_camps(mask):
    return mark_run(mask, PUT, NUM_CAMPS)


@kernel
def do_exit(s, camp):
    enter(s, s.current_player, camp)
    s.worker_in_hand = 0
    if s.stage == CHOOSING:
        next_chooser(s)
    else:
        continue_turn(s)


# --- Nominate a stone --------------------------------------------------------------------------------------------------------


@kernel
def built(stones):
    return stones[0] + stones[1] + stones[2] + stones[3]


@kernel
def open_middle_locations(s):
    """Where a middle stone can go: on a base stone of its own location (R24), as a set."""
    locations = 0
    for at in range(NUM_LOCATIONS):
        locations |= (s.base_built[at] > s.middle_built[at]) << at
    return locations


@kernel
def on_track(s, quarry):
    """Whether there is a sled that workers can push."""
    return (s.sled_position[quarry] > NOTHING) & (s.sled_position[quarry] < UNLOADED)


@kernel
def sled_zone(s, quarry):
    """Where a sled on its track stands; of the others, the quarry site."""
    return space_of(quarry, s.sled_position[quarry] if on_track(s, quarry) else 0)


@kernel
def eligible(s):
    """The stones that can be nominated, as a set. Every observation asks: no branches."""
    stones = 0
    for quarry in range(NUM_QUARRIES):
        stones |= (on_track(s, quarry) & (s.crowd[sled_zone(s, quarry)] >= CREW)) << quarry
    base, middle = built(s.base_built), built(s.middle_built)
    first_crew, last_crew = s.crowd[MIDDLE_LIFT] >= CREW, s.crowd[CAPSTONE_LIFT] >= CREW
    stones |= (first_crew & (s.middle_in_camp > 0) & (base > middle)) << LIFT_MIDDLE  # R24: then a base stone bears no middle one
    stones |= (first_crew & (s.capstone == IN_MIDDLE_LIFT) & (middle == STONES_PER_TIER)) << LIFT_CAPSTONE  # R25: all eight stand
    stones |= (last_crew & (s.capstone == IN_CAPSTONE_LIFT) & (middle == STONES_PER_TIER)) << FINAL_LIFT
    return stones


@kernel
def legal_nominate(s, mask):
    return mark_members(mask, CHOOSE_STONE, eligible(s))


@kernel
def do_nominate(s, stone):
    s.nominated = stone
    s.phase = FOOD_BID
    ask_next_bidder(s)


# --- Bid food ----------------------------------------------------------------------------------------------------------------


@kernel
def zone_of_stone(s, stone):
    """Where the workers stand who can move it."""
    if stone < LIFT_MIDDLE:
        return space_of(stone, s.sled_position[stone])
    return CAPSTONE_LIFT if stone == FINAL_LIFT else MIDDLE_LIFT


@kernel
def crew_zone(s):
    return zone_of_stone(s, s.nominated)


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


@kernel
def legal_food_bid(s, mask):
    return mark_run(mask, BID_FOOD, most_food(s, s.current_player) + 1)


@kernel
def do_food_bid(s, food):
    s.food_bid[s.current_player] = food
    if not ask_next_bidder(s):
        resolve(s)


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
def clear_bids(s):
    s.food_bid[:] = NOTHING
    s.bid_step = 0


@kernel
def starve(s, lowest):
    """Every lowest bidder loses a worker to the farms (R30)."""
    zone = crew_zone(s)
    for p in range(s.num_players):
        if s.food_bid[p] == lowest:
            leave(s, p, zone)
            enter(s, p, FARM)


@kernel
def lift(s):
    if s.nominated == LIFT_MIDDLE:
        s.middle_in_camp -= 1
        ask_nominator(s, BUILD)
    elif s.nominated == LIFT_CAPSTONE:
        s.capstone = IN_CAPSTONE_LIFT
        s.phase = TURN_OVER
    else:
        s.capstone = BUILT
        start_art_bids(s)


@kernel
def ask_nominator(s, phase):
    s.current_player = s.turn_player
    s.phase = phase


# --- A sled moves ------------------------------------------------------------------------------------------------------------


@kernel
def push(s, quarry, spaces):
    start = s.sled_position[quarry]
    target = min(start + spaces, OFF_TRACK)
    for position in range(start + 1, min(target + 1, OFF_TRACK)):
        move_everybody(s, space_of(quarry, position), RA)  # R22: crushed in every space it enters
    if target < OFF_TRACK:
        move_everybody(s, space_of(quarry, start), space_of(quarry, target))
        s.sled_position[quarry] = target
        s.phase = TURN_OVER
    else:
        unload(s, quarry, space_of(quarry, start))


@kernel
def unload(s, quarry, zone):
    for p in range(s.num_players):
        while s.workers[p][zone] > 0:
            leave(s, p, zone)
            s.to_reassign[p] += 1
    for p in range(s.num_players):
        s.vp[p] += push_share(s.to_reassign, s.num_players, p)
    stone = s.sled_stone[quarry]
    s.sled_stone[quarry] = NOTHING
    s.sled_position[quarry] = UNLOADED
    if stone == BASE:
        ask_nominator(s, BUILD)
        return
    if stone == MIDDLE:
        s.middle_in_camp += 1
    else:
        s.capstone = IN_MIDDLE_LIFT
    next_to_reassign(s)


# --- Build a stone into the pyramid ------------------------------------------------------------------------------------------


@kernel
def legal_build(s, mask):
    if s.nominated == LIFT_MIDDLE:
        return mark_members(mask, BUILD_AT, open_middle_locations(s))
    count = 0
    for at in range(NUM_LOCATIONS):
        mask[BUILD_AT + at] = not s.base_built[at]
        count += not s.base_built[at]
    return count


@kernel
def do_build(s, at):
    s.built_at = at
    if s.nominated == LIFT_MIDDLE:
        s.middle_built[at] = 1
        decorate(s, s.middle_built)
    else:
        s.base_built[at] = 1
        next_to_reassign(s)


@kernel
def decorate(s, tier):
    """A row of two stones is decorated when it is complete."""
    if s.built_at != NOTHING and tier[s.built_at ^ 1]:
        start_art_bids(s)
    else:
        honour_ra(s)


# --- Reassign the workers of an unloaded sled --------------------------------------------------------------------------------


@kernel
def next_to_reassign(s):
    s.phase = REASSIGN
    for i in range(1, s.num_players + 1):
        s.current_player = clockwise(s, s.turn_player, i)
        if s.to_reassign[s.current_player] > 0:
            return
    decorate(s, s.base_built)


@kernel
def do_reassign(s, camp):
    enter(s, s.current_player, camp)
    s.to_reassign[s.current_player] -= 1
    next_to_reassign(s)


# --- Decorate: secret bids of art --------------------------------------------------------------------------------------------


@kernel
def start_art_bids(s):
    s.phase = ART_BID
    ask_for_art(s, 1)


@kernel
def ask_for_art(s, bid_step):
    s.bid_step = bid_step
    s.current_player = clockwise(s, s.turn_player, bid_step)


@kernel
def legal_art_bid(s, mask):
    return mark_run(mask, BID_ART, s.art[s.current_player] + 1)


@kernel
def do_art_bid(s, art):
    s.art_bid[s.current_player] = art
    if s.bid_step < s.num_players:
        ask_for_art(s, s.bid_step + 1)
        return
    for p in range(s.num_players):
        s.art[p] -= s.art_bid[p]
    award(s, s.art_bid, FINAL if s.nominated == FINAL_LIFT else ORDINARY)
    s.art_bid[:] = NOTHING
    s.bid_step = 0
    honour_ra(s)


# --- The Temple of Ra, and the sled returns ----------------------------------------------------------------------------------


@kernel
def tier_just_completed(s):
    if s.nominated == FINAL_LIFT:
        return True
    if s.built_at == NOTHING:
        return False
    return built(s.middle_built if s.nominated == LIFT_MIDDLE else s.base_built) == STONES_PER_TIER


@kernel
def honour_ra(s):
    if tier_just_completed(s):
        award(s, s.workers[:, RA], ORDINARY)  # R27: with the workers that were just reassigned
    if s.nominated < LIFT_MIDDLE:
        return_sled(s, s.nominated)
    elif s.nominated == LIFT_MIDDLE:
        s.phase = TURN_OVER
    else:
        finish(s)


@kernel
def return_sled(s, quarry):
    if s.middle_in_reserve == 0 and s.capstone != IN_RESERVE:
        s.sled_position[quarry] = NOTHING
        s.phase = TURN_OVER
    else:
        s.sled_position[quarry] = 0  # R54: whoever waits in the quarry is now on the sled
        ask_nominator(s, STONE)


@kernel
def legal_stone(s, mask):
    has_middle, has_capstone = s.middle_in_reserve > 0, s.capstone == IN_RESERVE
    mask[LOAD_MIDDLE] = has_middle
    mask[LOAD_CAPSTONE] = has_capstone
    return has_middle + has_capstone


@kernel
def do_stone(s, action):
    if action == LOAD_MIDDLE:
        s.sled_stone[s.nominated] = MIDDLE
        s.middle_in_reserve -= 1
    else:
        s.sled_stone[s.nominated] = CAPSTONE
        s.capstone = ON_SLED
    s.phase = TURN_OVER


# --- The end of a turn, of a round, of the game ------------------------------------------------------------------------------


@kernel
def clear_turn(s):
    s.nominated = s.built_at = NOTHING
    clear_bids(s)
    s.actions_left = s.times_farmed = s.times_fished = s.times_made_art = 0


@kernel
def end_turn(s):
    clear_turn(s)
    if s.order_index + 1 < s.num_players:
        start_turn(s, s.order_index + 1)
        return
    s.order_index = s.num_players
    if s.round < NUM_ROUNDS:
        start_round(s)
    else:
        finish(s)


@kernel
def finish(s):
    clear_turn(s)
    s.current_player = s.turn_player = NOTHING
    s.phase = OVER
    s.over = 1


# --- The whole ---------------------------------------------------------------------------------------------------------------


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
