"""The one protocol by which everybody is measured, ours and peers alike.

A step is ONE player decision: the legality mask is queried and a uniformly random legal action is taken. What a row
includes beyond that (observation, reset, ...) stands in the row. Runs of all cases alternate, so that a machine that
slows down halfway slows everybody down; the figure that counts is steps per CPU-second, summed over all threads.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

Run = Callable[[int], int]
"""run(steps) plays at least that many decisions and returns how many it really played."""

Key = tuple[str, str, int, str, int, int, tuple[str, ...]]

OURS_RUN_ON = ("mastaba", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "stable-baselines3", "torch")
PEERS_RUN_ON = (
    "open_spiel",
    "rlcard",
    "jax",
    "jaxlib",
    "pgx",
    "envpool",
    "jumanji",
    "catanatron",
    "catanatron-gym",
    "pufferlib",
)
PACKAGES = OURS_RUN_ON + PEERS_RUN_ON


# --- What is measured, and what came out ---------------------------------------


@dataclass(frozen=True)
class Case:
    """One thing to measure. `prepare` builds, compiles and warms up; only the `Run` it returns is timed."""

    system: str
    game: str
    players: int
    face: str
    batch: int
    threads: int
    includes: tuple[str, ...]
    prepare: Callable[[], Run] = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        return f"{self.system} {self.game} ({self.players}) {self.face} N={self.batch} x{self.threads}"


@dataclass(frozen=True)
class Row:
    """One case's result; `spread` is (fastest - slowest) / median of the steps per CPU-second."""

    system: str
    game: str
    players: int
    face: str
    batch: int
    threads: int
    includes: tuple[str, ...]
    steps_per_cpu_second: float
    slowest: float
    fastest: float
    steps_per_wall_second: float
    spread: float
    prepare_seconds: float
    steps_per_run: int
    repeats: int
    cpu_rounds: tuple[float, ...] = ()  # steps per CPU-second, run by run
    wall_rounds: tuple[float, ...] = ()

    @property
    def key(self) -> Key:
        """What makes two rows of two reports the same measurement."""
        return self.system, self.game, self.players, self.face, self.batch, self.threads, self.includes


def ratio(ours: Row, theirs: Row, wall: bool = False) -> float:
    """How many times as fast: the median over the rounds, since in each round both met the same machine, slow or quick."""
    mine, other = ((row.wall_rounds if wall else row.cpu_rounds) for row in (ours, theirs))
    if len(mine) != len(other) or not mine:
        raise ValueError(f"{ours.key} and {theirs.key} were not measured in the same rounds")
    return statistics.median(a / b for a, b in zip(mine, other, strict=True))


@dataclass(frozen=True)
class Skipped:
    """A system that was not measured, why, and how to get it."""

    system: str
    reason: str
    install: str


@dataclass(frozen=True)
class Report:
    """A whole benchmark run, as saved."""

    rows: list[Row]
    skipped: list[Skipped]
    environment: dict[str, Any]


# --- Measuring -------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    steps: int
    cpu: float
    wall: float


@dataclass
class Trial:
    """A prepared case with its samples so far."""

    case: Case
    run: Run
    steps: int
    prepare_seconds: float
    samples: list[Sample] = field(default_factory=list)

    def repeat(self) -> None:
        self.samples.append(timed(self.run, self.steps))

    def row(self) -> Row:
        by_cpu, by_wall = [s.steps / s.cpu for s in self.samples], [s.steps / s.wall for s in self.samples]
        median = statistics.median(by_cpu)
        case = {name: getattr(self.case, name) for name in Case.__dataclass_fields__ if name != "prepare"}
        return Row(
            **case,
            steps_per_cpu_second=median,
            slowest=min(by_cpu),
            fastest=max(by_cpu),
            steps_per_wall_second=statistics.median(by_wall),
            spread=(max(by_cpu) - min(by_cpu)) / median,
            prepare_seconds=self.prepare_seconds,
            steps_per_run=round(statistics.median(s.steps for s in self.samples)),
            repeats=len(self.samples),
            cpu_rounds=tuple(by_cpu),
            wall_rounds=tuple(by_wall),
        )


def timed(run: Run, steps: int) -> Sample:
    """One run. CPU time is the process's, so worker threads of a peer are paid for by that peer."""
    wall, cpu = time.perf_counter(), time.process_time()
    done = run(steps)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Sample(done, max(cpu, 1e-9), max(wall, 1e-9))


def calibrate(run: Run, seconds: float) -> int:
    """Steps that take about `seconds` of wall time: grow until the clock is believable, then scale."""
    steps = 1
    while True:
        sample = timed(run, steps)
        if sample.wall >= seconds / 5:
            return max(1, round(sample.steps * seconds / sample.wall))
        steps = max(2 * steps, min(10 * sample.steps, round(sample.steps * seconds / 4 / sample.wall)))


def prepare(case: Case, seconds: float) -> Trial:
    start = time.perf_counter()
    run = case.prepare()
    prepare_seconds = time.perf_counter() - start
    return Trial(case, run, calibrate(run, seconds), prepare_seconds)


