"""Game and State: the readable Python face of a game, in OpenSpiel's vocabulary.

A `Rules` object is what a game's folder gives. A `Game` is those rules at one table: a number of players and options. A `State`
is one position: a record of a few hundred bytes and the mask of its legal actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...encoders.flat import Feature, FlatEncoder
from . import batch
from .actions import ActionTable
from .checks import check
from .jit import kernel
from .masks import new_masks
from .rewards import REWARDS, SCORE, WIN, pay
from .rng import Chance
from .schema import NOBODY, OWNER, Schema

__all__ = ["TERMINAL", "Game", "IllegalActionError", "Option", "Rules", "Series", "State"]

TERMINAL = -4  # current_player() of a finished game, as in OpenSpiel


class IllegalActionError(ValueError):
    """An action that the rules do not allow here."""


@kernel
def no_features(s, observer, out):
    pass


@kernel
def nothing_to_derive(s):
    pass


@dataclass(frozen=True)
class Option:
    """A choice made before the game begins, stored in the record field of the same name."""

    doc: str
    values: tuple[str, ...]
    default: str
    field: str
    players: tuple[int, ...] = ()  # table sizes it belongs to; empty: all


@dataclass(frozen=True, eq=False)
class Rules:
    """What a game's folder gives; everything else is derived from it."""

    name: str
    title: str
    version: int
    players: tuple[int, ...]  # allowed table sizes
    default_players: int
    schema: Schema
    actions: ActionTable
    setup: Any  # kernels: setup(s)
    legal: Any  # legal(s, mask) -> count
    step: Any  # step(s, action)
    scores: Any  # scores(s, out)
    standings: Any  # standings(s, points, out)
    determinize: Any  # determinize(s, player)
    draw: Callable[[State, int | None], str]
    violations: Callable[[np.void], Iterator[tuple[str, str]]]
    score_scale: float  # a typical score: what `margin` and `score_delta` divide by
    derive: Any = nothing_to_derive  # derive(s)
    features: Any = no_features  # features(s, observer, out)
    feature_table: Callable[[int], list[Feature]] | None = None
    options: Mapping[str, Option] = field(default_factory=dict)
    solo_score: bool = False  # one player plays for points, against nobody

    @cached_property
    def kernels(self) -> batch.Kernels:
        return batch.build(self)

    @property
    def versioned_name(self) -> str:
        return f"{self.name}_v{self.version}"


class Game:
    """The rules of a game at a table of `num_players`."""

    def __init__(self, rules: Rules, num_players: int | None = None, **options: str) -> None:
        count = rules.default_players if num_players is None else num_players
        if isinstance(count, bool) or count not in rules.players:
            allowed = ", ".join(map(str, rules.players))
            raise ValueError(f"{rules.name}: {count} players are not possible, allowed are {allowed}")
        self.rules = rules
        self.name = rules.name
        self.num_players = int(count)
        self.options = self._check_options(options)
        self.kernels = rules.kernels
        self.template = self._template()

    def _check_options(self, options: Mapping[str, str]) -> dict[str, str]:
        known = {k: o for k, o in self.rules.options.items() if not o.players or self.num_players in o.players}
        for name, value in options.items():
            if name not in known:
                raise ValueError(f"{self.name}: no option {name!r} with {self.num_players} players, there are {list(known)}")
            if value not in known[name].values:
                raise ValueError(f"{self.name}: {name}={value!r} is not possible, allowed are {', '.join(known[name].values)}")
        return {name: options.get(name, option.default) for name, option in known.items()}

    def _template(self) -> np.ndarray:
        """The record before setup: empty but for the table size and the options."""
        template = np.zeros(1, self.rules.schema.dtype)
        template["num_players"] = self.num_players
        for name, value in self.options.items():
            option = self.rules.options[name]
            template[option.field] = option.values.index(value)
        return template

    def __repr__(self) -> str:
        options = "".join(f", {k}={v!r}" for k, v in self.options.items())
        return f"mastaba.game({self.name!r}, num_players={self.num_players}{options})"

    def __reduce__(self) -> tuple[Any, ...]:
        from ..registry import game

        return _remake_game, (game, self.name, self.num_players, self.options)

    # --- Static facts --------------------------------------------------------------------------------------------------------

    @property
    def num_actions(self) -> int:
        return len(self.rules.actions)

    num_distinct_actions = num_actions  # OpenSpiel's name

    @cached_property
    def encoder(self) -> FlatEncoder:
        return FlatEncoder(self.rules.schema, self.num_players, self.rules.feature_table)

    def action_to_string(self, action: int) -> str:
        if not 0 <= action < self.num_actions:
            raise ValueError(f"{self.name}: there is no action {action}, actions are 0..{self.num_actions - 1}")
        return self.rules.actions.names[action]

    def string_to_action(self, text: str) -> int:
        return self.rules.actions.parse(text)

    def reward_mode(self, reward: str) -> int:
        """The number of a reward mode, for kernels."""
        check("reward", reward, REWARDS)
        mode = REWARDS.index(reward)
        return SCORE if mode == WIN and self.num_players == 1 and self.rules.solo_score else mode

    # --- States --------------------------------------------------------------------------------------------------------------

    def new_states(self, count: int) -> np.ndarray:
        return np.zeros(count, self.rules.schema.dtype)

    def new_initial_state(self, seed: int | None = None, episode: int = 0) -> State:
        """Game number `episode` of `seed`; without a seed, one drawn from the operating system."""
        state = State(self)
        state.restart(fresh_seed() if seed is None else seed, episode)
        return state

    def state_of(self, record: np.ndarray) -> State:
        """The position of a record array of one, which is copied and trusted."""
        state = State(self)
        state.record[:] = record
        self.kernels.legal_masks(state.record, state._padded_mask)
        return state

    def from_dict(self, values: Mapping[str, Any]) -> State:
        """The position that `State.to_dict` showed. ValueError names the field that is wrong."""
        record = self.rules.schema.from_dict(values)
        if record["num_players"][0] != self.num_players:
            raise ValueError(f"num_players: {record['num_players'][0]}, but this game is for {self.num_players}")
        if record["current_player"][0] >= self.num_players:
            raise ValueError(f"current_player: {record['current_player'][0]}, players are 0..{self.num_players - 1}")
        for field_name, problem in self.rules.violations(record[0]):
            raise ValueError(f"{field_name}: {problem}")
        self.kernels.derive(record)
        return self.state_of(record)

    def deserialize(self, data: bytes) -> State:
        """The position that `State.serialize` packed."""
        if len(data) != self.rules.schema.dtype.itemsize:
            raise ValueError(f"{self.name}: a state has {self.rules.schema.dtype.itemsize} bytes, got {len(data)}")
        return self.from_dict(self.rules.schema.to_dict(np.frombuffer(data, self.rules.schema.dtype)[0]))


