"""The line that explains why the first call takes a moment."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .fingerprint import functions_reached

__all__ = ["announce", "silence"]

CORE = __name__.rpartition(".kernel.")[0]
SECONDS_PER_FUNCTION = 0.15  # to compile, on one core of a few years ago

_quiet = False


def announce(function: Callable, kept: bool) -> None:
    """Say on stderr, once per process, that `function` is being compiled, and whether the next process finds it (`kept`)."""
    global _quiet
    if not (_quiet or os.environ.get("MASTABA_QUIET")):
        _quiet = True
        reached = functions_reached(function)
        game = _game_of(reached)
        hints = [f"`mastaba warmup {game}` does it ahead"] * bool(game and kept) + ["MASTABA_QUIET=1 hides this"]
        hints += ["set MASTABA_CACHE_DIR: there is no folder to keep it in"] * (not kept)
        seconds = max(1, round(SECONDS_PER_FUNCTION * len(reached)))
        print(f"mastaba: compiling {game or function.__name__}, about {seconds} s ({'; '.join(hints)})", file=sys.stderr)


@contextmanager
def silence() -> Iterator[None]:
    """For whoever shows by other means that it compiles."""
    global _quiet
    before, _quiet = _quiet, True
    try:
        yield
    finally:
        _quiet = before


def _game_of(reached: list[Callable]) -> str | None:
    """The game whose functions these are, by the folder that most of them lie in; None for what belongs to core."""
    folders = Counter(function.__module__.split(".")[-2] for function in reached if _is_of_a_game(function))
    return folders.most_common(1)[0][0] if folders else None


def _is_of_a_game(function: Callable) -> bool:
    return "." in function.__module__ and not function.__module__.startswith(CORE + ".")
