"""Cheops: components, the worked examples of the spec, its invariants, its players, and games in lockstep with the referee."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mastaba
from mastaba import Game, State
from mastaba.baselines.agents import agent
from mastaba.baselines.greedy.cheops import GREEDY, RUSH, worth
from mastaba.envs.cheops import RULES
from mastaba.envs.cheops.actions import ACTIONS
from mastaba.envs.cheops.components import (
    ARCH_COLOUR,
    BONUSES,
    COLOURS,
    DOMINO_CELLS,
    DOMINOES,
    LETTERS,
    MAX_ROUNDS,
    MOSAIC_COLOUR,
    MOSAIC_SIZE,
    MOST_DOMINOES,
    PYRAMID_COLOUR,
    QUARRY_COLOUR,
)
from mastaba.envs.cheops.invariants import violations
from mastaba.envs.cheops.rules import dominoes_within, open_stones, supported_stones
from mastaba.envs.cheops.scoring import complete_buildings, complete_groups
from mastaba.envs.core.kernel.masks import new_masks

import lockstep

PLAYERS = (2, 3, 4, 5)
LOCKSTEP_GAMES = 40 * int(os.environ.get("MASTABA_LOCKSTEP", "1"))
SEATS = 5
SHEET_FIELDS = ("pyramid", "left", "right", "keystone", "mosaic", "mark", "quarry", "jokers", "bonuses")

# --- Positions -----------------------------------------------------------------------------------------------------------------

ALL_BUT_TOP = range(14)
WHOLE = range(15)
CELLS = range(12)


def cheops(players: int, **options: str) -> Game:
    return mastaba.game("cheops", num_players=players, **options)


def counts(letters: str) -> list[int]:
    return [letters.count(letter) for letter in LETTERS]


def position(
    roll: str,
    *,
    players: int = 3,
    round: int = 0,
    turn: int = 0,
    blocked: str = "",
    dated: dict[str, int] | list[int] | None = None,
    **seats: dict[str, Any],
) -> State:
    """A table with sheets A, B, C, ... at the beginning of a turn. `seat0={"pyramid": [0, 1], "jokers": 1}` fills a sheet; `dated`
    are the rounds of the bonuses, round 0 if not given."""
    values = cheops(players, sheets="in order").new_initial_state(seed=0).to_dict()
    pool = [a - b for a, b in zip(counts(roll), counts(blocked), strict=True)]
    values |= {
        "round": round,
        "turn": turn,
        "active_player": round % players,
        "current_player": (round + turn) % players,
        "roll": [COLOURS[LETTERS.index(letter)] for letter in roll] + [None] * (4 - len(roll)),
        "pool": pool,
        "dice": pool,
    }
    for seat, sheet in seats.items():
        p = int(seat.removeprefix("seat"))
        for field, value in sheet.items():
            values[field][p] = [f"{field[0]}{i}" for i in value] if field in ("pyramid", "mosaic", "quarry") else value
        values["mark"][p] = max(sheet.get("quarry", ()), default=None)
    if isinstance(dated, list):
        values["bonus_round"] = [None if r < 0 else r for r in dated]
    else:
        held = {b for bonuses in values["bonuses"] for b in bonuses}
        values["bonus_round"] = [(dated or {}).get(b, 0) if b in held else None for b in BONUSES[:8]]
    return cheops(players, sheets="in order").from_dict(values)


def play(state: State, *moves: str) -> State:
    for move in moves:
        state.apply_action(state.game.string_to_action(move))
    return state


def legal(state: State) -> list[str]:
    return [state.action_to_string(a) for a in state.legal_actions()]


def dice_of(state: State, field: str) -> str:
    return "".join(letter * n for letter, n in zip(LETTERS, state.to_dict()[field], strict=True))


def owed(state: State) -> list[str]:
    return [colour for colour in state.to_dict()["owed"] if colour]


def of(state: State, p: int, field: str) -> Any:
    return state.to_dict()[field][p]


# --- Components ----------------------------------------------------------------------------------------------------------------

# by sheet: the colours of the quarry
SUPPORTS = {5: (0, 1), 6: (1, 2), 7: (2, 3), 8: (3, 4), 9: (5, 6), 10: (6, 7), 11: (7, 8), 12: (9, 10), 13: (10, 11), 14: (12, 13)}
HORIZONTAL = ["M0-1", "M1-2", "M2-3", "M4-5", "M5-6", "M6-7", "M8-9", "M9-10", "M10-11"]
VERTICAL = ["M0-4", "M1-5", "M2-6", "M3-7", "M4-8", "M5-9", "M6-10", "M7-11"]
DOMINO_NAMES = [*HORIZONTAL, *VERTICAL]


@pytest.mark.parametrize("sheet", range(5))
def test_a_sheet_has_36_stones_six_of_each_colour(sheet: int) -> None:
    arch = [*ARCH_COLOUR[sheet][:4], *ARCH_COLOUR[sheet]]
    stones = Counter([*PYRAMID_COLOUR[sheet].tolist(), *map(int, arch), *MOSAIC_COLOUR[sheet].tolist()])
    assert stones == dict.fromkeys(range(6), 6)


@pytest.mark.parametrize("sheet", range(5))
def test_each_half_of_a_quarry_has_every_colour_once(sheet: int) -> None:
    assert sorted(QUARRY_COLOUR[sheet][:6]) == sorted(QUARRY_COLOUR[sheet][6:]) == list(range(6))


@pytest.mark.parametrize("colour", [PYRAMID_COLOUR, ARCH_COLOUR, MOSAIC_COLOUR, QUARRY_COLOUR])
def test_a_place_has_five_colours_on_five_sheets(colour: np.ndarray) -> None:
    assert all(len(set(place)) == 5 for place in colour.T.tolist())


@pytest.mark.parametrize("sheet", range(5))
def test_stones_that_touch_differ_in_colour(sheet: int) -> None:
    pyramid, mosaic = PYRAMID_COLOUR[sheet], MOSAIC_COLOUR[sheet]
    assert all(mosaic[x] != mosaic[y] for x, y in DOMINOES)
    assert all(pyramid[left] != pyramid[right] for left, right in SUPPORTS.values())
    assert all(pyramid[stone] != pyramid[below] for stone, pair in SUPPORTS.items() for below in pair)
    assert all(len(set(mosaic[row : row + 4])) == 4 for row in (0, 4, 8))


def test_a_stone_is_supported_by_exactly_the_two_below_it() -> None:
    for pyramid in range(1 << 15):
        rests = {stone for stone, pair in SUPPORTS.items() if all(pyramid >> below & 1 for below in pair)}
        assert supported_stones(pyramid) == 0b11111 + sum(1 << stone for stone in rests)
        assert open_stones(pyramid) == supported_stones(pyramid) & ~pyramid


def test_actions_are_numbered_by_building_from_the_pyramid_to_stop() -> None:
    expected = [f"P{i}" for i in range(15)] + ["AL", "AR", "AK", *DOMINO_NAMES, "stop", "J"] + [f"Q{i}" for i in range(12)]
    assert list(ACTIONS.names) == expected


def test_most_dominoes_agrees_with_trying_them_one_by_one() -> None:
    pairs = [(1 << x) + (1 << y) for x, y in DOMINOES.tolist()]
    for cells in range(1 << 12):
        placed = [1 + MOST_DOMINOES[cells & ~pair] for pair in pairs if cells & pair == pair]
        assert MOST_DOMINOES[cells] == max(placed, default=0)


# --- Worked examples -----------------------------------------------------------------------------------------------------------


def test_quarry_stones_left_of_the_last_crossed_one_are_lost() -> None:
    state = position("RRRR", round=1, seat1={"quarry": [2], "left": 1})
    assert state.breakdown()[1]["quarry"] == 9
    assert "".join(LETTERS[c] for c in QUARRY_COLOUR[1][3:]) == "OYGBROLGY"
    usable = set()
    for move in ("P0", "P1", "P2", "P3", "P4", "AL"):  # lilac, red, green, blue, yellow; blue
        paying = play(state.clone(), move)
        usable |= {name for name in legal(paying) if name[0] == "Q"}
    assert usable == {"Q4", "Q5", "Q6", "Q9", "Q10", "Q11"}  # those of lilac, green, blue and yellow right of the mark


def test_a_round_of_three_builders_with_payments_from_quarry_and_joker() -> None:
    state = play(position("RGBB"), "P1", "P4")
    assert state.current_player() == 1
    assert dice_of(state, "pool") == "BR"
    play(state, "M2-3")
    assert owed(state) == ["yellow"]
    assert legal(state) == ["J", "Q4", "Q11"]
    play(state, "Q4")
    assert of(state, 1, "mark") == 4
    assert of(state, 1, "mosaic") == ["m2", "m3"]
    assert dice_of(state, "dice") == dice_of(state, "pool") == "BR"
    play(state, "AL")
    assert legal(state) == ["J", "Q5", "Q10"]
    play(state, "J", "P3")
    assert of(state, 2, "jokers") == 2
    assert state.to_dict()["round"] == 1
    assert state.to_dict()["active_player"] == 1
    assert state.scores() == [3 + 12 + 6, 0 + 7 + 6, 3 + 12 + 4]


def test_a_full_sheet_is_worth_50_points() -> None:
    simon = {
        "pyramid": WHOLE, "left": 2, "right": 1, "mosaic": range(8), "quarry": [7], "jokers": 1,
        "bonuses": ["BP1", "BP2", "BP3", "BM1", "BM2"],
    }  # fmt: skip
    state = position("BBBB", round=15, seat2=simon)
    assert state.scores()[2] == 21 + 0 + 8 + 15 + 4 + 2 == 50


def test_a_pyramid_stone_needs_two_below_it() -> None:
    state = position("OOOO", round=3, seat0={"pyramid": [0, 1]})
    assert [name for name in legal(state) if name[0] == "P"] == ["P2", "P3", "P4", "P5"]
    play(state, "P2")
    assert [name for name in legal(state) if name[0] == "P"] == ["P3", "P4", "P5", "P6"]
    assert not any(name[0] == "M" for name in legal(state))


def test_the_keystone_needs_both_columns_and_completes_the_arch() -> None:
    state = position("RLGG", round=9, seat0={"left": 4, "right": 3, "bonuses": ["BA1"]}, dated={"BA1": 4})
    assert "AK" not in legal(state)
    assert "AR" in legal(state)
    assert state.breakdown()[0]["arch"] == 4
    play(state, "AR")
    assert state.breakdown()[0]["arch"] == 6
    assert "AK" in legal(state)
    play(state, "AK")
    assert state.breakdown()[0]["arch"] == 9
    assert of(state, 0, "bonuses") == ["BA1", "BA2"]
    assert state.to_dict()["bonus_round"][4] == 9
    assert state.current_player() == 1


def test_a_die_pays_first() -> None:
    state = play(position("BOOO"), "P1")
    assert state.phase() == "build"
    assert dice_of(state, "dice") == "OOO"
    assert of(state, 0, "mark") is None
    assert of(state, 0, "jokers") == 3


def test_one_die_pays_one_stone() -> None:
    state = play(position("OBBB"), "AL")
    assert state.phase() == "build"
    play(state, "AR")
    assert legal(state) == ["J", "Q5", "Q10"]
    play(state, "Q5")
    assert of(state, 0, "mark") == 5
    assert state.current_player() == 1
    assert dice_of(state, "pool") == "BBB"
    assert state.breakdown()[0]["quarry"] == 6


def test_a_domino_is_paid_from_the_quarry_in_either_order() -> None:
    state = play(position("OOOO", round=3, seat0={"left": 2, "jokers": 1}), "M0-1")
    assert owed(state) == ["lilac", "yellow"]
    assert legal(state) == ["J", "Q3", "Q8"]
    play(state, "Q3")
    assert legal(state) == ["J", "Q2", "Q6"]
    play(state, "Q2")
    assert of(state, 0, "quarry") == ["q2", "q3"]
    assert of(state, 0, "mark") == 3
    assert state.breakdown()[0]["quarry"] == 8


def test_two_pyramid_stones_are_paid_in_the_order_of_building() -> None:
    state = play(position("OOOO", round=3, seat0={"pyramid": [1], "left": 3, "quarry": [1], "jokers": 0}), "P0")
    assert of(state, 0, "quarry") == ["q1", "q9"]  # the only red stone left pays without being asked
    play(state, "P5")
    assert of(state, 0, "quarry") == ["q1", "q9", "q11"]  # the green Q4 lies left of Q9
    assert of(state, 0, "pyramid") == ["p0", "p1", "p5"]
    assert state.current_player() == 1


def test_a_bonus_in_the_same_round_and_later() -> None:
    state = position(
        "YBRL", round=4, seat0={"pyramid": [0, 1, 2]}, seat1={"pyramid": [0, 1, 2]}, seat2={"pyramid": [0, 1, 4]}
    )  # fmt: skip
    play(state, "P3", "P4")
    assert of(state, 1, "bonuses") == ["BP1"]
    assert state.to_dict()["bonus_round"][0] == 4
    assert dice_of(state, "pool") == "RL"
    play(state, "P2", "J", "P3")
    assert of(state, 2, "bonuses") == ["BP1"]
    play(state, "stop")
    assert state.to_dict()["round"] == 5
    state = state.replace(roll=["yellow", "green", "orange", "orange"], pool=counts("YGOO"), dice=counts("YGOO"))
    play(state, "stop", "P3", "P4")
    assert of(state, 0, "pyramid") == ["p0", "p1", "p2", "p3", "p4"]
    assert of(state, 0, "bonuses") == []


def test_two_bonuses_with_one_domino() -> None:
    state = position("BOOO", round=9, seat0={"mosaic": [0, 1, 2, 4, 5, 6]})
    assert {name for name in legal(state) if name[0] == "M"} == {"M8-9", "M9-10", "M10-11", "M3-7", "M7-11"}
    play(state, "M3-7")
    assert of(state, 0, "bonuses") == ["BM1", "BM2"]
    assert state.breakdown()[0]["mosaic"] == 8
    assert dice_of(state, "pool") == "OO"


def test_only_used_dice_are_blocked() -> None:
    assert dice_of(play(position("BRLO"), "stop"), "pool") == "BRLO"
    state = play(position("BRLO"), "P3")
    assert legal(state) == ["J", "Q2", "Q6"]
    play(state, "Q2", "P1")
    assert dice_of(state, "pool") == "RLO"


def test_the_game_ends_with_the_round_and_is_scored() -> None:
    state = position(
        "LRBO", round=12, dated=[3, 5, 10, 4, -1, 2, 6, 9],
        seat0={"pyramid": WHOLE, "left": 4, "right": 4, "quarry": [8], "jokers": 1, "bonuses": ["BP1", "BP2", "BP3"]},
        seat1={"mosaic": CELLS, "left": 4, "right": 4, "quarry": [4], "jokers": 0, "bonuses": ["BM1", "BM2", "BM3", "BA1"]},
        seat2={"pyramid": WHOLE, "left": 4, "right": 4, "quarry": [3], "jokers": 0},
    )  # fmt: skip
    # Seat 0 could still begin a mosaic, but not with the one stone it has left: its turn ends by itself.
    play(state, "AK")
    assert state.current_player() == 1
    assert dice_of(state, "pool") == "BRO"
    play(state, "AK")
    assert of(state, 1, "bonuses") == ["BA1", "BA2", "BM1", "BM2", "BM3"]
    play(state, "stop", "stop")
    assert state.is_terminal()
    assert not state.is_truncated()
    assert of(state, 0, "bonuses") == ["BP1", "BP2", "BP3", "BA2", "BE"]
    assert len(of(state, 1, "bonuses")) == 6
    assert of(state, 2, "bonuses") == []
    assert state.scores() == [21 + 9 + 0 + 15 + 3 + 2, 0 + 9 + 15 + 18 + 7 + 0, 21 + 6 + 0 + 0 + 8 + 0] == [50, 49, 35]
    assert state.standings() == [0, 1, 2]


def test_a_mosaic_of_two_lonely_cells_is_dead() -> None:
    state = position("LLLL", round=6, seat0={"mosaic": set(CELLS) - {0, 6}, "bonuses": ["BM3"]})
    assert not any(name[0] == "M" for name in legal(state))
    assert state.breakdown()[0]["mosaic"] == 11


def test_three_buildings_give_one_end_bonus() -> None:
    state = position(
        "BLG", players=2, round=18, dated=[3, 5, -1, 6, -1, 4, 9, 8],
        seat0={"pyramid": ALL_BUT_TOP, "left": 4, "right": 4, "mosaic": CELLS, "quarry": [9], "jokers": 0,
               "bonuses": ["BP1", "BA1", "BM1", "BM3"]},
        seat1={"pyramid": [1, 2, 3, 6, 7, 10], "mosaic": range(4, 8), "quarry": [11], "jokers": 0, "bonuses": ["BP2", "BM2"]},
    )  # fmt: skip
    play(state, "P14", "AK")
    assert {"BP3", "BA2"} <= set(of(state, 0, "bonuses"))
    play(state, "stop")
    assert state.is_terminal()
    assert len(of(state, 0, "bonuses")) == 7
    assert state.scores() == [21 + 9 + 15 + 21 + 2 + 0, 10 + 0 + 4 + 6 + 0 + 0] == [68, 20]


def test_a_partial_sheet_is_worth_47_points() -> None:
    state = position(
        "BBBB", players=5, round=14,
        seat0={"pyramid": range(11), "left": 4, "right": 2, "mosaic": range(2, 12), "jokers": 3, "bonuses": ["BP1", "BM2"]},
        seat1={"pyramid": [1, 2, 3, 6, 7, 10], "left": 2, "right": 2, "bonuses": ["BP2", "BA1"]},
        seat2={"mosaic": range(8, 12), "bonuses": ["BM3"]},
    )  # fmt: skip
    assert state.scores()[0] == 10 + 2 + 11 + 6 + 12 + 6 == 47


def test_pyramid_stones_break_a_tie() -> None:
    state = position(
        "BBBB", round=9,
        seat0={"pyramid": range(9), "mosaic": range(8), "bonuses": ["BP1", "BM1"], "quarry": [5], "jokers": 1},
        seat1={"pyramid": range(5), "left": 3, "right": 3, "mosaic": [4, 5, 6, 7, 8, 9], "bonuses": ["BP1", "BA1", "BM2"],
               "quarry": [5], "jokers": 0},
    )  # fmt: skip
    assert state.scores()[:2] == [6 + 0 + 8 + 6 + 6 + 2, 3 + 4 + 6 + 9 + 6 + 0] == [28, 28]
    assert state.standings()[:2] == [0, 1]


def test_a_tie_in_points_and_pyramid_stones_is_shared() -> None:
    assert cheops(4).new_initial_state(seed=1).standings() == [0, 0, 0, 0]


STUCK = {
    "pyramid": ALL_BUT_TOP, "left": 3, "right": 4, "mosaic": set(CELLS) - {0, 6}, "quarry": [11], "jokers": 0,
    "bonuses": ["BP1", "BP2", "BA1", "BM3"],
}  # fmt: skip


def test_who_can_build_nothing_can_only_stop() -> None:
    state = position("YYY", players=2, round=20, seat0=STUCK)
    assert legal(state) == ["stop"]
    assert play(state, "stop").current_player() == 1


def test_who_can_only_stop_is_not_asked() -> None:
    state = play(position("YYY", players=2, round=19, seat0=STUCK), "stop")
    assert state.to_dict()["round"] == 20


@pytest.mark.parametrize(("players", "dice", "score"), [(2, 3, 16), (3, 4, 18), (4, 4, 20), (5, 4, 22)])
def test_every_table_begins_with_its_dice_and_jokers(players: int, dice: int, score: int) -> None:
    state = cheops(players).new_initial_state(seed=5)
    values = state.to_dict()
    assert sum(values["dice"]) == sum(values["pool"]) == values["num_dice"] == dice
    assert values["jokers"] == [players] * players + [0] * (SEATS - players)
    assert state.scores() == [score] * players


# --- Rulings -------------------------------------------------------------------------------------------------------------------


def test_a_stone_may_rest_on_the_first_one_of_the_turn() -> None:
    state = play(position("RGOO", round=3, seat0={"pyramid": [1]}), "P0", "P5")
    assert of(state, 0, "pyramid") == ["p0", "p1", "p5"]


def test_the_last_joker_is_kept_for_the_colour_the_quarry_lacks() -> None:
    # M4-8 costs red and orange; right of Q9 lies one orange stone and no red one.
    state = play(position("BBBB", round=3, seat0={"left": 3, "quarry": [9], "jokers": 1}), "M4-8")
    assert of(state, 0, "quarry") == ["q9", "q10"]
    assert of(state, 0, "jokers") == 0


def test_a_domino_that_needs_two_jokers_is_not_for_one() -> None:
    # Right of Q9 lie orange and green; a domino without either is too dear, one with either costs the joker.
    state = position("BBBB", round=3, seat0={"left": 3, "quarry": [9], "jokers": 1})
    dominoes = {name for name in legal(state) if name[0] == "M"}
    assert "M0-4" not in dominoes  # lilac and red
    assert {"M7-11", "M2-3"} <= dominoes  # orange and yellow; green and blue


def test_no_bonus_after_its_round_but_points_count() -> None:
    state = position(
        "BOOO", round=6, seat0={"mosaic": [0, 1, 2, 6]}, seat1={"mosaic": range(4), "bonuses": ["BM1"]}, dated={"BM1": 5}
    )
    play(state, "M3-7")
    assert of(state, 0, "bonuses") == []
    assert state.breakdown()[0]["mosaic"] == 6


def test_a_second_stone_may_follow_the_second_building() -> None:
    state = position(
        "LRBO", round=18,
        seat0={"pyramid": range(13), "left": 4, "right": 4, "mosaic": CELLS, "bonuses": ["BP1", "BP2", "BA1", "BM1", "BM2", "BM3"]},
    )  # fmt: skip
    play(state, "AK")
    assert state.current_player() == 0
    assert "P13" in legal(state)


def test_a_game_of_stopping_is_cut_off_after_100_rounds() -> None:
    state = lockstep.play(cheops(3), seed=1, choose=lambda state, rng: state.game.string_to_action("stop"))
    assert state.is_truncated()
    assert state.to_dict()["round"] == 99
    assert state.scores() == [18, 18, 18]


def test_sheets_in_order_when_asked_for() -> None:
    state = cheops(4, sheets="in order").new_initial_state(seed=3)
    assert state.to_dict()["sheet"] == ["A", "B", "C", "D", None]


def test_sheets_are_drawn_evenly() -> None:
    drawn = Counter(tuple(cheops(2).new_initial_state(seed=seed).to_dict()["sheet"][:2]) for seed in range(2000))
    assert len(drawn) == 20  # ordered pairs of different sheets
    assert min(drawn.values()) > 60  # 100 on average


# --- Impossible positions ------------------------------------------------------------------------------------------------------

THREE = position("BBBB")


@pytest.mark.parametrize(
    "field, value",
    [
        ("sheet", ["A", "A", "B", None, None]),
        ("sheet", ["A", "B", "C", "D", None]),
        ("pyramid", [["p5"], [], [], [], []]),
        ("keystone", [True, False, False, False, False]),
        ("mosaic", [["m1"], [], [], [], []]),
        ("mark", [3, None, None, None, None]),
        ("jokers", [4, 3, 3, 0, 0]),
        ("jokers", [3, 3, 3, 1, 0]),
        ("turn", 3),
        ("turn", 4),
        ("active_player", 1),
        ("current_player", 1),
        ("built", 2),
        ("num_dice", 3),
        ("roll", ["blue", "blue", "blue", None]),
        ("pool", [3, 0, 0, 0, 0, 0]),
        ("dice", [3, 0, 0, 0, 0, 0]),
        ("bonuses", [["BP1"], [], [], [], []]),
        ("bonuses", [["BE"], [], [], [], []]),
        ("bonus_round", [0, None, None, None, None, None, None, None]),
        ("pending", "P0"),
        ("owed", ["red", None]),
        ("mark_before", 3),
        ("over", True),
        ("truncated", True),
    ],
)  # fmt: skip
def test_an_impossible_position_is_refused(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{field}:"):
        THREE.replace(**{field: value})


@pytest.mark.parametrize(
    "field, changes",
    [
        ("pending", {"pending": None}),
        ("pending", {"pending": "P9"}),
        ("pending", {"pending": "AK"}),
        ("pending", {"pending": "AL", "left": [4, 0, 0, 0, 0]}),
        ("pending", {"pending": "AR", "right": [4, 0, 0, 0, 0]}),
        ("pending", {"built": 1, "pending": "M0-1", "left": [1, 0, 0, 0, 0]}),
        ("owed", {"owed": [None, None]}),
        ("owed", {"owed": ["blue", None]}),
        ("owed", {"owed": ["green", None]}),
        ("owed", {"roll": ["red", "blue", "blue", "blue"], "pool": [3, 1, 0, 0, 0, 0], "dice": [3, 1, 0, 0, 0, 0]}),
        (
            "owed",
            {
                "jokers": [0, 3, 3, 0, 0],
                "quarry": [["q9"], [], [], [], []],
                "mark": [9] + [None] * 4,
                "mark_before": 9,
                "right": [4, 0, 0, 0, 0],
            },
        ),
        ("mark_before", {"mark_before": 5}),
        ("quarry", {"jokers": [2, 3, 3, 0, 0]}),
    ],
)
def test_an_impossible_payment_is_refused(field: str, changes: dict[str, Any]) -> None:
    paying = play(position("BBBB", round=6), "P0")
    assert owed(paying) == ["red"]
    with pytest.raises(ValueError, match=rf"^{field}:"):
        paying.replace(**changes)


WHOLE_ARCH = {"left": [4, 0, 0, 0, 0], "right": [4, 0, 0, 0, 0], "keystone": [True, False, False, False, False]}
FIRST_STONE = {"built": 1, "pyramid": [["p0"], [], [], [], []]}


def test_a_stone_takes_at_most_one_die() -> None:
    THREE.replace(**FIRST_STONE, dice=[3, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match=r"^dice:"):
        THREE.replace(**FIRST_STONE, dice=[2, 0, 0, 0, 0, 0])


def test_what_a_domino_has_taken_lies_no_longer_in_the_middle() -> None:
    paying = play(position("LOOO", round=3, seat0={"left": 2, "jokers": 1}), "M0-1")  # a lilac die, yellow is owed
    assert (owed(paying), dice_of(paying, "dice")) == (["yellow"], "OOO")
    with pytest.raises(ValueError, match=r"^dice:"):
        paying.replace(dice=counts("OO"))


@pytest.mark.parametrize(
    "field, changes",
    [
        ("built", {"built": 1}),
        ("built", {"built": 1, "round": 1, "active_player": 1, "current_player": 1, "pyramid": [["p0"], [], [], [], []]}),
        ("built", {"built": 1, "round": 3, "mosaic": [["m0", "m1"], [], [], [], []]}),
        ("round", {"pyramid": [["p0"], [], [], [], []]}),
        ("round", {**FIRST_STONE, "left": [1, 0, 0, 0, 0]}),
        ("round", {**FIRST_STONE, "right": [0, 1, 0, 0, 0]}),
        ("round", {"turn": 1, "current_player": 1, "left": [3, 0, 0, 0, 0]}),
        ("round", {"turn": 1, "current_player": 1, "right": [0, 0, 1, 0, 0]}),
        ("quarry", {"round": 3, "left": [1, 0, 0, 0, 0], "jokers": [1, 3, 3, 0, 0]}),
        ("quarry", {"round": 3, "quarry": [["q3"], [], [], [], []], "mark": [3, None, None, None, None]}),
        ("quarry", {"round": 3, "left": [0, 1, 0, 0, 0], "jokers": [3, 1, 3, 0, 0]}),
        ("round", {"round": 6, **WHOLE_ARCH, "pyramid": [["p0", "p1", "p2", "p3"], [], [], [], []]}),
        ("built", {"built": 2, "round": 3, "pyramid": [["p0", "p1"], [], [], [], []]}),
        ("pool", {"turn": 1, "current_player": 1, "left": [2, 0, 0, 0, 0], "pool": counts("B"), "dice": counts("B")}),
        ("mosaic", {"round": 3, "mosaic": [["m0", "m2"], [], [], [], []]}),
        ("mosaic", {"round": 18, "mosaic": [[f"m{i}" for i in CELLS if i not in (0, 5)], [], [], [], []]}),
    ],
)  # fmt: skip
def test_stones_that_nobody_can_have_built_are_refused(field: str, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"^{field}:"):
        THREE.replace(**changes)


def test_stones_that_somebody_can_have_built_are_not_refused() -> None:
    THREE.replace(**FIRST_STONE)
    THREE.replace(turn=1, current_player=1, left=[2, 0, 0, 0, 0])
    THREE.replace(round=3, left=[2, 0, 0, 0, 0], jokers=[1, 3, 3, 0, 0])
    THREE.replace(round=3, mosaic=[["m0", "m4", "m2", "m3"], [], [], [], []])


def test_a_bonus_of_this_round_was_earned_in_it() -> None:
    ground = {"pyramid": range(5), "bonuses": ["BP1"]}
    position("BBBB", round=3, turn=1, seat0=ground, dated={"BP1": 3})
    position("BBBB", round=3, turn=0, seat0=ground, dated={"BP1": 2})
    five, bp1 = [[f"p{i}" for i in range(5)], *[[]] * 4], [["BP1"], *[[]] * 4]
    position("BBBB", round=3, seat0={"pyramid": range(4)}).replace(built=1, pyramid=five, bonuses=bp1, bonus_round=[3, *[None] * 7])
    for turn, seat in ((0, "seat0"), (0, "seat1"), (1, "seat2"), (1, "seat1")):
        with pytest.raises(ValueError, match=r"^bonus_round: BP1 is dated this round, but seat . has not built in it"):
            position("BBBB", round=3, turn=turn, dated={"BP1": 3}, **{seat: ground})  # type: ignore[arg-type]


def test_a_bonus_without_holder_is_refused() -> None:
    with pytest.raises(ValueError, match="nobody has BP1"):
        THREE.replace(round=3, pyramid=[[f"p{i}" for i in range(5)], [], [], [], []])


def test_whoever_has_the_stones_of_a_bonus_of_this_round_has_the_bonus() -> None:
    ground = {"pyramid": range(5)}
    own = ground | {"bonuses": ["BP1"]}
    position("BBBB", round=3, turn=2, seat0=own, seat1=own, dated={"BP1": 3})
    position("BBBB", round=4, turn=0, seat0=own, seat2=ground, dated={"BP1": 3})
    with pytest.raises(ValueError, match=r"^bonuses: seat 2 has the stones of BP1, first earned in this round, without the bonus"):
        position("BBBB", round=3, turn=2, seat0=own, seat2=ground, dated={"BP1": 3})


def test_dominoes_within_a_set_of_cells_are_those_with_both_cells_in_it() -> None:
    for cells in range(1 << MOSAIC_SIZE):
        inside = [i for i, domino in enumerate(DOMINO_CELLS.tolist()) if domino & ~cells == 0]
        assert dominoes_within.py_func(cells) == sum(1 << i for i in inside), cells


def test_a_bonus_cannot_be_earned_in_a_round_to_come() -> None:
    with pytest.raises(ValueError, match="BP1 is dated round 5 in round 4"):
        position("BBBB", round=4, seat0={"pyramid": range(5), "bonuses": ["BP1"]}, dated={"BP1": 5})


def test_a_game_without_two_buildings_ends_with_the_last_round_only() -> None:
    def cut_off(round: int) -> State:
        last = (round + 2) % 3
        return position("BBBB", round=round).replace(phase="over", over=True, truncated=True, turn=2, current_player=last)

    assert cut_off(MAX_ROUNDS - 1).is_truncated()
    with pytest.raises(ValueError, match=r"^truncated: a game is cut off exactly when"):
        cut_off(MAX_ROUNDS - 1).replace(truncated=False)
    for round in (MAX_ROUNDS - 2, MAX_ROUNDS - 3):
        with pytest.raises(ValueError, match=r"^over: a game ends after a round"):
            cut_off(round)


def test_a_round_cannot_begin_after_the_end() -> None:
    with pytest.raises(ValueError, match="the round cannot begin"):
        position(
            "BBBB", round=12,
            seat0={"mosaic": CELLS, "left": 4, "right": 4, "keystone": True, "bonuses": ["BM1", "BM2", "BM3", "BA1", "BA2"]},
        )  # fmt: skip


# --- Properties of random games ------------------------------------------------------------------------------------------------


def random_game(players: int, seed: int) -> Iterator[tuple[State, str, State]]:
    """Every step of a random game: position, action, position after it and the forced moves."""
    state = cheops(players).new_initial_state(seed=seed)
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        before = state.clone()
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        yield before, state.action_to_string(action), state.clone()


seeds = st.integers(0, 2**32)
tables = st.sampled_from(PLAYERS)


@given(tables, seeds)
def test_every_position_keeps_the_invariants(players: int, seed: int) -> None:
    for _, _, after in random_game(players, seed):
        assert list(violations(after.record[0])) == []


@given(tables, seeds)
def test_what_is_kept_follows_from_the_rest(players: int, seed: int) -> None:
    for _, _, after in random_game(players, seed):
        anew = after.clone()
        for field in RULES.schema:
            if field.derived:
                anew.record[field.name] = 0
        after.game.kernels.derive(anew.record)
        assert anew.record.tobytes() == after.record.tobytes()


def test_observed_colours_are_turned_to_the_own_sheet() -> None:
    state = play(
        position("OYYB", round=3, seat1={"left": 2, "quarry": [0, 9]}), "M0-1"
    )  # sheets A, B, C; lilac is owed, a yellow die is taken
    where = state.game.encoder().where
    lilac, yellow = LETTERS.index("L"), LETTERS.index("Y")
    for observer in range(3):
        seen = state.observation(observer)
        pool, dice = seen[where("dice_at_first")[0]], seen[where("dice_left")[0]]
        assert pool.tolist() == np.roll([0.25, 0, 0, 0.25, 0, 0.5], -observer).tolist()
        assert (pool - dice).tolist() == np.roll(0.25 * np.eye(6)[yellow], -observer).tolist()
        assert seen[where("owed_colours")[0]].tolist() == [*np.eye(6)[(lilac - observer) % 6], *[0] * 6]
        place = (1 - observer) % 3
        mine = seen[where("usable_quarry")[place]]
        stones, nearness = mine[:6], mine[6:12]
        left = [(int(QUARRY_COLOUR[1][place]) - observer) % 6 for place in (10, 11)]
        assert np.flatnonzero(stones).tolist() == sorted(left)
        assert nearness[left].tolist() == pytest.approx([1, 11 / 12])
        if place:
            assert seen[where("rotation")[place - 1]].tolist() == np.eye(6)[(1 - observer) % 6][1:].tolist()


@given(tables, seeds)
def test_the_first_decision_has_25_actions(players: int, seed: int) -> None:
    state = cheops(players).new_initial_state(seed=seed)
    assert legal(state) == ["P0", "P1", "P2", "P3", "P4", "AL", "AR", *DOMINO_NAMES, "stop"]


@given(tables, seeds)
def test_a_decision_is_to_build_or_to_pay_and_never_forced(players: int, seed: int) -> None:
    for state, _, _ in random_game(players, seed):
        actions = state.legal_actions()
        assert len(actions) >= 2
        if state.phase() == "build":
            assert max(actions) == ACTIONS.index["stop"]
        else:
            assert min(actions) > ACTIONS.index["stop"]


@given(tables, seeds)
def test_only_the_builder_to_act_changes_and_nothing_is_taken_back(players: int, seed: int) -> None:
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        for p in range(SEATS):
            if p != a["current_player"]:
                unchanged = [f for f in SHEET_FIELDS if f != "bonuses" or not b["over"]]
                assert all(a[field][p] == b[field][p] for field in unchanged)
            for field in ("pyramid", "mosaic", "quarry", "bonuses"):
                assert a[field][p] & ~b[field][p] == 0
            assert all(a[field][p] <= b[field][p] for field in ("left", "right", "keystone", "mark"))
            assert a["jokers"][p] >= b["jokers"][p]


@given(tables, seeds)
def test_buildings_never_lose_points_and_material_never_gains_any(players: int, seed: int) -> None:
    for before, _, after in random_game(players, seed):
        for p in range(players):
            one, two = before.breakdown()[p], after.breakdown()[p]
            assert all(one[part] <= two[part] for part in ("pyramid", "arch", "mosaic", "bonuses"))
            assert all(one[part] >= two[part] for part in ("quarry", "jokers"))


def stones(s: np.void, p: int) -> int:
    columns = int(s["left"][p]) + int(s["right"][p]) + int(s["keystone"][p])
    return int(s["pyramid"][p]).bit_count() + columns + int(s["mosaic"][p]).bit_count()


def payments(s: np.void, p: int) -> int:
    """Quarry stones and jokers used so far."""
    return int(s["quarry"][p]).bit_count() + int(s["num_players"]) - int(s["jokers"][p])


@given(tables, seeds)
def test_every_stone_is_paid_for(players: int, seed: int) -> None:
    """Stones of the active builder's turn = dice that stay out + quarry stones + jokers; payments never exceed stones."""
    start = None
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        p = int(a["current_player"])
        if a["turn"] == 0 and a["built"] == 0 and a["phase"] == 0:
            start = a
        if start is not None and b["turn"] == 1 and b["round"] == start["round"]:
            blocked = int(b["num_dice"]) - int(b["pool"].sum())
            assert stones(b, p) - stones(start, p) == blocked + payments(b, p) - payments(start, p) <= 2
            start = None
        if b["phase"] != 1:
            assert all(payments(b, q) <= stones(b, q) for q in range(players))


