"""Stones: bids of food, pushes, lifts, building, decoration, the Temple of Ra, the end."""

from __future__ import annotations

from typing import Any

import pytest

from mastaba import State
from mastaba.envs.giza.components import LOCATIONS

from giza.by_hand import ALL, NO_SLEDS, asked, b3, base_sleds, middle_stone_lifted, options, play, position, see, sleds, workers


def test_a_push_with_too_little_food_fails():
    state = position(move={0: {"q1.1": 2}, 1: {"q1.1": 1}, 2: {"q1.1": 1}, 3: {"q2": 3}}, **base_sleds(q1="space 1"))
    state = play(state, "pass")
    assert options(state) == {"push q1", "push q2"}
    state = play(state, "push q1", "food 0", "food 1", "food 1")
    assert see(state, "food") == [7, 8, 7, 8]
    assert workers(state, "q1.1") == [2, 0, 1, 0]
    assert workers(state, "farm")[1] == 8
    assert see(state, "sled_position")[1] == "space 1"


def test_all_starve():
    state = position(move={0: {"q0.2": 1}, 1: {"q0.2": 2}, 3: {"q0.2": 1}}, food=[8, 0, 8, 8], **base_sleds(q0="space 2"))
    state = play(state, "pass")
    assert asked(state) == ("food bid", 3), "seat 1 bids nothing by force"
    state = play(state, "food 0", "food 0")
    assert workers(state, "q0.2") == [0, 1, 0, 0]
    assert see(state, "sled_position")[0] == "space 2"


def test_a_stone_may_be_nominated_again_after_a_failure():
    state = position(move={0: {"q0": 2}, 1: {"q0": 2}})
    state = play(state, "pass", "food 0", "food 1")
    assert workers(state, "q0") == [2, 1, 0, 0]
    assert asked(play(state, "pass")) == ("food bid", 0)


def test_a_sled_crushes_who_stands_in_its_way():
    state = position(move={0: {"q0.1": 2}, 1: {"q0.1": 1}, 2: {"q0.2": 1}}, **base_sleds(q0="space 1"))
    state = play(state, "pass", "food 1", "food 3")
    assert see(state, "sled_position")[0] == "space 2"
    assert workers(state, "q0.2") == [2, 1, 0, 0]
    assert workers(state, "ra") == [0, 0, 1, 0]
    assert see(state, "food") == [5, 7, 8, 8]


def test_a_four_way_tie():
    state = position(turn=2, move={p: {"q0.3": 1} for p in range(4)}, **base_sleds(q0="space 3"))
    state = play(state, "pass")
    for bidder in (3, 0, 1, 2):
        assert asked(state) == ("food bid", bidder)
        state = play(state, "food 1")
    assert state.scores() == [2, 2, 2, 2]
    assert asked(state) == ("build", 2)
    state = play(state, "build A")
    for seat in (3, 0, 1, 2):
        assert asked(state) == ("reassign", seat)
        state = play(state, "put farm")


def test_a_nominator_without_workers_still_builds():
    state = position(move={1: {"q0.3": 3}}, **base_sleds(q0="space 3"))
    state = play(state, "pass", "food 4")
    assert asked(state) == ("build", 0)
    state = play(state, "build D")
    assert asked(state) == ("reassign", 1)


def test_the_sled_returns_with_a_new_stone():
    state = position(move={0: {"q2.3": 3}, 1: {"q2": 2}, 2: {"q2.1": 1}}, **base_sleds(q2="space 3"))
    state = play(state, "pass", "food 4")
    assert state.scores() == [10, 0, 0, 0]
    state = play(state, "build A", "put farm", "put ra", "put ml", "load mid")
    assert see(state, "sled_position")[2] == "quarry"
    assert see(state, "sled_stone")[2] == "middle"
    assert workers(state, "q2") == [0, 2, 0, 0]
    assert workers(state, "q2.1") == [0, 0, 1, 0]
    assert see(state, "middle_in_reserve") == 3
    assert asked(state) == ("action", 1)


def test_without_stones_the_sled_is_removed():
    state = position(
        move={0: {"q0.3": 3}, 1: {"q0": 2}},
        **sleds(q0=("space 3", "middle")),
        base_built=ALL,
        middle_built=[True, True, True, False],
        middle_in_reserve=0,
        capstone="ml",
    )
    state = play(state, "pass", "food 6")
    assert state.scores()[0] == 10
    assert see(state, "middle_in_camp") == 1
    state = play(state, "put ml", "put ml", "put ml")
    assert see(state, "sled_position")[0] is None
    assert workers(state, "q0") == [0, 2, 0, 0]
    assert asked(state) == ("action", 1)
    assert "adv q0.0" in options(state)


def test_three_players_start_with_location_a_built():
    state = b3(move={0: {"q0.3": 2}, 1: {"q0.3": 2}}, sled_position=["space 3", "quarry", "quarry", None])
    state = play(state, "pass", "food 2", "food 2")
    assert state.scores() == [4, 4, 0]
    assert options(state) == {"build B", "build C", "build D"}
    state = play(state, "build B", "put farm", "put farm", "put farm", "put farm")
    assert asked(state) == ("art bid", 1)


def test_a_lift_is_scored_by_food():
    state = middle_stone_lifted()
    assert state.scores() == [4, 0, 1, 4]
    assert see(state, "food") == [4, 7, 6, 4]
    assert options(state) == {"build B", "build C", "build D"}


