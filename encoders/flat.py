"""`flat`: one float32 vector per observer, laid out by the game's schema.

Every field the observer may see becomes a run of numbers: counts are scaled to 0..1, flags are 0 or 1, choices are one-hot (or
the feature row of the card), seats are one-hot counted from the observer, sets are one number per member. Rows of players come
in the order observer, then clockwise. Games append their own derived features. The plan below is data, so one compiled kernel
reads every game's record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from gymnasium.spaces import Box

from ..envs.core.jit import kernel
from ..envs.core.schema import NOBODY, OWNER, Field, Schema

__all__ = ["Feature", "FlatEncoder", "Slice"]

# One operation per way of writing a value, and per width where the width matters.
COUNT, SIGNED_COUNT, WORD_COUNT, ONE_HOT, SEAT, BITS, WORD_BITS, TABLE, NUM_OPERATIONS = range(9)

# Unsigned, because numba makes every signed index check for a negative one, and that forbids copying eight numbers at a time.
PROGRAM = np.dtype(
    [
        ("source", "u8"),  # of the value, in bytes from the start of the record
        ("target", "u8"),  # of its first number in the observation
        ("width", "u8"),  # numbers written
        ("table", "u8"),  # where its feature rows begin
        ("rows", "u8"),  # how many there are
        ("low", "f4"),
        ("scale", "f4"),
    ],
    align=True,
)
ZERO, ONE, TWO, THREE, FOUR, EIGHT = (np.uint64(i) for i in (0, 1, 2, 3, 4, 8))


@dataclass(frozen=True)
class Feature:
    """A run of numbers that a game computes itself, all within -1..1."""

    name: str
    size: int
    doc: str


@dataclass(frozen=True)
class Slice:
    """What stands where in the observation."""

    name: str
    start: int
    stop: int
    doc: str


class FlatEncoder:
    """The flat observation of one game at one table size.

    `programs[observer]` lists one instruction per value, sorted by operation (`bounds` says where each begins), with the seats
    already turned to the observer: the kernel runs a few tight loops and never asks whose row it is.
    """

    def __init__(self, schema: Schema, num_players: int, features: Callable[[int], list[Feature]] | None = None) -> None:
        self.num_players = num_players
        self.slices: list[Slice] = []
        self._tables: list[np.ndarray] = [np.zeros(1, np.float32)]
        lines: list[list[tuple[int, tuple]]] = [[] for _ in range(num_players)]
        for f in schema:
            if f.observe and f.sees != NOBODY:
                self._add(f, schema, lines)
        self.programs, self.bounds = _assemble(lines)
        self.tables = np.concatenate(self._tables)
        self.features_start = self.size
        for feature in features(num_players) if features else []:
            self._append(feature.name, feature.size, feature.doc)
        self.space = Box(-1.0, 1.0, (self.size,), np.float32)

    @property
    def size(self) -> int:
        return self.slices[-1].stop if self.slices else 0

    @property
    def arguments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """What kernels need to encode."""
        return self.programs, self.bounds, self.tables, self.features_start

    def describe(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| numbers | what | meaning |", "|---|---|---|"]
        lines += [f"| {s.start}-{s.stop - 1} | `{s.name}` | {s.doc} |" for s in self.slices]
        return "\n".join(lines)

    def _append(self, name: str, size: int, doc: str) -> None:
        self.slices.append(Slice(name, self.size, self.size + size, doc))

    def _add(self, f: Field, schema: Schema, lines: list[list[tuple[int, tuple]]]) -> None:
        """Write one instruction per value and observer."""
        operation, width, words = _operation(f, self.num_players)
        values = int(np.prod(f.shape, dtype=int))
        own_only = f.sees == OWNER or f.observe == "own"
        rows = self.num_players if f.per_seat and not own_only else 1
        offset, item_size = schema.dtype.fields[f.name][1], np.dtype(f.dtype).itemsize  # type: ignore[index]
        table, known = 0, 0
        if operation == TABLE:
            table, known = sum(t.size for t in self._tables), len(f.table)
            self._tables.append(np.ascontiguousarray(f.table, np.float32).ravel())
        low, scale = f.low, 1.0 / max(1, f.high - f.low)
        start = self.size
        for observer, program in enumerate(lines):
            for row in range(rows):
                seat = (observer + row) % self.num_players if f.per_seat else 0
                for i in range(values):
                    source = offset + (seat * values + i) * item_size
                    target = start + (row * values + i) * width
                    program.append((operation, (source, target, width, table, known, low, scale)))
        whose = "" if not f.per_seat else "; own" if own_only else "; observer, then clockwise"
        self._append(f.name, rows * values * width, f"{f.doc} ({words}{whose})")


def _assemble(lines: list[list[tuple[int, tuple]]]) -> tuple[np.ndarray, np.ndarray]:
    """Sort each observer's instructions by operation; all observers have the same bounds."""
    ordered = [sorted(program, key=lambda line: line[0]) for program in lines]
    programs = np.array([[instruction for _, instruction in program] for program in ordered], PROGRAM)
    bounds = np.searchsorted([operation for operation, _ in ordered[0]], np.arange(NUM_OPERATIONS + 1))
    return programs, bounds.astype(np.int64)


