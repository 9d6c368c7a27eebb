"""One game: kernels that are built once per game from its rules, by closure, and become part of every entry point.

`play` takes every decision that has a single legal action, so no interface ever shows one. `decide` is the only place where an
illegal action becomes a forfeit, `settle` the only place where a step earns rewards.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from ..kernel.jit import inlined, kernel, set_apart
from ..kernel.masks import clear, first_set, padded
from ..kernel.rng import stream
from ..kernel.writing import part
from .endings import only_winner
from .rewards import FORFEIT_REWARD, SCORE_DELTA, pay

if TYPE_CHECKING:
    from ..rules import Rules

__all__ = ["FORCED_LIMIT", "NOBODY", "NO_ACTION", "TERMINAL", "Kernels", "build_one"]

NO_ACTION = -1
NOBODY = -1
TERMINAL = -4  # in place of the player to act of a finished game, as in OpenSpiel
FORCED_LIMIT = 10_000  # forced moves in a row: no game of ours makes more than a few; a cycle of them would never end

Kernels = SimpleNamespace


def build_one(rules: Rules) -> Kernels:
    legal, step, setup, scores, standings = rules.legal, rules.step, rules.setup, rules.scores, rules.standings
    num_actions = len(rules.actions)
    width, seats = padded(num_actions), rules.schema.seats

    @inlined
    def play(s, action, mask):
        """Do an action and every forced one that follows; write the mask of the next real decision."""
        mask = part(mask, 0, width)
        for _ in range(FORCED_LIMIT):
            if action != NO_ACTION:
                step(s, action)
            clear(mask)
            if s.over or legal(s, mask) != 1:
                return
            action = first_set(mask)
        give_up(s, mask)

    @kernel
    def give_up(s, mask):
        """A cycle of forced moves: an error of the rules, told by whoever looks at the finished game (`State.check_sound`)."""
        s.over = s.truncated = 1
        s.current_player = NOBODY
        clear(mask)

    @kernel
    def begin(states, i, template, seed, episode, mask):
        set_apart()
        states[i] = template[0]
        s = states[i]
        s.rng = stream(seed, episode)
        setup(s)
        play(s, NO_ACTION, mask)

    @kernel
    def outcome(s, points, ranks):
        scores(s, points)
        standings(s, points, ranks)
        if s.forfeited:
            for p in range(s.num_players):
                ranks[p] = 0 if p != s.current_player else s.num_players - 1

    @inlined
    def rest(s, lane):
        """A step that earns nobody anything, so far."""
        for seat in range(seats):
            lane.rewards[seat] = 0
        lane.terminated = False
        lane.truncated = False
        lane.ended = False

    @inlined
    def decide(s, lane, mask, action, terms):
        """Play an action that may be illegal: then the player forfeits, and the game ends as it stands."""
        rest(s, lane)
        if action < 0 or action >= num_actions or mask[action] == 0:
            s.over = s.forfeited = 1
            clear(mask)
        else:
            play(s, action, mask)
            s.decisions += 1
        if s.over:
            close(s, lane, terms)
        elif terms.mode == SCORE_DELTA:
            scores(s, lane.points)
            pay_changes(s, lane, terms)

    @kernel
    def close(s, lane, terms):
        """How a finished game stands, and what its last step earns."""
        set_apart()
        outcome(s, lane.points, lane.ranks)
        lane.winner = only_winner(lane.ranks, s.num_players)
        if s.forfeited:
            lane.rewards[s.current_player] = FORFEIT_REWARD
        elif terms.mode == SCORE_DELTA:
            pay_changes(s, lane, terms)
        else:
            pay(terms.mode, s.num_players, lane.points, lane.ranks, terms.scale, lane.rewards)
        lane.truncated = s.truncated == 1
        lane.terminated = s.truncated == 0
        lane.ended = True

    @kernel
    def pay_changes(s, lane, terms):
        set_apart()
        for p in range(s.num_players):
            lane.rewards[p] = (lane.points[p] - lane.before[p]) / terms.scale
            lane.before[p] = lane.points[p]

    @kernel
    def start(states, i, template, lane, mask, terms):
        """Begin the game that seed and episode say."""
        set_apart()
        begin(states, i, template, lane.seed, lane.episode, mask)
        lane.before[:] = 0
        if terms.mode == SCORE_DELTA:
            scores(states[i], lane.before)

    return Kernels(begin=begin, play=play, outcome=outcome, rest=rest, decide=decide, start=start)
