"""Marking legal actions, eight at a time. Every mark adds to the mask and leaves what is marked already."""

from __future__ import annotations

import numpy as np

from ..core.kernel.jit import kernel
from ..core.kernel.masks import MARKS_OF_BYTE, WORD, mark_eight
from ..core.kernel.words import count_ones

LARGEST_SET = 2 * WORD


@kernel
def mark_members(mask, first, members):
    """Mark the actions of a set of at most LARGEST_SET, counted from `first`; return how many there are."""
    mark_eight(mask, first, MARKS_OF_BYTE[np.uint64(members & 0xFF)])
    mark_eight(mask, first + WORD, MARKS_OF_BYTE[np.uint64(members >> WORD)])
    return count_ones(np.uint64(members))


@kernel
def mark_run(mask, first, count):
    for action in range(first, first + count):
        mask[action] = 1
    return count
