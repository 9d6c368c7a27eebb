"""Do the tests notice? Plant one fault at a time in a room of a game and run the game's tests: `python tests/mutants.py cheops`.

    python tests/mutants.py GAME [ROOM] [--most N] [--seed K] [-- what to give pytest]

ROOM is a file of the game's folder, `invariants` if none is named. A fault is a comparison turned round, a number one off, an `and`
for an `or`, a `+` for a `-`, a test that is always true or never, a statement that is left out. Survivors are printed with their
place; the exit code is 1 if there are any. Rooms of plain Python (invariants, drawing) take seconds a fault; rooms of kernels are
compiled anew each time, in a cache folder of their own: name --most.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
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
    for k, node in enumerate(numbered):
        for instead in faults_at(node):
            planted = ast.fix_missing_locations(Plant(k, instead).visit(copy.deepcopy(tree)))
            yield getattr(node, "lineno", 0), f"{_told(node)}  ->  {_told(instead)}", ast.unparse(planted)


def _told(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:90]


def killed(package: Path, cache: Path, arguments: list[str]) -> bool:
    env = {**os.environ, "PYTHONPATH": str(package.parent), "MASTABA_CACHE_DIR": str(cache), "MASTABA_QUIET": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=package, env=env, capture_output=True, check=False, timeout=900).returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("room", nargs="?", default="invariants")
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="a cache folder that holds the kernels already")
    asked, arguments = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "mastaba"
        shutil.copytree(ROOT, package, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv*", "runs", "*.png"))
        room = package / "envs" / asked.game / f"{asked.room}.py"
        sound = room.read_text(encoding="utf-8")
        arguments = [a for a in arguments if a != "--"] or [f"tests/{asked.game}"]
        cache = asked.cache or Path(folder) / "cache"
        if killed(package, cache, arguments):
            print("the tests fail without a fault")
            return 2
        mutants = list(mutants_of(sound))
        random.Random(asked.seed).shuffle(mutants)
        survivors = 0
        for line, what, source in mutants[: asked.most]:
            room.write_text(source, encoding="utf-8")
            if not killed(package, cache, arguments):
                survivors += 1
                print(f"{asked.room}.py:{line}: {what}", flush=True)
        print(f"{asked.game} {asked.room}: {survivors} of {min(asked.most, len(mutants))} faults are not noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
