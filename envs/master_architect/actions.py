"""The 80 actions: index and notation."""

from __future__ import annotations

from ..core.declare.actions import ActionTable, Range
from .components import DISPLAY, LARGE_SPACES, ROW, SMALL_SPACES

ACTIONS = ActionTable(
    Range("take", ["take first", *(f"take {k}" for k in range(2, ROW + 1))],
          "take a large stone: the first one with all small stones, another one for the small stone in hand"),
    Range("large", [f"large {at}{turned}" for at in LARGE_SPACES for turned in ("", " r")],
          "place the large stone, `r`: turned by 180 degrees"),
    Range("card", [f"card {k}" for k in range(1, DISPLAY + 1)], "take a card of the display"),
    Range("small", [f"small {at}" for at in SMALL_SPACES], "place the current small stone"),
    Range("collect", ["small coll"], "lay the current small stone into the Collection"),
    Range("swap", [f"swap {at}" for at in LARGE_SPACES], "choose a large stone to exchange (Stonemason)"),
    Range("lift", [f"lift {at}" for at in SMALL_SPACES], "lift a small stone (Surveyor)"),
    Range("done", ["done"], "exchange nothing, or lift nothing more"),
)  # fmt: skip

TAKE = ACTIONS.start("take")
LARGE = ACTIONS.start("large")
CARD = ACTIONS.start("card")
SMALL = ACTIONS.start("small")
COLLECT = ACTIONS.start("collect")
SWAP = ACTIONS.start("swap")
LIFT = ACTIONS.start("lift")
DONE = ACTIONS.start("done")
