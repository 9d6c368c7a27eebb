"""Pyramids, by Matthew Dunstan and Brett J. Gilbert (IELLO, 2017). Rules as implemented: README.md in this folder."""

from __future__ import annotations

from ..core.rules import Rules
from .actions import ACTIONS
from .components import CATEGORIES
from .drawing import draw, picture
from .invariants import violations
from .knowledge import determinize
from .observation import FEATURES, LOOKAHEAD, PLANES
from .rules import PHASE_TABLE, derive, round_of, setup, turn_of
from .scoring import parts, scores, standings
from .state import SCHEMA

RULES = Rules(
    name="pyramids",
    title="Pyramids",
    version=1,
    home=__name__,
    policies="mastaba.baselines.greedy.pyramids",
    players=(2, 3, 4, 5),
    default_players=4,
    schema=SCHEMA,
    actions=ACTIONS,
    setup=setup,
    phases=PHASE_TABLE,
    legal=PHASE_TABLE.legal,
    step=PHASE_TABLE.do,
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
    secrets={"pyr": r"\d(?=@)", "obe": r"\d", "tomb": r"\d", "drop": r"\d"},  # where in the hand a card was
    picture=picture,
    violations=violations,
    score_scale=50.0,
)
