"""Ray RLlib's PPO on the new API stack: `python -m mastaba.baselines.recipes.rllib_ppo pyramids --players 2 --iterations 20`.

All seats are one module with action masking. On this machine Ray starts by itself; `--address ray://head:10001` runs the same on a
cluster (mastaba must be installed on its nodes), and `--runners` says how many processes play.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.faces.extras import missing
from ...envs.faces.rllib import ENV, MODULE, masked_module
from ...envs.registry import game as make_game
from ..agents import agent
from ..tournament import Result, evaluate
from . import observations

try:
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPO, PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
except ImportError as error:
    raise missing(error, "ray") from None

__all__ = ["RLlibAgent", "config", "train"]


class RLlibAgent:
    """A trained module as a player that takes the action it thinks best."""

    def __init__(self, game: Game, algorithm: PPO, name: str = "rllib", observation: str = "flat") -> None:
        self.game, self.module, self.name, self.observation = game, algorithm.get_module(MODULE), name, observation

    @torch.no_grad()
    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        seen = torch.from_numpy(observations(self.game, states, self.observation))
        legal = torch.from_numpy(masks[:, : self.game.num_actions].astype(np.float32))
        answer = self.module.forward_inference({Columns.OBS: {"observations": seen, "action_mask": legal}})
        return answer[Columns.ACTION_DIST_INPUTS].argmax(-1).numpy()


def config(game: Game, runners: int = 0, batch: int = 4096, seed: int = 0, observation: str = "flat") -> PPOConfig:
    """PPO as RLlib has it; a starting point, not a tuned one. Its network reads a row of numbers: `flat` or `lookahead`."""
    if len(game.array_encoder(observation, "RLlib").shape) > 1:
        raise ValueError(f"observation={observation!r} is not possible in this recipe: its network reads one row of numbers")
    table = {"game": game.name, "num_players": game.num_players, "observation": observation}
    return (
        PPOConfig()
        .environment(ENV, env_config={**table, **game.options})
        .multi_agent(policies={MODULE}, policy_mapping_fn=lambda agent_id, episode, **_: MODULE)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={MODULE: masked_module()}))
        .env_runners(num_env_runners=runners)
        .training(
            lr=5e-4,
            gamma=1.0,  # games end
            lambda_=0.95,
            entropy_coeff=0.01,
            clip_param=0.2,
            vf_loss_coeff=0.5,
            train_batch_size_per_learner=batch,
            minibatch_size=512,
            num_epochs=4,
        )
        .debugging(seed=seed, log_level="ERROR")
    )


def train(
    game_name: str,
    num_players: int | None = None,
    *,
    iterations: int = 20,
    address: str | None = None,
    runners: int = 0,
    observation: str = "flat",
    seed: int = 0,
    verbose: bool = False,
) -> tuple[Game, PPO]:
    """Train for `iterations` of 4096 decisions, on a local Ray or on the cluster at `address`."""
    game = make_game(game_name, num_players)
    setup = config(game, runners, seed=seed, observation=observation)
    if not ray.is_initialized():
        ray.init(address=address, include_dashboard=False, log_to_driver=False)
    algorithm = setup.build_algo()
    for i in range(iterations):
        news = algorithm.train()
        if verbose:
            print(f"iteration {i + 1}/{iterations}: {_summary(news)}", flush=True)
    return game, algorithm


def _summary(news: dict[str, Any]) -> str:
    runners = news["env_runners"]
    return f"{runners['num_env_steps_sampled_lifetime']:.0f} decisions, {runners.get('episode_len_mean', 0):.0f} per game"


def results(game: Game, algorithm: PPO, games: int = 1000, observation: str = "flat") -> list[Result]:
    player = RLlibAgent(game, algorithm, observation=observation)
    return [evaluate(game, player, agent(game, name, seed=1), games, seed=2**40) for name in ("random", "greedy")]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("game")
    arguments.add_argument("--players", type=int)
    arguments.add_argument("--iterations", type=int, default=20)
    arguments.add_argument("--address", help="of a Ray cluster; without it, a local Ray is started")
    arguments.add_argument("--runners", type=int, default=0, help="processes that play; 0: the learner plays itself")
    arguments.add_argument("--observation", default="flat", help="an encoder: flat or lookahead")
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    try:
        game, algorithm = train(
            given.game,
            given.players,
            iterations=given.iterations,
            address=given.address,
            runners=given.runners,
            observation=given.observation,
            seed=given.seed,
            verbose=True,
        )
    except ValueError as error:
        arguments.error(str(error))
    print(*results(game, algorithm, observation=given.observation), sep="\n")
    ray.shutdown()


if __name__ == "__main__":
    main()
