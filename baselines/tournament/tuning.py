"""Tuning: settings of a search player are compared in the same deals, against the same opponents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table

from ...envs.core.game import Game
from .numbers import mean_interval, share_interval, told
from .plan import Plan
from .reporting import win_shares
from .running import Keeper, run

__all__ = ["Candidate", "candidates", "table_of", "tune"]

NOTHING = 1e-9  # what rounding does to shares


@dataclass(frozen=True)
class Candidate:
    """A player and its share of victories in each deal, over all opponents."""

    name: str
    shares: np.ndarray
    even: float  # the share of equals

    @property
    def wins(self) -> float:
        return float(self.shares.mean())

    @property
    def deals(self) -> tuple[int, int]:
        """In how many it won more than an even share, and in how many less. In the others it is the deal that decides."""
        gains = self.shares - self.even
        return int((gains > NOTHING).sum()), int((gains < -NOTHING).sum())


def candidates(kind: str, budget: str, tries: Sequence[str]) -> list[str]:
    """The names of all combinations of `key=a,b,c`; without any, the default alone."""
    columns = []
    for words in tries:
        key, equals, values = words.partition("=")
        if not (key and equals and values):
            raise ValueError(f"what is tried is written key=value,value, not {words!r}")
        columns.append([f"{key}={value.strip()}" for value in values.split(",")])
    return [":".join([kind, budget, *settings]) for settings in product(*columns)]


def file_name(plan: Plan) -> str:
    """Of the games of a plan, so that another plan has another file."""
    words = "-".join([plan.game, f"{plan.players}p", *plan.agents, f"{plan.games}", f"{plan.seed}", f"{plan.openings}"])
    return re.sub(r"[^\w.=+-]", "_", words) + ".jsonl"


def tune(
    game: Game,
    names: Sequence[str],
    against: Sequence[str],
    games: int,
    seed: int,
    openings: int = 0,
    progress: Callable[[str], None] | None = None,
    keep: Path | None = None,
    **where: Any,
) -> list[Candidate]:
    """Every candidate alone against copies of each opponent, in the same deals; the best first.

    `keep` is a folder for finished games: what is there is not played again.
    """
    plans = {name: [Plan.of(game, [name, other], games, seed, openings).alone() for other in against] for name in names}
    found = []
    for name in names:
        shares = []
        for plan in plans[name]:
            keeper = Keeper(plan, keep / file_name(plan) if keep else None)
            shares.append(win_shares(plan, run(plan, keeper, **where), who=0))
            keeper.close()
            if progress:
                progress(name)
        found.append(Candidate(name, np.mean(shares, 0), 1 / game.num_players))
    return sorted(found, key=lambda candidate: -candidate.wins)


def table_of(found: Sequence[Candidate], against: Sequence[str], games: int) -> Table:
    """Win rates, deals with more and with fewer victories than an even share, and how far each is behind the best in them."""
    table = Table(title=f"{games} games each against {', '.join(against)}", box=SIMPLE_HEAD)
    table.add_column("player", overflow="fold")
    for head in ("wins", "95 %", "deals", "behind the best"):
        table.add_column(head, justify="right", no_wrap=True)
    for candidate in found:
        share, low, high = share_interval(candidate.shares)
        behind, margin = mean_interval(100 * (found[0].shares - candidate.shares))
        text = "" if candidate is found[0] else told(behind, margin)
        more, fewer = candidate.deals
        table.add_row(candidate.name, f"{share:.1%}", f"{100 * low:.1f}-{100 * high:.1f}", f"{more}:{fewer}", text)
    return table
