"""The compiled core: a cache that can be trusted, a generator that is one everywhere, masks, schema, encoder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.caching import NullCache

import mastaba
from mastaba.encoders.flat import FlatEncoder, build_encode
from mastaba.envs.core.actions import ActionTable, Range
from mastaba.envs.core.jit import fingerprint, inlined, kernel
from mastaba.envs.core.masks import choose, count_legal, first_set, new_masks
from mastaba.envs.core.ranking import rank
from mastaba.envs.core.rng import Chance, stream
from mastaba.envs.core.schema import NOBODY, OWNER, Schema, bits, choice, count, flag, seat
from mastaba.envs.core.wide import count_ones

# --- The cache of compiled code ----------------------------------------------------------------------------------------------

HELPER = """
    from mastaba.envs.core.jit import kernel

    @kernel
    def twice(x):
        return {factor} * x
"""
CALLER = """
    from helper import twice
    from mastaba.envs.core.jit import kernel

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
    package = str(Path(mastaba.__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([package, str(project)]), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    env.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, str(project / "caller.py"), *arguments], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def test_a_second_process_finds_the_closure_in_the_cache(project: Path) -> None:
    assert run(project) == [11, 20, 0, 1]
    assert run(project) == [11, 20, 1, 0]


def test_an_edit_in_another_file_recompiles(project: Path) -> None:
    assert run(project)[:2] == [11, 20]
    write(project / "helper.py", HELPER.format(factor=3))
    assert run(project) == [16, 25, 0, 1]


def test_a_second_run_leaves_no_new_files(project: Path) -> None:
    run(project)
    before = sorted(p.name for p in project.rglob("*.nb?"))
    run(project)
    assert before == sorted(p.name for p in project.rglob("*.nb?"))
    assert before


def test_an_install_that_cannot_be_written_uses_the_users_cache_folder(project: Path, tmp_path: Path) -> None:
    (project / "__pycache__").write_text("a file where the folder should be: not even root can write here")
    home = tmp_path / "home"
    home.mkdir()
    for expected in ([11, 20, 0, 1], [11, 20, 1, 0]):
        assert run(project, HOME=str(home), XDG_CACHE_HOME=str(home / "cache")) == expected
    assert list(home.rglob("*.nbi"))


def test_without_any_folder_to_write_it_still_runs(project: Path, tmp_path: Path) -> None:
    (project / "__pycache__").write_text("no folder")
    nowhere = tmp_path / "nowhere"
    nowhere.write_text("no folder either")
    assert run(project, HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere / "cache"))[:2] == [11, 20]


