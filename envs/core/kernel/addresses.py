"""Arrays by their addresses, for an entry point that is called once per decision.

A Python call of a kernel costs some 0.05 us for each array it is handed (its type is looked up, its parts are taken out of it),
a whole number next to nothing. Who calls again and again with the same arrays writes down once where they lie, in a `Book`, and
hands over the book's address. The arrays must live as long as the book: it keeps them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["Book", "array_at"]


class Book:
    """For each of some arrays two entries: its address, and how many numbers a row of it has."""

    def __init__(self, *arrays: np.ndarray) -> None:
        if not all(array.flags.c_contiguous for array in arrays):
            raise ValueError("a book can name contiguous arrays only")
        self._arrays = arrays
        self._entries = np.array([entry for array in arrays for entry in (_address(array), _width(array))])
        self.address = _address(self._entries)


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def _width(array: np.ndarray) -> int:
    return array.shape[-1] if array.ndim > 1 else 1


@intrinsic
def array_at(typing_context: Any, address: Any, kind: Any, shape: Any) -> Any:
    """The array of a kind (a dtype) and a shape that lies at an address, borrowed as in rows.py."""
    array = types.Array(kind.dtype, len(shape), "C")

    def codegen(context, builder, signature, args):
        item = context.get_data_type(array.dtype)
        size = context.get_constant(types.intp, context.get_abi_sizeof(item))
        lengths = cgutils.unpack_tuple(builder, args[2])
        strides = [size]
        for length in reversed(lengths[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        target = context.make_array(array)(context, builder)
        context.populate_array(
            target,
            data=builder.inttoptr(args[0], item.as_pointer()),
            shape=lengths,
            strides=strides,
            itemsize=size,
            meminfo=cgutils.get_null_value(target.meminfo.type),
            parent=cgutils.get_null_value(target.parent.type),
        )
        return target._getvalue()

    return array(types.int64, kind, types.UniTuple(types.int64, len(shape))), codegen
