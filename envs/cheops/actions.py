"""The 49 actions: index and notation."""

from __future__ import annotations

from ..core.declare.actions import ActionTable, Range
from .components import DOMINOES, PYRAMID_SIZE, QUARRY_SIZE

ACTIONS = ActionTable(
    Range("pyramid", [f"P{i}" for i in range(PYRAMID_SIZE)], "cross out a pyramid stone"),
    Range("left", ["AL"], "cross out the next stone of the arch's left column"),
    Range("right", ["AR"], "cross out the next stone of the arch's right column"),
    Range("keystone", ["AK"], "cross out the arch's keystone"),
    Range("mosaic", [f"M{x}-{y}" for x, y in DOMINOES], "cross out two neighbouring mosaic cells"),
    Range("stop", ["stop"], "end the turn: build no more, or nothing at all"),
    Range("joker", ["J"], "pay the colour owed with a joker"),
    Range("quarry", [f"Q{i}" for i in range(QUARRY_SIZE)], "pay the colour owed with a quarry stone"),
)

PYRAMID = ACTIONS.start("pyramid")
ARCH_LEFT = ACTIONS.start("left")
ARCH_RIGHT = ACTIONS.start("right")
KEYSTONE = ACTIONS.start("keystone")
MOSAIC = ACTIONS.start("mosaic")
STOP = ACTIONS.start("stop")
JOKER = ACTIONS.start("joker")
QUARRY = ACTIONS.start("quarry")

BUILDING = ("pyramid", "left", "right", "keystone", "mosaic")
BUILDS = tuple(name for kind in BUILDING for name in ACTIONS.names[ACTIONS.start(kind) :][: ACTIONS.size(kind)])
