"""Who plays the other seats: one player for all of them, one for each, or a pool with weights from which every game draws.

A player is a name (`greedy`, `mcts:200`, `ppo:PATH`), a player object (`choose(states, masks)`), or a function:

    f(observations, masks) -> actions     asked for many games at once; rows are what the seats to act may see
    f(state) -> action                    asked for one game; the hidden part of `state` and its future are redrawn

So nobody from outside is ever shown the true position.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any, Protocol, cast

import numpy as np

from ..core.declare.checks import actions_array
from ..core.game import Game
from ..core.kernel.rng import mix_all
from ..core.state import IllegalActionError

__all__ = ["Opponents", "OpponentsGiven"]

Player = str | Callable[..., Any] | Any  # a name, a function, or an object with `choose`
OpponentsGiven = Player | Mapping[Player, float] | Sequence[Player | Mapping[Player, float]]

NEEDED = "a name, a function of (observations, masks) or of a state, a player object, or a pool {player: weight} is needed"
WORLDS = np.uint64(0x7A11C0DE5EEDBEEF)  # keeps the redrawn worlds of functions apart from the opponents' dice


class Outsider(Protocol):
    """Somebody who is asked from Python, for many games at once."""

    name: str

    def answer(self, states: np.ndarray, masks: np.ndarray, worlds: np.ndarray) -> Any: ...


class _Named:
    """A player of ours that is no kernel: it looks at nothing that its seat may not see."""

    def __init__(self, agent: Any) -> None:
        self.agent, self.name = agent, agent.name

    def answer(self, states: np.ndarray, masks: np.ndarray, worlds: np.ndarray) -> Any:
        return self.agent.choose(states, masks)


class _Given:
    """A player object of the caller."""

    def __init__(self, game: Game, agent: Any) -> None:
        self.game, self.agent, self.name = game, agent, str(getattr(agent, "name", type(agent).__name__))

    def answer(self, states: np.ndarray, masks: np.ndarray, worlds: np.ndarray) -> Any:
        return self.agent.choose(_redrawn(self.game, states, worlds), masks)


class _OfObservations:
    """A function of observations and masks."""

    def __init__(self, game: Game, function: Callable[..., Any], encoding: str) -> None:
        self.game, self.function, self.encoding, self.name = game, function, encoding, _name_of(function)

    def answer(self, states: np.ndarray, masks: np.ndarray, worlds: np.ndarray) -> Any:
        encoder, players = self.game.encoder(self.encoding), states["current_player"].astype(np.int64)
        if encoder.show is not None:
            seen: Any = encoder.look(states, players)
        else:
            seen = [encoder.observe(self.game.state_of(states[i : i + 1]), int(p)) for i, p in enumerate(players)]
        return self.function(seen, masks[:, : self.game.num_actions].copy())


class _OfStates:
    """A function of one position."""

    def __init__(self, game: Game, function: Callable[..., Any]) -> None:
        self.game, self.function, self.name = game, function, _name_of(function)

    def answer(self, states: np.ndarray, masks: np.ndarray, worlds: np.ndarray) -> Any:
        redrawn = _redrawn(self.game, states, worlds)
        return [self.function(self.game.state_of(redrawn[i : i + 1])) for i in range(len(redrawn))]


def _redrawn(game: Game, states: np.ndarray, worlds: np.ndarray) -> np.ndarray:
    """Copies in which everything is new that the players to act cannot know."""
    copies = states.copy()
    game.kernels.determinize(copies, copies["current_player"].astype(np.int64), worlds)
    return copies


def _name_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


class Opponents:
    """The players around a learner. Kernels are known by their number, outsiders by numbers below 0; a number is never reused,
    so that games in progress keep their players when new ones are set."""

    def __init__(self, game: Game, given: OpponentsGiven, encoding: str) -> None:
        self.game, self.encoding = game, encoding
        self.kernel_names: list[str] = []
        self.outsiders: list[Outsider] = []
        self._numbers: list[tuple[Player, int]] = []
        self.set(given)

    def set(self, given: OpponentsGiven) -> None:
        """Others from now on. Nothing changes if something is wrong."""
        seats = self._pools(given)
        drawn = [player for pool in seats for player, _ in pool]
        before = (list(self.kernel_names), list(self.outsiders), list(self._numbers))
        try:
            codes = [self._number(player) for player in drawn]
        except (ValueError, RuntimeError, OSError):
            self.kernel_names, self.outsiders, self._numbers = before
            raise
        self.given = given
        self.odds = np.vstack([_cumulated([[weight for _, weight in pool] for pool in seats]), codes])

    def _pools(self, given: OpponentsGiven) -> list[list[tuple[Player, float]]]:
        """One pool for each other seat, clockwise from the learner."""
        others = self.game.num_players - 1
        for_all = isinstance(given, (str, Mapping)) or callable(given) or hasattr(given, "choose")
        if not for_all and not isinstance(given, Sequence):
            raise ValueError(f"opponents: {NEEDED}, or one of these for each other seat, got {given!r}")
        several: list[Any] = (
            [given] * max(others, 1) if for_all else list(cast(Sequence[Any], given))
        )  # alone: what is given is looked at all the same
        if not for_all and len(several) != others:
            raise ValueError(f"opponents: {self.game.num_players} players need {others}, got {len(several)}")
        return [list(_pool(one)) for one in several]

    def _number(self, player: Player) -> int:
        for known, number in self._numbers:
            if known is player or (isinstance(player, str) and known == player):
                return number
        number = self._add(player)
        self._numbers.append((player, number))
        return number

    def _add(self, player: Player) -> int:
        from ...baselines.agents import agent, policy_names

        if isinstance(player, str) and player in policy_names(self.game):
            self.kernel_names.append(player)
            return len(self.kernel_names) - 1
        if isinstance(player, str):
            outsider: Outsider = _Named(agent(self.game, player))
        elif hasattr(player, "choose"):
            outsider = _Given(self.game, player)
        elif callable(player):
            outsider = _OfStates(self.game, player) if _takes_a_state(player) else _OfObservations(self.game, player, self.encoding)
        else:
            raise ValueError(f"opponents: {NEEDED}, got {player!r}")
        self.outsiders.append(outsider)
        return -len(self.outsiders)

    def policies(self) -> tuple[Any, ...]:
        """The kernels, by their numbers."""
        from ...baselines.agents import policy

        return tuple(policy(self.game, name) for name in self.kernel_names)

    def set_dice(self, counter: int) -> None:
        """The dice of outsiders that have any; those of kernels belong to the games."""
        for outsider in self.outsiders:
            if isinstance(outsider, _Named) and hasattr(outsider.agent, "set_dice"):
                outsider.agent.set_dice(counter)

    def answers(self, states: np.ndarray, masks: np.ndarray, who: np.ndarray, counters: np.ndarray) -> np.ndarray:
        """What the outsiders `who` do in these positions, which wait for them: each is asked once, for all of its games."""
        actions = np.zeros(len(states), np.int64)
        worlds = mix_all(counters ^ WORLDS ^ mix_all(states["decisions"].astype(np.uint64)))
        for number in np.unique(who).tolist():
            outsider, mine = self.outsiders[-number - 1], np.flatnonzero(who == number)
            try:
                answers = outsider.answer(states[mine], masks[mine], worlds[mine])
                actions[mine] = actions_array(answers, len(mine))
            except ValueError as error:
                raise ValueError(f"opponent {outsider.name}: {error}") from error
            self._check(outsider, states[mine], masks[mine], actions[mine])
        return actions

    def _check(self, outsider: Outsider, states: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        inside = (actions >= 0) & (actions < self.game.num_actions)
        legal = inside & (masks[np.arange(len(actions)), np.where(inside, actions, 0)] == 1)
        for i in np.flatnonzero(~legal)[:1].tolist():
            try:
                self.game.state_of(states[i : i + 1]).check_legal(int(actions[i]))
            except IllegalActionError as error:
                raise IllegalActionError(f"opponent {outsider.name}: {error}") from None


def _pool(one: Player | Mapping[Player, float]) -> Iterator[tuple[Player, float]]:
    if not isinstance(one, Mapping):
        yield one, 1.0
        return
    weights = list(one.values())
    if (
        not all(isinstance(w, Real) and not isinstance(w, bool) and isfinite(w) and float(w) >= 0 for w in weights)
        or not sum(weights) > 0
    ):
        raise ValueError(f"opponents: the weights of a pool are numbers of at least 0 and not all 0, got {one!r}")
    for player, weight in one.items():
        yield player, float(weight) / float(sum(weights))


def _cumulated(weights: list[list[float]]) -> np.ndarray:
    """One row per seat over the players of all pools: those of the others get nothing."""
    width = sum(map(len, weights))
    odds, first = np.zeros((max(1, len(weights)), max(1, width))), 0
    for seat, own in enumerate(weights):
        odds[seat, first : first + len(own)] = own
        first += len(own)
    odds = np.cumsum(odds, axis=1)
    odds[odds > 1 - 1e-12] = 1.0  # rounding must not let anybody of the next pool in
    return odds


def _takes_a_state(function: Callable[..., Any]) -> bool:
    """Whether a function takes one argument (a state) or two (observations and masks)."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    if len(positional) not in (1, 2):
        raise ValueError(
            f"opponents: {_name_of(function)} must take (observations, masks) or (state), not {len(positional)} arguments"
        )
    return len(positional) == 1
