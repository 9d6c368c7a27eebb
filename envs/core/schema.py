"""One declaration of a game's state: from it come the record, the dictionaries, the tables of the docs and the flat observation.

A field says what it holds (a count, a choice among names, a seat, a set of bits), who may see it, and what the rules' spec calls
it. Player axes are always the first axis and always as long as the largest table, so one compiled kernel serves every player count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

__all__ = [
    "EVERYBODY",
    "NOBODY",
    "OWNER",
    "Field",
    "Schema",
    "bits",
    "choice",
    "count",
    "flag",
    "seat",
]

EVERYBODY, OWNER, NOBODY = "everybody", "owner", "nobody"


@dataclass(frozen=True)
class Field:
    """One field of the record. Made by `count`, `flag`, `choice`, `seat` or `bits`."""

    name: str
    kind: str  # count | flag | choice | seat | bits
    doc: str
    dtype: str = "u1"
    shape: tuple[int, ...] = ()  # without the player axis
    per_seat: bool = False
    per_table: bool = False  # the first axis has one row per player at the table, but row i is not player i's: pairs on offer
    low: int = 0
    high: int = 255
    empty: int | None = None  # the value that means "nothing here"
    names: tuple[str, ...] = ()  # of the values of a choice, of the bits of a set
    sees: str = EVERYBODY
    spec: str = ""  # the spec's name for it, where ours differs
    observe: bool | str = True  # part of the flat observation; "own": only the observer's row of a public field
    derived: bool = False  # follows from the other fields: not part of dictionaries, computed by the game's `derive`
    table: Any = field(default=None, compare=False)  # features of each value of a choice, instead of a one-hot

    def full_shape(self, seats: int) -> tuple[int, ...]:
        return (seats, *self.shape) if self.per_seat else self.shape

    @property
    def spec_name(self) -> str:
        return self.spec or self.name

    def values(self) -> str:
        """The allowed values, in words."""
        if self.kind == "flag":
            return "false, true"
        if self.kind == "choice" and len(self.names) <= 12:
            allowed = ", ".join(self.names)
        elif self.kind == "choice":
            allowed = f"{self.names[0]}, {self.names[1]}, ... {self.names[-1]} ({len(self.names)} names)"
        elif self.kind == "bits":
            allowed = f"a set of {', '.join(self.names)}" if len(self.names) <= 12 else f"a set of {len(self.names)} names"
        elif self.kind == "seat":
            allowed = "a seat"
        else:
            allowed = f"{self.low}..{self.high}"
        return allowed + (" or nothing" if self.empty is not None else "")


def count(name: str, doc: str, high: int, low: int = 0, shape: Sequence[int] = (), **more: Any) -> Field:
    """A number. The dtype is the smallest that holds low..high, unless given."""
    empty = more.get("empty")
    bounds = (min(low, high if empty is None else empty), max(high, low if empty is None else empty))
    more["dtype"] = more.get("dtype") or _smallest(*bounds)
    return Field(name, "count", doc, low=low, high=high, shape=tuple(shape), **more)


def flag(name: str, doc: str, shape: Sequence[int] = (), **more: Any) -> Field:
    """Yes or no, stored as 0 or 1."""
    return Field(name, "flag", doc, high=1, shape=tuple(shape), **more)


def choice(name: str, doc: str, names: Sequence[str], shape: Sequence[int] = (), **more: Any) -> Field:
    """One of several named things: a phase, a card, a tile. `table` gives features of each for the flat observation."""
    return Field(name, "choice", doc, high=len(names) - 1, names=tuple(names), shape=tuple(shape), **more)


def seat(name: str, doc: str, shape: Sequence[int] = (), **more: Any) -> Field:
    """A player, by seat. Observations turn it so that the observer is 0."""
    return Field(name, "seat", doc, shape=tuple(shape), **more)


def bits(name: str, doc: str, names: Sequence[str], shape: Sequence[int] = (), **more: Any) -> Field:
    """A set of named things as a bit mask."""
    more["dtype"] = more.get("dtype") or _smallest(0, (1 << len(names)) - 1)
    return Field(name, "bits", doc, high=(1 << len(names)) - 1, names=tuple(names), shape=tuple(shape), **more)


def _smallest(low: int, high: int) -> str:
    for dtype in (
        "i1",
        "u1",
        "i2",
        "u2",
        "i4",
        "u4",
    ):  # signed first: numba turns range(unsigned) into uint64, and that plus int64 into a float
        info = np.iinfo(dtype)
        if info.min <= low and high <= info.max:
            return dtype
    raise ValueError(f"no integer type holds {low}..{high}")


class Schema:
    """All fields of a game's record: the common header, then the game's own."""

    def __init__(self, seats: int, phases: Sequence[str], fields: Sequence[Field], spec: Mapping[str, str] | None = None) -> None:
        """`seats`: players at the largest table. `spec`: the spec's names of header fields, e.g. {"current_player": "cur"}."""
        named = spec or {}
        header = [replace(f, spec=named.get(f.name, "")) for f in _header(seats, phases)]
        self.seats = seats
        self.fields: tuple[Field, ...] = (*header, *fields)
        self.by_name = {f.name: f for f in self.fields}
        if len(self.by_name) < len(self.fields):
            raise ValueError("two fields of a schema share a name")
        columns = [(f.name, f.dtype, f.full_shape(seats)) for f in self.fields]
        # Largest items first, so that alignment costs no padding; the order of declaration stays the order for readers.
        columns.sort(key=lambda column: -np.dtype(column[1]).itemsize)
        self.dtype = np.dtype(columns, align=True)

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    # --- Dictionaries --------------------------------------------------------------------------------------------------------

    def to_dict(self, record: np.void) -> dict[str, Any]:
        """The record as JSON-ready values: names for choices and sets, None for nothing, lists for arrays."""
        return {f.name: _show(f, record[f.name]) for f in self.fields if not f.derived}

    def from_dict(self, values: Mapping[str, Any]) -> np.ndarray:
        """The record array (of one) that `to_dict` showed; ValueError names the first field that is wrong."""
        stored = {f.name: f for f in self.fields if not f.derived}
        unknown = sorted(set(values) - set(stored))
        if unknown:
            raise ValueError(f"{unknown[0]}: no such field; fields are {', '.join(stored)}")
        missing = [name for name in stored if name not in values]
        if missing:
            raise ValueError(f"{missing[0]}: missing")
        record = np.zeros(1, self.dtype)
        for f in stored.values():
            record[f.name][0] = _read(f, values[f.name], f.full_shape(self.seats), self.seats)
        return record

    def by_spec(self, record: np.void) -> dict[str, np.ndarray]:
        """Raw values under the spec's names, for comparison with a referee."""
        return {f.spec_name: record[f.name] for f in self.fields if not f.derived}

    def markdown(self) -> str:
        """The state table of a game's page."""
        lines = ["| field | type | values | seen by | meaning |", "|---|---|---|---|---|"]
        for f in self.fields:
            shape = "x".join(str(n) for n in f.full_shape(self.seats))
            kind = f"{f.dtype}[{shape}]" if shape else f.dtype
            also = f" (spec: `{f.spec}`)" if f.spec else ""
            note = " (derived)" if f.derived else also
            lines.append(f"| `{f.name}` | `{kind}` | {f.values()} | {f.sees} | {f.doc}{note} |")
        return "\n".join(lines)


