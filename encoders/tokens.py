"""`tokens`: rows for attention, one for each thing on the table.

Things follow from the schema: fields with the same shape belong together (the stone and the position of a sled are one token per
sled), single values of a player are the player's token, single values of the table the table's; features join the token of whom
they are about, and a game refines that by saying of how many things a feature tells (`Feature.things`). A row too long for the
value columns goes on in further rows, its parts.

Columns: whether the row is there; its type, one-hot; whose it is (the table's, the observer's, the next player's, ...), one-hot;
its number among the rows of its type, in binary; then values, as `flat` shows them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from ..envs.core.declare.features import OTHER, SEAT, present
from ..envs.core.kernel.jit import inlined
from ..envs.core.kernel.writing import keep, something
from ..envs.core.observing import Slice
from ..envs.core.rules import Rules
from .flat import FlatEncoder
from .gather import NOTHING, ONE, GatheringEncoder, gathering_kernel

__all__ = ["TokenEncoder"]

VALUES = 32  # value columns


@dataclass
class Group:
    """Fields that make one type of token. `sources[row]`: where the row's values stand in `flat`."""

    name: str
    doc: list[str] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)  # by row: -1 the table's, otherwise the seat counted from the observer
    vanishes: bool = True  # all it holds are names of things: where there are none, there is no row
    sources: list[list[int]] = field(default_factory=list)


def groups_of(rules: Rules, num_players: int) -> list[Group]:
    """The types of tokens at a table, in the order of the declaration."""
    flat = FlatEncoder(rules, num_players)
    fields, seats = rules.schema.by_name, rules.schema.seats_at(num_players)
    features = {f.name: f for f in present(rules.features, num_players)}
    groups: dict[str, Group] = {}
    for s in flat.slices:
        f = fields[s.name] if s.start < flat.features_start else None
        feature = features.get(s.name) if f is None else None
        if f is not None:
            per_player, own, shape = bool(s.every), f.per_seat and not s.every, f.shape_at(seats)
        else:
            per_player, own = feature is not None and feature.per in (SEAT, OTHER), False
            shape = (feature.things,) if feature is not None and feature.things > 1 else ()
        elements = int(np.prod(shape, dtype=int))
        who = "player" if per_player else "mine" if own else "table"
        key = who if not shape else f"{who} {'x'.join(map(str, shape))}"
        group = groups.setdefault(key, Group(key))
        group.doc.append(s.name)
        group.vanishes &= bool(shape) and f is not None and f.kind in ("choice", "seat")
        _add(group, s, elements, per_player, own)
    return list(groups.values())


