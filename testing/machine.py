"""A stateful machine for hypothesis: play, copy, save and load a game in any order, with the invariants checked at every step.

Subclass it with own rules and invariants:

    class MyMachine(testing.GameMachine):
        make_game = staticmethod(lambda: mastaba.game("giza", 3))

        @invariant()
        def food_is_never_negative(self):
            assert (self.state.record["food"] >= 0).all()

    TestMyMachine = MyMachine.TestCase
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ..envs.core.game import Game
from ..envs.core.positions import findings
from ..envs.core.state import IllegalActionError, State
from ..envs.replay import Replay
from .strategies import seeds

__all__ = ["GameMachine"]


class GameMachine(RuleBasedStateMachine):
    """One game of `make_game()`. A failure prints the seed and the actions in notation.

    With MASTABA_FAILURES set to a folder it is written there too, as a replay: `mastaba replay FILE` steps through it.
    """

    make_game: Callable[[], Game]

    def __init__(self) -> None:
        super().__init__()
        self.game = type(self).make_game()
        self.history: list[str] = []
        self.deal_game(0)

    def deal_game(self, seed: int) -> None:
        """The state, and a twin that is always reached by another road."""
        self.seed = seed
        self.state: State = self.game.new_initial_state(seed=seed)
        self.twin: State = self.state.clone()

    @initialize(seed=seeds())
    def deal(self, seed: int) -> None:
        self.deal_game(seed)

    def _playing(self) -> bool:
        return not self.state.is_terminal()

    @precondition(_playing)
    @rule(pick=st.integers(0, 10**6))
    def play(self, pick: int) -> None:
        legal = self.state.legal_actions()
        action = legal[pick % len(legal)]
        self.history.append(self.state.action_to_string(action))
        self.state.apply_action(action)
        self.twin.apply_action(action)

    @rule(action=st.integers(-3, 300))
    def cheat(self, action: int) -> None:
        """What is not legal is refused, and leaves no trace."""
        if action not in self.state.legal_actions():
            try:
                self.state.apply_action(action)
            except IllegalActionError:
                return
            raise AssertionError(f"action {action} is not legal, but is played")

    @rule()
    def save_and_load(self) -> None:
        self.twin = self.game.deserialize(self.twin.serialize())

    @rule()
    def write_down_and_read(self) -> None:
        self.twin = self.game.from_dict(json.loads(json.dumps(self.twin.to_dict())))

    @rule()
    def pickle_and_unpickle(self) -> None:
        self.twin = pickle.loads(pickle.dumps(self.twin))

    @precondition(_playing)
    @rule(pick=st.integers(0, 10**6))
    def try_something_in_a_clone(self, pick: int) -> None:
        clone = self.state.clone()
        clone.apply_action(clone.legal_actions()[pick % len(clone.legal_actions())])

    @rule(seed=st.integers(0, 2**32), pick=st.integers(0, 100))
    def imagine(self, seed: int, pick: int) -> None:
        """What a player may know does not change in a world it cannot tell from this one."""
        player = pick % self.game.num_players
        other = self.state.determinize(player, seed=seed)
        assert other.view(player) == self.state.view(player)
        assert list(findings(self.game, other.record)) == []

    @invariant()
    def the_twin_is_equal(self) -> None:
        assert self.twin == self.state
        assert self.twin.legal_actions() == self.state.legal_actions()

    @invariant()
    def the_position_is_sound(self) -> None:
        assert list(findings(self.game, self.state.record)) == []

    @invariant()
    def there_is_something_to_decide(self) -> None:
        assert self.state.is_terminal() or len(self.state.legal_actions()) >= 2

    def teardown(self) -> None:
        """Called in any case; after a failure the exception is still on its way."""
        if sys.exc_info()[0] is None:
            return
        print(f"\n{self!r}")
        if folder := os.environ.get("MASTABA_FAILURES"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self._replay().save(Path(folder) / f"{self.game.name}.json")

    def _replay(self) -> Replay:
        try:
            return Replay.of(self.game, self.seed, self.history)
        except Exception:  # the last action itself fails: the replay leads to where it can be tried
            return Replay.of(self.game, self.seed, self.history[:-1])

    def __repr__(self) -> str:
        return f"{self.game!r}, seed {self.seed}: {', '.join(self.history) or 'no action yet'}"
