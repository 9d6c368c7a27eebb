"""Workers in their zones: how they enter, leave, move and walk along the tracks."""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import inlined, kernel
from ..core.kernel.masks import WORD, mark_eight
from ..core.kernel.words import sum_of_bytes
from .actions import ADVANCE, FIRST_MOVE_WORD, MOVE_WORDS, MOVES_FROM, MOVES_INTO_OPEN, MOVES_OF, PUT
from .components import CAN_WALK, FIRST_SPACE, MOVES, NUM_CAMPS, NUM_QUARRIES, OFF_TRACK, SPACE_CAPACITY, SPACES, WALK
from .marks import LARGEST_SET, mark_members, mark_run

assert NUM_QUARRIES * SPACES <= LARGEST_SET  # advances are marked as one set


@kernel
def space_of(quarry, position):
    """The zone of a quarry site (position 0) or a space of its track."""
    return FIRST_SPACE + SPACES * quarry + position


@kernel
def enter(s, p, zone):
    s.workers[p][zone] += 1
    s.crowd[zone] += 1
    s.stands_in[p] |= 1 << zone
    s.closed |= ((zone >= FIRST_SPACE) & (s.crowd[zone] == SPACE_CAPACITY)) << zone


@kernel
def leave(s, p, zone):
    s.workers[p][zone] -= 1
    s.crowd[zone] -= 1
    s.stands_in[p] &= ~((s.workers[p][zone] == 0) << zone)
    s.closed &= ~(1 << zone)


@kernel
def move_everybody(s, source, target):
    if s.crowd[source] == 0:
        return
    for p in range(s.num_players):
        while s.workers[p][source] > 0:
            leave(s, p, source)
            enter(s, p, target)


@kernel
def quarry_sites(zones):
    """Of a set of zones, the quarry sites as a set of quarries."""
    sites = 0
    for quarry in range(NUM_QUARRIES):
        sites |= (zones >> FIRST_SPACE + SPACES * quarry & 1) << quarry
    return sites


@kernel
def clockwise(s, seat, steps):
    other = seat + steps
    return other - s.num_players if other >= s.num_players else other


@inlined
def legal_camps(s, mask):
    return mark_run(mask, PUT, NUM_CAMPS)


# --- Moves between zones. A worker in a quarry site may leave even if the sled is there (R16) ---------------------------------


@inlined
def legal_moves(s, mask, kind):
    zones = s.stands_in[s.current_player]
    here = zones & ((1 << NUM_CAMPS) - 1) | quarry_sites(zones) << NUM_CAMPS
    closed = quarry_sites(s.closed)
    marked = np.uint64(0)
    for i in range(MOVE_WORDS):
        moves = MOVES_OF[kind, i] & MOVES_FROM[here, i] & MOVES_INTO_OPEN[closed, i]
        mark_eight(mask, WORD * (FIRST_MOVE_WORD + i), moves)
        marked += moves  # each byte counts up to MOVE_WORDS
    return sum_of_bytes(marked)


@kernel
def do_move(s, move):
    leave(s, s.current_player, MOVES[move, 0])
    enter(s, s.current_player, MOVES[move, 1])


# --- Quarry Track advance, one action per space; the sets and costs are tables by sled and full spaces (R17-R21) --------------


@kernel
def full_spaces(s, quarry):
    return s.closed >> (FIRST_SPACE + SPACES * quarry) & ((1 << SPACES) - 1)


@inlined
def legal_advances(s, mask, most):
    zones = s.stands_in[s.current_player] >> FIRST_SPACE
    walkers = 0
    for quarry in range(NUM_QUARRIES):
        walkers |= CAN_WALK[most, s.sled_position[quarry] + 1, full_spaces(s, quarry)] << SPACES * quarry
    return mark_members(mask, ADVANCE, zones & walkers)


@kernel
def walk(s, space):
    """A worker walks on; past the last space it is taken in hand. Return the number of spaces."""
    quarry, position = space // SPACES, space % SPACES
    cost = WALK[s.sled_position[quarry] + 1, full_spaces(s, quarry), position]
    leave(s, s.current_player, FIRST_SPACE + space)
    if position + cost == OFF_TRACK:
        s.worker_in_hand = 1
    else:
        enter(s, s.current_player, FIRST_SPACE + space + cost)
    return cost
