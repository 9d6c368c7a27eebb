"""PufferLib's C games (Ocean).

They give no legality mask: actions are drawn from all of them, as in PufferLib's own speed tests, and many are
illegal and therefore cheap. An opponent moves inside the step; only the agent's decision is counted.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from functools import partial
from importlib import import_module
from inspect import signature
from io import StringIO
from typing import Any

from ..measure import Case, Run

CLASSES = {
    "go_7x7": "go.Go",
    "checkers": "checkers.Checkers",
    "connect4": "connect4.Connect4",
    "tripletriad": "tripletriad.TripleTriad",
}
BATCHES = (1, 64, 1024, 8192)
INCLUDES = ("no mask", "observation", "reset", "opponent inside")
DRAWN = 64


def cases() -> list[Case]:
    return [
        Case("pufferlib", game, 2, "batch", batch, 1, INCLUDES, partial(prepare, name, batch))
        for game, name in CLASSES.items()
        for batch in BATCHES
    ]


def prepare(name: str, batch: int) -> Run:
    import numpy as np

    env = make(name, batch)
    env.reset(seed=1)
    drawn = np.random.default_rng(1).integers(env.single_action_space.n, size=(DRAWN, batch), dtype=np.int32)

    def run(steps: int) -> int:
        times = -(-steps // batch)
        for i in range(times):
            env.step(drawn[i % DRAWN])
        return times * batch

    run(1)
    return run


def make(name: str, batch: int) -> Any:
    """Its statistics are put off for ever: some games collect them at every step, connect4 fails if none ended."""
    module, cls = name.split(".")
    with somewhere_else():
        maker = getattr(import_module(f"pufferlib.ocean.{module}.{module}"), cls)
    intervals = {name: 1 << 60 for name in signature(maker).parameters if name.endswith("_interval")}
    return maker(num_envs=batch, **intervals)


@contextmanager
def somewhere_else() -> Iterator[None]:
    """Importing PufferLib puts a link `resources` into the working directory; its old gym complains at length."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, redirect_stderr(StringIO()):
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)
