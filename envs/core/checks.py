"""Settings that every face knows, and the one way to refuse a wrong one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["ILLEGAL", "RANDOM_SEAT", "check", "seat_number"]

RANDOM_SEAT = -1
ILLEGAL = ("terminate", "raise")  # what an illegal action does: the player forfeits, or an exception


def check(name: str, value: Any, allowed: Sequence) -> None:
    """ValueError with the allowed values, unless `value` is one of them."""
    if value not in allowed:
        raise ValueError(f"{name}={value!r} is not possible, allowed are {', '.join(map(repr, allowed))}")


def seat_number(seat: int | str, num_players: int) -> int:
    """The seat of the learner for kernels: its number, or RANDOM_SEAT for "random"."""
    check("seat", seat, ("random", *range(num_players)))
    return RANDOM_SEAT if seat == "random" else int(seat)
