"""Indices count from the front.

numba lets every index that may be negative count from the end: each access to an array begins with a comparison, a sum and a
choice, which the machine has to wait for. In our kernels only a constant may, as in `cards[-1]`; a number that is computed must not
be negative, as it must not be too large. NUMBA_BOUNDSCHECK=1 makes an error of both, and the tests fuzz the games with it.
Random games are 2 to 5 % faster, and there is less to compile.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.targetconfig import ConfigStack
from numba.np import arrayobj

from .frontend import QuickFlags

__all__ = ["PARTS", "count_from_the_front"]

PARTS: dict[Any, tuple[str, ...]] = {arrayobj: ("fix_integer_index",)}  # of numba, as we know them


def count_from_the_front() -> None:
    """From now on, in what is compiled with our flags: numba's own functions and other people's are left alone."""
    asked = arrayobj.fix_integer_index

    def fix_integer_index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
        if isinstance(idx, ir.Constant) or not isinstance(ConfigStack.top_or_none(), QuickFlags):
            return asked(context, builder, idxty, idx, size)
        return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)

    setattr(arrayobj, "fix_integer_index", fix_integer_index)  # noqa: B010
