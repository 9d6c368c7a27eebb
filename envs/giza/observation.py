"""What the schema cannot say of an observation: stocks and workers on a useful scale, what is eligible, what places would pay."""

from __future__ import annotations

import numpy as np

from ...encoders.flat import Feature
from ..core.jit import kernel
from .components import (
    ART_TOKENS,
    CAPSTONE_LIFT,
    CREW,
    FINAL,
    FOOD_TOKENS,
    MAX_PUSH,
    MIDDLE_LIFT,
    NUM_CAMPS,
    NUM_NOMINATIONS,
    NUM_QUARRIES,
    NUM_ZONES,
    ORDINARY,
    POINTS,
    RA,
    SPACE_CAPACITY,
    ZONES,
)
from .rules import art_left, bidders_left, clockwise, eligible, food_left, food_offered, space_of
from .scoring import push_share, share_of
from .state import FOOD_BID, NOTHING, SEATS, UNLOADED

# What counts as plenty: larger amounts are cut off at 1.
MUCH_VP, MUCH_FOOD, MUCH_ART = 100, 32, 16
ZONE_SHARE = 1 / np.array([8.0] * NUM_CAMPS + [float(SPACE_CAPACITY)] * (NUM_ZONES - NUM_CAMPS))
MOST_POINTS = POINTS[FINAL][0]

PER_SLED, PER_STOCK, PER_PROSPECT = 2, 3, NUM_QUARRIES + 3


def feature_table(num_players: int) -> list[Feature]:
    return [
        Feature("supply", 2, "food and art left in the supply, by 128 and 60"),
        Feature("eligible", NUM_NOMINATIONS, "stones with workers enough to be nominated: four sleds, three lifts"),
        Feature("auction", 2, "food bid so far by 8, bidders still to come by 4"),
        Feature("sleds", NUM_QUARRIES * PER_SLED, "per sled: workers on it by 4, enough of them"),
        Feature("stocks", num_players * PER_STOCK, "per seat: victory points by 100, food by 32, art by 16, at most 1"),
        Feature("places", num_players * NUM_ZONES, f"per seat: workers in {', '.join(ZONES)}, by 8 in camps and by 4 in spaces"),
        Feature("prospects", num_players * PER_PROSPECT,
                "per seat: points by 10 if each of four sleds, the lift camps (ranked by workers) and the Temple were scored now"),
    ]  # fmt: skip


@kernel
def features(s, observer, out):
    out[0] = food_left(s) * (1 / FOOD_TOKENS)
    out[1] = art_left(s) * (1 / ART_TOKENS)
    stones = eligible(s)
    for stone in range(NUM_NOMINATIONS):
        out[2 + stone] = stones >> stone & 1
    at = 2 + NUM_NOMINATIONS
    if s.phase == FOOD_BID:
        out[at] = min(1.0, food_offered(s) / MAX_PUSH)
        out[at + 1] = bidders_left(s) * (1 / SEATS)
    at += 2
    for quarry in range(NUM_QUARRIES):
        write_sled(s, quarry, out[at:])
        at += PER_SLED
    for i in range(s.num_players):
        write_stock(s, clockwise(s, observer, i), out[at:])
        at += PER_STOCK
    for i in range(s.num_players):
        p = clockwise(s, observer, i)
        for zone in range(NUM_ZONES):
            out[at + zone] = min(1.0, s.workers[p][zone] * ZONE_SHARE[zone])
        at += NUM_ZONES
    for i in range(s.num_players):
        write_prospect(s, clockwise(s, observer, i), out[at:])
        at += PER_PROSPECT


@kernel
def write_sled(s, quarry, out):
    position = s.sled_position[quarry]
    if NOTHING < position < UNLOADED:
        crew = s.crowd[space_of(quarry, position)]
        out[0] = crew * (1 / SPACE_CAPACITY)
        out[1] = crew >= CREW


@kernel
def write_stock(s, p, out):
    out[0] = min(1.0, s.vp[p] / MUCH_VP)
    out[1] = min(1.0, s.food[p] / MUCH_FOOD)
    out[2] = min(1.0, s.art[p] / MUCH_ART)


@kernel
def write_prospect(s, p, out):
    n = s.num_players
    for quarry in range(NUM_QUARRIES):
        position = s.sled_position[quarry]
        if NOTHING < position < UNLOADED:
            out[quarry] = push_share(s.workers[:, space_of(quarry, position)], n, p) * (1 / MOST_POINTS)
    out[NUM_QUARRIES] = share_of(s.workers[:, MIDDLE_LIFT], n, p, ORDINARY) * (1 / MOST_POINTS)
    out[NUM_QUARRIES + 1] = share_of(s.workers[:, CAPSTONE_LIFT], n, p, FINAL) * (1 / MOST_POINTS)
    out[NUM_QUARRIES + 2] = share_of(s.workers[:, RA], n, p, ORDINARY) * (1 / MOST_POINTS)
