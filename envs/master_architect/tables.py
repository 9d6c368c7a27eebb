"""What only the page of this game shows: its large stones."""

from __future__ import annotations

from .components import COLOURS, FACES, LARGE_COLOUR, LARGE_STONES, NOTHING, OPENINGS, PORTS, SARCOPHAGI, SYMBOL, SYMBOLS

__all__ = ["TABLES"]


def _large_stones() -> str:
    """A line per number, a column per colour."""
    lines = [f"| number | {' | '.join(COLOURS)} |", "|---" * (1 + len(COLOURS)) + "|"]
    for number in range(1, len(FACES) + 1):
        of_colour = dict.fromkeys(range(len(COLOURS)), "")
        for stone, name in enumerate(LARGE_STONES):
            if int(name[1:]) == number:
                of_colour[int(LARGE_COLOUR[stone])] = _face(stone)
        lines.append(f"| {number:02} | {' | '.join(of_colour.values())} |")
    return "\n".join(lines)


def _face(stone: int) -> str:
    openings = [port for k, port in enumerate(PORTS) if OPENINGS[stone, 0] >> k & 1]
    shown = ["closed" if not openings else " ".join(openings)]
    if SARCOPHAGI[stone]:
        shown.append(f"{SARCOPHAGI[stone]} sarcophagi" if SARCOPHAGI[stone] > 1 else "1 sarcophagus")
    if SYMBOL[stone] != NOTHING:
        shown.append(SYMBOLS[SYMBOL[stone]])
    return ", ".join(shown)


TABLES = {"stones": _large_stones()}
