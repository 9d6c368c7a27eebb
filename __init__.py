"""mastaba: five pyramid-building board games as fast reinforcement-learning environments.

What is listed in `__all__` is public; where it lives is not. Interfaces are imported when they are first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import encoders  # makes the encoders known
from .encoders import register_encoder
from .envs.core.game import Game
from .envs.core.state import TERMINAL, IllegalActionError, State
from .envs.faces.registration import register_all
from .envs.registry import GAMES, game, register_game

if TYPE_CHECKING:
    from . import testing
    from .envs.faces import openspiel, rllib, sb3, vector

__version__ = "0.3.0"
__all__ = [
    "GAMES",
    "TERMINAL",
    "Game",
    "IllegalActionError",
    "State",
    "encoders",
    "game",
    "openspiel",
    "register_encoder",
    "register_game",
    "rllib",
    "sb3",
    "testing",
    "vector",
]

_LAZY = {name: f".envs.faces.{name}" for name in ("openspiel", "rllib", "sb3", "vector")} | {"testing": ".testing"}

register_all()


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return import_module(_LAZY[name], __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
