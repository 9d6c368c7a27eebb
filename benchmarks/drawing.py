"""What a picture costs: drawn as SVG and as pixels, in CPU time, at every table.

The positions are those of a random game, from its beginning to its end, everything open and legal actions shown: pictures are never
fuller. Each is drawn a few times and its fastest one counts; of all positions the median and the slowest are told.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from ..envs.core.game import Game
from ..envs.core.state import State
from ..envs.faces.pictures import pixels_of, size_of
from .measure import cpu_model

__all__ = ["COLUMNS", "PIXELS_LIMIT", "SVG_LIMIT", "DrawingCost", "DrawingRun", "cost", "load_run", "save_run", "table"]

SVG_LIMIT, PIXELS_LIMIT = 20.0, 150.0  # ms
POSITIONS, ROUNDS, SEED = 12, 3, 19
COLUMNS = ("game", "players", "height", "kB", "SVG", "slowest", "pixels", "slowest")


@dataclass(frozen=True)
class DrawingCost:
    """Of the pictures at one table: their size, and CPU milliseconds, median and slowest."""

    game: str
    players: int
    height: int
    kilobytes: float
    svg: float
    svg_slowest: float
    pixels: float
    pixels_slowest: float

    @property
    def fine(self) -> bool:
        return self.svg_slowest < SVG_LIMIT and self.pixels_slowest < PIXELS_LIMIT

    @property
    def figures(self) -> tuple[str, ...]:
        """In the order of COLUMNS."""
        times = (f"{ms:.1f}" for ms in (self.svg, self.svg_slowest, self.pixels, self.pixels_slowest))
        return self.game, str(self.players), str(self.height), f"{self.kilobytes:.0f}", *times


@dataclass(frozen=True)
class DrawingRun:
    """A whole run, as it is kept. `load`: how busy the machine was when it ended."""

    date: str
    cpu: str
    load: float
    costs: list[DrawingCost]


def cost(game: Game, positions: int = POSITIONS, rounds: int = ROUNDS) -> DrawingCost:
    """At a table: about so many positions of a game, its last one among them."""
    path = _random_game(game)
    states = [*path[:: max(1, len(path) // positions)], path[-1]]
    pictures = [state.to_svg() for state in states]
    drawing = [_fastest(state.to_svg, rounds) for state in states]
    painting = [_fastest(lambda: pixels_of(picture), rounds) for picture in pictures]  # noqa: B023 - called at once
    _, height = size_of(pictures[0])
    times = (statistics.median(drawing), max(drawing), statistics.median(painting), max(painting))
    return DrawingCost(game.name, game.num_players, round(height), max(map(len, pictures)) / 1000, *times)


def _random_game(game: Game) -> list[State]:
    """Its positions."""
    state, rng = game.new_initial_state(seed=SEED), random.Random(SEED)
    path = [state.clone()]
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        path.append(state.clone())
    return path


def _fastest(draw: Callable[[], object], rounds: int) -> float:
    """CPU milliseconds."""
    taken = []
    for _ in range(rounds):
        before = time.process_time_ns()
        draw()
        taken.append((time.process_time_ns() - before) / 1e6)
    return min(taken)


def table(costs: Iterable[DrawingCost]) -> Table:
    caption = f"allowed: {SVG_LIMIT:.0f} ms as SVG, {PIXELS_LIMIT:.0f} ms as pixels"
    shown = Table(title="Pictures, CPU milliseconds", box=SIMPLE_HEAD, caption=caption)
    for number, name in enumerate(COLUMNS):
        shown.add_column(name, justify="right" if number else "left")
    for row in costs:
        shown.add_row(*row.figures, style=None if row.fine else "red")
    return shown


def save_run(costs: Iterable[DrawingCost], path: Path) -> None:
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0  # Windows does not tell
    run = DrawingRun(datetime.now(UTC).date().isoformat(), cpu_model(), load, list(costs))
    path.write_text(json.dumps(asdict(run), indent=1) + "\n")


def load_run(path: Path) -> DrawingRun | None:
    """None if there is no such file."""
    if not path.exists():
        return None
    found = json.loads(path.read_text())
    return DrawingRun(found["date"], found["cpu"], found["load"], [DrawingCost(**row) for row in found["costs"]])
