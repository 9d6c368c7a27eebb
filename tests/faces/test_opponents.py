"""Opponents: names, functions, one per seat, pools drawn per game; nobody sees what is hidden, nobody changes in mid-game."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest

import mastaba
from mastaba.baselines.agents import agent
from mastaba.envs.core.declare.schema import EVERYBODY
from mastaba.envs.core.game import Game
from mastaba.envs.faces.gymnasium import SeatEnv
from mastaba.envs.faces.vector import Duel
from mastaba.making import Phase, PhaseTable, kernel
from mastaba.testing.toy import RULES
from mastaba.testing.toy.actions import ACTIONS, PASS
from mastaba.testing.toy.rules import do_lay, legal_lay
from mastaba.testing.toy.state import LAY, OVER, PHASES

GAME = "pyramids"


def lowest(state: mastaba.State) -> int:
    return state.legal_actions()[0]


def lowest_of_many(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(1)


def finish(env: SeatEnv) -> None:
    """Play on with the lowest legal action."""
    while not env.game_state.is_terminal():
        env.step(int(env.action_masks().argmax()))


def test_a_function_of_a_state_never_sees_the_true_position() -> None:
    """Its own view is the true one, what is hidden is redrawn."""
    asked, differ = 0, 0

    def curious(state: mastaba.State) -> int:
        nonlocal asked, differ
        truth, me = env._state, state.current_player()
        assert state.view(me) == truth.view(me)
        assert state.legal_actions() == truth.legal_actions()
        assert state.to_dict()["rng"] != truth.to_dict()["rng"]
        hidden = [f.name for f in env.game.rules.schema if f.sees != EVERYBODY and f.name != "rng"]
        asked += 1
        differ += any(state.to_dict()[name] != truth.to_dict()[name] for name in hidden)
        return state.legal_actions()[0]

    env = SeatEnv(GAME, 3, opponents=curious)
    env.reset(seed=1)
    finish(env)
    assert asked > 20
    assert differ > 0.9 * asked


def test_a_function_of_observations_is_asked_for_many_games_at_once() -> None:
    sizes: list[int] = []

    def many(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert observations.shape == (len(masks), env.game.encoder().size)
        assert masks.shape[1] == env.game.num_actions
        assert masks.any(1).all()
        sizes.append(len(masks))
        return masks.argmax(1)

    env = Duel(GAME, 16, num_players=2, opponents=many)
    env.reset(seed=1)
    for _ in range(20):
        env.step(env.sample_actions())
    assert max(sizes) > 4


def test_observations_of_functions_are_those_of_their_own_seat() -> None:
    env = SeatEnv(GAME, 3, seat=0, opponents="random")

    def look(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        state = env._state
        assert np.array_equal(observations[0], state.observation(state.current_player()))
        assert np.array_equal(masks[0], state.legal_actions_mask())
        return masks.argmax(1)

    env.opponents = look
    env.reset(seed=3)
    finish(env)


@pytest.mark.parametrize(
    "opponents",
    [["greedy", "random"], {"greedy": 0.5, "random": 0.5}, [lowest, "greedy"], lowest_of_many, {"random": 1, lowest: 2}],
    ids=["one per seat", "a pool", "a function and a kernel", "a function", "a pool with a function"],
)
def test_single_and_vector_environments_play_the_same_games(opponents) -> None:
    single, many = SeatEnv(GAME, 3, opponents=opponents), Duel(GAME, 2, num_players=3, opponents=opponents)
    observation, info = single.reset(seed=8)
    observations, _ = many.reset(seed=[8, 9])
    rng, games = np.random.default_rng(0), 0
    while games < 3:
        assert np.array_equal(observation, observations[0])
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = single.step(action)
        actions = many.sample_actions().copy()
        actions[0] = action
        observations, rewards, terminations, _, _ = many.step(actions)
        assert (reward, terminated) == (pytest.approx(rewards[0]), terminations[0])
        if terminated or truncated:
            observation, info = single.reset()
            observations, _, _, _, _ = many.step(many.sample_actions())
            games += 1


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_who_moves_outside_changes_nothing_about_rewards_and_ends(mode: str) -> None:
    """The same player as a kernel and as a function: the same stream of games, rewards and final observations."""
    inside = Duel(GAME, 3, num_players=2, opponents="greedy", autoreset_mode=mode, reward="score_delta")
    outside = Duel(GAME, 3, num_players=2, opponents=agent(inside.game, "greedy", 0), autoreset_mode=mode, reward="score_delta")
    assert np.array_equal(inside.reset(seed=5)[0], outside.reset(seed=5)[0])
    for _ in range(80):
        actions = inside.sample_actions()
        ours, theirs = inside.step(actions), outside.step(actions)
        for a, b in zip(ours[:4], theirs[:4], strict=True):
            assert np.array_equal(a, b)
        assert ours[4].keys() == theirs[4].keys()
        if "final_obs" in ours[4]:
            for i in np.flatnonzero(ours[4]["_final_obs"]):
                assert np.array_equal(ours[4]["final_obs"][i], theirs[4]["final_obs"][i])


@kernel
def pass_ends_the_game(s, action):
    do_lay(s, action)
    if action == PASS:
        s.over, s.phase = 1, OVER


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_games_that_end_before_the_learners_first_turn_do_not_stay(mode: str) -> None:
    phases = PhaseTable(PHASES, ACTIONS, Phase(LAY, legal_lay, pass_ends_the_game, ("lay", "pass")))
    hasty = Game(replace(RULES, name="hasty", phases=phases, step=phases.do), 2)
    env = Duel(hasty, 8, opponents="random", seat=1, autoreset_mode=mode)
    env.reset(seed=0)
    for _ in range(40):
        env.step(env.sample_actions())
    assert (env.lanes["episode"] > 10).all()


def test_a_pool_is_drawn_anew_for_each_game_and_seat_by_its_weights() -> None:
    env, seen = Duel(GAME, 200, num_players=3, opponents={"greedy": 3, "random": 1}, seat=0), []
    for _ in range(4):
        env.reset()
        seen.append(env.lanes["who"][:, 1:3].copy())
    drawn = np.array(seen)
    assert 0.7 < (drawn == 0).mean() < 0.8  # greedy is number 0
    assert 0.3 < (drawn[0] != drawn[1]).mean() < 0.45
    assert 0.3 < (drawn[:, :, 0] != drawn[:, :, 1]).mean() < 0.45


def test_nobody_changes_in_the_middle_of_a_game() -> None:
    env = Duel(GAME, 8, num_players=2, opponents={"greedy": 1, "random": 1, lowest_of_many: 1}, autoreset_mode="same_step")
    env.reset(seed=1)
    lanes, changes = np.arange(8), 0
    for _ in range(300):
        before, episodes, seats = env.lanes["who"].copy(), env.lanes["episode"].copy(), env.seats.copy()
        env.step(env.sample_actions())
        same_game = env.lanes["episode"] == episodes
        others = (1 - seats)[same_game]
        assert np.array_equal(env.lanes["who"][lanes[same_game], others], before[lanes[same_game], others])
        changes += int((env.lanes["who"] != before)[~same_game].any(1).sum())
    assert changes > 3


def test_new_opponents_wait_for_the_next_game() -> None:
    asked: list[str] = []

    def first(state: mastaba.State) -> int:
        asked.append("first")
        return state.legal_actions()[0]

    def second(state: mastaba.State) -> int:
        asked.append("second")
        return state.legal_actions()[-1]

    env = SeatEnv(GAME, 2, opponents=first)
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(env.action_masks().argmax()))
    env.opponents = second
    assert env.opponents is second
    finish(env)
    assert set(asked) == {"first"}
    asked.clear()
    env.reset()
    finish(env)
    assert set(asked) == {"second"}
    before = env.opponents
    with pytest.raises(ValueError, match="no agent 'wizard'"):
        env.opponents = "wizard"
    assert env.opponents is before


def test_copies_keep_new_opponents() -> None:
    env = Duel(GAME, 3, num_players=2, opponents="random")
    env.reset(seed=1)
    env.opponents = lowest_of_many
    other = copy.deepcopy(env)
    for _ in range(60):
        actions = env.sample_actions()
        assert all(np.array_equal(a, b) for a, b in zip(env.step(actions)[:4], other.step(actions)[:4], strict=True))
    assert other.opponents is lowest_of_many


def test_searchers_are_opponents_and_reproduce() -> None:
    logs = []
    for _ in range(2):
        env = SeatEnv("cheops", 2, opponents="mc:20")
        env.reset(seed=4)
        for _ in range(6):
            env.step(int(env.action_masks().argmax()))
        logs.append(env.game_state.serialize())
    assert logs[0] == logs[1]


@pytest.mark.parametrize("face", [lambda **s: SeatEnv(GAME, 3, **s), lambda **s: Duel(GAME, 2, num_players=3, **s)])
@pytest.mark.parametrize(
    ("opponents", "complaint"),
    [
        ("wizard", "no agent 'wizard' for pyramids, allowed are random, greedy"),
        (["greedy"], "opponents: 3 players need 2, got 1"),
        ([3, 3], "opponents: a name, a function .* is needed, got 3"),
        (7, "opponents: a name, a function .* got 7"),
        ({}, "weights of a pool .* not all 0"),
        ({"greedy": -1}, "weights of a pool"),
        ({"greedy": float("nan")}, "weights of a pool"),
        ({"greedy": "often"}, "weights of a pool"),
        ({"wizard": 1}, "no agent 'wizard'"),
        (lambda a, b, c: 0, "must take \\(observations, masks\\) or \\(state\\), not 3 arguments"),
    ],
)
def test_wrong_opponents_are_refused_with_what_is_needed(face, opponents, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        face(opponents=opponents)


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda state: 40, "opponent <lambda>: pyramids: .* is not legal"),
        (lambda state: 1.5, "opponent <lambda>: actions: whole numbers"),
        (lambda observations, masks: [0, 0, 0], "opponent <lambda>: expected 1 actions"),
    ],
)
def test_a_wrong_answer_names_the_opponent(function, complaint: str) -> None:
    env = SeatEnv(GAME, 2, seat=1, opponents=function)
    with pytest.raises(ValueError, match=complaint):
        env.reset(seed=1)
