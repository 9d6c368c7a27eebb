"""Puts every game into Gymnasium's and PettingZoo's registries. Happens on `import mastaba`."""

from __future__ import annotations

import gymnasium
import pettingzoo

from .registry import GAMES

__all__ = ["gymnasium_id", "register_all"]

VERSION = 0


def gymnasium_id(game: str) -> str:
    """`mastaba/MasterArchitect-v0` for `master_architect`."""
    return f"mastaba/{game.title().replace('_', '')}-v{VERSION}"


def register_all() -> None:
    for game in GAMES:
        _register(gymnasium_id(game), game=game)
        _register_aec(f"mastaba/{game}-v{VERSION}", f"mastaba.envs.{game}_v{VERSION}:env")
    if "pyramidice" in GAMES:
        _register(f"mastaba/PyramidiceSolo-v{VERSION}", game="pyramidice", num_players=1)


def _register_aec(name: str, entry_point: str) -> None:
    """PettingZoo has a registry since 1.27."""
    if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, entry_point)


def _register(name: str, **kwargs: object) -> None:
    if name not in gymnasium.registry:
        gymnasium.register(
            id=name,
            entry_point="mastaba.envs.core.single:SeatEnv",
            vector_entry_point="mastaba.envs.core.vector:Duel",
            kwargs=kwargs,
        )
