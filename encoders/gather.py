"""Encoders that lay the numbers of `flat` out anew: the kernel writes the flat observation on its stack and gathers from there.

So they show exactly what `flat` shows, to the same player, at the cost of one more copy, and cost next to nothing to compile.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np

from ..envs.core.kernel.jit import inlined
from ..envs.core.kernel.writing import move, part, spread, stack_row, write_zeros
from ..envs.core.narrow import narrow_kernel
from ..envs.core.observing import Encoder
from ..envs.core.rules import Rules
from .flat import FlatEncoder, show_kernel

__all__ = ["NOTHING", "ONE", "GatheringEncoder"]

NOTHING, ONE = -1, -2  # sources that are no place of the flat observation: the numbers 0 and 1


class GatheringEncoder(Encoder):
    """An encoder whose every number is a number of the flat observation, or constant."""

    @classmethod
    def sources(cls, rules: Rules, num_players: int) -> np.ndarray:
        """For every number of the observation, where it stands in `flat`, or NOTHING, or ONE."""
        raise TypeError(f"{cls.__name__} does not say where its numbers come from")

    @cached_property
    def flat(self) -> FlatEncoder:
        """The observation whose numbers it lays out."""
        return FlatEncoder(self.rules, self.num_players)

    @cached_property
    def place(self) -> np.ndarray:
        """For every number of the flat observation, where it stands here; the first place, if it has several."""
        sources = self.sources(self.rules, self.num_players).reshape(-1)
        shown = np.flatnonzero(sources >= 0)[::-1]
        place = np.zeros(self.flat.size, np.int64)
        place[sources[shown]] = shown
        return place

    def units(self) -> np.ndarray:
        sources = self.sources(self.rules, self.num_players).reshape(-1)
        return np.where(sources < 0, 1, self.flat.units()[sources])

    def narrow_show(self, dtype: str) -> Any:
        kind: Any = type(self)
        return gathering_kernel(kind, self.rules, dtype)

    def where(self, name: str) -> np.ndarray:
        """The places of a slice, or of the numbers that `flat` calls so."""
        own = [s.name for s in self.slices]
        known = own + [s.name for s in self.flat.slices if s.name not in own]
        if name not in known:
            raise ValueError(f"{self.name}: nothing is called {name!r}, there are {', '.join(known)}")
        return super().where(name) if name in own else self.place[self.flat.where(name)]

    def explain(self, observation: np.ndarray) -> list[tuple[str, str, Any]]:
        """As `flat` explains the same numbers."""
        return self.flat.explain(self.numbers(observation)[self.place])


SIZES = (16, 8, 4, 2, 1)  # of a piece: so many neighbours are moved by one instruction

Pieces = dict[int, list[tuple[int, int]]]  # by size: first place, first source

# By kind of piece: a stretch of the constant row, a run of the flat row, one number of the flat row again and again.
WRITERS = {
    "ones": "move(constant, {source}, out, {place}, {size})",
    "run": "move(flat, {source}, out, {place}, {size})",
    "fill": "spread(flat[np.uint64({source})], out, {place}, {size})",
}


def _pieces(row: np.ndarray) -> dict[str, Pieces]:
    """A row of sources as pieces, by kind. What is in none of them is zero."""
    kinds: dict[str, Pieces] = {kind: {size: [] for size in SIZES} for kind in WRITERS}
    at = 0
    while at < len(row):
        constant, same, rising = _length(row < 0, at, 0) if row[at] < 0 else 0, _length(row, at, 0), _length(row, at, 1)
        if constant:
            ones = at + np.flatnonzero(row[at : at + constant] == ONE)
            if len(ones):
                _cover(kinds["ones"], ones[0], ones[-1] + 1, len(row))
        elif same > rising:
            _cut(kinds["fill"], at, row[at], same, step=0)
        else:
            _cut(kinds["run"], at, row[at], rising)
        at += constant or max(same, rising)
    return kinds


def _cut(pieces: Pieces, place: int, source: int, length: int, step: int = 1) -> None:
    """A run as pieces of the largest size that fits, the last of which ends where the run does and overlaps the one before.

    Nothing is written beyond a run, so it does not matter which piece comes first.
    """
    size = next(size for size in SIZES if size <= length)
    for start in range(0, length, size):
        first = min(start, length - size)
        pieces[size].append((place + first, source + step * first))


def _cover(pieces: Pieces, start: int, stop: int, end: int) -> None:
    """A stretch of the constant row. Its last piece may go on beyond it: there are zeros, or numbers that are written later."""
    while start < stop:
        size = next(s for s in SIZES if start + s <= end and (s <= stop - start or s // 2 < stop - start))
        pieces[size].append((start, start))
        start += size


def _length(row: np.ndarray, at: int, step: int) -> int:
    """How far the sources go on from here, each `step` more than the one before."""
    breaks = np.flatnonzero(np.diff(row[at:].astype(np.int64)) != step)
    return int(breaks[0]) + 1 if len(breaks) else len(row) - at


@cache
def gathering_kernel(kind: Any, rules: Rules, dtype: str = "float32") -> Any:
    flats = {n: FlatEncoder(rules, n) for n in rules.players}
    sizes = np.array([flats[n].size if n in flats else 0 for n in range(max(flats) + 1)])
    show_flat = narrow_kernel(FlatEncoder, rules, dtype) if dtype != "float32" else show_kernel(rules)
    room, stored = int(sizes.max()), {"float32": np.float32, "float16": np.uint16, "uint8": np.uint8}[dtype]
    one = np.ones(1, dtype).view(stored)[0]
    gather = build_gather({n: kind.sources(rules, n).reshape(-1) for n in rules.players}, one)

    @inlined
    def show(s, observer, out):
        n = np.uint64(s.num_players)
        flat = stack_row(room, stored)
        show_flat(s, observer, part(flat, 0, sizes[n]))
        gather(n, flat, out)

    return show


def build_gather(rows: dict[int, np.ndarray], one: np.generic) -> Any:
    """gather(n, flat, out) for rows of sources by table size: zeros, and over them the pieces, a loop per kind and size.

    one   the number 1 as kernels write it

    All zeros at once: the machine clears a long stretch without reading it first, half of the memory traffic of writing number by
    number (pyramids' tokens, batch of 1024: 0.29 ns per number, cleared and filled piece by piece 0.39). Most of a row is zero.
    """
    tables, found = max(rows) + 1, {n: _pieces(row) for n, row in rows.items()}
    constant = np.zeros((tables, max(map(len, rows.values()))), one.dtype)
    for n, row in rows.items():
        constant[n, : len(row)][row == ONE] = one
    names: dict[str, Any] = {"move": move, "spread": spread, "write_zeros": write_zeros}
    names |= {"np": np, "__name__": __name__, "constants": constant}
    lines = ["def gather(n, flat, out):", "    write_zeros(out)", "    constant = constants[n]"]
    for kind, write in WRITERS.items():
        for size in SIZES:
            counts = [len(found[n][kind][size]) if n in found else 0 for n in range(tables)]
            if not any(counts):
                continue
            pieces = np.zeros((tables, max(counts), 2), np.uint32)
            for n in rows:
                pieces[n, : counts[n]] = np.array(found[n][kind][size]).reshape(-1, 2)
            table = f"{kind}_{size}"
            names |= {table: pieces, f"{table}_counts": np.array(counts)}
            writing = write.format(place=f"{table}[n, i, 0]", source=f"{table}[n, i, 1]", size=size)
            lines += [f"    for i in range(np.uint64({table}_counts[n])):", f"        {writing}"]
    exec(compile("\n".join([*lines, ""]), __file__, "exec"), names)
    return inlined(names["gather"])
