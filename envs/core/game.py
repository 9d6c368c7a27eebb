"""Game: the rules at a table of some size, with options chosen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from . import positions
from .declare.checks import check, whole
from .kernel.masks import new_masks
from .narrow import narrowed
from .observing import Encoder, encoder_class, encoder_names
from .play.rewards import REWARDS, SCORE, SCORE_SCALE, WIN
from .play.series import fresh_seed
from .rules import Rules
from .state import State, copied

__all__ = ["Game"]

MOST_POINTS = 1000  # nobody has ever seen so many


class Game:
    """The rules of a game at a table of `num_players`."""

    def __init__(self, rules: Rules, num_players: int | None = None, **options: str) -> None:
        self.rules = rules
        self.name = rules.name
        self.num_actions = len(rules.actions)
        self.num_players = self._table_size(num_players)
        self.options = self._check_options(options)
        self.kernels = rules.kernels
        self.template = self._template()
        self._encoders: dict[tuple[str, str], Encoder] = {}

    def _table_size(self, num_players: Any) -> int:
        if num_players is None:
            return self.rules.default_players
        allowed = ", ".join(map(str, self.rules.players))
        try:
            count = whole("num_players", num_players)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}, allowed are {allowed}") from None
        if count not in self.rules.players:
            raise ValueError(f"{self.name}: {count} players are not possible, allowed are {allowed}")
        return count

    def _check_options(self, options: Mapping[str, str]) -> dict[str, str]:
        known = {k: o for k, o in self.rules.options.items() if not o.players or self.num_players in o.players}
        for name, value in options.items():
            if name not in known:
                there_are = f"there are {', '.join(known)}" if known else "there are none"
                raise TypeError(f"{self.name}: no option {name!r} with {self.num_players} players, {there_are}")
            check(f"{self.name}: {name}", value, known[name].values)
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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.rules, self.num_players, self.options) == (
            other.rules,
            other.num_players,
            other.options,
        )

    def __hash__(self) -> int:
        return hash((self.name, self.num_players))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.rules, self.num_players, self.options)

    # --- Static facts --------------------------------------------------------------------------------------------------------

    @property
    def num_distinct_actions(self) -> int:
        """OpenSpiel's name of `num_actions`."""
        return self.num_actions

    @property
    def max_game_length(self) -> int:
        """More decisions than any game has: what the record can count. Games are much shorter."""
        return int(np.iinfo(self.rules.schema.dtype["decisions"]).max)

    @property
    def min_utility(self) -> float:
        """The least that `State.returns` can be of a game that nobody forfeits."""
        if self.num_players > 1:
            return -1.0 / (self.num_players - 1)
        return -MOST_POINTS / SCORE_SCALE if self.rules.solo_score else -1.0

    @property
    def max_utility(self) -> float:
        """The most that `State.returns` can be."""
        return MOST_POINTS / SCORE_SCALE if self.num_players == 1 and self.rules.solo_score else 1.0

    def encoder(self, name: str = "flat", dtype: str = "float32") -> Encoder:
        """The encoder of that name at this table; ValueError names those there are. `dtype`: of its numbers (narrow.py)."""
        if (name, dtype) not in self._encoders:
            check("observation", name, encoder_names())
            wide = encoder_class(name)(self.rules, self.num_players) if dtype == "float32" else self.encoder(name)
            self._encoders[name, dtype] = narrowed(wide, dtype)
        return self._encoders[name, dtype]

    def array_encoder(self, name: str, where: str, dtype: str = "float32") -> Encoder:
        """An encoder that fills arrays inside kernels; ValueError says `where` one is needed."""
        if self.encoder(name).show is None:
            raise ValueError(f"observation={name!r} is not possible in {where}: it is not made of numbers")
        return self.encoder(name, dtype)

    def action_to_string(self, action: int) -> str:
        if not 0 <= action < self.num_actions:
            raise ValueError(f"{self.name}: there is no action {action}, actions are 0..{self.num_actions - 1}")
        return self.rules.actions.names[action]

    def string_to_action(self, text: str) -> int:
        return self.rules.actions.parse(text)

    def parse_reply(self, text: str) -> int:
        """The one action that is written in an answer; ValueError if there is none, or more than one."""
        return self.rules.actions.find(text)

    def reward_mode(self, reward: str) -> int:
        """The number of a reward mode, for kernels."""
        check("reward", reward, REWARDS)
        mode = REWARDS.index(reward)
        return SCORE if mode == WIN and self.num_players == 1 and self.rules.solo_score else mode

    @cached_property
    def phase_names(self) -> tuple[str, ...]:
        return self.rules.schema.by_name["phase"].names

    # --- States --------------------------------------------------------------------------------------------------------------

    def new_states(self, count: int) -> np.ndarray:
        return np.zeros(count, self.rules.schema.dtype)

    def new_initial_state(self, seed: int | None = None, episode: int = 0) -> State:
        """Game number `episode` of `seed`; without a seed, one drawn from the operating system."""
        state = State(self)
        state.restart(fresh_seed() if seed is None else seed, episode)
        return state

    def legal_of(self, records: np.ndarray) -> np.ndarray:
        """The padded masks of positions as they are, forced moves included."""
        padded, _ = new_masks(len(records), self.num_actions)
        self.kernels.legal_masks(records, padded, np.zeros(len(records), np.int64))
        return padded

    def state_of(self, record: np.ndarray) -> State:
        """The position of a record array of one, which is copied and trusted."""
        copy = copied(record)
        return State(self, copy, self.legal_of(copy), history=[])

    def from_dict(self, values: Mapping[str, Any]) -> State:
        """The position that `State.to_dict` showed. ValueError names the field that is wrong."""
        return self.state_of(positions.from_mapping(self, values))

    def deserialize(self, data: bytes) -> State:
        """The position that `State.serialize` packed. ValueError names the field that is wrong."""
        return self.state_of(positions.from_bytes(self, data))


def _remade(rules: Rules, num_players: int, options: dict[str, str]) -> Game:
    return Game(rules, num_players, **options)
