"""What the flat observation of Giza holds, number by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mastaba import State, testing
from mastaba.envs.giza.components import CATEGORIES, NOMINATIONS, QUARRIES, ZONES
from mastaba.envs.giza.observation import FEATURES, PLANES

from giza.by_hand import ALL, NO_SLEDS, PLAYERS, b3, base_sleds, giza, middle_stone_lifted, play, position
from giza.styles import games

# --- The features once more, in plain Python from the dictionary ---------------------------------------------------------------

Table = dict[str, Any]


def seats_from(t: Table, me: int) -> list[int]:
    return [(me + i) % t["num_players"] for i in range(t["num_players"])]


def workers_in(t: Table, zone: str) -> list[int]:
    return [row[ZONES.index(zone)] for row in t["workers"]][: t["num_players"]]


def shares(values: list[int], places: tuple[int, ...]) -> list[int]:
    """Who has nothing is not ranked, ties share their places and round down."""
    out = [0] * len(values)
    ranked = sorted({v for v in values if v > 0}, reverse=True)
    place = 0
    for value in ranked:
        tied = [p for p, v in enumerate(values) if v == value]
        for p in tied:
            out[p] = sum(places[place : place + len(tied)]) // len(tied)
        place += len(tied)
    return out


def sled_zone(t: Table, quarry: int) -> str | None:
    at = t["sled_position"][quarry]
    if at in (None, "unloaded"):
        return None
    return QUARRIES[quarry] + ("" if at == "quarry" else f".{at[-1]}")


def eligible(t: Table) -> list[bool]:
    def crew(zone: str | None) -> bool:
        return zone is not None and sum(workers_in(t, zone)) >= 3

    ready = sum(t["middle_built"]) == 4
    return [
        *(crew(sled_zone(t, q)) for q in range(4)),
        crew("ml") and t["middle_in_camp"] > 0 and sum(t["base_built"]) > sum(t["middle_built"]),
        crew("ml") and t["capstone"] == "ml" and ready,
        crew("cl") and t["capstone"] == "cl" and ready,
    ]


def incomplete_rows(t: Table) -> int:
    tiers = (t["base_built"], t["middle_built"])
    return sum(not (tier[a] and tier[a + 1]) for tier in tiers for a in (0, 2)) + (t["capstone"] != "built")


def turns_to_act(t: Table, p: int) -> int:
    if t["over"]:
        return 0
    turns = 10 - t["round"]
    if t["stage"] == "rows":
        return turns + 1
    if t["stage"] == "turns":
        places = t["order"][: t["num_players"]]
        turns += places.index(p) > t["order_index"] or (p == t["turn_player"] and t["phase"] == "action")
    return turns


def sleds(t: Table, me: int) -> list[float]:
    numbers: list[float] = []
    for quarry in range(4):
        zone = sled_zone(t, quarry)
        crew = workers_in(t, zone) if zone else [0] * t["num_players"]
        points = shares(crew, (6, 3, 1, 0))
        if sum(k > 0 for k in crew) == 1:
            points[int(np.argmax(crew))] += 4
        numbers += [crew[p] / 4 for p in seats_from(t, me)] + [points[p] / 10 for p in seats_from(t, me)]
    return numbers


def awards(t: Table, me: int) -> list[float]:
    ordinary, final = (6, 3, 1, 0), (10, 6, 3, 1)
    zones = (("ml", ordinary), ("cl", final), ("ra", ordinary))
    return [shares(workers_in(t, zone), places)[p] / 10 for zone, places in zones for p in seats_from(t, me)]


def stock(t: Table, p: int) -> list[float]:
    food, art = t["food"][p], t["art"][p]
    return [food / 128, min(food, 16) / 16, art / 60, min(art, 12) / 12]


def bid(amount: int | None, most: int) -> list[float]:
    return [0, 0] if amount is None else [1, amount / most]


def expected(t: Table, me: int) -> dict[str, list[float]]:
    seats = seats_from(t, me)
    return {
        "supply": [(128 - sum(t["food"])) / 128, (60 - sum(t["art"])) / 60],
        "eligible": [float(e) for e in eligible(t)],
        "food_offered": [min(1, sum(b or 0 for b in t["food_bid"]) / 8)],
        "decorations_left": [incomplete_rows(t) / 5],
        "own_art_bid": bid(t["art_bid"][me], 60),
        "stock": [x for p in seats for x in stock(t, p)],
        "food_bid": [x for p in seats for x in bid(t["food_bid"][p], 20)],
        "turns_left": [turns_to_act(t, p) / 10 for p in seats],
        "sleds": sleds(t, me),
        "awards": awards(t, me),
        "workers": [k / 10 for p in seats for k in t["workers"][p]],
        "points": [k / 90 for p in seats for k in t["points"][p]],
    }


def observed(state: State, name: str, player: int) -> np.ndarray:
    return state.observation(player)[state.game.encoder().where(name)].ravel()


def assert_as_expected(state: State, player: int) -> None:
    shown = state.to_dict()
    for name, numbers in expected(shown, player).items():
        assert observed(state, name, player) == pytest.approx(numbers, abs=1e-6), (name, player, shown)


def test_every_feature_is_recomputed() -> None:
    assert {f.name for f in FEATURES} < set(expected(giza(4).new_initial_state(seed=1).to_dict(), 0))


@pytest.mark.parametrize("players", PLAYERS)
def test_features_are_what_the_position_says(players: int) -> None:
    """In thousands of positions of random and rule-based play, for every observer."""
    for state in testing.positions(giza(players), 1000, seed=31):
        for player in range(players):
            assert_as_expected(state, player)


def test_features_are_what_late_positions_say() -> None:
    for game in games(1):
        for i, (state, _) in enumerate(game):
            if i % 3 == 0:
                assert_as_expected(state, i % state.game.num_players)


# --- What is told apart ----------------------------------------------------------------------------------------------------------


def test_no_bid_and_a_bid_of_nothing_look_different() -> None:
    before = play(position(move={0: {"q0": 1}, 1: {"q0": 2}, 3: {"q0": 1}}), "pass")
    after = play(before, "food 0")
    assert observed(before, "food_bid", 1).tolist() == [0] * 8
    assert observed(after, "food_bid", 1).tolist() == [1, 0, *[0] * 6]


def test_an_own_art_bid_of_nothing_looks_different_from_none() -> None:
    before = play(middle_stone_lifted(), "build B")
    assert observed(before, "own_art_bid", 1).tolist() == [0, 0]
    assert observed(play(before, "deco 0"), "own_art_bid", 1).tolist() == [1, 0]


@pytest.mark.parametrize(("field", "amounts"), [("food", (60, 61)), ("art", (40, 41))])
def test_large_stocks_are_told_apart(field: str, amounts: tuple[int, int]) -> None:
    one, other = (position(**{field: [amount, 0, 0, 0]}) for amount in amounts)
    assert not np.array_equal(one.observation(0), other.observation(0))


def test_all_tokens_in_one_hand_and_the_highest_bids_are_seen() -> None:
    rich = play(middle_stone_lifted().replace(food=[128, 0, 0, 0], art=[0, 59, 1, 0]), "build B", "deco 59")
    assert observed(rich, "own_art_bid", 1) == pytest.approx([1, 59 / 60])
    assert_as_expected(position(art=[60, 0, 0, 0]), 0)
    lift = b3(move={0: {"ml": 1}, 1: {"ml": 10}}, **NO_SLEDS, base_built=ALL, middle_built=[True, True, True, False],
              middle_in_camp=1, middle_in_reserve=0, capstone="ml", food=[20, 20, 0, 0])  # fmt: skip
    bid = play(lift, "pass", "food 20")
    assert observed(bid, "food_bid", 1)[:2].tolist() == [1, 1]
    for state in (rich, bid):
        for player in range(state.game.num_players):
            assert_as_expected(state, player)


def test_the_score_sheet_of_everybody_is_seen() -> None:
    sheet = [[8, 4, 0, 2], [0, 6, 0, 0], [0, 0, 3, 0], [1, 0, 0, 0]]
    state = position(**NO_SLEDS, base_built=ALL, middle_built=ALL, middle_in_reserve=0, capstone="cl", points=sheet)
    assert observed(state, "points", 1) * 90 == pytest.approx([*sheet[1], *sheet[2], *sheet[3], *sheet[0]])
    assert state.breakdown()[0] == dict(zip(CATEGORIES, sheet[0], strict=True))


def test_who_is_on_a_sled_and_what_it_would_pay() -> None:
    state = position(move={0: {"q1": 2, "q2": 3}, 1: {"q1": 1}})
    seen = observed(state, "sleds", 1).reshape(4, 2, 4)
    assert (seen[:, 0] * 4).tolist() == [[0] * 4, [1, 0, 0, 2], [0, 0, 0, 3], [0] * 4], "seat 0 comes last"
    assert (seen[:, 1] * 10).round(5).tolist() == [[0] * 4, [3, 0, 0, 6], [0, 0, 0, 10], [0] * 4]


def test_a_sled_on_its_way_is_observed_where_it_stands() -> None:
    state = b3(move={0: {"q1": 3}, 2: {"q1.2": 1}}, sled_position=["quarry", "space 2", "quarry", None])
    seen = observed(state, "sleds", 2).reshape(4, 2, 3)
    assert (seen[1] * [[4], [10]]).round(5).tolist() == [[1, 0, 0], [10, 0, 0]]


def test_the_food_offered_is_counted_and_the_stone_is_eligible() -> None:
    state = play(position(move={0: {"q0": 1}, 1: {"q0": 2}, 3: {"q0": 1}}), "pass", "food 3")
    assert observed(state, "food_offered", 0).tolist() == [3 / 8]
    assert observed(state, "eligible", 0).tolist() == [1] + [0] * (len(NOMINATIONS) - 1)


# --- Planes ----------------------------------------------------------------------------------------------------------------------


def test_tracks_lie_row_by_row_on_the_planes_and_camps_below() -> None:
    state = position(move={1: {"q2.3": 2, "ml": 1}}, **base_sleds(q2="space 2"))
    encoder = state.game.encoder("planes")
    planes = state.observation(1, "planes").reshape(-1, PLANES.height, PLANES.width)
    size = PLANES.height * PLANES.width
    mine = planes[encoder.where("workers").min() // size]
    assert mine[2, 3] == pytest.approx(0.2)
    assert mine[4] == pytest.approx([0.5, 0, 0, 0.1, 0]), "farm, ra, art, ml, cl"
