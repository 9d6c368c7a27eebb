"""Arithmetic on rows of numbers, a vector at a time. Sizes are constants; nothing is checked, as in `writing.part`.

What is summed up in a `stack_row` stays in registers through a whole loop. In a row that comes from outside it is stored and loaded
again for every summand, because the compiler cannot know that no two of the rows overlap.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .vector_code import constant_size, every, read_vector, vector_at

__all__ = ["add_multiple", "differing", "weighed"]


@intrinsic(prefer_literal=True)
def differing(typing_context, row, other, place, size):
    """The places, from `place` on, in which two rows differ, as a set of at most 64 bits."""
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        line, other_line = signature.args[:2]
        one = read_vector(context, builder, line, args[0], args[2], length)
        another = read_vector(context, builder, other_line, args[1], args[2], length)
        bits = builder.bitcast(builder.fcmp_unordered("!=", one, another), ir.IntType(length))
        return builder.zext(bits, ir.IntType(64))

    return types.uint64(row, other, types.int64, size), codegen


@intrinsic(prefer_literal=True)
def add_multiple(typing_context, factor, row, sums, size):
    """sums += factor * row."""
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        _, line, target, _ = signature.args
        start = ir.IntType(64)(0)
        product = builder.fmul(every(builder, args[0], length), read_vector(context, builder, line, args[1], start, length))
        total = builder.fadd(read_vector(context, builder, target, args[2], start, length), product)
        builder.store(total, vector_at(context, builder, target, (args[2], start), length), align=4)
        return context.get_dummy_value()

    return types.void(row.dtype, row, sums, size), codegen


@intrinsic(prefer_literal=True)
def weighed(typing_context, row, weights, size):
    """The sum of what is positive in a row, each times its weight; but the last number of the row is added as it is.

    Summed up by halves, in the same order on every machine. `size` is a power of two.
    """
    length = constant_size(size)

    def codegen(context, builder, signature, args):
        start, last = ir.IntType(64)(0), ir.IntType(32)(length - 1)
        numbers, weight = (read_vector(context, builder, signature.args[k], args[k], start, length) for k in (0, 1))
        nothing = ir.Constant(numbers.type, None)
        positive = builder.select(builder.fcmp_ordered(">", numbers, nothing), numbers, nothing)
        products = builder.fmul(positive, weight)
        return _sum(builder, builder.insert_element(products, builder.extract_element(numbers, last), last), length)

    return row.dtype(row, weights, size), codegen


def _sum(builder: Any, numbers: Any, length: int) -> Any:
    while length > 1:
        length //= 2
        halves = [
            builder.shuffle_vector(
                numbers, numbers, ir.Constant(ir.VectorType(ir.IntType(32), length), list(range(at, at + length)))
            )
            for at in (0, length)
        ]
        numbers = builder.fadd(*halves)
    return builder.extract_element(numbers, ir.IntType(32)(0))
