"""`text`: the position in words, for people and language models: the table as the observer may see it, what is being decided, and
the legal actions in notation with a short explanation each. `Game.parse_reply` finds the one notation in an answer."""

from __future__ import annotations

import string

from gymnasium.spaces import Text

from ..envs.core.observing import Encoder
from ..envs.core.rules import Rules
from ..envs.core.state import State

__all__ = ["TextEncoder"]

LONGEST = 20_000


class TextEncoder(Encoder):
    """The position of one game as text."""

    name = "text"

    def __init__(self, rules: Rules, num_players: int) -> None:
        super().__init__(rules, num_players)
        self.shape = ()
        self.space = Text(LONGEST, min_length=1, charset=string.printable)

    def observe(self, state: State, observer: int) -> str:
        self.check_observer(observer)
        return "\n".join([self._heading(state, observer), "", state.to_text(observer), "", *self._decision(state, observer)])

    def _heading(self, state: State, observer: int) -> str:
        return f"{self.rules.title}, {self.num_players} players. You are player {observer}."

    def _decision(self, state: State, observer: int) -> list[str]:
        if state.is_terminal():
            places = ", ".join(f"player {p}: {score} points" for p, score in enumerate(state.scores()))
            return [f"The game is over. {places}."]
        mover = state.current_player()
        if mover != observer:
            return [f"Player {mover} decides ({state.phase()})."]
        actions = self.rules.actions
        docs = {r.kind: r.doc for r in actions.ranges}
        lines = [f"You decide ({state.phase()}). Legal actions:"]
        told = ""
        for action in state.legal_actions():
            kind = actions.kind_of(action)
            if kind != told:
                lines.append(f"{docs[kind]}:")
                told = kind
            lines.append(f"  {actions.names[action]}")
        return [*lines, "Answer with one of these actions, exactly as it is written."]

    def describe(self) -> str:
        return "`Text`: who you are, the table as you may see it, what is being decided, and the legal actions in notation."
