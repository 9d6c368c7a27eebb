"""Awards by rank, standings, and what can be won."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mastaba.envs.giza.components import POINTS
from mastaba.envs.giza.scoring import push_share, share_of

from giza.by_hand import ALL, NO_SLEDS, play, position
from giza.styles import games

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
def test_places_pay_and_ties_share_rounded_down(scale, values, points):
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


def test_ties_are_broken_by_stock_and_then_by_ra():
    state = position(
        turn=3,
        round=10,
        move={0: {"ra": 1}, 1: {"ra": 2}, 2: {"ra": 2}},
        points=[[20, 5, 5, 0], [20, 5, 5, 0], [20, 5, 5, 0], [8, 2, 0, 2]],
        **NO_SLEDS,
        base_built=ALL,
        middle_built=[True, True, True, False],
        middle_in_camp=1,
        middle_in_reserve=0,
        capstone="ml",
        food=[3, 5, 4, 20],
        art=[4, 2, 3, 9],
    )
    state = play(state, "pass")
    assert state.is_terminal()
    assert state.standings() == [2, 0, 0, 3]
    assert state.returns() == pytest.approx([-1 / 3, 1 / 3, 1 / 3, -1 / 3])


def test_points_stay_within_what_the_pyramid_pays():
    most = {3: 220, 4: 250}
    for game in games():
        *_, (state, _) = game
        assert sum(state.scores()) <= most[state.game.num_players]
        assert max(state.scores()) <= 182
