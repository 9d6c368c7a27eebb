"""The page of a benchmark: `python -m mastaba.benchmarks.page results.json README.md`, its other parts in files beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from . import drawing
from .cold import COLUMNS, ColdRun, load_history
from .measure import Report, Row, human, load, ratio
from .portability import SIZE, Comparison, load_comparison
from .throughput import LIMIT, ratio_to_limit

__all__ = ["page"]

COMMAND = "mastaba bench -n 4 -n 5 --peers --repeats 5 --seconds 0.08 --out benchmarks/results.json --plots benchmarks/plots"
COMMAND_OF_TABLES = "mastaba bench --face batch --face limit --repeats 9 --seconds 0.15 --out benchmarks/tables-MACHINE.json"
LARGE, HUGE = 1024, 8192


def page(
    report: Report,
    cold_runs: Sequence[ColdRun] = (),
    comparison: Comparison | None = None,
    pictures: drawing.DrawingRun | None = None,
    tables: Sequence[Report] = (),
) -> str:
    """Everything as Markdown, under the text that says what a step is."""
    machine = report.environment
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    parts = [
        "# Throughput",
        INTRODUCTION,
        f"Made with `{COMMAND}` (extras `peers`, `train` and `plot` installed) on {machine['date'][:10]}: {machine['cpu']}, "
        f"{machine['cores']} cores, Python {machine['python']}, load before the run {machine['load_average'][0]}. "
        f"Median of {report.rows[0].repeats} alternating runs per row.{_state_measured(machine)}",
        "![throughput against batch size](plots/batch.png)",
        "![throughput by game](plots/games.png)",
        "![throughput by face](plots/faces.png)",
        "![cost of more players](plots/players.png)",
        "## Claims",
        claims(report.rows),
        "## Batch rows against the limit of the machine",
        LIMIT_TEXT,
        _table(
            ("game", "players", "observation", "N", "share of the limit"),
            ((g, n, _numbers(face), size, f"{share:.0%}") for g, n, face, size, share in ratio_to_limit(report.rows)),
        ),
        *_every_table(tables),
        "## Where the time of a batch step goes",
        PARTS_TEXT,
        where_the_time_goes(report.rows),
        "## Against 0.2.0",
        SINCE_TEXT,
        "## Two threads",
        "Batch rows again, wall time; the cores share the memory bus, and other guests of the machine use it too.",
        threads(report.rows),
        "## Where the time of a PettingZoo step goes",
        AEC_TEXT,
        "## Opponents inside",
        OPPONENTS_TEXT,
        opponents_inside(report.rows),
        *_cold_starts(cold_runs),
        *_portable(comparison),
        *_pictures(pictures),
        "## All rows",
        _table(
            ("system", "game", "players", "face", "N", "threads", "includes", "steps/CPU-s", "spread", "steps/s", "prepare s"),
            map(_cells, report.rows),
        ),
        *_skipped(report),
        f"Versions: {packages}.",
    ]
    return "\n\n".join(parts) + "\n"


def _state_measured(machine: dict[str, Any]) -> str:
    """Reports may say which state of the games they measured."""
    return f" Rows are of {machine['state']}." if "state" in machine else ""


INTRODUCTION = """One definition of a step for everybody: **one player decision, with the legality mask queried and a uniformly
random legal action taken**. What a row includes beyond that stands in the row. Rates are per CPU-second (all threads added up);
`steps/s` is wall time. Runs of all rows alternate, so that a machine that slows down slows everybody down; ratios are medians over
the rounds of the run, in each of which both rows met the same machine. PufferLib's games have
no mask: their actions are drawn from all of them, many illegal and cheap, and an opponent moves inside the step."""

LIMIT_TEXT = """The limit row plays no game: a kernel that only writes a mask and an observation of the same sizes and picks a
random legal action. Nothing that reports masks and observations can be faster."""

PARTS_TEXT = f"""Nanoseconds per decision at N={LARGE}, one thread. *Game*: rules, mask and choice, inside one kernel. *Batch*: what
the same costs more when {LARGE} games take turns and rewards, ends and illegal actions are looked after. *Observation*: writing it.

