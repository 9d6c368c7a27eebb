"""Recipe 3, against the real Ray RLlib on a local Ray. Runs in an environment of its own: Ray pins gymnasium."""

from __future__ import annotations

import numpy as np
import pytest
import ray
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from mastaba import rllib
from mastaba.baselines.agents import agent
from mastaba.baselines.recipes.rllib_ppo import RLlibAgent, train
from mastaba.baselines.tournament import evaluate


def test_keys_are_those_that_rllib_looks_for():
    env = rllib.env({"game": "pyramids", "num_players": 3})
    seen, _ = env.reset(seed=1)
    (player,) = seen
    assert list(seen[player]) == ["action_mask", "observations"]
    assert env.observation_spaces[player].contains(seen[player])
    assert seen[player]["action_mask"].sum() > 1


def test_a_whole_game_pays_every_seat_once():
    env = rllib.env({"game": "pyramids", "num_players": 3})
    seen, _ = env.reset(seed=1)
    earned = dict.fromkeys(env.possible_agents, 0.0)
    over = False
    while not over:
        actions = {player: int(view["action_mask"].argmax()) for player, view in seen.items()}
        seen, rewards, terminated, truncated, _ = env.step(actions)
        for player, reward in rewards.items():
            earned[player] += reward
        over = terminated["__all__"] or truncated["__all__"]
    assert set(seen) == set(env.possible_agents)
    assert sum(earned.values()) == pytest.approx(0)
    assert max(earned.values()) > 0
    assert all(np.all(view["action_mask"] == 1) for view in seen.values())


def test_rllib_accepts_the_environment():
    check_multiagent_environments(rllib.env({"game": "pyramids", "num_players": 2}))


def test_a_short_run_on_pyramids_beats_random():
    """The start is a coin toss: an untrained module draws at random; ten thousand decisions later it wins nine games in ten."""
    game, algorithm = train("pyramids", 2, iterations=5)
    try:
        result = evaluate(game, RLlibAgent(game, algorithm), agent(game, "random", seed=1), games=400)
        assert result.low > 0.85, str(result)
    finally:
        algorithm.stop()
        ray.shutdown()
