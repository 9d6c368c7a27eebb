"""Pyramidice, by Luigi Ferrini (Ergo Ludo Editions, 2023). Rules as implemented: README.md in this folder."""

from __future__ import annotations

from ..core.rules import Option, Rules
from .actions import ACTIONS
from .components import ARCHITECTS
from .drawing import draw, picture
from .invariants import violations
from .knowledge import determinize
from .observation import FEATURES, LOOKAHEAD, PLANES
from .rules import PHASE_TABLE, derive, round_of, setup, step, turn_of
from .scoring import CATEGORIES, parts, scores, standings
from .state import SCHEMA

RULES = Rules(
    name="pyramidice",
    title="Pyramidice",
    version=1,
    home=__name__,
    policies="mastaba.baselines.greedy.pyramidice",
    players=(1, 2, 3, 4),
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
        "architect": Option("the Great Architect to beat in a solo game", ARCHITECTS, ARCHITECTS[0], "architect", players=(1,)),
    },
)