*Reachable* is the share that a batch would have whose bookkeeping cost nothing and whose observation cost no more than the limit
row's. It lies between a third and six tenths, since the rules of a decision alone (50 to 90 ns: a dozen branches that depend on
the cards, each guessed wrong some of the time) cost about as much as the whole limit row, or more. And the limit row
fills its observation with one number, where ours looks up some hundred small rows of tables (cards, dice, places) by values it has
just read from the state. What was found by timing the parts, and what was done about it:

- Calls that pass arrays pass seven words each; the kernels of a step are now one piece of code (a fifth faster).
- Branches of the kind "is this place empty?" are guessed wrong half of the time in a batch: encoders have none.
- numba counts references to every view of an array, and to the arrays of every call, by atomic operations: kernels make no arrays,
  so nothing is counted (`core/kernel/jit.py`).
- What rules and observations both need (groups, crews, open spaces, Gods) is kept in the state when it changes.
- An index that may be negative costs a comparison, a sum and a choice: those that are computed count from the front
  (`core/kernel/indices.py`; kernels 2 to 5 % faster).
- "If this may be done, mark it" is guessed wrong as often as "is it empty?": what is legal is computed and written, true or not
  (rules of pyramidice 12 % faster, of pyramids 5 %, of cheops 10 % together with dice that are counted in a register).
- The end of a game and the next one stay apart from a step (`set_apart`, 3 to 7 %), masks have a width that the compiler knows
  (2 to 4 %), and the kernel counts the ends, for which Python looked through the lanes (3 ns a decision; a sixth of a step of one
  game).
- Large batches: 64 games at a time instead of 32 (5 to 10 % at N={HUGE}), the states of the next ones fetched ahead (pyramids with
  two players 15 %).
- Pyramidice has a turn of eighteen phases, and its observation a hundred numbers that depend on the observer's secret Project and
  on the dice (`project_hits`, `worship`), which cost about a quarter of it.
- Master Architect's observation follows lines of stones and chambers up to three stones ahead: four colours at once, as boards
  side by side in one vector (`core/kernel/boards.py`), and what each card is worth is kept in the state. Half of what it cost.

Tried without a gain: lane records that begin with a cache line (1 % either way); observations made on the stack and copied (20 to
90 % slower, twice as slow by string instructions), cleared first (15 to 60 % slower) or fetched ahead (5 to 40 % slower: lines
that are written whole are not read first, unless one asks for them); tokens cleared and filled a few kB at a time (a third slower);
narrower tables in pyramids; masks made by arithmetic instead of a table, and cheops' stones crossed out without branches (2 %
slower each); products looked up in tables (below 1 %); random choices from masks of a constant width (a quarter slower). A faster
random choice would make all rows faster, but the limit row the most.

Cheops has the smallest observation, so its limit is the lowest: the 59 ns that its rules take are two thirds above it. They are
1.46 moves, since a turn in which nothing more can be built ends by itself, each with dice, a building and a payment; that wrong
guesses of branches are what it costs is a reading of profiles, since this machine has no counters."""


SINCE_TEXT = """How many times the steps of 0.2.0, lowest and highest table of each game: medians of four alternating runs of
`mastaba bench --face kernel --face batch` of both states on the Intel machine, one thread, each with its own cache.

| game | kernel | batch N=1 | N=64 | N=1024 | N=8192 |
|---|---|---|---|---|---|
| cheops | 1.05 to 1.38 | 1.49 to 1.84 | 1.24 to 1.40 | 1.17 to 1.27 | 1.05 to 1.20 |
| giza | 1.17 to 1.21 | 1.80 to 1.81 | 1.13 to 1.35 | 1.16 to 1.28 | 1.27 to 1.29 |
| master_architect, 1 player | 1.05 | 1.74 | 1.01 | 1.09 | 1.15 |
| master_architect, 2 to 4 | 1.05 to 1.10 | 1.46 to 1.60 | 0.71 to 0.89 | 0.76 to 0.82 | 0.51 to 0.76 |
| pyramidice | 1.09 to 1.37 | 1.39 to 2.01 | 1.30 to 1.41 | 1.21 to 1.38 | 1.15 to 1.54 |
| pyramids | 1.20 to 1.30 | 1.48 to 1.96 | 1.18 to 1.40 | 1.07 to 1.31 | 1.12 to 1.18 |

