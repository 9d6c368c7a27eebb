"""The course of a game: setup, the phases, and what follows a decision. Each phase lives in the room of its subject."""

from __future__ import annotations

from ..core.jit import kernel
from ..core.rng import shuffle
from .actions import AT, DICE, DIE, DROP, FREE, GAIN, KEEP, LOSE, PAY, ROLL, SLOT, TO
from .building import do_at, do_cost, legal_at, legal_cost, spaces_open_now
from .cards import cards_left, count_gods, refill, row_discard
from .components import (
    ARCHITECT_PROJECTS,
    ARCHITECT_SEAT,
    CAT,
    GODS_REMOVED,
    NO_SCARAB,
    NUM_CATS,
    NUM_GODS,
    NUM_PRAYER_DICE,
    NUM_PROJECTS,
    NUM_RESOURCES,
    NUM_SCARABS,
    NUM_TILES,
    NUM_WORKERS,
    PRAYER,
    START_FAME,
    START_RESOURCES,
    STONE,
    STONE_DICE,
    TILES_IN_PLAY,
    TURNS_PER_SEAT,
    WORKER,
)
from .dice import (
    do_dice,
    do_from,
    do_roll,
    do_select,
    do_to,
    legal_dice,
    legal_from,
    legal_reroll,
    legal_to,
    start_work,
)
from .gods import do_drop, legal_drop
from .payment import do_pay_die, do_pay_unit, legal_pay_die, legal_pay_unit, settle
from .resources import do_lose, do_pick, legal_lose, legal_pick, run_queue
from .rest_tiles import do_free_god, do_rest, do_slot, do_turn, legal_free_god, legal_rest, legal_slot, legal_turn, rest_step_3
from .scarabs import do_pearl, do_scarab, legal_pearl, legal_scarab
from .scoring import count_pairs
from .solo import architect_turn
from .state import (
    ANSWER_PEARL,
    AVAILABLE,
    BUILD_AT,
    CARRY_OUT,
    CHANGE_FROM,
    CHANGE_TO,
    CHOOSE_COST,
    CHOOSE_DICE,
    CHOOSE_REROLL,
    CHOOSE_SCARAB,
    DISCARDED,
    DROP_GOD,
    END,
    END_TURN,
    END_WORK,
    FREE_GOD,
    IN_BOX,
    LOSE_ONE,
    NONE,
    OWNED,
    PAY_DIE,
    PAY_UNIT,
    PICK,
    PLACE_TILE,
    REST_STEP_3,
    REST_TURN,
    ROW_DISCARD,
    RUN_QUEUE,
    SEATS,
    SETTLE,
    START_WORK,
    STAY,
    TURN,
    USE,
)
from .work import carry_out, do_use, end_work, legal_use

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
    lay_out_tiles(s)
    deal_projects(s)
    deal_scarabs(s)
    s.phase = TURN if s.num_players == 1 else CHOOSE_SCARAB


@kernel
def hand_out_resources(s):
    s.supply[WORKER], s.supply[CAT], s.supply[STONE] = NUM_WORKERS, NUM_CATS, STONE_DICE[s.num_players]
    s.quarry[PRAYER] = NUM_PRAYER_DICE
    for p in range(s.num_players):
        for resource in range(NUM_RESOURCES):
            s.resources[p][resource] = START_RESOURCES[resource]
            s.supply[resource] -= START_RESOURCES[resource]
    for p in range(s.num_seats):
        s.fame[p] = START_FAME


@kernel
def lay_out_gods(s):
    for god in range(NUM_GODS):
        s.deck[god] = god
    shuffle(s, s.deck, 0, NUM_GODS)
    s.deck_end = NUM_GODS - GODS_REMOVED[s.num_players]
    s.row[:] = NONE
    refill(s)


@kernel
def shuffled(s, cards):
    """A shuffled pile of 0..cards-1. It borrows the field `used`, which play has not begun to need."""
    pile = s.used
    for i in range(cards):
        pile[i] = i
    shuffle(s, pile, 0, cards)
    return pile


@kernel
def lay_out_tiles(s):
    s.tile_place[:] = IN_BOX
    s.tile_slot[:] = NONE
    tiles = shuffled(s, NUM_TILES)
    for i in range(TILES_IN_PLAY[s.num_players]):
        s.tile_place[tiles[i]] = AVAILABLE
        if s.num_players == 1:
            s.tile_slot[tiles[i]] = i


@kernel
def deal_projects(s):
    s.project[:] = NONE
    s.architect_projects[:] = NONE
    projects = shuffled(s, NUM_PROJECTS)
    for p in range(s.num_players):
        s.project[p] = projects[p]
    if s.num_players == 1:
        for i in range(ARCHITECT_PROJECTS[s.architect]):
            s.architect_projects[i] = projects[1 + i]


