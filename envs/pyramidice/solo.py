"""The Great Architect of a solo game: an automaton that takes a God, then a tile or builds."""

from __future__ import annotations

from ..core.kernel.jit import kernel
from ..core.kernel.rng import below
from . import components as pieces
from .building import fill_space
from .cards import give, refill, take_from_row
from .components import (
    ARCHITECT_SEAT,
    CHEOPS_LEVEL,
    CHEOPS_SPACES,
    FULL_SET_OF_TILES,
    NEIGHBOURS,
    NUM_ENNEAD,
    NUM_SLOTS,
    NUM_TILES,
    ROW,
)
from .rest_tiles import return_tiles, take_tile, tiles_held
from .state import END_TURN, NONE

NO_DIE = 0
ENNEAD_RANK = 100  # above the Fame of any God


@kernel
def architect_turn(s):
    take_best_god(s)
    value = roll_architect_die(s)
    tile = tile_in_slot(s, value - 1) if value != NO_DIE else lowest_tile(s)
    if tile != NONE:
        if value != NO_DIE:
            s.quarry[pieces.STONE_DIE] += 1
        architect_takes(s, tile)
        if tiles_held(s, ARCHITECT_SEAT) == FULL_SET_OF_TILES:
            return return_tiles(s, ARCHITECT_SEAT)
    else:
        architect_builds(s, value)
    refill(s)
    return END_TURN


@kernel
def take_best_god(s):
    """An Ennead card before all others, else the highest Fame; ties to the right (R70)."""
    best, best_rank = NONE, -1
    for i in range(ROW):
        if s.row[i] != NONE:
            rank = ENNEAD_RANK if s.row[i] < NUM_ENNEAD else pieces.END_FAME[s.row[i]]
            if rank >= best_rank:
                best, best_rank = i, rank
    if best != NONE:
        give(s, take_from_row(s, best), ARCHITECT_SEAT)
        if best_rank == ENNEAD_RANK:
            s.fame[ARCHITECT_SEAT] += pieces.ENNEAD_CARD_FAME[s.architect]


@kernel
def roll_architect_die(s):
    """A Stone die from the Quarry, else from the supply; NO_DIE if there is none."""
    if s.quarry[pieces.STONE_DIE] > 0:
        s.quarry[pieces.STONE_DIE] -= 1
    elif s.supply[pieces.STONE] > 0:
        s.supply[pieces.STONE] -= 1
    else:
        return NO_DIE
    return below(s, pieces.FACES) + 1


# --- A tile ------------------------------------------------------------------------------------------------------------------


@kernel
def tile_in_slot(s, slot):
    for tile in range(NUM_TILES):
        if s.tile_slot[tile] == slot:
            return tile
    return NONE


@kernel
def lowest_tile(s):
    for slot in range(NUM_SLOTS):
        tile = tile_in_slot(s, slot)
        if tile != NONE:
            return tile
    return NONE


@kernel
def architect_takes(s, tile):
    """He does not use the tile; its space on his board brings Fame."""
    s.fame[ARCHITECT_SEAT] += pieces.ARCHITECT_TILE_FAME[s.architect, tiles_held(s, ARCHITECT_SEAT)]
    take_tile(s, tile, ARCHITECT_SEAT)


# --- A build -----------------------------------------------------------------------------------------------------------------


@kernel
def architect_builds(s, value):
    """On the lowest level of Cheops that is not complete, in reading order, if possible beside a Project partner (R65, R66)."""
    open_on_level = lowest_open_level(s)
    first, space = NONE, NONE
    for i in range(CHEOPS_SPACES):
        if open_on_level >> i & 1:
            if first == NONE:
                first = i
            if space == NONE and completes_adjacency(s, i, value):
                space = i
    completes = space != NONE
    if not completes:
        space = first
    fill_space(s, space, value)
    a = s.architect
    power = pieces.BUILD_FAME[a] + pieces.ADJACENCY_FAME[a] * completes
    power += pieces.UPPER_LEVEL_FAME[a] * (pieces.SPACE_LEVEL[space] > 1)
    s.fame[ARCHITECT_SEAT] += value + pieces.EXTRA_FAME[space] + power


@kernel
def lowest_open_level(s):
    for level in range(1, len(CHEOPS_LEVEL)):
        if s.open_spaces & CHEOPS_LEVEL[level]:
            return s.open_spaces & CHEOPS_LEVEL[level]
    return 0


@kernel
def completes_adjacency(s, space, value):
    for i in range(NEIGHBOURS.shape[1]):
        beside = NEIGHBOURS[space, i]
        if beside >= 0:
            for j in range(pieces.ARCHITECT_PROJECTS[s.architect]):
                if pieces.PARTNER[s.architect_projects[j], value] == s.pyramid[beside]:
                    return True
    return False
