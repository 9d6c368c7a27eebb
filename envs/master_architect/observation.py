"""What a schema cannot say of an observation: stones as they lie, points, and how far a pyramid is from what it may become."""

from __future__ import annotations

import numpy as np

from ..core.declare.features import SEAT, Feature
from ..core.declare.grid import Cell, Grid
from ..core.kernel.boards import boards_of, write_bytes_of, write_holding
from ..core.kernel.jit import inlined
from ..core.kernel.writing import part, put_row, write_shares, write_zeros
from .components import (
    ALL_LARGE_CELLS,
    CATEGORIES,
    DISPLAY,
    EVERY_LEVEL,
    FILLED_UP,
    FOR_CARDS,
    LARGE_CELL,
    LEVEL_BITS,
    LYING_FEATURES,
    MAX_BURIAL,
    MAX_CARD_POINTS,
    MAX_COLLECTION_POINTS,
    MAX_POINTS_OF_A_CARD,
    MAX_SOLID,
    MAX_WORKER_POINTS,
    MULTIPLIER,
    NOTHING,
    NUM_COLOURS,
    NUM_LARGE_SPACES,
    NUM_LEVELS,
    NUM_TYPES,
    PLACES,
    SARCOPHAGI,
    SMALL_FEATURES,
    SYMBOL_POINTS,
    TURNS,
)
from .distances import chambers_with_one_more, empty_cells, filled_cells, line_with_one_more
from .pyramid import highest_level, ways_between
from .scoring import card_points, points_of
from .state import SEATS

# The first row is that of NOTHING, which comes before stone 0.
PER_LARGE, PER_SMALL = LYING_FEATURES.shape[-1], SMALL_FEATURES.shape[-1]
LYING_ROWS = np.pad(LYING_FEATURES, ((1, 0), (0, 0), (0, 0))).reshape(-1, PER_LARGE)
SMALL_ROWS = np.pad(SMALL_FEATURES, ((1, 0), (0, 0)))

MOST_POINTS = (MAX_SOLID, MAX_BURIAL, SYMBOL_POINTS[-1], MAX_WORKER_POINTS, MAX_COLLECTION_POINTS, MAX_CARD_POINTS)
POINT_SHARE = (1 / np.array(MOST_POINTS)).astype(np.float32)
CARD_SHARE = np.float32(1 / MAX_POINTS_OF_A_CARD)
TURN_SHARE = (1 / (TURNS * np.arange(1, SEATS + 1))).astype(np.float32)  # of a turn in the game, by players - 1
TURN_UNIT = int(np.lcm.reduce(TURNS * np.arange(1, SEATS + 1)))  # in which the share of a turn is whole at every table

FAR = 4  # steps that are too many to be told apart
STEP_SHARE = np.float32(1 / FAR)


@inlined
def write_large(s, me, p, out):
    for space in range(NUM_LARGE_SPACES):
        row = 2 * (s.large_stone[p, space] - NOTHING) + s.large_turned[p, space]
        put_row(LYING_ROWS, row, part(out, space * PER_LARGE, PER_LARGE), PER_LARGE)


@inlined
def write_sheet(s, me, p, out):
    write_shares(s.points[p], POINT_SHARE, out, FOR_CARDS)
    out[FOR_CARDS] = card_points(s, p) * POINT_SHARE[FOR_CARDS]


@inlined
def write_offer(s, me, out):
    for slot in range(DISPLAY):
        out[slot] = points_of(s, me, s.display[slot]) * CARD_SHARE


@inlined
def write_steps(s, me, out):
    empty = empty_cells(s, me)
    stones, now = boards_of(s.colour_cells[me], NUM_COLOURS), boards_of(s.solid_cells[me], NUM_COLOURS)
    after_one = line_with_one_more(now, stones, empty)
    after_two = line_with_one_more(after_one, stones, empty)
    after_three = line_with_one_more(after_two, stones, empty)
    levels = levels_reached(now) + levels_reached(after_one) + levels_reached(after_two) + levels_reached(after_three)
    write_bytes_of(levels, STEP_SHARE, out, NUM_LEVELS)


@inlined
def levels_reached(cells):
    """A byte for each level: 1 if there are cells at it. What hangs together with the ground has cells at every level below, too.

    As in `four_colour_levels`, to fill up a level that is not empty sets its highest bit.
    """
    return cells + FILLED_UP >> LEVEL_BITS - 1 & EVERY_LEVEL


@inlined
def write_to_edge(s, me, out):
    filled, now = filled_cells(s, me) & ALL_LARGE_CELLS, s.open_cells[me]
    ways = ways_between(s.openings[me], ALL_LARGE_CELLS & ~filled)
    after_one = chambers_with_one_more(now, ways, filled)
    after_two = chambers_with_one_more(after_one, ways, filled)
    after_three = chambers_with_one_more(after_two, ways, filled)
    write_holding((now, after_one, after_two, after_three), LARGE_CELL, STEP_SHARE, out, NUM_LARGE_SPACES)


@inlined
def write_current_small(s, me, out):
    found = NOTHING  # as `current_small` of the rules, but without branches
    for i in range(NUM_TYPES):
        stone = NUM_TYPES - 1 - i
        found = stone if s.pending[stone] else found
    put_row(SMALL_ROWS, found - NOTHING, out, PER_SMALL)


