"""`flat`: one float32 vector per observer, laid out by the game's schema.

Every field the observer may see becomes a run of numbers: counts are scaled to 0..1, flags are 0 or 1, choices are one-hot (or
the feature row of the card), seats are one-hot counted from the observer, sets are one number per member. What is the table's and
what is the observer's own comes first; then one block per player with what everybody may see of it, the observer first, then
clockwise. Games append their own derived features.

The kernel is written by this module, a few lines per field, because only constant widths and offsets become vector instructions:
walking a table of fields at run time took three times as long. `source_of(schema)` shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from ..envs.core.jit import inlined
from ..envs.core.schema import NOBODY, OWNER, Field, Schema

__all__ = ["Feature", "FlatEncoder", "Slice", "build_encode", "source_of"]


@dataclass(frozen=True)
class Feature:
    """A run of numbers that a game computes itself, all within -1..1."""

    name: str
    size: int
    doc: str


@dataclass(frozen=True)
class Slice:
    """What stands where in the observation. In the blocks of players it stands again `every` so many numbers, `rows` times."""

    name: str
    start: int
    stop: int
    doc: str
    rows: int = 1
    every: int = 0

    def indices(self) -> np.ndarray:
        """All its places, one row per player."""
        return self.start + self.every * np.arange(self.rows)[:, None] + np.arange(self.stop - self.start)

    def __str__(self) -> str:
        again = f" (+{self.every} per player)" if self.rows > 1 else ""
        return f"{self.start}-{self.stop - 1}{again}"


class FlatEncoder:
    """The layout of the flat observation of one game at one table size."""

    def __init__(self, schema: Schema, num_players: int, features: Callable[[int], list[Feature]] | None = None) -> None:
        self.num_players = num_players
        self.slices: list[Slice] = []
        self.size = 0
        for f in _once(schema):
            rows = num_players / f.shape[0] if f.per_table else 1
            size = int(_size(f) * rows) * _width(f, num_players)
            self._append(f.name, size, f"{f.doc} ({_words(f)}{'; own' if f.per_seat else ''})")
        block = sum(_size(f) * _width(f, num_players) for f in _per_player(schema))
        for f in _per_player(schema):
            self._append(f.name, _size(f) * _width(f, num_players), f"{f.doc} ({_words(f)})", num_players, block)
        self.size += block * (num_players - 1)
        self.features_start = self.size
        for feature in features(num_players) if features else []:
            self._append(feature.name, feature.size, feature.doc)
        self.space = Box(-1.0, 1.0, (self.size,), np.float32)

    def describe(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| numbers | what | meaning |", "|---|---|---|"]
        lines += [f"| {s} | `{s.name}` | {s.doc} |" for s in self.slices]
        return "\n".join(lines)

    def where(self, name: str) -> np.ndarray:
        """The places of a field or feature in the observation, one row per player where there are several."""
        return next(s for s in self.slices if s.name == name).indices()

    def _append(self, name: str, size: int, doc: str, rows: int = 1, every: int = 0) -> None:
        self.slices.append(Slice(name, self.size, self.size + size, doc, rows, every))
        self.size += size


def _once(schema: Schema) -> list[Field]:
    """The fields that appear once: the table's, and the observer's own rows."""
    return [f for f in schema if _observed(f) and (not f.per_seat or _own_only(f))]


def _per_player(schema: Schema) -> list[Field]:
    """The fields of the players' blocks."""
    return [f for f in schema if _observed(f) and f.per_seat and not _own_only(f)]


def _observed(f: Field) -> bool:
    return bool(f.observe) and f.sees != NOBODY


def _own_only(f: Field) -> bool:
    return f.sees == OWNER or f.observe == "own"


def _size(f: Field) -> int:
    return int(np.prod(f.shape, dtype=int))


def _width(f: Field, num_players: int) -> int:
    """How many numbers a value takes."""
    if f.kind == "choice" and f.table is not None:
        return f.table.shape[1]
    if f.kind in ("choice", "bits"):
        return len(f.names)
    return num_players if f.kind == "seat" else 1


def _words(f: Field) -> str:
    if f.kind == "choice":
        return "one-hot" if f.table is None else "feature row"
    scale = f"scaled by {f.high - f.low}"
    return {"seat": "seat from the observer, one-hot", "bits": "one number per member", "flag": "0/1"}.get(f.kind, scale)


# --- Writing the kernel ----------------------------------------------------------------------------------------------------------


