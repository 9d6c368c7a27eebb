"""What holds in every position (spec section 12). `from_dict` refuses a position that breaks one.

Not checked here: whether as many small stones have left the bag as the turns would have drawn (I7). Positions put up by hand may
skip those turns; but enough stones must be left for the turns to come (R39).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .components import (
    CARDS,
    LARGE_SPACES,
    LARGE_STONES,
    NOTHING,
    NUM_CARDS,
    NUM_HELD,
    NUM_LARGE,
    NUM_SMALL,
    NUM_TYPES,
    OVERSEER,
    OVERSEER_STONES,
    PAIR_SPACES,
    SMALL_COUNT,
    SMALL_STONES,
    TURNS,
)
from .state import LIFT_SMALL, OVER, PHASES, PLACE_LARGE, PLACE_SMALL, SWAP_SECOND, TAKE_CARD, TAKE_STONE


def violations(s: np.void) -> Iterator[tuple[str, str]]:
    """The broken invariants as (field, problem)."""
    yield from _large_stones_are_somewhere_once(s)
    yield from _small_stones_are_all_there(s)
    yield from _small_stones_suffice(s)
    yield from _cards_are_somewhere_once(s)
    yield from _turns_are_counted(s)
    yield from _pairs_have_paid_cards(s)
    yield from _phase_fits(s)
    yield from _absent_seats_are_empty(s)


def _held(values: np.ndarray) -> list[int]:
    return [int(v) for v in np.ravel(values) if v != NOTHING]


def _once(s: np.void, places: dict[str, list[int]], names: tuple[str, ...], stock: str) -> Iterator[tuple[str, str]]:
    seen: dict[int, str] = {}
    for field, pieces in places.items():
        for piece in pieces:
            if piece in seen:
                yield field, f"{names[piece]} is also in {seen[piece]}"
            seen[piece] = field
    missing = sorted(set(range(len(names))) - set(seen))
    if missing:
        yield stock, f"{names[missing[0]]} is nowhere"
    if sorted(s[stock].tolist()) != list(range(len(names))):
        yield stock, f"not an order of all {len(names)}"


def _large_stones_are_somewhere_once(s: np.void) -> Iterator[tuple[str, str]]:
    """I1."""
    places = {field: _held(s[field]) for field in ("large_stone", "row", "stone_in_hand")}
    places["large_deck"] = s["large_deck"][s["large_drawn"] : NUM_LARGE].tolist()
    yield from _once(s, places, LARGE_STONES, "large_deck")


def _cards_are_somewhere_once(s: np.void) -> Iterator[tuple[str, str]]:
    """I3."""
    places = {field: _held(s[field]) for field in ("cards", "display")}
    places["card_deck"] = s["card_deck"][s["cards_drawn"] : NUM_CARDS].tolist()
    yield from _once(s, places, CARDS, "card_deck")


def _small_stones_are_all_there(s: np.void) -> Iterator[tuple[str, str]]:
    """I2."""
    for stone in range(NUM_TYPES):
        if (s["bag"] == stone).sum() != SMALL_COUNT[stone]:
            yield "bag", f"{(s['bag'] == stone).sum()} of {SMALL_STONES[stone]}, expected {SMALL_COUNT[stone]}"
        loose = s["pile"][stone] + s["pending"][stone] + s["collection"][:, stone].sum(dtype=int)
        lying = (s["small_stone"] == stone).sum() + (s["hand"] == stone).sum()
        hidden = (s["bag"][s["small_drawn"] : NUM_SMALL] == stone).sum()
        if loose + lying + hidden != SMALL_COUNT[stone]:
            yield "small_drawn", f"{loose + lying + hidden} of {SMALL_STONES[stone]} at the table, expected {SMALL_COUNT[stone]}"


def _small_stones_suffice(s: np.void) -> Iterator[tuple[str, str]]:
    """R39: a stone for the end of every turn but the last of each player, and the Overseer's while somebody may yet take him."""
    n, left = int(s["num_players"]), NUM_SMALL - int(s["small_drawn"])
    to_draw = max(0, (TURNS - 1) * n - int(s["turn"]))
    if OVERSEER not in s["cards"] and len(_held(s["cards"][:n])) < NUM_HELD * n:
        to_draw += OVERSEER_STONES
    if left < to_draw:
        yield "small_drawn", f"{left} small stones are left in the bag, but {to_draw} may still be drawn"


