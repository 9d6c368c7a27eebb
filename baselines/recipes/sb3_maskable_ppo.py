"""sb3-contrib's MaskablePPO on the native VecEnv: `python -m mastaba.baselines.recipes.sb3_maskable_ppo pyramids --players 2`.

The agent has a random seat; the opponents (`--opponents random` or `greedy`) move inside the kernel. SB3 knows nothing of several
players, so this is the way to train against a fixed opponent; for self-play see masked_ppo.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ...envs.core.game import Game
from ...envs.faces.extras import missing
from ...envs.faces.sb3 import DuelVecEnv
from ...envs.registry import game as make_game
from ..agents import agent
from ..tournament import Result, evaluate
from . import observations

try:
    from sb3_contrib import MaskablePPO
except ImportError as error:
    raise missing(error, "train") from None

__all__ = ["SB3Agent", "train"]


class SB3Agent:
    """A trained model as a player that takes the action it thinks best."""

    def __init__(self, game: Game, model: MaskablePPO, name: str = "sb3", observation: str = "flat") -> None:
        self.game, self.model, self.name, self.observation = game, model, name, observation

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        legal = masks[:, : self.game.num_actions]
        return self.model.predict(observations(self.game, states, self.observation), action_masks=legal, deterministic=True)[0]


def train(
    game_name: str,
    num_players: int | None = None,
    *,
    steps: int = 500_000,
    opponents: str = "random",
    observation: str = "flat",
    seed: int = 0,
    verbose: int = 0,
) -> tuple[Game, MaskablePPO]:
    """Train for `steps` decisions of the agent."""
    game = make_game(game_name, num_players)
    env = DuelVecEnv(game, 64, opponents=opponents, observation=observation, reward="win")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        learning_rate=lambda left: 1e-3 * left + 1e-5,
        ent_coef=0.01,
        gamma=1.0,  # games end
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        verbose=verbose,
        device="cpu",
    )
    return game, model.learn(steps)


def results(game: Game, model: MaskablePPO, games: int = 1000, observation: str = "flat") -> list[Result]:
    player = SB3Agent(game, model, observation=observation)
    return [evaluate(game, player, agent(game, name, seed=1), games, seed=2**40) for name in ("random", "greedy")]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("game")
    arguments.add_argument("--players", type=int)
    arguments.add_argument("--steps", type=int, default=500_000)
    arguments.add_argument("--opponents", default="random", help="random or greedy")
    arguments.add_argument("--observation", default="flat", help="an encoder: flat, planes, tokens, lookahead")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--out", type=Path, help="where to save the model (.zip)")
    given = arguments.parse_args()
    try:
        game, model = train(
            given.game,
            given.players,
            steps=given.steps,
            opponents=given.opponents,
            observation=given.observation,
            seed=given.seed,
            verbose=1,
        )
    except ValueError as error:
        arguments.error(str(error))
    if given.out:
        model.save(given.out)
    print(*results(game, model, observation=given.observation), sep="\n")


if __name__ == "__main__":
    main()
