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
def row(typing_context, matrix, i):
    """matrix[i] of a C-contiguous two-dimensional array."""
    if not (isinstance(matrix, types.Array) and matrix.ndim == 2 and matrix.layout == "C"):
        raise TypeError(f"a row can be taken of a C-contiguous matrix, not of {matrix}")
    line = types.Array(matrix.dtype, 1, "C")

    def codegen(context, builder, signature, args):
        source = context.make_array(signature.args[0])(context, builder, args[0])
        target = context.make_array(line)(context, builder)
        width = builder.extract_value(source.shape, 1)
        start = builder.mul(args[1], width)
        context.populate_array(
            target,
            data=builder.gep(source.data, [start]),
            shape=[width],
            strides=[builder.extract_value(source.strides, 1)],
            itemsize=source.itemsize,
            meminfo=cgutils.get_null_value(target.meminfo.type),
            parent=cgutils.get_null_value(target.parent.type),
        )
        return target._getvalue()

    return line(matrix, types.int64), codegen
