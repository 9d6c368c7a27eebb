"""What holds in every position. What a phase asks beyond it stands with the phase in rules.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..core.declare.phases import Findings
from .components import NUM_CARDS, NUM_ROUNDS, NUM_SLOTS, NUM_TILES, SMALL_TABLE, SUPPORTS, THOTH, TILES
from .reading import Builds, allowed_builds, builds_this_round, cards_in, cuts_done, tiles_in_play, turns_begun, where
from .state import (
    BUILD_PYRAMID,
    BUILD_TOMB,
    CANDIDATE,
    CHOOSE_GOD,
    DISCARDED,
    END,
    IN_OBELISK,
    IN_PYRAMID,
    IN_QUARRY,
    INITIAL_IN_HAND,
    INITIAL_SEEN,
    KNOWN_IN_HAND,
    KNOWN_IN_TOMB,
    NOTHING,
    SEATS,
    TAKE_PAIR,
    UNSEEN,
)


def violations(s: np.void) -> Findings:
    """The broken invariants as (field, problem)."""
    for invariant in INVARIANTS:
        yield from invariant(s)


# --- The table ---------------------------------------------------------------------------------------------------------------


def _counters_agree(s: np.void) -> Findings:
    n, round_ = int(s["num_players"]), int(s["round"])
    if s["truncated"]:
        yield "truncated", "no game is cut off"
    if s["deck_position"] != n + 2 * n * round_:
        yield "deck_position", f"{s['deck_position']} in round {round_} with {n} players, expected {n + 2 * n * round_}"
    if s["first_player"] != (round_ - 1) % n:
        yield "first_player", f"{s['first_player']} in round {round_} with {n} players"
    if (s["removed_tile"] == NOTHING) == (n == SMALL_TABLE) or s["removed_tile"] == THOTH:
        yield "removed_tile", f"{s['removed_tile']} with {n} players"
    if s["over"] and (round_ != NUM_ROUNDS or s["current_player"] != -1):
        yield "over", f"the game ends after round {NUM_ROUNDS}, and then nobody decides"


def _absent_seats_are_empty(s: np.void) -> Findings:
    for p in range(s["num_players"], SEATS):
        for field in ("hand", "pyramid", "obelisk", "tomb", "initial_card"):
            if cards_in(s[field][p]):
                yield field, f"seat {p} is not at the table"
        for field in ("hand_size", "pyramid_size", "obelisk_size", "tomb_size", "initial_status"):
            if s[field][p]:
                yield field, f"seat {p} is not at the table"


def _cards_are_somewhere_once(s: np.void) -> Findings:
    seen: dict[int, str] = dict.fromkeys(np.flatnonzero(s["public_place"] == DISCARDED).tolist(), "the discards")
    for field in ("deck", "quarry", "hand", "pyramid", "obelisk", "tomb"):
        for card in cards_in(s[field]):
            if card in seen:
                yield field, f"card {card} is also in {seen[card]}"
            seen[card] = field
    missing = sorted(set(range(NUM_CARDS)) - set(seen))
    if missing:
        yield "deck", f"card {missing[0]} is nowhere"
    if (s["deck"][: s["deck_position"]] != NOTHING).any() or (s["deck"][s["deck_position"] :] == NOTHING).any():
        yield "deck", f"the cards still to come stand from position {s['deck_position']} on"


# --- Tiles and the quarry ----------------------------------------------------------------------------------------------------


def _tiles_are_owned_in_turn(s: np.void) -> Findings:
    n, chosen, tile = int(s["num_players"]), int(s["gods_chosen"]), int(s["tile"])
    owners = cards_in(s["tile_owner"])
    if sorted(owners) != sorted((int(s["first_player"]) + i) % n for i in range(chosen)):
        yield "tile_owner", f"{owners}, but {chosen} players from seat {s['first_player']} on have chosen"
    in_play = tiles_in_play(s, int(s["round"]))
    for t in range(NUM_TILES):
        if s["tile_owner"][t] != NOTHING and t not in in_play:
            yield "tile_owner", f"{TILES[t]} is not in play"
    if (chosen < n) != (s["phase"] == CHOOSE_GOD):
        yield "gods_chosen", f"{chosen} of {n} {where(s)}"
    if (tile != NOTHING) != (TAKE_PAIR <= s["phase"] <= BUILD_TOMB):
        yield "tile", f"{tile} {where(s)}"
    elif tile != NOTHING and s["tile_owner"][tile] != s["current_player"]:
        yield "tile", f"{TILES[tile]} is executed by seat {s['current_player']}, who does not own it"
    if s["built_obelisk"] and s["phase"] != BUILD_TOMB:
        yield "built_obelisk", f"true {where(s)}"


def _quarry_is_emptied_in_turn(s: np.void) -> Findings:
    pairs = [cards_in(pair) for pair in s["quarry"]]
    if any(len(pair) == 1 or pair != sorted(pair) for pair in pairs) or any(pairs[s["num_players"] :]):
        yield "quarry", f"not made of ascending pairs, one per player: {pairs}"
    left = s["num_players"] - len(turns_begun(s))
    if sum(map(bool, pairs)) != left:
        yield "quarry", f"{sum(map(bool, pairs))} pairs, but {left} players still have to take one"


# --- What players have built -------------------------------------------------------------------------------------------------


def _piles_are_well_formed(s: np.void) -> Findings:
    for p in range(s["num_players"]):
        for field, size in (("hand", "hand_size"), ("tomb", "tomb_size"), ("obelisk", "obelisk_size")):
            cards = cards_in(s[field][p])
            if len(cards) != s[size][p] or cards_in(s[field][p][: len(cards)]) != cards:
                yield size, f"{s[size][p]} for seat {p}, but {field} holds {cards}"
            if field != "obelisk" and cards != sorted(cards):
                yield field, f"not ascending for seat {p}: {cards}"


def _pyramids_stand(s: np.void) -> Findings:
    begun = turns_begun(s)
    for p in range(s["num_players"]):
        slots = s["pyramid"][p] != NOTHING
        if slots.sum() != s["pyramid_size"][p]:
            yield "pyramid_size", f"{s['pyramid_size'][p]} for seat {p}, but {slots.sum()} slots are filled"
        if any(slots[i] < slots[i + 1] for i in range(3)):
            yield "pyramid", f"gap in the base of seat {p}"
        for slot in range(NUM_SLOTS):
            if slots[slot] and not all(slots[below] for below in SUPPORTS[slot]):
                yield "pyramid", f"slot {slot} of seat {p} rests on nothing"
        built = p in begun and not (p == s["current_player"] and s["phase"] == BUILD_PYRAMID)
        if s["pyramid_size"][p] != s["round"] - (not built):
            yield "pyramid_size", f"{s['pyramid_size'][p]} for seat {p} {where(s)}"


def _cards_were_built_one_a_round(s: np.void) -> Findings:
    """Hands, Obelisks and Tombs are such that the rounds before, and what the own tile allows in this one, can have made them."""
    for p in range(s["num_players"]):
        if not any(True for _ in _pasts(s, p)):
            hand, obelisk, tomb = (s[size][p] for size in ("hand_size", "obelisk_size", "tomb_size"))
            have = f"{hand} cards in hand, {obelisk} on the Obelisk and {tomb} in the Tomb"
            yield _too_large(s, p), f"seat {p} cannot have {have} {where(s)}"


def _too_large(s: np.void, p: int) -> str:
    """The pile that has more cards than turns, otherwise the hand."""
    most = int(s["round"]) - 1 + np.max(list(builds_this_round(s, p)), axis=0)
    return next((size for size, limit in zip(("obelisk_size", "tomb_size"), most, strict=True) if s[size][p] > limit), "hand_size")


def _pasts(s: np.void, p: int) -> Iterator[int]:
    """The hands with which p may have begun this round: one card, or none after a turn that built all three edifices."""
    rounds, hand = int(s["round"]) - 1, int(s["hand_size"][p])
    cards_got = 2 * (p in turns_begun(s))
    in_pyramid = int(s["pyramid_size"][p]) - rounds
    for obelisk, tomb in builds_this_round(s, p):
        raised, buried = int(s["obelisk_size"][p]) - obelisk, int(s["tomb_size"][p]) - tomb
        for before in (0, 1):
            after = before + cards_got - in_pyramid - obelisk - tomb
            cut = min(after, 1) if p in cuts_done(s) else 0 if s["phase"] == END else after
            discarded = 1 + rounds - before - raised - buried
            was_possible = 0 <= raised <= rounds and 0 <= buried <= rounds and discarded >= 0
            if after >= 0 and cut == hand and was_possible and (before == 1 or (raised and buried)):
                yield before


def _tiles_allowed_what_stands(s: np.void) -> Findings:
    """Tiles are shared: all players together cannot have built more than the tiles of all rounds allow."""
    n = int(s["num_players"])
    most = np.zeros(3, int)  # on Obelisks, in Tombs, both together
    for round_ in range(1, int(s["round"])):
        most += _most_builds([allowed_builds(tile, n) for tile in tiles_in_play(s, round_)], n)
    most += _most_builds([builds_this_round(s, p) for p in turns_begun(s)], n)
    raised, buried = int(s["obelisk_size"][:n].sum()), int(s["tomb_size"][:n].sum())
    for field, built, limit in zip(
        ("obelisk_size", "tomb_size", "tomb_size"), (raised, buried, raised + buried), most.tolist(), strict=True
    ):
        if built > limit:
            yield field, f"{raised} cards on Obelisks and {buried} in Tombs, more than the tiles can have allowed {where(s)}"


def _most_builds(builds: list[set[Builds]], num_players: int) -> np.ndarray:
    """The most cards that turns, each with a choice of builds, bring onto Obelisks, into Tombs, and both together."""
    counts = (
        [max(count(b) for b in allowed) for allowed in builds] for count in (lambda b: b[0], lambda b: b[1], lambda b: b[0] + b[1])
    )
    return np.array([sum(sorted(most, reverse=True)[:num_players]) for most in counts])


# --- What the table knows ----------------------------------------------------------------------------------------------------


def _initial_cards_are_followed(s: np.void) -> Findings:
    n = int(s["num_players"])
    if len(set(cards_in(s["initial_card"][:n]))) != n:
        yield "initial_card", f"{cards_in(s['initial_card'])} are not {n} different cards"
        return
    for p in range(n):
        card, status = int(s["initial_card"][p]), int(s["initial_status"][p])
        place = int(s["public_place"][card])
        if status != INITIAL_SEEN:
            if s["phase"] == END:
                yield "initial_status", "at the end all cards have been seen"
            if place != UNSEEN:
                yield "initial_status", f"the table has seen the initial card of seat {p}"
            continue
        if place == DISCARDED and _discards_of(s, p) > 0:
            continue
        if place not in (IN_PYRAMID + p, IN_OBELISK + p) and not (s["phase"] == END and place == KNOWN_IN_TOMB + p):
            yield "initial_card", f"seat {p} cannot have shown card {card}"


def _discards_of(s: np.void, p: int) -> int:
    """Of all cards that p got, those that lie nowhere any more."""
    got = 1 + 2 * (int(s["round"]) - 1 + (p in turns_begun(s)))
    return got - sum(int(s[size][p]) for size in ("hand_size", "pyramid_size", "obelisk_size", "tomb_size"))


def _public_knowledge_is_true(s: np.void) -> Findings:
    place = s["public_place"]
    nameless = {p: int(s["initial_card"][p]) for p in range(s["num_players"]) if s["initial_status"][p] != INITIAL_SEEN}
    unseen = set(np.flatnonzero(place == UNSEEN).tolist())
    if unseen != set(cards_in(s["deck"])) | set(nameless.values()):
        yield "public_place", "unseen cards are not exactly the deck and the unidentified initial cards"
    if set(cards_in(s["quarry"])) != set(np.flatnonzero(place == IN_QUARRY).tolist()):
        yield "public_place", "does not agree with the quarry"
    for p in range(s["num_players"]):
        for field, kind in (("pyramid", IN_PYRAMID), ("obelisk", IN_OBELISK)):
            if Counter(cards_in(s[field][p])) != Counter(np.flatnonzero(place == kind + p).tolist()):
                yield "public_place", f"does not agree with the {field} of seat {p}"
        hand, tomb = set(cards_in(s["hand"][p])), set(cards_in(s["tomb"][p]))
        known, candidates, buried = (
            set(np.flatnonzero(place == kind + p).tolist()) | ({nameless[p]} if s["initial_status"][p] == status else set())
            for status, kind in enumerate((KNOWN_IN_HAND, CANDIDATE, KNOWN_IN_TOMB), INITIAL_IN_HAND)
        )
        if not (known <= hand and buried <= tomb and known | candidates | buried == hand | tomb):
            yield "public_place", f"what is known of seat {p} does not fit its hand {sorted(hand)} and Tomb {sorted(tomb)}"
        if candidates and (len(candidates) < 2 or len(candidates & hand) != 1):
            yield "public_place", f"of the candidates {sorted(candidates)} of seat {p} exactly one must be in hand"
        if len(hand) - len(known - {nameless.get(p)}) > 1:
            yield "public_place", f"all but one card in the hand of seat {p} come from the pair just taken, which all have seen"


INVARIANTS = (
    _counters_agree,
    _absent_seats_are_empty,
    _cards_are_somewhere_once,
    _tiles_are_owned_in_turn,
    _quarry_is_emptied_in_turn,
    _piles_are_well_formed,
    _pyramids_stand,
    _cards_were_built_one_a_round,
    _tiles_allowed_what_stands,
    _initial_cards_are_followed,
    _public_knowledge_is_true,
)
