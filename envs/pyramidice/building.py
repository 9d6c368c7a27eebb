"""Building Stone dice into the pyramids: where, at what cost, for how much Fame."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from . import pending
from .actions import AT, COST_SESHAT, COST_USUAL
from .cards import has
from .components import (
    EXTRA_FAME,
    EXTRA_WORKERS,
    LAPIS,
    NUM_SPACES,
    SERKET,
    SERKET_FAME,
    SESHAT,
    SESHAT_COST,
    SPACES_IN_PLAY,
    STONE_DIE,
    SUPPORT,
    THOTH,
    VALUE_WORKERS,
    WITHIN_EXTRA,
)
from .payment import begin_payment
from .resources import payable_workers
from .state import BUILD_AT, CHOOSE_COST, FOR_BUILD, NONE, STAY

# --- The spaces --------------------------------------------------------------------------------------------------------------


@kernel
def fill_space(s, space, value):
    s.pyramid[space] = value
    s.open_spaces = spaces_open_now(s)


@kernel
def spaces_open_now(s):
    filled = 0
    for space in range(NUM_SPACES):
        filled |= (s.pyramid[space] > 0) << space
    supported = 0
    for space in range(NUM_SPACES):
        supported |= (SUPPORT[space] & ~filled == 0) << space
    return supported & ~filled & SPACES_IN_PLAY[s.num_players]


@kernel
def affordable_spaces(s, value):
    """The spaces where the turn player can build a die of this value, as bits."""
    workers = payable_workers(s)
    if workers >= SESHAT_COST and has(s, SESHAT):
        return s.open_spaces
    spare = workers - VALUE_WORKERS[value]
    if spare < 0:
        return 0
    if s.scarab[s.turn_player] == LAPIS:
        return s.open_spaces
    return s.open_spaces & WITHIN_EXTRA[min(spare, 2)]


@kernel
def usual_cost(s, value, space):
    extra = 0 if s.scarab[s.turn_player] == LAPIS else EXTRA_WORKERS[space]
    return VALUE_WORKERS[value] + extra


# --- Choose a space ----------------------------------------------------------------------------------------------------------


@kernel
def begin_build(s, value):
    s.build_value = value
    s.phase = BUILD_AT
    return STAY


def check_at(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s, "build_value")
    yield from pending.check_building(s)


@inlined
def legal_at(s, mask):
    spaces = affordable_spaces(s, s.build_value)
    count = 0
    for space in range(NUM_SPACES):
        if spaces >> space & 1:
            mask[AT + space] = 1
            count += 1
    return count


@kernel
def do_at(s, space):
    s.build_space = space
    usual = usual_cost(s, s.build_value, space)
    if not has(s, SESHAT) or usual == SESHAT_COST or payable_workers(s) < SESHAT_COST:
        return pay_for_build(s, usual)
    if payable_workers(s) < usual:
        return pay_for_build(s, SESHAT_COST)
    s.phase = CHOOSE_COST
    return STAY


# --- Seshat: choose the cost (R51: she is optional) --------------------------------------------------------------------------


def check_cost(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s, *pending.BUILD)
    yield from pending.check_building(s)
    if s["build_space"] == NONE:
        yield "build_space", "no space has been chosen"
        return
    usual, seshat = pending.costs(s)
    if usual == seshat or not pending.is_payable(s, max(usual, seshat), 0):
        yield "phase", "there is no choice of costs"


@inlined
def legal_cost(s, mask):
    mask[COST_USUAL] = 1
    mask[COST_SESHAT] = 1
    return 2


@kernel
def do_cost(s, with_seshat):
    if with_seshat:
        return pay_for_build(s, SESHAT_COST)
    return pay_for_build(s, usual_cost(s, s.build_value, s.build_space))


@kernel
def pay_for_build(s, workers):
    return begin_payment(s, FOR_BUILD, 0, 0, workers, 0)


# --- The die is built --------------------------------------------------------------------------------------------------------


@kernel
def build(s):
    """The paid die goes to its space; return the Fame it brings."""
    value, space = s.build_value, s.build_space
    s.build_value = 0
    s.build_space = NONE
    s.pool[STONE_DIE][value - 1] -= 1
    fill_space(s, space, value)
    fame = value + EXTRA_FAME[space]
    if SUPPORT[space] != 0 and has(s, SERKET):
        fame += SERKET_FAME
    if has(s, THOTH):
        fame += s.paid_workers
    s.fame[s.turn_player] += fame
    return fame