def _add(group: Group, s: Slice, elements: int, per_player: bool, own: bool) -> None:
    """The values of a slice join the rows of their things; a slice of the others leaves the observer's row as it is."""
    places = s.indices()  # a line per player
    seats = len(places) + s.first
    rows = elements * (seats if per_player else 1)
    while len(group.sources) < rows:
        group.owners.append(len(group.sources) // elements if per_player else 0 if own else -1)
        group.sources.append([])
    for line, values in enumerate(places):
        width = len(values) // elements
        for i in range(elements):
            group.sources[(line + s.first) * elements * per_player + i] += values[i * width : (i + 1) * width].tolist()
    width = places.shape[1] // elements
    for i in range(elements * s.first if per_player else 0):  # as long as the others'
        group.sources[i] += [NOTHING] * width


class TokenEncoder(GatheringEncoder):
    """The rows of one game at one table size."""

    name = "tokens"

    def __init__(self, rules: Rules, num_players: int) -> None:
        super().__init__(rules, num_players)
        rows = _rows(rules, num_players)
        self.shape = rows.shape
        self.space = Box(-1.0, 1.0, self.shape, np.float32)
        self.show = token_kernel(rules)
        start, columns = 0, self.shape[1]
        for group in groups_of(rules, num_players):
            count = sum(-(-len(values) // VALUES) for values in group.sources)
            doc = f"{count} rows of {', '.join(group.doc)}"
            self.slices.append(Slice(group.name, start, start + count * columns, doc))
            start += count * columns

    @classmethod
    def sources(cls, rules: Rules, num_players: int) -> np.ndarray:
        return _rows(rules, num_players)

    def narrow_show(self, dtype: str) -> Any:
        return token_kernel(self.rules, dtype)

    def describe(self) -> str:
        """A table of the columns, then one of the rows."""
        groups, seats = groups_of(self.rules, self.num_players), self.rules.schema.seats_at(self.num_players)
        first = 1 + len(groups)
        columns = [
            ("0", "whether the row is there"),
            (f"1-{first - 1}", "its type, one-hot: " + ", ".join(group.name for group in groups)),
            (f"{first}-{first + seats}", "whose it is, one-hot: the table's, the observer's, then clockwise"),
            (f"{first + seats + 1}-{self.shape[1] - VALUES - 1}", "its number among the rows of its type, in binary"),
            (f"{self.shape[1] - VALUES}-{self.shape[1] - 1}", "values, as the flat observation shows them"),
        ]
        lines = ["| columns | meaning |", "|---|---|", *(f"| {where} | {what} |" for where, what in columns), ""]
        lines += ["| rows | type | fields |", "|---|---|---|"]
        for s, group in zip(self.slices, groups, strict=True):
            top, bottom = s.start // self.shape[1], s.stop // self.shape[1] - 1
            lines.append(f"| {top}-{bottom} | {group.name} | {', '.join(f'`{name}`' for name in group.doc)} |")
        return "\n".join(lines)


PLACE_BITS = 8
HEAD_PIECE = PLACE_BITS  # what stands before the values is at least as long


@cache
def token_kernel(rules: Rules, dtype: str = "float32") -> Any:
    """The gathered rows; those that hold nothing are cleared."""
    gather = gathering_kernel(TokenEncoder, rules, dtype)
    at = {n: _vanishing(rules, n) for n in rules.players}
    rows = np.zeros((max(at) + 1, max(1, *map(len, at.values()))), np.uint32)  # [table size, vanishing row]: where it begins
    counts, heads = np.zeros((2, max(at) + 1), np.int64)
    for n, starts in at.items():
        rows[n, : len(starts)] = starts
        counts[n], heads[n] = len(starts), _rows(rules, n).shape[1] - VALUES

    @inlined
    def show(s, observer, out):
        gather(s, observer, out)
        n = np.uint64(s.num_players)
        for k in range(np.uint64(counts[n])):
            clear_if_empty(out, rows[n, k], heads[n])

    return show


@inlined
def clear_if_empty(out, start, head):
    """No branch: whether a thing is there is as good as random."""
    there = something(out, start + head, VALUES)
    for i in range(0, head, HEAD_PIECE):
        keep(there, out, start + min(i, head - HEAD_PIECE), HEAD_PIECE)


def _vanishing(rules: Rules, num_players: int) -> list[int]:
    """The first places of the rows that may hold nothing."""
    marks = [
        group.vanishes for group in groups_of(rules, num_players) for values in group.sources for _ in range(0, len(values), VALUES)
    ]
    return [k * _rows(rules, num_players).shape[1] for k, vanishes in enumerate(marks) if vanishes]


@cache
def _rows(rules: Rules, num_players: int) -> np.ndarray:
    """The sources of all rows."""
    groups, seats = groups_of(rules, num_players), rules.schema.seats_at(num_players)
    rows = []
    for kind, group in enumerate(groups):
        number = 0
        for owner, values in zip(group.owners, group.sources, strict=True):
            for first in range(0, max(len(values), 1), VALUES):
                row = np.full(1 + len(groups) + 1 + seats + PLACE_BITS + VALUES, NOTHING)
                row[0] = row[1 + kind] = row[1 + len(groups) + 1 + owner] = ONE
                for bit in range(PLACE_BITS):
                    if number >> bit & 1:
                        row[1 + len(groups) + 1 + seats + bit] = ONE
                chunk = values[first : first + VALUES]
                row[len(row) - VALUES : len(row) - VALUES + len(chunk)] = chunk
                rows.append(row)
                number += 1
    return np.array(rows)
