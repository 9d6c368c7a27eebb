"""The course of a game: a round of turns; in a turn up to two stones are built, each paid with a die, a quarry stone or a joker."""

from __future__ import annotations

from ..core.declare.phases import Phase, PhaseTable
from ..core.kernel.jit import inlined, kernel
from ..core.kernel.masks import mark_set
from ..core.kernel.rng import below, shuffle
from ..core.kernel.seats import after
from .actions import ACTIONS, ARCH_LEFT, ARCH_RIGHT, BUILDING, JOKER, KEYSTONE, MOSAIC, PYRAMID, QUARRY, STOP
from .components import (
    ALL_CELLS,
    ALL_COLOURS,
    ARCH_COLOUR,
    BE,
    CARRY,
    COLUMN,
    DICE_OF_TWO,
    DOMINO_CELLS,
    DOMINOES,
    FIRST_STANDING,
    GROUND,
    MAX_DICE,
    MAX_ROUNDS,
    MOSAIC_COLOUR,
    MOSAIC_PLACES,
    NUM_COLOURS,
    NUM_GROUPS,
    NUM_SHEETS,
    PYRAMID_COLOUR,
    PYRAMID_PLACES,
    QUARRY_COLOURS,
    QUARRY_PLACES,
    ROW,
    SEATS,
    STONES_A_TURN,
)
from .scoring import complete_buildings, complete_groups, tally
from .state import BUILD, NOTHING, OVER, PAY, PHASES, RANDOM_SHEETS

# --- Setup -------------------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    s.num_dice = DICE_OF_TWO if s.num_players == 2 else MAX_DICE
    s.bonus_round[:] = NOTHING
    s.roll[:] = NOTHING
    s.mark[:] = NOTHING
    forget_payment(s)
    give_out_sheets(s)
    for p in range(s.num_players):
        s.jokers[p] = s.num_players
    derive(s)
    start_round(s)


@kernel
def give_out_sheets(s):
    for sheet in range(NUM_SHEETS):
        s.sheet[sheet] = sheet
    if s.sheets == RANDOM_SHEETS:
        shuffle(s, s.sheet, 0, NUM_SHEETS)
    for p in range(s.num_players, SEATS):
        s.sheet[p] = NOTHING


# --- Rounds and turns --------------------------------------------------------------------------------------------------------


@kernel
def start_round(s):
    rolled = 0  # dice by colour, a byte each: bytes that are counted up in memory, then read together, have to be waited for
    for die in range(s.num_dice):
        colour = below(s, NUM_COLOURS)
        s.roll[die] = colour
        rolled += 1 << 8 * colour
    for colour in range(NUM_COLOURS):
        s.pool[colour] = s.dice[colour] = rolled >> 8 * colour & 0xFF
    s.fresh_bonuses = 0
    start_turn(s, 0, s.active_player)


@kernel
def start_turn(s, turn, builder):
    s.turn = turn
    s.current_player = builder
    s.built = 0
    s.phase = BUILD


@kernel
def lay_out(dice, place):
    for colour in range(NUM_COLOURS):  # `place[:] = dice` would compile numba's whole error text for shapes that differ
        place[colour] = dice[colour]


@kernel
def end_turn(s):
    if s.turn == 0:
        lay_out(s.dice, s.pool)  # what the active builder used stays out for the round; the others put theirs back (R14, R15)
    if s.turn < s.num_players - 1:
        lay_out(s.pool, s.dice)
        start_turn(s, s.turn + 1, after(s.current_player, s.num_players))
    elif builders_with_two_buildings(s) > 0 or s.round == MAX_ROUNDS - 1:  # asked at the end of a round only (R24)
        finish(s)
    else:
        s.round += 1
        s.active_player = after(s.active_player, s.num_players)
        start_round(s)


@kernel
def turn_of(s):
    """The turns finished so far, in the whole game."""
    return s.round * s.num_players + s.turn + s.over


@kernel
def round_of(s):
    """The rounds finished so far."""
    return s.round + s.over


@kernel
def builders_with_two_buildings(s):
    builders = 0
    for p in range(s.num_players):
        builders += complete_buildings(s, p) >= 2
    return builders


