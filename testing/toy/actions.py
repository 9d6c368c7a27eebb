"""The actions of Stairs: index and notation."""

from mastaba.making import ActionTable, Range

from .state import HAND

ACTIONS = ActionTable(
    Range("lay", [f"lay {i + 1}" for i in range(HAND)], "lay a stone of the hand on top of the own stairs"),
    Range("pass", ["pass"], "lay nothing"),
)
PASS = ACTIONS.start("pass")
