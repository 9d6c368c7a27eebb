"""The record of a game of Pyramids: its fields, its phases, and what the public knows of each card."""

from __future__ import annotations

from typing import Any

from ..core.schema import NOBODY, OWNER, Field, Schema, bits, choice, count, flag, seat
from .components import (
    CARD_FEATURES,
    CARDS,
    COLOURS,
    GLYPHS,
    MAX_SCORE,
    NUM_CARDS,
    NUM_COLOURS,
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

PARTS = ("groups", "longest", "bonus", "obelisk", "tomb", "glyphs", "total")
NUM_PARTS = len(PARTS)
TOTAL = NUM_PARTS - 1


def _cards(name: str, doc: str, shape: tuple[int, ...], **more: Any) -> Field:
    return choice(name, doc, CARDS, shape=shape, empty=NOTHING, table=CARD_FEATURES, **more)


FIELDS = (
    count("round", "round of play", low=1, high=NUM_ROUNDS),
    seat("first_player", "holder of the first-player token", spec="first"),
    choice("removed_tile", "tile out of play this round (two players)", TILES, empty=NOTHING, spec="removed"),
    choice("tile", "tile being executed", TILES, empty=NOTHING),
    count("gods_chosen", "tiles chosen this round", high=SEATS, spec="god_cnt"),
    flag("built_obelisk", "an Obelisk card was built in this turn", spec="used_obe"),
    seat("tile_owner", "who took each tile this round", (NUM_TILES,), empty=NOTHING),
    _cards("quarry", "the open pairs, empty when taken", (SEATS, 2), per_table=True),
    _cards("hand", "cards in hand, ascending", (HAND_SIZE,), per_seat=True, sees=OWNER),
    _cards("pyramid", "card in each slot", (NUM_SLOTS,), per_seat=True, spec="pyr"),
    _cards("obelisk", "cards from bottom to top", (NUM_ROUNDS,), per_seat=True, spec="obe", observe=False),
    _cards("tomb", "cards in the Tomb, ascending", (NUM_ROUNDS,), per_seat=True, sees=OWNER, observe=False),
    count("hand_size", "cards in hand", high=HAND_SIZE, per_seat=True, spec="n_hand"),
    count("pyramid_size", "cards in the Pyramid", high=NUM_SLOTS, per_seat=True, spec="n_pyr"),
    count("obelisk_size", "cards in the Obelisk", high=NUM_ROUNDS, per_seat=True, spec="n_obe"),
    count("tomb_size", "cards in the Tomb", high=NUM_ROUNDS, per_seat=True, spec="n_tomb"),
    choice("deck", "cards still to come, from deck_position on", CARDS, (NUM_CARDS,), empty=NOTHING, sees=NOBODY),
    count("deck_position", "cards drawn", high=NUM_CARDS, spec="deck_pos"),
    choice("public_place", "where the table knows each card to be", PLACES, (NUM_CARDS,), spec="pub", observe=False),
    choice("initial_card", "the secret first card", CARDS, per_seat=True, empty=NOTHING, sees=OWNER, spec="init_card",
           observe=False),
    choice("initial_status", "what the table knows of it", INITIAL_STATUS, per_seat=True, spec="init_stat"),
    count("score", f"points at the end: {', '.join(PARTS)}", high=MAX_SCORE, shape=(NUM_PARTS,), per_seat=True, observe=False),
    # Derived: kept up to date by the rules so that scores and observations are cheap.
    bits("filled_slots", "slots of the Pyramid that hold a card", [f"slot {i}" for i in range(NUM_SLOTS)],
         per_seat=True, derived=True, observe=False),
    count("largest_group", f"stones in the largest group of {', '.join(COLOURS)}", high=11, shape=(NUM_COLOURS,),
          per_seat=True, derived=True),
    count("public_points", "points of Pyramid and Obelisk with their glyphs", high=MAX_SCORE, per_seat=True, derived=True),
    count("obelisk_colours", "Obelisk cards that show each colour", high=NUM_ROUNDS, shape=(NUM_COLOURS,),
          per_seat=True, derived=True),
    count("tomb_stones", "stones of each colour in the Tomb", high=20, shape=(NUM_COLOURS,),
          per_seat=True, sees=OWNER, derived=True),
    count("glyphs", f"scoring glyphs in Pyramid, Obelisk, Tomb ({GLYPHS})", high=10, shape=(3,),
          per_seat=True, sees=OWNER, derived=True),
    count("unseen_stones", "stones of each colour on cards nobody has shown yet", high=60, shape=(NUM_COLOURS,), derived=True),
    count("unseen_glyphs", f"glyphs on them ({GLYPHS})", high=15, shape=(3,), derived=True),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, spec={"num_players": "n_players", "current_player": "cur", "over": "done"})
