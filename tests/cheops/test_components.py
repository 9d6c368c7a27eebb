"""Sheets, their colours, and the actions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from mastaba.envs.cheops.actions import ACTIONS
from mastaba.envs.cheops.components import (
    ARCH_COLOUR,
    DOMINOES,
    MOSAIC_COLOUR,
    MOST_DOMINOES,
    PYRAMID_COLOUR,
    QUARRY_COLOUR,
)
from mastaba.envs.cheops.rules import open_stones, supported_stones

from cheops.by_hand import DOMINO_NAMES

SUPPORTS = {5: (0, 1), 6: (1, 2), 7: (2, 3), 8: (3, 4), 9: (5, 6), 10: (6, 7), 11: (7, 8), 12: (9, 10), 13: (10, 11), 14: (12, 13)}


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
