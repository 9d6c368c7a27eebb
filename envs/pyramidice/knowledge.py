"""Worlds that look the same to one player: the deck, the others' Projects and the Scarabs nobody has shown."""

from __future__ import annotations

from ..core.jit import kernel
from ..core.rng import below, shuffle
from .components import NO_SCARAB, NUM_GODS, NUM_PROJECTS, NUM_SCARABS
from .state import UNSEEN


@kernel
def determinize(s, player):
    """Resample what `player` cannot know."""
    redeal_deck(s)
    redeal_projects(s, player)
    redeal_scarab_options(s, player)


@kernel
def redeal_deck(s):
    """Deck and box hold the unseen Gods in any order."""
    position = s.deck_position
    for god in range(NUM_GODS):
        if s.god_place[god] == UNSEEN:
            s.deck[position] = god
            position += 1
    shuffle(s, s.deck, s.deck_position, NUM_GODS)


@kernel
def redeal_projects(s, player):
    if s.num_players == 1 or s.over:  # at the scoring Projects are shown; the deck and rejected Scarabs never are
        return
    others = ((1 << NUM_PROJECTS) - 1) & ~(1 << s.project[player])
    for q in range(s.num_players):
        if q != player:
            s.project[q] = random_member(s, others)
            others &= ~(1 << s.project[q])


@kernel
def redeal_scarab_options(s, player):
    """Known are the player's own two and the Scarabs chosen so far, which stay where they are."""
    if s.num_players == 1:
        return
    others = (1 << NUM_SCARABS) - 1
    for q in range(s.num_players):
        if s.scarab[q] != NO_SCARAB:
            others &= ~(1 << s.scarab[q])
    for i in range(2):
        others &= ~(1 << s.scarab_options[player][i])
    for q in range(s.num_players):
        for i in range(2):
            if q != player and s.scarab_options[q][i] != s.scarab[q]:
                s.scarab_options[q][i] = random_member(s, others)
                others &= ~(1 << s.scarab_options[q][i])


@kernel
def random_member(s, members):
    """A uniformly drawn member of a set of bits."""
    size = 0
    i = 0
    while members >> i != 0:
        size += members >> i & 1
        i += 1
    skip = below(s, size)
    i = 0
    while not (members >> i & 1 and skip == 0):
        skip -= members >> i & 1
        i += 1
    return i
