"""The compiled core: a cache that can be trusted, a generator that is one everywhere, masks."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Timer
from typing import Any

import llvmlite
import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from llvmlite.binding import ffi
from numba import types
from numba.core import analysis, ir
from numba.core.caching import NullCache
from numba.core.compiler import Flags
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import ConcreteTemplate, signature

import mastaba
from mastaba.envs.core.kernel import files, frontend, jit, linking, notice
from mastaba.envs.core.kernel.fetching import fetch
from mastaba.envs.core.kernel.fingerprint import remembering
from mastaba.envs.core.kernel.frontend import QuickFlags
from mastaba.envs.core.kernel.jit import fingerprint, inlined, kernel, set_apart
from mastaba.envs.core.kernel.masks import choose, count_legal, first_set, mark_eight, new_masks
from mastaba.envs.core.kernel.ranking import rank
from mastaba.envs.core.kernel.rng import Chance, stream
from mastaba.envs.core.kernel.words import count_ones

# --- The cache of compiled code ----------------------------------------------------------------------------------------------

HELPER = """
    from mastaba.envs.core.kernel.jit import kernel

    @kernel
    def twice(x):
        return {factor} * x
"""
CALLER = """
    from helper import twice
    from mastaba.envs.core.kernel.jit import kernel

    def build(add):
        @kernel
        def combined(x):
            return twice(x) + add
        return combined

    one, ten = build(1), build(10)
    print(one(5), ten(5), sum(one.stats.cache_hits.values()), sum(one.stats.cache_misses.values()))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path / "helper.py", HELPER.format(factor=2))
    write(tmp_path / "caller.py", CALLER)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.write_text(textwrap.dedent(text), encoding="utf-8")


def run(project: Path, arguments: Sequence[str] = (), **environment: str) -> list[int]:
    """The numbers that caller.py prints in a new process: results of both closures, cache hits, cache misses."""
    return [int(word) for word in call(project, arguments, **environment).stdout.split()]


def stderr_of(project: Path, **environment: str) -> str:
    return call(project, (), **{"MASTABA_QUIET": "", **environment}).stderr


