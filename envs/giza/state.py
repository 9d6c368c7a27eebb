"""The record of a game of Giza: its fields and its phases."""

from __future__ import annotations

from ..core.schema import OWNER, Schema, bits, choice, count, flag, seat
from .components import (
    ACTIONS_PER_TURN,
    ART_TOKENS,
    FOOD_TOKENS,
    LOCATIONS,
    MAX_FOOD_BID,
    MAX_VP,
    MAX_WORKERS,
    NOMINATIONS,
    NUM_LOCATIONS,
    NUM_QUARRIES,
    NUM_ROUNDS,
    NUM_ZONES,
    OFF_TRACK,
    ROWS,
    SPACE_CAPACITY,
    STONES,
    STONES_PER_TIER,
    ZONES,
)

SEATS = 4
ALL_WORKERS = 32  # four players with eight; three have ten each
NOTHING = -1
CREW_BASE = SPACE_CAPACITY + 1
MAX_CREW_CODE = MAX_WORKERS * (CREW_BASE**SEATS - 1) // (CREW_BASE - 1)  # camps hold more than four: their codes mean nothing

PHASES = ("setup", "row", "bonus", "action", "exit", "nominate", "food bid", "build", "reassign", "art bid", "stone", "over")
SETUP, ROW, BONUS, ACTION, EXIT, NOMINATE, FOOD_BID, BUILD, REASSIGN, ART_BID, STONE, OVER = range(len(PHASES))

STAGES = ("setup", "rows", "turns")
PLACING, CHOOSING, PLAYING = range(len(STAGES))

SLED_AT = ("quarry", "space 1", "space 2", "space 3", "unloaded")
UNLOADED = OFF_TRACK

CAPSTONE_AT = ("reserve", "sled", "ml", "cl", "built")
IN_RESERVE, ON_SLED, IN_MIDDLE_LIFT, IN_CAPSTONE_LIFT, BUILT = range(len(CAPSTONE_AT))

FIELDS = (
    seat("first_player", "start player", spec="first"),
    choice("stage", "placing workers, choosing rows, or playing turns", STAGES),
    count("round", "round of play, 0 while workers are placed", high=NUM_ROUNDS),
    count("workers_placed", "workers placed before round 1", high=ALL_WORKERS, spec="setup_k"),
    seat("order", "choosing order of the rows, then order of play", (SEATS,), dtype="i1", empty=NOTHING),
    count("order_index", "whose place in the order it is", high=SEATS, spec="oi"),
    seat("turn_player", "whose turn it is: the nominator", dtype="i1", empty=NOTHING),
    bits("used_rows", "rows used in this dynasty", ROWS, per_seat=True, dtype="u1"),
    choice("row", "row chosen for this round", ROWS, per_seat=True, dtype="i1", empty=NOTHING),
    count("actions_left", "actions left in this turn", high=ACTIONS_PER_TURN, spec="acts"),
    count("times_farmed", "farming actions done in this turn", high=2, spec="n_farm"),
    count("times_fished", "fishing actions done in this turn", high=2, spec="n_fish"),
    count("times_made_art", "art actions done in this turn", high=2, spec="n_make"),
    flag("worker_in_hand", "a worker has walked off its track", spec="hand"),
    count("workers", f"workers in {', '.join(ZONES)}", high=MAX_WORKERS, shape=(NUM_ZONES,), per_seat=True, observe=False),
    choice("sled_position", "where each sled stands; nothing: out of the game", SLED_AT, (NUM_QUARRIES,),
           dtype="i1", empty=NOTHING, spec="sled_pos"),
    choice("sled_stone", "what each sled carries", STONES, (NUM_QUARRIES,), dtype="i1", empty=NOTHING),
    flag("base_built", f"base stones built at {', '.join(LOCATIONS)}", (NUM_LOCATIONS,)),
    flag("middle_built", f"middle stones built at {', '.join(LOCATIONS)}", (NUM_LOCATIONS,), spec="mid_built"),
    choice("capstone", "where the capstone is", CAPSTONE_AT, spec="cap_where"),
    count("middle_in_camp", "middle stones waiting in the Middle Lift Camp", high=STONES_PER_TIER, spec="lift_mid"),
    count("middle_in_reserve", "middle stones in reserve", high=STONES_PER_TIER, spec="reserve_mid"),
    count("food", "food in stock", high=FOOD_TOKENS, per_seat=True, dtype="i2", observe=False),
    count("art", "art in stock", high=ART_TOKENS, per_seat=True, observe=False),
    count("vp", "victory points", high=MAX_VP, per_seat=True, dtype="i2", observe=False),
    choice("nominated", "the stone that is bid for", NOMINATIONS, dtype="i1", empty=NOTHING, spec="nom"),
    count("bid_step", "the bidder, counted clockwise from the nominator", high=SEATS),
    count("food_bid", "food bids of the running auction", high=MAX_FOOD_BID, per_seat=True, empty=NOTHING, spec="bids"),
    count("to_reassign", "workers to reassign from an unloaded sled", high=SPACE_CAPACITY, per_seat=True, spec="pend"),
    choice("built_at", "location just built", LOCATIONS, dtype="i1", empty=NOTHING, spec="loc"),
    count("art_bid", "secret art bid", high=ART_TOKENS, per_seat=True, empty=NOTHING, sees=OWNER),
    # Derived: kept up to date by `enter` and `leave` so that legal moves are a matter of tables.
    count("crowd", "workers of all players in each zone", high=ALL_WORKERS, shape=(NUM_ZONES,), derived=True, observe=False),
    count("crew_code", "workers of each seat in a zone as digits of a number in base 5: spaces hold four", high=MAX_CREW_CODE,
          shape=(NUM_ZONES,), derived=True, observe=False),
    bits("stands_in", "zones where the player has workers", ZONES, per_seat=True, derived=True, observe=False),
    bits("closed", "spaces that take no worker: full, or not used at this table", ZONES, derived=True, observe=False),
)  # fmt: skip

SCHEMA = Schema(SEATS, PHASES, FIELDS, spec={"num_players": "n_players", "current_player": "cur"})
