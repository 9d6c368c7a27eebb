"""Players by name: `random`, the rule-based ones of each game (`greedy`, ...), and learned ones (`ppo:PATH`).

A *policy* is a kernel that chooses inside other kernels; an *agent* chooses for many states at once from Python. Every policy is
also an agent.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from ..envs.core import batch
from ..envs.core.game import Game, fresh_seed
from ..envs.core.lanes import SCRATCH
from ..envs.core.masks import new_masks
from ..envs.core.rng import mix_all

__all__ = ["Agent", "PolicyAgent", "agent", "agent_names", "policy", "policy_names"]


class Agent(Protocol):
    """Chooses one action for each of the given states, of which `masks` (padded) tells the legal actions."""

    name: str

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray: ...


def _rule_based(game: str) -> dict[str, Any]:
    return import_module(f".greedy.{game}", __package__).POLICIES


def policy_names(game: str) -> list[str]:
    return ["random", *_rule_based(game)]


def agent_names(game: str) -> list[str]:
    return [*policy_names(game), "ppo:PATH"]


def policy(game: str, name: str) -> Any:
    """The kernel of a named policy; ValueError names the policies there are."""
    if name == "random":
        return batch.uniform
    if name not in policy_names(game):
        raise ValueError(f"no policy {name!r} for {game}, allowed are {', '.join(policy_names(game))}")
    return _rule_based(game)[name]


@cache
def _choose_all(policy: Any) -> Any:
    return batch.build_choice(policy)


class PolicyAgent:
    """A policy kernel as an agent."""

    def __init__(self, game: Game, name: str, seed: int | None = None) -> None:
        self.game, self.name = game, name
        self.kernel = _choose_all(policy(game.name, name))
        self._scratch = game.new_states(SCRATCH)
        self._scratch_masks = new_masks(SCRATCH, game.num_actions)[0]
        self.set_dice(fresh_seed() if seed is None else seed)

    def __getstate__(self) -> tuple[Game, str, np.ndarray]:
        return self.game, self.name, self._counters

    def __setstate__(self, state: tuple[Game, str, np.ndarray]) -> None:
        game, name, counters = state
        self.__init__(game, name)  # type: ignore[misc]
        self._counters = counters.copy()

    def set_dice(self, counter: int) -> None:
        """Begin a new stream of random numbers; every state of a batch gets its own."""
        self._counters = np.array([counter % 2**64], np.uint64)

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        while len(self._counters) < len(states):
            self._counters = np.concatenate([self._counters, mix_all(self._counters + np.uint64(len(self._counters)))])
        actions = np.zeros(len(states), np.int64)
        self.kernel(states, masks, self._counters, self._scratch, self._scratch_masks, actions)
        return actions


def agent(game: Game, name: str, seed: int | None = None) -> Agent:
    """A player by name."""
    if name.startswith("ppo:"):
        from .recipes.masked_ppo import PPOAgent

        return PPOAgent(game, name.removeprefix("ppo:"))
    if name not in policy_names(game.name):
        raise ValueError(f"no agent {name!r} for {game.name}, allowed are {', '.join(agent_names(game.name))}")
    return PolicyAgent(game, name, seed)
