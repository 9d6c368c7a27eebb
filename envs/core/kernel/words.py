"""Arithmetic on 64-bit words: sets as bit boards, and masks read eight bytes at a time."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .jit import inlined

__all__ = ["bit_length", "count_ones", "lower_bytes", "lowest_bit", "sum_of_bytes"]

M1, M2, M4 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES = np.uint64(0x0101010101010101)
HIGH_BITS, LOW_BYTE, U7 = np.uint64(0x8080808080808080), np.uint64(255), np.uint64(7)
U1, U2, U4, U56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@inlined
def count_ones(x):
    """The number of set bits of a uint64."""
    x = x - ((x >> U1) & M1)
    x = (x & M2) + ((x >> U2) & M2)
    x = (x + (x >> U4)) & M4
    return np.int64((x * BYTES) >> U56)


@inlined
def sum_of_bytes(x):
    """Of eight numbers in a word, whose sum is below 256."""
    return np.int64((x * BYTES) >> U56)


@inlined
def lower_bytes(a, b):
    """The lower one of each two bytes, all below 128."""
    not_less = ((a | HIGH_BITS) - b & HIGH_BITS) >> U7  # 1 where a >= b
    chosen = not_less * LOW_BYTE
    return (b & chosen) | (a & ~chosen)


@intrinsic
def bit_length(typing_context, x):
    """The place of the highest set bit of an int64, counted from 1; 0 if none is set. One instruction instead of a loop."""

    def codegen(context, builder, signature, args):
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

    return types.int64(types.int64), codegen


@intrinsic
def lowest_bit(typing_context, x):
    """The place of the lowest set bit of a uint64, counted from 0; one must be set."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen
