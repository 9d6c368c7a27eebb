"""The rules of Pyramidice, each shown by a position, an action and what it changes."""

from __future__ import annotations

import pytest

from mastaba import IllegalActionError
from mastaba.envs.pyramidice.components import (
    TILES,
)

from pyramidice.by_hand import (
    board,
    fame,
    finish_turn,
    floor,
    gods,
    options,
    place_of,
    play,
    pool,
    position,
    row,
    see,
)


def test_third_rest_tile_sends_all_back_and_moves_the_row():
    state = position(board={0: "3/1/0"}, held={0: ["feast", "swap"]}, available="WS", row="Ra Heh Bes", deck="Maat")
    after = play(state, "rest WS")
    assert board(after, 0) == "4/1/1"
    assert [place_of(after, t) for t in ("WS", "feast", "swap")] == [0, 0, 0]
    assert "Bes" in see(after, "discards")
    assert row(after) == "Maat Ra Heh"
    assert after.current_player() == 1


def test_work_turn_with_cats_worship_and_the_last_card():
    state = position(board={0: "4/2/0"}, gods={0: ["Ra", "Heh", "Bes"]}, row="Maat Hathor Min", deck="Mut", deck_size=1,
                     quarry=2, rolls=["5", "126"])  # fmt: skip
    rolled = play(state, "work", "dice S1")
    assert pool(rolled) == "P1 P2 P6 S5"
    changed = play(rolled, "cat P2-", "cat P6-")
    assert board(changed, 0) == "4/0/0"
    bought = play(changed, "worship 1")
    assert "Hathor" in gods(bought, 0)
    assert pool(bought) == ""
    after = bought if bought.current_player() == 1 else play(bought, "end")
    assert see(after, "quarry") == [4, 2]
    assert gods(after, 0) == {"Ra", "Heh", "Bes", "Hathor"}
    assert row(after) == "Mut Maat Min"
    assert see(after, "pharaoh") == 0
    assert after.current_player() == 1


def test_the_architect_takes_the_right_god_and_a_tile():
    state = position(1, architect="Snefru", board={0: "4/1/0"}, pool="P1", row="Khepri Hapy Ra", deck="Mut", supply=1,
                     pyramid=floor(*range(13)), available="WW CC", rolls=["2"])  # fmt: skip
    assert see(state, "tile_slot", TILES.index("CC")) == 1
    after = play(state, "end")
    assert gods(after, 1) == {"Hapy"}
    assert place_of(after, "CC") == 2
    assert fame(after, 1) == 5
    assert see(after, "supply", 2) == 0
    assert see(after, "quarry", 1) == 1
    assert row(after) == "Mut Khepri Ra"
    assert see(after, "pharaoh") == 1
    assert after.current_player() == 0
    last = finish_turn(after)
    while not last.is_terminal():
        last = play(last, "slot 6" if "slot 6" in options(last) else sorted(options(last))[0])
    assert see(last, "turns") == see(after, "turns") + 2


def test_silver_pays_for_the_eighth_space():
    state = position(board={0: "3/2/2"}, scarabs={0: "Silver"}, available="WW")
    full = play(state, "rest WW")
    assert full.phase() == "lose"
    assert board(full, 0) == "5/2/2"
    after = play(full, "lose S")
    assert board(after, 0) == "5/2/1"
    assert fame(after) == 5 + 2
    assert see(after, "quarry", 1) == see(state, "quarry", 1) + 1


def test_pearl_shares_the_builders_gain():
    state = position(board={0: "4/1/0", 1: "3/0/0"}, gods={0: ["Thoth"]}, pool="S3", scarabs={1: "Pearl"})
    built = play(state, "build 3", "at 0")
    assert see(built, "resources", 0, 0) == 3
    assert fame(built) == 5 + 3 + 1
    assert built.phase() == "pearl"
    assert built.current_player() == 1
    after = play(built, "pearl yes")
    assert board(after, 1) == "1/0/0"
    assert fame(after, 1) == 9
    assert fame(play(built, "pearl no"), 1) == 5


