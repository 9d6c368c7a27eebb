"""A player's pyramid as boards and tallies that grow with every stone, so that a score is a sum of a few numbers.

Placing a stone touches only what the stone touches: its colour's connected part, and the chambers that it opens. Taking a stone
away or exchanging two is rare (three cards of the game do it) and builds the whole pyramid anew.
"""

from __future__ import annotations

from ..core.kernel.jit import kernel
from ..core.kernel.words import bit_length
from .components import (
    ALL_LARGE_CELLS,
    ANUBIS,
    DIVINE_PATH,
    EXITS,
    FIXED_POINTS,
    FOR_BURIAL,
    FOR_COLLECTION,
    FOR_SOLID,
    FOR_SYMBOLS,
    FOR_WORKERS,
    GROUND,
    HAPI,
    HIDDEN_TOMB,
    HIGH,
    KHEPRI,
    LARGE_CELL,
    LARGE_COLOUR,
    LEVEL_BITS,
    MAAT,
    MULTIPLIER,
    NOTHING,
    NUM_COLOURS,
    NUM_LARGE_SPACES,
    NUM_PORTS,
    NUM_SMALL_SPACES,
    NUM_SYMBOLS,
    NUT,
    OPENINGS,
    OSIRIS,
    PRIEST,
    PTAH,
    SARCOPHAGI,
    SET,
    SMALL_CELL,
    SMALL_COLOUR,
    STONEMASON,
    STONES_PER_POINT,
    SURVEYOR,
    SYMBOL,
    SYMBOL_POINTS,
    THOTH,
    TREASURER,
    UP_LEFT,
    UP_RIGHT,
    WORKERS,
    WORKERS_PER_POINT,
)
from .scoring import four_colour_levels, members, owns

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
    s.worth[p][PTAH] = 2 * four_colour_levels(s, p)
    solid = s.solid_cells[p][colour]
    if cell & (GROUND | neighbours(solid)):
        solid = connected(solid | cell, s.colour_cells[p][colour])
        s.solid_cells[p][colour] = solid
        before, now = s.height[p][colour], highest_level(solid)
        s.height[p][colour] = now
        s.points[p][FOR_SOLID] += now - before
        s.worth[p][NUT] += 2 * ((now >= HIGH) - (before >= HIGH))
        s.worth[p][KHEPRI] = max(s.worth[p][KHEPRI], now)


# --- Chambers ----------------------------------------------------------------------------------------------------------------


@kernel
def ways_between(openings, wide):
    """The large cells that are open to the right, up left and up right, and the cells there to them; `wide` ones on every side."""
    west, north_west, north_east = openings[0] | wide, openings[1] | wide, openings[2] | wide
    east, south_east, south_west = openings[3] | wide, openings[4] | wide, openings[5] | wide
    return east & west >> 1, north_west & south_east >> UP_LEFT, north_east & south_west >> UP_RIGHT


@kernel
def linked(ways, cells):
    """The cells to which there is a way from `cells`."""
    right, up_left, up_right = ways
    sideways = (cells & right) << 1 | cells >> 1 & right
    left = (cells & up_left) << UP_LEFT | cells >> UP_LEFT & up_left
    return sideways | left | (cells & up_right) << UP_RIGHT | cells >> UP_RIGHT & up_right


@kernel
def chambers_from(part, ways, within):
    """`part` and the cells of `within` that hang together with it by chambers."""
    while True:
        grown = part | linked(ways, part) & within
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
    s.worth[p][DIVINE_PATH] += EXITS[space, ports]
    before, ways = s.open_cells[p], ways_between(openings, 0)
    if EXITS[space, ports] or linked(ways, cell) & before:
        now = chambers_from(before | cell, ways, ALL_LARGE_CELLS)
        s.open_cells[p] = now
        add_tombs(s, p, now & ~before)


