"""What holds in every position (spec section 12). `from_dict` refuses a position that breaks one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from .components import (
    ALLOWS_OBELISK,
    ALLOWS_TOMB,
    LARGE_TABLE,
    NUM_CARDS,
    NUM_ROUNDS,
    NUM_SLOTS,
    NUM_TILES,
    SEKHMET,
    SUPPORTS,
    TILES,
)
from .state import (
    BUILD_OBELISK,
    BUILD_PYRAMID,
    BUILD_TOMB,
    CANDIDATE,
    CHOOSE_GOD,
    DISCARD,
    DISCARDED,
    END,
    IN_OBELISK,
    IN_PYRAMID,
    IN_QUARRY,
    INITIAL_SEEN,
    KNOWN_IN_HAND,
    KNOWN_IN_TOMB,
    NOTHING,
    PHASES,
    TAKE_PAIR,
    UNSEEN,
)

HAND_OF_BUILDER = {BUILD_PYRAMID: range(2, 4), BUILD_OBELISK: range(1, 3), BUILD_TOMB: range(1, 3), DISCARD: range(2, 3)}


def violations(s: np.void) -> Iterator[tuple[str, str]]:
    """The broken invariants as (field, problem)."""
    yield from _cards_are_somewhere_once(s)
    yield from _piles_are_well_formed(s)
    yield from _counters_agree(s)
    yield from _tiles_are_owned_in_turn(s)
    yield from _quarry_is_emptied_in_turn(s)
    yield from _hands_and_pyramids_fit_the_turn(s)
    yield from _public_knowledge_is_true(s)


def _held(cards: np.ndarray) -> list[int]:
    return [int(c) for c in np.ravel(cards) if c != NOTHING]


def _cards_are_somewhere_once(s: np.void) -> Iterator[tuple[str, str]]:
    seen: dict[int, str] = dict.fromkeys(np.flatnonzero(s["public_place"] == DISCARDED).tolist(), "the discards")
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
    if (s["removed_tile"] == NOTHING) == (n == 2) or s["removed_tile"] == NUM_TILES - 1:
        yield "removed_tile", f"{s['removed_tile']} with {n} players"
    if (s["phase"] == END) != bool(s["over"]):
        yield "over", "the phase is 'end' exactly when the game is over"
    if s["over"] and (round_ != NUM_ROUNDS or s["current_player"] != -1):
        yield "over", "the game ends after round 10, and then nobody decides"
    if not s["over"] and not 0 <= s["current_player"] < n:
        yield "current_player", f"{s['current_player']} with {n} players"
    if not s["over"] and s["score"].any():
        yield "score", "written before the end"


def _turns_begun(s: np.void) -> list[int]:
    """The seats that have taken a pair this round, in order."""
    if s["phase"] == CHOOSE_GOD:
        return []
    up_to = NUM_TILES if s["tile"] == NOTHING else int(s["tile"]) + (s["phase"] != TAKE_PAIR)
    return _held(s["tile_owner"][:up_to])


def _tiles_are_owned_in_turn(s: np.void) -> Iterator[tuple[str, str]]:
    n, phase, tile, current = (int(s[field]) for field in ("num_players", "phase", "tile", "current_player"))
    chosen = int(s["gods_chosen"])
    if sorted(_held(s["tile_owner"])) != sorted((int(s["first_player"]) + i) % n for i in range(chosen)):
        yield "tile_owner", f"{_held(s['tile_owner'])}, but {chosen} players from seat {s['first_player']} on have chosen"
    for t in range(NUM_TILES):
        if s["tile_owner"][t] != NOTHING and (t == s["removed_tile"] or (t == NUM_TILES - 1 and n < LARGE_TABLE)):
            yield "tile_owner", f"{TILES[t]} is not in play"
    if (chosen < n) != (phase == CHOOSE_GOD):
        yield "gods_chosen", f"{chosen} of {n} in phase {PHASES[phase]!r}"
    if phase == CHOOSE_GOD and current != (s["first_player"] + chosen) % n:
        yield "current_player", f"seat {current} cannot be the next to choose a tile"
    if (tile != NOTHING) != (TAKE_PAIR <= phase <= BUILD_TOMB):
        yield "tile", f"{tile} in phase {PHASES[phase]!r}"
    elif tile != NOTHING and s["tile_owner"][tile] != current:
        yield "tile", f"{TILES[tile]} is executed by seat {current}, who does not own it"
    elif (phase == BUILD_OBELISK and not ALLOWS_OBELISK[tile]) or (phase == BUILD_TOMB and not ALLOWS_TOMB[tile]):
        yield "tile", f"{TILES[tile]} does not allow phase {PHASES[phase]!r}"
    one_only = tile == SEKHMET and n >= LARGE_TABLE
    if s["built_obelisk"] and (phase != BUILD_TOMB or not ALLOWS_OBELISK[tile] or one_only):
        yield "built_obelisk", f"in phase {PHASES[phase]!r} with tile {tile}"


def _quarry_is_emptied_in_turn(s: np.void) -> Iterator[tuple[str, str]]:
    pairs = [_held(pair) for pair in s["quarry"]]
    if any(len(pair) == 1 or pair != sorted(pair) for pair in pairs) or any(pairs[s["num_players"] :]):
        yield "quarry", f"not made of ascending pairs, one per player: {pairs}"
    left = s["num_players"] - len(_turns_begun(s))
    if sum(map(bool, pairs)) != left:
        yield "quarry", f"{sum(map(bool, pairs))} pairs, but {left} players still have to take one"


def _hands_and_pyramids_fit_the_turn(s: np.void) -> Iterator[tuple[str, str]]:
    begun = _turns_begun(s)
    where = f"in phase {PHASES[s['phase']]!r} of round {s['round']}"
    for p in range(s["num_players"]):
        if s["hand_size"][p] not in _possible_hands(s, p, p in begun):
            yield "hand_size", f"{s['hand_size'][p]} for seat {p} {where}"
        built = p in begun and not (p == s["current_player"] and s["phase"] == BUILD_PYRAMID)
        if s["pyramid_size"][p] != s["round"] - (not built):
            yield "pyramid_size", f"{s['pyramid_size'][p]} for seat {p} {where}"


def _possible_hands(s: np.void, p: int, begun: bool) -> range:
    if s["phase"] == END:
        return range(1)
    if p == s["current_player"] and int(s["phase"]) in HAND_OF_BUILDER:
        return HAND_OF_BUILDER[int(s["phase"])]
    return range(3) if begun else range(2)


def _public_knowledge_is_true(s: np.void) -> Iterator[tuple[str, str]]:
    place = s["public_place"]
    unidentified = {int(s["initial_card"][p]) for p in range(s["num_players"]) if s["initial_status"][p] != INITIAL_SEEN}
    unseen = set(np.flatnonzero(place == UNSEEN).tolist())
    if unseen != set(_held(s["deck"])) | unidentified:
        yield "public_place", "unseen cards are not exactly the deck and the unidentified initial cards"
    if len(set(_held(s["initial_card"]))) != s["num_players"]:
        yield "initial_card", f"{_held(s['initial_card'])} are not {s['num_players']} different cards"
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
