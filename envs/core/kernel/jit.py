"""`@kernel`: numba's njit with a disk cache that can be trusted.

Plain `njit(cache=True)` has two faults that matter for a library of rules. A kernel built by a closure (one per game) never hits
its cache in a new process, because the functions it closes over are pickled with a random id. And a kernel is not recompiled
when a function it calls in *another* file changes: stale rules, silently. Here the name of the cache file carries a fingerprint
of everything the machine code depends on (fingerprint.py). Equal fingerprint, equal machine code; so the cache (cache.py) needs no
time stamps and survives parallel test workers.

A third fault is worse: the symbols inside cached machine code tell closures and record types apart only by numbers that are unique
within one process. Kernels of two games that were compiled in two processes can carry the same symbols, and loaded together one
game then runs the other's code. Here the symbols carry the fingerprint of the function and a digest of the record instead.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.compiler import Compiler
from numba.core.errors import NumbaError, TypingError
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack
from numba.extending import intrinsic

from .cache import KernelCache, folder_for, is_cached
from .files import alone
from .fingerprint import fingerprint, remembering
from .frontend import take_short_cuts
from .indices import count_from_the_front
from .linking import EntryCompiler, InnerDispatcher, is_possible
from .notice import announce

__all__ = ["fingerprint", "inlined", "is_cached", "kernel", "set_apart"]

MAKES_AN_ARRAY = ("Only accept returning of array passed", "NRT required")  # how numba tells it
INSTEAD = "but take them as arguments or a stack_row of constant size; one that must is a @kernel(allocates=True)"


def kernel(
    function: Callable | None = None,
    *,
    inline: bool = False,
    parallel: bool = False,
    lean: bool = False,
    allocates: bool = False,
) -> Any:
    """Compile `function` on first call, without the GIL, and remember the machine code across processes.

    An index that is computed must not be negative (indices.py). Kernels make no arrays: they take them as arguments, which Python
    keeps alive, or a `stack_row`. So nobody needs to count references, which numba does with atomic operations at every view and
    every call (search took three to five times as long).

    lean        what it calls stays a function of its own, unless it is `inlined`: less time to compile, a little more to run
    allocates   it makes arrays, or exceptions that tell numbers, and pays for it
    """

    def decorate(function: Callable) -> KernelDispatcher:
        options = {"nogil": True, "error_model": "numpy", "parallel": parallel, "forceinline": inline}
        options["_nrt"] = allocates or parallel  # numba itself makes arrays where it shares out a loop
        return KernelDispatcher(function, targetoptions={"nopython": True, "boundscheck": None, **options}, lean=lean)

    return decorate if function is None else decorate(function)


def inlined(function: Callable) -> Any:
    """A kernel that becomes part of every kernel that calls it.

    A call costs little if its arguments are records and numbers, but an array is seven words, so what takes arrays (masks, rows,
    observations) and runs at every step is worth it. What is large and called from several places is not: compiling takes longer.
    """
    return kernel(function, inline=True)


@intrinsic
def set_apart(typing_context):
    """The kernel that says this stays a function of its own, although it is called from one place.

    For what a step seldom needs (the end of a game, the next one): inlined, its loops over the seats become vector instructions
    whose constants every step fetches anew. Batches that are not observed became 3 to 7 % faster.
    """

    def codegen(context, builder, signature, args):
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), codegen


class KernelDispatcher(CPUDispatcher):
    """What `@kernel` makes of a function. Python calls it; the kernels that call it are given its inner side (linking.py)."""

    def __init__(
        self, py_func: Callable, locals: dict | None = None, targetoptions: dict[str, Any] | None = None, lean: bool = False
    ) -> None:
        super().__init__(py_func, locals or {}, targetoptions or {}, EntryCompiler if _linking else Compiler)
        self.lean, folder = lean, folder_for(py_func)
        if folder is not None:
            self._cache = KernelCache(py_func, {**self.targetoptions, "lean": lean}, folder)

    # --- Called by kernels ---------------------------------------------------------------------------------------------------

    @cached_property
    def inner(self) -> InnerDispatcher:
        cache = self._cache if isinstance(self._cache, KernelCache) else None
        return InnerDispatcher(self.py_func, self.targetoptions, cache, self.lean)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Kernels called by kernels take every integer as int64.

        Otherwise numba compiles a function again for each constant and each width of field it is called with: twice the compile
        time. uint64 is left alone: it is used for sets of bits.
        """
        called: Any = self.inner if _linking else super()
        found = called.get_call_template(tuple(_plain(a) for a in args), {k: _plain(v) for k, v in kws.items()})
        self._check_what_is_returned(found[2])
        return found

    def _check_what_is_returned(self, args: Any) -> None:
        """An array that only one of two kernels counts would be lost, or taken for lost while it is in use."""
        caller, overloads = ConfigStack.top_or_none(), (self.inner if _linking else self).overloads
        known = overloads.get(tuple(args))
        counts = self.targetoptions["_nrt"]
        if caller and known and caller.nrt != counts and _holds_an_array(known.signature.return_type):
            refused = "no array can be returned between a kernel that allocates and one that does not"
            raise TypingError(f"{self.py_func.__name__}: {refused}; take it as an argument")

    def get_overload(self, sig: Any) -> Any:
        return self.inner.get_overload(sig) if _linking else super().get_overload(sig)

    @property
    def is_compiling(self) -> bool:
        return bool(self._compiling_counter or self.inner._compiling_counter)

    # --- Called by Python ----------------------------------------------------------------------------------------------------

    def compile(self, sig: Any) -> Any:
        """What is not at hand is compiled by one process, while the others wait for its file."""
        if _thread.compiling:  # numba's own way, called by a kernel that Python called, and under its lock
            return super().compile(sig)
        with _compiling(), contextlib.nullcontext() if self._is_at_hand(sig) else self._first_in_line(sig):
            try:
                return super().compile(sig)
            except NumbaError as problem:
                if any(sign in str(problem) for sign in MAKES_AN_ARRAY):
                    problem.add_context(f"a kernel: kernels make no arrays, {INSTEAD}")
                raise
            except Exception as problem:
                if not _linking:
                    raise
                _stop_linking(problem)
        self._compiler.pipeline_class = Compiler
        return self.compile(sig)

    @contextlib.contextmanager
    def _first_in_line(self, sig: Any) -> Iterator[None]:
        kept = isinstance(self._cache, KernelCache)
        with alone(self._file(sig).with_suffix(".lock")) if kept else contextlib.nullcontext():
            if not self._is_at_hand(sig):
                announce(self.py_func, kept)
            yield

    def _is_at_hand(self, sig: Any) -> bool:
        if tuple(sig) in self.overloads:
            return True
        context: Any = self.targetctx
        return isinstance(self._cache, KernelCache) and any(file.exists() for file in self._cache.files(sig, context.codegen()))

    def _file(self, sig: Any) -> Path:
        context: Any = self.targetctx
        return self._cache.path(sig, context.codegen())


