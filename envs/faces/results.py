"""How a game ended, as the last info tells it: `scores`, `standings`, `winner` and `breakdown`.

scores      points of each seat
standings   rank of each seat after tie-breaks, 0 is the best
winner      the seat that won alone; NO_WINNER if nobody did (a shared victory, or an automaton won)
breakdown   points by category
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.game import Game
from ..core.state import State

__all__ = ["NO_WINNER", "RESULTS", "result_of", "results_of", "rows_of", "winners_of"]

NO_WINNER = -1
RESULTS = ("scores", "standings", "winner", "breakdown")


def result_of(state: State) -> dict[str, Any]:
    """Of one game: lists and numbers as `State` gives them."""
    points, ranks = state.outcome()
    n = state.game.num_players
    standings = ranks[:n].tolist()
    return {
        "scores": points[:n].tolist(),
        "standings": standings,
        "winner": standings.index(0) if standings.count(0) == 1 else NO_WINNER,
        "breakdown": state.breakdown(),
    }


def results_of(
    game: Game, states: np.ndarray, over: np.ndarray, counted: tuple[np.ndarray, np.ndarray] | None = None
) -> dict[str, np.ndarray]:
    """Of those of many games that are `over`, one row per game (rows of the others mean nothing). `counted`: points and ranks, if
    somebody has them already. `breakdown` is [games, seats, categories] in the order of `game.rules.categories`.
    """
    n, which = game.num_players, np.flatnonzero(over)
    points, ranks = counted or _outcomes(game, states, which)
    sheets = _sheets(game, states, which)[:, :n] if game.rules.parts else points[:, :, None].copy()
    return {"scores": points, "standings": ranks, "winner": winners_of(ranks, which), "breakdown": sheets}


def _outcomes(game: Game, states: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    seats, chosen = game.rules.schema.seats, rows_of(states, which)
    points, ranks = (np.zeros((len(which), seats), np.int64) for _ in range(2))
    game.kernels.outcomes(chosen, points, ranks)
    shown = np.zeros((2, len(states), game.num_players), np.int64)
    shown[:, which] = points[:, : game.num_players], ranks[:, : game.num_players]
    return shown[0], shown[1]


def _sheets(game: Game, states: np.ndarray, which: np.ndarray) -> np.ndarray:
    seats, categories = game.rules.schema.seats, len(game.rules.categories)
    counted = np.zeros((len(which), seats, categories), np.int64)
    game.kernels.sheets(rows_of(states, which), counted)
    out = np.zeros((len(states), seats, categories), np.int64)
    out[which] = counted
    return out


def rows_of(records: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Some of the records. As one piece of memory each: numpy would copy field by field, ten times as slow."""
    return records.view(np.dtype((np.void, records.dtype.itemsize)))[which].view(records.dtype)


def winners_of(standings: np.ndarray, which: np.ndarray) -> np.ndarray:
    """The only seat of rank 0 in the rows that are asked for: of a thousand games a few end in a step."""
    best = np.full(len(standings), NO_WINNER)
    best[which] = winners(standings[which])
    return best


def winners(standings: np.ndarray) -> np.ndarray:
    """The only seat of rank 0 in each row."""
    first = standings == 0
    return np.where(first.sum(1) == 1, first.argmax(1), NO_WINNER)
