"""A player's pyramid as boards and tallies that grow with every stone, so that a score is a sum of a few numbers.

Placing a stone touches only what the stone touches: its colour's connected part, and the chambers that it opens. Taking a stone
away or exchanging two is rare (three cards of the game do it) and builds the whole pyramid anew.
"""

from __future__ import annotations

from ..core.kernel.jit import kernel
from ..core.kernel.words import bit_length
from .components import (
    ALL_LARGE_CELLS,
    EXITS,
    GROUND,
    LARGE_CELL,
    LARGE_COLOUR,
    LEVEL_BITS,
    MULTIPLIER,
    NOTHING,
    NUM_COLOURS,
    NUM_LARGE_SPACES,
    NUM_PORTS,
    NUM_SMALL_SPACES,
    OPENINGS,
    SARCOPHAGI,
    SMALL_CELL,
    SMALL_COLOUR,
    SYMBOL,
    UP_LEFT,
    UP_RIGHT,
    WORKERS,
)

# --- Stones of one colour ----------------------------------------------------------------------------------------------------


@kernel
def neighbours(cells):
    right, left = cells << 1, cells >> 1
    above, below = (cells | right) << UP_LEFT, (cells | left) >> UP_LEFT  # UP_RIGHT is one more
    return right | left | above | below


@kernel
def connected(part, cells):
    """The cells that hang together with `part` by contacts within `cells` (R4, R5)."""
    while True:
        grown = (part | neighbours(part)) & cells
        if grown == part:
            return part
        part = grown


@kernel
def highest_level(cells):
    return (bit_length(cells) + LEVEL_BITS - 1) // LEVEL_BITS


@kernel
def add_colour(s, p, colour, cell):
    s.colour_cells[p][colour] |= cell
    solid = s.solid_cells[p][colour]
    if cell & (GROUND | neighbours(solid)):
        solid = connected(solid | cell, s.colour_cells[p][colour])
        s.solid_cells[p][colour] = solid
        s.height[p][colour] = highest_level(solid)


# --- Chambers ----------------------------------------------------------------------------------------------------------------


@kernel
def linked(openings, wide, cells):
    """The large cells beside `cells` where both sides are open towards each other; `wide` cells are open on every side."""
    west, north_west, north_east = openings[0] | wide, openings[1] | wide, openings[2] | wide
    east, south_east, south_west = openings[3] | wide, openings[4] | wide, openings[5] | wide
    sideways = (cells & west) >> 1 & east | (cells & east) << 1 & west
    upwards = (cells & north_west) << UP_LEFT & south_east | (cells & north_east) << UP_RIGHT & south_west
    downwards = (cells & south_east) >> UP_LEFT & north_west | (cells & south_west) >> UP_RIGHT & north_east
    return sideways | upwards | downwards


@kernel
def chambers_from(part, openings, wide, within):
    """`part` and the cells of `within` that hang together with it by chambers."""
    while True:
        grown = part | linked(openings, wide, part) & within
        if grown == part:
            return part
        part = grown


@kernel
def add_chambers(s, p, space, ports):
    cell = LARGE_CELL[space]
    openings = s.openings[p]
    for direction in range(NUM_PORTS):
        if ports >> direction & 1:
            openings[direction] |= cell
    s.exits[p] += EXITS[space, ports]
    before = s.open_cells[p]
    if EXITS[space, ports] or linked(openings, 0, cell) & before:
        now = chambers_from(before | cell, openings, 0, ALL_LARGE_CELLS)
        s.open_cells[p] = now
        add_tombs(s, p, now & ~before)


@kernel
def add_tombs(s, p, opened):
    """Count the sarcophagi of stones that have just been connected to the edge."""
    for space in range(NUM_LARGE_SPACES):
        if opened & LARGE_CELL[space]:
            tombs = SARCOPHAGI[s.large_stone[p][space]]
            s.burial[p] += tombs * MULTIPLIER[space]
            if MULTIPLIER[space] == 1:
                s.edge_sarcophagi[p] += tombs
            else:
                s.inner_sarcophagi[p] += tombs


# --- Stones ------------------------------------------------------------------------------------------------------------------


@kernel
def count_large(s, p, space):
    """Enter the large stone that lies in `space` into the boards and tallies."""
    stone = s.large_stone[p][space]
    colour, symbol = LARGE_COLOUR[stone], SYMBOL[stone]
    s.filled_large[p] |= 1 << space
    s.large_of_colour[p][colour] += 1
    s.sarcophagi[p] += SARCOPHAGI[stone]
    if symbol != NOTHING:
        s.symbols[p] |= 1 << symbol
        s.symbol_stones[p] += 1
    add_colour(s, p, colour, LARGE_CELL[space])
    add_chambers(s, p, space, OPENINGS[stone, s.large_turned[p][space]])


@kernel
def count_small(s, p, space):
    """Enter the small stone that lies in `space` into the boards and tallies."""
    stone = s.small_stone[p][space]
    opposite = space ^ 1
    s.filled_small[p] |= 1 << space
    s.workers[p] += WORKERS[stone]
    if s.filled_small[p] >> opposite & 1 and WORKERS[s.small_stone[p][opposite]] == WORKERS[stone]:
        s.balanced[p] |= 1 << (space >> 1)
        s.worker_points[p] += WORKERS[stone]
    add_colour(s, p, SMALL_COLOUR[stone], SMALL_CELL[space])


@kernel
def recount(s, p):
    """Make the boards and tallies of a pyramid anew."""
    s.filled_large[p] = s.filled_small[p] = 0
    s.open_cells[p] = 0
    s.openings[p][:] = 0
    s.burial[p] = s.edge_sarcophagi[p] = s.inner_sarcophagi[p] = s.sarcophagi[p] = s.exits[p] = 0
    s.symbols[p] = s.symbol_stones[p] = 0
    s.workers[p] = s.balanced[p] = s.worker_points[p] = 0
    for colour in range(NUM_COLOURS):
        s.colour_cells[p][colour] = s.solid_cells[p][colour] = 0
        s.height[p][colour] = s.large_of_colour[p][colour] = 0
    for space in range(NUM_LARGE_SPACES):
        if s.large_stone[p][space] != NOTHING:
            count_large(s, p, space)
    for space in range(NUM_SMALL_SPACES):
        if s.small_stone[p][space] != NOTHING:
            count_small(s, p, space)