RECORDS = """
    import sys
    import numpy as np
    from mastaba.envs.core.jit import kernel

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


def test_numba_still_has_the_parts_the_cache_is_built_on() -> None:
    @kernel
    def nothing():
        return 0

    assert type(nothing._cache).__name__ == "KernelCache"


TABLE = np.arange(3)


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


def test_a_kernel_is_compiled_once_for_all_widths_of_integers() -> None:
    @kernel
    def inner(x):
        return x + 1

    @kernel
    def outer(a, b):
        return inner(a) + inner(b) + inner(3)

    inner._cache, outer._cache = NullCache(), NullCache()  # compile here and now
    assert outer(np.int8(1), np.uint16(2)) == 9
    assert len(inner.signatures) == 1


# --- The generator -----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**32), st.lists(st.integers(1, 1000), min_size=1, max_size=20))
def test_python_and_kernels_draw_the_same_numbers(seed: int, episode: int, sizes: list[int]) -> None:
    from mastaba.envs.core.rng import draw

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


# --- The schema and what follows from it -------------------------------------------------------------------------------------

SCHEMA = Schema(
    3,
    ("work", "rest"),
    [
        count("gold", "coins", high=10, per_seat=True),
        count("debt", "may be below zero", low=-5, high=5),
        choice("card", "in hand", ("ra", "isis"), per_seat=True, empty=255, sees=OWNER),
        seat("pharaoh", "who rules", empty=255),
        bits("wonders", "built", ("sphinx", "lamp", "garden")),
        flag("night", "it is dark"),
        choice("deck", "to come", ("ra", "isis"), (2,), sees=NOBODY),
    ],
)


def position(**fields: object) -> np.ndarray:
    record = np.zeros(1, SCHEMA.dtype)
    record["num_players"] = 3
    for name, value in fields.items():
        record[name][0] = value
    return record


def test_a_record_is_shown_and_read_back_by_names() -> None:
    record = position(gold=[1, 2, 3], card=[0, 1, 255], pharaoh=255, wonders=5, debt=-2)
    shown = SCHEMA.to_dict(record[0])
    assert shown["card"] == ["ra", "isis", None]
    assert shown["pharaoh"] is None
    assert shown["wonders"] == ["sphinx", "garden"]
    assert shown["debt"] == -2
    assert SCHEMA.from_dict(shown).tobytes() == record.tobytes()


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("gold", [1, 2, 11], "gold: 11 is not in 0..10"),
        ("gold", [1, 2], "gold: expected a list of 3, got 2"),
        ("gold", [1, 2, "x"], "gold: expected 0..10, got 'x'"),
        ("card", ["ra", "zeus", None], "card: 'zeus' is none of ra, isis or nothing"),
        ("pharaoh", 3, "pharaoh: 3 is not in a seat or nothing"),
        ("wonders", ["tower"], "wonders: 'tower' is not in a set of sphinx, lamp, garden"),
        ("debt", None, "debt: expected -5..5, got None"),
    ],
)
def test_a_wrong_value_is_refused_by_field(field: str, value: object, complaint: str) -> None:
    values = SCHEMA.to_dict(position()[0])
    with pytest.raises(ValueError, match=complaint):
        SCHEMA.from_dict({**values, field: value})


def encoded(schema: Schema, encoder: FlatEncoder, record: np.ndarray, observer: int) -> np.ndarray:
    encode, out = build_encode(schema), np.full(encoder.size, 9, np.float32)

    @kernel
    def encode_first(records, observer, out):
        return encode(records[0], observer, out)

    assert encode_first(record, observer, out) == encoder.size
    return out


def test_the_flat_observation_follows_the_schema_from_the_observers_seat() -> None:
    encoder = FlatEncoder(SCHEMA, 3)
    record = position(gold=[1, 2, 3], card=[0, 1, 255], pharaoh=0, wonders=6, debt=-5, current_player=2, phase=1, night=1)
    out = encoded(SCHEMA, encoder, record, observer=1)
    seen = {s.name: out[s.indices()].ravel().tolist() for s in encoder.slices}
    assert seen["gold"] == pytest.approx([0.2, 0.3, 0.1])
    assert seen["card"] == [0, 1]
    assert seen["pharaoh"] == [0, 0, 1]
    assert seen["current_player"] == [0, 1, 0]
    assert seen["wonders"] == [0, 1, 1]
    assert seen["debt"] == [0]
    assert seen["phase"] == [0, 1]
    assert seen["night"] == [1]
    assert "deck" not in seen


def test_feature_tables_of_any_width_are_copied_whole() -> None:
    for width in (1, 7, 8, 9, 24, 27):
        features = np.arange(1, 2 * width + 1, dtype=np.float32).reshape(2, width) / (2 * width)
        schema = Schema(2, ("only",), [choice("card", "c", ("a", "b"), (2,), empty=255, table=features)])
        encoder, record = FlatEncoder(schema, 2), np.zeros(1, schema.dtype)
        record["card"] = [1, 255]
        record["num_players"] = 2
        out = encoded(schema, encoder, record, observer=0)
        assert out[encoder.where("card")].ravel().tolist() == [*features[1].tolist(), *[0.0] * width]


def test_an_action_table_lays_ranges_end_to_end() -> None:
    table = ActionTable(Range("go", ["go left", "go right"], "move"), Range("stop", ["stop"], "rest"))
    assert len(table) == 3
    assert table.start("stop") == 2
    assert [table.kind_of(a) for a in range(3)] == ["go", "go", "stop"]
    assert table.parse("  GO   Left ") == 0
    with pytest.raises(ValueError, match="two actions share a notation"):
        ActionTable(Range("a", ["x"], ""), Range("b", ["x"], ""))


def test_a_copy_of_the_package_compiles_and_plays_by_itself(tmp_path: Path) -> None:
    """Nothing depends on where the package lies."""
    source = Path(mastaba.__file__).parent
    shutil.copytree(source, tmp_path / "mastaba", ignore=shutil.ignore_patterns("__pycache__", ".git", "tests", ".venv*"))
    code = "import mastaba; print(mastaba.__file__); print(len(mastaba.GAMES))"
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert str(tmp_path) in done.stdout
