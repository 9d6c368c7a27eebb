"""Property tests for everybody: `from mastaba import testing` (extra `test`).

`check_game(game)` runs the whole battery on a game, ours or yours, and says what is wrong in numbered sentences; `CHECKS` are its
single checks, for `@pytest.mark.parametrize("check", testing.CHECKS)`. `strategies` makes games, positions and trajectories for
hypothesis, `GameMachine` is a stateful machine to subclass, `perft` counts decision paths, `check_lockstep` compares a game with an
independent `Referee`.
"""

from . import strategies
from .battery import CHECKS, Check, Findings, check_game, find
from .checks import (
    check_copies,
    check_determinism,
    check_determinize,
    check_encoders,
    check_faces,
    check_hiding,
    check_legal,
    check_notation,
    check_players,
    check_positions,
    check_scores,
)
from .fuzz import byte_mutants, dict_mutants, play_out
from .lockstep import Referee, check_lockstep
from .machine import GameMachine
from .perft import perft
from .walks import positions, walk

__all__ = [
    "CHECKS",
    "Check",
    "Findings",
    "GameMachine",
    "Referee",
    "byte_mutants",
    "check_copies",
    "check_determinism",
    "check_determinize",
    "check_encoders",
    "check_faces",
    "check_game",
    "check_hiding",
    "check_legal",
    "check_lockstep",
    "check_notation",
    "check_players",
    "check_positions",
    "check_scores",
    "dict_mutants",
    "find",
    "perft",
    "play_out",
    "positions",
    "strategies",
    "walk",
]
