"""PettingZoo's naming: `from mastaba.envs import pyramidice_v0; pyramidice_v0.env(num_players=4)`."""

from .core.aec import faces_of

env, raw_env, wrapped_env, parallel_env = faces_of("pyramidice")
