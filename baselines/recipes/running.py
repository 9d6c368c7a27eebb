"""What all training runs share: settings in words, their folder, a line of progress, whom they are measured against, the curve."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from ...envs.core.game import Game
from ...envs.core.kernel.files import only_one
from ...envs.faces.extras import missing
from ..learned.brain import replacing
from ..tournament import Result
from ..words import read_settings

__all__ = [
    "CURVE_OPPONENTS",
    "FRESH_GAMES",
    "REPORT",
    "Curve",
    "Line",
    "Report",
    "check_folder",
    "curve_point",
    "draw_curve",
    "draw_lines",
    "figure_class",
    "final_results",
    "has_chance",
    "line_of",
    "parse_settings",
    "progress_line",
    "replacing",
    "working_in",
]

Curve = list[dict[str, float]]
Against = Callable[[str, int], Result]  # how the learner does against a player by name, in so many games

REPORT = "report.json"
CURVE_OPPONENTS = ("random", "greedy")
CURVE_GAMES = 200
SEARCH = "mcts:1000"  # whom the player meets in the end, besides those that follow rules
FRESH_GAMES = 2**40  # the seed of games that are never trained on


class Line(NamedTuple):
    """A rate over time, and the band around it."""

    minutes: Sequence[float]
    rate: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


# --- Settings in words -------------------------------------------------------------------------------------------------------


def parse_settings(kind: type, words: Iterable[str]) -> dict[str, Any]:
    """What `NAME=VALUE` says of settings of this kind; ValueError names what there is."""
    usual = kind()
    return read_settings({f.name: getattr(usual, f.name) for f in fields(kind)}, words)


# --- The run -----------------------------------------------------------------------------------------------------------------


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
    columns = TextColumn("{task.description}", markup=False), BarColumn(24), TextColumn("{task.fields[news]}", markup=False)
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


# --- What came out -----------------------------------------------------------------------------------------------------------


def curve_point(seconds: float, decisions: int, against: Against) -> dict[str, float]:
    """One more point of the learning curve."""
    point = {"seconds": seconds, "decisions": float(decisions)}
    for name in CURVE_OPPONENTS:
        result = against(name, CURVE_GAMES)
        point |= {name: result.rate, f"{name}_low": result.low, f"{name}_high": result.high}
    return point


@dataclass(frozen=True)
class Report:
    """What came out of a run, and stands in `report.json` of its folder too."""

    game: str
    num_players: int
    method: str
    seed: int
    seconds: float  # of computing
    decisions: int
    results: tuple[Result, ...]  # against each opponent
    player: Path
    curve: Path | None
    env_share: float | None = None  # of the time, where it is a part of its own

    def __str__(self) -> str:
        budget = f"{self.seconds / 60:.1f} CPU-minutes, {self.decisions / 1e6:.1f} million decisions"
        speed = f"{self.decisions / max(self.seconds, 1e-9):,.0f}/s"
        if self.env_share is not None:
            speed += f", {self.env_share:.0%} of the time in the environment"
        return "\n".join([f"{self.game}, {self.num_players} players: {budget} ({speed})", *map(str, self.results)])

    def tell(self, folder: Path, progress: bool) -> None:
        """Keep it in the folder of the run, and print it if progress is wanted."""
        told = asdict(self) | {"player": self.player.name, "curve": self.curve and self.curve.name}
        with replacing(folder / REPORT) as beside:
            beside.write_text(json.dumps(told, indent=1) + "\n")
        if progress:
            print(self)


def final_results(game: Game, against: Against, games: int, search_games: int) -> tuple[Result, ...]:
    """Against random, greedy, the other rule-based players, which were never in training, and a search."""
    known = CURVE_OPPONENTS
    rule_based = sorted(game.rules.named_policies, key=lambda name: known.index(name) if name in known else len(known))
    meetings = [(name, games) for name in rule_based] + ([(SEARCH, search_games)] if search_games else [])
    return tuple(against(name, number) for name, number in meetings)


def reached(results: tuple[Result, ...]) -> dict[str, Any]:
    """The same in short, for the file of a player."""
    return {r.opponent: {"games": r.games, "rate": round(r.rate, 4)} for r in results}


def figure_class() -> Callable[..., Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing(error, "train") from None
    return Figure


def draw_curve(game: Game, curve: Curve, path: Path) -> None:
    """Win rates over time, with their 95 % intervals. The points stand beside the picture, for other pictures (curves.py)."""
    with replacing(path.with_suffix(".json")) as beside:
        beside.write_text(json.dumps(curve, indent=1) + "\n")
    lines = {f"against {name}": line_of(curve, name) for name in CURVE_OPPONENTS}
    draw_lines(game, lines, path, xlabel="CPU-minutes", ylabel="win rate")


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