@kernel
def add_tombs(s, p, opened):
    """Count the sarcophagi of stones that have just been connected to the edge."""
    for space in range(NUM_LARGE_SPACES):
        if opened & LARGE_CELL[space]:
            tombs = SARCOPHAGI[s.large_stone[p][space]]
            s.points[p][FOR_BURIAL] += tombs * MULTIPLIER[space]
            s.worth[p][SET if MULTIPLIER[space] == 1 else ANUBIS] += tombs
            s.worth[p][HIDDEN_TOMB] -= tombs


# --- Stones ------------------------------------------------------------------------------------------------------------------


@kernel
def count_large(s, p, space):
    """Enter the large stone that lies in `space` into the boards and tallies."""
    stone = s.large_stone[p][space]
    colour, symbol = LARGE_COLOUR[stone], SYMBOL[stone]
    s.filled_large[p] |= 1 << space
    s.worth[p][HAPI + colour] += 1
    s.worth[p][HIDDEN_TOMB] += SARCOPHAGI[stone]
    if symbol != NOTHING:
        s.symbols[p] |= 1 << symbol
        count_symbols(s, p)
        s.worth[p][THOTH] += 1
    add_colour(s, p, colour, LARGE_CELL[space])
    add_chambers(s, p, space, OPENINGS[stone, s.large_turned[p][space]])


@kernel
def count_small(s, p, space):
    """Enter the small stone that lies in `space` into the boards and tallies."""
    stone = s.small_stone[p][space]
    opposite = space ^ 1
    s.filled_small[p] |= 1 << space
    s.workers[p] += WORKERS[stone]
    s.worth[p][OSIRIS] = s.workers[p] // WORKERS_PER_POINT
    if s.filled_small[p] >> opposite & 1 and WORKERS[s.small_stone[p][opposite]] == WORKERS[stone]:
        s.balanced[p] |= 1 << (space >> 1)
        s.points[p][FOR_WORKERS] += WORKERS[stone]
        s.worth[p][MAAT] += 1
    add_colour(s, p, SMALL_COLOUR[stone], SMALL_CELL[space])


@kernel
def count_symbols(s, p):
    kinds = members(s.symbols[p])
    s.points[p][FOR_SYMBOLS] = SYMBOL_POINTS[kinds]
    s.worth[p][PRIEST] = SYMBOL_POINTS[min(kinds + 1, NUM_SYMBOLS)] - SYMBOL_POINTS[kinds]


@kernel
def count_collected(s, p, count):
    """So many stones more are in the Collection."""
    s.collected[p] += count
    s.points[p][FOR_COLLECTION] = s.collected[p] // STONES_PER_POINT
    s.worth[p][TREASURER] = s.collected[p] - s.points[p][FOR_COLLECTION]


@kernel
def begin_worths(s, p):
    """What cards are worth before the first stone lies, if not nothing."""
    count_symbols(s, p)
    s.worth[p][STONEMASON] = s.worth[p][SURVEYOR] = FIXED_POINTS


@kernel
def recount(s, p):
    """Make the boards and tallies of a pyramid anew."""
    s.filled_large[p] = s.filled_small[p] = 0
    s.open_cells[p] = 0
    s.openings[p][:] = 0
    s.symbols[p] = s.workers[p] = s.balanced[p] = 0
    s.points[p][:] = 0
    s.worth[p][:] = 0
    s.worth[p][THOTH] = owns(s, p, PRIEST)  # R31
    begin_worths(s, p)
    count_collected(s, p, 0)
    for colour in range(NUM_COLOURS):
        s.colour_cells[p][colour] = s.solid_cells[p][colour] = 0
        s.height[p][colour] = 0
    for space in range(NUM_LARGE_SPACES):
        if s.large_stone[p][space] != NOTHING:
            count_large(s, p, space)
    for space in range(NUM_SMALL_SPACES):
        if s.small_stone[p][space] != NOTHING:
            count_small(s, p, space)
