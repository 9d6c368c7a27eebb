"""What Pgx and Jumanji share: a whole run as one compiled loop, so that Python never gets in their way."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ..measure import Run

LEAST_TURNS = 16
"""Each call takes its scratch memory anew; in a loop of one turn that halves the rate of the big batches."""


def one_thread() -> None:
    """Before the first use of JAX. A second thread helps the wall clock a little and costs CPU-seconds."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("PJRT_NPROC", "1")


def pick_each(masks: Any, key: Any) -> Any:
    """One random number a row (`categorical` draws one for every action)."""
    import jax
    import jax.numpy as jnp

    ranks = jnp.cumsum(masks, axis=1)
    wanted = jnp.floor(jax.random.uniform(key, masks.shape[:1]) * ranks[:, -1])
    return jnp.argmax(ranks > wanted[:, None], axis=1)


def loop(start: Any, advance: Callable[[Any, Any], Any], batch: int) -> Run:
    """A run of `advance(state, key) -> state` from `start`, compiled once for any number of steps.

    The whole state comes out at the end, so the compiler cannot drop the observations on the way.
    """
    import jax

    def body(_: Any, carried: Any) -> Any:
        state, key = carried
        key, now = jax.random.split(key)
        return advance(state, now), key

    @jax.jit
    def play(times: Any, carried: Any) -> Any:
        return jax.lax.fori_loop(0, times, body, carried)

    carried = start, jax.random.key(2)

    def run(steps: int) -> int:
        nonlocal carried
        times = max(LEAST_TURNS, -(-steps // batch))
        carried = jax.block_until_ready(play(times, carried))
        return times * batch

    run(1)
    return run
