"""The powers of Gods used in a Work turn, and dropping Gods. What a power costs and brings is data: components.POWERS."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from . import components as pieces
from . import pending
from .actions import DROP, USE_GOD, VIRTUAL_DIE
from .cards import ENNEAD, discard_gods, powers
from .components import AMON, ATON, KHEPRI, KHNUM, MAAT, MERTSEGER, MUT, NUM_ENNEAD, NUM_GODS, PTAH, TRIAD
from .dice import begin_change, begin_reroll, roll_stone_die_from_supply, triples
from .payment import begin_payment
from .resources import can_pay, gain_in_work
from .state import DROP_GOD, END_WORK, FOR_ATON, FOR_CULT, FOR_GOD, NO_DROP, STAY, USE

# --- Use a power -------------------------------------------------------------------------------------------------------------


@inlined
def legal_gods(s, mask, prayer_dice, stone_dice, all_dice):
    ready = (powers(s) & ~s.used) >> NUM_ENNEAD
    god = NUM_ENNEAD
    count = 0
    while ready != 0:
        if ready & 1:
            if KHNUM <= god < KHNUM + len(TRIAD):
                first = VIRTUAL_DIE + 2 * (god - KHNUM)
                mask[first] = 1
                mask[first + 1] = 1
                count += 2
            elif pieces.USE_OFFSET[god] >= 0 and can_use(s, god, prayer_dice, stone_dice, all_dice):
                mask[USE_GOD + pieces.USE_OFFSET[god]] = 1
                count += 1
        ready >>= 1
        god += 1
    return count


@kernel
def can_use(s, god, prayer_dice, stone_dice, all_dice):
    if god == AMON:
        return prayer_dice >= 1
    if god == MUT:
        return stone_dice >= 1
    if god == MAAT:
        return prayer_dice + stone_dice >= 1
    if god == ATON:
        return s.gods[s.turn_player] & ~(1 << ATON) != 0
    if god == PTAH and not has_other_used_god(s):
        return False
    if pieces.PAY_SAME[god] and triples(s) == 0:
        return False
    if pieces.POWER_SUPPLY[god] >= 0 and s.supply[pieces.POWER_SUPPLY[god]] == 0:
        return False  # R44: no use without an effect
    return (
        all_dice >= pieces.PAY_ANY[god]
        and stone_dice >= pieces.PAY_STONE[god]
        and can_pay(s, pieces.PAY_WORKERS[god], pieces.PAY_CATS[god])
    )


@kernel
def has_other_used_god(s):
    return s.used & powers(s) & ~(1 << PTAH) != 0


@kernel
def do_use_god(s, god):
    if god != KHEPRI:
        s.used |= 1 << god
    if god == AMON:
        return begin_change(s, pieces.PRAYER)
    if god == MUT:
        return begin_change(s, pieces.STONE_DIE)
    if god == MAAT:
        return begin_reroll(s)
    if god == ATON:
        return begin_drop(s, FOR_ATON)
    s.need_stone = pieces.PAY_STONE[god]
    s.need_same = pieces.PAY_SAME[god]
    return begin_payment(s, FOR_GOD, god, pieces.PAY_ANY[god], pieces.PAY_WORKERS[god], pieces.PAY_CATS[god])


@kernel
def do_virtual_die(s, face):
    s.used |= 1 << (KHNUM + face // 2)
    s.pool[pieces.VIRTUAL][face] += 1
    return STAY


@kernel
def apply_power(s, god):
    """What a paid God brings."""
    s.fame[s.turn_player] += pieces.POWER_FAME[god]
    if god == PTAH:
        restore_gods(s)
    if god == MERTSEGER:
        roll_stone_die_from_supply(s)
    if pieces.POWER_GAINS[god] != pieces.NO_UNIT:
        return gain_in_work(s, pieces.POWER_GAINS[god])
    return STAY


@kernel
def restore_gods(s):
    """Ptah makes all other Gods ready, not himself (R42)."""
    s.used &= 1 << PTAH


# --- Drop a God: Aton's price, or a cult that cannot be supported ------------------------------------------------------------


@kernel
def begin_drop(s, reason):
    s.drop_reason = reason
    s.phase = DROP_GOD
    return STAY


def check_drop(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s, "drop_reason")
    t = int(s["turn_player"])
    if s["drop_reason"] == NO_DROP:
        yield "drop_reason", "no God is to be dropped"
    elif s["drop_reason"] == FOR_ATON:
        if not (pending.is_used(s, ATON) and pending.has_power(s, ATON)):
            yield "drop_reason", "Aton is not in use"
    elif s["pool"].any():
        yield "pool", "the dice go back before the cult is looked at"
    elif pending.gods_of(s, t) <= pending.cult_limit(s):
        yield "drop_reason", "the cult is not too large"


@inlined
def legal_drop(s, mask):
    gods = s.gods[s.turn_player]
    count = 0
    if gods & ENNEAD:
        mask[DROP] = 1
        count += 1
    if s.drop_reason == FOR_ATON:
        gods &= ~(1 << ATON)
    for god in range(NUM_ENNEAD, NUM_GODS):
        if gods >> god & 1:
            mask[DROP + 1 + god - NUM_ENNEAD] = 1
            count += 1
    return count


@kernel
def do_drop(s, which):
    t = s.turn_player
    dropped = s.gods[t] & ENNEAD if which == 0 else 1 << (which - 1 + NUM_ENNEAD)  # R55: the stack goes as a whole
    discard_gods(s, t, dropped)
    reason = s.drop_reason
    s.drop_reason = NO_DROP
    if reason == FOR_CULT:
        return END_WORK
    s.fame[t] += pieces.ATON_FAME
    s.phase = USE
    return STAY
