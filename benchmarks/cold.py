"""Cold starts: what a user waits for. Every figure is taken in a fresh process, as a program of a few lines with an empty cache.

first step      CPU-seconds from the start of Python to the first step of PettingZoo's interface, imports included
second process  the same again, in another process that finds what the first one left in the cache
demo stages     CPU-seconds until rules, random and greedy players and playouts are compiled
all stages      CPU-seconds of `mastaba warmup` for this game, in one process
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from .measure import cpu_model, installed_version

__all__ = ["COLUMNS", "ColdRun", "ColdStart", "load_history", "measure_cold", "remember", "table"]

FIRST_STEP = """
import sys, time
from mastaba.envs.faces.pettingzoo import BoardGameEnv
env = BoardGameEnv(sys.argv[1])
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(time.process_time())
"""
STAGES = """
import sys, time
from mastaba.compiling import DEMO_STAGES, STAGES, compile_games
compile_games(sys.argv[1:], DEMO_STAGES, lambda name: None)
print(time.process_time())
compile_games(sys.argv[1:], [stage for stage in STAGES if stage not in DEMO_STAGES], lambda name: None)
print(time.process_time())
"""
DEMO = """
import sys, time
from mastaba.compiling import DEMO_STAGES, compile_games
start = time.perf_counter()
compile_games(sys.argv[1:], DEMO_STAGES, lambda name: None)
print(time.perf_counter() - start)
"""

COLUMNS = ("first step", "second process", "demo stages", "all stages")


@dataclass(frozen=True)
class ColdStart:
    """CPU-seconds of one game; None where a run of the past was not measured."""

    game: str
    first_step: float
    second_process: float
    demo_stages: float | None = None
    all_stages: float | None = None

    @property
    def figures(self) -> tuple[str, ...]:
        """In the order of COLUMNS."""
        seconds = (self.first_step, self.second_process, self.demo_stages, self.all_stages)
        return tuple("-" if s is None else f"{s:.1f}" for s in seconds)


@dataclass(frozen=True)
class ColdRun:
    """A whole run, as it is remembered. `demo_seconds`: by the clock, the demo stages of all games with a process per core."""

    label: str
    date: str
    cpu: str
    numba: str
    starts: list[ColdStart]
    demo_seconds: float | None = None


def measure_cold(games: Sequence[str], label: str, repeats: int = 1, step: Callable[[str], None] = lambda text: None) -> ColdRun:
    """Medians of `repeats` runs; `step` is told what comes next."""
    rounds: list[list[ColdStart]] = []
    demos: list[float] = []
    for _ in range(repeats):
        rounds.append([_start(game, step) for game in games])
        step("demo stages of all games")
        demos.append(run_cold(DEMO, *games)[0])
    starts = [_median(of_game) for of_game in zip(*rounds, strict=True)]
    date = datetime.now(UTC).date().isoformat()
    return ColdRun(label, date, cpu_model(), installed_version("numba") or "", starts, statistics.median(demos))


def steps_of(games: Sequence[str], repeats: int) -> int:
    """How often `measure_cold` says what comes next."""
    return repeats * (2 * len(games) + 1)


def _start(game: str, step: Callable[[str], None]) -> ColdStart:
    step(f"{game}: first step")
    with tempfile.TemporaryDirectory() as folder:
        (first,), (second,) = _run(folder, FIRST_STEP, game), _run(folder, FIRST_STEP, game)
    step(f"{game}: all stages")
    return ColdStart(game, first, second, *run_cold(STAGES, game))


def run_cold(program: str, *arguments: str) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        return _run(folder, program, *arguments)


def _run(folder: str, program: str, *arguments: str) -> list[float]:
    """The numbers that a program prints in a process of its own, whose cache is in `folder`."""
    of_the_process = os.environ | {"MASTABA_CACHE_DIR": folder, "MASTABA_QUIET": "1"}
    command = [sys.executable, "-c", program, *arguments]
    finished = subprocess.run(command, env=of_the_process, capture_output=True, text=True, check=False)
    if finished.returncode:
        last_line = (finished.stderr.strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"a cold start of {', '.join(arguments)} failed: {last_line}")
    return [float(line) for line in finished.stdout.split()]


def _median(starts: Iterable[ColdStart]) -> ColdStart:
    several = list(starts)
    names = [name for name in ColdStart.__dataclass_fields__ if name != "game"]
    return ColdStart(several[0].game, **{name: statistics.median(getattr(s, name) for s in several) for name in names})


# --- Keeping and showing -----------------------------------------------------------------------------------------------------


def load_history(path: Path) -> list[ColdRun]:
    """The runs so far, oldest first; none if there is no such file."""
    if not path.exists():
        return []
    return [ColdRun(**(run | {"starts": [ColdStart(**start) for start in run["starts"]]})) for run in json.loads(path.read_text())]


def remember(run: ColdRun, path: Path) -> None:
    """Add a run to the history; one of the same label is replaced."""
    runs = [past for past in load_history(path) if past.label != run.label] + [run]
    path.write_text(json.dumps([asdict(run) for run in runs], indent=1) + "\n")


def table(run: ColdRun) -> Table:
    shown = Table(
        title="Cold starts, CPU-seconds", box=SIMPLE_HEAD, caption=f"demo stages of all, by the clock: {run.demo_seconds:.1f} s"
    )
    shown.add_column("game")
    for name in COLUMNS:
        shown.add_column(name, justify="right")
    for s in run.starts:
        shown.add_row(s.game, *s.figures)
    return shown
