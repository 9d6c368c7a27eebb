"""Worlds that look the same to one player: the deck, the others' Projects and the Scarabs nobody has shown."""

from __future__ import annotations

from ..core.kernel.jit import kernel
from ..core.kernel.rng import below, shuffle
from ..core.kernel.seats import after
from .cards import unseen
from .components import NO_SCARAB, NUM_GODS, NUM_PROJECTS, NUM_SCARABS


@kernel
def determinize(s, player):
    """Resample what `player` cannot know. Others are served clockwise from the player: no seat differs from another."""
    redeal_deck(s)
    redeal_projects(s, player)
    redeal_scarab_options(s, player)


@kernel
def redeal_deck(s):
    """Deck and box hold the unseen Gods in any order."""
    position, gods = s.deck_position, unseen(s)
    for god in range(NUM_GODS):
        if gods >> god & 1:
            s.deck[position] = god
            position += 1
    shuffle(s, s.deck, s.deck_position, NUM_GODS)


@kernel
def redeal_projects(s, player):
    if s.num_players == 1 or s.over:  # at the scoring Projects are shown; the deck and rejected Scarabs never are
        return
    others = ((1 << NUM_PROJECTS) - 1) & ~(1 << s.project[player])
    q = player
    for _ in range(s.num_players - 1):
        q = after(q, s.num_players)
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
    q = player
    for _ in range(s.num_players - 1):
        q = after(q, s.num_players)
        for i in range(2):
            if s.scarab_options[q][i] != s.scarab[q]:
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
