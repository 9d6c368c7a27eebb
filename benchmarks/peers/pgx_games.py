"""Pgx on the CPU, with its auto-reset wrapper, in batches; preparation is mostly compile time."""

from __future__ import annotations

from functools import partial
from typing import Any

from mastaba.benchmarks.measure import Case, Run
from mastaba.benchmarks.peers import jax_batch

GAMES = ("tic_tac_toe", "connect_four", "backgammon", "go_9x9")
BATCHES = (1, 64, 1024, 8192)
INCLUDES = ("mask", "observation", "reset")


def cases() -> list[Case]:
    return [
        Case("pgx", game, 2, "batch", batch, 1, INCLUDES, partial(prepare, game, batch))
        for game in GAMES
        for batch in BATCHES
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
