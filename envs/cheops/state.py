"""The record of a game of Cheops: its fields and its phases. Everything is public."""

from __future__ import annotations

from typing import Any

from ..core.schema import Field, Schema, bits, choice, count, flag, seat
from .actions import ACTIONS, NUM_BUILDS
from .components import (
    BONUSES,
    COLOURS,
    COLUMN,
    MAX_DICE,
    MAX_DOMINOES,
    MAX_MOSAIC,
    MAX_PYRAMID,
    MAX_ROUNDS,
    MAX_SCORE,
    MOSAIC_SIZE,
    NUM_COLOURS,
    NUM_GROUPS,
    PYRAMID_SIZE,
    QUARRY_SIZE,
    SHEETS,
)

SEATS = 5
NOTHING = -1

PHASES = ("build", "pay", "over")
BUILD, PAY, OVER = range(len(PHASES))

SHEET_OPTIONS = ("random", "in order")
RANDOM_SHEETS = 0


def _colours(name: str, doc: str, size: int, **more: Any) -> Field:
    return choice(name, doc, COLOURS, (size,), dtype="i1", empty=NOTHING, observe=False, **more)


def _dice(name: str, doc: str, **more: Any) -> Field:
    return count(name, f"{doc}: {', '.join(COLOURS)}", MAX_DICE, shape=(NUM_COLOURS,), observe=False, **more)


def _places(name: str, doc: str, size: int, **more: Any) -> Field:
    return bits(name, doc, [f"{name[0]}{i}" for i in range(size)], per_seat=True, **more)


def _worked_out(name: str, doc: str, high: int):
    return count(name, doc, high, per_seat=True, derived=True)


# What has a colour is not observed as it is: observation.py tells colours as the observer's own sheet shows them.
FIELDS = (
    choice("sheets", "how the sheets are given out (an option)", SHEET_OPTIONS, observe=False),
    count("num_dice", "dice of this table", low=3, high=MAX_DICE, spec="n_dice", observe=False),
    count("round", "rounds played", high=MAX_ROUNDS - 1),
    seat("active_player", "who rolled the dice of this round", dtype="i1", spec="active"),
    count("turn", "turns played in this round", high=SEATS - 1),
    count("built", "stones crossed out in this turn", high=2),
    _colours("roll", "colour of each die of this round", MAX_DICE),
    _dice("pool", "dice in the middle when this turn began"),
    _dice("dice", "dice in the middle now", spec="avail"),
    choice("pending", "what is being paid for", ACTIONS.names[:NUM_BUILDS], dtype="i1", empty=NOTHING, spec="pend"),
    _colours("owed", "colours still to be paid", 2, spec="need"),
    count("mark_before", "quarry mark before the payment", high=QUARRY_SIZE - 1, empty=NOTHING, spec="qbase"),
    count("bonus_round", f"round in which each was first earned: {', '.join(BONUSES[:NUM_GROUPS])}", high=MAX_ROUNDS - 1,
          shape=(NUM_GROUPS,), empty=NOTHING, observe=False),
    choice("sheet", "the builder's sheet", tuple(SHEETS), per_seat=True, dtype="i1", empty=NOTHING, observe=False),
    _places("pyramid", "crossed stones, from the ground and from the left", PYRAMID_SIZE, spec="pyr"),
    count("left", "height of the arch's left column", high=COLUMN, per_seat=True, spec="arch_l", observe=False),
    count("right", "height of the arch's right column", high=COLUMN, per_seat=True, spec="arch_r", observe=False),
    flag("keystone", "the arch is complete", per_seat=True, spec="key", observe=False),
    _places("mosaic", "crossed cells, row by row from the top", MOSAIC_SIZE, spec="mos"),
    count("mark", "the rightmost crossed quarry stone; what lies left of it is lost", high=QUARRY_SIZE - 1, per_seat=True,
          empty=NOTHING, spec="q_mark", observe=False),
    _places("quarry", "crossed quarry stones, without the skipped ones", QUARRY_SIZE, spec="q_crossed", observe=False),
    count("jokers", "jokers left", high=SEATS, per_seat=True),
    bits("bonuses", "bonuses earned", BONUSES, per_seat=True, spec="bonus"),
    bits("open_bonuses", "bonuses that nobody has", BONUSES[:NUM_GROUPS], derived=True),
    bits("fresh_bonuses", "bonuses first earned in this round, so that others still can", BONUSES[:NUM_GROUPS], derived=True),
    _worked_out("points_of_pyramid", "points of the pyramid", MAX_PYRAMID),
    _worked_out("points_of_mosaic", "points of the mosaic", MAX_MOSAIC),
    _worked_out("dominoes_left", "dominoes that still fit into the mosaic", MAX_DOMINOES),
    _worked_out("points", "score if the game ended now", MAX_SCORE),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, spec={"num_players": "n_players", "current_player": "cur"})
