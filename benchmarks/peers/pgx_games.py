"""Pgx on the CPU, with its auto-reset wrapper, in batches; preparation is mostly compile time."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..measure import Case, Run
from . import jax_batch

BATCHES = {
    "tic_tac_toe": (1, 64, 1024, 8192),
    "connect_four": (1, 64, 1024, 8192),
    "backgammon": (1, 64, 1024, 8192),
    "go_9x9": (1, 64, 1024),  # at 8192 one run takes seven seconds and tells nothing new
}
INCLUDES = ("mask", "observation", "reset")


def cases() -> list[Case]:
    return [
        Case("pgx", game, 2, "batch", batch, 1, INCLUDES, partial(prepare, game, batch))
        for game, batches in BATCHES.items()
        for batch in batches
    ]


def prepare(game: str, batch: int) -> Run:
    jax_batch.one_thread()
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(state: Any, key: Any) -> Any:
        choose, chance = jax.random.split(key)
        actions = jax_batch.pick_each(state.legal_action_mask, choose)
        return step(state, actions, jax.random.split(chance, batch))

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), batch))
    return jax_batch.loop(start, advance, batch)