def test_the_cult_costs_exactly_one_god():
    state = position(board={0: "1/0/0"}, gods={0: ["Ra", "Heh", "Bes", "Min"]}, row="Hathor Mut Osiris", pool="P1")
    after = play(state, "end")
    assert options(after) == {"drop Ra", "drop Heh", "drop Bes", "drop Min"}
    assert gods(play(after, "drop Heh"), 0) == {"Ra", "Bes", "Min"}
    assert play(after, "drop Heh").current_player() == 1


def test_emerald_uses_anothers_tile_and_flips_it():
    state = position(board={0: "4/1/1"}, scarabs={0: "Emerald"}, held={0: ["SS", "WC"], 1: ["WS"]})
    after = play(state, "rest WS")
    assert board(after, 0) == "5/1/2"
    assert place_of(after, "WS") == 2
    assert see(after, "tile_flipped", TILES.index("WS"))
    assert [place_of(after, t) for t in ("SS", "WC")] == [1, 1]
    assert row(after) == row(state)
    assert "rest WS" not in options(finish_turn(after))


def test_serket_and_thoth_on_the_second_level():
    state = position(board={0: "5/0/0"}, gods={0: ["Serket", "Thoth"]}, pool="S6 P1", pyramid=floor(0, 1, 3, 4))
    after = play(state, "build 6", "at 9")
    assert fame(after) == 5 + 14
    assert board(after, 0) == "2/0/0"


def test_seshat_is_a_choice():
    state = position(board={0: "5/0/0", 1: "4/1/0"}, gods={0: ["Seshat", "Thoth"]}, pool="S5", pyramid=floor(*range(13)))
    choosing = play(state, "build 5")
    assert options(choosing) == {"cost usual", "cost seshat"}
    usual, seshat = (play(choosing, cost) for cost in ("cost usual", "cost seshat"))
    assert (fame(usual), see(usual, "resources", 0, 0)) == (5 + 13, 1)
    assert (fame(seshat), see(seshat, "resources", 0, 0)) == (5 + 10, 4)


def test_bastet_rolls_and_pays_with_cats():
    state = position(board={0: "3/2/0"}, gods={0: ["Bastet"]}, row="Ra Hathor Maat", quarry=1, rolls=["6", "1126"])
    rolled = play(state, "work")
    assert pool(rolled) == "P1 P1 P2 P6 S6"
    built = play(rolled, "build 6", "at 4", "pay C", "pay W")
    assert board(built, 0) == "2/1/0"
    assert fame(built) == 5 + 6
    worshipping = play(built, "worship 0", "die P1")
    assert options(worshipping) == {"pay W", "pay C"}
    bought = play(worshipping, "pay C")
    assert board(bought, 0) == "2/0/0"
    after = play(bought, "use Ra")
    assert board(after, 0) == "1/0/0"
    assert fame(after) == fame(bought) + 3


def test_ptah_makes_sobek_ready_again():
    state = position(gods={0: ["Ptah", "Sobek"]}, pool="P1 P2 P3 S4 S5")
    once = play(state, "use Sobek", "die P1", "die P2")
    assert fame(once) == 8
    restored = play(once, "use Ptah", "die P3")
    assert see(restored, "used") == ["Ptah"]
    after = play(restored, "use Sobek")
    assert fame(after) == 11
    assert pool(after) == ""


def test_khepri_rolls_a_stone_die_and_works_again():
    state = position(gods={0: ["Khepri"]}, pool="P2 P2 P2 S4 S4", rolls=["4"])
    once = play(state, "use Khepri", "gain S")
    assert fame(once) == 8
    assert pool(once) == "S4 S4 S4"
    after = play(once, "use Khepri", "gain C")
    assert fame(after) == 11
    assert see(after, "resources", 0, 1) == see(state, "resources", 0, 1) + 1
    assert pool(after) == ""


def test_a_virtual_die_is_not_rerolled_and_vanishes_when_paid():
    state = position(gods={0: ["Khnum"]}, row="Isis Hathor Bes", pool="P3 S4")
    rerolling = play(state, "use Khnum=1", "reroll")
    assert pool(rerolling) == "P3 S4 V1"
    assert options(rerolling) == {"die P3", "die S4"}
    after = play(rerolling, "die P3", "roll")
    quarry = see(after, "quarry")
    bought = play(after, "worship 0")
    assert "Isis" in gods(bought, 0)
    assert see(bought, "quarry")[1] == quarry[1] + 1


