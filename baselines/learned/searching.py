"""`learned+search:BUDGET`: a search that asks the learned player what the positions are worth at which it stops."""

from __future__ import annotations

from dataclasses import replace

from ...envs.core.game import Game
from ..search.players import SearchAgent
from ..search.settings import Budget, Settings

__all__ = ["learned_search"]

NAME = "learned+search"
# Every own action, then everybody plays by rule for so many turns, in the same worlds; there the learned value judges.
HORIZON: dict[str, int] = {}


def settings_for(game: Game) -> Settings:
    return replace(Settings(leaf="learned"), horizon=HORIZON.get(game.name, 2))


def learned_search(game: Game, budget: str, seed: int | None) -> SearchAgent:
    """`rollout` with a learned leaf."""
    return SearchAgent(game, "rollout", Budget.parse(budget, NAME), seed, settings_for(game), name=f"{NAME}:{budget}")