def build_encode(schema: Schema) -> Any:
    """The kernel encode(s, observer, out) -> numbers written."""
    names: dict[str, Any] = {"np": np, "write_one_hot": write_one_hot, "write_seat": write_seat, "write_row": write_row}
    names |= {f"table_{f.name}": np.pad(f.table, ((0, 1), (0, 0))).astype(np.float32) for f in schema if f.table is not None}
    names |= {"BIT_ROWS": BIT_ROWS, "__name__": __name__}
    exec(compile(source_of(schema), __file__, "exec"), names)  # this file's name, so that the cache finds its folder
    return inlined(names["encode"])


def source_of(schema: Schema) -> str:
    """`at` runs along the observation: first what appears once, then the players' blocks."""
    lines = [
        "def encode(s, observer, out):",
        "    n, me, at = np.uint64(s.num_players), np.uint64(observer), np.uint64(0)",
    ]
    for f in _once(schema):
        lines += [f"    # {f.name}", *("    " + line for line in _values_source(f, "me, " if f.per_seat else ""))]
    lines += ["    p = me", "    for _ in range(n):"]
    for f in _per_player(schema):
        lines += [f"        # {f.name}", *("        " + line for line in _values_source(f, "p, "))]
    turn = "p = p + np.uint64(1) if p + np.uint64(1) < n else np.uint64(0)"
    return "\n".join([*lines, f"        {turn}", "    return at", ""])


def _values_source(f: Field, seat: str) -> list[str]:
    """A loop over the values of a field, or of one seat's row of it."""
    axes = [f"i{k}" for k in range(len(f.shape))]
    index = (seat + ", ".join(axes)).removesuffix(", ")
    value = f"s.{f.name}[{index}]" if index else f"s.{f.name}"
    sizes = ["n" if f.per_table and k == 0 else f"np.uint64({size})" for k, size in enumerate(f.shape)]
    lines = [f"{'    ' * k}for {axis} in range({size}):" for k, (axis, size) in enumerate(zip(axes, sizes, strict=True))]
    depth = "    " * len(axes)
    if f.kind in ("count", "flag") and axes:  # `at` stands still in the innermost loop: a vector instruction
        return [*lines, depth + f"out[at + {axes[-1]}] = {_scaled(f, value)}", depth[4:] + f"at += {sizes[-1]}"]
    return lines + [depth + line for line in _value_source(f, value)]


def _scaled(f: Field, value: str) -> str:
    above = f"(np.float32({value}) - np.float32({f.low}))" if f.low else f"np.float32({value})"
    return f"{above} * np.float32({1 / max(1, f.high - f.low)!r})"


def _value_source(f: Field, value: str) -> list[str]:
    width = _width(f, 0)
    step = f"at += np.uint64({width})"
    if f.kind == "choice" and f.table is not None:
        return [f"write_row({value}, table_{f.name}, out, at)", step]
    if f.kind == "choice":
        return [*_zeros_source(f"np.uint64({width})"), f"write_one_hot({value}, {width}, out, at)", step]
    if f.kind == "seat":
        return [*_zeros_source("n"), f"write_seat({value}, me, n, out, at)", "at += n"]
    if f.kind == "bits":
        return [line for first in range(0, width, 8) for line in _byte_source(value, first, min(8, width - first))]
    return [f"out[at] = {_scaled(f, value)}", step]


def _zeros_source(width: str) -> list[str]:
    return [f"for j in range({width}):", "    out[at + j] = 0"]


def _byte_source(value: str, first: int, count: int) -> list[str]:
    """Eight members of a set at a time, copied from a table."""
    byte = f"np.uint64({value} >> {first} & 255)"
    return [
        f"byte = {byte}",
        f"for j in range(np.uint64({count})):",
        "    out[at + j] = BIT_ROWS[byte, j]",
        f"at += np.uint64({count})",
    ]


BIT_ROWS = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.float32)

# Unsigned indices, because numba makes every signed one check for a negative value, and that forbids vector instructions.
# No branches, because whether a place is empty is as good as random, and a wrong guess costs more than the work it saves. As an
# unsigned byte an empty place (255 or -1) is larger than every value.


@inlined
def write_one_hot(value, width, out, at):
    chosen, last = np.uint64(np.uint8(value)), np.uint64(width - 1)
    out[at + min(chosen, last)] = np.float32(chosen <= last)


@inlined
def write_seat(value, me, n, out, at):
    seat = np.uint64(np.uint8(value))
    turned = seat - me if seat >= me else seat + n - me
    out[at + min(turned, n - np.uint64(1))] = np.float32(seat < n)


@inlined
def write_row(value, table, out, at):
    """The last row of the table is that of an empty place, all zeros."""
    chosen = min(np.uint64(np.uint8(value)), np.uint64(len(table) - 1))
    for j in range(np.uint64(table.shape[1])):
        out[at + j] = table[chosen, j]
