"""Tianshou's PPO: `python -m mastaba.baselines.recipes.tianshou_ppo pyramids --players 2`.

Tianshou steps single environments side by side, so this is not fast; `SeatEnv` puts the mask into the observation, and the actor
takes it from there (only Tianshou's DQN family reads masks by itself). The agent has a random seat, the opponents move in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.observing import Encoder
from ...envs.faces.extras import missing
from ...envs.faces.gymnasium import SeatEnv
from ...envs.registry import game as make_game
from . import observations
from .one_seat import parser_of, run

try:
    import torch
    from tianshou.algorithm import PPO
    from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, CollectStats, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.trainer import OnPolicyTrainerParams
    from torch import nn
except ImportError as error:
    raise missing(error, "tianshou") from None

__all__ = ["TianshouAgent", "train"]

LANES, ROUND = 32, 4096  # environments side by side; decisions between two updates


class Layers(nn.Module):
    """The network of actor or critic, for observations with masks as `SeatEnv` gives them."""

    def __init__(self, seen: Encoder, outputs: int) -> None:
        super().__init__()
        hidden = nn.Linear(seen.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()
        self.net = nn.Sequential(nn.Flatten(-len(seen.shape), -1), *hidden, nn.Linear(128, outputs))

    def numbers(self, seen: Any) -> torch.Tensor:
        return self.net(torch.as_tensor(seen.observation, dtype=torch.float32))


class Actor(Layers):
    def forward(self, seen: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        return self.numbers(seen).masked_fill(torch.as_tensor(seen.action_mask) == 0, -1e9), state


class Critic(Layers):
    def forward(self, seen: Any) -> torch.Tensor:
        return self.numbers(seen)


class TianshouAgent:
    """A trained actor as a player that takes the action it thinks best."""

    def __init__(self, game: Game, actor: Actor, name: str = "tianshou", observation: str = "flat") -> None:
        self.game, self.actor, self.name, self.observation = game, actor, name, observation

    @torch.no_grad()
    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits = self.actor.net(torch.from_numpy(observations(self.game, states, self.observation)))
        return logits.masked_fill(torch.from_numpy(masks[:, : self.game.num_actions] == 0), -1e9).argmax(-1).numpy()


def train(
    game_name: str,
    num_players: int | None = None,
    *,
    steps: int = 50_000,
    opponents: str = "random",
    observation: str = "flat",
    seed: int = 0,
    verbose: bool = False,
) -> tuple[Game, Actor]:
    """Train for `steps` decisions of the agent; return the table and the actor."""
    torch.manual_seed(seed)
    game = make_game(game_name, num_players)
    seen = game.array_encoder(observation, "Tianshou")

    def seat() -> SeatEnv:
        return SeatEnv(game, opponents=opponents, observation=observation, mask_in=("info", "observation"), terminal_mask="ones")

    envs = DummyVectorEnv([seat] * LANES)
    envs.seed(seed)
    actor = Actor(seen, game.num_actions)
    policy = ProbabilisticActorPolicy(
        actor=actor,
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
        action_space=seat().action_space,
        action_scaling=False,
        action_bound_method=None,
    )
    learner = PPO(
        policy=policy,
        critic=Critic(seen, 1),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,  # games end
        max_grad_norm=0.5,
        max_batchsize=ROUND,
    )
    learner.run_training(
        OnPolicyTrainerParams(
            training_collector=Collector[CollectStats](learner, envs, VectorReplayBuffer(ROUND, LANES)),
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=ROUND,
            update_step_num_repetitions=4,
            batch_size=1024,
            verbose=verbose,
            show_progress=verbose,
        )
    )
    return game, actor


if __name__ == "__main__":
    run(parser_of(__doc__, steps=50_000), train, TianshouAgent)
