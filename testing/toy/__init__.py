"""Stairs, a toy game of 2 to 4 players with hidden hands. `mastaba new-game` copies it."""

from mastaba.making import Rules

from .actions import ACTIONS
from .drawing import draw
from .invariants import violations
from .observation import FEATURES
from .rules import PHASE_TABLE, determinize, setup
from .scoring import CATEGORIES, parts, scores, standings
from .state import SCHEMA

RULES = Rules(
    name="stairs",
    title="Stairs",
    version=0,
    home=__name__,
    policies=f"{__name__}.players",
    players=(2, 3, 4),
    default_players=3,
    schema=SCHEMA,
    actions=ACTIONS,
    phases=PHASE_TABLE,
    setup=setup,
    legal=PHASE_TABLE.legal,
    step=PHASE_TABLE.do,
    scores=scores,
    standings=standings,
    categories=CATEGORIES,
    parts=parts,
    determinize=determinize,
    features=FEATURES,
    draw=draw,
    violations=violations,
    score_scale=10.0,
)
