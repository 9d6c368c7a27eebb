"""Master Architect, a pyramid-design tile game (published title unknown). Rules as implemented: README.md in this folder."""

from __future__ import annotations

from ..core.game import Rules
from .actions import ACTIONS
from .drawing import draw
from .invariants import violations
from .observation import feature_table, features
from .rules import derive, determinize, legal, setup, step
from .scoring import scores, standings
from .state import SCHEMA

RULES = Rules(
    name="master_architect",
    title="Master Architect",
    version=0,
    players=(1, 2, 3, 4),
    default_players=4,
    schema=SCHEMA,
    actions=ACTIONS,
    setup=setup,
    legal=legal,
    step=step,
    scores=scores,
    standings=standings,
    determinize=determinize,
    derive=derive,
    features=features,
    feature_table=feature_table,
    draw=draw,
    violations=violations,
    score_scale=50.0,
    solo_score=True,
)
