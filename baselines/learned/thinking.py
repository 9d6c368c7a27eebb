"""How a learned player thinks: it looks through its own turn and judges where it ends, with a small network.

Kernels, built once per game. The player imagines a world in which its own dice have drawn what it cannot know, so it sees neither
hidden cards nor the game's future; all actions are tried in the same world. The value of a position is a lead as it stands, in
points or as the rule-based player judges it, plus what the network thinks will be added to it; of a finished game it is the result.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...envs.core.kernel.jit import inlined, kernel
from ...envs.core.kernel.masks import count_legal, first_set
from ...envs.core.kernel.rng import draw, mix
from ...envs.core.kernel.writing import stack_row
from ...envs.core.play.one import Kernels
from ...envs.core.play.policies import SCRATCH
from ...envs.core.play.rewards import best_other, share_of
from .network import WIDTH, Memory, forget, in_parts, net, new_memory

if TYPE_CHECKING:
    from ...envs.core.game import Game
    from ...envs.core.rules import Rules

__all__ = ["BASES", "DEEPEST", "UNIT", "Mind", "Plan", "build_thinking", "new_mind"]

UNIT = 10.0  # points that count 1 in values
BASES = ("points", "judged")  # what the network adds to: the lead in points, or in what the rule-based player makes of positions
VICTORY = 1.0  # what winning is worth beside the lead
DEEPEST = SCRATCH - 1


class Plan(NamedTuple):
    """How far a player looks."""

    depth: int  # own actions in a row, at most; the look ends with the turn
    positions: int  # that are tried, about; what is too much is judged in the middle of the turn
    worlds: int  # imagined for one decision


class Mind(NamedTuple):
    """The networks and the space in which they are applied."""

    weights: np.ndarray  # [networks, or parts of them, inputs + 2, WIDTH]
    plan: Plan
    seen: np.ndarray
    memory: Memory
    points: np.ndarray
    ranks: np.ndarray
    totals: np.ndarray  # of each action, over the worlds


def new_mind(game: Game, weights: np.ndarray, plan: Plan) -> Mind:
    """For networks of any width."""
    seats, parts, inputs = game.rules.schema.seats, in_parts(weights), weights.shape[1] - 2
    return Mind(
        weights=parts,
        plan=plan,
        seen=np.zeros(inputs, np.float32),
        memory=new_memory(inputs, len(parts)),
        points=np.zeros(seats, np.int64),
        ranks=np.zeros(seats, np.int64),
        totals=np.zeros(game.num_actions),
    )


@inlined
def whose_turn(s):
    """Where a game does not say when turns end: when somebody else is to act."""
    return s.current_player


def build_lead(rules: Rules, basis: str) -> Any:
    """The kernel of the lead of p in a position that is not the last, in points."""
    scores, worth = rules.scores, rules.value

    @kernel
    def in_points(s, p, mind):
        scores(s, mind.points)
        return np.float64(mind.points[p] - best_other(mind.points, s.num_players, p))

    @kernel
    def as_judged(s, p, mind):
        best = -np.inf if s.num_players > 1 else 0.0
        for q in range(s.num_players):
            if q != p:
                best = max(best, worth(s, q))
        return worth(s, p) - best

    if basis == "points":
        return in_points
    if worth is None:
        raise ValueError(f"basis='judged' is not possible: {rules.name} has no rule-based player that judges positions")
    return as_judged


@cache
def build_thinking(rules: Rules, show: Any, basis: str) -> Kernels:
    """`show(s, observer, out)` is the kernel of the encoder whose numbers the network takes."""
    play, outcome, lead_of = rules.kernels.play, rules.kernels.outcome, build_lead(rules, basis)
    determinize, turn_of = rules.determinize, rules.turn_of or whose_turn
    seats, num_actions, scale = rules.schema.seats, len(rules.actions), rules.score_scale

    @kernel
    def standing(s, p, mind):
        """The lead as it stands; of a finished game with the victory."""
        if not s.over:
            return lead_of(s, p, mind) / UNIT
        outcome(s, mind.points, mind.ranks)
        lead = (mind.points[p] - best_other(mind.points, s.num_players, p)) / UNIT
        return lead + VICTORY * share_of(mind.ranks, s.num_players, p)

    @kernel
    def value(s, p, mind):
        worth = standing(s, p, mind)
        if s.over:
            return worth
        show(s, p, mind.seen)
        return worth + net(mind.seen, mind.weights, mind.memory)

    @kernel
    def imagine(s, counter, scratch):
        draw(counter, 2)
        scratch[0] = s
        scratch[0].rng = mix(counter[0])
        determinize(scratch[0], s.current_player)

    @kernel
    def look(scratch, masks, mind):
        """Through the own turn, depth first: add to the total of each action the best that it leads to.

        scratch[d] is the position after d actions; masks[d] has those that are still to be tried there.
        """
        me, turn = scratch[0].current_player, turn_of(scratch[0])
        share = mind.plan.positions // max(1, count_legal(masks[0]))
        depth, first, best, left = 0, -1, 0.0, 0
        while True:
            action = first_set(masks[depth])
            if action < 0 and depth > 0:
                depth -= 1
                continue
            if depth == 0:
                if first >= 0:
                    mind.totals[first] += best
                if action < 0:
                    return
                first, best, left = action, -np.inf, share
            masks[depth, action] = 0
            scratch[depth + 1] = scratch[depth]
            after = scratch[depth + 1]
            play(after, action, masks[depth + 1])
            left -= 1
            mine = not after.over and after.current_player == me and turn_of(after) == turn
            if mine and left > 0 and depth + 1 < mind.plan.depth:
                depth += 1
            else:
                best = max(best, value(after, me, mind))

    @kernel
    def think(s, mask, counter, scratch, masks, mind):
        """The best action, and what it is worth to the player to act."""
        mind.totals[:] = 0
        for _ in range(mind.plan.worlds):
            imagine(s, counter, scratch)
            forget(mind.memory)  # no decision depends on those before it
            untried = masks[0]
            for i in range(len(mask)):
                untried[i] = mask[i]
            look(scratch, masks, mind)
        best = -1
        for action in range(num_actions):
            if mask[action] and (best < 0 or mind.totals[action] > mind.totals[best]):
                best = action
        return best, mind.totals[best] / mind.plan.worlds

    @kernel
    def decide(s, mask, counter, scratch, masks, mind):
        """The best action."""
        return think(s, mask, counter, scratch, masks, mind)[0]

    @kernel
    def choose_all(mind, states, masks, counters, scratch, scratch_masks, actions):
        """For many states at once; 0 where nothing is left to decide."""
        for i in range(len(states)):
            actions[i] = 0
            if not states[i].over:
                actions[i] = decide(states[i], masks[i], counters[i : i + 1], scratch, scratch_masks, mind)

    @kernel
    def leaf(s, p, mind):
        """The value as the search players count it: the same whatever was thought before."""
        forget(mind.memory)
        return value(s, p, mind) * UNIT / scale

    @kernel
    def rate(s, mask, counter, scratch, masks, mind, rates):
        """What each legal action is worth to the player to act, as the search players count it."""
        think(s, mask, counter, scratch, masks, mind)
        for action in range(num_actions):
            rates[action] = mind.totals[action] / mind.plan.worlds * UNIT / scale

    def policy_of(weights: np.ndarray, plan: Plan) -> Any:
        """The player as a policy kernel: its weights become constants of the machine code, and part of its fingerprint."""
        parts, inputs, (depth, positions, worlds) = in_parts(weights), weights.shape[1] - 2, plan
        networks = len(parts)
        hidden = networks * WIDTH

        @kernel
        def learned(s, mask, counter, scratch, scratch_masks):
            # Room for one thought: who calls a policy gives it states and masks to think with, but no numbers.
            sums = stack_row(hidden, np.float32).reshape((networks, WIDTH))
            memory = Memory(stack_row(1, np.int64), stack_row(inputs, np.float32), sums, stack_row(inputs, np.int64))
            seen, totals = stack_row(inputs, np.float32), stack_row(num_actions, np.float64)
            points, ranks = stack_row(seats, np.int64), stack_row(seats, np.int64)
            mind = Mind(parts, Plan(depth, positions, worlds), seen, memory, points, ranks, totals)
            return decide(s, mask, counter, scratch, scratch_masks, mind)

        return learned

    return Kernels(think=think, decide=decide, standing=standing, choose_all=choose_all, leaf=leaf, rate=rate, policy_of=policy_of)
