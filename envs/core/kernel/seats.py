"""Going round the table."""

from __future__ import annotations

from .jit import inlined

__all__ = ["after"]


@inlined
def after(p, num_players):
    """The seat clockwise of p. (A division would take longer than the rest of a loop around the table.)"""
    return p + 1 if p + 1 < num_players else 0
