"""The pieces of Pyramidice and how a game of it begins."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest

import mastaba
from mastaba.envs.pyramidice.actions import ACTIONS
from mastaba.envs.pyramidice.components import (
    COST_OF_VALUE,
    COST_STONE,
    ENNEAD_FAME,
    EXTRA_WORKERS,
    GODS,
    GODS_TABLE,
    NEIGHBOURS,
    NUM_SPACES,
    PAIRS,
    PARTNER,
    POWERS,
    PROJECTS,
    SCARABS,
    SUPPORT,
    TILES,
    USABLE_GODS,
)

from pyramidice.by_hand import (
    SEATS,
    board,
    pyramidice,
    see,
)


def test_the_cards_are_38_gods_12_scarabs_6_projects_and_12_tiles():
    assert (len(GODS), len(SCARABS), len(PROJECTS), len(TILES)) == (38, 12, 6, 12)
    assert len(set(GODS)) == 38
    symbols = Counter(symbol for _, symbol, *_ in GODS_TABLE)
    assert symbols == {"work": 19, "rest": 2, "stack": 10, "ongoing": 6, "none": 1}


def test_every_god_with_a_work_symbol_has_an_action():
    work = {name for name, symbol, *_ in GODS_TABLE if symbol == "work"}
    assert work | {"Khepri"} == {*USABLE_GODS, "Khnum", "Satis", "Anuket"}
    assert set(POWERS) == set(USABLE_GODS) - {"Amon", "Aton", "Maat", "Mut"}


def test_how_often_each_face_is_asked_for():
    assert (COST_OF_VALUE + COST_STONE).sum(0).tolist() == [11, 10, 11, 10, 10, 9]


def test_every_pair_of_faces_is_on_exactly_one_project():
    for a, b in combinations_with_replacement(range(1, 7), 2):
        assert sum(PARTNER[project, a] == b for project in range(6)) == 1


def test_the_pyramids_have_14_5_and_1_spaces_and_20_adjacent_pairs():
    assert len(PAIRS) == 20
    assert [len([p for p in PAIRS if p[0] < 14]), len([p for p in PAIRS if p[0] >= 14])] == [16, 4]
    assert NEIGHBOURS[4].tolist() == [1, 3, 5, 7]
    assert [int(SUPPORT[i]).bit_count() for i in range(NUM_SPACES)] == [0] * 9 + [4] * 5 + [0] * 4 + [4, 0]
    assert EXTRA_WORKERS.tolist() == [0] * 9 + [1] * 4 + [2] + [1] * 4 + [2, 2]


def test_the_ennead_pays_up_to_five_cards():
    assert ENNEAD_FAME.tolist() == [0, 0, 2, 6, 12, 20, 20, 20, 20, 20, 20]


INDEX_OF = {
    "keep Malachite": 11, "work": 12, "rest SS": 24, "hapy": 25, "bes": 26, "gain S": 29, "lose S": 32, "free 2": 35, "dice S9": 45,
    "reroll": 46, "roll": 47, "die V6": 65, "cat P1+": 66, "cat P2-": 71, "cat S6-": 85, "build 6": 91, "at 19": 111,
    "worship 2": 114, "replace 2": 117, "copy 2": 120, "fame": 121, "use Amon": 122, "use Sopdet": 138,
    "use Khnum=1": 139, "use Anuket=6": 144,
    "to 6": 150, "pay G": 153, "cost seshat": 155, "drop Ennead": 156, "drop Khnum": 157, "drop Thoth": 184, "pearl no": 186,
    "slot 6": 192, "end": 193,
}  # fmt: skip


@pytest.mark.parametrize("action, index", INDEX_OF.items())
def test_the_action_table_never_moves(action, index):
    assert ACTIONS.index[action] == index


@pytest.mark.parametrize(
    "players, workers, cats, stone, tiles, deck",
    [(1, 17, 8, 13, 6, 25), (2, 13, 7, 12, 6, 25), (3, 9, 6, 16, 8, 30), (4, 5, 5, 16, 10, 32)],
)
def test_everybody_begins_with_4_workers_a_cat_and_a_stone_die(players, workers, cats, stone, tiles, deck):
    state = pyramidice(players).new_initial_state(seed=1)
    assert see(state, "supply") == [workers, cats, stone]
    assert see(state, "quarry") == [4, 0]
    assert [board(state, p) for p in range(players)] == ["4/1/1"] * players
    assert sum(place == 0 for place in see(state, "tile_place")) == tiles
    assert see(state, "deck_end") - see(state, "deck_position") == deck
    assert see(state, "fame") == [5] * max(players, 2) + [0] * (SEATS - max(players, 2))
    assert state.phase() == ("turn" if players == 1 else "scarab")


@pytest.mark.parametrize("architect, projects", [("Snefru", 2), ("Hemionu", 2), ("Amenhotep", 3), ("Imothep", 2)])
def test_solo_setup_has_an_architect_with_open_projects_and_numbered_tiles(architect, projects):
    state = pyramidice(1, architect).new_initial_state(seed=3)
    assert see(state, "architect") == architect
    assert see(state, "num_seats") == 2
    assert sum(p is not None for p in see(state, "architect_projects")) == projects
    assert sorted(slot for slot in see(state, "tile_slot") if slot is not None) == list(range(6))
    assert board(state, 1) == "0/0/0"


def test_an_architect_is_only_for_one_player():
    with pytest.raises(TypeError, match="architect"):
        mastaba.game("pyramidice", 2, architect="Snefru")
