"""Machine code that runs on most processors: made once, for a release or for all machines of a cluster.

What is compiled here for this processor comes first; where it is missing, a kernel is taken from one of the folders below if it is
there, and compiled otherwise. The files hold Python objects, and whoever can write them can run code: so they are loaded from our
own package and from the folder that the user names, and from nowhere else. They fit one version of Python, numba, llvmlite and
numpy, as all files of the cache do: with others they are not found, and nothing breaks.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding

__all__ = ["CPU", "folders", "key_of", "making"]

CPU = "x86-64-v3"  # nearly every PC and server since 2015
FEATURES = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")  # what it takes
SHIPPED = Path(__file__).parents[3] / "portable"  # in a wheel that was built with it
NAMED = "MASTABA_PORTABLE_DIR"


def folders() -> list[Path]:
    """Where to look: nowhere, if this processor is too old or of another kind."""
    named = os.environ.get(NAMED)
    return [*([Path(named)] if named else []), SHIPPED] if _runs_here() else []


def key_of(native: tuple[Any, ...]) -> tuple[Any, ...]:
    """What numba's own key of this processor (system, name, features) would be on a plain one."""
    return native[0], CPU, ""


def making(folder: Path) -> dict[str, str]:
    """The environment of a process that compiles into `folder` for such a processor, whatever its own one is."""
    rest = {name: value for name, value in os.environ.items() if name != NAMED}
    return rest | {"NUMBA_CPU_NAME": CPU, "NUMBA_CPU_FEATURES": "", "MASTABA_CACHE_DIR": str(folder)}


@cache
def _runs_here() -> bool:
    has = binding.get_host_cpu_features()
    return all(has.get(feature) for feature in FEATURES)
