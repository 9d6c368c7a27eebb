"""What the table knows: the public bookkeeping of hands and Tombs (R24), and the worlds a player cannot tell apart.

Every card in a player's hand or Tomb is publicly known to be in hand (K), a candidate (F: exactly one of these is in hand, the
others are in the Tomb) or known to be in the Tomb (T). The initial card, as long as nobody has seen it, is a nameless member.
"""

from __future__ import annotations

from ..core.kernel.jit import inlined, kernel
from ..core.kernel.rng import below, shuffle
from ..core.kernel.seats import after
from .components import MARKS, NUM_CARDS, NUM_MARKS
from .state import (
    CANDIDATE,
    INITIAL_CANDIDATE,
    INITIAL_IN_HAND,
    INITIAL_IN_TOMB,
    INITIAL_SEEN,
    KNOWN_IN_HAND,
    KNOWN_IN_TOMB,
    NOTHING,
    UNSEEN,
)
from .upkeep import add_marks, tomb_grew

# --- Bookkeeping -------------------------------------------------------------------------------------------------------------


@kernel
def pair_taken(s, p, card):
    s.public_place[card] = KNOWN_IN_HAND + p
    add_marks(s.sure_hand[p], card)


@kernel
def card_shown(s, p, card, place):
    """A hand card becomes public. If it was a candidate, all other candidates must be in the Tomb."""
    nameless = card == s.initial_card[p] and s.initial_status[p] != INITIAL_SEEN
    was_candidate = s.initial_status[p] == INITIAL_CANDIDATE if nameless else s.public_place[card] == CANDIDATE + p
    s.public_place[card] = place
    if nameless:
        s.initial_status[p] = INITIAL_SEEN
    elif was_candidate:
        take_marks(s.candidate_marks[p], card)
    else:
        take_marks(s.sure_hand[p], card)
    if was_candidate:
        candidates_are_buried(s, p)


@inlined
def take_marks(marks, card):
    for mark in range(NUM_MARKS):
        marks[mark] -= MARKS[card, mark]


@kernel
def candidates_are_buried(s, p):
    """What is left of the candidates is known to be in the Tomb."""
    relabel(s, p, CANDIDATE, KNOWN_IN_TOMB)
    move_marks(s.candidate_marks[p], s.sure_tomb[p])
    s.candidates[p] = 0
    if s.initial_status[p] == INITIAL_CANDIDATE:
        s.initial_status[p] = INITIAL_IN_TOMB


@inlined
def move_marks(source, target):
    for mark in range(NUM_MARKS):
        target[mark] += source[mark]
        source[mark] = 0


@kernel
def tomb_laid(s, p, cards_before):
    """A card went face down. From a hand of two any card may be the one: the whole hand joins the candidates.

    From a hand of one it is known which: there is no card left that could be in hand instead.
    """
    relabel(s, p, KNOWN_IN_HAND, CANDIDATE)
    move_marks(s.sure_hand[p], s.candidate_marks[p])
    s.candidates[p] += cards_before - (s.candidates[p] > 0)  # one of the hand's cards is a candidate already
    if s.initial_status[p] == INITIAL_IN_HAND:
        s.initial_status[p] = INITIAL_CANDIDATE
    if cards_before == 1:
        candidates_are_buried(s, p)


@kernel
def tombs_revealed(s):
    """All hands were shown, so only an initial card can still be unknown in a Tomb."""
    for p in range(s.num_players):
        if s.initial_status[p] != INITIAL_SEEN:
            s.initial_status[p] = INITIAL_SEEN
            s.public_place[s.initial_card[p]] = KNOWN_IN_TOMB + p
            add_marks(s.sure_tomb[p], s.initial_card[p])


@kernel
def relabel(s, p, old, new):
    """Change the public place of all cards that player p holds or has buried."""
    for i in range(s.hand_size[p]):
        if s.public_place[s.hand[p][i]] == old + p:
            s.public_place[s.hand[p][i]] = new + p
    for i in range(s.tomb_size[p]):
        if s.public_place[s.tomb[p][i]] == old + p:
            s.public_place[s.tomb[p][i]] = new + p


@kernel
def count_knowledge(s, p):
    """The sums over K, F and T anew, for a position that came from outside."""
    s.sure_hand[p][:] = 0
    s.candidate_marks[p][:] = 0
    s.sure_tomb[p][:] = 0
    s.candidates[p] = s.initial_status[p] == INITIAL_CANDIDATE
    for card in range(NUM_CARDS):
        place = s.public_place[card] - p
        if place == KNOWN_IN_HAND:
            add_marks(s.sure_hand[p], card)
        elif place == CANDIDATE:
            add_marks(s.candidate_marks[p], card)
            s.candidates[p] += 1
        elif place == KNOWN_IN_TOMB:
            add_marks(s.sure_tomb[p], card)


# --- Worlds that look the same to one player ---------------------------------------------------------------------------------


@kernel
def determinize(s, player):
    """Resample what `player` cannot know: the deck, the others' unseen initial cards, and which candidate they hold.

    Clockwise from the player: what is drawn does not depend on how seats are numbered.
    """
    pool = s.deck  # positions before deck_position are free, and the pool fills the rest exactly
    first = collect_unseen(s, player, pool)
    shuffle(s, pool, first, NUM_CARDS)
    q = after(player, s.num_players)
    while q != player:
        if s.initial_status[q] != INITIAL_SEEN:
            s.initial_card[q] = pool[first]
            pool[first] = NOTHING
            first += 1
        redeal(s, q)
        q = after(q, s.num_players)


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
    held = random_candidate(s, q)
    clear_hand_and_tomb(s, q)
    for card in range(NUM_CARDS):
        status = status_of(s, q, card)
        if status == INITIAL_IN_HAND or card == held:
            s.hand[q][s.hand_size[q]] = card
            s.hand_size[q] += 1
        elif status != INITIAL_SEEN:
            s.tomb[q][s.tomb_size[q]] = card
            s.tomb_size[q] += 1
            tomb_grew(s, q, card)


@kernel
def random_candidate(s, q):
    if s.candidates[q] == 0:
        return NOTHING
    skipped = below(s, s.candidates[q])
    card = 0
    while status_of(s, q, card) != INITIAL_CANDIDATE or skipped > 0:
        skipped -= status_of(s, q, card) == INITIAL_CANDIDATE
        card += 1
    return card


@kernel
def clear_hand_and_tomb(s, q):
    s.hand[q][:] = NOTHING
    s.tomb[q][:] = NOTHING
    s.tomb_marks[q][:] = 0
    s.hand_size[q] = 0
    s.tomb_size[q] = 0


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
