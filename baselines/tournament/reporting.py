"""What a tournament says: standings, cross table, seats, ratings; as tables, JSON, CSV and a plot."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table

from ...envs.faces.extras import missing
from .numbers import elo, mean_interval, share_interval, told
from .plan import Plan
from .running import Row

__all__ = ["Report", "Standing", "new_figure", "report"]


@dataclass(frozen=True)
class Standing:
    """How one player fared. Intervals are 95 %, by deals."""

    agent: str
    games: int  # seats taken; of a player and its copies at one table, none counts
    wins: float  # share of victories; k joint winners get 1/k each
    low: float
    high: float
    score: float
    score_margin: float | None  # half width of the interval of the score; None: there was one deal
    rating: float
    rating_error: float
    by_seat: tuple[float, ...]  # share of victories in each seat


@dataclass(frozen=True)
class Report:
    plan: Plan
    games: int
    standings: list[Standing]
    cross: list[list[float | None]]  # how often the row's player was ahead of the column's, ties as halves
    seats: list[float]  # share of victories of each seat, whoever sat there
    ties: float  # games with several winners

    # --- For machines ------------------------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"plan": self.plan.as_dict(), "agents": self.plan.names}

    def write_json(self, path: Path, rows: Iterable[Row]) -> None:
        path.write_text(json.dumps(self.as_dict() | {"rows": list(rows)}, indent=1) + "\n", encoding="utf-8")

    def write_csv(self, path: Path, rows: Iterable[Row]) -> None:
        """One line per seat of each game."""
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["game", "deal", "seat", "agent", "points", "rank", "decisions"])
            for row in rows:
                for seat, who in enumerate(row["seats"]):
                    result = row["points"][seat], row["ranks"][seat], row["decisions"]
                    writer.writerow([row["game"], row["deal"], seat, self.plan.names[who], *result])

    # --- For people --------------------------------------------------------------------------------------------------------------

    def tables(self) -> list[Table]:
        found = [self._standings()]
        if len(self.standings) > 1 and self.plan.players > 1:
            found.append(self._cross())
        return found

    def _standings(self) -> Table:
        what = f"{self.plan.game}, {self.plan.players} players: {self.games} games, {len(set(self._deals()))} deals"
        alone = "each alone against copies of another; " if self.plan.copies else ""
        even = f"{alone}even is {1 / self.plan.players:.0%}; {self.ties:.1%} of the games tied" if self.plan.players > 1 else None
        rated = self.plan.players > 1 and len(self.standings) > 1
        table = Table(title=what, caption=even, box=SIMPLE_HEAD)
        table.add_column("player", overflow="fold")
        heads = ["wins", "95 %", "score", *(["rating"] if rated else []), "by seat"]
        for name in heads:
            table.add_column(name, justify="right", no_wrap=name != "by seat")
        for s in sorted(self.standings, key=lambda s: (-s.wins, -s.score)):
            interval = f"{100 * s.low:.1f}-{100 * s.high:.1f}"
            rating = [f"{s.rating:.0f} ±{1.96 * s.rating_error:.0f}"] if rated else []
            seats = " ".join(f"{100 * share:.0f}" for share in s.by_seat)
            table.add_row(s.agent, f"{s.wins:.1%}", interval, told(s.score, s.score_margin), *rating, seats)
        return table

    def _deals(self) -> range:
        return range(-(-self.games // self.plan.per_deal))

    def _cross(self) -> Table:
        table = Table(title="ahead of, %", box=SIMPLE_HEAD)
        table.add_column("player", overflow="fold")
        for name in self.plan.names:
            table.add_column(name, justify="right", overflow="fold")
        for name, line in zip(self.plan.names, self.cross, strict=True):
            table.add_row(name, *("" if share is None else f"{100 * share:.1f}" for share in line))
        return table

    def markdown(self, command: str) -> str:
        """For a page: a row per player, and the command that played."""
        names, alone = self.plan.names, " Each sits alone against copies of another." if self.plan.copies else ""
        lines = [
            f"{self.games} games of {self.plan.players}, the same deals in every seat (`{command}`).{alone}",
            f"Victories in %, even is {100 / self.plan.players:.0f}; ratings are Elo; then how often one is ahead of another.",
            "",
            f"| player | victories [95 %] | points | rating | {' | '.join(f'`{name}`' for name in names)} |",
            "|---" * (4 + len(names)) + "|",
        ]
        for s in sorted(self.standings, key=lambda s: (-s.wins, -s.score)):
            ahead = ["" if share is None else f"{100 * share:.0f}" for share in self.cross[names.index(s.agent)]]
            wins = f"{100 * s.wins:.1f} [{100 * s.low:.1f}, {100 * s.high:.1f}]"
            rating = f"{s.rating:.0f} ±{1.96 * s.rating_error:.0f}"
            lines.append(f"| `{s.agent}` | {wins} | {told(s.score, s.score_margin)} | {rating} | {' | '.join(ahead)} |")
        return "\n".join(lines)

    def plot(self, path: Path) -> None:
        """Win rates with their intervals, and seats."""
        figure = new_figure(9, 0.6 * len(self.standings) + 1.6)
        left, right = figure.subplots(1, 2, width_ratios=(2, 1))
        order = sorted(self.standings, key=lambda s: s.wins)
        shares = [100 * s.wins for s in order]
        spread = [[max(0, 100 * (s.wins - s.low)) for s in order], [max(0, 100 * (s.high - s.wins)) for s in order]]
        left.errorbar(shares, range(len(order)), xerr=spread, fmt="o", capsize=4)
        left.set_yticks(range(len(order)), [s.agent for s in order])
        left.axvline(100 / self.plan.players, color="grey", linewidth=0.8, linestyle=":")
        left.set(xlabel="victories, %", xlim=(-2, 102), title=f"{self.plan.game}, {self.plan.players} players, {self.games} games")
        right.bar(range(len(self.seats)), [100 * share for share in self.seats], color="tan")
        right.axhline(100 / self.plan.players, color="grey", linewidth=0.8, linestyle=":")
        right.set(xlabel="seat", ylabel="victories, %", xticks=range(len(self.seats)))
        figure.savefig(path, dpi=120)


def new_figure(width: float, height: float) -> Any:
    """An empty figure, or one line that says how to get matplotlib. No pyplot: no window, no global state."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing(error, "plot") from None
    return Figure(figsize=(width, height), layout="constrained")


