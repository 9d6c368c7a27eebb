"""The record of a game of Pyramidice: its fields, its phases, and what can follow a decision."""

from __future__ import annotations

from ..core.schema import NOBODY, OWNER, Schema, bits, choice, count, flag, seat
from .components import (
    ARCHITECTS,
    END_FAME,
    FACES,
    FULL_SET_OF_TILES,
    GOD_FEATURES,
    GODS,
    KINDS,
    NO_SCARAB,
    NUM_ENNEAD,
    NUM_GODS,
    NUM_PROJECTS,
    NUM_RESOURCES,
    NUM_SLOTS,
    NUM_SPACES,
    NUM_TILES,
    NUM_WORKERS,
    PAIRS,
    PROJECTS,
    REAL_KINDS,
    ROW,
    SCARABS,
    SPACES_ON_BOARD,
    STONE_DICE,
    TILES,
    TURNS_PER_SEAT,
)

SEATS = 4
NONE = -1  # no card, no tile, no seat

PHASES = (
    *("scarab", "turn", "rest", "pick", "lose", "free god", "dice", "use", "reroll", "pay die", "pay unit"),
    *("build at", "cost", "from", "to", "drop", "pearl", "slot", "end"),
)
CHOOSE_SCARAB, TURN, REST_TURN, PICK, LOSE_ONE, FREE_GOD, CHOOSE_DICE, USE, CHOOSE_REROLL, PAY_DIE, PAY_UNIT = range(11)
BUILD_AT, CHOOSE_COST, CHANGE_FROM, CHANGE_TO, DROP_GOD, ANSWER_PEARL, PLACE_TILE, END = range(11, len(PHASES))

# What a decision leads to; `rules.step` goes through them in this order, so each is called from one place.
STAY, SETTLE, CARRY_OUT, RUN_QUEUE, START_WORK, END_WORK, REST_STEP_3, ROW_DISCARD, END_TURN = range(9)

# Where a God is; OWNED + p: in front of seat p.
UNSEEN, IN_ROW, DISCARDED, OWNED = range(4)
GOD_PLACES = ("unseen", "row", "discard", *(f"seat {p}" for p in range(SEATS)))

# Where a Rest tile is; HELD + p: in front of seat p.
WAITING, IN_BOX, AVAILABLE, HELD = -2, -1, 0, 1

# The queue of units to be gained.
SEAT_FACTOR = 16  # an entry is 16 x seat + unit
QUEUE = 8

# What follows when the queue is empty (spec: after).
AFTERWARDS = ("rest step 3", "work turn", "use")
THEN_STEP_3, THEN_WORK, THEN_USE = range(3)

LOSSES = ("overflow", "swap", "hapy")  # why a resource is lost
OVERFLOW, FOR_SWAP, FOR_HAPY = range(3)
DROPS = ("none", "aton", "cult")  # why a God is dropped
NO_DROP, FOR_ATON, FOR_CULT = range(3)

PURPOSES = ("none", "worship", "replace", "fame", "god", "copy", "build", "cat")  # of a payment
FOR_NOTHING, FOR_WORSHIP, FOR_REPLACE, FOR_FAME, FOR_GOD, FOR_COPY, FOR_BUILD, FOR_CAT = range(8)

MOST_DICE = 20
MOST_PAIRS = len(PAIRS)
MOST_FAME = 2**15 - 1


def _gods(name: str, doc: str, shape: tuple[int, ...] = (), **more: object):
    return choice(name, doc, GODS, shape=shape, dtype="i1", empty=NONE, **more)


