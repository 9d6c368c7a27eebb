"""The Scarabs that ask for a decision: choosing one, Pearl's share of another's build.

The others act where their subject is: Silver in resources.py, Gold there and in payment.py, Turquoise in dice.py, Lapis Lazuli in
building.py, Amethyst, Ruby and Carnelian in work.py, Emerald and Malachite in rest_tiles.py, Quartz and Obsidian in scoring.py.
"""

from __future__ import annotations

from ..core.jit import inlined, kernel
from .actions import KEEP, PEARL_NO, PEARL_YES
from .components import PEARL, PEARL_PRICE, WORKER
from .state import ANSWER_PEARL, STAY, TURN, USE

# --- Keep one of two, in the order of seats, openly (R60) --------------------------------------------------------------------


@inlined
def legal_scarab(s, mask):
    options = s.scarab_options[s.current_player]
    mask[KEEP + options[0]] = 1
    mask[KEEP + options[1]] = 1
    return 2


@kernel
def do_scarab(s, scarab):
    s.scarab[s.current_player] = scarab
    s.current_player += 1
    if s.current_player == s.num_players:
        s.current_player = 0
        s.phase = TURN
    return STAY


# --- Pearl: pay two Workers for the Fame that the builder just gained (R53, R54) ---------------------------------------------


@kernel
def offer_pearl(s, fame):
    for p in range(s.num_players):
        if s.scarab[p] == PEARL and p != s.turn_player and s.resources[p][WORKER] >= PEARL_PRICE:
            s.pearl_fame = fame
            s.current_player = p
            s.phase = ANSWER_PEARL


@inlined
def legal_pearl(s, mask):
    mask[PEARL_YES] = 1
    mask[PEARL_NO] = 1
    return 2


@kernel
def do_pearl(s, action):
    p = s.current_player
    if action == PEARL_YES:
        s.resources[p][WORKER] -= PEARL_PRICE
        s.supply[WORKER] += PEARL_PRICE
        s.fame[p] += s.pearl_fame
    s.pearl_fame = 0
    s.current_player = s.turn_player
    s.phase = USE
    return STAY