def _remake_game(game: Callable[..., Game], name: str, num_players: int, options: dict[str, str]) -> Game:
    return game(name, num_players, **options)


def fresh_seed() -> int:
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


class Series:
    """Which game a face plays next."""

    def __init__(self) -> None:
        self.seed: int | None = None  # before the first game
        self.episode = 0

    def next_game(self, seed: int | None) -> tuple[int, int]:
        """Seed and number: game 0 of a seed that is given, otherwise the next game of the last one."""
        if seed is not None or self.seed is None:
            self.seed, self.episode = fresh_seed() if seed is None else int(seed), 0
        else:
            self.episode += 1
        return self.seed, self.episode


class State:
    """One position of a game. `clone`, `copy`, `pickle`, `serialize` and `to_dict` all keep it exactly."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.record = game.new_states(1)
        self._padded_mask, self._masks = new_masks(1, game.num_actions)
        self._mask = self._masks[0]
        self._action = np.zeros(1, np.int64)
        # Views made once: looking a field up by name costs more than a step.
        self._over, self._player = self.record["over"], self.record["current_player"]

    def restart(self, seed: int, episode: int = 0) -> None:
        seeds, episodes = np.array([seed % 2**64], np.uint64), np.array([episode], np.uint64)
        self.game.kernels.reset(self.record, self.game.template, seeds, episodes, self._padded_mask)

    # --- Asking --------------------------------------------------------------------------------------------------------------

    def current_player(self) -> int:
        return TERMINAL if self._over[0] else self._player.item()

    def is_terminal(self) -> bool:
        return self._over.item() == 1

    def is_truncated(self) -> bool:
        return bool(self.record["truncated"][0])

    def legal_actions(self) -> list[int]:
        return self._mask.nonzero()[0].tolist()

    def legal_actions_mask(self) -> np.ndarray:
        return self._mask.copy()

    def phase(self) -> str:
        return self.game.rules.schema.by_name["phase"].names[self.record["phase"][0]]

    def outcome(self) -> tuple[np.ndarray, np.ndarray]:
        """Points and ranks of all seats, if the game ended now."""
        seats = self.game.rules.schema.seats
        points, ranks = np.zeros((1, seats), np.int64), np.zeros((1, seats), np.int64)
        self.game.kernels.outcomes(self.record, points, ranks)
        return points[0], ranks[0]

    def scores(self) -> list[int]:
        """The score of each player, if the game ended now."""
        return self.outcome()[0][: self.game.num_players].tolist()

    def standings(self) -> list[int]:
        """The rank of each player after tie-breaks: 0 is the winner, joint winners share it."""
        return self.outcome()[1][: self.game.num_players].tolist()

    def returns(self, reward: str = "win") -> list[float]:
        """The rewards of a finished game; zeros before. For `score_delta` the whole score, starting points included."""
        out = np.zeros(self.game.num_players)
        if self.is_terminal():
            mode = self.game.reward_mode(reward)
            points, ranks = self.outcome()
            if reward == "score_delta":
                return (points[: self.game.num_players] / self.game.rules.score_scale).tolist()
            pay(mode, self.game.num_players, points, ranks, self.game.rules.score_scale, out)
        return out.tolist()

    def observation(self, player: int | None = None) -> np.ndarray:
        """The flat observation of a player (of the one to act, if not given)."""
        observer = max(0, int(self.record["current_player"][0])) if player is None else self._seat(player)
        out = np.empty((1, self.game.encoder.size), np.float32)
        self.game.kernels.observe(self.record, np.array([observer]), out)
        return out[0]

    # --- Playing -------------------------------------------------------------------------------------------------------------

    def apply_action(self, action: int) -> None:
        """Play an action, and every forced move that follows."""
        action = int(action)
        if not (0 <= action < self.game.num_actions and self._mask[action]):
            raise IllegalActionError(self._complaint(action))
        self._action[0] = action
        self.game.kernels.apply(self.record, self._action, self._padded_mask)

    def _complaint(self, action: int) -> str:
        known = 0 <= action < self.game.num_actions
        name = f"{self.action_to_string(action)!r} ({action})" if known else f"action {action}"
        if self.is_terminal():
            return f"{self.game.name}: {name} is not possible, the game is over"
        legal = ", ".join(f"{self.action_to_string(a)!r} ({a})" for a in self.legal_actions())
        return (
            f"{self.game.name}: {name} is not legal in phase {self.phase()!r} for player {self.current_player()}; legal are {legal}"
        )

    # --- Copying -------------------------------------------------------------------------------------------------------------

    def clone(self) -> State:
        other = State(self.game)
        other.record[:] = self.record
        other._padded_mask[:] = self._padded_mask
        return other

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> State:
        return self.clone()

    def __getstate__(self) -> tuple[Game, bytes, bytes]:
        return self.game, self.record.tobytes(), self._padded_mask.tobytes()

    def __setstate__(self, state: tuple[Game, bytes, bytes]) -> None:
        game, record, mask = state
        self.__init__(game)  # type: ignore[misc]
        self.record[:] = np.frombuffer(record, self.record.dtype)
        self._padded_mask[:] = np.frombuffer(mask, np.int8)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game.name == other.game.name and self.serialize() == other.serialize()

    __hash__ = None  # type: ignore[assignment]

    def serialize(self) -> bytes:
        return self.record.tobytes()

    def to_dict(self) -> dict[str, Any]:
        """All fields, choices by name; `Game.from_dict` reads it back."""
        return self.game.rules.schema.to_dict(self.record[0])

    def replace(self, **fields: Any) -> State:
        """A copy with some fields set, checked like `Game.from_dict`."""
        return self.game.from_dict({**self.to_dict(), **fields})

    def view(self, player: int) -> dict[str, Any]:
        """The fields that a player may see, by name: what `to_dict` shows, without the hidden part."""
        seat = self._seat(player)
        shown = {}
        for f in self.game.rules.schema:
            if f.sees == NOBODY or f.derived:
                continue
            values = self.record[f.name][0]
            shown[f.name] = (values[seat] if f.sees == OWNER else values).tolist()
        return shown

    def determinize(self, player: int, seed: int | None = None) -> State:
        """A position that `player` cannot tell from this one: the hidden and the future are drawn anew."""
        other = self.clone()
        counter = Chance.of_seed(fresh_seed() if seed is None else seed, episode=2**32).counter
        self.game.kernels.determinize(other.record, np.array([self._seat(player)]), np.array([counter], np.uint64))
        return self.game.state_of(other.record)  # another player's options may depend on what was redrawn

    def _seat(self, player: int) -> int:
        if not 0 <= player < self.game.num_players:
            raise ValueError(f"{self.game.name}: no player {player}, players are 0..{self.game.num_players - 1}")
        return int(player)

    # --- Showing -------------------------------------------------------------------------------------------------------------

    def action_to_string(self, action: int) -> str:
        return self.game.action_to_string(action)

    def to_text(self, player: int | None = None) -> str:
        """The table as text: as `player` sees it, or with everything open."""
        return self.game.rules.draw(self, None if player is None else self._seat(player))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        where = f"phase {self.phase()}, player {self.current_player()}, decision {self.record['decisions'][0]}"
        return f"<{self.game.name} state: {where}>"
