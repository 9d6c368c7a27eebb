"""The 194 actions: index and notation."""

from __future__ import annotations

import numpy as np

from ..core.declare.actions import ActionTable, Range
from .components import (
    FACES,
    GODS,
    KINDS,
    NUM_ENNEAD,
    NUM_SLOTS,
    NUM_SPACES,
    PRAYER,
    RESOURCES,
    ROW,
    SCARABS,
    STONE_DIE,
    TILES,
    TRIAD,
    USABLE_GODS,
)

MOST_STONE_DICE = 9  # Turquoise and eight Workers
VALUES = range(1, FACES + 1)
CATS = [
    (kind, value, change)
    for kind in (PRAYER, STONE_DIE)
    for change, values in ((1, VALUES[:-1]), (-1, VALUES[1:]))
    for value in values
]

ACTIONS = ActionTable(
    Range("keep", [f"keep {x}" for x in SCARABS], "keep one of the two Scarabs drawn"),
    Range("work", ["work"], "take a Work turn"),
    Range("rest", [f"rest {tile}" for tile in TILES], "take a Rest tile (or, with Emerald, use another's)"),
    Range("hapy", ["hapy"], "Hapy instead of a tile"),
    Range("bes", ["bes"], "Bes: 1 Fame, then rest"),
    Range("gain", [f"gain {x}" for x in RESOURCES], "choose a resource"),
    Range("lose", [f"lose {x}" for x in RESOURCES], "discard a resource"),
    Range("free", [f"free {i}" for i in range(ROW)], "take a face-up God without paying"),
    Range("dice", [f"dice S{k}" for k in range(MOST_STONE_DICE + 1)], "number of Stone dice among those rolled"),
    Range("reroll", ["reroll"], "begin the reroll of the turn"),
    Range("roll", ["roll"], "roll the selected dice"),
    Range("die", [f"die {k}{v}" for k in KINDS for v in VALUES], "select or pay a die"),
    Range("cat", [f"cat {KINDS[k]}{v}{'+' if c > 0 else '-'}" for k, v, c in CATS], "pay a Cat to change a die by 1"),
    Range("build", [f"build {v}" for v in VALUES], "build a Stone die of this value"),
    Range("at", [f"at {i}" for i in range(NUM_SPACES)], "the space to build on"),
    Range("worship", [f"worship {i}" for i in range(ROW)], "buy a face-up God"),
    Range("replace", [f"replace {i}" for i in range(ROW)], "pay a die, replace a face-up God"),
    Range("copy", [f"copy {i}" for i in range(ROW)], "Amethyst: pay a die, borrow the power of a face-up God"),
    Range("fame", ["fame"], "pay two dice for Fame"),
    Range("use", [f"use {g}" for g in USABLE_GODS], "use the power of a God"),
    Range("virtual", [f"use {TRIAD[(v - 1) // 2]}={v}" for v in VALUES], "Triad: a virtual die of this value"),
    Range("to", [f"to {v}" for v in VALUES], "the new value of the die"),
    Range("pay", ["pay W", "pay C", "pay G"], "what to pay a unit with (G: the Golden Cat)"),
    Range("cost", ["cost usual", "cost seshat"], "which building cost to pay"),
    Range("drop", ["drop Ennead", *(f"drop {g}" for g in GODS[NUM_ENNEAD:])], "discard a God of your own"),
    Range("pearl", ["pearl yes", "pearl no"], "pay two Workers to share the builder's Fame"),
    Range("slot", [f"slot {i + 1}" for i in range(NUM_SLOTS)], "solo: where a returned Rest tile goes"),
    Range("end", ["end"], "end the use of dice"),
)
NUM_ACTIONS = len(ACTIONS)

KEEP, WORK, REST = ACTIONS.start("keep"), ACTIONS.start("work"), ACTIONS.start("rest")
HAPY_INSTEAD, BES_FIRST = ACTIONS.start("hapy"), ACTIONS.start("bes")
GAIN, LOSE, FREE = ACTIONS.start("gain"), ACTIONS.start("lose"), ACTIONS.start("free")
DICE, REROLL, ROLL, DIE = ACTIONS.start("dice"), ACTIONS.start("reroll"), ACTIONS.start("roll"), ACTIONS.start("die")
CAT_CHANGE, BUILD, AT = ACTIONS.start("cat"), ACTIONS.start("build"), ACTIONS.start("at")
WORSHIP, REPLACE, COPY = ACTIONS.start("worship"), ACTIONS.start("replace"), ACTIONS.start("copy")
GAIN_FAME, USE_GOD, VIRTUAL_DIE, TO = (ACTIONS.start(k) for k in ("fame", "use", "virtual", "to"))
PAY, COST, DROP = ACTIONS.start("pay"), ACTIONS.start("cost"), ACTIONS.start("drop")
PEARL_YES, SLOT, END_DICE = ACTIONS.start("pearl"), ACTIONS.start("slot"), ACTIONS.start("end")
PEARL_NO = PEARL_YES + 1
PAY_GOLD = PAY + 2
COST_USUAL, COST_SESHAT = COST, COST + 1
NUM_CAT_CHANGES = len(CATS)

CAT_KIND, CAT_VALUE, CAT_STEP = (np.array(column) for column in zip(*CATS, strict=True))
