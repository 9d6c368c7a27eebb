"""The table as text: a person can play from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .components import (
    CARDS,
    CELL_COLOUR,
    COLUMN_IS_TALL,
    LEFT_BOTTOM,
    LEFT_TOP,
    LETTERS,
    LOCATIONS,
    NUM_SLOTS,
    OPEN_LOCATIONS,
    RIGHT_BOTTOM,
    RIGHT_TOP,
    TILES,
)
from .state import (
    CANDIDATE,
    END,
    INITIAL_CANDIDATE,
    INITIAL_IN_HAND,
    INITIAL_IN_TOMB,
    KNOWN_IN_HAND,
    KNOWN_IN_TOMB,
    NOTHING,
    PARTS,
    PHASES,
)

if TYPE_CHECKING:
    from ..core.game import State

STAGES = ((9,), (7, 8), (4, 5, 6), (0, 1, 2, 3))  # from the top
PICTURE_WIDTH = 24


def draw(state: State, player: int | None) -> str:
    s = state.record[0]
    lines = [_headline(s), _quarry(s)]
    for p in range(s["num_players"]):
        lines += ["", *_seat(s, p, everything=player is None or player == p or bool(s["over"]))]
    return "\n".join(lines)


def _headline(s: np.void) -> str:
    phase = PHASES[s["phase"]]
    if s["phase"] == END:
        return f"Game over after round {s['round']}"
    doing = f" ({TILES[s['tile']]})" if s["tile"] != NOTHING else ""
    tiles = " ".join(_tile(s, t) for t in range(len(TILES) if s["num_players"] >= 4 else len(TILES) - 1))
    return (
        f"Round {s['round']}/10   {phase}: seat {s['current_player']}{doing}   first {s['first_player']}"
        f"   tiles: {tiles}   deck {len(s['deck']) - s['deck_position']}"
    )


def _tile(s: np.void, tile: int) -> str:
    if tile == s["removed_tile"]:
        return f"({TILES[tile]} out)"
    owner = s["tile_owner"][tile]
    return TILES[tile] if owner == NOTHING else f"{TILES[tile]}>{owner}"


def _quarry(s: np.void) -> str:
    pairs = []
    for i, letter in enumerate("ABCDE"[: s["num_players"]]):
        cards = s["quarry"][i]
        pairs.append(f"{letter} " + ("-taken-" if cards[0] == NOTHING else _cards(cards)))
    return "quarry  " + "   ".join(pairs)


def _cards(cards: np.ndarray) -> str:
    return "  ".join(CARDS[c] for c in cards if c != NOTHING)


def _seat(s: np.void, p: int, everything: bool) -> list[str]:
    notes = [
        f"obelisk ({s['obelisk_size'][p]}): {_cards(s['obelisk'][p])}",
        *(_own_cards(s, p) if everything else _known_cards(s, p)),
        "groups: " + " ".join(f"{c}{m}" for c, m in zip(LETTERS, s["largest_group"][p], strict=True)),
        "open: " + " ".join(n for i, n in enumerate(LOCATIONS) if OPEN_LOCATIONS[s["filled_slots"][p]] >> i & 1),
    ]
    if s["over"]:
        notes[-1] = "score: " + "  ".join(f"{part} {v}" for part, v in zip(PARTS, s["score"][p], strict=True))
    picture = _pyramid(s["pyramid"][p])
    notes += [""] * (len(picture) - len(notes))
    rows = [f"  {drawn:<{PICTURE_WIDTH}}{note}".rstrip() for drawn, note in zip(picture, notes, strict=True)]
    return [f"seat {p}{' *' if p == s['current_player'] else ''}", *rows]


def _own_cards(s: np.void, p: int) -> list[str]:
    hand = "   ".join(f"{i + 1} {CARDS[c]}" for i, c in enumerate(s["hand"][p]) if c != NOTHING)
    return [f"tomb ({s['tomb_size'][p]}): {_cards(s['tomb'][p])}", f"hand ({s['hand_size'][p]}): {hand}"]


def _known_cards(s: np.void, p: int) -> list[str]:
    """What everybody knows (R24): cards that are surely there, and candidates, of which one is in hand and the rest in the Tomb."""
    status = int(s["initial_status"][p])
    hand, candidates, tomb = (
        [*(CARDS[c] for c in np.flatnonzero(s["public_place"] == place + p)), *["the initial card"] * (status == initial)]
        for place, initial in ((KNOWN_IN_HAND, INITIAL_IN_HAND), (CANDIDATE, INITIAL_CANDIDATE), (KNOWN_IN_TOMB, INITIAL_IN_TOMB))
    )
    lines = [f"tomb ({s['tomb_size'][p]}): {'  '.join(tomb)}", f"hand ({s['hand_size'][p]}): {'  '.join(hand)}"]
    if candidates:
        lines.append(f"one in hand, the rest in the tomb: {'  '.join(candidates)}")
    return lines


def _pyramid(slots: np.ndarray) -> list[str]:
    """Two lines per stage: a letter per stone, `|` for the lower half of a tall one, dots for empty slots."""
    lines = []
    for stage, row in enumerate(STAGES):
        indent = "  " * (len(STAGES) - 1 - stage)
        lines.append(indent + " ".join(_half(slots[i], (LEFT_TOP, RIGHT_TOP)) for i in row))
        lines.append(indent + " ".join(_half(slots[i], (LEFT_BOTTOM, RIGHT_BOTTOM)) for i in row))
    return lines


def _half(card: int, cells: tuple[int, int]) -> str:
    if card == NOTHING:
        return ". ."
    return " ".join(
        "|" if cell % 2 == 1 and COLUMN_IS_TALL[card, cell // 2] else LETTERS[CELL_COLOUR[card, cell]] for cell in cells
    )


assert sum(map(len, STAGES)) == NUM_SLOTS
