"""Gymnasium: one seat is the agent, the others are played by named or given opponents."""

from __future__ import annotations

from copy import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from ..core.declare.checks import action_number, seed_number
from ..core.game import Game
from ..core.play.lanes import new_games
from ..core.play.series import Series
from ..core.state import State
from ..registry import game as make_game
from .contest import Contest, WithOpponents
from .opponents import OpponentsGiven
from .results import Results
from .screen import RENDER_FPS, RENDER_MODES, Screen
from .settings import check_settings, mask_places, seat_number, table_for

__all__ = ["SeatEnv"]

KNOWN = (
    "num_players",
    "opponents",
    "seat",
    "observation",
    "observation_dtype",
    "reward",
    "illegal",
    "terminal_mask",
    "mask_in",
    "render_mode",
)


class SeatEnv(WithOpponents, gymnasium.Env):
    """A game from one seat. The reward is all that the seat earns until its next decision, the end of the game included.

    opponents   who plays the other seats: see `mastaba.envs.faces.opponents`
    seat        0, 1, ... or "random" (drawn anew for each game)
    mask_in     the mask is always in `info["action_mask"]`; with "observation" too, observations are {"observation", "action_mask"}

    The same games as those of lane 0 of a `Duel`.
    """

    _made_with: tuple[tuple[Any, ...], dict[str, Any]]  # the arguments of the constructor, for copies

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        *,
        opponents: OpponentsGiven = "random",
        seat: int | str = "random",
        observation: str = "flat",
        observation_dtype: str = "float32",
        reward: str = "win",
        illegal: str = "terminate",
        terminal_mask: str = "zeros",
        mask_in: tuple[str, ...] | str = ("info",),
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        self.game = table_for(make_game, KNOWN, game, num_players, options)
        places = mask_places(mask_in)
        check_settings(
            observation=observation, reward=reward, illegal=illegal, terminal_mask=terminal_mask, render_mode=render_mode
        )
        self.render_mode, self.illegal = render_mode, illegal
        self._screen = Screen(render_mode, self.game.rules.title)
        self._as_dict, self._encoder = "observation" in places, self.game.encoder(observation, observation_dtype)
        self._after_end = np.full(self.game.num_actions, terminal_mask == "ones", np.int8)
        self._games = new_games(
            self.game,
            1,
            reward,
            encoder=self._encoder if self._encoder.show else None,
            seat=seat_number(seat, self.game.num_players),
        )
        self._contest = Contest(self.game, self._games, opponents, self._encoder if self._encoder.show else None, observation)
        self._results = Results(self.game, self._contest.rivals.endings)
        self._series, self._action, self._which = Series(), np.zeros(1, np.int64), np.ones(1, bool)
        self._state = State(self.game, self._games.states, self._games.masks)
        self.action_space = Discrete(self.game.num_actions)
        self.observation_space: Space = self._encoder.space
        if self._as_dict:
            mask = Box(0, 1, (self.game.num_actions,), np.int8)
            self.observation_space = Dict({"observation": self.observation_space, "action_mask": mask})

    # --- Copying: a copy is made anew, since its views must be views of its own arrays; then it gets the contents ----------------

    def __new__(cls, *args: Any, **settings: Any) -> Any:
        self = super().__new__(cls)
        self._made_with = (args, settings)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = tuple(array.copy() for array in self._games[:4])
        others = {name: value for name, value in vars(self).items() if name in ("_np_random", "_np_random_seed", "spec")}
        return _remade, (type(self), *self._made_with, arrays, self._contest.contents(), copy(self._series), others)

    # --- Playing --------------------------------------------------------------------------------------------------------------

    @property
    def game_state(self) -> State:
        """The position. Playing on it directly is not seen by the environment: clone it."""
        if self._series.seed is None:
            raise RuntimeError("no game has begun: call reset()")
        return self._state

    @property
    def seat(self) -> int:
        """The agent's."""
        return int(self._games.lanes["player"][0])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Game 0 of `seed`; without a seed the next game of the last one."""
        super().reset(seed=None if seed is None else seed_number(seed))
        lane = self._games.lanes[0]
        lane["seed"], lane["episode"] = self._series.next_game(seed)
        self._contest.begin(self._which)
        self._state.check_sound()
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        state, lane = self.game_state, self._games.lanes[0]
        if state.is_terminal():
            raise RuntimeError("the game is over: call reset()")
        self._action[0] = state.check_legal(action) if self.illegal == "raise" else action_number(action)
        self._contest.play(self._action)
        if lane["truncated"]:
            state.check_sound()
        if self.render_mode == "human":
            self.render()
        return self._observation(), float(lane["earned"]), bool(lane["terminated"]), bool(lane["truncated"]), self._info()

    # --- Looking --------------------------------------------------------------------------------------------------------------

    def action_masks(self, env: Any = None) -> np.ndarray:
        """The legal actions, as sb3-contrib asks for them (its ActionMasker hands over the environment); none after the end,
        unless `terminal_mask="ones"`."""
        return (self._after_end if self._state.is_terminal() else self._games.masks[0, : self.game.num_actions]).copy()

    def _observation(self) -> Any:
        if self._encoder.show:
            seen = self._encoder.shaped(self._games.observations)[0].copy()
        else:
            seen = self._encoder.observe(self._state, self.seat)
        return {"observation": seen, "action_mask": self.action_masks()} if self._as_dict else seen

    def _info(self) -> dict[str, Any]:
        """The mask; at the end also how the game ended, in arrays: TorchRL makes tensors of them."""
        info = {"action_mask": self.action_masks()}
        if not self._state.is_terminal():
            return info
        return info | {name: rows[0] for name, rows in self._results.tell().items()}

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return self._screen.show(self.game_state, self.seat)

    def close(self) -> None:
        """The window, if there is one."""
        self._screen.close()


def _remade(
    kind: type[SeatEnv], args: tuple[Any, ...], settings: dict[str, Any], arrays: Any, contest: Any, series: Series, others: Any
) -> SeatEnv:
    env = kind(*args, **settings)
    for target, content in zip(env._games[:4], arrays, strict=True):
        target[...] = content
    env._contest.restore(contest)
    env._series = series
    vars(env).update(others)
    return env
