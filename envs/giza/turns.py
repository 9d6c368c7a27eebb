"""The course of a round: rows are chosen, then everybody has a turn of three actions.

Every `do_` returns whether a turn is over with it.
"""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from .actions import (
    ADVANCE,
    BY_ACTION,
    BY_LIFTER_BONUS,
    BY_QUARRY_BONUS,
    BY_SUPPORT_BONUS,
    CHOOSE_ROW,
    DO_FARM,
    DO_FISH,
    MAKE_ART,
    MOVE,
    PASS,
)
from .components import (
    ACTIONS_PER_TURN,
    ART_MAKING,
    FARMING,
    FIRST_SPACE,
    FISHING,
    NOTHING,
    NUM_ROUNDS,
    NUM_ROWS,
    OFF_TRACK,
    QUARRIES_USED,
    ROUNDS_PER_DYNASTY,
    ROW_LIFTER,
    ROW_QUARRY,
    ROW_SUPPORT,
    ROW_TRACK,
    SPACE_CAPACITY,
    SPACES,
    WALK,
)
from .marks import mark_members
from .pending import TURN, asked, only, phase_of
from .production import do_art, do_farm, do_fish, legal_art, legal_food
from .state import ACTION, BONUS, BUILT, CHOOSING, EXIT, NOMINATE, OVER, PLAYING, ROW
from .stones import eligible
from .workers import clockwise, do_move, enter, legal_advances, legal_moves, walk

ALL_ROWS = (1 << NUM_ROWS) - 1
TURN_OVER, TURN_GOES_ON = True, False


# --- A round begins -----------------------------------------------------------------------------------------------------------


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


# --- Choose a row -------------------------------------------------------------------------------------------------------------


@inlined
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
    return TURN_GOES_ON


def check_row(s: np.void) -> Findings:
    yield from only(s)
    yield from choosers(s)


def choosers(s: np.void) -> Findings:
    """Rows are chosen in order: who came before has one, whoever is asked has one in the phases after its choice."""
    n, place = int(s["num_players"]), int(s["order_index"])
    if s["stage"] != CHOOSING or place >= n:
        yield "order_index", f"{place} of {n} players {phase_of(s)}"
        return
    yield from asked(s, int(s["order"][place]))
    for i, p in enumerate(s["order"][:n]):
        due = i < place or (i == place and s["phase"] != ROW)
        if (s["row"][p] != NOTHING) != due:
            yield "row", f"seat {p} must have {'a' if due else 'no'} row when place {place} of the order is asked"


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


# --- The bonus of a row: one move at once, or none (R14) ----------------------------------------------------------------------


@inlined
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
    if s.worker_in_hand:
        s.phase = EXIT
    else:
        next_chooser(s)
    return TURN_GOES_ON


def check_bonus(s: np.void) -> Findings:
    yield from only(s)
    yield from choosers(s)
    row = s["row"][s["current_player"]]
    if not ROW_SUPPORT <= row <= ROW_LIFTER:
        yield "row", f"{row} of seat {s['current_player']} has no move as a bonus"


# --- A turn: three actions ----------------------------------------------------------------------------------------------------


@kernel
def start_turn(s, index):
    s.order_index = index
    s.turn_player = s.current_player = s.order[index]
    s.actions_left = ACTIONS_PER_TURN
    s.phase = ACTION


@inlined
def legal_action(s, mask):
    mask[PASS] = 1
    return 1 + legal_food(s, mask) + legal_art(s, mask) + legal_moves(s, mask, BY_ACTION) + legal_advances(s, mask, s.actions_left)


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
    if s.worker_in_hand:
        s.phase = EXIT
        return TURN_GOES_ON
    return continue_turn(s)


def check_action(s: np.void) -> Findings:
    yield from only(s, *TURN, "actions_left")
    yield from on_turn(s)
    yield from asked(s, int(s["turn_player"]))
    if s["actions_left"] == 0:
        yield "actions_left", "0 in phase 'action'"


def on_turn(s: np.void) -> Findings:
    """It is the turn of whose place in the order it is, with no more production than actions and row allow (R9, R10)."""
    n, place = int(s["num_players"]), int(s["order_index"])
    if s["stage"] != PLAYING or place >= n:
        yield "order_index", f"{place} of {n} players {phase_of(s)}"
        return
    player = int(s["order"][place])
    if s["turn_player"] != player:
        yield "turn_player", f"{s['turn_player']}, but the order says {player}"
    if productions(s) > ACTIONS_PER_TURN - s["actions_left"]:
        yield "actions_left", f"{s['actions_left']} after {productions(s)} production actions"
    row = s["row"][player]
    for field, most in (("times_farmed", FARMING), ("times_fished", FISHING), ("times_made_art", ART_MAKING)):
        if s[field] > most[row]:
            yield field, f"{s[field]} in row {row}, at most {most[row]}"


