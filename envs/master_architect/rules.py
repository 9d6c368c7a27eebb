"""The course of a game: for each phase what is legal, what it does and what must hold of a position, in the order of a turn."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings, Phase, PhaseTable
from ..core.kernel.jit import inlined, kernel
from .actions import ACTIONS, CARD, COLLECT, DONE, LARGE, LIFT, SMALL, SWAP, TAKE
from .components import (
    ALL_LARGE,
    ALL_SMALL,
    CARDS,
    DISPLAY,
    LARGE_SPACES,
    NOTHING,
    NUM_HELD,
    NUM_LARGE_SPACES,
    NUM_SMALL,
    NUM_SMALL_SPACES,
    NUM_TYPES,
    ORIENTATIONS,
    OVERSEER,
    OVERSEER_STONES,
    PAIR_PARTNER,
    PRIEST,
    ROW,
    STONEMASON,
    SURVEYOR,
    SURVEYOR_LIFTS,
    THOTH,
    TURNS,
    VIZIER,
)
from .pyramid import begin_worths, count_collected, count_large, count_small, recount
from .scoring import owns, write_winners
from .state import (
    LIFT_SMALL,
    OVER,
    PHASES,
    PLACE_LARGE,
    PLACE_SMALL,
    SEATS,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE_CARD,
    TAKE_STONE,
)
from .stocks import count_stocks, draw_card, draw_large, draw_small, shuffle_stocks, shuffle_what_is_left, sort_what_is_left

# --- Setup -------------------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    clear_table(s)
    shuffle_stocks(s)
    for slot in range(ROW):
        s.row[slot] = draw_large(s)
    for slot in range(DISPLAY):
        s.display[slot] = draw_card(s)
    for p in range(s.num_players):
        s.hand[p] = draw_small(s)


@kernel
def clear_table(s):
    s.stone_in_hand = s.hole = s.swap_first = NOTHING
    s.large_stone[:, :] = NOTHING
    s.small_stone[:, :] = NOTHING
    s.cards[:, :] = NOTHING
    s.hand[:] = NOTHING
    for p in range(SEATS):
        begin_worths(s, p)


# --- What is under way in a turn -----------------------------------------------------------------------------------------------

NOT_UNDER_WAY = {"stone_in_hand": NOTHING, "hole": NOTHING, "swap_first": NOTHING, "lifts_left": 0}


def under_way(s: np.void, *fields: str) -> Findings:
    """Exactly these of the fields of a turn hold something."""
    for field, nothing in NOT_UNDER_WAY.items():
        if (s[field] != nothing) != (field in fields):
            yield field, f"must be {'there' if field in fields else 'nothing'} in phase {PHASES[s['phase']]!r}"


def brought(s: np.void) -> int:
    """Small stones that came with the large stone, at least: the own one, with the red stone or kept by a Vizier."""
    return int(s["hole"] == 0 or VIZIER in s["cards"][s["current_player"]])


def to_place(s: np.void, least: int, most: int) -> Findings:
    """So many small stones are still to be placed; the red stone may have brought any number more."""
    pending = int(s["pending"].sum())
    if pending < least or (pending > most and s["hole"] != 0):
        yield "pending", f"{pending} small stones to place in phase {PHASES[s['phase']]!r}, possible are {least} to {most}"


def last_card(s: np.void) -> int:
    """The card that the player to act gained last; NOTHING if there is none."""
    held = s["cards"][s["current_player"]]
    return int(held[(held != NOTHING).sum() - 1]) if (held != NOTHING).any() else NOTHING


def just_gained(s: np.void, card: int) -> Findings:
    if last_card(s) != card:
        yield "cards", f"phase {PHASES[s['phase']]!r} follows on the {CARDS[card]}, which is not the last card gained"


# --- Take a large stone ------------------------------------------------------------------------------------------------------


@inlined
def legal_take(s, mask):
    for slot in range(ROW):
        mask[TAKE + slot] = 1
    return ROW


@kernel
def do_take(s, slot):
    p = s.current_player
    s.stone_in_hand = s.row[slot]
    s.row[slot] = NOTHING
    s.hole = slot
    if slot == 0:
        for stone in range(NUM_TYPES):
            s.pending[stone] = s.pile[stone]
            s.pile[stone] = 0
    if slot == 0 or owns(s, p, VIZIER):
        s.pending[s.hand[p]] += 1
    else:
        s.pile[s.hand[p]] += 1
    s.hand[p] = NOTHING
    s.phase = PLACE_LARGE


def check_take(s: np.void) -> Findings:
    yield from under_way(s)
    if s["pending"].any():
        yield "pending", "before a stone is taken there are no small stones to place"


# --- Place it, possibly turned -----------------------------------------------------------------------------------------------


@inlined
def legal_large(s, mask):
    empty = ALL_LARGE & ~s.filled_large[s.current_player]
    both_ways = ORIENTATIONS[s.stone_in_hand] == 2
    count = 0
    for space in range(NUM_LARGE_SPACES):
        free = empty >> space & 1
        mask[LARGE + 2 * space] = free
        mask[LARGE + 2 * space + 1] = free & both_ways
        count += free
    return 2 * count if both_ways else count


@kernel
def do_large(s, choice):
    p, space = s.current_player, choice >> 1
    lay_large(s, p, s.stone_in_hand, space, choice & 1)
    s.stone_in_hand = NOTHING
    partner = PAIR_PARTNER[space]
    completes_pair = partner != NOTHING and s.large_stone[p][partner] != NOTHING
    s.phase = TAKE_CARD if completes_pair else PLACE_SMALL


@kernel
def lay_large(s, p, stone, space, turned):
    s.large_stone[p][space] = stone
    s.large_turned[p][space] = turned
    count_large(s, p, space)


def check_large(s: np.void) -> Findings:
    yield from under_way(s, "stone_in_hand", "hole")
    yield from to_place(s, brought(s), brought(s))


# --- Take a card for a completed pair, before the small stones (R15) ----------------------------------------------------------


@inlined
def legal_card(s, mask):
    for slot in range(DISPLAY):
        mask[CARD + slot] = 1
    return DISPLAY


@kernel
def do_card(s, slot):
    p, card = s.current_player, s.display[slot]
    gain_card(s, p, card)
    s.display[slot] = draw_card(s)
    s.phase = PLACE_SMALL
    if card == OVERSEER:
        for _ in range(min(OVERSEER_STONES, NUM_SMALL - s.small_drawn)):  # R37
            s.pending[draw_small(s)] += 1
    elif card == STONEMASON:
        s.phase = SWAP_FIRST
    elif card == SURVEYOR and s.filled_small[p]:
        s.lifts_left = SURVEYOR_LIFTS
        s.phase = LIFT_SMALL


@kernel
def gain_card(s, p, card):
    s.owned[p] |= 1 << card
    s.worth[p][THOTH] += card == PRIEST  # R31
    for i in range(NUM_HELD):
        if s.cards[p][i] == NOTHING:
            s.cards[p][i] = card
            return


def check_card(s: np.void) -> Findings:
    yield from under_way(s, "hole")
    yield from to_place(s, brought(s), brought(s))


# --- Stonemason: exchange two large stones (R35) -----------------------------------------------------------------------------


@inlined
def legal_swap_first(s, mask):
    mask[DONE] = 1
    return legal_swap_second(s, mask) + 1


@kernel
def do_swap_first(s, action):
    if action == DONE:
        s.phase = PLACE_SMALL
    else:
        s.swap_first = action - SWAP
        s.phase = SWAP_SECOND


def check_swap_first(s: np.void) -> Findings:
    yield from under_way(s, "hole")
    yield from just_gained(s, STONEMASON)
    yield from to_place(s, brought(s), brought(s))


@inlined
def legal_swap_second(s, mask):
    """Any stone of the pyramid but the first one."""
    count = 0
    for space in range(NUM_LARGE_SPACES):
        if s.filled_large[s.current_player] >> space & 1 and space != s.swap_first:
            mask[SWAP + space] = 1
            count += 1
    return count


@kernel
def do_swap_second(s, space):
    exchange(s, s.current_player, s.swap_first, space)
    s.swap_first = NOTHING
    s.phase = PLACE_SMALL


def check_swap_second(s: np.void) -> Findings:
    yield from under_way(s, "hole", "swap_first")
    yield from just_gained(s, STONEMASON)
    yield from to_place(s, brought(s), brought(s))
    first = s["swap_first"]
    if first != NOTHING and s["large_stone"][s["current_player"]][first] == NOTHING:
        yield "swap_first", f"{LARGE_SPACES[first]} is empty"


@kernel
def exchange(s, p, a, b):
    stone, turned = s.large_stone[p], s.large_turned[p]
    stone[a], stone[b] = stone[b], stone[a]
    turned[a], turned[b] = turned[b], turned[a]
    recount(s, p)


# --- Surveyor: lift up to two small stones (R36) -----------------------------------------------------------------------------


@inlined
def legal_lift(s, mask):
    count = 1
    for space in range(NUM_SMALL_SPACES):
        if s.filled_small[s.current_player] >> space & 1:
            mask[LIFT + space] = 1
            count += 1
    mask[DONE] = 1
    return count


@kernel
def do_lift(s, action):
    if action == DONE:
        end_lifting(s)
        return
    p, space = s.current_player, action - LIFT
    s.pending[s.small_stone[p][space]] += 1
    lift(s, p, space)
    s.lifts_left -= 1
    if s.lifts_left == 0 or s.filled_small[p] == 0:
        end_lifting(s)


@kernel
def lift(s, p, space):
    s.small_stone[p][space] = NOTHING
    recount(s, p)


@kernel
def end_lifting(s):
    s.lifts_left = 0
    s.phase = PLACE_SMALL


def check_lift(s: np.void) -> Findings:
    yield from under_way(s, "hole", "lifts_left")
    yield from just_gained(s, SURVEYOR)
    due = brought(s) + SURVEYOR_LIFTS - int(s["lifts_left"])
    yield from to_place(s, due, due)
    if (s["small_stone"][s["current_player"]] == NOTHING).all():
        yield "small_stone", f"nothing to lift for seat {s['current_player']}"


# --- Place the small stones, lowest type first --------------------------------------------------------------------------------


@inlined
def legal_small(s, mask):
    empty = ALL_SMALL & ~s.filled_small[s.current_player]
    count = 1
    for space in range(NUM_SMALL_SPACES):
        free = empty >> space & 1
        mask[SMALL + space] = free
        count += free
    mask[COLLECT] = 1
    return count


@kernel
def do_small(s, action):
    p, stone = s.current_player, current_small(s)
    s.pending[stone] -= 1
    if action == COLLECT:
        collect(s, p, stone, 1)
    else:
        lay_small(s, p, stone, action - SMALL)


@kernel
def current_small(s):
    """The pending small stone to be placed now, NOTHING if there is none."""
    for stone in range(NUM_TYPES):
        if s.pending[stone]:
            return stone
    return NOTHING


@kernel
def lay_small(s, p, stone, space):
    s.small_stone[p][space] = stone
    count_small(s, p, space)


@kernel
def collect(s, p, stone, count):
    s.collection[p][stone] += count
    count_collected(s, p, count)


@kernel
def collect_all(s, p):
    for stone in range(NUM_TYPES):
        collect(s, p, stone, s.pending[stone])
        s.pending[stone] = 0


def check_small(s: np.void) -> Findings:
    yield from under_way(s, "hole")
    elsewhere = {OVERSEER: OVERSEER_STONES, SURVEYOR: SURVEYOR_LIFTS}.get(last_card(s), 0)
    yield from to_place(s, 1, brought(s) + elsewhere)
    if (s["small_stone"][s["current_player"]] != NOTHING).all():
        yield "small_stone", "with no empty small space all stones go to the Collection unasked"


# --- End of the turn ---------------------------------------------------------------------------------------------------------


@kernel
def end_turn(s):
    s.turn += 1
    if s.turn == TURNS * s.num_players:
        s.phase = OVER
        s.over = 1
        write_winners(s)
        return
    for slot in range(ROW - 1):
        if slot >= s.hole:
            s.row[slot] = s.row[slot + 1]
    s.row[ROW - 1] = draw_large(s)
    s.hole = NOTHING
    if s.turn <= (TURNS - 1) * s.num_players:  # R21: none after a player's last stone
        s.hand[s.current_player] = draw_small(s)
    s.current_player = 0 if s.current_player + 1 == s.num_players else s.current_player + 1
    s.phase = TAKE_STONE


# --- The whole ---------------------------------------------------------------------------------------------------------------

PHASE_TABLE = PhaseTable(
    PHASES,
    ACTIONS,
    Phase(TAKE_STONE, legal_take, do_take, "take", check_take),
    Phase(PLACE_LARGE, legal_large, do_large, "large", check_large),
    Phase(PLACE_SMALL, legal_small, do_small, ("small", "collect"), check_small),
    Phase(TAKE_CARD, legal_card, do_card, "card", check_card),
    Phase(LIFT_SMALL, legal_lift, do_lift, ("lift", "done"), check_lift),
    Phase(SWAP_FIRST, legal_swap_first, do_swap_first, ("swap", "done"), check_swap_first),
    Phase(SWAP_SECOND, legal_swap_second, do_swap_second, "swap", check_swap_second),
)
do_phase = PHASE_TABLE.do


@kernel
def step(s, action):
    """Do one legal action, and end the turn when no small stone is left to choose for."""
    do_phase(s, action)
    if s.phase == PLACE_SMALL:
        if s.filled_small[s.current_player] == ALL_SMALL:  # R26
            collect_all(s, s.current_player)
        if current_small(s) == NOTHING:
            end_turn(s)


@kernel
def turn_of(s):
    return s.turn


@kernel
def round_of(s):
    return s.turn // s.num_players


@kernel
def determinize(s, player):
    """No player has secrets: only the order of the three stocks is unknown."""
    sort_what_is_left(s)
    shuffle_what_is_left(s)


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    count_stocks(s)
    for p in range(SEATS):
        s.owned[p] = s.collected[p] = 0
        for i in range(NUM_HELD):
            if s.cards[p][i] != NOTHING:
                s.owned[p] |= 1 << s.cards[p][i]
        for stone in range(NUM_TYPES):
            s.collected[p] += s.collection[p][stone]
        recount(s, p)
    s.winners = 0
    if s.phase == OVER:
        write_winners(s)
