"""Many games at once. `SelfPlay`: every decision belongs to the caller. `Duel`: Gymnasium's VectorEnv, one seat is the agent.

Both step all games with one call into a kernel that writes into arrays made once. Game k of seed s is the same game for every
batch size and thread count.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import gymnasium
import numba
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numba import prange

from ..registry import game as make_game
from . import batch
from .checks import ILLEGAL, check, seat_number
from .game import Game, IllegalActionError, Rules, State, fresh_seed
from .jit import inlined, kernel
from .lanes import new_batch, new_rivals
from .masks import choose
from .rows import row

__all__ = ["Duel", "SelfPlay", "make"]


@cache
def _self_play_kernels(rules: Rules, parallel: bool) -> batch.Kernels:
    return batch.build_self_play(rules, parallel)


@cache
def _duel_kernels(rules: Rules, policy: Any, parallel: bool) -> batch.Kernels:
    return batch.build_duel(rules, policy, parallel)


@inlined
def sample_one(s, mask, counter):
    return 0 if s.over else choose(mask, counter)


@cache
def _sampling_kernel(parallel: bool) -> Any:
    """Shared out like the steps, so that each core reads the masks that it has written itself."""

    @kernel(parallel=parallel)
    def sample_all(states, masks, counters, actions):
        for i in prange(len(actions)):
            actions[i] = sample_one(states[i], row(masks, i), row(counters, i))

    return sample_all


class _Batch:
    """What both kinds of batch share: lanes, seeds, threads, and what to do with an illegal action."""

    _made_with: dict[str, Any]  # the arguments of the constructor, for copies

    def __init__(
        self,
        game: Game,
        num_envs: int,
        reward: str,
        autoreset: str,
        illegal: str,
        threads: int,
        observe: bool = True,
        seat: int = 0,
    ) -> None:
        check("illegal", illegal, ILLEGAL)
        check("threads", threads, range(1, numba.config.NUMBA_NUM_THREADS + 1))  # type: ignore[attr-defined]
        self.game = game
        self.num_envs = num_envs
        self.illegal = illegal
        self.threads = threads
        self.batch = new_batch(game, num_envs, reward, autoreset, observe, seat)
        self.states, self.lanes = self.batch.states, self.batch.lanes
        self.masks = self.batch.masks[:, : game.num_actions]
        self.points = self.lanes["points"][:, : game.num_players]
        self.observations = self.batch.observations
        self._sample_all = _sampling_kernel(threads > 1)
        self._sampling = np.zeros((num_envs, 1), np.uint64)
        self._sampled = np.zeros(num_envs, np.int64)
        self._everywhere = np.ones(num_envs, bool)
        self._seeded = False

    def _arrays(self) -> list[np.ndarray]:
        """All that changes while games are played."""
        return [self.batch.states, self.batch.lanes, self.batch.masks, self.batch.observations, self._sampling]

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is made anew, since its views must be views of its own arrays; then it gets the contents."""
        return _remade, (type(self), self._made_with, self._seeded, [array.copy() for array in self._arrays()])

    def _check_begun(self) -> None:
        if not self._seeded:
            raise RuntimeError("no games have begun: call reset()")

    def _use_threads(self) -> None:
        if self.threads > 1:
            numba.set_num_threads(self.threads)

    def _seed(self, seed: int | list[int] | None, which: np.ndarray) -> None:
        """An int seeds lane i with seed + i, a list one by one; without a seed the next game of the old seed begins."""
        lanes = self.lanes
        if seed is None and self._seeded:
            lanes["episode"][which] += np.uint64(1)
            return
        if seed is None:
            seed = fresh_seed()
        if isinstance(seed, (int, np.integer)):
            seeds = np.uint64(int(seed) % 2**64) + np.arange(self.num_envs, dtype=np.uint64)
        elif len(seed) == self.num_envs:
            seeds = np.array([fresh_seed() if s is None else int(s) % 2**64 for s in seed], np.uint64)
        else:
            raise ValueError(f"expected {self.num_envs} seeds, got {len(seed)}")
        lanes["seed"][which] = seeds[which]
        lanes["episode"][which] = 0
        self._sampling[which, 0] = seeds[which]
        self._seeded = True

    def _check(self, actions: np.ndarray) -> np.ndarray:
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"expected {self.num_envs} actions, got an array of shape {actions.shape}")
        if self.illegal == "raise":
            inside = (actions >= 0) & (actions < self.game.num_actions)
            legal = inside & (self.masks[np.arange(self.num_envs), np.where(inside, actions, 0)] == 1)
            wrong = np.flatnonzero(~legal & (self.states["over"] == 0))
            if len(wrong):
                i = int(wrong[0])
                allowed = [self.game.action_to_string(a) for a in np.flatnonzero(self.masks[i]).tolist()]
                raise IllegalActionError(f"environment {i}: action {actions[i]} is not legal; legal are {', '.join(allowed)}")
        return actions

    def sample_actions(self) -> np.ndarray:
        """Uniformly random legal actions (0 in finished games). The array is reused."""
        self._check_begun()
        self._use_threads()
        self._sample_all(self.states, self.batch.masks, self._sampling, self._sampled)
        return self._sampled

    def state(self, i: int) -> State:
        """A copy of game i, to look at."""
        return self.game.state_of(self.states[i : i + 1])


