"""What holds in every position. What a phase asks beyond it stands with the phase in rules.py."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from .components import (
    CARDS,
    LARGE_STONES,
    NOTHING,
    NUM_CARDS,
    NUM_LARGE,
    NUM_SMALL,
    NUM_TYPES,
    ORIENTATIONS,
    OVERSEER,
    OVERSEER_STONES,
    PAIR_SPACES,
    ROW,
    SMALL_COUNT,
    SMALL_STONES,
    TURNS,
    VIZIER,
)
from .state import OVER, PHASES, PLACE_LARGE, TAKE_CARD, TAKE_STONE


def violations(s: np.void) -> Findings:
    """What is wrong with a position, as (field, problem)."""
    yield from _turns_are_counted(s)
    yield from _absent_seats_are_empty(s)
    yield from _large_stones_are_somewhere_once(s)
    yield from _cards_are_somewhere_once(s)
    yield from _small_stones_are_all_there(s)
    yield from _small_stones_are_drawn_by_turns(s)
    yield from _hands_wait_for_turns(s)
    yield from _pairs_have_paid_cards(s)
    yield from _offers_are_full(s)
    yield from _payment_lies_on_the_red_stone(s)
    yield from _turning_makes_a_difference(s)
    if s["over"]:
        yield from _nothing_is_under_way(s)


def _held(values: np.ndarray) -> list[int]:
    return [int(v) for v in np.ravel(values) if v != NOTHING]


def _turns_are_counted(s: np.void) -> Findings:
    """Everybody has placed a large stone per turn; the game is over after the last, and never cut off before."""
    n, turn, phase = int(s["num_players"]), int(s["turn"]), int(s["phase"])
    over = turn == TURNS * n
    if turn > TURNS * n or over != (phase == OVER):
        yield "turn", f"{turn} of {TURNS * n} in phase {PHASES[phase]!r}"
    if s["truncated"]:
        yield "truncated", "no game is cut off"
    mover = n - 1 if over else turn % n
    if s["current_player"] != mover:
        yield "current_player", f"{s['current_player']} after {turn} turns of {n} players, expected {mover}"
    for p in range(n):
        just_now = p == mover and phase not in (TAKE_STONE, PLACE_LARGE, OVER)
        expected = turn // n + (p < turn % n) + just_now
        placed = len(_held(s["large_stone"][p]))
        if placed != expected:
            yield "large_stone", f"seat {p} has {placed} large stones after {turn} turns, expected {expected}"
        if not placed and (_held(s["small_stone"][p]) or s["collection"][p].any()):
            yield "small_stone", f"seat {p} has small stones before its first turn"


def _absent_seats_are_empty(s: np.void) -> Findings:
    for p in range(s["num_players"], len(s["hand"])):
        for field in ("large_stone", "small_stone", "cards", "hand"):
            if _held(s[field][p]):
                yield field, f"seat {p} is not at the table"
        if s["collection"][p].any():
            yield "collection", f"seat {p} is not at the table"


def _once(s: np.void, places: dict[str, list[int]], names: tuple[str, ...], stock: str) -> Findings:
    """Every piece is in exactly one of the places, the last of which is what is left of the stock."""
    seen: dict[int, str] = {}
    for field, pieces in places.items():
        for piece in pieces:
            if piece in seen:
                yield field, f"{names[piece]} is also in {seen[piece]}"
            seen[piece] = field
    if missing := sorted(set(range(len(names))) - set(seen)):
        yield stock, f"{names[missing[0]]} is nowhere"
    if sorted(s[stock].tolist()) != list(range(len(names))):
        yield stock, f"not an order of all {len(names)}"


def _large_stones_are_somewhere_once(s: np.void) -> Findings:
    places = {field: _held(s[field]) for field in ("large_stone", "row", "stone_in_hand")}
    places["large_deck"] = s["large_deck"][s["large_drawn"] : NUM_LARGE].tolist()
    yield from _once(s, places, LARGE_STONES, "large_deck")


def _cards_are_somewhere_once(s: np.void) -> Findings:
    places = {field: _held(s[field]) for field in ("cards", "display")}
    places["card_deck"] = s["card_deck"][s["cards_drawn"] : NUM_CARDS].tolist()
    yield from _once(s, places, CARDS, "card_deck")


def _small_stones_are_all_there(s: np.void) -> Findings:
    for stone in range(NUM_TYPES):
        if (s["bag"] == stone).sum() != SMALL_COUNT[stone]:
            yield "bag", f"{(s['bag'] == stone).sum()} of {SMALL_STONES[stone]}, expected {SMALL_COUNT[stone]}"
        loose = int(s["pile"][stone]) + int(s["pending"][stone]) + s["collection"][:, stone].sum(dtype=int)
        lying = (s["small_stone"] == stone).sum() + (s["hand"] == stone).sum()
        hidden = (s["bag"][s["small_drawn"] : NUM_SMALL] == stone).sum()
        if loose + lying + hidden != SMALL_COUNT[stone]:
            yield "small_drawn", f"{loose + lying + hidden} of {SMALL_STONES[stone]} at the table, expected {SMALL_COUNT[stone]}"


def _small_stones_are_drawn_by_turns(s: np.void) -> Findings:
    """One for each player at the beginning and after every turn but the last (R21), and the Overseer's. So the bag lasts (R39)."""
    n = int(s["num_players"])
    expected = n + min(int(s["turn"]), (TURNS - 1) * n) + OVERSEER_STONES * (OVERSEER in s["cards"])
    if s["small_drawn"] != expected:
        yield "small_drawn", f"{s['small_drawn']} after {s['turn']} turns, expected {expected}"


