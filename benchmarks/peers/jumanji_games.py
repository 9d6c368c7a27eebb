"""Jumanji: it has no game for several players; these are its board games for one, with its auto-reset wrapper."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..measure import Case, Run
from . import jax_batch

GAMES = {"2048": "Game2048-v1", "minesweeper": "Minesweeper-v0"}
BATCHES = (1, 1024)
INCLUDES = ("mask", "observation", "reset")


def cases() -> list[Case]:
    return [
        Case("jumanji", game, 1, "batch", batch, 1, INCLUDES, partial(prepare, name, batch))
        for game, name in GAMES.items()
        for batch in BATCHES
    ]


def prepare(name: str, batch: int) -> Run:
    jax_batch.one_thread()
    import jax
    import jax.numpy as jnp
    import jumanji
    from jumanji.wrappers import VmapAutoResetWrapper

    env = VmapAutoResetWrapper(jumanji.make(name))

    def advance(carried: Any, key: Any) -> Any:
        state, timestep = carried
        masks = timestep.observation.action_mask
        flat = jax_batch.pick_each(masks.reshape(batch, -1), key)
        actions = jnp.stack(jnp.unravel_index(flat, masks.shape[1:]), axis=1) if masks.ndim > 2 else flat
        return env.step(state, actions)

    start = jax.jit(env.reset)(jax.random.split(jax.random.key(1), batch))
    return jax_batch.loop(start, advance, batch)