def report(plan: Plan, rows: Sequence[Row]) -> Report:
    """The figures of finished games; a tournament may be cut short."""
    everybody, points, ranks = (np.array([row[name] for row in rows]) for name in ("seats", "points", "ranks"))
    deals = np.unique([row["deal"] for row in rows], return_inverse=True)[1]
    winners = ranks == 0
    shares = _shares(ranks)
    ahead, met = _pairs(everybody, ranks, deals, len(plan.agents))
    ratings, errors = elo(ahead) if len(plan.agents) > 1 and plan.players > 1 else (np.full(len(plan.agents), np.nan),) * 2
    standings = []
    for who, name in enumerate(plan.names):
        mine = everybody == who
        if plan.copies:
            mine &= mine.sum(1, keepdims=True) == 1
        if not mine.any():
            continue
        wins, low, high = share_interval(_by_deal(shares, mine, deals))
        score, margin = mean_interval(_by_deal(points, mine, deals))
        by_seat = tuple(float(shares[mine[:, p], p].mean()) if mine[:, p].any() else float("nan") for p in range(plan.players))
        standings.append(
            Standing(name, int(mine.sum()), wins, low, high, score, margin, float(ratings[who]), float(errors[who]), by_seat)
        )
    total, together = ahead.sum(0), met.sum(0)
    cross = [[float(a / m) if m else None for a, m in zip(*lines, strict=True)] for lines in zip(total, together, strict=True)]
    ties = float((winners.sum(1) > 1).mean())
    return Report(plan, len(rows), standings, cross, shares.mean(0).tolist(), ties)


def win_shares(plan: Plan, rows: Sequence[Row], who: int) -> np.ndarray:
    """A player's share of victories in each deal."""
    seats, ranks = (np.array([row[name] for row in rows]) for name in ("seats", "ranks"))
    return _by_deal(_shares(ranks), seats == who, np.array([row["deal"] for row in rows]))


def _shares(ranks: np.ndarray) -> np.ndarray:
    """What each seat gets of a victory. One player alone may have lost to an automaton."""
    winners = ranks == 0
    return winners / np.maximum(1, winners.sum(1, keepdims=True))


def _by_deal(values: np.ndarray, mine: np.ndarray, deals: np.ndarray) -> np.ndarray:
    """The mean of a player's seats in each deal that it played."""
    count = np.bincount(deals, mine.sum(1))
    total = np.bincount(deals, (values * mine).sum(1))
    return total[count > 0] / count[count > 0]


def _pairs(seats: np.ndarray, ranks: np.ndarray, deals: np.ndarray, agents: int) -> tuple[np.ndarray, np.ndarray]:
    """For each deal: how often the one was ahead of the other, ties as halves; how often they met."""
    ahead, met = (np.zeros((deals.max() + 1, agents, agents)) for _ in range(2))
    for p in range(seats.shape[1]):
        for q in range(seats.shape[1]):
            other = seats[:, p] != seats[:, q]
            where = deals[other], seats[other, p], seats[other, q]
            better = np.where(ranks[:, p] == ranks[:, q], 0.5, ranks[:, p] < ranks[:, q])
            np.add.at(ahead, where, better[other])
            np.add.at(met, where, 1)
    return ahead, met
