"""Contest: games in which one seat is the caller's and opponents move in between: what single and vector environments play."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.game import Game
from ..core.kernel.addresses import Book
from ..core.observing import Encoder, show_nothing
from ..core.play.duel import ANSWER, BEGIN, PLAY, REPLACE, SHOW, build_duel
from ..core.play.lanes import Games, new_rivals, observation_rows
from .opponents import Opponents, OpponentsGiven

__all__ = ["Contest", "WithOpponents"]

OF_A_STEP = ["earned", "rewards", "terminated", "truncated", "ended"]  # of a lane


class Contest:
    """The opponents of `games`. With kernels alone a step is one call; outsiders are asked in batches while games wait for them."""

    def __init__(
        self, game: Game, games: Games, opponents: OpponentsGiven, encoder: Encoder | None, encoding: str, threads: int = 1
    ) -> None:
        self.games, self.encoder, self.threads = games, encoder, threads
        self.opponents = Opponents(game, opponents, encoding)
        self.rivals = new_rivals(game, len(games.states), threads, encoder)
        self._rules = game.rules
        self._everywhere, self._no_actions = np.ones(len(games.states), bool), np.zeros(len(games.states), np.int64)
        self._seat_them()

    def _seat_them(self) -> None:
        self.rivals = self.rivals._replace(odds=self.opponents.odds)
        self._book = Book(*self.games._replace(observations=observation_rows(None, 0)), *self.rivals)
        self.build(self.threads > 1)

    def build(self, parallel: bool) -> None:
        show = self.encoder.show if self.encoder else show_nothing
        self._advance = build_duel(self._rules, self.opponents.policies(), show, self.games.observations.dtype, parallel).advance

    def set_opponents(self, given: OpponentsGiven) -> None:
        """Others from the next game of each lane on: nobody is exchanged in the middle of a game."""
        self.opponents.set(given)
        self._seat_them()

    # --- Playing --------------------------------------------------------------------------------------------------------------

    def begin(self, which: np.ndarray) -> None:
        """New games where `which` says."""
        if not self.opponents.outsiders:
            self._do(BEGIN | SHOW, which)
            return
        self._do(BEGIN, which)
        self._first_moves(which)
        self._do(SHOW, which)

    def play(self, actions: np.ndarray) -> None:
        """The caller's action in every game, and all that happens until its next decision."""
        if not self.opponents.outsiders:
            self._do(PLAY | REPLACE | SHOW, self._everywhere, actions)
            return
        self._do(PLAY, self._everywhere, actions)
        self._answer_all()
        before = self.games.lanes["episode"].copy()
        self._do(REPLACE, self._everywhere)
        self._first_moves(self.games.lanes["episode"] != before)
        self._do(SHOW, self._everywhere)

    def _do(self, stages: int, which: np.ndarray, actions: np.ndarray | None = None) -> None:
        chosen = self._no_actions if actions is None else actions
        self._advance(self._book.address, which, chosen, self.games.observations, self.threads, stages)

    def _first_moves(self, which: np.ndarray) -> None:
        """What happens before the caller's first decision is nobody's merit."""
        if which[0]:
            self.opponents.set_dice(int(self.rivals.counters[0, 0]))
        lanes = np.flatnonzero(which)
        kept = {name: self.games.lanes[name][lanes].copy() for name in OF_A_STEP}
        self._answer_all()
        for name, values in kept.items():
            self.games.lanes[name][lanes] = values

    def _answer_all(self) -> None:
        states, lanes = self.games.states, self.games.lanes
        while (waiting := (states["over"] == 0) & (states["current_player"] != lanes["player"])).any():
            i = np.flatnonzero(waiting)
            who = lanes["who"][i, states["current_player"][i]]
            actions = self._no_actions.copy()
            actions[i] = self.opponents.answers(states[i], self.games.masks[i], who, self.rivals.counters[i, 0])
            self._do(ANSWER, waiting, actions)

    # --- Copying --------------------------------------------------------------------------------------------------------------

    def contents(self) -> tuple[Any, ...]:
        """All that changes, for a copy that was made with the same arguments."""
        rivals = self.rivals
        kept = (rivals.counters, rivals.final_observations, rivals.endings)
        return self.opponents, tuple(array.copy() for array in kept)

    def restore(self, contents: tuple[Any, ...]) -> None:
        self.opponents, kept = contents
        rivals = self.rivals
        targets = (rivals.counters, rivals.final_observations, rivals.endings)
        for target, content in zip(targets, kept, strict=True):
            target[...] = content
        self._seat_them()


class WithOpponents:
    """An environment of one seat, single or vector: its opponents can be read and exchanged."""

    _contest: Contest

    @property
    def opponents(self) -> OpponentsGiven:
        """As they were given. Set others, and each game gets them when it begins anew: nobody is exchanged in mid-game."""
        return self._contest.opponents.given

    @opponents.setter
    def opponents(self, given: OpponentsGiven) -> None:
        self._contest.set_opponents(given)
