"""The course of a game: for each phase what is legal, what it does and what a position in it holds, in the order of a round."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings, Phase, PhaseTable
from ..core.kernel.jit import inlined, kernel
from ..core.kernel.masks import MARKS_OF_BYTE, mark_eight
from ..core.kernel.rng import below, shuffle
from ..core.kernel.words import count_ones
from .actions import ACTIONS, DROP, GOD, LAY, OBE, PASS, PYR, TAKE
from .components import (
    ALLOWS_OBELISK,
    ALLOWS_TOMB,
    BASE,
    FIRST_UPPER_LOCATION,
    LARGE_TABLE,
    LEFT_END,
    NUM_CARDS,
    NUM_LOCATIONS,
    NUM_ROUNDS,
    NUM_TILES,
    OPEN_LOCATIONS,
    RIGHT_END,
    SEKHMET,
    SMALL_TABLE,
    THOTH,
    TILES,
)
from .knowledge import card_shown, count_knowledge, pair_taken, tomb_laid, tombs_revealed
from .reading import allowed_builds, cuts_done, where
from .state import (
    BUILD_OBELISK,
    BUILD_PYRAMID,
    BUILD_TOMB,
    CHOOSE_GOD,
    DISCARD,
    DISCARDED,
    END,
    HAND_SIZE,
    IN_OBELISK,
    IN_PYRAMID,
    IN_QUARRY,
    NOTHING,
    PHASES,
    SEATS,
    TAKE_PAIR,
)
from .upkeep import count_edifices, obelisk_grew, pyramid_grew, tomb_grew

# --- Setup -------------------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    clear_table(s)
    for card in range(NUM_CARDS):
        s.deck[card] = card
    shuffle(s, s.deck, 0, NUM_CARDS)
    if s.num_players == SMALL_TABLE:
        s.removed_tile = below(s, THOTH)
    deal(s)
    start_round(s)


@kernel
def clear_table(s):
    s.removed_tile = NOTHING
    s.tile = NOTHING
    s.tile_owner[:] = NOTHING
    s.quarry[:, :] = NOTHING
    s.hand[:, :] = NOTHING
    s.pyramid[:, :] = NOTHING
    s.obelisk[:, :] = NOTHING
    s.tomb[:, :] = NOTHING
    s.initial_card[:] = NOTHING


@kernel
def deal(s):
    for p in range(s.num_players):
        s.initial_card[p] = draw_card(s)
        s.hand[p][0] = s.initial_card[p]
        s.hand_size[p] = 1


@kernel
def draw_card(s):
    card = s.deck[s.deck_position]
    s.deck[s.deck_position] = NOTHING
    s.deck_position += 1
    return card


@kernel
def start_round(s):
    s.round += 1
    for pair in range(s.num_players):
        a, b = draw_card(s), draw_card(s)
        s.quarry[pair][0], s.quarry[pair][1] = min(a, b), max(a, b)
        s.public_place[a] = s.public_place[b] = IN_QUARRY
    s.tile_owner[:] = NOTHING
    s.gods_chosen = 0
    s.phase = CHOOSE_GOD
    s.current_player = s.first_player


# --- Choose a God tile -------------------------------------------------------------------------------------------------------


@inlined
def legal_god(s, mask):
    count = 0
    for tile in range(NUM_TILES):
        free = in_play(s, tile) & (s.tile_owner[tile] == NOTHING)
        mask[GOD + tile] = free
        count += free
    return count


@inlined
def in_play(s, tile):
    return (tile != s.removed_tile) & ((tile != THOTH) | (s.num_players >= LARGE_TABLE))


@kernel
def do_god(s, tile):
    s.tile_owner[tile] = s.current_player
    s.gods_chosen += 1
    if s.gods_chosen < s.num_players:
        s.current_player = (s.first_player + s.gods_chosen) % s.num_players
    else:
        begin_next_turn(s, 0)


@kernel
def begin_next_turn(s, first_tile):
    """The owner of the lowest tile from `first_tile` on takes a turn (R21); after the last one the round ends."""
    s.built_obelisk = 0
    for tile in range(first_tile, NUM_TILES):
        if s.tile_owner[tile] != NOTHING:
            s.tile = tile
            s.current_player = s.tile_owner[tile]
            s.phase = TAKE_PAIR
            return
    s.tile = NOTHING
    if s.round == NUM_ROUNDS:
        finish(s)
    else:
        cut_next_hand(s)


def check_god(s: np.void) -> Findings:
    next_to_choose = (s["first_player"] + s["gods_chosen"]) % s["num_players"]
    if s["current_player"] != next_to_choose:
        yield "current_player", f"seat {s['current_player']}, but seat {next_to_choose} is the next to choose a tile"


# --- Take a pair of cards ----------------------------------------------------------------------------------------------------


@inlined
def legal_pair(s, mask):
    count = 0
    for pair in range(s.num_players):
        there = s.quarry[pair][0] != NOTHING
        mask[TAKE + pair] = there
        count += there
    return count


@kernel
def do_pair(s, pair):
    p = s.current_player
    for i in range(2):
        card = s.quarry[pair][i]
        s.quarry[pair][i] = NOTHING
        insert(s.hand[p], s.hand_size[p], card)
        s.hand_size[p] += 1
        pair_taken(s, p, card)
    s.phase = BUILD_PYRAMID


@inlined
def insert(cards, size, card):
    """Put a card into its place among `size` ascending ones."""
    i = size
    while i > 0 and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card


@kernel
def take_from_hand(s, p, h):
    card = s.hand[p][h]
    for i in range(h, HAND_SIZE - 1):
        s.hand[p][i] = s.hand[p][i + 1]
    s.hand[p][HAND_SIZE - 1] = NOTHING
    s.hand_size[p] -= 1
    return card


def check_pair(s: np.void) -> Findings:
    yield from check_hand(s, 0, 1)


def check_hand(s: np.void, fewest: int, most: int) -> Findings:
    held = s["hand_size"][s["current_player"]]
    if not fewest <= held <= most:
        yield "hand_size", f"{held} for seat {s['current_player']} {where(s)}"


# --- Build the Pyramid (mandatory, R39) --------------------------------------------------------------------------------------


@inlined
def legal_pyramid(s, mask):
    """Every card in hand fits into all locations that are open; there are eight."""
    p = s.current_player
    open_locations = OPEN_LOCATIONS[s.filled_slots[p]]
    for h in range(s.hand_size[p]):
        mark_eight(mask, PYR + NUM_LOCATIONS * h, MARKS_OF_BYTE[open_locations])
    return s.hand_size[p] * count_ones(np.uint64(open_locations))


@kernel
def do_pyramid(s, choice):
    p = s.current_player
    card = take_from_hand(s, p, choice // NUM_LOCATIONS)
    slot = lay(s.pyramid[p], card, choice % NUM_LOCATIONS)
    s.pyramid_size[p] += 1
    pyramid_grew(s, p, slot)
    card_shown(s, p, card, IN_PYRAMID + p)
    continue_building(s, BUILD_PYRAMID)


@inlined
def lay(slots, card, location):
    """Put a card into a Pyramid; return its slot."""
    if location == LEFT_END:
        shift_right(slots)
    slot = slot_of(slots, location)
    slots[slot] = card
    return slot


@inlined
def slot_of(slots, location):
    """Slots are counted from the leftmost base card (R10)."""
    if location == LEFT_END:
        return 0
    if location == RIGHT_END:
        return base_cards(slots)
    return location - FIRST_UPPER_LOCATION + BASE


@inlined
def base_cards(slots):
    count = 0
    while count < BASE and slots[count] != NOTHING:
        count += 1
    return count


@inlined
def shift_right(slots):
    """A card at the left end moves all others one slot on."""
    slots[3], slots[2], slots[1], slots[0] = slots[2], slots[1], slots[0], NOTHING
    slots[6], slots[5], slots[4] = slots[5], slots[4], NOTHING
    slots[8], slots[7] = slots[7], NOTHING


def check_pyramid(s: np.void) -> Findings:
    yield from check_hand(s, 2, HAND_SIZE)


@kernel
def continue_building(s, built):
    """The next edifice that the tile allows and the hand can serve: Obelisk, then Tomb (R11, R14)."""
    p, tile = s.current_player, s.tile
    if s.hand_size[p] >= 1:
        if built == BUILD_PYRAMID and ALLOWS_OBELISK[tile]:
            s.phase = BUILD_OBELISK
            return
        if built != BUILD_TOMB and ALLOWS_TOMB[tile] and not (s.built_obelisk and one_edifice_only(s, tile)):
            s.phase = BUILD_TOMB
            return
    begin_next_turn(s, tile + 1)


@kernel
def one_edifice_only(s, tile):
    """At a large table Sekhmet allows Obelisk or Tomb, not both (R13)."""
    return tile == SEKHMET and s.num_players >= LARGE_TABLE


# --- Build the Obelisk (optional) --------------------------------------------------------------------------------------------


@inlined
def legal_obelisk(s, mask):
    for h in range(s.hand_size[s.current_player]):
        mask[OBE + h] = 1
    mask[PASS] = 1
    return s.hand_size[s.current_player] + 1


@kernel
def do_obelisk(s, action):
    p = s.current_player
    if action != PASS:
        card = take_from_hand(s, p, action - OBE)
        s.obelisk[p][s.obelisk_size[p]] = card
        s.obelisk_size[p] += 1
        s.built_obelisk = 1
        obelisk_grew(s, p, card)
        card_shown(s, p, card, IN_OBELISK + p)
    continue_building(s, BUILD_OBELISK)


def check_obelisk(s: np.void) -> Findings:
    yield from check_hand(s, 1, 2)
    if not ALLOWS_OBELISK[s["tile"]]:
        yield "tile", f"{TILES[s['tile']]} allows no Obelisk card"


# --- Build the Tomb (optional) -----------------------------------------------------------------------------------------------


@inlined
def legal_tomb(s, mask):
    for h in range(s.hand_size[s.current_player]):
        mask[LAY + h] = 1
    mask[PASS] = 1
    return s.hand_size[s.current_player] + 1


@kernel
def do_tomb(s, action):
    p = s.current_player
    if action != PASS:
        card = take_from_hand(s, p, action - LAY)
        insert(s.tomb[p], s.tomb_size[p], card)
        s.tomb_size[p] += 1
        tomb_grew(s, p, card)
        tomb_laid(s, p, cards_before=s.hand_size[p] + 1)
    continue_building(s, BUILD_TOMB)


def check_tomb(s: np.void) -> Findings:
    yield from check_hand(s, 1, 1 if s["built_obelisk"] else 2)
    if (int(s["built_obelisk"]), 1) not in allowed_builds(int(s["tile"]), int(s["num_players"])):
        yield "tile", f"{TILES[s['tile']]} allows no Tomb card{' besides that on the Obelisk' * bool(s['built_obelisk'])}"


# --- End of the round: hands are cut to one card (R15) -----------------------------------------------------------------------


@kernel
def cut_next_hand(s):
    for i in range(s.num_players):
        p = (s.first_player + i) % s.num_players
        if s.hand_size[p] == 2:
            s.phase = DISCARD
            s.current_player = p
            return
    s.first_player = (s.first_player + 1) % s.num_players
    if s.num_players == SMALL_TABLE:
        s.removed_tile = (s.removed_tile + 1) % THOTH
    start_round(s)


@inlined
def legal_discard(s, mask):
    mask[DROP] = 1
    mask[DROP + 1] = 1
    return 2


@kernel
def do_discard(s, h):
    p = s.current_player
    card_shown(s, p, take_from_hand(s, p, h), DISCARDED)
    cut_next_hand(s)


def check_discard(s: np.void) -> Findings:
    yield from check_hand(s, 2, 2)
    if s["round"] == NUM_ROUNDS:
        yield "phase", f"nothing is chosen to be discarded in round {NUM_ROUNDS}"
    for p in cuts_done(s):
        if s["hand_size"][p] == 2:
            yield "current_player", f"seat {s['current_player']}, but seat {p} discards first"


# --- End of the game ---------------------------------------------------------------------------------------------------------


@kernel
def finish(s):
    for p in range(s.num_players):
        while s.hand_size[p] > 0:
            card_shown(s, p, take_from_hand(s, p, 0), DISCARDED)
    tombs_revealed(s)
    s.phase = END
    s.current_player = -1
    s.over = 1


# --- The whole ---------------------------------------------------------------------------------------------------------------

PHASE_TABLE = PhaseTable(
    PHASES,
    ACTIONS,
    Phase(CHOOSE_GOD, legal_god, do_god, "god", check_god),
    Phase(BUILD_PYRAMID, legal_pyramid, do_pyramid, "pyr", check_pyramid),
    Phase(TAKE_PAIR, legal_pair, do_pair, "take", check_pair),
    Phase(BUILD_OBELISK, legal_obelisk, do_obelisk, ("obe", "pass"), check_obelisk),
    Phase(BUILD_TOMB, legal_tomb, do_tomb, ("tomb", "pass"), check_tomb),
    Phase(DISCARD, legal_discard, do_discard, "drop", check_discard),
)


@kernel
def turn_of(s):
    """The turns finished so far, in the whole game."""
    if s.phase == CHOOSE_GOD:
        return (s.round - 1) * s.num_players
    turns = s.round * s.num_players
    for tile in range(NUM_TILES):  # without a tile being executed all turns of the round are over
        turns -= tile >= s.tile and s.tile_owner[tile] != NOTHING
    return turns


@kernel
def round_of(s):
    """The rounds finished so far."""
    return s.round - 1 + s.over


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    for p in range(SEATS):
        count_edifices(s, p)
        count_knowledge(s, p)
