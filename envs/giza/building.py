"""Stones on the move: a sled is pushed and unloaded, a stone is lifted and built into the pyramid."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from .actions import BUILD_AT
from .components import (
    BASE,
    CREW,
    LIFT_CAPSTONE,
    LIFT_MIDDLE,
    MIDDLE,
    NOTHING,
    NUM_QUARRIES,
    OFF_TRACK,
    RA,
    SPACE_CAPACITY,
)
from .decoration import after_building, completes_row, start_art_bids
from .marks import mark_members
from .pending import TURN, asked, clockwise_of_nominator, delivered, has_a_crew, nominated_one_of, only, sled_has_passed
from .scoring import award_push
from .state import BUILD, BUILT, IN_CAPSTONE_LIFT, IN_MIDDLE_LIFT, REASSIGN, UNLOADED
from .stones import open_base_locations, open_middle_locations
from .turns import TURN_GOES_ON, TURN_OVER, ask_nominator, on_turn
from .workers import clockwise, enter, leave, move_everybody, space_of

# --- A sled moves -------------------------------------------------------------------------------------------------------------


@kernel
def push(s, quarry, spaces):
    start = s.sled_position[quarry]
    target = min(start + spaces, OFF_TRACK)
    for position in range(start + 1, min(target + 1, OFF_TRACK)):
        move_everybody(s, space_of(quarry, position), RA)  # R22: crushed in every space it enters
    if target == OFF_TRACK:
        return unload(s, quarry, space_of(quarry, start))
    move_everybody(s, space_of(quarry, start), space_of(quarry, target))
    s.sled_position[quarry] = target
    return TURN_OVER


@kernel
def unload(s, quarry, zone):
    for p in range(s.num_players):
        while s.workers[p][zone] > 0:
            leave(s, p, zone)
            s.to_reassign[p] += 1
    award_push(s, s.to_reassign)
    stone = s.sled_stone[quarry]
    s.sled_stone[quarry] = NOTHING
    s.sled_position[quarry] = UNLOADED
    if stone == BASE:
        ask_nominator(s, BUILD)
        return TURN_GOES_ON
    if stone == MIDDLE:
        s.middle_in_camp += 1
    else:
        s.capstone = IN_MIDDLE_LIFT
    return reassign(s)


# --- A stone is lifted --------------------------------------------------------------------------------------------------------


@kernel
def lift(s):
    if s.nominated == LIFT_CAPSTONE:
        s.capstone = IN_CAPSTONE_LIFT
        return TURN_OVER
    if s.nominated == LIFT_MIDDLE:
        s.middle_in_camp -= 1
        ask_nominator(s, BUILD)
    else:
        s.capstone = BUILT
        start_art_bids(s)
    return TURN_GOES_ON


# --- Build a stone into the pyramid -------------------------------------------------------------------------------------------


@inlined
def legal_build(s, mask):
    return mark_members(mask, BUILD_AT, open_middle_locations(s) if s.nominated == LIFT_MIDDLE else open_base_locations(s))


@kernel
def do_build(s, at):
    s.built_at = at
    if s.nominated < LIFT_MIDDLE:
        s.base_built[at] = 1
        return reassign(s)
    s.middle_built[at] = 1
    if completes_row(s.middle_built, at):
        start_art_bids(s)
        return TURN_GOES_ON
    return after_building(s)


def check_build(s: np.void) -> Findings:
    yield from only(s, *TURN, "nominated", "to_reassign")
    yield from on_turn(s)
    yield from asked(s, int(s["turn_player"]))
    wrong = [*nominated_one_of(s, range(LIFT_MIDDLE + 1))]
    if wrong:
        yield from wrong
    elif s["nominated"] == LIFT_MIDDLE:
        yield from has_a_crew(s)
        if s["to_reassign"].any():
            yield "to_reassign", "after a lift nobody is reassigned (R28)"
    else:
        yield from sled_has_passed(s)
        crew = int(s["to_reassign"].sum())
        if not CREW <= crew <= SPACE_CAPACITY:
            yield "to_reassign", f"{crew} from a sled, a crew has {CREW} to {SPACE_CAPACITY}"


# --- Reassign the workers of an unloaded sled ---------------------------------------------------------------------------------


@kernel
def reassign(s):
    """Ask the next player clockwise who has workers of the sled in hand, the nominator last; then the building goes on."""
    s.phase = REASSIGN
    for i in range(1, s.num_players + 1):
        s.current_player = clockwise(s, s.turn_player, i)
        if s.to_reassign[s.current_player] > 0:
            return TURN_GOES_ON
    if s.built_at != NOTHING and completes_row(s.base_built, s.built_at):
        start_art_bids(s)
        return TURN_GOES_ON
    return after_building(s)


@kernel
def do_reassign(s, camp):
    enter(s, s.current_player, camp)
    s.to_reassign[s.current_player] -= 1
    return reassign(s)


def check_reassign(s: np.void) -> Findings:
    yield from only(s, *TURN, "nominated", "to_reassign", "built_at")
    yield from on_turn(s)
    yield from nominated_one_of(s, range(NUM_QUARRIES))
    yield from sled_has_passed(s)
    yield from delivered(s)
    crew = int(s["to_reassign"].sum())
    if not 1 <= crew <= SPACE_CAPACITY:
        yield "to_reassign", f"{crew} from a sled, it holds {SPACE_CAPACITY}"
    else:
        yield from asked(s, next(p for p in clockwise_of_nominator(s) if s["to_reassign"][p]))
