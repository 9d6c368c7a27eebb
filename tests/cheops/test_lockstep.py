"""Games in lockstep with the referee."""

from __future__ import annotations

import os

import numpy as np
import pytest

from mastaba import State
from mastaba.baselines.agents import agent

import lockstep
from cheops.by_hand import PLAYERS, cheops

LOCKSTEP_GAMES = 40 * int(os.environ.get("MASTABA_LOCKSTEP", "1"))


@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_agree_with_the_referee(players: int) -> None:
    game = cheops(players)
    for seed in range(LOCKSTEP_GAMES):
        lockstep.play(game, seed)


@pytest.mark.parametrize("policy", ["greedy", "rush"])
@pytest.mark.parametrize("players", PLAYERS)
def test_games_of_good_players_agree_with_the_referee(players: int, policy: str) -> None:
    game = cheops(players)
    player = agent(game, policy, seed=1)

    def choose(state: State, rng: np.random.Generator) -> int:
        return int(player.choose(state.record, state.padded_mask)[0])

    for seed in range(LOCKSTEP_GAMES // 8):
        lockstep.play(game, 1000 + seed, choose)
