"""Farm, fish, make art: what is left in stock limits the yield (R8), and no yield is no action (R11)."""

from __future__ import annotations

from ..core.kernel.jit import inlined, kernel
from .actions import DO_FARM, DO_FISH, MAKE_ART
from .components import ART, ART_MAKING, ART_TOKENS, FARM, FARMING, FISHING, FOOD_TOKENS, MAX_WORKERS


@kernel
def food_left(s):
    return FOOD_TOKENS - s.food[0] - s.food[1] - s.food[2] - s.food[3]


@kernel
def art_left(s):
    return ART_TOKENS - s.art[0] - s.art[1] - s.art[2] - s.art[3]


@inlined
def legal_food(s, mask):
    p = s.current_player
    farmers, row, left = s.workers[p][FARM], s.row[p], food_left(s) > 0
    can_farm = left & (farmers >= 1) & (s.times_farmed < FARMING[row])
    can_fish = left & (farmers >= 2) & (s.times_fished < FISHING[row])
    mask[DO_FARM] = can_farm
    mask[DO_FISH] = can_fish
    return can_farm + can_fish


@kernel
def do_farm(s):
    p = s.current_player
    s.food[p] += min(s.workers[p][FARM], food_left(s))
    s.times_farmed += 1


@kernel
def do_fish(s):
    p = s.current_player
    s.food[p] += min(s.workers[p][FARM] // 2, food_left(s))
    s.times_fished += 1


@inlined
def legal_art(s, mask):
    p = s.current_player
    most = min(s.workers[p][ART], s.food[p], art_left(s)) * (s.times_made_art < ART_MAKING[s.row[p]])
    for amount in range(1, MAX_WORKERS + 1):
        mask[MAKE_ART + amount] = amount <= most
    return most


@kernel
def do_art(s, amount):
    p = s.current_player
    s.food[p] -= amount
    s.art[p] += amount
    s.times_made_art += 1
