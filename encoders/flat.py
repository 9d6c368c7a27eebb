"""`flat`: one float32 vector per observer, laid out by the game's schema.

Every field the observer may see becomes a run of numbers: counts are scaled to 0..1, flags are 0 or 1, choices are one-hot (or
the feature row of the card), seats are one-hot counted from the observer, sets are one number per member. What is the table's and
what is the observer's own comes first; then one block per player with what everybody may see of it, the observer first, then
clockwise. The game's own features follow, in the order of their declaration.

The kernel is written by this module, a few lines per field, because only constant widths and offsets become vector instructions:
walking a table of fields at run time took three times as long. `source_of(schema)` shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from ..envs.core.declare.features import OTHER, SEAT, build_writer, present
from ..envs.core.declare.schema import NOBODY, OWNER, Field, Schema
from ..envs.core.kernel.jit import inlined
from ..envs.core.kernel.seats import after, seat_number
from ..envs.core.kernel.writing import (
    EIGHT,
    hot,
    members_of,
    part,
    put_row,
    write_bytes_scaled,
    write_graded,
    write_scaled,
    write_seat,
    write_seat_at_once,
)
from ..envs.core.narrow import LARGEST_UNIT
from ..envs.core.observing import Encoder, Slice
from ..envs.core.rules import Rules

__all__ = ["FlatEncoder", "build_encode", "source_of"]


class FlatEncoder(Encoder):
    """The layout of the flat observation of one game at one table size."""

    name = "flat"

    def __init__(self, rules: Rules, num_players: int) -> None:
        super().__init__(rules, num_players)
        self._end = 0
        schema, seats = rules.schema, rules.schema.seats_at(num_players)
        for f in _once(schema):
            own = "; own" if f.per_seat else ""
            self._append(f.name, _size(f, seats) * _width(f, seats), f"{f.doc} ({_words(f)}{own})", f)
        block = sum(_size(f, seats) * _width(f, seats) for f in _per_player(schema))
        for f in _per_player(schema):
            self._append(f.name, _size(f, seats) * _width(f, seats), f"{f.doc} ({_words(f)})", f, seats, block)
        self._end += block * (seats - 1)
        self.features_start = self._end
        for feature in present(rules.features, num_players):
            rows, first = feature.rows(seats), 1 if feature.per == OTHER else 0
            every = feature.size if feature.per in (SEAT, OTHER) else 0
            who = {SEAT: "per player: ", OTHER: "per other: "}.get(feature.per, "")
            self._append(feature.name, feature.size, who + feature.doc, None, rows, every, first)
            self._end += feature.size * (rows - 1)
        self.shape = (self._end,)
        self.space = Box(-1.0, 1.0, self.shape, np.float32)
        self.show = show_kernel(rules)

    def units(self) -> np.ndarray:
        features, units = {f.name: f for f in present(self.rules.features, self.num_players)}, np.zeros(self.size, np.int64)
        for s in self.slices:
            own = _units(self.rules.schema.by_name[s.name]) if s.start < self.features_start else features[s.name].units
            units[s.indices()] = np.resize(own, s.stop - s.start)
        return units

    def _append(
        self, name: str, size: int, doc: str, f: Field | None = None, rows: int = 1, every: int = 0, first: int = 0
    ) -> None:
        decode = partial(_decode, f, _width(f, self.rules.schema.seats_at(self.num_players))) if f else None
        self.slices.append(Slice(name, self._end, self._end + size, doc, rows, every, first, decode))
        self._end += size


@cache
def show_kernel(rules: Rules) -> Any:
    """show(s, observer, out): first what the schema says, then the game's own features. All numbers are written, also zeros."""
    encode = build_encode(rules.schema)
    write_features = build_writer(rules.features, rules.schema.automaton)

    @inlined
    def show(s, observer, out):
        write_features(s, observer, out, encode(s, observer, out))

    return show


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


def _size(f: Field, seats: int) -> int:
    return int(np.prod(f.shape_at(seats), dtype=int))


def _width(f: Field, seats: int) -> int:
    """How many numbers a value takes."""
    if f.kind == "choice" and f.table is not None:
        return f.table.shape[1]
    if f.kind in ("choice", "bits"):
        return len(f.names)
    return seats if f.kind == "seat" else 1


def _units(f: Field) -> tuple[int, ...]:
    """What the numbers of a value are counted in (`Encoder.units`)."""
    if f.kind == "count":
        return (max(1, f.high - f.low),)
    return (1,) if f.table is None else tuple(_unit_of(column) for column in f.table.T)


