"""OpenSpiel: stepped from Python (mask, with and without observation), and its own compiled random bots."""

from __future__ import annotations

import random
from functools import partial
from itertools import compress
from typing import Any

from ..measure import Case, Run

PYTHON_GAMES = ("connect_four", "tic_tac_toe", "hanabi", "backgammon")
BOT_GAMES = ("connect_four", "hanabi")
BOT_SEEDS = 512


def cases() -> list[Case]:
    stepped = [
        Case("openspiel", game, 2, "state", 1, 1, includes, partial(prepare_state, game, "observation" in includes))
        for game in PYTHON_GAMES
        for includes in (("mask", "observation", "reset"), ("mask", "reset"))
    ]
    bots = [
        Case("openspiel", game, 2, "compiled bots", 1, 1, ("legal list", "reset"), partial(prepare_bots, game))
        for game in BOT_GAMES
    ]
    return stepped + bots


def prepare_state(name: str, observed: bool) -> Run:
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    actions = range(game.num_distinct_actions())
    # Written into one array; the plain `observation_tensor` makes a Python list and is slower.
    observation = make_observation(game) if observed else None
    rng = random.Random(1)

    def run(steps: int) -> int:
        done = 0
        state = game.new_initial_state()
        while done < steps:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                state.apply_action(pyspiel.sample_action(state.chance_outcomes(), rng.random())[0])
            else:
                if observation is not None:
                    observation.set_from(state, state.current_player())
                legal = list(compress(actions, state.legal_actions_mask()))
                state.apply_action(legal[int(rng.random() * len(legal))])
                done += 1
        return done

    run(10)
    return run


def prepare_bots(name: str) -> Run:
    """Whole games in C++. One series of games is counted beforehand: to count takes a third as long as to play."""
    import pyspiel

    game = pyspiel.load_game(name)

    def fresh_bots() -> list[Any]:
        return [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(game.num_players())]

    def play(bots: list[Any], seed: int) -> Any:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        return state

    def decisions(state: Any) -> int:
        return sum(move.player >= 0 for move in state.full_history())

    bots = fresh_bots()
    counted = [decisions(play(bots, seed)) for seed in range(BOT_SEEDS)]

    def run(steps: int) -> int:
        done = 0
        while True:
            bots = fresh_bots()  # the series starts again, with the same games
            for seed, count in enumerate(counted):
                if done >= steps:
                    return done
                play(bots, seed)
                done += count

    return run
