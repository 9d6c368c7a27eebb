"""Building, paying, bonuses and the end: worked examples, then rulings."""

from __future__ import annotations

from collections import Counter

import pytest

from mastaba.envs.cheops.components import LETTERS, QUARRY_COLOUR

import lockstep
from cheops.by_hand import ALL_BUT_TOP, CELLS, SEATS, WHOLE, cheops, counts, dice_of, legal, of, owed, play, position

# --- Worked examples --------------------------------------------------------------------------------------------------------------


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


# --- Rulings ----------------------------------------------------------------------------------------------------------------------


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
