"""What a turn does, decision by decision."""

from __future__ import annotations

from mastaba import State
from mastaba.envs.master_architect.components import LARGE_SPACES, SMALL_SPACES

from master_architect.boards import EXAMPLE, legal, position, sheet, stones_of, take_turns


def first_turns() -> State:
    return position(row="b01 n06 y13 w18 b09", next_large="y02 w06", next_small="w3 y1")


def test_another_stone_costs_the_small_stone_in_hand():
    state = take_turns(first_turns(), "take 3")
    assert stones_of(state.to_dict()["pile"]) == "n2"
    assert state.to_dict()["stone_in_hand"] == "y13"
    assert len(legal(state)) == 15
    after = take_turns(state, "large 5.1").to_dict()
    assert after["row"] == ["b01", "n06", "w18", "b09", "y02"]
    assert after["hand"][0] == "w3"
    assert (after["current_player"], after["phase"], sum(after["pending"])) == (1, "take", 0)


def test_the_red_stone_brings_all_small_stones():
    state = take_turns(first_turns(), "take 3", "large 5.1", "take first")
    assert state.to_dict()["stone_in_hand"] == "b01"
    assert stones_of(state.to_dict()["pending"]) == "b1 n2"
    assert sum(state.to_dict()["pile"]) == 0
    assert len(legal(state)) == 30
    take_turns(state, "large 2.1 r", "small 6L")
    assert state.to_dict()["small_stone"][1][SMALL_SPACES.index("6L")] == "b1"
    assert len(legal(state)) == 12
    after = take_turns(state, "small coll").to_dict()
    assert stones_of(after["collection"][1]) == "n2"
    assert after["row"] == ["n06", "w18", "b09", "y02", "w06"]
    assert (after["hand"][1], after["current_player"]) == ("y1", 0)


def test_a_completed_pair_gives_a_card_before_the_small_stones():
    shown = ("Set", "Priest", "Osiris", "Nut")
    state = position(("1.1=b01", ""), row="b02 n06 y13 w18 b09", display=shown, next_cards=("Ra",))
    take_turns(state, "take first", "large 1.2")
    assert state.phase() == "card"
    assert legal(state) == ["card 1", "card 2", "card 3", "card 4"]
    assert stones_of(state.to_dict()["pending"]) == "n2"
    take_turns(state, "card 3")
    assert state.to_dict()["cards"][0] == ["Osiris", None, None]
    assert state.to_dict()["display"] == ["Set", "Priest", "Ra", "Nut"]
    assert state.phase() == "small"
    assert len(legal(state)) == 13


def test_the_vizier_pays_nothing():
    state = position(("1.1=b01 1.2=b03", ""), row="b02 n06", pile="y3", cards=(("Vizier",), ()))
    after = take_turns(state, "take 2").to_dict()
    assert after["stone_in_hand"] == "n06"
    assert stones_of(after["pending"]) == "n2"
    assert stones_of(after["pile"]) == "y3"


def test_the_vizier_changes_nothing_with_the_red_stone():
    state = position(("1.1=b01 1.2=b03", ""), row="b02 n06", pile="y3", cards=(("Vizier",), ()))
    assert stones_of(take_turns(state, "take first").to_dict()["pending"]) == "n2 y3"


def test_the_vizier_gives_no_refund_for_the_turn_that_gained_it():
    state = position(("1.1=b01", ""), row="b02 b03", display=("Vizier",))
    after = take_turns(state, "take 2", "large 1.2", "card 1").to_dict()
    assert stones_of(after["pile"]) == "n2"
    assert (after["current_player"], sum(after["pending"])) == (1, 0)


FULL_BUT_6R = "1L=b1 1R=b1 2L=n1 2R=n1 3L=y1 3R=y1 4L=w1 4R=w1 5L=b1 5R=n1 6L=w1"


def test_the_overseer_draws_three_stones_and_a_full_pyramid_collects_the_rest():
    state = position((f"1.1=b01 {FULL_BUT_6R}", ""), row="b02", display=("Set", "Overseer"), next_small="w3 y1 b2 y2")
    take_turns(state, "take first", "large 1.2", "card 2")
    assert stones_of(state.to_dict()["pending"]) == "b2 n2 y1 w3"
    assert legal(state) == ["small 6R", "small coll"]
    after = take_turns(state, "small coll", "small 6R").to_dict()
    assert after["small_stone"][0][SMALL_SPACES.index("6R")] == "n2"
    assert stones_of(after["collection"][0]) == "b2 y1 w3"
    assert (after["hand"][0], after["current_player"]) == ("y2", 1)


def test_the_overseer_draws_what_is_left():
    state = position(("1.1=b01", ""), row="b02", display=("Set", "Overseer"))
    take_turns(state, "take first", "large 1.2")
    state.record["small_drawn"] = 70  # no position of a game: such a bag is refused
    after = take_turns(state, "card 2").to_dict()
    assert sum(after["pending"]) == 1 + 2
    assert after["small_drawn"] == 72


def with_surveyor() -> State:
    state = position(("4.1=b01 1L=b1 6R=w3", ""), row="n01 n02 n03 b02", display=("Set", "Surveyor"))
    return take_turns(state, "take 4", "large 4.2", "card 2")