def _unit_of(numbers: np.ndarray) -> int:
    """The smallest unit of which all are whole multiples, 0 if there is none that a byte can hold."""
    for unit in range(1, LARGEST_UNIT + 1):
        if numbers.min() >= 0 and np.allclose(numbers * unit, np.round(numbers * unit), rtol=0, atol=1e-4):
            return unit
    return 0


def _words(f: Field) -> str:
    if f.kind == "choice":
        return "one-hot" if f.table is None else "feature row"
    scale = f"scaled by {f.high - f.low}"
    return {"seat": "seat from the observer, one-hot", "bits": "one number per member", "flag": "0/1"}.get(f.kind, scale)


# --- Reading it back -----------------------------------------------------------------------------------------------------------


def _decode(f: Field, width: int, numbers: np.ndarray) -> Any:
    """The values of a field from its numbers: one, or a list."""
    values = [_value(f, row) for row in numbers.reshape(-1, width)]
    return values if f.shape else values[0]


def _value(f: Field, row: np.ndarray) -> Any:
    if f.kind == "count":
        return round(float(row[0]) * max(1, f.high - f.low)) + f.low
    if f.kind == "flag":
        return bool(row[0])
    members = np.flatnonzero(row > 0.5)
    if f.kind == "bits":
        return [f.names[i] for i in members]
    if f.kind == "seat":
        return None if not len(members) else "me" if members[0] == 0 else f"me+{members[0]}"
    if f.table is not None:
        return row.tolist() if row.any() else None
    return f.names[members[0]] if len(members) else None


# --- Writing the kernel ----------------------------------------------------------------------------------------------------------


def build_encode(schema: Schema) -> Any:
    """The kernel encode(s, me, out) -> numbers written."""
    writers = (hot, members_of, part, put_row, write_bytes_scaled, write_graded, write_scaled, write_seat, write_seat_at_once)
    helpers: tuple[Callable, ...] = (after, seat_number, *writers)
    names: dict[str, Any] = {"np": np, "__name__": __name__} | {h.__name__: h for h in helpers}
    names |= {f"table_{f.name}": np.pad(f.table, ((0, 1), (0, 0))).astype(np.float32) for f in schema if f.table is not None}
    names |= {f"shares_{run[0].name}": _shares(run) for run in _runs(schema) if len(run) > 1}
    exec(compile(source_of(schema), __file__, "exec"), names)  # this file's name, so that the cache finds its folder
    return inlined(names["encode"])


def source_of(schema: Schema) -> str:
    """`at` runs along the observation: first what appears once, then the players' blocks."""
    at_once = _seats_at_once(schema)
    lines = ["def encode(s, me, out):", "    n, at = np.int64(s.num_players), 0", "    p = me = seat_number(me)"]
    if schema.automaton:
        lines.append("    n = max(n, 2)")
    for run in _runs(schema):
        f = run[0]
        source = _run_source(run, schema) if len(run) > 1 else _values_source(f, "me, " if f.per_seat else "", at_once)
        lines += [f"    # {', '.join(f.name for f in run)}", *("    " + line for line in source)]
    lines.append("    for _ in range(n):")
    for f in _per_player(schema):
        lines += [f"        # {f.name}", *("        " + line for line in _values_source(f, "p, ", at_once))]
    return "\n".join([*lines, "        p = seat_number(after(p, n))", "    return at", ""])


def _runs(schema: Schema) -> list[list[Field]]:
    """What appears once, together where counts lie side by side in the record: they are written at once.

    Fewer instructions, and fewer lines to compile (pyramidice: 38 fields become 25).
    """
    runs: list[list[Field]] = []
    for f in _once(schema):
        last = runs[-1][-1] if runs else None
        if last and _plain(last) and _plain(f) and last.dtype == f.dtype and _end(last, schema) == _start(f, schema):
            runs[-1].append(f)
        else:
            runs.append([f])
    return runs


def _plain(f: Field) -> bool:
    """Counts from 0 of one byte each, as many at every table."""
    return f.kind in ("count", "flag") and f.low == 0 and f.dtype in ("i1", "u1") and not f.per_seat and not f.per_table


def _start(f: Field, schema: Schema) -> int:
    fields = schema.dtype.fields
    assert fields is not None
    return fields[f.name][1]


def _end(f: Field, schema: Schema) -> int:
    return _start(f, schema) + _size(f, schema.seats)


