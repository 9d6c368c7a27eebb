"""The Scarabs that ask for a decision: choosing one, Pearl's share of another's build.

The others act where their subject is: Silver in resources.py, Gold there and in payment.py, Turquoise in dice.py, Lapis Lazuli in
building.py, Amethyst, Ruby and Carnelian in work.py, Emerald and Malachite in rest_tiles.py, Quartz and Obsidian in scoring.py.
"""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from . import pending
from .actions import KEEP, PEARL_NO, PEARL_YES
from .components import PEARL, PEARL_PRICE, ROW, START_FAME, START_RESOURCES, WORKER
from .state import ANSWER_PEARL, HELD, NONE, STAY, TURN, USE

# --- Keep one of two, in the order of seats, openly (R60) --------------------------------------------------------------------


def check_scarab(s: np.void) -> Findings:
    """The game has not begun."""
    n = int(s["num_players"])
    yield from pending.nothing_but(s)
    if n == 1:
        yield "phase", "there are no Scarabs in a solo game"
    if s["turns"] or s["turn_player"] or s["pharaoh"] != NONE:
        yield "turns", "nobody has had a turn yet"
    if (s["resources"][:n] != START_RESOURCES).any() or (s["fame"][:n] != START_FAME).any():
        yield "resources", "everybody still has what the game begins with"
    if s["quarry"][1] or s["pyramid"].any():
        yield "pyramid", "no Stone die has been used yet"
    if s["gods"].any() or s["discards"] or s["deck_position"] != ROW:
        yield "gods", "only the row has been drawn"
    if (s["tile_place"] >= HELD).any():
        yield "tile_place", "nobody has taken a tile yet"


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


def check_pearl(s: np.void) -> Findings:
    yield from pending.in_a_work_turn(s, "pearl_fame")
    p = int(s["current_player"])
    if p == s["turn_player"] or s["scarab"][p] != PEARL or s["resources"][p][WORKER] < PEARL_PRICE:
        yield "current_player", "has no Pearl to use, or not the Workers"
    if s["pearl_fame"] == 0 or not s["pyramid"].any():
        yield "pearl_fame", "nothing has been built"


@inlined
def legal_pearl(s, mask):
    mask[PEARL_YES] = 1
    mask[PEARL_NO] = 1
    return 2


@kernel
def do_pearl(s, declined):
    p = s.current_player
    if not declined:
        s.resources[p][WORKER] -= PEARL_PRICE
        s.supply[WORKER] += PEARL_PRICE
        s.fame[p] += s.pearl_fame
    s.pearl_fame = 0
    s.current_player = s.turn_player
    s.phase = USE
    return STAY
