"""The entry points that Python calls, each for many states at once; a single state is a batch of one.

So a game is compiled few times, and all interfaces play by the same code.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernel.jit import kernel
from ..kernel.masks import choose, clear
from .lanes import build_games_at
from .one import TERMINAL, Kernels, build_one

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["build", "build_choice", "build_game", "build_observe"]

ONE = np.uint64(1)


def build(rules: Rules) -> Kernels:
    """All kernels of a game that show nothing. Each is turned into machine code, or read from the cache, at its first call."""
    one = build_one(rules)
    return Kernels(**vars(one), **vars(_build_playing(rules, one)), **vars(_build_looking(rules, one)))


def _build_playing(rules: Rules, one: Kernels) -> Kernels:
    step, legal = rules.step, rules.legal
    begin, play = one.begin, one.play

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
                    episodes[i] += ONE
                    begin(states, i, template, seeds[i], episodes[i], mask)
        return finished

    @kernel
    def step_alone(states, actions, masks, counts):
        """Play actions without the forced ones that follow: who tells a game move by move wants to see them too."""
        for i in range(len(states)):
            step(states[i], actions[i])
            mask = masks[i]
            clear(mask)
            counts[i] = 0 if states[i].over else legal(states[i], mask)

    return Kernels(step_alone=step_alone, reset=reset, apply=apply, playout=playout)


def _build_looking(rules: Rules, one: Kernels) -> Kernels:
    legal, determinize, derive, outcome = rules.legal, rules.determinize, rules.derive, one.outcome

    @kernel
    def legal_masks(states, masks, counts):
        """The legal actions of the positions as they are, forced ones included, and how many the rules say there are."""
        for i in range(len(states)):
            mask = masks[i]
            clear(mask)
            counts[i] = 0 if states[i].over else legal(states[i], mask)

    @kernel
    def outcomes(states, points, ranks):
        for i in range(len(states)):
            outcome(states[i], points[i], ranks[i])

    @kernel
    def determinize_all(states, players, counters):
        """Redraw what players[i] cannot know in state i. counters[i] replaces the game's generator: nobody knows the future."""
        for i in range(len(states)):
            states[i].rng = counters[i]
            determinize(states[i], players[i])

    @kernel
    def derive_all(states):
        for i in range(len(states)):
            derive(states[i])

    parts = rules.parts

    @kernel
    def sheets(states, out):
        """out[i, p]: the score sheet of player p in state i, by category."""
        for i in range(len(states)):
            for p in range(states[i].num_players):
                parts(states[i], p, out[i, p])

    return Kernels(legal_masks=legal_masks, outcomes=outcomes, determinize=determinize_all, derive=derive_all, sheets=sheets)


@cache
def build_game(rules: Rules, show: Any, observed: np.dtype) -> Any:
    """How an interface plays one game: `show(s, observer, out)` is the kernel of its encoder, which writes `observed` numbers."""
    decide, start, rest = rules.kernels.decide, rules.kernels.start, rules.kernels.rest
    games_at = build_games_at(rules, observed)

    @kernel
    def play_game(book, action, anew):
        """Play an action that may be illegal, write what it earns, show the game to whoever is to act, and return who that is.

        `anew`: begin the game that the lane says. All in one entry point: each holds the whole game, and machine code of it is made
        once. `book` is the address of a Book of the arrays of `Games`.
        """
        states, lanes, masks, observations, template, terms = games_at(book, 1)
        s, mask = states[0], masks[0]
        if anew:
            start(states, 0, template, lanes[0], mask, terms[0])
            rest(s, lanes[0])
        else:
            decide(s, lanes[0], mask, action, terms[0])
        if s.over:
            return TERMINAL
        show(s, s.current_player, observations[0])
        return np.int64(s.current_player)

    return play_game


@cache
def build_observe(show: Any) -> Any:
    """What an encoder's kernel `show` shows of many states, each to its own observer."""

    @kernel
    def observe(states, observers, observations):
        for i in range(len(states)):
            show(states[i], observers[i], observations[i])

    return observe


@cache
def build_choice(policy: Any) -> Any:
    """A policy for many states at once; 0 where nothing is left to decide."""

    @kernel
    def choose_all(states, masks, counters, scratch, scratch_masks, actions):
        for i in range(len(states)):
            if states[i].over:
                actions[i] = 0
            else:
                actions[i] = policy(states[i], masks[i], counters[i : i + 1], scratch, scratch_masks)

    return choose_all
