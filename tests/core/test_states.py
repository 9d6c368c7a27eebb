"""What a state tells beyond its rules: chance, history, bounds."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import mastaba
from mastaba import Game
from mastaba.envs.faces.pettingzoo import BoardGameEnv


def play(state: mastaba.State, rng: np.random.Generator, moves: int) -> list[int]:
    played = []
    for _ in range(moves):
        if state.is_terminal():
            break
        played.append(int(rng.choice(state.legal_actions())))
        state.apply_action(played[-1])
    return played


def test_an_action_draws_if_the_future_decides_what_it_does(table: Game) -> None:
    """Where nothing is drawn, another future leads to the same position."""
    state, rng, kinds = table.new_initial_state(seed=3), np.random.default_rng(3), set()
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        drawn = state.is_chance_next(action)
        before, other = state.record["rng"][0], state.clone()
        other.reseed(99)
        state.apply_action(action)
        other.apply_action(action)
        assert drawn == (state.record["rng"][0] != before)
        if not drawn:
            other.record["rng"] = state.record["rng"]
            assert other == state
        kinds.add(drawn)
    assert False in kinds


def test_a_reseeded_state_keeps_what_is_hidden(table: Game) -> None:
    state = table.new_initial_state(seed=3)
    other = state.clone()
    other.reseed(5)
    assert {**other.to_dict(), "rng": 0} == {**state.to_dict(), "rng": 0}
    assert other.record["rng"] != state.record["rng"]


def test_a_state_remembers_its_actions(name: str) -> None:
    game = mastaba.game(name)
    state = game.new_initial_state(seed=3)
    played = play(state, np.random.default_rng(0), 15)
    assert state.history() == played
    for twin in (state.clone(), copy.deepcopy(state), state.determinize(0, seed=1)):
        assert twin.history() == played
    assert pickle.loads(pickle.dumps(state)).history() == []
    assert game.deserialize(state.serialize()).history() == []
    again = game.new_initial_state(seed=3)
    for action in state.history():
        again.apply_action(action)
    assert again == state
    state.restart(4)
    assert state.history() == []


def test_interfaces_keep_no_history() -> None:
    env = BoardGameEnv("pyramids")
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match="clone the state"):
        env.game_state.history()
    assert env.game_state.clone().history() == []


def test_returns_and_lengths_are_within_their_bounds(table: Game) -> None:
    for seed in range(5):
        state = table.new_initial_state(seed=seed)
        played = play(state, np.random.default_rng(seed), 10**6)
        assert len(played) <= table.max_game_length
        assert all(table.min_utility <= r <= table.max_utility for r in state.returns())
