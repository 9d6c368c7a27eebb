"""Where compiled kernels are kept between processes: files named by fingerprint and types.

The folder is the one that MASTABA_CACHE_DIR names (any number of checkouts may share it), else `__pycache__` beside the source,
else the user's cache folder; where nothing can be written, every process compiles anew. No name depends on where the package lies.
A file that is not as it was written (files.py) counts as missing, and is written anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from glob import escape
from pathlib import Path
from typing import Any

from numba import types
from numba.core import config
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

from . import portable
from .files import load, save
from .fingerprint import fingerprint

__all__ = ["KernelCache", "folder_for", "is_cached"]

SUFFIX = ".nbc"


def is_cached(dispatcher: Any) -> bool:
    """Whether some process has compiled this kernel before, as it is now."""
    cache = dispatcher._cache
    return isinstance(cache, KernelCache) and cache.exists()


def folder_for(function: Callable) -> Path | None:
    """The first folder that can be written; None also for a function that stands in no file (nor in a notebook)."""
    source = Path(function.__code__.co_filename)
    of_notebook = source.name.startswith("<ipython-") or source.parent.name.startswith("ipykernel_")
    if not (source.exists() or of_notebook):
        return None
    return next((folder for folder in _folders(source) if _is_writable(folder)), None)


def _folders(source: Path) -> Iterator[Path]:
    for named in (os.environ.get("MASTABA_CACHE_DIR"), config.CACHE_DIR):  # the second is NUMBA_CACHE_DIR
        if named:
            yield Path(named)
    if source.exists():
        yield source.parent.absolute() / "__pycache__"
    yield Path(AppDirs("mastaba", appauthor=False).user_cache_dir)


@cache
def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


class KernelCache:
    """The files of one kernel: one for each combination of types of arguments and CPU. Made to stand in for numba's own cache."""

    linking = False  # linked entry points are stored without the code that numba's own way needs of what it calls

    def __init__(self, function: Callable, options: Mapping[str, Any], folder: Path) -> None:
        self._function, self._options, self._folder = function, options, folder
        self._enabled = True
        self._stem = ""

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    @property
    def stem(self) -> str:
        """How the names of this kernel's files begin."""
        # Not in __init__: at decoration time the functions a kernel calls may not exist yet.
        if not self._stem:
            print_of_code = fingerprint(self._function, self._options)[:16]
            self._stem = f"{_readable_name(self._function)}-{print_of_code}"
            self._function.__qualname__ += f"_{print_of_code}"  # numba makes the symbol's name of it
        return self._stem

    def path(self, sig: Any, codegen: Any, suffix: str = SUFFIX) -> Path:
        """The file for these types of arguments and this CPU."""
        return self._folder / self._name(sig, codegen.magic_tuple(), suffix)

    def _name(self, sig: Any, processor: tuple[Any, ...], suffix: str = SUFFIX) -> str:
        key = repr((str(sig), *_named_tuples(sig), processor, self.linking))
        return f"{self.stem}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{suffix}"

    def files(self, sig: Any, codegen: Any) -> Iterator[Path]:
        """Where machine code for these types may be: our own for this CPU first, then what runs on most of them."""
        yield self.path(sig, codegen)
        name = self._name(sig, portable.key_of(codegen.magic_tuple()))
        yield from (folder / name for folder in portable.folders())

    def exists(self) -> bool:
        """Whether there is a file for any types of arguments."""
        folders = (self._folder, *portable.folders())
        return any(any(folder.glob(f"{escape(self.stem)}-*{SUFFIX}")) for folder in folders)

    # --- What numba's dispatcher asks for ------------------------------------------------------------------------------------

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        files = self.files(sig, target_context.codegen()) if self._enabled else ()
        content = next(filter(None, map(load, files)), None)
        return None if content is None else CompileResult._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, result: Any) -> None:
        if self._enabled and not result.library.has_dynamic_globals:  # those hold addresses of this process
            try:
                save(self.path(sig, result.codegen), dumps(result._reduce()))
            except OSError:
                self.disable()  # the folder vanished or the disk is full: playing on matters more than the cache

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for path in self._folder.glob(f"{escape(self.stem)}-*{SUFFIX}"):
            path.unlink(missing_ok=True)


def _named_tuples(sig: Iterable[Any]) -> Iterator[str]:
    """Where the classes of named tuples come from: those of one name and two modules are two types, which are written alike."""
    for kind in sig:
        if isinstance(kind, types.BaseNamedTuple):
            yield f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}"
        if isinstance(kind, types.BaseTuple):
            yield from _named_tuples(kind)


def _readable_name(function: Callable) -> str:
    """Module and function, for people who look into the folder. `<locals>` loses what Windows does not take."""
    module = function.__module__.rpartition(".")[2]
    name = f"{module}.{function.__code__.co_qualname}".replace("<", "").replace(">", "")[-100:]
    return f"{name}.py{sys.version_info.major}{sys.version_info.minor}"