def test_a_middle_stone_needs_a_free_base_stone():
    only_a = [True, False, False, False]
    state = position(
        move={0: {"ml": 3}},
        sled_stone=["middle", "base", "base", "base"],
        base_built=only_a,
        middle_built=only_a,
        middle_in_camp=1,
        middle_in_reserve=1,
    )
    assert asked(play(state, "pass")) == ("action", 1)


def capstone_in_ml(middle_built: list[bool], **stones: Any) -> State:
    state = position(
        move={0: {"ml": 4}}, base_built=ALL, middle_built=middle_built, middle_in_reserve=0, capstone="ml", **stones
    )  # fmt: skip
    return play(state, "pass")


def test_the_capstone_waits_for_all_eight_stones():
    state = capstone_in_ml([True, True, False, True], **sleds(q0=("quarry", "middle")))
    assert asked(state) == ("action", 1)


def test_the_capstone_is_lifted_to_its_camp():
    state = capstone_in_ml(ALL, **NO_SLEDS)
    assert see(state, "nominated") == "lift cap1"
    state = play(state, "food 4")
    assert state.scores() == [6, 0, 0, 0]
    assert see(state, "capstone") == "cl"
    assert asked(state) == ("action", 1)


def test_a_complete_row_is_decorated():
    state = play(middle_stone_lifted(), "build B")
    assert asked(state) == ("art bid", 1)
    state = play(state, "deco 4", "deco 0", "deco 4", "deco 5")
    assert state.scores() == [10, 2, 1, 6]
    assert see(state, "art") == [0, 0, 3, 0]


def test_an_incomplete_row_is_not_decorated():
    state = play(middle_stone_lifted(), "build C")
    assert asked(state) == ("action", 1)
    assert state.scores() == [4, 0, 1, 4]


@pytest.mark.parametrize(("first", "second", "next_phase"), [("A", "C", "action"), ("A", "B", "art bid")])
def test_rows_count_and_columns_do_not(first, second, next_phase):
    state = position(
        move={0: {"q0.3": 3}},
        sled_position=["space 3", None, "quarry", "quarry"],
        sled_stone=["base", None, "base", "base"],
        base_built=[at == first for at in LOCATIONS],
        middle_in_reserve=0,
        middle_in_camp=4,
        capstone="ml",
    )
    state = play(state, "pass", "food 4", f"build {second}", "put farm", "put farm", "put farm")
    assert state.phase() == next_phase


def test_three_scorings_at_once():
    state = position(
        move={0: {"ml": 2}, 1: {"ml": 1, "ra": 2}, 2: {"ra": 1}, 3: {"ra": 1}},
        **NO_SLEDS,
        base_built=ALL,
        middle_built=[True, True, True, False],
        middle_in_camp=1,
        middle_in_reserve=0,
        capstone="ml",
    )
    state = play(state, "pass", "food 2", "food 3")
    assert state.scores() == [6, 3, 0, 0]
    state = play(state, "deco 1", "deco 2", "deco 0", "deco 0")
    assert see(state, "middle_built") == ALL
    assert state.scores() == [6, 12, 8, 2]


def test_crushed_workers_and_reassigned_ones_honour_ra():
    state = position(
        move={0: {"q0.1": 4}, 1: {"q0.2": 2}, 2: {"q0.3": 1}},
        sled_position=["space 1", "quarry", "quarry", "quarry"],
        sled_stone=["base", "middle", "middle", "middle"],
        base_built=[True, True, True, False],
        middle_in_reserve=1,
        art=[0, 0, 3, 1],
    )
    state = play(state, "pass", "food 8")
    assert workers(state, "ra") == [0, 2, 1, 0]
    assert state.scores() == [10, 0, 0, 0]
    assert see(state, "base_built") == ALL
    state = play(state, *["put ra"] * 4)
    assert asked(state) == ("art bid", 2), "seats without art bid nothing by force"
    state = play(state, "deco 1", "deco 1")
    assert state.scores() == [16, 3, 5, 4]
    assert see(state, "art") == [0, 0, 2, 0]
    assert asked(state) == ("stone", 0)


def test_final_scoring():
    state = position(
        turn=1,
        round=9,
        move={0: {"cl": 2, "ra": 3}, 1: {"cl": 2, "ra": 1}, 2: {"cl": 1, "ra": 1}, 3: {"cl": 1}},
        **NO_SLEDS,
        base_built=ALL,
        middle_built=ALL,
        middle_in_reserve=0,
        capstone="cl",
        food=[4, 4, 8, 8],
        art=[5, 2, 2, 0],
        points=[[14, 4, 2, 0], [20, 6, 3, 2], [16, 4, 2, 0], [20, 6, 3, 1]],
    )
    state = play(state, "pass", "food 1", "food 0", "food 4", "food 4")
    assert state.scores() == [28, 39, 25, 30]
    state = play(state, "deco 2", "deco 5", "deco 2")
    assert state.is_terminal()
    assert state.scores() == [44, 45, 31, 30]
    assert state.standings() == [1, 0, 2, 3]


def test_the_game_stops_when_the_capstone_is_scored():
    state = position(
        move={0: {"cl": 3}}, **NO_SLEDS, base_built=ALL, middle_built=ALL, middle_in_reserve=0, capstone="cl", art=[0] * 4
    )  # fmt: skip
    state = play(state, "pass", "food 4")
    assert state.is_terminal()
    assert see(state, "round") == 8
