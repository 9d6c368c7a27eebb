"""Cheops (working title), by Florian Ortlepp, Helmut Ortlepp and Steffen Benndorf. Rules as implemented: README.md here."""

from __future__ import annotations

from ..core.game import Option, Rules
from .actions import ACTIONS
from .drawing import draw
from .invariants import violations
from .observation import feature_table, features
from .rules import derive, determinize, legal, setup, step
from .scoring import scores, standings
from .state import SCHEMA, SHEET_OPTIONS

RULES = Rules(
    name="cheops",
    title="Cheops",
    version=0,
    players=(2, 3, 4, 5),
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
        "sheets": Option("how the sheets are given out; in order: seat 0 has A, seat 1 B", SHEET_OPTIONS, "random", "sheets"),
    },
)
