"""Training with standard libraries, one readable file each."""

from __future__ import annotations

import numpy as np

from ...envs.core.game import Game

__all__ = ["observations"]


def observations(game: Game, states: np.ndarray, encoder: str = "flat") -> np.ndarray:
    """What the player to act sees in each state."""
    return game.encoder(encoder).look(np.ascontiguousarray(states), states["current_player"].astype(np.int64))
