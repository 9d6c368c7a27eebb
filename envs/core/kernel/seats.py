"""Going round the table."""

from __future__ import annotations

import numpy as np

from .jit import inlined

__all__ = ["after", "seat_number"]


@inlined
def after(p, num_players):
    """The seat clockwise of p. (A division would take longer than the rest of a loop around the table.)"""
    return p + 1 if p + 1 < num_players else 0


@inlined
def seat_number(p):
    """p, but the compiler sees that it is not negative, and leaves out the check of every index it is used for."""
    return np.int64(np.uint8(p))