def _header(seats: int, phases: Sequence[str]) -> list[Field]:
    return [
        count("rng", "counter of the game's random generator", high=2**64 - 1, dtype="u8", sees=NOBODY, observe=False),
        count("num_players", "players at this table", low=1, high=seats, observe=False),
        seat("current_player", "who decides now", dtype="i1", empty=-1),
        choice("phase", "what is being decided", phases),
        count("decisions", "decisions taken so far, forced ones not counted", high=2**16 - 1, dtype="u2", observe=False),
        flag("over", "the game has ended", observe=False),
        flag("truncated", "the game was cut off by the bound on its length", observe=False),
    ]


def _show(f: Field, values: np.ndarray) -> Any:
    if np.ndim(values):
        return [_show(f, v) for v in values]
    value = int(values)
    if f.empty is not None and value == f.empty:
        return None
    if f.kind == "flag":
        return bool(value)
    if f.kind == "choice" and 0 <= value < len(f.names):
        return f.names[value]
    if f.kind == "bits":
        return [name for i, name in enumerate(f.names) if value >> i & 1]
    return value


def _read(f: Field, values: Any, shape: tuple[int, ...], seats: int) -> Any:
    if not shape:
        return _read_one(f, values, seats)
    if not isinstance(values, (list, tuple)) or len(values) != shape[0]:
        size = len(values) if isinstance(values, (list, tuple)) else f"{values!r}"
        raise ValueError(f"{f.name}: expected a list of {shape[0]}, got {size}")
    return [_read(f, v, shape[1:], seats) for v in values]


def _read_one(f: Field, value: Any, seats: int) -> int:
    if value is None and f.empty is not None:
        return f.empty
    if f.kind == "choice" and isinstance(value, str):
        if value not in f.names:
            raise ValueError(f"{f.name}: {value!r} is none of {f.values()}")
        return f.names.index(value)
    if f.kind == "bits" and isinstance(value, (list, tuple)):
        wrong = [v for v in value if v not in f.names]
        if wrong:
            raise ValueError(f"{f.name}: {wrong[0]!r} is not in {f.values()}")
        return sum(1 << f.names.index(v) for v in set(value))
    if isinstance(value, (list, tuple, dict, str, float)) or value is None:
        raise ValueError(f"{f.name}: expected {f.values()}, got {value!r}")
    number = int(value)
    high = seats - 1 if f.kind == "seat" else f.high
    if not (f.low <= number <= high or number == f.empty):
        raise ValueError(f"{f.name}: {number} is not in {f.values()}")
    return number
