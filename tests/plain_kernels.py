"""Kernels as plain Python: a fault in one is tried in milliseconds, where compiling it would take seconds.

Functions keep their code and get globals in which every kernel is plain too. A record becomes an object with whole numbers and
arrays of them, as wide as numba computes with, so that sums do not wrap round in the width of a field.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from mastaba.envs.core.declare.features import OTHER, SEAT, present
from mastaba.envs.core.declare.grid import cells_of
from mastaba.envs.core.kernel import boards, words, writing
from mastaba.envs.core.kernel.jit import KernelDispatcher
from mastaba.envs.core.rules import Rules


def _part(out: np.ndarray, start: int, size: int) -> np.ndarray:
    assert start + size <= len(out), "tests/testing/test_checks.py: a feature that writes too much"
    return out[start : start + size]


def _write_scaled(counts: np.ndarray, share: float, out: np.ndarray, size: int) -> None:
    out[:size] = np.asarray(counts[:size], np.float32) * np.float32(share)


def _write_shares(counts: np.ndarray, shares: np.ndarray, out: np.ndarray, size: int) -> None:
    out[:size] = np.asarray(counts[:size], np.float32) * shares[:size]


def _add_scaled(counts: np.ndarray, share: float, out: np.ndarray, size: int) -> None:
    out[:size] += np.asarray(counts[:size], np.float32) * np.float32(share)


def _write_equal(values: np.ndarray, value: int, out: np.ndarray, size: int) -> None:
    out[:size] = values[:size] == value


def _put_bytes(word: int, share: float, out: np.ndarray, place: int, size: int) -> None:
    out[int(place) : int(place) + size] = [(int(word) >> 8 * i & 255) * share for i in range(size)]


def _write_turned(counts: np.ndarray, turn: int, share: float, out: np.ndarray, size: int) -> None:
    out[:size] = np.roll(np.asarray(counts[:size], np.float32), -int(turn)) * np.float32(share)


def _write_row(table: np.ndarray, index: int, out: np.ndarray) -> None:
    out[:] = table[int(index)]


def _put_row(table: np.ndarray, index: int, out: np.ndarray, size: int) -> None:
    if size != len(out):
        raise IndexError(f"a row of {size} numbers where {len(out)} are expected")
    out[:] = table[int(index)]


def _write_bits(members: int, out: np.ndarray) -> None:
    out[:] = [int(members) >> i & 1 for i in range(len(out))]


def _stack_row(size: int, dtype: Any) -> np.ndarray:
    return np.zeros(size, dtype)


def _write_one_hot(value: int, out: np.ndarray) -> None:
    out[:] = np.arange(len(out)) == int(value) & 255  # an empty place, -1, is larger than every value


def _bit_length(x: int) -> int:
    return int(x).bit_length()


class _Boards(np.ndarray):
    def __eq__(self, other: object) -> bool:
        return bool((np.asarray(self) == np.asarray(other)).all())


def _boards_of(row: np.ndarray, count: int) -> _Boards:
    return np.array(row[:count], np.int64).view(_Boards)


def _write_bytes_of(numbers: _Boards, share: float, out: np.ndarray, each: int) -> None:
    out[:] = [np.float32(share) * (int(board) >> 8 * i & 255) for board in np.asarray(numbers) for i in range(each)]


def _write_holding(held: tuple[int, ...], cells: np.ndarray, share: float, out: np.ndarray, size: int) -> None:
    out[:] = [np.float32(share) * sum(bool(int(board) & int(cell)) for board in held) for cell in cells[:size]]


# What numba makes of machine instructions, and what needs a byte to wrap round.
TWINS = {
    id(boards.boards_of): _boards_of,
    id(boards.write_bytes_of): _write_bytes_of,
    id(boards.write_holding): _write_holding,
    id(writing.write_shares): _write_shares,
    id(words.bit_length): _bit_length,
    id(writing.write_one_hot): _write_one_hot,
    id(writing.write_row): _write_row,
    id(writing.put_row): _put_row,
    id(writing.write_bits): _write_bits,
    id(writing.part): _part,
    id(writing.put_bytes): _put_bytes,
    id(writing.write_turned): _write_turned,
    id(writing.add_scaled): _add_scaled,
    id(writing.write_equal): _write_equal,
    id(writing.write_scaled): _write_scaled,
    id(writing.stack_row): _stack_row,
}


class Plain:
    """The plain twins of all kernels that some reach."""

    def __init__(self) -> None:
        self._globals: dict[int, dict[str, Any]] = {}

    def of(self, value: Any) -> Any:
        """The twin of a kernel, or of a table of small numbers; anything else is its own."""
        if id(value) in TWINS:
            return TWINS[id(value)]
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.dtype != np.uint64:
            return value.astype(np.int64)
        if not isinstance(value, KernelDispatcher):
            return value
        function = value.py_func
        return FunctionType(
            function.__code__, self.globals_of(function.__globals__), function.__name__, function.__defaults__, function.__closure__
        )

    def globals_of(self, names: dict[str, Any]) -> dict[str, Any]:
        if id(names) not in self._globals:
            twin = self._globals[id(names)] = dict(names)
            for name, value in names.items():
                twin[name] = self.of(value)
        return self._globals[id(names)]


class PlainRecord:
    """A position whose fields are Python's and numpy's widest whole numbers."""

    def __init__(self, record: np.void) -> None:
        for name in record.dtype.names or ():
            value = record[name]
            wide = np.uint64 if value.dtype == np.uint64 else np.int64
            setattr(self, name, value.astype(wide) if value.ndim else wide(value))


def module_of(source: str, like: ModuleType) -> dict[str, Any]:
    """The names of a module with other source, imported once more beside the one that is in use."""
    names = {"__name__": like.__name__, "__package__": like.__package__, "__file__": like.__file__}
    exec(compile(source, str(like.__file__), "exec"), names)
    return names


def features_of(rules: Rules, names: dict[str, Any], states: list[np.void]) -> Iterator[np.ndarray]:
    """What an observation room declares, and what its features write, for every position and one observer each."""
    plain = Plain()
    yield declared(names)
    for number, record in enumerate(states):
        s, players = PlainRecord(record), int(record["num_players"])
        me, seats = number % players, rules.schema.seats_at(players)
        written = []
        for f in (*present(names["FEATURES"], players), *names["LOOKAHEAD"]):
            write = plain.of(f.write)
            for place in range(f.rows(seats)):
                out = np.full(f.size, 77.0, np.float32)
                p = (me + place + (f.per == OTHER)) % seats
                write(s, me, p, out) if f.per in (SEAT, OTHER) else write(s, me, out)
                written.append(out)
        yield np.concatenate(written)


def declared(names: dict[str, Any]) -> np.ndarray:
    """The units and words of all features, and the cells of the planes: what test_narrow.py and test_golden.py know."""
    grid, features = names["PLANES"], (*names["FEATURES"], *names["LOOKAHEAD"])
    units = [number for f in features for number in (f.things, *f.units, *f.doc.encode())]
    cells = [place for name, placed in grid.cells.items() for cell in placed for place in (-1, *cells_of(cell))]
    return np.array([grid.height, grid.width, grid.depth, *units, *cells], np.int64)


def scores_of(rules: Rules, names: dict[str, Any], states: list[np.void]) -> Iterator[np.ndarray]:
    """What every kernel of a scoring room returns, writes and leaves in the position."""
    plain = Plain()
    kernels = {name: plain.of(f) for name, f in names.items() if isinstance(f, KernelDispatcher) and f.py_func.__globals__ is names}
    for number, record in enumerate(states):
        said: list[Any] = []
        for kernel in kernels.values():
            wanted = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
            if set(wanted) <= {"s", *_asked(rules, record, number)}:
                s, asked = PlainRecord(record), _asked(rules, record, number)
                said.append(kernel(*(s if name == "s" else asked[name] for name in wanted)))
                said += [asked["out"], *(np.ravel(value) for value in vars(s).values())]
        yield np.concatenate([np.ravel(value).astype(np.float64) for value in said if value is not None])


def _asked(rules: Rules, record: np.void, number: int) -> dict[str, Any]:
    """What kernels are asked, by the names of their parameters: another thing for every number of a position."""
    players = int(record["num_players"])
    workers = _lists(record, "workers")
    crew = workers[:, number % workers.shape[1]]
    return {
        **{"p": number % players, "num_players": players, "out": np.zeros(16, np.int64)},
        "points": 7 * number * np.arange(1, rules.schema.seats + 1) % 5,
        **{"values": crew, "crew": crew, "scale": number % 2, "category": 0},
        **{"card": number % 20, "level": number % 6, "project": number % 6, "colour": number % 4},
        **{"slots": _lists(record, "pyramid")[number % players], "slot": number % 6},
    }


def _lists(record: np.void, field: str) -> np.ndarray:
    """A row per seat of a field; zeros where the game has no such field."""
    known = field in (record.dtype.names or ()) and record[field].ndim == 2
    return record[field].astype(np.int64) if known else np.zeros((8, 8), np.int64)


LOOKS = {"observation": features_of, "scoring": scores_of}