def test_the_surveyor_lifts_two_stones_to_be_placed_again():
    state = with_surveyor()
    assert stones_of(state.to_dict()["pile"]) == "n2"
    assert legal(state) == ["lift 1L", "lift 6R", "done"]
    take_turns(state, "lift 6R", "lift 1L")
    assert stones_of(state.to_dict()["pending"]) == "b1 w3"
    assert len(legal(state)) == 13
    after = take_turns(state, "small 6R", "small coll").to_dict()
    assert after["small_stone"][0] == [*[None] * 11, "b1"]
    assert stones_of(after["collection"][0]) == "w3"


def test_the_surveyor_may_stop_after_one_stone_or_none():
    assert with_surveyor().current_player() == 0
    assert take_turns(with_surveyor(), "done").current_player() == 1
    once = take_turns(with_surveyor(), "lift 1L", "done")
    assert (once.phase(), stones_of(once.to_dict()["pending"])) == ("small", "b1")


def test_the_surveyor_has_nothing_to_do_without_small_stones():
    state = position(("4.1=b01", ""), row="n01 n02 n03 b02", display=("Surveyor",))
    assert take_turns(state, "take 4", "large 4.2", "card 1").current_player() == 1


def test_with_two_stones_the_second_of_an_exchange_is_forced():
    state = position(("1.4=b08", ""), row="b02 n06", display=("Set", "Stonemason"))
    take_turns(state, "take 2", "large 1.5 r", "card 2")
    assert legal(state) == ["swap 1.4", "swap 1.5", "done"]
    after = take_turns(state, "swap 1.4").to_dict()
    fourth, fifth = LARGE_SPACES.index("1.4"), LARGE_SPACES.index("1.5")
    assert (after["large_stone"][0][fourth], after["large_turned"][0][fourth]) == ("n06", True)
    assert (after["large_stone"][0][fifth], after["large_turned"][0][fifth]) == ("b08", False)
    assert after["current_player"] == 1


def test_with_three_stones_the_second_of_an_exchange_is_chosen():
    state = position(("1.4=b08 5.1=w01", ""), row="b02 n06", display=("Stonemason",))
    take_turns(state, "take 2", "large 1.5", "card 1", "swap 1.5")
    assert legal(state) == ["swap 1.4", "swap 5.1"]
    stones = take_turns(state, "swap 5.1").to_dict()["large_stone"][0]
    assert (stones[LARGE_SPACES.index("1.5")], stones[LARGE_SPACES.index("5.1")]) == ("w01", "n06")


def test_an_exchange_may_be_declined():
    state = position(("1.4=b08", ""), row="b02 n06", display=("Stonemason",))
    assert take_turns(state, "take 2", "large 1.5", "card 1", "done").current_player() == 1


def test_lifts_are_over_when_nothing_is_left_to_lift():
    state = position(("4.1=b01 1L=b1", ""), row="n01 n02 n03 b02", display=("Surveyor",))
    take_turns(state, "take 4", "large 4.2", "card 1")
    assert state.to_dict()["lifts_left"] == 2
    take_turns(state, "lift 1L")
    assert (state.phase(), state.to_dict()["lifts_left"]) == ("small", 0)


def test_full_small_spaces_send_all_small_stones_to_the_collection():
    state = position((f"{FULL_BUT_6R} 6R=b3", ""), pile="y1 y3")
    after = take_turns(state, "take first", "large 1.5").to_dict()
    assert stones_of(after["collection"][0]) == "n2 y1 y3"
    assert after["current_player"] == 1


def before_the_last_stones() -> State:
    second = "1.1=b01 1.2=b02 1.3=b03 1.4=b04 1.5=b06 2.1=b09 2.2=b11 2.3=b12 2.4=b14 3.1=n01 3.2=n02 3.3=n03 4.1=n04 4.2=n05"
    return position(
        boards=(EXAMPLE.replace("5.1=y13 ", ""), second),
        hands=("w1", "y1"),
        row="y13 n06 y12 w01 w04",
        pile="y2 y3",
        collections=("b1 b1 n1 y1", ""),
        cards=(("Set", "Priest", "Divine Path"), ("Ra", "Nut", "Osiris")),
        next_large="w05",
    )


def test_the_last_stone_of_a_player_is_forced_and_nothing_is_drawn_for_it():
    after = take_turns(before_the_last_stones(), "take first").to_dict()
    assert after["large_stone"][0][14] == "y13"
    assert sum(after["collection"][0]) == 7
    assert after["row"] == ["n06", "y12", "w01", "w04", "w05"]
    assert after["hand"] == [None, "y1", None, None]
    assert (after["current_player"], after["turn"], after["phase"]) == (1, 29, "take")


def test_the_game_ends_without_a_refill():
    state = take_turns(before_the_last_stones(), "take first")
    drawn = state.to_dict()["large_drawn"]
    take_turns(state, "take 4", "large 5.1 r")
    after = state.to_dict()
    assert state.is_terminal()
    assert (after["phase"], after["row"][3], after["large_drawn"]) == ("over", None, drawn)
    assert state.scores() == [62, 13 + 5]
    assert sheet(state, seat=1) == {"solid": 2, "burial": 4, "symbols": 7, "workers": 0, "collection": 5, "cards": 0}
    assert state.record["winners"][0] == 0b01
    assert state.standings() == [0, 1]
    assert state.returns() == [1.0, -1.0]
