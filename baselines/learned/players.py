"""The learned players: `learned` and `learned:DEPTH` of the package, and `td:PATH`, what `mastaba train` has written."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.play.one import Kernels
from ...envs.core.rules import Rules
from ..agents import PolicyAgent
from .brain import Brain
from .thinking import DEEPEST, Plan, build_thinking, new_mind

__all__ = ["LearnedAgent", "file_of", "is_known", "learned_brain", "learned_policy", "learned_tables", "thinking_of"]

FOLDER = Path(__file__).parent
UNHURRIED = 1000  # positions that `learned:DEPTH` tries


def file_of(game: Game) -> Path:
    return FOLDER / f"{game.name}-{game.num_players}.npz"


def is_known(game: Game) -> bool:
    """Whether the package has a learned player for this table."""
    return file_of(game).is_file()


def learned_tables(rules: Rules) -> list[int]:
    """The table sizes that the package has a learned player for."""
    return [n for n in rules.players if is_known(Game(rules, n))]


def learned_brain(game: Game) -> Brain:
    """What the package has for this table; ValueError names the tables that it has something for."""
    if not is_known(game):
        tables = ", ".join(map(str, learned_tables(game.rules))) or "none"
        raise ValueError(f"no learned player of {game.name} for {game.num_players} players (there is one for {tables})")
    return Brain.load(file_of(game), game)


def thinking_of(game: Game, brain: Brain) -> Kernels:
    """The kernels that think with it."""
    return build_thinking(game.rules, game.encoder(brain.encoder).show, brain.basis)


def learned_policy(game: Game) -> Any:
    """The policy kernel of the package's learned player."""
    return _policy(game.rules, game.num_players)


@cache
def _policy(rules: Rules, num_players: int) -> Any:
    game = Game(rules, num_players)
    brain = learned_brain(game)
    return thinking_of(game, brain).policy_of(brain.weights, brain.plan)


class LearnedAgent(PolicyAgent):
    """A brain as a player. One compilation serves all brains of a game."""

    def __init__(self, game: Game, name: str, seed: int | None = None, brain: Brain | None = None) -> None:
        self.brain = brain or Brain.load(Path(name.partition(":")[2]), game)
        super().__init__(game, name, seed)

    @classmethod
    def of_name(cls, game: Game, path: str, seed: int | None) -> LearnedAgent:
        """`td:PATH`."""
        return cls(game, f"td:{path}", seed)

    @classmethod
    def of_depth(cls, game: Game, depth: str, seed: int | None) -> LearnedAgent:
        """`learned:DEPTH`: the package's player, looking so many of its actions far, whatever time it takes."""
        if not depth.isdecimal() or not 1 <= int(depth) <= DEEPEST:
            raise ValueError(f"learned:{depth} is not possible: a depth is a number from 1 to {DEEPEST}, like learned:3")
        brain = learned_brain(game)
        plan = Plan(int(depth), UNHURRIED, brain.plan.worlds)
        return cls(game, f"learned:{depth}", seed, replace(brain, plan=plan))

    def compiled(self) -> Any:
        return partial(thinking_of(self.game, self.brain).choose_all, new_mind(self.game, self.brain.weights, self.brain.plan))

    def __getstate__(self) -> tuple[Any, ...]:
        return self.game, self.name, self._counters, self.brain

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        game, name, counters, brain = state
        self.__init__(game, name, 0, brain)  # type: ignore[misc]
        self._counters = np.array(counters)
