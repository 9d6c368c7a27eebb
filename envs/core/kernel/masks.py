"""Action masks as rows of bytes, 0 or 1, padded with zeros to whole 64-bit words so that they can be read eight at a time."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .jit import inlined
from .rng import draw
from .words import BYTES, U56, count_ones

__all__ = ["WORD", "choose", "clear", "count_legal", "first_set", "mark_eight", "mark_set", "new_masks"]

WORD = 8
TOPS, U7 = np.uint64(0x8080808080808080), np.uint64(7)
BITS_OF_BYTE = (np.arange(1 << WORD)[:, None] >> np.arange(WORD) & 1).astype(np.int8)
MARKS_OF_BYTE = BITS_OF_BYTE.view(np.uint64)[:, 0].copy()  # the same as words


def new_masks(num_states: int, num_actions: int) -> tuple[np.ndarray, np.ndarray]:
    """A buffer of padded masks for kernels, and the view of it that has exactly `num_actions` columns."""
    masks = np.zeros((num_states, padded(num_actions)), np.int8)
    return masks, masks[:, :num_actions]


def padded(num_actions: int) -> int:
    """The width of a mask in bytes."""
    return -(-num_actions // WORD) * WORD


@intrinsic
def word(typing_context, mask, i):
    """The i-th eight bytes of a mask as one number. `mask.view(np.uint64)` costs 30 ns in numba, this nothing."""

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        words = builder.bitcast(data, ir.IntType(64).as_pointer())
        return builder.load(builder.gep(words, [args[1]]), align=1)

    return types.uint64(mask, types.int64), codegen


@intrinsic
def mark_eight(typing_context, mask, first, marks):
    """Add the eight bytes of `marks` to those of a mask from `first` on, in one instruction each way."""

    def codegen(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        eight = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(64).as_pointer())
        builder.store(builder.or_(builder.load(eight, align=1), args[2]), eight, align=1)
        return context.get_dummy_value()

    return types.void(mask, types.int64, types.uint64), codegen


@inlined
def clear(mask):
    for i in range(len(mask)):
        mask[i] = 0


@inlined
def mark_set(actions, mask):
    """Write a set of at most 64 actions, given as bits, into a mask, eight at a time. Return how many there are."""
    for i in range(len(mask) // WORD):
        eight = actions >> WORD * i & 0xFF
        for j in range(WORD):
            mask[WORD * i + j] = BITS_OF_BYTE[eight, j]
    return count_ones(np.uint64(actions))


@inlined
def first_set(mask):
    """The first legal action of a mask; -1 if it has none."""
    for i in range(len(mask) // WORD):
        if word(mask, i) != 0:
            action = WORD * i
            while mask[action] == 0:
                action += 1
            return action
    return -1


@inlined
def count_legal(mask):
    count = np.int64(0)
    for i in range(len(mask) // WORD):
        count += np.int64((word(mask, i) * BYTES) >> U56)  # the top byte of the product is the sum of the bytes
    return count


@inlined
def choose(mask, counter):
    """A uniformly random legal action; -1 if there is none."""
    legal = count_legal(mask)
    if legal == 0:
        return -1
    k = draw(counter, legal)
    i = 0
    while True:
        sums = word(mask, i) * BYTES  # byte j: how many of bytes 0..j are set
        here = np.int64(sums >> U56)
        if k < here:
            break
        k -= here
        i += 1
    beyond = ((sums | TOPS) - np.uint64(k + 1) * BYTES) & TOPS  # the top bit of each byte whose sum is greater than k
    return WORD * i + WORD - np.int64(((beyond >> U7) * BYTES) >> U56)
