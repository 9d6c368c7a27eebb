"""A learned player measured like a training run: `python -m mastaba.baselines.recipes.measured cheops --players 2 --search 10ms`.

It is the one that comes with the package or that of any run of td, alone or as the leaf of a search, and leaves a `report.json` as
the run did, so that all of them stand in one table (results.py). Minutes and decisions are those that the weights took.

Several runs think together: what they say of a position is averaged. The player that they make is written beside
the report, unless it is a search that asks it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...envs.core.game import Game
from ...envs.registry import game as make_game
from ..agents import Agent
from ..agents import agent as named_agent
from ..learned.brain import FILE, Brain
from ..learned.players import LearnedAgent, file_of, learned_brain
from ..search.players import LEARNED_SEARCH, SearchAgent, learned_of
from ..search.settings import Budget, strongest
from ..tournament import Result, evaluate_paired
from .running import FRESH_GAMES, Report, final_results, reached, working_in

__all__ = ["measure", "searcher"]

MEASURED = "greedy"  # whom it meets most often


def searcher(game: Game, brain: Brain, budget: str, seed: int) -> SearchAgent:
    """`learned+search:BUDGET` that asks this brain."""
    found = Budget.parse(budget, LEARNED_SEARCH)
    kind, settings = strongest(game.name, True, found)
    asking = replace(settings, leaf="learned")
    return SearchAgent(game, kind, found, seed, asking, learned_of(game, brain, asking.networks), f"{LEARNED_SEARCH}:{budget}")


def measure(
    game: Game,
    runs: Sequence[Path],
    search: str,
    out: Path,
    *,
    games: int,
    other_games: int,
    search_games: int,
    progress: bool = True,
) -> Report:
    """Play fresh paired games. Without runs the weights are those that come with the package, without `search` they play alone."""
    brain = Brain.together([Brain.load(run, game) for run in runs]) if runs else learned_brain(game)
    if search:  # only those that it asks have made it
        brain = brain.first(strongest(game.name, True, Budget.parse(search, LEARNED_SEARCH))[1].networks)
    made, settings, networks = brain.training, brain.training["settings"], len(brain.weights)

    def new_player() -> Agent:
        name = "td" if networks == 1 else f"td x {networks}"
        return searcher(game, brain, search, seed=1) if search else LearnedAgent(game, name, 1, brain)

    def against(opponent: str, number: int) -> Result:
        players = new_player(), named_agent(game, opponent, seed=2)
        return evaluate_paired(game, *players, games if opponent == MEASURED else number, FRESH_GAMES, settings["opening"])

    with working_in(out):
        results = final_results(game, against, other_games, search_games)
        whose = (game.name, game.num_players, new_player().name, settings["seed"], made["cpu_seconds"], made["decisions"])
        file = runs[0] if runs else file_of(game)
        if len(runs) > 1 and not search:
            file = out / FILE
            replace(brain, training=made | {"reached": reached(results)}).save(file)
        report = Report(*whose, results, file, None)
        report.tell(out, progress)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    what = "folder or file of a run of td, several think together; what comes with the package if not given"
    parser.add_argument("--run", type=Path, action="append", default=[], dest="runs", help=what)
    parser.add_argument("--search", default="", metavar="BUDGET", help="as the leaf of a search: 1000 simulations, or 10ms")
    parser.add_argument("--games", type=int, default=400, help=f"against {MEASURED}")
    parser.add_argument("--other-games", type=int, default=100, help="against the other players that follow rules")
    parser.add_argument("--search-games", type=int, default=60, help="against a search")
    parser.add_argument("--out", type=Path, required=True, help="folder for the report")
    given = vars(parser.parse_args())
    try:
        measure(make_game(given.pop("game"), given.pop("players")), **given)
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
