"""Values from outside, and the one way to refuse a wrong one: say what came and what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from reprlib import repr as shortened
from typing import Any

import numpy as np

__all__ = ["action_number", "actions_array", "brief", "check", "seed_number", "whole"]

PLAIN = (int, np.int64)


def check(name: str, value: Any, allowed: Sequence) -> None:
    """ValueError with the allowed values, unless `value` is one of them."""
    if not any(value is option or (type(value) is type(option) and value == option) for option in allowed):
        raise ValueError(f"{name}={value!r} is not possible, allowed are {', '.join(map(repr, allowed))}")


def brief(value: Any) -> str:
    """A value in an error message: never long, and never an error itself."""
    try:
        return shortened(value)
    except Exception:  # a number of thousands of digits, or an object that refuses to be shown
        return f"an object of {type(value).__name__}"


def whole(name: str, value: Any) -> int:
    """A whole number of any integer type (numpy's and 0-d tensors too); not a float, a string or a truth value."""
    if type(value) in PLAIN:  # at every step
        return index(value)
    if isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}: a whole number is needed, got {value!r}")
    try:
        return index(value)
    except Exception:  # TypeError if it is no number; an object of somebody else's making may raise anything
        raise ValueError(f"{name}: a whole number is needed, got {brief(value)}") from None


def action_number(action: Any) -> int:
    """A whole number that an array of actions holds: one that is too large for it is no action, as -1 is none."""
    number = index(action) if type(action) in PLAIN else whole("action", action)  # at every step
    return number if -(2**63) <= number < 2**63 else -1


def seed_number(seed: Any) -> int:
    """A seed as 64 bits."""
    return whole("seed", seed) % 2**64


def actions_array(actions: Any, count: int) -> np.ndarray:
    """One action per game as the kernels want them."""
    array = np.asarray(actions)
    if array.shape != (count,):
        raise ValueError(f"expected {count} actions, got an array of shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"actions: whole numbers are needed, got an array of {array.dtype}")
    return np.ascontiguousarray(array, np.int64)
