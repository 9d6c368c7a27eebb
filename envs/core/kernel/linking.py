"""Compiling a game once instead of once per kernel.

numba makes machine code and two wrappers of every kernel, although Python calls only a few of them (the entry points), and
optimises a kernel's code again in every kernel that calls it. Here a kernel has two sides. What Python calls is compiled as usual.
What kernels call is kept as code to link: no machine code, no wrappers, nothing optimised beyond the single function. An entry
point links every kernel that it reaches once, makes them private to itself, so that what is called from one place is inlined and
then dropped, and is optimised and turned into machine code as a whole: half the time, and no slower to run.

This takes numba's insides, which are not its public face. `is_possible` looks whether they are as we know them; if not, or if
linking fails, or with MASTABA_LINK=0, every kernel is compiled numba's own way: slower, with the same results.
"""

from __future__ import annotations

import contextlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from llvmlite.binding import Linkage, parse_assembly, parse_bitcode
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_result
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from . import frontend, indices
from .cache import KernelCache
from .files import load, save

__all__ = ["EntryCompiler", "InnerDispatcher", "is_possible"]

LINKABLE = ".nbl"  # suffix of the files with code to link
ENVIRONMENT = "_ZN08NumbaEnv"  # how the symbols of environments begin (what a function needs of Python, to raise exceptions)
LARGE = 150  # instructions, before they are optimised: a function of a few lines of Python
UNRESOLVED = ".numba.unresolved$"  # how those begin that stand for functions which call each other in a circle


def is_possible() -> bool:
    """Whether numba has the parts that are used here, and nobody has switched it off."""
    parts = {
        JITCodeLibrary: ("_finalize_dynamic_globals", "_get_module_for_linking", "_optimize_final_module", "_ensure_finalized"),
        Flags: ("no_compile", "no_cfunc_wrapper", "no_cpython_wrapper"),
        CPUDispatcher: ("_make_finalizer", "add_overload", "get_call_template", "get_overload", "is_compiling"),
        CPUContext: ("insert_user_function",),
        Compiler: ("compile_extra",),
    }
    parts |= frontend.PARTS | indices.PARTS
    switched_on = os.environ.get("MASTABA_LINK") != "0"
    return switched_on and all(hasattr(owner, name) for owner, names in parts.items() for name in names)


class InnerDispatcher(CPUDispatcher):
    """The side of a kernel that other kernels call. Its code is kept too, for the next entry point that somebody compiles."""

    def __init__(self, function: Callable, targetoptions: dict[str, Any], cache: KernelCache | None, lean: bool) -> None:
        super().__init__(function, targetoptions=targetoptions, pipeline_class=LinkableCompiler)
        self._kept_in, self._lean = cache, lean

    def _make_finalizer(self) -> Callable[[], None]:
        """numba forgets the functions of a dispatcher that is gone; but its library may serve another one too, that of a game with
        the same kernels."""
        return _forget_nothing

    def compile(self, sig: Any) -> Any:
        args = tuple(sig)
        if args not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._load(args) or self._make(args))
        return self.overloads[args].entry_point

    def add_overload(self, result: Any) -> None:
        library = result.library
        # Nothing here has an address, so what numba knows the function by is its library.
        self.overloads[tuple(result.signature.args)] = result._replace(entry_point=library)
        self.targetctx.insert_user_function(library, result.fndesc, library.with_all_it_needs())

    def _load(self, args: tuple) -> Any:
        library = None if self._kept_in is None else load_library(self._file(args), self.targetctx.codegen())
        if library is None:
            return None
        signature, fndesc = pickle.loads(library.described)
        if tuple(signature.args) != args:  # a named tuple of a script that was run before: numba keeps a class of its own for it
            return None
        return compile_result(signature=signature, fndesc=fndesc, library=library, typing_error=None)

    def _make(self, args: tuple) -> Any:
        result = self._compiler.compile(args, None)
        result.library.symbol = result.fndesc.mangled_name
        result.library.environment = result.environment
        result.library.lean = self._lean
        if self._kept_in is not None:
            result.fndesc.typemap = result.fndesc.calltypes = None  # needed for lowering only, and large
            result.library.described = dumps((result.signature, result.fndesc))
            save_library(result.library, self._file(args))
        return result

    def _file(self, args: tuple) -> Path:
        assert self._kept_in is not None
        return self._kept_in.path(args, self.targetctx.codegen(), LINKABLE)


def _forget_nothing() -> None:
    pass


