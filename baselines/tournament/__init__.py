"""Tournaments: players meet over paired deals, seats rotated, and honest numbers come out."""

from __future__ import annotations

from .games import Result, evaluate, evaluate_paired, play_games
from .numbers import wilson
from .plan import Plan
from .reporting import Report, report
from .running import Keeper, interrupted_file, run, write_replays

__all__ = [
    "Keeper",
    "Plan",
    "Report",
    "Result",
    "evaluate",
    "evaluate_paired",
    "interrupted_file",
    "play_games",
    "report",
    "run",
    "wilson",
    "write_replays",
]