@given(tables, seeds)
def test_the_pool_changes_only_by_what_the_active_builder_used(players: int, seed: int) -> None:
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        if a["round"] == b["round"] and a["turn"] > 0:
            assert a["pool"].tolist() == b["pool"].tolist()


@given(tables, seeds)
def test_a_bonus_belongs_to_all_who_completed_it_in_its_round_and_to_nobody_later(players: int, seed: int) -> None:
    completed: dict[tuple[int, int], int] = {}
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        p = int(a["current_player"])
        for group in range(8):
            if complete_groups(b, p) >> group & 1:
                completed.setdefault((p, group), int(a["round"]))
    for (p, group), when in completed.items():
        first = b["bonus_round"][group]
        assert bool(b["bonuses"][p] >> group & 1) == (when == first)
        assert when >= first


@given(tables, seeds)
def test_length_and_scores_are_bounded(players: int, seed: int) -> None:
    *_, (_, _, last) = random_game(players, seed)
    s = last.record[0]
    assert s["truncated"] or 10 <= s["round"] <= 99
    assert any(complete_buildings(s, p) >= 2 for p in range(players)) != last.is_truncated()
    assert all(0 <= score <= 84 + 2 * players for score in last.scores())


def test_random_games_use_every_action() -> None:
    used = {action for seed in range(40) for _, action, _ in random_game(3, seed)}
    assert used == set(ACTIONS.names)


