"""Players by name: `random`, the rule-based ones of each game (`greedy`, ...), and learned ones (`learned`, `td:PATH`, `ppo:PATH`).

A *policy* is a kernel that chooses inside other kernels; an *agent* chooses for many states at once from Python. Every policy is
also an agent.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from typing import Any, Protocol

import numpy as np

from ..envs.core.declare.checks import seed_number
from ..envs.core.game import Game
from ..envs.core.kernel.masks import new_masks
from ..envs.core.kernel.rng import mix_all
from ..envs.core.play.many import build_choice
from ..envs.core.play.policies import SCRATCH
from ..envs.core.play.series import fresh_seed
from ..envs.core.state import State

__all__ = ["Agent", "PolicyAgent", "act", "agent", "agent_names", "policy", "policy_names", "register_agent"]


class Agent(Protocol):
    """Chooses one action for each of the given states, of which `masks` (padded) tells the legal actions."""

    name: str

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray: ...


LEARNED = "learned"  # the policy whose weights come with the package


def policy_names(game: Game) -> list[str]:
    return [*game.rules.named_policies, *([LEARNED] if _learned().is_known(game) else [])]


def policy(game: Game, name: str) -> Any:
    """The kernel of a named policy; ValueError names the policies there are."""
    if name == LEARNED:
        return _learned().learned_policy(game)
    if not isinstance(name, str) or name not in game.rules.named_policies:
        raise ValueError(f"no policy {name!r} for {game.name}, allowed are {', '.join(policy_names(game))}")
    return game.rules.named_policies[name]


def _learned() -> Any:
    return import_module(f"{__package__}.learned.players")


class PolicyAgent:
    """A policy kernel as an agent."""

    def __init__(self, game: Game, name: str, seed: int | None = None) -> None:
        self.game, self.name = game, name
        self.kernel = self.compiled()
        self._scratch = game.new_states(SCRATCH)
        self._scratch_masks = new_masks(SCRATCH, game.num_actions)[0]
        self.set_dice(fresh_seed() if seed is None else seed)

    def compiled(self) -> Any:
        """The kernel that chooses for many states."""
        return build_choice(policy(self.game, self.name))

    def __getstate__(self) -> tuple[Any, ...]:
        return self.game, self.name, self._counters

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        game, name, counters = state
        self.__init__(game, name)  # type: ignore[misc]
        self._counters = counters.copy()

    def set_dice(self, counter: int) -> None:
        """Begin a new stream of random numbers; every state of a batch gets its own."""
        self._counters = np.array([seed_number(counter)], np.uint64)

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        while len(self._counters) < len(states):
            self._counters = np.concatenate([self._counters, mix_all(self._counters + np.uint64(len(self._counters)))])
        actions = np.zeros(len(states), np.int64)
        self.kernel(states, masks, self._counters, self._scratch, self._scratch_masks, actions)
        return actions


def act(agent: Agent, state: State) -> int:
    """The choice of a player in one position."""
    if state.is_terminal():
        raise ValueError(f"{agent.name} was asked in a finished game of {state.game.name}")
    return int(agent.choose(state.record, state.padded_mask)[0])


# --- Players that are no kernels: learned ones, searchers, those of third parties -------------------------------------------------

Maker = Callable[[Game, str, int | None], Agent]  # of a game, what follows the colon of the name, and a seed

GROUP = "mastaba.agents"
_MAKERS: dict[str, str | Maker] = {
    "search": "mastaba.baselines.search.players:search",
    "rollout": "mastaba.baselines.search.players:rollout",
    "mcts": "mastaba.baselines.search.players:mcts",
    "mc": "mastaba.baselines.search.players:mc",
    LEARNED: "mastaba.baselines.learned.players:LearnedAgent.of_depth",
    "learned+search": "mastaba.baselines.search.players:learned_search",
    "td": "mastaba.baselines.learned.players:LearnedAgent.of_name",
    "ppo": "mastaba.baselines.recipes.masked_ppo:PPOAgent.of_name",
    "openspiel": "mastaba.envs.faces.openspiel:OpenSpielAgent.of_name",
}
_WRITTEN = {
    "search": "search:BUDGET",
    "rollout": "rollout:BUDGET",
    "mcts": "mcts:BUDGET",
    "mc": "mc:BUDGET",
    LEARNED: "learned:DEPTH",
    "learned+search": "learned+search:BUDGET",
    "td": "td:PATH",
    "ppo": "ppo:PATH",
    "openspiel": "openspiel:BOT:SIMULATIONS",
}


def register_agent(kind: str, maker: str | Maker, written: str = "") -> None:
    """Make players known as `kind` or `kind:ARGUMENT`: a function, or where to import it, "module:name".

    An installed package does the same by an entry point of the group `mastaba.agents`.
    """
    if kind in _MAKERS and _MAKERS[kind] != maker:
        raise ValueError(f"there are players called {kind!r} already")
    _MAKERS[kind] = maker
    _WRITTEN[kind] = written or kind


@cache
def _installed() -> dict[str, str | Maker]:
    return {point.name: point.value for point in entry_points(group=GROUP)}


def _maker(kind: str) -> Maker | None:
    found = _MAKERS.get(kind) or _installed().get(kind)
    if not isinstance(found, str):
        return found
    module, _, name = found.partition(":")
    return attrgetter(name)(import_module(module))


def agent_names(game: Game) -> list[str]:
    """How players are called: policies by their name, the others with what follows the colon."""
    return [*policy_names(game), *_WRITTEN.values(), *_installed()]


def agent(game: Game, name: str, seed: int | None = None) -> Agent:
    """A player by name."""
    seed = None if seed is None else seed_number(seed)
    if isinstance(name, str) and name in (LEARNED, *game.rules.named_policies):
        return PolicyAgent(game, name, seed)
    kind, _, argument = name.partition(":") if isinstance(name, str) else ("", "", "")
    maker = _maker(kind)
    if maker is None:
        raise ValueError(f"no agent {name!r} for {game.name}, allowed are {', '.join(agent_names(game))}")
    return maker(game, argument, seed)
