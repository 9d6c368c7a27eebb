"""The defaults of the search players, game by game: found by `mastaba tune` on paired games, and data like any other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from ...envs.core.declare.checks import check
from ..words import read_settings
from .engine import OPTIONS, PERCENT

__all__ = ["Budget", "Settings", "defaults", "strongest"]

CHOICES = {
    "playout": ("uniform", "greedy", "averages", "learned"),
    "leaf": ("judged", "margin", "win", "learned"),
    "rivals": ("tree", "greedy"),
    "choose": ("mean", "visits"),
}
SIMULATIONS_PER_MILLISECOND = 100  # about, with rule-based playouts of a few turns
SURE = 3.0  # standard errors: choices are as good as without stopping, judged by longer searches
LEAST = dict.fromkeys(("mix", "horizon", "rounds", "victory", "explore", "ahead", "widen", "solve", "sure", "networks", "prior"), 0)
LEAST |= dict.fromkeys(("depth", "threads"), 1)


@dataclass(frozen=True)
class Settings:
    """How a search thinks.

    playout   who plays on beyond the tree or the tried action: `uniform`, `greedy`, by action `averages` of this search, or
              `learned`: the learned player, who takes longer
    mix       percent of playout moves that are uniform whoever plays on
    horizon   turns until a position is judged; 0: the end of the game
    rounds    rounds instead of turns; 0: turns count
    leaf      `judged` by the rule-based player's own evaluation, the `margin` of the score as it stands, the `win` alone,
              or `learned`: what the learned player thinks of it; of two players both are asked
    networks  of the learned player that are asked, the first of them; 0: all
    victory   what a victory counts beside the lead when a game was played to its end, in units of a typical score
    rivals    who decides for the others inside a tree: `tree` (each for itself) or `greedy`
    explore   how much a tree tries what it knows little about
    prior     more than 0: the learned player guides the tree of `mcts`. It rates the actions of each node, those rated best are
              tried first and most often, and leaves are judged where they stand: nobody plays on. So far behind the best, in units
              of a typical score, an action is 2.7 times less likely
    trust     simulations that a rating counts for beside those that tried the action
    depth     the greatest depth of a tree
    ahead     the greatest depth of a tree below each own action that `rollout` tries; 0: none
    widen     a tree below a tried action begins with what greedy does there, and knows one action more after `widen`, 4 x `widen`,
              9 x `widen`, ... visits; 0: every action at once, in any order
    choose    the final choice: `mean` value or `visits`
    solve     positions that may be looked at to play every line to the end, where nothing is hidden and no die falls; 0: never
    sure      standard errors by which an action must be behind to be given up by `rollout` before the budget is used; 0: never
    threads   trees that grow side by side, or parts of the worlds
    """

    playout: str = "greedy"
    mix: int = 0
    horizon: int = 0
    rounds: int = 0
    leaf: str = "judged"
    networks: int = 0
    victory: float = 0.5
    rivals: str = "tree"
    explore: float = 0.7
    prior: float = 0.0
    trust: float = 0.3
    depth: int = 1000
    ahead: int = 0
    widen: float = 0.0
    choose: str = "mean"
    solve: int = 2000
    sure: float = 0.0
    threads: int = 1

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            check(name, getattr(self, name), allowed)
        for name, least in LEAST.items():
            if not getattr(self, name) >= least:
                raise ValueError(f"{name} is at least {least}, not {getattr(self, name)}")
        if not self.trust > 0:
            raise ValueError(f"trust is more than 0, not {self.trust}")
        if self.prior and self.leaf != "learned":
            raise ValueError(f"prior={self.prior} needs leaf=learned, not leaf={self.leaf!r}")
        if self.mix > PERCENT:
            raise ValueError(f"mix is a percentage, not {self.mix}")

    def having(self, words: Iterable[str], name: str) -> Settings:
        """Changed as `NAME=VALUE` says; ValueError names what there is."""
        try:
            changes = read_settings({field.name: field.default for field in fields(self)}, words)
        except ValueError as refusal:
            raise ValueError(f"{name}: {refusal}") from None
        return replace(self, **changes)

    def array(self) -> np.ndarray:
        """For kernels: one array of numbers, so that one compilation serves all settings."""
        values = asdict(self)
        for name, allowed in CHOICES.items():
            values[name] = allowed.index(values[name])
        return np.array([values[name] for name in OPTIONS], np.float64)


@dataclass(frozen=True)
class Budget:
    """So many simulations for a decision, or so many seconds."""

    simulations: int = 0
    seconds: float = 0.0

    @classmethod
    def parse(cls, text: str, kind: str) -> Budget:
        """`1000` or `100ms` or `2s`."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|)", text.strip())
        if found is None or float(found[1]) <= 0 or (not found[2] and "." in found[1]):
            name = f"{kind}:{text}" if text else kind
            raise ValueError(f"{name}: a budget is a number of simulations or a time, like {kind}:1000 or {kind}:100ms")
        if found[2]:
            return cls(seconds=float(found[1]) * (0.001 if found[2] == "ms" else 1.0))
        return cls(simulations=int(found[1]))

    @property
    def milliseconds(self) -> float:
        """The time it takes, about."""
        return self.simulations / SIMULATIONS_PER_MILLISECOND if self.simulations else 1000 * self.seconds

    def __str__(self) -> str:
        return f"{self.simulations}" if self.simulations else f"{1000 * self.seconds:g}ms"


