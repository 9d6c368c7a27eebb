"""The record of a game of Cheops: its fields and its phases. Everything is public."""

from __future__ import annotations

from typing import Any

from ..core.declare.schema import Field, Schema, bits, choice, count, flag, seat
from .actions import BUILDS
from .components import (
    BONUSES,
    CATEGORIES,
    COLOURS,
    COLUMN,
    DICE_OF_TWO,
    MAX_DICE,
    MAX_DOMINOES,
    MAX_ROUNDS,
    MOSAIC_SIZE,
    MOST_POINTS,
    NUM_COLOURS,
    NUM_GROUPS,
    PYRAMID_SIZE,
    QUARRY_SIZE,
    SEATS,
    SHEETS,
    STONES_A_TURN,
)

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


# What has a colour, a mark or a height is not observed as it is: observation.py has better ways to tell it.
FIELDS = (
    choice("sheets", "how the sheets are given out (an option)", SHEET_OPTIONS, observe=False),
    count("num_dice", "dice of this table", low=DICE_OF_TWO, high=MAX_DICE, short="n_dice", observe=False),
    count("round", "rounds played", high=MAX_ROUNDS - 1),
    seat("active_player", "who rolled the dice of this round", dtype="i1", short="active"),
    count("turn", "turns played in this round", high=SEATS - 1),
    count("built", "stones crossed out in this turn", high=STONES_A_TURN),
    _colours("roll", "colour of each die of this round", MAX_DICE),
    _dice("pool", "dice in the middle when this turn began"),
    _dice("dice", "dice in the middle now", short="avail"),
    choice("pending", "what is being paid for", BUILDS, dtype="i1", empty=NOTHING, short="pend"),
    _colours("owed", "colours still to be paid", STONES_A_TURN, short="need"),
    count("mark_before", "quarry mark before the payment", high=QUARRY_SIZE - 1, empty=NOTHING, short="qbase", observe=False),
    count("bonus_round", f"round in which each was first earned: {', '.join(BONUSES[:NUM_GROUPS])}", high=MAX_ROUNDS - 1,
          shape=(NUM_GROUPS,), empty=NOTHING, observe=False),
    choice("sheet", "the builder's sheet", tuple(SHEETS), per_seat=True, dtype="i1", empty=NOTHING, observe="own"),
    _places("pyramid", "crossed stones, from the ground and from the left", PYRAMID_SIZE, short="pyr"),
    count("left", "height of the arch's left column", high=COLUMN, per_seat=True, short="arch_l", observe=False),
    count("right", "height of the arch's right column", high=COLUMN, per_seat=True, short="arch_r", observe=False),
    flag("keystone", "the arch is complete", per_seat=True, short="key"),
    _places("mosaic", "crossed cells, row by row from the top", MOSAIC_SIZE, short="mos"),
    count("mark", "the rightmost crossed quarry stone; what lies left of it is lost", high=QUARRY_SIZE - 1, per_seat=True,
          empty=NOTHING, short="q_mark", observe=False),
    _places("quarry", "crossed quarry stones, without the skipped ones", QUARRY_SIZE, short="q_crossed", observe=False),
    count("jokers", "jokers left", high=SEATS, per_seat=True),
    bits("bonuses", "bonuses earned", BONUSES, per_seat=True, short="bonus"),
    bits("open_bonuses", "bonuses that nobody has", BONUSES[:NUM_GROUPS], derived=True),
    bits("fresh_bonuses", "bonuses first earned in this round, so that others still can", BONUSES[:NUM_GROUPS], derived=True),
    count("dominoes_left", "dominoes that still fit into the mosaic", MAX_DOMINOES, per_seat=True, derived=True),
    count("score_sheet", f"points so far: {', '.join(CATEGORIES)}", max(MOST_POINTS), shape=(len(CATEGORIES),), per_seat=True,
          derived=True),
    count("points", "score so far, the sum of the score sheet", sum(MOST_POINTS), per_seat=True, derived=True),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, short={"num_players": "n_players", "current_player": "cur"})
