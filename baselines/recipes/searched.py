"""A learned value as the leaf of a search: `python -m mastaba.baselines.recipes.searched cheops --players 2 --run runs/cheops`.

`learned+search` thinks with the weights that come with the package; this thinks so with those of any run of td, and leaves a
`report.json` as the run did, so that both stand in one table (results.py). The minutes and decisions are those of the weights.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from ...envs.core.game import Game
from ...envs.registry import game as make_game
from ..agents import agent as named_agent
from ..learned.brain import Brain
from ..learned.players import file_of, learned_brain, thinking_of
from ..learned.thinking import new_mind
from ..search.players import LEARNED_SEARCH, Learned, SearchAgent
from ..search.settings import Budget, strongest
from ..tournament import Result, evaluate_paired
from .running import FRESH_GAMES, Report, final_results, working_in

__all__ = ["measure", "searcher"]

MEASURED = "greedy"  # whom it meets most often


def searcher(game: Game, brain: Brain, budget: str, seed: int) -> SearchAgent:
    """`learned+search:BUDGET` that asks this brain."""
    found = Budget.parse(budget, LEARNED_SEARCH)
    kind, settings = strongest(game.name, True, found)
    learned = Learned(thinking_of(game, brain).leaf, new_mind(game, brain.weights, brain.plan))
    return SearchAgent(game, kind, found, seed, replace(settings, leaf="learned"), learned, f"{LEARNED_SEARCH}:{budget}")


def measure(game: Game, run: Path | None, budget: str, games: int, other_games: int, out: Path, progress: bool = True) -> Report:
    """Play fresh paired games, most of them against greedy. Without a run the weights are those that come with the package."""
    brain = learned_brain(game) if run is None else Brain.load(run, game)
    player = searcher(game, brain, budget, seed=1)
    made, settings = brain.training, brain.training["settings"]

    def against(opponent: str, number: int) -> Result:
        rival = named_agent(game, opponent, seed=2)
        return evaluate_paired(game, player, rival, games if opponent == MEASURED else number, FRESH_GAMES, settings["opening"])

    with working_in(out):
        results = final_results(game, against, other_games, other_games)
        budgeted = (player.name, settings["seed"], made["cpu_seconds"], made["decisions"])
        report = Report(game.name, game.num_players, *budgeted, results, run or file_of(game), None)
        report.tell(out, progress)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--run", type=Path, help="folder or file of a run of td; what comes with the package if not given")
    parser.add_argument("--budget", default="10ms", help="of a decision: 1000 simulations, or 10ms")
    parser.add_argument("--games", type=int, default=400, help=f"against {MEASURED}")
    parser.add_argument("--other-games", type=int, default=100, help="against everybody else")
    parser.add_argument("--out", type=Path, required=True, help="folder for the report")
    given = parser.parse_args()
    try:
        game = make_game(given.game, given.players)
        measure(game, given.run, given.budget, given.games, given.other_games, given.out)
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
