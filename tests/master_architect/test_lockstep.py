"""The kernels and the referee, side by side."""

from __future__ import annotations

import os

import numpy as np
import pytest

from mastaba import State

from lockstep import play, uniform
from master_architect.boards import TABLES, architect, chooser, random_states

GAMES_IN_LOCKSTEP = 40 * int(os.environ.get("MASTABA_LOCKSTEP", "1"))


@pytest.mark.parametrize("num_players", TABLES)
def test_random_games_in_lockstep_with_the_referee(num_players):
    game = architect(num_players)
    for seed in range(GAMES_IN_LOCKSTEP):
        play(game, seed)


@pytest.mark.parametrize("policy", ["greedy0", "greedy"])
@pytest.mark.parametrize("num_players", TABLES)
def test_greedy_games_in_lockstep_with_the_referee(num_players, policy):
    game = architect(num_players)
    player = chooser(game, policy)

    def sometimes(state: State, rng: np.random.Generator) -> int:
        return uniform(state, rng) if rng.random() < 0.1 else player(state, rng)

    for seed in range(max(5, GAMES_IN_LOCKSTEP // 8)):
        play(game, seed, choose=sometimes)


def test_random_games_reach_every_phase_and_every_kind_of_action():
    phases, kinds = set(), set()
    actions = architect().rules.actions
    for seed in range(60):
        for state in random_states(2, seed):
            phases.add(state.phase())
            kinds |= {actions.kind_of(action) for action in state.legal_actions()}
    assert phases == set(architect().rules.schema.by_name["phase"].names)
    assert kinds == set(actions.starts)
