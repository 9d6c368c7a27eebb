"""sb3-contrib's MaskablePPO on the native VecEnv: `python -m mastaba.baselines.recipes.sb3_maskable_ppo pyramids --players 2`.

The agent has a random seat; the opponents (`--opponents random` or `greedy`) move inside the kernel. SB3 knows nothing of several
players, so this is the way to train against a fixed opponent; for self-play see masked_ppo.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...envs.core.game import Game
from ...envs.faces.extras import missing
from ...envs.faces.sb3 import DuelVecEnv
from ...envs.registry import game as make_game
from . import observations
from .one_seat import parser_of, run

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


def main() -> None:
    parser = parser_of(__doc__, steps=500_000)
    parser.add_argument("--out", type=Path, help="where to save the model (.zip)")
    given, model = run(parser, train, SB3Agent)
    if given.out:
        model.save(given.out)


if __name__ == "__main__":
    main()
