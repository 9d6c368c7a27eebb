"""What decides the machine code of a kernel, as one digest.

Equal fingerprints mean equal machine code (for equal types of arguments), wherever the package lies and in every process.
So the fingerprint covers the code of the kernel and of every function it reaches, the names they use (fields, builtins and numpy's
functions stand nowhere else), the tables, constants, defaults, closures, types and records they refer to, the compiler's options,
and the versions of the compiler and of numpy.
"""

from __future__ import annotations

import contextlib
import hashlib
import platform
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from enum import EnumMeta
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.dispatcher import Dispatcher

__all__ = ["fingerprint", "functions_reached", "remembering"]

FORMAT = 9  # of the cache files; raise it when the package changes what it makes of a function
SETTINGS = (
    "BOUNDSCHECK",
    "DEBUGINFO_DEFAULT",
    "DISABLE_INTEL_SVML",
    "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS",
    "LOOP_VECTORIZE",
    "OPT",
    "SLP_VECTORIZE",
    "USING_SVML",
)  # of numba (NUMBA_...) that change the code it makes; the CPU is part of numba's own key
BY_VERSION = {"numba", "numpy", "llvmlite"} | sys.stdlib_module_names  # packages whose insides change with their version only

Inputs = list[tuple[str, Any]]


def fingerprint(function: Callable, options: Mapping[str, Any] | None = None) -> str:
    """A digest of all that decides the machine code of `function` under numba's `options`, but for the types of its arguments."""
    inputs = _inputs_of_all(function)
    numbers = {id(reached): k for k, reached in enumerate(inputs)}
    digest = hashlib.sha256(repr((FORMAT, _versions(), _settings(), _options(options))).encode())
    for reached in inputs.values():
        for name, value in reached:
            digest.update(value if isinstance(value, Settled) else _as_bytes(name, value, numbers))
    return digest.hexdigest()


def functions_reached(function: Callable) -> list[Callable]:
    """`function` and all that it calls, directly or not."""
    return list(_inputs_of_all(function))


def _versions() -> tuple[str, ...]:
    return platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__


def _settings() -> list[str]:
    return [f"{name}={getattr(config, name, None)}" for name in SETTINGS]


def _options(options: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    return sorted((name, repr(value)) for name, value in (options or {}).items())


# --- What a function refers to -----------------------------------------------------------------------------------------------


def _inputs_of_all(function: Callable) -> dict[Any, Inputs]:
    """The inputs of `function` and of each function that it reaches, in the order in which they are first mentioned."""
    inputs: dict[Any, Inputs] = {}
    pending = [function]
    while pending:
        reached = pending.pop()
        if reached not in inputs:
            inputs[reached] = _settled_inputs(reached)
            pending.extend(called for _, value in inputs[reached] for called in _functions_in(value))
    return inputs


class Settled(bytes):
    """An input that refers to no function, as the digest takes it."""


class _Thread(threading.local):
    memory: dict[Any, Inputs] | None = None


_thread = _Thread()


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """Meanwhile no function changes: what one refers to is listed once, although a hundred kernels may reach it."""
    _thread.memory = {}
    try:
        yield
    finally:
        _thread.memory = None


def _settled_inputs(function: Any) -> Inputs:
    memory = {} if _thread.memory is None else _thread.memory
    if function in memory:
        return memory[function]
    memory[function] = inputs = [
        (name, value if any(_functions_in(value)) else Settled(_as_bytes(name, value, {}))) for name, value in _inputs(function)
    ]
    return inputs


def _inputs(function: Any) -> Iterator[tuple[str, Any]]:
    """The named things a function's code refers to: its code, its globals, its closure and its defaults."""
    yield "name", f"{function.__module__}.{function.__code__.co_qualname}"
    yield "defaults", function.__defaults__
    yield "keyword defaults", tuple(sorted((function.__kwdefaults__ or {}).items()))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    for code in _codes(function.__code__):
        yield "code", code.co_code
        yield "arguments", (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        yield "variables", (code.co_varnames, code.co_cellvars, code.co_freevars)
        yield "exceptions", code.co_exceptiontable
        yield "names", code.co_names
        yield "constants", tuple(c for c in code.co_consts if not isinstance(c, CodeType))
        yield from _globals_named(code.co_names, function.__globals__)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _globals_named(names: tuple[str, ...], namespace: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """The values behind `names`; `tables.COST` shows up as the two names `tables` and `COST`."""
    for name in names:
        value = namespace.get(name)
        if isinstance(value, ModuleType):
            if value.__name__ not in path and not _is_by_version(value.__name__):
                yield from _globals_named(names, vars(value), (*path, value.__name__))
        elif isinstance(value, KNOWN) or _function_of(value) is not None:
            yield ".".join((*path, name)), value


def _functions_in(value: Any) -> Iterator[Callable]:
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _functions_in(item)
    elif (function := _function_of(value)) is not None:
        yield function


def _function_of(value: Any) -> Callable | None:
    """The Python function behind a kernel, an intrinsic or a function that numba has an overload for."""
    function = value.py_func if isinstance(value, Dispatcher) else getattr(value, "_defn", value)
    return function if isinstance(function, FunctionType) and not _is_by_version(function.__module__) else None


def _is_by_version(module: str | None) -> bool:
    return (module or "").partition(".")[0] in BY_VERSION


# --- Values as text ----------------------------------------------------------------------------------------------------------


def _as_bytes(name: str, value: Any, numbers: Mapping[int, int]) -> bytes:
    return repr((name, _described(value, numbers))).encode()


NUMBERS = (bool, int, float, complex, np.generic)
TYPES = (type, np.dtype, types.Type)
KNOWN = (*NUMBERS, *TYPES, str, bytes, tuple, np.ndarray, BuiltinFunctionType, FunctionType, np.ufunc)


def _described(value: Any, numbers: Mapping[int, int]) -> Any:
    """`value` in terms whose `repr` is the same in every process. Functions are numbered: their own inputs are digested once."""
    function = _function_of(value)
    if function is not None:
        return "function", numbers[id(function)], _options(getattr(value, "targetoptions", None)), getattr(value, "lean", False)
    if isinstance(value, np.ndarray):
        layout = (repr(value.dtype), value.shape, value.flags.c_contiguous, value.flags.f_contiguous, value.flags.aligned)
        return "table", layout, hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [_described(item, numbers) for item in value]
    if isinstance(value, (set, frozenset)):
        return "set", sorted(repr(_described(item, numbers)) for item in value)
    if isinstance(value, EnumMeta):
        return "enum", value.__qualname__, [(member.name, repr(member.value)) for member in value]  # type: ignore[var-annotated]
    if isinstance(value, types.Type):
        return "numba type", str(value)
    if callable(value) and hasattr(value, "__qualname__"):
        return "callable", value.__module__, value.__qualname__
    return type(value).__qualname__, repr(value)