def _turns_are_counted(s: np.void) -> Iterator[tuple[str, str]]:
    """I4, I11: everybody has placed a large stone per turn, and waits with a small stone in hand."""
    n, turn = int(s["num_players"]), int(s["turn"])
    over = turn == TURNS * n
    if turn > TURNS * n or over != (s["phase"] == OVER) or over != bool(s["over"]):
        yield "turn", f"{turn} of {TURNS * n}, but the phase is {PHASES[s['phase']]!r} and over is {bool(s['over'])}"
    mover = n - 1 if over else turn % n
    if s["current_player"] != mover:
        yield "current_player", f"{s['current_player']} after {turn} turns of {n} players, expected {mover}"
    for p in range(n):
        mid_turn = p == mover and not over and s["phase"] not in (TAKE_STONE, PLACE_LARGE)
        expected = turn // n + (p < turn % n) + mid_turn
        placed = len(_held(s["large_stone"][p]))
        if placed != expected:
            yield "large_stone", f"seat {p} has {placed} large stones after {turn} turns, expected {expected}"
        waits = expected < TURNS and not (p == mover and s["phase"] != TAKE_STONE)
        if waits != (s["hand"][p] != NOTHING):
            yield "hand", f"seat {p} must have {'a' if waits else 'no'} small stone in hand"


def _pairs_have_paid_cards(s: np.void) -> Iterator[tuple[str, str]]:
    """I5."""
    for p in range(s["num_players"]):
        filled = s["large_stone"][p] != NOTHING
        pairs = sum(bool(filled[a] and filled[b]) for a, b in PAIR_SPACES)
        due = pairs - (s["phase"] == TAKE_CARD and p == s["current_player"])
        held = _held(s["cards"][p])
        if len(held) != due or _held(s["cards"][p][: len(held)]) != held:
            yield "cards", f"seat {p} holds {[CARDS[card] for card in held]} for {due} completed pairs"


def _phase_fits(s: np.void) -> Iterator[tuple[str, str]]:
    """I4, I8: what is under way belongs to the phase."""
    phase, p = int(s["phase"]), int(s["current_player"])
    during = f"in phase {PHASES[phase]!r}"
    if (s["stone_in_hand"] != NOTHING) != (phase == PLACE_LARGE):
        yield "stone_in_hand", f"{s['stone_in_hand']} {during}"
    if (s["hole"] == NOTHING) != (phase == TAKE_STONE):
        yield "hole", f"{s['hole']} {during}"
    if [slot for slot, stone in enumerate(s["row"]) if stone == NOTHING] != _held(s["hole"]):
        yield "row", "must be full but for the hole"
    if (s["display"] == NOTHING).any():
        yield "display", "must be full"
    if (s["swap_first"] != NOTHING) != (phase == SWAP_SECOND):
        yield "swap_first", f"{s['swap_first']} {during}"
    elif phase == SWAP_SECOND and s["large_stone"][p][s["swap_first"]] == NOTHING:
        yield "swap_first", f"{LARGE_SPACES[s['swap_first']]} is empty"
    if phase == LIFT_SMALL and not s["lifts_left"]:
        yield "lifts_left", f"0 {during}"
    full = bool((s["small_stone"][p] != NOTHING).all())
    if phase == LIFT_SMALL and not _held(s["small_stone"][p]):
        yield "small_stone", f"nothing to lift for seat {p}"
    if phase in (TAKE_STONE, OVER) and s["pending"].any():
        yield "pending", f"not empty {during}"
    if phase == PLACE_SMALL and (full or not s["pending"].any()):
        yield "pending", f"nothing to choose for seat {p}"
    if s["hole"] == 0 and s["pile"].any():
        yield "pile", "the red stone was taken, so nothing lies on it"
    if bool(s["winners"]) != (phase == OVER):
        yield "winners", f"{s['winners']} {during}"
    if (s["large_turned"][s["large_stone"] == NOTHING] != 0).any():
        yield "large_turned", "an empty space is not turned"


def _absent_seats_are_empty(s: np.void) -> Iterator[tuple[str, str]]:
    for p in range(s["num_players"], len(s["hand"])):
        fields = ("large_stone", "small_stone", "cards", "hand")
        if any(_held(s[field][p]) for field in fields) or s["collection"][p].any():
            yield "num_players", f"seat {p} is not at the table but owns something"
