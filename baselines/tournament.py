"""Players meet: many games at once, seats rotated, win shares with 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..envs.core.game import Game
from ..envs.core.masks import new_masks
from .agents import Agent

__all__ = ["Result", "evaluate", "play_games", "wilson"]

Z = 1.959964  # 95 %


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % score interval of a share. Ties enter as fractions of a win."""
    share = wins / games
    centre = share + Z * Z / (2 * games)
    spread = Z * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    scale = 1 + Z * Z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


@dataclass(frozen=True)
class Result:
    """How one player fared against copies of another."""

    agent: str
    opponent: str
    games: int
    rate: float  # share of victories; k joint winners get 1/k each
    low: float
    high: float
    mean_score: float
    opponent_score: float

    def __str__(self) -> str:
        return f"{self.agent} vs {self.opponent}: {self.rate:.1%} [{self.low:.1%}, {self.high:.1%}] in {self.games} games"


def play_games(
    game: Game, seats: np.ndarray, agents: Sequence[Agent], seed: int = 0, progress: Callable[[int], None] | None = None
) -> tuple[np.ndarray, np.ndarray, int]:
    """Play len(seats) games to the end; agents[seats[i, p]] decides for player p of game i.

    Return points [games, players], ranks [games, players] and the number of decisions.
    """
    count = len(seats)
    states, lanes = game.new_states(count), np.arange(count)
    masks, _ = new_masks(count, game.num_actions)
    seeds = np.uint64(seed % 2**64) + np.arange(count, dtype=np.uint64)
    game.kernels.reset(states, game.template, seeds, np.zeros(count, np.uint64), masks)
    decisions = 0
    while True:
        playing = states["over"] == 0
        if progress:
            progress(count - int(playing.sum()))
        if not playing.any():
            break
        whose = seats[lanes, np.where(playing, states["current_player"], 0)]
        actions = np.zeros(count, np.int64)
        for i, agent in enumerate(agents):
            mine = np.flatnonzero(playing & (whose == i))
            if len(mine):
                actions[mine] = agent.choose(states[mine], masks[mine])
        game.kernels.apply(states, actions, masks)
        decisions += int(playing.sum())
    points, ranks = (np.zeros((count, game.rules.schema.seats), np.int64) for _ in range(2))
    game.kernels.outcomes(states, points, ranks)
    return points[:, : game.num_players], ranks[:, : game.num_players], decisions


def evaluate(
    game: Game, agent: Agent, opponent: Agent, games: int = 400, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Result:
    """One seat for `agent`, all others for `opponent`; the seat moves on from game to game."""
    lanes = np.arange(games)
    seat = lanes % game.num_players
    seats = np.ones((games, game.num_players), np.int64)
    seats[lanes, seat] = 0
    points, ranks, _ = play_games(game, seats, (agent, opponent), seed, progress)
    winners = ranks == 0
    wins = float((winners[lanes, seat] / np.maximum(1, winners.sum(1))).sum())
    mine = points[lanes, seat].mean()
    others = (points.sum(1) - points[lanes, seat]).sum() / max(1, games * (game.num_players - 1))
    low, high = wilson(wins, games)
    return Result(agent.name, opponent.name, games, wins / games, low, high, float(mine), float(others))
