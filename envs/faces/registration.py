"""Every game in Gymnasium's and PettingZoo's registries, and as a module of PettingZoo's kind. Happens on `import mastaba`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import gymnasium
import pettingzoo

from ..registry import GAMES, SOLO, version_of

__all__ = ["gymnasium_id", "register", "register_all", "versioned_module"]

PACKAGE = "mastaba.envs"


def gymnasium_id(game: str, suffix: str = "") -> str:
    """`mastaba/MasterArchitect-v1` for `master_architect`."""
    return f"mastaba/{game.title().replace('_', '')}{suffix}-v{version_of(game)}"


def register_all() -> None:
    for game in GAMES:
        register(game)


def register(game: str) -> None:
    """Gymnasium: one seat against opponents; PettingZoo: all seats."""
    _register_seat(gymnasium_id(game), game=game)
    if game in SOLO:
        _register_seat(gymnasium_id(game, "Solo"), game=game, num_players=1)
    module = versioned_module(game)
    name = f"mastaba/{game}-v{version_of(game)}"
    if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:  # since PettingZoo 1.27
        pettingzoo.register("aec", name, f"{module.__name__}:env")


def _register_seat(name: str, **kwargs: object) -> None:
    if name not in gymnasium.registry:
        gymnasium.register(
            id=name,
            entry_point="mastaba.envs.faces.gymnasium:SeatEnv",
            vector_entry_point="mastaba.envs.faces.vector:Duel",
            order_enforce=False,  # the environments check by themselves; a wrapper would only hide `action_masks`
            disable_env_checker=True,
            kwargs=kwargs,
        )


class _VersionedModule(ModuleType):
    """`mastaba.envs.giza_v1`: PettingZoo's env, raw_env, wrapped_env and parallel_env of one game, made when first asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from .pettingzoo import faces_of

        faces = faces_of(self.__dict__["game"])
        if name not in faces:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}, there are {', '.join(faces)}")
        self.__dict__.update(faces)
        return faces[name]


def versioned_module(game: str) -> ModuleType:
    """The module of PettingZoo's kind, importable by its name."""
    name = f"{PACKAGE}.{game}_v{version_of(game)}"
    if name not in sys.modules:
        module = _VersionedModule(name, f"PettingZoo's naming: `from {PACKAGE} import {name.rpartition('.')[2]}`.")
        module.__dict__["game"] = game
        sys.modules[name] = module
        setattr(sys.modules[PACKAGE], name.rpartition(".")[2], module)
    return sys.modules[name]
