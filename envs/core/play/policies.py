"""Policies: kernels policy(s, mask, counter, scratch, scratch_masks) -> action, which can move inside any other kernel.

`counter` is a row of one number, the player's dice; `scratch` and `scratch_masks` are SCRATCH states and masks to think with.
"""

from __future__ import annotations

from ..kernel.jit import inlined
from ..kernel.masks import choose

__all__ = ["SCRATCH", "uniform"]

SCRATCH = 16  # states a policy may think with


@inlined
def uniform(s, mask, counter, scratch, scratch_masks):
    """The policy that takes any legal action."""
    return choose(mask, counter)
