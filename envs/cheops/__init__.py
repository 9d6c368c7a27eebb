"""Cheops (working title), by Florian Ortlepp, Helmut Ortlepp and Steffen Benndorf. Rules as implemented: README.md here."""

from __future__ import annotations

from ..core.rules import Option, Rules
from .actions import ACTIONS
from .components import CATEGORIES
from .drawing import draw, picture
from .invariants import violations
from .observation import FEATURES, LOOKAHEAD, PLANES
from .rules import PHASE_TABLE, derive, determinize, round_of, setup, step, turn_of
from .scoring import parts, scores, standings
from .state import SCHEMA, SHEET_OPTIONS

RULES = Rules(
    name="cheops",
    title="Cheops",
    version=1,
    home=__name__,
    policies="mastaba.baselines.greedy.cheops",
    players=(2, 3, 4, 5),
    default_players=4,
    schema=SCHEMA,
    actions=ACTIONS,
    setup=setup,
    phases=PHASE_TABLE,
    legal=PHASE_TABLE.legal,
    step=step,
    scores=scores,
    standings=standings,
    determinize=determinize,
    derive=derive,
    features=FEATURES,
    planes=PLANES,
    lookahead=LOOKAHEAD,
    categories=CATEGORIES,
    parts=parts,
    turn_of=turn_of,
    round_of=round_of,
    draw=draw,
    picture=picture,
    violations=violations,
    score_scale=50.0,
    options={
        "sheets": Option("how the sheets are given out; in order: seat 0 has A, seat 1 B", SHEET_OPTIONS, "random", "sheets"),
    },
)
