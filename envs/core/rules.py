"""Rules: what a game's folder gives. Everything else is derived from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .declare.actions import ActionTable
from .declare.features import Feature
from .declare.grid import Grid
from .declare.phases import PhaseTable
from .declare.schema import Schema
from .kernel.jit import kernel
from .play.many import build
from .play.one import Kernels
from .play.policies import uniform

if TYPE_CHECKING:
    from .state import State

__all__ = ["Option", "Rules"]


@kernel
def nothing_to_derive(s):
    pass


@dataclass(frozen=True)
class Option:
    """A choice made before the game begins, stored in a field of the record."""

    doc: str
    values: tuple[str, ...]
    default: str
    field: str
    players: tuple[int, ...] = ()  # table sizes it belongs to; empty: all


@dataclass(frozen=True, eq=False)
class Rules:
    """One object per game: its name and tables, its declarations, its kernels, its players and its page."""

    name: str
    title: str
    version: int
    players: tuple[int, ...]  # allowed table sizes
    default_players: int
    schema: Schema
    actions: ActionTable
    setup: Any  # kernels: setup(s)
    legal: Any  # legal(s, mask) -> count
    step: Any  # step(s, action)
    scores: Any  # scores(s, out)
    standings: Any  # standings(s, points, out)
    determinize: Any  # determinize(s, player)
    draw: Callable[[State, int | None], str]
    violations: Callable[[np.void], Iterator[tuple[str, str]]]
    score_scale: float  # a typical score: what `margin` and `score_delta` divide by
    derive: Any = nothing_to_derive  # derive(s)
    phases: PhaseTable | None = None
    features: tuple[Feature, ...] = ()
    planes: Grid = field(default_factory=Grid)  # where fields lie, for the encoder `planes`
    lookahead: tuple[Feature, ...] = ()  # numbers of the observer, once each, whose change by every action `lookahead` shows
    options: Mapping[str, Option] = field(default_factory=dict)
    solo_score: bool = False  # one player plays for points, against nobody
    categories: tuple[str, ...] = ()  # of the score sheet
    parts: Any = None  # parts(s, p, out): p's points by category, if the game ended now; they add up to the score
    turn_of: Any = None  # turn_of(s) -> a number that changes exactly when a player's turn ends
    round_of: Any = None  # round_of(s) -> a number that changes exactly when a round ends
    policies: str = ""  # the module of the rule-based players: POLICIES (kernels by name) and VALUE (value(s, p) -> float)
    home: str = ""  # the module in which this object is called RULES: `home=__name__`
    secrets: Mapping[str, str] = field(
        default_factory=dict
    )  # kind of action -> the part of its notation that is its owner's secret
    picture: Callable[..., str] | None = None  # picture(state, observer, legal=True) -> SVG

    @cached_property
    def kernels(self) -> Kernels:
        return build(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by where it is found."""
        return _rules_at, (self.home,)

    @property
    def page(self) -> Path:
        """The game's page, beside its rules."""
        return Path(import_module(self.home).__file__ or "").with_name("README.md")

    @property
    def versioned_name(self) -> str:
        return f"{self.name}_v{self.version}"

    @cached_property
    def named_policies(self) -> dict[str, Any]:
        """The players that are kernels, by name; every game has `random`."""
        own = import_module(self.policies).POLICIES if self.policies else {}
        return {"random": uniform, **own}

    @cached_property
    def value(self) -> Any:
        """value(s, p): what the rule-based player thinks the position is worth to p; None if the game has no such player."""
        return getattr(import_module(self.policies), "VALUE", None) if self.policies else None


def _rules_at(home: str) -> Rules:
    return import_module(home).RULES
