"""The course of a game: for each phase what is legal and what it does, in the order of a round."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from ..core.rng import below, shuffle
from .actions import DROP, GOD, LAY, OBE, PASS, PYR, TAKE
from .components import (
    ALLOWS_OBELISK,
    ALLOWS_TOMB,
    BASE,
    FIRST_UPPER_LOCATION,
    GLYPH,
    LARGE_TABLE,
    LEFT_END,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_LOCATIONS,
    NUM_ROUNDS,
    NUM_SLOTS,
    NUM_TILES,
    OBELISK,
    OPEN_LOCATIONS,
    PYRAMID,
    RIGHT_END,
    SEKHMET,
    SHOWS,
    STONES,
    TOMB,
)
from .knowledge import card_revealed, card_shown, count_unseen, nothing_seen, pair_taken, tomb_laid, tombs_revealed
from .scoring import group_at, largest_group_of, public_points, write_score_sheet
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
    NOTHING,
    SEATS,
    TAKE_PAIR,
)

# --- Setup -------------------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    clear_table(s)
    for card in range(NUM_CARDS):
        s.deck[card] = card
    shuffle(s, s.deck, 0, NUM_CARDS)
    if s.num_players == 2:
        s.removed_tile = below(s, NUM_TILES - 1)
    deal(s)


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
    nothing_seen(s)


@kernel
def deal(s):
    for p in range(s.num_players):
        s.initial_card[p] = draw_card(s)
        s.hand[p][0] = s.initial_card[p]
        s.hand_size[p] = 1
    start_round(s)


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
        card_revealed(s, a)
        card_revealed(s, b)
    s.tile_owner[:] = NOTHING
    s.gods_chosen = 0
    s.phase = CHOOSE_GOD
    s.current_player = s.first_player


# --- Choose a God tile -------------------------------------------------------------------------------------------------------


@inlined
def legal_god(s, mask):
    count = 0
    for tile in range(NUM_TILES):
        if in_play(s, tile) and s.tile_owner[tile] == NOTHING:
            mask[GOD + tile] = 1
            count += 1
    return count


@inlined
def in_play(s, tile):
    if tile == s.removed_tile:
        return False
    return tile < NUM_TILES - 1 or s.num_players >= LARGE_TABLE


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


# --- Take a pair of cards ----------------------------------------------------------------------------------------------------


@inlined
def legal_pair(s, mask):
    count = 0
    for pair in range(s.num_players):
        if s.quarry[pair][0] != NOTHING:
            mask[TAKE + pair] = 1
            count += 1
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


# --- Build the Pyramid (mandatory, R39) --------------------------------------------------------------------------------------


@inlined
def legal_pyramid(s, mask):
    p = s.current_player
    open_locations = OPEN_LOCATIONS[s.filled_slots[p]]
    count = 0
    for location in range(NUM_LOCATIONS):
        if open_locations >> location & 1:
            for h in range(s.hand_size[p]):
                mask[PYR + NUM_LOCATIONS * h + location] = 1
            count += s.hand_size[p]
    return count


@kernel
def do_pyramid(s, choice):
    p = s.current_player
    card = take_from_hand(s, p, choice // NUM_LOCATIONS)
    place(s, p, card, choice % NUM_LOCATIONS)
    s.public_points[p] = public_points(s, p)
    card_shown(s, p, card, IN_PYRAMID + p)
    continue_building(s, BUILD_PYRAMID)


@inlined
def place(s, p, card, location):
    slots = s.pyramid[p]
    if location == LEFT_END:
        shift_right(slots)
        slot = 0
    elif location == RIGHT_END:
        slot = base_cards(slots)
    else:
        slot = location - FIRST_UPPER_LOCATION + BASE
    slots[slot] = card
    s.pyramid_size[p] += 1
    s.filled_slots[p] = filled(slots)
    s.glyphs[p][PYRAMID] += GLYPH[card] == PYRAMID
    for colour in range(NUM_COLOURS):
        if STONES[card, colour]:
            s.largest_group[p][colour] = max(s.largest_group[p][colour], group_at(slots, slot, colour))


@inlined
def base_cards(slots):
    count = 0
    while count < BASE and slots[count] != NOTHING:
        count += 1
    return count


@inlined
def filled(slots):
    bits = 0
    for slot in range(NUM_SLOTS):
        bits |= (slots[slot] != NOTHING) << slot
    return bits


@inlined
def shift_right(slots):
    """Slots are counted from the leftmost base card (R10): a card at the left end moves all others one slot on."""
    slots[3], slots[2], slots[1], slots[0] = slots[2], slots[1], slots[0], NOTHING
    slots[6], slots[5], slots[4] = slots[5], slots[4], NOTHING
    slots[8], slots[7] = slots[7], NOTHING


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
def do_obelisk(s, h):
    p = s.current_player
    card = take_from_hand(s, p, h)
    s.obelisk[p][s.obelisk_size[p]] = card
    s.obelisk_size[p] += 1
    s.built_obelisk = 1
    s.glyphs[p][OBELISK] += GLYPH[card] == OBELISK
    for colour in range(NUM_COLOURS):
        s.obelisk_colours[p][colour] += SHOWS[card, colour]
    s.public_points[p] = public_points(s, p)
    card_shown(s, p, card, IN_OBELISK + p)
    continue_building(s, BUILD_OBELISK)


# --- Build the Tomb (optional) -----------------------------------------------------------------------------------------------


@inlined
def legal_tomb(s, mask):
    for h in range(s.hand_size[s.current_player]):
        mask[LAY + h] = 1
    mask[PASS] = 1
    return s.hand_size[s.current_player] + 1


@kernel
def do_tomb(s, h):
    p = s.current_player
    cards_before = s.hand_size[p]
    card = take_from_hand(s, p, h)
    insert(s.tomb[p], s.tomb_size[p], card)
    s.tomb_size[p] += 1
    s.glyphs[p][TOMB] += GLYPH[card] == TOMB
    for colour in range(NUM_COLOURS):
        s.tomb_stones[p][colour] += STONES[card, colour]
    tomb_laid(s, p, cards_before)
    continue_building(s, BUILD_TOMB)


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
    if s.num_players == 2:
        s.removed_tile = (s.removed_tile + 1) % (NUM_TILES - 1)
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


# --- End of the game ---------------------------------------------------------------------------------------------------------


@kernel
def finish(s):
    for p in range(s.num_players):
        while s.hand_size[p] > 0:
            card_shown(s, p, take_from_hand(s, p, 0), DISCARDED)
    tombs_revealed(s)
    write_score_sheet(s)
    s.phase = END
    s.current_player = -1
    s.over = 1


# --- The whole ---------------------------------------------------------------------------------------------------------------


@kernel
def legal(s, mask):
    """Mark the legal actions in a cleared mask; return how many there are."""
    if s.phase == CHOOSE_GOD:
        return legal_god(s, mask)
    if s.phase == TAKE_PAIR:
        return legal_pair(s, mask)
    if s.phase == BUILD_PYRAMID:
        return legal_pyramid(s, mask)
    if s.phase == BUILD_OBELISK:
        return legal_obelisk(s, mask)
    if s.phase == BUILD_TOMB:
        return legal_tomb(s, mask)
    if s.phase == DISCARD:
        return legal_discard(s, mask)
    return 0


@kernel
def step(s, action):
    """Do one legal action."""
    if s.phase == CHOOSE_GOD:
        do_god(s, action - GOD)
    elif s.phase == TAKE_PAIR:
        do_pair(s, action - TAKE)
    elif s.phase == BUILD_PYRAMID:
        do_pyramid(s, action - PYR)
    elif action == PASS:
        continue_building(s, s.phase)
    elif s.phase == BUILD_OBELISK:
        do_obelisk(s, action - OBE)
    elif s.phase == BUILD_TOMB:
        do_tomb(s, action - LAY)
    else:
        do_discard(s, action - DROP)


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    for p in range(SEATS):
        s.filled_slots[p] = filled(s.pyramid[p])
        for colour in range(NUM_COLOURS):
            s.largest_group[p][colour] = largest_group_of(s.pyramid[p], colour)
            s.obelisk_colours[p][colour] = count_in(s.obelisk[p], SHOWS, colour)
            s.tomb_stones[p][colour] = count_in(s.tomb[p], STONES, colour)
        s.glyphs[p][PYRAMID] = count_glyphs(s.pyramid[p], PYRAMID)
        s.glyphs[p][OBELISK] = count_glyphs(s.obelisk[p], OBELISK)
        s.glyphs[p][TOMB] = count_glyphs(s.tomb[p], TOMB)
        s.public_points[p] = public_points(s, p)
    count_unseen(s)


@kernel
def count_in(cards, table, colour):
    total = 0
    for card in cards:
        if card != NOTHING:
            total += table[card, colour]
    return total


@kernel
def count_glyphs(cards, glyph):
    total = 0
    for card in cards:
        if card != NOTHING:
            total += GLYPH[card] == glyph
    return total
