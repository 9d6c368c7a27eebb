"""Do the tests notice? Plant one fault at a time in a room of a game and run the game's tests: `python tests/mutants.py cheops`.

    python tests/mutants.py GAME [ROOM] [--most N] [--seed K] [-- what to give pytest]
    python tests/mutants.py                                     invariants, pending, scoring and observation of all games

ROOM is a file of the game's folder, `invariants` if none is named. A fault is a comparison turned round, a number one off, an `and`
for an `or`, a `+` for a `-`, a test that is always true or never, a statement that is left out; complaints keep their words.

Rooms of plain Python (invariants, drawing) take seconds a fault; rooms of kernels are compiled anew each time, in a cache folder of
their own: name --most.

Survivors are printed with their place. Those that no input can tell from the sound code, or that only a test by hand tells, stand
in mutants_known.toml with the reason; the exit code is 1 if another one survives, or if one that stands there does not.

With --recorded the tests run once, without the fuzzer, and every position that they show to the game's invariants is kept with what
was said of it; a fault is noticed if it says something else of one of them. That takes a tenth of a second a fault, for rooms of
plain Python that judge positions (`invariants`, `pending`).

With --plain the kernels of a room (`observation`, `scoring`) run as Python on positions of random and rule-based play at every
table; a fault is noticed if a number of one of them changes. That is what the tests notice that compute every feature once more
(tests/GAME/test_observation.py) and those that play beside a referee, in positions of the same kind; it takes milliseconds a fault.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from mastaba import GAMES, Game

ROOT = Path(__file__).parent.parent
KNOWN = Path(__file__).with_name("mutants_known.toml")
TURNED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
}
SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}


def faults_at(node: ast.AST) -> Iterator[ast.AST]:
    """What could stand there instead."""
    changed = copy.deepcopy(node)
    if isinstance(changed, ast.Compare) and type(changed.ops[0]) in TURNED:
        changed.ops[0] = TURNED[type(changed.ops[0])]()
        yield changed
    elif isinstance(changed, (ast.BinOp, ast.BoolOp)) and type(changed.op) in SWAPPED:
        changed.op = SWAPPED[type(changed.op)]()  # type: ignore[assignment]
        yield changed
    elif isinstance(changed, ast.Constant) and type(changed.value) is int:
        changed.value += 1
        yield changed
    elif isinstance(changed, ast.If):
        for always in (True, False):
            again = copy.deepcopy(node)
            assert isinstance(again, ast.If)
            again.test = ast.copy_location(ast.Constant(always), again.test)
            yield again
    elif isinstance(changed, (ast.AugAssign, ast.Expr)) and not (
        isinstance(changed, ast.Expr) and isinstance(changed.value, ast.Constant)
    ):
        yield ast.copy_location(ast.Pass(), changed)


class Plant(ast.NodeTransformer):
    """Put something in the place of the k-th node."""

    def __init__(self, k: int, instead: ast.AST) -> None:
        self.k, self.instead, self.count = k, instead, -1

    def visit(self, node: ast.AST) -> ast.AST:
        self.count += 1
        if self.count == self.k:
            return self.instead
        return self.generic_visit(node)


def mutants_of(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, what was done, and the source with it."""
    tree = ast.parse(source)
    numbered: list[ast.AST] = []

    class Number(ast.NodeVisitor):
        def visit(self, node: ast.AST) -> None:
            numbered.append(node)
            self.generic_visit(node)

    Number().visit(tree)
    words = {id(inner) for node in numbered if isinstance(node, ast.Yield) for inner in _words_in(node)}
    for k, node in enumerate(numbered):
        for instead in faults_at(node) if id(node) not in words else ():
            planted = ast.fix_missing_locations(Plant(k, instead).visit(copy.deepcopy(tree)))
            yield getattr(node, "lineno", 0), f"{_told(node)}  ->  {_told(instead)}", ast.unparse(planted)


def _words_in(node: ast.AST) -> Iterator[ast.AST]:
    return (inner for text in ast.walk(node) if isinstance(text, ast.JoinedStr) for inner in ast.walk(text))


def _told(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:90]


def killed(package: Path, cache: Path, arguments: list[str]) -> bool:
    env = {**os.environ, "PYTHONPATH": str(package.parent), "MASTABA_CACHE_DIR": str(cache), "MASTABA_QUIET": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=package, env=env, capture_output=True, check=False, timeout=900).returncode != 0


