"""The faces: PettingZoo AEC, Gymnasium, batches. Conformance with the libraries' own tests, and our promises beyond them."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import warnings
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

import mastaba
from mastaba import Game, IllegalActionError
from mastaba.baselines.agents import agent
from mastaba.envs.faces.gymnasium import SeatEnv
from mastaba.envs.faces.pettingzoo import BoardGameEnv
from mastaba.envs.faces.registration import gymnasium_id
from mastaba.envs.faces.vector import Duel, SelfPlay
from mastaba.envs.registry import rules

GAME = "pyramids"


def module_of(name: str):
    return import_module(f"mastaba.envs.{rules(name).versioned_name}")


def random_legal(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0


# --- PettingZoo --------------------------------------------------------------------------------------------------------------


def test_pettingzoo_api(table: Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(BoardGameEnv(table), num_cycles=200)


def test_pettingzoo_seeds(name: str) -> None:
    seed_test(module_of(name).env, num_cycles=50)


def test_pettingzoo_rendering(name: str, capsys: pytest.CaptureFixture) -> None:
    render_test(module_of(name).env)


def test_pettingzoo_parallel(name: str) -> None:
    parallel_api_test(module_of(name).parallel_env(), num_cycles=50)


def test_the_stock_wrappers_still_fit(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(module_of(name).wrapped_env(), num_cycles=100)


def test_pettingzoo_knows_the_games_by_id(name: str) -> None:
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27", reason="older versions have no registry")
    env = pettingzoo.make("aec", f"mastaba/{name}-v{rules(name).version}") if hasattr(pettingzoo, "make") else module_of(name).env()
    env.reset(seed=1)
    assert str(env.unwrapped) == rules(name).versioned_name


def test_the_aec_env_plays_the_same_game_as_the_state_face(table: Game) -> None:
    env, state = BoardGameEnv(table), table.new_initial_state(seed=9)
    env.reset(seed=9)
    rng = np.random.default_rng(0)
    for agent_name in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        assert agent_name == f"player_{state.current_player()}"
        assert np.array_equal(observation["action_mask"], state.legal_actions_mask())
        assert np.array_equal(observation["observation"], state.observation())
        assert info == {}
        action = random_legal(observation["action_mask"], rng)
        env.step(action)
        state.apply_action(action)
    assert state.is_terminal()


def test_everybody_is_paid_at_the_end_and_told_so(table: Game) -> None:
    env = BoardGameEnv(table)
    env.reset(seed=2)
    rng, told = np.random.default_rng(0), {}
    for name in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            told[name] = reward
        env.step(None if terminated or truncated else random_legal(observation["action_mask"], rng))
    expected = env.game_state.returns("win")
    assert [told[f"player_{p}"] for p in range(table.num_players)] == pytest.approx(expected)
    assert env.agents == []


def test_score_deltas_add_up_to_the_final_scores(table: Game) -> None:
    env = BoardGameEnv(table, reward="score_delta")
    env.reset(seed=3)
    start, total, rng = env.game_state.scores(), np.zeros(table.num_players), np.random.default_rng(0)
    while not env.game_state.is_terminal():
        env.step(random_legal(env.observe(env.agent_selection)["action_mask"], rng))
        total += [env.rewards[a] for a in env.possible_agents]
    expected = (np.array(env.game_state.scores()) - start) / table.rules.score_scale
    assert total == pytest.approx(expected)


def test_only_the_player_to_act_has_a_mask() -> None:
    env = module_of(GAME).env(num_players=3)
    env.reset(seed=1)
    masks = {a: env.observe(a)["action_mask"] for a in env.agents}
    assert masks[env.agent_selection].any()
    assert not any(masks[a].any() for a in env.agents if a != env.agent_selection)
    assert all(m.dtype == np.int8 for m in masks.values())


def test_an_illegal_action_forfeits_by_default(table: Game) -> None:
    env = BoardGameEnv(table)
    env.reset(seed=1)
    mover = env.agent_selection
    wrong = next(a for a in range(table.num_actions) if not env.observe(mover)["action_mask"][a])
    env.step(wrong)
    assert env.rewards == {a: (-1.0 if a == mover else 0.0) for a in env.possible_agents}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    for a in env.possible_agents:
        assert not env.observe(a)["action_mask"].any()
    while env.agents:
        env.step(None)


def test_an_illegal_action_raises_if_asked_for_and_changes_nothing() -> None:
    env = module_of(GAME).env(illegal="raise")
    env.reset(seed=1)
    before = env.game_state.serialize()
    with pytest.raises(IllegalActionError, match="legal are"):
        env.step(40)
    assert env.game_state.serialize() == before


def test_a_living_player_must_act() -> None:
    env = module_of(GAME).env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="still playing"):
        env.step(None)


def test_masks_can_go_into_infos_and_be_ones_at_the_end() -> None:
    env = module_of(GAME).env(mask_in=("observation", "info"), terminal_mask="ones")
    env.reset(seed=1)
    observation, _, _, _, info = env.last()
    assert np.array_equal(info["action_mask"], observation["action_mask"])
    env.step(40)
    assert env.observe("player_0")["action_mask"].all()


def test_masks_only_in_infos_leave_a_plain_vector() -> None:
    env = module_of(GAME).env(mask_in="info")
    api_test(env, num_cycles=50)
    env.reset(seed=1)
    observation, _, _, _, info = env.last()
    assert env.observation_space("player_0") is env.game.encoder().space
    assert env.game.encoder().space.contains(observation)
    assert np.array_equal(info["action_mask"], env.game_state.legal_actions_mask())


def test_a_refused_action_keeps_what_was_earned() -> None:
    env = module_of(GAME).env(num_players=2, illegal="raise", reward="score_delta")
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    while env.last()[1] == 0:
        env.step(random_legal(env.observe(env.agent_selection)["action_mask"], rng))
    earned = env.last()[1]
    with pytest.raises(IllegalActionError):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmin()))
    assert env.last()[1] == earned


@pytest.mark.parametrize("face", [BoardGameEnv, SeatEnv, Duel])
def test_a_game_that_is_given_cannot_be_changed(face) -> None:
    """A misspelt setting must not vanish."""
    game = mastaba.game(GAME, num_players=2)
    assert face(game, num_players=2).game is game
    with pytest.raises(ValueError, match="is a table of 2 already: num_players=3"):
        face(game, num_players=3)
    with pytest.raises(ValueError, match="rewrad='margin' cannot be set"):
        face(game, rewrad="margin")


duplicates = pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))], ids=["deepcopy", "pickle"]
)


@duplicates
def test_a_copied_batch_plays_on_alike_and_alone(duplicate) -> None:
    env = mastaba.vector.make(GAME, num_envs=3, num_players=2, seed=4)
    for _ in range(30):
        env.step(env.sample_actions())
    other = duplicate(env)
    for _ in range(60):
        for batch in (env, other):
            batch.step(batch.sample_actions())
        assert np.array_equal(other.observations, env.observations)
        assert np.array_equal(other.action_masks, env.action_masks)
        assert np.array_equal(other.lanes, env.lanes)
    before = other.observations.copy()
    env.step(env.sample_actions())
    assert np.array_equal(other.observations, before)


@duplicates
def test_a_copied_vector_env_plays_on_alike(duplicate) -> None:
    env = Duel(GAME, 3, num_players=2, opponents="greedy", autoreset_mode="same_step")
    env.reset(seed=4)
    other = duplicate(env)
    for _ in range(60):
        results = [batch.step(batch.sample_actions()) for batch in (env, other)]
        assert all(np.array_equal(a, b) for a, b in zip(*(r[:4] for r in results), strict=True))


@duplicates
def test_a_copied_single_env_keeps_its_opponents_dice(duplicate) -> None:
    env = SeatEnv(GAME, 3, opponents="random", seat=1)
    env.reset(seed=4)
    other = duplicate(env)
    for seed in (None, 9):
        if seed is not None:
            env.reset(seed=seed), other.reset(seed=seed)
        for _ in range(10):
            action = int(env.action_masks().argmax())
            assert np.array_equal(env.step(action)[0], other.step(action)[0])


def test_nothing_can_be_played_before_the_first_reset() -> None:
    env = Duel(GAME, 3)
    for use in (env.sample_actions, lambda: env.step(np.zeros(3, int)), lambda: SeatEnv(GAME).step(0)):
        with pytest.raises(RuntimeError, match="call reset"):
            use()


@duplicates
def test_a_copied_environment_keeps_the_game(duplicate) -> None:
    env = module_of(GAME).env(num_players=2)
    env.reset(seed=5)
    rng = np.random.default_rng(0)
    for _ in range(20):
        env.step(random_legal(env.observe(env.agent_selection)["action_mask"], rng))
    other = duplicate(env)
    assert other.game_state == env.game_state
    action = random_legal(env.observe(env.agent_selection)["action_mask"], rng)
    env.step(action)
    assert other.game_state != env.game_state
    other.step(action)
    assert other.game_state == env.game_state
    assert np.array_equal(other.observe("player_1")["observation"], env.observe("player_1")["observation"])


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"illegal": "shrug"}, "illegal='shrug' is not possible, allowed are 'terminate', 'raise'"),
        ({"reward": "gold"}, "reward='gold' is not possible, allowed are 'win', 'margin', 'score_delta'"),
        ({"observation": "smell"}, "observation='smell' is not possible"),
        ({"render_mode": "hologram"}, "render_mode='hologram' is not possible"),
        ({"num_players": 9}, "9 players are not possible, allowed are 2, 3, 4, 5"),
    ],
)
def test_wrong_settings_are_refused_with_what_is_allowed(settings: dict, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        module_of(GAME).env(**settings)


# --- Gymnasium, one environment ----------------------------------------------------------------------------------------------


def test_gymnasium_check_env(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make(gymnasium_id(name), opponents="random").unwrapped, skip_render_check=True)


def test_the_dict_observation_carries_the_mask() -> None:
    env = gymnasium.make(gymnasium_id(GAME), mask_in=("observation", "info"))
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert np.array_equal(observation["action_mask"], info["action_mask"])
    assert np.array_equal(env.get_wrapper_attr("action_masks")(), info["action_mask"])


def test_the_single_env_is_lane_zero_of_the_vector_env(table: Game) -> None:
    """Same seed, same seats, same opponents' dice, same rewards, through several games."""
    single, many = SeatEnv(table), Duel(table, 1)
    observation, info = single.reset(seed=17)
    observations, infos = many.reset(seed=17)
    rng, games = np.random.default_rng(0), 0
    while games < 3:
        assert single.seat == many.seats[0]
        assert np.array_equal(observation, observations[0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        action = random_legal(info["action_mask"], rng)
        observation, reward, terminated, truncated, info = single.step(action)
        observations, rewards, terminations, truncations, infos = many.step(np.array([action]))
        assert (reward, terminated, truncated) == (pytest.approx(rewards[0]), terminations[0], truncations[0])
        if terminated or truncated:
            observation, info = single.reset()
            observations, _, _, _, infos = many.step(np.array([0]))
            games += 1


# --- Gymnasium, many ---------------------------------------------------------------------------------------------------------


def test_make_vec_gives_the_native_batch(name: str) -> None:
    env = gymnasium.make_vec(gymnasium_id(name), num_envs=3, opponents="random")
    assert isinstance(env.unwrapped, Duel)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert infos["action_mask"].shape == (3, env.single_action_space.n)  # type: ignore[attr-defined]
    env.step(env.action_space.sample())


def run_duel(mode: str, steps: int = 400, seed: int = 3) -> list[tuple]:
    env, rng, log = Duel(GAME, 4, num_players=2, autoreset_mode=mode), np.random.default_rng(0), []
    observations, infos = env.reset(seed=seed)
    for _ in range(steps):
        actions = np.array([random_legal(m, rng) for m in infos["action_mask"]])
        observations, rewards, terminated, truncated, infos = env.step(actions)
        log.append((observations, rewards, terminated, truncated, infos))
        if mode == "disabled" and terminated.any():
            observations, infos = env.reset(options={"reset_mask": terminated})
    return log


def test_next_step_autoreset_shows_the_end_then_ignores_one_action() -> None:
    log = run_duel("next_step")
    ends = [(t, i) for t, (_, _, terminated, _, _) in enumerate(log[:-1]) for i in np.flatnonzero(terminated)]
    assert ends
    for t, i in ends:
        assert log[t][1][i] in (-1.0, 0.0, 1.0)
        assert not log[t][4]["action_mask"][i].any()
        _, rewards, terminated, _, infos = log[t + 1]
        assert rewards[i] == 0
        assert not terminated[i]
        assert infos["action_mask"][i].any()


def test_same_step_autoreset_carries_the_final_observation() -> None:
    log = run_duel("same_step")
    ends = [(t, i) for t, (_, _, terminated, _, _) in enumerate(log) for i in np.flatnonzero(terminated)]
    assert ends
    for t, i in ends:
        observations, _, _, _, infos = log[t]
        assert infos["_final_obs"][i]
        assert not np.array_equal(infos["final_obs"][i], observations[i])
        assert infos["action_mask"][i].any()


def test_disabled_autoreset_waits_for_the_reset_mask() -> None:
    log = run_duel("disabled")
    assert sum(terminated.sum() for _, _, terminated, _, _ in log) >= 8
    env = Duel(GAME, 2, num_players=2, autoreset_mode="disabled")
    env.reset(seed=1)
    env.step(np.array([40, 40]))
    assert env.states["over"].all()
    _, rewards, terminated, _, _ = env.step(np.array([0, 0]))
    assert not rewards.any()
    assert not terminated.any()
    _, infos = env.reset(options={"reset_mask": np.array([True, False])})
    assert infos["action_mask"][0].any()
    assert not infos["action_mask"][1].any()


def test_no_action_is_drawn_for_games_that_have_not_begun_or_are_over() -> None:
    env = Duel(GAME, 3, num_players=2, autoreset_mode="disabled")
    env.reset(seed=1, options={"reset_mask": np.array([True, False, True])})
    with pytest.raises(RuntimeError, match=r"not all games have begun: call reset\(\)"):
        env.sample_actions()
    env.reset(seed=1)
    env.step(np.array([40, *env.sample_actions()[1:]]))
    assert env.states["over"].tolist() == [1, 0, 0]
    for _ in range(20):
        actions = env.sample_actions()
        assert actions[0] == 0
        assert (env.masks[np.arange(1, 3), actions[1:]] == 1).all()


def test_vector_rewards_are_the_returns_of_the_seat() -> None:
    env = Duel(GAME, 16, num_players=3, autoreset_mode="disabled", opponents="random", seat=1)
    _, infos = env.reset(seed=1)
    rng, total, done = np.random.default_rng(0), np.zeros(16), np.zeros(16, bool)
    while not done.all():
        _, rewards, terminated, _, infos = env.step(np.array([random_legal(m, rng) for m in infos["action_mask"]]))
        total += rewards
        done |= terminated
    assert total.tolist() == pytest.approx([env.game_state(i).returns("win")[1] for i in range(16)])


def test_illegal_actions_forfeit_in_the_vector_env_too() -> None:
    env = Duel(GAME, 2, num_players=2, illegal="terminate")
    env.reset(seed=1)
    _, rewards, terminated, truncated, _ = env.step(np.array([40, -7]))
    assert rewards.tolist() == [-1, -1]
    assert terminated.all()
    assert not truncated.any()
    strict = Duel(GAME, 2, num_players=2, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="environment 0: action 40 is not legal; legal are"):
        strict.step(np.array([40, 40]))


def test_vector_seeds_are_seed_plus_lane_or_a_list() -> None:
    env = Duel(GAME, 3, num_players=2)
    first, _ = env.reset(seed=10)
    second, _ = env.reset(seed=[12, 11, 10])
    assert np.array_equal(first[2], second[0])
    assert np.array_equal(first[1], second[1])
    with pytest.raises(ValueError, match="expected 3 seeds, got 2"):
        env.reset(seed=[1, 2])


def test_gymnasiums_own_benchmark_runs() -> None:
    from gymnasium.utils.performance import benchmark_vector_step

    env = gymnasium.make_vec(gymnasium_id(GAME), num_envs=4)
    assert benchmark_vector_step(env, target_duration=1, seed=1) > 0


# --- Self-play ---------------------------------------------------------------------------------------------------------------


def play_batch(game: Game, lanes: int, threads: int, steps: int, seed: int) -> tuple[bytes, bytes, bytes]:
    env = SelfPlay(game, lanes, threads=threads, seed=seed)
    rewards = []
    for _ in range(steps):
        _, r, _, _, _ = env.step(env.sample_actions())
        rewards.append(r[:4].copy())
    return env.states[:4].tobytes(), env.observations[:4].tobytes(), np.array(rewards).tobytes()


def test_the_same_games_for_any_batch_size(table: Game) -> None:
    assert play_batch(table, 4, 1, 150, seed=5) == play_batch(table, 37, 1, 150, seed=5)


def test_the_same_games_for_any_number_of_threads() -> None:
    game = mastaba.game(GAME, num_players=3)
    assert play_batch(game, 64, 1, 150, seed=5) == play_batch(game, 64, 2, 150, seed=5)


def test_duels_are_the_same_for_any_number_of_threads() -> None:
    logs = []
    for threads in (1, 2):
        env = Duel(GAME, 9, num_players=2, opponents="greedy", autoreset_mode="same_step", threads=threads)
        env.reset(seed=3)
        logs.append([[a.tobytes() for a in env.step(env.sample_actions())[:4]] for _ in range(100)])
    assert logs[0] == logs[1]


def test_compiled_duels_work_from_the_cache_in_a_new_process() -> None:
    """A cached kernel must not rely on threads that only compiling would have started."""
    code = f"""
from mastaba.envs.faces.vector import Duel
env = Duel({GAME!r}, 3, num_players=2)
env.reset(seed=1)
for _ in range(50):
    env.step(env.sample_actions())
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], check=True)


def test_threads_after_a_serial_batch_work_from_the_cache_too() -> None:
    """Machine code that is loaded later must not be bound to private functions of what was loaded before."""
    code = f"""
import mastaba
for threads in (1, 2):
    batch = mastaba.vector.make({GAME!r}, num_envs=64, num_players=3, threads=threads, seed=5)
    batch.step(batch.sample_actions())
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process_goes_on_after_threads() -> None:
    code = f"""
import os, mastaba
from mastaba.envs.faces.vector import Duel
batch = mastaba.vector.make({GAME!r}, num_envs=64, threads=2, seed=1)
duel = Duel({GAME!r}, 64, threads=2)
duel.reset(seed=1)
batch.step(batch.sample_actions())
child = os.fork()
batch.step(batch.sample_actions())
duel.step(duel.sample_actions())
if child == 0:
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_self_play_shows_the_view_of_the_player_to_act_and_pays_all_seats(table: Game) -> None:
    env = SelfPlay(table, 5, seed=1)
    finished = 0
    for _ in range(400):
        for i in range(5):
            state = env.game_state(i)
            assert env.current_player[i] == state.current_player()
            assert np.array_equal(env.action_masks[i], state.legal_actions_mask())
        lane = int(env._sampling[0, 0] % np.uint64(5))
        state = env.game_state(lane)
        assert np.array_equal(env.observations[lane], state.observation())
        actions = env.sample_actions().copy()
        nexts = [env.game_state(i) for i in range(5)]
        _, rewards, terminated, truncated, _ = env.step(actions)
        for i, after in enumerate(nexts):
            after.apply_action(actions[i])
            assert after.is_terminal() == (terminated[i] or truncated[i])
            assert rewards[i].tolist() == pytest.approx(after.returns("win"))
            finished += after.is_terminal()
        if finished >= 5:
            break
    assert finished


def test_a_step_of_a_batch_allocates_no_arrays() -> None:
    env = mastaba.vector.make(GAME, num_envs=16, num_players=2, seed=1)
    first = [id(a) for a in env.step(env.sample_actions())[:4]]
    assert [id(a) for a in env.step(env.sample_actions())[:4]] == first


def test_a_forfeit_pays_nobody_what_the_step_before_earned() -> None:
    """Dense rewards are written at every step: none may be left over when a game ends without scoring."""
    env = mastaba.vector.make(GAME, num_envs=1, num_players=3, reward="score_delta", autoreset_mode="disabled", seed=1)
    while not (env.rewards[0] > 0).any():
        env.step(env.sample_actions())
    mover = env.current_player[0]
    _, rewards, terminated, _, _ = env.step(np.array([-1]))
    assert terminated[0]
    assert rewards[0].tolist() == [-1.0 if p == mover else 0.0 for p in range(3)]


def test_a_forfeited_game_leaves_its_score() -> None:
    env = mastaba.vector.make(GAME, num_envs=1, num_players=2, autoreset_mode="disabled", seed=1)
    while not any(env.game_state(0).scores()):
        env.step(env.sample_actions())
    scores = env.game_state(0).scores()
    env.step(np.array([-1]))
    assert env.points[0].tolist() == scores


@pytest.mark.parametrize("threads", [1, 2])
def test_chosen_games_of_a_batch_begin_anew(threads: int) -> None:
    env = mastaba.vector.make(GAME, num_envs=70, num_players=2, threads=threads, seed=1)
    for _ in range(9):
        env.step(env.sample_actions())
    before, which = env.states.copy(), np.arange(70) % 3 == 0
    env.reset(seed=5, which=which)
    assert np.array_equal(env.states[~which], before[~which])
    for i in np.flatnonzero(which):
        assert env.game_state(i) == env.game.new_initial_state(seed=5 + int(i))


def test_batches_refuse_wrong_settings() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"threads": 0}, "threads=0 is not possible"),
        ({"autoreset_mode": "later"}, "autoreset_mode='later' is not possible, allowed are 'next_step', 'NextStep'"),
        ({"num_envs": 0}, "at least one environment"),
    )
    for settings, complaint in wrong:
        with pytest.raises(ValueError, match=complaint):
            mastaba.vector.make(GAME, **{"num_envs": 2, **settings})
    env = mastaba.vector.make(GAME, num_envs=2)
    with pytest.raises(ValueError, match="expected 2 actions"):
        env.step(np.zeros(3, int))


def test_random_players_by_name_reproduce_with_a_seed() -> None:
    game = mastaba.game(GAME, num_players=2)
    state = game.new_initial_state(seed=1)
    picks = [[int(agent(game, "random", seed).choose(state.record, state.padded_mask)[0]) for _ in range(3)] for seed in (1, 1, 2)]
    assert picks[0] == picks[1]


# --- How a game ended --------------------------------------------------------------------------------------------------------


def expected_result(state: mastaba.State) -> dict:
    ranks = state.standings()
    winner = ranks.index(0) if ranks.count(0) == 1 else -1
    return {"scores": state.scores(), "standings": ranks, "winner": winner, "breakdown": state.breakdown()}


def test_the_last_info_of_an_aec_game_tells_the_result(table: Game) -> None:
    env, rng = BoardGameEnv(table), np.random.default_rng(0)
    env.reset(seed=2)
    while not env.game_state.is_terminal():
        assert env.infos == {agent: {} for agent in env.agents}
        env.step(random_legal(env.observe(env.agent_selection)["action_mask"], rng))
    assert env.infos == {agent: expected_result(env.game_state) for agent in env.possible_agents}


def test_the_last_info_of_a_seat_tells_the_result(name: str) -> None:
    env, rng, over = SeatEnv(name), np.random.default_rng(0), False
    _, info = env.reset(seed=2)
    while not over:
        assert set(info) == {"action_mask"}
        _, _, terminated, truncated, info = env.step(random_legal(info["action_mask"], rng))
        over = terminated or truncated
    del info["action_mask"]
    assert {value.dtype for value in info.values()} == {np.dtype(np.int64)}, "TorchRL makes tensors of them"
    result = expected_result(env.game_state)
    result["breakdown"] = [list(sheet.values()) for sheet in result["breakdown"]]
    assert {key: value.tolist() for key, value in info.items()} == result


@pytest.mark.parametrize("reward", ["win", "score_delta"])
@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_vector_infos_tell_the_result(mode: str, reward: str) -> None:
    env, ends = Duel(GAME, 4, num_players=3, autoreset_mode=mode, reward=reward), 0
    twin = Duel(GAME, 4, num_players=3, autoreset_mode="disabled")  # the same games, left as they ended
    env.reset(seed=2)
    twin.reset(seed=2)
    while not ends:
        before, actions = [env.game_state(i) for i in range(4)], env.sample_actions()
        _, _, terminated, _, infos = env.step(actions)
        twin.step(actions)
        told = infos.get("final_info", {}) if mode == "same_step" else infos
        assert ("scores" in told) == terminated.any()
        for i in np.flatnonzero(terminated):
            ended = twin.game_state(i)
            assert ended.is_terminal()
            assert not before[i].is_terminal()
            result = expected_result(ended)
            sheets = [list(sheet.values()) for sheet in result.pop("breakdown")]
            assert told["breakdown"][i].tolist() == sheets
            assert {key: told[key][i].tolist() for key in result} == result
            assert [bool(told[f"_{key}"][i]) for key in result] == [True] * 3
            ends += 1


def test_observations_that_were_given_are_never_written_again() -> None:
    env = Duel(GAME, 4, num_players=3)
    given = [env.reset(seed=2)[0]]
    kept = [given[0].copy()]
    some = np.array([True, False, True, False])
    for again in (lambda: env.step(env.sample_actions()), lambda: env.reset(options={"reset_mask": some}), env.reset):
        given.append(again()[0])
        kept.append(given[-1].copy())
    assert (given[2][~some] == given[1][~some]).all(), "games that go on look the same"
    assert all((now == then).all() for now, then in zip(given, kept, strict=True))


@pytest.mark.parametrize("reward", ["win", "score_delta"])
def test_self_play_tells_the_result(reward: str) -> None:
    env = mastaba.vector.make(GAME, 4, 2, reward=reward, autoreset_mode="disabled", seed=1)
    infos: dict = {}
    while "scores" not in infos:
        _, _, terminated, truncated, infos = env.step(env.sample_actions())
    for i in np.flatnonzero(terminated | truncated):
        state = env.game_state(i)
        assert infos["scores"][i].tolist() == state.scores()
        assert infos["standings"][i].tolist() == state.standings()
    assert infos["_scores"].tolist() == (terminated | truncated).tolist()


@pytest.mark.parametrize("make", [lambda **s: Duel(GAME, 2, **s), lambda **s: mastaba.vector.make(GAME, 2, seed=1, **s)])
def test_a_terminal_mask_of_ones_in_batches(make) -> None:
    env = make(terminal_mask="ones", autoreset_mode="next_step")
    env.reset(seed=1)
    _, _, terminated, _, infos = env.step(np.array([-1, int(env.masks[1].argmax())]))
    assert terminated.tolist() == [True, False]
    assert infos["action_mask"][0].all()
    assert not infos["action_mask"][1].all()
    _, _, _, _, infos = env.step(np.array([0, int(env.masks[1].argmax())]))
    assert not infos["action_mask"][0].all()


def test_frames_have_one_size_and_come_from_vector_environments_too(name: str) -> None:
    pytest.importorskip("thorvg_python")
    single, rng = SeatEnv(name, render_mode="rgb_array"), np.random.default_rng(0)
    _, info = single.reset(seed=1)
    shapes, over = {single.render().shape}, False
    while not over:
        for _ in range(12):
            if not over:
                _, _, terminated, truncated, info = single.step(random_legal(info["action_mask"], rng))
                over = terminated or truncated
        shapes.add(single.render().shape)
    many = Duel(name, 2, render_mode="rgb_array")
    many.reset(seed=1)
    shapes |= {frame.shape for frame in many.render() or ()}
    assert len(shapes) == 1
    assert all(side % 2 == 0 for side in next(iter(shapes))[:2]), "video codecs want even sides"