@kernel
def finish(s):
    s.truncated = builders_with_two_buildings(s) == 0
    for p in range(s.num_players):
        if complete_buildings(s, p) >= 2:
            s.bonuses[p] |= 1 << BE  # R22: everybody with two, and one bonus also for three
            tally(s, p)
    s.phase = OVER
    s.over = 1


# --- Build -------------------------------------------------------------------------------------------------------------------


@inlined
def legal_build(s, mask):
    return mark_set(builds(s), mask)


@inlined
def builds(s):
    """What the builder to act can cross out and pay, and to stop, as a set of actions."""
    p = s.current_player
    without_joker = colours_without_joker(s, p)
    payable = ALL_COLOURS if s.jokers[p] else without_joker
    actions = 1 << STOP
    actions |= (open_stones(s.pyramid[p]) & PYRAMID_PLACES[s.sheet[p], payable]) << PYRAMID
    actions |= arch_builds(s, p, payable)
    actions |= payable_dominoes(s, p, without_joker) << MOSAIC
    return actions


@kernel
def colours_without_joker(s, p):
    """The colours of the dice in the middle and of the quarry stones right of the mark. Any other colour costs a joker."""
    colours = QUARRY_COLOURS[s.sheet[p], s.mark[p] + 1]
    for colour in range(NUM_COLOURS):
        colours |= (s.dice[colour] > 0) << colour
    return colours


@kernel
def open_stones(pyramid):
    """The pyramid stones that can be crossed out next."""
    return supported_stones(pyramid) & ~pyramid


@kernel
def supported_stones(pyramid):
    """The ground level, and the stones with both stones below them crossed."""
    neighbours = pyramid & pyramid >> 1
    supported = GROUND
    for pairs, distance in CARRY:
        supported |= (neighbours & pairs) << distance
    return supported


@inlined
def arch_builds(s, p, payable):
    """The next stone of each column that is not full, and on two full ones the keystone."""
    left, right, sheet = s.left[p], s.right[p], s.sheet[p]
    both_full = (left == COLUMN) & (right == COLUMN)
    actions = (payable >> ARCH_COLOUR[sheet, left] & (left < COLUMN)) << ARCH_LEFT
    actions |= (payable >> ARCH_COLOUR[sheet, right] & (right < COLUMN)) << ARCH_RIGHT
    actions |= (payable >> ARCH_COLOUR[sheet, COLUMN] & (both_full > s.keystone[p])) << KEYSTONE
    return actions


@inlined
def payable_dominoes(s, p, without_joker):
    """The two cells of a domino differ in colour on every sheet, so they never want the same die or quarry stone."""
    open_cells = ALL_CELLS & ~s.mosaic[p] if s.built == 0 else 0  # a domino is a whole turn (R9)
    cheap = MOSAIC_PLACES[s.sheet[p], without_joker]
    jokers = s.jokers[p]
    payable = open_cells if jokers > 0 else open_cells & cheap
    one_joker_each = open_cells & ~cheap if jokers == 1 else 0
    return dominoes_within(payable) & ~dominoes_within(one_joker_each)


@inlined
def dominoes_within(cells):
    """The dominoes with both cells in a set. First come those that lie, three a row, then those that stand."""
    lying, standing = cells & cells >> 1, cells & cells >> ROW
    lying = lying & 0o7 | lying >> 1 & 0o70 | lying >> 2 & 0o700
    return lying | standing << FIRST_STANDING


@kernel
def do_build(s, action):
    """Take the dice for a stone or a domino, and write down the colours for which there is none (R1). To stop does nothing."""
    if action == STOP:
        return
    p = s.current_player
    s.pending = action
    s.mark_before = s.mark[p]
    if action < MOSAIC:
        take_die_or_owe(s, colour_of_stone(s, p, action))
    else:
        one, other = DOMINOES[action - MOSAIC, 0], DOMINOES[action - MOSAIC, 1]
        take_die_or_owe(s, MOSAIC_COLOUR[s.sheet[p], one])
        take_die_or_owe(s, MOSAIC_COLOUR[s.sheet[p], other])
    if s.owed[0] == NOTHING:
        cross_out(s)
    else:
        s.phase = PAY


@kernel
def colour_of_stone(s, p, action):
    if action < ARCH_LEFT:
        return PYRAMID_COLOUR[s.sheet[p], action - PYRAMID]
    row = s.left[p] if action == ARCH_LEFT else s.right[p]  # the keystone's row is that above both full columns
    return ARCH_COLOUR[s.sheet[p], row]


