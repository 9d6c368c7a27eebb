"""The record of a game of Giza: its fields and its phases."""

from __future__ import annotations

from ..core.declare.schema import OWNER, Schema, bits, choice, count, flag, seat
from .components import (
    ACTIONS_PER_TURN,
    ALL_WORKERS,
    ART_TOKENS,
    CATEGORIES,
    FOOD_TOKENS,
    LOCATIONS,
    MAX_FOOD_BID,
    MAX_WORKERS,
    MOST_POINTS,
    NOMINATIONS,
    NOTHING,
    NUM_LOCATIONS,
    NUM_QUARRIES,
    NUM_ROUNDS,
    NUM_ZONES,
    OFF_TRACK,
    ROWS,
    SEATS,
    SPACE_CAPACITY,
    STONES,
    STONES_PER_TIER,
    TRACK_LENGTH,
    ZONES,
)

PHASES = ("setup", "row", "bonus", "action", "exit", "nominate", "food bid", "build", "reassign", "art bid", "stone", "over")
SETUP, ROW, BONUS, ACTION, EXIT, NOMINATE, FOOD_BID, BUILD, REASSIGN, ART_BID, STONE, OVER = range(len(PHASES))

STAGES = ("setup", "rows", "turns")
PLACING, CHOOSING, PLAYING = range(len(STAGES))

SLED_AT = ("quarry", *(f"space {i + 1}" for i in range(TRACK_LENGTH)), "unloaded")
UNLOADED = OFF_TRACK

CAPSTONE_AT = ("reserve", "sled", "ml", "cl", "built")
IN_RESERVE, ON_SLED, IN_MIDDLE_LIFT, IN_CAPSTONE_LIFT, BUILT = range(len(CAPSTONE_AT))

FIELDS = (
    seat("first_player", "start player", short="first"),
    choice("stage", "placing workers, choosing rows, or playing turns", STAGES),
    count("round", "round of play, 0 while workers are placed", high=NUM_ROUNDS),
    count("workers_placed", "workers placed before round 1", high=ALL_WORKERS, short="setup_k"),
    seat("order", "choosing order of the rows, then order of play", (SEATS,), dtype="i1", empty=NOTHING),
    count("order_index", "whose place in the order it is", high=SEATS, short="oi"),
    seat("turn_player", "whose turn it is: the nominator", dtype="i1", empty=NOTHING),
    bits("used_rows", "rows used in this dynasty", ROWS, per_seat=True, dtype="u1"),
    choice("row", "row chosen for this round", ROWS, per_seat=True, dtype="i1", empty=NOTHING),
    count("actions_left", "actions left in this turn", high=ACTIONS_PER_TURN, short="acts"),
    count("times_farmed", "farming actions done in this turn", high=2, short="n_farm"),
    count("times_fished", "fishing actions done in this turn", high=2, short="n_fish"),
    count("times_made_art", "art actions done in this turn", high=2, short="n_make"),
    flag("worker_in_hand", "a worker has walked off its track: in phase exit only", short="hand", observe=False),
    count("workers", f"workers in {', '.join(ZONES)}", high=MAX_WORKERS, shape=(NUM_ZONES,), per_seat=True),
    choice("sled_position", "where each sled stands; nothing: out of the game", SLED_AT, (NUM_QUARRIES,),
           dtype="i1", empty=NOTHING, short="sled_pos"),
    choice("sled_stone", "what each sled carries", STONES, (NUM_QUARRIES,), dtype="i1", empty=NOTHING),
    flag("base_built", f"base stones built at {', '.join(LOCATIONS)}", (NUM_LOCATIONS,)),
    flag("middle_built", f"middle stones built at {', '.join(LOCATIONS)}", (NUM_LOCATIONS,), short="mid_built"),
    choice("capstone", "where the capstone is", CAPSTONE_AT, short="cap_where"),
    count("middle_in_camp", "middle stones waiting in the Middle Lift Camp", high=STONES_PER_TIER, short="lift_mid"),
    count("middle_in_reserve", "middle stones in reserve", high=STONES_PER_TIER, short="reserve_mid"),
    count("food", "food in stock", high=FOOD_TOKENS, per_seat=True, dtype="i2", observe=False),
    count("art", "art in stock", high=ART_TOKENS, per_seat=True, observe=False),
    count("points", f"victory points for {', '.join(CATEGORIES)}", high=max(MOST_POINTS), shape=(len(CATEGORIES),), per_seat=True),
    choice("nominated", "the stone that is bid for", NOMINATIONS, dtype="i1", empty=NOTHING, short="nom"),
    count("bid_step", "the bidder, counted clockwise from the nominator", high=SEATS),
    count("food_bid", "food bids of the running auction", high=MAX_FOOD_BID, per_seat=True, empty=NOTHING, short="bids",
          observe=False),
    count("to_reassign", "workers to reassign from an unloaded sled", high=SPACE_CAPACITY, per_seat=True, short="pend"),
    choice("built_at", "location just built", LOCATIONS, dtype="i1", empty=NOTHING, short="loc"),
    count("art_bid", "secret art bid", high=ART_TOKENS, per_seat=True, empty=NOTHING, sees=OWNER, observe=False),
    # Derived: kept up to date by `enter` and `leave` so that legal moves are a matter of tables.
    count("crowd", "workers of all players in each zone", high=ALL_WORKERS, shape=(NUM_ZONES,), derived=True, observe=False),
    bits("stands_in", "zones where the player has workers", ZONES, per_seat=True, derived=True, observe=False),
    bits("closed", "spaces that take no worker: full, or not used at this table", ZONES, derived=True, observe=False),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, short={"num_players": "n_players", "current_player": "cur"})
