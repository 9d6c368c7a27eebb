"""The networks of a learned player: each has one hidden layer, and a straight line beside it. What they say is averaged.

Kernels know networks of one width; a wider one is cut into parts of that width, whose mean it is.

A player asks about many positions in a row that differ in few inputs. So the networks remember the first of them, with the sums
that it made in their hidden layers, and of all others they add only what is different there. Always the first, not the last: then
what looks the same gets the same answer to the last bit, whatever was asked in between, and ties stay ties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...envs.core.kernel.jit import inlined, kernel
from ...envs.core.kernel.vectors import add_multiple, differing, weighed
from ...envs.core.kernel.words import lowest_bit
from ...envs.core.kernel.writing import move, stack_row, write_zeros

__all__ = ["BIAS", "LINEAR", "OUT", "WIDTH", "Memory", "forget", "has_parts", "in_parts", "net", "new_memory"]

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
    changed: np.ndarray  # [inputs]: room for the places in which another position differs


def new_memory(inputs: int, networks: int = 1) -> Memory:
    sums = np.zeros((networks, WIDTH), np.float32)
    return Memory(np.zeros(1, np.int64), np.zeros(inputs, np.float32), sums, np.zeros(inputs, np.int64))


def has_parts(units: int) -> bool:
    """Whether kernels can take a network with so many hidden units."""
    return units > 0 and units % LINEAR == 0


def in_parts(weights: np.ndarray) -> np.ndarray:
    """Networks as kernels take them: [networks, inputs + 2, k * LINEAR + 1] -> [networks * k, inputs + 2, WIDTH]."""
    networks, rows, columns = weights.shape
    parts = (columns - 1) // LINEAR
    hidden = weights[..., :-1].reshape(networks, rows, parts, LINEAR).swapaxes(1, 2)
    straight = np.broadcast_to(weights[:, None, :, -1:], (networks, parts, rows, 1))
    cut = np.concatenate([hidden, straight], axis=3).reshape(networks * parts, rows, WIDTH)
    cut[:, OUT] *= parts  # the kernel takes the mean of the parts, and what they add is meant to be summed up
    return np.ascontiguousarray(cut)


@inlined
def forget(memory):
    memory.known[0] = 0


@kernel
def net(seen, weights, memory):
    """What the networks say, on average. Inputs that are as remembered cost next to nothing; where nothing is, those that are 0."""
    if not memory.known[0]:
        write_zeros(memory.seen)
    changes, total = find_changes(seen, memory), np.float64(0)
    for k in range(len(weights)):
        total += np.float64(one_net(seen, weights[k], memory, memory.sums[k], changes))
    if not memory.known[0]:
        memory.known[0] = 1
        for i in range(len(seen)):
            memory.seen[i] = seen[i]
    return total / len(weights)


@inlined
def find_changes(seen, memory):
    """Note the places in which `seen` is not what is remembered, once for all networks; how many there are."""
    inputs, changed, count = len(seen), memory.changed, 0
    rest = inputs - inputs % AT_ONCE
    for first in range(0, rest, AT_ONCE):
        places = differing(seen, memory.seen, first, AT_ONCE)
        while places != 0:
            changed[count] = first + lowest_bit(places)
            count += 1
            places &= places - U1
    for i in range(rest, inputs):
        changed[count] = i
        count += seen[i] != memory.seen[i]
    return count


@inlined
def one_net(seen, weights, memory, remembered, changes):
    """What one of them says; it remembers the sums of the first position."""
    inputs, sums = len(seen), stack_row(WIDTH, np.float32)
    if memory.known[0]:
        move(remembered, 0, sums, 0, WIDTH)
    else:
        move(weights[inputs], 0, sums, 0, WIDTH)
    for k in range(changes):
        i = memory.changed[k]
        add_multiple(seen[i] - memory.seen[i], weights[i], sums, WIDTH)
    if not memory.known[0]:
        move(sums, 0, remembered, 0, WIDTH)
    return weighed(sums, weights[inputs + 1], WIDTH)