@kernel
def take_die_or_owe(s, colour):
    if s.dice[colour] > 0:
        s.dice[colour] -= 1
    elif s.owed[0] == NOTHING:
        s.owed[0] = colour
    else:
        s.owed[1] = colour


# --- Pay what no die paid, one colour at a time ------------------------------------------------------------------------------


@inlined
def legal_pay(s, mask):
    return mark_set(payments(s), mask)


@inlined
def payments(s):
    """The ways to pay the first colour owed, as a set of actions.

    R7: both quarry stones of a domino lie right of the old mark, in any order. Their colours differ, so they never collide.
    """
    p = s.current_player
    usable = -1 << (s.mark_before + 1)
    stones = QUARRY_PLACES[s.sheet[p], s.owed[0]] & usable
    other_needs_joker = s.owed[1] != NOTHING and QUARRY_PLACES[s.sheet[p], s.owed[1]] & usable == 0
    actions = 0
    if s.jokers[p] > other_needs_joker:
        actions |= 1 << JOKER
    if s.jokers[p] >= other_needs_joker:
        actions |= stones << QUARRY
    return actions


@kernel
def do_pay(s, action):
    """Pay the first colour owed; when nothing is owed any more, cross out what was paid for."""
    p = s.current_player
    if action == JOKER:
        s.jokers[p] -= 1
    else:
        stone = action - QUARRY
        s.quarry[p] |= 1 << stone
        s.mark[p] = max(s.mark[p], stone)
    s.owed[0] = s.owed[1]
    s.owed[1] = NOTHING
    if s.owed[0] == NOTHING:
        cross_out(s)
    else:
        tally(s, p)


@kernel
def forget_payment(s):
    s.pending = NOTHING
    s.owed[:] = NOTHING
    s.mark_before = NOTHING


# --- Cross out what is paid --------------------------------------------------------------------------------------------------


@kernel
def cross_out(s):
    p = s.current_player
    cross_stones(s, p, s.pending)
    earn_bonuses(s, p, complete_groups(s, p))
    tally(s, p)
    forget_payment(s)
    s.phase = BUILD


@kernel
def cross_stones(s, p, action):
    s.built += 1
    if action < ARCH_LEFT:
        s.pyramid[p] |= 1 << action - PYRAMID
    elif action == ARCH_LEFT:
        s.left[p] += 1
    elif action == ARCH_RIGHT:
        s.right[p] += 1
    elif action == KEYSTONE:
        s.keystone[p] = 1
    else:
        s.mosaic[p] |= DOMINO_CELLS[action - MOSAIC]
        s.built += 1


@kernel
def earn_bonuses(s, p, groups):
    """R18: a bonus goes to all who complete its group in the round in which somebody does so first.

    Who completed a group before either has its bonus, or came too late for it.
    """
    earned = groups & (s.open_bonuses | s.fresh_bonuses) & ~s.bonuses[p]
    if earned == 0:
        return
    s.bonuses[p] |= earned
    s.open_bonuses &= ~earned
    s.fresh_bonuses |= earned
    for b in range(NUM_GROUPS):
        if earned >> b & 1:
            s.bonus_round[b] = s.round


# --- The whole ---------------------------------------------------------------------------------------------------------------

PHASE_TABLE = PhaseTable(
    PHASES,
    ACTIONS,
    Phase(BUILD, legal_build, do_build, (*BUILDING, "stop")),
    Phase(PAY, legal_pay, do_pay, ("joker", "quarry")),
)
act = PHASE_TABLE.do  # what an action does within the turn


@kernel
def step(s, action):
    """Do one legal action, and end the turn with it if it was the last."""
    act(s, action)
    if action == STOP or s.built == STONES_A_TURN:
        end_turn(s)


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    s.open_bonuses, s.fresh_bonuses = 0, 0
    for b in range(NUM_GROUPS):
        s.open_bonuses |= (s.bonus_round[b] == NOTHING) << b
        s.fresh_bonuses |= (s.bonus_round[b] == s.round) << b
    for p in range(s.num_players):
        tally(s, p)


@kernel
def determinize(s, player):
    """Nothing is hidden: only the rolls to come are new, and they come from the generator."""
