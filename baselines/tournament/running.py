"""Running a plan: chunks of games by threads here or by Ray on many machines, every finished one kept in a file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import count
from pathlib import Path
from threading import local
from typing import Any, TextIO

import numpy as np

from ...envs.core.kernel.rng import Chance
from ...envs.replay.file import Replay
from ..agents import Agent, agent
from .games import play_deals
from .plan import Plan

__all__ = ["Keeper", "Row", "interrupted_file", "play_chunk", "run", "write_replays"]

DICE = 2**41  # keeps the players' dice apart from those of deals and openings

Row = dict[str, Any]
"""A finished game: its number, its deal, who sat where, points, ranks, decisions, and its actions if they are asked for."""


def make_agents(plan: Plan) -> list[Agent]:
    return [agent(plan.table, name, 0) for name in plan.agents]


def play_chunk(plan: Plan, number: int, agents: Sequence[Agent], moves: bool = False) -> list[Row]:
    """The games of a chunk. The players' dice follow from the plan and the chunk, whoever plays it."""
    for i, player in enumerate(agents):
        if hasattr(player, "set_dice"):
            player.set_dice(Chance.of_seed(plan.seed, DICE + number * len(agents) + i).counter)
    deals, seats = plan.of_chunk(number)
    seeds = np.full(len(deals), plan.seed % 2**64, np.uint64)
    played = play_deals(plan.table, seats, agents, seeds, deals.astype(np.uint64), plan.openings)
    return [
        {
            "game": number * plan.chunk + i,
            "deal": int(deals[i]),
            "seats": seats[i].tolist(),
            "points": played.points[i].tolist(),
            "ranks": played.ranks[i].tolist(),
            "decisions": int(played.decisions[i]),
            **({"actions": played.moves(i)} if moves else {}),
        }
        for i in range(len(deals))
    ]


# --- Keeping ---------------------------------------------------------------------------------------------------------------------


class Keeper:
    """A file of finished games: the plan in the first line, then one line per chunk. What a crash cut off is played again."""

    def __init__(self, plan: Plan, path: Path | None) -> None:
        self.plan, self.path = plan, path
        self.chunks: dict[int, list[Row]] = {}
        self._file: TextIO | None = None
        if path is None:
            return
        whole = self._read(path) if path.exists() else 0
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")
        self._file.truncate(whole)
        if not whole:
            self._write({"plan": plan.as_dict()})

    def _read(self, path: Path) -> int:
        """Read the chunks that are there; return how many bytes of the file are whole lines."""
        data = path.read_bytes()
        lines = data.split(b"\n")[:-1]
        if data and not lines:
            raise ValueError(f"{path}: not a file of tournament games")
        for number, line in enumerate(lines):
            try:
                content = json.loads(line)
                if number == 0:
                    self._check(content["plan"])
                else:
                    self.chunks[int(content["chunk"])] = content["rows"]
            except (ValueError, KeyError, TypeError) as error:
                if isinstance(error, PlanDiffers):
                    raise
                raise ValueError(f"{path}: not a file of tournament games (line {number + 1})") from None
        return sum(len(line) + 1 for line in lines)

    def _check(self, kept: dict[str, Any]) -> None:
        mine = self.plan.as_dict()
        for name in mine:
            if kept.get(name) != mine[name]:
                raise PlanDiffers(f"{self.path} holds another tournament: {name} was {kept.get(name)}, now it is {mine[name]}")

    def _write(self, content: dict[str, Any]) -> None:
        if self._file:
            self._file.write(json.dumps(content, separators=(",", ":")) + "\n")
            self._file.flush()

    def add(self, number: int, rows: list[Row]) -> None:
        self.chunks[number] = rows
        self._write({"chunk": number, "rows": rows})

    def rows(self) -> list[Row]:
        """All finished games in the order of the plan."""
        return [row for number in sorted(self.chunks) for row in self.chunks[number]]

    def missing(self) -> list[int]:
        return [number for number in range(self.plan.chunks) if number not in self.chunks]

    def close(self, forget: bool = False) -> None:
        """`forget`: the file is not needed any more, if the tournament is complete."""
        if self._file:
            self._file.close()
        if forget and self.path and not self.missing():
            self.path.unlink(missing_ok=True)


def interrupted_file(plan: Plan) -> Path:
    """Where the games of a tournament are kept whose file nobody named: a new one."""
    folder = Path("runs") / "tournaments"
    for number in count(1):
        path = folder / f"{plan.game}-{plan.players}p-{number}.jsonl"
        if not path.exists():
            return path
    raise AssertionError


class PlanDiffers(ValueError):
    """A file holds the games of another plan."""


# --- Playing ---------------------------------------------------------------------------------------------------------------------

Chunks = Iterator[tuple[int, list[Row]]]


def run(
    plan: Plan,
    keeper: Keeper | None = None,
    *,
    workers: int | None = None,
    moves: bool = False,
    ray: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Row]:
    """Play what is missing; return all games. `ray` is the address of a cluster, or "local" for one on this machine."""
    keeper = keeper or Keeper(plan, None)
    missing = keeper.missing()
    if progress:
        progress(len(keeper.rows()))
    if ray:
        from .on_ray import on_ray

        chunks = on_ray(plan, missing, moves, ray)
    else:
        chunks = on_threads(plan, missing, moves, workers or os.cpu_count() or 1)
    done = len(keeper.rows())
    for number, rows in chunks:
        keeper.add(number, rows)
        done += len(rows)
        if progress:
            progress(done)
    return keeper.rows()


def on_threads(plan: Plan, numbers: Sequence[int], moves: bool, workers: int) -> Chunks:
    """Chunks as they are finished. Kernels run without the interpreter's lock, so threads share the cores."""
    mine = local()

    def work(number: int) -> tuple[int, list[Row]]:
        if not hasattr(mine, "agents"):
            mine.agents = make_agents(plan)
        return number, play_chunk(plan, number, mine.agents, moves)

    if workers == 1 or len(numbers) <= 1:
        yield from map(work, numbers)
        return
    waiting = list(reversed(numbers))
    pool = ThreadPoolExecutor(workers)
    try:
        running: set[Future] = {pool.submit(work, waiting.pop()) for _ in range(min(workers, len(waiting)))}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(work, waiting.pop()) for _ in range(min(len(done), len(waiting)))}
            yield from (job.result() for job in done)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def write_replays(plan: Plan, rows: Sequence[Row], folder: Path) -> int:
    """Each game as a replay file; openings are moves like others."""
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        if "actions" in row:
            names = [plan.names[i] for i in row["seats"]]
            replay = Replay.of(plan.table, plan.seed, row["actions"], players=names, episode=row["deal"])
            replay.save(folder / f"{plan.game}-{row['game']:06d}.json")
    return sum("actions" in row for row in rows)
