"""The search players: `rollout`, `mcts` and `mc` with a budget, as agents that choose and can tell why; `search` is the strongest.

`mcts:1000` or `rollout:10ms` take the tuned settings of the game; `mcts:1000:explore=0.4:threads=2` changes some. Time is CPU time
of the thread that searches, so that a busy machine weakens nobody; with several threads it is the clock's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ...envs.core.declare.checks import whole
from ...envs.core.game import Game
from ...envs.core.kernel.rng import Chance
from ...envs.core.play.one import Kernels
from ...envs.core.play.series import fresh_seed
from ...envs.core.rules import Rules
from ...envs.core.state import State
from ..learned.brain import Brain
from ..learned.players import is_known, learned_brain, thinking_of
from ..learned.thinking import new_mind
from .engine import BY_RULE, NONE, ROOT, Tree, build_engine, new_desk, new_tree, nobody_learned, nothing_learned
from .guided import build_guided
from .racing import Race
from .settings import Budget, Settings, defaults, strongest

__all__ = ["Analysis", "Learned", "Line", "SearchAgent", "engine_of", "lacks", "learned_of"]

KINDS = ("rollout", "mcts", "mc")
SEARCH, LEARNED_SEARCH = "search", "learned+search"  # names of the strongest of them in a game
MOST_SIMULATIONS = 200_000  # of one decision with a time budget: the room of its tree
MOST_EDGES = 400_000  # of a guided tree; a tree that is full goes on with what it has
CHUNK = 0.1  # of a time budget is spent between two looks at the clock


class Learned(NamedTuple):
    """A learned value: kernel(s, p, mind) -> the lead p will have in the end, in units of a typical score; and what it needs.

    Where two play, the lead of one is what the other is behind: half of the difference of what both think counts.
    `thinker` is a policy kernel that is given the mind too, for playouts; `rater` tells what actions are worth, for guided trees.
    """

    kernel: Any
    mind: Any
    thinker: Any = nobody_learned
    rater: Any = None


NOTHING = Learned(nothing_learned, ())


def learned_of(game: Game, brain: Brain, networks: int = 0) -> Learned:
    """What a brain, or so many of its networks, thinks of positions, and does in them."""
    thinking = thinking_of(game, brain)
    return Learned(thinking.leaf, new_mind(game, brain.weights[: networks or None], brain.plan), thinking.decide, thinking.rate)


def lacks(rules: Rules) -> list[str]:
    """What a game must have to be searched, and has not."""
    missing = [name for name in ("turn_of", "round_of", "value") if getattr(rules, name) is None]
    return missing if "greedy" in rules.named_policies else [*missing, "greedy player"]


@cache
def engine_of(rules: Rules, learned: Any = nothing_learned, thinker: Any = nobody_learned) -> Kernels:
    """The engine of a game; ValueError names what the game lacks."""
    if missing := lacks(rules):
        raise ValueError(f"{rules.name} cannot be searched: it has no {', '.join(missing)}")
    return build_engine(rules, rules.named_policies["greedy"], rules.value, learned, thinker)


@cache
def guided_tree_of(rules: Rules, learned: Any, thinker: Any, rater: Any) -> Kernels:
    """How a tree grows that a learned player guides, on the engine of the same learned player."""
    return build_guided(rules, engine_of(rules, learned, thinker), rules.named_policies["greedy"], rater)


@dataclass(frozen=True)
class Line:
    """What a search thinks of one action."""

    action: int
    notation: str
    visits: int
    values: tuple[float, ...]  # mean for each player: the lead in units of a typical score, or the share of victories


@dataclass(frozen=True)
class Analysis:
    """What a search found: actions from the best, how many simulations, and the line it expects."""

    player: int
    lines: tuple[Line, ...]
    simulations: int
    principal: tuple[str, ...]
    exact: bool = False  # every line was played to the end

    @property
    def best(self) -> int:
        return self.lines[0].action


class SearchAgent:
    """A player that searches. It sees the position with the eyes of the player to act and draws its own future."""

    def __init__(
        self,
        game: Game,
        kind: str,
        budget: Budget,
        seed: int | None = None,
        settings: Settings | None = None,
        learned: Learned | None = None,
        name: str = "",
    ) -> None:
        self.game, self.kind, self.budget, self.learned = game, kind, budget, learned
        self.settings = settings or defaults(kind, game.name)
        self.name = name or f"{kind}:{budget}"
        asks, plays = self.settings.leaf == "learned", self.settings.playout == "learned"
        self._learned = learned or (learned_of(game, learned_brain(game), self.settings.networks) if asks or plays else NOTHING)
        if plays and self._learned.thinker is nobody_learned:
            raise ValueError(f"{self.name}: playout=learned is not possible with a learned value that has no player")
        # Who does not play on like the learned player is not kept waiting until it is compiled.
        who = game.rules, self._learned.kernel, self._learned.thinker if plays else nobody_learned
        self._engine = engine_of(*who)
        guided = kind == "mcts" and self.settings.prior > 0
        if guided and self._learned.rater is None:
            raise ValueError(f"{self.name}: prior is not possible with a learned value that rates no actions")
        self._tree_grower = guided_tree_of(*who, self._learned.rater) if guided else self._engine
        self._options = self.settings.array()
        threads = self.settings.threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        room = budget.simulations or MOST_SIMULATIONS
        if guided:  # a simulation brings all actions of a node
            room = min(room * game.num_actions, MOST_EDGES)
        grows = kind == "mcts" or self.settings.ahead > 0
        self._trees = [new_tree(game, room + game.num_actions if grows else 0) for _ in range(threads)]
        self.set_dice(fresh_seed() if seed is None else seed)

    def set_dice(self, counter: int) -> None:
        """Begin a new stream of random numbers; every thread has its own."""
        counters = [Chance.of_seed(whole("seed", counter), episode=2**33 + k).counter for k in range(self.settings.threads)]
        self._desks = [new_desk(self.game, dice, deepcopy(self._learned.mind)) for dice in counters]

    def __getstate__(self) -> dict[str, Any]:
        kept = ("game", "kind", "budget", "settings", "learned", "name")
        return {name: getattr(self, name) for name in kept} | {"counters": [int(desk.counter[0]) for desk in self._desks]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        counters = state.pop("counters")
        self.__init__(**state)  # type: ignore[misc]
        for desk, counter in zip(self._desks, counters, strict=True):
            desk.counter[0] = counter

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """One position is searched by all threads together; of many, each thread takes its own."""
        actions = np.zeros(len(states), np.int64)
        threads = len(self._desks)

        def work(k: int) -> None:
            for i in range(k, len(states), threads):
                actions[i] = self._choice(states[i : i + 1], masks[i], [k])

        if self._pool is not None and len(states) > 1:
            list(self._pool.map(work, range(threads)))
        else:
            for i in range(len(states)):
                actions[i] = self._choice(states[i : i + 1], masks[i], range(threads))
        return actions

    def _choice(self, root: np.ndarray, mask: np.ndarray, team: Sequence[int]) -> int:
        return 0 if root["over"][0] else self._search(root, mask, team).best

    def analyse(self, state: State) -> Analysis:
        """Think about a position, and tell what was found."""
        if state.is_terminal():
            raise ValueError(f"{self.name}: a finished game of {self.game.name} has nothing to decide")
        return self._search(state.record, state.padded_mask[0], range(len(self._desks)))

    def counting_victories(self) -> SearchAgent:
        """The same playouts, but every one to the end of the game, and all actions alike: its values are shares of victories.

        In a guided tree nobody plays on: there it is greedy who does.
        """
        playout = "greedy" if self.settings.prior else self.settings.playout
        settings = replace(self.settings, playout=playout, leaf="win", horizon=0, rounds=0, solve=0, sure=0.0, ahead=0, prior=0.0)
        return SearchAgent(self.game, "mc", self.budget, int(self._desks[0].counter[0]), settings, self.learned)

    def _search(self, root: np.ndarray, mask: np.ndarray, team: Sequence[int]) -> Analysis:
        """By the threads of a team, which are numbered like their desks and trees."""
        player = int(root["current_player"][0])
        for k in team:
            self._desks[k].averages[:] = 0
        if self.settings.solve:
            best = self._engine.solve(root, mask, player, self.settings.solve, self._options, self._desks[team[0]])
            if best != NONE:
                return self._solution(player, int(best), team[0])
        return (self._grow if self.kind == "mcts" else self._halve)(root, mask, player, team)

    def _solution(self, player: int, best: int, thread: int) -> Analysis:
        values = self._desks[thread].ladder.values[0, : self.game.num_players]
        line = self._line(best, 1, values)
        return Analysis(player, (line,), 0, (line.notation,), exact=True)

    def _side_by_side(self, work: Callable[[int], Any], team: Sequence[int]) -> list[Any]:
        """work(k) for every thread of a team."""
        return [work(team[0])] if self._pool is None or len(team) == 1 else list(self._pool.map(work, team))

    # --- Comparing root actions: sequential halving ---------------------------------------------------------------------------

    def _halve(self, root: np.ndarray, mask: np.ndarray, player: int, team: Sequence[int]) -> Analysis:
        """All actions in the same worlds; after each round the better half goes on. `mc` keeps them all."""
        race = Race(np.flatnonzero(mask[: self.game.num_actions]), self.game.num_players, player, self.settings.sure)
        size = len(race.actions)
        rounds = 1 if self.kind == "mc" else max(1, int(np.ceil(np.log2(size))))
        if self.budget.simulations:  # each action is tried once in each round, so a small budget has few
            rounds = max(1, min(rounds, self.budget.simulations // size))
        if self.settings.ahead:
            for k in team:
                self._engine.plant(self._trees[k], race.actions)
        if self.budget.seconds:  # kernels are compiled or read from the cache, not at the expense of the first decision
            self._try(root, race, 0, team[0])
        started = _clock(team)()
        for k in range(rounds):
            until = started + self.budget.seconds * (k + 1) / rounds
            worlds = max(1, round(self.budget.simulations / rounds / len(race.alive)))
            for chunk in self._chunks(-(-worlds // len(team)), until, _clock(team)):
                for found in self._side_by_side(partial(self._try, root, race, chunk), team):
                    race.add(*found)
                race.drop_the_beaten()
                if race.decided:
                    break
            if race.decided:
                break
            if k + 1 < rounds:
                race.keep(max(2, -(-size // 2 ** (k + 1))))
        lines = tuple(self._line(int(race.actions[i]), int(race.counts[i]), race.totals[i] / race.counts[i]) for i in race.order())
        first = lines[0]
        expected = self._principal(self._trees[team[0]], first.action) if self.settings.ahead else (first.notation,)
        return Analysis(player, lines, sum(line.visits for line in lines), tuple(expected))

    def _try(self, root: np.ndarray, race: Race, worlds: int, thread: int) -> tuple[np.ndarray, np.ndarray, int]:
        """Every action that is still alive in so many worlds."""
        actions, tree, desk = race.actions[race.alive], self._trees[thread], self._desks[thread]
        totals, products = np.zeros((len(actions), self.game.num_players)), np.zeros((len(actions), len(actions)))
        self._engine.compare(root, race.player, actions, totals, products, worlds, self._options, tree, desk)
        return totals, products, worlds

    def _chunks(
        self, simulations: int, until: float, clock: Callable[[], float], first: int = 1, most: int = 10**9
    ) -> Iterator[int]:
        """The sizes of pieces of work: so many, or as many as the clock allows. Each is done before the next is asked for."""
        if self.budget.simulations:
            chunk = max(1, round(CHUNK * simulations)) if self.settings.sure else simulations
            for done in range(0, simulations, chunk):
                yield min(chunk, simulations - done)
            return
        chunk = first
        while True:
            before = clock()
            yield chunk
            most -= chunk
            now = clock()
            pace = max(1e-8, (now - before) / chunk)
            if until - now < pace / 2 or most < 1:
                return
            longest = min(most, max(1, int(min(until - now, CHUNK * self.budget.seconds) / pace)))
            chunk = min(longest, 4 * chunk) if self.settings.sure else longest

    # --- Growing trees ---------------------------------------------------------------------------------------------------------

    def _grow(self, root: np.ndarray, mask: np.ndarray, player: int, team: Sequence[int]) -> Analysis:
        """One tree for each thread; what they found of the root's actions is added up."""
        share = -(-self.budget.simulations // len(team))

        def grow(k: int, simulations: int) -> None:
            self._tree_grower.grow(root, mask, player, simulations, self._options, self._trees[k], self._desks[k])

        def work(k: int) -> int:
            done = 0
            for chunk in self._chunks(share, until, _clock(team), first=16, most=MOST_SIMULATIONS):
                grow(k, chunk)
                done += chunk
            return done

        for k in team:
            self._engine.clear_tree(self._trees[k])
        if self.budget.seconds:  # kernels are compiled or read from the cache, not at the expense of the first decision
            grow(team[0], 0)
        until = _clock(team)() + self.budget.seconds
        done = sum(self._side_by_side(work, team))
        found: dict[int, tuple[int, np.ndarray]] = {}
        for tree in (self._trees[k] for k in team):
            for edge in _edges(tree, ROOT):
                visits, total = found.get(int(tree.action[edge]), (0, np.zeros(self.game.num_players)))
                both = visits + int(tree.visits[edge]), total + tree.sums[edge, : self.game.num_players]
                found[int(tree.action[edge])] = both
        enough = max(visits for visits, _ in found.values()) / 20  # a mean of few visits says little

        def rank(action: int) -> tuple[bool, float, int]:
            visits, total = found[action]
            return visits < enough, -visits if self.settings.choose == "visits" else -total[player] / max(visits, 1), action

        tried = ((action, *found[action]) for action in sorted(found, key=rank))
        lines = tuple(self._line(action, visits, total / max(visits, 1)) for action, visits, total in tried)
        return Analysis(player, lines, done, tuple(self._principal(self._trees[team[0]], lines[0].action)))

    def _principal(self, tree: Tree, first: int) -> Iterator[str]:
        """The most visited line after the choice, until it goes on as the rule-based player does."""
        edges = [edge for edge in _edges(tree, ROOT) if tree.action[edge] == first]
        while edges:
            best = max(edges, key=lambda e: tree.visits[e])
            if tree.action[best] == BY_RULE:
                return
            yield self.game.action_to_string(int(tree.action[best]))
            edges = list(_edges(tree, int(tree.child[best])))

    def _line(self, action: int, visits: int, means: np.ndarray) -> Line:
        return Line(action, self.game.action_to_string(action), visits, tuple(means.tolist()))

    @classmethod
    def of_name(cls, kind: str, game: Game, argument: str, seed: int | None) -> SearchAgent:
        """`mcts:1000`, `rollout:10ms`, `mcts:1000:explore=0.4`; `search:10ms` is the strongest of them in this game.

        `learned+search:10ms` is the same, but always asks the learned player what positions are worth.
        """
        name = f"{kind}:{argument}"
        budget, *words = argument.split(":")
        found = Budget.parse(budget, kind)
        if kind == LEARNED_SEARCH:
            words.insert(0, "leaf=learned")
        if kind in (SEARCH, LEARNED_SEARCH):
            kind, settings = strongest(game.name, is_known(game), found)
        else:
            settings = defaults(kind, game.name)
        return cls(game, kind, found, seed, settings.having(words, name), name=name)


def _clock(team: Sequence[int]) -> Callable[[], float]:
    """CPU time of one thread; the clock's where several work together."""
    return time.thread_time if len(team) == 1 else time.perf_counter


def _edges(tree: Tree, node: int) -> Iterator[int]:
    edge = int(tree.first[node])
    while edge != NONE:
        yield edge
        edge = int(tree.next[edge])


def search(game: Game, argument: str, seed: int | None) -> SearchAgent:
    return SearchAgent.of_name(SEARCH, game, argument, seed)


def learned_search(game: Game, argument: str, seed: int | None) -> SearchAgent:
    return SearchAgent.of_name(LEARNED_SEARCH, game, argument, seed)


def rollout(game: Game, argument: str, seed: int | None) -> SearchAgent:
    return SearchAgent.of_name("rollout", game, argument, seed)


def mcts(game: Game, argument: str, seed: int | None) -> SearchAgent:
    return SearchAgent.of_name("mcts", game, argument, seed)


def mc(game: Game, argument: str, seed: int | None) -> SearchAgent:
    return SearchAgent.of_name("mc", game, argument, seed)
