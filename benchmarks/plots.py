"""The pictures of a report: throughput against batch size, by game, by face, and the cost of more players.

A system keeps its colour in all of them; its games are shades of it with different marks. Rates are steps per
CPU-second on a logarithmic axis, because the systems are up to four powers of ten apart.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from ..envs.faces.extras import missing
from .measure import Report, Row, human, load

OURS, LIMIT = "mastaba", "limit"

COLOURS = {
    OURS: "#c9721a",
    LIMIT: "#555555",
    "pgx": "#1f77b4",
    "envpool": "#2a9d5c",
    "pufferlib": "#8e44ad",
    "jumanji": "#17a2b8",
    "openspiel": "#c0392b",
    "pettingzoo": "#d16ba5",
    "rlcard": "#7f8c2b",
    "catanatron": "#8c6d4f",
    "catanatron-gym": "#b59a7a",
}
MARKS = "osD^vP*X<>h"


def plot_all(report: Report | str | Path, folder: str | Path) -> list[Path]:
    """All pictures the report has rows for, as PNG files in `folder`."""
    rows = (report if isinstance(report, Report) else load(report)).rows
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, Callable[[list[Row]], Any]] = {
        "batch.png": by_batch,
        "games.png": by_game,
        "faces.png": by_face,
        "players.png": by_players,
    }
    made = []
    for name, draw in pictures.items():
        figure = draw(rows)
        if figure is not None:
            figure.savefig(folder / name, dpi=130, bbox_inches="tight", facecolor="white")
            made.append(folder / name)
    return made


# --- The four pictures -----------------------------------------------------------


def by_batch(rows: list[Row]) -> Any:
    """Throughput against batch size, one thread, mask and observation included where the system has them."""
    shown = [r for r in rows if r.face == "batch" and r.threads == 1 and observed(r) and r.system != LIMIT]
    lines = {key: line for key, line in grouped(fewest_players(shown), system_game).items() if len(line) > 1}
    if not lines:
        return None
    lines = dict(sorted(lines.items(), key=lambda item: (item[0][0] != OURS, item[0][0], -max(rates(item[1])))))
    figure, axes = canvas(9, 6, "Throughput against batch size (one thread, with observation)")
    for (system, game), line in lines.items():
        line.sort(key=lambda r: r.batch)
        axes.plot([r.batch for r in line], rates(line), label=label(line[0]), **look(system, game, lines))
    draw_limit(axes, rows)
    sizes = sorted({r.batch for line in lines.values() for r in line})
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.set_xlabel("batch size N")
    rate_axis(axes.yaxis, axes.set_yscale, axes.set_ylabel)
    legend(axes)
    return figure


def by_game(rows: list[Row]) -> Any:
    """Every game of everybody at its fastest on one thread, with an observation where the system offers one."""
    single = [r for r in rows if r.threads == 1 and r.system != LIMIT]
    best = [fastest(some) for some in grouped(single, system_game).values()]
    if not best:
        return None
    best.sort(key=lambda r: r.steps_per_cpu_second)
    figure, axes = canvas(9, 1.4 + 0.27 * len(best), "Each game at its fastest (one thread)")
    names = [f"{r.game}  ({place(r)})" for r in best]
    bars(axes, names, rates(best), [r.system for r in best])
    draw_limit(axes, rows, upright=True)
    legend(axes, [r.system for r in reversed(best)])
    return figure


def by_face(rows: list[Row]) -> Any:
    """What each way in costs: the median over the games of a system, a dot for each game."""
    single = [r for r in rows if r.threads == 1 and r.system != LIMIT]
    faces = {
        key: [fastest(some) for some in grouped(of_face, system_game).values()]
        for key, of_face in grouped(single, lambda r: (r.system, r.face)).items()
    }
    if not faces:
        return None
    ordered = sorted(faces.items(), key=lambda item: statistics.median(rates(item[1])))
    systems = [system for (system, _), _ in ordered]
    figure, axes = canvas(9, 1.4 + 0.34 * len(ordered), "By face: median over the games, a dot for each game")
    medians = [statistics.median(rates(of_face)) for _, of_face in ordered]
    last_dots = [max(rates(of_face)) for _, of_face in ordered]
    bars(axes, [f"{system}  {face}" for (system, face), _ in ordered], medians, systems, last_dots)
    for y, (_, of_face) in enumerate(ordered):
        axes.plot(rates(of_face), [y] * len(of_face), "o", ms=4, color="white", mec="#333333", mew=0.8, zorder=3)
    draw_limit(axes, rows, upright=True)
    legend(axes, list(reversed(systems)))
    return figure


def by_players(rows: list[Row]) -> Any:
    """CPU time of one step relative to the smallest table, for games measured with several player counts."""
    single = [r for r in rows if r.threads == 1 and r.system != LIMIT]
    lines = {}
    for key, of_game in grouped(single, system_game).items():
        measured = grouped(of_game, lambda r: (r.face, r.batch, r.includes))
        line = max(measured.values(), key=lambda line: (len(line), fastest(line).steps_per_cpu_second))
        if len(line) > 1:
            lines[key] = sorted(line, key=lambda r: r.players)
    if not lines:
        return None
    figure, axes = canvas(8, 5, "How the cost of a step grows with the number of players (one thread)")
    for (system, game), line in lines.items():
        costs = [1e9 / rate for rate in rates(line)]
        growth = [cost / costs[0] for cost in costs]
        name = f"{game} ({place(line[0])}): {nanoseconds(costs[0])} at {line[0].players}"
        axes.plot([r.players for r in line], growth, label=name, **look(system, game, lines))
    axes.axhline(1, color="#999999", linewidth=1, zorder=1)
    axes.set_xticks(sorted({r.players for line in lines.values() for r in line}))
    axes.set_xlabel("players")
    axes.set_ylabel("CPU time of a step, relative to the fewest players")
    axes.set_ylim(bottom=min(0.9, axes.get_ylim()[0]))
    legend(axes)
    return figure


# --- Choosing rows -----------------------------------------------------------------


def system_game(row: Row) -> tuple[str, str]:
    return row.system, row.game


def grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    return {k: list(some) for k, some in groupby(sorted(rows, key=key), key)}


def observed(row: Row) -> bool:
    return any(word.startswith("observation") for word in row.includes)


def fewest_players(rows: list[Row]) -> list[Row]:
    """Most peers' games are for two: ours are shown at their smallest table too."""
    least = {key: min(r.players for r in some) for key, some in grouped(rows, system_game).items()}
    return [r for r in rows if r.players == least[system_game(r)]]


