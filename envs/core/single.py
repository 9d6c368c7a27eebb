"""Gymnasium: one seat is the agent, the others are played by named or given opponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from ..registry import game as make_game
from .batch import fortune
from .checks import ILLEGAL, RANDOM_SEAT, check, seat_number
from .game import Game, IllegalActionError, Series, State
from .picture import RENDER_MODES, show
from .rewards import FORFEIT_REWARD

if TYPE_CHECKING:
    from ...baselines.agents import Agent, PolicyAgent

__all__ = ["SeatEnv"]

Opponent = str | Callable[[State], int]


class _Opponent:
    """A named player as a callable. Not a lambda: environments can be copied and pickled."""

    def __init__(self, player: Agent) -> None:
        self.player = player

    def __call__(self, state: State) -> int:
        return int(self.player.choose(state.record, state._padded_mask)[0])


class SeatEnv(gymnasium.Env):
    """A game from one seat. The reward is all that the seat earns until its next decision, the end of the game included.

    opponents   a name (`random`, `greedy`, ...), a callable State -> action, or one of these for each other seat, clockwise
    seat        0, 1, ... or "random" (drawn anew for each game)
    observation "flat": the vector, the mask in `info["action_mask"]`; "dict": {"observation", "action_mask"}
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int | str = "random",
        observation: str = "flat",
        reward: str = "win",
        illegal: str = "terminate",
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        self.game = make_game(game, num_players, **options)
        self.game.reward_mode(reward)
        check("observation", observation, ("flat", "dict"))
        check("illegal", illegal, ILLEGAL)
        check("render_mode", render_mode, (None, *RENDER_MODES))
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self._as_dict = observation == "dict"
        self._fixed_seat = seat_number(seat, self.game.num_players)
        self._agents: list[PolicyAgent] = []
        self.opponents = self._seat_opponents(opponents)
        self.action_space = Discrete(self.game.num_actions)
        self.observation_space = self.game.encoder.space
        if self._as_dict:
            mask = Box(0, 1, (self.game.num_actions,), np.int8)
            self.observation_space = Dict({"observation": self.game.encoder.space, "action_mask": mask})
        self.state = State(self.game)
        self.seat = 0
        self._series = Series()
        self._forfeited = False

    def _seat_opponents(self, given: Opponent | Sequence[Opponent]) -> list[Callable[[State], int]]:
        others = self.game.num_players - 1
        several = [given] * others if isinstance(given, str) or callable(given) else list(given)
        if len(several) != others:
            raise ValueError(f"{self.game.num_players} players need {others} opponents, got {len(several)}")
        named = {name: self._named(name) for name in several if isinstance(name, str)}
        return [named[opponent] if isinstance(opponent, str) else opponent for opponent in several]

    def _named(self, name: str) -> Callable[[State], int]:
        from ...baselines.agents import PolicyAgent, agent

        player = agent(self.game, name)
        if isinstance(player, PolicyAgent):
            self._agents.append(player)
        return _Opponent(player)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Game 0 of `seed`; without a seed the next game of the last one. The same games as those of lane 0 of a `Duel`."""
        super().reset(seed=seed)
        seed, episode = self._series.next_game(seed)
        self.state.restart(seed, episode)
        counter, random_seat = fortune(np.uint64(seed), np.uint64(episode), self.game.num_players)
        self.seat = random_seat if self._fixed_seat == RANDOM_SEAT else self._fixed_seat
        for agent in self._agents:
            agent.set_dice(counter)
        self._points = self.state.scores()
        self._forfeited = False
        self._until_my_turn()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._series.seed is None:
            raise RuntimeError("no game has begun: call reset()")
        if self.state.is_terminal() or self._forfeited:
            raise RuntimeError("the game is over: call reset()")
        reward = 0.0
        try:
            self.state.apply_action(action)
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            self._forfeited, reward = True, FORFEIT_REWARD
        else:
            reward = self._earned() + self._until_my_turn()
        over = self.state.is_terminal()
        terminated = self._forfeited or (over and not self.state.is_truncated())
        truncated = over and self.state.is_truncated()
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, terminated, truncated, self._info()

    def _until_my_turn(self) -> float:
        earned = 0.0
        while not self.state.is_terminal() and self.state.current_player() != self.seat:
            distance = (self.state.current_player() - self.seat) % self.game.num_players
            self.state.apply_action(self.opponents[distance - 1](self.state))
            earned += self._earned()
        return earned

    def _earned(self) -> float:
        if self.reward == "score_delta":
            before, self._points = self._points, self.state.scores()
            return (self._points[self.seat] - before[self.seat]) / self.game.rules.score_scale
        return self.state.returns(self.reward)[self.seat] if self.state.is_terminal() else 0.0

    def action_masks(self) -> np.ndarray:
        """The legal actions, as sb3-contrib asks for them; none after the end."""
        if self.state.is_terminal() or self._forfeited:
            return np.zeros(self.game.num_actions, np.int8)
        return self.state.legal_actions_mask()

    def _observation(self) -> Any:
        flat = self.state.observation(self.seat)
        return {"observation": flat, "action_mask": self.action_masks()} if self._as_dict else flat

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return show(self.state.to_text(self.seat), self.render_mode)
