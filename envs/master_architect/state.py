"""The record of a game of Master Architect: its fields and its phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.schema import NOBODY, Field, Schema, bits, choice, count, flag
from .components import (
    CARDS,
    COLOURS,
    DISPLAY,
    LARGE_SPACES,
    LARGE_STONES,
    MAX_BURIAL,
    MAX_EXITS,
    MAX_WORKER_POINTS,
    NOTHING,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_HELD,
    NUM_KINDS,
    NUM_LARGE,
    NUM_LARGE_SPACES,
    NUM_LEVELS,
    NUM_PORTS,
    NUM_SMALL,
    NUM_SMALL_SPACES,
    NUM_TYPES,
    OFFERED_FEATURES,
    PORTS,
    ROW,
    SMALL_SPACES,
    SMALL_STONES,
    SURVEYOR_LIFTS,
    SYMBOLS,
    TURNS,
)

SEATS = 4

PHASES = ("take", "large", "card", "small", "swap first", "swap second", "lift", "over")
TAKE_STONE, PLACE_LARGE, TAKE_CARD, PLACE_SMALL, SWAP_FIRST, SWAP_SECOND, LIFT_SMALL, OVER = range(len(PHASES))

SAME_TYPE = 8  # at most so many small stones are of one type


def _large(name: str, doc: str, shape: tuple[int, ...] = (), **more: Any) -> Field:
    return choice(name, doc, LARGE_STONES, shape, dtype="i1", empty=NOTHING, table=OFFERED_FEATURES, **more)


def _small(name: str, doc: str, shape: tuple[int, ...] = (), **more: Any) -> Field:
    return choice(name, doc, SMALL_STONES, shape, dtype="i1", empty=NOTHING, per_seat=True, observe=False, **more)


def _card(name: str, doc: str, shape: tuple[int, ...], **more: Any) -> Field:
    return choice(name, doc, CARDS, shape, dtype="i1", empty=NOTHING, **more)


def _tally(name: str, doc: str, high: int, shape: tuple[int, ...] = (), **more: Any) -> Field:
    return count(name, doc, high, shape=shape, per_seat=True, derived=True, **more)


def _set(name: str, doc: str, names: Sequence[str]) -> Field:
    return bits(name, doc, names, per_seat=True, derived=True, observe=False)


def _board(name: str, doc: str, shape: tuple[int, ...] = ()) -> Field:
    return _tally(name, doc, 2**48 - 1, shape, dtype="i8", observe=False)


# What is not observed here and yet seen at the table is written by observation.py, faster than from a schema.
FIELDS = (
    count("turn", "finished turns of all players", high=TURNS * SEATS, observe=False),
    count("large_drawn", "large stones drawn", high=NUM_LARGE, spec="lpos", observe=False),
    count("small_drawn", "small stones drawn", high=NUM_SMALL, spec="bpos", observe=False),
    count("cards_drawn", "cards drawn", high=NUM_CARDS, spec="cpos", observe=False),
    _large("stone_in_hand", "large stone taken and not yet placed", spec="pl"),
    count("hole", "row space emptied in this turn", high=ROW - 1, empty=NOTHING, observe=False),
    choice("swap_first", "first space of the Stonemason's exchange", LARGE_SPACES, dtype="i1", empty=NOTHING),
    count("lifts_left", "small stones the Surveyor may still lift", high=SURVEYOR_LIFTS),
    bits("winners", "who won, at the end", [f"seat {p}" for p in range(SEATS)], observe=False),
    _large("large_stone", "stone in each large space", (NUM_LARGE_SPACES,), per_seat=True, observe=False),
    flag("large_turned", "whether it is turned by 180 degrees", (NUM_LARGE_SPACES,), per_seat=True, spec="large_rot",
         observe=False),
    _small("small_stone", "stone in each small space", (NUM_SMALL_SPACES,), spec="small_type"),
    count("collection", "collected small stones by type", high=SAME_TYPE, shape=(NUM_TYPES,), per_seat=True, spec="coll",
          observe=False),
    _small("hand", "small stone in hand"),
    _card("cards", "cards in the order gained", (NUM_HELD,), per_seat=True, observe=False),
    _large("row", "large stones on offer, the red space first", (ROW,)),
    count("pile", "small stones on the red stone by type", high=SAME_TYPE, shape=(NUM_TYPES,), observe=False),
    count("pending", "small stones still to place in this turn by type", high=SAME_TYPE, shape=(NUM_TYPES,), observe=False),
    _card("display", "cards on offer", (DISPLAY,)),
    choice("large_deck", "all large stones in the order drawn", LARGE_STONES, (NUM_LARGE,), dtype="i1", sees=NOBODY, spec="ldeck"),
    choice("bag", "all small stones in the order drawn", SMALL_STONES, (NUM_SMALL,), dtype="i1", sees=NOBODY),
    choice("card_deck", "all cards in the order drawn", CARDS, (NUM_CARDS,), dtype="i1", sees=NOBODY, spec="cdeck"),
    # Derived: kept up to date by the rules so that scores, legal actions and observations are cheap.
    _set("filled_large", "large spaces that hold a stone", LARGE_SPACES),
    _set("filled_small", "small spaces that hold a stone", SMALL_SPACES),
    _set("owned", "cards owned", CARDS),
    _board("colour_cells", f"board of the stones that are {', '.join(COLOURS)}", (NUM_COLOURS,)),
    _board("solid_cells", "those of them that are connected to the ground", (NUM_COLOURS,)),
    _board("openings", f"board of the large stones open to {', '.join(PORTS)}", (NUM_PORTS,)),
    _board("open_cells", "board of the large stones connected to the edge by chambers"),
    _tally("height", "level reached by connected stones of each colour", NUM_LEVELS, (NUM_COLOURS,), observe=False),
    _tally("burial", "points for sarcophagi connected to the edge", MAX_BURIAL),
    _tally("edge_sarcophagi", "connected sarcophagi with multiplier 1", 18),
    _tally("inner_sarcophagi", "connected sarcophagi with multiplier 2 or 3", 12),
    _tally("sarcophagi", "all sarcophagi in the pyramid", 27),
    _tally("exits", "chamber exits", MAX_EXITS),
    _set("symbols", "different symbols", SYMBOLS),
    _tally("symbol_stones", "large stones with a symbol", NUM_LARGE_SPACES),
    _tally("large_of_colour", "large stones of each colour", NUM_LARGE_SPACES, (NUM_COLOURS,), observe=False),
    _tally("workers", "workers on the small stones of the pyramid", 36),
    _set("balanced", "levels with equal workers left and right", [f"level {i + 1}" for i in range(NUM_LEVELS)]),
    _tally("worker_points", "points for balanced levels", MAX_WORKER_POINTS),
    _tally("collected", "stones in the Collection", NUM_SMALL),
    bits("unseen_cards", "cards still to come", CARDS, derived=True),
    count("unseen_large", "large stones to come by colour and face: one sarcophagus, two, the five symbols, plain", high=6,
          shape=(NUM_KINDS,), derived=True, observe=False),
    count("unseen_small", "small stones in the bag by type", high=SAME_TYPE, shape=(NUM_TYPES,), derived=True, observe=False),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, spec={"num_players": "n_players", "current_player": "cur"})
