"""What holds in every position (spec section 12). `from_dict` refuses a position that breaks one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from .components import NUM_CARDS, NUM_SLOTS, SUPPORTS
from .state import (
    CANDIDATE,
    DISCARDED,
    END,
    IN_OBELISK,
    IN_PYRAMID,
    IN_QUARRY,
    INITIAL_SEEN,
    KNOWN_IN_HAND,
    KNOWN_IN_TOMB,
    NOTHING,
    UNSEEN,
)


def violations(s: np.void) -> Iterator[tuple[str, str]]:
    """The broken invariants as (field, problem)."""
    yield from _cards_are_somewhere_once(s)
    yield from _piles_are_well_formed(s)
    yield from _counters_agree(s)
    yield from _public_knowledge_is_true(s)


def _held(cards: np.ndarray) -> list[int]:
    return [int(c) for c in np.ravel(cards) if c != NOTHING]


def _cards_are_somewhere_once(s: np.void) -> Iterator[tuple[str, str]]:
    seen: dict[int, str] = {card: "the discards" for card in np.flatnonzero(s["public_place"] == DISCARDED).tolist()}
    for field in ("deck", "quarry", "hand", "pyramid", "obelisk", "tomb"):
        for card in _held(s[field]):
            if card in seen:
                yield field, f"card {card} is also in {seen[card]}"
            seen[card] = field
    missing = sorted(set(range(NUM_CARDS)) - set(seen))
    if missing:
        yield "deck", f"card {missing[0]} is nowhere"


def _piles_are_well_formed(s: np.void) -> Iterator[tuple[str, str]]:
    for p in range(len(s["hand"])):
        for field, size in (("hand", "hand_size"), ("tomb", "tomb_size"), ("obelisk", "obelisk_size")):
            cards = _held(s[field][p])
            if len(cards) != s[size][p] or _held(s[field][p][: len(cards)]) != cards:
                yield size, f"{s[size][p]} for seat {p}, but {field} holds {cards}"
            if field != "obelisk" and cards != sorted(cards):
                yield field, f"not ascending for seat {p}: {cards}"
        slots = s["pyramid"][p] != NOTHING
        if slots.sum() != s["pyramid_size"][p]:
            yield "pyramid_size", f"{s['pyramid_size'][p]} for seat {p}, but {slots.sum()} slots are filled"
        if any(slots[i] < slots[i + 1] for i in range(3)):
            yield "pyramid", f"gap in the base of seat {p}"
        for slot in range(NUM_SLOTS):
            if slots[slot] and not all(slots[below] for below in SUPPORTS[slot]):
                yield "pyramid", f"slot {slot} of seat {p} rests on nothing"
        if p >= s["num_players"] and (slots.any() or s["hand_size"][p] or s["tomb_size"][p] or s["obelisk_size"][p]):
            yield "num_players", f"seat {p} is not at the table but owns cards"


def _counters_agree(s: np.void) -> Iterator[tuple[str, str]]:
    n, round_ = int(s["num_players"]), int(s["round"])
    if s["deck_position"] != n + 2 * n * round_:
        yield "deck_position", f"{s['deck_position']} in round {round_} with {n} players, expected {n + 2 * n * round_}"
    if any(card != NOTHING for card in s["deck"][: s["deck_position"]]):
        yield "deck", "a drawn position still holds a card"
    if s["first_player"] != (round_ - 1) % n:
        yield "first_player", f"{s['first_player']} in round {round_} with {n} players"
    if (s["removed_tile"] == NOTHING) == (n == 2):
        yield "removed_tile", f"{s['removed_tile']} with {n} players"
    if (s["phase"] == END) != bool(s["over"]):
        yield "over", "the phase is 'end' exactly when the game is over"
    if not s["over"] and not 0 <= s["current_player"] < n:
        yield "current_player", f"{s['current_player']} with {n} players"
    for p in range(n):
        expected = {10} if s["over"] else {round_ - 1, round_}
        if s["pyramid_size"][p] not in expected:
            yield "pyramid_size", f"{s['pyramid_size'][p]} for seat {p} in round {round_}"


def _public_knowledge_is_true(s: np.void) -> Iterator[tuple[str, str]]:
    place = s["public_place"]
    unidentified = {int(s["initial_card"][p]) for p in range(s["num_players"]) if s["initial_status"][p] != INITIAL_SEEN}
    unseen = set(np.flatnonzero(place == UNSEEN).tolist())
    if unseen != set(_held(s["deck"])) | unidentified:
        yield "public_place", "unseen cards are not exactly the deck and the unidentified initial cards"
    for p in range(s["num_players"]):
        hand, tomb = set(_held(s["hand"][p])), set(_held(s["tomb"][p]))
        nameless = {int(s["initial_card"][p])} if int(s["initial_card"][p]) in unidentified else set()
        known, candidates, buried = (
            set(np.flatnonzero(place == kind + p).tolist()) | (nameless if s["initial_status"][p] == status else set())
            for status, kind in enumerate((KNOWN_IN_HAND, CANDIDATE, KNOWN_IN_TOMB))
        )
        if not (known <= hand and buried <= tomb and known | candidates | buried == hand | tomb):
            yield "public_place", f"what is known of seat {p} does not fit its hand {sorted(hand)} and Tomb {sorted(tomb)}"
        if candidates and (len(candidates) < 2 or len(candidates & hand) != 1):
            yield "public_place", f"of the candidates {sorted(candidates)} of seat {p} exactly one must be in hand"
        for field, kind in (("pyramid", IN_PYRAMID), ("obelisk", IN_OBELISK)):
            if Counter(_held(s[field][p])) != Counter(np.flatnonzero(place == kind + p).tolist()):
                yield "public_place", f"does not agree with the {field} of seat {p}"
    if set(_held(s["quarry"])) != set(np.flatnonzero(place == IN_QUARRY).tolist()):
        yield "public_place", "does not agree with the quarry"
