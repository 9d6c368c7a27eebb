"""Kernels over many states at once, built once per game from its rules by closure.

Everything that touches a state from Python goes through here, also for a single state (a batch of one), so a game is compiled
few times and all faces play by the same code. `play` takes every decision that has a single legal action: no face ever shows one.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import prange

from ...encoders.flat import build_encode
from .checks import RANDOM_SEAT
from .jit import inlined, kernel
from .lanes import NEXT_STEP, SAME_STEP
from .masks import choose, clear, first_set
from .rewards import FORFEIT_REWARD, SCORE_DELTA, pay
from .rng import mix, stream
from .rows import row

if TYPE_CHECKING:
    from .game import Rules

__all__ = ["Kernels", "build", "build_choice", "build_duel", "build_self_play", "fortune", "uniform"]

NO_ACTION = -1
BLOCK = 32  # lanes that one core takes at a time
ONE = np.uint64(1)
OPPONENTS = np.uint64(0x5DEECE66D1CE4E5B)  # keeps the opponents' dice apart from the game's

Kernels = SimpleNamespace


def build(rules: Rules) -> Kernels:
    """Compile lazily: each kernel is made here, and turned into machine code (or read from the cache) at its first call."""
    single = _build_single(rules)
    return Kernels(**vars(single), **vars(_build_batch(rules, single)))


# --- One state at a time: inlined into everything below ------------------------------------------------------------------------


def _build_single(rules: Rules) -> Kernels:
    legal, step, setup, scores, standings = rules.legal, rules.step, rules.setup, rules.scores, rules.standings
    features, encode, num_actions = rules.features, build_encode(rules.schema), len(rules.actions)

    @inlined
    def play(s, action, mask):
        """Do an action and every forced one that follows; write the mask of the next real decision."""
        while True:
            if action != NO_ACTION:
                step(s, action)
            clear(mask)
            if s.over or legal(s, mask) != 1:
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

    @inlined
    def settle(s, lane, terms):
        """Write the rewards of the step that led here."""
        if terms.mode == SCORE_DELTA:
            scores(s, lane.points)
            for p in range(s.num_players):
                lane.rewards[p] = (lane.points[p] - lane.before[p]) / terms.scale
                lane.before[p] = lane.points[p]
        elif s.over:
            outcome(s, lane.points, lane.ranks)
            pay(terms.mode, s.num_players, lane.points, lane.ranks, terms.scale, lane.rewards)

    @inlined
    def rest(s, lane):
        """A step that earns nobody anything, so far."""
        for p in range(s.num_players):
            lane.rewards[p] = 0
        lane.terminated = False
        lane.truncated = False

    @inlined
    def decide(s, lane, mask, action, terms):
        """Play an action that may be illegal: then the player forfeits."""
        rest(s, lane)
        if action < 0 or action >= num_actions or mask[action] == 0:
            lane.rewards[s.current_player] = FORFEIT_REWARD
            lane.terminated = True
            scores(s, lane.points)
            s.over = 1
            clear(mask)
            return
        play(s, action, mask)
        s.decisions += 1
        settle(s, lane, terms)
        if s.over:
            lane.truncated = s.truncated == 1
            lane.terminated = s.truncated == 0

    @kernel
    def start(states, i, template, lane, mask, terms):
        """Begin the game that seed and episode say."""
        begin(states, i, template, lane.seed, lane.episode, mask)
        lane.before[:] = 0
        if terms.mode == SCORE_DELTA:
            scores(states[i], lane.before)

    @inlined
    def show(s, observer, out):
        """The observation of one player. Both parts write all their numbers, also those that are 0."""
        features(s, observer, out[encode(s, observer, out) :])

    return Kernels(begin=begin, play=play, outcome=outcome, rest=rest, decide=decide, start=start, show=show)


# --- Entry points that Python calls ------------------------------------------------------------------------------------------


def _build_batch(rules: Rules, single: Kernels) -> Kernels:
    legal, determinize, derive = rules.legal, rules.determinize, rules.derive
    begin, play, outcome, show = single.begin, single.play, single.outcome, single.show

    @kernel
    def reset(states, template, seeds, episodes, masks):
        for i in range(len(states)):
            begin(states, i, template, seeds[i], episodes[i], row(masks, i))

    @kernel
    def apply(states, actions, masks):
        """Play legal actions. The masks of finished games are left clear."""
        for i in range(len(states)):
            if not states[i].over:
                play(states[i], actions[i], row(masks, i))
                states[i].decisions += 1

    @kernel
    def legal_masks(states, masks):
        """The legal actions of the positions as they are, forced ones included."""
        for i in range(len(states)):
            mask = row(masks, i)
            clear(mask)
            if not states[i].over:
                legal(states[i], mask)

    @kernel
    def outcomes(states, points, ranks):
        for i in range(len(states)):
            outcome(states[i], row(points, i), row(ranks, i))

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
    def observe(states, observers, observations):
        for i in range(len(states)):
            show(states[i], observers[i], row(observations, i))

    @kernel
    def playout(states, template, seeds, episodes, counters, masks, steps):
        """`steps` uniformly random legal decisions in every lane, a new game whenever one ends. Return the games finished."""
        finished = 0
        for i in range(len(states)):
            mask = row(masks, i)
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
    decide, start, rest, show = rules.kernels.decide, rules.kernels.start, rules.kernels.rest, rules.kernels.show

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
    def reset_lane(batch, i):
        states, lanes, masks, observations, template, terms = batch
        start(states, i, template, lanes[i], row(masks, i), terms[0])
        rest(states[i], lanes[i])
        lanes[i].player = states[i].current_player
        if terms[0].observe:
            show(states[i], lanes[i].player, row(observations, i))

    @kernel
    def reset_block(batch, which, block):
        for i in range(block * BLOCK, min((block + 1) * BLOCK, len(which))):
            if which[i]:
                reset_lane(batch, i)

    @kernel
    def step_block(batch, actions, block):
        """First all steps, then all observations: each is more code than a core keeps at hand."""
        states, lanes, masks, observations, template, terms = batch
        block_of_lanes = range(block * BLOCK, min((block + 1) * BLOCK, len(states)))
        for i in block_of_lanes:
            step_one(states, i, template, lanes[i], row(masks, i), actions[i], terms[0])
        if terms[0].observe:
            for i in block_of_lanes:
                show(states[i], lanes[i].player, row(observations, i))

    # A parallel loop holds calls and nothing else: numba 0.68 was seen to get branches inside a prange over records wrong.
    @kernel(parallel=parallel)
    def reset(batch, which):
        for block in prange(-(-len(which) // BLOCK)):
            reset_block(batch, which, block)

    @kernel(parallel=parallel)
    def step(batch, actions):
        for block in prange(-(-len(actions) // BLOCK)):
            step_block(batch, actions, block)

    return Kernels(reset=reset, step=step)


# --- Duel: one seat belongs to the caller, the others move inside the kernel -----------------------------------------------------


def build_duel(rules: Rules, policy: Any, parallel: bool) -> Kernels:
    decide, start, rest, show = rules.kernels.decide, rules.kernels.start, rules.kernels.rest, rules.kernels.show

    @kernel
    def until_my_turn(s, lane, mask, counter, scratch, scratch_masks, terms):
        """Let the others move; what the learner earns meanwhile is added up."""
        while not s.over and s.current_player != lane.player:
            decide(s, lane, mask, policy(s, mask, counter, scratch, scratch_masks), terms)
            lane.earned += lane.rewards[lane.player]

    @kernel
    def start_duel(states, i, template, lane, mask, counter, scratch, scratch_masks, terms):
        start(states, i, template, lane, mask, terms)
        s = states[i]
        counter[0], seat = fortune(lane.seed, lane.episode, s.num_players)
        lane.player = seat if terms.seat == RANDOM_SEAT else terms.seat
        earned = lane.earned
        until_my_turn(s, lane, mask, counter, scratch, scratch_masks, terms)
        lane.earned = earned  # what happens before the learner's first decision is nobody's merit

    @inlined
    def step_one(states, i, template, lane, mask, counter, action, scratch, scratch_masks, terms):
        """Return whether a new game is to begin."""
        s = states[i]
        lane.earned = 0
        if s.over:
            rest(s, lane)
            return terms.autoreset == NEXT_STEP
        decide(s, lane, mask, action, terms)
        lane.earned = lane.rewards[lane.player]
        until_my_turn(s, lane, mask, counter, scratch, scratch_masks, terms)
        return s.over and terms.autoreset == SAME_STEP

    @kernel
    def step_lane(batch, i, action, rivals, chunk):
        states, lanes, masks, observations, template, terms = batch
        lane, mask, counter = lanes[i], row(masks, i), row(rivals.counters, i)
        scratch, scratch_masks = row(rivals.scratch, chunk), rivals.scratch_masks[chunk]
        if step_one(states, i, template, lane, mask, counter, action, scratch, scratch_masks, terms[0]):
            if lane.terminated or lane.truncated:
                show(states[i], lane.player, row(rivals.final_observations, i))
            over = lane.terminated, lane.truncated
            lane.episode += ONE
            start_duel(states, i, template, lane, mask, counter, scratch, scratch_masks, terms[0])
            lane.terminated, lane.truncated = over
        show(states[i], lane.player, row(observations, i))

    @kernel
    def reset_lane(batch, i, rivals, chunk):
        states, lanes, masks, observations, template, terms = batch
        lane, mask, counter = lanes[i], row(masks, i), row(rivals.counters, i)
        scratch, scratch_masks = row(rivals.scratch, chunk), rivals.scratch_masks[chunk]
        lane.earned = 0
        start_duel(states, i, template, lane, mask, counter, scratch, scratch_masks, terms[0])
        rest(states[i], lane)
        show(states[i], lane.player, row(observations, i))

    @kernel
    def reset_chunk(batch, which, rivals, chunk):
        first, end = bounds(chunk, len(rivals.scratch), len(which))
        for i in range(first, end):
            if which[i]:
                reset_lane(batch, i, rivals, chunk)

    @kernel
    def step_chunk(batch, actions, rivals, chunk):
        first, end = bounds(chunk, len(rivals.scratch), len(actions))
        for i in range(first, end):
            step_lane(batch, i, actions[i], rivals, chunk)

    # One chunk of lanes per thread, each with scratch space of its own. (numba.get_thread_id would do, but crashes when the kernel
    # comes from the cache and nothing has started numba's threads.)
    @kernel(parallel=parallel)
    def reset(batch, which, rivals):
        for chunk in prange(len(rivals.scratch)):
            reset_chunk(batch, which, rivals, chunk)

    @kernel(parallel=parallel)
    def step(batch, actions, rivals):
        for chunk in prange(len(rivals.scratch)):
            step_chunk(batch, actions, rivals, chunk)

    return Kernels(reset=reset, step=step)


@inlined
def bounds(chunk, chunks, size):
    """Where a chunk of `size` things begins and ends."""
    return chunk * size // chunks, (chunk + 1) * size // chunks


@kernel
def fortune(seed, episode, num_players):
    """The opponents' dice and the learner's random seat in a game of a duel."""
    counter = stream(seed, episode) ^ OPPONENTS
    return counter, np.int64(mix(counter) % np.uint64(num_players))


# --- Policies ------------------------------------------------------------------------------------------------------------------


@inlined
def uniform(s, mask, counter, scratch, masks):
    """The policy that takes any legal action."""
    return choose(mask, counter)


def build_choice(policy: Any) -> Any:
    """The policy for many states at once."""

    @kernel
    def choose_all(states, masks, counters, scratch, scratch_masks, actions):
        for i in range(len(states)):
            actions[i] = policy(states[i], row(masks, i), counters[i : i + 1], scratch, scratch_masks)

    return choose_all
