"""The phases of a game: for each, what is legal and what it does, side by side in one table.

From the table follow the two routers that play uses (`legal` and `do`) and which kinds of actions belong to which phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernel.jit import kernel
from .actions import ActionTable

__all__ = ["Findings", "Phase", "PhaseTable"]

Findings = Iterator[tuple[str, str]]  # a field and what is wrong with it


def nothing_more(record: np.void) -> Findings:
    """The check of a phase that asks nothing of a position beyond the game's invariants."""
    yield from ()


@dataclass(frozen=True)
class Phase:
    """One decision of the game.

    code    its number, as the state's `phase` field holds it
    legal   legal(s, mask) marks the legal actions in a cleared mask and returns how many there are
    do      do(s, choice) plays one; `choice` counts from the start of the kind, or is the whole action if there are several kinds
    kinds   the kinds of actions of the table that it may offer
    check   what must hold of a position in this phase: who is asked, what is pending and what is not
    """

    code: int
    legal: Any
    do: Any
    kinds: tuple[str, ...] | str
    check: Callable[[np.void], Findings] = nothing_more


class PhaseTable:
    """All phases of a game. `table.legal(s, mask)` and `table.do(s, action)` are kernels that go to the right one."""

    def __init__(self, names: Sequence[str], actions: ActionTable, *phases: Phase) -> None:
        """`names`: of all phases; the last one is the end, in which nothing is decided."""
        self.names, self.actions = tuple(names), actions
        self.phases = {phase.code: phase for phase in phases}
        self._check(phases)
        self.kinds = {p.code: (p.kinds,) if isinstance(p.kinds, str) else tuple(p.kinds) for p in phases}
        self.legal = self._router("legal", "mask", "mask", "return 0")
        self.do = self._router("do", "action", "action - first_{code}")

    def _check(self, phases: Sequence[Phase]) -> None:
        codes = [phase.code for phase in phases]
        if sorted(codes) != list(range(len(self.names) - 1)):
            missing = [self.names[code] for code in range(len(self.names) - 1) if code not in codes]
            odd = [code for code in codes if codes.count(code) > 1 or not 0 <= code < len(self.names) - 1]
            raise ValueError(f"phases: one of each but the last is needed; missing {missing}, twice or unknown {sorted(set(odd))}")
        for phase in phases:
            kinds = (phase.kinds,) if isinstance(phase.kinds, str) else phase.kinds
            if unknown := [kind for kind in kinds if kind not in self.actions.starts]:
                known = ", ".join(self.actions.starts)
                raise ValueError(f"phase {self.names[phase.code]!r}: no kind of action {unknown[0]!r}, there are {known}")

    def of_kind(self, kind: str) -> str:
        """The phases in which a kind of action is offered, for the docs."""
        return ", ".join(self.names[code] for code in sorted(self.kinds) if kind in self.kinds[code])

    def offers(self, code: int) -> np.ndarray:
        """Which actions a phase may offer, as a row of truth values."""
        row = np.zeros(len(self.actions), bool)
        for kind in self.kinds[code]:
            row[self.actions.start(kind) :][: self.actions.size(kind)] = True
        return row

    def _first(self, code: int) -> int:
        return self.actions.start(self.kinds[code][0]) if len(self.kinds[code]) == 1 else 0

    def _router(self, part: str, argument: str, passed: str, otherwise: str = "") -> Any:
        """A kernel with one branch per phase, in the order of the table: the most frequent first.

        Without an `otherwise` the last phase is what is left, so that the kernel returns what its phases return.
        """
        names: dict[str, Any] = {"__name__": __name__}
        lines = [f"def {part}(s, {argument}):"]
        for code, phase in self.phases.items():
            names[f"{part}_{code}"], names[f"first_{code}"] = getattr(phase, part), self._first(code)
            lines += [f"    if s.phase == {code}:", f"        return {part}_{code}(s, {passed.format(code=code)})"]
        lines[-2:] = [*lines[-2:], f"    {otherwise}"] if otherwise else [lines[-1][4:]]
        exec(compile("\n".join([*lines, ""]), __file__, "exec"), names)  # this file: the cache finds its folder
        return kernel(names[part])
