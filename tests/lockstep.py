"""Our games beside their referees, which stand in the folders of the games: independent implementations, written from the rules."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from mastaba import Game, State
from mastaba.making import Chance
from mastaba.testing import Referee
from mastaba.testing.lockstep import Choose, compare, play_in_lockstep, uniform

__all__ = ["compare", "load", "play", "referee_of", "uniform"]


def referee_of(game: Game, chance: Chance) -> Referee:
    module = import_module(f"{game.name}.referee")
    return module.Referee(game.num_players, chance, **getattr(module, "options", lambda game: {})(game))


def play(game: Game, seed: int, choose: Choose = uniform, start: State | None = None) -> State:
    """One game in lockstep, from the beginning or from a given position."""
    if start is None:
        return play_in_lockstep(game.new_initial_state(seed=seed), referee_of(game, Chance.of_seed(seed)), choose, seed)
    return play_in_lockstep(start.clone(), load(start), choose, seed)


def load(state: State) -> Referee:
    """A referee in the position of a state, with the same dice to come."""
    module = import_module(f"{state.game.name}.referee")
    values = state.game.rules.schema.by_short_name(state.record[0])
    snapshot = {name: np.asarray(value).astype(int).tolist() for name, value in values.items()}
    return module.Referee.from_snapshot(snapshot, Chance(int(state.record["rng"][0])))
