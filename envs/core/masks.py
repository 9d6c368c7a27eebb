"""Action masks as rows of bytes, 0 or 1, padded with zeros to whole 64-bit words so that they can be read eight at a time."""

from __future__ import annotations

import numpy as np

from .jit import kernel
from .rng import draw
from .wide import BYTES, U56

__all__ = ["choose", "clear", "count_legal", "first_set", "new_masks"]

WORD = 8


def new_masks(num_states: int, num_actions: int) -> tuple[np.ndarray, np.ndarray]:
    """A buffer of padded masks for kernels, and the view of it that has exactly `num_actions` columns."""
    width = -(-num_actions // WORD) * WORD
    padded = np.zeros((num_states, width), np.int8)
    return padded, padded[:, :num_actions]


@kernel
def clear(mask):
    words = mask.view(np.uint64)
    for i in range(len(words)):
        words[i] = 0


@kernel
def first_set(mask):
    """The first legal action of a mask that has one."""
    words = mask.view(np.uint64)
    i = 0
    while words[i] == 0:
        i += 1
    action = WORD * i
    while mask[action] == 0:
        action += 1
    return action


@kernel
def count_legal(mask):
    words = mask.view(np.uint64)
    count = np.int64(0)
    for i in range(len(words)):
        count += np.int64((words[i] * BYTES) >> U56)  # the top byte of the product is the sum of the bytes
    return count


@kernel
def choose(mask, counter):
    """A uniformly random legal action."""
    k = draw(counter, count_legal(mask))
    words = mask.view(np.uint64)
    i = 0
    while True:
        here = np.int64((words[i] * BYTES) >> U56)
        if k < here:
            break
        k -= here
        i += 1
    action = WORD * i
    while True:
        if mask[action] != 0:
            if k == 0:
                return action
            k -= 1
        action += 1
