"""`planes`: channels x height x width, for convolutions.

A game declares where the elements of its fields lie on the plane (`Rules.planes`): every number of a value becomes a channel, and
those of each player follow each other, the observer's first. What the game does not place is laid row by row; single numbers fill a
whole plane.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from gymnasium.spaces import Box

from ..envs.core.declare.features import present
from ..envs.core.declare.grid import Cell, Grid, cells_of
from ..envs.core.observing import Slice
from ..envs.core.rules import Rules
from .flat import FlatEncoder
from .gather import NOTHING, GatheringEncoder, gathering_kernel

__all__ = ["PlaneEncoder"]


class PlaneEncoder(GatheringEncoder):
    """The channels of one game at one table size."""

    name = "planes"

    def __init__(self, rules: Rules, num_players: int) -> None:
        super().__init__(rules, num_players)
        grid, first = rules.planes, 0
        for s, channels in channels_of(rules, num_players):
            each = len(channels) // s.rows  # channels of one player
            start, stop = (at * grid.size for at in (first, first + each))
            self.slices.append(Slice(s.name, start, stop, s.doc, s.rows, each * grid.size if s.every else 0, s.first))
            first += len(channels)
        self.shape = (first, grid.height, grid.width)
        self.space = Box(-1.0, 1.0, self.shape, np.float32)
        self.show = gathering_kernel(PlaneEncoder, rules)

    @classmethod
    def sources(cls, rules: Rules, num_players: int) -> np.ndarray:
        return np.array([cells for _, channels in channels_of(rules, num_players) for cells in channels])

    def describe(self) -> str:
        size = self.rules.planes.size
        lines = ["| channels | what | meaning |", "|---|---|---|"]
        for s in self.slices:
            channels = Slice(s.name, s.start // size, s.stop // size, s.doc, s.rows, s.every // size)
            lines.append(f"| {channels} | `{s.name}` | {s.doc} |")
        return "\n".join(lines)


@cache
def channels_of(rules: Rules, num_players: int) -> list[tuple[Slice, list[np.ndarray]]]:
    """The slices of the flat observation, and the sources of the channels of each, player by player."""
    flat, grid = FlatEncoder(rules, num_players), rules.planes
    things = _things(rules, flat)
    known = {f.name for f in (*rules.schema, *rules.features)}
    if strange := sorted(set(grid.cells) - known):
        raise ValueError(f"planes of {rules.name}: nothing is called {', '.join(strange)}")
    return [(s, [c for places in s.indices() for c in _channels(s.name, places, things[s.name], grid)]) for s in flat.slices]


def _channels(name: str, places: np.ndarray, things: int, grid: Grid) -> list[np.ndarray]:
    """The channels of one row of a slice: at the cells that the game names, thing by thing, or as they come."""
    cells = grid.cells.get(name, tuple(range(things)) if things > 1 else ())
    if not cells:
        return _unplaced(places, grid.size)
    if len(places) % len(cells):
        raise ValueError(f"planes: {len(cells)} cells are named for the {len(places)} numbers of {name}")
    return _placed(places.reshape(len(cells), -1), cells, grid.size)


def _things(rules: Rules, flat: FlatEncoder) -> dict[str, int]:
    """Of how many things a slice tells: the elements of an array, the members of a single set, the things of a feature."""
    seats = rules.schema.seats_at(flat.num_players)
    things = dict.fromkeys((s.name for s in flat.slices), 1)
    for f in rules.schema:
        if f.name in things:
            things[f.name] = len(f.names) if f.kind == "bits" and not f.shape else int(np.prod(f.shape_at(seats), dtype=int))
    return things | {f.name: f.things for f in present(rules.features, flat.num_players)}


def _unplaced(places: np.ndarray, size: int) -> list[np.ndarray]:
    """One number fills the plane, several are laid row by row."""
    if len(places) == 1:
        return [np.full(size, places[0])]
    return [np.append(run, np.full(size - len(run), NOTHING)) for run in np.split(places, range(size, len(places), size))]


def _placed(numbers: np.ndarray, cells: tuple[Cell, ...], size: int) -> list[np.ndarray]:
    """Elements at their cells, a plane for every number of an element; beyond the plane a further one begins."""
    depth = max(cell for each in cells for cell in cells_of(each)) // size + 1
    planes = np.full((numbers.shape[1], depth * size), NOTHING)
    for element, cell in enumerate(cells):
        for place in cells_of(cell):
            planes[:, place] = numbers[element]
    return list(planes.reshape(-1, size))
