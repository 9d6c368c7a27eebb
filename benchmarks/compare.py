"""Two reports side by side: what became faster, what slower, and whether that is too much."""

from __future__ import annotations

from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from .measure import Key, Report, Row, human, load


def compare(old: Report | str | Path, new: Report | str | Path, loss: float = 0.1) -> tuple[Table, bool]:
    """Ratios new/old of steps per CPU-second; not ok if a row lost more than the share `loss`.

    Rows that only one report has are shown and judge nothing: leaving a game out is not a loss of speed.
    """
    before, after = by_key(old), by_key(new)
    shown = empty_table(loss)
    ok = True
    for key in {**before, **after}:
        lost = key in before and key in after and ratio(before[key], after[key]) < 1 - loss
        ok = ok and not lost
        shown.add_row(*cells(key, before.get(key), after.get(key)), style="bold red" if lost else None)
    return shown, ok


def by_key(report: Report | str | Path) -> dict[Key, Row]:
    return {row.key: row for row in (report if isinstance(report, Report) else load(report)).rows}


def ratio(old: Row, new: Row) -> float:
    return new.steps_per_cpu_second / old.steps_per_cpu_second


def empty_table(loss: float) -> Table:
    shown = Table(title=f"New against old (a loss of more than {loss:.0%} is red)", box=SIMPLE_HEAD)
    for name in ("system", "game", "players", "face", "N", "threads", "includes"):
        numeric = name in ("players", "N", "threads")
        shown.add_column(name, justify="right" if numeric else "left", no_wrap=name in ("system", "game", "face"))
    for name in ("old steps/CPU-s", "new steps/CPU-s", "ratio"):
        shown.add_column(name, justify="right", no_wrap=True)
    return shown


def cells(key: Key, old: Row | None, new: Row | None) -> list[str]:
    *named, includes = key
    verdict = f"{ratio(old, new):.2f}" if old and new else "gone" if old else "new"
    rates = [human(row.steps_per_cpu_second) if row else "-" for row in (old, new)]
    return [*map(str, named), ", ".join(includes), *rates, verdict]
