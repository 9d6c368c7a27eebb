"""Giza: components, the worked examples of the spec, its invariants, and games in lockstep with the referee."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mastaba
from mastaba.baselines.agents import agent
from mastaba.envs.core.game import Game, State
from mastaba.envs.core.masks import new_masks
from mastaba.envs.giza.actions import ACTIONS
from mastaba.envs.giza.components import LOCATIONS, MOVES, NOMINATIONS, POINTS, QUARRIES, ROWS, ZONES
from mastaba.envs.giza.invariants import violations
from mastaba.envs.giza.scoring import push_share, share_of
from mastaba.envs.giza.state import PHASES

import lockstep
from lockstep import uniform

GAMES = int(os.environ.get("MASTABA_LOCKSTEP", "1"))
PLAYERS = (3, 4)
NO_SLEDS = {"sled_position": [None] * 4, "sled_stone": [None] * 4}
ALL = [True] * 4

# --- Positions -----------------------------------------------------------------------------------------------------------------


def giza(players: int) -> Game:
    return mastaba.game("giza", num_players=players)


def used_rows(row: int | None, how_many: int) -> list[str]:
    """A row of this round and enough others of the dynasty."""
    others = [r for r in range(len(ROWS)) if r != row]
    rows = ([] if row is None else [row]) + others
    return [ROWS[r] for r in rows[:how_many]]


def position(
    turn: int = 0,
    players: int = 4,
    rows: tuple[int, ...] = (1, 2, 3, 4),
    move: dict[int, dict[str, int]] | None = None,
    **fields: Any,
) -> State:
    """The spec's base state B4(turn) or B3(turn): three actions to go, all workers in the farms but for those in `move`."""
    game = giza(players)
    rows, each, round_ = rows[:players], {3: 10, 4: 8}[players], fields.get("round", 3)
    workers = [[each if p < players else 0] + [0] * (len(ZONES) - 1) for p in range(4)]
    for seat, places in (move or {}).items():
        for zone, n in places.items():
            workers[seat][0] -= n
            workers[seat][ZONES.index(zone)] += n
    order = sorted(range(players), key=rows.__getitem__)
    absent = [None] * (4 - players)
    used = [used_rows(rows[p], (round_ - 1) % 5 + 1) if p < players else [] for p in range(4)]
    base = {
        **game.new_initial_state(seed=0).to_dict(),
        "phase": "action",
        "stage": "turns",
        "round": 3,
        "workers_placed": each * players,
        "order": [*order, *absent],
        "order_index": order.index(turn),
        "turn_player": turn,
        "current_player": turn,
        "row": [*(ROWS[r] for r in rows), *absent],
        "used_rows": used,
        "actions_left": 3,
        "workers": workers,
    }
    return game.from_dict({**base, **fields})


def before_rows(used: tuple[str, ...], **fields: Any) -> State:
    """The first player is about to choose a row, having used these."""
    order = fields.pop("order", [0, 1, 2, 3])
    return position(
        phase="row",
        stage="rows",
        order=order,
        order_index=0,
        current_player=order[0],
        turn_player=None,
        actions_left=0,
        row=[None] * 4,
        used_rows=[list(used)] * 4,
        **fields,
    )


def b3(turn: int = 0, **fields: Any) -> State:
    return position(turn, players=3, **fields)


def sleds(**placed: tuple[str, str]) -> dict[str, list]:
    """`sleds(q0=("space 2", "middle"))`: these sleds, and no others."""
    return {
        "sled_position": [placed[q][0] if q in placed else None for q in QUARRIES],
        "sled_stone": [placed[q][1] if q in placed else None for q in QUARRIES],
    }


def base_sleds(**positions: str) -> dict[str, list]:
    """All four sleds with base stones, some of them moved on."""
    return {"sled_position": [positions.get(q, "quarry") for q in QUARRIES]}


def late4() -> State:
    """The spec's fixture LATE4: one middle stone and the capstone are still to come."""
    everywhere = {"ra": 1, "art": 1, "ml": 1, "cl": 1, "q0.2": 1}
    return position(
        rows=(1, 2, 3, 5),
        round=8,
        move=dict.fromkeys(range(4), everywhere),
        **sleds(q0=("space 2", "middle")),
        base_built=ALL,
        middle_built=[True, True, True, False],
        middle_in_reserve=0,
        capstone="ml",
        food=[12] * 4,
        art=[4] * 4,
        vp=[20, 21, 22, 23],
    )


def play(state: State, *actions: str) -> State:
    state = state.clone()
    for action in actions:
        state.apply_action(state.game.string_to_action(action))
    return state


def see(state: State, field: str) -> Any:
    return state.to_dict()[field]


def workers(state: State, zone: str) -> list[int]:
    return [row[ZONES.index(zone)] for row in see(state, "workers")]


def options(state: State) -> set[str]:
    return {state.action_to_string(a) for a in state.legal_actions()}


def asked(state: State) -> tuple[str, int]:
    return state.phase(), state.current_player()


# --- Components ----------------------------------------------------------------------------------------------------------------


def test_the_board_has_21_zones_and_197_actions():
    assert len(ZONES) == 21
    assert len(ACTIONS) == 197
    assert ZONES.index("q2.3") == 16


