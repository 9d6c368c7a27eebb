"""The pyramid as text."""

from __future__ import annotations

from master_architect.boards import EXAMPLE, put_up

PICTURE = r"""
L6                                  /b2    n2\
                                   +----------+
L5                            /b3  |y13  @S x1|  n1\
                                   +----------+
                             +--^-------++----------+
L4                      /w1  |b05r s1 x1=|y06r s2 x1#  n1\
                             +--v-------++----------+
                       +----------++--^-------++----------+
L3                /y1  |b13  @L x1||y07  s2 x2|#w16r    x1#  n1\
                       +----------++----------++--#-------+
                 +----------++----------++-------#--++----------+
L2          /w1  |b07r s2 x1||y03r s1 x2##w17     x2||n08  s2 x1#  b3\
                 +-------#--++-------#--++-------#--++--#-------+
           +----------++--#-------++----------++----------++----------+
L1    /n2  #b10  @E x1##w18     x2##y01  s1 x3|#w10  @L x2##n16r    x1#  b2\
           +----------++-------#--++----------++----------++--#-------+
"""


def test_the_example_player_is_drawn_in_half_bricks():
    assert PICTURE.strip("\n") in str(put_up(EXAMPLE))


def test_empty_spaces_are_drawn_with_name_multiplier_and_card_pair():
    lines = str(put_up("1.1=b01")).splitlines()
    assert any("#b01  s1 x1|: 1.2   x2*:: 1.3   x3 :: 1.4   x2*:: 1.5   x1*:" in line for line in lines)
