"""Arrays by their addresses, for an entry point that is called once per decision.

A Python call of a kernel costs 0.1 us for each array it is handed (its type is looked up, a reference is counted and given back),
a whole number next to nothing. Who calls again and again with the same arrays writes down once where they lie, in a `Book`, and
hands over the book's address. The arrays must live as long as the book: it keeps them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["Book", "rows_at"]


class Book:
    """The addresses of some arrays, and after them how many numbers a row of each has."""

    def __init__(self, *arrays: np.ndarray) -> None:
        if not all(array.flags.c_contiguous for array in arrays):
            raise ValueError("a book can name contiguous arrays only")
        self._arrays = arrays
        self._entries = np.array([_address(array) for array in arrays] + [_width(array) for array in arrays])
        self.address = _address(self._entries)


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def _width(array: np.ndarray) -> int:
    return array.shape[1] if array.ndim == 2 else 1


@intrinsic
def rows_at(typing_context: Any, address: Any, kind: Any, length: Any) -> Any:
    """The array of `length` things of a kind (a dtype) at an address, borrowed as in rows.py."""
    line = types.Array(kind.dtype, 1, "C")

    def codegen(context, builder, signature, args):
        item = context.get_data_type(line.dtype)
        width = context.get_constant(types.intp, context.get_abi_sizeof(item))
        target = context.make_array(line)(context, builder)
        context.populate_array(
            target,
            data=builder.inttoptr(args[0], item.as_pointer()),
            shape=[args[2]],
            strides=[width],
            itemsize=width,
            meminfo=cgutils.get_null_value(target.meminfo.type),
            parent=cgutils.get_null_value(target.parent.type),
        )
        return target._getvalue()

    return line(types.int64, kind, types.int64), codegen
