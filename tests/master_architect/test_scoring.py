"""Points: lines, chambers, symbols, workers, Collection, cards, ties; first those of the rulebook's example player."""

from __future__ import annotations

import pytest

from mastaba import State
from mastaba.envs.master_architect.components import CARDS, DIVINE_PATH

from master_architect.boards import (
    EXAMPLE,
    architect,
    card_values,
    heights,
    mirror_space,
    mirror_stone,
    position,
    put_up,
    random_states,
    sheet,
    spaces,
    take_turns,
)


def test_the_example_player_has_62_points():
    state = put_up(EXAMPLE, ("Set", "Priest", "Divine Path"), collected=7)
    assert sheet(state) == {"solid": 20, "burial": 11, "symbols": 7, "workers": 6, "collection": 3, "cards": 15}
    assert heights(state) == {"blue": 6, "brown": 6, "yellow": 5, "white": 3}
    assert card_values(state) == {"Set": 6, "Priest": 4, "Divine Path": 5}
    assert state.scores() == [62]


def test_every_card_alone_with_the_example_player():
    worth = {}
    for card in CARDS:
        worth |= card_values(put_up(EXAMPLE, (card,), collected=7))
    assert list(worth.values()) == [6, 4, 5, 5, 2, 4, 2, 5, 4, 4, 8, 4, 6, 6, 4, 3, 0, 3, 3, 0]


def test_priest_counts_as_a_symbol_for_thoth():
    assert card_values(put_up(EXAMPLE, ("Priest", "Thoth"))) == {"Priest": 4, "Thoth": 5}


def test_small_stones_of_a_slope_touch_by_their_corners():
    assert heights(put_up("1L=b1 2L=b1 3L=b1 4L=b1 5L=b1 6L=b1"))["blue"] == 6


def test_a_line_must_stand_on_the_ground():
    floating = heights(put_up("1.1=n01 2L=b1 3L=b1 4L=b1 5L=b1 6L=b1"))
    assert (floating["blue"], floating["brown"]) == (0, 1)
    assert heights(put_up("1.1=b01 2L=b1 3L=b1 4L=b1 5L=b1 6L=b1"))["blue"] == 6


def test_a_line_may_run_sideways():
    reached = heights(put_up("1.1=w01 2.1=w02 2.2=w03 3.2=w04 4.2=w05 5R=w1 6R=w2 3.1=b01"))
    assert (reached["white"], reached["blue"]) == (6, 0)


def test_a_line_may_run_from_right_to_left():
    assert heights(put_up("1.5=y01 2.4=y02 2.3=y03 2.2=y04 3.1=y05 4L=y1"))["yellow"] == 4


@pytest.mark.parametrize(
    "board, burial, exits",
    [
        ("2.1=b08", 2, 1),
        ("2.1=b08r", 0, 0),
        ("3.1=b07", 0, 0),
        ("3.1=b07r 2.2=n19", 0, 0),
        ("3.1=b07r 2.2=n19 2.1=b18", 2, 1),
        ("1.2=y02 1.1=n04", 0, 0),
        ("1.2=y02 1.1=n02", 3, 1),
        ("1.2=y02 1.1=n02 1.3=w06r", 9, 1),
    ],
)
def test_sarcophagi_count_when_chambers_lead_to_the_edge(board, burial, exits):
    state = put_up(board)
    assert (sheet(state)["burial"], state.record["worth"][0][0][DIVINE_PATH]) == (burial, exits)


def test_the_top_stone_may_have_two_exits():
    state = put_up("5.1=w18", ("Divine Path",))
    assert card_values(state) == {"Divine Path": 2}


def test_a_full_set_of_symbols_leaves_nothing_to_the_priest():
    state = put_up("1.1=b09 1.2=b10 1.3=b11 1.4=b12 1.5=b13", ("Priest", "Thoth"))
    assert sheet(state)["symbols"] == 16
    assert card_values(state) == {"Priest": 0, "Thoth": 6}


def test_the_priest_counts_as_the_first_symbol():
    state = put_up("1.1=b01", ("Priest",))
    assert sheet(state) == {"solid": 1, "burial": 1, "symbols": 0, "workers": 0, "collection": 0, "cards": 2}


