"""Stairs: lay stones that never go down. The game ends when everybody has passed in a row."""

from mastaba.making import Phase, PhaseTable, after, below, kernel

from .actions import ACTIONS, PASS
from .state import COPIES, EMPTY, HAND, LAY, OVER, PHASES, VALUES

# --- Setup -------------------------------------------------------------------------------------------------------------------


@kernel
def setup(s):
    s.bag[:] = COPIES
    for p in range(s.num_players):
        for i in range(HAND):
            draw_stone(s, p, i)


@kernel
def draw_stone(s, p, place):
    """A stone from the bag, or none."""
    s.hand[p][place] = EMPTY
    left = s.bag.sum()
    pick = below(s, left) if left else -1
    for value in range(VALUES):
        if 0 <= pick < s.bag[value]:
            s.bag[value] -= 1
            s.hand[p][place] = value + 1
            return
        pick -= s.bag[value]


# --- Lay a stone -------------------------------------------------------------------------------------------------------------


@kernel
def fits(s, p, place):
    return s.hand[p][place] != EMPTY and s.hand[p][place] >= s.top[p]


@kernel
def legal_lay(s, mask):
    mask[PASS] = 1
    for i in range(HAND):
        mask[i] = fits(s, s.current_player, i)
    return mask[: PASS + 1].sum()


@kernel
def do_lay(s, action):
    if action == PASS:
        s.passes += 1
    else:
        lay(s, s.current_player, action)
    if s.passes == s.num_players:
        s.over, s.phase = 1, OVER
    else:
        s.current_player = after(s.current_player, s.num_players)


@kernel
def lay(s, p, place):
    s.top[p] = s.hand[p][place]
    s.steps[p] += 1
    s.laid[s.top[p] - 1] += 1
    s.passes = 0
    draw_stone(s, p, place)


PHASE_TABLE = PhaseTable(PHASES, ACTIONS, Phase(LAY, legal_lay, do_lay, ("lay", "pass")))

# --- What a player cannot know -------------------------------------------------------------------------------------------------


@kernel
def determinize(s, player):
    """The others' hands go back into the bag and are drawn anew."""
    for p in range(s.num_players):
        for i in range(HAND):
            if p != player and s.hand[p][i] != EMPTY:
                s.bag[s.hand[p][i] - 1] += 1
    for p in range(s.num_players):
        for i in range(HAND):
            if p != player and s.hand[p][i] != EMPTY:
                draw_stone(s, p, i)
