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
from .endings import build_note_ending
from .lanes import BLOCK, NEXT_STEP, RANDOM_SEAT, SAME_STEP, build_games_at, build_rivals_at
from .one import Kernels
from .series import fortune, share

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["ANSWER", "BEGIN", "PLAY", "REPLACE", "SHOW", "build_duel"]

ONE = np.uint64(1)
BEGIN, PLAY, ANSWER, REPLACE, SHOW = 1, 2, 4, 8, 16  # stages, done in this order
MOVE = PLAY | ANSWER


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
def build_duel(rules: Rules, policies: tuple[Any, ...], show: Any, observed: np.dtype, parallel: bool) -> Kernels:
    """`show(s, observer, out)` is the kernel of an encoder that writes `observed` numbers.

    Everything here is about lane i of `games`, whose `rivals` think in the space of a chunk of lanes: one chunk per thread.
    What runs for every decision is handed rows, not the tuples they come from: those are some eighty words, and were a quarter of
    a step.
    """
    decide, start, rest = rules.kernels.decide, rules.kernels.start, rules.kernels.rest
    ask, note_ending = one_of(policies), build_note_ending(rules)
    games_at, rivals_at = build_games_at(rules, observed), build_rivals_at(rules, observed)

    @kernel
    def until_my_turn(s, lane, mask, counter, scratch, scratch_masks, terms):
        """Let the others move; what the learner earns meanwhile is added up. Whoever is no kernel is waited for."""
        while not s.over and s.current_player != lane.player:
            who = lane.who[s.current_player]
            if who < 0:
                return
            decide(s, lane, mask, ask(who, s, mask, counter, scratch, scratch_masks), terms)
            lane.earned += lane.rewards[lane.player]

    @kernel
    def start_duel(states, i, template, lane, mask, counter, odds, scratch, scratch_masks, terms):
        """A new game; this is the only place where it is drawn who sits where."""
        start(states, i, template, lane, mask, terms)
        s = states[i]
        counter[0], seat = fortune(lane.seed, lane.episode, s.num_players)
        lane.player = seat if terms.seat == RANDOM_SEAT else terms.seat
        draw_rivals(lane, counter[0], odds, s.num_players)
        earned = lane.earned
        until_my_turn(s, lane, mask, counter, scratch, scratch_masks, terms)
        lane.earned = earned  # what happens before the learner's first decision is nobody's merit

    @kernel
    def lane_stages(games, i, action, rivals, chunk, stages):
        """All stages but SHOW."""
        states, lanes, masks, _, template, terms = games
        s, lane, mask, counter = states[i], lanes[i], masks[i], rivals.counters[i]
        scratch, scratch_masks = rivals.scratch[chunk], rivals.scratch_masks[chunk]
        if stages & BEGIN:
            lane.earned = 0
            start_duel(states, i, template, lane, mask, counter, rivals.odds, scratch, scratch_masks, terms[0])
            rest(s, lane)
        if stages & PLAY:
            lane.earned = 0
            lane.idle = s.over == 1
            if lane.idle:
                rest(s, lane)
        if stages & MOVE and not s.over:
            decide(s, lane, mask, action, terms[0])
            lane.earned += lane.rewards[lane.player]
            until_my_turn(s, lane, mask, counter, scratch, scratch_masks, terms[0])
            if s.over:
                note_ending(s, lane, rivals.endings[i])
        if stages & REPLACE and s.over and is_replaced(lane, terms[0].autoreset):
            over = lane.terminated, lane.truncated, lane.ended
            if not lane.idle:
                show(s, lane.player, rivals.final_observations[i])
            lane.episode += ONE
            start_duel(states, i, template, lane, mask, counter, rivals.odds, scratch, scratch_masks, terms[0])
            lane.terminated, lane.truncated, lane.ended = over

    @kernel
    def block_stages(games, which, actions, observations, rivals, chunk, stages, first, end):
        """First all moves, then all observations: each is more code than a core keeps at hand."""
        for i in range(first, end):
            if which[i]:
                lane_stages(games, i, actions[i], rivals, chunk, stages)
        if stages & SHOW:
            for i in range(first, end):
                if which[i]:
                    show(games.states[i], games.lanes[i].player, observations[i])

    @kernel
    def chunk_stages(book, which, actions, observations, chunk, chunks, stages):
        games = games_at(book, len(which))
        rivals = rivals_at(book, len(which), chunks, games.template[0].num_players)
        begin, end = bounds(chunk, chunks, len(which))
        for first in range(begin, end, BLOCK):
            block_stages(games, which, actions, observations, rivals, chunk, stages, first, min(first + BLOCK, end))

    # One chunk of lanes per thread, each with scratch space of its own. (numba.get_thread_id would do, but crashes when the kernel
    # comes from the cache and nothing has started numba's threads.)
    @kernel(parallel=parallel)
    def advance(book, which, actions, observations, chunks, stages):
        """Take the lanes that are asked for through `stages`, and show them in `observations`.

        `book` is the address of a Book of `Games` and `Rivals`; those have room for `chunks` chunks of lanes.
        """
        for chunk in prange(chunks):
            chunk_stages(book, which, actions, observations, chunk, chunks, stages)

    return Kernels(advance=advance)


@inlined
def is_replaced(lane, autoreset):
    """Whether a new game takes the place of a finished one. In the same step even of one that ended before the learner's turn."""
    return autoreset == SAME_STEP or (lane.idle and autoreset == NEXT_STEP)


@kernel
def draw_rivals(lane, counter, odds, players):
    """Who plays the other seats of this game."""
    for distance in range(1, players):
        drawn = pick(odds[distance - 1], share(counter, distance))
        lane.who[(lane.player + distance) % players] = np.int64(odds[len(odds) - 1, drawn])


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