# --- Symmetries: two games side by side, one decision at a time ----------------------------------------------------------------


class Table:
    """A position without forced moves, so that dice can be laid by hand before anything is decided."""

    def __init__(self, players: int, seed: int) -> None:
        self.state = cheops(players, sheets="in order").new_initial_state(seed=seed)
        self.s = self.state.record[0]

    def legal(self) -> list[int]:
        padded, masks = new_masks(1, len(ACTIONS))
        RULES.legal(self.s, padded[0])
        return np.flatnonzero(masks[0]).tolist()

    def step(self, action: int) -> None:
        RULES.step(self.s, action)

    def scores(self) -> list[int]:
        out = np.zeros(SEATS, np.int64)
        RULES.scores(self.s, out)
        return out.tolist()


@given(st.sampled_from([2, 3]), st.integers(1, 2), seeds)
def test_turning_all_colours_changes_nothing(players: int, turn: int, seed: int) -> None:
    one, two = Table(players, seed), Table(players, seed)
    two.s["sheet"][:players] += turn
    rng = np.random.default_rng(seed)
    round_ = -1
    while not one.s["over"]:
        if one.s["round"] != round_:
            round_ = one.s["round"]
            dice = int(one.s["num_dice"])
            two.s["roll"][:dice] = (one.s["roll"][:dice] + turn) % 6
            two.s["pool"][:] = two.s["dice"][:] = np.roll(one.s["pool"], turn)
        assert two.s["dice"].tolist() == np.roll(one.s["dice"], turn).tolist()
        assert one.legal() == two.legal()
        others = np.delete(np.arange(one.state.game.encoder().size), one.state.game.encoder().where("sheet"))
        assert np.array_equal(one.state.observation()[others], two.state.observation()[others])
        action = int(rng.choice(one.legal()))
        one.step(action)
        two.step(action)
        assert one.scores() == two.scores()
        assert all(one.s[field].tolist() == two.s[field].tolist() for field in SHEET_FIELDS)


