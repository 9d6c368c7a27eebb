"""Features: numbers that a game computes for its observations, each declared once with its size, its meaning and its writer.

Offsets, tables, repetition per player and `where` follow from the declaration. A writer fills exactly the row it is handed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..kernel.jit import inlined
from ..kernel.seats import after, seat_number
from ..kernel.writing import part

__all__ = ["ONCE", "OTHER", "SEAT", "Feature", "build_writer", "present"]

ONCE, SEAT, OTHER = "once", "seat", "other"


@dataclass(frozen=True)
class Feature:
    """A run of `size` numbers within -1..1.

    per   ONCE: write(s, me, out); SEAT: write(s, me, p, out) for every seat, the observer's first, then clockwise;
          OTHER: the same without the observer
    at    the table sizes at which it is there; empty: all
    by    its numbers are whole multiples of 1 / by, from 0 to 1; several, if they are counted in different units, over and over.
          None: they are not, or not all of them
    things   it tells of so many things, one after the other with as many numbers each: the spaces of a board, the cards on offer.
             Each is a token of its own, and has a place on a plane
    """

    name: str
    size: int
    doc: str
    write: Any
    per: str = ONCE
    at: tuple[int, ...] = ()
    things: int = 1
    by: int | tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.per not in (ONCE, SEAT, OTHER):
            raise ValueError(f"feature {self.name}: per={self.per!r} is not possible, allowed are {ONCE!r}, {SEAT!r}, {OTHER!r}")
        if self.size < 1:
            raise ValueError(f"feature {self.name}: a size of at least 1 is needed, got {self.size}")
        if self.things < 1 or self.size % self.things:
            raise ValueError(f"feature {self.name}: {self.size} numbers cannot be shared by {self.things} things")

        if min(self.units) < 0 or self.size % len(self.units):
            raise ValueError(f"feature {self.name}: by={self.by!r} is no unit of {self.size} numbers")

    @property
    def units(self) -> tuple[int, ...]:
        """`by` as several; 0: none."""
        return (self.by or 0,) if not isinstance(self.by, tuple) else self.by

    def rows(self, seats: int) -> int:
        """How often it stands in an observation at a table of so many seats."""
        return {ONCE: 1, SEAT: seats, OTHER: seats - 1}[self.per]


def present(features: Sequence[Feature], num_players: int) -> list[Feature]:
    return [f for f in features if not f.at or num_players in f.at]


def build_writer(features: Sequence[Feature], automaton: bool = False, gap: int = 0) -> Any:
    """The kernel write(s, me, out, at): all features from out[at] on, in the order of the declaration.

    automaton   at a table of one, the second seat is played by the rules, and shown
    gap         numbers left alone after every row, so that a test sees a writer that goes too far
    """
    names: dict[str, Any] = {"after": after, "part": part, "seat_number": seat_number, "__name__": __name__}
    lines = ["def write(s, me, out, at):", "    me, seats = seat_number(me), s.num_players"]
    if automaton:
        lines += ["    if seats == 1:", "        seats = 2"]
    names |= {f"write_{i}": f.write for i, f in enumerate(features)}
    for (per, at), together in groupby(enumerate(features), key=lambda numbered: (numbered[1].per, numbered[1].at)):
        indent = "    "
        if at:
            lines.append(f"    if {' or '.join(f's.num_players == {n}' for n in at)}:")
            indent += "    "
        lines += [indent + line for line in _lines(per, list(together), gap)]
    exec(compile("\n".join([*lines, "    return at", ""]), __file__, "exec"), names)
    return inlined(names["write"])


def _lines(per: str, together: list[tuple[int, Feature]], gap: int) -> list[str]:
    """Features of one kind that follow each other. Those per player share one way round the table: fewer loops, less time."""
    if per == ONCE:
        return [line for i, f in together for line in (f"write_{i}(s, me, part(out, at, {f.size}))", f"at += {f.size + gap}")]
    first, rows = ("me", "seats") if per == SEAT else ("after(me, seats)", "(seats - 1)")
    begin, write = [], []
    for i, f in together:
        begin += [f"at_{i} = at  # {f.name}", f"at += {rows} * {f.size + gap}"]
        write += [f"    write_{i}(s, me, p, part(out, at_{i}, {f.size}))", f"    at_{i} += {f.size + gap}"]
    return [*begin, f"p = seat_number({first})", f"for _ in range({rows}):", *write, "    p = seat_number(after(p, seats))"]
