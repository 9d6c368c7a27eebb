"""Compiling ahead: the kernels of several games at once, one process per core.

A process that compiles leaves the machine code in the cache (envs/core/kernel/cache.py), where the one that asked for it finds it.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from .baselines.agents import PolicyAgent, agent, policy_names
from .benchmarks.throughput import random_playout
from .envs.core.game import Game
from .envs.core.kernel import portable
from .envs.core.kernel.jit import is_cached
from .envs.core.kernel.linking import LINKABLE
from .envs.core.kernel.notice import silence
from .envs.faces.vector import Duel, SelfPlay
from .envs.registry import game as make_game

__all__ = ["DEMO_STAGES", "STAGES", "compile_games", "compile_portable", "is_compiled"]


def _rules(game: Game) -> None:
    state = game.new_initial_state(seed=0)
    state.apply_action(state.legal_actions()[0])
    state.scores()


def _random_and_greedy(game: Game) -> None:
    _choose_with(game, ["random", "greedy"])


def _playout(game: Game) -> None:
    random_playout(game)(1)


def _views(game: Game) -> None:
    state = game.new_initial_state(seed=0)
    state.observation()
    state.determinize(0, seed=0)


def _other_players(game: Game) -> None:
    _choose_with(game, policy_names(game))


def _batch(game: Game) -> None:
    env = SelfPlay(game, 2, seed=0)
    env.step(env.sample_actions())


def _duel(game: Game) -> None:
    env = Duel(game, 2)
    env.reset(seed=0)
    env.step(env.sample_actions())


def _choose_with(game: Game, names: Iterable[str]) -> None:
    state = game.new_initial_state(seed=0)
    for name in names:
        agent(game, name, seed=0).choose(state.record, state.padded_mask)


DEMO_STAGES = {"rules": _rules, "random and greedy players": _random_and_greedy, "playout": _playout}
STAGES = DEMO_STAGES | {"views": _views, "other players": _other_players, "batch": _batch, "duel with random players": _duel}


def is_compiled(game: Game) -> bool:
    """Whether the cache holds what the demo needs."""
    kernels = game.kernels
    needed = [kernels.reset, kernels.apply, kernels.outcomes, kernels.playout]
    return all(is_cached(k) for k in [*needed, PolicyAgent(game, "greedy").kernel])


def compile_games(names: Sequence[str], stages: Iterable[str], done: Callable[[str], None]) -> None:
    """Run the stages of each game; `done` is called with the name of each game that is ready."""
    stages, workers = tuple(stages), min(len(names), os.cpu_count() or 1)
    if workers < 2:
        for name in names:
            done(_compile(name, stages))
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        for job in as_completed([pool.submit(_compile, name, stages) for name in _slowest_first(names)]):
            done(job.result())


def compile_portable(names: Sequence[str], folder: Path) -> None:
    """Fill `folder` with machine code of all stages that runs on most processors, for MASTABA_PORTABLE_DIR or for a wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    # numba learns which processor it compiles for when it is imported: so in a process of its own.
    made = subprocess.run([sys.executable, "-m", "mastaba", "warmup", *names], env=portable.making(folder), check=False)
    if made.returncode:
        raise RuntimeError(f"compiling for {portable.CPU} failed, see above")
    for needless in (*folder.glob(f"*{LINKABLE}"), *folder.glob("*.lock")):  # for compiling further entry points
        needless.unlink()


def _slowest_first(names: Sequence[str]) -> list[str]:
    """By the size of what there is to choose from, so that no core waits for the other at the end."""
    return sorted(names, key=lambda name: -make_game(name).num_actions)


def _compile(name: str, stages: tuple[str, ...]) -> str:
    game = make_game(name)
    with silence():
        for stage in stages:
            STAGES[stage](game)
    return name
