"""Episode: one game on the terms of an interface. Rewards, forfeits and what a mask shows are decided here, for all of them."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from .declare.checks import action_number
from .game import Game
from .observing import Encoder, View, show_nothing
from .play.lanes import new_games
from .play.many import build_lanes
from .play.series import Series
from .state import TERMINAL, State

__all__ = ["Episode"]


class Episode:
    """A state, and what its last step earned. `illegal="raise"`: an illegal action raises, otherwise its player forfeits.

    With an encoder every step writes what the next player sees, in the same call: `observe` then is a copy.
    """

    def __init__(
        self,
        game: Game,
        reward: str = "win",
        illegal: str = "terminate",
        terminal_mask: str = "zeros",
        encoder: Encoder | None = None,
    ) -> None:
        self.game, self.illegal = game, illegal
        self._terms = (reward, illegal, terminal_mask, encoder)
        shown = None if encoder is None or encoder.show is None else encoder
        self.series, self.begun = Series(), False
        self._games = new_games(game, 1, reward, encoder=shown)
        self.state = State(game, self._games.states, self._games.masks)
        self._action = np.zeros(1, np.int64)
        self._arrays = (*self._games, self._action)
        self._play = build_lanes(game.rules, show_nothing if shown is None else shown.show)
        self._seen = None if shown is None else shown.shaped(self._games.observations)[0]
        self._view = None if encoder is None else View(encoder)
        self._lane = self._games.lanes
        self._rewards = self._lane["rewards"][0, : game.num_players]
        self._terminated, self._truncated = self._lane["terminated"], self._lane["truncated"]
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
        self._play(*self._arrays, True)
        self.state.check_sound()
        return seed, number

    def act(self, action: int) -> None:
        """Play an action of the player to act."""
        self._action[0] = self.state.check_legal(action) if self.illegal == "raise" else action_number(action)
        self._play(*self._arrays, False)
        if self._truncated[0]:
            self.state.check_sound()

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
        if self._seen is not None and self.state.current_player() == seat:
            return self._seen.copy()
        if self._view is None:
            raise TypeError("an episode without an encoder shows nothing")
        return self._view(self.state, seat)

    def mask(self, seat: int) -> np.ndarray:
        """The legal actions of the player to act; zeros for the others; after the end as `terminal_mask` says. A fresh array."""
        player = self.state.current_player()
        if player == seat:
            return self.state.legal_actions_mask()
        return self._after_end.copy() if player == TERMINAL else self._no_moves.copy()


def _copied(game: Game, terms: tuple[Any, ...], series: Series, contents: list[np.ndarray]) -> Episode:
    episode = Episode(game, *terms)
    episode.series, episode.begun = series, series.seed is not None
    for array, content in zip(episode._games[:4], contents, strict=True):
        array[...] = content
    return episode