@pytest.mark.parametrize(
    ("index", "notation"),
    [(0, "put farm"), (8, "put q3"), (9, "row fish2"), (16, "row art2"), (17, "pass"), (18, "farm"), (19, "fish"),
     (20, "art 1"), (29, "art 10"), (30, "farm>ra"), (35, "art>ra"), (36, "q0>q1"), (47, "q3>q2"), (48, "q0>farm"),
     (59, "q3>art"), (60, "farm>q0"), (71, "art>q3"), (72, "ml>cl"), (73, "cl>ml"), (74, "ml>farm"), (79, "cl>art"),
     (80, "farm>ml"), (85, "art>cl"), (86, "adv q0.0"), (101, "adv q3.3"), (102, "push q0"), (106, "lift mid"),
     (107, "lift cap1"), (108, "lift cap2"), (109, "food 0"), (129, "food 20"), (130, "build A"), (133, "build D"),
     (134, "load mid"), (135, "load cap"), (136, "deco 0"), (196, "deco 60")],
)  # fmt: skip
def test_actions_stand_where_the_spec_says(index, notation):
    assert giza(4).action_to_string(index) == notation
    assert giza(4).string_to_action(notation) == index


def test_every_move_is_named_by_its_zones():
    for move, (source, target) in enumerate(MOVES):
        assert ACTIONS.names[30 + move] == f"{ZONES[source]}>{ZONES[target]}"


@pytest.mark.parametrize("players", PLAYERS)
def test_the_start(players):
    state = giza(players).new_initial_state(seed=3)
    shown = state.to_dict()
    absent = [0] * (4 - players)
    assert shown["food"] == [8] * players + absent
    assert shown["art"] == [3] * players + absent
    assert shown["sled_position"] == ["quarry"] * players + [None] * (4 - players)
    assert shown["sled_stone"] == ["base"] * players + [None] * (4 - players)
    assert shown["base_built"] == shown["middle_built"] == [players == 3, False, False, False]
    assert shown["middle_in_reserve"] == players
    assert asked(state) == ("setup", shown["first_player"])


def test_every_seat_can_be_start_player():
    assert {see(giza(3).new_initial_state(seed=i), "first_player") for i in range(40)} == {0, 1, 2}