def test_balanced_workers():
    state = put_up("1L=b3 1R=w3 2L=y2 3L=n1 3R=n2 6L=w1 6R=b1", ("Maat", "Osiris"))
    assert sheet(state) == {"solid": 2, "burial": 0, "symbols": 0, "workers": 4, "collection": 0, "cards": 5}
    assert card_values(state) == {"Maat": 2, "Osiris": 3}
    assert state.scores() == [11]


def test_the_treasurer_pays_for_every_collected_stone():
    state = put_up("1L=b3", ("Treasurer",), collected=5)
    assert sheet(state) == {"solid": 1, "burial": 0, "symbols": 0, "workers": 0, "collection": 2, "cards": 3}


def test_ptah_wants_all_colours_on_a_level():
    board = "1L=w1 1.1=b01 1.2=n03 1.3=y02 4L=b1 4.1=n01 4.2=y01 4R=w2 5L=b1 5.1=n02 5R=w1"
    assert card_values(put_up(board, ("Ptah",))) == {"Ptah": 4}


def test_nut_and_khepri_like_high_lines():
    state = put_up("1L=b1 2L=b1 3L=b1 4L=b1 1R=n1 2R=n1 3R=n1 4R=n1 5R=n2", ("Nut", "Khepri"))
    assert sheet(state) == {"solid": 9, "burial": 0, "symbols": 0, "workers": 4, "collection": 0, "cards": 9}
    assert card_values(state) == {"Nut": 4, "Khepri": 5}
    assert state.scores() == [22]


def test_hidden_tombs_are_those_without_a_way_out():
    state = put_up("1.1=b06 1.2=n06 1.3=y08r", ("Hidden Tomb", "Set"))
    assert sheet(state) == {"solid": 3, "burial": 2, "symbols": 0, "workers": 0, "collection": 0, "cards": 6}
    assert card_values(state) == {"Hidden Tomb": 4, "Set": 2}


def tied(first: str, second: str, first_collected: int, second_collected: int) -> State:
    """Two solo pyramids at one table."""
    state = architect(2).new_initial_state(seed=0)
    for seat, (board, collected) in enumerate(((first, first_collected), (second, second_collected))):
        state.record["small_stone"][0][seat] = put_up(board).record["small_stone"][0][0]
        state.record["collection"][0][seat][0] = collected
    state.game.kernels.derive(state.record)
    return state


def test_ties_are_broken_by_small_stones_in_pyramid_and_collection():
    ahead = tied("1L=b1", "1L=b1", 3, 2)
    assert ahead.scores() == [2, 2]
    assert ahead.standings() == [0, 1]
    assert tied("1L=b1", "1L=b1", 2, 2).standings() == [0, 0]
    assert tied("1L=b1 5L=b1", "1L=b1", 2, 3).standings() == [0, 0]  # a stone counts the same in pyramid and Collection


def test_joint_winners_share_the_victory():
    """Two pyramids that are mirror images of each other, cards included."""
    left = "1.1=b01 1.2=b02 1.3=b03 1.4=b04 1.5=b05 2.1=b06 2.2=b07 2.3=b08 2.4=y01 3.1=y02 3.2=y03 3.3=y04 4.1=y05 4.2=y06"
    right = " ".join(f"{mirror_space(at)}={mirror_stone(stone)}" for at, stone in spaces(left).items())
    cards = (("Hapi", "Ra", "Stonemason"), ("Geb", "Khonsu", "Surveyor"))
    collections = (" ".join(7 * ["b1", "n1"]), " ".join(7 * ["y1", "w1"]))
    state = position((left, right), row="b09 y13 w13", cards=cards, collections=collections)
    take_turns(state, "take 2", "take 2")
    assert state.is_terminal()
    assert state.scores()[0] == state.scores()[1]
    assert state.record["winners"][0] == 0b11
    assert state.standings() == [0, 0]
    assert state.returns() == [0.0, 0.0]


def test_alone_the_result_is_the_score():
    *_, end = random_states(1, seed=5)
    assert end.returns() == [end.scores()[0] / 100]
    assert end.standings() == [0]
