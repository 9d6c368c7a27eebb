"""The 49 actions: index and notation."""

from __future__ import annotations

from ..core.actions import ActionTable, Range
from .components import DOMINOES, PYRAMID_SIZE, QUARRY_SIZE

ACTIONS = ActionTable(
    Range("pyramid", [f"P{i}" for i in range(PYRAMID_SIZE)], "cross out a pyramid stone", "build"),
    Range("left", ["AL"], "cross out the next stone of the arch's left column", "build"),
    Range("right", ["AR"], "cross out the next stone of the arch's right column", "build"),
    Range("keystone", ["AK"], "cross out the arch's keystone", "build"),
    Range("mosaic", [f"M{x}-{y}" for x, y in DOMINOES], "cross out two neighbouring mosaic cells", "build"),
    Range("stop", ["stop"], "end the turn: build no more, or nothing at all", "build"),
    Range("joker", ["J"], "pay the colour owed with a joker", "pay"),
    Range("quarry", [f"Q{i}" for i in range(QUARRY_SIZE)], "pay the colour owed with a quarry stone", "pay"),
)

ARCH_LEFT = ACTIONS.start("left")
ARCH_RIGHT = ACTIONS.start("right")
KEYSTONE = ACTIONS.start("keystone")
MOSAIC = ACTIONS.start("mosaic")
STOP = ACTIONS.start("stop")
JOKER = ACTIONS.start("joker")
QUARRY = ACTIONS.start("quarry")
NUM_BUILDS = STOP  # everything before `stop` builds