def fastest(rows: list[Row]) -> Row:
    """The fastest row with an observation, or the fastest at all where nothing is observed."""
    return max(rows, key=lambda r: (observed(r), r.steps_per_cpu_second))


def rates(rows: Iterable[Row]) -> list[float]:
    return [r.steps_per_cpu_second for r in rows]


def label(row: Row) -> str:
    return f"{row.system} {row.game} ({row.players})"


def place(row: Row) -> str:
    return f"{row.system} {row.face}" + (f" N={row.batch}" if row.batch > 1 else "")


# --- Drawing -------------------------------------------------------------------------


def matplotlib() -> Any:
    """The library, or one line that says how to get it."""
    try:
        import matplotlib
    except ImportError as error:
        raise missing(error, "plot") from None
    return matplotlib


def canvas(width: float, height: float, title: str) -> tuple[Any, Any]:
    matplotlib()
    from matplotlib.figure import Figure  # no pyplot: no window, no global state

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold", pad=10)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def colour(system: str) -> str:
    return COLOURS.get(system, "#999999")


def look(system: str, game: str, lines: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """A shade of the system's colour and a mark of its own for each of its games."""
    matplotlib()
    from matplotlib.colors import to_rgb

    games = [g for s, g in lines if s == system]
    order = games.index(game)
    paler = 0.5 * order / max(1, len(games) - 1)
    shade = tuple(channel + (1 - channel) * paler for channel in to_rgb(colour(system)))
    width = 2.2 if system == OURS else 1.3
    return {"color": shade, "marker": MARKS[order % len(MARKS)], "markersize": 6, "linewidth": width}


def rate_axis(axis: Any, set_scale: Callable[[str], Any], set_label: Callable[[str], Any]) -> None:
    set_scale("log")
    axis.set_major_formatter(lambda value, _: human(value))
    set_label("steps per CPU-second")


def bars(axes: Any, names: list[str], values: list[float], systems: list[str], ends: list[float] | None = None) -> None:
    """Horizontal bars, the figure behind the end of each (or behind `ends`, where something else is drawn)."""
    ends = ends or values
    axes.barh(range(len(values)), values, color=[colour(s) for s in systems], height=0.72)
    rate_axis(axes.xaxis, axes.set_xscale, axes.set_xlabel)
    axes.set_xlim(min(values) / 3, max(ends) * 6)
    axes.set_ylim(-0.7, len(values) - 0.3)
    axes.set_yticks(range(len(values)), names, fontsize=9)
    axes.grid(False, axis="y")
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    for y, (value, end) in enumerate(zip(values, ends, strict=True)):
        where = {"xytext": (8, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(human(value), (end, y), fontsize=8.5, bbox=paper, zorder=4, **where)


def draw_limit(axes: Any, rows: list[Row], upright: bool = False) -> None:
    """The fastest this machine can step anything at all."""
    limits = [r for r in rows if (r.system, r.face, r.threads) == (LIMIT, "batch", 1)]
    if not limits:
        return
    line = axes.axvline if upright else axes.axhline
    best = max(rates(limits))
    line(best, color=colour(LIMIT), linestyle="--", linewidth=1.5, label=f"the machine's limit ({human(best)})")
    if upright:
        left, right = axes.get_xlim()
        axes.set_xlim(left, max(right, best * 2))


def legend(axes: Any, systems: list[str] | None = None) -> None:
    """To the right of the data. Bars have no labels of their own: one patch a system, in order of appearance."""
    handles, labels = axes.get_legend_handles_labels()
    if systems is not None:
        from matplotlib.patches import Patch

        names = list(dict.fromkeys(systems))
        handles, labels = [Patch(color=colour(s)) for s in names] + handles, names + labels
    axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=9)


def nanoseconds(value: float) -> str:
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} ns"
