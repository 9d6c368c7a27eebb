"""The recipe for TorchRL, against the real one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mastaba.baselines.agents import agent
from mastaba.baselines.recipes import torchrl_ppo
from mastaba.baselines.recipes.torchrl_ppo import LANES, STEPS, TorchRLAgent, train
from mastaba.baselines.tournament import evaluate
from mastaba.envs.faces.vector import Duel


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def test_a_short_run_on_pyramids_beats_random():
    """Three rounds of 4096 decisions: a few seconds."""
    game, network = train("pyramids", 2, steps=3 * LANES * STEPS)
    result = evaluate(game, TorchRLAgent(game, network), agent(game, "random", seed=1), games=400)
    assert result.low > 0.85, str(result)


def test_masks_fit_the_games_that_follow_in_the_same_lane(monkeypatch):
    """TorchRL replaces observations of finished games by itself; were a mask left behind, the next move would be a forfeit."""
    legal = []

    class Watched(Duel):
        def step(self, actions):
            legal.append(self.masks[np.arange(LANES), actions].copy())
            return super().step(actions)

    monkeypatch.setattr(torchrl_ppo, "Duel", Watched)
    train("pyramids", 2, steps=2 * LANES * STEPS)
    played = np.array(legal[-2 * STEPS :])  # GymWrapper first tries the environment out, with actions of any kind
    assert played.shape == (2 * STEPS, LANES)
    assert played.all()
