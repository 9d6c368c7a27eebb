"""Threads of batches, and what a fork leaves of them.

GNU OpenMP, which numba uses where it finds nothing better, ends a forked process that computes with threads after its parent did.
Such a process goes on with one thread: its games are the same.
"""

from __future__ import annotations

import os

import numba

__all__ = ["are_lost", "share_out"]

_lost = False


def are_lost() -> bool:
    """Whether this process was forked off one that had started threads which cannot be used here."""
    return _lost


def share_out(threads: int) -> None:
    """Let `threads` cores take part in the next kernel."""
    numba.set_num_threads(threads)


def _after_fork() -> None:
    global _lost
    try:
        _lost = numba.threading_layer() == "omp"
    except ValueError:  # none were started
        _lost = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
