"""Kernels over many states at once, built once per game from its rules by closure.

Everything that touches a state from Python goes through here, also for a single state (a batch of one), so a game is compiled
few times and all faces play by the same code. `play` takes every decision that has a single legal action: no face ever shows one.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba import prange

from ...encoders.flat import encode
from .checks import RANDOM_SEAT
from .jit import kernel
from .lanes import FORFEIT, NEXT_STEP, PLAYING, SAME_STEP, TERMINATED, TRUNCATED
from .masks import choose, clear, first_set
from .rewards import FORFEIT_REWARD, SCORE_DELTA, pay
from .rng import mix, stream

if TYPE_CHECKING:
    from .game import Rules

NO_ACTION = -1

Kernels = SimpleNamespace


def build(rules: Rules) -> Kernels:
    """Compile lazily: each kernel is made here, and turned into machine code (or read from the cache) at its first call."""
    single = _build_single(rules)
    return Kernels(**vars(single), **vars(_build_batch(rules, single)))


# --- One state at a time: inlined into everything below ------------------------------------------------------------------------


def _build_single(rules: Rules) -> Kernels:
    legal, step, setup, scores, standings = rules.legal, rules.step, rules.setup, rules.scores, rules.standings
    features, num_actions = rules.features, len(rules.actions)

    @kernel
    def play(s, action, mask):
        """Do an action and every forced one that follows; write the mask of the next real decision."""
        while True:
            if action != NO_ACTION:
                step(s, action)
            clear(mask)
            if s.over:
                return
            count = legal(s, mask)
            if count != 1:
                return
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
    def settle(lanes, i):
        """Write the rewards of the step that led here."""
        s, points, rewards = lanes.states[i], lanes.points[i], lanes.rewards[i]
        if lanes.mode == SCORE_DELTA:
            scores(s, points)
            for p in range(s.num_players):
                rewards[p] = (points[p] - lanes.before[i, p]) / lanes.scale
                lanes.before[i, p] = points[p]
        elif s.over:
            outcome(s, points, lanes.ranks[i])
            pay(lanes.mode, s.num_players, points, lanes.ranks[i], lanes.scale, rewards)

    @kernel
    def decide(lanes, i, action):
        """Play an action that may be illegal: then the player forfeits. Return how the game stands."""
        s, mask = lanes.states[i], lanes.masks[i]
        lanes.rewards[i, :] = 0
        if action < 0 or action >= num_actions or mask[action] == 0:
            lanes.rewards[i, s.current_player] = FORFEIT_REWARD
            s.over = 1
            clear(mask)
            return FORFEIT
        play(s, action, mask)
        s.decisions += 1
        settle(lanes, i)
        if not s.over:
            return PLAYING
        return TRUNCATED if s.truncated else TERMINATED

    @kernel
    def start(lanes, i):
        """Begin the game that seed and episode say."""
        begin(lanes.states, i, lanes.template, lanes.seeds[i], lanes.episodes[i], lanes.masks[i])
        lanes.before[i, :] = 0
        if lanes.mode == SCORE_DELTA:
            scores(lanes.states[i], lanes.before[i])

    @kernel
    def show(states, raw, i, observer, view, observations):
        s, out = states[i], observations[i]
        out[:] = 0
        encode(raw[i], s.num_players, observer, view.programs, view.bounds, view.tables, out)
        features(s, observer, out[view.features_start :])

    return Kernels(begin=begin, play=play, outcome=outcome, decide=decide, start=start, show=show)


# --- Entry points that Python calls ---------------------------------------------------------------------------------------------


def _build_batch(rules: Rules, single: Kernels) -> Kernels:
    legal, determinize, derive = rules.legal, rules.determinize, rules.derive
    begin, play, outcome, show = single.begin, single.play, single.outcome, single.show

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
        """Redraw what players[i] cannot know in state i. counters[i] replaces the game's generator: nobody knows the future."""
        for i in range(len(states)):
            states[i].rng = counters[i]
            determinize(states[i], players[i])

    @kernel
    def derive_all(states):
        for i in range(len(states)):
            derive(states[i])

    @kernel
    def observe(states, raw, observers, view):
        for i in range(len(states)):
            show(states, raw, i, observers[i], view, view.observations)

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


# --- Self-play: every decision of every game belongs to the caller ---------------------------------------------------------------


