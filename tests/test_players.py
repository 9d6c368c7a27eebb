"""The named players: legal, reproducible, leaving the state alone, and better than chance."""

from __future__ import annotations

import numpy as np
import pytest

import mastaba
from mastaba import Game
from mastaba.baselines.agents import act, agent, policy_names
from mastaba.baselines.tournament import evaluate, play_games, wilson
from mastaba.testing import positions


def test_every_named_player_chooses_legally_and_changes_nothing(table: Game) -> None:
    states = [s for s in positions(table, 12, seed=3) if not s.is_terminal()]
    for name in policy_names(table):
        player = agent(table, name, seed=1)
        for state in states:
            before = state.serialize()
            mask = state.legal_actions_mask()
            action = int(player.choose(state.record, state.padded_mask)[0])
            assert action in state.legal_actions(), name
            assert state.serialize() == before
            assert np.array_equal(state.legal_actions_mask(), mask)


def test_nobody_chooses_in_a_finished_game(table: Game) -> None:
    end = positions(table, 1, seed=3)[0]
    assert end.is_terminal()
    for name in (*policy_names(table), "mc:4", "mcts:4", "rollout:4"):
        player = agent(table, name, seed=1)
        with pytest.raises(ValueError, match=f"^{player.name} was asked in a finished game of {table.name}$"):
            act(player, end)
        assert player.choose(end.record, end.padded_mask).tolist() == [0], name


def test_rule_based_players_do_not_peek(table: Game) -> None:
    """The same choice in every position that the player cannot tell apart."""
    for state in positions(table, 9, seed=13):
        if state.is_terminal():
            continue
        for name in policy_names(table)[1:]:
            choices = {
                int(agent(table, name, seed=1).choose(s.record, s.padded_mask)[0])
                for s in (state, *(state.determinize(state.current_player(), seed=d) for d in range(3)))
            }
            assert len(choices) == 1, name


def test_greedy_beats_random(table: Game) -> None:
    """Far above the fair share, with the lower end of the interval; the pages have the figures."""
    if table.num_players == 1:
        return  # nobody to beat; solo results are measured elsewhere
    result = evaluate(table, agent(table, "greedy", 1), agent(table, "random", 2), games=40)
    assert result.low > 1.5 / table.num_players or result.low > 0.8


def test_random_against_random_is_fair() -> None:
    game = mastaba.game("pyramids", num_players=3)
    result = evaluate(game, agent(game, "random", 1), agent(game, "random", 2), games=600)
    assert result.low < 1 / 3 < result.high


def test_the_interval_is_wilsons() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-3)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)


def test_games_do_not_depend_on_how_many_are_played_together() -> None:
    game = mastaba.game("pyramids", num_players=2)
    seats = np.zeros((6, 2), np.int64)
    many, _, _ = play_games(game, seats, [agent(game, "greedy", 1)], seed=4)
    one, _, _ = play_games(game, seats[:1], [agent(game, "greedy", 1)], seed=4)
    assert many[0].tolist() == one[0].tolist()
