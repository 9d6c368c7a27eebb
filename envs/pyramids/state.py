"""The record of a game of Pyramids: its fields, its phases, and what the public knows of each card."""

from __future__ import annotations

from typing import Any

from ..core.declare.schema import NOBODY, OWNER, Field, Schema, bits, choice, count, flag, seat
from .components import (
    CARD_COLUMNS,
    CARD_FEATURES,
    CARDS,
    CATEGORIES,
    COLOURS,
    FACE_COLUMNS,
    FACE_FEATURES,
    GLYPH_POINTS,
    MARK_NAMES,
    MAX_GLYPHS,
    MAX_SCORE,
    MAX_SPARE,
    MAX_STONES,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_MARKS,
    NUM_ROUNDS,
    NUM_SLOTS,
    NUM_TILES,
    TILES,
)

SEATS = 5
NOTHING = 255
HAND_SIZE = 3

PHASES = ("god", "pair", "pyramid", "obelisk", "tomb", "discard", "end")
CHOOSE_GOD, TAKE_PAIR, BUILD_PYRAMID, BUILD_OBELISK, BUILD_TOMB, DISCARD, END = range(len(PHASES))

# Where the table knows a card to be. For player q, KNOWN_IN_HAND + q: surely in hand; CANDIDATE + q: one of these is in hand,
# the others are in the Tomb; KNOWN_IN_TOMB + q: surely in the Tomb (R24: players have perfect memory).
UNSEEN, IN_QUARRY, DISCARDED = 0, 1, 2
IN_PYRAMID, IN_OBELISK, KNOWN_IN_HAND, CANDIDATE, KNOWN_IN_TOMB = 3, 8, 13, 18, 23
PLACES = (
    *("unseen", "quarry", "discarded"),
    *(f"{what} {q}" for what in ("pyramid", "obelisk", "hand", "candidate", "tomb") for q in range(SEATS)),
)

# What is known of a player's initial card, as long as nobody has seen it.
INITIAL_IN_HAND, INITIAL_CANDIDATE, INITIAL_IN_TOMB, INITIAL_SEEN = range(4)
INITIAL_STATUS = ("hand", "candidate", "tomb", "seen")

# The score sheet that everybody can write: without the Tomb and its glyphs.
OPEN_CATEGORIES = tuple(category for category in CATEGORIES if category != "tomb")
MAX_OPEN_PART = 2 * MAX_GLYPHS * GLYPH_POINTS  # no category is worth more than glyphs in Pyramid and Obelisk


def _cards(name: str, doc: str, shape: tuple[int, ...], **more: Any) -> Field:
    return choice(name, doc, CARDS, shape=shape, empty=NOTHING, **({"table": CARD_FEATURES, "columns": CARD_COLUMNS} | more))


def _marks(name: str, doc: str, **more: Any) -> Field:
    """What is counted on a set of cards of one player."""
    words = f"{doc}: stones by colour and glyphs of Pyramid, Obelisk, Tomb"
    return count(name, words, high=MAX_STONES, shape=(NUM_MARKS,), per_seat=True, derived=True, **more)


# What follows from other observed fields, or is told better by observation.py, is not observed.
FIELDS = (
    count("round", "round of play", low=1, high=NUM_ROUNDS),
    seat("first_player", "holder of the first-player token", short="first"),
    choice("removed_tile", "tile out of play this round (two players)", TILES, empty=NOTHING, short="removed", observe=False),
    choice("tile", "tile being executed", TILES, empty=NOTHING),
    count("gods_chosen", "tiles chosen this round", high=SEATS, short="god_cnt", observe=False),
    flag("built_obelisk", "an Obelisk card was built in this turn", short="used_obe"),
    seat("tile_owner", "who took each tile this round", (NUM_TILES,), empty=NOTHING, observe=False),
    _cards("quarry", "the open pairs, empty when taken", (SEATS, 2), per_table=True),
    _cards("hand", "cards in hand, ascending", (HAND_SIZE,), per_seat=True, sees=OWNER),
    _cards("pyramid", "card in each slot", (NUM_SLOTS,), per_seat=True, short="pyr", table=FACE_FEATURES, columns=FACE_COLUMNS),
    _cards("obelisk", "cards from bottom to top", (NUM_ROUNDS,), per_seat=True, short="obe", observe=False),
    _cards("tomb", "cards in the Tomb, ascending", (NUM_ROUNDS,), per_seat=True, sees=OWNER, observe=False),
    count("hand_size", "cards in hand", high=HAND_SIZE, per_seat=True, short="n_hand"),
    count("pyramid_size", "cards in the Pyramid", high=NUM_SLOTS, per_seat=True, short="n_pyr", observe=False),
    count("obelisk_size", "cards in the Obelisk", high=NUM_ROUNDS, per_seat=True, short="n_obe"),
    count("tomb_size", "cards in the Tomb", high=NUM_ROUNDS, per_seat=True, short="n_tomb"),
    choice("deck", "cards still to come, from deck_position on", CARDS, (NUM_CARDS,), empty=NOTHING, sees=NOBODY),
    count("deck_position", "cards drawn", high=NUM_CARDS, short="deck_pos", observe=False),
    choice("public_place", "where the table knows each card to be", PLACES, (NUM_CARDS,), short="pub", observe=False),
    choice("initial_card", "the secret first card", CARDS, per_seat=True, empty=NOTHING, sees=OWNER, short="init_card",
           observe=False),
    choice("initial_status", "what the table knows of the secret first card", INITIAL_STATUS, per_seat=True, short="init_stat"),
    # Derived: kept up to date card by card (upkeep.py, knowledge.py), so that scores and observations are cheap.
    bits("filled_slots", "slots of the Pyramid that hold a card", [f"slot {i}" for i in range(NUM_SLOTS)],
         per_seat=True, derived=True, observe=False),
    count("largest_group", f"stones in the largest group of {', '.join(COLOURS)}", high=MAX_STONES, shape=(NUM_COLOURS,),
          per_seat=True, derived=True),
    count("obelisk_colours", f"Obelisk cards that show {', '.join(COLOURS)}", high=NUM_ROUNDS, shape=(NUM_COLOURS,),
          per_seat=True, derived=True),
    count("open_glyphs", "scoring glyphs in Pyramid, Obelisk", high=MAX_GLYPHS, shape=(2,), per_seat=True, derived=True,
          observe=False),
    count("open_sheet", f"points without the Tomb and its glyphs: {', '.join(OPEN_CATEGORIES)}", high=MAX_OPEN_PART,
          shape=(len(OPEN_CATEGORIES),), per_seat=True, derived=True),
    count("open_points", "their sum", high=MAX_SCORE, per_seat=True, derived=True, observe=False),
    _marks("tomb_marks", "in the Tomb", sees=OWNER),
    _marks("sure_tomb", "on cards that the table knows to be in the Tomb"),
    _marks("sure_hand", "on cards that the table knows to be in hand", observe=False),
    _marks("candidate_marks", "on the candidates", observe=False),
    count("candidates", "cards, the secret first one included, of which one is in hand and the others are in the Tomb",
          high=MAX_SPARE, per_seat=True, derived=True, observe=False),
)  # fmt: skip
assert len(MARK_NAMES) == NUM_MARKS

SCHEMA = Schema(SEATS, PHASES, FIELDS, short={"num_players": "n_players", "current_player": "cur", "over": "done"})
