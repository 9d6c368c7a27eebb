"""Kernels over many states at once, built once per game from its rules by closure.

Everything that touches a state from Python goes through here, also for a single state (a batch of one), so a game is compiled
few times and all faces play by the same code. `play` takes every decision that has a single legal action: no face ever shows one.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ...encoders.flat import encode
from .jit import kernel
from .masks import choose, clear, first_set
from .rewards import pay
from .rng import stream

if TYPE_CHECKING:
    from .game import Rules

__all__ = ["NEVER", "NEXT_STEP", "SAME_STEP", "Kernels", "build"]

NO_ACTION = -1
NEVER, NEXT_STEP, SAME_STEP = 0, 1, 2  # when a finished game is replaced by a new one

Kernels = SimpleNamespace


def build(rules: Rules) -> Kernels:
    """Compile lazily: each kernel is made here, and turned into machine code (or read from the cache) at its first call."""
    single = _build_single(rules)
    return Kernels(
        **vars(single),
        **vars(_build_batch(rules, single)),
    )


def _build_single(rules: Rules) -> Kernels:
    """One state at a time; inlined into everything below."""
    legal, step, setup, scores, standings = rules.legal, rules.step, rules.setup, rules.scores, rules.standings
    features = rules.features

    @kernel
    def play(s, action, mask):
        """Do an action and every forced one that follows; write the mask of the next real decision, return its number of actions."""
        while True:
            if action != NO_ACTION:
                step(s, action)
            clear(mask)
            if s.over:
                return 0
            count = legal(s, mask)
            if count != 1:
                return count
            action = first_set(mask)

    @kernel
    def begin(states, i, template, seed, episode, mask):
        states[i] = template[0]
        s = states[i]
        s.rng = stream(seed, episode)
        setup(s)
        play(s, NO_ACTION, mask)

    @kernel
    def outcome(s, points, ranks):
        scores(s, points)
        standings(s, points, ranks)

    @kernel
    def look(s, raw, observer, plan, tables, features_start, out):
        out[:] = 0
        encode(raw, s.num_players, observer, plan, tables, out)
        features(s, observer, out[features_start:])

    return Kernels(begin=begin, play=play, outcome=outcome, look=look)


def _build_batch(rules: Rules, single: Kernels) -> Kernels:
    """The entry points that Python calls."""
    legal, determinize, derive = rules.legal, rules.determinize, rules.derive
    begin, play, outcome, look = single.begin, single.play, single.outcome, single.look

    @kernel
    def reset(states, template, seeds, episodes, masks):
        for i in range(len(states)):
            begin(states, i, template, seeds[i], episodes[i], masks[i])

    @kernel
    def apply(states, actions, masks):
        """Play legal actions. The masks of finished games are left clear."""
        for i in range(len(states)):
            if not states[i].over:
                play(states[i], actions[i], masks[i])
                states[i].decisions += 1

    @kernel
    def legal_masks(states, masks):
        """The legal actions of the positions as they are, forced ones included."""
        for i in range(len(states)):
            clear(masks[i])
            if not states[i].over:
                legal(states[i], masks[i])

    @kernel
    def outcomes(states, points, ranks):
        for i in range(len(states)):
            outcome(states[i], points[i], ranks[i])

    @kernel
    def determinize_all(states, players, counters):
        """Replace what players[i] cannot know in state i; the future is drawn from counters[i] instead of the game's own generator."""
        for i in range(len(states)):
            states[i].rng = counters[i]
            determinize(states[i], players[i])

    @kernel
    def derive_all(states):
        for i in range(len(states)):
            derive(states[i])

    @kernel
    def observe(states, raw, observers, plan, tables, features_start, out):
        for i in range(len(states)):
            look(states[i], raw[i], observers[i], plan, tables, features_start, out[i])

    @kernel
    def playout(states, template, seeds, episodes, counters, masks, steps):
        """`steps` uniformly random legal decisions in every lane, a new game whenever one ends. Return the games finished."""
        finished = 0
        for i in range(len(states)):
            mask = masks[i]
            counter = counters[i : i + 1]
            for _ in range(steps):
                play(states[i], choose(mask, counter), mask)
                states[i].decisions += 1
                if states[i].over:
                    finished += 1
                    episodes[i] += 1
                    begin(states, i, template, seeds[i], episodes[i], mask)
        return finished

    return Kernels(
        reset=reset,
        apply=apply,
        legal_masks=legal_masks,
        outcomes=outcomes,
        determinize=determinize_all,
        derive=derive_all,
        observe=observe,
        playout=playout,
    )