Observations have grown since, most of all Master Architect's with more than one player: 958 numbers instead of 741 with two, 1532
instead of 901 with four, what learners lacked. That is why its batches do fewer steps: they write 6 to 29 % more numbers per second
at N=64 and N=1024, and 2 to 23 % fewer at N=8192."""


TABLES_TEXT = f"""Runs of their own without other work, all tables, on two machines (the AMD one in rounds of 0.1 s). Wanted were
40 % at N={LARGE} in cheops, giza, master_architect and pyramids and 33 % in pyramidice, at N={HUGE} four fifths of that, and 1.8
times as many steps with two threads at N={HUGE}. Shares depend on the machine: where memory is slow to write, the limit row, which
does nothing else, is slow too. On the Intel machine, of half the speed, all shares are reached; on the AMD machine many are
**missed**, and why: small
tables have small observations, beside which the rules weigh more (the next section); large batches lose to memory what a step reads
and writes beside the observation, where the limit row has nothing (a state, of 1152 bytes in Master Architect, and the account of
its lane). Two threads are measured by the clock on two virtual cores, which lose up to half of a round to other guests (the rounds
of a row vary from 1.0 to 2.1 times as many steps): **missed** in 13 of 18 rows on the AMD machine, and in 7 on the Intel one
(cheops, giza, pyramidice with one player), where large observations gain more than twice: seen in two runs, but not explained."""

AEC_TEXT = """Microseconds of one last() and one step() with a random choice between them, Cheops with two players, CPU time of one
run (the inside of the kernel from the batch row, step() by difference); before and after the arrays of a game are handed to its
kernel as one address instead of one by one, and the kernel returns who is to act.

| part | before | now |
|---|---|---|
| last(): copies of observation (0.1) and mask (0.1), a dictionary, a tuple, five lookups | 0.95 | 0.65 |
| call of the kernel: types of seven arrays looked up, references counted; now three whole numbers | 0.9 | 0.2 |
| rules, mask and observation inside the kernel | 0.2 | 0.2 |
| step(): who is to act, checks of the action, selection of the agent | 1.6 | 1.1 |
| the random choice, which is the benchmark's own | 0.6 | 0.6 |
| together | 4.3 | 2.7 |

Against connect_four's `env()` in the same process, five alternating rounds, lowest and highest of the 18 tables: 12.5 to 16.0 times
before, 16.9 to 24.9 now (243 to 359 k steps per CPU-second), and 53 to 68 % of doing nothing (426 to 617 k). The machine was busy,
and the two versions were measured one after the other.

"AEC / doing nothing" in the claims is the same loop around an environment that plays no game but hands out fresh arrays of the
same sizes and accounts for rewards as PettingZoo's base class does it. What is left above it are the call and the game itself, the
checks (an action may be illegal, a seat unknown, a game not begun) and the end of a game with its infos."""

OPPONENTS_TEXT = """Decisions of the learner per CPU-second, as a share of all decisions of a self-playing batch of the same size.
With n players, n - 1 of n decisions are made by opponents and count for nothing here. Greedy ones think: their kernels take most of
the time. -: not measured in this run."""

COLD_TEXT = """CPU-seconds from an empty cache, in fresh processes (`mastaba bench --cold --out benchmarks/cold.json`), oldest run
first. *First step*: from the start of Python to the first step of PettingZoo's interface. *Second process*: the same with the
cache that the first one left. *Demo* and *all stages*: what `mastaba demo` and `mastaba warmup` compile, in one process; -: not
measured. A busy machine adds to CPU time too, and machines of different days differ: runs compare when they were measured side by
side. So were 0.2.0 and the state of the last row, on an Intel machine on which 0.2.0 takes 10 to 34 % longer than in the first row:
cheops 12.2 and 6.3, giza 24.1 and 9.2, master_architect 18.4 and 7.8, pyramids 19.3 and 7.7, pyramidice 39.2 and 13.5. Wanted are 5
(cheops), 7 (giza, master_architect, pyramids) and 14 (pyramidice), and 30 s for the demo stages: reached in the row of the quiet
AMD machine; on the Intel one **missed** in cheops and in giza, and by up to 0.2 s in second processes (1 s is wanted). Three
quarters of what is left is the front end of the compiler, in Python, some 0.05 s for each of 75 to 180 kernels: fewer and smaller
kernels, or `mastaba warmup --portable`, are what helps."""


PORTABLE_TEXT = """`mastaba warmup --portable DIR` makes machine code for x86-64-v3, nearly every PC and server since 2015. It is
used where there is none for this very processor, from our own wheel or a folder that the user names (`MASTABA_PORTABLE_DIR`).
Below: its speed as a share of native code's, medians of alternating processes (`python -m mastaba.benchmarks.portability DIR`), and
whether every kernel of the folder wrote the same as the native one."""


def _portable(comparison: Comparison | None) -> list[str]:
    if comparison is None:
        return []
    rows = ((g.game, f"{g.playout:.2f}", f"{g.batch:.2f}", "yes" if g.same else "no") for g in comparison.games)
    made = f"{comparison.label}, {comparison.date}, {comparison.cpu}."
    return ["## Portable machine code", PORTABLE_TEXT, made, _table(("game", "playout", f"batch N={SIZE}", "same results"), rows)]


def opponents_inside(rows: list[Row]) -> str:
    """Shares of the batch's speed that faces with opponents reach."""
    lines = []
    for game, players in _tables(rows):
        pairs = (("vector", 64), ("sb3", 64), ("vector", LARGE), ("greedy", LARGE))
        shares = [(_ours(rows, game, players, face, n), _ours(rows, game, players, "batch", n)) for face, n in pairs]
        if any(face and batch for face, batch in shares):
            lines.append((game, players, *(f"{ratio(face, batch):.0%}" if face and batch else "-" for face, batch in shares)))
    head = ("vector N=64", "`DuelVecEnv` N=64", f"vector N={LARGE}", f"vector N={LARGE}, greedy opponents")
    return _table(("game", "players", *head), lines)


