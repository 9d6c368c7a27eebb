"""What only the page of this game shows: its cards."""

from __future__ import annotations

from .components import CARDS, NUM_COLOURS

__all__ = ["TABLES"]


def _cards() -> str:
    """Every card by its number; `|` would end a cell."""
    rows = [CARDS[first : first + NUM_COLOURS] for first in range(0, len(CARDS), NUM_COLOURS)]
    names = [[f"`{card}`".replace("|", "\\|") for card in row] for row in rows]
    head = "| cards | " + " | ".join(f"+{k}" for k in range(NUM_COLOURS)) + " |\n" + "|---" * (NUM_COLOURS + 1) + "|\n"
    return head + "\n".join(f"| {k * NUM_COLOURS} | {' | '.join(row)} |" for k, row in enumerate(names))


TABLES = {"cards": _cards()}