@inlined
def write_progress(s, me, out):
    out[0] = s.turn * TURN_SHARE[s.num_players - 1]


FEATURES = (
    Feature("large", NUM_LARGE_SPACES * PER_LARGE,
            "per large space: colour, sarcophagi by 2, number of the symbol by 5, openings as the stone lies; zeros if empty",
            write_large, per=SEAT, things=NUM_LARGE_SPACES, by=2 * 5),
    Feature("sheet", len(CATEGORIES), "points if the game ended now: solid by 21, burial by 41, symbols by 16, workers by 18, "
            "collection by 36, cards by 81", write_sheet, per=SEAT, by=MOST_POINTS),
    Feature("offer", DISPLAY, "points of each card of the display if it were owned now, by 36", write_offer,
            things=DISPLAY, by=MAX_POINTS_OF_A_CARD),
    Feature("steps", NUM_COLOURS * NUM_LEVELS,
            "per colour and level: 1 if own stones reach it, less 1/4 for every stone missing; 0: four or more, or out of reach",
            write_steps, things=NUM_COLOURS, by=FAR),
    Feature("to_edge", NUM_LARGE_SPACES, "per own large space: 1 if its stone has a way to the edge, less 1/4 for every empty "
            "space on the best way, its own included; 0: four or more, or no way", write_to_edge, things=NUM_LARGE_SPACES,
            by=FAR),
    Feature("current_small", PER_SMALL, "small stone to be placed now: workers by 3 at the place of its colour",
            write_current_small, by=3),
    Feature("progress", 1, "finished turns, by all turns of the game", write_progress, by=TURN_UNIT),
)  # fmt: skip


# --- Planes: levels x spaces, the top level first. A space lies above the left one of the two it rests on -----------

WIDTH = NUM_LEVELS + 1  # spaces of the ground level, the small ones at its ends included


def _cell(level: int, position: int) -> int:
    return (NUM_LEVELS - level) * WIDTH + position


LARGE_CELLS = tuple(_cell(level, position) for level, position in PLACES)
SMALL_CELLS = tuple(_cell(level, end) for level in range(1, NUM_LEVELS + 1) for end in (0, NUM_LEVELS + 1 - level))


def _level(level: int, plane: int = 0) -> tuple[int, ...]:
    """All spaces of a level."""
    return tuple(plane * NUM_LEVELS * WIDTH + _cell(level, position) for position in range(NUM_LEVELS + 2 - level))


LEVEL_CELLS: tuple[Cell, ...] = tuple(_level(level) for level in range(1, NUM_LEVELS + 1))
STEP_CELLS: tuple[Cell, ...] = tuple(_level(level, colour) for colour in range(NUM_COLOURS) for level in range(1, NUM_LEVELS + 1))

PLANES = Grid(
    NUM_LEVELS,
    WIDTH,
    {
        "large": LARGE_CELLS,
        "small_stone": SMALL_CELLS,
        "swap_first": LARGE_CELLS,
        "to_edge": LARGE_CELLS,
        "balanced": LEVEL_CELLS,
        "steps": STEP_CELLS,
    },
    depth=NUM_COLOURS,
)

# --- What an action changes ----------------------------------------------------------------------------------------------------


@inlined
def write_lines(s, me, out):
    """The sum of `steps` over the levels."""
    write_zeros(out)
    empty = empty_cells(s, me)
    for colour in range(NUM_COLOURS):
        stones, reached = s.colour_cells[me, colour], s.solid_cells[me, colour]
        for step in range(FAR):
            out[colour] += STEP_SHARE * highest_level(reached) / NUM_LEVELS
            if step < FAR - 1:
                reached = line_with_one_more(reached, stones, empty)


@inlined
def write_ways(s, me, out):
    """The sum of `to_edge` over the spaces, and over their sarcophagi."""
    write_zeros(out)
    filled, reached = filled_cells(s, me) & ALL_LARGE_CELLS, s.open_cells[me]
    ways = ways_between(s.openings[me], ALL_LARGE_CELLS & ~filled)
    for step in range(FAR):
        for space in range(NUM_LARGE_SPACES):
            if reached & LARGE_CELL[space]:
                out[0] += STEP_SHARE / NUM_LARGE_SPACES
                if s.large_stone[me, space] != NOTHING:
                    out[1] += STEP_SHARE * SARCOPHAGI[s.large_stone[me, space]] * MULTIPLIER[space] / MAX_BURIAL
        if step < FAR - 1:
            reached = chambers_with_one_more(reached, ways, filled)


@inlined
def write_half_levels(s, me, out):
    half = 0
    for level in range(NUM_LEVELS):
        half += (s.small_stone[me, 2 * level] == NOTHING) != (s.small_stone[me, 2 * level + 1] == NOTHING)
    out[0] = half / NUM_LEVELS


@inlined
def write_hand(s, me, out):
    out[0] = s.hand[me] != NOTHING


LOOKAHEAD = (
    Feature("lines", NUM_COLOURS, "per colour: the sum of `steps` over the levels, by 6", write_lines),
    Feature("ways", 2, "the sum of `to_edge` over the spaces, by 15, and over the sarcophagi times multiplier, by 41", write_ways),
    Feature("half_levels", 1, "levels with a small stone at one end only, by 6", write_half_levels),
    Feature("hand", 1, "whether there is a small stone in hand: what a large stone other than the first costs", write_hand),
)
