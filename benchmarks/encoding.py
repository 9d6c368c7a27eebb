"""What looking costs: every encoder on the same positions, a batch at a time, in CPU time per observation and per number written.

The positions are those of a self-play batch of random players some hundred steps into its games, and every one is looked at by the
player to act. Rounds alternate between the encoders, and the median counts.

Cold: CPU-seconds until an encoder has shown its first position, in a fresh process with an empty cache in which a game has begun.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table

from ..envs.core.game import Game
from ..envs.core.observing import encoder_names
from ..envs.core.play.many import build_observe
from ..envs.faces.vector import SelfPlay
from .cold import run_cold

__all__ = ["Cost", "cold_costs", "cold_table", "costs", "table"]

BATCH = 1024
WARM = 300  # random decisions before the first look
LOOKS = 8  # per round
ROUNDS = 15
SEED = 20


@dataclass(frozen=True)
class Cost:
    """Of one encoder at one table: CPU nanoseconds, and the numbers it writes."""

    game: str
    players: int
    encoder: str
    size: int
    per_observation: float
    per_number: float
    against_flat: float  # per number


def costs(game: Game, batch: int = BATCH, rounds: int = ROUNDS) -> list[Cost]:
    """Every encoder that fills arrays, `flat` first."""
    env = SelfPlay(game, batch, observation=None, seed=SEED)
    for _ in range(WARM):
        env.step(env.sample_actions())
    states, seats = env.states.copy(), np.maximum(env.states["current_player"], 0).astype(np.int64)
    encoders = [game.encoder(name) for name in encoder_names() if game.encoder(name).show is not None]
    looks = [(build_observe(encoder.show), encoder.buffer(batch)) for encoder in encoders]
    for look, rows in looks:
        look(states, seats, rows)  # compiles
    taken: list[list[float]] = [[] for _ in encoders]
    for _ in range(rounds):
        for (look, rows), times in zip(looks, taken, strict=True):
            before = time.process_time_ns()
            for _ in range(LOOKS):
                look(states, seats, rows)
            times.append((time.process_time_ns() - before) / (LOOKS * batch))
    found = [statistics.median(times) for times in taken]
    first = found[0] / encoders[0].size
    return [
        Cost(game.name, game.num_players, e.name, e.size, each, each / e.size, each / e.size / first)
        for e, each in zip(encoders, found, strict=True)
    ]


FIRST_LOOK = """
import sys, time
import mastaba
game = mastaba.game(sys.argv[1])
state = game.new_initial_state(seed=0)
before = time.process_time()
game.encoder(*sys.argv[2:]).observe(state, 0)
print(time.process_time() - before)
"""


def cold_costs(game: Game) -> dict[str, float]:
    """By encoder, and for `flat` by type of its numbers: what compiling it adds."""
    ways = {name: (name,) for name in encoder_names()} | {"flat float16": ("flat", "float16")}
    return {way: run_cold(FIRST_LOOK, game.name, *arguments)[0] for way, arguments in ways.items()}


def cold_table(rows: dict[str, dict[str, float]]) -> Table:
    """Of several games."""
    shown = Table("game", *next(iter(rows.values())), title="Encoders, CPU-seconds of compiling", box=SIMPLE_HEAD)
    for game, seconds in rows.items():
        shown.add_row(game, *(f"{s:.1f}" for s in seconds.values()))
    return shown


def table(rows: Iterable[Cost]) -> Table:
    shown = Table("game", "players", "encoder", "numbers", "ns each", "ns per number", "by flat", box=SIMPLE_HEAD)
    for row in rows:
        shown.add_row(
            row.game,
            str(row.players),
            row.encoder,
            str(row.size),
            f"{row.per_observation:,.0f}",
            f"{row.per_number:.2f}",
            f"{row.against_flat:.2f}x",
        )
    return shown
