"""Encoders that lay the numbers of `flat` out anew: the kernel writes the flat observation on its stack and gathers from there.

So they show exactly what `flat` shows, to the same player, at the cost of one more copy, and cost next to nothing to compile.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from ..envs.core.kernel.jit import inlined
from ..envs.core.kernel.writing import part, stack_row, write_row
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


SHORT = 24  # a run that is shorter is not worth a loop of its own


class Plan(NamedTuple):
    """How the rows of every table size are filled: what is constant, then runs, then single numbers.

    Most of a plane or a token is constant, or a run of `flat`, or one number repeated: such loops become vector instructions, and
    cost a fraction of looking up the source of every number.
    """

    constant: np.ndarray  # [table size, place]: zeros and ones
    runs: np.ndarray  # [table size, run]: first place, first source, length
    fills: np.ndarray  # [table size, run]: first place, source of all its numbers, length
    singles: np.ndarray  # [table size, number]: place, source
    counts: np.ndarray  # [table size]: how many of each of the three

    @classmethod
    def of(cls, rows: dict[int, np.ndarray]) -> Plan:
        constant = np.zeros((max(rows) + 1, max(map(len, rows.values()))), np.float32)
        parts: dict[int, tuple[list, list, list]] = {n: _parts(row) for n, row in rows.items()}
        counts = np.zeros((max(rows) + 1, 3), np.int64)
        for n, row in rows.items():
            constant[n, : len(row)] = row == ONE
            counts[n] = [len(kind) for kind in parts[n]]
        longest = np.maximum(1, counts.max(0))
        tables = [np.zeros((max(rows) + 1, int(longest[k]), width), np.uint32) for k, width in enumerate((3, 3, 2))]
        for n in rows:
            for table, found in zip(tables, parts[n], strict=True):
                table[n, : len(found)] = np.array(found, np.uint32).reshape(len(found), table.shape[2])
        runs, fills, singles = tables
        return cls(constant, runs, fills, singles, counts)


def _parts(row: np.ndarray) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]], list[tuple[int, int]]]:
    """Runs, fills and single numbers of a row of sources."""
    runs, fills, singles = [], [], []
    at = 0
    while at < len(row):
        source = int(row[at])
        same, rising = _length(row, at, 0), _length(row, at, 1)
        if source < 0:  # constant
            at += same
        elif same >= SHORT:
            fills.append((at, source, same))
            at += same
        elif rising >= SHORT:
            runs.append((at, source, rising))
            at += rising
        else:
            singles.append((at, source))
            at += 1
    return runs, fills, singles


def _length(row: np.ndarray, at: int, step: int) -> int:
    """How far the sources go on from here, each `step` more than the one before."""
    end = at + 1
    while end < len(row) and row[end] == row[end - 1] + step:
        end += 1
    return end - at


def _room(rules: Rules) -> int:
    """The size of the largest flat observation."""
    return max(FlatEncoder(rules, n).size for n in rules.players)


@cache
def gathering_kernel(kind: Any, rules: Rules) -> Any:
    show_flat, room = show_kernel(rules), _room(rules)
    plan = Plan.of({n: kind.sources(rules, n).reshape(-1).astype(np.int64) for n in rules.players})
    constant, runs, fills, _, counts = plan
    places, sources = (np.ascontiguousarray(plan.singles[:, :, i]) for i in range(2))

    @inlined
    def show(s, observer, out):
        flat = stack_row(room, np.float32)
        show_flat(s, observer, flat)
        n = np.uint64(s.num_players)
        write_row(constant, n, out)
        for k in range(np.uint64(counts[n, 0])):
            copy_row(part(flat, runs[n, k, 1], runs[n, k, 2]), part(out, runs[n, k, 0], runs[n, k, 2]))
        for k in range(np.uint64(counts[n, 1])):
            fill_row(flat[np.uint64(fills[n, k, 1])], part(out, fills[n, k, 0], fills[n, k, 2]))
        for k in range(np.uint64(counts[n, 2])):
            out[np.uint64(places[n, k])] = flat[np.uint64(sources[n, k])]

    return show


@inlined
def copy_row(source, out):
    for i in range(np.uint64(len(out))):
        out[i] = source[i]


@inlined
def fill_row(number, out):
    for i in range(np.uint64(len(out))):
        out[i] = number
