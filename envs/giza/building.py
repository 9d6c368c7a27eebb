"""Stones on the move: a sled is pushed and unloaded, a stone is lifted and built into the pyramid."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from .actions import BUILD_AT
from .components import BASE, LIFT_CAPSTONE, LIFT_MIDDLE, MIDDLE, NUM_LOCATIONS, OFF_TRACK, RA
from .decoration import decorate, start_art_bids
from .marks import mark_members
from .scoring import push_share
from .state import BUILD, BUILT, IN_CAPSTONE_LIFT, IN_MIDDLE_LIFT, NOTHING, REASSIGN, UNLOADED
from .stones import open_middle_locations
from .turns import TURN_OVER, ask_nominator
from .workers import clockwise, enter, leave, move_everybody, space_of

# --- A sled moves -------------------------------------------------------------------------------------------------------------


@kernel
def push(s, quarry, spaces):
    start = s.sled_position[quarry]
    target = min(start + spaces, OFF_TRACK)
    for position in range(start + 1, min(target + 1, OFF_TRACK)):
        move_everybody(s, space_of(quarry, position), RA)  # R22: crushed in every space it enters
    if target < OFF_TRACK:
        move_everybody(s, space_of(quarry, start), space_of(quarry, target))
        s.sled_position[quarry] = target
        s.phase = TURN_OVER
    else:
        unload(s, quarry, space_of(quarry, start))


@kernel
def unload(s, quarry, zone):
    for p in range(s.num_players):
        while s.workers[p][zone] > 0:
            leave(s, p, zone)
            s.to_reassign[p] += 1
    for p in range(s.num_players):
        s.vp[p] += push_share(s.to_reassign, s.num_players, p)
    stone = s.sled_stone[quarry]
    s.sled_stone[quarry] = NOTHING
    s.sled_position[quarry] = UNLOADED
    if stone == BASE:
        ask_nominator(s, BUILD)
        return
    if stone == MIDDLE:
        s.middle_in_camp += 1
    else:
        s.capstone = IN_MIDDLE_LIFT
    next_to_reassign(s)


# --- A stone is lifted --------------------------------------------------------------------------------------------------------


@kernel
def lift(s):
    if s.nominated == LIFT_MIDDLE:
        s.middle_in_camp -= 1
        ask_nominator(s, BUILD)
    elif s.nominated == LIFT_CAPSTONE:
        s.capstone = IN_CAPSTONE_LIFT
        s.phase = TURN_OVER
    else:
        s.capstone = BUILT
        start_art_bids(s)


# --- Build a stone into the pyramid -------------------------------------------------------------------------------------------


@inlined
def legal_build(s, mask):
    if s.nominated == LIFT_MIDDLE:
        return mark_members(mask, BUILD_AT, open_middle_locations(s))
    count = 0
    for at in range(NUM_LOCATIONS):
        mask[BUILD_AT + at] = not s.base_built[at]
        count += not s.base_built[at]
    return count


@kernel
def do_build(s, at):
    s.built_at = at
    if s.nominated == LIFT_MIDDLE:
        s.middle_built[at] = 1
        decorate(s, s.middle_built)
    else:
        s.base_built[at] = 1
        next_to_reassign(s)


# --- Reassign the workers of an unloaded sled ---------------------------------------------------------------------------------


@kernel
def next_to_reassign(s):
    s.phase = REASSIGN
    for i in range(1, s.num_players + 1):
        s.current_player = clockwise(s, s.turn_player, i)
        if s.to_reassign[s.current_player] > 0:
            return
    decorate(s, s.base_built)


@kernel
def do_reassign(s, camp):
    enter(s, s.current_player, camp)
    s.to_reassign[s.current_player] -= 1
    next_to_reassign(s)