def _holds_an_array(kind: Any) -> bool:
    return isinstance(kind, types.Array) or (isinstance(kind, types.BaseTuple) and any(map(_holds_an_array, kind)))


def _plain(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.bitwidth < 64 else kind


_linking = is_possible()
KernelCache.linking = _linking
if _linking:
    take_short_cuts()
    count_from_the_front()


def _stop_linking(problem: Exception) -> None:
    """From now on numba's own way. Not silently: somebody should look into it."""
    global _linking
    _linking = KernelCache.linking = False
    what = f"numba {numba.__version__} does not link kernels as expected ({type(problem).__name__}: {problem})"
    warnings.warn(f"{what}; compiling takes longer", RuntimeWarning, stacklevel=4)


class _Thread(threading.local):
    compiling = False


_thread = _Thread()


@contextlib.contextmanager
def _compiling() -> Iterator[None]:
    """Without the garbage collector: it would find little among millions of live objects, and take a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    _thread.compiling = True
    try:
        with remembering():
            yield
    finally:
        _thread.compiling = False
        if collecting:
            gc.enable()


def _digest_of_record(record: types.Record) -> tuple[str, tuple[int]]:
    """What stands for a record type in symbols: a number made of its fields, instead of one that is counted up in each process."""
    return "Record", (int.from_bytes(hashlib.sha256(record.name.encode()).digest()[:7], "big"),)


types.Record.mangling_args = property(_digest_of_record)
