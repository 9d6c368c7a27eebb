"""Stairs, slowly: hands, bag and stairs as lists."""

from __future__ import annotations

from typing import Any

from mastaba import Game
from mastaba.making import Chance

PASS = 2


class StairsReferee:
    def __init__(self, game: Game, chance: Chance) -> None:
        self.n, self.chance = game.num_players, chance
        self.bag = [value for value in range(1, 7) for _ in range(4)]
        self.hands = [[self.draw() for _ in range(2)] for _ in range(self.n)]
        self.stairs: list[list[int]] = [[] for _ in range(self.n)]
        self.player, self.passes = 0, 0
        self.make_forced_moves()

    def draw(self) -> int:
        return self.bag.pop(self.chance.below(len(self.bag))) if self.bag else 0

    def options(self) -> list[int]:
        top = max(self.stairs[self.player], default=1)
        return [i for i in range(2) if self.hands[self.player][i] >= top] + [PASS]

    def make_forced_moves(self) -> None:
        while not self.is_terminal() and len(self.options()) == 1:
            self.move(PASS)

    def apply(self, action: int) -> None:
        self.move(action)
        self.make_forced_moves()

    def move(self, action: int) -> None:
        if action == PASS:
            self.passes += 1
        else:
            self.stairs[self.player].append(self.hands[self.player][action])
            self.hands[self.player][action] = self.draw()
            self.passes = 0
        if not self.is_terminal():
            self.player = (self.player + 1) % self.n

    def is_terminal(self) -> bool:
        return self.passes == self.n

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else self.options()

    def scores(self) -> list[int]:
        return [len(stairs) + max(stairs, default=0) for stairs in self.stairs]

    def standings(self) -> list[int]:
        return [sum(other > own for other in self.scores()) for own in self.scores()]

    def snapshot(self) -> dict[str, Any]:
        """What it keeps, under the names of the fields."""
        hands = [*self.hands, *[[0, 0]] * (4 - self.n)]
        return {"hand": hands, "passes": self.passes, "current_player": self.player}
