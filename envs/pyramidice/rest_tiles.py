"""The choice of Rest or Work, the Rest tiles and what they do, returning three of them."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from . import components as pieces
from . import pending
from .actions import BES_FIRST, FREE, HAPY_INSTEAD, REST, SLOT, WORK
from .cards import draw_card, give, owns, take_from_row
from .components import CAT, FULL_SET_OF_TILES, NO_UNIT, NUM_SLOTS, NUM_TILES, ROW, TILE_FAME_COST, TILE_UNITS
from .resources import push_unit, total
from .state import (
    AVAILABLE,
    END_TURN,
    FOR_HAPY,
    FOR_SWAP,
    FREE_GOD,
    HELD,
    LOSE_ONE,
    NONE,
    PLACE_TILE,
    REST_STEP_3,
    REST_TURN,
    ROW_DISCARD,
    RUN_QUEUE,
    START_WORK,
    STAY,
    THEN_WORK,
    WAITING,
)

# --- Begin a turn: Work, or Rest with Bes first ------------------------------------------------------------------------------


def check_turn(s: np.void) -> Findings:
    yield from pending.before_the_turn(s)


@inlined
def legal_turn(s, mask):
    t = s.turn_player
    mask[WORK] = 1
    count = 1 + legal_rest(s, mask)
    if owns(s, t, pieces.BES) and (mask[HAPY_INSTEAD] or any_tile_for(s, s.fame[t] + 1)):
        mask[BES_FIRST] = 1
        count += 1
    return count


@kernel
def any_tile_for(s, fame):
    found = False
    for tile in range(NUM_TILES):
        found |= can_rest(s, tile, fame)
    return found


@kernel
def do_turn(s, action):
    if action == WORK:
        return START_WORK
    if action == BES_FIRST:
        s.fame[s.turn_player] += 1
        s.phase = REST_TURN
        return STAY
    return do_rest(s, action)


# --- Take a Rest tile, or Hapy instead ---------------------------------------------------------------------------------------


def check_rest(s: np.void) -> Findings:
    """Bes has brought his Fame."""
    yield from pending.before_the_turn(s)
    t = s["turn_player"]
    if not int(s["gods"][t]) >> pieces.BES & 1:
        yield "phase", "only Bes delays the choice of a Rest tile"
    if s["fame"][t] == 0:
        yield "fame", "Bes has just brought some"


@inlined
def legal_rest(s, mask):
    t = s.turn_player
    count = 0
    for tile in range(NUM_TILES):
        possible = can_rest(s, tile, s.fame[t])
        mask[REST + tile] = possible
        count += possible
    hapy_helps = owns(s, t, pieces.HAPY) & (total(s, t) >= 1)
    mask[HAPY_INSTEAD] = hapy_helps
    return count + hapy_helps


@kernel
def can_rest(s, tile, fame):
    """Only costs that cannot be paid forbid a tile (R2)."""
    t, place = s.turn_player, s.tile_place[tile]
    there = (place == AVAILABLE) | lends_to_emerald(s, tile, place)
    useful = ((tile != pieces.TILE_GOD) | (s.row[ROW - 1] != NONE)) & ((tile != pieces.TILE_SWAP) | (total(s, t) > 0))
    return there & useful & (fame >= TILE_FAME_COST[tile])


@kernel
def lends_to_emerald(s, tile, place):
    t = s.turn_player
    return (place >= HELD) & (s.scarab[t] == pieces.EMERALD) & (place != HELD + t) & (s.tile_flipped[tile] == 0)


@kernel
def do_rest(s, action):
    if action == HAPY_INSTEAD:
        return lose_first(s, FOR_HAPY)
    tile = action - REST
    t = s.turn_player
    s.fame[t] -= TILE_FAME_COST[tile]
    if s.tile_place[tile] == AVAILABLE:
        take_tile(s, tile, t)
    else:
        s.tile_flipped[tile] = 1  # Emerald: it stays where it lies, face down (R25)
    return activate(s, tile)


@kernel
def take_tile(s, tile, p):
    s.tile_place[tile] = HELD + p
    s.tile_slot[tile] = NONE


@kernel
def activate(s, tile):
    t = s.turn_player
    if tile == pieces.TILE_SWAP:
        return lose_first(s, FOR_SWAP)
    if tile == pieces.TILE_GOD:
        s.phase = FREE_GOD
        return STAY
    for i in range(TILE_UNITS.shape[1]):
        if TILE_UNITS[tile, i] != NO_UNIT:
            push_unit(s, t, TILE_UNITS[tile, i])
    if tile == pieces.TILE_FEAST:
        for i in range(1, s.num_players):
            push_unit(s, (t + i) % s.num_players, CAT)
    if tile == pieces.TILE_WORK:
        s.afterwards = THEN_WORK
    return RUN_QUEUE


@kernel
def lose_first(s, reason):
    s.lose_reason = reason
    s.phase = LOSE_ONE
    return STAY


# --- The tile `god`: a free God ----------------------------------------------------------------------------------------------


def check_free_god(s: np.void) -> Findings:
    yield from pending.turn_player_decides(s)
    yield from pending.nothing_but(s)
    if not pending.tile_is_in_use(s, pieces.TILE_GOD):
        yield "phase", "the tile `god` is not in use"


@inlined
def legal_free_god(s, mask):
    count = 0
    for i in range(ROW):
        if s.row[i] != NONE:
            mask[FREE + i] = 1
            count += 1
    return count


@kernel
def do_free_god(s, position):
    give(s, take_from_row(s, position), s.turn_player)
    draw_card(s)
    return REST_STEP_3


# --- The third tile sends all three back -------------------------------------------------------------------------------------


@kernel
def rest_step_3(s):
    t = s.turn_player
    if tiles_held(s, t) < FULL_SET_OF_TILES:
        return END_TURN
    if s.scarab[t] == pieces.MALACHITE:
        s.fame[t] += pieces.MALACHITE_FAME
    return return_tiles(s, t)


@kernel
def tiles_held(s, p):
    held = 0
    for tile in range(NUM_TILES):
        held += s.tile_place[tile] == HELD + p
    return held


@kernel
def return_tiles(s, p):
    solo = s.num_players == 1
    for tile in range(NUM_TILES):
        if s.tile_place[tile] == HELD + p:
            s.tile_flipped[tile] = 0
            s.tile_place[tile] = WAITING if solo else AVAILABLE
            if solo:
                s.slot_queue[s.slot_queue_length] = tile
                s.slot_queue_length += 1
    if not solo:
        return ROW_DISCARD
    s.current_player = 0  # the human places the Architect's tiles too (R67)
    s.phase = PLACE_TILE
    return STAY


# --- Solo: place a returned tile on a numbered slot --------------------------------------------------------------------------


def check_slot(s: np.void) -> Findings:
    yield from pending.nothing_but(s, *pending.SLOTS)
    if s["num_players"] > 1:
        yield "phase", "only in a solo game tiles have slots"
    if s["slot_queue_length"] == 0:
        yield "slot_queue", "no tile waits for a slot"
    if pending.tiles_of(s, int(s["turn_player"])):
        yield "tile_place", "who returned three tiles still holds some"


@inlined
def legal_slot(s, mask):
    for slot in range(NUM_SLOTS):
        mask[SLOT + slot] = 1
    count = NUM_SLOTS
    for tile in range(NUM_TILES):
        if s.tile_slot[tile] != NONE:
            mask[SLOT + s.tile_slot[tile]] = 0
            count -= 1
    return count


@kernel
def do_slot(s, slot):
    tile = s.slot_queue[0]
    s.tile_place[tile] = AVAILABLE
    s.tile_slot[tile] = slot
    s.slot_queue[0], s.slot_queue[1], s.slot_queue[2] = s.slot_queue[1], s.slot_queue[2], NONE
    s.slot_queue_length -= 1
    return ROW_DISCARD if s.slot_queue_length == 0 else STAY
