"""A uniformly random legal action, as cheaply as we can: what the choice costs is charged to the peer.

(Gymnasium's own `Discrete.sample(mask)` takes longer than the whole step of many a game.)
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True)
def pick(mask):
    """The index of a random non-zero entry; 0 if there is none (an ended game that is about to be reset)."""
    legal = 0
    for action in range(mask.size):
        legal += mask[action] != 0
    if legal == 0:
        return 0
    left = np.random.randint(legal)  # noqa: NPY002 - inside a kernel this is numba's own, and the cheapest
    for action in range(mask.size):
        if mask[action] != 0:
            if left == 0:
                return action
            left -= 1
    return 0


@njit(nogil=True)
def pick_each(masks, actions):
    """`pick` for every row of a batch, in place."""
    for row in range(masks.shape[0]):
        actions[row] = pick(masks[row])


@njit(nogil=True)
def seed(value):
    """Numba keeps a random state of its own; numpy's seed does not reach it."""
    np.random.seed(value)  # noqa: NPY002
