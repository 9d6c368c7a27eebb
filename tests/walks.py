"""Random walks through a game, for tests that want positions from everywhere."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mastaba.envs.core.game import Game, State


def walk(game: Game, seed: int) -> Iterator[State]:
    """Every position of one uniformly random game; the same State object moves on."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state(seed=seed)
    yield state
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
        yield state


def positions(game: Game, count: int, seed: int = 0) -> list[State]:
    """Clones from all over several games, the last one terminal."""
    found: list[State] = []
    while len(found) < count:
        path = [state.clone() for state in walk(game, seed)]
        rng = np.random.default_rng(seed)
        found += [path[i] for i in sorted(rng.integers(len(path) - 1, size=max(1, count // 3)))]
        found.append(path[-1])
        seed += 1
    return found[-count:]
