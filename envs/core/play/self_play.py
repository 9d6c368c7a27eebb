"""Self-play: every decision of every game belongs to the caller."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import prange

from ..kernel.addresses import array_at
from ..kernel.fetching import fetch
from ..kernel.jit import inlined, kernel
from ..kernel.masks import choose
from .lanes import BLOCK, DICE, ENTRY, NEXT_STEP, NUMBER, SAME_STEP, build_games_at
from .one import Kernels

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["CUT_OFF", "build_sampling", "build_self_play"]

ONE = np.uint64(1)
CUT_OFF = 1 << 32
AHEAD = 4  # lanes: 200 to 300 ns


@cache
def build_self_play(rules: Rules, show: Any, observed: np.dtype, parallel: bool) -> Kernels:
    """`show(s, observer, out)` is the kernel of an encoder that writes `observed` numbers; a `book` is the address of a Book."""
    decide, start, rest = rules.kernels.decide, rules.kernels.start, rules.kernels.rest
    games_at = build_games_at(rules, observed)

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
        start(states, i, template, lanes[i], masks[i], terms[0])
        rest(states[i], lanes[i])
        lanes[i].player = states[i].current_player
        show(states[i], lanes[i].player, observations[i])

    @kernel
    def reset_block(book, which, block):
        games = games_at(book, len(which))
        for i in range(block * BLOCK, min((block + 1) * BLOCK, len(which))):
            if which[i]:
                reset_lane(games, i)

    @kernel
    def step_block(book, actions, block):
        """First all steps, then all observations: each is more code than a core keeps at hand. Return what `step` does."""
        states, lanes, masks, observations, template, terms = games_at(book, len(actions))
        block_of_lanes = range(block * BLOCK, min((block + 1) * BLOCK, len(states)))
        ends = 0
        for i in block_of_lanes:
            fetch(states, i + AHEAD)
            fetch(lanes, i + AHEAD)
            step_one(states, i, template, lanes[i], masks[i], actions[i], terms[0])
            ends += lanes[i].ended + CUT_OFF * lanes[i].truncated
        for i in block_of_lanes:
            show(states[i], lanes[i].player, observations[i])
        return ends

    # A parallel loop holds calls and nothing else: numba 0.68 was seen to get branches inside a prange over records wrong.
    @kernel(parallel=parallel)
    def reset(book, which):
        for block in prange(-(-len(which) // BLOCK)):
            reset_block(book, which, block)

    @kernel(parallel=parallel)
    def step(book, actions):
        """Return how many games ended, and CUT_OFF more for each that was truncated: Python needs not look through the lanes."""
        ends = 0
        for block in prange(-(-len(actions) // BLOCK)):
            ends += step_block(book, actions, block)
        return ends

    return Kernels(reset=reset, step=step)


@cache
def build_sampling(rules: Rules, parallel: bool) -> Any:
    """Random legal actions, shared out like the steps, so that each core reads the masks that it has written itself."""
    state = rules.schema.dtype

    @kernel
    def sample_block(book, count, block):
        entry = array_at(book, NUMBER, (8,))
        states, masks = array_at(entry[0], state, (count,)), array_at(entry[2], ENTRY, (count, entry[3]))
        counters, actions = array_at(entry[4], DICE, (count, 1)), array_at(entry[6], NUMBER, (count,))
        for i in range(block * BLOCK, min((block + 1) * BLOCK, count)):
            actions[i] = 0 if states[i].over else choose(masks[i], counters[i])

    @kernel(parallel=parallel)
    def sample_all(book, count):
        """`book` is the address of a Book of states, masks, the games' dice, and the actions to be written."""
        for block in prange(-(-count // BLOCK)):
            sample_block(book, count, block)

    return sample_all