@kernel
def deal_scarabs(s):
    s.scarab[:] = NO_SCARAB
    s.scarab_options[:, :] = NO_SCARAB
    if s.num_players > 1:
        scarabs = shuffled(s, NUM_SCARABS)
        for p in range(s.num_players):
            s.scarab_options[p][0] = scarabs[2 * p]
            s.scarab_options[p][1] = scarabs[2 * p + 1]
    s.used[:] = 0


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    s.open_spaces = spaces_open_now(s)
    count_pairs(s)
    s.gods[:] = 0
    s.discards = 0
    for god in range(NUM_GODS):
        s.discards |= (s.god_place[god] == DISCARDED) << god
        for p in range(SEATS):
            if s.god_place[god] == OWNED + p:
                s.gods[p] |= 1 << god
    for p in range(SEATS):
        count_gods(s, p)


# --- The phases --------------------------------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark the legal actions in a cleared mask; return how many there are."""
    phase = s.phase
    if phase == USE:
        return legal_use(s, mask)
    if phase == TURN:
        return legal_turn(s, mask)
    if phase == CHOOSE_REROLL:
        return legal_reroll(s, mask)
    if phase == PAY_DIE:
        return legal_pay_die(s, mask)
    if phase == PAY_UNIT:
        return legal_pay_unit(s, mask)
    if phase == PICK:
        return legal_pick(s, mask)
    if phase == LOSE_ONE:
        return legal_lose(s, mask)
    if phase == CHOOSE_DICE:
        return legal_dice(s, mask)
    if phase == BUILD_AT:
        return legal_at(s, mask)
    if phase == CHOOSE_COST:
        return legal_cost(s, mask)
    if phase == CHANGE_FROM:
        return legal_from(s, mask)
    if phase == CHANGE_TO:
        return legal_to(s, mask)
    if phase == DROP_GOD:
        return legal_drop(s, mask)
    if phase == REST_TURN:
        return legal_rest(s, mask)
    if phase == FREE_GOD:
        return legal_free_god(s, mask)
    if phase == ANSWER_PEARL:
        return legal_pearl(s, mask)
    if phase == PLACE_TILE:
        return legal_slot(s, mask)
    if phase == CHOOSE_SCARAB:
        return legal_scarab(s, mask)
    return 0


@kernel
def decide(s, action):
    """The immediate effect of an action; return what follows."""
    phase = s.phase
    if phase == USE:
        return do_use(s, action)
    if phase == TURN:
        return do_turn(s, action)
    if phase == CHOOSE_REROLL:
        return do_roll(s) if action == ROLL else do_select(s, action - DIE)
    if phase == PAY_DIE:
        return do_pay_die(s, action - DIE)
    if phase == PAY_UNIT:
        return do_pay_unit(s, action - PAY)
    if phase == PICK:
        return do_pick(s, action - GAIN)
    if phase == LOSE_ONE:
        return do_lose(s, action - LOSE)
    if phase == CHOOSE_DICE:
        return do_dice(s, action - DICE)
    if phase == BUILD_AT:
        return do_at(s, action - AT)
    if phase == CHOOSE_COST:
        return do_cost(s, action)
    if phase == CHANGE_FROM:
        return do_from(s, action - DIE)
    if phase == CHANGE_TO:
        return do_to(s, action - TO)
    if phase == DROP_GOD:
        return do_drop(s, action - DROP)
    if phase == REST_TURN:
        return do_rest(s, action)
    if phase == FREE_GOD:
        return do_free_god(s, action - FREE)
    if phase == ANSWER_PEARL:
        return do_pearl(s, action)
    if phase == PLACE_TILE:
        return do_slot(s, action - SLOT)
    return do_scarab(s, action - KEEP)


@kernel
def step(s, action):
    """Do one legal action and all that follows from it without a decision, in the order of a turn."""
    open_spaces = s.open_spaces
    then = decide(s, action)
    if then == SETTLE:
        then = settle(s)
    if then == CARRY_OUT:
        then = carry_out(s)
    if then == RUN_QUEUE:
        then = run_queue(s)
    if then == START_WORK:
        then = start_work(s)
    if then == END_WORK:
        then = end_work(s)
    if then == REST_STEP_3:
        then = rest_step_3(s)
    if then == ROW_DISCARD:
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
    if s.turns >= TURNS_PER_SEAT * s.num_seats:
        s.truncated = 1
        end_game(s)
        return
    s.turn_player = (t + 1) % s.num_seats
    s.current_player = s.turn_player
    s.phase = TURN


@kernel
def end_game(s):
    s.phase = END
    s.over = 1
