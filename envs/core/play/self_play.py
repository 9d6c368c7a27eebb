"""Self-play: every decision of every game belongs to the caller."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import prange

from ..kernel.jit import inlined, kernel
from ..kernel.masks import choose
from ..kernel.rows import row
from .lanes import BLOCK, NEXT_STEP, SAME_STEP
from .one import Kernels

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["build_sampling", "build_self_play"]

ONE = np.uint64(1)


@cache
def build_self_play(rules: Rules, show: Any, parallel: bool) -> Kernels:
    """`show(s, observer, out)` is the kernel of an encoder."""
    decide, start, rest = rules.kernels.decide, rules.kernels.start, rules.kernels.rest

    @inlined
    def step_one(states, i, template, lane, mask, action, terms):
        s = states[i]
        if s.over:
            rest(s, lane)
            again = terms.autoreset == NEXT_STEP
        else:
            decide(s, lane, mask, action, terms)
            again = s.over and terms.autoreset == SAME_STEP
        if again:
            lane.episode += ONE
            start(states, i, template, lane, mask, terms)
        if not s.over:
            lane.player = s.current_player

    @kernel
    def reset_lane(games, i):
        states, lanes, masks, observations, template, terms = games
        start(states, i, template, lanes[i], row(masks, i), terms[0])
        rest(states[i], lanes[i])
        lanes[i].player = states[i].current_player
        show(states[i], lanes[i].player, row(observations, i))

    @kernel
    def reset_block(games, which, block):
        for i in range(block * BLOCK, min((block + 1) * BLOCK, len(which))):
            if which[i]:
                reset_lane(games, i)

    @kernel
    def step_block(games, actions, block):
        """First all steps, then all observations: each is more code than a core keeps at hand."""
        states, lanes, masks, observations, template, terms = games
        block_of_lanes = range(block * BLOCK, min((block + 1) * BLOCK, len(states)))
        for i in block_of_lanes:
            step_one(states, i, template, lanes[i], row(masks, i), actions[i], terms[0])
        for i in block_of_lanes:
            show(states[i], lanes[i].player, row(observations, i))

    # A parallel loop holds calls and nothing else: numba 0.68 was seen to get branches inside a prange over records wrong.
    @kernel(parallel=parallel)
    def reset(games, which):
        for block in prange(-(-len(which) // BLOCK)):
            reset_block(games, which, block)

    @kernel(parallel=parallel)
    def step(games, actions):
        for block in prange(-(-len(actions) // BLOCK)):
            step_block(games, actions, block)

    return Kernels(reset=reset, step=step)


@inlined
def sample_one(s, mask, counter):
    return 0 if s.over else choose(mask, counter)


@cache
def build_sampling(parallel: bool) -> Any:
    """Random legal actions, shared out like the steps, so that each core reads the masks that it has written itself."""

    @kernel(parallel=parallel)
    def sample_all(states, masks, counters, actions):
        for i in prange(len(actions)):
            actions[i] = sample_one(states[i], row(masks, i), row(counters, i))

    return sample_all
