"""`lookahead`: the flat observation followed by a row for every action: whether it is legal, what it would do to the own score and
to the lead over the best other, and how it would change the numbers that the game declares for it (`Rules.lookahead`).

An action is tried in a world that the observer cannot tell from the true one: its hidden cards and dice are drawn with one fixed
seed from what the observer knows, and from nothing else. So two states that look alike to a player give the same bytes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from ..envs.core.declare.features import ONCE, build_writer
from ..envs.core.kernel.jit import inlined, kernel
from ..envs.core.kernel.masks import clear
from ..envs.core.kernel.writing import part, stack_copy, stack_row, write_zeros
from ..envs.core.observing import Encoder, Slice
from ..envs.core.play.rewards import best_other
from ..envs.core.rules import Rules
from .flat import FlatEncoder, show_kernel

__all__ = ["COLUMNS", "FATE", "LookaheadEncoder"]

COLUMNS = {
    "legal": "whether the action is legal",
    "score": "what it adds to the own score, by {scale:g}, cut at 1",
    "margin": "what it adds to the lead over the best other, by {scale:g}, cut at 1",
}
FATE = np.uint64(0x9E6C63D0876A9A47)  # the seed of all imagined worlds


class LookaheadEncoder(Encoder):
    """The layout of one game at one table size: `rows(observation)` are those of the actions."""

    name = "lookahead"

    def __init__(self, rules: Rules, num_players: int) -> None:
        super().__init__(rules, num_players)
        flat = FlatEncoder(rules, num_players)
        columns = [(name, 1, doc.format(scale=rules.score_scale)) for name, doc in COLUMNS.items()]
        columns += [(f.name, f.size, f"what it changes: {f.doc}") for f in rules.lookahead]
        self.actions_start, self.width = flat.size, _width(rules)
        self.slices, at = list(flat.slices), flat.size
        actions = rules.actions.names
        for name, size, doc in columns:
            self.slices.append(
                Slice(f"after_{name}", at, at + size, f"per action: {doc}", len(actions), self.width, of=tuple(actions))
            )
            at += size
        self.shape = (flat.size + len(actions) * self.width,)
        self.space = Box(-1.0, 1.0, self.shape, np.float32)
        self.show = lookahead_kernel(rules)

    def units(self) -> np.ndarray:
        """Of `flat`; changes may be negative and have none."""
        return np.append(FlatEncoder(self.rules, self.num_players).units(), np.zeros(self.size - self.actions_start, np.int64))

    def rows(self, observation: np.ndarray) -> np.ndarray:
        """The rows of the actions: [actions, columns]."""
        return self.numbers(observation)[self.actions_start :].reshape(-1, self.width)


def _width(rules: Rules) -> int:
    return len(COLUMNS) + sum(f.size for f in rules.lookahead)


@cache
def lookahead_kernel(rules: Rules) -> Any:
    if strange := [f.name for f in rules.lookahead if f.per != ONCE or f.at]:
        raise ValueError(f"lookahead of {rules.name}: {', '.join(strange)} must stand once, at every table")
    show_flat, play, scores, determinize = show_kernel(rules), rules.kernels.play, rules.scores, rules.determinize
    num_actions, seats, scale = len(rules.actions), rules.schema.seats, rules.score_scale
    legal, width, own_columns = rules.legal, _width(rules), _width(rules) - len(COLUMNS)
    measure = build_writer(rules.lookahead)
    padded, measures = -(-num_actions // 8) * 8, max(1, own_columns)
    first = len(COLUMNS)

    @kernel
    def lead(points, n, p):
        return points[p] - best_other(points, n, p)

    @inlined
    def cut(change):
        return -1.0 if change < -1.0 else 1.0 if change > 1.0 else np.float64(change)

    @kernel(lean=True)
    def look(s, observer, rows, points, mask, tried_mask, before, after):
        """Fill the rows of all actions."""
        write_zeros(rows)
        if s.over or s.current_player != observer:
            return
        n, own, margin = s.num_players, 0, 0
        world = stack_copy(s)
        world.rng = FATE
        determinize(world, observer)
        clear(mask)
        legal(world, mask)
        for action in range(-1, num_actions):  # -1: nothing is done, and measured once in the same lines: less to compile
            if action >= 0 and not mask[action]:
                continue
            tried = stack_copy(world)
            if action >= 0:
                play(tried, action, tried_mask)
            scores(tried, points)
            measure(tried, observer, after, 0)
            if action < 0:
                own, margin = points[observer], lead(points, n, observer)
                for i in range(own_columns):
                    before[i] = after[i]
                continue
            row = part(rows, width * action, width)
            row[0] = 1
            row[1] = cut((points[observer] - own) / scale)
            row[2] = cut((lead(points, n, observer) - margin) / scale)
            for i in range(own_columns):
                row[first + i] = cut(np.float64(after[i] - before[i]))

    @inlined
    def show(s, observer, out):
        end = len(out) - width * num_actions
        show_flat(s, observer, part(out, 0, end))
        points, mask, tried = stack_row(seats, np.int64), stack_row(padded, np.int8), stack_row(padded, np.int8)
        before, after = stack_row(measures, np.float32), stack_row(measures, np.float32)
        look(s, observer, part(out, end, width * num_actions), points, mask, tried, before, after)

    return show