def measure(
    cases: Iterable[Case],
    repeats: int = 5,
    seconds: float = 0.5,
    progress: bool = True,
    skipped: list[Skipped] | None = None,
) -> list[Row]:
    """Prepare every case, then run repeat 0 of all, repeat 1 of all, ...; one row a case.

    A case whose preparation fails is an error, or an entry in `skipped` if that list is given: one broken peer must
    not cost an hour of measurements.
    """
    cases = list(cases)
    with progress_bar(progress, total=len(cases) * (1 + repeats)) as step:
        trials = []
        for case in cases:
            step(f"prepare {case.name}")
            try:
                trials.append(prepare(case, seconds))
            except Exception as error:
                if skipped is None:
                    raise
                skipped.append(Skipped(case.system, f"{case.name}: {one_line(error)}", ""))
        with frozen_heap():
            for repeat in range(repeats):
                for trial in trials:
                    step(f"run {repeat + 1}/{repeats} {trial.case.name}")
                    trial.repeat()
    return [trial.row() for trial in trials]


def one_line(error: Exception) -> str:
    first = (str(error).strip() or "no message").splitlines()[0]
    return f"{type(error).__name__}: {first[:160]}"


@contextmanager
def frozen_heap() -> Iterator[None]:
    """Nobody's garbage collection walks through what the others have imported."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def progress_bar(shown: bool, total: int) -> Iterator[Callable[[str], None]]:
    """Yields `step(text)`: say what happens now; the bar counts what is done before."""
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    # Few redraws: the drawing thread's CPU time is charged to whoever runs at that moment.
    with Progress(*columns, disable=not shown, refresh_per_second=1, transient=True) as bar:
        task = bar.add_task("", total=total, completed=-1)
        yield lambda text: bar.update(task, advance=1, description=text)


# --- The machine -----------------------------------------------------------------


def environment(packages: Sequence[str] = PACKAGES) -> dict[str, Any]:
    """What one needs to judge the figures; nothing that tells whose machine it is."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "usable_cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": platform.system(),
        "load_average": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "packages": {name: version for name in packages if (version := installed_version(name))},
    }


def cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def installed_version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


# --- Keeping and showing -----------------------------------------------------------


def save(
    rows: Iterable[Row],
    path: str | Path,
    skipped: Iterable[Skipped] = (),
    machine: dict[str, Any] | None = None,
) -> None:
    """Write a report as JSON. Take `machine = environment()` before measuring: its load is then not our own."""
    report = {
        "environment": machine or environment(),
        "skipped": [asdict(s) for s in skipped],
        "rows": [asdict(r) for r in rows],
    }
    Path(path).write_text(json.dumps(report, indent=1) + "\n")


def load(path: str | Path) -> Report:
    """What `save` wrote; ValueError if it is something else."""
    try:
        report = json.loads(Path(path).read_text())
        rows = [Row(**_with_tuples(row)) for row in report["rows"]]
        return Report(rows, [Skipped(**s) for s in report["skipped"]], report["environment"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no report of `mastaba bench --out`: {type(error).__name__}: {error}") from None


def _with_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}


WIDE = 110  # columns of a terminal that shows all
COLUMNS = (  # name, whether it holds numbers, whether a narrow terminal shows it
    ("system", False, True),
    ("game", False, True),
    ("players", True, True),
    ("face", False, True),
    ("N", True, True),
    ("threads", True, True),
    ("includes", False, False),
    ("steps/CPU-s", True, True),
    ("spread", True, True),
    ("steps/s", True, False),
    ("prepare s", True, False),
)


def human(rate: float) -> str:
    """Three figures and a unit: 1.23 M, 45.6 k, 789."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return f"{rate / size:.3g} {unit}" if rate < 999.5 * size else f"{rate / size:.0f} {unit}"
    return f"{rate:.3g}"


def table(rows: Iterable[Row], skipped: Iterable[Skipped] = (), title: str = "Throughput", width: int = WIDE) -> Table:
    """All rows, and under them who is missing and how to get them. In less than WIDE columns what matters least is left out."""
    wide = width >= WIDE
    shown = Table(
        title=title, box=SIMPLE_HEAD if wide else None, caption=skipped_text(skipped), caption_justify="left", pad_edge=False
    )
    for name, numeric, always in COLUMNS:
        if wide or always:
            shown.add_column(name, justify="right" if numeric else "left", no_wrap=name != "includes")
    for row in rows:
        shown.add_row(*(cell for cell, (_, _, always) in zip(cells(row), COLUMNS, strict=True) if wide or always))
    return shown


def cells(row: Row) -> list[str]:
    return [
        row.system,
        row.game,
        str(row.players),
        row.face,
        str(row.batch),
        str(row.threads),
        ", ".join(row.includes),
        human(row.steps_per_cpu_second),
        f"{row.spread:.0%}",
        human(row.steps_per_wall_second),
        f"{row.prepare_seconds:.1f}",
    ]


def skipped_text(skipped: Iterable[Skipped]) -> str | None:
    lines = [f"skipped {s.system}: {s.reason}" + (f"  ->  {s.install}" if s.install else "") for s in skipped]
    return "\n".join(lines) or None
