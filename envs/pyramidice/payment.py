"""Paying: an action states its needs; what leaves no choice is paid at once, the player chooses the rest, then it is done."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from .actions import DIE, PAY, PAY_GOLD
from .cards import has
from .components import BASTET, CAT, FACES, KINDS, STONE_DIE, WORKER
from .dice import dice_in_pool, dice_showing, empty_the_pool, put_all_showing_back, put_die_back, triples
from .resources import golden_cat, lose
from .state import CARRY_OUT, PAY_DIE, PAY_UNIT, SETTLE, STAY

ALL_FACES = (1 << FACES) - 1


@kernel
def begin_payment(s, purpose, which, any_dice, workers, cats):
    s.payment = purpose
    s.payment_for = which
    s.need_any = any_dice
    s.need_workers = workers
    s.need_cats = cats
    return SETTLE


@kernel
def settle(s):
    """Pay what leaves no choice; stop for a die or a unit to be chosen, or go on to what was paid for."""
    if s.need_same:
        narrow_to_single_triple(s)
    exact = pay_exact_values(s) + s.need_stone + s.need_same
    if exact == 0 and s.need_any > 0 and s.need_any == dice_in_pool(s):
        empty_the_pool(s)
        s.need_any = 0
    if exact + s.need_any > 0:
        s.phase = PAY_DIE
        return STAY
    if s.need_workers + s.need_cats > 0:
        s.phase = PAY_UNIT
        return STAY
    return CARRY_OUT


@kernel
def narrow_to_single_triple(s):
    faces = triples(s)
    if faces & (faces - 1) == 0:
        s.need_same = 0
        for face in range(FACES):
            if faces >> face & 1:
                s.need_value[face] = 3


@kernel
def pay_exact_values(s):
    """Pay every value of which exactly as many dice are there as needed; return the dice of given values still to pay."""
    left = 0
    for face in range(FACES):
        need = s.need_value[face]
        if need > 0:
            if need == dice_showing(s, face):
                put_all_showing_back(s, face)
                s.need_value[face] = 0
            else:
                left += need
    return left


# --- Choose a die to pay: Stone dice, then equal ones, then given values from the lowest, then any ----------------------------


@inlined
def legal_pay_die(s, mask):
    faces = faces_to_pay(s)
    count = 0
    for kind in range(len(KINDS)):
        if s.need_stone and kind != STONE_DIE:
            continue
        for face in range(FACES):
            if faces >> face & 1 and s.pool[kind][face] > 0:
                mask[DIE + FACES * kind + face] = 1
                count += 1
    return count


@kernel
def faces_to_pay(s):
    if s.need_stone:
        return ALL_FACES
    if s.need_same:
        return triples(s)
    for face in range(FACES):
        if s.need_value[face] > 0:
            return 1 << face
    return ALL_FACES


@kernel
def do_pay_die(s, die):
    face = die % FACES
    put_die_back(s, die // FACES, face)
    if s.need_stone:
        s.need_stone -= 1
    elif s.need_same:
        s.need_same = 0
        s.need_value[face] = 2
    elif s.need_value[face] > 0:
        s.need_value[face] -= 1
    else:
        s.need_any -= 1
    return SETTLE


# --- Choose what to pay a unit with: Worker units first ----------------------------------------------------------------------


@inlined
def legal_pay_unit(s, mask):
    own = s.resources[s.turn_player]
    either = has(s, BASTET)
    count = 0
    for resource in (WORKER, CAT):
        if own[resource] > 0 and (either or unit_due(s) == resource):
            mask[PAY + resource] = 1
            count += 1
    if golden_cat(s) and (either or unit_due(s) == CAT):
        mask[PAY_GOLD] = 1
        count += 1
    return count


@kernel
def unit_due(s):
    return WORKER if s.need_workers > 0 else CAT


@kernel
def do_pay_unit(s, token):
    if token == PAY_GOLD - PAY:
        s.gold_used = 1
    else:
        lose(s, s.turn_player, token)
    if unit_due(s) == WORKER:
        s.need_workers -= 1
        s.paid_workers += 1  # R37: whatever stands for a Worker counts as one
    else:
        s.need_cats -= 1
    return SETTLE
