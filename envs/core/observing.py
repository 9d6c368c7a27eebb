"""Encoders by name: ways to see a state with the eyes of one player. This module knows the contract, and none of them.

A package of encoders registers its own: `register_encoder("flat", "mastaba.encoders.flat:FlatEncoder")`. A name is looked up, and
its module imported, when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from .kernel.jit import inlined
from .play.many import build_observe

if TYPE_CHECKING:
    from gymnasium.spaces import Space

    from .rules import Rules
    from .state import State

__all__ = ["Encoder", "Slice", "View", "encoder_class", "encoder_names", "register_encoder", "show_nothing"]


@dataclass(frozen=True)
class Slice:
    """What stands where in an observation. In the blocks of players it stands again `every` so many numbers, `rows` times.

    `decode` turns the numbers of one row back into something to read. Rows that are not the players' have names of their own, `of`.
    """

    name: str
    start: int
    stop: int
    doc: str
    rows: int = 1
    every: int = 0
    first: int = 0  # whose row comes first, counted from the observer
    decode: Callable[[np.ndarray], Any] | None = None
    of: tuple[str, ...] = ()

    def indices(self) -> np.ndarray:
        """All its places, one line per row."""
        return self.start + self.every * np.arange(self.rows)[:, None] + np.arange(self.stop - self.start)

    def __str__(self) -> str:
        again = f" (+{self.every} per {'action' if self.of else 'player'})" if self.rows > 1 else ""
        places = f"{self.start}" if self.stop == self.start + 1 else f"{self.start}-{self.stop - 1}"
        return places + again


class Encoder:
    """How a game at one table looks to a player. Subclasses set the attributes.

    space    what an observation is, for Gymnasium
    shape    of one observation; its numbers stand in a row of `size` in the order of numpy
    dtype    of a number, and `stored`, as kernels write it
    show     the kernel show(s, observer, out) that fills such a row and allocates nothing; one for all tables of a game.
             None: the encoder works in Python only (text)
    slices   what stands where in the row
    """

    name: str
    space: Space
    shape: tuple[int, ...]
    dtype: np.dtype = np.dtype(np.float32)
    stored: np.dtype = np.dtype(np.float32)
    show: Any = None

    def __init__(self, rules: Rules, num_players: int) -> None:
        self.rules, self.num_players = rules, num_players
        self.slices: list[Slice] = []

    @cached_property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    def buffer(self, count: int) -> np.ndarray:
        """Rows for `count` observations, as kernels fill them."""
        return np.zeros((count, self.size), self.stored)

    def shaped(self, rows: np.ndarray) -> np.ndarray:
        """The same memory with one observation of the right shape per row."""
        return rows.reshape(len(rows), *self.shape)

    def look(self, states: np.ndarray, observers: np.ndarray) -> np.ndarray:
        """What observers[i] sees of states[i], in fresh arrays."""
        seats = np.asarray(observers, np.int64)
        for wrong in seats[(seats < 0) | (seats >= self.num_players)]:
            self.check_observer(int(wrong))
        rows = np.empty((len(states), self.size), self.stored)
        self._show_to(states, seats, rows)
        return self.shaped(rows)

    def observe(self, state: State, observer: int) -> Any:
        """What a player sees of one state."""
        self.check_observer(observer)
        row = np.empty((1, self.size), self.stored)
        self._show_to(state.record, self._seats[observer], row)
        return self.shaped(row)[0]

    def units(self) -> np.ndarray:
        """For every number the unit it is counted in: number * unit is a whole number from 0 to unit. 0: it has none."""
        return np.zeros(self.size, np.int64)

    def narrow_show(self, dtype: str) -> Any:
        """The kernel `show` for rows of halves or whole numbers (narrow.py)."""
        from .narrow import narrow_kernel

        kind: Any = type(self)
        return narrow_kernel(kind, self.rules, dtype)

    @cached_property
    def _show_to(self) -> Any:
        return build_observe(self.show)

    @cached_property
    def _seats(self) -> list[np.ndarray]:
        """Every seat as kernels take it: making such an array anew takes as long as an observation."""
        return [np.array([seat]) for seat in range(self.num_players)]

    def check_observer(self, observer: int) -> None:
        """ValueError unless that seat is at the table: kernels trust it."""
        if not 0 <= observer < self.num_players:
            raise ValueError(f"{self.rules.name}: no player {observer}, players are 0..{self.num_players - 1}")

    def describe(self) -> str:
        """A Markdown table that names every slice."""
        lines = ["| numbers | what | meaning |", "|---|---|---|"]
        lines += [f"| {s} | `{s.name}` | {s.doc} |" for s in self.slices]
        return "\n".join(lines)

    def where(self, name: str) -> np.ndarray:
        """The places of a field or feature in the row of numbers, one line per player where there are several."""
        for s in self.slices:
            if s.name == name:
                return s.indices()
        raise ValueError(f"{self.name}: nothing is called {name!r}, there are {', '.join(s.name for s in self.slices)}")

    def numbers(self, observation: np.ndarray) -> np.ndarray:
        """An observation as a row of numbers; ValueError if it is none of this encoder."""
        numbers = np.asarray(observation).reshape(-1)
        if len(numbers) != self.size:
            raise ValueError(f"{self.name}: an observation has {self.size} numbers, got {len(numbers)}")
        return numbers

    def explain(self, observation: np.ndarray) -> list[tuple[str, str, Any]]:
        """Decoded for people: field, whose it is, value."""
        numbers = self.numbers(observation)
        return [
            (s.name, _owner(s, row), s.decode(numbers[places]) if s.decode else numbers[places].tolist())
            for s in self.slices
            for row, places in enumerate(s.indices())
        ]


class View:
    """`Encoder.observe` for somebody who looks again and again: the row is made once, each look is one copy of it."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._row = self._shaped = None
        if encoder.show is not None:
            self._row = encoder.buffer(1)
            self._shaped = encoder.shaped(self._row)[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return View, (self.encoder,)

    def __call__(self, state: State, observer: int) -> Any:
        if self._shaped is None:
            return self.encoder.observe(state, observer)
        self.encoder._show_to(state.record, self.encoder._seats[observer], self._row)
        return self._shaped.copy()


def _owner(s: Slice, row: int) -> str:
    if s.of:
        return s.of[row]
    if s.rows == 1 and not s.every:
        return "table"
    seat = row + s.first
    return "me" if seat == 0 else f"me+{seat}"


_REGISTERED: dict[str, str | Callable[[Rules, int], Encoder]] = {}


def register_encoder(name: str, maker: str | Callable[[Rules, int], Encoder]) -> None:
    """Make an encoder known under a name: a class (or function) of rules and table size, or where to import it, "module:name"."""
    if name in _REGISTERED and _REGISTERED[name] != maker:
        raise ValueError(f"there is an encoder {name!r} already")
    _REGISTERED[name] = maker


def encoder_names() -> tuple[str, ...]:
    return tuple(_REGISTERED)


@cache
def encoder_class(name: str) -> Callable[[Rules, int], Encoder]:
    maker = _REGISTERED[name]
    if not isinstance(maker, str):
        return maker
    module, _, attribute = maker.partition(":")
    return getattr(import_module(module), attribute)


@inlined
def show_nothing(s, observer, out):
    """The kernel of a batch that is not observed."""
