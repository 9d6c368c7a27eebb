"""Golden planes: where the elements of each field lie on the planes of a game, as maps that people read.

`python tests/planes.py` writes the files anew, `python tests/planes.py giza` that of one game. A change that was not meant shows up
as a difference in these files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import mastaba
from mastaba.envs.core.declare.grid import Cell, Grid, cells_of
from mastaba.envs.registry import rules

from playthroughs import FOLDER


def path_of(name: str) -> Path:
    return FOLDER / name / "golden" / "planes.txt"


def maps(name: str) -> str:
    grid = rules(name).planes
    lines = [f"{name}: planes of {grid.height} x {grid.width}"]
    for field, cells in grid.cells.items():
        lines += ["", field, *_map(grid, cells)]
    return "".join(f"{line}\n" for line in lines)


def _map(grid: Grid, cells: tuple[Cell, ...]) -> Iterator[str]:
    """The number of the element at every cell; storeys one after the other, down to the last that is used."""
    element = {place: str(number) for number, cell in enumerate(cells) for place in cells_of(cell)}
    for storey in range(max(element) // grid.size + 1):
        yield from [""] * (storey > 0)
        for row in range(grid.height):
            first = storey * grid.size + row * grid.width
            yield "".join(f"{element.get(place, '.'):>4}" for place in range(first, first + grid.width))


def main() -> None:
    for name in sys.argv[1:] or mastaba.GAMES:
        path_of(name).write_text(maps(name), encoding="utf-8")
        print(f"wrote {path_of(name).relative_to(FOLDER)}")


if __name__ == "__main__":
    main()
