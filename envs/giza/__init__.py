"""Giza: The Great Pyramid, by David Heberer (Mayfair Games, 2012). Rules as implemented: README.md in this folder."""

from __future__ import annotations

from ..core.rules import Rules
from .actions import ACTIONS
from .components import CATEGORIES, TABLES
from .drawing import draw, picture
from .invariants import violations
from .observation import FEATURES, LOOKAHEAD, PLANES
from .rules import PHASE_TABLE, derive, determinize, setup, step
from .scoring import parts, scores, standings
from .state import SCHEMA
from .turns import round_of, turn_of

RULES = Rules(
    name="giza",
    title="Giza: The Great Pyramid",
    version=1,
    home=__name__,
    policies="mastaba.baselines.greedy.giza",
    players=TABLES,
    default_players=4,
    schema=SCHEMA,
    actions=ACTIONS,
    phases=PHASE_TABLE,
    setup=setup,
    legal=PHASE_TABLE.legal,
    step=step,
    scores=scores,
    standings=standings,
    categories=CATEGORIES,
    parts=parts,
    turn_of=turn_of,
    round_of=round_of,
    determinize=determinize,
    derive=derive,
    features=FEATURES,
    planes=PLANES,
    lookahead=LOOKAHEAD,
    draw=draw,
    secrets={"deco": r"\d+"},
    picture=picture,
    violations=violations,
    score_scale=40.0,
)
