"""TorchRL's PPO on the native vector environment: `python -m mastaba.baselines.recipes.torchrl_ppo pyramids --players 2`.

TorchRL's `GymWrapper` takes the whole batch as it is; masks come with the infos and go into `MaskedCategorical`. The agent has a
random seat, the opponents (`--opponents`, a name or a pool) move inside the kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.observing import Encoder
from ...envs.faces.extras import missing
from ...envs.faces.vector import Duel
from ...envs.registry import game as make_game
from . import observations
from .one_seat import parser_of, run

try:
    import torch
    from tensordict.nn import TensorDictModule
    from torch import nn
    from torchrl.collectors import Collector
    from torchrl.envs import GymWrapper, InitTracker, TransformedEnv
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
except ImportError as error:
    raise missing(error, "torchrl") from None

__all__ = ["TorchRLAgent", "train"]

LANES, STEPS, EPOCHS, MINIBATCH = 64, 64, 4, 1024


class TorchRLAgent:
    """A trained network as a player that takes the action it thinks best."""

    def __init__(self, game: Game, network: nn.Module, name: str = "torchrl", observation: str = "flat") -> None:
        self.game, self.network, self.name, self.observation = game, network, name, observation

    @torch.no_grad()
    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits = self.network(torch.from_numpy(observations(self.game, states, self.observation)))
        illegal = torch.from_numpy(masks[:, : self.game.num_actions] == 0)
        return logits.masked_fill(illegal, -torch.inf).argmax(-1).numpy()


def layers(seen: Encoder, outputs: int) -> nn.Module:
    """Whatever the shape of an observation, its numbers are read in a row."""
    in_a_row = nn.Flatten(-len(seen.shape), -1)
    return nn.Sequential(in_a_row, nn.Linear(seen.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, outputs))


def train(
    game_name: str,
    num_players: int | None = None,
    *,
    steps: int = 100_000,
    opponents: str = "random",
    observation: str = "flat",
    seed: int = 0,
    verbose: bool = False,
) -> tuple[Game, nn.Module]:
    """Train for `steps` decisions of the agent; return the table and the network of its policy."""
    torch.manual_seed(seed)
    game = make_game(game_name, num_players)
    seats = Duel(game, LANES, opponents=opponents, observation=observation, autoreset_mode="same_step")
    env = TransformedEnv(GymWrapper(seats, categorical_action_encoding=True), InitTracker())
    env.set_seed(seed)
    seen = game.array_encoder(observation, "TorchRL")
    network = layers(seen, game.num_actions)
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        spec=env.action_spec,
        distribution_class=_legal_only,
        return_log_prob=True,
    )
    critic = ValueOperator(layers(seen, 1), in_keys=["observation"])
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic)  # games end
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for batch in Collector(env, actor, frames_per_batch=LANES * STEPS, total_frames=steps):
        with torch.no_grad():
            advantages(batch)
        decisions = batch.reshape(-1)
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(decisions)).split(MINIBATCH):
                parts = loss(decisions[chosen])
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        if verbose:
            print(f"mean result of {int(batch['next', 'done'].sum())} games: {_mean_result(batch):+.2f}", flush=True)
    return game, network


def _legal_only(logits: torch.Tensor, mask: torch.Tensor) -> MaskedCategorical:
    return MaskedCategorical(logits=logits, mask=mask.bool())


def _mean_result(batch: Any) -> float:
    return float(batch["next", "reward"][batch["next", "done"]].mean())


if __name__ == "__main__":
    run(parser_of(__doc__, steps=100_000), train, TorchRLAgent)