def _every_table(reports: Sequence[Report]) -> list[str]:
    """Shares of the limit and gains of a second thread, a line per table, machine by machine."""
    parts = ["## Every table", TABLES_TEXT, f"`{COMMAND_OF_TABLES}`"] if reports else []
    head = (f"share of the limit, N={LARGE}", f"N={HUGE}", f"two threads, N={LARGE}", f"N={HUGE}")
    for report in reports:
        shares = {(*table, size): f"{share:.0%}" for *table, face, size, share in ratio_to_limit(report.rows) if face == "batch"}
        gains = {line[:3]: line[-1] for line in _threads(report.rows)}
        columns = [(found, size) for found in (shares, gains) for size in (LARGE, HUGE)]
        lines = [(*table, *(found.get((*table, size), "-") for found, size in columns)) for table in _tables(report.rows)]
        machine = report.environment
        rounds = f"{report.rows[0].repeats} rounds, load before the run {machine['load_average'][0]}"
        parts += [f"{machine['cpu']}, {machine['date'][:10]}, {rounds}:", _table(("game", "players", *head), lines)]
    return parts


def _cold_starts(runs: Sequence[ColdRun]) -> list[str]:
    if not runs:
        return []
    rows = [
        (start.game, run.label, run.date, *start.figures)
        for game in sorted({start.game for run in runs for start in run.starts})
        for run in runs
        for start in run.starts
        if start.game == game
    ]
    parts = ["## Cold starts", COLD_TEXT, _table(("game", "run", "date", *COLUMNS), rows)]
    if clock := [(run.label, run.date, f"{run.demo_seconds:.0f}") for run in runs if run.demo_seconds]:
        parts += ["Demo stages of all games, a process per core, seconds by the clock:", _table(("run", "date", "seconds"), clock)]
    return parts


def _pictures(run: drawing.DrawingRun | None) -> list[str]:
    if run is None:
        return []
    text = (
        f"CPU-milliseconds per picture, median and slowest of {drawing.POSITIONS} positions of a random game, everything open and "
        f"legal actions shown (`mastaba bench --pictures --out benchmarks/pictures.json`, {run.date}, {run.cpu}, load {run.load}). "
        f"Allowed are {drawing.SVG_LIMIT:.0f} as SVG and {drawing.PIXELS_LIMIT:.0f} as pixels; the command fails above."
    )
    return ["## Pictures", text, _table(drawing.COLUMNS, (row.figures for row in run.costs))]


