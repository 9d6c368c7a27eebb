"""The page of a benchmark: `python -m mastaba.benchmarks.page results.json README.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from .measure import Report, Row, human, load
from .throughput import ratio_to_limit

__all__ = ["page"]

COMMAND = "mastaba bench -n 2 -n 4 -n 5 --peers --repeats 5 --seconds 0.1 --out benchmarks/results.json --plots benchmarks/plots"
FACES = ("kernel", "batch", "vector", "sb3", "aec", "state")
LARGE = 1024


def page(report: Report) -> str:
    """Everything as Markdown, under the text that says what a step is."""
    machine = report.environment
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    parts = [
        "# Throughput",
        INTRODUCTION,
        f"Made with `{COMMAND}` on {machine['date'][:10]}: {machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, "
        f"load before the run {machine['load_average'][0]}. Median of {report.rows[0].repeats} alternating runs per row.",
        "![throughput against batch size](plots/batch.png)",
        "![throughput by game](plots/games.png)",
        "![throughput by face](plots/faces.png)",
        "![cost of more players](plots/players.png)",
        "## Claims",
        claims(report.rows),
        "## Batch rows against the limit of the machine",
        LIMIT_TEXT,
        _table(
            ("game", "players", "N", "share of the limit"),
            ((g, n, size, f"{share:.0%}") for g, n, size, share in ratio_to_limit(report.rows)),
        ),
        "## All rows",
        _table(
            ("system", "game", "players", "face", "N", "threads", "includes", "steps/CPU-s", "spread", "steps/s", "prepare s"),
            map(_cells, report.rows),
        ),
        *_skipped(report),
        f"Versions: {packages}.",
    ]
    return "\n\n".join(parts) + "\n"


INTRODUCTION = """One definition of a step for everybody: **one player decision, with the legality mask queried and a uniformly
random legal action taken**. What a row includes beyond that stands in the row. Rates are per CPU-second (all threads added up);
`steps/s` is wall time. Runs of all rows alternate, so that a machine that slows down slows everybody down. PufferLib's games have
no mask: their actions are drawn from all of them, many illegal and cheap, and an opponent moves inside the step."""

LIMIT_TEXT = """The limit row plays no game: a kernel that only writes a mask and an observation of the same sizes and picks a
random legal action. Nothing that reports masks and observations can be faster."""


def claims(rows: list[Row]) -> str:
    """The ratios that people ask for, all from this run."""
    lines = []
    hanabi = _one(rows, "openspiel", "hanabi", "compiled bots", 1)
    connect = _one(rows, "pettingzoo", "connect_four_v3", "wrapped", 1)
    rivals = {
        "Pgx backgammon": _one(rows, "pgx", "backgammon", "batch", LARGE),
        "EnvPool backgammon": _one(rows, "envpool", "backgammon", "batch", LARGE),
        "PufferLib go": _one(rows, "pufferlib", "go_7x7", "batch", LARGE),
        "PufferLib checkers": _one(rows, "pufferlib", "checkers", "batch", LARGE),
        "PufferLib tripletriad": _one(rows, "pufferlib", "tripletriad", "batch", LARGE),
    }
    for game, players in sorted({(r.game, r.players) for r in rows if r.system == "mastaba"}):
        mine = [r for r in rows if r.system == "mastaba" and r.game == game and r.players == players]
        kernel, aec, batch = _rate(mine, "kernel"), _rate(mine, "aec"), _rate(mine, "batch", LARGE)
        cells = [game, players, _ratio(kernel, hanabi), _ratio(aec, connect), *(_ratio(batch, r) for r in rivals.values())]
        lines.append(cells)
    head = ("game", "players", "kernel / OpenSpiel's compiled Hanabi", "AEC / PettingZoo connect_four `env()`")
    return _table((*head, *(f"batch N={LARGE} / {name}" for name in rivals)), lines)


def _one(rows: Iterable[Row], system: str, game: str, face: str, batch: int) -> float | None:
    found = [r for r in rows if (r.system, r.face, r.batch, r.threads) == (system, face, batch, 1) and r.game.startswith(game[:12])]
    return max((r.steps_per_cpu_second for r in found), default=None)


def _rate(rows: Iterable[Row], face: str, batch: int | None = None) -> float | None:
    found = [r for r in rows if r.face == face and r.threads == 1 and batch in (None, r.batch)]
    return max((r.steps_per_cpu_second for r in found), default=None)


def _ratio(ours: float | None, theirs: float | None) -> str:
    return "-" if ours is None or theirs is None else f"{ours / theirs:.1f}x"


def _cells(row: Row) -> tuple:
    return (
        *(row.system, row.game, row.players, row.face, row.batch, row.threads, ", ".join(row.includes)),
        *(human(row.steps_per_cpu_second), f"{row.spread:.0%}", human(row.steps_per_wall_second), f"{row.prepare_seconds:.1f}"),
    )


def _skipped(report: Report) -> list[str]:
    if not report.skipped:
        return []
    rows = ((s.system, s.reason, f"`{s.install}`" if s.install else "") for s in report.skipped)
    return ["## Not measured", _table(("system", "why", "how to get it"), rows)]


def _table(head: Iterable, rows: Iterable[Iterable]) -> str:
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def main() -> None:
    source, target = sys.argv[1:]
    Path(target).write_text(page(load(source)), encoding="utf-8")


if __name__ == "__main__":
    main()
