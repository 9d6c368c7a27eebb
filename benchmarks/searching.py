"""The speed of search, ours and OpenSpiel's: a step is one simulation with a uniform playout to the end of the game.

Every decision of random games is searched in turn, and a run ends with a game, so that the figure is a mean over whole games: late
playouts are short.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from ..baselines.agents import act, agent
from ..baselines.search.players import SearchAgent
from ..baselines.search.settings import Budget, Settings
from ..envs.core.game import Game
from .measure import Case, Run

__all__ = ["SEARCH", "openspiel_cases", "search_cases"]

SEARCH = "search"  # the name of the face
KINDS = ("mc", "mcts")
SIMULATIONS = 500  # of a decision
PEERS = (("mcts", "backgammon"), ("is-mcts", "gin_rummy"))
PEER_SIMULATIONS = 20  # they take so much longer


def search_cases(game: Game) -> list[Case]:
    """Ours: flat and with a tree."""
    return [
        Case("mastaba", game.name, game.num_players, f"{SEARCH} {kind}", 1, 1, ("playout to the end",), partial(_ours, game, kind))
        for kind in KINDS
    ]


def openspiel_cases() -> list[Case]:
    """OpenSpiel's compiled searches of games with dice and with hidden cards."""
    includes = ("playout to the end",)
    return [Case("openspiel", name, 2, f"{SEARCH} {kind}", 1, 1, includes, partial(_openspiel, kind, name)) for kind, name in PEERS]


def _ours(game: Game, kind: str) -> Run:
    settings = Settings(playout="uniform", leaf="win", solve=0)
    player = SearchAgent(game, kind, Budget(SIMULATIONS), seed=1, settings=settings)
    mover = agent(game, "random", 1)
    state = game.new_initial_state(seed=1)
    episode = 0

    def decide() -> int:
        nonlocal episode
        if state.is_terminal():
            episode += 1
            state.restart(1, episode)
        done = player.analyse(state).simulations
        state.apply_action(act(mover, state))
        return done

    return _whole_games(decide, state.is_terminal)


def _openspiel(kind: str, name: str) -> Run:
    import pyspiel

    game = pyspiel.load_game(name)
    playouts = pyspiel.RandomRolloutEvaluator(1, 1)
    if kind == "mcts":
        bot = pyspiel.MCTSBot(game, playouts, 1.4, PEER_SIMULATIONS, 1000, False, 1, False)
    else:
        bot = pyspiel.ISMCTSBot(1, playouts, 1.4, PEER_SIMULATIONS)
    rng = random.Random(1)
    position: list[Any] = [game.new_initial_state()]

    def decide() -> int:
        """Up to the next decision, search it, and play any legal action."""
        while position[0].is_terminal() or position[0].is_chance_node():
            if position[0].is_terminal():
                position[0] = game.new_initial_state()
            else:
                outcomes, chances = zip(*position[0].chance_outcomes(), strict=True)
                position[0].apply_action(rng.choices(outcomes, chances)[0])
        state = position[0]
        bot.step(state)
        state.apply_action(rng.choice(state.legal_actions()))
        return PEER_SIMULATIONS

    return _whole_games(decide, lambda: position[0].is_terminal())


def _whole_games(decide: Callable[[], int], over: Callable[[], bool]) -> Run:
    def run(steps: int) -> int:
        done = 0
        while done < steps or not over():
            done += decide()
        return done

    decide()
    return run
