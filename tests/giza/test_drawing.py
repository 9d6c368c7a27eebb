"""The text board tells what is decided."""

from __future__ import annotations

from giza.by_hand import base_sleds, position


def test_the_drawing_shows_the_whole_table():
    text = position(move={0: {"q1.2": 2, "ml": 1}, 2: {"q1.2": 1}}, **base_sleds(q1="space 2")).to_text()
    assert "Round 8/10, dynasty 2   action: p0 (3 left)" in text
    assert "order: p0(none) p1(support) p2(quarry) p3(track)" in text
    assert "q1[. . . .] > 1[. . . .] > 2[B|p0 p0 p2 .] > 3[. . . .] >" in text
    assert "ml p0:1 |" in text
    assert "reserve: M M M M C" in text


def test_the_drawing_tells_how_the_auction_stands():
    state = position(move={0: {"q1.2": 2}, 2: {"q1.2": 1}}, **base_sleds(q1="space 2"))
    state.apply_action(state.game.string_to_action("pass"))  # one stone can be nominated, so it is
    assert "push q1 needs 4, 6, 8 food for 1, 2, 3 spaces; bid 0: -" in state.to_text()
    assert "to bid: p2 (at most 2), p0 (at most 4)" in state.to_text()
    state.apply_action(state.game.string_to_action("food 1"))
    assert "; bid 1: p2 1\nto bid: p0 (at most 4)" in state.to_text()
