"""The table as text: a person can play from it. `[X]` is crossed out, lower case open, `-x-` a skipped quarry stone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .actions import ACTIONS
from .components import (
    ARCH_COLOUR,
    ARCH_POINTS,
    BE,
    BONUSES,
    COLUMN,
    KEYSTONE_POINTS,
    LETTERS,
    LEVEL_START,
    MOSAIC_COLOUR,
    PYRAMID_COLOUR,
    PYRAMID_POINTS,
    PYRAMID_SIZE,
    QUARRY_COLOUR,
    QUARRY_SIZE,
    ROW,
    SHEETS,
)
from .scoring import arch_points, bonus_points, joker_points, mosaic_points, pyramid_points, quarry_points, score_of
from .state import NOTHING, OVER, PAY

if TYPE_CHECKING:
    from ..core.game import State

LEVELS = (*LEVEL_START, PYRAMID_SIZE)
TOP = len(LEVEL_START) - 1
PYRAMID_WIDTH, ARCH_WIDTH = 15, 9
MOSAIC_TOP = 2  # the mosaic's first row is drawn beside this level
PARTS = (
    ("P", pyramid_points),
    ("A", arch_points),
    ("M", mosaic_points),
    ("B", bonus_points),
    ("Q", quarry_points),
    ("J", joker_points),
)


def draw(state: State, player: int | None) -> str:
    """Everything is public, so every player sees the same."""
    s = state.record[0]
    lines = [_headline(s)]
    for p in range(s["num_players"]):
        lines += _sheet(s, p)
    return "\n".join(lines)


def _headline(s: np.void) -> str:
    if s["phase"] == OVER:
        return f"game over after round {s['round']}"
    doing = f"stone {s['built'] + 1} of 2"
    if s["phase"] == PAY:
        owed = " ".join(LETTERS[colour] for colour in s["owed"] if colour != NOTHING)
        doing = f"pays {owed} for {ACTIONS.names[s['pending']]}"
    rolled = " ".join(LETTERS[colour] for colour in s["roll"] if colour != NOTHING)
    return (
        f"round {s['round']}  active seat {s['active_player']}  rolled {rolled}  in the middle: {_dice_left(s)}"
        f"  to act: seat {s['current_player']} ({doing})"
    )


def _dice_left(s: np.void) -> str:
    """In the order of the roll, as the dice lie on the table."""
    left = s["dice"].tolist()
    shown = []
    for colour in s["roll"]:
        if colour != NOTHING and left[colour] > 0:
            left[colour] -= 1
            shown.append(LETTERS[colour])
    return " ".join(shown) or "none"


def _sheet(s: np.void, p: int) -> list[str]:
    parts = " ".join(f"{letter}{points(s, p)}" for letter, points in PARTS)
    lines = [f"seat {p}  sheet {SHEETS[s['sheet'][p]]}  score {score_of(s, p)}  = {parts}"]
    for level in range(TOP, -1, -1):
        row = f" {PYRAMID_POINTS[level + 1]:>2} {_level(s, p, level)}  | {_arch(s, p, level)} | {_mosaic(s, p, level)}"
        lines.append(row.rstrip())
    quarry = " ".join(_quarry_stone(s, p, i) for i in range(QUARRY_SIZE))
    lines.append(f"quarry {quarry}  jokers {s['jokers'][p]}")
    lines.append("bonuses " + " ".join(_bonus(s, p, b) for b in range(len(BONUSES)) if b != BE or s["phase"] == OVER))
    return lines


def _stone(colour: int, crossed: bool) -> str:
    return f"[{LETTERS[colour]}]" if crossed else f" {LETTERS[colour].lower()} "


def _level(s: np.void, p: int, level: int) -> str:
    stones = range(LEVELS[level], LEVELS[level + 1])
    row = "".join(_stone(PYRAMID_COLOUR[s["sheet"][p], i], s["pyramid"][p] >> i & 1) for i in stones)
    indent = (3 * level + 1) // 2  # half a stone per level
    return f"{' ' * indent}{row}".ljust(PYRAMID_WIDTH)


def _arch(s: np.void, p: int, level: int) -> str:
    colour = ARCH_COLOUR[s["sheet"][p], level]
    if level == COLUMN:
        return f"{KEYSTONE_POINTS}   {_stone(colour, s['keystone'][p])}".ljust(ARCH_WIDTH)
    left, right = _stone(colour, s["left"][p] > level), _stone(colour, s["right"][p] > level)
    return f"{ARCH_POINTS[level + 1]} {left} {right}"


def _mosaic(s: np.void, p: int, level: int) -> str:
    if level > MOSAIC_TOP:
        return ""
    first = ROW * (MOSAIC_TOP - level)
    cells = range(first, first + ROW)
    return "".join(_stone(MOSAIC_COLOUR[s["sheet"][p], i], s["mosaic"][p] >> i & 1) for i in cells)


def _quarry_stone(s: np.void, p: int, i: int) -> str:
    colour = QUARRY_COLOUR[s["sheet"][p], i]
    if i < s["mark"][p] and not s["quarry"][p] >> i & 1:
        return f"-{LETTERS[colour].lower()}-"
    return _stone(colour, s["quarry"][p] >> i & 1)


def _bonus(s: np.void, p: int, b: int) -> str:
    """`*` held, `x` gone: earned by others in an earlier round."""
    if s["bonuses"][p] >> b & 1:
        return f"{BONUSES[b]}*"
    gone = b != BE and s["bonus_round"][b] not in (NOTHING, s["round"])
    return f"{BONUSES[b]}x" if gone else BONUSES[b]
