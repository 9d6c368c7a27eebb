"""Several training runs in one plot: `python -m mastaba.baselines.recipes.curves cheops --players 2 td=runs/td ppo=runs/ppo`.

Every run of `mastaba train` leaves the points of its curve in `curve.json`. A name given to several runs (seeds) becomes one line,
their mean, and its band goes from the worst of them to the best; the band of a single run is its 95 % interval.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from ...envs.registry import game as make_game
from .running import Curve, Line, draw_lines, line_of

__all__ = ["draw", "joint_line", "read_curve"]

POINTS = 50  # of a line that several runs share


def read_curve(folder: Path, opponent: str) -> Curve:
    """What a run has left there; ValueError says in one line why it is nothing to draw."""
    path = folder / "curve.json" if folder.is_dir() else folder
    try:
        curve: Curve = json.loads(path.read_text())
        if len(curve) and all({"seconds", opponent, f"{opponent}_low", f"{opponent}_high"} <= set(point) for point in curve):
            return curve
    except (OSError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not the curve of a run ({type(error).__name__})") from None
    raise ValueError(f"{path} is not the curve of a run against {opponent}")


def joint_line(curves: list[Curve], opponent: str) -> Line:
    """The line of these runs, as far as all of them go."""
    lines = [line_of(curve, opponent) for curve in curves]
    if len(lines) == 1:
        return lines[0]
    minutes = np.linspace(0, min(line.minutes[-1] for line in lines), POINTS)
    rates = np.array([np.interp(minutes, line.minutes, line.rate) for line in lines])
    return Line(*(numbers.tolist() for numbers in (minutes, rates.mean(0), rates.min(0), rates.max(0))))


def draw(game_name: str, num_players: int | None, runs: list[str], path: Path, opponent: str = "greedy") -> None:
    """Draw runs, each `NAME=FOLDER`, to a picture; nothing is written if one of them cannot be read."""
    curves: dict[str, list[Curve]] = {}
    for run in runs:
        name, _, folder = run.rpartition("=")
        curves.setdefault(name or Path(folder).name, []).append(read_curve(Path(folder), opponent))
    lines = {name: joint_line(found, opponent) for name, found in curves.items()}
    draw_lines(make_game(game_name, num_players), lines, path, xlabel="CPU-minutes", ylabel=f"wins against {opponent}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("runs", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--players", type=int)
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--out", type=Path, default=Path("curves.png"))
    given = parser.parse_args()
    try:
        draw(given.game, given.players, given.runs, given.out, given.against)
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
