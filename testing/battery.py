"""The battery: checks by name, findings in plain words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from typing import Any

from ..envs.core.game import Game

__all__ = ["CHECKS", "Check", "Finding", "Findings", "check", "check_game", "find"]

MOST_FINDINGS = 3  # of one check: the first ones say it

Check = Callable[..., None]


class Findings(AssertionError):
    """What a check found wrong, as numbered sentences."""

    def __init__(self, game: Game, findings: list[Finding]) -> None:
        self.game, self.findings = game, findings
        lines = [f"{i}. {finding}" for i, finding in enumerate(findings, 1)]
        super().__init__("\n".join([f"{game!r}: {len(findings)} finding{'s' * (len(findings) != 1)}", *lines]))


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong."""

    check: str
    words: str

    def __str__(self) -> str:
        return f"[{self.check}] {self.words}"


CHECKS: list[Check] = []


def check(function: Callable[..., Iterator[str]]) -> Check:
    """A check is written as a generator of findings and used as a function that raises `Findings` if there are any.

    An exception inside it, from a kernel or from Python, is a finding too.
    """

    @wraps(function)
    def raising(game: Game, **budget: Any) -> None:
        found = list(islice(_sentences(function, game, budget), MOST_FINDINGS))
        if found:
            raise Findings(game, [Finding(raising.__name__, words) for words in found])

    CHECKS.append(raising)
    return raising


def _sentences(function: Callable[..., Iterator[str]], game: Game, budget: dict[str, Any]) -> Iterator[str]:
    try:
        yield from function(game, **budget)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"


def find(
    game: Game,
    examples: int = 1,
    seconds: float | None = None,
    seed: int = 0,
    told: Callable[[str], None] = lambda name: None,
) -> list[Finding]:
    """All findings of all checks. `examples` multiplies what each looks at; after `seconds` no further check begins."""
    findings: list[Finding] = []
    started = time.monotonic()
    for each in CHECKS:
        if seconds is not None and time.monotonic() - started > seconds:
            break
        told(each.__name__)
        try:
            each(game, examples=examples, seed=seed)
        except Findings as found:
            findings += found.findings
    return findings


def check_game(game: Game, examples: int = 1, seconds: float | None = None, seed: int = 0) -> None:
    """The whole battery; raises `Findings` with all that is wrong."""
    findings = find(game, examples, seconds, seed)
    if findings:
        raise Findings(game, findings)
