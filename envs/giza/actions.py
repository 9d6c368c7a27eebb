"""The 197 actions: index and notation, and the moves between zones as rows of the mask."""

from __future__ import annotations

import numpy as np

from ..core.declare.actions import ActionTable, Range
from .components import (
    ART_TOKENS,
    CAMPS,
    LIFTER_MOVES,
    LOCATIONS,
    MAX_FOOD_BID,
    MAX_WORKERS,
    MOVES,
    NUM_CAMPS,
    NUM_QUARRIES,
    QUARRIES,
    QUARRY_MOVES,
    ROWS,
    SITES,
    SPACES,
    SUPPORT_MOVES,
    ZONES,
)


def _moves(pairs: tuple[tuple[int, int], ...]) -> list[str]:
    return [f"{ZONES[a]}>{ZONES[b]}" for a, b in pairs]


ACTIONS = ActionTable(
    Range("put", [f"put {zone}" for zone in (*CAMPS, *QUARRIES)], "place a worker; in a quarry only before round 1"),
    Range("row", [f"row {row}" for row in ROWS], "choose a row of the Turn Order Track"),
    Range("pass", ["pass"], "end the actions, skip the bonus"),
    Range("farm", ["farm"], "farm for food"),
    Range("fish", ["fish"], "fish for food"),
    Range("art", [f"art {k}" for k in range(1, MAX_WORKERS + 1)], "turn food into art"),
    Range("support", _moves(SUPPORT_MOVES), "support move of a worker"),
    Range("quarry", _moves(QUARRY_MOVES), "quarry move of a worker"),
    Range("lifter", _moves(LIFTER_MOVES), "lifter move of a worker"),
    Range("adv", [f"adv {q}.{s}" for q in QUARRIES for s in range(SPACES)], "a worker walks on along its track"),
    Range("push", [f"push {q}" for q in QUARRIES], "nominate the stone of a sled"),
    Range("lift", ["lift mid", "lift cap1", "lift cap2"], "nominate a stone in a lift camp"),
    Range("food", [f"food {b}" for b in range(MAX_FOOD_BID + 1)], "bid food"),
    Range("build", [f"build {at}" for at in LOCATIONS], "where the stone goes"),
    Range("load", ["load mid", "load cap"], "the next stone of the returned sled"),
    Range("deco", [f"deco {k}" for k in range(ART_TOKENS + 1)], "bid art in secret"),
)
NUM_ACTIONS = len(ACTIONS)

PUT = ACTIONS.start("put")
PUT_QUARRY = PUT + NUM_CAMPS
CHOOSE_ROW = ACTIONS.start("row")
PASS = ACTIONS.start("pass")
DO_FARM = ACTIONS.start("farm")
DO_FISH = ACTIONS.start("fish")
MAKE_ART = ACTIONS.start("art") - 1  # MAKE_ART + k makes k
MOVE = ACTIONS.start("support")
ADVANCE = ACTIONS.start("adv")
CHOOSE_STONE = ACTIONS.start("push")
BID_FOOD = ACTIONS.start("food")
BUILD_AT = ACTIONS.start("build")
LOAD = ACTIONS.start("load")
LOAD_MIDDLE, LOAD_CAPSTONE = range(ACTIONS.size("load"))
BID_ART = ACTIONS.start("deco")

# --- Moves as rows of the mask -----------------------------------------------------------------------------------------------
# A move is legal if it is of the right kind, starts where the player stands and ends where there is room. Each condition picks a
# row of a table that covers the 64-bit words of the mask in which moves lie; the legal moves are the rows' intersection.

FIRST_MOVE_WORD = MOVE // 8
MOVE_WORDS = -(-ADVANCE // 8) - FIRST_MOVE_WORD

BY_ACTION, BY_SUPPORT_BONUS, BY_QUARRY_BONUS, BY_LIFTER_BONUS = range(4)
_KINDS = np.repeat(["support", "quarry", "lifter"], [len(SUPPORT_MOVES), len(QUARRY_MOVES), len(LIFTER_MOVES)])


def _rows(conditions: list[np.ndarray]) -> np.ndarray:
    """Each condition, one truth value per move, as words of the mask."""
    table = np.zeros((len(conditions), 8 * MOVE_WORDS), np.uint8)
    start = MOVE - 8 * FIRST_MOVE_WORD
    table[:, start : start + len(MOVES)] = conditions
    return table.view(np.uint64)


def _members(bits: int, zones: tuple[int, ...]) -> list[int]:
    return [zone for i, zone in enumerate(zones) if bits >> i & 1]


MOVES_OF = _rows([_KINDS != "lifter", _KINDS == "support", _KINDS == "quarry", _KINDS == "lifter"])
# By the set of camps (five bits) and quarry sites (four bits) in which the player stands.
_STARTS = (*range(NUM_CAMPS), *SITES)
MOVES_FROM = _rows([np.isin(MOVES[:, 0], _members(here, _STARTS)) for here in range(1 << len(_STARTS))])
# By the set of closed quarry sites.
MOVES_INTO_OPEN = _rows([~np.isin(MOVES[:, 1], _members(closed, SITES)) for closed in range(1 << NUM_QUARRIES)])