def _operation(f: Field, num_players: int) -> tuple[int, int, str]:
    """How a value of the field is written, how many numbers that takes, and in words."""
    wide = np.dtype(f.dtype).itemsize == 2
    if f.dtype not in ("u1", "i1", "u2", "i2") or (wide and f.kind in ("choice", "seat")):
        raise ValueError(f"{f.name}: no flat observation of a {f.kind} of type {f.dtype}")
    if f.kind == "choice" and f.table is not None:
        return TABLE, f.table.shape[1], "feature row"
    if f.kind == "choice":
        return ONE_HOT, len(f.names), "one-hot"
    if f.kind == "seat":
        return SEAT, num_players, "seat from the observer, one-hot"
    if f.kind == "bits":
        return (WORD_BITS if wide else BITS), len(f.names), "one number per member"
    operation = WORD_COUNT if wide else SIGNED_COUNT if f.dtype == "i1" else COUNT
    return operation, 1, "0/1" if f.kind == "flag" else f"scaled by {f.high - f.low}"


@kernel
def encode(raw, num_players, observer, programs, bounds, tables, out):
    """Write one record (as bytes) into `out`, which is all zeros, as its observer sees it."""
    program = programs[observer]
    for k in range(bounds[COUNT], bounds[COUNT + 1]):
        write_count(program[k], np.float32(raw[program[k].source]), out)
    for k in range(bounds[SIGNED_COUNT], bounds[SIGNED_COUNT + 1]):
        write_count(program[k], np.float32(np.int8(raw[program[k].source])), out)
    for k in range(bounds[WORD_COUNT], bounds[WORD_COUNT + 1]):
        write_count(program[k], np.float32(np.int16(word(raw, program[k].source))), out)
    for k in range(bounds[ONE_HOT], bounds[ONE_HOT + 1]):
        value = np.uint64(raw[program[k].source])  # an empty place, 255 or -1 as a byte, is beyond every width
        if value < program[k].width:
            out[program[k].target + value] = 1
    for k in range(bounds[SEAT], bounds[SEAT + 1]):
        write_seat(program[k], np.uint64(raw[program[k].source]), np.uint64(observer), np.uint64(num_players), out)
    for k in range(bounds[BITS], bounds[BITS + 1]):
        write_bits(program[k], np.uint64(raw[program[k].source]), out)
    for k in range(bounds[WORD_BITS], bounds[WORD_BITS + 1]):
        write_bits(program[k], word(raw, program[k].source), out)
    for k in range(bounds[TABLE], bounds[TABLE + 1]):
        value = np.uint64(raw[program[k].source])
        if value < program[k].rows:
            copy_row(tables, program[k].table + value * program[k].width, program[k].width, out, program[k].target)


@kernel
def word(raw, at):
    return np.uint64(raw[at]) | (np.uint64(raw[at + ONE]) << EIGHT)


@kernel
def write_count(line, value, out):
    out[line.target] = min((value - line.low) * line.scale, np.float32(1))


@kernel
def write_seat(line, seat, observer, num_players, out):
    if seat < num_players:
        turned = seat - observer if seat >= observer else seat + num_players - observer
        out[line.target + turned] = 1


@kernel
def write_bits(line, value, out):
    for bit in range(line.width):
        out[line.target + bit] = value >> bit & ONE


@kernel
def copy_row(tables, source, width, out, target):
    """Eight numbers at a time (loads before stores, so that they may go as vectors), then the rest."""
    end = source + width
    while source + EIGHT <= end:
        a, b, c, d = four(tables, source)
        e, f, g, h = four(tables, source + FOUR)
        put_four(out, target, a, b, c, d)
        put_four(out, target + FOUR, e, f, g, h)
        source += EIGHT
        target += EIGHT
    while source < end:
        out[target] = tables[source]
        source += ONE
        target += ONE


@kernel
def four(numbers, at):
    return numbers[at], numbers[at + ONE], numbers[at + TWO], numbers[at + THREE]


@kernel
def put_four(out, at, a, b, c, d):
    out[at], out[at + ONE], out[at + TWO], out[at + THREE] = a, b, c, d