def build_self_play(rules: Rules, parallel: bool) -> Kernels:
    decide, start, show = rules.kernels.decide, rules.kernels.start, rules.kernels.show

    @kernel
    def reset_one(lanes, i, players, view):
        start(lanes, i)
        lanes.status[i] = PLAYING
        lanes.rewards[i, :] = 0
        players[i] = lanes.states[i].current_player
        if view.wanted:
            show(lanes.states, lanes.raw, i, players[i], view, view.observations)

    @kernel
    def step_one(lanes, i, action, players, view):
        if lanes.states[i].over:
            lanes.status[i] = PLAYING
            lanes.rewards[i, :] = 0
            again = lanes.autoreset == NEXT_STEP
        else:
            lanes.status[i] = decide(lanes, i, action)
            again = lanes.autoreset == SAME_STEP and lanes.status[i] != PLAYING
        if again:
            lanes.episodes[i] += ONE
            start(lanes, i)
        if not lanes.states[i].over:
            players[i] = lanes.states[i].current_player
        if view.wanted:
            show(lanes.states, lanes.raw, i, players[i], view, view.observations)

    # A parallel loop holds one call and nothing else: numba 0.68 gets branches inside a prange over records wrong.
    @kernel(parallel=parallel)
    def reset(lanes, which, players, view):
        for i in prange(len(lanes.states)):
            if which[i]:
                reset_one(lanes, i, players, view)

    @kernel(parallel=parallel)
    def step(lanes, actions, players, view):
        for i in prange(len(lanes.states)):
            step_one(lanes, i, actions[i], players, view)

    return Kernels(reset=reset, step=step)


# --- Duel: one seat belongs to the caller, the others move inside the kernel -----------------------------------------------------


def build_duel(rules: Rules, policy: Any, parallel: bool) -> Kernels:
    decide, start, show = rules.kernels.decide, rules.kernels.start, rules.kernels.show

    @kernel
    def until_my_turn(lanes, i, rivals, thread):
        """Let the others move. Return how the game stands; what the seat earns meanwhile is added to its reward."""
        s, seat = lanes.states[i], rivals.seats[i]
        status = PLAYING
        while not s.over and s.current_player != seat:
            counter = rivals.counters[i : i + 1]
            action = policy(s, lanes.masks[i], counter, rivals.scratch[thread], rivals.scratch_masks[thread])
            status = decide(lanes, i, action)
            rivals.rewards[i] += lanes.rewards[i, seat]
        return status

    @kernel
    def start_duel(lanes, i, rivals, thread):
        start(lanes, i)
        rivals.counters[i], seat = fortune(lanes.seeds[i], lanes.episodes[i], lanes.states[i].num_players)
        rivals.seats[i] = seat if rivals.seat == RANDOM_SEAT else rivals.seat
        earned = rivals.rewards[i]
        until_my_turn(lanes, i, rivals, thread)
        rivals.rewards[i] = earned  # what happens before the learner's first decision is nobody's merit

    @kernel
    def reset_one(lanes, i, view, rivals, thread):
        rivals.rewards[i] = 0
        start_duel(lanes, i, rivals, thread)
        lanes.status[i] = PLAYING
        show(lanes.states, lanes.raw, i, rivals.seats[i], view, view.observations)

    @kernel
    def step_one(lanes, i, action, view, rivals, thread):
        rivals.rewards[i] = 0
        if lanes.states[i].over:
            lanes.status[i] = PLAYING
            again = lanes.autoreset == NEXT_STEP
        else:
            status = decide(lanes, i, action)
            rivals.rewards[i] = lanes.rewards[i, rivals.seats[i]]
            lanes.status[i] = until_my_turn(lanes, i, rivals, thread) if status == PLAYING else status
            again = lanes.autoreset == SAME_STEP and lanes.status[i] != PLAYING
            if again:
                show(lanes.states, lanes.raw, i, rivals.seats[i], view, rivals.final_observations)
        if again:
            lanes.episodes[i] += ONE
            start_duel(lanes, i, rivals, thread)
        show(lanes.states, lanes.raw, i, rivals.seats[i], view, view.observations)

    @kernel(parallel=parallel)
    def reset(lanes, which, view, rivals):
        for i in prange(len(lanes.states)):
            if which[i]:
                reset_one(lanes, i, view, rivals, numba.get_thread_id())

    @kernel(parallel=parallel)
    def step(lanes, actions, view, rivals):
        for i in prange(len(lanes.states)):
            step_one(lanes, i, actions[i], view, rivals, numba.get_thread_id())

    return Kernels(reset=reset, step=step)


ONE = np.uint64(1)
OPPONENTS = np.uint64(0x5DEECE66D1CE4E5B)  # keeps the opponents' dice apart from the game's


@kernel
def fortune(seed, episode, num_players):
    """The opponents' dice and the learner's random seat in a game of a duel."""
    counter = stream(seed, episode) ^ OPPONENTS
    return counter, np.int64(mix(counter) % np.uint64(num_players))


@kernel
def uniform(s, mask, counter, scratch, masks):
    """The policy that takes any legal action."""
    return choose(mask, counter)


def build_choice(policy: Any) -> Any:
    """The policy for many states at once."""

    @kernel
    def choose_all(states, masks, counters, scratch, scratch_masks, actions):
        for i in range(len(states)):
            actions[i] = policy(states[i], masks[i], counters[i : i + 1], scratch, scratch_masks)

    return choose_all
