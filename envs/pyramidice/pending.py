"""A turn in progress, in plain Python: what it leaves in the record, and what every position in the middle of one must show.

The check of a phase stands beside the phase; what several of them need is here. Nothing is compiled: a position from outside is
looked at before a kernel touches it.
"""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from . import components as pieces
from .actions import MOST_STONE_DICE
from .state import FOR_COPY, HELD, NONE, PHASES

WORK = ("in_work", "rest_pending", "pool", "used", "copied", "reroll_used", "gold_used", "copy_used")
SELECTION = ("selected", "last_selected")
GAINS = ("queue", "queue_length", "afterwards")
BUILD = ("build_value", "build_space")
NEEDS = ("need_value", "need_any", "need_stone", "need_same", "need_workers", "need_cats")
PAYMENT = ("payment", "payment_for", *NEEDS, "paid_workers")
CHANGE = ("change_kind", "change_value")
SLOTS = ("slot_queue", "slot_queue_length")
OF_A_TURN = (*WORK, *SELECTION, *GAINS, *BUILD, *PAYMENT, *CHANGE, *SLOTS, "drop_reason", "lose_reason", "pearl_fame")
EMPTY = {"copied": NONE, "build_space": NONE, "slot_queue": NONE}  # the others are 0

ONCE_A_TURN = sum(1 << pieces.GODS.index(g) for g in (*pieces.USABLE_GODS, *pieces.TRIAD) if g != "Khepri")

# --- Who decides, and what may be pending --------------------------------------------------------------------------------------


def nothing_but(s: np.void, *fields: str) -> Findings:
    """Of all that a turn leaves in the record, only these fields may hold something."""
    for field in OF_A_TURN:
        if field not in fields and (s[field] != EMPTY.get(field, 0)).any():
            yield field, f"must be empty in phase {PHASES[s['phase']]!r}"


def turn_player_decides(s: np.void) -> Findings:
    if s["current_player"] != s["turn_player"]:
        yield "current_player", f"{s['current_player']}, but it is the turn of {s['turn_player']}"


def before_the_turn(s: np.void) -> Findings:
    """Nothing has happened since the last turn was finished."""
    yield from turn_player_decides(s)
    yield from nothing_but(s)
    deck_is_empty = s["deck_position"] == s["deck_end"]
    if (s["row"] == NONE).any() and not deck_is_empty:
        yield "row", "not full at the start of a turn"
    if s["pharaoh"] == NONE and (deck_is_empty or s["supply"][pieces.STONE] == 0):
        yield "pharaoh", "the supply of Stone dice or the deck is empty, so somebody has taken the tile"


def in_a_work_turn(s: np.void, *fields: str) -> Findings:
    """A Work turn is running; beyond what it always leaves in the record, only `fields` may hold something."""
    yield from nothing_but(s, *WORK, *fields)
    t = int(s["turn_player"])
    if not s["in_work"]:
        yield "in_work", f"no Work turn is running, but the phase is {PHASES[s['phase']]!r}"
    if s["resources"][t][pieces.STONE]:
        yield "resources", "the Stone dice of a Work turn's player lie in the Quarry"
    if s["rest_pending"] and not tile_is_in_use(s, pieces.TILE_WORK):
        yield "rest_pending", "the tile `work` is not in use"
    if not s["rest_pending"] and tiles_of(s, t) == pieces.FULL_SET_OF_TILES:
        yield "tile_place", "three tiles in a Work turn that no tile began"
    if s["gold_used"] and s["scarab"][t] != pieces.GOLD:
        yield "gold_used", "the turn player has no Golden Cat"
    yield from _borrowed_from_the_row(s)
    yield from _used_once(s)
    yield from _rolled(s)


def _borrowed_from_the_row(s: np.void) -> Findings:
    t, copied = int(s["turn_player"]), int(s["copied"])
    if s["copy_used"] and s["scarab"][t] != pieces.AMETHYST:
        yield "copy_used", "the turn player has no Amethyst"
    if bool(s["copy_used"]) != (copied != NONE or s["payment"] == FOR_COPY):
        yield "copy_used", "Amethyst is spent exactly if a power was borrowed, or is being paid for"
    seen = int(s["gods"][t]) | int(s["discards"]) | set_of_row(s)
    if copied != NONE and not (pieces.COPYABLE[copied] and seen >> copied & 1):
        yield "copied", f"{pieces.GODS[copied]} cannot have been borrowed"