@pytest.mark.parametrize("players", PLAYERS)
def test_workers_are_placed_in_pairs_clockwise(players):
    state = giza(players).new_initial_state(seed=1)
    first = see(state, "first_player")
    for k in range(players * {3: 10, 4: 8}[players]):
        assert asked(state) == ("setup", (first + k // 2) % players)
        state = play(state, "put farm")
    assert asked(state) == ("row", first)
    assert see(state, "order")[:players] == [(first + i) % players for i in range(players)]


def test_a_quarry_takes_four_workers_in_setup():
    state = play(giza(3).new_initial_state(seed=1), *["put q1"] * 4)
    assert options(state) == {"put farm", "put ra", "put art", "put ml", "put cl", "put q0", "put q2"}


# --- Rulebook examples ---------------------------------------------------------------------------------------------------------


def test_e1_the_order_of_play_is_reversed_for_choosing():
    state = position(rows=(0, 1, 6, 7), round=1)
    state = play(state, "pass", "pass", "pass", "pass")
    assert see(state, "round") == 2
    assert see(state, "order") == [3, 2, 1, 0]
    assert asked(state) == ("row", 3)


def test_e2_the_last_row_is_taken_by_force():
    state = before_rows(ROWS[:4], round=5, order=[3, 2, 1, 0])
    assert options(state) == {"row track", "row lifter", "row farm2", "row art2"}
    state = play(state, "row track")
    assert asked(state) == ("row", 2), "nobody stands on a track: the bonus is skipped"
    state = play(state, "row farm2", "row art2")
    assert see(state, "row")[0] == "lifter"
    assert asked(state) == ("bonus", 0)
    assert options(state) == {"pass", "farm>ml", "farm>cl"}


def test_e3_fishing_and_farming():
    state = play(position(move={0: {"ra": 3}}), "fish")
    assert see(state, "food")[0] == 10
    assert "fish" not in options(state)
    assert see(play(state, "farm"), "food")[0] == 15


@pytest.mark.parametrize(("farmers", "action", "food"), [(3, "farm", 3), (4, "fish", 2), (5, "fish", 2)])
def test_e4_production(farmers, action, food):
    state = position(move={0: {"ra": 8 - farmers}})
    assert see(play(state, action), "food")[0] == 8 + food


def test_e5_art_is_made_once_in_a_turn():
    state = play(position(move={0: {"art": 3}}), "art 2")
    assert (see(state, "food")[0], see(state, "art")[0]) == (6, 5)
    assert not any(action.startswith("art ") for action in options(state))


def test_e5_art_is_made_twice_in_row_art2():
    state = position(rows=(7, 2, 3, 4), move={0: {"art": 3}})
    assert see(state, "order") == [1, 2, 3, 0]
    state = play(state, "art 3", "art 3")
    assert (see(state, "food")[0], see(state, "art")[0]) == (2, 9)


def test_e6_a_push_with_too_little_food_fails():
    state = position(move={0: {"q1.1": 2}, 1: {"q1.1": 1}, 2: {"q1.1": 1}, 3: {"q2": 3}}, **base_sleds(q1="space 1"))
    state = play(state, "pass")
    assert options(state) == {"push q1", "push q2"}
    state = play(state, "push q1", "food 0", "food 1", "food 1")
    assert see(state, "food") == [7, 8, 7, 8]
    assert workers(state, "q1.1") == [2, 0, 1, 0]
    assert workers(state, "farm")[1] == 8
    assert see(state, "sled_position")[1] == "space 1"


def test_e7_a_sled_crushes_who_stands_in_its_way():
    state = position(move={0: {"q0.1": 2}, 1: {"q0.1": 1}, 2: {"q0.2": 1}}, **base_sleds(q0="space 1"))
    state = play(state, "pass", "food 1", "food 3")
    assert see(state, "sled_position")[0] == "space 2"
    assert workers(state, "q0.2") == [2, 1, 0, 0]
    assert workers(state, "ra") == [0, 0, 1, 0]
    assert see(state, "food") == [5, 7, 8, 8]


def lift_of_e8() -> State:
    state = position(
        move={0: {"ml": 2}, 1: {"ml": 1}, 2: {"ml": 1}, 3: {"ml": 2}},
        **sleds(q0=("quarry", "middle")),
        base_built=ALL,
        middle_built=[True, False, False, False],
        middle_in_camp=2,
        middle_in_reserve=0,
        capstone="ml",
        art=[5, 4, 3, 4],
    )
    return play(state, "pass", "food 1", "food 2", "food 4", "food 4")


def test_e8_a_lift_is_scored_by_food():
    state = lift_of_e8()
    assert see(state, "vp") == [4, 0, 1, 4]
    assert see(state, "food") == [4, 7, 6, 4]
    assert options(state) == {"build B", "build C", "build D"}


def test_e8_a_complete_row_is_decorated():
    state = play(lift_of_e8(), "build B")
    assert asked(state) == ("art bid", 1)
    state = play(state, "deco 4", "deco 0", "deco 4", "deco 5")
    assert see(state, "vp") == [10, 2, 1, 6]
    assert see(state, "art") == [0, 0, 3, 0]


def test_e8_an_incomplete_row_is_not_decorated():
    state = play(lift_of_e8(), "build C")
    assert asked(state) == ("action", 1)
    assert see(state, "vp") == [4, 0, 1, 4]


ORDINARY, FINAL = 0, 1
AWARDS = [
    (ORDINARY, [5, 3, 3, 3], [6, 1, 1, 1]),
    (ORDINARY, [3, 3, 1, 0], [4, 4, 1, 0]),
    (ORDINARY, [2, 1, 1], [6, 2, 2]),
    (ORDINARY, [2, 2, 2], [3, 3, 3]),
    (ORDINARY, [3, 3, 3, 1], [3, 3, 3, 0]),
    (ORDINARY, [2, 2, 1, 1], [4, 4, 0, 0]),
    (ORDINARY, [0, 0, 0, 0], [0, 0, 0, 0]),
    (FINAL, [1, 1, 1, 1], [5, 5, 5, 5]),
    (FINAL, [3, 2, 2, 2], [10, 3, 3, 3]),
    (FINAL, [3, 3, 3, 1], [6, 6, 6, 1]),
    (FINAL, [2, 2, 1, 1], [8, 8, 2, 2]),
    (FINAL, [4, 0, 0, 0], [10, 0, 0, 0]),
]


@pytest.mark.parametrize(("scale", "values", "points"), AWARDS)
def test_e9_e10_x15_awards(scale, values, points):
    counts = np.array(values, np.int8)
    assert [share_of(counts, len(values), p, scale) for p in range(len(values))] == points


def test_an_award_never_pays_more_than_its_points():
    for values in itertools.product(range(4), repeat=4):
        for scale, points in enumerate(POINTS):
            counts = np.array(values, np.int8)
            assert sum(share_of(counts, 4, p, scale) for p in range(4)) <= sum(points)


def test_only_who_pushed_alone_gets_the_solo_bonus():
    assert [push_share(np.array([3, 0, 0, 0], np.int8), 4, p) for p in range(4)] == [10, 0, 0, 0]
    assert [push_share(np.array([3, 0, 1, 0], np.int8), 4, p) for p in range(4)] == [6, 0, 3, 0]


@pytest.mark.parametrize(("first", "second", "next_phase"), [("A", "C", "action"), ("A", "B", "art bid")])
def test_e11_rows_count_and_columns_do_not(first, second, next_phase):
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


def test_e12_the_sled_returns_with_a_new_stone():
    state = position(move={0: {"q2.3": 3}, 1: {"q2": 2}, 2: {"q2.1": 1}}, **base_sleds(q2="space 3"))
    state = play(state, "pass", "food 4")
    assert see(state, "vp") == [10, 0, 0, 0]
    state = play(state, "build A", "put farm", "put ra", "put ml", "load mid")
    assert see(state, "sled_position")[2] == "quarry"
    assert see(state, "sled_stone")[2] == "middle"
    assert workers(state, "q2") == [0, 2, 0, 0]
    assert workers(state, "q2.1") == [0, 0, 1, 0]
    assert see(state, "middle_in_reserve") == 3
    assert asked(state) == ("action", 1)


def test_e13_three_scorings_at_once():
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
    assert see(state, "vp") == [6, 3, 0, 0]
    state = play(state, "deco 1", "deco 2", "deco 0", "deco 0")
    assert see(state, "middle_built") == ALL
    assert see(state, "vp") == [6, 12, 8, 2]


# --- Further examples ----------------------------------------------------------------------------------------------------------


def test_x1_a_four_way_tie():
    state = position(turn=2, move={p: {"q0.3": 1} for p in range(4)}, **base_sleds(q0="space 3"))
    state = play(state, "pass")
    for bidder in (3, 0, 1, 2):
        assert asked(state) == ("food bid", bidder)
        state = play(state, "food 1")
    assert see(state, "vp") == [2, 2, 2, 2]
    assert asked(state) == ("build", 2)
    state = play(state, "build A")
    for seat in (3, 0, 1, 2):
        assert asked(state) == ("reassign", seat)
        state = play(state, "put farm")


def test_x2_all_starve():
    state = position(move={0: {"q0.2": 1}, 1: {"q0.2": 2}, 3: {"q0.2": 1}}, food=[8, 0, 8, 8], **base_sleds(q0="space 2"))
    state = play(state, "pass")
    assert asked(state) == ("food bid", 3), "seat 1 bids nothing by force"
    state = play(state, "food 0", "food 0")
    assert workers(state, "q0.2") == [0, 1, 0, 0]
    assert see(state, "sled_position")[0] == "space 2"


def walk_of_x3(on_sled: int = 3, sled: str = "space 2", actions_left: int = 3) -> State:
    space = f"q0.{sled[-1]}"
    moved = {0: {"q0": 1}, 1: {"q0.1": 2}, 2: {"q0.1": 2}, 3: {space: on_sled}}
    if sled == "space 3":
        moved[1]["q0.2"] = moved[2]["q0.2"] = 2
    return position(move=moved, actions_left=actions_left, **base_sleds(q0=sled))


def test_x3_a_full_space_is_walked_through():
    state = play(walk_of_x3(), "adv q0.0")
    assert workers(state, "q0.2") == [1, 0, 0, 3]
    assert see(state, "actions_left") == 1
    assert "adv q0.2" not in options(state)


def test_x3_a_full_sled_is_not_passed():
    assert "adv q0.0" not in options(walk_of_x3(on_sled=4))


def test_x3_the_walk_must_be_paid_in_one_go():
    assert "adv q0.0" in options(walk_of_x3(sled="space 3", actions_left=3))
    assert "adv q0.0" not in options(walk_of_x3(sled="space 3", actions_left=1))


def test_x4_a_worker_walks_off_its_track():
    state = play(position(move={0: {"q1.3": 1}}), "adv q1.3")
    assert asked(state) == ("exit", 0)
    assert see(state, "actions_left") == 2
    state = play(state, "put cl")
    assert asked(state) == ("action", 0)
    assert see(state, "actions_left") == 2
    assert workers(state, "cl") == [1, 0, 0, 0]
    assert see(state, "vp") == [0, 0, 0, 0]


def test_x5_crushed_workers_and_reassigned_ones_honour_ra():
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
    assert see(state, "vp") == [10, 0, 0, 0]
    assert see(state, "base_built") == ALL
    state = play(state, *["put ra"] * 4)
    assert asked(state) == ("art bid", 2), "seats without art bid nothing by force"
    state = play(state, "deco 1", "deco 1")
    assert see(state, "vp") == [16, 3, 5, 4]
    assert see(state, "art") == [0, 0, 2, 0]
    assert asked(state) == ("stone", 0)


def test_x6_final_scoring():
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
        vp=[20, 31, 22, 30],
    )
    state = play(state, "pass", "food 1", "food 0", "food 4", "food 4")
    assert see(state, "vp") == [28, 39, 25, 30]
    state = play(state, "deco 2", "deco 5", "deco 2")
    assert state.is_terminal()
    assert state.scores() == [44, 45, 31, 30]
    assert state.standings() == [1, 0, 2, 3]


def test_x7_three_players_start_with_location_a_built():
    state = b3(move={0: {"q0.3": 2}, 1: {"q0.3": 2}}, sled_position=["space 3", "quarry", "quarry", None])
    state = play(state, "pass", "food 2", "food 2")
    assert see(state, "vp") == [4, 4, 0, 0]
    assert options(state) == {"build B", "build C", "build D"}
    state = play(state, "build B", "put farm", "put farm", "put farm", "put farm")
    assert asked(state) == ("art bid", 1)


def test_x8_double_farming_and_double_fishing():
    farming = position(turn=0, rows=(6, 2, 3, 4))
    assert "fish" not in options(farming)
    state = play(farming, "farm")
    assert "fish" not in options(state)
    assert see(play(state, "farm"), "food")[0] == 24
    fishing = position(turn=0, rows=(0, 2, 3, 4))
    assert "farm" not in options(fishing)
    state = play(fishing, "fish", "fish")
    assert see(state, "food")[0] == 16
    assert "farm" not in options(state)


def test_x9_the_supply_is_limited():
    state = play(position(food=[40, 40, 43, 0]), "farm")
    assert see(state, "food")[0] == 45
    assert "fish" not in options(state)
    state = position(move={0: {"art": 5}}, art=[20, 20, 18, 0])
    assert {a for a in options(state) if a.startswith("art ")} == {"art 1", "art 2"}


def capstone_of_x10(middle_built: list[bool], **stones: Any) -> State:
    state = position(
        move={0: {"ml": 4}}, base_built=ALL, middle_built=middle_built, middle_in_reserve=0, capstone="ml", **stones
    )  # fmt: skip
    return play(state, "pass")


def test_x10_the_capstone_waits_for_all_eight_stones():
    state = capstone_of_x10([True, True, False, True], **sleds(q0=("quarry", "middle")))
    assert asked(state) == ("action", 1)


def test_x10_the_capstone_is_lifted_to_its_camp():
    state = capstone_of_x10(ALL, **NO_SLEDS)
    assert see(state, "nominated") == "lift cap1"
    state = play(state, "food 4")
    assert see(state, "vp") == [6, 0, 0, 0]
    assert see(state, "capstone") == "cl"
    assert asked(state) == ("action", 1)


def test_x11_a_middle_stone_needs_a_free_base_stone():
    only_a = [True, False, False, False]
    state = position(
        move={0: {"ml": 3}},
        sled_position=[None, "quarry", "quarry", "quarry"],
        sled_stone=[None, "base", "base", "base"],
        base_built=only_a,
        middle_built=only_a,
        middle_in_camp=1,
        middle_in_reserve=2,
    )
    assert asked(play(state, "pass")) == ("action", 1)


def test_x12_without_stones_the_sled_is_removed():
    state = position(
        move={0: {"q0.3": 3}, 1: {"q0": 2}},
        **sleds(q0=("space 3", "middle")),
        base_built=ALL,
        middle_built=[True, True, True, False],
        middle_in_reserve=0,
        capstone="ml",
    )
    state = play(state, "pass", "food 6")
    assert see(state, "vp")[0] == 10
    assert see(state, "middle_in_camp") == 1
    state = play(state, "put ml", "put ml", "put ml")
    assert see(state, "sled_position")[0] is None
    assert workers(state, "q0") == [0, 2, 0, 0]
    assert asked(state) == ("action", 1)
    assert "adv q0.0" in options(state)


def test_x13_a_full_quarry_is_closed():
    for turn in (0, 1):
        assert "farm>q0" not in options(position(turn=turn, move={1: {"q0": 4}}))


def test_x13_nobody_leaves_a_sled_on_the_track():
    state = position(move={0: {"q0.1": 2}}, **base_sleds(q0="space 1"))
    assert not options(state) & {"adv q0.1", "q0>farm"}


def test_x13_a_sled_in_the_quarry_may_be_left_but_not_forward():
    state = position(move={0: {"q0": 2}})
    assert options(state) >= {"q0>farm", "q0>q1"}
    assert "adv q0.0" not in options(state)


def test_x13_the_last_quarry_is_not_used_by_three():
    assert not options(b3()) & {"farm>q3"}
    assert "farm>q2" in options(b3())


def test_x14_ties_are_broken_by_stock_and_then_by_ra():
    state = position(
        turn=3,
        round=10,
        move={0: {"ra": 1}, 1: {"ra": 2}, 2: {"ra": 2}},
        vp=[30, 30, 30, 12],
        food=[3, 5, 4, 20],
        art=[4, 2, 3, 9],
    )
    state = play(state, "pass")
    assert state.is_terminal()
    assert state.standings() == [2, 0, 0, 3]
    assert state.returns() == pytest.approx([-1 / 3, 1 / 3, 1 / 3, -1 / 3])


# --- Rulings that no example shows ---------------------------------------------------------------------------------------------


def test_r20_the_track_bonus_walks_one_space_only():
    state = before_rows(ROWS[:2], move={0: {"q0": 1, "q1": 1}, 1: {"q1.1": 4}}, **base_sleds(q0="space 2", q1="space 2"))
    assert options(play(state, "row track")) == {"pass", "adv q0.0"}


def test_r46_a_stone_may_be_nominated_again_after_a_failure():
    state = position(move={0: {"q0": 2}, 1: {"q0": 2}})
    state = play(state, "pass", "food 0", "food 1")
    assert workers(state, "q0") == [2, 1, 0, 0]
    assert asked(play(state, "pass")) == ("food bid", 0)


def test_r48_the_game_stops_when_the_capstone_is_scored():
    state = position(
        move={0: {"cl": 3}}, **NO_SLEDS, base_built=ALL, middle_built=ALL, middle_in_reserve=0, capstone="cl", art=[0] * 4
    )  # fmt: skip
    state = play(state, "pass", "food 4")
    assert state.is_terminal()
    assert see(state, "round") == 3


def test_r52_a_nominator_without_workers_still_builds():
    state = position(move={1: {"q0.3": 3}}, **base_sleds(q0="space 3"))
    state = play(state, "pass", "food 4")
    assert asked(state) == ("build", 0)
    state = play(state, "build D")
    assert asked(state) == ("reassign", 1)


def test_rows_are_free_again_in_the_second_dynasty():
    state = play(position(turn=3, round=5), "pass")
    assert see(state, "round") == 6
    assert see(state, "used_rows") == [[]] * 4
    assert options(state) == {f"row {row}" for row in ROWS}


# --- Secret bids ---------------------------------------------------------------------------------------------------------------


def art_auction() -> State:
    return play(lift_of_e8(), "build B", "deco 4", "deco 2")


def test_an_art_bid_is_seen_by_its_owner_only():
    state = art_auction()
    assert [state.view(p)["art_bid"] for p in range(4)] == [-1, 4, 2, -1]
    assert "p1 4, p2 ?" in state.to_text(1)
    assert "p1 ?, p2 ?" in state.to_text(3)
    assert "p1 4, p2 2" in state.to_text()


def test_determinize_draws_the_others_art_bids_anew():
    state = art_auction()
    seen = {tuple(state.determinize(1, seed).record["art_bid"][0]) for seed in range(60)}
    assert seen == {(-1, 4, bid, -1) for bid in range(4)}


def test_determinize_changes_nothing_outside_art_bids():
    state = late4()
    assert state.determinize(2, seed=5).to_dict() == {**state.to_dict(), "rng": state.determinize(2, seed=5).to_dict()["rng"]}


# --- Players for the tests -----------------------------------------------------------------------------------------------------


def player_of(name: str, noise: float = 0.0) -> lockstep.Choose:
    """A baseline that makes some random moves."""
    player = agent(giza(4), name, seed=0)
    padded, mask = new_masks(1, len(ACTIONS))

    def choose(state: State, rng: np.random.Generator) -> int:
        if rng.random() < noise:
            return uniform(state, rng)
        mask[0] = state.legal_actions_mask()
        return int(player.choose(state.record, padded)[0])

    return choose


def bold(state: State, rng: np.random.Generator) -> int:
    """Random, but bids its maximum 70 % of the time."""
    if state.phase() in ("food bid", "art bid") and rng.random() < 0.7:
        return state.legal_actions()[-1]
    return uniform(state, rng)


def restless(state: State, rng: np.random.Generator) -> int:
    """Random, but likes to walk along the tracks and off their ends, and to enter them."""
    for wanted in ("adv q", ">q"):
        liked = [a for a in state.legal_actions() if wanted in state.action_to_string(a)]
        if liked and rng.random() < 0.7:
            return int(rng.choice(liked))
    return uniform(state, rng)


def positions(state: State, choose: lockstep.Choose, seed: int) -> Iterator[tuple[State, int]]:
    """All decisions of a game from `state` on, each with the action that is taken there."""
    rng = np.random.default_rng(seed)
    state = state.clone()
    while not state.is_terminal():
        action = choose(state, rng)
        yield state.clone(), action
        state.apply_action(action)
    yield state, -1


def games(how_many: int = 2) -> Iterator[Iterator[tuple[State, int]]]:
    """Games of all kinds: random play hardly moves a stone, BUILDER finishes pyramids, LATE4 ends with the capstone."""
    for seed, players in itertools.product(range(how_many), PLAYERS):
        start = giza(players).new_initial_state(seed=seed)
        yield positions(start, uniform, seed)
        yield positions(start, player_of("builder", 0.2), seed)
        yield positions(start, player_of("builder", 0.05), seed)
    for seed in range(5 * how_many):
        yield positions(late4(), bold, seed)
        yield positions(late4(), restless, seed)


# --- Invariants ----------------------------------------------------------------------------------------------------------------


def check(state: State) -> None:
    """What holds at every decision (I1-I11, I13, I17)."""
    assert list(violations(state.record[0])) == []
    assert see(state, "decisions") < 1000
    assert state.is_terminal() or len(state.legal_actions()) >= 2


def check_course(before: State, after: State) -> None:
    """What never goes back (I6, I12)."""
    a, b = before.record[0], after.record[0]
    for field in ("vp", "base_built", "middle_built", "round", "capstone"):
        assert (b[field] >= a[field]).all(), field
    for was, now in zip(a["sled_position"], b["sled_position"], strict=True):
        assert now >= was or now in (-1, 0)
        assert not (was == -1 and now != -1)


def check_derived(state: State) -> None:
    """Fields kept up to date along the way are those computed from scratch."""
    again = state.game.from_dict(state.to_dict())
    assert again.serialize() == state.serialize()


def test_invariants_hold_in_games_of_all_kinds():
    for game in games():
        before = None
        for state, _ in game:
            check(state)
            check_derived(state)
            if before is not None:
                check_course(before, state)
            before = state


@given(
    players=st.sampled_from(PLAYERS),
    seed=st.integers(0, 2**64 - 1),
    late=st.booleans(),
    choices=st.lists(st.integers(0, 196), max_size=350),
)
def test_invariants_hold_on_any_sequence_of_legal_actions(players, seed, late, choices):
    state = late4() if late else giza(players).new_initial_state(seed=seed)
    for k in choices:
        if state.is_terminal():
            break
        before = state.clone()
        legal = state.legal_actions()
        state.apply_action(legal[k % len(legal)])
        check(state)
        check_course(before, state)


def test_every_phase_and_every_kind_of_action_is_reached():
    phases, kinds = set(), set()
    for game in games():
        for state, action in game:
            phases.add(state.phase())
            if action >= 0:
                kinds.add(ACTIONS.kind_of(action))
    assert phases == set(PHASES)
    assert kinds == {r.kind for r in ACTIONS.ranges}


def test_points_stay_within_what_the_pyramid_pays():
    most = {3: 220, 4: 250}
    for game in games():
        *_, (state, _) = game
        assert sum(state.scores()) <= most[state.game.num_players]
        assert max(state.scores()) <= 182


def farmers(first: int, **elsewhere: int) -> list[list[int]]:
    """Workers of four players in the farms, `first` of them seat 0's; `elsewhere` are seat 0's too."""
    others = [elsewhere.get(zone, 0) for zone in ZONES[1:]]
    return [[first, *others], *([[8] + [0] * 20] * 3)]


MISFITS = {  # what does not belong into the phase of actions, or anywhere
    "a worker too few": ("workers", {"workers": farmers(7)}),
    "five in a space": ("workers", {"workers": farmers(3, q0=5)}),
    "a base stone too many": ("base_built", {"base_built": [True, False, False, False]}),
    "a middle stone too few": ("middle_built", {"middle_in_reserve": 3}),
    "a middle stone on nothing": ("middle_built", {"middle_built": [True, False, False, False], "middle_in_reserve": 3}),
    "the capstone on no sled": ("capstone", {"capstone": "sled"}),
    "the capstone lifted too early": ("capstone", {"capstone": "cl"}),
    "too much food": ("food", {"food": [100, 20, 20, 0]}),
    "too much art": ("art", {"art": [30, 30, 1, 0]}),
    "too many points": ("vp", {"vp": [100, 100, 100, 0]}),
    "an unloaded sled": ("sled_position", {"sled_position": ["unloaded", "quarry", "quarry", "quarry"]}),
    "a sled without a stone": ("sled_stone", {"sled_stone": [None, "base", "base", "base"], "base_built": [True] + [False] * 3}),
    "workers to reassign": ("to_reassign", {"to_reassign": [1, 0, 0, 0], "workers": farmers(7)}),
    "a worker in hand": ("worker_in_hand", {"worker_in_hand": True, "workers": farmers(7)}),
    "a food bid": ("food_bid", {"food_bid": [None, 1, None, None]}),
    "an art bid": ("art_bid", {"art_bid": [None, 1, None, None]}),
    "a nomination": ("nominated", {"nominated": "push q0"}),
    "a row taken twice": ("row", {"row": ["none", "none", "quarry", "track"]}),
    "an order against the rows": ("order", {"order": [1, 0, 2, 3], "turn_player": 1, "current_player": 1}),
    "too few rows used": ("used_rows", {"used_rows": [["none"], ["support"], ["quarry"], ["track"]]}),
    "more production than actions": ("actions_left", {"times_farmed": 1}),
    "no actions left": ("actions_left", {"actions_left": 0}),
    "a turn of somebody else": ("turn_player", {"turn_player": 2}),
    "nobody to decide": ("current_player", {"current_player": None}),
    "an end in mid-game": ("over", {"over": True}),
}


@pytest.mark.parametrize(("field", "wrong"), MISFITS.values(), ids=MISFITS.keys())
def test_a_broken_position_is_refused_by_the_name_of_its_field(field, wrong):
    with pytest.raises(ValueError, match=f"^{field}: "):
        position().replace(**wrong)


def test_three_players_own_nothing_in_the_fourth_seat():
    with pytest.raises(ValueError, match=r"^num_players: seat 3"):
        b3().replace(food=[8, 8, 8, 1])


# --- Symmetries (I16) ----------------------------------------------------------------------------------------------------------


def rotated(state: State, by: int) -> State:
    """The same position with every player `by` seats further on."""
    n, shown = state.game.num_players, state.to_dict()

    def seat(p: int | None) -> int | None:
        return None if p is None else (p + by) % n

    for f in state.game.rules.schema:
        if f.derived:
            continue
        if f.kind == "seat":
            shown[f.name] = [seat(p) for p in shown[f.name]] if f.shape else seat(shown[f.name])
        elif f.per_seat:
            rows = shown[f.name]
            shown[f.name] = [rows[(p - by) % n] for p in range(n)] + rows[n:]
    return state.game.from_dict(shown)


def requarried(state: State, new: list[int]) -> State:
    """The same position with quarry q called new[q]."""
    shown = state.to_dict()
    old = [new.index(q) for q in range(4)]
    for field in ("sled_position", "sled_stone"):
        shown[field] = [shown[field][q] for q in old]
    shown["workers"] = [row[:5] + [n for q in old for n in row[5 + 4 * q : 9 + 4 * q]] for row in shown["workers"]]
    shown["nominated"] = with_new_quarries(shown["nominated"], new)
    return state.game.from_dict(shown)


def with_new_quarries(text: str | None, new: list[int]) -> str | None:
    return text and re.sub(r"q(\d)", lambda q: f"q{new[int(q[1])]}", text)


def relocated(state: State, new: str) -> State:
    """The same position with locations A, B, C, D called by the letters of `new`."""
    shown = state.to_dict()
    for field in ("base_built", "middle_built"):
        shown[field] = [shown[field][new.index(at)] for at in LOCATIONS]
    shown["built_at"] = shown["built_at"] and new[LOCATIONS.index(shown["built_at"])]
    return state.game.from_dict(shown)


def with_new_locations(action: str, new: str) -> str:
    return f"build {new[LOCATIONS.index(action[-1])]}" if action.startswith("build ") else action


def assert_commutes(state: State, action: int, turn, rename) -> None:
    """To turn a position and play is to play and turn; the legal actions are the same but for their names."""
    name = state.action_to_string(action)
    assert options(turn(state)) == {rename(a) for a in options(state)}
    there = play(turn(state), rename(name))
    assert there.to_dict() == {**turn(play(state, name)).to_dict(), "decisions": see(there, "decisions")}


def sampled_decisions(every: int) -> Iterator[tuple[State, int]]:
    for game in games(1):
        for i, (state, action) in enumerate(game):
            if i % every == 0 and action >= 0:
                yield state, action


def test_seats_are_alike():
    for state, action in sampled_decisions(every=7):
        for by in range(1, state.game.num_players):
            assert_commutes(state, action, lambda s, by=by: rotated(s, by), lambda a: a)


def test_quarries_are_alike():
    rng = np.random.default_rng(1)
    for state, action in sampled_decisions(every=5):
        used = state.game.num_players
        new = [*rng.permutation(used).tolist(), *range(used, 4)]
        assert_commutes(state, action, lambda s, new=new: requarried(s, new), lambda a, new=new: with_new_quarries(a, new))


def test_locations_are_alike():
    for i, (state, action) in enumerate(sampled_decisions(every=5)):
        new = ("BACD", "ABDC", "CDAB")[i % 3]
        assert_commutes(state, action, lambda s, new=new: relocated(s, new), lambda a, new=new: with_new_locations(a, new))


# --- Observation, drawing ------------------------------------------------------------------------------------------------------


def observed(state: State, name: str, player: int) -> list[float]:
    part = next(s for s in state.game.encoder.slices if s.name == name)
    return state.observation(player)[part.start : part.stop].tolist()


def test_the_observation_tells_who_is_on_a_sled_and_what_it_would_pay():
    state = position(move={0: {"q1": 2, "q2": 3}, 1: {"q1": 1}})
    seen = np.reshape(observed(state, "sleds", 1), (4, 2, 4))
    assert (seen[:, 0] * 4).tolist() == [[0] * 4, [1, 0, 0, 2], [0, 0, 0, 3], [0] * 4], "seat 0 comes last"
    assert (seen[:, 1] * 10).round(5).tolist() == [[0] * 4, [3, 0, 0, 6], [0, 0, 0, 10], [0] * 4]


def test_a_sled_on_its_way_is_observed_where_it_stands():
    placed = sleds(q0=("quarry", "base"), q1=("space 2", "base"))
    state = b3(move={0: {"q1": 3}, 2: {"q1.2": 1}}, base_built=[True, True, False, False], **placed)
    seen = np.reshape(observed(state, "sleds", 2), (4, 2, 3))
    assert (seen[1] * [[4], [10]]).round(5).tolist() == [[1, 0, 0], [10, 0, 0]]


@pytest.mark.parametrize("players", PLAYERS)
def test_workers_and_stocks_stand_in_the_observation_observer_first(players):
    for game in games(1):
        for state, _ in itertools.islice(game, 0, None, 9):
            if state.game.num_players != players:
                continue
            for player in range(players):
                seats = [(player + i) % players for i in range(players)]
                spaces = np.reshape(observed(state, "spaces", player), (16, players))
                stocks = np.reshape(observed(state, "stocks", player), (players, 8))
                placed = np.array(see(state, "workers"))[seats]
                assert (spaces.T * 4).tolist() == placed[:, 5:].tolist()
                assert np.allclose(stocks[:, 3:] * 10, placed[:, :5])
                for column, (field, much) in enumerate((("vp", 100), ("food", 32), ("art", 16))):
                    assert np.allclose(stocks[:, column], np.minimum(1, np.array(see(state, field))[seats] / much))


def test_the_observation_counts_the_food_offered():
    state = play(position(move={0: {"q0": 1}, 1: {"q0": 2}, 3: {"q0": 1}}), "pass", "food 3")
    assert observed(state, "food_offered", 0) == [3 / 8]
    assert observed(state, "eligible", 0) == [1, 0, 0, 0, 0, 0, 0]


def test_the_drawing_shows_the_whole_table():
    text = position(move={0: {"q1.2": 2, "ml": 1}, 2: {"q1.2": 1}}, **base_sleds(q1="space 2")).to_text()
    assert "Round 3/10, dynasty 1   action: p0 (3 left)" in text
    assert "order: p0(none) p1(support) p2(quarry) p3(track)" in text
    assert "q1[. . . .] => 1[. . . .] => 2[B|p0 p0 p2 .] => 3[. . . .] =>" in text
    assert "| ml p0:1 |" in text
    assert "reserve: M M M M C" in text


def test_every_nomination_has_its_action():
    assert list(NOMINATIONS) == list(ACTIONS.names[102:109])


# --- Baselines -----------------------------------------------------------------------------------------------------------------


def choice(name: str, state: State) -> str:
    return state.action_to_string(player_of(name)(state, np.random.default_rng(0)))


def test_builder_sets_up_at_its_own_quarry_and_farms():
    state = giza(4).new_initial_state(seed=0)
    placed = {p: [] for p in range(4)}
    while state.phase() == "setup":
        action = choice("builder", state)
        placed[state.current_player()].append(action)
        state = play(state, action)
    for p in range(4):
        assert placed[p] == [f"put q{p}"] * 4 + ["put farm"] * 4


def test_builder_walks_to_its_sled_before_it_sends_new_workers():
    state = position(move={0: {"q0": 1, "q0.2": 1}, 1: {"q0.2": 1}}, food=[20, 8, 8, 8], **base_sleds(q0="space 2"))
    assert choice("builder", state) == "adv q0.0"


def test_builder_does_not_waste_food_on_a_push():
    state = play(position(move={0: {"q0.1": 3}, 1: {"q0.1": 1}}, **base_sleds(q0="space 1")), "pass", "food 1")
    assert choice("builder", state) == "food 5", "one and five are six: two spaces"
    state = play(position(move={0: {"q0.2": 2}, 1: {"q0.2": 1}}, **base_sleds(q0="space 2")), "pass", "food 1")
    assert choice("builder", state) == "food 3", "five would go as far as four"


def test_greedy_feeds_a_push_that_unloads():
    state = play(position(move={0: {"q0.3": 3}}, **base_sleds(q0="space 3")), "pass")
    assert choice("greedy", state) == "food 4"


def test_greedy_bids_as_much_art_as_the_points_are_worth():
    """With one row and the capstone to come the others are expected to bid 2 each: three wins alone and leaves one for later."""
    assert choice("greedy", play(lift_of_e8(), "build B")) == "deco 3"


# --- Lockstep with the referee -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_lockstep_random_games(players):
    for seed in range(40 * GAMES):
        lockstep.play(giza(players), seed)


@pytest.mark.parametrize("players", PLAYERS)
def test_lockstep_builder_games_with_random_moves(players):
    for seed in range(20 * GAMES):
        lockstep.play(giza(players), seed, player_of("builder", 0.2))


@pytest.mark.parametrize("players", PLAYERS)
def test_lockstep_greedy_games(players):
    for seed in range(5 * GAMES):
        lockstep.play(giza(players), seed, player_of("greedy", 0.1))


def test_lockstep_late_games_with_much_walking():
    for seed in range(30 * GAMES):
        lockstep.play(giza(4), seed, restless, start=late4())


def test_lockstep_late_games_reach_the_capstone():
    ends = [see(lockstep.play(giza(4), seed, bold, start=late4()), "capstone") for seed in range(60 * GAMES)]
    assert ends.count("built") > 0.8 * len(ends)