def call(project: Path, arguments: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    package = str(Path(mastaba.__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([package, str(project)]), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    for folder in {"NUMBA_CACHE_DIR", "MASTABA_CACHE_DIR"} - set(environment):
        env.pop(folder, None)
    done = subprocess.run(
        [sys.executable, str(project / "caller.py"), *arguments], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def test_a_second_process_finds_the_closure_in_the_cache(project: Path) -> None:
    assert run(project) == [11, 20, 0, 1]
    assert run(project) == [11, 20, 1, 0]


def test_an_edit_in_another_file_recompiles(project: Path) -> None:
    assert run(project)[:2] == [11, 20]
    write(project / "helper.py", HELPER.format(factor=3))
    assert run(project) == [16, 25, 0, 1]


BASE = """
    from mastaba.envs.core.kernel.jit import kernel

    @kernel
    def deepest(x):
        return x + 1
"""
TABLES = """
    import numpy as np

    PRICES = np.array([5, 7])
    LIMIT = 100
"""
RULES = """
    import numpy as np
    import tables
    from base import deepest
    from mastaba.envs.core.kernel.jit import kernel
    from tables import PRICES

    BONUS = 1000
    PAIR = np.dtype([("low", np.uint8), ("high", np.uint8)])
    WIDE = np.int64

    @kernel
    def middle(x):
        return deepest(x)

    @kernel
    def other(x):
        return x - 1

    @kernel
    def tax(x, rate=2, floor=3):
        return max(rate * x, floor)

    def build(step):
        @kernel(allocates=True)
        def game(s, out):
            out[0] = s.gold
            out[1] = min(s.gold, s.debt)
            out[2] = np.minimum(s.gold, s.debt)
            out[3] = middle(10)
            out[4] = BONUS
            out[5] = PRICES[1]
            out[6] = tables.LIMIT
            out[7] = tax(1)
            out[8] = tax(2, 5)
            out[9] = step
            out[10] = WIDE(300)
            pair = np.zeros(1, PAIR)
            pair[0].low = 300
            out[11] = pair[0].low
            out[12] = 31
        return game

    @kernel
    def entry(states, out):
        game = build_of_game
        game(states[0], out)

    build_of_game = build(9)
"""
SHOW = """
    import numpy as np
    from rules import entry

    states = np.zeros(1, np.dtype([("gold", np.int64), ("debt", np.int64)]))
    states["gold"], states["debt"] = 3, 8
    out = np.zeros(13, np.int64)
    entry(states, out)
    print(*out, sum(entry.stats.cache_hits.values()))
"""
SEEN = [3, 3, 3, 11, 1000, 7, 100, 3, 10, 9, 300, 44, 31]
EDITS = {  # what is edited: file, from, to, the number that must change and its new value
    "attribute": ("rules", "out[0] = s.gold", "out[0] = s.debt", 0, 8),
    "builtin": ("rules", "min(s.gold", "max(s.gold", 1, 8),
    "numpy function": ("rules", "np.minimum", "np.maximum", 2, 8),
    "callee": ("rules", "= middle(10)", "= other(10)", 3, 9),
    "callee's callee": ("base", "x + 1", "x + 2", 3, 12),
    "constant": ("rules", "BONUS = 1000", "BONUS = 1001", 4, 1001),
    "table value": ("tables", "[5, 7]", "[5, 6]", 5, 6),
    "constant of another module": ("tables", "LIMIT = 100", "LIMIT = 99", 6, 99),
    "default": ("rules", "rate=2", "rate=5", 7, 5),
    "order of arguments": ("rules", "rate=2, floor=3", "floor=2, rate=3", 8, 6),
    "closure": ("rules", "build(9)", "build(8)", 9, 8),
    "type": ("rules", "WIDE = np.int64", "WIDE = np.uint8", 10, 44),
    "type of a record's field": ("rules", '("low", np.uint8)', '("low", np.uint64)', 11, 300),
    "number in the code": ("rules", "out[12] = 31", "out[12] = 32", 12, 32),
}


def show(project: Path) -> list[int]:
    write(project / "caller.py", SHOW)
    return run(project)


def test_an_edit_of_anything_that_decides_the_code_recompiles(tmp_path: Path) -> None:
    files = {"rules": RULES, "base": BASE, "tables": TABLES}
    for name, text in files.items():
        write(tmp_path / f"{name}.py", text)
    assert show(tmp_path) == [*SEEN, 0]
    assert show(tmp_path) == [*SEEN, 1]
    for kind, (name, old, new, place, value) in EDITS.items():
        assert files[name].count(old) == 1, kind
        write(tmp_path / f"{name}.py", files[name].replace(old, new))
        *seen, hits = show(tmp_path)
        assert not hits, kind
        assert seen[place] == value, kind
        write(tmp_path / f"{name}.py", files[name])
    assert show(tmp_path) == [*SEEN, 1], "undone, the first code is found again"


@pytest.mark.parametrize("setting", ["NUMBA_BOUNDSCHECK", "NUMBA_OPT"])
def test_another_setting_of_the_compiler_is_another_kernel(project: Path, setting: str) -> None:
    assert run(project) == [11, 20, 0, 1]
    assert run(project, **{setting: "1"}) == [11, 20, 0, 1]
    assert run(project) == [11, 20, 1, 0]


@pytest.mark.parametrize("library", [numba, llvmlite, np], ids=lambda library: library.__name__)
def test_another_version_of_the_compiler_or_of_numpy_is_another_kernel(monkeypatch: pytest.MonkeyPatch, library: Any) -> None:
    before = fingerprint(first_set.py_func)
    monkeypatch.setattr(library, "__version__", "99.9")
    assert fingerprint(first_set.py_func) != before


def test_checkouts_share_the_folder_that_the_environment_names(project: Path, tmp_path: Path) -> None:
    shared, elsewhere = tmp_path / "shared", tmp_path / "elsewhere"
    elsewhere.mkdir()
    for file in ("helper.py", "caller.py"):
        shutil.copy(project / file, elsewhere / file)
    assert run(project, MASTABA_CACHE_DIR=str(shared)) == [11, 20, 0, 1]
    assert run(elsewhere, MASTABA_CACHE_DIR=str(shared)) == [11, 20, 1, 0]
    assert {path.suffix for path in shared.iterdir()} == {".nbc", ".nbl"}
    assert not list(project.glob("__pycache__/*.nb?"))


def test_a_second_run_leaves_no_new_files(project: Path) -> None:
    run(project)
    before = sorted(p.name for p in project.rglob("*.nbc"))
    run(project)
    assert before == sorted(p.name for p in project.rglob("*.nbc"))
    assert before


def test_an_install_that_cannot_be_written_uses_the_users_cache_folder(project: Path, tmp_path: Path) -> None:
    (project / "__pycache__").write_text("a file where the folder should be: not even root can write here")
    home = tmp_path / "home"
    home.mkdir()
    for expected in ([11, 20, 0, 1], [11, 20, 1, 0]):
        assert run(project, HOME=str(home), XDG_CACHE_HOME=str(home / "cache")) == expected
    assert list(home.rglob("*.nbc"))


def test_without_any_folder_to_write_it_still_runs(project: Path, tmp_path: Path) -> None:
    (project / "__pycache__").write_text("no folder")
    nowhere = tmp_path / "nowhere"
    nowhere.write_text("no folder either")
    assert run(project, HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere / "cache"))[:2] == [11, 20]


@pytest.mark.parametrize(
    "harm",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: b"garbage" * 100,
        lambda content: content[:-100] + bytes(byte ^ 64 for byte in content[-100:]),
        lambda content: content[:60] + bytes(byte ^ 1 for byte in content[60:2000]) + content[2000:],
    ],
    ids=["empty", "cut off", "garbled", "bits flipped at the end", "bits flipped in the code"],
)
def test_a_damaged_file_is_compiled_anew_and_mended(project: Path, harm: Callable[[bytes], bytes]) -> None:
    assert run(project) == [11, 20, 0, 1]
    files = sorted(project.rglob("*.nbc"))
    whole = [file.read_bytes() for file in files]
    for file, content in zip(files, whole, strict=True):
        file.write_bytes(harm(content))
    assert run(project) == [11, 20, 0, 1]
    assert sorted(project.rglob("*.nbc")) == files
    assert run(project) == [11, 20, 1, 0]


WORKERS = """
    import multiprocessing, sys, time
    from mastaba.envs.core.kernel.jit import kernel
    from mastaba.envs.core.kernel import jit

    @kernel
    def inner(x):
        return x + 1

    @kernel
    def shared(x):
        return inner(x) * 2

    def work(k):
        compile = jit.CPUDispatcher.compile
        def slow(self, sig):
            time.sleep(0.5 * (self is shared))  # so that all of them would be at it at the same time
            return compile(self, sig)
        jit.CPUDispatcher.compile = slow
        return shared(k), sum(shared.stats.cache_misses.values())

    if __name__ == "__main__":
        with multiprocessing.get_context("spawn").Pool(4) as pool:
            results = pool.map(work, range(4), chunksize=1)
        print(*(result for result, misses in results), sum(misses for result, misses in results))
"""


def test_workers_on_an_empty_cache_compile_once(tmp_path: Path) -> None:
    write(tmp_path / "caller.py", WORKERS)
    assert run(tmp_path, MASTABA_CACHE_DIR=str(tmp_path / "cache")) == [2, 4, 6, 8, 1]
    assert run(tmp_path, MASTABA_CACHE_DIR=str(tmp_path / "cache")) == [2, 4, 6, 8, 0]
    assert not list((tmp_path / "cache").glob("*.lock"))


HOLDER = """
    import os, sys, time
    from pathlib import Path
    from mastaba.envs.core.kernel.files import alone

    with alone(Path(sys.argv[1])):
        print("held", flush=True)
        time.sleep(60)
"""


def test_a_holder_that_dies_blocks_nobody(tmp_path: Path) -> None:
    write(tmp_path / "holder.py", HOLDER)
    lock = tmp_path / "kernel.lock"
    env = {**os.environ, "PYTHONPATH": str(Path(mastaba.__file__).parent.parent)}
    holder = subprocess.Popen([sys.executable, str(tmp_path / "holder.py"), str(lock)], env=env, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    Timer(0.5, holder.kill).start()
    before = time.monotonic()
    with files.alone(lock):
        assert time.monotonic() - before > 0.4, "the lock was held until its holder died"
    holder.communicate()
    assert not lock.exists()


def test_a_holder_that_hangs_is_waited_for_only_so_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    with files.alone(tmp_path / "lock"), files.alone(tmp_path / "lock"):
        pass


NOTED = """
    from mastaba.envs.core.kernel.jit import kernel

    @kernel
    def one(x):
        return x + 1

    @kernel
    def two(x):
        return one(x) + 1

    print(two(1), one(1))
"""


def test_the_first_compilation_is_announced_once_and_can_be_hidden(tmp_path: Path) -> None:
    write(tmp_path / "caller.py", NOTED)
    assert stderr_of(tmp_path, MASTABA_QUIET="1") == ""
    shutil.rmtree(tmp_path / "__pycache__")
    first = stderr_of(tmp_path)
    assert first.startswith("mastaba: compiling two, about 1 s (MASTABA_QUIET=1 hides this)")
    assert first.count("\n") == 1
    assert stderr_of(tmp_path) == ""


@pytest.mark.parametrize(("kept", "hint"), [(True, "`mastaba warmup cheops` does it ahead"), (False, "set MASTABA_CACHE_DIR")])
def test_the_announcement_names_the_game_how_long_and_what_helps(
    kept: bool, hint: str, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice, "_quiet", False)
    monkeypatch.delenv("MASTABA_QUIET", raising=False)
    for _ in range(2):
        notice.announce(mastaba.game("cheops").kernels.apply.py_func, kept)
    line = capsys.readouterr().err
    assert re.fullmatch(r"mastaba: compiling cheops, about \d+ s \(.*\)\n", line)
    assert hint in line


RECORDS = """
    import sys
    import numpy as np
    from mastaba.envs.core.kernel.jit import kernel

    def build(sign):
        @kernel
        def inner(s):
            return sign * s.gold

        @kernel
        def total(states):
            return inner(states[0])
        return total

    for name in sys.argv[1:]:
        fields = [("gold", "i8"), ("debt", "i8")] if name == "rich" else [("debt", "i8"), ("gold", "i8")]
        states = np.ones(1, np.dtype(fields))
        states["gold"] = 7
        print(build(1 if name == "rich" else -1)(states))
"""


def test_kernels_compiled_in_two_processes_are_not_mixed_up_in_a_third(tmp_path: Path) -> None:
    """Closures of one name over records of two types get the same symbols from numba, if both are the first in their process."""
    write(tmp_path / "caller.py", RECORDS)
    assert run(tmp_path, arguments=["rich"]) == [7]
    assert run(tmp_path, arguments=["poor"]) == [-7]
    assert run(tmp_path, arguments=["rich", "poor"]) == [7, -7]


TUPLES = """
    import sys
    from typing import NamedTuple
    import numpy as np
    from mastaba.envs.core.kernel.jit import kernel

    class Pair(NamedTuple):
        numbers: np.ndarray
        plus: int

    where, how = sys.argv[1:]
    if where == "there":
        from another import Pair

    @kernel
    def inner(pairs):
        return pairs[0].numbers[0] + pairs[1].plus

    @kernel
    def once(pairs):
        return inner(pairs)

    @kernel
    def twice(pairs):
        return 2 * inner(pairs)

    pair = Pair(np.full(1, 3), 4)
    print((once if how == "once" else twice)((pair, pair)))
"""


def test_named_tuples_of_one_name_and_two_modules_are_not_mixed_up(tmp_path: Path) -> None:
    """numba tells them apart, although their types are written alike: code that was linked for one does not fit the other."""
    write(tmp_path / "caller.py", TUPLES)
    write(
        tmp_path / "another.py", "from typing import NamedTuple\nPair = NamedTuple('Pair', [('numbers', object), ('plus', int)])\n"
    )
    for where in ("here", "there", "here"):
        for how, result in (("once", 7), ("twice", 14)):
            assert run(tmp_path, [where, how], PYTHONWARNINGS="error::RuntimeWarning") == [result]


ONE_THREAD_THEN_TWO = """
from mastaba import Game
from mastaba.envs.faces.vector import SelfPlay
from mastaba.testing.toy import RULES

for threads in (1, 2):
    env = SelfPlay(Game(RULES, 2), 70, threads=threads, seed=1)
    env.step(env.sample_actions())
    for result in env._kernels.reset.overloads.values():  # from the cache it is a stub, which says nothing
        linked = [f for f in result.library._final_module.functions if "reset_lane" in f.name and not f.is_declaration]
        assert all(f.linkage.name == "private" for f in linked), linked
print("played")
"""


def test_a_kernel_for_one_thread_and_one_for_two_from_the_cache_are_not_mixed_up(tmp_path: Path) -> None:
    """Both hold the same inner kernels, in which LLVM may have changed how arguments are passed."""
    home = str(Path(mastaba.__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": home, "MASTABA_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", ONE_THREAD_THEN_TWO], env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "played\n"), done.stderr


def test_numba_still_has_the_parts_the_cache_is_built_on() -> None:
    @kernel
    def nothing():
        return 0

    assert type(nothing._cache).__name__ == "KernelCache"


# --- Indices, kernels that stay apart, memory asked for ahead ---------------------------------------------------------------------

INDICES = """
import numba
import numpy as np
from mastaba.envs.core.kernel.jit import kernel

def at(numbers, i):
    return numbers[i] + numbers[-1]

ours, theirs, numbers = kernel(at), numba.njit(at), np.array([1, 10, 100])
print(ours(numbers, 1), theirs(numbers, -2))
try:
    print(ours(numbers, -2))
except IndexError:
    print("refused")
"""


def test_a_computed_index_counts_from_the_front_and_a_constant_from_the_end_too() -> None:
    """With bounds checks; without them a negative one reads what lies before the array. Functions of others stay as they are."""
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", INDICES], env=checked, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["110", "110", "refused"]


def test_a_kernel_set_apart_is_a_function_of_its_own() -> None:
    def build(apart: bool) -> Any:
        @kernel
        def rare(x):
            if apart:
                set_apart()
            return 3 * x

        @kernel
        def often(x):
            return rare(x) + 1

        return often

    for apart in (True, False):
        often = build(apart)
        often._cache = NullCache()  # compile here and now
        assert often(5) == 16
        body = often.inspect_asm(often.signatures[0]).split("cpython")[0]
        assert ("call" in body) == apart, body


def test_records_are_fetched_ahead_and_none_is_changed() -> None:
    @kernel
    def add_up(records):
        total = 0
        for i in range(len(records)):
            fetch(records, i + 4)
            total += records[i].x
        return total

    add_up._cache = NullCache()  # compile here and now
    records = np.zeros(9, [("x", "i8"), ("more", "u1", (100,))])
    records["x"] = np.arange(9)
    before = records.copy()
    assert add_up(records) == 36
    assert (records == before).all()
    assert add_up.inspect_asm(add_up.signatures[0]).count("prefetch") >= 2  # lines of 64 bytes in a record of 108


# --- Entry points, linked ----------------------------------------------------------------------------------------------------

LINKED = """
    import sys
    import numpy as np
    from numba import prange
    from mastaba.envs.core.kernel import jit
    from mastaba.envs.core.kernel.jit import inlined, kernel

    @kernel
    def checked(x):
        if x > 3:
            raise ValueError("too much")
        return x + 1

    @kernel(allocates=True)
    def told(x):
        if x > 2:
            raise ValueError("too much", x)
        return checked(x)

    @inlined
    def put(a, i, deeply):
        a[i] = min(told(i) if deeply else checked(i), 5) + np.minimum(a[i], 1)

    @kernel
    def fill(a, deeply):
        for i in range(len(a)):
            put(a, i, deeply)
        return a.sum()

    @kernel(parallel=True)
    def fill_in_parallel(a):
        for i in prange(len(a)):
            put(a, i, False)

    @kernel
    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    @kernel
    def both(n, plus=1):
        return factorial(n) + factorial(3) + plus

    @kernel
    def and_more(n):
        return both(n) + both(n, plus=0)

    def error_of(n, deeply):
        try:
            fill(np.zeros(n, np.int64), deeply)
        except ValueError as error:
            return len(error.args) * 10 + error.args[-1] if deeply else len(error.args)

    shared = np.zeros(4, np.int64)
    fill_in_parallel(shared)
    print(fill(np.zeros(3, np.int64), True), error_of(9, False), error_of(9, True), *shared, factorial(5), and_more(4))
    if "more" in sys.argv:
        @kernel
        def one_more(n):
            return and_more(n) + factorial(n)
        print(one_more(4))
    print(int(jit._linking), sum(fill.stats.cache_hits.values()), int(bool(told.inner.signatures)))
"""
LINKED_RESULTS = [6, 1, 23, 1, 2, 3, 4, 120, 61]


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    write(tmp_path / "caller.py", LINKED)
    return tmp_path


def test_linked_kernels_raise_recurse_and_run_in_parallel_compiled_and_from_the_cache(linked: Path) -> None:
    assert run(linked) == [*LINKED_RESULTS, 1, 0, 1]
    assert run(linked) == [*LINKED_RESULTS, 1, 1, 0]


def test_the_way_without_linking_gives_the_same_and_its_files_are_not_mixed_up(linked: Path) -> None:
    assert run(linked) == [*LINKED_RESULTS, 1, 0, 1]
    assert run(linked, MASTABA_LINK="0") == [*LINKED_RESULTS, 0, 0, 0]
    assert run(linked, MASTABA_LINK="0") == [*LINKED_RESULTS, 0, 1, 0]
    assert run(linked) == [*LINKED_RESULTS, 1, 1, 0]


def test_linked_kernels_need_no_folder(linked: Path, tmp_path: Path) -> None:
    (linked / "__pycache__").write_text("no folder")
    nowhere = tmp_path / "nowhere"
    nowhere.write_text("no folder either")
    assert run(linked, HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere / "cache")) == [*LINKED_RESULTS, 1, 0, 1]


def test_one_more_entry_point_is_linked_from_the_files_of_the_others(linked: Path) -> None:
    run(linked)
    before = {path: path.stat().st_mtime_ns for path in linked.rglob("*.nbl")}
    assert run(linked, ["more"]) == [*LINKED_RESULTS, 85, 1, 1, 0]
    assert {path: path.stat().st_mtime_ns for path in linked.rglob("*.nbl") if path in before} == before
    assert len(list(linked.rglob("*.nbl"))) == len(before) + 1, "and_more is now called by a kernel; the others were there"


@pytest.mark.parametrize("kernel_gone", ["factorial", "both", "checked"])
def test_code_to_link_that_is_gone_or_was_made_anew_is_made_to_fit(linked: Path, kernel_gone: str) -> None:
    """A kernel that is compiled again has another symbol than its callers in the cache know."""
    run(linked, ["more"])
    for path in [*linked.rglob("*.nbc"), *linked.rglob(f"*.{kernel_gone}.*.nbl")]:
        path.unlink()
    for _ in range(2):
        assert run(linked, ["more"])[:10] == [*LINKED_RESULTS, 85]


FAILING = """
    import warnings
    from mastaba.envs.core.kernel import jit, linking
    from mastaba.envs.core.kernel.jit import kernel

    def not_as_we_know_it(self):
        raise AttributeError("_final_module")

    linking.LinkableLibrary.finalize = not_as_we_know_it

    @kernel
    def inner(x):
        return x + 1

    @kernel
    def outer(x):
        return inner(x) * 2

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(outer(1), inner(5), int(outer(2.5) == 7), len(caught), sum(outer.stats.cache_hits.values()))
    assert "does not link kernels as expected (AttributeError: _final_module)" in str(caught[0].message)
"""


def test_where_numba_is_not_as_we_know_it_kernels_are_compiled_its_own_way(tmp_path: Path) -> None:
    write(tmp_path / "caller.py", FAILING)
    assert run(tmp_path) == [4, 6, 1, 1, 0]
    assert run(tmp_path) == [4, 6, 1, 1, 2]


MISTAKEN = """
    import numpy as np
    from numba.core.errors import TypingError
    from mastaba.envs.core.kernel import jit
    from mastaba.envs.core.kernel.jit import kernel
    from mastaba.envs.core.kernel.writing import part

    @kernel
    def takes_a_part(numbers):
        return part(numbers, 1, 1)[0]

    @kernel
    def makes_an_array(size):
        return np.zeros(size).sum()

    @kernel(allocates=True)
    def fresh(size):
        return np.ones(size)

    @kernel
    def takes_what_was_made(size):
        return fresh(size)[0]

    @kernel
    def same(numbers):
        return numbers

    @kernel(allocates=True)
    def gives_away(size):
        return same(np.ones(size))[0]

    @kernel(allocates=True)
    def total(size):
        return fresh(size).sum()

    @kernel
    def totals(size):
        return total(size) + total(1)

    for mistaken, given, told in (
        (takes_a_part, np.eye(3), "C-contiguous"),
        (makes_an_array, 3, "make no arrays"),
        (takes_what_was_made, 3, "fresh: no array can be returned"),
        (gives_away, 3, "same: no array can be returned"),
    ):
        try:
            mistaken(given)
        except TypingError as refusal:
            assert told in str(refusal), refusal
        else:
            raise AssertionError(mistaken)
    print(int(takes_a_part(np.arange(3))), int(totals(3)), int(jit._linking))
"""


def test_a_mistake_in_a_kernel_is_told_and_changes_nothing_for_the_others(tmp_path: Path) -> None:
    """Taken for numba not being as we know it, it would end linking in the middle of the process, which has crashed."""
    write(tmp_path / "caller.py", MISTAKEN)
    assert run(tmp_path) == [1, 4, 1]


# --- Fingerprints ------------------------------------------------------------------------------------------------------------

TABLE = np.arange(3)


def test_the_numba_at_hand_is_one_whose_kernels_we_can_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise everything works, and every first step takes twice as long without a word."""
    monkeypatch.delenv("MASTABA_LINK", raising=False)
    assert linking.is_possible()


def test_flags_are_compared_by_what_is_set_and_tell_kernels_of_ours_apart() -> None:
    flags, same, other = QuickFlags(), QuickFlags(), QuickFlags()
    flags.release_gil = same.release_gil = True
    other.forceinline = True
    assert flags == same == flags.copy()
    assert hash(flags) == hash(same)
    assert flags != other
    assert flags != Flags(flags)  # numba's own: what was remembered for ours is not used for them


def test_a_signature_is_looked_up_once_for_functions_and_types(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple] = []
    original = BaseFunction.get_call_type

    def counting(function: Any, context: Any, args: Any, kws: Any) -> Any:
        asked.append(args)
        return original(function, context, args, kws)

    monkeypatch.setattr(BaseFunction, "get_call_type", counting)
    monkeypatch.setattr(types.Record, "__repr__", types.Record.__repr__)  # put back at the end, as the one above
    frontend._remember_signatures()
    add: Any = types.Function(AddForTests)
    typing = cpu_target.typing_context
    for _ in range(3):
        with ConfigStack().enter(QuickFlags()):
            assert add.get_call_type(typing, (types.int64, types.int64), {}).return_type == types.int64
    assert len(asked) == 1
    with ConfigStack().enter(QuickFlags()):
        assert add.get_call_type(typing, (types.float64, types.float64), {}).return_type == types.float64
    with ConfigStack().enter(Flags()):
        add.get_call_type(typing, (types.int64, types.int64), {})
    assert len(asked) == 3


def test_where_variables_live_is_worked_out_less_often_for_our_kernels_only(monkeypatch: pytest.MonkeyPatch) -> None:
    times = Counter[str]()
    whose, original = "ours", analysis.compute_live_variables

    def counting(*args: Any) -> Any:
        times[whose] += 1
        return original(*args)

    def longest(a):
        return max(len(a), 3)

    monkeypatch.setattr(jit, "folder_for", lambda function: None)  # or it might be in the cache
    monkeypatch.setattr(analysis, "compute_live_variables", counting)
    assert kernel(longest)(np.arange(5)) == 5
    whose = "numba's"
    assert numba.njit(longest)(np.arange(5)) == 5
    assert 0 < times["ours"] < times["numba's"]


def test_the_least_of_whole_numbers_is_compiled_once_for_all_widths() -> None:
    @kernel
    def clipped(a, b, c):
        return min(a[0], 7), max(b[0], min(a[0], b[0])), min(c[0], c[0])

    a, b, c = np.array([-5]), np.array([3], np.int16), np.array([2**63 + 1], np.uint64)
    assert clipped(a, b, c) == (-5, 3, 2**63 + 1)
    assert frontend._alike((types.literal(7), types.int64)) == (types.int64, types.int64)
    assert frontend._alike((types.uint8, types.int64)) == (types.int64, types.int64)
    for untouched in ((types.uint8, types.uint8), (types.uint64, types.int64), (types.float32, types.int64)):
        assert frontend._alike(untouched) == untouched


def test_all_variables_of_a_statement_are_listed() -> None:
    where = ir.Loc("here", 1)
    x, y, z = (ir.Var(None, name, where) for name in "xyz")
    call = ir.Expr.call(x, (y, z), (("key", y),), where)
    for statement, names in (
        (ir.Assign(call, z, where), "xyyzz"),
        (ir.Assign(ir.Const((3, None), where), x, where), "x"),
        (ir.SetItem(x, y, z, where), "xyz"),
        (ir.Assign(ir.Expr.build_map([(x, y), (z, z)], 2, {}, {}, where), y, where), "xyyzz"),
    ):
        assert "".join(sorted(variable.name for variable in statement.list_vars())) == names


def test_llvm_is_listened_to_again_after_compiling_even_if_that_fails() -> None:
    listeners = list(ffi.lib._lock._cblist)
    assert listeners
    with contextlib.suppress(ZeroDivisionError), frontend.without_listeners():
        assert not ffi.lib._lock._cblist
        1 / 0  # noqa: B018
    assert ffi.lib._lock._cblist == listeners


class AddForTests(ConcreteTemplate):
    key = "add, for tests"
    cases = [signature(kind, kind, kind) for kind in (types.int64, types.float64)]


def test_a_fingerprint_is_the_same_while_functions_are_remembered() -> None:
    alone = fingerprint(first_set.py_func)
    with remembering():
        assert fingerprint(first_set.py_func) == fingerprint(first_set.py_func) == alone


def test_the_fingerprint_sees_tables_constants_and_called_kernels() -> None:
    def build(constant: int, inner):
        def outer(x):
            return inner(x) + constant + TABLE[0]

        return outer

    @kernel
    def one(x):
        return x

    @kernel
    def other(x):
        return -x

    variants = [build(1, one), build(2, one), build(1, other), build(1, inlined(one.py_func))]
    prints = {fingerprint(variant) for variant in variants}
    assert len(prints) == len(variants)
    assert fingerprint(build(1, one)) in prints
    TABLE[0] = 7
    try:
        assert fingerprint(build(1, one)) not in prints
    finally:
        TABLE[0] = 0


def test_the_fingerprint_sees_what_numba_may_come_to_use() -> None:
    def build(default: int, values: object):
        def function(x, *, keyword=default):
            return values

        return function

    tables = [(np.arange(2000), 1), (np.arange(2000) + (np.arange(2000) == 1000), 1)]  # their `repr` is the same
    variants = [(1, 0), (2, 0), (1, 0.0), (1, np.int8(0)), (1, False), *((1, table) for table in tables)]
    assert len({fingerprint(build(*variant)) for variant in variants}) == len(variants)
    assert fingerprint(build(1, 0)) == fingerprint(build(1, 0))
    assert fingerprint(build(1, 0)) != fingerprint(build(1, 0), {"parallel": True})


def test_a_kernel_is_compiled_once_for_all_widths_of_integers() -> None:
    @kernel
    def inner(x):
        return x + 1

    @kernel
    def outer(a, b):
        return inner(a) + inner(b) + inner(3)

    inner._cache, outer._cache = NullCache(), NullCache()  # compile here and now
    assert outer(np.int8(1), np.uint16(2)) == 9
    assert len(inner.inner.signatures) == 1


# --- The generator -----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**32), st.lists(st.integers(1, 1000), min_size=1, max_size=20))
def test_python_and_kernels_draw_the_same_numbers(seed: int, episode: int, sizes: list[int]) -> None:
    from mastaba.envs.core.kernel.rng import draw

    chance, counter = Chance.of_seed(seed, episode), np.array([stream(np.uint64(seed), np.uint64(episode))], np.uint64)
    assert [chance.below(n) for n in sizes] == [draw(counter, n) for n in sizes]


def test_draws_are_uniform() -> None:
    chance = Chance.of_seed(1)
    counts = np.bincount([chance.below(6) for _ in range(60_000)], minlength=6)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 20.5  # chi-square, 5 degrees of freedom, p = 0.001


def test_a_shuffle_is_a_fair_permutation() -> None:
    firsts = []
    for episode in range(6000):
        items = list(range(3))
        Chance.of_seed(3, episode).shuffle(items)
        assert sorted(items) == [0, 1, 2]
        firsts.append(tuple(items))
    _, counts = np.unique(firsts, axis=0, return_counts=True)
    assert len(counts) == 6
    assert ((counts - 1000) ** 2 / 1000).sum() < 20.5


# --- Masks, bits, ranks ------------------------------------------------------------------------------------------------------


@given(st.sets(st.integers(0, 196), min_size=1), st.integers(0, 2**63))
def test_choosing_from_a_mask(legal: set[int], dice: int) -> None:
    padded, masks = new_masks(1, 197)
    masks[0, list(legal)] = 1
    assert padded.shape == (1, 200)
    assert count_legal(padded[0]) == len(legal)
    assert first_set(padded[0]) == min(legal)
    assert choose(padded[0], np.array([dice], np.uint64)) in legal


@pytest.mark.parametrize("num_actions", [1, 8, 41])
def test_nothing_is_chosen_from_a_mask_without_a_legal_action(num_actions: int) -> None:
    padded, _ = new_masks(2, num_actions)
    padded[1] = 1  # what lies behind the row
    for dice in range(20):
        assert choose(padded[0], np.array([dice], np.uint64)) == -1
    assert (count_legal(padded[0]), first_set(padded[0])) == (0, -1)


def test_every_legal_action_is_equally_likely() -> None:
    padded, masks = new_masks(1, 41)
    masks[0, [3, 8, 9, 40]] = 1
    counter = np.array([5], np.uint64)
    counts = np.bincount([choose(padded[0], counter) for _ in range(8000)], minlength=41)
    assert counts[[3, 8, 9, 40]].sum() == 8000
    assert ((counts[[3, 8, 9, 40]] - 2000) ** 2 / 2000).sum() < 16.3


@given(st.integers(0, 2**64 - 1))
def test_counting_bits(x: int) -> None:
    assert count_ones(np.uint64(x)) == x.bit_count()


def test_ranks_share_places() -> None:
    out = np.zeros(4, np.int64)
    rank(np.array([40, 55, 55, 10]), 4, out)
    assert out.tolist() == [2, 0, 0, 3]


# --- The package --------------------------------------------------------------------------------------------------------------


def test_a_copy_of_the_package_compiles_and_plays_by_itself(tmp_path: Path) -> None:
    """Nothing depends on where the package lies."""
    source = Path(mastaba.__file__).parent
    shutil.copytree(source, tmp_path / "mastaba", ignore=shutil.ignore_patterns("__pycache__", ".git", "tests", ".venv*"))
    code = "import mastaba; print(mastaba.__file__); print(len(mastaba.GAMES))"
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert str(tmp_path) in done.stdout


def test_eight_marks_are_added_to_what_is_marked() -> None:
    @kernel
    def mark(mask):
        mark_eight(mask, 3, np.uint64(0x0100000000000001))

    padded, mask = new_masks(1, 20)
    mask[0, [4, 17]] = 1
    mark(padded[0])
    assert np.flatnonzero(padded[0]).tolist() == [3, 4, 10, 17]


@pytest.mark.filterwarnings("error:numba")  # that linking failed
def test_a_kernel_that_is_gone_takes_nothing_from_its_twin() -> None:
    """Two games made of the same rules share the code that is kept of their kernels."""

    def one_more() -> Any:
        @kernel
        def more(x):
            return x + 1

        return more

    def calling(more: Any, times: int) -> Any:
        @kernel
        def call(x):
            return more(x) * times

        return call

    first, twin = one_more(), one_more()
    assert (calling(first, 2)(1), calling(twin, 3)(1)) == (4, 6)
    first.inner._make_finalizer()()  # what numba does when nobody refers to it any more
    assert calling(twin, 5)(1) == 10
