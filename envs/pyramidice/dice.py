"""The dice: the pool of unused ones, choosing and rolling them, the reroll, setting a die to a value."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from ..core.kernel.rng import below
from . import pending
from .actions import DICE, DIE, ROLL, TO
from .cards import has
from .components import AMON, BASTET, CAT, FACES, MAAT, MUT, PRAYER, REAL_KINDS, STONE, STONE_DIE, TURQUOISE, VIRTUAL, WORKER
from .state import CHANGE_FROM, CHANGE_TO, CHOOSE_DICE, CHOOSE_REROLL, STAY, USE

BITS_OF_A_BYTE = np.uint64(8)

# --- The pool. A face is a value less one ------------------------------------------------------------------------------------


@kernel
def dice_of_kind(s, kind):
    pool = s.pool[kind]
    return pool[0] + pool[1] + pool[2] + pool[3] + pool[4] + pool[5]


@kernel
def dice_in_pool(s):
    return dice_of_kind(s, PRAYER) + dice_of_kind(s, STONE_DIE) + dice_of_kind(s, VIRTUAL)


@kernel
def dice_showing(s, face):
    return s.pool[PRAYER][face] + s.pool[STONE_DIE][face] + s.pool[VIRTUAL][face]


@kernel
def stone_dice_word(s):
    """The Stone dice of each value in a byte, so that all values are compared at once."""
    word = np.uint64(0)
    for face in range(np.uint64(FACES)):
        word |= np.uint64(s.pool[STONE_DIE, face]) << BITS_OF_A_BYTE * face
    return word


@kernel
def dice_word(s):
    """The same for the dice of all kinds."""
    word = np.uint64(0)
    for face in range(np.uint64(FACES)):
        showing = s.pool[PRAYER, face] + s.pool[STONE_DIE, face] + s.pool[VIRTUAL, face]
        word |= np.uint64(showing) << BITS_OF_A_BYTE * face
    return word


@kernel
def triples(s):
    """The faces that three or more dice show, as bits."""
    faces = 0
    for face in range(FACES):
        faces |= (dice_showing(s, face) >= 3) << face
    return faces


@kernel
def roll_into_pool(s, kind, dice):
    for _ in range(dice):
        s.pool[kind][below(s, FACES)] += 1


@kernel
def roll_stone_die_from_supply(s):
    s.supply[STONE] -= 1
    roll_into_pool(s, STONE_DIE, 1)


@kernel
def put_die_back(s, kind, face):
    """Real dice go to the Quarry, virtual ones vanish."""
    s.pool[kind][face] -= 1
    if kind != VIRTUAL:
        s.quarry[kind] += 1


@kernel
def put_all_showing_back(s, face):
    s.quarry[PRAYER] += s.pool[PRAYER][face]
    s.quarry[STONE_DIE] += s.pool[STONE_DIE][face]
    s.pool[PRAYER][face] = s.pool[STONE_DIE][face] = s.pool[VIRTUAL][face] = 0


@kernel
def empty_the_pool(s):
    for face in range(FACES):
        put_all_showing_back(s, face)


# --- Take dice from the Quarry and roll them ---------------------------------------------------------------------------------


@kernel
def start_work(s):
    t = s.turn_player
    s.in_work = 1
    s.quarry[STONE_DIE] += s.resources[t][STONE]
    s.resources[t][STONE] = 0
    s.phase = CHOOSE_DICE
    return STAY


@kernel
def dice_to_roll(s):
    """One per Worker, as far as there are dice (R33 to R35)."""
    own = s.resources[s.turn_player]
    dice = own[WORKER] + (own[CAT] if has(s, BASTET) else 0) + (s.scarab[s.turn_player] == TURQUOISE)
    return min(dice, s.quarry[PRAYER] + s.quarry[STONE_DIE])


def check_dice(s: np.void) -> Findings:
    """Nothing is rolled yet."""
    yield from pending.turn_player_decides(s)
    yield from pending.nothing_but(s, "in_work", "rest_pending")
    yield from pending.in_a_work_turn(s)


@inlined
def legal_dice(s, mask):
    dice = dice_to_roll(s)
    least, most = max(0, dice - s.quarry[PRAYER]), min(dice, s.quarry[STONE_DIE])
    for stone_dice in range(least, most + 1):
        mask[DICE + stone_dice] = 1
    return most + 1 - least


@kernel
def do_dice(s, stone_dice):
    prayer_dice = dice_to_roll(s) - stone_dice
    s.quarry[STONE_DIE] -= stone_dice
    s.quarry[PRAYER] -= prayer_dice
    roll_into_pool(s, STONE_DIE, stone_dice)
    roll_into_pool(s, PRAYER, prayer_dice)
    s.phase = USE
    return STAY


# --- Reroll: select dice in ascending order, then roll -----------------------------------------------------------------------


@kernel
def begin_reroll(s):
    s.phase = CHOOSE_REROLL
    return STAY


def check_reroll(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s, *pending.SELECTION)
    if not (s["reroll_used"] or pending.is_used(s, MAAT)):
        yield "reroll_used", "neither the reroll of the turn nor Maat is used"
    selected = np.flatnonzero(s["selected"])
    if s["last_selected"] != (selected[-1] if len(selected) else 0):
        yield "last_selected", "not the last one of the selected dice"


@inlined
def legal_reroll(s, mask):
    count, selected = 0, 0
    for i in range(REAL_KINDS * FACES):
        kind, face = i // FACES, i % FACES
        selected += s.selected[kind][face]
        if i >= s.last_selected and s.pool[kind][face] > 0:
            mask[DIE + i] = 1
            count += 1
    if selected > 0:
        mask[ROLL] = 1
        count += 1
    return count


@kernel
def do_reroll(s, action):
    return roll_selected(s) if action == ROLL else select(s, action - DIE)


@kernel
def select(s, i):
    s.pool[i // FACES][i % FACES] -= 1
    s.selected[i // FACES][i % FACES] += 1
    s.last_selected = i
    return STAY


@kernel
def roll_selected(s):
    for kind in (STONE_DIE, PRAYER):
        dice = 0
        for face in range(FACES):
            dice += s.selected[kind][face]
            s.selected[kind][face] = 0
        roll_into_pool(s, kind, dice)
    s.last_selected = 0
    s.phase = USE
    return STAY


# --- Set a die to any value (Amon, Mut) --------------------------------------------------------------------------------------


@kernel
def begin_change(s, kind):
    s.change_kind = kind
    s.phase = CHANGE_FROM
    return STAY


def check_from(s: np.void) -> Findings:
    yield from _setting_a_die(s, "change_kind")


def check_to(s: np.void) -> Findings:
    yield from _setting_a_die(s, *pending.CHANGE)
    value = int(s["change_value"])
    if value == 0 or s["pool"][s["change_kind"]][value - 1] == 0:
        yield "change_value", f"no die of value {value} is there"


def _setting_a_die(s: np.void, *fields: str) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.in_a_work_turn(s, *fields)
    god = AMON if s["change_kind"] == PRAYER else MUT
    if not (pending.is_used(s, god) and pending.has_power(s, god)):
        yield "change_kind", "nobody has used the God who sets such a die"


@inlined
def legal_from(s, mask):
    count = 0
    for face in range(FACES):
        if s.pool[s.change_kind][face] > 0:
            mask[DIE + FACES * s.change_kind + face] = 1
            count += 1
    return count


@kernel
def do_from(s, die):
    s.change_value = die % FACES + 1
    s.phase = CHANGE_TO
    return STAY


@inlined
def legal_to(s, mask):
    for face in range(FACES):
        mask[TO + face] = face + 1 != s.change_value  # R47: a change that changes nothing is not offered
    return FACES - 1


@kernel
def do_to(s, face):
    turn_die(s, s.change_kind, s.change_value - 1, face)
    s.change_kind = PRAYER
    s.change_value = 0
    s.phase = USE
    return STAY


@kernel
def turn_die(s, kind, face, new_face):
    s.pool[kind][face] -= 1
    s.pool[kind][new_face] += 1
