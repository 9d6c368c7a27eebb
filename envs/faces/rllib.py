"""Ray RLlib (new API stack): the game as a MultiAgentEnv, and the module that reads the masks.

RLlib's action-masking module wants the keys `observations` and `action_mask`; PettingZoo's are `observation` and `action_mask`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Dict

from .extras import missing
from .pettingzoo import BoardGameEnv

try:
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env
except ImportError as error:
    raise missing(error, "ray") from None

__all__ = ["ENV", "MODULE", "RLlibEnv", "env", "masked_module"]

ENV = "mastaba"  # RLlib takes functions only by a registered name
MODULE = "shared"  # one module plays all seats


class RenamedKeys(BoardGameEnv):
    """Observations under RLlib's name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        space = self.observation_spaces[self.possible_agents[0]]
        if not isinstance(space, Dict):
            raise ValueError("mask_in='info' is not possible: RLlib looks for the mask in the observation")
        self.game.array_encoder(self._encoder.name, "RLlib")
        renamed = Dict({"action_mask": space["action_mask"], "observations": space["observation"]})
        self.observation_spaces = dict.fromkeys(self.possible_agents, renamed)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = super().observe(agent)
        return {"action_mask": seen["action_mask"], "observations": seen["observation"]}


class RLlibEnv(PettingZooEnv):
    """RLlib's own wrapper, with a `render` that fits PettingZoo's of today."""

    def render(self) -> Any:
        return self.env.render()


def env(config: dict[str, Any]) -> RLlibEnv:
    """For `config.environment("mastaba", env_config={"game": "giza", "num_players": 3})`; settings as in `BoardGameEnv`.

    After the end all actions count as legal: RLlib takes logarithms of the mask also where nothing is left to decide.
    """
    return RLlibEnv(RenamedKeys(**{"terminal_mask": "ones", **config}))


def masked_module(hidden: tuple[int, ...] = (256, 256)) -> RLModuleSpec:
    """The module that never plays an illegal action, ready for `config.rl_module(rl_module_spec=...)`."""
    layers = {"fcnet_hiddens": list(hidden), "fcnet_activation": "relu", "vf_share_layers": False}
    return RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=layers)


register_env(ENV, env)