def _remade(kind: type[_Batch], made_with: dict[str, Any], seeded: bool, arrays: list[np.ndarray]) -> _Batch:
    copy = kind(**made_with)
    copy._seeded = seeded
    for target, content in zip(copy._arrays(), arrays, strict=True):
        target[...] = content
    return copy


class SelfPlay(_Batch):
    """A batch in which the caller decides for every seat.

    `reset` and `step` fill and return the same arrays each time: copy what you keep.

    observations   float32 [num_envs, size]: the view of the player to act
    action_masks   int8 [num_envs, actions]
    current_player int64 [num_envs]
    rewards        float32 [num_envs, players]: what the last step earned each seat
    points         int64 [num_envs, players]: the score of the game that ended in the last step
    terminated, truncated   bool [num_envs]
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        threads: int = 1,
        reward: str = "win",
        observation: str | None = "flat",
        autoreset: str = "same_step",
        illegal: str = "terminate",
        seed: int | None = None,
    ) -> None:
        self._made_with = _arguments(locals())
        check("observation", observation, ("flat", None))
        super().__init__(game, num_envs, reward, autoreset, illegal, threads, observe=observation is not None)
        self._kernels = _self_play_kernels(game.rules, threads > 1)
        self.action_masks = self.masks
        self.current_player = self.lanes["player"]
        self.rewards = self.lanes["rewards"][:, : game.num_players]
        self.terminated, self.truncated = self.lanes["terminated"], self.lanes["truncated"]
        self.single_action_space = Discrete(game.num_actions)
        self.single_observation_space = game.encoder.space
        self._infos = {"action_mask": self.masks, "legal_action_mask": self.masks, "current_player": self.current_player}
        self.reset(seed=seed)

    def reset(self, *, seed: int | list[int] | None = None, which: np.ndarray | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin new games everywhere, or where `which` is true."""
        which = self._everywhere if which is None else np.asarray(which, bool)
        self._seed(seed, which)
        self._use_threads()
        self._kernels.reset(self.batch, which)
        return self.observations, dict(self._infos)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game."""
        self._use_threads()
        self._kernels.step(self.batch, self._check(actions))
        return self.observations, self.rewards, self.terminated, self.truncated, dict(self._infos)


def make(
    game: str, num_envs: int, num_players: int | None = None, *, options: dict[str, str] | None = None, **settings: Any
) -> SelfPlay:
    """A self-play batch: `mastaba.vector.make("giza", num_envs=4096, num_players=4, threads=2)`."""
    return SelfPlay(make_game(game, num_players, **(options or {})), num_envs, **settings)


class Duel(_Batch, VectorEnv):
    """One seat of each game is the agent; the others are played by a named policy inside the kernel.

    `infos["action_mask"]` (and `action_masks()`) belong to the returned observations. The reward is all that the seat earns
    until its next decision, the end of the game included.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        num_players: int | None = None,
        opponents: str = "random",
        seat: int | str = "random",
        reward: str = "win",
        observation: str = "flat",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        illegal: str = "terminate",
        threads: int = 1,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        self._made_with = _arguments(locals())
        from ...baselines.agents import policy

        table = make_game(game, num_players, **options)
        check("observation", observation, ("flat",))
        check("render_mode", render_mode, (None, "ansi"))
        if max_episode_steps is not None:
            raise ValueError("max_episode_steps is not possible: games end by their own rules")
        mode = _autoreset_mode(autoreset_mode)
        number = seat_number(seat, table.num_players)
        super().__init__(table, num_envs, reward, mode.name.lower(), illegal, threads, seat=number)
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": mode}
        self.render_mode = render_mode
        self._kernels = _duel_kernels(table.rules, policy(table.name, opponents), threads > 1)
        self._rivals = new_rivals(table, num_envs, threads)
        self.seats = self.lanes["player"]  # the agent's, in each game
        self.single_observation_space: Box = table.encoder.space
        self.single_action_space = Discrete(table.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.spec: gymnasium.envs.registration.EnvSpec | None = None

    def action_masks(self) -> np.ndarray:
        return self.masks.copy()

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """All games, or those of `options["reset_mask"]`."""
        which = np.asarray((options or {}).get("reset_mask", self._everywhere), bool)
        if which.shape != (self.num_envs,) or not which.any():
            raise ValueError(f"reset_mask must have shape ({self.num_envs},) and choose at least one environment")
        if isinstance(seed, (int, np.integer)):
            VectorEnv.reset(self, seed=int(seed))
        self._seed(seed, which)
        self._use_threads()
        self._kernels.reset(self.batch, which, self._rivals)
        return self.observations.copy(), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        self._check_begun()
        self._use_threads()
        self._kernels.step(self.batch, self._check(actions), self._rivals)
        terminated, truncated = self.lanes["terminated"].copy(), self.lanes["truncated"].copy()
        infos = self._infos()
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            self._add_finals(infos, terminated | truncated)
        return self.observations.copy(), self.lanes["earned"].copy(), terminated, truncated, infos

    def _arrays(self) -> list[np.ndarray]:
        return [*super()._arrays(), self._rivals.counters, self._rivals.final_observations]

    def _infos(self) -> dict[str, Any]:
        """The mask under our name and under EnvPool's; the player to act is always the agent."""
        masks = self.masks.copy()
        infos = {"action_mask": masks, "legal_action_mask": masks, "current_player": self.seats.copy()}
        return infos | {f"_{name}": self._everywhere.copy() for name in infos}

    def _add_finals(self, infos: dict[str, Any], done: np.ndarray) -> None:
        if done.any():
            finals = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(done):
                finals[i] = self._rivals.final_observations[i].copy()
            infos["final_obs"], infos["_final_obs"] = finals, done.copy()
            no_moves = np.zeros_like(self.masks)
            infos["final_info"], infos["_final_info"] = {"action_mask": no_moves, "_action_mask": done.copy()}, done.copy()

    def render(self) -> tuple[str, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(self.state(i).to_text(int(self.seats[i])) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is held that needs closing."""


def _arguments(names: dict[str, Any]) -> dict[str, Any]:
    """What a constructor was called with, from its `locals()` before it has any of its own."""
    given = {name: value for name, value in names.items() if name not in ("self", "__class__", "options")}
    return given | names.get("options", {})


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    try:
        return AutoresetMode[mode.upper()]
    except KeyError:
        allowed = ", ".join(m.name.lower() for m in AutoresetMode)
        raise ValueError(f"autoreset_mode={mode!r} is not possible, allowed are {allowed}") from None
