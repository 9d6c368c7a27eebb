"""Rows of arrays without reference counts.

In numba every view of an array (`masks[i]`, `out[3:]`) counts references to its memory with two atomic operations, some 10 ns
each time: as much as a whole simple move. A `row` borrows the memory instead, and so do all views of it. The array itself must
outlive the row, which it does: kernels keep no arrays.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

__all__ = ["fetch", "row"]


@intrinsic
def row(typing_context, array, i):
    """array[i] of a C-contiguous array with two axes or more."""
    if not (isinstance(array, types.Array) and array.ndim >= 2 and array.layout == "C"):
        raise TypingError(f"a row can be taken of a C-contiguous array of two axes or more, not of {array}")
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


CACHE_LINE = 64


@intrinsic
def fetch(typing_context, records, i):
    """Ask for the memory of records[i], which will be read and written soon. Nothing happens if there is no such record.

    A large batch does not fit into the cache, and a step reads its state here and there: the machine does not guess what comes next
    (8192 games of pyramids with two players: a step 15 % faster; next to nothing in small batches and small games).
    """

    def codegen(context, builder, signature, args):
        kind = signature.args[0]
        data = context.make_array(kind)(context, builder, args[0]).data
        byte, flag, size = ir.IntType(8).as_pointer(), ir.IntType(32), kind.dtype.size
        ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, *[flag] * 3]))
        for start in range(0, size, CACHE_LINE):
            here = builder.add(builder.mul(args[1], args[1].type(size)), args[1].type(start))
            address = builder.gep(builder.bitcast(data, byte), [here])
            builder.call(ask, [address, flag(1), flag(3), flag(1)])  # to be written, and kept; no code
        return context.get_dummy_value()

    if not (isinstance(records, types.Array) and records.ndim == 1 and isinstance(records.dtype, types.Record)):
        raise TypingError(f"records can be fetched, not {records}")
    return types.void(records, types.int64), codegen
