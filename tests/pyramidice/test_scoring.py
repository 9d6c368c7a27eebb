"""The score sheet of Pyramidice, and who has won."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from mastaba.envs.pyramidice.components import (
    GODS,
    PROJECTS,
)

from pyramidice.by_hand import (
    fame,
    position,
    pyramidice,
    tables,
)
from pyramidice.rich_games import by_hand, seeds, walk


@pytest.mark.parametrize("cards, points", [(1, 0), (2, 2), (3, 6)])
def test_the_ennead_brings_0_2_6_fame_for_1_2_3_cards(cards, points):
    state = position(gods={0: list(GODS[:cards])}, row="Hathor Bes Min")
    assert state.scores()[0] == 5 + points


SCORED = {i: int(v) for i, v in enumerate("166253433" + "6125" + "6")}


def test_full_scoring_of_two_players():
    state = position(
        board={0: "0/0/0", 1: "3/0/0"},
        fame={0: 41, 1: 44},
        gods={0: ["Hathor", "Maat", "Atum", "Shu", "Geb", "Nut"], 1: ["Amon", "Khepri", "Ra", "Isis", "Seth"]},
        row="Bes Min Osiris",
        pyramid=SCORED,
        scarabs={0: "Obsidian", 1: "Quartz"},
        pharaoh=1,
        turns=2,
        project=["Seven", "Twins", None, None],
    )
    assert state.scores() == [78, 58]
    assert state.standings() == [0, 1]


def test_the_six_projects_on_that_pyramid():
    scores = []
    for project in PROJECTS:
        other = "Twins" if project != "Twins" else "Seven"
        state = position(pyramid=SCORED, board={0: "0/0/0", 1: "0/0/0"}, project=[project, other, None, None], pharaoh=1, turns=2)
        scores.append(state.scores()[0] - fame(state))
    assert scores == [10, 2, 6, 6, 2, 6]


def test_solo_scoring():
    state = position(
        1,
        architect="Amenhotep",
        fame={0: 48, 1: 33},
        gods={0: ["Hathor", "Sopdet", "Ra"], 1: ["Maat", "Amon", "Heh", "Atum", "Shu", "Nut", "Isis"]},
        row="Bes Min Osiris",
        pyramid={i: int(v) for i, v in enumerate("4316162")},
        project=["Fourth", None, None, None],
        architect_projects=["Seven", "Second", "Fifth"],
    )
    points, ranks = state.outcome()
    assert points[:2].tolist() == [57, 64]
    assert ranks[0] == 1


def test_tie_goes_to_more_resources_and_is_shared_otherwise():
    projects = ["Seven", "Second", None, None]
    assert position(board={0: "2/1/0", 1: "3/1/0"}, project=projects).standings() == [1, 0]
    assert position(board={0: "2/1/1", 1: "3/1/0"}, project=projects).standings() == [0, 0]


def test_the_architect_wins_a_tie():
    assert position(1, board={0: "8/0/0"}).standings() == [1]
    assert position(1, fame={0: 6}).standings() == [0]


ENDED = {"phase": "end", "over": True, "pharaoh": 0, "turns": 3}


@pytest.mark.parametrize("margin, reward", [(0, -1.0), (1, 1.0)])
def test_solo_reward_is_plus_or_minus_one(margin, reward):
    state = position(1, fame={0: 5 + margin}, supply=0, **ENDED)
    assert state.returns() == [reward]


@tables
@given(seed=seeds)
def test_final_scores_follow_from_what_lies_on_the_table(players, architect, seed):
    rng = np.random.default_rng(seed)
    *_, (_, _, state) = walk(pyramidice(players, architect).new_initial_state(seed), rng)
    d, (points, _) = state.to_dict(), state.outcome()
    for p in range(max(players, 2)):
        projects = [d["project"][p]] if p < players else [x for x in d["architect_projects"] if x]
        assert points[p] == by_hand(d, p, [PROJECTS.index(x) for x in projects])
