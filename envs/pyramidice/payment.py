"""Paying: an action states its needs; what leaves no choice is paid at once, the player chooses the rest, then it is done."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from . import components as pieces
from . import pending
from .actions import CAT_KIND, CAT_VALUE, DIE, NUM_CAT_CHANGES, PAY, PAY_GOLD
from .cards import has
from .components import BASTET, CAT, FACES, KINDS, STONE_DIE, WORKER
from .dice import dice_in_pool, dice_showing, empty_the_pool, put_all_showing_back, put_die_back, triples
from .resources import golden_cat, lose
from .state import (
    CARRY_OUT,
    FOR_BUILD,
    FOR_CAT,
    FOR_COPY,
    FOR_FAME,
    FOR_GOD,
    FOR_REPLACE,
    FOR_WORSHIP,
    NONE,
    PAY_DIE,
    PAY_UNIT,
    SETTLE,
    STAY,
)

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


# --- What a payment is for, for the checks below -----------------------------------------------------------------------------


class Price(NamedTuple):
    """The whole price of what is being paid for."""

    of_value: tuple[int, ...] = (0,) * FACES
    any: int = 0
    stone: int = 0
    same: int = 0
    workers: int = 0
    cats: int = 0


def price_of(s: np.void) -> Price | None:
    """None if the turn player cannot be paying for that."""
    purpose, which = s["payment"], int(s["payment_for"])
    if purpose in (FOR_WORSHIP, FOR_REPLACE, FOR_COPY):
        god = int(s["row"][which]) if which < pieces.ROW else NONE
        return None if god == NONE else _price_in_row(s, god)
    if purpose == FOR_GOD:
        return _price_of_power(s, which)
    if purpose == FOR_FAME and which == 0:
        return Price(any=2)
    if purpose == FOR_CAT and which < NUM_CAT_CHANGES and s["pool"][CAT_KIND[which]][CAT_VALUE[which] - 1] > 0:
        return Price(cats=1)
    if purpose == FOR_BUILD and which == 0:
        workers = int(s["need_workers"]) + int(s["paid_workers"])
        return Price(workers=workers) if s["build_space"] != NONE and workers in pending.costs(s) else None
    return None


def _price_in_row(s: np.void, god: int) -> Price | None:
    if s["payment"] == FOR_WORSHIP:
        of_value = tuple(map(int, pieces.COST_OF_VALUE[god]))
        dice, workers, cats = (int(cost[god]) for cost in (pieces.COST_ANY, pieces.COST_WORKERS, pieces.COST_CATS))
        return Price(of_value, any=dice, workers=workers, cats=cats)
    if s["payment"] == FOR_COPY and (s["copied"] != NONE or not pieces.COPYABLE[god]):
        return None
    return Price(any=1)


def _price_of_power(s: np.void, god: int) -> Price | None:
    if pieces.GODS[god] not in pieces.POWERS or not pending.has_power(s, god):
        return None
    if pending.is_used(s, god) != (god != pieces.KHEPRI):
        return None
    if god == pieces.PTAH and not int(s["used"]) & pending.powers_of(s) & ~(1 << god):
        return None
    if pieces.POWER_SUPPLY[god] >= 0 and s["supply"][pieces.POWER_SUPPLY[god]] == 0:
        return None
    paid = (pieces.PAY_ANY, pieces.PAY_STONE, pieces.PAY_SAME, pieces.PAY_WORKERS, pieces.PAY_CATS)
    return Price(Price().of_value, *(int(cost[god]) for cost in paid))


# --- Choose a die to pay: Stone dice, then equal ones, then given values from the lowest, then any ----------------------------


def check_pay_die(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s, *pending.PAYMENT)
    price = price_of(s)
    if price is None or s["payment"] in (FOR_BUILD, FOR_CAT):
        yield "payment", "no dice can be due for that"
        return
    if s["need_workers"] != price.workers or s["need_cats"] != price.cats or s["paid_workers"]:
        yield "need_workers", "Workers and Cats are paid after the dice"
    if not pending.is_payable(s, price.workers, price.cats):
        yield "resources", "the Workers and Cats of the price are not there"
    if not _are_left_of(s, price):
        yield "need_value", "not what is left of the price"
    elif not _leave_a_choice(s):
        yield "pool", "the dice do not suffice for what is left, or leave no choice"


def _are_left_of(s: np.void, price: Price) -> bool:
    """The dice needs can be what is left of the price: given values are paid before any, three equal ones become a value."""
    needs = s["need_value"].astype(int)
    if price.same and not s["need_same"]:
        return np.count_nonzero(needs) == 1 and not s["need_any"] and not s["need_stone"]
    if (needs > price.of_value).any() or s["need_stone"] > price.stone or s["need_same"] != price.same:
        return False
    return s["need_any"] == price.any or (s["need_any"] < price.any and not needs.any())


def _leave_a_choice(s: np.void) -> bool:
    """There are enough dice, and what leaves no choice has been paid."""
    pool, needs, more = s["pool"].astype(int), s["need_value"].astype(int), int(s["need_any"])
    showing = pool.sum(0)
    if s["need_stone"]:
        return bool(pool[STONE_DIE].any())
    if s["need_same"]:
        return bool((showing >= 3).sum() > 1)
    if needs.any():
        return bool((needs < showing)[needs > 0].all() and needs.sum() + more <= showing.sum())
    return 0 < more < showing.sum()


@inlined
def legal_pay_die(s, mask):
    faces = faces_to_pay(s)
    count = 0
    for kind in range(len(KINDS)):
        if s.need_stone and kind != STONE_DIE:
            continue
        for face in range(FACES):
            fits = (faces >> face & 1) & (s.pool[kind][face] > 0)
            mask[DIE + FACES * kind + face] = fits
            count += fits
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


def check_pay_unit(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s, *pending.PAYMENT, *(pending.BUILD if s["payment"] == FOR_BUILD else ()))
    price = price_of(s)
    if price is None:
        yield "payment", "nobody can be paying for that"
        return
    if s["payment"] == FOR_BUILD:
        yield from pending.check_building(s)
    workers, cats = int(s["need_workers"]), int(s["need_cats"])
    if any(s[need].any() for need in pending.NEEDS[:-2]):
        yield "need_value", "dice are paid before Workers and Cats"
    if workers + s["paid_workers"] != price.workers or cats > price.cats or (cats < price.cats and workers):
        yield "need_workers", "not what is left of the price"
    if workers + cats == 0 or not pending.is_payable(s, workers, cats):
        yield "need_workers", "nothing is due, or it cannot be paid"


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
