"""Many games at once. `SelfPlay`: every decision belongs to the caller. `Duel`: Gymnasium's VectorEnv, one seat is the agent.

Both step all games with one call into a kernel that writes into arrays made once. Game k of seed s is the same game for every
batch size and thread count.
"""

from __future__ import annotations

from operator import index
from typing import Any, SupportsIndex

import gymnasium
import numba
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.declare.checks import actions_array, check, seed_number
from ..core.game import Game
from ..core.kernel.addresses import Book
from ..core.observing import Encoder, show_nothing
from ..core.play.lanes import new_games
from ..core.play.self_play import CUT_OFF, build_sampling, build_self_play
from ..core.play.series import lane_seeds
from ..core.state import IllegalActionError, State
from ..registry import game as make_game
from . import threads as threading
from .contest import Contest, WithOpponents
from .opponents import OpponentsGiven
from .results import RESULTS, Results
from .screen import RENDER_FPS, RENDER_MODES, Screen
from .settings import check_settings, seat_number, table_for

__all__ = ["Duel", "SelfPlay", "make"]


class _Batch:
    """What both kinds of batch share: lanes, seeds, threads, and what to do with an illegal action."""

    _made_with: tuple[tuple[Any, ...], dict[str, Any]]  # the arguments of the constructor, for copies

    def __new__(cls, *args: Any, **settings: Any) -> Any:
        self = super().__new__(cls)
        self._made_with = (args, settings)
        return self

    def _prepare(
        self,
        game: Game,
        num_envs: int,
        encoder: Encoder | None,
        *,
        reward: str,
        autoreset: str,
        illegal: str,
        terminal_mask: str,
        threads: int,
        seat: int = 0,
    ) -> None:
        check_settings(reward=reward, illegal=illegal, terminal_mask=terminal_mask)
        check("threads", threads, range(1, numba.config.NUMBA_NUM_THREADS + 1))
        self.game = game
        self.num_envs = num_envs
        self.illegal = illegal
        self.terminal_mask = terminal_mask
        self.threads = threads
        self.games = new_games(game, num_envs, reward, autoreset, encoder, seat)
        self.states, self.lanes = self.games.states, self.games.lanes
        self.masks = self.games.masks[:, : game.num_actions]
        self.points = self.lanes["points"][:, : game.num_players]
        self.terminated, self.truncated, self._ended = (self.lanes[name] for name in ("terminated", "truncated", "ended"))
        self.observations = encoder.shaped(self.games.observations) if encoder else self.games.observations
        self._sample_all = build_sampling(game.rules, threads > 1)
        self._sampling = np.zeros((num_envs, 1), np.uint64)
        self._sampled = np.zeros(num_envs, np.int64)
        self._sampling_book = Book(self.states, self.games.masks, self._sampling, self._sampled)
        self._everywhere = np.ones(num_envs, bool)
        self._begun, self._all_begun = np.zeros(num_envs, bool), False

    def _arrays(self) -> list[np.ndarray]:
        """All that changes while games are played."""
        return [*self.games[:4], self._sampling, self._begun]

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is made anew, since its views must be views of its own arrays; then it gets the contents."""
        args, settings = self._made_with
        return _remade, (type(self), args, settings, self._contents())

    def _contents(self) -> Any:
        return [array.copy() for array in self._arrays()]

    def _restore(self, contents: Any) -> None:
        for target, content in zip(self._arrays(), contents, strict=True):
            target[...] = content
        self._all_begun = bool(self._begun.all())

    def _check_begun(self) -> None:
        if not self._all_begun:
            raise RuntimeError("not all games have begun: call reset()")

    def _use_threads(self) -> None:
        if self.threads > 1:
            if threading.are_lost():
                self.threads = 1
                self._build(parallel=False)
                self._sample_all = build_sampling(self.game.rules, False)
            else:
                threading.share_out(self.threads)

    def _build(self, parallel: bool) -> None:
        """Make the kernels of this kind of batch."""
        raise NotImplementedError

    def _mark_ends(self) -> None:
        """`terminal_mask="ones"`: code that normalises finds something to choose in finished games. No kernel reads their masks."""
        if self.terminal_mask == "ones":
            self.masks[self.states["over"] == 1] = 1

    def _seed(self, seed: int | list[int | None] | list[int] | None, which: np.ndarray) -> None:
        """Seeds for the lanes that are given any, or have none yet; in the others the next game of the old seed begins."""
        next_game = which & self._begun if seed is None else np.zeros_like(which)
        anew = which & ~next_game
        self.lanes["episode"][next_game] += np.uint64(1)
        if anew.any():
            seeds = lane_seeds(seed, self.num_envs)
            self.lanes["seed"][anew] = seeds[anew]
            self.lanes["episode"][anew] = 0
            self._sampling[anew, 0] = seeds[anew]
        self._begun |= which
        self._all_begun = bool(self._begun.all())

    def _which(self, which: Any) -> np.ndarray:
        chosen = np.asarray(which)
        if chosen.shape != (self.num_envs,) or chosen.dtype != bool or not chosen.any():
            raise ValueError(f"which games to reset: {self.num_envs} truth values are needed, at least one of them true")
        return chosen

    def _check(self, actions: Any) -> np.ndarray:
        chosen = actions_array(actions, self.num_envs)
        if self.illegal == "raise":
            inside = (chosen >= 0) & (chosen < self.game.num_actions)
            legal = inside & (self.masks[np.arange(self.num_envs), np.where(inside, chosen, 0)] == 1)
            wrong = np.flatnonzero(~legal & (self.states["over"] == 0))
            if len(wrong):
                i = int(wrong[0])
                allowed = [self.game.action_to_string(a) for a in np.flatnonzero(self.masks[i]).tolist()]
                raise IllegalActionError(f"environment {i}: action {chosen[i]} is not legal; legal are {', '.join(allowed)}")
        return chosen

    def _check_sound(self) -> None:
        """Only a truncated game can be one that the rules made endless."""
        if np.count_nonzero(self.truncated):
            for i in np.flatnonzero(self.truncated & (self.states["over"] == 1)):
                self.game_state(int(i)).check_sound()

    def sample_actions(self) -> np.ndarray:
        """Uniformly random legal actions (0 in finished games). The array is reused."""
        self._check_begun()
        self._use_threads()
        self._sample_all(self._sampling_book.address, self.num_envs)
        return self._sampled

    def game_state(self, i: SupportsIndex) -> State:
        """A copy of game i, to look at."""
        lane = index(i)
        return self.game.state_of(self.states[lane : lane + 1])


def _remade(kind: type[_Batch], args: tuple[Any, ...], settings: dict[str, Any], contents: Any) -> _Batch:
    copy = kind(*args, **settings)
    copy._restore(contents)
    return copy


class SelfPlay(_Batch):
    """A batch in which the caller decides for every seat.

    `reset` and `step` fill and return the same arrays each time: copy what you keep.

    observations   [num_envs, size] of `observation_dtype`: the view of the player to act
    action_masks   int8 [num_envs, actions]
    current_player int64 [num_envs]
    rewards        float32 [num_envs, players]: what the last step earned each seat
    scores         int64 [num_envs, players]: of the game that ended in the last step (also called points), and
    standings      int64 [num_envs, players]: its ranks, 0 is the best
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
        observation_dtype: str = "float32",
        autoreset_mode: AutoresetMode | str = "same_step",
        illegal: str = "terminate",
        terminal_mask: str = "zeros",
        seed: int | None = None,
    ) -> None:
        self._encoder = encoder = None if observation is None else game.array_encoder(observation, "a batch", observation_dtype)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self._prepare(
            game,
            num_envs,
            encoder,
            reward=reward,
            autoreset=self.autoreset_mode.name.lower(),
            illegal=illegal,
            terminal_mask=terminal_mask,
            threads=threads,
        )
        self._book = Book(*self.games)
        self._build(parallel=threads > 1)
        self.action_masks = self.masks
        self.current_player = self.lanes["player"]
        self.rewards = self.lanes["rewards"][:, : game.num_players]
        self.single_action_space = Discrete(game.num_actions)
        self.single_observation_space = encoder.space if encoder else None
        self.scores, self.standings = self.points, self.lanes["ranks"][:, : game.num_players]
        self._infos = {"action_mask": self.masks, "legal_action_mask": self.masks, "current_player": self.current_player}
        self._results = {"scores": self.scores, "standings": self.standings, "winner": self.lanes["winner"]}
        self.reset(seed=seed)

    def _build(self, parallel: bool) -> None:
        show = self._encoder.show if self._encoder else show_nothing
        self._kernels = build_self_play(self.game.rules, show, self.games.observations.dtype, parallel)

    def reset(
        self, *, seed: int | list[int | None] | list[int] | None = None, which: np.ndarray | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin new games everywhere, or where `which` is true."""
        chosen = self._everywhere if which is None else self._which(which)
        self._seed(seed, chosen)
        self._use_threads()
        self._kernels.reset(self._book.address, chosen)
        self._check_sound()
        self._mark_ends()
        return self.observations, dict(self._infos)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one action in every game."""
        self._use_threads()
        ends = self._kernels.step(self._book.address, self._check(actions))
        self._mark_ends()
        return self.observations, self.rewards, self.terminated, self.truncated, self._told(ends)

    def _told(self, ends: int) -> dict[str, Any]:
        """The infos; where a game ended in this step (`_scores`), how."""
        if not ends:
            return dict(self._infos)
        if ends >= CUT_OFF:
            self._check_sound()
        return self._infos | self._results | dict.fromkeys(("_scores", "_standings", "_winner"), self._ended.copy())


def make(game: str | Game, num_envs: int, num_players: int | None = None, **settings: Any) -> SelfPlay:
    """A self-play batch: `mastaba.vector.make("giza", num_envs=4096, num_players=4, threads=2)`; options of the game as well."""
    own = {name: settings.pop(name) for name in SELF_PLAY_SETTINGS if name in settings}
    return SelfPlay(table_for(make_game, ("num_players", *SELF_PLAY_SETTINGS), game, num_players, settings), num_envs, **own)


SELF_PLAY_SETTINGS = ("threads", "reward", "observation", "observation_dtype", "autoreset_mode", "illegal", "terminal_mask", "seed")


class Duel(WithOpponents, _Batch, VectorEnv):
    """One seat of each game is the agent; the others are played by `opponents`, by named policies inside the kernel.

    `infos["action_mask"]` (and `action_masks()`) belong to the returned observations. The reward is all that the seat earns
    until its next decision, the end of the game included. At the end of a game the infos hold how it ended.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        num_players: int | None = None,
        opponents: OpponentsGiven = "random",
        seat: int | str = "random",
        reward: str = "win",
        observation: str = "flat",
        observation_dtype: str = "float32",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        illegal: str = "terminate",
        terminal_mask: str = "zeros",
        threads: int = 1,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        table = table_for(make_game, DUEL_SETTINGS, game, num_players, options)
        check_settings(render_mode=render_mode)
        if max_episode_steps is not None:
            raise ValueError("max_episode_steps is not possible: games end by their own rules")
        mode, encoder = _autoreset_mode(autoreset_mode), table.array_encoder(observation, "a batch", observation_dtype)
        self._prepare(
            table,
            num_envs,
            encoder,
            reward=reward,
            autoreset=mode.name.lower(),
            illegal=illegal,
            terminal_mask=terminal_mask,
            threads=threads,
            seat=seat_number(seat, table.num_players),
        )
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS, "autoreset_mode": mode}
        self.autoreset_mode, self.render_mode = mode, render_mode
        self._screen = Screen(render_mode, table.rules.title)
        self._encoder = encoder
        self._contest = Contest(table, self.games, opponents, encoder, observation, threads)
        self._results = Results(table, self._contest.rivals.endings)
        self._masks_at_the_end = np.full_like(self.masks, terminal_mask == "ones")
        self._final_observations = encoder.shaped(self._contest.rivals.final_observations)
        self.seats = self.lanes["player"]  # the agent's, in each game
        self._earned = self.lanes["earned"]
        self.single_observation_space = encoder.space
        self.single_action_space = Discrete(table.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.spec: gymnasium.envs.registration.EnvSpec | None = None

    def _build(self, parallel: bool) -> None:
        self._contest.build(parallel)

    def _contents(self) -> Any:
        return super()._contents(), self._contest.contents()

    def _restore(self, contents: Any) -> None:
        super()._restore(contents[0])
        self._contest.restore(contents[1])

    # --- Playing --------------------------------------------------------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """The legal actions of every agent, as sb3-contrib asks for them; in finished games as `terminal_mask` says."""
        return self.masks.copy()

    def reset(
        self, *, seed: int | list[int | None] | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """All games, or those of `options["reset_mask"]`."""
        which = self._which((options or {}).get("reset_mask", self._everywhere))
        if isinstance(seed, (int, np.integer)):
            VectorEnv.reset(self, seed=seed_number(seed))
        self._seed(seed, which)
        self._use_threads()
        self._show_in(self.games.observations.copy())
        self._contest.begin(which)
        self._check_sound()
        self._mark_ends()
        if self.render_mode == "human":
            self.render()
        return self.observations, self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        self._check_begun()
        chosen = self._check(actions)
        self._use_threads()
        self._show_in(np.empty_like(self.games.observations))
        self._contest.play(chosen)
        self._mark_ends()
        if self.render_mode == "human":
            self.render()
        infos = self._infos()
        if np.count_nonzero(self._ended):
            self._check_sound()
            self._add_ends(infos, self._ended.copy())
        return self.observations, self._earned.copy(), self.terminated.copy(), self.truncated.copy(), infos

    def _show_in(self, rows: np.ndarray) -> None:
        """Where the kernel writes observations from now on. The caller keeps what it was given: no copy, which took as long."""
        self.games = self._contest.games = self.games._replace(observations=rows)
        self.observations = self._encoder.shaped(rows)

    def _infos(self) -> dict[str, Any]:
        """The mask under our name and under EnvPool's; the player to act is always the agent."""
        masks = self.action_masks()
        infos = {"action_mask": masks, "legal_action_mask": masks, "current_player": self.seats.copy()}
        return infos | dict.fromkeys(("_action_mask", "_legal_action_mask", "_current_player"), self._everywhere.copy())

    def _add_ends(self, infos: dict[str, Any], over: np.ndarray) -> None:
        """How games ended: in the infos, or in `final_info` where the next game has begun already."""
        results: dict[str, Any] = self._results.tell() | dict.fromkeys(RESULTS_SHOWN, over)
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            infos.update(results)
            return
        finals = np.empty(self.num_envs, object)  # None where no game ended
        for i in np.flatnonzero(over).tolist():
            finals[i] = self._final_observations[i].copy()
        final_info = {"action_mask": self._masks_at_the_end.copy(), "_action_mask": over, **results}
        infos.update(final_obs=finals, _final_obs=over, final_info=final_info, _final_info=over)

    def render(self) -> tuple[Any, ...] | None:
        """One text or picture per game, as its agent sees it; a window shows the first game."""
        if self.render_mode is None:
            return None
        self._check_begun()
        if self.render_mode == "human":
            self._screen.show(self.game_state(0), int(self.seats[0]))
            return None
        return tuple(self._screen.show(self.game_state(i), int(self.seats[i])) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """The window, if there is one. Gymnasium also closes an environment that could not be made."""
        if "_screen" in vars(self):
            self._screen.close()


RESULTS_SHOWN = tuple(f"_{name}" for name in RESULTS)  # as Gymnasium calls the arrays that say whose rows mean something

DUEL_SETTINGS = (
    "num_envs",
    "num_players",
    "opponents",
    "seat",
    "reward",
    "observation",
    "observation_dtype",
    "autoreset_mode",
    "illegal",
    "terminal_mask",
    "threads",
    "render_mode",
)


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    spellings = {spelling: m for m in AutoresetMode for spelling in (m.name.lower(), m.value)}  # ours and Gymnasium's own
    check("autoreset_mode", mode, tuple(spellings))
    return spellings[mode]
