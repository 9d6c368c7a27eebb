"""Where fields and features lie on a plane, for observations that convolutions look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Cell", "Grid"]

Cell = int | tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """A plane of `height` x `width` cells, counted row by row.

    cells   for a field or a feature: the cell of each of its elements (of one player's row, if it has rows per seat); a tuple of
            cells is filled by one element: a level of a pyramid. What is not named is laid out row by row
    depth   planes that one field may take: cells are counted on through them, so that storeys lie above each other
    """

    height: int = 8
    width: int = 8
    cells: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)
    depth: int = 1

    def __post_init__(self) -> None:
        for name, cells in self.cells.items():
            flat = [cell for each in cells for cell in cells_of(each)]
            if len(set(flat)) < len(flat) or not all(0 <= cell < self.size * self.depth for cell in flat):
                planes = f" on {self.depth} planes" if self.depth > 1 else ""
                raise ValueError(f"grid: the cells of {name} must differ and lie within {self.height} x {self.width}{planes}")

    @property
    def size(self) -> int:
        """Cells of a plane."""
        return self.height * self.width


def cells_of(cell: Cell) -> tuple[int, ...]:
    return cell if isinstance(cell, tuple) else (cell,)
