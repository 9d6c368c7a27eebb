"""What all training runs share: their folder, a line of progress, the plot of the learning curve."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ...envs.core.game import Game
from ...envs.core.kernel.files import only_one
from ...envs.faces.extras import missing
from ..learned.brain import replacing

__all__ = [
    "Curve",
    "Line",
    "check_folder",
    "draw_curve",
    "draw_lines",
    "figure_class",
    "has_chance",
    "line_of",
    "progress_line",
    "replacing",
    "working_in",
]

Curve = list[dict[str, float]]


class Line(NamedTuple):
    """A rate over time, and the band around it."""

    minutes: Sequence[float]
    rate: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file: the results need a folder")


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """The folder of a run, made if need be; ValueError if another run is at work there."""
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with only_one(folder / ".lock") as free:
        if not free:
            raise ValueError(f"{folder} is in use by another run: choose another folder")
        yield


@contextmanager
def progress_line(
    name: str, used: Callable[[], float], news: Callable[[], str], curve: Curve, wanted: bool
) -> Iterator[Callable[[], None]]:
    """Yields a function that shows how a run stands: a bar in a terminal, in a log file a line per point of the curve."""
    if not wanted:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    if not Console().is_terminal:
        yield _line_per_point(name, news, curve)
        return
    columns = TextColumn("{task.description}"), BarColumn(24), TextColumn("{task.fields[news]}")
    with Progress(*columns) as bar:
        task = bar.add_task(name, total=1.0, news="")
        yield lambda: bar.update(task, completed=used(), news=news())


def _line_per_point(name: str, news: Callable[[], str], curve: Curve) -> Callable[[], None]:
    told = 0

    def show() -> None:
        nonlocal told
        if len(curve) > told:
            told = len(curve)
            print(f"{name}: {news()}", flush=True)

    return show


def figure_class() -> Callable[..., Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing(error, "train") from None
    return Figure


def draw_curve(game: Game, curve: Curve, opponents: Sequence[str], path: Path, time: str = "minutes") -> None:
    """Win rates over time, with their 95 % intervals. The points stand beside the picture, for other pictures (curves.py)."""
    with replacing(path.with_suffix(".json")) as beside:
        beside.write_text(json.dumps(curve, indent=1) + "\n")
    lines = {f"against {name}": line_of(curve, name) for name in opponents}
    draw_lines(game, lines, path, xlabel=time, ylabel="win rate")


def line_of(curve: Curve, opponent: str) -> Line:
    minutes = [point["seconds"] / 60 for point in curve]
    rate, low, high = ([point[opponent + end] for point in curve] for end in ("", "_low", "_high"))
    return Line(minutes, rate, low, high)


def draw_lines(game: Game, lines: dict[str, Line], path: Path, **labels: str) -> None:
    """Win rates over time: each line with its band, and a thin one where all players are equal."""
    figure = figure_class()(figsize=(5, 3), layout="constrained")
    axes = figure.add_subplot(ylim=(0, 1), title=f"{game.rules.title}, {game.num_players} players", **labels)
    for name, line in lines.items():
        axes.plot(line.minutes, line.rate, label=name)
        axes.fill_between(line.minutes, line.low, line.high, alpha=0.2)
    axes.axhline(1 / game.num_players, color="grey", linewidth=0.5)
    axes.legend(loc="lower right")
    with replacing(path) as beside:
        figure.savefig(beside, dpi=80, format="png")


def has_chance(game: Game) -> bool:
    """Whether players without dice play different games. Where they do not (Giza draws only who starts), they must be measured with
    dice: else a thousand games are three games many times over, and their interval means nothing."""
    endings = set()
    for seed in range(32):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        endings.add(tuple(state.scores()))
    return len(endings) > 8