class LinkableCompiler(Compiler):
    def compile_extra(self, function: Callable) -> Any:
        state = self.state
        state.flags = frontend.QuickFlags(state.flags)
        state.flags.no_compile = state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        state.library = LinkableLibrary(state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


class LinkableLibrary(JITCodeLibrary):
    """The code of one kernel, to be linked into entry points."""

    symbol: str
    environment: Any  # what it needs of Python; alive as long as the code is
    lean = False  # what it needs is not worth inlining
    described: bytes = b""  # its types, pickled
    file: Path | None = None  # where it is kept

    def __init__(self, codegen: Any, name: str) -> None:
        self._linking_libraries: list[Any] = []
        self._reload_init: set[Any] = set()  # what to run when it is loaded; numba 0.60 knows that of whole results only
        super().__init__(codegen, name)

    def finalize(self) -> None:
        """Instead of machine code: take in what numba itself brings (its array functions and so on)."""
        needed = dict.fromkeys(self._linking_libraries)
        for library in needed:
            if not _is_shared(library):
                self._take_in(library)
        self._linking_libraries = [library for library in needed if _is_shared(library)]
        self._finalize_dynamic_globals()
        self._finalized = True

    def _take_in(self, library: JITCodeLibrary) -> None:
        # Made private, because numba tells such functions apart by numbers that are unique in one process only.
        self._reload_init.update(getattr(library, "_reload_init", ()))
        module = library._get_module_for_linking()
        self._final_module.link_in(module, preserve=True)
        _make_private(self._final_module, _names_of_functions(module))

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        return self._final_module  # as it is: every entry point links it once only

    def with_all_it_needs(self) -> list[JITCodeLibrary]:
        self._ensure_finalized()
        return [self, *self._linking_libraries]

    @property
    def kernels_needed(self) -> list[LinkableLibrary]:
        return [library for library in self._linking_libraries if isinstance(library, LinkableLibrary)]


def _is_shared(library: JITCodeLibrary) -> bool:
    return isinstance(library, LinkableLibrary) or library is rtsys.library


def save_library(library: LinkableLibrary, file: Path) -> None:
    """Keep it, with the names of the kernels it calls (directly or not) instead of their code."""
    kernels = library.kernels_needed
    if library.has_dynamic_globals or not library.environment.can_cache() or not all(kernel.file for kernel in kernels):
        return
    needs = [(kernel.file.name, kernel.symbol) for kernel in kernels if kernel.file]
    code = library._final_module.as_bitcode()
    about = (library.environment, library._reload_init, library.described, library.lean)
    content = (library.name, library.symbol, needs, code, *about)
    with contextlib.suppress(OSError):  # the folder vanished or the disk is full
        save(file, dumps(content))
        library.file = file
        _loaded[file] = library


def load_library(file: Path, codegen: Any) -> LinkableLibrary | None:
    """What was kept there, and all that it needs; None if something is missing or does not fit together."""
    if file not in _loaded:
        content = load(file)
        if content is None:
            return None
        name, symbol, needs, code, environment, reload_init, described, lean = pickle.loads(content)
        kernels = [load_library(file.with_name(needed), codegen) for needed, _ in needs]
        # Somebody may have compiled a kernel anew: then it has another symbol, which this code does not know.
        if [kernel and kernel.symbol for kernel in kernels] != [symbol for _, symbol in needs]:
            return None
        library = LinkableLibrary(codegen, name)
        library._final_module = parse_bitcode(code)
        library._linking_libraries = [*kernels, rtsys.library]
        library._reload_init.update(reload_init)
        library._finalized = True
        library.symbol, library.environment, library.described, library.file = symbol, environment, described, file
        library.lean = lean
        _loaded[file] = library
    return _loaded[file]


_loaded: dict[Path, LinkableLibrary] = {}


class EntryCompiler(Compiler):
    """What Python calls."""

    def compile_extra(self, function: Callable) -> Any:
        state = self.state
        state.flags = frontend.QuickFlags(state.flags)
        state.flags.no_cfunc_wrapper = True
        state.library = EntryLibrary(state.targetctx.codegen(), function.__qualname__)
        state.library.enable_object_caching()
        with frontend.without_listeners():
            result = super().compile_extra(function)
        state.library.set_environments()
        return result


class EntryLibrary(JITCodeLibrary):
    """The code of one entry point and of all kernels it reaches.

    What was linked in becomes private, also what came with the body of a parallel loop, which numba compiles on its own. Code that
    is loaded later would otherwise be bound to the functions of the same name that are here already, although optimising a private
    function may have changed how it is called.
    """

    def _optimize_final_module(self) -> None:
        module = self._final_module
        if not any(variable.name.startswith(UNRESOLVED) for variable in module.global_variables):
            kernels = {library for library in self._linking_libraries if isinstance(library, LinkableLibrary)}
            names = set().union(*(_names_of_functions(kernel._final_module) for kernel in kernels))
            # numba's run-time functions are everybody's.
            names |= {f.name for f in module.functions if f.linkage == Linkage.linkonce_odr}
            _make_private(module, names - _names_of_functions(rtsys.library._get_module_for_linking()))
            lean = {needed for kernel in kernels if kernel.lean for needed in (kernel, *kernel.kernels_needed)}
            _keep_apart(module, set().union(*(_names_of_functions(kernel._final_module) for kernel in lean)))
        super()._optimize_final_module()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """For the cache. numba adds the code as it was before, for linking; here nobody links it, so the symbols are enough."""
        symbols = [f.name for f in self._final_module.functions if f.linkage == Linkage.external and not f.is_declaration]
        stubs = "".join(f'define void @"{symbol}"() {{ ret void }}\n' for symbol in symbols)
        return self.name, "object", (self._get_compiled_object(), parse_assembly(stubs).as_bitcode())

    def set_environments(self) -> None:
        """Those of the linked kernels too: before they were part of this library, they had no address."""
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)


def _names_of_functions(module: Any) -> set[str]:
    return {function.name for function in module.functions if not function.is_declaration}


def _make_private(module: Any, names: set[str]) -> None:
    """Private, not internal: LLVM's loader finds the internal functions of one entry point by name for another one, and those may
    take their arguments in another way by then."""
    for function in module.functions:
        if function.name in names and not function.is_declaration:
            function.linkage = "private"


def _keep_apart(module: Any, names: set[str]) -> None:
    """Large functions stay functions, unless they ask to be inlined: to optimise one that holds all others takes much longer.

    The encoder `lookahead` of pyramidice compiles in 3.6 instead of 4.1 to 4.7 CPU-s, and runs as fast; with small ones kept apart
    too it would take 3.2, and run half as long again.
    """
    for function in module.functions:
        large = sum(1 for block in function.blocks for _ in block.instructions) > LARGE if function.name in names else False
        if large and not any(b"alwaysinline" in attribute for attribute in function.attributes):
            function.add_function_attribute("noinline")
