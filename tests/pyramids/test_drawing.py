"""The text board."""

from __future__ import annotations

from pyramids.boards import (
    LONG_RED,
    finished,
    with_candidates,
)


def test_the_board_shows_what_a_player_may_know() -> None:
    state = with_candidates()
    own, others = state.to_text(1), state.to_text(0)
    assert "hand 2  1: Y|W/R  2: G|G^O" in own
    assert "tomb 1  Y|W^T" in own
    assert "Y|W^T" not in others
    assert "G|G^O  the initial card" in others.split("one in hand, the rest in the tomb:")[1]
    assert "hand 2  Y|W/R" in others
    assert "sekhmet P+O+T>1" in own
    assert "(anubis out)" in own


def test_the_board_draws_the_pyramid_stone_by_stone() -> None:
    drawn = [line[3:26].rstrip() for line in str(finished(2, pyramids={0: LONG_RED})).splitlines()[4:12]]
    assert drawn == [
        "      RoR",
        "      | |",
        "    W R R B",
        "    Y | | W",
        "  GtB GpR WoG",
        "  | | B | B |",
        "WoR B Y RoG G Y",
        "| B | G | W B |",
    ]