# rollout: every own action, then everybody plays by rule to the horizon, in the same worlds.
ROLLOUT: dict[str, dict[str, Any]] = {
    "pyramids": {"horizon": 0},
    "cheops": {"horizon": 8},
    "giza": {"horizon": 15},
    "master_architect": {"horizon": 6},
    "pyramidice": {"rounds": 2},
}
# mcts: a tree over everybody's actions, uniform playouts.
MCTS: dict[str, dict[str, Any]] = {}
# search: the strongest player of a game, as a name without its budget; where none is named, rollout.
STRONGEST: dict[str, str] = {
    "pyramids": "mcts:playout=greedy:rounds=1:leaf=judged",
}
# The same at tables for which the package has a learned player: it plays on and judges better than greedy does, and a few turns of
# it say more than many of greedy's. It takes its time, so worlds are few, and an action must be further behind to be given up. In
# Giza, where only bids of art are hidden and no die falls, it guides a tree of everybody's actions instead.
STRONGEST_LEARNED: dict[str, str] = {
    "pyramids": "rollout:leaf=learned:playout=learned:horizon=4:sure=6",
    "cheops": "rollout:leaf=learned:playout=learned:horizon=4:sure=6",
    "giza": "mcts:leaf=learned:prior=0.03:explore=0.3",
    "master_architect": "rollout:leaf=learned:playout=learned:horizon=4:sure=6",
    "pyramidice": "rollout:leaf=learned:playout=learned:horizon=1:rounds=0:sure=6",
}

# From so many milliseconds on all networks of the learned player are asked, and in two games it plays on for longer. With less time
# one is as good, since all take longer. Giza asks all of them always: where nobody plays on and no die falls, values err.
MUCH_TIME = 50.0
WITH_MUCH_TIME: dict[str, list[str]] = {"pyramidice": ["horizon=2"], "pyramids": ["horizon=8"]}
WITH_LITTLE_TIME: dict[str, list[str]] = {game: ["networks=1"] for game in ("pyramids", "cheops", "master_architect", "pyramidice")}


def defaults(kind: str, game: str) -> Settings:
    if kind == "rollout":
        return replace(Settings(sure=SURE), **ROLLOUT.get(game, {}))
    if kind == "mcts":
        return replace(Settings(playout="uniform", leaf="win"), **MCTS.get(game, {}))
    return Settings(playout="uniform", leaf="win", choose="mean")


def strongest(game: str, learned: bool, budget: Budget) -> tuple[str, Settings]:
    """The kind of search that `search` means in a game, and how it thinks; `learned`: there is a learned player to ask."""
    named = STRONGEST | STRONGEST_LEARNED if learned else STRONGEST
    kind, *words = named.get(game, "rollout").split(":")
    if learned:
        words += (WITH_MUCH_TIME if budget.milliseconds >= MUCH_TIME else WITH_LITTLE_TIME).get(game, [])
    return kind, defaults(kind, game).having(words, "search")
