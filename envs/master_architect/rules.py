"""The course of a game: for each phase what is legal and what it does, in the order of a turn."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from ..core.rng import shuffle
from .actions import CARD, COLLECT, DONE, LARGE, LIFT, SMALL, SWAP, TAKE
from .components import (
    ALL_LARGE,
    ALL_SMALL,
    DISPLAY,
    FULL_BAG,
    NOTHING,
    NUM_CARDS,
    NUM_HELD,
    NUM_LARGE,
    NUM_LARGE_SPACES,
    NUM_SMALL,
    NUM_SMALL_SPACES,
    NUM_TYPES,
    ORIENTATIONS,
    OVERSEER,
    OVERSEER_STONES,
    PAIR_PARTNER,
    ROW,
    STOCK_KIND,
    STONEMASON,
    SURVEYOR,
    SURVEYOR_LIFTS,
    TURNS,
    VIZIER,
)
from .pyramid import count_large, count_small, recount
from .scoring import owns, write_winners
from .state import (
    LIFT_SMALL,
    OVER,
    PLACE_LARGE,
    PLACE_SMALL,
    SEATS,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE_CARD,
    TAKE_STONE,
)

# --- Setup -------------------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    clear_table(s)
    for i in range(NUM_LARGE):
        s.large_deck[i] = i
    for i in range(NUM_SMALL):
        s.bag[i] = FULL_BAG[i]
    for i in range(NUM_CARDS):
        s.card_deck[i] = i
    shuffle(s, s.large_deck, 0, NUM_LARGE)
    shuffle(s, s.bag, 0, NUM_SMALL)
    shuffle(s, s.card_deck, 0, NUM_CARDS)
    count_stocks(s)
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


@kernel
def count_stocks(s):
    """The composition of what is still to come is public; only its order is hidden."""
    s.unseen_large[:] = 0
    s.unseen_small[:] = 0
    for i in range(s.large_drawn, NUM_LARGE):
        s.unseen_large[STOCK_KIND[s.large_deck[i]]] += 1
    for i in range(s.small_drawn, NUM_SMALL):
        s.unseen_small[s.bag[i]] += 1
    s.unseen_cards = 0
    for i in range(s.cards_drawn, NUM_CARDS):
        s.unseen_cards |= 1 << s.card_deck[i]


@kernel
def draw_large(s):
    stone = s.large_deck[s.large_drawn]
    s.large_drawn += 1
    s.unseen_large[STOCK_KIND[stone]] -= 1
    return stone


@kernel
def draw_small(s):
    stone = s.bag[s.small_drawn]
    s.small_drawn += 1
    s.unseen_small[stone] -= 1
    return stone


@kernel
def draw_card(s):
    card = s.card_deck[s.cards_drawn]
    s.cards_drawn += 1
    s.unseen_cards ^= 1 << card
    return card


# --- Take a large stone ------------------------------------------------------------------------------------------------------


@inlined
def legal_take(mask):
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


# --- Take a card for a completed pair, before the small stones (R15) ----------------------------------------------------------


@inlined
def legal_card(mask):
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
    for i in range(NUM_HELD):
        if s.cards[p][i] == NOTHING:
            s.cards[p][i] = card
            return


# --- Stonemason: exchange two large stones (R35) -----------------------------------------------------------------------------


@inlined
def legal_swap(s, mask):
    """Any stone of the pyramid; for the second one not the first again, and no way back."""
    count = 0
    for space in range(NUM_LARGE_SPACES):
        if s.filled_large[s.current_player] >> space & 1 and space != s.swap_first:
            mask[SWAP + space] = 1
            count += 1
    if s.phase == SWAP_FIRST:
        mask[DONE] = 1
        count += 1
    return count


@kernel
def do_swap_first(s, space):
    s.swap_first = space
    s.phase = SWAP_SECOND


@kernel
def do_swap_second(s, space):
    exchange(s, s.current_player, s.swap_first, space)
    s.swap_first = NOTHING
    s.phase = PLACE_SMALL


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
def do_lift(s, space):
    p = s.current_player
    s.pending[s.small_stone[p][space]] += 1
    lift(s, p, space)
    s.lifts_left -= 1
    if s.lifts_left == 0 or s.filled_small[p] == 0:
        s.phase = PLACE_SMALL


@kernel
def lift(s, p, space):
    s.small_stone[p][space] = NOTHING
    recount(s, p)


@kernel
def do_done(s):
    if s.phase == LIFT_SMALL:  # a Stonemason leaves the lifts alone that a Surveyor could not use for want of stones
        s.lifts_left = 0
    s.phase = PLACE_SMALL


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
def do_small(s, space):
    p, stone = s.current_player, current_small(s)
    s.pending[stone] -= 1
    if space < NUM_SMALL_SPACES:
        lay_small(s, p, stone, space)
    else:
        collect(s, p, stone, 1)


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
    s.collected[p] += count


@kernel
def all_placed(s):
    """Whether no small stone is left to choose for; with no empty space all go to the Collection (R26)."""
    if s.filled_small[s.current_player] == ALL_SMALL:
        for stone in range(NUM_TYPES):
            collect(s, s.current_player, stone, s.pending[stone])
            s.pending[stone] = 0
        return True
    return current_small(s) == NOTHING


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


@kernel
def legal(s, mask):
    """Mark the legal actions in a cleared mask; return how many there are."""
    if s.phase == TAKE_STONE:
        return legal_take(mask)
    if s.phase == PLACE_LARGE:
        return legal_large(s, mask)
    if s.phase == PLACE_SMALL:
        return legal_small(s, mask)
    if s.phase == TAKE_CARD:
        return legal_card(mask)
    if s.phase == LIFT_SMALL:
        return legal_lift(s, mask)
    if s.phase != OVER:
        return legal_swap(s, mask)
    return 0


@kernel
def step(s, action):
    """Do one legal action."""
    if s.phase == TAKE_STONE:
        do_take(s, action - TAKE)
    elif s.phase == PLACE_LARGE:
        do_large(s, action - LARGE)
    elif s.phase == PLACE_SMALL:
        do_small(s, action - SMALL)
    elif s.phase == TAKE_CARD:
        do_card(s, action - CARD)
    elif action == DONE:
        do_done(s)
    elif s.phase == SWAP_FIRST:
        do_swap_first(s, action - SWAP)
    elif s.phase == SWAP_SECOND:
        do_swap_second(s, action - SWAP)
    else:
        do_lift(s, action - LIFT)
    if s.phase == PLACE_SMALL and all_placed(s):
        end_turn(s)


@kernel
def determinize(s, player):
    """No player has secrets: only the order of the three stocks is unknown."""
    shuffle(s, s.large_deck, s.large_drawn, NUM_LARGE)
    shuffle(s, s.bag, s.small_drawn, NUM_SMALL)
    shuffle(s, s.card_deck, s.cards_drawn, NUM_CARDS)


@kernel
def derive(s):
    """Compute the derived fields of a position that was written by hand."""
    count_stocks(s)
    for p in range(SEATS):
        recount(s, p)
        s.owned[p] = s.collected[p] = 0
        for i in range(NUM_HELD):
            if s.cards[p][i] != NOTHING:
                s.owned[p] |= 1 << s.cards[p][i]
        for stone in range(NUM_TYPES):
            s.collected[p] += s.collection[p][stone]
