"""How far a pyramid is from what it may become: colour lines stone by stone, chambers space by space."""

from __future__ import annotations

from ..core.kernel.jit import kernel
from .components import ALL_CELLS, ALL_LARGE_CELLS, EDGE_CELLS, GROUND
from .pyramid import chambers_from, connected, linked, neighbours


@kernel
def filled_cells(s, p):
    stones = s.colour_cells[p]
    return stones[0] | stones[1] | stones[2] | stones[3]


@kernel
def line_with_one_more(reached, stones, empty):
    """The cells that a line of these stones reaches, if one more is laid on any empty cell that it can enter now.

    For one colour, or for boards of several at once.
    """
    entered = reached | (GROUND | neighbours(reached)) & empty
    return connected(entered, entered | stones)


@kernel
def chambers_with_one_more(reached, ways, filled):
    """The large cells with a way to the edge, if one empty cell more, open on every side, may be crossed."""
    entered = reached | (EDGE_CELLS | linked(ways, reached)) & (ALL_LARGE_CELLS & ~filled)
    return chambers_from(entered, ways, filled)


@kernel
def empty_cells(s, p):
    return ALL_CELLS & ~filled_cells(s, p)
