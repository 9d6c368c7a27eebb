"""What only the page of this game shows: the prices of the Gods, the pairs of the Projects, the spaces of the pyramids."""

from __future__ import annotations

from .components import (
    EXTRA_FAME,
    EXTRA_WORKERS,
    GODS_TABLE,
    NEIGHBOURS,
    NUM_SPACES,
    PARTNER,
    PROJECTS,
    PYRAMIDS,
    STOREYS,
    SUPPORT,
)

__all__ = ["TABLES"]

POWERS = {"stack": "Ennead", "work": "in Work turns", "ongoing": "lasting", "rest": "in Rest turns", "none": "none"}


def _gods() -> str:
    lines = ["| number | God | price | Fame at the end | power |", "|---|---|---|---|---|"]
    lines += [f"| {k} | {name} | `{cost}` | {fame} | {POWERS[kind]} |" for k, (name, kind, cost, fame) in enumerate(GODS_TABLE)]
    return "\n".join(lines)


def _projects() -> str:
    lines = ["| number | Project | pairs that pay |", "|---|---|---|"]
    for k, (name, partner) in enumerate(zip(PROJECTS, PARTNER.tolist(), strict=True)):
        pairs = [f"{face}-{other}" for face, other in enumerate(partner) if 0 < face <= other]
        lines.append(f"| {k} | {name} | {', '.join(pairs)} |")
    return "\n".join(lines)


def _spaces() -> str:
    """A line per space: upper spaces rest on four, neighbours share a side."""
    storeys = [(pyramid, level, least) for pyramid, level, side, least in STOREYS for _ in range(side * side)]
    head = "| space | pyramid, level | in play with | Workers more | Fame more | rests on | neighbours |"
    lines = [head, "|---" * 7 + "|"]
    for space, (pyramid, level, least) in enumerate(storeys):
        below = ", ".join(str(i) for i in range(NUM_SPACES) if int(SUPPORT[space]) >> i & 1) or "-"
        beside = ", ".join(str(i) for i in NEIGHBOURS[space].tolist() if i >= 0) or "-"
        players = f"{least} or more players" if least > 1 else "all"
        more = f"{EXTRA_WORKERS[space]} | {EXTRA_FAME[space]}"
        lines.append(f"| {space} | {PYRAMIDS[pyramid].capitalize()} {level} | {players} | {more} | {below} | {beside} |")
    return "\n".join(lines)


TABLES = {"gods": _gods(), "projects": _projects(), "spaces": _spaces()}
