"""Rows of arrays without reference counts.

In numba every view of an array (`masks[i]`, `out[3:]`) counts references to its memory with two atomic operations, some 10 ns
each time: as much as a whole simple move. A `row` borrows the memory instead, and so do all views of it. The array itself must
outlive the row, which it does: kernels keep no arrays.
"""

from __future__ import annotations

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["row"]


@intrinsic
def row(typing_context, array, i):
    """array[i] of a C-contiguous array with two axes or more."""
    if not (isinstance(array, types.Array) and array.ndim >= 2 and array.layout == "C"):
        raise TypeError(f"a row can be taken of a C-contiguous array of two axes or more, not of {array}")
    part = types.Array(array.dtype, array.ndim - 1, "C")

    def codegen(context, builder, signature, args):
        source = context.make_array(signature.args[0])(context, builder, args[0])
        target = context.make_array(part)(context, builder)
        shape = cgutils.unpack_tuple(builder, source.shape)[1:]
        start = args[1]
        for length in shape:
            start = builder.mul(start, length)
        context.populate_array(
            target,
            data=builder.gep(source.data, [start]),
            shape=shape,
            strides=cgutils.unpack_tuple(builder, source.strides)[1:],
            itemsize=source.itemsize,
            meminfo=cgutils.get_null_value(target.meminfo.type),
            parent=cgutils.get_null_value(target.parent.type),
        )
        return target._getvalue()

    return part(array, types.int64), codegen