@given(tables, seeds)
def test_left_and_right_column_are_mirror_images(players: int, seed: int) -> None:
    left, right = ACTIONS.index["AL"], ACTIONS.index["AR"]
    swap = {left: right, right: left}
    one, two = Table(players, seed), Table(players, seed)
    rng = np.random.default_rng(seed)
    while not one.s["over"]:
        assert sorted(swap.get(a, a) for a in one.legal()) == two.legal()
        action = int(rng.choice(one.legal()))
        one.step(action)
        two.step(swap.get(action, action))
        assert one.scores() == two.scores()
    assert one.s["left"].tolist() == two.s["right"].tolist()


# --- Rule-based players --------------------------------------------------------------------------------------------------------


def test_what_greedy_and_rush_like() -> None:
    sheet = {
        "pyramid": [0, 1, 2, 5],
        "left": 2,
        "right": 1,
        "mosaic": [0, 1, 2, 3, 6, 7],
        "quarry": [4],
        "jokers": 2,
        "bonuses": ["BM1"],
    }
    s = position("BBBB", round=9, seat0=sheet).record[0]
    bonuses = {"P": (3 / 5) ** 2 + (2 / 6) ** 2 + (4 / 15) ** 2, "A": (3 / 4) ** 2 + (3 / 9) ** 2, "M": (2 / 4) ** 2 + 0}
    hopes = 3 * (0.55 * bonuses["P"] + 0.3 * bonuses["A"] + 0.85 * bonuses["M"])
    assert worth(s, 0, GREEDY) == pytest.approx(1.65 * 4 + 0 + 1.3 * 6 - 4 * 0 + 3 + hopes + 0.8 * 7 + 2.1 * 2)
    hopes = 3 * (0.2 * bonuses["P"] + 0.6 * bonuses["A"] + 0.8 * bonuses["M"])
    assert worth(s, 0, RUSH) == pytest.approx(0.45 * 6 + 2.1 * 3 - 0 + 1.7 * 6 - 3.4 * 0 + 3 + hopes + 0.6 * 7 + 1.6 * 2)


