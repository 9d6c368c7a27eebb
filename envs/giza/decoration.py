"""After a stone was built: secret bids of art, the Temple of Ra, and the sled returns with a new stone."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from ..core.kernel.jit import inlined, kernel
from .actions import BID_ART, LOAD, LOAD_CAPSTONE, LOAD_MIDDLE
from .components import (
    CAPSTONE,
    FINAL,
    FINAL_LIFT,
    FOR_DECORATION,
    LIFT_CAPSTONE,
    LIFT_MIDDLE,
    LOCATIONS,
    MIDDLE,
    NOTHING,
    NUM_NOMINATIONS,
    NUM_QUARRIES,
    ORDINARY,
    STONES_PER_TIER,
)
from .marks import mark_run
from .pending import TURN, asked, bids_in_order, delivered, has_a_crew, nominated_one_of, only, sled_has_passed
from .scoring import award, award_temple
from .state import ART_BID, BUILT, IN_RESERVE, ON_SLED, STONE
from .stones import built
from .turns import TURN_GOES_ON, TURN_OVER, ask_nominator, on_turn
from .workers import clockwise

# --- Decorate: secret bids of art ---------------------------------------------------------------------------------------------


@kernel
def completes_row(tier, at):
    """Whether a stone just built at a location is the second of its row."""
    return tier[at ^ 1] == 1


@kernel
def start_art_bids(s):
    s.phase = ART_BID
    ask_for_art(s, 1)


@kernel
def ask_for_art(s, bid_step):
    s.bid_step = bid_step
    s.current_player = clockwise(s, s.turn_player, bid_step)


@inlined
def legal_art_bid(s, mask):
    return mark_run(mask, BID_ART, s.art[s.current_player] + 1)


@kernel
def do_art_bid(s, art):
    s.art_bid[s.current_player] = art
    if s.bid_step < s.num_players:
        ask_for_art(s, s.bid_step + 1)
        return TURN_GOES_ON
    for p in range(s.num_players):
        s.art[p] -= s.art_bid[p]
    award(s, s.art_bid, FINAL if s.nominated == FINAL_LIFT else ORDINARY, FOR_DECORATION)
    s.art_bid[:] = NOTHING
    s.bid_step = 0
    return after_building(s)


def check_art_bid(s: np.void) -> Findings:
    yield from only(s, *TURN, "nominated", "bid_step", "built_at", "art_bid")
    yield from on_turn(s)
    yield from bids_in_order(s, "art_bid", s["art"].tolist())
    yield from nominated_one_of(s, [stone for stone in range(NUM_NOMINATIONS) if stone != LIFT_CAPSTONE])
    yield from row_is_complete(s)
    if s["nominated"] < NUM_QUARRIES:
        yield from sled_has_passed(s)
    else:
        yield from has_a_crew(s)


def row_is_complete(s: np.void) -> Findings:
    """What is decorated: the row of the location just built, or the capstone."""
    at = int(s["built_at"])
    if s["nominated"] == FINAL_LIFT:
        if at != NOTHING or s["capstone"] != BUILT:
            yield "built_at" if at != NOTHING else "capstone", "the capstone is decorated"
        return
    tier = s["middle_built"] if s["nominated"] == LIFT_MIDDLE else s["base_built"]
    if at == NOTHING or not (tier[at] and tier[at ^ 1]):
        yield "built_at", f"{'nothing' if at == NOTHING else LOCATIONS[at]} completes no row"
    elif s["nominated"] < LIFT_MIDDLE and s["middle_built"][at]:
        yield "built_at", f"at {LOCATIONS[at]} no base stone was just built"


# --- The Temple of Ra, and what comes then ------------------------------------------------------------------------------------


@kernel
def tier_just_completed(s):
    if s.nominated == FINAL_LIFT:
        return True
    if s.built_at == NOTHING:
        return False
    return built(s.middle_built if s.nominated == LIFT_MIDDLE else s.base_built) == STONES_PER_TIER


@kernel
def after_building(s):
    """Ra is honoured if a tier is complete, by the workers just reassigned too (R27); then the sled returns, if there is one."""
    if tier_just_completed(s):
        award_temple(s)
    if s.nominated < LIFT_MIDDLE:
        return return_sled(s, s.nominated)
    return TURN_OVER


# --- The sled returns ---------------------------------------------------------------------------------------------------------


@kernel
def return_sled(s, quarry):
    if s.middle_in_reserve == 0 and s.capstone != IN_RESERVE:
        s.sled_position[quarry] = NOTHING
        return TURN_OVER
    s.sled_position[quarry] = 0  # R54: whoever waits in the quarry is now on the sled
    ask_nominator(s, STONE)
    return TURN_GOES_ON


@inlined
def legal_stone(s, mask):
    has_middle, has_capstone = s.middle_in_reserve > 0, s.capstone == IN_RESERVE
    mask[LOAD + LOAD_MIDDLE] = has_middle
    mask[LOAD + LOAD_CAPSTONE] = has_capstone
    return has_middle + has_capstone


@kernel
def do_stone(s, stone):
    if stone == LOAD_MIDDLE:
        s.sled_stone[s.nominated] = MIDDLE
        s.middle_in_reserve -= 1
    else:
        s.sled_stone[s.nominated] = CAPSTONE
        s.capstone = ON_SLED
    return TURN_OVER


def check_stone(s: np.void) -> Findings:
    yield from only(s, *TURN, "nominated", "built_at")
    yield from on_turn(s)
    yield from asked(s, int(s["turn_player"]))
    yield from nominated_one_of(s, range(NUM_QUARRIES))
    yield from sled_has_passed(s)
    yield from delivered(s)
    if not s["middle_in_reserve"] and s["capstone"] != IN_RESERVE:
        yield "middle_in_reserve", "nothing is left that the sled could carry"
