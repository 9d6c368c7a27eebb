"""Strategies for hypothesis: games, positions reached by play, actions, trajectories, determinizations, mutants.

They shrink towards our first game, few players, short games, low choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise RuntimeError('mastaba.testing needs hypothesis, which is not installed: pip install "mastaba[test]"') from error

from ..baselines.agents import act, agent
from ..envs.core.game import Game
from ..envs.core.state import State
from ..envs.registry import GAMES, rules
from ..envs.registry import game as make_game
from .fuzz import mutate

__all__ = ["Trajectory", "actions", "determinizations", "games", "mutants", "seeds", "states", "trajectories"]

BY_PLAYER = -1  # a pick that lets the rule-based player choose


def seeds() -> st.SearchStrategy[int]:
    return st.integers(0, 2**64 - 1)


@st.composite
def games(draw: st.DrawFn, names: Sequence[str] | None = None, players: Sequence[int] | None = None) -> Game:
    """A game at one of its tables, with its options drawn too."""
    name = draw(st.sampled_from(list(names or GAMES)))
    allowed = [n for n in rules(name).players if players is None or n in players]
    table = make_game(name, draw(st.sampled_from(allowed)))
    options = {key: draw(st.sampled_from(rules(name).options[key].values)) for key in table.options}
    return make_game(name, table.num_players, **options)


@dataclass(frozen=True)
class Trajectory:
    """A game from its beginning: the seed and what was chosen."""

    game: Game
    seed: int
    actions: tuple[int, ...]

    def states(self) -> list[State]:
        """All positions, from the first."""
        state = self.game.new_initial_state(seed=self.seed)
        path = [state.clone()]
        for action in self.actions:
            state.apply_action(action)
            path.append(state.clone())
        return path

    def __repr__(self) -> str:
        moves = ", ".join(self.game.action_to_string(a) for a in self.actions)
        return f"Trajectory({self.game!r}, seed={self.seed}, {moves})"


@st.composite
def trajectories(draw: st.DrawFn, game: Game, decisions: int = 60, play: str = "mixed") -> Trajectory:
    """At most `decisions` of a game. `play`: "random", "mixed" with the rule-based player, or the name of one that plays alone."""
    name = next((n for n in game.rules.named_policies if n != "random"), None) if play == "mixed" else play
    seed = draw(seeds())
    lowest = 0 if play == "random" or name is None else BY_PLAYER
    pick = st.just(BY_PLAYER) if play not in ("random", "mixed") else st.integers(lowest, 10**6)
    player = None if name in (None, "random") else agent(game, str(name), seed % 2**32)
    state, chosen = game.new_initial_state(seed=seed), []
    for choice in draw(st.lists(pick, max_size=decisions)):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        action = act(player, state) if choice == BY_PLAYER and player else legal[choice % len(legal)]
        state.apply_action(action)
        chosen.append(action)
    return Trajectory(game, seed, tuple(chosen))


@st.composite
def states(draw: st.DrawFn, game: Game | None = None, decisions: int = 60, players: Sequence[int] | None = None) -> State:
    """A position reached by random, rule-based or mixed play."""
    table = game or draw(games(players=players))
    path = draw(trajectories(table, decisions, draw(st.sampled_from(("random", "mixed")))))
    return path.states()[-1]


def actions(state: State) -> st.SearchStrategy[int]:
    """A legal action of a position that is not over."""
    if state.is_terminal():
        raise ValueError(f"a finished game of {state.game.name} has no actions")
    return st.sampled_from(state.legal_actions())


def determinizations(state: State, player: int) -> st.SearchStrategy[State]:
    """Positions that the player cannot tell from this one."""
    return seeds().map(lambda seed: state.determinize(player, seed=seed))


def mutants(state: State) -> st.SearchStrategy[dict[str, Any]]:
    """Dictionaries that may be no position: `Game.from_dict` must refuse them by field or play on from them."""
    return st.integers(0, 2**32 - 1).map(lambda seed: mutate(state.game, state.to_dict(), np.random.default_rng(seed)))