def _hands_wait_for_turns(s: np.void) -> Findings:
    """Everybody who has a turn to come holds a small stone for it."""
    n, turn = int(s["num_players"]), int(s["turn"])
    for p in range(n):
        turns_over = turn // n + (p < turn % n)
        waits = turns_over < TURNS and (p != s["current_player"] or s["phase"] == TAKE_STONE)
        if waits != (s["hand"][p] != NOTHING):
            yield "hand", f"seat {p} must have {'a' if waits else 'no'} small stone in hand"


def _pairs_have_paid_cards(s: np.void) -> Findings:
    for p in range(s["num_players"]):
        filled = s["large_stone"][p] != NOTHING
        pairs = sum(bool(filled[a] and filled[b]) for a, b in PAIR_SPACES)
        due = pairs - (s["phase"] == TAKE_CARD and p == s["current_player"])
        held = _held(s["cards"][p])
        if len(held) != due or _held(s["cards"][p][: len(held)]) != held:
            yield "cards", f"seat {p} holds {[CARDS[card] for card in held]} for {due} completed pairs"


def _offers_are_full(s: np.void) -> Findings:
    if [slot for slot in range(ROW) if s["row"][slot] == NOTHING] != _held(s["hole"]):
        yield "row", "must be full but for the hole"
    if (s["display"] == NOTHING).any():
        yield "display", "must be full"


def _payment_lies_on_the_red_stone(s: np.void) -> Findings:
    """The red stone goes with its pile; who takes another one lays a small stone there, unless a Vizier keeps it."""
    if s["hole"] == 0 and s["pile"].any():
        yield "pile", "the red stone was taken, so nothing lies on it"
    if s["hole"] > 0 and not s["pile"].any() and VIZIER not in s["cards"][s["current_player"]]:
        yield "pile", "the stone taken was not paid for"


def _turning_makes_a_difference(s: np.void) -> Findings:
    """Only a stone that looks different when turned is turned (R3)."""
    stones, turned = s["large_stone"], s["large_turned"] != 0
    if (turned & ((stones == NOTHING) | (ORIENTATIONS[stones] == 1))).any():
        yield "large_turned", "an empty space, or a stone that looks the same turned, is not turned"


def _nothing_is_under_way(s: np.void) -> Findings:
    for field, nothing in (("stone_in_hand", NOTHING), ("swap_first", NOTHING), ("lifts_left", 0)):
        if s[field] != nothing:
            yield field, "the game is over"
    if s["hole"] == NOTHING:
        yield "hole", "the row is not refilled after the last turn (R22)"
    if s["pending"].any():
        yield "pending", "the game is over"
