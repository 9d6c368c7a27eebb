"""The 41 actions: index and notation."""

from __future__ import annotations

from ..core.declare.actions import ActionTable, Range
from .components import LOCATIONS, NUM_LOCATIONS, TILES

ACTIONS = ActionTable(
    Range("god", [f"god {tile}" for tile in TILES], "choose a God tile"),
    Range("take", [f"take {pair}" for pair in "ABCDE"], "take a pair from the quarry"),
    Range("pyr", [f"pyr {h}@{at}" for h in (1, 2, 3) for at in LOCATIONS], "build a hand card into the Pyramid"),
    Range("obe", ["obe 1", "obe 2"], "build a hand card onto the Obelisk"),
    Range("tomb", ["tomb 1", "tomb 2"], "lay a hand card into the Tomb"),
    Range("pass", ["pass"], "build nothing there"),
    Range("drop", ["drop 1", "drop 2"], "discard a hand card"),
)
NUM_ACTIONS = len(ACTIONS)

GOD = ACTIONS.start("god")
TAKE = ACTIONS.start("take")
PYR = ACTIONS.start("pyr")
OBE = ACTIONS.start("obe")
LAY = ACTIONS.start("tomb")
PASS = ACTIONS.start("pass")
DROP = ACTIONS.start("drop")
assert PYR + 3 * NUM_LOCATIONS == OBE
