"""numba's front end without detours that took a third of the time of a first step (the first two, on cheops: 7.0 to 5.4 CPU-s).

- To find out what `a + b` is, numba asks some forty templates in turn, each time anew for each `a + b`: here the answer for a
  function and the types of its arguments is remembered, as long as the compiler's flags are the same.
- Each template looks into its own memory under a key that holds the flags, hashed and compared field by field: here they know what
  they are.
- `min` and `max` are compiled anew for each pair of widths (int64 with uint8, with int16, ...): here all take int64 if one does.
- The variables of each statement are listed nine times, by asking everything in it what it is: here most is known by its type.
- Where each variable lives is worked out nine times, to be used three times: here the other six only set the code in order.
- Each time an array is used, all registries are searched for new ways to make it an array: here once is enough.
- Each of twenty thousand calls of LLVM tells listeners that it takes a lock: here not, while we compile.

None of them changes what is compiled. Together the last five take a tenth off a first step, in giza a sixth.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import NoneType
from typing import Any

from llvmlite.binding import ffi
from numba import types
from numba.core import ir
from numba.core.base import BaseContext
from numba.core.compiler import Flags
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import ConfigStack
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction

__all__ = ["PARTS", "QuickFlags", "take_short_cuts", "without_listeners"]

PARTS: dict[Any, tuple[str, ...]] = {
    BaseContext: ("get_function", "refresh"),
    BaseFunction: ("get_call_type",),
    ConfigStack: ("top_or_none",),
    Flags(): ("_values",),  # of each object: numba 0.60 does not declare it
    getattr(ffi.lib, "_lock", None): ("_cblist",),
    ir.Inst: ("_rec_list_vars",),
    PostProcessor: ("run",),
    types.Record: ("__repr__",),
}  # of numba and llvmlite, as we know them
NO_VARIABLES = {NoneType, bool, int, float, str, ir.Loc}


class QuickFlags(Flags):
    """Flags that are not changed any more once somebody has asked for their hash."""

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(repr(sorted(self._values.items())))
            return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, QuickFlags) and self._values == other._values)


def take_short_cuts() -> None:
    """From now on. What is compiled with other flags than ours (numba's own functions, other people's) gets the same answers."""
    _remember_signatures()
    _list_variables_quickly()
    _work_out_lives_when_used()
    _look_for_arrays_once()


def _remember_signatures() -> None:
    asked, shown = BaseFunction.get_call_type, types.Record.__repr__
    signatures: dict[tuple, tuple[Any, BaseFunction]] = {}
    texts: dict[types.Record, str] = {}

    def get_call_type(function: BaseFunction, context: Any, args: Any, kws: Any) -> Any:
        flags = ConfigStack.top_or_none()
        if not isinstance(flags, QuickFlags):
            return asked(function, context, args, kws)
        if getattr(function, "typing_key", None) in (min, max):
            args = _alike(args)
        key = (id(function), context, tuple(args), tuple(kws.items()), flags)
        if key not in signatures:
            signatures[key] = asked(function, context, args, kws), function  # kept, so that nobody else gets its id
        return signatures[key][0]

    def as_text(record: types.Record) -> str:
        """numba notes down the types of the arguments at each of its thirty passes, in case somebody listens."""
        if record not in texts:
            texts[record] = shown(record)
        return texts[record]

    setattr(BaseFunction, "get_call_type", get_call_type)  # noqa: B010 (setattr: mypy knows the methods as they were)
    setattr(types.Record, "__repr__", as_text)  # noqa: B010


def _alike(args: Any) -> Any:
    """Whole numbers of which one is an int64 are compared as int64: so is their least or greatest one. (Not uint64: a float64.)"""
    plain = [types.unliteral(kind) for kind in args]
    whole = all(isinstance(kind, types.Integer) and kind != types.uint64 for kind in plain)
    return (types.int64,) * len(plain) if whole and types.int64 in plain else args


def _list_variables_quickly() -> None:
    listed = ir.Inst._rec_list_vars

    def variables_in(instruction: ir.Inst, value: Any) -> list[ir.Var]:
        kind = type(value)
        if kind is dict:
            value = value.values()
        elif kind is not list and kind is not tuple:
            return listed(instruction, value)
        found: list[ir.Var] = []
        for part in value:
            kind = type(part)
            if kind is ir.Var:
                found.append(part)
            elif kind not in NO_VARIABLES:
                found += variables_in(instruction, part)
        return found

    setattr(ir.Inst, "_rec_list_vars", variables_in)  # noqa: B010


def _work_out_lives_when_used() -> None:
    work_out = PostProcessor.run

    def run(processor: PostProcessor, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = processor.func_ir
        if emit_dels or code.is_generator or not isinstance(ConfigStack.top_or_none(), QuickFlags):
            work_out(processor, emit_dels, extend_lifetimes)
        else:
            code.blocks = canonicalize_cfg(code.blocks)
            code.variable_lifetime = VariableLifetime(code.blocks)  # which works things out when it is asked

    setattr(PostProcessor, "run", run)  # noqa: B010


def _look_for_arrays_once() -> None:
    asked = BaseContext.get_function

    def get_function(context: BaseContext, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        return asked(context, fn, sig, _firstcall and fn != "__array__")

    setattr(BaseContext, "get_function", get_function)  # noqa: B010


@contextlib.contextmanager
def without_listeners() -> Iterator[None]:
    """Nobody is told when LLVM's lock is taken. For the thread that holds numba's own lock, which is everybody's who compiles."""
    lock = ffi.lib._lock
    listeners, lock._cblist = lock._cblist, []
    try:
        yield
    finally:
        lock._cblist = listeners