def _used_once(s: np.void) -> Findings:
    used = int(s["used"])
    if used & ~ONCE_A_TURN:
        yield "used", "a God is marked that is not used once in a Work turn"
    gone = used & ~powers_of(s)
    if gone and not (gone & int(s["discards"]) == gone and gone.bit_count() == 1 and used >> pieces.ATON & 1):
        yield "used", "the turn player has not had these powers"


def _rolled(s: np.void) -> Findings:
    """Beyond the first roll dice come from Mertseger and the Triad, each once, and once more after Ptah."""
    pool = s["pool"].astype(int)
    used, again = int(s["used"]), int(s["used"]) >> pieces.PTAH & 1
    real = pool[: pieces.REAL_KINDS].sum() + s["selected"].astype(int).sum()
    if real > MOST_STONE_DICE + (used >> pieces.MERTSEGER & 1) + again:
        yield "pool", f"{real} dice are more than can have been rolled"
    for i, name in enumerate(pieces.TRIAD):
        if pool[pieces.VIRTUAL][2 * i : 2 * i + 2].sum() > (used >> (pieces.KHNUM + i) & 1) + again:
            yield "pool", f"virtual dice that {name} has not given"


# --- Questions that checks ask -------------------------------------------------------------------------------------------------


def tiles_of(s: np.void, p: int) -> int:
    return int((s["tile_place"] == HELD + p).sum())


def tile_is_in_use(s: np.void, tile: int) -> bool:
    """The turn player may have rested with it in this turn: he holds it, or Emerald has turned it face down."""
    t, place = int(s["turn_player"]), int(s["tile_place"][tile])
    return place == HELD + t or (place >= HELD and bool(s["tile_flipped"][tile]) and s["scarab"][t] == pieces.EMERALD)


def set_of_row(s: np.void) -> int:
    return sum(1 << int(god) for god in s["row"] if god != NONE)


def powers_of(s: np.void) -> int:
    borrowed = 1 << int(s["copied"]) if s["copied"] != NONE else 0
    return int(s["gods"][s["turn_player"]]) | borrowed


def has_power(s: np.void, god: int) -> bool:
    return bool(powers_of(s) >> god & 1)


def is_used(s: np.void, god: int) -> bool:
    return bool(int(s["used"]) >> god & 1)


def gods_of(s: np.void, p: int) -> int:
    """The Ennead stack is one God."""
    gods = int(s["gods"][p])
    return (gods >> pieces.NUM_ENNEAD).bit_count() + (gods & (1 << pieces.NUM_ENNEAD) - 1 > 0)


def cult_limit(s: np.void) -> int:
    own = s["resources"][s["turn_player"]]
    return int(own[pieces.WORKER]) + int(own[pieces.CAT]) + (pieces.ANUBIS_LIMIT if has_power(s, pieces.ANUBIS) else 0)


def is_payable(s: np.void, workers: int, cats: int) -> bool:
    t = int(s["turn_player"])
    own_workers, own_cats = (int(s["resources"][t][x]) for x in (pieces.WORKER, pieces.CAT))
    own_cats += s["scarab"][t] == pieces.GOLD and not s["gold_used"]
    if has_power(s, pieces.BASTET):
        return own_workers + own_cats >= workers + cats
    return own_workers >= workers and own_cats >= cats


# --- What is being built -------------------------------------------------------------------------------------------------------


def check_building(s: np.void) -> Findings:
    """The die is at hand, and the space it goes to, if one was chosen, is open."""
    value, space = int(s["build_value"]), int(s["build_space"])
    if value == 0 or s["pool"][pieces.STONE_DIE][value - 1] == 0:
        yield "build_value", "no such Stone die is at hand"
    filled = sum(1 << int(i) for i in np.flatnonzero(s["pyramid"]))
    empty = int(pieces.SPACES_IN_PLAY[s["num_players"]]) & ~filled
    if space != NONE and (not empty >> space & 1 or int(pieces.SUPPORT[space]) & ~filled):
        yield "build_space", f"nothing can be built on space {space}"


def costs(s: np.void) -> tuple[int, int]:
    """Workers for what is being built: the usual cost, and Seshat's, which is the usual one for those who do not have her."""
    lapis = s["scarab"][s["turn_player"]] == pieces.LAPIS
    usual = int(pieces.VALUE_WORKERS[s["build_value"]]) + (0 if lapis else int(pieces.EXTRA_WORKERS[s["build_space"]]))
    return usual, pieces.SESHAT_COST if has_power(s, pieces.SESHAT) else usual