def test_no_hope_for_a_bonus_that_is_gone() -> None:
    sheet = {"pyramid": [0, 1, 2, 3]}
    other = {"pyramid": range(5), "bonuses": ["BP1"]}
    gone = position("BBBB", round=3, seat0=sheet, seat1=other, dated={"BP1": 2}).record[0]
    open_ = position("BBBB", round=3, seat0=sheet).record[0]
    assert worth(open_, 0, GREEDY) - worth(gone, 0, GREEDY) == pytest.approx(3 * 0.55 * (4 / 5) ** 2)


def best_end(state: State, plan: int, p: int, when: tuple[int, int]) -> float:
    """The best worth that p can reach in the turn that is going on, by trying everything."""
    s = state.record[0]
    if state.is_terminal() or (int(s["round"]), int(s["turn"])) != when:
        return worth(s, p, plan)
    ends = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        ends.append(best_end(after, plan, p, when))
    return max(ends)


@pytest.mark.parametrize(("policy", "plan"), [("greedy", GREEDY), ("rush", RUSH)])
def test_players_choose_the_best_end_of_their_turn(policy: str, plan: int) -> None:
    game = cheops(3)
    player = agent(game, policy)
    for state, _, _ in list(random_game(3, seed=8))[::12]:
        s = state.record[0]
        p, when = int(s["current_player"]), (int(s["round"]), int(s["turn"]))
        chosen = int(player.choose(state.record, state.padded_mask)[0])
        ends = {}
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            ends[action] = best_end(after, plan, p, when)
        assert ends[chosen] == pytest.approx(max(ends.values()))
        assert all(ends[action] < max(ends.values()) - 1e-9 for action in ends if action < chosen)


