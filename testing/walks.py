"""Walks through a game: positions from everywhere, by random and by rule-based play."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..baselines.agents import act, agent
from ..envs.core.game import Game
from ..envs.core.state import State

__all__ = ["MOST_DECISIONS", "positions", "styles", "walk"]

MOST_DECISIONS = 20_000  # a game that takes longer is endless


def styles(game: Game) -> tuple[str, ...]:
    """Ways to walk: uniformly at random, each rule-based player, and half of both."""
    players = [name for name in game.rules.named_policies if name != "random"]
    return ("random", *players, *(f"mixed {name}" for name in players[:1]))


def walk(game: Game, seed: int, style: str = "random") -> Iterator[State]:
    """Every position of one game; the same State object moves on. RuntimeError if the game does not end."""
    rng = np.random.default_rng([seed, len(style)])
    name = style.removeprefix("mixed ")
    player = None if style == "random" else agent(game, name, seed)
    state = game.new_initial_state(seed=seed)
    yield state
    while not state.is_terminal():
        if state.record["decisions"][0] >= MOST_DECISIONS:
            raise RuntimeError(f"no end after {MOST_DECISIONS} decisions of {style} play, seed {seed}")
        legal = state.legal_actions()
        if not legal:
            raise RuntimeError(f"nothing is legal after {state.record['decisions'][0]} decisions of {style} play, seed {seed}")
        by_chance = player is None or (style != name and rng.random() < 0.5)
        state.apply_action(int(rng.choice(legal)) if by_chance else act(player, state))  # type: ignore[arg-type]
        yield state


def positions(game: Game, count: int, seed: int = 0, ways: tuple[str, ...] = ()) -> list[State]:
    """Clones from all over several games of all styles, or of some `ways` to walk; the last one finished."""
    found: list[State] = []
    ways = ways or styles(game)
    game_number = 0
    while len(found) < count:
        path = [state.clone() for state in walk(game, seed + game_number, ways[game_number % len(ways)])]
        rng = np.random.default_rng(seed + game_number)
        share = max(1, count // (2 * max(4, len(ways))))
        found += [path[i] for i in sorted(rng.integers(max(1, len(path) - 1), size=share))]
        found.append(path[-1])
        game_number += 1
    return found[-count:]
