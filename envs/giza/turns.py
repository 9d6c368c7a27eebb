"""The course of a round: rows are chosen, then everybody has a turn of three actions."""

from __future__ import annotations

import numpy as np

from ..core.jit import inlined, kernel
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
from .components import ACTIONS_PER_TURN, NUM_ROUNDS, NUM_ROWS, ROUNDS_PER_DYNASTY, ROW_LIFTER, ROW_QUARRY, ROW_SUPPORT, ROW_TRACK
from .marks import mark_members
from .production import do_art, do_farm, do_fish, legal_art, legal_food
from .state import ACTION, BONUS, CHOOSING, EXIT, NOMINATE, NOTHING, OVER, PHASES, PLAYING, ROW
from .stones import eligible
from .workers import clockwise, do_move, enter, legal_advances, legal_moves, walk

ALL_ROWS = (1 << NUM_ROWS) - 1
TURN_OVER = len(PHASES)  # never seen from outside: `step` ends the turn before it returns


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
    if s.phase != EXIT:
        next_chooser(s)


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
    count = 1 + legal_moves(s, mask, BY_ACTION)
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


# --- A worker that left its track chooses a camp ------------------------------------------------------------------------------


@kernel
def do_exit(s, camp):
    enter(s, s.current_player, camp)
    s.worker_in_hand = 0
    if s.stage == CHOOSING:
        next_chooser(s)
    else:
        continue_turn(s)


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
