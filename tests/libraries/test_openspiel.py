"""OpenSpiel's own tests, searches and tools on every game, against the real library."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts
from open_spiel.python.bots import uniform_random

import mastaba
from mastaba import Game
from mastaba.baselines.agents import agent
from mastaba.envs.registry import rules


def load(name: str, players: int | None = None):
    return mastaba.openspiel.load(name, players)


def play_chance(state, rng: np.random.RandomState):
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_openspiels_own_test(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=2, serialize=True, verbose=False)


def test_every_table_plays_to_the_end(table: Game) -> None:
    game, rng = mastaba.openspiel.load(table), np.random.RandomState(1)
    state, chances = game.new_initial_state(), 0
    while not state.is_terminal():
        chances += state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    assert chances >= 1
    assert state.position is not None
    assert state.returns() == pytest.approx(state.position.returns())
    assert all(game.min_utility() <= r <= game.max_utility() for r in state.returns())
    assert len(state.history()) <= game.max_game_length() + game.max_chance_nodes_in_history()


def test_games_are_known_to_pyspiel_by_name_with_their_parameters() -> None:
    from mastaba import openspiel  # noqa: F401 - makes them known

    game = pyspiel.load_game("mastaba_giza(players=4)")
    assert game.num_players() == 4
    assert str(pyspiel.load_game(str(game))) == str(game)
    solo = pyspiel.load_game("mastaba_pyramidice(players=1)")
    assert solo.num_players() == 1
    with pytest.raises(ValueError, match="9 players are not possible"):
        load("giza", 9)


def test_chance_stands_where_chance_is() -> None:
    """The outcomes of a chance node lead to different games; an action that draws nothing is followed by no chance node."""
    state = play_chance(load("cheops").new_initial_state(), np.random.RandomState(0))
    rolls = set()
    while not state.is_chance_node():
        before = state.position.clone()
        action = state.legal_actions()[-1]
        state.apply_action(action)
        assert state.is_chance_node() == before.is_chance_next(action)
    for outcome in range(20):
        child = state.child(outcome)
        rolls.add(str(child.position))
        assert str(state.child(outcome).position) == str(child.position)
    assert len(rolls) > 5


def test_a_resampled_state_looks_the_same_to_its_player_and_hides_something_else() -> None:
    rng = np.random.RandomState(3)
    state = load("pyramids", 3).new_initial_state()
    for _ in range(25):
        play_chance(state, rng)
        state.apply_action(rng.choice(state.legal_actions()))
    play_chance(state, rng)
    player, sampler = state.current_player(), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    others = [state.resample_from_infostate(player, sampler) for _ in range(5)]
    for other in others:
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.legal_actions() == state.legal_actions()
    assert len({bytes(other.position.serialize()) for other in [state, *others]}) == 6


def test_information_states_tell_players_apart_and_hide_secrets() -> None:
    rng = np.random.RandomState(3)
    state = play_chance(load("pyramids", 2).new_initial_state(), rng)
    for _ in range(12):
        state.apply_action(rng.choice(state.legal_actions()))
        play_chance(state, rng)
    mine, theirs = (state.information_state_string(p) for p in range(2))
    assert mine != theirs
    assert state.observation_tensor(0) == pytest.approx(state.position.observation(0).reshape(-1))


def test_clones_go_their_own_way() -> None:
    rng = np.random.RandomState(3)
    state = play_chance(load("pyramids", 2).new_initial_state(), rng)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert len(clone.history()) == len(state.history()) + 1
    assert clone.position != state.position


@pytest.mark.parametrize("which", ["cheops", "pyramids"])
def test_pythons_mcts_searches(which: str) -> None:
    game, rng = load(which, 2), np.random.RandomState(2)
    bot = mcts.MCTSBot(game, 2.0, 5, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = play_chance(game.new_initial_state(), rng)
    assert bot.step(state) in state.legal_actions()


def test_ismcts_searches() -> None:
    game, rng = load("pyramids", 2), np.random.RandomState(2)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 5, random_state=rng)
    state = play_chance(game.new_initial_state(), rng)
    assert bot.step(state) in state.legal_actions()


def test_rl_environment_steps() -> None:
    env = rl_environment.Environment(load("pyramids", 2))
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == env.observation_spec()["info_state"][0]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == pytest.approx(0)


def test_bots_meet() -> None:
    game, rng = load("pyramids", 2), np.random.RandomState(2)
    bots = [uniform_random.UniformRandomBot(p, rng) for p in range(2)]
    assert sum(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)) == pytest.approx(0)


@pytest.mark.parametrize("kind", ["openspiel:mcts:3", "openspiel:ismcts:3", "openspiel:random"])
def test_bots_are_players_by_name(kind: str) -> None:
    game = mastaba.game("pyramids", 2)
    state = game.new_initial_state(seed=1)
    picks = [agent(game, kind, seed=5).choose(state.record, state.padded_mask).tolist() for _ in range(2)]
    assert picks[0] == picks[1]
    assert picks[0][0] in state.legal_actions()


def test_a_wrong_bot_is_refused_with_what_is_allowed() -> None:
    for name in ("openspiel:", "openspiel:mcts", "openspiel:mcts:0", "openspiel:alphago:3", "openspiel:random:3"):
        with pytest.raises(ValueError, match="allowed are openspiel:mcts:SIMULATIONS"):
            agent(mastaba.game("pyramids", 2), name)


@pytest.mark.parametrize("mistake", [{"num_players": "2"}, {"num_players": 17}, {"colour": "red"}])
def test_mistakes_are_named(mistake: dict) -> None:
    with pytest.raises((ValueError, TypeError), match=r"allowed are|no option 'colour'"):
        mastaba.openspiel.load("pyramids", **mistake)


def test_every_game_is_registered() -> None:
    assert {f"mastaba_{name}" for name in mastaba.GAMES} <= set(pyspiel.registered_names())
    hidden = pyspiel.load_game("mastaba_pyramids").get_type().information
    assert hidden == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert rules("cheops").default_players == pyspiel.load_game("mastaba_cheops").num_players()