def test_the_work_tile_interrupts_the_rest_turn():
    state = position(board={0: "4/1/0"}, held={0: ["CC", "SS"]}, available="work", row="Hathor Amon Ra", deck="Mut Min Maat")
    working = play(state, "rest work", "gain W")
    assert fame(working) == 4
    assert see(working, "resources", 0, 0) == 5
    assert sum(see(working, "pool", 0)) == 4
    after = play(working, "end")
    assert [place_of(after, t) for t in ("work", "CC", "SS")] == [0, 0, 0]
    assert "Ra" in see(after, "discards")
    assert row(after) == "Mut Hathor Amon"


def test_a_feast_passes_the_last_cat_on():
    state = position(3, board={0: "4/1/1", 1: "3/4/1", 2: "3/3/1"}, scarabs={2: "Silver"}, available="feast")
    assert see(state, "supply", 1) == 1
    full = play(state, "rest feast", "gain W", "gain W")
    assert full.phase() == "lose"
    assert full.current_player() == 1
    after = play(full, "lose C")
    assert [see(after, "resources", p, 1) for p in range(3)] == [1, 4, 4]
    assert see(after, "supply", 1) == 0
    assert fame(after, 2) == 7


def test_a_discarded_stone_die_still_empties_the_supply():
    state = position(board={0: "6/2/0"}, supply=1, available="WS")
    assert see(state, "quarry", 1) == 12
    after = play(state, "rest WS", "lose W", "lose S")
    assert board(after, 0) == "6/2/0"
    assert see(after, "quarry", 1) == 13
    assert see(after, "supply", 2) == 0
    assert see(after, "pharaoh") == 0


def test_hapy_on_a_full_board():
    state = position(board={0: "6/1/1"}, gods={0: ["Hapy"]}, fame={0: 0})
    after = play(state, "hapy", "lose W", "gain S", "gain C", "lose W", "gain C", "lose W")
    assert board(after, 0) == "3/3/2"
    assert 1 not in see(after, "tile_place")
    assert after.current_player() == 1


def test_amethyst_borrows_a_power_that_does_not_count():
    state = position(board={0: "2/0/0"}, gods={0: ["Ra", "Heh"]}, scarabs={0: "Amethyst"}, pool="P1 P2 P3", row="Sobek Hathor Atum")
    assert {a for a in options(state) if a.startswith("copy")} == {"copy 0"}
    used = play(state, "copy 0", "die P3", "use Sobek")
    assert fame(used) == 8
    after = play(used, "end")
    assert gods(after, 0) == {"Ra", "Heh"}
    assert row(after) == "Sobek Hathor Atum"
    assert after.current_player() == 1


def test_aton_discards_the_whole_ennead():
    state = position(gods={0: ["Aton", "Atum", "Shu", "Geb", "Heh"]}, pool="P1")
    after = play(state, "use Aton", "drop Ennead")
    assert gods(after, 0) == {"Aton", "Heh"}
    assert fame(after) == 9


def test_hemionu_builds_beside_a_partner():
    state = position(1, architect="Hemionu", held={0: ["WW"]}, available="CC SS", empty_slots=[2], board={0: "4/1/0"}, pool="P1",
                     pyramid={0: 4, 2: 5, 4: 1}, row="Hathor Atum Ra", deck="Mut", quarry=1, rolls=["2"],
                     project=["Third", None, None, None], architect_projects=["Seven", "Second", None])  # fmt: skip
    after = play(state, "end")
    assert gods(after, 1) == {"Atum"}
    assert see(after, "pyramid", 1) == 2
    assert fame(after, 1) == 8
    assert row(after) == "Mut Hathor Ra"


def test_the_game_ends_after_the_next_turn_of_the_pharaoh():
    state = position(3, supply=2, available="SS")
    after = play(state, "rest SS")
    assert see(after, "pharaoh") == 0
    for _ in range(2):
        after = finish_turn(after)
        assert not after.is_terminal()
    after = finish_turn(after)
    assert after.is_terminal()
    assert not after.is_truncated()


def test_the_golden_cat_pays_once():
    state = position(board={0: "4/0/0"}, gods={0: ["Neith"]}, scarabs={0: "Gold"}, pool="P5")
    assert "cat P5+" in options(state)
    after = play(state, "use Neith")
    assert fame(after) == 7
    assert see(after, "gold_used")
    assert "cat P5+" not in options(after)


