"""PettingZoo's AEC interface, in one flat class that does its own checks.

PettingZoo's three stock wrappers cost 18 times a bare step, so `env()` uses none; `wrapped_env()` is there for purists. An illegal
action ends the game with -1 for whoever played it (`illegal="terminate"`), or raises (`illegal="raise"`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from ..registry import game as make_game
from .checks import ILLEGAL, check
from .game import TERMINAL, Game, IllegalActionError, Series, State
from .picture import RENDER_MODES, show
from .rewards import FORFEIT_REWARD, SCORE_DELTA

__all__ = ["BoardGameEnv", "faces_of"]

TERMINAL_MASKS = ("zeros", "ones")
MASK_PLACES = ("observation", "info")


class BoardGameEnv(AECEnv):
    """A game of `num_players` as a PettingZoo AEC environment; observations are {"observation", "action_mask"}.

    With `mask_in="info"` they are the plain vector, for wrappers that do not know dictionaries, and masks are in the infos.
    """

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        observation: str = "flat",
        reward: str = "win",
        illegal: str = "terminate",
        terminal_mask: str = "zeros",
        mask_in: tuple[str, ...] | str = ("observation",),
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        super().__init__()
        self.game = make_game(game, num_players, **options)
        places = (mask_in,) if isinstance(mask_in, str) else tuple(mask_in)
        check("observation", observation, ("flat",))
        check("illegal", illegal, ILLEGAL)
        check("terminal_mask", terminal_mask, TERMINAL_MASKS)
        check("render_mode", render_mode, (None, *RENDER_MODES))
        for place in places or ("nowhere",):
            check("mask_in", place, MASK_PLACES)
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self._mode_is_dense = self.game.reward_mode(reward) == SCORE_DELTA
        self._terminal_mask = int(terminal_mask == "ones")
        self._mask_in_info, self._mask_in_observation = "info" in places, "observation" in places
        self.metadata = {
            "name": self.game.rules.versioned_name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{i}" for i in range(self.game.num_players)]
        self._seat = {agent: i for i, agent in enumerate(self.possible_agents)}
        actions, encoder = self.game.num_actions, self.game.encoder
        both = Dict({"observation": encoder.space, "action_mask": Box(0, 1, (actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, both if self._mask_in_observation else encoder.space)
        self.action_spaces = dict.fromkeys(self.possible_agents, Discrete(actions))
        self.state_space = Box(0, 255, (self.game.rules.schema.dtype.itemsize,), np.uint8)
        self._series = Series()
        self._state = State(self.game)  # not dealt before reset
        self._observer = np.zeros(1, np.int64)

    # --- Spaces ---------------------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Dict | Box:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    # --- Playing --------------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Game 0 of `seed`; without a seed the next game of the last one."""
        self._state.restart(*self._series.next_game(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._points = self._state.scores() if self._mode_is_dense else []
        self._forfeited = False
        self._select()

    @property
    def game_state(self) -> State:
        """The position. Playing on it directly is not seen by the environment: clone it."""
        if self._series.seed is None:
            raise RuntimeError("reset() needs to be called before the game can be looked at")
        return self._state

    def step(self, action: int | None) -> None:
        state = self.game_state
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is still playing: an action is needed, got None")
        try:
            state.apply_action(action)
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            self._end_by_forfeit(agent)
        else:
            self._pay()
        self._cumulative_rewards[agent] = 0.0
        self._select()
        if self._mode_is_dense or self.terminations[agent] or self.truncations[agent]:  # otherwise nobody earned anything
            for a in self.agents:
                self._cumulative_rewards[a] += self.rewards[a]
        if self.render_mode == "human":
            self.render()

    def _pay(self) -> None:
        state = self._state
        over = state.is_terminal()
        if self._mode_is_dense:
            points = state.scores()
            earned = [(now - before) / self.game.rules.score_scale for now, before in zip(points, self._points, strict=True)]
            self._points = points
            self.rewards = dict(zip(self.possible_agents, earned, strict=True))
        elif over:
            self.rewards = dict(zip(self.possible_agents, state.returns(self.reward), strict=True))
        if over:
            ended = self.truncations if state.is_truncated() else self.terminations
            ended.update(dict.fromkeys(self.agents, True))

    def _end_by_forfeit(self, agent: str) -> None:
        self._forfeited = True
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = FORFEIT_REWARD
        self.terminations = dict.fromkeys(self.agents, True)

    def _select(self) -> None:
        """The player to act; after the end the first one, who is the first to be told."""
        player = self._state.current_player()
        self.agent_selection = self.agents[0] if player == TERMINAL or self._forfeited else self.possible_agents[player]
        if self._mask_in_info:
            for agent in self.agents:
                self.infos[agent] = {"action_mask": self._mask(agent)}

    # --- Looking --------------------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, np.ndarray] | np.ndarray:
        """Fresh arrays at every call, for any player at any time."""
        state = self.game_state
        self._observer[0] = self._seat[agent]
        observation = np.empty((1, self.game.encoder.size), np.float32)
        self.game.kernels.observe(state.record, self._observer, observation)
        flat = observation[0]
        return {"observation": flat, "action_mask": self._mask(agent)} if self._mask_in_observation else flat

    def _mask(self, agent: str) -> np.ndarray:
        """The legal actions of the player to act; zeros for the others, and for all after the end unless terminal_mask="ones"."""
        player = self._state.current_player()
        if player == self._seat[agent] and not self._forfeited:
            return self._state.legal_actions_mask()
        over = player == TERMINAL or self._forfeited
        return np.full(self.game.num_actions, self._terminal_mask if over else 0, np.int8)

    def state(self) -> np.ndarray:
        """The whole record as bytes, hidden things included: for centralised critics."""
        return np.frombuffer(self.game_state.serialize(), np.uint8).copy()

    def render(self) -> str | np.ndarray | None:
        if self.render_mode is None:
            raise ValueError(f"no render_mode was given, allowed are {', '.join(RENDER_MODES)}")
        return show(self.game_state.to_text(), self.render_mode)

    def close(self) -> None:
        """Nothing is held that needs closing."""

    def __str__(self) -> str:
        return self.game.rules.versioned_name


def faces_of(game: str) -> tuple[Callable[..., Any], ...]:
    """The four constructors of a game's versioned module: env, raw_env, wrapped_env, parallel_env."""

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
        return turn_based_aec_to_parallel(bare)

    env.__doc__ = BoardGameEnv.__doc__
    return env, env, wrapped_env, parallel_env
