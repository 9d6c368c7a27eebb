"""The powers of Gods used in a Work turn, and dropping Gods. What a power costs and brings is data: components.POWERS."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from .actions import DROP, USE_GOD, VIRTUAL_DIE
from .cards import ENNEAD, discard_gods, has
from .components import (
    AMON,
    ATON,
    ATON_FAME,
    KHEPRI,
    KHNUM,
    MAAT,
    MERTSEGER,
    MUT,
    NO_UNIT,
    NUM_ENNEAD,
    NUM_GODS,
    PAY_ANY,
    PAY_CATS,
    PAY_SAME,
    PAY_STONE,
    PAY_WORKERS,
    POWER_FAME,
    POWER_GAINS,
    POWER_SUPPLY,
    PRAYER,
    PTAH,
    STONE_DIE,
    TRIAD,
    USE_OFFSET,
    VIRTUAL,
)
from .dice import begin_change, begin_reroll, roll_stone_die_from_supply, triples
from .payment import begin_payment
from .resources import can_pay, gain_in_work
from .state import DROP_GOD, END_WORK, FOR_ATON, FOR_CULT, FOR_GOD, NO_DROP, NONE, STAY, USE

# --- Use a power -------------------------------------------------------------------------------------------------------------


@inlined
def legal_gods(s, mask, prayer_dice, stone_dice, all_dice):
    powers = s.gods[s.turn_player] | (1 << s.copied if s.copied != NONE else 0)
    powers >>= NUM_ENNEAD
    god = NUM_ENNEAD
    count = 0
    while powers != 0:
        if powers & 1 and not s.used[god]:
            if KHNUM <= god < KHNUM + len(TRIAD):
                first = VIRTUAL_DIE + 2 * (god - KHNUM)
                mask[first] = 1
                mask[first + 1] = 1
                count += 2
            elif USE_OFFSET[god] >= 0 and can_use(s, god, prayer_dice, stone_dice, all_dice):
                mask[USE_GOD + USE_OFFSET[god]] = 1
                count += 1
        powers >>= 1
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
    if PAY_SAME[god] and triples(s) == 0:
        return False
    if POWER_SUPPLY[god] >= 0 and s.supply[POWER_SUPPLY[god]] == 0:
        return False  # R44: no use without an effect
    return all_dice >= PAY_ANY[god] and stone_dice >= PAY_STONE[god] and can_pay(s, PAY_WORKERS[god], PAY_CATS[god])


@kernel
def has_other_used_god(s):
    found = False
    for god in range(NUM_ENNEAD, NUM_GODS):
        found |= god != PTAH and s.used[god] and has(s, god)
    return found


@kernel
def do_use_god(s, god):
    if god != KHEPRI:
        s.used[god] = 1
    if god == AMON:
        return begin_change(s, PRAYER)
    if god == MUT:
        return begin_change(s, STONE_DIE)
    if god == MAAT:
        return begin_reroll(s)
    if god == ATON:
        return begin_drop(s, FOR_ATON)
    s.need_stone = PAY_STONE[god]
    s.need_same = PAY_SAME[god]
    return begin_payment(s, FOR_GOD, god, PAY_ANY[god], PAY_WORKERS[god], PAY_CATS[god])


@kernel
def do_virtual_die(s, face):
    s.used[KHNUM + face // 2] = 1
    s.pool[VIRTUAL][face] += 1
    return STAY


@kernel
def apply_power(s, god):
    """What a paid God brings."""
    s.fame[s.turn_player] += POWER_FAME[god]
    if god == PTAH:
        restore_gods(s)
    if god == MERTSEGER:
        roll_stone_die_from_supply(s)
    if POWER_GAINS[god] != NO_UNIT:
        return gain_in_work(s, POWER_GAINS[god])
    return STAY


@kernel
def restore_gods(s):
    """Ptah makes all other Gods ready, not himself (R42)."""
    for god in range(NUM_GODS):
        if god != PTAH:
            s.used[god] = 0


# --- Drop a God: Aton's price, or a cult that cannot be supported ------------------------------------------------------------


@kernel
def begin_drop(s, reason):
    s.drop_reason = reason
    s.phase = DROP_GOD
    return STAY


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
    s.fame[t] += ATON_FAME
    s.phase = USE
    return STAY
