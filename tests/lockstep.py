"""Two implementations of one game, side by side: the kernels and an independent referee written from the spec alone."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from mastaba.envs.core.game import Game, State
from mastaba.envs.core.rng import Chance

Choose = Callable[[State, np.random.Generator], int]


def uniform(state: State, rng: np.random.Generator) -> int:
    return int(rng.choice(state.legal_actions()))


def referee_of(game: Game, chance: Chance) -> Any:
    module = import_module(f"referees.{game.name}")
    return module.Referee(game.num_players, chance, **getattr(module, "options", lambda game: {})(game))


def compare(state: State, referee: Any, history: list[str]) -> None:
    """Fail with the history of the game if the two disagree in any field, legal action, score or rank."""
    said = referee.snapshot()
    ours = state.game.rules.schema.by_spec(state.record[0])
    trace = f"\nafter {history[-12:]} ({len(history)} actions)"
    for name, value in said.items():
        kernel_value = np.asarray(ours[name])
        referee_value = np.asarray(value).astype(kernel_value.dtype)  # 255 and -1 are the same nothing
        assert np.array_equal(kernel_value, referee_value), f"{name}: kernel {kernel_value.tolist()}, referee {value}{trace}"
    assert state.is_terminal() == referee.is_terminal(), f"end of the game{trace}"
    assert state.legal_actions() == list(referee.legal_actions()), f"legal actions{trace}"
    n = state.game.num_players
    assert state.scores() == list(referee.scores())[:n], f"scores{trace}"
    assert state.standings() == list(referee.standings())[:n], f"standings{trace}"


def play(game: Game, seed: int, choose: Choose = uniform, start: State | None = None) -> State:
    """One game in lockstep, from the beginning or from a given position."""
    rng = np.random.default_rng(seed)
    if start is None:
        state = game.new_initial_state(seed=seed)
        referee = referee_of(game, Chance.of_seed(seed))
    else:
        state = start.clone()
        referee = load(state)
    history: list[str] = []
    compare(state, referee, history)
    while not state.is_terminal():
        action = choose(state, rng)
        history.append(state.action_to_string(action))
        state.apply_action(action)
        referee.apply(action)
        compare(state, referee, history)
    return state


def load(state: State) -> Any:
    """A referee in the position of a state, with the same dice to come."""
    module = import_module(f"referees.{state.game.name}")
    snapshot = {name: np.asarray(v).astype(int).tolist() for name, v in state.game.rules.schema.by_spec(state.record[0]).items()}
    return module.Referee.from_snapshot(snapshot, Chance(int(state.record["rng"][0])))