def productions(s: np.void) -> int:
    return int(s["times_farmed"]) + int(s["times_fished"]) + int(s["times_made_art"])


@kernel
def continue_turn(s):
    """Further actions; after the last one a stone is nominated, if one is eligible (R13)."""
    if s.actions_left > 0:
        s.phase = ACTION
        return TURN_GOES_ON
    if eligible(s) == 0:
        return TURN_OVER
    s.phase = NOMINATE
    return TURN_GOES_ON


# --- A worker that left its track chooses a camp ------------------------------------------------------------------------------


@kernel
def do_exit(s, camp):
    enter(s, s.current_player, camp)
    s.worker_in_hand = 0
    if s.stage == PLAYING:
        return continue_turn(s)
    next_chooser(s)
    return TURN_GOES_ON


def check_exit(s: np.void) -> Findings:
    most = 1  # R20
    if s["stage"] == CHOOSING:
        yield from only(s, "worker_in_hand")
        yield from choosers(s)
        if s["row"][s["current_player"]] != ROW_TRACK:
            yield "row", f"seat {s['current_player']} walks off a track, but has no bonus to walk"
    else:
        yield from only(s, *TURN, "actions_left", "worker_in_hand")
        yield from on_turn(s)
        yield from asked(s, int(s["turn_player"]))
        most = ACTIONS_PER_TURN - int(s["actions_left"]) - productions(s)
    if not s["worker_in_hand"]:
        yield "worker_in_hand", "no worker has left its track"
    elif not any(walked_off(s, q, most) for q in range(QUARRIES_USED[s["num_players"]])):
        yield "worker_in_hand", f"no worker can have walked off a track with {most} actions"


def walked_off(s: np.void, quarry: int, most: int) -> bool:
    """Whether a worker can have left this track at its end, paying so many actions."""
    first = FIRST_SPACE + SPACES * quarry
    crowd = s["workers"][:, first : first + SPACES].sum(0)
    full = sum(1 << i for i in range(SPACES) if crowd[i] == SPACE_CAPACITY)
    costs = WALK[s["sled_position"][quarry] + 1, full]
    return any(costs[i] == OFF_TRACK - i <= most and crowd[i] < SPACE_CAPACITY for i in range(SPACES))


# --- The nominator decides again ----------------------------------------------------------------------------------------------


@kernel
def ask_nominator(s, phase):
    s.current_player = s.turn_player
    s.phase = phase


# --- The end of a turn, of a round, of the game -------------------------------------------------------------------------------


@kernel
def clear_bids(s):
    s.food_bid[:] = NOTHING
    s.bid_step = 0


@kernel
def clear_turn(s):
    s.nominated = s.built_at = NOTHING
    clear_bids(s)
    s.actions_left = s.times_farmed = s.times_fished = s.times_made_art = 0


@kernel
def end_turn(s):
    """The next turn, the next round, or the end: at once when the capstone stands (R48)."""
    clear_turn(s)
    if s.capstone == BUILT:
        finish(s)
    elif s.order_index + 1 < s.num_players:
        start_turn(s, s.order_index + 1)
    elif s.round < NUM_ROUNDS:
        start_round(s)
    else:
        s.order_index = s.num_players
        finish(s)


@kernel
def finish(s):
    s.current_player = s.turn_player = NOTHING
    s.phase = OVER
    s.over = 1


# --- What is counted ----------------------------------------------------------------------------------------------------------


@kernel
def turn_of(s):
    """Turns finished in the whole game."""
    before = max(np.int64(s.round) - 1, 0) * s.num_players
    return before + (s.stage == PLAYING) * s.order_index + (s.capstone == BUILT and s.over == 1)


@kernel
def round_of(s):
    """Rounds finished."""
    return max(np.int64(s.round) - 1, 0) + s.over


@kernel
def last_row_done(s):
    """Whoever has a higher row than this can still act in this round; a turn counts until its actions are done."""
    if s.stage == CHOOSING:
        return NOTHING - 1
    if s.stage == PLAYING and s.over == 0:
        return s.row[s.turn_player] - (s.phase == ACTION)
    return NUM_ROWS


@kernel
def turns_to_act(s, p):
    """Turns in which p can still act."""
    return (NUM_ROUNDS - s.round + (s.row[p] > last_row_done(s))) * (s.over == 0)
