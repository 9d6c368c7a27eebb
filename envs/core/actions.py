"""The action table of a game: one list of ranges that gives the indices, the notation both ways and the table of the docs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["ActionTable", "Range"]


@dataclass(frozen=True)
class Range:
    """A run of actions of one kind: `kind` is what the code calls it, `names` its notations in order."""

    kind: str
    names: Sequence[str]
    doc: str
    phase: str = ""


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
            self.starts[r.kind] = start
            start += len(r.names)

    def __len__(self) -> int:
        return len(self.names)

    def start(self, kind: str) -> int:
        return self.starts[kind]

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

    def markdown(self) -> str:
        """The action table of a game's page."""
        lines = ["| index | notation | phase | meaning |", "|---|---|---|---|"]
        for r in self.ranges:
            start, n = self.starts[r.kind], len(r.names)
            index = f"{start}" if n == 1 else f"{start}-{start + n - 1}"
            shown = r.names if n <= 6 else (*r.names[:3], "...", r.names[-1])
            notation = ", ".join("..." if name == "..." else f"`{name}`" for name in shown)
            lines.append(f"| {index} | {notation} | {r.phase} | {r.doc} |".replace("`|`", "`\\|`"))
        return "\n".join(lines)
