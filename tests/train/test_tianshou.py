"""The recipe for Tianshou, against the real one."""

from __future__ import annotations

import pytest
import torch

from mastaba.baselines.agents import agent
from mastaba.baselines.recipes import tianshou_ppo
from mastaba.baselines.recipes.tianshou_ppo import ROUND, TianshouAgent, train
from mastaba.baselines.tournament import evaluate
from mastaba.envs.faces.gymnasium import SeatEnv


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def test_a_short_run_on_pyramids_beats_random_with_legal_moves(monkeypatch):
    """Three rounds of 4096 decisions: a few seconds."""
    monkeypatch.setattr(tianshou_ppo, "SeatEnv", lambda *table, **settings: SeatEnv(*table, illegal="raise", **settings))
    game, actor = train("pyramids", 2, steps=3 * ROUND)
    result = evaluate(game, TianshouAgent(game, actor), agent(game, "random", seed=1), games=400)
    assert result.low > 0.85, str(result)
