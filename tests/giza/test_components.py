"""The board, the actions, the start."""

from __future__ import annotations

import re

import pytest

from mastaba.envs.giza import RULES
from mastaba.envs.giza.actions import ACTIONS
from mastaba.envs.giza.components import MOVES, NOMINATIONS, ZONES

from giza.by_hand import PLAYERS, asked, giza, options, play, see
from giza.styles import games


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
def test_actions_keep_their_indices(index, notation):
    assert giza(4).action_to_string(index) == notation
    assert giza(4).string_to_action(notation) == index


def test_every_move_is_named_by_its_zones():
    for move, (source, target) in enumerate(MOVES):
        assert ACTIONS.names[30 + move] == f"{ZONES[source]}>{ZONES[target]}"


def test_every_nomination_has_its_action():
    assert list(NOMINATIONS) == list(ACTIONS.names[102:109])


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


def test_the_snippet_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    snippet = re.search(r"```python\n(.*?)```", RULES.page.read_text(encoding="utf-8"), re.DOTALL)
    assert snippet is not None
    exec(snippet[1], {})
    assert "start player" in capsys.readouterr().out


def test_the_capstone_is_nominated_by_force() -> None:
    """What the page says: no mask shows `lift cap1` or `lift cap2`."""
    for game in games(2):
        for state, _ in game:
            assert not options(state) & {"lift cap1", "lift cap2"}
