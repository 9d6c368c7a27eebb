"""`learned+search:BUDGET`: a search that asks the learned player what the positions are worth at which it stops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...envs.core.game import Game
from ..search.players import Learned, SearchAgent
from ..search.settings import Budget, Settings
from .players import learned_brain, thinking_of
from .thinking import new_mind

__all__ = ["LearnedSearchAgent"]

NAME = "learned+search"
# Every own action, then everybody plays by rule for so many turns, in the same worlds; there the learned value judges.
HORIZON: dict[str, int] = {}


def settings_for(game: Game) -> Settings:
    return replace(Settings(leaf="learned"), horizon=HORIZON.get(game.name, 2))


class LearnedSearchAgent(SearchAgent):
    """`rollout` with a learned leaf."""

    def __init__(self, game: Game, budget: Budget, seed: int | None = None, settings: Settings | None = None) -> None:
        brain = learned_brain(game)
        learned = Learned(thinking_of(game, brain).leaf, new_mind(game, brain.weights, brain.plan))
        super().__init__(game, "rollout", budget, seed, settings or settings_for(game), learned, f"{NAME}:{budget}")

    @classmethod
    def of_budget(cls, game: Game, budget: str, seed: int | None) -> LearnedSearchAgent:
        return cls(game, Budget.parse(budget, NAME), seed)

    def __getstate__(self) -> dict[str, Any]:
        """Without the kernels, which are made anew."""
        kept = super().__getstate__()
        return {name: kept[name] for name in ("game", "budget", "settings", "counters")}
