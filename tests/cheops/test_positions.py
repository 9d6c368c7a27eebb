"""Positions that cannot be are refused, with the field that says so."""

from __future__ import annotations

from typing import Any

import pytest

from mastaba import State
from mastaba.envs.cheops.components import DOMINO_CELLS, MAX_ROUNDS, MOSAIC_SIZE
from mastaba.envs.cheops.rules import dominoes_within

from cheops.by_hand import CELLS, counts, dice_of, owed, play, position

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
            position("BBBB", round=3, turn=turn, dated={"BP1": 3}, **{seat: ground})


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
