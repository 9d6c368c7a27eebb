"""Recipe 1, against the real Stable-Baselines3 and sb3-contrib."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from mastaba.baselines.agents import agent
from mastaba.baselines.recipes.sb3_maskable_ppo import SB3Agent, train
from mastaba.baselines.tournament import evaluate
from mastaba.envs.faces.gymnasium import SeatEnv
from mastaba.envs.faces.registration import gymnasium_id
from mastaba.envs.faces.sb3 import DuelVecEnv


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def first_legal(env: DuelVecEnv) -> np.ndarray:
    return get_action_masks(env).argmax(1)


def test_masks_come_as_one_array():
    env = DuelVecEnv("pyramids", 8, num_players=3)
    env.reset()
    assert is_masking_supported(env)
    masks = env.env_method("action_masks")
    assert isinstance(masks, np.ndarray)
    assert masks.shape == (8, env.action_space.n)
    assert (masks.sum(1) > 1).all()
    assert len(env.env_method("action_masks", indices=[1, 3])) == 2


def test_games_are_those_of_the_gymnasium_environment():
    """Observations, rewards, ends, terminal observations and episode statistics, game after game."""
    many = DuelVecEnv("pyramids", 3, num_players=2, opponents="greedy", reward="margin")
    many.seed(7)
    seen = many.reset()
    single = SeatEnv("pyramids", 2, opponents="greedy", reward="margin")
    alone, _ = single.reset(seed=9)
    games, earned, decisions = 0, 0.0, 0
    while games < 3:
        assert np.array_equal(seen[2], alone)
        action = first_legal(many)
        seen, rewards, done, infos = many.step(action)
        alone, reward, terminated, truncated, _ = single.step(action[2])
        earned, decisions = earned + reward, decisions + 1
        assert rewards[2] == pytest.approx(reward)
        assert done[2] == (terminated or truncated)
        assert infos[2]["TimeLimit.truncated"] is truncated
        if done[2]:
            assert np.array_equal(infos[2]["terminal_observation"], alone)
            assert infos[2]["episode"]["r"] == pytest.approx(earned)
            assert infos[2]["episode"]["l"] == decisions
            assert infos[2]["episode"]["t"] >= 0
            alone, _ = single.reset()
            games, earned, decisions = games + 1, 0.0, 0


def test_every_step_gives_new_infos_and_arrays():
    env = DuelVecEnv("pyramids", 4, num_players=2)
    before = env.reset()
    copy = before.copy()
    _, _, _, infos = env.step(first_legal(env))
    infos[0]["written by SB3"] = True
    _, _, _, again = env.step(first_legal(env))
    assert len({id(info) for info in (*infos, *again)}) == 8
    assert all("written by SB3" not in info for info in again)
    assert np.array_equal(before, copy)


def test_a_truncated_game_says_so(monkeypatch):
    env = DuelVecEnv("pyramids", 2, num_players=2)
    env.reset()
    step = env.games.step

    def ends(observations):
        results = dict.fromkeys(("scores", "standings", "winner", "breakdown"), np.zeros((2, 2)))
        return {"final_obs": np.array([observations[0], None], object), "final_info": results}

    def cut_short(actions):
        observations, rewards, _, _, infos = step(actions)
        cut = np.array([True, False])
        return observations, rewards, ~cut & False, cut, {**infos, **ends(observations)}

    monkeypatch.setattr(env.games, "step", cut_short)
    _, _, done, infos = env.step(first_legal(env))
    assert done.tolist() == [True, False]
    assert infos[0]["TimeLimit.truncated"] is True
    assert "terminal_observation" in infos[0]
    assert "terminal_observation" not in infos[1]


def test_the_same_seed_gives_the_same_games():
    one, other = DuelVecEnv("pyramids", 4, num_players=2), DuelVecEnv("pyramids", 4, num_players=2)
    one.seed(3)
    other.seed(3)
    assert np.array_equal(one.reset(), other.reset())
    assert not np.array_equal(one.reset(), DuelVecEnv("pyramids", 4, num_players=2).reset())


def test_sb3_tools_work_on_it():
    env = VecMonitor(DuelVecEnv("pyramids", 4, num_players=2))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, device="cpu").learn(256)
    mean, _ = evaluate_policy(model, env, n_eval_episodes=8, warn=False)
    assert -1 <= mean <= 1
    assert len(model.ep_info_buffer) > 0


def test_an_unknown_opponent_is_named():
    with pytest.raises(ValueError, match="no agent 'nobody' for pyramids"):
        DuelVecEnv("pyramids", 4, num_players=2, opponents="nobody")


def test_a_short_run_on_pyramids_beats_random():
    game, model = train("pyramids", 2, steps=50_000)
    result = evaluate(game, SB3Agent(game, model), agent(game, "random", seed=1), games=400)
    assert result.low > 0.9, str(result)


def test_the_last_info_tells_the_result():
    env = DuelVecEnv("pyramids", 4, num_players=2)
    env.reset()
    done = np.zeros(4, bool)
    while not done.any():
        _, rewards, done, infos = env.step(first_legal(env))
    for i in np.flatnonzero(done):
        assert infos[i]["winner"] in (-1, 0, 1)
        assert (infos[i]["standings"].min(), infos[i]["scores"].shape) == (0, (2,))
        assert infos[i]["breakdown"].sum(1).tolist() == infos[i]["scores"].tolist()
        assert (rewards[i] == 0) == (infos[i]["winner"] == -1)
    assert all("scores" not in infos[i] for i in np.flatnonzero(~done))


def test_sb3_asks_for_monitor_options_and_pictures():
    env = DuelVecEnv("pyramids", 2, num_players=2, render_mode="rgb_array")
    assert env.env_is_wrapped(Monitor) == [True, True]
    assert env.env_is_wrapped(ActionMasker) == [False, False]
    env.set_options({"anything": 1})
    assert env.seed(5) == [5, 6]
    env.reset()
    assert len({picture.shape for picture in env.get_images()}) == 1
    assert env.render().dtype == np.uint8


def test_opponents_can_be_exchanged_between_games():
    env = DuelVecEnv("pyramids", 2, num_players=2, opponents={"random": 1, "greedy": 1})
    env.reset()
    env.set_attr("opponents", lambda observations, masks: masks.argmax(1))
    for _ in range(60):
        env.step(first_legal(env))
    assert callable(env.get_attr("opponents")[0])


def test_action_masker_finds_the_masks_by_name():
    env = ActionMasker(gymnasium.make(gymnasium_id("pyramids")), "action_masks")
    MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=16, n_epochs=1, device="cpu").learn(32)
    assert is_masking_supported(env)


def test_finished_games_are_replaced_at_once():
    with pytest.raises(TypeError, match="autoreset_mode"):
        DuelVecEnv("pyramids", 2, autoreset_mode="next_step")
