"""Reading a position in plain Python, for the checks of positions that come from outside."""

from __future__ import annotations

import numpy as np

from .components import ALLOWS_OBELISK, ALLOWS_TOMB, LARGE_TABLE, NUM_TILES, SEKHMET, SMALL_TABLE, THOTH
from .state import BUILD_OBELISK, BUILD_PYRAMID, BUILD_TOMB, CHOOSE_GOD, DISCARD, NOTHING, PHASES, TAKE_PAIR

Builds = tuple[int, int]  # cards that a turn puts onto the Obelisk and into the Tomb

NEITHER: Builds = (0, 0)


def cards_in(places: np.ndarray) -> list[int]:
    """What is there, in the order of the places: cards, or owners of tiles."""
    return [int(c) for c in np.ravel(places) if c != NOTHING]


def where(s: np.void) -> str:
    return f"in phase {PHASES[s['phase']]!r} of round {s['round']}"


def turns_begun(s: np.void) -> list[int]:
    """The seats that have taken a pair this round, in order."""
    if s["phase"] == CHOOSE_GOD:
        return []
    up_to = NUM_TILES if s["tile"] == NOTHING else int(s["tile"]) + (s["phase"] != TAKE_PAIR)
    return cards_in(s["tile_owner"][:up_to])


def allowed_builds(tile: int, num_players: int) -> set[Builds]:
    """What a turn with a tile may build besides the Pyramid."""
    obelisk, tomb = range(ALLOWS_OBELISK[tile] + 1), range(ALLOWS_TOMB[tile] + 1)
    one_only = tile == SEKHMET and num_players >= LARGE_TABLE
    return {(o, t) for o in obelisk for t in tomb if not (o and t and one_only)}


def builds_this_round(s: np.void, p: int) -> set[Builds]:
    """What p may have built besides the Pyramid in this round, up to now."""
    if p not in turns_begun(s) or (p == s["current_player"] and s["phase"] in (BUILD_PYRAMID, BUILD_OBELISK)):
        return {NEITHER}
    if p == s["current_player"] and s["phase"] == BUILD_TOMB:
        return {(int(s["built_obelisk"]), 0)}
    return allowed_builds(int(np.flatnonzero(s["tile_owner"] == p)[0]), int(s["num_players"]))


def tiles_in_play(s: np.void, round_: int) -> list[int]:
    """The tiles that could be chosen in a round up to this one."""
    if s["num_players"] != SMALL_TABLE:
        return list(range(NUM_TILES if s["num_players"] >= LARGE_TABLE else THOTH))
    removed = (int(s["removed_tile"]) - int(s["round"]) + round_) % THOTH
    return [tile for tile in range(THOTH) if tile != removed]


def cuts_done(s: np.void) -> list[int]:
    """The seats whose hands were looked at, and cut if need be, before the one that discards now."""
    if s["phase"] != DISCARD:
        return []
    n, first = int(s["num_players"]), int(s["first_player"])
    return [(first + i) % n for i in range((int(s["current_player"]) - first) % n)]
