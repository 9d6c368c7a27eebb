"""What the schema cannot say of an observation: stocks on two scales, bids, and what stones, lifts and temple would pay now."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ..core.declare.features import SEAT, Feature
from ..core.declare.grid import Grid
from ..core.kernel.jit import inlined
from ..core.kernel.seats import after
from ..core.kernel.writing import part, put_row, write_bits
from .auction import food_offered
from .components import (
    ART_TOKENS,
    CAPSTONE_LIFT,
    FINAL,
    FIRST_PLACE,
    FIRST_PLACE_OF_FINAL,
    FOOD_TOKENS,
    MAX_FOOD_BID,
    MAX_PUSH,
    MAX_WORKERS,
    MIDDLE_LIFT,
    NOTHING,
    NUM_CAMPS,
    NUM_LOCATIONS,
    NUM_NOMINATIONS,
    NUM_PYRAMID_ROWS,
    NUM_QUARRIES,
    NUM_ROUNDS,
    ORDINARY,
    PUSH_ALONE,
    RA,
    SEATS,
    SHARES,
    SOLO_BONUS,
    SPACE_CAPACITY,
    SPACES,
    TABLES,
)
from .production import art_left, food_left
from .scoring import push_share, share_of
from .state import BUILT
from .stones import eligible, on_track, sled_zone
from .turns import last_row_done

# --- The table ---------------------------------------------------------------------------------------------------------------


@inlined
def write_supply(s, me, out):
    food, art = np.float32(food_left(s)), np.float32(art_left(s))
    out[0] = food * np.float32(1 / FOOD_TOKENS)
    out[1] = art * np.float32(1 / ART_TOKENS)


@inlined
def write_eligible(s, me, out):
    write_bits(eligible(s), out)


@inlined
def write_food_offered(s, me, out):
    out[0] = np.float32(min(food_offered(s), MAX_PUSH)) * np.float32(1 / MAX_PUSH)


@inlined
def write_decorations_left(s, me, out):
    left = np.int64(s.capstone != BUILT)
    for at in range(0, NUM_LOCATIONS, 2):
        left += 1 - (s.base_built[at] & s.base_built[at + 1])
        left += 1 - (s.middle_built[at] & s.middle_built[at + 1])
    out[0] = np.float32(left) * np.float32(1 / (NUM_PYRAMID_ROWS + 1))


def _bid_rows(most: int) -> np.ndarray:
    """By bid, none first: whether it was made, and the bid by `most`."""
    return np.array([(0, 0), *((1, bid / most) for bid in range(most + 1))], np.float32)


PER_BID, PER_STOCK = 2, 2  # numbers
ART_BIDS, FOOD_BIDS = _bid_rows(ART_TOKENS), _bid_rows(MAX_FOOD_BID)


@inlined
def write_own_art_bid(s, me, out):
    put_row(ART_BIDS, s.art_bid[me] - NOTHING, out, PER_BID)


# --- Players -----------------------------------------------------------------------------------------------------------------


def _stock_rows(tokens: int, little: int) -> np.ndarray:
    """By amount: by all there is, and on a finer scale while there is little, because small amounts decide bids."""
    amounts = np.arange(tokens + 1)
    return np.stack([amounts / tokens, np.minimum(amounts, little) / little], axis=1).astype(np.float32)


A_LITTLE_FOOD, A_LITTLE_ART = 16, 12
FOOD_STOCKS, ART_STOCKS = _stock_rows(FOOD_TOKENS, A_LITTLE_FOOD), _stock_rows(ART_TOKENS, A_LITTLE_ART)


@inlined
def write_stock(s, me, p, out):
    put_row(FOOD_STOCKS, s.food[p], part(out, 0, PER_STOCK), PER_STOCK)
    put_row(ART_STOCKS, s.art[p], part(out, PER_STOCK, PER_STOCK), PER_STOCK)


@inlined
def write_food_bid(s, me, p, out):
    put_row(FOOD_BIDS, s.food_bid[p] - NOTHING, out, PER_BID)


def turns_writer(num_players: int) -> Any:
    @inlined
    def write_turns_left(s, me, out):
        rounds, done, p = (NUM_ROUNDS - s.round) * (s.over == 0), last_row_done(s), me
        for i in range(num_players):
            out[i] = np.float32(rounds + (s.row[p] > done)) * np.float32(1 / NUM_ROUNDS)
            p = after(p, num_players)

    return write_turns_left


# --- What sleds, lifts and temple would pay now --------------------------------------------------------------------------------
# The workers of all players in a zone are a number, and that number says which row of a table to copy: players as seen from each
# seat. There are few different rows, so they stay in the cache.


@inlined
def crew_number(s, zone, base):
    """The workers of the seats in a zone as digits."""
    number = 0
    for p in range(SEATS):
        number = number * base + s.workers[p, zone]
    return np.uint64(number)


def _crews(most: int) -> np.ndarray:
    """All crews of so many workers of each seat at most, in the order of their numbers."""
    return np.array(list(product(range(most + 1), repeat=SEATS)))


def _from_each_seat(rows: np.ndarray, num_players: int) -> np.ndarray:
    """By observer and row: the players, the observer first."""
    turned = [np.roll(rows[:, :num_players], -me, axis=1) for me in range(num_players)]
    return np.concatenate(turned).astype(np.float32)


def _shares(crews: np.ndarray, scale: int) -> np.ndarray:
    """As `scoring.share_of` for all seats of all crews."""
    ahead = (crews[:, None, :] > crews[:, :, None]).sum(2)
    tied = (crews[:, None, :] == crews[:, :, None]).sum(2)
    return SHARES[scale, ahead, tied] * (crews > 0)


SLED_DIGITS, CAMP_DIGITS = SPACE_CAPACITY + 1, MAX_WORKERS + 1
_sled_crews, _camp_crews = _crews(SPACE_CAPACITY), _crews(MAX_WORKERS)
_fits = _sled_crews.sum(1) <= SPACE_CAPACITY
SLED_ROW = (np.cumsum(_fits) - 1).astype(np.uint8)  # by crew number: the row of the crew
SLED_CREWS = _sled_crews[_fits]
_alone = (SLED_CREWS > 0) & (SLED_CREWS.sum(1, keepdims=True) == SLED_CREWS)
SLED_POINTS = _shares(SLED_CREWS, ORDINARY) + SOLO_BONUS * _alone
NO_CREW = 0
# Camps hold many more crews, but few rankings of them.
CAMP_SHARES, _rankings = np.unique(np.hstack([_shares(_camp_crews, k) for k in (ORDINARY, FINAL)]), axis=0, return_inverse=True)
CAMP_ROW = _rankings.reshape(-1).astype(np.uint8)


def sled_writer(num_players: int) -> Any:
    width, crews = 2 * num_players, len(SLED_CREWS)
    rows = np.hstack(
        [
            _from_each_seat(SLED_CREWS / SPACE_CAPACITY, num_players),
            _from_each_seat(SLED_POINTS / FIRST_PLACE_OF_FINAL, num_players),
        ]
    )

    @inlined
    def write_sleds(s, me, out):
        for quarry in range(NUM_QUARRIES):
            crew = crew_number(s, sled_zone(s, quarry), SLED_DIGITS) if on_track(s, quarry) else np.uint64(NO_CREW)
            put_row(rows, crews * me + SLED_ROW[crew], part(out, width * quarry, width), width)

    return write_sleds


def award_writer(num_players: int) -> Any:
    width, rankings = num_players, len(CAMP_SHARES)
    ordinary = _from_each_seat(CAMP_SHARES[:, :SEATS] / FIRST_PLACE_OF_FINAL, num_players)
    final = _from_each_seat(CAMP_SHARES[:, SEATS:] / FIRST_PLACE_OF_FINAL, num_players)

    @inlined
    def write_awards(s, me, out):
        first = rankings * me
        put_row(ordinary, first + CAMP_ROW[crew_number(s, MIDDLE_LIFT, CAMP_DIGITS)], part(out, 0, width), width)
        put_row(final, first + CAMP_ROW[crew_number(s, CAPSTONE_LIFT, CAMP_DIGITS)], part(out, width, width), width)
        put_row(ordinary, first + CAMP_ROW[crew_number(s, RA, CAMP_DIGITS)], part(out, 2 * width, width), width)

    return write_awards


FEATURES = (
    Feature("supply", 2, f"food and art left in the supply, by {FOOD_TOKENS} and {ART_TOKENS}", write_supply,
            by=(FOOD_TOKENS, ART_TOKENS)),
    Feature("eligible", NUM_NOMINATIONS, "stones with workers enough to be nominated: four sleds, three lifts", write_eligible,
            by=1),
    Feature("food_offered", 1, f"food bid so far by {MAX_PUSH}, at most 1", write_food_offered, by=MAX_PUSH),
    Feature("decorations_left", 1, f"rows to be completed and the capstone, by {NUM_PYRAMID_ROWS + 1}", write_decorations_left,
            by=NUM_PYRAMID_ROWS + 1),
    Feature("own_art_bid", 2, f"the secret bid: made (0/1), art by {ART_TOKENS}; no bid: 0, 0", write_own_art_bid,
            by=(1, ART_TOKENS)),
    Feature("stock", 4,
            f"food by {FOOD_TOKENS}, and up to {A_LITTLE_FOOD} by {A_LITTLE_FOOD}; art by {ART_TOKENS}, and up to "
            f"{A_LITTLE_ART} by {A_LITTLE_ART}", write_stock, per=SEAT,
            by=(FOOD_TOKENS, A_LITTLE_FOOD, ART_TOKENS, A_LITTLE_ART)),
    Feature("food_bid", 2, f"of the running auction: made (0/1), food by {MAX_FOOD_BID}; no bid: 0, 0", write_food_bid, per=SEAT,
            by=(1, MAX_FOOD_BID)),
    *(Feature("turns_left", n, f"per seat: turns in which the player can still act, by {NUM_ROUNDS}", turns_writer(n), at=(n,),
              by=NUM_ROUNDS)
      for n in TABLES),
    *(Feature("sleds", NUM_QUARRIES * 2 * n,
              f"per sled: workers of each seat on it by {SPACE_CAPACITY}; points of each if it unloaded now, by "
              f"{FIRST_PLACE_OF_FINAL}; a sled that is not on its track: zeros", sled_writer(n),
              at=(n,), things=NUM_QUARRIES, by=(*(SPACE_CAPACITY,) * n, *(FIRST_PLACE_OF_FINAL,) * n)) for n in TABLES),
    *(Feature("awards", 3 * n,
              f"points of each seat by {FIRST_PLACE_OF_FINAL}: of a lift from ml and of the final lift if bids were by workers, "
              "of the temple if a tier were completed now", award_writer(n), at=(n,),
              by=FIRST_PLACE_OF_FINAL) for n in TABLES),
)  # fmt: skip

# --- On a plane: a row per track, from its quarry to the pyramid, and a row of camps --------------------------------------------

WIDTH = max(SPACES, NUM_CAMPS)
SPACE_CELLS = tuple(WIDTH * quarry + i for quarry in range(NUM_QUARRIES) for i in range(SPACES))
CAMP_CELLS = tuple(WIDTH * NUM_QUARRIES + camp for camp in range(NUM_CAMPS))
TRACKS = tuple(tuple(WIDTH * quarry + i for i in range(WIDTH)) for quarry in range(NUM_QUARRIES))  # what is told of a whole track
PYRAMID_CELLS = (0, 1, WIDTH, WIDTH + 1)  # rows {A, B} and {C, D}

PLANES = Grid(
    NUM_QUARRIES + 1,
    WIDTH,
    {
        "workers": CAMP_CELLS + SPACE_CELLS,
        "sled_position": TRACKS,
        "sled_stone": TRACKS,
        "sleds": TRACKS,
        "base_built": PYRAMID_CELLS,
        "middle_built": PYRAMID_CELLS,
    },
)

# --- What an action changes -----------------------------------------------------------------------------------------------------


@inlined
def write_own_stock(s, me, out):
    out[0] = s.food[me] / FOOD_TOKENS
    out[1] = s.art[me] / ART_TOKENS


@inlined
def write_prospects(s, me, out):
    sleds = 0
    for quarry in range(NUM_QUARRIES):
        if on_track(s, quarry):
            sleds += push_share(s.workers[:, sled_zone(s, quarry)], s.num_players, me)
    out[0] = sleds / (NUM_QUARRIES * PUSH_ALONE)
    out[1] = share_of(s.workers[:, MIDDLE_LIFT], s.num_players, me, ORDINARY) / FIRST_PLACE
    out[2] = share_of(s.workers[:, CAPSTONE_LIFT], s.num_players, me, FINAL) / FIRST_PLACE_OF_FINAL
    out[3] = share_of(s.workers[:, RA], s.num_players, me, ORDINARY) / FIRST_PLACE


LOOKAHEAD = (
    Feature("own_stock", 2, f"food by {FOOD_TOKENS}, art by {ART_TOKENS}", write_own_stock),
    Feature("prospects", 4,
            f"own points if all sleds unloaded now, by {NUM_QUARRIES * PUSH_ALONE}; of a lift from ml by {FIRST_PLACE}, of the "
            f"final lift by {FIRST_PLACE_OF_FINAL}, of the temple by {FIRST_PLACE}", write_prospects),
)  # fmt: skip
