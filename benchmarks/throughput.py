"""Our own rows: every game, player count and face, and the limit of the machine beside them.

kernel     random playout inside one kernel: mask, uniformly random legal action, step, reset
batch      `mastaba.vector.make`: one call from Python per step of N games, masks and flat observations written
blind      the same without observations
narrow     the same with observations of float16 and, where they can be, of uint8, each beside a limit row of the same bytes
vector     Gymnasium's VectorEnv: one seat is the agent, random opponents move inside the kernel (only the agent's decisions count)
greedy     the same against greedy opponents
sb3        against random ones again, behind Stable-Baselines3's VecEnv
aec        PettingZoo's `env()`: last() and step() for every decision; beside it an environment of the same sizes that does nothing
state      the State face: legal_actions() and apply_action()
limit      no game at all: writes a mask and an observation of the same size and picks a random legal action
search     simulations per CPU-second instead of steps, only if asked for (searching.py)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import cycle
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from ..envs.core.game import Game
from ..envs.core.kernel.jit import kernel
from ..envs.core.kernel.masks import choose, clear, new_masks
from ..envs.core.narrow import DTYPES
from ..envs.faces import vector
from ..envs.faces.pettingzoo import BoardGameEnv
from ..envs.registry import GAMES, rules
from ..envs.registry import game as make_game
from .measure import Case, Row, Run, ratio
from .searching import SEARCH, search_cases

__all__ = ["BATCHES", "FACES", "cases", "random_playout"]

BATCHES = (1, 64, 1024, 8192)
FACES = ("kernel", "batch", "blind", "narrow", "vector", "greedy", "sb3", "aec", "state", "limit")
LIMIT = "limit"  # the system that the rows without a game belong to
KERNEL_LANES, BLIND_LANES = 64, 1024
NARROW_BATCHES = (1024, 8192)
SEED = 20
THROUGH_A_GAME = 2000  # decisions; what is loaded at the end of the first game must not be timed, nor the runs be cut by it


def cases(
    games: Iterable[str] = GAMES,
    players: Iterable[int] | None = None,
    faces: Iterable[str] = FACES,
    batches: Iterable[int] = BATCHES,
    threads: Iterable[int] = (1, 2),
) -> list[Case]:
    """The cases of the chosen games, table sizes and faces."""
    wanted = [make_game(name, n) for name in games for n in rules(name).players if players is None or n in tuple(players)]
    return [case for game in wanted for face in faces for case in _of_face(game, face, tuple(batches), tuple(threads))]


def _of_face(game: Game, face: str, batches: tuple[int, ...], threads: tuple[int, ...]) -> Iterator[Case]:
    case = partial(Case, "mastaba", game.name, game.num_players, face)
    seen = ("mask", "observation", "reset")
    if face == "kernel":
        yield case(KERNEL_LANES, 1, ("mask", "reset"), partial(random_playout, game))
    elif face == "aec":
        yield case(1, 1, seen, partial(_aec, game))
        yield Case(LIMIT, game.name, game.num_players, face, 1, 1, ("mask", "observation"), partial(_idle_aec, game))
    elif face == "state":
        yield case(1, 1, ("legal list", "reset"), partial(_state, game))
    elif face == "batch":
        for n in batches:
            for t in threads:
                if t == 1 or n >= 1024:
                    yield case(n, t, seen, partial(_batch, game, n, t))
    elif face == "blind":
        yield case(BLIND_LANES, 1, ("mask", "reset"), partial(_batch, game, BLIND_LANES, 1, observation=None))
    elif face == "narrow":
        for dtype in _narrow_dtypes(game):
            for n in sorted({*batches} & {*NARROW_BATCHES}):
                narrow = partial(Case, game=game.name, players=game.num_players, face=f"batch {dtype}", batch=n, threads=1)
                yield narrow(system="mastaba", includes=seen, prepare=partial(_batch, game, n, 1, dtype=dtype))
                yield narrow(system=LIMIT, includes=("mask", "observation"), prepare=partial(_limit, game, n, dtype))
    elif face == "limit":
        for n in batches:
            yield Case(LIMIT, game.name, game.num_players, "batch", n, 1, ("mask", "observation"), partial(_limit, game, n))
    elif face == "vector":
        for n in batches:
            yield case(n, 1, (*seen, "opponents"), partial(_vector, game, n))
    elif face == "greedy":
        yield case(BLIND_LANES, 1, (*seen, "opponents"), partial(_vector, game, BLIND_LANES, "greedy"))
    elif face == "sb3":
        if find_spec("stable_baselines3"):
            yield case(64, 1, (*seen, "opponents", "infos"), partial(_sb3, game, 64))
    elif face == SEARCH:
        yield from search_cases(game)
    else:
        raise ValueError(f"no face {face!r}, faces are {', '.join(FACES)}, {SEARCH}")


# --- Ours --------------------------------------------------------------------------------------------------------------------


def random_playout(game: Game) -> Run:
    states = game.new_states(KERNEL_LANES)
    masks, _ = new_masks(KERNEL_LANES, game.num_actions)
    seeds = np.arange(KERNEL_LANES, dtype=np.uint64) + np.uint64(SEED)
    episodes, counters = np.zeros_like(seeds), seeds * np.uint64(7919)
    game.kernels.reset(states, game.template, seeds, episodes, masks)

    def run(steps: int) -> int:
        each = -(-steps // KERNEL_LANES)
        game.kernels.playout(states, game.template, seeds, episodes, counters, masks, each)
        return each * KERNEL_LANES

    run(KERNEL_LANES)
    return run


def _batch(game: Game, n: int, threads: int, observation: str | None = "flat", dtype: str = "float32") -> Run:
    env = vector.SelfPlay(game, n, threads=threads, observation=observation, observation_dtype=dtype, seed=SEED)
    return _stepping(env, n, env.sample_actions)


def _narrow_dtypes(game: Game) -> Iterator[str]:
    """In which the game can be seen."""
    for dtype in DTYPES[1:]:
        with suppress(ValueError):
            game.encoder("flat", dtype)
            yield dtype


def _vector(game: Game, n: int, opponents: str = "random") -> Run:
    env = vector.Duel(game, n, opponents=opponents, autoreset_mode="same_step")
    env.reset(seed=SEED)
    return _stepping(env, n, env.sample_actions)


def _sb3(game: Game, n: int) -> Run:
    from ..envs.faces.sb3 import DuelVecEnv

    env = DuelVecEnv(game, n)
    env.reset()
    return _stepping(env, n, env.games.sample_actions)


def _stepping(env: Any, n: int, sample: Callable[[], np.ndarray]) -> Run:
    def run(steps: int) -> int:
        calls = -(-steps // n)
        for _ in range(calls):
            env.step(sample())
        return calls * n

    run(n)
    return run


def _aec(game: Game) -> Run:
    env = BoardGameEnv(game)
    env.reset(seed=SEED)
    return _agents_taking_turns(env)


def _agents_taking_turns(env: Any) -> Run:
    uniform = random.Random(SEED).random

    def run(steps: int) -> int:
        done = 0
        while done < steps:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(uniform() * len(legal))])
            done += 1
        return done

    run(THROUGH_A_GAME)
    return run


def _state(game: Game) -> Run:
    state = game.new_initial_state(seed=SEED)
    uniform = random.Random(SEED).random
    episode = 0

    def run(steps: int) -> int:
        nonlocal episode
        for _ in range(steps):
            legal = state.legal_actions()
            state.apply_action(legal[int(uniform() * len(legal))])
            if state.is_terminal():
                episode += 1
                state.restart(SEED, episode)
        return steps

    run(10)
    return run


# --- The limit of the machine ------------------------------------------------------------------------------------------------


@kernel
def write_and_pick(masks, counters, observations, actions):
    """All that any environment must do: a mask, an observation, a random legal action. One action in eight is legal."""
    for i in range(len(masks)):
        mask = masks[i]
        clear(mask)
        for a in range(actions[i] & 7, len(mask), 8):
            mask[a] = 1
        actions[i] = choose(mask, counters[i : i + 1])
        observations[i, :] = actions[i]


def _limit(game: Game, n: int, dtype: str = "float32") -> Run:
    masks, _ = new_masks(n, game.num_actions)
    counters = np.arange(n, dtype=np.uint64)
    observations, actions = game.encoder("flat", dtype).buffer(n), np.zeros(n, np.int64)

    def run(steps: int) -> int:
        calls = -(-steps // n)
        for _ in range(calls):
            write_and_pick(masks, counters, observations, actions)
        return calls * n

    run(n)
    return run


class IdleEnv(AECEnv):
    """The least that an environment with PettingZoo's interface does, in PettingZoo's own way: fresh arrays, the next agent."""

    def __init__(self, game: Game) -> None:
        self.agents = [f"player_{i}" for i in range(game.num_players)]
        self._mask = game.new_initial_state(seed=SEED).legal_actions_mask()
        self._seen = np.zeros(game.encoder().size, np.float32)
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turns = cycle(self.agents)
        self.agent_selection = next(self._turns)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return {"observation": self._seen.copy(), "action_mask": self._mask.copy()}

    def step(self, action: int) -> None:
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.agent_selection = next(self._turns)
        self._accumulate_rewards()


def _idle_aec(game: Game) -> Run:
    return _agents_taking_turns(IdleEnv(game))


def ratio_to_limit(rows: Iterable[Row]) -> list[tuple[str, int, str, int, float]]:
    """(game, players, batch and type of numbers, N, share of the limit) for every single-threaded batch row."""
    batches = [r for r in rows if r.face.startswith("batch") and r.threads == 1]
    limits = {(r.game, r.players, r.face, r.batch): r for r in batches if r.system == LIMIT}
    ours = [((r.game, r.players, r.face, r.batch), r) for r in batches if r.system == "mastaba"]
    return [(*key, ratio(r, limits[key])) for key, r in ours if key in limits]
