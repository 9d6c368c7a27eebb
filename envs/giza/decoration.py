"""After a stone was built: secret bids of art, the Temple of Ra, and the sled returns with a new stone."""

from __future__ import annotations

from ..core.jit import inlined, kernel
from .actions import BID_ART, LOAD_CAPSTONE, LOAD_MIDDLE
from .components import CAPSTONE, FINAL, FINAL_LIFT, LIFT_MIDDLE, MIDDLE, ORDINARY, RA, STONES_PER_TIER
from .marks import mark_run
from .scoring import award
from .state import ART_BID, IN_RESERVE, NOTHING, ON_SLED, STONE
from .stones import built
from .turns import TURN_OVER, ask_nominator, finish
from .workers import clockwise

# --- Decorate: secret bids of art ---------------------------------------------------------------------------------------------


@kernel
def decorate(s, tier):
    """A row of two stones is decorated when it is complete."""
    if s.built_at != NOTHING and tier[s.built_at ^ 1]:
        start_art_bids(s)
    else:
        honour_ra(s)


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
        return
    for p in range(s.num_players):
        s.art[p] -= s.art_bid[p]
    award(s, s.art_bid, FINAL if s.nominated == FINAL_LIFT else ORDINARY)
    s.art_bid[:] = NOTHING
    s.bid_step = 0
    honour_ra(s)


# --- The Temple of Ra ---------------------------------------------------------------------------------------------------------


@kernel
def tier_just_completed(s):
    if s.nominated == FINAL_LIFT:
        return True
    if s.built_at == NOTHING:
        return False
    return built(s.middle_built if s.nominated == LIFT_MIDDLE else s.base_built) == STONES_PER_TIER


@kernel
def honour_ra(s):
    if tier_just_completed(s):
        award(s, s.workers[:, RA], ORDINARY)  # R27: with the workers that were just reassigned
    if s.nominated < LIFT_MIDDLE:
        return_sled(s, s.nominated)
    elif s.nominated == LIFT_MIDDLE:
        s.phase = TURN_OVER
    else:
        finish(s)


# --- The sled returns ---------------------------------------------------------------------------------------------------------


@kernel
def return_sled(s, quarry):
    if s.middle_in_reserve == 0 and s.capstone != IN_RESERVE:
        s.sled_position[quarry] = NOTHING
        s.phase = TURN_OVER
    else:
        s.sled_position[quarry] = 0  # R54: whoever waits in the quarry is now on the sled
        ask_nominator(s, STONE)


@inlined
def legal_stone(s, mask):
    has_middle, has_capstone = s.middle_in_reserve > 0, s.capstone == IN_RESERVE
    mask[LOAD_MIDDLE] = has_middle
    mask[LOAD_CAPSTONE] = has_capstone
    return has_middle + has_capstone


@kernel
def do_stone(s, action):
    if action == LOAD_MIDDLE:
        s.sled_stone[s.nominated] = MIDDLE
        s.middle_in_reserve -= 1
    else:
        s.sled_stone[s.nominated] = CAPSTONE
        s.capstone = ON_SLED
    s.phase = TURN_OVER
