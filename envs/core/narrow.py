"""Narrow observations: the numbers of any encoder as halves (float16) or whole numbers (uint8).

A batch then writes, and a replay buffer keeps, a half or a quarter of the bytes. The kernel fills a row of float32 on its stack,
which never leaves the core's nearest cache, and writes it out narrow. It is compiled only if it is asked for.

float16   rounded to the nearest: at most 2**-12 off
uint8     exact: every number is counted in a unit of its own, and the unit is the `high` of the space: number = uint8 / space.high
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.spaces import Box

from .declare.checks import check
from .kernel.jit import inlined
from .kernel.writing import part, stack_row, write_halves, write_whole
from .observing import Encoder

if TYPE_CHECKING:
    from .rules import Rules

__all__ = ["DTYPES", "LARGEST_UNIT", "NarrowEncoder", "narrow_kernel", "narrowed"]

DTYPES = ("float32", "float16", "uint8")
LARGEST_UNIT = 255


def narrowed(encoder: Encoder, dtype: str) -> Encoder:
    """The encoder with numbers of another type; ValueError names what is allowed, and what cannot be told in that type."""
    check("observation_dtype", dtype, DTYPES)
    if encoder.show is None and dtype != "float32":
        raise ValueError(f"observation_dtype={dtype!r} is not possible for {encoder.name!r}: it is not made of numbers")
    if dtype == "uint8" and len(unfit := np.flatnonzero(~_fits(encoder.units()))):
        names = [s.name for s in encoder.slices if np.isin(s.indices(), unfit).any()]
        told = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        allowed = ", ".join(repr(each) for each in DTYPES if each != "uint8")
        raise ValueError(
            f"observation_dtype='uint8' is not possible for {encoder.name!r} of {encoder.rules.name}, allowed are {allowed}: "
            f"bytes cannot hold {told} exactly"
        )
    return encoder if dtype == "float32" else NarrowEncoder(encoder, dtype)


def _fits(units: np.ndarray) -> np.ndarray:
    return (units > 0) & (units <= LARGEST_UNIT)


class NarrowEncoder(Encoder):
    """What an encoder shows, in fewer bytes; `widen` gives its own numbers back."""

    def __init__(self, wide: Encoder, dtype: str) -> None:
        super().__init__(wide.rules, wide.num_players)
        self.wide, self.name, self.shape, self.slices = wide, wide.name, wide.shape, wide.slices
        self.dtype, self.show = np.dtype(dtype), wide.narrow_show(dtype)
        self.stored = np.dtype(np.uint16) if dtype == "float16" else self.dtype  # numba knows no halves
        if dtype == "uint8":
            self.space = Box(np.zeros(self.shape, np.uint8), wide.units().astype(np.uint8).reshape(self.shape), dtype=np.uint8)
        else:
            self.space = Box(-1.0, 1.0, self.shape, np.float16)

    def __reduce__(self) -> tuple[Any, ...]:
        return NarrowEncoder, (self.wide, self.dtype.name)

    def shaped(self, rows: np.ndarray) -> np.ndarray:
        return super().shaped(rows.view(self.dtype))

    def units(self) -> np.ndarray:
        return self.wide.units()

    def widen(self, observation: np.ndarray) -> np.ndarray:
        """As the encoder shows it in float32, but for the rounding."""
        numbers = np.asarray(observation, np.float32)
        return numbers / self.units().reshape(self.shape) if self.dtype == np.uint8 else numbers

    def describe(self) -> str:
        return self.wide.describe()

    def where(self, name: str) -> np.ndarray:
        return self.wide.where(name)

    def explain(self, observation: np.ndarray) -> list[tuple[str, str, Any]]:
        return self.wide.explain(self.widen(self.numbers(observation).reshape(self.shape)))


@cache
def narrow_kernel(kind: type[Encoder], rules: Rules, dtype: str) -> Any:
    """show(s, observer, out) of an encoder of that kind, for rows of another type."""
    encoders = {n: kind(rules, n) for n in rules.players}
    show_wide, room = encoders[rules.players[0]].show, max(encoder.size for encoder in encoders.values())
    units = np.zeros((max(encoders) + 1, room), np.float32)
    for n, encoder in encoders.items():
        units[n, : encoder.size] = encoder.units()

    @inlined
    def show_whole(s, observer, out):
        wide = stack_row(room, np.float32)
        show_wide(s, observer, part(wide, 0, len(out)))
        write_whole(wide, units[s.num_players], out)

    @inlined
    def show_halves(s, observer, out):
        wide = stack_row(room, np.float32)
        show_wide(s, observer, part(wide, 0, len(out)))
        write_halves(wide, out)

    return show_whole if dtype == "uint8" else show_halves
