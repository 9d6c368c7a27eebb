"""Ways to play Giza for tests: random play hardly moves a stone, so some players like to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from mastaba import State
from mastaba.baselines.agents import agent
from mastaba.envs.core.kernel.masks import new_masks
from mastaba.envs.giza.actions import ACTIONS

import lockstep
from giza.by_hand import PLAYERS, giza, nearly_finished
from lockstep import uniform


def player_of(name: str, noise: float = 0.0) -> lockstep.Choose:
    """A baseline that makes some random moves."""
    player = agent(giza(4), name, seed=0)
    padded, mask = new_masks(1, len(ACTIONS))

    def choose(state: State, rng: np.random.Generator) -> int:
        if rng.random() < noise:
            return uniform(state, rng)
        mask[0] = state.legal_actions_mask()
        return int(player.choose(state.record, padded)[0])

    return choose


def bold(state: State, rng: np.random.Generator) -> int:
    """Random, but bids its maximum 70 % of the time."""
    if state.phase() in ("food bid", "art bid") and rng.random() < 0.7:
        return state.legal_actions()[-1]
    return uniform(state, rng)


def restless(state: State, rng: np.random.Generator) -> int:
    """Random, but likes to walk along the tracks and off their ends, and to enter them."""
    for wanted in ("adv q", ">q"):
        liked = [a for a in state.legal_actions() if wanted in state.action_to_string(a)]
        if liked and rng.random() < 0.7:
            return int(rng.choice(liked))
    return uniform(state, rng)


def decisions_of(state: State, choose: lockstep.Choose, seed: int) -> Iterator[tuple[State, int]]:
    """All decisions of a game from `state` on, each with the action that is taken there."""
    rng = np.random.default_rng(seed)
    state = state.clone()
    while not state.is_terminal():
        action = choose(state, rng)
        yield state.clone(), action
        state.apply_action(action)
    yield state, -1


def games(how_many: int = 2) -> Iterator[Iterator[tuple[State, int]]]:
    """Games of all kinds: random play hardly moves a stone, `builder` finishes pyramids, late ones end with the capstone."""
    for seed, players in itertools.product(range(how_many), PLAYERS):
        start = giza(players).new_initial_state(seed=seed)
        yield decisions_of(start, uniform, seed)
        yield decisions_of(start, player_of("builder", 0.2), seed)
        yield decisions_of(start, player_of("builder", 0.05), seed)
    for seed in range(5 * how_many):
        yield decisions_of(nearly_finished(), bold, seed)
        yield decisions_of(nearly_finished(), restless, seed)
