"""The command of recipes that train one seat against players by name: what it is asked, how the trained player is measured."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ...envs.core.game import Game
from ..agents import Agent, agent
from ..tournament import Result, evaluate

__all__ = ["parser_of", "results", "run"]


def parser_of(page: str | None, steps: int) -> argparse.ArgumentParser:
    """The arguments of a recipe whose docstring is `page`."""
    parser = argparse.ArgumentParser(description=(page or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--steps", type=int, default=steps, help="decisions of the learner")
    parser.add_argument("--opponents", default="random", help="random or greedy")
    parser.add_argument("--observation", default="flat", help="an encoder: flat, lookahead, ...")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def run(
    parser: argparse.ArgumentParser, train: Callable[..., tuple[Game, Any]], player: Callable[..., Agent]
) -> tuple[argparse.Namespace, Any]:
    """Train as the command line says and print how `player(game, trained)` fares; return the arguments and what was trained."""
    given = parser.parse_args()
    names = ("steps", "opponents", "observation", "seed")
    try:
        game, trained = train(given.game, given.players, verbose=1, **{name: getattr(given, name) for name in names})
    except ValueError as error:
        parser.error(str(error))
    print(*results(game, player(game, trained, observation=given.observation)), sep="\n")
    return given, trained


def results(game: Game, player: Agent, games: int = 1000) -> list[Result]:
    """Against random and greedy, on games that were not trained on."""
    return [evaluate(game, player, agent(game, name, seed=1), games, seed=2**40) for name in ("random", "greedy")]
