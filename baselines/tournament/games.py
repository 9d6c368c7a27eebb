"""Games of named players, many at once, and the short form: one player against copies of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...envs.core.declare.checks import whole
from ...envs.core.game import Game
from ...envs.core.kernel.masks import new_masks
from ...envs.core.kernel.rng import stream
from ...envs.core.play.many import build_choice
from ...envs.core.play.policies import SCRATCH, uniform
from ..agents import Agent
from .numbers import share_interval, wilson

__all__ = ["Played", "Result", "evaluate", "evaluate_paired", "play_deals", "play_games"]

OPENINGS = 2**40  # keeps the dice of openings apart from those of deals


class Played(NamedTuple):
    """Games that were played; row i belongs to game i."""

    points: np.ndarray  # [games, players]
    ranks: np.ndarray
    decisions: np.ndarray  # of each game
    actions: list[np.ndarray]  # step by step, for all games; -1 where one is over

    def moves(self, i: int) -> list[int]:
        """The decisions of game i."""
        return [int(step[i]) for step in self.actions if step[i] >= 0]


def play_deals(
    game: Game,
    seats: np.ndarray,
    agents: Sequence[Agent],
    seeds: np.ndarray,
    episodes: np.ndarray,
    openings: int = 0,
    progress: Callable[[int], None] | None = None,
    watch: Callable[[np.ndarray, np.ndarray, np.ndarray], None] | None = None,
) -> Played:
    """Play game number episodes[i] of seeds[i] to the end, for all i; agents[seats[i, p]] decides for player p of game i.

    The first `openings` decisions of each are random, from the deal. `watch` is shown states, masks and actions before each step.
    """
    count = len(seats)
    states, lanes = game.new_states(count), np.arange(count)
    masks, _ = new_masks(count, game.num_actions)
    game.kernels.reset(states, game.template, seeds, episodes, masks)
    opening = _Openings(game, seeds, episodes) if openings else None
    taken: list[np.ndarray] = []
    while True:
        playing = states["over"] == 0
        if progress:
            progress(count - int(playing.sum()))
        if not playing.any():
            break
        actions = np.full(count, -1, np.int64)
        if opening and len(taken) < openings:
            actions[playing] = opening.choose(states, masks)[playing]
        else:
            whose = seats[lanes, np.where(playing, states["current_player"], 0)]
            for i, agent in enumerate(agents):
                mine = np.flatnonzero(playing & (whose == i))
                if len(mine):
                    actions[mine] = agent.choose(states[mine], masks[mine])
        if watch:
            watch(states, masks, actions)
        taken.append(actions)
        game.kernels.apply(states, actions, masks)
    points, ranks = (np.zeros((count, game.rules.schema.seats), np.int64) for _ in range(2))
    game.kernels.outcomes(states, points, ranks)
    n = game.num_players
    return Played(points[:, :n], ranks[:, :n], (np.array(taken) >= 0).sum(0), taken)


class _Openings:
    """Random moves that depend on the deal alone."""

    def __init__(self, game: Game, seeds: np.ndarray, episodes: np.ndarray) -> None:
        self.kernel = build_choice(uniform)
        self.counters = np.array(
            [stream(seed, episode + np.uint64(OPENINGS)) for seed, episode in zip(seeds, episodes, strict=True)], np.uint64
        )
        self.scratch = game.new_states(SCRATCH), new_masks(SCRATCH, game.num_actions)[0]

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        actions = np.zeros(len(states), np.int64)
        self.kernel(states, masks, self.counters, *self.scratch, actions)
        return actions


def play_games(
    game: Game, seats: np.ndarray, agents: Sequence[Agent], seed: int = 0, progress: Callable[[int], None] | None = None
) -> tuple[np.ndarray, np.ndarray, int]:
    """Games of seed, seed + 1, ...; return points [games, players], ranks [games, players] and the number of decisions."""
    seeds = np.uint64(seed % 2**64) + np.arange(len(seats), dtype=np.uint64)
    played = play_deals(game, seats, agents, seeds, np.zeros(len(seats), np.uint64), progress=progress)
    return played.points, played.ranks, int(played.decisions.sum())


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


def evaluate(
    game: Game, agent: Agent, opponent: Agent, games: int = 400, seed: int = 0, progress: Callable[[int], None] | None = None
) -> Result:
    """One seat for `agent`, all others for `opponent`; the seat moves on from game to game."""
    if whole("games", games) < 1:
        raise ValueError(f"games: at least one is needed, got {games}")
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


def evaluate_paired(
    game: Game, agent: Agent, opponent: Agent, games: int = 400, seed: int = 0, openings: int = 0, at_once: int = 1000
) -> Result:
    """One seat for `agent`, all others for `opponent`, in every seat of every deal (so whole deals: a few games more, perhaps)."""
    n = game.num_players
    deals = -(-games // n)
    seats = np.tile(np.where(np.eye(n, dtype=bool), 0, 1), (deals, 1))
    episodes = np.repeat(np.arange(deals, dtype=np.uint64), n)
    seeds = np.full(len(seats), seed % 2**64, np.uint64)
    parts = [slice(start, start + at_once) for start in range(0, len(seats), at_once)]
    played = [play_deals(game, seats[p], (agent, opponent), seeds[p], episodes[p], openings) for p in parts]
    points, ranks = (np.concatenate([getattr(part, what) for part in played]) for what in ("points", "ranks"))
    mine, winners = seats == 0, ranks == 0
    shares = (winners / np.maximum(1, winners.sum(1, keepdims=True)))[mine]
    rate, low, high = share_interval(shares.reshape(deals, n).mean(1))
    return Result(agent.name, opponent.name, len(seats), rate, low, high, float(points[mine].mean()), float(points[~mine].mean()))
