"""PettingZoo's AEC interface, in one flat class that does its own checks.

PettingZoo's three stock wrappers cost 18 times a bare step, so `env()` uses none; `wrapped_env()` is there for purists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from ..core.episode import Episode
from ..core.game import Game
from ..core.play.rewards import FORFEIT_REWARD, SCORE_DELTA
from ..core.state import TERMINAL, State
from ..registry import game as make_game
from .results import result_of
from .screen import RENDER_FPS, RENDER_MODES, Screen
from .settings import check_settings, mask_places, table_for

__all__ = ["AllActEnv", "BoardGameEnv", "faces_of"]

KNOWN = ("num_players", "observation", "observation_dtype", "reward", "illegal", "terminal_mask", "mask_in", "render_mode")
NOT_BEGUN = "no game has begun: call reset()"


class BoardGameEnv(AECEnv):
    """A game of `num_players` as a PettingZoo AEC environment; observations are {"observation", "action_mask"}.

    With `mask_in="info"` they are the plain array, for wrappers that do not know dictionaries, and masks are in the infos.
    """

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        observation: str = "flat",
        observation_dtype: str = "float32",
        reward: str = "win",
        illegal: str = "terminate",
        terminal_mask: str = "zeros",
        mask_in: tuple[str, ...] | str = ("observation",),
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        super().__init__()
        self.game = table_for(make_game, KNOWN, game, num_players, options)
        places = mask_places(mask_in)
        check_settings(
            observation=observation, reward=reward, illegal=illegal, terminal_mask=terminal_mask, render_mode=render_mode
        )
        self.render_mode = render_mode
        self._screen = Screen(render_mode, self.game.rules.title)
        self._encoder = encoder = self.game.encoder(observation, observation_dtype)
        self._episode = Episode(self.game, reward, illegal, terminal_mask, encoder)
        self._dense = self.game.reward_mode(reward) == SCORE_DELTA
        self._mask_in_info, self._mask_in_observation = "info" in places, "observation" in places
        self.metadata = {
            "name": self.game.rules.versioned_name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": RENDER_FPS,
        }
        self.possible_agents = [f"player_{i}" for i in range(self.game.num_players)]
        self._seat = {agent: i for i, agent in enumerate(self.possible_agents)}
        actions = self.game.num_actions
        both = Dict({"observation": encoder.space, "action_mask": Box(0, 1, (actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, both if self._mask_in_observation else encoder.space)
        self.action_spaces = dict.fromkeys(self.possible_agents, Discrete(actions))
        self.state_space = Box(0, 255, (self.game.rules.schema.dtype.itemsize,), np.uint8)

    # --- Spaces ---------------------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    # --- Playing --------------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Game 0 of `seed`; without a seed the next game of the last one."""
        self._episode.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select(self._episode.player)
        if self.render_mode == "human":
            self.render()

    @property
    def game_state(self) -> State:
        """The position. Playing on it directly is not seen by the environment: clone it."""
        if not self._episode.begun:
            raise RuntimeError(NOT_BEGUN)
        return self._episode.state

    def step(self, action: int | None) -> None:
        episode = self._episode
        if not episode.begun:
            raise RuntimeError(NOT_BEGUN)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is still playing: an action is needed, got None")
        player = episode.act(action)
        self._cumulative_rewards[agent] = 0.0
        if player == TERMINAL or self._dense:
            self._pay()
        if player == TERMINAL:
            self.terminations = dict.fromkeys(self.agents, episode.terminated)
            self.truncations = dict.fromkeys(self.agents, episode.truncated)
        self._select(player)
        if self.render_mode == "human":
            self.render()

    def _pay(self) -> None:
        """Not called after a step that earned nobody anything: then all dictionaries are as they were."""
        self.rewards = dict(zip(self.possible_agents, self._episode.rewards(), strict=True))
        for agent in self.agents:
            self._cumulative_rewards[agent] += self.rewards[agent]

    def _select(self, player: int) -> None:
        """The player to act; after the end the first one, who is the first to be told."""
        if self._mask_in_info:
            for agent in self.agents:
                self.infos[agent] = {"action_mask": self._episode.mask(self._seat[agent])}
        if player != TERMINAL:
            self.agent_selection = self.possible_agents[player]
            return
        self.agent_selection = self.agents[0]
        result = result_of(self._episode.state)
        for agent in self.agents:
            self.infos[agent] |= result

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the player to act is told: observation, reward since its last action, whether it is over, and infos."""
        if not self._episode.begun:
            raise RuntimeError(NOT_BEGUN)
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        if not self._episode.begun:
            raise RuntimeError(NOT_BEGUN)
        return super().agent_iter(max_iter)

    # --- Looking --------------------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> Any:
        """Fresh arrays at every call, for any player at any time."""
        episode = self._episode
        if not episode.begun:
            raise RuntimeError(NOT_BEGUN)
        if agent not in self._seat:
            raise ValueError(f"{self.game.name}: no player {agent!r}, players are {', '.join(self.possible_agents)}")
        seat = self._seat[agent]
        seen = episode.observe(seat)
        return {"observation": seen, "action_mask": episode.mask(seat)} if self._mask_in_observation else seen

    def state(self) -> np.ndarray:
        """The whole record as bytes, hidden things included: for centralised critics."""
        return np.frombuffer(self.game_state.serialize(), np.uint8).copy()

    def render(self) -> str | np.ndarray | None:
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given, allowed are {', '.join(RENDER_MODES)}")
        return self._screen.show(self.game_state, None)

    def close(self) -> None:
        """The window, if there is one."""
        self._screen.close()

    def __str__(self) -> str:
        return self.game.rules.versioned_name


class AllActEnv(turn_based_aec_to_parallel_wrapper):
    """PettingZoo's parallel interface: all agents act at every step, only the action of the player to act counts."""

    aec_env: BoardGameEnv

    def step(self, actions: dict[str, Any]) -> Any:
        self.aec_env.game_state  # noqa: B018 - complains if no game has begun
        return super().step(actions)


def faces_of(game: str) -> dict[str, Callable[..., Any]]:
    """The constructors of a game's versioned module: env, raw_env, wrapped_env, parallel_env."""

    def env(num_players: int | None = None, **settings: Any) -> BoardGameEnv:
        return BoardGameEnv(game, num_players, **settings)

    def wrapped_env(num_players: int | None = None, **settings: Any) -> AECEnv:
        """Behind PettingZoo's stock wrappers, for code that expects them."""
        bare = BoardGameEnv(game, num_players, illegal="raise", **settings)
        checked = wrappers.TerminateIllegalWrapper(bare, illegal_reward=FORFEIT_REWARD)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))

    def parallel_env(num_players: int | None = None, **settings: Any) -> ParallelEnv:
        """All agents act at every step, only the action of the player to act counts."""
        bare = BoardGameEnv(game, num_players, **settings)
        bare.metadata["is_parallelizable"] = True
        return AllActEnv(bare)

    env.__doc__ = BoardGameEnv.__doc__
    return {"env": env, "raw_env": env, "wrapped_env": wrapped_env, "parallel_env": parallel_env}
