"""What a game is made of: everything that the folder of a game imports, from one place.

The guide is envs/README.md; `mastaba new-game NAME` writes a whole small game to start from.
"""

from .envs.core.declare.actions import ActionTable, Range
from .envs.core.declare.features import ONCE, OTHER, SEAT, Feature
from .envs.core.declare.phases import Findings, Phase, PhaseTable
from .envs.core.declare.schema import EVERYBODY, NOBODY, OWNER, Schema, bits, choice, count, flag, seat
from .envs.core.kernel.jit import inlined, kernel
from .envs.core.kernel.masks import choose, clear, count_legal, first_set, mark_set
from .envs.core.kernel.ranking import rank
from .envs.core.kernel.rng import Chance, below, shuffle
from .envs.core.kernel.seats import after
from .envs.core.kernel.words import count_ones
from .envs.core.kernel.writing import part, stack_row, write_bits, write_counts, write_one_hot, write_row, write_seat, write_zeros
from .envs.core.rules import Option, Rules
from .envs.core.state import State

__all__ = [
    "EVERYBODY",
    "NOBODY",
    "ONCE",
    "OTHER",
    "OWNER",
    "SEAT",
    "ActionTable",
    "Chance",
    "Feature",
    "Findings",
    "Option",
    "Phase",
    "PhaseTable",
    "Range",
    "Rules",
    "Schema",
    "State",
    "after",
    "below",
    "bits",
    "choice",
    "choose",
    "clear",
    "count",
    "count_legal",
    "count_ones",
    "first_set",
    "flag",
    "inlined",
    "kernel",
    "mark_set",
    "part",
    "rank",
    "seat",
    "shuffle",
    "stack_row",
    "write_bits",
    "write_counts",
    "write_one_hot",
    "write_row",
    "write_seat",
    "write_zeros",
]
