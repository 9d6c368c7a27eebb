"""The Work turn: what the rolled dice can be used for, carrying out what was paid, the cult at the end."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from .actions import (
    BUILD,
    CAT_CHANGE,
    CAT_KIND,
    CAT_STEP,
    CAT_VALUE,
    COPY,
    END_DICE,
    GAIN_FAME,
    NUM_CAT_CHANGES,
    REPLACE,
    REROLL,
    TO,
    USE_GOD,
    VIRTUAL_DIE,
    WORSHIP,
)
from .building import affordable_spaces, begin_build, build
from .cards import discard_from_row, draw_card, give, has, refill, take_from_row
from .components import (
    AMETHYST,
    ANUBIS,
    ANUBIS_LIMIT,
    CARNELIAN,
    CAT,
    COPYABLE,
    COST_ANY,
    COST_CATS,
    COST_DICE,
    COST_OF_VALUE,
    COST_STONE,
    COST_WORKERS,
    FACES,
    PRAYER,
    ROW,
    RUBY,
    RUBY_FAME,
    STONE_DIE,
    USABLE,
    VIRTUAL,
    WORKER,
)
from .dice import begin_reroll, dice_of_kind, dice_showing, empty_the_pool, turn_die
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


@inlined
def legal_use(s, mask):
    prayer_dice, stone_dice = dice_of_kind(s, PRAYER), dice_of_kind(s, STONE_DIE)
    all_dice = prayer_dice + stone_dice + dice_of_kind(s, VIRTUAL)
    count = 1
    mask[END_DICE] = 1
    if not s.reroll_used and prayer_dice + stone_dice >= 1:
        mask[REROLL] = 1
        count += 1
    if all_dice >= 2:
        mask[GAIN_FAME] = 1
        count += 1
    if prayer_dice + stone_dice >= 1 and can_pay(s, 0, 1):
        count += legal_cats(s, mask)
    if stone_dice >= 1:
        count += legal_builds(s, mask)
    if all_dice >= 1:
        count += legal_row(s, mask, all_dice)
    return count + legal_gods(s, mask, prayer_dice, stone_dice, all_dice)


@kernel
def do_use(s, action):
    if action == END_DICE:
        return finish_work(s)
    if action == REROLL:
        s.reroll_used = 1
        return begin_reroll(s)
    if action < BUILD:
        return begin_payment(s, FOR_CAT, action - CAT_CHANGE, 0, 0, 1)
    if action < BUILD + FACES:
        return begin_build(s, action - BUILD + 1)
    if action < REPLACE:
        return begin_worship(s, action - WORSHIP)
    if action < COPY:
        return begin_payment(s, FOR_REPLACE, action - REPLACE, 1, 0, 0)
    if action < GAIN_FAME:
        s.copy_used = 1
        return begin_payment(s, FOR_COPY, action - COPY, 1, 0, 0)
    if action == GAIN_FAME:
        return begin_payment(s, FOR_FAME, 0, 2, 0, 0)
    if action < VIRTUAL_DIE:
        return do_use_god(s, USABLE[action - USE_GOD])
    return do_virtual_die(s, action - VIRTUAL_DIE)


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
        s.fame[t] += RUBY_FAME * (s.scarab[t] == RUBY)
    elif purpose == FOR_REPLACE:
        discard_from_row(s, which)
        draw_card(s)
    elif purpose == FOR_COPY:
        s.copied = s.row[which]
    else:
        s.fame[t] += 2 if s.scarab[t] == CARNELIAN else 1
    s.paid_workers = 0
    return then


# --- Cats, builds and the God row --------------------------------------------------------------------------------------------


@inlined
def legal_cats(s, mask):
    count = 0
    for i in range(NUM_CAT_CHANGES):
        if s.pool[CAT_KIND[i]][CAT_VALUE[i] - 1] > 0:
            mask[CAT_CHANGE + i] = 1
            count += 1
    return count


@inlined
def legal_builds(s, mask):
    count = 0
    for face in range(FACES):
        if s.pool[STONE_DIE][face] > 0 and affordable_spaces(s, face + 1) != 0:
            mask[BUILD + face] = 1
            count += 1
    return count


@inlined
def legal_row(s, mask, all_dice):
    """Worship, replace or copy each face-up God."""
    may_copy = s.scarab[s.turn_player] == AMETHYST and not s.copy_used
    count = 0
    for i in range(ROW):
        god = s.row[i]
        if god == NONE:
            continue
        mask[REPLACE + i] = 1
        count += 1
        if can_worship(s, god, all_dice):
            mask[WORSHIP + i] = 1
            count += 1
        if may_copy and COPYABLE[god]:
            mask[COPY + i] = 1
            count += 1
    return count


@kernel
def can_worship(s, god, all_dice):
    if all_dice < COST_DICE[god] or not can_pay(s, COST_WORKERS[god], COST_CATS[god]):
        return False
    for face in range(FACES):
        stone = COST_STONE[god, face]
        if s.pool[STONE_DIE][face] < stone or dice_showing(s, face) < stone + COST_OF_VALUE[god, face]:
            return False
    return True


@kernel
def dice_missing(s, god, dice):
    """How many of the dice that a God costs are not in the pool."""
    fitting = 0
    for face in range(FACES):
        stone = min(s.pool[STONE_DIE][face], COST_STONE[god, face])
        fitting += stone + min(dice_showing(s, face) - stone, COST_OF_VALUE[god, face])
    fitting += min(dice - fitting, COST_ANY[god])
    return COST_DICE[god] - fitting


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
    limit = s.resources[t][WORKER] + s.resources[t][CAT] + (ANUBIS_LIMIT if has(s, ANUBIS) else 0)
    return begin_drop(s, FOR_CULT) if s.god_count[t] > limit else END_WORK


@kernel
def end_work(s):
    s.in_work = s.copy_used = s.gold_used = s.reroll_used = 0
    s.copied = NONE
    s.used[:] = 0
    refill(s)
    if s.rest_pending:
        s.rest_pending = 0
        return REST_STEP_3  # R19: the Rest turn that gave this Work turn goes on
    return END_TURN


assert CAT_CHANGE < BUILD < WORSHIP < REPLACE < COPY < GAIN_FAME < USE_GOD < VIRTUAL_DIE < TO
