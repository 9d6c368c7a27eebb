"""Boards side by side do what one board does, and what writers compute at once is what a loop would write."""

from __future__ import annotations

import numpy as np
import pytest
from llvmlite.binding import parse_assembly

from mastaba.encoders.flat import _grades
from mastaba.envs.core.declare.schema import choice
from mastaba.envs.core.kernel.boards import boards_of, write_bytes_of, write_holding
from mastaba.envs.core.kernel.jit import fingerprint, kernel
from mastaba.envs.core.kernel.linking import LARGE, _keep_apart
from mastaba.envs.core.kernel.writing import write_graded, write_shares

COUNT, EACH, CELLS, PLACES, CHOICES, COLUMNS, GRADES = 4, 6, 5, 3, 7, 4, 3
BYTE = 255


@kernel
def mixed(a, b):
    """Every operator, between boards and with numbers on either side."""
    spread = (a | b << 3) & (b >> 2 | a) | 5
    return (spread + (a & 7)) - (3 & b)


@kernel
def all_bytes(rows, out):
    write_bytes_of(mixed(boards_of(rows[0], COUNT), boards_of(rows[1], COUNT)), np.float32(0.5), out, EACH)


@kernel
def one(a, b):
    return mixed(a, b)


@kernel
def are_equal(rows):
    return boards_of(rows[0], COUNT) == boards_of(rows[1], COUNT)


def some_boards(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 48, (2, COUNT))


@pytest.mark.parametrize("seed", range(5))
def test_boards_take_the_operators_of_one_board(seed):
    rows, out = some_boards(seed), np.full(COUNT * EACH, -1, np.float32)
    all_bytes(rows, out)
    alone = [one(int(a), int(b)) for a, b in rows.T]
    assert out.tolist() == [0.5 * (board >> 8 * i & BYTE) for board in alone for i in range(EACH)]


@pytest.mark.parametrize("different", range(COUNT))
def test_boards_are_equal_only_if_all_are(different):
    rows = some_boards(0)
    rows[1] = rows[0]
    assert are_equal(rows)
    rows[1, different] ^= 1 << 47
    assert not are_equal(rows)


@kernel
def held_by(a, b, cells, out):
    write_holding((a, b, a & b), cells, np.float32(0.25), out, CELLS)


def test_cells_are_counted_on_every_board_that_holds_them():
    cells, out = np.array([1, 2, 4, 1 << 20, 1 << 62]), np.full(CELLS, -1, np.float32)
    held_by(1 | 1 << 62, 1 | 2, cells, out)
    assert out.tolist() == [0.75, 0.25, 0, 0, 0.25]


@kernel
def shared_out(counts, shares, out):
    write_shares(counts, shares, out, CHOICES)


def test_each_count_has_its_own_share():
    counts, shares = np.array([0, 1, -2, 3, 127, -128, 5], np.int8), (1 / np.arange(1, CHOICES + 1)).astype(np.float32)
    out = np.full(CHOICES, 9, np.float32)
    shared_out(counts, shares, out)
    assert out.tolist() == (counts.astype(np.float32) * shares).tolist()


@kernel
def graded(values, out):
    write_graded(values, out, CHOICES, COLUMNS, GRADES)


def table_of_grades() -> np.ndarray:
    v = np.arange(COLUMNS * GRADES)
    return np.where(v[:, None] // GRADES == np.arange(COLUMNS), (v[:, None] % GRADES + 1) / GRADES, 0).astype(np.float32)


@pytest.mark.parametrize("dtype, empty", [(np.int8, -1), (np.uint8, 255)])
def test_a_graded_choice_is_written_as_its_row_of_the_table(dtype, empty):
    table = np.vstack([table_of_grades(), np.zeros(COLUMNS, np.float32)])
    for first in range(len(table)):
        chosen = (first + np.arange(CHOICES)) % len(table)
        out = np.full(CHOICES * COLUMNS, 9, np.float32)
        graded(np.where(chosen == len(table) - 1, empty, chosen).astype(dtype), out)
        assert out.tolist() == table[chosen].reshape(-1).tolist()


def test_only_a_table_of_grades_is_taken_for_one():
    names = [f"stone {i}" for i in range(COLUMNS * GRADES)]
    table, other = table_of_grades(), table_of_grades()
    other[5, 1] = 0.5
    assert _grades(choice("stones", "", names, (CHOICES,), empty=-1, table=table)) == GRADES
    assert _grades(choice("stones", "", names, (CHOICES,), empty=-1, table=other)) == 0
    assert _grades(choice("stone", "", names, empty=-1, table=table)) == 0
    assert _grades(choice("stones", "", names, (CHOICES,), empty=-1)) == 0


# --- Lean kernels ----------------------------------------------------------------------------------------------------------------


@kernel
def tripled(x):
    return 3 * x


def through(x):
    return tripled(x) + tripled(x + 1)


lean, usual = kernel(lean=True)(through), kernel(through)


@kernel
def with_lean(x):
    return lean(x)


@kernel
def with_usual(x):
    return usual(x)


def test_a_lean_kernel_computes_the_same():
    assert [with_lean(x) for x in range(20)] == [with_usual(x) for x in range(20)]


def test_what_a_lean_kernel_needs_is_kept_apart_if_it_is_large_and_does_not_ask_to_be_inlined():
    def function(name: str, size: int, attribute: str = "") -> str:
        lines = [f"%v{i + 1} = add i64 %v{i}, 1" for i in range(size)]
        return "\n".join([f"define i64 @{name}(i64 %v0) {attribute} {{", *lines, f"ret i64 %v{size}", "}"])

    sizes = {"small": LARGE // 2, "large": LARGE + 1, "not_needed": LARGE + 1}
    inlined = function("inlined", LARGE + 1, "alwaysinline")
    module = parse_assembly("\n".join([*(function(name, size) for name, size in sizes.items()), inlined]))
    _keep_apart(module, {"small", "large", "inlined"})
    assert [f.name for f in module.functions if any(b"noinline" in a for a in f.attributes)] == ["large"]


def test_lean_is_part_of_the_fingerprint():
    assert fingerprint(with_lean.py_func) != fingerprint(with_usual.py_func)