def test_a_gain_in_the_work_turn_fills_the_eighth_space():
    state = position(board={0: "5/2/0"}, gods={0: ["Min", "Heh"]}, scarabs={0: "Silver"}, pool="P1 P2")
    assert fame(play(position(board={0: "5/1/0"}, gods={0: ["Min", "Heh"]}, scarabs={0: "Silver"}, pool="P1 P2"), "use Min")) == 5
    assert fame(play(position(board={0: "6/1/0"}, gods={0: ["Min", "Heh"]}, scarabs={0: "Silver"}, pool="P1 P2"), "use Min")) == 7
    assert fame(play(state, "use Min")) == 7


def test_a_game_is_cut_off_after_forty_turns_a_seat():
    state = finish_turn(position(turns=79, turn_player=1, current_player=1))
    assert state.is_terminal()
    assert state.is_truncated()
    assert not finish_turn(position(turns=78)).is_terminal()


def test_bes_can_pay_for_a_tile():
    state = position(gods={0: ["Bes"]}, row="Hathor Min Ra", fame={0: 0}, available="each")
    assert "rest each" not in options(state)
    assert "rest each" in options(play(state, "bes"))
    assert "work" not in options(play(state, "bes"))


def test_bastet_does_nothing_in_a_rest_turn_and_counts_no_golden_cat_as_a_die():
    state = position(board={0: "1/1/0"}, gods={0: ["Bastet"]}, scarabs={0: "Gold"}, quarry=3)
    assert options(play(state, "work")) == {"dice S0", "dice S1", "dice S2"}


def test_lapis_lazuli_waives_the_workers_of_the_level():
    state = position(board={0: "0/0/0"}, scarabs={0: "LapisLazuli"}, pool="S2", pyramid=floor(0, 1, 3, 4))
    assert "at 9" in options(play(state, "build 2"))
    other = position(board={0: "0/0/0"}, pool="S2", pyramid=floor(0, 1, 3, 4))
    assert "at 9" not in options(play(other, "build 2"))


def test_the_free_god_is_drawn_for_and_costs_two_fame():
    state = position(row="Ra Hathor Maat", deck="Mut", available="god")
    after = play(state, "rest god", "free 1")
    assert fame(after) == 3
    assert gods(after, 0) == {"Hathor"}
    assert row(after) == "Mut Ra Maat"


def test_two_dice_buy_fame_and_carnelian_doubles_it():
    assert fame(play(position(pool="P1 P2"), "fame")) == 6
    assert fame(play(position(pool="P1 P2", scarabs={0: "Carnelian"}), "fame")) == 7


def test_malachite_is_paid_for_three_tiles():
    state = position(board={0: "3/1/0"}, scarabs={0: "Malachite"}, held={0: ["feast", "swap"]}, available="WS")
    assert fame(play(state, "rest WS")) == 8


def test_ruby_is_paid_for_worship_but_not_for_a_free_god():
    assert fame(play(position(scarabs={0: "Ruby"}, row="Atum Bes Ra", pool="P1 P2"), "worship 0")) == 7
    assert fame(play(position(scarabs={0: "Ruby"}, available="god"), "rest god", "free 0")) == 3


def test_a_third_tile_of_the_architect_is_placed_by_the_human():
    state = position(1, architect="Imothep", held={1: ["WW", "CC"]}, available="SS", board={0: "4/1/0"}, pool="P1",
                     row="Hathor Ra Heh", deck="Mut Min", rolls=["1"])  # fmt: skip
    placing = play(state, "end")
    assert placing.phase() == "slot"
    assert placing.current_player() == 0
    assert see(placing, "turn_player") == 1
    assert fame(placing, 1) == 5 + 2
    assert see(placing, "slot_queue") == ["WW", "CC", "SS"]
    after = play(placing, "slot 6", "slot 1")
    assert see(after, "tile_slot", TILES.index("WW")) == 5
    assert see(after, "tile_slot", TILES.index("CC")) == 0
    assert after.phase() == "turn"


def test_an_illegal_action_names_the_phase():
    with pytest.raises(IllegalActionError, match="'turn'"):
        play(position(), "end")
