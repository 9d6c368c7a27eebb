"""Vectors in the machine code of intrinsics: addresses, reads, one value in all places. For `writing`, `vectors` and `boards`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError

__all__ = ["align_of", "constant_size", "every", "read_vector", "vector_at"]


def vector_at(context: Any, builder: Any, line: types.Array, args: tuple[Any, Any], size: int) -> Any:
    """The address of `size` neighbours of a row, from a place on, as one vector; its alignment is that of one number."""
    array, start = args
    data = context.make_array(line)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), ir.VectorType(context.get_data_type(line.dtype), size).as_pointer())


def align_of(context: Any, line: types.Array) -> int:
    return context.get_abi_sizeof(context.get_data_type(line.dtype))


def constant_size(size: types.Type) -> int:
    if not isinstance(size, types.IntegerLiteral):
        raise TypingError("the size of a vector must be a constant")
    return size.literal_value


def every(builder: Any, value: Any, length: int) -> Any:
    """A vector of one value."""
    first = builder.insert_element(ir.Constant(ir.VectorType(value.type, length), ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), length), [0] * length))


def read_vector(context: Any, builder: Any, line: types.Array, array: Any, place: Any, length: int) -> Any:
    return builder.load(vector_at(context, builder, line, (array, place), length), align=align_of(context, line))
