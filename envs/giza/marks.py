"""Writing masks of legal actions, several bytes at a time."""

from __future__ import annotations

import numpy as np

from ..core.jit import kernel
from ..core.masks import BITS_OF_BYTE, WORD
from ..core.wide import count_ones


@kernel
def mark_members(mask, first, members):
    """Mark the actions of a set of at most 16, counted from `first`, and clear what follows; return how many there are."""
    for i in range(np.uint64(WORD)):
        mask[np.uint64(first) + i] = BITS_OF_BYTE[np.uint64(members & 0xFF), i]
    for i in range(np.uint64(WORD)):
        mask[np.uint64(first + WORD) + i] = BITS_OF_BYTE[np.uint64(members >> WORD), i]
    return count_ones(np.uint64(members))


@kernel
def mark_run(mask, first, count):
    for action in range(first, first + count):
        mask[action] = 1
    return count


@kernel
def write_word(mask, i, marks):
    """Write the i-th eight bytes. The loop becomes one instruction, whereas `mask.view(np.uint64)` costs 30 ns."""
    for j in range(np.uint64(WORD)):
        mask[np.uint64(WORD * i) + j] = np.int8(marks >> np.uint64(WORD) * j)
