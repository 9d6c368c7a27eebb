"""The record of a game of Master Architect: its fields and its phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.declare.schema import NOBODY, Field, Schema, bits, choice, count, flag
from . import components as pieces
from .components import CARDS, COLOURS, LARGE_SPACES, LARGE_STONES, NOTHING, PORTS, SMALL_SPACES, SMALL_STONES, SYMBOLS

SEATS = 4

PHASES = ("take", "large", "card", "small", "swap first", "swap second", "lift", "over")
TAKE_STONE, PLACE_LARGE, TAKE_CARD, PLACE_SMALL, SWAP_FIRST, SWAP_SECOND, LIFT_SMALL, OVER = range(len(PHASES))


def _large(name: str, doc: str, shape: tuple[int, ...] = (), **more: Any) -> Field:
    return choice(
        name, doc, LARGE_STONES, shape, empty=NOTHING, table=pieces.OFFERED_FEATURES, columns=pieces.OFFERED_COLUMNS, **more
    )


def _small(name: str, doc: str, shape: tuple[int, ...] = (), **more: Any) -> Field:
    return choice(
        name,
        doc,
        SMALL_STONES,
        shape,
        empty=NOTHING,
        per_seat=True,
        table=pieces.SMALL_FEATURES,
        columns=pieces.SMALL_COLUMNS,
        **more,
    )


def _by_type(name: str, doc: str, **more: Any) -> Field:
    return count(name, doc, high=pieces.MOST_OF_A_TYPE, shape=(pieces.NUM_TYPES,), **more)


def _stock(name: str, doc: str, names: Sequence[str], size: int, **more: Any) -> Field:
    return choice(name, doc, names, (size,), dtype="i1", sees=NOBODY, **more)


def _tally(name: str, doc: str, high: int, shape: tuple[int, ...] = (), **more: Any) -> Field:
    return count(name, doc, high, shape=shape, per_seat=True, derived=True, **more)


def _set(name: str, doc: str, names: Sequence[str], **more: Any) -> Field:
    return bits(name, doc, names, per_seat=True, derived=True, **more)


def _board(name: str, doc: str, shape: tuple[int, ...] = ()) -> Field:
    return _tally(name, doc, pieces.ALL_BOARDS, shape, dtype="i8", observe=False)


# What is not observed here and yet seen at the table is written by observation.py: as it lies, or as the points it makes.
FIELDS = (
    count("turn", "finished turns of all players", high=pieces.TURNS * SEATS, observe=False),
    count("large_drawn", "large stones drawn", high=pieces.NUM_LARGE, short="lpos", observe=False),
    count("small_drawn", "small stones drawn", high=pieces.NUM_SMALL, short="bpos", observe=False),
    count("cards_drawn", "cards drawn", high=pieces.NUM_CARDS, short="cpos", observe=False),
    _large("stone_in_hand", "large stone taken and not yet placed", short="pl"),
    count("hole", "row space emptied in this turn", high=pieces.ROW - 1, empty=NOTHING, observe=False),
    choice("swap_first", "first space of the Stonemason's exchange", LARGE_SPACES, empty=NOTHING),
    count("lifts_left", "small stones the Surveyor may still lift", high=pieces.SURVEYOR_LIFTS),
    _large("large_stone", "stone in each large space", (pieces.NUM_LARGE_SPACES,), per_seat=True, observe=False),
    flag("large_turned", "whether it is turned by 180 degrees", (pieces.NUM_LARGE_SPACES,), per_seat=True, short="large_rot",
         observe=False),
    _small("small_stone", "stone in each small space", (pieces.NUM_SMALL_SPACES,), short="small_type"),
    _by_type("collection", "collected small stones by type", per_seat=True, short="coll"),
    _small("hand", "small stone in hand"),
    choice("cards", "cards in the order gained", CARDS, (pieces.NUM_HELD,), empty=NOTHING, per_seat=True, observe=False),
    _large("row", "large stones on offer, the red space first", (pieces.ROW,)),
    _by_type("pile", "small stones on the red stone by type"),
    _by_type("pending", "small stones still to place in this turn by type"),
    choice("display", "cards on offer", CARDS, (pieces.DISPLAY,), empty=NOTHING),
    _stock("large_deck", "all large stones in the order drawn", LARGE_STONES, pieces.NUM_LARGE, short="ldeck"),
    _stock("bag", "all small stones in the order drawn", SMALL_STONES, pieces.NUM_SMALL),
    _stock("card_deck", "all cards in the order drawn", CARDS, pieces.NUM_CARDS, short="cdeck"),
    # Derived: kept up to date by the rules so that scores, legal actions and observations are cheap.
    bits("winners", "who won, at the end", [f"seat {p}" for p in range(SEATS)], derived=True, observe=False),
    _set("filled_large", "large spaces that hold a stone", LARGE_SPACES, observe=False),
    _set("filled_small", "small spaces that hold a stone", SMALL_SPACES, observe=False),
    _set("owned", "cards owned", CARDS),
    _board("colour_cells", f"board of the stones that are {', '.join(COLOURS)}", (pieces.NUM_COLOURS,)),
    _board("solid_cells", "those of them that are connected to the ground", (pieces.NUM_COLOURS,)),
    _board("openings", f"board of the large stones open to {', '.join(PORTS)}", (pieces.NUM_PORTS,)),
    _board("open_cells", "board of the large stones connected to the edge by chambers"),
    _tally("height", "level reached by connected stones of each colour", pieces.NUM_LEVELS, (pieces.NUM_COLOURS,)),
    _set("symbols", "different symbols", SYMBOLS),
    _tally("workers", "workers on the small stones of the pyramid", pieces.MAX_WORKERS),
    _set("balanced", "levels with equal workers left and right", [f"level {i + 1}" for i in range(pieces.NUM_LEVELS)]),
    _tally("collected", "stones in the Collection", pieces.NUM_SMALL, observe=False),
    _tally("points", f"points for {', '.join(pieces.CATEGORIES[:pieces.FOR_CARDS])}", pieces.MAX_BURIAL, (pieces.FOR_CARDS,),
           observe=False),
    _tally("worth", "points of each card for whoever owns it; the last: of no card", pieces.MAX_POINTS_OF_A_CARD,
           (pieces.NUM_CARDS + 1,), observe=False),
    bits("unseen_cards", "cards still to come", CARDS, derived=True),
    count("unseen_large", "large stones to come by colour and face: one sarcophagus, two, the five symbols, plain",
          high=pieces.MOST_OF_A_KIND, shape=(pieces.NUM_KINDS,), derived=True),
    _by_type("unseen_small", "small stones in the bag by type", derived=True),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, short={"num_players": "n_players", "current_player": "cur"})
