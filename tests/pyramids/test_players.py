"""The greedy player and what it thinks a position is worth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given, settings

import mastaba
from mastaba import Game, State
from mastaba.baselines.agents import agent
from mastaba.baselines.greedy.pyramids import VALUE, turns_to_go

from lockstep import load, uniform
from pyramids.boards import any_seed, any_table, position, random_game, tables
from pyramids.greedy_by_brute_force import choose as plan_by_brute_force


def greedy_choice(game: Game) -> Callable[[State, np.random.Generator], int]:
    player = agent(game, "greedy", seed=0)
    return lambda state, rng: int(player.choose(state.record, state.padded_mask)[0])


@tables
def test_greedy_finds_the_plan_that_brute_force_finds(num_players: int) -> None:
    game = mastaba.game("pyramids", num_players)
    greedy = greedy_choice(game)
    rng = np.random.default_rng(num_players)
    for seed in range(2):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            action = greedy(state, rng)
            assert action == plan_by_brute_force(load(state)), str(state)
            # one seat plays at random, so that the others meet discards, empty hands and lost positions
            state.apply_action(uniform(state, rng) if state.current_player() == seed else action)


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=10, deadline=None)
def test_greedy_looks_only_at_what_it_may_know(num_players: int, seed: int) -> None:
    greedy = greedy_choice(mastaba.game("pyramids", num_players))
    rng = np.random.default_rng(seed)
    for state in random_game(num_players, seed):
        if not state.is_terminal():
            same_to_me = state.determinize(state.current_player(), seed=seed)
            assert greedy(state, rng) == greedy(same_to_me, rng)


# --- What a position is worth --------------------------------------------------------------------------------------------------


def worth(state: State) -> list[float]:
    return [float(VALUE(state.record[0], p)) for p in range(state.game.num_players)]


def test_more_points_are_worth_more() -> None:
    plain = position(3, 6, "god")
    for better in ({"obelisks": {0: [94, 24, 57]}}, {"tombs": {0: [90, 95, 100]}}):
        assert worth(position(3, 6, "god", **better))[0] > worth(plain)[0] + 1


def test_a_majority_is_worth_more_the_nearer_the_end() -> None:
    """An early lead can still be caught up with."""
    early, late = (position(3, round, "god", tombs={0: [90, 101, 102]}) for round in (4, 10))
    gained = [worth(state)[0] - worth(position(3, round, "god"))[0] for state, round in ((early, 4), (late, 10))]
    assert gained[1] > gained[0] > 0


def test_a_turn_to_come_is_worth_something() -> None:
    """Two players alike, of whom one has had the turn of this round with nothing to show for it but a card of the Pyramid."""
    state = position(2, 5, "pair", seat=1, tile="khepri")
    assert turns_to_go(state.record[0], 1) - turns_to_go(state.record[0], 0) == 1
    assert worth(state)[1] - worth(state)[0] > state.scores()[1] - state.scores()[0]


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=10, deadline=None)
def test_the_value_of_a_position_is_what_its_player_may_know(num_players: int, seed: int) -> None:
    for state in list(random_game(num_players, seed))[::5]:
        for p in range(num_players):
            assert worth(state.determinize(p, seed=seed))[p] == worth(state)[p]


def test_the_value_orders_players_as_the_end_of_the_game_will() -> None:
    """After six of ten rounds of greedy play the better judged of two players wins far more often than not."""
    game, right, games = mastaba.game("pyramids", 2), 0, 150
    greedy, rng = greedy_choice(game), np.random.default_rng(0)
    for seed in range(games):
        state = game.new_initial_state(seed=seed)
        judged: list[float] = []
        while not state.is_terminal():
            if state.record["round"][0] == 7 and not judged:
                judged = worth(state)
            weak = seed % 2 == state.current_player() and rng.random() < 0.3
            state.apply_action(uniform(state, rng) if weak else greedy(state, rng))
        one, other = state.scores()
        right += (judged[0] > judged[1]) == (one > other)
    assert right > 0.75 * games
