"""Episode: one game on the terms of an interface. Rewards, forfeits and what a mask shows are decided here, for all of them."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from .declare.checks import action_number
from .game import Game
from .kernel.addresses import Book
from .observing import Encoder, View, show_nothing
from .play.lanes import new_games
from .play.many import build_game
from .play.series import Series
from .state import TERMINAL, State

__all__ = ["Episode"]


class Episode:
    """A state, and what its last step earned. `illegal="raise"`: an illegal action raises, otherwise its player forfeits.

    `player` is to act, TERMINAL after the end. With an encoder every step writes what that player sees, in the same call: `observe`
    then is a copy.
    """

    def __init__(
        self,
        game: Game,
        reward: str = "win",
        illegal: str = "terminate",
        terminal_mask: str = "zeros",
        encoder: Encoder | None = None,
    ) -> None:
        self.game, self._raises = game, illegal == "raise"
        self._terms = (reward, illegal, terminal_mask, encoder)
        shown = None if encoder is None or encoder.show is None else encoder
        self.series, self.begun = Series(), False
        self._games = new_games(game, 1, reward, encoder=shown)
        self.state = State(game, self._games.states, self._games.masks)
        self.player = TERMINAL
        self._book = Book(*self._games)
        self._play = build_game(game.rules, show_nothing if shown is None else shown.show, self._games.observations.dtype)
        self._seen = None if shown is None else shown.shaped(self._games.observations)[0]
        self._view = None if encoder is None else View(encoder)
        self._lane = self._games.lanes
        self._rewards = self._lane["rewards"][0, : game.num_players]
        self._terminated, self._truncated = self._lane["terminated"], self._lane["truncated"]
        self._mask = self._games.masks[0, : game.num_actions]
        self._no_moves = np.zeros(game.num_actions, np.int8)
        self._after_end = np.full(game.num_actions, terminal_mask == "ones", np.int8)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is made anew, since its views must be views of its own arrays; then it gets the contents."""
        contents = [array.copy() for array in self._games[:4]]
        return _copied, (self.game, self._terms, copy(self.series), contents)

    # --- Playing -------------------------------------------------------------------------------------------------------------

    def begin(self, seed: int | None) -> tuple[int, int]:
        """Game 0 of `seed`, without a seed the next game of the last one; return seed and number of the game."""
        seed, number = self.series.next_game(seed)
        self.begun = True
        self._lane["seed"], self._lane["episode"] = seed, number
        self.player = self._play(self._book.address, 0, 1)
        self.state.check_sound()
        return seed, number

    def act(self, action: int) -> int:
        """Play an action of the player to act; return who is next."""
        number = self.state.check_legal(action) if self._raises else action_number(action)
        self.player = player = self._play(self._book.address, number, 0)
        if player == TERMINAL:
            self.state.check_sound()
        return player

    # --- Looking -------------------------------------------------------------------------------------------------------------

    def rewards(self) -> list[float]:
        """What the last step earned each seat."""
        return self._rewards.tolist()

    @property
    def terminated(self) -> bool:
        return self._terminated.item()

    @property
    def truncated(self) -> bool:
        return self._truncated.item()

    def observe(self, seat: int) -> Any:
        """What a player sees. A fresh array."""
        if self._seen is not None and seat == self.player:
            return self._seen.copy()
        if self._view is None:
            raise TypeError("an episode without an encoder shows nothing")
        return self._view(self.state, seat)

    def mask(self, seat: int) -> np.ndarray:
        """The legal actions of the player to act; zeros for the others; after the end as `terminal_mask` says. A fresh array."""
        if seat == self.player:
            return self._mask.copy()
        return self._after_end.copy() if self.player == TERMINAL else self._no_moves.copy()


def _copied(game: Game, terms: tuple[Any, ...], series: Series, contents: list[np.ndarray]) -> Episode:
    episode = Episode(game, *terms)
    episode.series, episode.begun = series, series.seed is not None
    for array, content in zip(episode._games[:4], contents, strict=True):
        array[...] = content
    episode.player = episode.state.current_player() if episode.begun else TERMINAL
    return episode
