"""`flat`: one float32 vector per observer, laid out by the game's schema.

Every field the observer may see becomes a run of numbers: counts are scaled to 0..1, flags are 0 or 1, choices are one-hot (or
the feature row of the card), seats are one-hot counted from the observer, sets are one number per member. Rows of players come
in the order observer, then clockwise. Games append their own derived features. The plan below is data, so one compiled kernel
reads every game's record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from ..envs.core.jit import kernel
from ..envs.core.schema import NOBODY, OWNER, Field, Schema

__all__ = ["Feature", "FlatEncoder", "Slice"]

COUNT, ONE_HOT, SEAT, BITS, TABLE = range(5)
BYTE, SIGNED_BYTE, WORD, SIGNED_WORD = range(4)
LOADS = {"u1": BYTE, "i1": SIGNED_BYTE, "u2": WORD, "i2": SIGNED_WORD}

PLAN = np.dtype(
    [
        ("operation", "i4"),
        ("load", "i4"),
        ("offset", "i4"),  # of the first value, in bytes from the start of the record
        ("stride", "i4"),  # between values
        ("values", "i4"),  # per row
        ("rows", "i4"),  # one, or one per player in egocentric order
        ("row_stride", "i4"),
        ("width", "i4"),  # numbers written per value
        ("table", "i4"),  # where the feature rows begin
        ("low", "f4"),
        ("scale", "f4"),
    ]
)


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
    """The flat observation of one game at one table size."""

    def __init__(self, schema: Schema, num_players: int, features: Callable[[int], list[Feature]] | None = None) -> None:
        self.num_players = num_players
        self.slices: list[Slice] = []
        self._tables: list[np.ndarray] = []
        plan = [self._item(f, schema) for f in schema if _observed(f)]
        self.plan = np.array(plan, PLAN)
        self.tables = np.concatenate([np.zeros(1, np.float32), *self._tables])
        self.features_start = self.size
        for feature in features(num_players) if features else []:
            self._append(feature.name, feature.size, feature.doc)
        self.space = Box(-1.0, 1.0, (self.size,), np.float32)

    @property
    def size(self) -> int:
        return self.slices[-1].stop if self.slices else 0

    def describe(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| numbers | what | meaning |", "|---|---|---|"]
        lines += [f"| {s.start}-{s.stop - 1} | `{s.name}` | {s.doc} |" for s in self.slices]
        return "\n".join(lines)

    def _append(self, name: str, size: int, doc: str) -> None:
        self.slices.append(Slice(name, self.size, self.size + size, doc))

    def _item(self, f: Field, schema: Schema) -> tuple[Any, ...]:
        item_size = np.dtype(f.dtype).itemsize
        values = int(np.prod(f.shape, dtype=int))
        own_only = f.sees == OWNER or f.observe == "own"
        rows = self.num_players if f.per_seat and not own_only else 1
        operation, width, words = _operation(f, self.num_players)
        table = 0
        if operation == TABLE:
            table = 1 + sum(t.size for t in self._tables)
            self._tables.append(np.ascontiguousarray(f.table, np.float32).ravel())
        whose = "" if not f.per_seat else "; own" if own_only else "; observer, then clockwise"
        self._append(f.name, rows * values * width, f"{f.doc} ({words}{whose})")
        offset = schema.dtype.fields[f.name][1]  # type: ignore[index]
        row_stride = values * item_size if f.per_seat else 0
        low, scale = (f.low, 1.0 / max(1, f.high - f.low)) if operation == COUNT else (0, 1.0)
        return (operation, LOADS[f.dtype], offset, item_size, values, rows, row_stride, width, table, low, scale)


def _observed(f: Field) -> bool:
    return bool(f.observe) and f.sees != NOBODY


def _operation(f: Field, num_players: int) -> tuple[int, int, str]:
    """How a value of the field is written, how many numbers that takes, and in words."""
    if f.kind == "choice" and f.table is not None:
        return TABLE, f.table.shape[1], "feature row"
    if f.kind == "choice":
        return ONE_HOT, len(f.names), "one-hot"
    if f.kind == "seat":
        return SEAT, num_players, "seat from the observer, one-hot"
    if f.kind == "bits":
        return BITS, len(f.names), "one number per member"
    return COUNT, 1, "0/1" if f.kind == "flag" else f"scaled by {f.high - f.low}"


@kernel
def load(raw, at, kind):
    if kind == BYTE:
        return np.int64(raw[at])
    if kind == SIGNED_BYTE:
        return np.int64(np.int8(raw[at]))
    word = np.int64(raw[at]) | (np.int64(raw[at + 1]) << 8)
    if kind == WORD:
        return word
    return np.int64(np.int16(word))


@kernel
def encode(raw, num_players, observer, plan, tables, out):
    """Write what the plan says of one record (as bytes) into `out`, which is all zeros."""
    position = 0
    for k in range(plan.shape[0]):
        item = plan[k]
        for row in range(item.rows):
            seat = observer + row
            if seat >= num_players:
                seat -= num_players
            at = item.offset + seat * item.row_stride
            write_row(raw, at, item, num_players, observer, tables, out, position)
            position += item.values * item.width


@kernel
def write_row(raw, at, item, num_players, observer, tables, out, position):
    width = item.width
    for _ in range(item.values):
        value = load(raw, at, item.load)
        if item.operation == COUNT:
            out[position] = min(max((value - item.low) * item.scale, np.float32(-1)), np.float32(1))
        elif item.operation == ONE_HOT:
            if 0 <= value < width:
                out[position + value] = 1
        elif item.operation == SEAT:
            if 0 <= value < num_players:
                turned = value - observer
                out[position + turned + (num_players if turned < 0 else 0)] = 1
        elif item.operation == BITS:
            for bit in range(width):
                out[position + bit] = value >> bit & 1
        elif 0 <= value * width < tables.size - item.table:
            first = item.table + value * width
            for j in range(width):
                out[position + j] = tables[first + j]
        at += item.stride
        position += width