FIELDS = (
    count("num_seats", "seats of the table, the Architect's included", low=2, high=SEATS, spec="n_seats", observe=False),
    choice("architect", "the Great Architect of a solo game", ARCHITECTS, dtype="i1", empty=NONE, spec="arch", observe=False),
    seat("turn_player", "whose turn it is"),
    seat("pharaoh", "holder of the Pharaoh tile: the game ends after that seat's next turn", dtype="i1", empty=NONE, observe=False),
    count("turns", "turns finished, of all seats", high=TURNS_PER_SEAT * SEATS, observe=False),
    count("fame", "Fame", high=MOST_FAME, per_seat=True, observe=False),
    count("resources", "Workers, Cats, Stone dice on the board", high=SPACES_ON_BOARD + 1, shape=(NUM_RESOURCES,), per_seat=True,
          spec="res", observe=False),
    count("supply", "Workers, Cats, Stone dice in the supply", high=NUM_WORKERS, shape=(NUM_RESOURCES,)),
    count("quarry", "Prayer and Stone dice in the Quarry", high=int(STONE_DICE.max()), shape=(REAL_KINDS,)),
    count("pool", "unused dice: Prayer, Stone, virtual, by value", high=MOST_DICE, shape=(len(KINDS), FACES), observe=False),
    count("selected", "dice selected for a reroll: Prayer, Stone, by value", high=MOST_DICE, shape=(REAL_KINDS, FACES), spec="sel",
          observe=False),
    count("last_selected", "index of the die selected last", high=REAL_KINDS * FACES - 1, spec="last_sel"),
    count("pyramid", "value of the die on each space, 0 empty", high=FACES, shape=(NUM_SPACES,), spec="pyr"),
    _gods("deck", "all Gods: drawn ones, the deck from deck_position to deck_end, the box", (NUM_GODS,), sees=NOBODY),
    count("deck_position", "Gods drawn so far", high=NUM_GODS, spec="deck_pos"),
    count("deck_end", "where the deck ends and the box begins", high=NUM_GODS, observe=False),
    choice("god_place", "where each God is; unseen: in the deck or in the box", GOD_PLACES, (NUM_GODS,), spec="god_loc",
           observe=False),
    _gods("row", "face-up Gods, newest first", (ROW,), table=GOD_FEATURES),
    flag("used", "Gods used in this Work turn", (NUM_GODS,), observe=False),
    _gods("copied", "God whose power Amethyst borrows", spec="copy", observe=False),
    count("tile_place", "each Rest tile: -2 waiting for a slot, -1 in the box, 0 available, 1 + p in front of seat p",
          low=WAITING, high=HELD + SEATS - 1, shape=(NUM_TILES,), spec="tile_loc", observe=False),
    flag("tile_flipped", "Rest tiles face down", (NUM_TILES,), spec="tile_flip"),
    count("tile_slot", "solo: slot of each available tile, counted from 0", high=NUM_SLOTS - 1, shape=(NUM_TILES,), empty=NONE,
          observe=False),
    choice("scarab", "Scarab of each seat", SCARABS, empty=NO_SCARAB, per_seat=True),
    choice("scarab_options", "the two Scarabs drawn", SCARABS, (2,), empty=NO_SCARAB, per_seat=True, sees=OWNER, spec="scarab_opt"),
    choice("project", "secret Project", PROJECTS, dtype="i1", empty=NONE, per_seat=True, sees=OWNER),
    choice("architect_projects", "the Architect's Projects", PROJECTS, (3,), dtype="i1", empty=NONE, spec="arch_proj",
           observe=False),
    flag("in_work", "a Work turn is running"),
    flag("rest_pending", "this Work turn came from the tile `work`: the Rest turn goes on after it"),
    flag("reroll_used", "the reroll of the turn is spent"),
    flag("gold_used", "the Golden Cat is spent"),
    flag("copy_used", "Amethyst is spent"),
    choice("drop_reason", "why a God is dropped", DROPS, spec="drop_mode"),
    choice("lose_reason", "why a resource is lost", LOSSES, spec="lose_mode"),
    choice("afterwards", "what follows when all units are gained", AFTERWARDS, spec="after"),
    count("pearl_fame", "Fame that the Pearl may share", high=100),
    choice("payment", "what is being paid for", PURPOSES, spec="pay_for"),
    count("payment_for", "its row position, God or Cat change", high=NUM_GODS - 1, spec="pay_arg", observe=False),
    count("need_value", "dice still to pay, by value", high=3, shape=(FACES,), spec="need_val"),
    count("need_any", "dice of any value still to pay", high=2),
    count("need_stone", "Stone dice of any value still to pay", high=1),
    count("need_same", "three equal dice still to pay", high=1),
    count("need_workers", "Workers still to pay", high=4, spec="need_w"),
    count("need_cats", "Cats still to pay", high=2, spec="need_c"),
    count("paid_workers", "Workers paid, whatever stood for them", high=4, spec="paid_w"),
    count("build_value", "value of the die being built", high=FACES, spec="build_val"),
    count("build_space", "the space it goes to", high=NUM_SPACES - 1, empty=NONE, observe=False),
    choice("change_kind", "kind of die whose value is set", KINDS[:REAL_KINDS], spec="chg_kind"),
    count("change_value", "the value it shows", high=FACES, spec="chg_val"),
    count("queue", "units still to gain: 16 x seat + unit", high=SEAT_FACTOR * SEATS - 1, shape=(QUEUE,), observe=False),
    count("queue_length", "units still to gain", high=QUEUE, spec="queue_len"),
    choice("slot_queue", "solo: tiles waiting for a slot", TILES, (FULL_SET_OF_TILES,), dtype="i1", empty=NONE, observe=False),
    count("slot_queue_length", "how many there are", high=FULL_SET_OF_TILES, spec="slot_len", observe=False),
    # Derived: kept up to date by the rules so that legality is a few operations on bits.
    bits("gods", "Gods in front of each seat", GODS, dtype="i8", per_seat=True, derived=True, observe=False),
    count("god_count", "Gods of each seat, the Ennead as one", high=NUM_GODS - NUM_ENNEAD + 1, per_seat=True, derived=True,
          observe=False),
    count("god_fame", "what they are worth at the end, without the Ennead", high=int(END_FAME.sum()), per_seat=True, derived=True,
          observe=False),
    count("ennead_cards", "cards in the stack of each seat", high=NUM_ENNEAD, per_seat=True, derived=True, observe=False),
    bits("discards", "discarded Gods", GODS, dtype="i8", derived=True, observe=False),
    bits("open_spaces", "spaces that are in play, empty and supported", [f"space {i}" for i in range(NUM_SPACES)],
         derived=True),
    count("pairs", "adjacent dice that each Project counts", high=MOST_PAIRS, shape=(NUM_PROJECTS,), derived=True),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, spec={"num_players": "n_humans", "current_player": "actor", "over": "done"})
