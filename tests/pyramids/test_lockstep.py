"""The kernels beside the referee."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

import mastaba
from mastaba import Game, State
from mastaba.baselines.agents import agent

from lockstep import load, play, uniform
from pyramids.boards import random_game, sheet, tables

GAMES_IN_LOCKSTEP = 40 * int(os.environ.get("MASTABA_LOCKSTEP", "1"))


def greedy_choice(game: Game) -> Callable[[State, np.random.Generator], int]:
    player = agent(game, "greedy", seed=0)
    return lambda state, rng: int(player.choose(state.record, state.padded_mask)[0])


@tables
def test_random_games_in_lockstep_with_the_referee(num_players: int) -> None:
    game = mastaba.game("pyramids", num_players)
    for seed in range(GAMES_IN_LOCKSTEP):
        play(game, seed)


@tables
def test_greedy_games_in_lockstep_with_the_referee(num_players: int) -> None:
    """Greedy players fill Obelisks and earn the bonus; every other game has one among random ones."""
    game = mastaba.game("pyramids", num_players)
    greedy = greedy_choice(game)

    def one_of_them(state: State, rng: np.random.Generator) -> int:
        return greedy(state, rng) if state.current_player() == 0 else uniform(state, rng)

    for seed in range(max(1, GAMES_IN_LOCKSTEP // 4)):
        play(game, seed, choose=one_of_them if seed % 2 else greedy)


@tables
def test_the_referee_agrees_from_the_middle_of_a_game(num_players: int) -> None:
    *states, _ = random_game(num_players, seed=5)
    play(states[0].game, 5, start=states[len(states) // 2])


@tables
def test_score_sheets_are_those_of_the_referee(num_players: int) -> None:
    for state in random_game(num_players, seed=8):
        sheets = [[*sheet(state, p).values(), sum(sheet(state, p).values())] for p in range(num_players)]
        assert sheets == [load(state).score_row(p) for p in range(num_players)]