# --- Lockstep with the referee -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_agree_with_the_referee(players: int) -> None:
    game = cheops(players)
    for seed in range(LOCKSTEP_GAMES):
        lockstep.play(game, seed)


@pytest.mark.parametrize("policy", ["greedy", "rush"])
@pytest.mark.parametrize("players", PLAYERS)
def test_games_of_good_players_agree_with_the_referee(players: int, policy: str) -> None:
    game = cheops(players)
    player = agent(game, policy, seed=1)

    def choose(state: State, rng: np.random.Generator) -> int:
        return int(player.choose(state.record, state.padded_mask)[0])

    for seed in range(LOCKSTEP_GAMES // 8):
        lockstep.play(game, 1000 + seed, choose)


# --- Drawing -------------------------------------------------------------------------------------------------------------------

PICTURE = """\
seat 1 *  sheet B  score 30 = P10 A0 M6 B3 Q7 J4
 21         r14           | 9    o    |
 15       y12 o13         | 6  l   l  |
 10     [O] r10 b11       | 4  y   y  | [O] [B] [Y] [R]
  6   [Y] [L]  o7  g8     | 2 [B]  b  |  l4  o5 [R]  g7
  3 [L] [R] [G]  b3  y4   | 0 [G] [G] |  g8  r9 [L] b11
quarry -r-  -l-  [B]  -o-  [Y]   g5   b6   r7   o8   l9  g10  y11  jokers 2
bonuses BP1x BP2 BP3 BA1 BA2 BM1* BM2 BM3
seat 2  sheet C  score 18 = P0 A0 M0 B0 Q12 J6
 21        l         | 9    g    |
 15       b  g       | 6  o   o  |"""


def test_the_drawing_numbers_the_sheet_of_who_builds() -> None:
    state = position(
        "RGBB", round=9, turn=1, blocked="GB",
        seat0={"pyramid": range(5), "bonuses": ["BP1"]},
        seat1={"pyramid": [0, 1, 2, 5, 6, 9], "left": 2, "right": 1, "mosaic": [0, 1, 2, 3, 6, 10], "quarry": [2, 4], "jokers": 2,
               "bonuses": ["BM1"]},
    )  # fmt: skip
    text = str(state)
    assert text.splitlines()[:2] == [
        "round 9   seat 0 rolled R G B B   in the middle: R B",
        "seat 1 builds, stone 1 of 2: P pyramid, AL AR AK arch, M mosaic, or stop",
    ]
    assert PICTURE in "\n".join(line.rstrip() for line in text.splitlines())


def test_the_drawing_says_what_is_owed() -> None:
    assert "seat 0 pays lilac and yellow for M0-1: Q a quarry stone, or J a joker" in str(play(position("OOOO"), "M0-1"))


def test_the_drawing_of_the_end_shows_the_last_bonus() -> None:
    *_, (_, _, last) = random_game(2, seed=3)
    assert str(last).startswith("game over after round")
    assert "BE*" in str(last)
