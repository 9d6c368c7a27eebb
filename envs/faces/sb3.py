"""Stable-Baselines3's VecEnv over the `Duel` batch: one kernel call per step, opponents included.

`DummyVecEnv` would step one game after the other in Python. Here all games step at once, and `env_method("action_masks")` gives
sb3-contrib the masks of all games as one array.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.game import Game
from .extras import missing
from .results import RESULTS
from .vector import Duel

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise missing(error, "train") from None

__all__ = ["DuelVecEnv"]

Indices = None | int | Iterable[int]


class DuelVecEnv(VecEnv):
    """`num_envs` games, one seat of each is the agent: `DuelVecEnv("giza", 64, num_players=3, opponents="greedy")`.

    The info of a game that ended holds `terminal_observation`, `TimeLimit.truncated` and `episode` ({"r", "l", "t"}: return,
    decisions of the agent, seconds since the start), so `VecMonitor` is not needed, and how the game ended (`scores`, `standings`,
    `winner`, `breakdown`). Settings are those of `Duel`; a finished game is always replaced at once, as SB3 wants it.
    """

    def __init__(self, game: str | Game, num_envs: int = 64, **settings: Any) -> None:
        if "autoreset_mode" in settings:
            raise TypeError("got an unexpected keyword argument 'autoreset_mode': SB3 wants finished games replaced at once")
        self.games = Duel(game, num_envs, autoreset_mode="same_step", **settings)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._actions = np.zeros(num_envs, np.int64)
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)
        self._started = time.time()

    def reset(self) -> np.ndarray:
        seeds = [seed for seed in self._seeds if seed is not None]  # of all games, or of none
        observations, _ = self.games.reset(seed=seeds or None)
        self._returns[:], self._lengths[:] = 0, 0
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """SB3 writes into the infos it is given, so every step makes new ones."""
        observations, rewards, terminated, truncated, batch_infos = self.games.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        done = terminated | truncated
        if "final_info" in batch_infos:
            results, finals = [batch_infos["final_info"][name] for name in RESULTS], batch_infos["final_obs"]
            for i in np.flatnonzero(done).tolist():
                infos[i] = {
                    **{name: values[i] for name, values in zip(RESULTS, results, strict=True)},
                    "TimeLimit.truncated": bool(truncated[i]),
                    "terminal_observation": finals[i],
                    "episode": self._episode(i),
                }
            self._returns[done], self._lengths[done] = 0, 0
        return observations, rewards.astype(np.float32), done, infos

    def _episode(self, i: int) -> dict[str, float]:
        """As a `Monitor` reports it."""
        return {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": round(time.time() - self._started, 6)}

    def close(self) -> None:
        self.games.close()

    # --- SB3 asks single environments: the batch answers for all of them -------------------------------------------------------

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self.games, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        return [getattr(self.games, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name} belongs to all games of the batch: it cannot be set for some of them")
        setattr(self.games, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Any:
        """Call a method of the batch that answers with one row per game (`action_masks`, `render`)."""
        rows = getattr(self.games, method_name)(*method_args, **method_kwargs)
        return rows if indices is None else [rows[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Episodes are reported as by a `Monitor`, so SB3 need not wrap us in one."""
        return [wrapper_class is Monitor] * len(list(self._get_indices(indices)))

    def get_images(self) -> list[np.ndarray | None]:
        """One picture per game, for `render` and `VecVideoRecorder`; needs `render_mode="rgb_array"`."""
        return list(self.games.render() or [None] * self.num_envs)
