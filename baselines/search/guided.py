"""A tree that the learned player guides: information-set tree search in which each node knows at once what to think of its actions.

When a line comes to a node for the second time, the learned player rates all actions there. The rates are used twice: the further
behind the best an action is rated, the less often it is tried (its prior, as in AlphaZero's search), and before it was tried it is
taken to be worth as much less than its node. A new leaf is judged where it stands; nobody plays on. So a line costs little, and a
tree grows deep where it matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...envs.core.kernel.jit import kernel
from ...envs.core.kernel.masks import count_legal
from ...envs.core.play.one import Kernels
from .engine import DEPTH, EXPLORE, HERE, NONE, PRIOR, RIVALS, ROOT, RULE_BASED, TRUST

if TYPE_CHECKING:
    from ...envs.core.rules import Rules

__all__ = ["build_guided"]


def build_guided(rules: Rules, engine: Kernels, policy: Any, rater: Any) -> Kernels:
    """The kernel `grow` of a guided tree, with the worlds, the leaves and the edges of a game's engine.

    `rater(s, mask, counter, scratch, scratch_masks, mind, rates)` writes what each legal action is worth to who is to act, in units
    of a typical score. `policy` plays for the others if they are taken for rule-based players.
    """
    play = rules.kernels.play
    new_line, judge, back_up = engine.new_line, engine.judge, engine.back_up
    add_edge, edge_of, count_legal_edges = engine.add_edge, engine.edge_of, engine.count_legal_edges

    @kernel
    def expand(tree, node, mask, options, desk):
        """An edge for each legal action that the node does not know yet. Return whether there was room for them."""
        if len(tree.first) - tree.size[0] < count_legal(mask):
            return False
        rates, best, total = desk.gains, -np.inf, 0.0
        rater(desk.states[HERE], mask, desk.counter, desk.scratch, desk.scratch_masks, desk.mind, rates)
        for action in range(len(rates)):
            if mask[action]:
                best = max(best, rates[action])
        for action in range(len(rates)):
            if mask[action]:
                total += np.exp((rates[action] - best) / options[PRIOR])
        for action in range(len(rates)):
            if mask[action] and edge_of(tree, node, action) == NONE:
                edge = add_edge(tree, node, action)
                tree.behind[edge] = best - rates[action]
                tree.prior[edge] = np.exp(-tree.behind[edge] / options[PRIOR]) / total
        return True

    @kernel
    def promising(tree, node, mask, mover, options):
        """The legal edge that seems best to the mover. The likelier an action is and the less it was tried, the better it seems."""
        visits, total, edge = 0, 0.0, tree.first[node]
        while edge != NONE:
            if mask[tree.action[edge]]:
                visits += tree.visits[edge]
                total += tree.sums[edge, mover]
            edge = tree.next[edge]
        worth, push, trust = total / max(visits, 1), options[EXPLORE] * np.sqrt(visits + 1), options[TRUST]
        best, best_bound = NONE, -np.inf
        edge = tree.first[node]
        while edge != NONE:
            if mask[tree.action[edge]]:
                tried = tree.visits[edge]
                mean = (tree.sums[edge, mover] + trust * (worth - tree.behind[edge])) / (tried + trust)
                bound = mean + push * tree.prior[edge] / (1 + tried)
                if bound > best_bound:
                    best, best_bound = edge, bound
            edge = tree.next[edge]
        return best

    @kernel
    def descend(tree, player, options, desk):
        """Down the tree to a new leaf, or to the end of the game, or as far as there is room. Return the length of the line."""
        s, mask = desk.states[HERE], desk.masks[HERE]
        node, edge, length = ROOT, NONE, 0
        while not s.over and length < options[DEPTH] and (edge == NONE or tree.visits[edge] > 0):
            mover = s.current_player
            if options[RIVALS] == RULE_BASED and mover != player:
                play(s, policy(s, mask, desk.counter, desk.scratch, desk.scratch_masks), mask)
                continue
            if count_legal_edges(tree, node, mask) < count_legal(mask) and not expand(tree, node, mask, options, desk):
                break
            edge = promising(tree, node, mask, mover, options)
            tree.path[length] = edge
            length += 1
            play(s, tree.action[edge], mask)
            node = tree.child[edge]
        return length

    @kernel
    def grow(root, root_mask, player, simulations, options, tree, desk):
        """So many simulations more; the tree may have some already."""
        for _ in range(simulations):
            new_line(root, root_mask, player, desk)
            length = descend(tree, player, options, desk)
            judge(desk, options)
            back_up(tree, length, root[0].num_players, desk)

    return Kernels(grow=grow)
