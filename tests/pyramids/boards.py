"""Positions of Pyramids for tests: the beginning with a given deck, the middle and the end with given edifices.

Cards are numbered as in the deck's list: 0 is `B|R/W^P`, 104 is `Y|W^T`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import mastaba
from mastaba import State
from mastaba.envs.pyramids.components import TILES
from mastaba.envs.pyramids.state import NOTHING

from lockstep import uniform

NUM_CARDS, NUM_SEATS, NUM_SLOTS = 105, 5, 10
TABLES = (2, 3, 4, 5)
IN_ORDER = list(range(NUM_CARDS))

tables = pytest.mark.parametrize("num_players", TABLES)
any_table, any_seed = st.sampled_from(TABLES), st.integers(0, 2**32)

# Pyramids of ten cards: the largest groups are 4, 2, 6, 3, 1; three of every colour.
LONG_RED: list[int | None] = [33, 76, 36, 44, 103, 23, 56, 68, 81, 92]
THREE_OF_EACH: list[int | None] = [87, 51, 43, 4, 66, 79, 11, 48, 64, 98]


def start(num_players: int, deck: list[int]) -> State:
    """The beginning of a game with a given deck; with two players Horus is out."""
    drawn = 3 * num_players
    quarry = [sorted(deck[i : i + 2]) for i in range(num_players, drawn, 2)]
    return (
        mastaba.game("pyramids", num_players)
        .new_initial_state(seed=0)
        .replace(
            deck=[None] * drawn + deck[drawn:],
            hand=rows([[card] for card in deck[:num_players]], 3),
            initial_card=pad(deck[:num_players], NUM_SEATS),
            quarry=rows(quarry, 2),
            public_place=["quarry" if card in deck[num_players:drawn] else "unseen" for card in IN_ORDER],
            removed_tile="horus" if num_players == 2 else None,
        )
    )


def position(
    num_players: int,
    round: int,
    phase: str,
    seat: int = 0,
    tile: str | None = None,
    hand: list[int] | None = None,
    pyramids: dict[int, list[int | None]] | None = None,
    obelisks: dict[int, list[int]] | None = None,
    tombs: dict[int, list[int]] | None = None,
) -> State:
    """A position in the middle of a game in which everything is known to everybody, from round 2 on also the initial cards.

    `seat` decides in `phase`, executing `tile`; the others own the lowest other tiles. What is not given is filled up: Pyramids
    and hands with spare cards, Obelisks and Tombs empty, and all cards that should have been drawn by now are in the discards.
    """
    first = (round - 1) % num_players
    in_play = [t for t in range(5 if num_players >= 4 else 4) if num_players > 2 or t != 0]  # with two players Horus is out
    owners: dict[int, int] = {}
    executed = -1
    if tile is None:
        seat = first
    else:
        executed = TILES.index(tile)
        others = [p for p in range(num_players) if p != seat]
        owners = dict(zip((t for t in in_play if t != executed), others, strict=False)) | {executed: seat}
    begun = {p for t, p in owners.items() if t < executed or (p == seat and phase != "pair")}
    built = begun - ({seat} if phase == "pyramid" else set())

    pyramids, obelisks = dict(pyramids or {}), obelisks or {}
    tombs = {p: sorted(cards) for p, cards in (tombs or {}).items()}
    hands = {} if hand is None else {seat: sorted(hand)}
    named = [c for pile in (hands, pyramids, obelisks, tombs) for cards in pile.values() for c in cards if c is not None]
    spare = (card for card in IN_ORDER if card not in named)
    for p in range(num_players):
        if p not in pyramids:
            pyramids[p] = [next(spare) for _ in range(round - (p not in built))]
        if p not in hands:
            emptied = len(obelisks.get(p, [])) + len(tombs.get(p, [])) == round  # three cards were built in one of the rounds
            hands[p] = [next(spare) for _ in range(1 + (p in begun) - emptied)]
    quarry = [[next(spare), next(spare)] for _ in range(num_players - len(begun))]
    drawn = num_players + 2 * num_players * round
    deck = sorted(spare, reverse=True)[: NUM_CARDS - drawn]

    place = dict.fromkeys(deck, "unseen") | {card: "quarry" for pair in quarry for card in pair}
    for where, piles in (("hand", hands), ("pyramid", pyramids), ("obelisk", obelisks), ("tomb", tombs)):
        place |= {card: f"{where} {p}" for p, cards in piles.items() for card in cards if card is not None}
    shown = [next((card for card in pyramids[p] if card is not None), None) for p in range(num_players)]
    initial = [hands[p][0] if card is None else card for p, card in enumerate(shown)]
    place |= {card: "unseen" for p, card in enumerate(initial) if shown[p] is None}
    game = mastaba.game("pyramids", num_players)
    values: dict[str, Any] = game.new_initial_state(seed=0).to_dict() | {
        "phase": phase,
        "round": round,
        "first_player": first,
        "current_player": seat,
        "tile": tile,
        "tile_owner": [owners.get(t) for t in range(5)],
        "gods_chosen": len(owners),
        "removed_tile": "horus" if num_players == 2 else None,
        "quarry": rows(quarry, 2),
        "deck": [None] * drawn + deck,
        "deck_position": drawn,
        "public_place": [place.get(card, "discarded") for card in IN_ORDER],
        "initial_card": pad(initial, NUM_SEATS),
        "initial_status": ["hand" if card is None else "seen" for card in shown] + ["hand"] * (NUM_SEATS - num_players),
    }
    for field, size, piles, width in (
        ("hand", "hand_size", hands, 3),
        ("pyramid", "pyramid_size", pyramids, NUM_SLOTS),
        ("obelisk", "obelisk_size", obelisks, 10),
        ("tomb", "tomb_size", tombs, 10),
    ):
        values[field] = rows([piles.get(p, []) for p in range(num_players)], width)
        values[size] = [sum(card is not None for card in row) for row in values[field]]
    return game.from_dict(values)


def pad(values: list, length: int) -> list:
    return list(values) + [None] * (length - len(values))


def rows(piles: list, width: int) -> list:
    return [pad(pile, width) for pile in piles] + [[None] * width] * (NUM_SEATS - len(piles))


def finished(num_players: int, **cards: Any) -> State:
    """The end of a game with the given Pyramids, Obelisks and Tombs."""
    tile = "thoth" if num_players >= 4 else "sekhmet"
    state = position(num_players, 10, "tomb", seat=num_players - 1, tile=tile, hand=[40, 41], **cards)
    return do(state, "pass")


def do(state: State, *actions: str) -> State:
    """Play actions by their notation; "2: take C" also says whose turn it must be."""
    for action in actions:
        seat, colon, name = action.rpartition(":")
        if colon:
            assert state.current_player() == int(seat), f"{action}, but it is the turn of {state.current_player()}"
        state.apply_action(state.game.string_to_action(name))
    return state


def legal_names(state: State) -> list[str]:
    return [state.action_to_string(a) for a in state.legal_actions()]


def pile(state: State, field: str, seat: int) -> list[int]:
    return [card for card in state.record[field][0][seat].tolist() if card != NOTHING]


def sheet(state: State, seat: int) -> dict[str, int]:
    return state.breakdown()[seat]


def groups(state: State, seat: int = 0) -> list[int]:
    return state.record["largest_group"][0][seat].tolist()


def known(state: State, seat: int) -> tuple[set[int], set[int], set[int], str]:
    """What the table knows of a player: surely in hand, candidates, surely in the Tomb; and where the initial card is."""
    values = state.to_dict()
    hand, candidates, tomb = (
        {c for c in IN_ORDER if values["public_place"][c] == f"{kind} {seat}"} for kind in ("hand", "candidate", "tomb")
    )
    return hand, candidates, tomb, values["initial_status"][seat]


def random_game(num_players: int, seed: int) -> Iterator[State]:
    """The positions of one random game, from the first decision to the end."""
    rng = np.random.default_rng(seed)
    state = mastaba.game("pyramids", num_players).new_initial_state(seed=seed)
    yield state.clone()
    while not state.is_terminal():
        state.apply_action(uniform(state, rng))
        yield state.clone()


def with_candidates() -> State:
    """Two players, round 2: seat 1 began with card 104, took 22 and 93, built 22 and laid 104 into the Tomb, unseen."""
    deck = [0, 104, 22, 93, 1, 2, 57, 65, 3, 4]
    state = start(2, deck + [card for card in IN_ORDER if card not in deck])
    do(state, "0: god khepri", "1: god anubis", "1: take A", "1: pyr 1@R", "1: tomb 2")
    assert known(state, 1) == (set(), {93}, set(), "candidate")
    do(state, "0: pyr 1@R", "0: pass", "0: drop 1")
    do(state, "1: god sekhmet", "0: god horus", "0: take B", "0: pyr 1@R")
    assert known(state, 1) == ({57, 65}, {93}, set(), "candidate")
    do(state, "1: pyr 2@R")
    assert known(state, 1) == ({57}, {93}, set(), "candidate")
    return state