# --- Positions that the tests have shown, and what was said of them ------------------------------------------------------------

MOST_SOUND = 1500  # positions of which nothing was said, beside those of tests by hand
BY_HAND = 50  # positions at most that such a test shows


class Recorder:
    """A plugin of pytest that keeps the positions whose invariants are asked for, each with the test that showed it first."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.asked, self.seen, self.test = rules, rules.violations, dict[bytes, str](), ""
        object.__setattr__(rules, "violations", self)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.test = item.nodeid

    def __call__(self, s: Any) -> Iterator[tuple[str, str]]:
        self.seen.setdefault(s.tobytes(), self.test)
        return self.asked(s)

    def said(self, data: bytes) -> str | None:
        """The first field that is wrong, as a refusal names it."""
        s = np.frombuffer(data, self.rules.schema.dtype)[0]
        phase = self.rules.phases.phases.get(int(s["phase"]))
        return next((field for check in (self.asked, phase and phase.check) if check for field, _ in check(s)), None)

    def corpus(self, seed: int) -> dict[bytes, str | None]:
        """What was refused first, then what tests by hand have shown, then as much of the rest as there is time for."""
        said = {data: self.said(data) for data in sorted(self.seen)}
        shown = Counter(self.seen.values())
        by_hand = [data for data, field in said.items() if field is None and shown[self.seen[data]] <= BY_HAND]
        others = [data for data, field in said.items() if field is None and shown[self.seen[data]] > BY_HAND]
        random.Random(seed).shuffle(others)
        refused = {data: field for data, field in said.items() if field is not None}
        return refused | dict.fromkeys([*by_hand, *others[:MOST_SOUND]])


class Swap:
    """Puts other source into a module that has been imported already: the functions stay who they are and get other code."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.functions = {k: f for k, f in vars(module).items() if isinstance(f, FunctionType) and f.__module__ == module.__name__}
        self.sound = {name: function.__code__ for name, function in self.functions.items()}
        self.values = {k: v for k, v in vars(module).items() if k not in self.functions and not k.startswith("__")}

    def put(self, source: str) -> None:
        names = {**vars(self.module)}
        exec(compile(source, self.module.__file__, "exec"), names)
        for name, function in self.functions.items():
            function.__code__ = names[name].__code__
        vars(self.module).update({name: names[name] for name in self.values if name in names})

    def undo(self) -> None:
        for name, function in self.functions.items():
            function.__code__ = self.sound[name]
        vars(self.module).update(self.values)


def recorded(game: str, room: str, most: int, seed: int, arguments: list[str]) -> int:
    """The survivors among the faults, told by the positions that the tests have shown."""
    sys.path.insert(0, str(ROOT / "tests"))
    rules = import_module(f"mastaba.envs.{game}").RULES
    recorder = Recorder(rules)
    promises = ["tests/test_promises.py::test_the_battery_finds_nothing", "tests/test_golden.py"]
    chosen = f"{game} and not positions or {game} and test_positions and not mutated"
    if pytest.main(
        ["-q", "-n", "0", "-p", "no:cacheprovider", *(arguments or [f"tests/{game}", *promises]), "-k", chosen], [recorder]
    ):
        print("the tests fail without a fault")
        return 2
    corpus = recorder.corpus(seed)
    module = import_module(f"mastaba.envs.{game}.{room}")
    swap = Swap(module)

    def noticed(fault: str) -> bool:
        swap.put(fault)
        try:
            return any(recorder.said(data) != field for data, field in corpus.items())
        except Exception:  # a fault that stumbles is noticed
            return True
        finally:
            swap.undo()

    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    refused = sum(field is not None for field in corpus.values())
    return _tell(game, room, source, most, seed, noticed, f"{refused} refused and {len(corpus) - refused} sound positions")


# --- Survivors, and which of them are known ------------------------------------------------------------------------------------


def known(game: str, room: str) -> Counter[tuple[str, str]]:
    """Line of the source and fault of every survivor that may live, as often as it may."""
    listed = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get(game, {}).get(room, [])
    return Counter((entry["line"], fault) for entry in listed for fault in entry["faults"])


