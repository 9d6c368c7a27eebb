"""What training runs came to, in one table: `python -m mastaba.baselines.recipes.results runs/*`, for a page with `--page FILE`.

Every run of `mastaba train` leaves a `report.json`. Runs of one method and length at one table become one line: the mean of their
win rates, and from the worst to the best of them. A single run has its 95 % intervals.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...envs.pages import fill
from .running import CURVE_OPPONENTS, REPORT, SEARCH

__all__ = ["read_report", "table"]

NEEDED = {"game", "num_players", "method", "seed", "seconds", "decisions", "results"}
MUCH_LONGER = 1.5  # times the decisions
HEAD = ("game", "players", "method", "seeds", "CPU-minutes", "million decisions", *CURVE_OPPONENTS, "other rule-based", SEARCH)


def read_report(folder: Path) -> dict[str, Any]:
    """What a run has left there; ValueError says in one line why it is none."""
    path = folder / REPORT if folder.is_dir() else folder
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        if set(found) >= NEEDED:
            return found
    except (OSError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not the report of a run ({type(error).__name__})") from None
    raise ValueError(f"{path} is not the report of a run")


def table(reports: Iterable[dict[str, Any]]) -> str:
    """In Markdown, sorted by game, table, method and length."""
    lines = [HEAD, ("---",) * len(HEAD), *map(_line, _alike(reports))]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _alike(reports: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Runs that differ in their seed, sorted by it. A method that was given much longer is on a line of its own."""
    for _, runs in groupby(sorted(reports, key=_order), key=lambda run: _order(run)[:-1]):
        alike: list[dict[str, Any]] = []
        for run in runs:
            if alike and run["decisions"] > MUCH_LONGER * alike[0]["decisions"]:
                yield sorted(alike, key=itemgetter("seed"))
                alike = []
            alike.append(run)
        yield sorted(alike, key=itemgetter("seed"))


def _order(run: dict[str, Any]) -> tuple[Any, ...]:
    return run["game"], run["num_players"], run["method"], run["decisions"]


def _line(runs: list[dict[str, Any]]) -> tuple[str, ...]:
    first = runs[0]
    names = list(dict.fromkeys(result["opponent"] for run in runs for result in run["results"]))
    others = [f"{name} {_rate(runs, name)}" for name in names if name not in (*CURVE_OPPONENTS, SEARCH)]
    known = {name: _rate(runs, name) if name in names else "" for name in (*CURVE_OPPONENTS, SEARCH)}
    return (
        first["game"],
        str(first["num_players"]),
        first["method"],
        ", ".join(str(run["seed"]) for run in runs),
        _between([run["seconds"] / 60 for run in runs]),
        _between([run["decisions"] / 1e6 for run in runs]),
        *(known[name] for name in CURVE_OPPONENTS),
        ", ".join(others),
        known[SEARCH],
    )


def _rate(runs: list[dict[str, Any]], opponent: str) -> str:
    """The share of victories in percent."""
    found = [result for run in runs for result in run["results"] if result["opponent"] == opponent]
    rates = [100 * result["rate"] for result in found]
    low, high = (100 * found[0][end] for end in ("low", "high")) if len(found) == 1 else (min(rates), max(rates))
    return f"{sum(rates) / len(rates):.1f} [{low:.1f}, {high:.1f}]"


def _between(numbers: list[float]) -> str:
    low, high = f"{min(numbers):.1f}", f"{max(numbers):.1f}"
    return low if low == high else f"{low}-{high}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--page", type=Path, help="write it there between `<!-- results -->` and `<!-- /results -->`")
    given = parser.parse_args()
    try:
        found = table([read_report(folder) for folder in given.runs])
        if given.page is None:
            print(found)
        else:
            given.page.write_text(fill(given.page.read_text(), {"results": found}))
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
