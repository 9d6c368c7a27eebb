"""`@kernel`: numba's njit with a disk cache that can be trusted.

Plain `njit(cache=True)` has two faults that matter for a library of rules. A kernel built by a closure (one per game) never hits
its cache in a new process, because the functions it closes over are pickled with a random id. And a kernel is not recompiled
when a function it calls in *another* file changes: stale rules, silently. Here the name of the cache file carries a fingerprint
of everything the machine code depends on: the bytecode and constants of the kernel, of every kernel it calls, and the values of
the tables they read. Equal fingerprint, equal machine code; so the cache needs no time stamps and survives parallel test workers.

A third fault is worse: the symbols inside cached machine code tell closures and record types apart only by numbers that are unique
within one process. Kernels of two games that were compiled in two processes can carry the same symbols, and loaded together one
game then runs the other's code. Here the symbols carry the fingerprint of the function and a digest of the record instead.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

__all__ = ["fingerprint", "inlined", "is_cached", "kernel"]

FORMAT = 2  # of the cache files; raise it when this module changes what is in them


def kernel(function: Callable | None = None, *, inline: bool = False, parallel: bool = False) -> Any:
    """Compile `function` on first call, without the GIL, and remember the machine code across processes."""

    def decorate(function: Callable) -> Any:
        compiler = numba.njit(nogil=True, error_model="numpy", parallel=parallel, forceinline=inline)
        dispatcher: Any = compiler(function)
        dispatcher.get_call_template = _with_plain_integers(dispatcher.get_call_template)
        # Suppressed when numba's internals have moved or no folder can be written: then every process compiles anew.
        with contextlib.suppress(AttributeError, RuntimeError, TypeError):
            dispatcher._cache = KernelCache(function, "p" * parallel)
        return dispatcher

    return decorate if function is None else decorate(function)


def inlined(function: Callable) -> Any:
    """A kernel that becomes part of every kernel that calls it.

    A call costs little if its arguments are records and numbers, but an array is seven words, so what takes arrays (masks, rows,
    observations) and runs at every step is worth it. What is large and called from several places is not: compiling takes longer.
    """
    return kernel(function, inline=True)


def _with_plain_integers(get_call_template: Callable) -> Callable:
    """Kernels called by kernels take every integer as int64.

    Otherwise numba compiles a function again for each constant and each width of field it is called with: twice the compile time.
    uint64 is left alone: it is used for sets of bits.
    """

    def plain(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) and kind.bitwidth < 64 else kind  # type: ignore[attr-defined]

    def with_plain_integers(args: tuple, kws: dict) -> Any:
        return get_call_template(tuple(plain(a) for a in args), {k: plain(v) for k, v in kws.items()})

    return with_plain_integers


def is_cached(dispatcher: Any) -> bool:
    """Whether some process has compiled this kernel before, as it is now."""
    cache = dispatcher._cache
    return isinstance(cache, KernelCache) and cache.exists()


class KernelCache(FunctionCache):
    """numba's function cache with the fingerprint in the file name instead of a time stamp in the index."""

    def __init__(self, function: Callable, kind: str) -> None:
        super().__init__(function)
        self._kind = kind
        self._bound = False

    def _bind(self) -> None:
        # Not in __init__: at decoration time the functions a kernel calls may not exist yet.
        if not self._bound:
            print_of_code = fingerprint(self._py_func)[:16] + self._kind
            self._py_func.__qualname__ += f"_{print_of_code}"  # numba makes the symbol's name of it
            self._cache_file = IndexDataCacheFile(
                cache_path=self._cache_path,
                filename_base=f"{self._impl.filename_base}-{print_of_code}",
                source_stamp="fingerprinted",
            )
            self._bound = True

    def exists(self) -> bool:
        self._bind()
        return Path(self._cache_file._index_path).exists()

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        self._bind()
        return super()._load_overload(sig, target_context)

    def _save_overload(self, sig: Any, data: Any) -> None:
        self._bind()
        try:
            super()._save_overload(sig, data)
        except OSError:
            self.disable()  # the folder vanished or the disk is full: playing on matters more than the cache

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple()


def fingerprint(function: Callable) -> str:
    """A digest of all that decides the machine code of `function`, but for the types of its arguments."""
    digest = hashlib.sha256(f"{numba.__version__} {FORMAT}".encode())
    seen: set[int] = set()
    pending: list[Any] = [function]
    while pending:
        function = pending.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for name, value in _inputs(function):
            digest.update(name.encode())
            called = _function_of(value)
            if called is not None:
                digest.update(f"{_qualified(called)} {getattr(value, 'targetoptions', None)}".encode())
                pending.append(called)
            else:
                digest.update(_content(value))
    return digest.hexdigest()


def _inputs(function: Any) -> Iterator[tuple[str, Any]]:
    """The named things a function's code refers to: its code, its globals, its closure and its defaults."""
    yield "name", _qualified(function)
    yield "defaults", function.__defaults__
    for cell_name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield cell_name, cell.cell_contents
    for code in _codes(function.__code__):
        yield "code", code.co_code
        yield "constants", tuple(c for c in code.co_consts if not isinstance(c, CodeType))
        for name in code.co_names:
            value = function.__globals__.get(name)
            if isinstance(value, ModuleType):
                # `tables.COST` shows up as the two names `tables` and `COST`
                yield from ((n, getattr(value, n)) for n in code.co_names if _is_input(getattr(value, n, None)))
            elif _is_input(value):
                yield name, value


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _function_of(value: Any) -> Callable | None:
    """The Python function behind a kernel or an intrinsic."""
    return value.py_func if isinstance(value, Dispatcher) else getattr(value, "_defn", None)


def _is_input(value: Any) -> bool:
    data = isinstance(value, (np.ndarray, np.generic, bool, int, float, str, tuple))
    return data or _function_of(value) is not None


def _content(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + np.ascontiguousarray(value).tobytes()
    if isinstance(value, bytes):
        return value
    return repr(value).encode()


def _qualified(function: Any) -> str:
    return f"{function.__module__}.{function.__code__.co_qualname}"


def _digest_of_record(record: types.Record) -> tuple[str, tuple[int]]:
    """What stands for a record type in symbols: a number made of its fields, instead of one that is counted up in each process."""
    return "Record", (int.from_bytes(hashlib.sha256(record.name.encode()).digest()[:7], "big"),)


types.Record.mangling_args = property(_digest_of_record)  # type: ignore[method-assign, assignment]
