"""The record of a game of Pyramidice: its fields, its phases, and what can follow a decision."""

from __future__ import annotations

from ..core.declare.schema import NOBODY, OWNER, Schema, bits, choice, count, flag, seat
from .components import (
    ARCHITECTS,
    END_FAME,
    EXTRA_FAME,
    EXTRA_WORKERS,
    FACES,
    FULL_SET_OF_TILES,
    GOD_COLUMNS,
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
    SERKET_FAME,
    SPACES_ON_BOARD,
    STONE_DICE,
    TILES,
    TURNS_PER_SEAT,
    VALUE_WORKERS,
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

# Where a Rest tile is; HELD + p: in front of seat p.
WAITING, IN_BOX, AVAILABLE, HELD = -2, -1, 0, 1

# The queue of units to be gained.
SEAT_FACTOR = 16  # an entry is 16 x seat + unit
QUEUE = 2 + SEATS - 1  # the longest is that of the tile `feast`: two for its user, one for everybody else

# What follows when the queue is empty.
AFTERWARDS = ("rest step 3", "work turn", "use")
THEN_STEP_3, THEN_WORK, THEN_USE = range(3)

LOSSES = ("overflow", "swap", "hapy")  # why a resource is lost
OVERFLOW, FOR_SWAP, FOR_HAPY = range(3)
DROPS = ("none", "aton", "cult")  # why a God is dropped
NO_DROP, FOR_ATON, FOR_CULT = range(3)

PURPOSES = ("none", "worship", "replace", "fame", "god", "copy", "build", "cat")  # of a payment
FOR_NOTHING, FOR_WORSHIP, FOR_REPLACE, FOR_FAME, FOR_GOD, FOR_COPY, FOR_BUILD, FOR_CAT = range(8)

SPACES = tuple(f"space {i}" for i in range(NUM_SPACES))
MOST_DICE = 20
MOST_WORKERS_OF_A_BUILD = int(VALUE_WORKERS.max() + EXTRA_WORKERS.max())
MOST_FAME_OF_A_BUILD = FACES + int(EXTRA_FAME.max()) + SERKET_FAME + MOST_WORKERS_OF_A_BUILD
MOST_PAIRS = len(PAIRS)
MOST_FAME = 9999  # there is no bound; no game of 40 turns a seat comes near


def _gods(name: str, doc: str, shape: tuple[int, ...] = (), **more: object):
    return choice(name, doc, GODS, shape=shape, dtype="i1", empty=NONE, **more)


FIELDS = (
    count("num_seats", "seats of the table, the Architect's included", low=2, high=SEATS, short="n_seats", observe=False),
    choice("architect", "the Great Architect of a solo game", ARCHITECTS, dtype="i1", empty=NONE, short="arch", observe=False),
    seat("turn_player", "whose turn it is"),
    seat("pharaoh", "holder of the Pharaoh tile: the game ends after that seat's next turn", dtype="i1", empty=NONE),
    count("turns", "turns finished, of all seats", high=TURNS_PER_SEAT * SEATS),
    count("fame", "Fame", high=MOST_FAME, per_seat=True, observe=False),
    count("resources", "Workers, Cats, Stone dice on the board", high=SPACES_ON_BOARD + 1, shape=(NUM_RESOURCES,), per_seat=True,
          short="res"),
    count("supply", "Workers, Cats, Stone dice in the supply", high=NUM_WORKERS, shape=(NUM_RESOURCES,)),
    count("quarry", "Prayer and Stone dice in the Quarry", high=int(STONE_DICE.max()), shape=(REAL_KINDS,)),
    count("pool", "unused dice: Prayer, Stone, virtual, by value", high=MOST_DICE, shape=(len(KINDS), FACES), observe=False),
    count("selected", "dice selected for a reroll: Prayer, Stone, by value", high=MOST_DICE, shape=(REAL_KINDS, FACES), short="sel",
          observe=False),
    count("last_selected", "index of the die selected last", high=REAL_KINDS * FACES - 1, short="last_sel"),
    count("pyramid", "value of the die on each space, 0 empty", high=FACES, shape=(NUM_SPACES,), short="pyr"),
    _gods("deck", "all Gods: drawn ones, the deck from deck_position to deck_end, the box", (NUM_GODS,), sees=NOBODY),
    count("deck_position", "Gods drawn so far", high=NUM_GODS, short="deck_pos"),
    count("deck_end", "where the deck ends and the box begins", high=NUM_GODS, observe=False),
    bits("gods", "Gods in front of each seat", GODS, per_seat=True),
    bits("discards", "discarded Gods", GODS),
    _gods("row", "face-up Gods, newest first", (ROW,), table=GOD_FEATURES, columns=GOD_COLUMNS),
    bits("used", "Gods used in this Work turn", GODS, observe=False),
    _gods("copied", "God whose power Amethyst borrows", short="copy", observe=False),
    count("tile_place", "each Rest tile: -2 waiting for a slot, -1 in the box, 0 available, 1 + p in front of seat p",
          low=WAITING, high=HELD + SEATS - 1, shape=(NUM_TILES,), short="tile_loc", observe=False),
    flag("tile_flipped", "Rest tiles face down", (NUM_TILES,), short="tile_flip"),
    count("tile_slot", "solo: slot of each available tile, counted from 0", high=NUM_SLOTS - 1, shape=(NUM_TILES,), empty=NONE,
          observe=False),
    choice("scarab", "Scarab of each seat", SCARABS, empty=NO_SCARAB, per_seat=True),
    choice("scarab_options", "the two Scarabs drawn", SCARABS, (2,), empty=NO_SCARAB, per_seat=True, sees=OWNER,
           short="scarab_opt"),
    choice("project", "secret Project", PROJECTS, dtype="i1", empty=NONE, per_seat=True, sees=OWNER),
    choice("architect_projects", "the Architect's Projects", PROJECTS, (3,), dtype="i1", empty=NONE, short="arch_proj",
           observe=False),
    flag("in_work", "a Work turn is running"),
    flag("rest_pending", "this Work turn came from the tile `work`: the Rest turn goes on after it"),
    flag("reroll_used", "the reroll of the turn is spent"),
    flag("gold_used", "the Golden Cat is spent"),
    flag("copy_used", "Amethyst is spent"),
    choice("drop_reason", "why a God is dropped", DROPS, short="drop_mode"),
    choice("lose_reason", "why a resource is lost", LOSSES, short="lose_mode"),
    choice("afterwards", "what follows when all units are gained", AFTERWARDS, short="after"),
    count("pearl_fame", "Fame that the Pearl may share", high=MOST_FAME_OF_A_BUILD),
    choice("payment", "what is being paid for", PURPOSES, short="pay_for"),
    count("payment_for", "its row position, God or Cat change", high=NUM_GODS - 1, short="pay_arg", observe=False),
    count("need_value", "dice still to pay, by value", high=3, shape=(FACES,), short="need_val"),
    count("need_any", "dice of any value still to pay", high=2),
    count("need_stone", "Stone dice of any value still to pay", high=1),
    count("need_same", "three equal dice still to pay", high=1),
    count("need_workers", "Workers still to pay", high=MOST_WORKERS_OF_A_BUILD, short="need_w"),
    count("need_cats", "Cats still to pay", high=2, short="need_c"),
    count("paid_workers", "Workers paid, whatever stood for them", high=MOST_WORKERS_OF_A_BUILD, short="paid_w"),
    count("build_value", "value of the die being built", high=FACES, short="build_val"),
    choice("build_space", "the space it goes to", SPACES, dtype="i1", empty=NONE),
    choice("change_kind", "kind of die whose value is set", KINDS[:REAL_KINDS], short="chg_kind"),
    count("change_value", "the value it shows", high=FACES, short="chg_val"),
    count("queue", "units still to gain: 16 x seat + unit", high=SEAT_FACTOR * SEATS - 1, shape=(QUEUE,), observe=False),
    count("queue_length", "units still to gain", high=QUEUE, short="queue_len", observe=False),
    choice("slot_queue", "solo: tiles waiting for a slot", TILES, (FULL_SET_OF_TILES,), dtype="i1", empty=NONE, observe=False),
    count("slot_queue_length", "how many there are", high=FULL_SET_OF_TILES, short="slot_len", observe=False),
    # Derived: kept up to date by the rules so that legality is a few operations on bits.
    count("god_count", "Gods of each seat, the Ennead as one", high=NUM_GODS - NUM_ENNEAD + 1, per_seat=True, derived=True),
    count("god_fame", "what they are worth at the end, without the Ennead", high=int(END_FAME.sum()), per_seat=True, derived=True,
          observe=False),
    count("ennead_cards", "cards in the stack of each seat", high=NUM_ENNEAD, per_seat=True, derived=True),
    bits("open_spaces", "spaces that are in play, empty and supported", SPACES, derived=True),
    count("pairs", "adjacent dice that each Project counts", high=MOST_PAIRS, shape=(NUM_PROJECTS,), derived=True),
)  # fmt: skip

SHORT_NAMES = {"num_players": "n_humans", "current_player": "actor", "over": "done"}
SCHEMA = Schema(SEATS, PHASES, FIELDS, short=SHORT_NAMES, automaton=True)
