"""Duel: one seat of each game belongs to the caller, the others to rivals.

Rivals that are kernels move inside this one. For the others the game waits until the caller brings their answers, so a step may
need several calls; what each call does is told by `stages`. One entry point holds all of them: machine code is made once.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import prange

from ..kernel.jit import inlined, kernel
from ..kernel.rows import row
from .lanes import NEXT_STEP, RANDOM_SEAT, SAME_STEP
from .one import Kernels
from .series import fortune, share

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["ANSWER", "BEGIN", "PLAY", "REPLACE", "SHOW", "build_duel"]

ONE = np.uint64(1)
BEGIN, PLAY, ANSWER, REPLACE, SHOW = 1, 2, 4, 8, 16  # stages, done in this order


def one_of(policies: tuple[Any, ...]) -> Any:
    """The policies as one kernel: ask(which, ...) is the choice of number `which`."""
    if not policies:
        return nobody_moves
    first, others = policies[0], policies[1:]
    if not others:

        @inlined
        def ask_it(which, s, mask, counter, scratch, scratch_masks):
            return first(s, mask, counter, scratch, scratch_masks)

        return ask_it
    ask_others = one_of(others)

    @inlined
    def ask(which, s, mask, counter, scratch, scratch_masks):
        if which == 0:
            return first(s, mask, counter, scratch, scratch_masks)
        return ask_others(which - 1, s, mask, counter, scratch, scratch_masks)

    return ask


@inlined
def nobody_moves(which, s, mask, counter, scratch, scratch_masks):
    return -1


@cache
def build_duel(rules: Rules, policies: tuple[Any, ...], show: Any, parallel: bool) -> Kernels:
    """Everything here is about lane i of `games`, whose `rivals` think in the space of a chunk of lanes: one chunk per thread."""
    decide, start, rest = rules.kernels.decide, rules.kernels.start, rules.kernels.rest
    ask = one_of(policies)

    @kernel
    def until_my_turn(games, i, rivals, chunk):
        """Let the others move; what the learner earns meanwhile is added up. Whoever is no kernel is waited for."""
        states, lanes, masks, _, _, terms = games
        s, lane, mask, counter = states[i], lanes[i], row(masks, i), row(rivals.counters, i)
        scratch, scratch_masks = row(rivals.scratch, chunk), rivals.scratch_masks[chunk]
        while not s.over and s.current_player != lane.player:
            who = lane.who[s.current_player]
            if who < 0:
                return
            decide(s, lane, mask, ask(who, s, mask, counter, scratch, scratch_masks), terms[0])
            lane.earned += lane.rewards[lane.player]

    @kernel
    def start_duel(games, i, rivals, chunk):
        """A new game; this is the only place where it is drawn who sits where."""
        states, lanes, masks, _, template, terms = games
        lane = lanes[i]
        start(states, i, template, lane, row(masks, i), terms[0])
        players = states[i].num_players
        counter, seat = fortune(lane.seed, lane.episode, players)
        rivals.counters[i, 0] = counter
        lane.player = seat if terms[0].seat == RANDOM_SEAT else terms[0].seat
        for distance in range(1, players):
            drawn = pick(row(rivals.odds, distance - 1), share(counter, distance))
            lane.who[(lane.player + distance) % players] = np.int64(rivals.odds[len(rivals.odds) - 1, drawn])
        earned = lane.earned
        until_my_turn(games, i, rivals, chunk)
        lane.earned = earned  # what happens before the learner's first decision is nobody's merit

    @inlined
    def begin_lane(games, i, rivals, chunk):
        states, lanes, _, _, _, _ = games
        lanes[i].earned = 0
        start_duel(games, i, rivals, chunk)
        rest(states[i], lanes[i])

    @inlined
    def play_lane(games, i, action, rivals, chunk):
        states, lanes, masks, _, _, terms = games
        s, lane = states[i], lanes[i]
        lane.earned = 0
        lane.idle = s.over == 1
        if s.over:
            rest(s, lane)
        else:
            decide(s, lane, row(masks, i), action, terms[0])
            lane.earned = lane.rewards[lane.player]
            until_my_turn(games, i, rivals, chunk)

    @inlined
    def answer_lane(games, i, action, rivals, chunk):
        """The move of a rival that was waited for."""
        states, lanes, masks, _, _, terms = games
        lane = lanes[i]
        decide(states[i], lane, row(masks, i), action, terms[0])
        lane.earned += lane.rewards[lane.player]
        until_my_turn(games, i, rivals, chunk)

    @inlined
    def replace_lane(games, i, rivals, chunk):
        """Begin the next game if this one is over and it is time; how it ended is kept."""
        states, lanes, _, _, _, terms = games
        lane = lanes[i]
        if not states[i].over or terms[0].autoreset != (NEXT_STEP if lane.idle else SAME_STEP):
            return
        if lane.terminated or lane.truncated:
            show(states[i], lane.player, row(rivals.final_observations, i))
            rivals.final_states[i] = states[i]
        over = lane.terminated, lane.truncated
        lane.episode += ONE
        start_duel(games, i, rivals, chunk)
        lane.terminated, lane.truncated = over

    @kernel
    def lane_stages(games, i, action, rivals, chunk, stages):
        if stages & BEGIN:
            begin_lane(games, i, rivals, chunk)
        if stages & PLAY:
            play_lane(games, i, action, rivals, chunk)
        if stages & ANSWER:
            answer_lane(games, i, action, rivals, chunk)
        if stages & REPLACE:
            replace_lane(games, i, rivals, chunk)
        if stages & SHOW:
            show(games.states[i], games.lanes[i].player, row(games.observations, i))

    @kernel
    def chunk_stages(games, which, actions, rivals, stages, chunk):
        first, end = bounds(chunk, len(rivals.scratch), len(which))
        for i in range(first, end):
            if which[i]:
                lane_stages(games, i, actions[i], rivals, chunk, stages)

    # One chunk of lanes per thread, each with scratch space of its own. (numba.get_thread_id would do, but crashes when the kernel
    # comes from the cache and nothing has started numba's threads.)
    @kernel(parallel=parallel)
    def advance(games, which, actions, rivals, stages):
        """Take the lanes that are asked for through `stages`."""
        for chunk in prange(len(rivals.scratch)):
            chunk_stages(games, which, actions, rivals, stages, chunk)

    return Kernels(advance=advance)


@inlined
def pick(odds, drawn):
    """The first of the cumulated `odds` above a number of [0, 1)."""
    k = 0
    while k < len(odds) - 1 and drawn >= odds[k]:
        k += 1
    return k


@inlined
def bounds(chunk, chunks, size):
    """Where a chunk of `size` things begins and ends."""
    return chunk * size // chunks, (chunk + 1) * size // chunks
