"""The network of a learned player: one hidden layer, and a straight line beside it.

A player asks it about many positions in a row that differ in few inputs. So the network remembers the first of them, with the sums
that it made in the hidden layer, and of all others it adds only what is different there. Always the first, not the last: then what
looks the same gets the same answer to the last bit, whatever was asked in between, and ties stay ties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...envs.core.kernel.jit import inlined, kernel
from ...envs.core.kernel.rows import row
from ...envs.core.kernel.vectors import add_multiple, differing, weighed
from ...envs.core.kernel.words import lowest_bit
from ...envs.core.kernel.writing import move, stack_row, write_zeros

__all__ = ["BIAS", "LINEAR", "OUT", "WIDTH", "Memory", "forget", "net", "new_memory"]

WIDTH = 64  # numbers per input: to each hidden unit, and the last straight to the result
LINEAR = WIDTH - 1
BIAS, OUT = -2, -1  # the last two rows of the weights: what is always added, and from the hidden units to the result
AT_ONCE = 16  # inputs that are compared
U1 = np.uint64(1)


class Memory(NamedTuple):
    """The first position that the network was asked about, since it had to forget."""

    known: np.ndarray  # [1]: whether there is one
    seen: np.ndarray
    sums: np.ndarray  # that these inputs made in the hidden layer


def new_memory(inputs: int) -> Memory:
    return Memory(np.zeros(1, np.int64), np.zeros(inputs, np.float32), np.zeros(WIDTH, np.float32))


@inlined
def forget(memory):
    memory.known[0] = 0


@kernel
def net(seen, weights, memory):
    """What the network says. Inputs that are as remembered cost next to nothing; where nothing is, so do those that are 0."""
    inputs, sums, known = len(seen), stack_row(WIDTH, np.float32), memory.known[0]
    if known:
        move(memory.sums, 0, sums, 0, WIDTH)
    else:
        move(row(weights, inputs), 0, sums, 0, WIDTH)
        write_zeros(memory.seen)
    add_changes(seen, memory.seen, weights, sums)
    if not known:
        remember(seen, sums, memory)
    return np.float64(weighed(sums, row(weights, inputs + 1), WIDTH))


@inlined
def add_changes(seen, before, weights, sums):
    """Add to the sums of the inputs before what makes them those of `seen`."""
    inputs = len(seen)
    rest = inputs - inputs % AT_ONCE
    for first in range(0, rest, AT_ONCE):
        changed = differing(seen, before, first, AT_ONCE)
        while changed != 0:
            i = first + lowest_bit(changed)
            add_multiple(seen[i] - before[i], row(weights, i), sums, WIDTH)
            changed &= changed - U1
    for i in range(rest, inputs):
        if seen[i] != before[i]:
            add_multiple(seen[i] - before[i], row(weights, i), sums, WIDTH)


@inlined
def remember(seen, sums, memory):
    memory.known[0] = 1
    for i in range(len(seen)):
        memory.seen[i] = seen[i]
    move(sums, 0, memory.sums, 0, WIDTH)
