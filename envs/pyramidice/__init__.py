"""Pyramidice, by Luigi Ferrini (Ergo Ludo Editions, 2023). Rules as implemented: README.md in this folder."""

from __future__ import annotations

from ..core.game import Option, Rules
from .actions import ACTIONS
from .components import ARCHITECTS
from .drawing import draw
from .invariants import violations
from .knowledge import determinize
from .observation import feature_table, features
from .rules import derive, legal, setup, step
from .scoring import scores, standings
from .state import SCHEMA

RULES = Rules(
    name="pyramidice",
    title="Pyramidice",
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
    options={
        "architect": Option("the Great Architect to beat in a solo game", ARCHITECTS, ARCHITECTS[0], "architect", players=(1,)),
    },
)
