"""The plan of a tournament: who sits where in which deal, and which games are played together.

A plan follows from its settings alone, and every game from the plan: neither the number of workers nor where they run matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.registry import game as make_game
from ..agents import Agent, PolicyAgent, agent

__all__ = ["Plan"]

AT_ONCE = 1000  # games of a chunk, if all players are kernels
LEARNED_AT_ONCE = 64  # if some are networks that like batches


@dataclass(frozen=True)
class Plan:
    """What a tournament is. Every deal is played in `seatings`: each line-up, each player in each of its seats."""

    game: str
    players: int
    agents: tuple[str, ...]
    games: int
    seed: int = 0
    openings: int = 0  # random decisions before the players take over, the same in all games of a deal
    options: dict[str, str] = field(default_factory=dict)
    chunk: int = AT_ONCE
    first_alone: bool = False  # only the first player is of interest, alone against copies of the others

    @classmethod
    def of(cls, game: Game, agents: Sequence[str], games: int, seed: int = 0, openings: int = 0) -> Plan:
        """ValueError if a player is unknown or the numbers make no sense."""
        if games < 1 or openings < 0:
            raise ValueError(f"a tournament has at least one game and no negative openings, got {games} and {openings}")
        if not agents:
            raise ValueError("a tournament needs players")
        made = [agent(game, name, 0) for name in agents]
        return cls(game.name, game.num_players, tuple(agents), games, seed, openings, dict(game.options), _at_once(made))

    def alone(self) -> Plan:
        """The same, but only the first player meets the others."""
        return replace(self, first_alone=True)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"agents": list(self.agents)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Plan:
        return cls(**(values | {"agents": tuple(values["agents"])}))

    @cached_property
    def table(self) -> Game:
        return make_game(self.game, self.players, **self.options)

    @cached_property
    def names(self) -> list[str]:
        """Who plays; a player that is named twice gets a number."""
        return [
            f"{name} #{self.agents[: i + 1].count(name)}" if self.agents.count(name) > 1 else name
            for i, name in enumerate(self.agents)
        ]

    # --- Seats -------------------------------------------------------------------------------------------------------------------

    @cached_property
    def line_ups(self) -> list[tuple[int, ...]]:
        """Who meets whom: everybody in groups of the size of the table; if the table is larger, one against copies of another."""
        who, seats = range(len(self.agents)), self.players
        if self.first_alone:
            return [(0, *[b] * (seats - 1)) for b in who[1:]]
        if len(who) >= seats:
            return list(combinations(who, seats))
        if len(who) == 1:
            return [(0,) * seats]
        return [(a, *[b] * (seats - 1)) for a, b in permutations(who, 2)]

    @property
    def copies(self) -> bool:
        """Whether line-ups are one player against copies of another."""
        return 1 < len(self.agents) < self.players

    def seatings(self, deal: int) -> np.ndarray:
        """seatings[k, p]: who sits at p in the k-th game of a deal. The order around the table changes from deal to deal."""
        found = []
        for first, *others in self.line_ups:
            orders = list(dict.fromkeys(permutations(others)))
            around = (first, *orders[deal % len(orders)])
            found += [around[-turn:] + around[:-turn] if turn else around for turn in range(self.players)]
        return np.array(list(dict.fromkeys(found)), np.int64)

    @cached_property
    def per_deal(self) -> int:
        return len(self.seatings(0))

    @property
    def deals(self) -> int:
        return -(-self.games // self.per_deal)

    # --- Chunks ------------------------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """Games, whole deals."""
        return self.deals * self.per_deal

    @property
    def chunks(self) -> int:
        return -(-self.total // self.chunk)

    def of_chunk(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """The deals and the seatings of the games of a chunk."""
        games = range(number * self.chunk, min((number + 1) * self.chunk, self.total))
        deals = np.array([g // self.per_deal for g in games])
        tables = {deal: self.seatings(deal) for deal in dict.fromkeys(deals.tolist())}
        return deals, np.array([tables[int(deal)][g % self.per_deal] for deal, g in zip(deals, games, strict=True)])


def _at_once(agents: Sequence[Agent]) -> int:
    """Who thinks about each decision plays game by game, so that none is lost; kernels play many at once."""
    if any(hasattr(player, "budget") for player in agents):
        return 1
    return AT_ONCE if all(isinstance(player, PolicyAgent) for player in agents) else LEARNED_AT_ONCE