def _tell(game: str, room: str, source: str, most: int, seed: int, noticed: Callable[[str], bool], by: str) -> int:
    """Print the survivors; 1 if one of them is not known, or a known one has not survived."""
    mutants = list(mutants_of(source))
    random.Random(seed).shuffle(mutants)
    tried, lines = mutants[:most], [line.strip() for line in source.splitlines()]
    survivors = [(line, what) for line, what, fault in tried if not noticed(fault)]
    left = known(game, room)
    unknown = 0
    for line, what in sorted(survivors):
        place = lines[line - 1], what
        if left[place]:
            left[place] -= 1
        else:
            unknown += 1
            print(f"{room}.py:{line}: {what}")
    stale = +left if len(tried) == len(mutants) else Counter[tuple[str, str]]()
    for line_, what in stale:
        print(f"{KNOWN.name}: does not survive, or is not there: {what}  in  {line_}")
    those = "all of them known" if not unknown else f"{unknown} of them unknown"
    print(f"{game} {room}: {len(survivors)} of {len(tried)} faults are not noticed by {by}, {those}", flush=True)
    return 1 if unknown or stale else 0


# --- Kernels as plain Python -----------------------------------------------------------------------------------------------------

POSITIONS = 100  # at each table
TOO_LONG = 4  # times as long as the sound room: a fault that makes a loop endless is noticed


def in_plain_python(game: str, room: str, most: int, seed: int) -> int:
    """The survivors among the faults, told by the numbers that the room's kernels give."""
    sys.path.insert(0, str(ROOT / "tests"))
    from mastaba.testing import positions

    from plain_kernels import LOOKS, module_of

    def give_up(*_: object) -> None:
        raise TimeoutError

    np.seterr(all="ignore")
    signal.signal(signal.SIGVTALRM, give_up)
    rules = import_module(f"mastaba.envs.{game}").RULES
    states = [state.record[0] for n in rules.players for state in positions(Game(rules, n), POSITIONS, 31)]
    module = import_module(f"mastaba.envs.{game}.{room}")
    source, look = Path(str(module.__file__)).read_text(encoding="utf-8"), LOOKS[room]
    began = time.process_time()
    sound = list(look(rules, module_of(source, module), states))
    patience = TOO_LONG * (time.process_time() - began)

    def noticed(fault: str) -> bool:
        signal.setitimer(signal.ITIMER_VIRTUAL, patience)
        try:
            return any(
                np.shape(one) != np.shape(two) or not np.allclose(one, two, atol=1e-6)
                for one, two in zip(look(rules, module_of(fault, module), states), sound, strict=True)
            )
        except Exception:  # TimeoutError too
            return True
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    return _tell(game, room, source, most, seed, noticed, f"{len(states)} positions")


# --- The tests once for every fault --------------------------------------------------------------------------------------------


def by_tests(game: str, room: str, most: int, seed: int, arguments: list[str], kept: Path | None) -> int:
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "mastaba"
        shutil.copytree(ROOT, package, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv*", "runs", "*.png"))
        file, cache = package / "envs" / game / f"{room}.py", kept or Path(folder) / "cache"
        sound, arguments = file.read_text(encoding="utf-8"), arguments or [f"tests/{game}"]
        if killed(package, cache, arguments):
            print("the tests fail without a fault")
            return 2

        def noticed(fault: str) -> bool:
            file.write_text(fault, encoding="utf-8")
            return killed(package, cache, arguments)

        return _tell(game, room, sound, most, seed, noticed, "the tests")


ROOMS = {"invariants": "--recorded", "pending": "--recorded", "scoring": "--plain", "observation": "--plain"}


def everything() -> int:
    """Every room that has a quick way, in a process of its own."""
    worst = 0
    for game in GAMES:
        for room, way in ROOMS.items():
            if (ROOT / "envs" / game / f"{room}.py").exists():
                command = [sys.executable, __file__, game, room, way]
                worst = max(worst, subprocess.run(command, check=False).returncode)
    return worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("room", nargs="?", default="invariants")
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="a cache folder that holds the kernels already")
    parser.add_argument("--recorded", action="store_true", help="run the tests once, and try faults on the positions they show")
    parser.add_argument("--plain", action="store_true", help="run the room's kernels as Python, and compare their numbers")
    asked, arguments = parser.parse_known_args()
    arguments = [a for a in arguments if a != "--"]
    if asked.game is None:
        return everything()
    if asked.plain:
        return in_plain_python(asked.game, asked.room, asked.most, asked.seed)
    if asked.recorded:
        return recorded(asked.game, asked.room, asked.most, asked.seed, arguments)
    return by_tests(asked.game, asked.room, asked.most, asked.seed, arguments, asked.cache)


if __name__ == "__main__":
    sys.exit(main())
