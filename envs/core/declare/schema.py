"""One declaration of a game's state: from it come the record, the dictionaries, the tables of the docs and the flat observation.

A field says what it holds (a count, a choice among names, a seat, a set of bits), who may see it, and the short name by which a
referee knows it. Player axes are always the first axis and always as long as the largest table, so one compiled kernel serves every
player count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .checks import brief, whole

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
KINDS = ("count", "flag", "choice", "seat", "bits")


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
    short: str = ""  # what a referee calls it, where that differs
    observe: bool | str = True  # part of the flat observation; "own": only the observer's row of a public field
    derived: bool = False  # follows from the other fields: not part of dictionaries, computed by the game's `derive`
    table: Any = field(default=None, compare=False)  # features of each value of a choice, instead of a one-hot
    columns: tuple[tuple[str, int], ...] = ()  # what stands in a row of `table`, in order: meaning and how many numbers

    def __post_init__(self) -> None:
        for wrong in self._mistakes():
            raise ValueError(f"field {self.name!r}: {wrong}")

    def _mistakes(self) -> Iterator[str]:
        """What is wrong with the declaration itself."""
        if self.kind not in KINDS:
            yield f"kind {self.kind!r} is none of {', '.join(KINDS)}"
        if self.sees not in (EVERYBODY, OWNER, NOBODY):
            yield f"sees={self.sees!r} is not possible, allowed are {EVERYBODY!r}, {OWNER!r}, {NOBODY!r}"
        if self.sees == OWNER and not self.per_seat:
            yield "only a field with a row per seat has an owner"
        if len(set(self.names)) < len(self.names):
            yield f"two of its names are the same: {', '.join(sorted({n for n in self.names if self.names.count(n) > 1}))}"
        if self.kind in ("choice", "bits") and not self.names:
            yield "it needs names"
        holds = np.iinfo(self.dtype)
        for value in (self.low, self.high, *(() if self.empty is None else (self.empty,))):
            if self.kind != "seat" and not holds.min <= value <= holds.max:
                yield f"{self.dtype} holds {holds.min}..{holds.max}, not {value}"
        width = sum(size for _, size in self.columns)
        if self.columns and (self.table is None or width != self.table.shape[1]):
            yield f"its columns tell of {width} numbers, a row of its table has {0 if self.table is None else self.table.shape[1]}"
        if self.kind == "seat" and self.empty is not None and not holds.min <= self.empty <= holds.max:
            yield f"{self.dtype} holds {holds.min}..{holds.max}, not {self.empty}"

    def full_shape(self, seats: int) -> tuple[int, ...]:
        return (seats, *self.shape) if self.per_seat else self.shape

    def shape_at(self, seats: int) -> tuple[int, ...]:
        """Without the player axis, at a table of so many seats."""
        return (seats, *self.shape[1:]) if self.per_table else self.shape

    @property
    def short_name(self) -> str:
        return self.short or self.name

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
    more["dtype"] = more.get("dtype") or _byte_or_more(len(names) - 1, more.get("empty"))
    return Field(name, "choice", doc, high=len(names) - 1, names=tuple(names), shape=tuple(shape), **more)


def seat(name: str, doc: str, shape: Sequence[int] = (), **more: Any) -> Field:
    """A player, by seat. Observations turn it so that the observer is 0."""
    more["dtype"] = more.get("dtype") or _byte_or_more(0, more.get("empty"))
    return Field(name, "seat", doc, shape=tuple(shape), **more)


def bits(name: str, doc: str, names: Sequence[str], shape: Sequence[int] = (), **more: Any) -> Field:
    """A set of named things as a bit mask."""
    more["dtype"] = more.get("dtype") or _smallest(0, (1 << len(names)) - 1)
    return Field(name, "bits", doc, high=(1 << len(names)) - 1, names=tuple(names), shape=tuple(shape), **more)


def _byte_or_more(high: int, empty: int | None) -> str:
    """An unsigned byte where that will do: a negative "nothing here" needs a sign."""
    low, high = min(0, empty or 0), max(high, empty or 0)
    return "u1" if low == 0 and high < 256 else _smallest(low, high)


def _smallest(low: int, high: int) -> str:
    # Signed first: numba turns range(unsigned) into uint64, and that plus int64 into a float.
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
        info = np.iinfo(dtype)
        if info.min <= low and high <= info.max:
            return dtype
    raise ValueError(f"no integer type holds {low}..{high}")


class Schema:
    """All fields of a game's record: the common header, then the game's own."""

    def __init__(
        self,
        seats: int,
        phases: Sequence[str],
        fields: Sequence[Field],
        short: Mapping[str, str] | None = None,
        automaton: bool = False,
    ) -> None:
        """All that a position is made of.

        seats       players at the largest table
        short       short names of header fields, e.g. {"current_player": "cur"}
        automaton   at a table of one, the second seat is played by the rules, and observed
        """
        named = short or {}
        header = [replace(f, short=named.get(f.name, "")) for f in _header(seats, phases)]
        self.seats, self.automaton = seats, automaton
        self.fields: tuple[Field, ...] = (*header, *fields)
        self.by_name = {f.name: f for f in self.fields}
        if len(self.by_name) < len(self.fields):
            raise ValueError("two fields of a schema share a name")
        columns = [(f.name, f.dtype, f.full_shape(seats)) for f in self.fields]
        # Largest items first, so that alignment costs no padding; the order of declaration stays the order for readers.
        columns.sort(key=lambda column: -np.dtype(column[1]).itemsize)
        self.dtype = np.dtype(columns, align=True)

    def seats_at(self, num_players: int) -> int:
        """Seats that are played at a table, by people or by the rules."""
        return max(num_players, 2) if self.automaton else num_players

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    # --- Dictionaries --------------------------------------------------------------------------------------------------------

    def to_dict(self, record: np.void) -> dict[str, Any]:
        """The record as JSON-ready values: names for choices and sets, None for nothing, lists for arrays."""
        return {f.name: _show(f, record[f.name]) for f in self.fields if not f.derived}

    def from_dict(self, values: Mapping[str, Any]) -> np.ndarray:
        """The record array (of one) that `to_dict` showed; ValueError names the first field that is wrong."""
        if not isinstance(values, Mapping):
            raise ValueError(f"values: a dictionary of fields is needed, got {brief(values)}")
        values = _plain(values)
        stored = {f.name: f for f in self.fields if not f.derived}
        for name in values:
            if not isinstance(name, str) or name not in stored:
                raise ValueError(f"{name if isinstance(name, str) else brief(name)}: no such field; fields are {', '.join(stored)}")
        record = np.zeros(1, self.dtype)
        for f in stored.values():
            if f.name not in values:
                raise ValueError(f"{f.name}: missing")
            record[f.name][0] = _read(f, values[f.name], f.full_shape(self.seats), self.seats)
        return record

    def by_short_name(self, record: np.void) -> dict[str, np.ndarray]:
        """Raw values under their short names, for comparison with a referee."""
        return {f.short_name: record[f.name] for f in self.fields if not f.derived}

    def markdown(self) -> str:
        """The state table of a game's page."""
        lines = ["| field | type | values | seen by | meaning |", "|---|---|---|---|---|"]
        for f in self.fields:
            shape = "x".join(str(n) for n in f.full_shape(self.seats))
            kind = f"{f.dtype}[{shape}]" if shape else f.dtype
            note = " (derived)" if f.derived else ""
            values = f.values().replace("|", r"\|")  # names of pieces may hold what separates cells
            lines.append(f"| `{f.name}` | `{kind}` | {values} | {f.sees} | {f.doc}{note} |")
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
        flag("forfeited", "the player to act has ended the game by an illegal action", observe=False),
    ]


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return dict(values)
    except Exception as error:  # a mapping of somebody else's making may raise anything
        raise ValueError(f"values: this {type(values).__name__} cannot be read: {type(error).__name__}") from None


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
        came = f"{len(values)} values" if isinstance(values, (list, tuple)) else brief(values)
        raise ValueError(f"{f.name}: expected a list of {shape[0]}, got {came}")
    return [_read(f, v, shape[1:], seats) for v in values]


def _read_one(f: Field, value: Any, seats: int) -> int:
    if value is None and f.empty is not None:
        return f.empty
    if f.kind == "choice" and isinstance(value, str):
        if value not in f.names:
            raise ValueError(f"{f.name}: {brief(value)} is none of {f.values()}")
        return f.names.index(value)
    if f.kind == "bits" and isinstance(value, (list, tuple)):
        wrong = [v for v in value if not isinstance(v, str) or v not in f.names]
        if wrong:
            raise ValueError(f"{f.name}: {brief(wrong[0])} is not in {f.values()}")
        return sum(1 << f.names.index(v) for v in set(value))
    if f.kind == "flag" and isinstance(value, (bool, np.bool_)):
        return int(value)
    try:
        number = whole(f.name, value)
    except ValueError:
        raise ValueError(f"{f.name}: expected {f.values()}, got {brief(value)}") from None
    high = seats - 1 if f.kind == "seat" else f.high
    if not (f.low <= number <= high or number == f.empty):
        raise ValueError(f"{f.name}: {brief(number)} is not in {f.values()}")
    return number
