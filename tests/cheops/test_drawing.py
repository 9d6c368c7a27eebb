"""The board as text."""

from __future__ import annotations

from cheops.by_hand import play, position, random_game

PICTURE = """\
seat 1 *  sheet B  score 30 = P10 A0 M6 B3 Q7 J4
 21         r14           | 9    o    |
 15       y12 o13         | 6  l   l  |
 10     [O] r10 b11       | 4  y   y  | [O] [B] [Y] [R]
  6   [Y] [L]  o7  g8     | 2 [B]  b  |  l4  o5 [R]  g7
  3 [L] [R] [G]  b3  y4   | 0 [G] [G] |  g8  r9 [L] b11
quarry -r-  -l-  [B]  -o-  [Y]   g5   b6   r7   o8   l9  g10  y11  jokers 2
bonuses BP1x BP2 BP3 BA1 BA2 BM1* BM2 BM3
seat 2  sheet C  score 18 = P0 A0 M0 B0 Q12 J6
 21        l         | 9    g    |
 15       b  g       | 6  o   o  |"""


def test_the_drawing_numbers_the_sheet_of_who_builds() -> None:
    state = position(
        "RGBB", round=9, turn=1, blocked="GB",
        seat0={"pyramid": range(5), "bonuses": ["BP1"]},
        seat1={"pyramid": [0, 1, 2, 5, 6, 9], "left": 2, "right": 1, "mosaic": [0, 1, 2, 3, 6, 10], "quarry": [2, 4], "jokers": 2,
               "bonuses": ["BM1"]},
    )  # fmt: skip
    text = str(state)
    assert text.splitlines()[:2] == [
        "round 9   seat 0 rolled R G B B   in the middle: R B",
        "seat 1 builds, stone 1 of 2: P pyramid, AL AR AK arch, M mosaic, or stop",
    ]
    assert PICTURE in "\n".join(line.rstrip() for line in text.splitlines())


def test_the_drawing_says_what_is_owed() -> None:
    assert "seat 0 pays lilac and yellow for M0-1: Q a quarry stone, or J a joker" in str(play(position("OOOO"), "M0-1"))


def test_the_drawing_of_the_end_shows_the_last_bonus() -> None:
    *_, (_, _, last) = random_game(2, seed=3)
    assert str(last).startswith("game over after round")
    assert "BE*" in str(last)
