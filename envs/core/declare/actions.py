"""The action table of a game: one list of ranges that gives the indices, the notation both ways and the table of the docs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["ActionTable", "Range"]


@dataclass(frozen=True)
class Range:
    """A run of actions of one kind: `kind` is what the code calls it, `names` its notations in order."""

    kind: str
    names: Sequence[str]
    doc: str


class ActionTable:
    """Ranges laid end to end. `table.start("god")` is the first index of a kind, `table.names[i]` the notation of action i."""

    def __init__(self, *ranges: Range) -> None:
        self.ranges = ranges
        self.names: tuple[str, ...] = tuple(name for r in ranges for name in r.names)
        self.index = {name: i for i, name in enumerate(self.names)}
        if len(self.index) < len(self.names):
            raise ValueError("two actions share a notation")
        self.starts: dict[str, int] = {}
        start = 0
        for r in ranges:
            if r.kind in self.starts:
                raise ValueError(f"two ranges of actions are of the kind {r.kind!r}")
            self.starts[r.kind] = start
            start += len(r.names)
        self.sizes = {r.kind: len(r.names) for r in ranges}

    def __len__(self) -> int:
        return len(self.names)

    def start(self, kind: str) -> int:
        """The first index of a kind."""
        return self.starts[kind]

    def size(self, kind: str) -> int:
        """How many actions a kind has."""
        return self.sizes[kind]

    def kind_of(self, action: int) -> str:
        """The kind of range that action index falls in."""
        return max((start, kind) for kind, start in self.starts.items() if start <= action)[1]

    def parse(self, text: str) -> int:
        """The index of a notation; spaces and case are forgiven."""
        wanted = " ".join(text.split())
        if wanted in self.index:
            return self.index[wanted]
        folded = [i for name, i in self.index.items() if name.casefold() == wanted.casefold()]
        if len(folded) == 1:
            return folded[0]
        raise ValueError(f"no action is written {text!r}; examples are {', '.join(r.names[0] for r in self.ranges)}")

    def find(self, text: str) -> int:
        """The one notation that stands in a longer text, whole words only; of notations inside each other the longest counts."""
        words = " ".join(text.split()).casefold()
        found: dict[int, tuple[int, int]] = {}
        for name, action in sorted(self.index.items(), key=lambda item: -len(item[0])):
            for match in re.finditer(rf"(?<![\w@.>-]){re.escape(name.casefold())}(?![\w@>-]|\.\w)", words):
                if not any(start <= match.start() and match.end() <= end for start, end in found.values()):
                    found[action] = match.span()
        if len(found) == 1:
            return next(iter(found))
        if not found:
            raise ValueError(f"no action is written in {text[:200]!r}; examples are {', '.join(r.names[0] for r in self.ranges)}")
        raise ValueError(f"more than one action is written in {text[:200]!r}: {', '.join(self.names[a] for a in sorted(found))}")

    def markdown(self, phase_of: Callable[[str], str] | None = None) -> str:
        """The action table of a game's page. `phase_of`: the phases that offer a kind, `PhaseTable.of_kind`."""
        lines = ["| index | notation | phase | meaning |", "|---|---|---|---|"]
        for r in self.ranges:
            start, n = self.starts[r.kind], len(r.names)
            index = f"{start}" if n == 1 else f"{start}-{start + n - 1}"
            shown = r.names if n <= 6 else (*r.names[:3], "...", r.names[-1])
            notation = ", ".join("..." if name == "..." else f"`{name}`" for name in shown)
            phase = phase_of(r.kind) if phase_of else ""
            lines.append(f"| {index} | {notation} | {phase} | {r.doc} |".replace("`|`", "`\\|`"))
        return "\n".join(lines)
