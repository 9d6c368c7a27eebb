"""The networks of a learned player: each has one hidden layer, and a straight line beside it. What they say is averaged.

A player asks about many positions in a row that differ in few inputs. So the networks remember the first of them, with the sums
that it made in their hidden layers, and of all others they add only what is different there. Always the first, not the last: then
what looks the same gets the same answer to the last bit, whatever was asked in between, and ties stay ties.
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
    """The first position that the networks were asked about, since they had to forget."""

    known: np.ndarray  # [1]: whether there is one
    seen: np.ndarray
    sums: np.ndarray  # [networks, WIDTH]: that these inputs made in the hidden layers


def new_memory(inputs: int, networks: int = 1) -> Memory:
    return Memory(np.zeros(1, np.int64), np.zeros(inputs, np.float32), np.zeros((networks, WIDTH), np.float32))


@inlined
def forget(memory):
    memory.known[0] = 0


@kernel
def net(seen, weights, memory):
    """What the networks say, on average. Inputs that are as remembered cost next to nothing; where nothing is, those that are 0."""
    if not memory.known[0]:
        write_zeros(memory.seen)
    total = np.float64(0)
    for k in range(len(weights)):
        total += np.float64(one_net(seen, row(weights, k), memory, row(memory.sums, k)))
    if not memory.known[0]:
        memory.known[0] = 1
        for i in range(len(seen)):
            memory.seen[i] = seen[i]
    return total / len(weights)


@inlined
def one_net(seen, weights, memory, remembered):
    """What one of them says; it remembers the sums of the first position."""
    inputs, sums = len(seen), stack_row(WIDTH, np.float32)
    if memory.known[0]:
        move(remembered, 0, sums, 0, WIDTH)
    else:
        move(row(weights, inputs), 0, sums, 0, WIDTH)
    add_changes(seen, memory.seen, weights, sums)
    if not memory.known[0]:
        move(sums, 0, remembered, 0, WIDTH)
    return weighed(sums, row(weights, inputs + 1), WIDTH)


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
