"""Two implementations of one game, side by side: the kernels and an independent referee written from the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from ..envs.core.game import Game
from ..envs.core.kernel.rng import Chance
from ..envs.core.state import State

__all__ = ["Referee", "check_lockstep", "compare", "play_in_lockstep"]

Choose = Callable[[State, np.random.Generator], int]


class Referee(Protocol):
    """A game played slowly and plainly. It is made at the start of a game, with the same dice to come as the kernel's.

    Forced moves are its own business: between two calls of `apply` it makes them, like the kernels.
    """

    def legal_actions(self) -> Sequence[int]:
        """The legal actions in increasing order; none when the game is over."""
        ...

    def apply(self, action: int) -> None: ...

    def is_terminal(self) -> bool: ...

    def scores(self) -> Sequence[int]: ...

    def standings(self) -> Sequence[int]: ...

    def snapshot(self) -> dict[str, Any]:
        """The fields it keeps, under the short names that the schema gives (or the field's own)."""
        ...


def uniform(state: State, rng: np.random.Generator) -> int:
    return int(rng.choice(state.legal_actions()))


def compare(state: State, referee: Referee, history: list[str]) -> None:
    """Fail with the history of the game if the two disagree in any field, legal action, score or rank."""
    said = referee.snapshot()
    ours = state.game.rules.schema.by_short_name(state.record[0])
    trace = f"\nafter {history[-12:]} ({len(history)} actions)"
    for name, value in said.items():
        kernel_value = np.asarray(ours[name])
        referee_value = np.asarray(value).astype(kernel_value.dtype)  # 255 and -1 are the same nothing
        assert np.array_equal(kernel_value, referee_value), f"{name}: kernel {kernel_value.tolist()}, referee {value}{trace}"
    assert state.is_terminal() == referee.is_terminal(), f"end of the game{trace}"
    assert state.legal_actions() == list(referee.legal_actions()), f"legal actions{trace}"
    n = state.game.num_players
    assert state.scores() == list(referee.scores())[:n], f"scores{trace}"
    assert state.standings() == list(referee.standings())[:n], f"standings{trace}"


def play_in_lockstep(state: State, referee: Referee, choose: Choose = uniform, seed: int = 0) -> State:
    """Play on from a position, comparing after every decision."""
    rng = np.random.default_rng(seed)
    history: list[str] = []
    compare(state, referee, history)
    while not state.is_terminal():
        action = choose(state, rng)
        history.append(state.action_to_string(action))
        state.apply_action(action)
        referee.apply(action)
        compare(state, referee, history)
    return state


def check_lockstep(
    game: Game, referee: Callable[[Game, Chance], Referee], games: int = 20, seed: int = 0, choose: Choose = uniform
) -> None:
    """Play whole games in lockstep with a referee; AssertionError names the field and the last actions."""
    for k in range(seed, seed + games):
        play_in_lockstep(game.new_initial_state(seed=k), referee(game, Chance.of_seed(k)), choose, seed=k)
