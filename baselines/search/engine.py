"""The engine of all search players, compiled once per game; what kind of search it is stands in an array of options.

A *world* is a position that the searching player cannot tell from the true one, with a future of its own: it is drawn from the
search's own dice, never from the game's. Two ways to use worlds:

`compare`  tries root actions in the same worlds (the same hidden cards, the same dice), and plays on from there; below each of
           them a tree may grow, which begins with what the rule-based player would do.
`grow`     grows a tree over the actions of everybody: information-set tree search, one world per simulation. No position is stored
           but the root: a simulation plays its world down the tree. (guided.py has a `grow` of its own.)

Both end a simulation at a horizon counted in turns and judge where it stands.

`solve`    plays every line to the end, where nothing is hidden, no die is thrown any more and the lines are few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...envs.core.kernel.jit import inlined, kernel
from ...envs.core.kernel.masks import choose, count_legal, first_set, new_masks
from ...envs.core.kernel.rng import draw, mix
from ...envs.core.play.one import Kernels
from ...envs.core.play.policies import SCRATCH
from ...envs.core.play.rewards import best_other, share_of

if TYPE_CHECKING:
    from ...envs.core.game import Game
    from ...envs.core.rules import Rules

__all__ = ["OPTIONS", "Desk", "Tree", "build_engine", "new_desk", "new_tree", "nobody_learned", "nothing_learned"]

# Places in the array of options. Numbers that stand for a choice are listed behind it.
OPTIONS = (
    "playout",
    "horizon",
    "rounds",
    "leaf",
    "rivals",
    "explore",
    "depth",
    "mix",
    "victory",
    "ahead",
    "widen",
    "prior",
    "trust",
)
PLAYOUT, HORIZON, ROUNDS, LEAF, RIVALS, EXPLORE, DEPTH, MIX, VICTORY, AHEAD, WIDEN, PRIOR, TRUST = range(len(OPTIONS))
# playout: who plays beyond the tree; rivals: RULE_BASED: the others play so in the tree too
UNIFORM, RULE_BASED, AVERAGES, BY_LEARNED = range(4)
# leaf: the rule-based player's opinion, the score, the victory alone, a network's opinion
JUDGED, MARGIN, WIN, LEARNED = range(4)
ROOT, NONE = 0, -1
BY_RULE = -2  # an edge that is no action: what the rule-based player does there, in each world anew
TRAIL = 512  # actions of a playout that its averages remember
DEEPEST = 64  # actions that `solve` looks ahead
LOOKS = 2  # worlds that are drawn to see whether anything is hidden
PERCENT = 100
ENDLESS = 2**40


class Desk(NamedTuple):
    """Where a search thinks: positions, masks and points, its dice, and scratch space for policies."""

    states: np.ndarray  # the world, and the position that is played on
    masks: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    values: np.ndarray  # of the last leaf, for each player
    gains: np.ndarray  # what each tried action is worth to the searching player in the world under way
    counter: np.ndarray
    scratch: np.ndarray
    scratch_masks: np.ndarray
    averages: np.ndarray  # [player, action, sum and count] of the values that followed an action
    trail: np.ndarray  # [k, player and action] of the simulation under way
    length: np.ndarray  # of the trail
    ladder: Ladder
    mind: Any  # what the learned value needs: weights, room to think


class Ladder(NamedTuple):
    """The line that `solve` looks at: rung k is the position after k actions; the last two rungs are to compare with."""

    states: np.ndarray
    bytes: np.ndarray  # the same memory
    masks: np.ndarray  # actions that are still to be tried
    movers: np.ndarray
    values: np.ndarray  # of the best line from here, for each player
    action: np.ndarray  # that led from here
    best: np.ndarray


class Tree(NamedTuple):
    """Nodes and edges in flat arrays. The edges of a node are a list: `first[node]`, then `next[edge]`."""

    size: np.ndarray  # nodes and edges
    first: np.ndarray
    action: np.ndarray
    child: np.ndarray
    next: np.ndarray
    visits: np.ndarray
    available: np.ndarray  # how often the action could be chosen
    sums: np.ndarray  # of values, for each player
    prior: np.ndarray  # in a guided tree: how likely the learned player finds the action
    behind: np.ndarray  # and how far it rates it behind the best
    path: np.ndarray  # edges of the simulation under way
    bounds: np.ndarray  # lowest and highest value seen: margins are rescaled by them


WORLD, HERE = 0, 1


def new_desk(game: Game, seed: int, mind: Any = ()) -> Desk:
    seats = game.rules.schema.seats
    return Desk(
        states=game.new_states(2),
        masks=new_masks(2, game.num_actions)[0],
        points=np.zeros(seats, np.int64),
        ranks=np.zeros(seats, np.int64),
        values=np.zeros(seats),
        gains=np.zeros(game.num_actions),
        counter=np.array([seed % 2**64], np.uint64),
        scratch=game.new_states(SCRATCH),
        scratch_masks=new_masks(SCRATCH, game.num_actions)[0],
        averages=np.zeros((seats, game.num_actions, 2)),
        trail=np.zeros((TRAIL, 2), np.int64),
        length=np.zeros(1, np.int64),
        ladder=new_ladder(game),
        mind=mind,
    )


def new_ladder(game: Game) -> Ladder:
    rungs, seats = DEEPEST + 2, game.rules.schema.seats
    states = game.new_states(rungs)
    return Ladder(
        states=states,
        bytes=states.view(np.uint8).reshape(rungs, -1),
        masks=new_masks(rungs, game.num_actions)[0],
        movers=np.zeros(rungs, np.int64),
        values=np.zeros((rungs, seats)),
        action=np.zeros(rungs, np.int64),
        best=np.zeros(rungs, np.int64),
    )


def new_tree(game: Game, edges: int) -> Tree:
    """Room for so many, each with a node behind it."""
    size, seats = edges + 2, game.rules.schema.seats
    return Tree(
        size=np.zeros(2, np.int64),
        first=np.full(size, NONE, np.int32),
        action=np.zeros(size, np.int16),
        child=np.zeros(size, np.int32),
        next=np.zeros(size, np.int32),
        visits=np.zeros(size, np.int32),
        available=np.zeros(size, np.int32),
        sums=np.zeros((size, seats)),
        prior=np.zeros(size),
        behind=np.zeros(size),
        path=np.zeros(size, np.int32),
        bounds=np.zeros(2),
    )


@kernel
def nothing_learned(s, p, mind):
    """The learned value of a game that has none."""
    return 0.0


@kernel
def nobody_learned(s, mask, counter, scratch, scratch_masks, mind):
    """What a learned player would do where there is none."""
    return 0


def build_engine(rules: Rules, policy: Any, value: Any, learned: Any = nothing_learned, thinker: Any = nobody_learned) -> Kernels:
    """The kernels of a game's search. `policy` plays rule-based playouts, `value` judges positions.

    `learned(s, p, mind)` is what a network thinks of a position: the lead of p at the end, in units of a typical score. `thinker`
    is the player who acts by it: a policy that is given the mind too.
    """
    play, outcome = rules.kernels.play, rules.kernels.outcome
    determinize, turn_of, round_of = rules.determinize, rules.turn_of, rules.round_of
    scale = rules.score_scale

    # --- Worlds and playouts ---------------------------------------------------------------------------------------------------

    @kernel
    def imagine(root, player, desk):
        """A new world from the search's own dice."""
        desk.states[WORLD] = root[0]
        draw(desk.counter, 2)
        desk.states[WORLD].rng = mix(desk.counter[0])
        determinize(desk.states[WORLD], player)

    @kernel
    def best_average(player, mask, desk):
        """The legal action that was followed by the best values so far; one that was never tried comes first."""
        best, best_mean, averages = np.int64(NONE), -np.inf, desk.averages
        for action in range(averages.shape[1]):
            if mask[action]:
                count = averages[player, action, 1]
                mean = averages[player, action, 0] / count if count > 0 else np.inf
                if mean > best_mean:
                    best, best_mean = action, mean
        return best

    @kernel
    def remember(player, action, desk):
        length = desk.length[0]
        if length < TRAIL:
            desk.trail[length, 0], desk.trail[length, 1] = player, action
            desk.length[0] = length + 1

    @kernel
    def learn_averages(desk):
        """What the simulation was worth is added to every action on its trail."""
        for k in range(desk.length[0]):
            player, action = desk.trail[k, 0], desk.trail[k, 1]
            desk.averages[player, action, 0] += desk.values[player]
            desk.averages[player, action, 1] += 1
        desk.length[0] = 0

    @kernel
    def time_of(s, options):
        """What the horizon counts: turns or rounds."""
        return round_of(s) if options[ROUNDS] > 0 else turn_of(s)

    @kernel
    def playout_action(s, mask, desk, options):
        if options[PLAYOUT] == UNIFORM or (options[MIX] > 0 and draw(desk.counter, PERCENT) < options[MIX]):
            return choose(mask, desk.counter)
        if options[PLAYOUT] == RULE_BASED:
            return policy(s, mask, desk.counter, desk.scratch, desk.scratch_masks)
        if options[PLAYOUT] == BY_LEARNED:
            return thinker(s, mask, desk.counter, desk.scratch, desk.scratch_masks, desk.mind)
        return best_average(s.current_player, mask, desk)

    @kernel
    def horizon_of(options):
        """Turns or rounds until a position is judged; to the end of the game they are more than there are."""
        turns = options[ROUNDS] if options[ROUNDS] > 0 else options[HORIZON]
        return np.int64(turns if turns > 0 else ENDLESS)

    @kernel
    def tick(s, clock, left, options):
        """The time, and what is left to the horizon, after whatever happened since `clock`."""
        now = time_of(s, options)
        return now, left - (now != clock)

    @kernel
    def play_on(clock, left, desk, options):
        """Play to the horizon: so many turns, or so many rounds, are left since `clock`.

        The clock starts before the action that is tried: otherwise one that ends the turn would be judged a turn later than others.
        """
        s, mask = desk.states[HERE], desk.masks[HERE]
        while not s.over:
            clock, left = tick(s, clock, left, options)
            if left <= 0:
                return
            action = playout_action(s, mask, desk, options)
            if options[PLAYOUT] == AVERAGES:
                remember(s.current_player, action, desk)
            play(s, action, mask)

    @kernel
    def judge(desk, options):
        """What the position is worth to each player: the lead over the best other in units of a typical score, or the victory."""
        s, values = desk.states[HERE], desk.values
        n = s.num_players
        outcome(s, desk.points, desk.ranks)
        if options[LEAF] == WIN:
            for p in range(n):
                values[p] = share_of(desk.ranks, n, p)
            return
        if s.over or options[LEAF] == MARGIN:
            for p in range(n):
                values[p] = (desk.points[p] - best_other(desk.points, n, p)) / scale
            for p in range(n):
                if s.over:  # a victory by a tie-break is one, and a narrow one is nearly as good as any
                    values[p] += options[VICTORY] * (share_of(desk.ranks, n, p) * n - 1) / max(n - 1, 1)
            return
        if options[LEAF] == LEARNED:
            for p in range(n):
                values[p] = learned(s, p, desk.mind)
            if n == 2:  # what one gains the other loses: two views of the same lead, which err in different places
                values[0] = (values[0] - values[1]) / 2
                values[1] = -values[0]
            return
        for p in range(n):
            desk.points[p] = np.int64(1000 * value(s, p))
        for p in range(n):
            values[p] = (desk.points[p] - best_other(desk.points, n, p)) / (1000 * scale)

    @kernel
    def simulate(clock, left, desk, options):
        """From here to the horizon, and what it is worth."""
        play_on(clock, left, desk, options)
        judge(desk, options)
        if options[PLAYOUT] == AVERAGES:
            learn_averages(desk)

    # --- Growing a tree --------------------------------------------------------------------------------------------------------

    @inlined
    def legal_here(root_mask, desk):
        """The mask of the root belongs to the true position, and so to every world."""
        mask = desk.masks[HERE]
        for i in range(len(mask)):
            mask[i] = root_mask[i]

    @inlined
    def is_open(tree, edge, mask):
        action = tree.action[edge]
        return action == BY_RULE or mask[action] != 0

    @kernel
    def count_legal_edges(tree, node, mask):
        known, edge = 0, tree.first[node]
        while edge != NONE:
            known += is_open(tree, edge, mask)
            edge = tree.next[edge]
        return known

    @kernel
    def best_edge(tree, node, mask, mover, explore):
        """The edge with the highest upper bound among those that are legal in this world; all of them were available."""
        best, best_bound = NONE, -np.inf
        low, span = tree.bounds[0], max(tree.bounds[1] - tree.bounds[0], 1e-9)
        edge = tree.first[node]
        while edge != NONE:
            if is_open(tree, edge, mask):
                tree.available[edge] += 1
                visits = tree.visits[edge]
                mean = (tree.sums[edge, mover] / visits - low) / span
                bound = mean + explore * np.sqrt(np.log(tree.available[edge] + 1.0) / visits)
                if bound > best_bound:
                    best, best_bound = edge, bound
            edge = tree.next[edge]
        return best

    @kernel
    def add_edge(tree, node, action):
        """A new edge, with a node behind it."""
        edge, child = tree.size[1], tree.size[0]
        tree.size[0] += 1
        tree.size[1] += 1
        tree.action[edge], tree.child[edge] = action, child
        tree.next[edge], tree.first[node] = tree.first[node], edge
        tree.first[child] = NONE
        tree.visits[edge], tree.available[edge] = 0, 0
        tree.sums[edge, :] = 0
        return edge

    @kernel
    def new_edge(tree, node, mask, desk):
        """A random legal action that the node does not know yet becomes an edge."""
        fresh = desk.scratch_masks[0]
        for i in range(len(mask)):
            fresh[i] = mask[i]
        edge = tree.first[node]
        while edge != NONE:
            tree.available[edge] += is_open(tree, edge, mask)
            if tree.action[edge] != BY_RULE:
                fresh[tree.action[edge]] = 0
            edge = tree.next[edge]
        edge = add_edge(tree, node, choose(fresh, desk.counter))
        tree.available[edge] = 1
        return edge

    @kernel
    def edge_of(tree, node, action):
        """NONE if the node does not know the action."""
        edge = tree.first[node]
        while edge != NONE and tree.action[edge] != action:
            edge = tree.next[edge]
        return edge

    @kernel
    def next_edge(tree, edge, mask, mover, options, desk):
        """The edge to follow after another one, and whether it is new; NONE if there is no room for one.

        The first one is what the rule-based player does; actions come in beside it when the node was visited often enough.
        """
        node, arms = tree.child[edge], np.int64(options[WIDEN] > 0) + count_legal(mask)
        known, full = count_legal_edges(tree, node, mask), tree.size[0] == len(tree.first)
        if full and known == 0:
            return NONE, False
        if known == 0 and options[WIDEN] > 0:
            new = add_edge(tree, node, BY_RULE)
            tree.available[new] = 1
            return new, True
        if not full and known < arms and tree.visits[edge] >= options[WIDEN] * known * known:
            return new_edge(tree, node, mask, desk), True
        return best_edge(tree, node, mask, mover, options[EXPLORE]), False

    @kernel
    def descend(tree, player, options, desk):
        """Down the tree to a new leaf, or to the end of the game, or to the greatest depth.

        Return the length of the line and the time before its last action.
        """
        s, mask = desk.states[HERE], desk.masks[HERE]
        node, length, clock = ROOT, 0, time_of(s, options)
        while not s.over and length < options[DEPTH]:
            mover, clock = s.current_player, time_of(s, options)
            if options[RIVALS] == RULE_BASED and mover != player:
                play(s, policy(s, mask, desk.counter, desk.scratch, desk.scratch_masks), mask)
                continue
            grown = count_legal_edges(tree, node, mask) < count_legal(mask)
            edge = new_edge(tree, node, mask, desk) if grown else best_edge(tree, node, mask, mover, options[EXPLORE])
            tree.path[length] = edge
            length += 1
            if options[PLAYOUT] == AVERAGES:
                remember(mover, tree.action[edge], desk)
            play(s, tree.action[edge], mask)
            node = tree.child[edge]
            if grown:
                break
        return length, clock

    @kernel
    def back_up(tree, length, num_players, desk):
        for p in range(num_players):
            tree.bounds[0] = min(tree.bounds[0], desk.values[p])
            tree.bounds[1] = max(tree.bounds[1], desk.values[p])
        for k in range(length):
            edge = tree.path[k]
            tree.visits[edge] += 1
            for p in range(num_players):
                tree.sums[edge, p] += desk.values[p]

    @kernel
    def clear_tree(tree):
        tree.size[:] = 0
        tree.size[0] = 1
        tree.first[ROOT] = NONE
        tree.bounds[0], tree.bounds[1] = np.inf, -np.inf

    @kernel
    def new_line(root, root_mask, player, desk):
        """A line down the tree begins at the root, in a world of its own."""
        imagine(root, player, desk)
        desk.states[HERE] = desk.states[WORLD]
        legal_here(root_mask, desk)

    @kernel
    def grow(root, root_mask, player, simulations, options, tree, desk):
        """So many simulations more; the tree may have some already."""
        for _ in range(simulations):
            new_line(root, root_mask, player, desk)
            length, clock = descend(tree, player, options, desk)
            simulate(clock, horizon_of(options), desk, options)
            back_up(tree, length, root[0].num_players, desk)

    # --- Comparing root actions in the same worlds -------------------------------------------------------------------------------

    @kernel
    def plant(tree, actions):
        """A tree with an edge for each of the actions that are compared, in their order."""
        clear_tree(tree)
        for k in range(len(actions)):
            add_edge(tree, ROOT, actions[k])

    @kernel
    def look_ahead(tree, edge, clock, player, options, desk):
        """Down the tree below an action that was tried, never beyond the horizon, which is that of all actions.

        Return the length of the line, the time and what is left to the horizon.
        """
        s, mask, left = desk.states[HERE], desk.masks[HERE], horizon_of(options)
        tree.path[0] = edge
        length = 1
        while not s.over and length <= options[AHEAD]:
            clock, left = tick(s, clock, left, options)
            if left <= 0:
                break
            mover = s.current_player
            if options[RIVALS] == RULE_BASED and mover != player:
                play(s, policy(s, mask, desk.counter, desk.scratch, desk.scratch_masks), mask)
                continue
            edge, grown = next_edge(tree, edge, mask, mover, options, desk)
            if edge == NONE:
                break
            tree.path[length] = edge
            length += 1
            action = tree.action[edge]
            if action == BY_RULE:
                action = policy(s, mask, desk.counter, desk.scratch, desk.scratch_masks)
            play(s, action, mask)
            if grown:
                break
        return length, clock, left

    @kernel
    def try_action(action, start, player, options, tree, desk):
        """What follows an action in the world under way, and what it is worth."""
        desk.states[HERE] = desk.states[WORLD]
        play(desk.states[HERE], action, desk.masks[HERE])
        if options[AHEAD] == 0:
            simulate(start, horizon_of(options), desk, options)
            return
        length, clock, left = look_ahead(tree, edge_of(tree, ROOT, action), start, player, options, desk)
        simulate(clock, left, desk, options)
        back_up(tree, length, desk.states[HERE].num_players, desk)

    @kernel
    def compare(root, player, actions, totals, products, worlds, options, tree, desk):
        """Try each of `actions` once in each of so many worlds; add to its totals what it is worth to each player.

        `products` of the gains of two actions in the same world tell how far their difference can be trusted. `tree` has an edge
        for each action.
        """
        gains = desk.gains
        for _ in range(worlds):
            imagine(root, player, desk)
            dice, start = desk.counter[0], time_of(desk.states[WORLD], options)
            for k in range(len(actions)):
                desk.counter[0] = dice  # the same dice for all
                try_action(actions[k], start, player, options, tree, desk)
                for p in range(root[0].num_players):
                    totals[k, p] += desk.values[p]
                gains[k] = desk.values[player]
                for j in range(k + 1):
                    products[k, j] += gains[k] * gains[j]

    # --- Playing every line to the end -------------------------------------------------------------------------------------------

    @kernel
    def hides_something(ladder, rung, player):
        """Whether a world drawn anew differs from this one."""
        other = DEEPEST
        for look in range(LOOKS):
            ladder.states[other] = ladder.states[rung]
            ladder.states[other].rng = mix(ladder.states[rung].rng + np.uint64(look + 1))
            determinize(ladder.states[other], player)
            ladder.states[other].rng = ladder.states[rung].rng
            for i in range(ladder.bytes.shape[1]):
                if ladder.bytes[other, i] != ladder.bytes[rung, i]:
                    return True
        return False

    @kernel
    def few_lines(desk, most):
        """A guess from one line played at random: whether the tree below may have as many lines, and no die falls."""
        s, mask = desk.states[HERE], desk.masks[HERE]
        rng, lines = s.rng, 1.0
        for _ in range(DEEPEST):
            if s.over:
                return True
            lines *= count_legal(mask)
            if lines > most:
                return False
            play(s, choose(mask, desk.counter), mask)
            if s.rng != rng:
                return False
        return s.over == 1

    @kernel
    def enter(ladder, rung, desk, options):
        """A new position on the ladder: judge it if the game is over."""
        ladder.best[rung] = NONE
        s = ladder.states[rung]
        if s.over:
            desk.states[HERE] = s
            judge(desk, options)
            for p in range(s.num_players):
                ladder.values[rung, p] = desk.values[p]
        else:
            ladder.movers[rung] = s.current_player

    @kernel
    def climb_back(ladder, rung, num_players):
        """The line below is known: if it is the best for who decided here, it is kept. The first of equal ones stays."""
        mover = ladder.movers[rung]
        if ladder.best[rung] == NONE or ladder.values[rung + 1, mover] > ladder.values[rung, mover]:
            ladder.best[rung] = ladder.action[rung]
            for p in range(num_players):
                ladder.values[rung, p] = ladder.values[rung + 1, p]

    @kernel
    def solve(root, root_mask, player, most, options, desk):
        """The best action when everybody plays every line to the end for itself (max^n); NONE where that is not possible.

        The values of all players stand on the lowest rung. `most` positions are looked at.
        """
        new_line(root, root_mask, player, desk)
        if not few_lines(desk, most):
            return NONE
        ladder = desk.ladder
        ladder.states[0] = desk.states[WORLD]
        for i in range(len(root_mask)):
            ladder.masks[0, i] = root_mask[i]
        rng, rung, seen = desk.states[WORLD].rng, 0, 0
        if hides_something(ladder, 0, player):
            return NONE
        enter(ladder, 0, desk, options)
        while True:
            action = first_set(ladder.masks[rung])
            if ladder.states[rung].over or action < 0:
                if rung == 0:
                    return ladder.best[0]
                rung -= 1
                climb_back(ladder, rung, root[0].num_players)
                continue
            seen += 1
            if seen > most or rung + 1 == DEEPEST:
                return NONE
            ladder.masks[rung, action] = 0
            ladder.action[rung] = action
            ladder.states[rung + 1] = ladder.states[rung]
            rung += 1
            s = ladder.states[rung]
            play(s, action, ladder.masks[rung])
            if s.rng != rng or (not s.over and hides_something(ladder, rung, s.current_player)):
                return NONE
            enter(ladder, rung, desk, options)

    return Kernels(
        compare=compare,
        plant=plant,
        grow=grow,
        clear_tree=clear_tree,
        solve=solve,
        # What guided trees are made of too
        new_line=new_line,
        judge=judge,
        add_edge=add_edge,
        edge_of=edge_of,
        count_legal_edges=count_legal_edges,
        back_up=back_up,
    )
