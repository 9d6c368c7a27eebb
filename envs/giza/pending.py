"""What is pending in a position from outside: each phase needs its own things, and all others must be at rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..core.declare.phases import Findings
from .components import (
    BUILT_BEFOREHAND,
    CAPSTONE_LIFT,
    CREW,
    FINAL_LIFT,
    LIFT_CAPSTONE,
    LIFT_MIDDLE,
    LOCATIONS,
    MIDDLE_LIFT,
    NOMINATIONS,
    NOTHING,
    NUM_QUARRIES,
    TRACK_LENGTH,
)
from .state import IN_CAPSTONE_LIFT, IN_MIDDLE_LIFT, PHASES, UNLOADED
from .workers import space_of

AT_REST = {
    "turn_player": NOTHING,
    "actions_left": 0,
    "times_farmed": 0,
    "times_fished": 0,
    "times_made_art": 0,
    "worker_in_hand": 0,
    "nominated": NOTHING,
    "bid_step": 0,
    "food_bid": NOTHING,
    "to_reassign": 0,
    "built_at": NOTHING,
    "art_bid": NOTHING,
}
TURN = ("turn_player", "times_farmed", "times_fished", "times_made_art")  # what a turn keeps to its end


def phase_of(s: np.void) -> str:
    return f"in phase {PHASES[s['phase']]!r}"


def only(s: np.void, *pending: str) -> Findings:
    """All is at rest but for what may be pending."""
    for field, rest in AT_REST.items():
        if field not in pending and np.any(s[field] != rest):
            yield field, f"{np.array(s[field]).tolist()} {phase_of(s)}, expected {rest}"


def asked(s: np.void, player: int) -> Findings:
    if s["current_player"] != player:
        yield "current_player", f"{s['current_player']} is asked {phase_of(s)}, expected {player}"


def clockwise_of_nominator(s: np.void) -> Iterator[int]:
    """All seats in the order of bids: the nominator comes last."""
    n = int(s["num_players"])
    return ((int(s["turn_player"]) + i) % n for i in range(1, n + 1))


def bids_in_order(s: np.void, field: str, most: list[int]) -> Findings:
    """Who was asked before has bid within its means, nobody else has; who is asked can bid. `most`: by seat, NOTHING: not asked."""
    n = int(s["num_players"])
    if not 1 <= s["bid_step"] <= n:
        yield "bid_step", f"{s['bid_step']} {phase_of(s)}, the bidders are 1 to {n}"
        return
    order = list(clockwise_of_nominator(s))
    current = order[s["bid_step"] - 1]
    yield from asked(s, current)
    if most[current] == NOTHING:
        yield "bid_step", f"seat {current} has no workers with the stone"
    for i, p in enumerate(order, 1):
        bid, due = s[field][p], i < s["bid_step"] and most[p] != NOTHING
        if due and not 0 <= bid <= most[p]:
            yield field, f"{bid} of seat {p}, who was asked already and could bid 0 to {most[p]}"
        if not due and bid != NOTHING:
            yield field, f"{bid} of seat {p}, who was not asked yet"


# --- The stone of the turn ---------------------------------------------------------------------------------------------------


def crew_zone_of(s: np.void, stone: int) -> int:
    """Where the workers stand who can move a stone; a sled must be on its track."""
    if stone < LIFT_MIDDLE:
        return int(space_of.py_func(stone, int(s["sled_position"][stone])))
    return CAPSTONE_LIFT if stone == FINAL_LIFT else MIDDLE_LIFT


def nominated_one_of(s: np.void, stones: Sequence[int]) -> Findings:
    if s["nominated"] not in stones:
        possible = ", ".join(NOMINATIONS[stone] for stone in stones)
        yield "nominated", f"{s['nominated']} {phase_of(s)}, possible are {possible}"


def can_be_moved(s: np.void) -> Findings:
    """The nominated stone is where it is moved from, and has a crew."""
    stone = int(s["nominated"])
    if stone < LIFT_MIDDLE and not NOTHING < s["sled_position"][stone] < UNLOADED:
        yield "nominated", f"sled {stone} is not on its track"
        return
    free = int(s["base_built"].sum()) - int(s["middle_built"].sum())
    if stone == LIFT_MIDDLE and not (s["middle_in_camp"] and free):
        yield "nominated", "no middle stone waits in the lift camp, or no base stone is free to carry it"
    if stone == LIFT_CAPSTONE and not (s["capstone"] == IN_MIDDLE_LIFT and s["middle_built"].all()):
        yield "nominated", "the capstone is not in the Middle Lift Camp, or the other eight stones do not stand"
    if stone == FINAL_LIFT and s["capstone"] != IN_CAPSTONE_LIFT:
        yield "nominated", "the capstone is not in the Capstone Lift Camp"
    yield from has_a_crew(s)


def has_a_crew(s: np.void) -> Findings:
    crew = int(s["workers"][:, crew_zone_of(s, int(s["nominated"]))].sum())
    if crew < CREW:
        yield "workers", f"{crew} with the nominated stone, it needs {CREW}"


def sled_has_passed(s: np.void) -> Findings:
    """An unloaded sled has crushed or carried away whoever stood in the last space of its track."""
    last = space_of.py_func(int(s["nominated"]), TRACK_LENGTH)
    if 0 <= s["nominated"] < NUM_QUARRIES and s["workers"][:, last].any():
        yield "workers", f"the sled of quarry {s['nominated']} has just swept the last space of its track"


def delivered(s: np.void) -> Findings:
    """A sled has brought a base stone, which was just built, or a stone that waits in the Middle Lift Camp."""
    at = int(s["built_at"])
    if at == NOTHING and not s["middle_in_camp"] and s["capstone"] != IN_MIDDLE_LIFT:
        yield "built_at", "nothing is built, and no stone is in the Middle Lift Camp"
    if at != NOTHING and (not s["base_built"][at] or s["middle_built"][at] or at < BUILT_BEFOREHAND[s["num_players"]]):
        yield "built_at", f"at {LOCATIONS[at]} no base stone was just built"
