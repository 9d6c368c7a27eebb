"""The Work turn: what the rolled dice can be used for, carrying out what was paid, the cult at the end."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from ..core.kernel.words import lower_bytes, sum_of_bytes
from . import actions, pending
from . import components as pieces
from .actions import CAT_KIND, CAT_STEP, CAT_VALUE, NUM_CAT_CHANGES
from .building import affordable_spaces, begin_build, build
from .cards import discard_from_row, draw_card, give, has, refill, take_from_row
from .components import CAT, COST_ANY, COST_CATS, COST_DICE, COST_OF_VALUE, COST_STONE, COST_WORKERS, FACES, ROW, STONE_DIE, WORKER
from .dice import begin_reroll, dice_of_kind, dice_word, empty_the_pool, stone_dice_word, turn_die
from .gods import apply_power, begin_drop, do_use_god, do_virtual_die, legal_gods
from .payment import begin_payment
from .resources import can_pay
from .scarabs import offer_pearl
from .state import (
    END_TURN,
    END_WORK,
    FOR_BUILD,
    FOR_CAT,
    FOR_COPY,
    FOR_CULT,
    FOR_FAME,
    FOR_GOD,
    FOR_NOTHING,
    FOR_REPLACE,
    FOR_WORSHIP,
    NONE,
    REST_STEP_3,
    STAY,
    USE,
)

# --- Use the dice ------------------------------------------------------------------------------------------------------------


def check_use(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s)


@inlined
def legal_use(s, mask):
    prayer_dice, stone_dice = dice_of_kind(s, pieces.PRAYER), dice_of_kind(s, STONE_DIE)
    all_dice = prayer_dice + stone_dice + dice_of_kind(s, pieces.VIRTUAL)
    count = 1
    mask[actions.END_DICE] = 1
    if not s.reroll_used and prayer_dice + stone_dice >= 1:
        mask[actions.REROLL] = 1
        count += 1
    if all_dice >= 2:
        mask[actions.GAIN_FAME] = 1
        count += 1
    if prayer_dice + stone_dice >= 1 and can_pay(s, 0, 1):
        count += legal_cats(s, mask)
    if stone_dice >= 1:
        count += legal_builds(s, mask)
    if all_dice >= 1:
        count += legal_row(s, mask)
    return count + legal_gods(s, mask, prayer_dice, stone_dice, all_dice)


@kernel
def do_use(s, action):
    if action == actions.END_DICE:
        return finish_work(s)
    if action == actions.REROLL:
        s.reroll_used = 1
        return begin_reroll(s)
    if action == actions.GAIN_FAME:
        return begin_payment(s, FOR_FAME, 0, 2, 0, 0)
    if is_one_of(action, actions.CAT_CHANGE, NUM_CAT_CHANGES):
        return begin_payment(s, FOR_CAT, action - actions.CAT_CHANGE, 0, 0, 1)
    if is_one_of(action, actions.BUILD, FACES):
        return begin_build(s, action - actions.BUILD + 1)
    if is_one_of(action, actions.WORSHIP, ROW):
        return begin_worship(s, action - actions.WORSHIP)
    if is_one_of(action, actions.REPLACE, ROW):
        return begin_payment(s, FOR_REPLACE, action - actions.REPLACE, 1, 0, 0)
    if is_one_of(action, actions.COPY, ROW):
        s.copy_used = 1
        return begin_payment(s, FOR_COPY, action - actions.COPY, 1, 0, 0)
    if is_one_of(action, actions.VIRTUAL_DIE, FACES):
        return do_virtual_die(s, action - actions.VIRTUAL_DIE)
    return do_use_god(s, pieces.USABLE[action - actions.USE_GOD])


@inlined
def is_one_of(action, first, count):
    return first <= action < first + count


@kernel
def carry_out(s):
    """The needs are paid: do what they were for."""
    t, purpose, which = s.turn_player, s.payment, s.payment_for
    s.payment = FOR_NOTHING
    s.payment_for = 0
    s.phase = USE
    then = STAY
    if purpose == FOR_GOD:
        then = apply_power(s, which)
    elif purpose == FOR_BUILD:
        offer_pearl(s, build(s))
    elif purpose == FOR_CAT:
        face = CAT_VALUE[which] - 1
        turn_die(s, CAT_KIND[which], face, face + CAT_STEP[which])
    elif purpose == FOR_WORSHIP:
        give(s, take_from_row(s, which), t)
        s.fame[t] += pieces.RUBY_FAME * (s.scarab[t] == pieces.RUBY)
    elif purpose == FOR_REPLACE:
        discard_from_row(s, which)
        draw_card(s)
    elif purpose == FOR_COPY:
        s.copied = s.row[which]
    else:
        s.fame[t] += 2 if s.scarab[t] == pieces.CARNELIAN else 1
    s.paid_workers = 0
    return then


# --- Cats, builds and the God row --------------------------------------------------------------------------------------------


@inlined
def legal_cats(s, mask):
    count = 0
    for i in range(NUM_CAT_CHANGES):
        there = s.pool[CAT_KIND[i]][CAT_VALUE[i] - 1] > 0
        mask[actions.CAT_CHANGE + i] = there
        count += there
    return count


@inlined
def legal_builds(s, mask):
    count = 0
    for face in range(FACES):
        if s.pool[STONE_DIE][face] > 0 and affordable_spaces(s, face + 1) != 0:
            mask[actions.BUILD + face] = 1
            count += 1
    return count


@inlined
def legal_row(s, mask):
    """Worship, replace or copy each face-up God."""
    may_copy = s.scarab[s.turn_player] == pieces.AMETHYST and not s.copy_used
    stone_dice, dice = stone_dice_word(s), dice_word(s)
    count = 0
    for i in range(ROW):
        god = s.row[i]
        if god == NONE:
            continue
        worship, copy = can_worship(s, god, stone_dice, dice), may_copy & (pieces.COPYABLE[god] != 0)
        mask[actions.REPLACE + i] = 1
        mask[actions.WORSHIP + i] = worship
        mask[actions.COPY + i] = copy
        count += 1 + worship + copy
    return count


@kernel
def can_worship(s, god, stone_dice, dice):
    return (dice_missing(god, stone_dice, dice) == 0) & can_pay(s, COST_WORKERS[god], COST_CATS[god])


@kernel
def dice_missing(god, stone_dice, dice):
    """How many of the dice that a God costs are not there; dice are given by value, a byte each."""
    of_stone = lower_bytes(stone_dice, pieces.COST_STONE_WORD[god])
    fitting = sum_of_bytes(of_stone + lower_bytes(dice - of_stone, pieces.COST_OF_VALUE_WORD[god]))
    return COST_DICE[god] - fitting - min(sum_of_bytes(dice) - fitting, COST_ANY[god])


@kernel
def begin_worship(s, position):
    god = s.row[position]
    for face in range(FACES):
        s.pool[STONE_DIE][face] -= COST_STONE[god, face]
        s.quarry[STONE_DIE] += COST_STONE[god, face]
        s.need_value[face] = COST_OF_VALUE[god, face]
    return begin_payment(s, FOR_WORSHIP, position, COST_ANY[god], COST_WORKERS[god], COST_CATS[god])


# --- The end of the Work turn ------------------------------------------------------------------------------------------------


@kernel
def finish_work(s):
    """Dice go back; whoever has more Gods than Workers and Cats drops one, and only one (R56)."""
    t = s.turn_player
    empty_the_pool(s)
    limit = s.resources[t][WORKER] + s.resources[t][CAT] + (pieces.ANUBIS_LIMIT if has(s, pieces.ANUBIS) else 0)
    return begin_drop(s, FOR_CULT) if s.god_count[t] > limit else END_WORK


@kernel
def end_work(s):
    s.in_work = s.copy_used = s.gold_used = s.reroll_used = 0
    s.copied = NONE
    s.used = 0
    refill(s)
    if s.rest_pending:
        s.rest_pending = 0
        return REST_STEP_3  # R19: the Rest turn that gave this Work turn goes on
    return END_TURN
