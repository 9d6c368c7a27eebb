"""What the table knows: the public bookkeeping of hands and Tombs (R24), and the worlds a player cannot tell apart.

Every card in a player's hand or Tomb is publicly known to be in hand (K), a candidate (F: exactly one of these is in hand, the
others are in the Tomb) or known to be in the Tomb (T). The initial card, as long as nobody has seen it, is a nameless member.
"""

from __future__ import annotations

from ..core.jit import kernel
from ..core.rng import below, shuffle
from .components import ALL_GLYPHS, ALL_STONES, GLYPH, NO_GLYPH, NUM_CARDS, NUM_COLOURS, STONES, TOMB
from .state import (
    CANDIDATE,
    IN_QUARRY,
    INITIAL_CANDIDATE,
    INITIAL_IN_HAND,
    INITIAL_IN_TOMB,
    INITIAL_SEEN,
    KNOWN_IN_HAND,
    KNOWN_IN_TOMB,
    NOTHING,
    UNSEEN,
)

# --- Bookkeeping -------------------------------------------------------------------------------------------------------------


@kernel
def nothing_seen(s):
    for colour in range(NUM_COLOURS):
        s.unseen_stones[colour] = ALL_STONES[colour]
    for glyph in range(NO_GLYPH):
        s.unseen_glyphs[glyph] = ALL_GLYPHS[glyph]


@kernel
def first_seen(s, card):
    for colour in range(NUM_COLOURS):
        s.unseen_stones[colour] -= STONES[card, colour]
    if GLYPH[card] != NO_GLYPH:
        s.unseen_glyphs[GLYPH[card]] -= 1


@kernel
def count_unseen(s):
    nothing_seen(s)
    for card in range(NUM_CARDS):
        if s.public_place[card] != UNSEEN:
            first_seen(s, card)


@kernel
def card_revealed(s, card):
    """A card comes from the deck into the quarry."""
    s.public_place[card] = IN_QUARRY
    first_seen(s, card)


@kernel
def pair_taken(s, p, card):
    s.public_place[card] = KNOWN_IN_HAND + p


@kernel
def card_shown(s, p, card, place):
    """A hand card becomes public. If it was a candidate, all other candidates must be in the Tomb."""
    nameless = card == s.initial_card[p] and s.initial_status[p] != INITIAL_SEEN
    was_candidate = s.initial_status[p] == INITIAL_CANDIDATE if nameless else s.public_place[card] == CANDIDATE + p
    s.public_place[card] = place
    if nameless:
        s.initial_status[p] = INITIAL_SEEN
        first_seen(s, card)
    if was_candidate:
        relabel(s, p, CANDIDATE, KNOWN_IN_TOMB)
        if s.initial_status[p] == INITIAL_CANDIDATE:
            s.initial_status[p] = INITIAL_IN_TOMB


@kernel
def tomb_laid(s, p, cards_before):
    """A card went face down: from a hand of one it is known which, from a hand of two any of them may be the one."""
    goes_to = KNOWN_IN_TOMB if cards_before == 1 else CANDIDATE
    relabel(s, p, KNOWN_IN_HAND, goes_to)
    relabel(s, p, CANDIDATE, goes_to)
    if s.initial_status[p] <= INITIAL_CANDIDATE:
        s.initial_status[p] = INITIAL_IN_TOMB if cards_before == 1 else INITIAL_CANDIDATE


@kernel
def tombs_revealed(s):
    for p in range(s.num_players):
        if s.initial_status[p] != INITIAL_SEEN:
            s.initial_status[p] = INITIAL_SEEN
            first_seen(s, s.initial_card[p])
        for i in range(s.tomb_size[p]):
            s.public_place[s.tomb[p][i]] = KNOWN_IN_TOMB + p


@kernel
def relabel(s, p, old, new):
    """Change the public place of all cards that player p holds or has buried."""
    for i in range(s.hand_size[p]):
        if s.public_place[s.hand[p][i]] == old + p:
            s.public_place[s.hand[p][i]] = new + p
    for i in range(s.tomb_size[p]):
        if s.public_place[s.tomb[p][i]] == old + p:
            s.public_place[s.tomb[p][i]] = new + p


# --- Worlds that look the same to one player ---------------------------------------------------------------------------------


@kernel
def determinize(s, player):
    """Resample what `player` cannot know: the deck, the others' unseen initial cards, and which candidate they hold."""
    pool = s.deck  # positions before deck_position are free, and the pool fills the rest exactly
    first = collect_unseen(s, player, pool)
    shuffle(s, pool, first, NUM_CARDS)
    for q in range(s.num_players):
        if q != player and s.initial_status[q] != INITIAL_SEEN:
            s.initial_card[q] = pool[first]
            pool[first] = NOTHING
            first += 1
    for q in range(s.num_players):
        if q != player:
            redeal(s, q)


@kernel
def collect_unseen(s, player, pool):
    """Write all cards that `player` has not seen to the end of the pool; return where they begin."""
    first = NUM_CARDS
    for card in range(NUM_CARDS):
        if s.public_place[card] == UNSEEN and card != s.initial_card[player]:
            first -= 1
            pool[first] = card
    return first


@kernel
def redeal(s, q):
    """Make hand and Tomb of q anew from what is publicly known, with a random candidate in hand."""
    candidates = 0
    for card in range(NUM_CARDS):
        candidates += status_of(s, q, card) == INITIAL_CANDIDATE
    held = below(s, candidates) if candidates else -1
    hand_size, tomb_size = 0, 0
    s.hand[q][:] = NOTHING
    s.tomb[q][:] = NOTHING
    s.tomb_stones[q][:] = 0
    s.glyphs[q][TOMB] = 0
    for card in range(NUM_CARDS):
        status = status_of(s, q, card)
        if status == INITIAL_SEEN:
            continue
        if status == INITIAL_CANDIDATE:
            held -= 1
        if status == INITIAL_IN_HAND or (status == INITIAL_CANDIDATE and held == -1):
            s.hand[q][hand_size] = card
            hand_size += 1
        else:
            s.tomb[q][tomb_size] = card
            tomb_size += 1
            s.glyphs[q][TOMB] += GLYPH[card] == TOMB
            for colour in range(NUM_COLOURS):
                s.tomb_stones[q][colour] += STONES[card, colour]


@kernel
def status_of(s, q, card):
    """In hand, candidate or in the Tomb of q, as the table knows it; INITIAL_SEEN when it is no card of q's."""
    if card == s.initial_card[q] and s.initial_status[q] != INITIAL_SEEN:
        return s.initial_status[q]
    place = s.public_place[card]
    if place == KNOWN_IN_HAND + q:
        return INITIAL_IN_HAND
    if place == CANDIDATE + q:
        return INITIAL_CANDIDATE
    if place == KNOWN_IN_TOMB + q:
        return INITIAL_IN_TOMB
    return INITIAL_SEEN
