"""Master Architect, a pyramid-design tile game (published title unknown). Rules as implemented: README.md in this folder."""

from __future__ import annotations

from ..core.rules import Rules
from .actions import ACTIONS
from .components import CATEGORIES
from .drawing import draw, picture
from .invariants import violations
from .observation import FEATURES, LOOKAHEAD, PLANES
from .rules import PHASE_TABLE, derive, determinize, round_of, setup, step, turn_of
from .scoring import parts, scores, standings
from .state import SCHEMA

RULES = Rules(
    name="master_architect",
    title="Master Architect",
    version=1,
    home=__name__,
    policies="mastaba.baselines.greedy.master_architect",
    players=(1, 2, 3, 4),
    default_players=4,
    schema=SCHEMA,
    actions=ACTIONS,
    phases=PHASE_TABLE,
    features=FEATURES,
    planes=PLANES,
    lookahead=LOOKAHEAD,
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
    draw=draw,
    picture=picture,
    violations=violations,
    score_scale=50.0,
    solo_score=True,
)
