"""The course of a game: setup, the phases, and what follows a decision. Each phase lives in the room of its subject."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Phase, PhaseTable
from ..core.kernel.jit import kernel
from ..core.kernel.rng import shuffle
from ..core.kernel.writing import stack_row
from . import building, dice, gods, payment, resources, rest_tiles, scarabs, state, work
from . import components as pieces
from .actions import ACTIONS
from .building import spaces_open_now
from .cards import cards_left, count_gods, refill, row_discard
from .components import ARCHITECT_SEAT, NO_SCARAB, NUM_GODS, NUM_RESOURCES, NUM_TILES, STONE
from .scoring import count_pairs
from .solo import architect_turn
from .state import END_TURN, NONE, SEATS, STAY, TURN

# --- Setup -------------------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    s.num_seats = max(s.num_players, 2)
    if s.num_players > 1:
        s.architect = NONE
    s.pharaoh = s.copied = s.build_space = NONE
    s.slot_queue[:] = NONE
    hand_out_resources(s)
    s.open_spaces = spaces_open_now(s)
    lay_out_gods(s)
    pile = stack_row(NUM_TILES, np.int8)
    lay_out_tiles(s, pile)
    deal_projects(s, pile)
    deal_scarabs(s, pile)
    s.phase = TURN if s.num_players == 1 else state.CHOOSE_SCARAB


@kernel
def hand_out_resources(s):
    s.supply[pieces.WORKER] = pieces.NUM_WORKERS
    s.supply[pieces.CAT] = pieces.NUM_CATS
    s.supply[STONE] = pieces.STONE_DICE[s.num_players]
    s.quarry[pieces.PRAYER] = pieces.NUM_PRAYER_DICE
    for p in range(s.num_players):
        for resource in range(NUM_RESOURCES):
            s.resources[p][resource] = pieces.START_RESOURCES[resource]
            s.supply[resource] -= pieces.START_RESOURCES[resource]
    for p in range(s.num_seats):
        s.fame[p] = pieces.START_FAME


@kernel
def lay_out_gods(s):
    for god in range(NUM_GODS):
        s.deck[god] = god
    shuffle(s, s.deck, 0, NUM_GODS)
    s.deck_end = NUM_GODS - pieces.GODS_REMOVED[s.num_players]
    s.row[:] = NONE
    refill(s)


@kernel
def shuffle_pile(s, pile, cards):
    """The first cards of a pile become a shuffled 0..cards-1."""
    for i in range(cards):
        pile[i] = i
    shuffle(s, pile, 0, cards)


@kernel
def lay_out_tiles(s, pile):
    s.tile_place[:] = state.IN_BOX
    s.tile_slot[:] = NONE
    shuffle_pile(s, pile, NUM_TILES)
    for i in range(pieces.TILES_IN_PLAY[s.num_players]):
        s.tile_place[pile[i]] = state.AVAILABLE
        if s.num_players == 1:
            s.tile_slot[pile[i]] = i


@kernel
def deal_projects(s, pile):
    s.project[:] = NONE
    s.architect_projects[:] = NONE
    shuffle_pile(s, pile, pieces.NUM_PROJECTS)
    for p in range(s.num_players):
        s.project[p] = pile[p]
    if s.num_players == 1:
        for i in range(pieces.ARCHITECT_PROJECTS[s.architect]):
            s.architect_projects[i] = pile[1 + i]


@kernel
def deal_scarabs(s, pile):
    s.scarab[:] = NO_SCARAB
    s.scarab_options[:, :] = NO_SCARAB
    if s.num_players > 1:
        shuffle_pile(s, pile, pieces.NUM_SCARABS)
        for p in range(s.num_players):
            s.scarab_options[p][0] = pile[2 * p]
            s.scarab_options[p][1] = pile[2 * p + 1]


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    s.open_spaces = spaces_open_now(s)
    count_pairs(s)
    for p in range(SEATS):
        count_gods(s, p)


# --- The phases: the most frequent first --------------------------------------------------------------------------------------

PHASE_TABLE = PhaseTable(
    state.PHASES,
    ACTIONS,
    Phase(
        state.USE,
        work.legal_use,
        work.do_use,
        ("reroll", "cat", "build", "worship", "replace", "copy", "fame", "use", "virtual", "end"),
        work.check_use,
    ),
    Phase(TURN, rest_tiles.legal_turn, rest_tiles.do_turn, ("work", "rest", "hapy", "bes"), rest_tiles.check_turn),
    Phase(state.CHOOSE_REROLL, dice.legal_reroll, dice.do_reroll, ("roll", "die"), dice.check_reroll),
    Phase(state.PAY_DIE, payment.legal_pay_die, payment.do_pay_die, "die", payment.check_pay_die),
    Phase(state.PAY_UNIT, payment.legal_pay_unit, payment.do_pay_unit, "pay", payment.check_pay_unit),
    Phase(state.PICK, resources.legal_pick, resources.do_pick, "gain", resources.check_pick),
    Phase(state.LOSE_ONE, resources.legal_lose, resources.do_lose, "lose", resources.check_lose),
    Phase(state.CHOOSE_DICE, dice.legal_dice, dice.do_dice, "dice", dice.check_dice),
    Phase(state.BUILD_AT, building.legal_at, building.do_at, "at", building.check_at),
    Phase(state.CHOOSE_COST, building.legal_cost, building.do_cost, "cost", building.check_cost),
    Phase(state.CHANGE_FROM, dice.legal_from, dice.do_from, "die", dice.check_from),
    Phase(state.CHANGE_TO, dice.legal_to, dice.do_to, "to", dice.check_to),
    Phase(state.DROP_GOD, gods.legal_drop, gods.do_drop, "drop", gods.check_drop),
    Phase(state.REST_TURN, rest_tiles.legal_rest, rest_tiles.do_rest, ("rest", "hapy"), rest_tiles.check_rest),
    Phase(state.FREE_GOD, rest_tiles.legal_free_god, rest_tiles.do_free_god, "free", rest_tiles.check_free_god),
    Phase(state.ANSWER_PEARL, scarabs.legal_pearl, scarabs.do_pearl, "pearl", scarabs.check_pearl),
    Phase(state.PLACE_TILE, rest_tiles.legal_slot, rest_tiles.do_slot, "slot", rest_tiles.check_slot),
    Phase(state.CHOOSE_SCARAB, scarabs.legal_scarab, scarabs.do_scarab, "keep", scarabs.check_scarab),
)
decide = PHASE_TABLE.do  # the immediate effect of an action; it returns what follows


@kernel
def step(s, action):
    """Do one legal action and all that follows from it without a decision, in the order of a turn."""
    open_spaces = s.open_spaces
    then = decide(s, action)
    if then == state.SETTLE:
        then = payment.settle(s)
    if then == state.CARRY_OUT:
        then = work.carry_out(s)
    if then == state.RUN_QUEUE:
        then = resources.run_queue(s)
    if then == state.START_WORK:
        then = dice.start_work(s)
    if then == state.END_WORK:
        then = work.end_work(s)
    if then == state.REST_STEP_3:
        then = rest_tiles.rest_step_3(s)
    if then == state.ROW_DISCARD:
        row_discard(s)
        then = END_TURN
    while then == END_TURN:
        end_turn(s)
        architect_plays = s.num_players == 1 and s.turn_player == ARCHITECT_SEAT and not s.over
        then = architect_turn(s) if architect_plays else STAY
    if s.open_spaces != open_spaces:  # a die was built
        count_pairs(s)


# --- The end of a turn and of the game ---------------------------------------------------------------------------------------


@kernel
def end_turn(s):
    """The first to finish a turn with no Stone dice or no Gods left takes the Pharaoh tile and has one more turn (R57, R58)."""
    t = s.turn_player
    s.turns += 1
    s.current_player = min(t, s.num_players - 1)  # the Architect decides nothing
    if s.pharaoh == t:
        end_game(s)
        return
    if s.pharaoh == NONE and (s.supply[STONE] == 0 or cards_left(s) == 0):
        s.pharaoh = t
    if s.turns >= pieces.TURNS_PER_SEAT * s.num_seats:
        s.truncated = 1
        end_game(s)
        return
    s.turn_player = (t + 1) % s.num_seats
    s.current_player = s.turn_player
    s.phase = TURN


@kernel
def turn_of(s):
    return np.int64(s.turns)


@kernel
def round_of(s):
    return np.int64(s.turns // s.num_seats)


@kernel
def end_game(s):
    s.phase = state.END
    s.over = 1
