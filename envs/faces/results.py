"""How a game ended, as the last info tells it: `scores`, `standings`, `winner` and `breakdown` (see core/play/endings.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.game import Game
from ..core.play.endings import NO_WINNER
from ..core.state import State

__all__ = ["RESULTS", "Results", "result_of"]

RESULTS = ("scores", "standings", "winner", "breakdown")


def result_of(state: State) -> dict[str, Any]:
    """Of one game: lists and numbers as `State` gives them."""
    points, ranks = state.outcome()
    n = state.game.num_players
    standings = ranks[:n].tolist()
    winner = standings.index(0) if standings.count(0) == 1 else NO_WINNER
    return {"scores": points[:n].tolist(), "standings": standings, "winner": winner, "breakdown": state.breakdown()}


class Results:
    """Of many games: what `endings` holds, as arrays with one row per game. Reading records field by field would be slow."""

    def __init__(self, game: Game, endings: np.ndarray) -> None:
        self._rows, self._players = endings.view(np.int64).reshape(len(endings), -1), game.num_players
        fields: Any = endings.dtype.fields
        columns = {name: fields[name][1] // self._rows.itemsize for name in RESULTS}
        self._scores, self._standings, self._winner, self._sheets = columns.values()
        self._shape = (len(endings), *fields["breakdown"][0].shape)

    def tell(self) -> dict[str, np.ndarray]:
        """How the last game of each lane ended; rows of lanes in which none has ended mean nothing. `breakdown` is [games, seats,
        categories] in the order of `game.rules.categories`. Fresh arrays.
        """
        told, n = self._rows.copy(), self._players
        return {
            "scores": told[:, self._scores : self._scores + n],
            "standings": told[:, self._standings : self._standings + n],
            "winner": told[:, self._winner],
            "breakdown": told[:, self._sheets :].reshape(self._shape)[:, :n],
        }
