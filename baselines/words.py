"""Settings in words: `NAME=VALUE`, on the command line and in the names of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["read_settings", "written"]


def read_settings(usual: Mapping[str, Any], words: Iterable[str]) -> dict[str, Any]:
    """What the words change, each value of the kind of the usual one: a number, a text, a pair as `0.001,0.0001`, a pool as
    `self:1,greedy:2`. ValueError names what there is."""
    found: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in usual or not value:
            raise ValueError(f"no setting {word!r}, settings are NAME=VALUE with {', '.join(usual)}")
        try:
            found[name] = _read(value, usual[name])
        except ValueError:
            raise ValueError(f"{word!r} is not possible: {name} is something like {written(usual[name])}") from None
    return found


def _read(text: str, usual: Any) -> Any:
    """As something of the same kind as what is usual."""
    if isinstance(usual, tuple):
        first, last = (float(number) for number in text.split(","))
        return first, last
    if isinstance(usual, dict):
        pairs = (part.rpartition(":") for part in text.split(","))
        return {name: float(weight) for name, _, weight in pairs}
    return type(usual)(text)


def written(value: Any) -> str:
    """So that `read_settings` reads it."""
    if isinstance(value, dict):
        return ",".join(f"{name}:{weight}" for name, weight in value.items())
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
