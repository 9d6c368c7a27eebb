"""The arrays of a batch, in three bundles that kernels take as arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .checks import check
from .masks import new_masks

if TYPE_CHECKING:
    from ...encoders.flat import FlatEncoder
    from .game import Game

__all__ = ["AUTORESET", "Lanes", "Rivals", "View", "new_lanes", "new_rivals", "new_view"]

AUTORESET = ("disabled", "next_step", "same_step")  # when a finished game is replaced by a new one
DISABLED, NEXT_STEP, SAME_STEP = range(3)
PLAYING, TERMINATED, TRUNCATED, FORFEIT = range(4)  # how a step left its game; FORFEIT: ended by an illegal action
SCRATCH = 16  # states a policy may think with


class Lanes(NamedTuple):
    """Games side by side, and the arrays their steps write into. Row i of each belongs to game i."""

    states: np.ndarray
    raw: np.ndarray  # the same memory as bytes, for encoders
    template: np.ndarray  # the record before setup
    seeds: np.ndarray
    episodes: np.ndarray  # game number `episode` of its seed
    masks: np.ndarray  # padded
    status: np.ndarray
    rewards: np.ndarray  # of all seats
    points: np.ndarray
    ranks: np.ndarray
    before: np.ndarray  # points before the step, for SCORE_DELTA
    mode: int  # of the rewards
    scale: float
    autoreset: int


class View(NamedTuple):
    """How observations are made, and where they go."""

    programs: np.ndarray
    bounds: np.ndarray
    tables: np.ndarray
    features_start: int
    wanted: bool
    observations: np.ndarray


class Rivals(NamedTuple):
    """What a duel adds: the learner's seats and rewards, and what the policy of the other seats needs."""

    seat: int  # the learner's, or RANDOM_SEAT
    seats: np.ndarray
    rewards: np.ndarray  # of the learner
    final_observations: np.ndarray
    counters: np.ndarray  # the policies' dice
    scratch: np.ndarray  # per thread: states and masks to think with
    scratch_masks: np.ndarray


def new_lanes(game: Game, count: int, reward: str, autoreset: str) -> Lanes:
    check("autoreset", autoreset, AUTORESET)
    if count < 1:
        raise ValueError(f"a batch has at least one environment, got {count}")
    states, seats = game.new_states(count), game.rules.schema.seats
    return Lanes(
        states=states,
        raw=states.view(np.uint8).reshape(count, -1),
        template=game.template,
        seeds=np.zeros(count, np.uint64),
        episodes=np.zeros(count, np.uint64),
        masks=new_masks(count, game.num_actions)[0],
        status=np.zeros(count, np.int8),
        rewards=np.zeros((count, seats), np.float32),
        points=np.zeros((count, seats), np.int64),
        ranks=np.zeros((count, seats), np.int64),
        before=np.zeros((count, seats), np.int64),
        mode=game.reward_mode(reward),
        scale=float(game.rules.score_scale),
        autoreset=AUTORESET.index(autoreset),
    )


def new_view(encoder: FlatEncoder, count: int, wanted: bool = True) -> View:
    observations = np.zeros((count if wanted else 0, encoder.size), np.float32)
    return View(*encoder.arguments, wanted=wanted, observations=observations)


def new_rivals(game: Game, encoder: FlatEncoder, count: int, seat: int, threads: int) -> Rivals:
    return Rivals(
        seat=seat,
        seats=np.zeros(count, np.int64),
        rewards=np.zeros(count, np.float64),
        final_observations=np.zeros((count, encoder.size), np.float32),
        counters=np.zeros(count, np.uint64),
        scratch=game.new_states(threads * SCRATCH).reshape(threads, SCRATCH),
        scratch_masks=new_masks(threads * SCRATCH, game.num_actions)[0].reshape(threads, SCRATCH, -1),
    )
