"""mastaba: five pyramid-building board games as fast reinforcement-learning environments."""

from .envs.core import vector
from .envs.core.game import TERMINAL, Game, IllegalActionError, State
from .envs.registration import register_all
from .envs.registry import GAMES, game

__version__ = "0.1.0"
__all__ = ["GAMES", "TERMINAL", "Game", "IllegalActionError", "State", "game", "vector"]

register_all()
