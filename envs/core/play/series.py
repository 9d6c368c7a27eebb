"""Seeds: which game is played next, and whose dice fall in it.

Game k of seed s is the same game for every batch size, thread count and interface: its generator starts at `stream(s, k)`, its
opponents' dice and the learner's random seat come from `fortune(s, k)`.
"""

from __future__ import annotations

import numpy as np

from ..declare.checks import seed_number
from ..kernel.jit import inlined, kernel
from ..kernel.rng import mix, stream

__all__ = ["Series", "fortune", "fresh_seed", "lane_seeds", "share"]

U11 = np.uint64(11)
OPPONENTS = np.uint64(0x5DEECE66D1CE4E5B)  # keeps the opponents' dice apart from the game's


def fresh_seed() -> int:
    """A seed drawn from the operating system."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


def lane_seeds(seed: int | list[int | None] | list[int] | None, count: int) -> np.ndarray:
    """The seeds of the lanes of a batch: an int gives lane i seed + i, a list one each."""
    if seed is None:
        seed = fresh_seed()
    if not isinstance(seed, (list, tuple, np.ndarray)):
        return np.uint64(seed_number(seed)) + np.arange(count, dtype=np.uint64)
    if len(seed) != count:
        raise ValueError(f"expected {count} seeds, got {len(seed)}")
    return np.array([fresh_seed() if s is None else seed_number(s) for s in seed], np.uint64)


class Series:
    """Which game an interface plays next."""

    def __init__(self) -> None:
        self.seed: int | None = None  # before the first game
        self.episode = 0

    def next_game(self, seed: int | None) -> tuple[int, int]:
        """Seed and number: game 0 of a seed that is given, otherwise the next game of the last one."""
        if seed is not None or self.seed is None:
            self.seed, self.episode = fresh_seed() if seed is None else seed_number(seed), 0
        else:
            self.episode += 1
        return self.seed, self.episode


@kernel
def fortune(seed, episode, num_players):
    """The opponents' dice and the learner's random seat in a game of a duel."""
    counter = stream(seed, episode) ^ OPPONENTS
    return counter, np.int64(mix(counter) % np.uint64(num_players))


@inlined
def share(counter, number):
    """A number of [0, 1) that belongs to a game's fortune: who is drawn from a pool. The dice themselves stay where they are."""
    return np.float64(mix(counter ^ mix(np.uint64(number))) >> U11) * 2.0**-53
