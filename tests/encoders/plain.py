"""Features of a game against a plain reading of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from encoders.crowds import LONG, crowd

from mastaba import Game, State
from mastaba.envs.core.declare.features import Feature, build_writer, present
from mastaba.envs.core.kernel.jit import kernel

Rows = Sequence[Sequence[float]]  # of a feature: one per player it is about, the observer's or the next one's first


def positions(game: Game) -> Iterator[State]:
    states = crowd(game, 400 if LONG else 60)
    return (game.state_of(states[i : i + 1]) for i in range(len(states)))


def check_features(state: State, me: int, expected: Mapping[str, Rows]) -> None:
    """All features of a game stand where the encoder says, and are what was expected."""
    game = state.game
    assert list(expected) == [f.name for f in present(game.rules.features, game.num_players)]
    seen, flat = state.observation(me), game.encoder()
    for name, rows in expected.items():
        shown = seen[flat.where(name)]
        assert shown.shape[0] == len(rows), name
        assert shown == pytest.approx(np.array(rows, float).reshape(shown.shape), abs=1e-5), name


def measuring(features: tuple[Feature, ...]) -> Callable[[State, int], dict[str, list[float]]]:
    """The numbers that `lookahead` compares before and after an action."""
    write = build_writer(features)

    @kernel
    def write_first(states, me, out):
        write(states[0], me, out, 0)

    def measure(state: State, me: int) -> dict[str, Any]:
        out = np.zeros(sum(f.size for f in features), np.float32)
        write_first(state.record, me, out)
        ends = np.cumsum([f.size for f in features])
        return {f.name: run.tolist() for f, run in zip(features, np.split(out, ends[:-1]), strict=True)}

    return measure