def claims(rows: list[Row]) -> str:
    """The ratios that people ask for, all from this run."""
    hanabi = _one(rows, "openspiel", "hanabi", "compiled bots", 1)
    connect = _one(rows, "pettingzoo", "connect_four_v3", "wrapped", 1)
    rivals = {
        "Pgx backgammon": _one(rows, "pgx", "backgammon", "batch", LARGE),
        "EnvPool backgammon": _one(rows, "envpool", "backgammon", "batch", LARGE),
        "PufferLib go": _one(rows, "pufferlib", "go_7x7", "batch", LARGE),
        "PufferLib checkers": _one(rows, "pufferlib", "checkers", "batch", LARGE),
        "PufferLib tripletriad": _one(rows, "pufferlib", "tripletriad", "batch", LARGE),
    }
    lines = []
    for game, players in _tables(rows):
        kernel, aec, batch = (_ours(rows, game, players, *which) for which in (("kernel",), ("aec",), ("batch", LARGE)))
        idle = next((r for r in rows if (r.system, r.game, r.players, r.face) == (LIMIT, game, players, "aec")), None)
        ratios = (_times(kernel, hanabi), _times(aec, connect), _times(aec, idle), *(_times(batch, r) for r in rivals.values()))
        lines.append((game, players, *ratios))
    head = (
        "game",
        "players",
        "kernel / OpenSpiel's compiled Hanabi",
        "AEC / PettingZoo connect_four `env()`",
        "AEC / doing nothing",
    )
    return _table((*head, *(f"batch N={LARGE} / {name}" for name in rivals)), lines)


def where_the_time_goes(rows: list[Row]) -> str:
    """Nanoseconds per decision in a batch: the game, the bookkeeping of the batch, the observation; beside them the limit."""
    lines = []
    for game, players in _tables(rows):
        limit = next((r for r in rows if (r.system, r.game, r.players, r.batch) == (LIMIT, game, players, LARGE)), None)
        kernel, blind, batch = (_ours(rows, game, players, *which) for which in (("kernel",), ("blind",), ("batch", LARGE)))
        if limit and kernel and blind and batch:
            play, sightless, whole, least = (1e9 / row.steps_per_cpu_second for row in (kernel, blind, batch, limit))
            parts = (f"{ns:.0f}" for ns in (play, sightless - play, whole - sightless, whole, least))
            lines.append((game, players, *parts, f"{ratio(batch, limit):.0%}", f"{least / (play + least):.0%}"))
    head = ("game", "players", "game", "batch", "observation", "all", "limit", "share of the limit", "reachable")
    return _table(head, lines)


def threads(rows: list[Row]) -> str:
    """What a second thread gains, in wall time."""
    return _table(("game", "players", "N", "one thread, steps/s", "two threads, steps/s", "gain"), _threads(rows))


def _threads(rows: list[Row]) -> list[tuple]:
    lines = []
    for game, players in _tables(rows):
        for size in (LARGE, HUGE):
            one, two = (_ours(rows, game, players, "batch", size, count) for count in (1, 2))
            if one and two:
                rates = (human(row.steps_per_wall_second) for row in (one, two))
                lines.append((game, players, size, *rates, f"{ratio(two, one, wall=True):.2f}x"))
    return lines


def _tables(rows: Iterable[Row]) -> list[tuple[str, int]]:
    return sorted({(r.game, r.players) for r in rows if r.system == "mastaba"})


def _numbers(face: str) -> str:
    """The type of an observation's numbers, from the name of a batch row."""
    return face.removeprefix("batch").strip() or "float32"


def _one(rows: Iterable[Row], system: str, game: str, face: str, batch: int) -> Row | None:
    found = [r for r in rows if (r.system, r.face, r.batch, r.threads) == (system, face, batch, 1) and r.game.startswith(game[:12])]
    return max(found, key=lambda r: r.steps_per_cpu_second, default=None)


def _ours(rows: Iterable[Row], game: str, players: int, face: str, batch: int | None = None, threads: int = 1) -> Row | None:
    wanted = "mastaba", game, players, face, threads
    found = (r for r in rows if (r.system, r.game, r.players, r.face, r.threads) == wanted and batch in (None, r.batch))
    return next(found, None)


def _times(ours: Row | None, theirs: Row | None) -> str:
    return "-" if ours is None or theirs is None else f"{ratio(ours, theirs):.1f}x"


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
    beside = Path(source).with_name
    history, comparison = load_history(beside("cold.json")), load_comparison(beside("portable.json"))
    pictures = drawing.load_run(beside("pictures.json"))
    tables = [load(path) for path in sorted(Path(source).parent.glob("tables*.json"))]
    Path(target).write_text(page(load(source), history, comparison, pictures, tables), encoding="utf-8")


if __name__ == "__main__":
    main()