def _run_source(run: list[Field], schema: Schema) -> list[str]:
    size = sum(_size(f, schema.seats) for f in run)
    write = f"write_bytes_scaled(s, {_start(run[0], schema)}, shares_{run[0].name}, part(out, at, {size}), {size})"
    return [write, f"at += {size}"]


def _shares(run: list[Field]) -> np.ndarray:
    """What a count is multiplied by, for every number of a run."""
    return np.concatenate([np.full(_size(f, 1), 1 / max(1, f.high), np.float32) for f in run])


def _seats_at_once(schema: Schema) -> set[str]:
    """The fields with seats that are followed by numbers enough, at any table, to be written at once (`write_seat_at_once`)."""
    found, to_come = set(), 0
    for f in reversed((*_once(schema), *_per_player(schema))):
        if to_come >= EIGHT >= schema.seats:
            found.add(f.name)
        to_come += _size(f, 1) * _width(f, 1)
    return found


def _values_source(f: Field, seat: str, at_once: set[str]) -> list[str]:
    """A loop over the values of a field, or of one seat's row of it."""
    axes = [f"i{k}" for k in range(len(f.shape))]
    index = (seat + ", ".join(axes)).removesuffix(", ")
    value = f"s.{f.name}[{index}]" if index else f"s.{f.name}"
    sizes = ["n" if f.per_table and k == 0 else f"{size}" for k, size in enumerate(f.shape)]
    loops = [f"{'    ' * k}for {axis} in range(np.uint64({size})):" for k, (axis, size) in enumerate(zip(axes, sizes, strict=True))]
    depth, outer = "    " * len(axes), "    " * (len(axes) - 1)
    row = f"s.{f.name}[{index.removesuffix(axes[-1]).removesuffix(', ')}]".removesuffix("[]") if axes else value
    if f.kind in ("count", "flag") and axes:  # the innermost loop runs along one part: a vector instruction
        if f.low == 0 and sizes[-1] != "n" and f.dtype[0] in "iu":
            share = f"np.float32({1 / max(1, f.high)!r})"
            write = [f"{outer}write_scaled({row}, {share}, part(out, at, {sizes[-1]}), {sizes[-1]})"]
        else:
            write = [f"{outer}row = part(out, at, {sizes[-1]})", loops[-1], f"{depth}row[{axes[-1]}] = {_scaled(f, value)}"]
        return [*loops[:-1], *write, f"{outer}at += {sizes[-1]}"]
    if grades := _grades(f):
        length, columns = f.shape[-1], _width(f, 0)
        graded = f"write_graded({row}, part(out, at, {length * columns}), {length}, {columns}, {grades})"
        return [*loops[:-1], outer + graded, f"{outer}at += {length * columns}"]
    return loops + [depth + line for line in _value_source(f, value, f.name in at_once)]


def _grades(f: Field) -> int:
    """If the table of a choice says a place and a grade (`write_graded`), how many grades there are; else 0."""
    if f.table is None or not f.shape or f.per_table or len(f.table) % f.table.shape[1] or f.dtype not in ("i1", "u1"):
        return 0
    columns = f.table.shape[1]
    grades = len(f.table) // columns
    graded = np.zeros((len(f.table), columns), np.float32)
    for v in range(len(f.table)):
        graded[v, v // grades] = np.float32(v % grades + 1) * np.float32(1 / grades)
    return grades if np.array_equal(f.table, graded) else 0


def _scaled(f: Field, value: str) -> str:
    above = f"(np.float32({value}) - np.float32({f.low}))" if f.low else f"np.float32({value})"
    return f"{above} * np.float32({1 / max(1, f.high - f.low)!r})"


def _value_source(f: Field, value: str, at_once: bool) -> list[str]:
    width = "n" if f.kind == "seat" else str(_width(f, 0))
    row = f"part(out, at, {width})"
    if f.kind == "choice" and f.table is not None:
        # The last row of the table is that of an empty place, all zeros.
        write = f"put_row(table_{f.name}, min(np.uint64(np.uint8({value})), np.uint64({len(f.table)})), {row}, {width})"
    elif f.kind == "choice":
        write = f"hot(np.uint64(np.uint8({value})), {row}, 0, {width})"
    elif f.kind == "seat":
        write = f"write_seat_at_once({value}, me, n, part(out, at, {EIGHT}))" if at_once else f"write_seat({value}, me, {row})"
    elif f.kind == "bits":
        write = f"members_of(np.uint64({value}), {row}, 0, {width})"
    else:
        write = f"{row}[0] = {_scaled(f, value)}"
    return [write, f"at += {width}"]
