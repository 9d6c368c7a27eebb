"""The random generator that lives inside a state: one 64-bit counter (SplitMix64).

A game is a function of its seed and its actions alone, whatever the batch size, the thread or the interface, because every
draw reads and moves the counter of its own state. `stream` gives each game of a seed its own starting point.
"""

from __future__ import annotations

import numpy as np

from .jit import inlined

__all__ = ["Chance", "below", "draw", "mix", "mix_all", "shuffle", "stream"]

STRIDE = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio: successive counters differ in about half of their bits
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
U30, U27, U31, U32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@inlined
def mix(x):
    x = (x ^ (x >> U30)) * MIX_1
    x = (x ^ (x >> U27)) * MIX_2
    return x ^ (x >> U31)


def mix_all(counters: np.ndarray) -> np.ndarray:
    """New counters from old ones, for Python: kernels make no arrays."""
    return mix.py_func(counters)


@inlined
def stream(seed, episode):
    """The counter with which game number `episode` of `seed` begins."""
    return mix(np.uint64(seed) * STRIDE + mix(np.uint64(episode) + MIX_1))


@inlined
def below(s, n):
    """A uniform number of 0..n-1 from the generator of state `s` (bias below n / 2**32)."""
    s.rng += STRIDE
    return np.int64(((mix(s.rng) >> U32) * np.uint64(n)) >> U32)


@inlined
def draw(counter, n):
    """`below` for a free-standing counter, an array of one uint64: the dice of players, not of games."""
    counter[0] += STRIDE
    return np.int64(((mix(counter[0]) >> U32) * np.uint64(n)) >> U32)


@inlined
def shuffle(s, items, first, end):
    """Shuffle items[first:end] in place with the generator of `s` (Fisher-Yates from the end)."""
    for i in range(end - 1, first, -1):
        j = first + below(s, i - first + 1)
        items[i], items[j] = items[j], items[i]


class Chance:
    """The same generator in plain Python, for referees and tests."""

    def __init__(self, counter: int) -> None:
        self.counter = int(counter)

    @classmethod
    def of_seed(cls, seed: int, episode: int = 0) -> Chance:
        return cls(int(stream(np.uint64(seed % 2**64), np.uint64(episode))))

    def below(self, n: int) -> int:
        mask = (1 << 64) - 1
        self.counter = (self.counter + int(STRIDE)) & mask
        x = self.counter
        x = ((x ^ (x >> 30)) * int(MIX_1)) & mask
        x = ((x ^ (x >> 27)) * int(MIX_2)) & mask
        x ^= x >> 31
        return ((x >> 32) * n) >> 32

    def shuffle(self, items: list) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
