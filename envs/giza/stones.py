"""Where the stones are: on sleds, in the lift camps, in the pyramid; and which of them can be nominated."""

from __future__ import annotations

from ..core.kernel.jit import kernel
from .components import (
    CAPSTONE_LIFT,
    CREW,
    FINAL_LIFT,
    LIFT_CAPSTONE,
    LIFT_MIDDLE,
    MIDDLE_LIFT,
    NOTHING,
    NUM_LOCATIONS,
    NUM_QUARRIES,
    STONES_PER_TIER,
)
from .state import IN_CAPSTONE_LIFT, IN_MIDDLE_LIFT, UNLOADED
from .workers import space_of


@kernel
def built(stones):
    return stones[0] + stones[1] + stones[2] + stones[3]


@kernel
def open_base_locations(s):
    """Where a base stone can go, as a set."""
    locations = 0
    for at in range(NUM_LOCATIONS):
        locations |= (s.base_built[at] == 0) << at
    return locations


@kernel
def open_middle_locations(s):
    """Where a middle stone can go: on a base stone of its own location (R24), as a set."""
    locations = 0
    for at in range(NUM_LOCATIONS):
        locations |= (s.base_built[at] > s.middle_built[at]) << at
    return locations


@kernel
def on_track(s, quarry):
    """Whether there is a sled that workers can push."""
    return (s.sled_position[quarry] > NOTHING) & (s.sled_position[quarry] < UNLOADED)


@kernel
def sled_zone(s, quarry):
    """Where a sled on its track stands; of the others, the quarry site."""
    return space_of(quarry, s.sled_position[quarry] if on_track(s, quarry) else 0)


@kernel
def zone_of_stone(s, stone):
    """Where the workers stand who can move it."""
    if stone < LIFT_MIDDLE:
        return space_of(stone, s.sled_position[stone])
    return CAPSTONE_LIFT if stone == FINAL_LIFT else MIDDLE_LIFT


@kernel
def crew_zone(s):
    return zone_of_stone(s, s.nominated)


@kernel
def eligible(s):
    """The stones that can be nominated, as a set. Every observation asks: no branches."""
    stones = 0
    for quarry in range(NUM_QUARRIES):
        stones |= (on_track(s, quarry) & (s.crowd[sled_zone(s, quarry)] >= CREW)) << quarry
    base, middle = built(s.base_built), built(s.middle_built)
    first_crew, last_crew = s.crowd[MIDDLE_LIFT] >= CREW, s.crowd[CAPSTONE_LIFT] >= CREW
    stones |= (first_crew & (s.middle_in_camp > 0) & (base > middle)) << LIFT_MIDDLE  # R24: a base stone is free
    stones |= (first_crew & (s.capstone == IN_MIDDLE_LIFT) & (middle == STONES_PER_TIER)) << LIFT_CAPSTONE  # R25: all eight stand
    stones |= (last_crew & (s.capstone == IN_CAPSTONE_LIFT) & (middle == STONES_PER_TIER)) << FINAL_LIFT
    return stones
