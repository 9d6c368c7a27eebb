"""The text board, line by line."""

from __future__ import annotations

from pyramidice.by_hand import position

TABLE = """\
Turn 1   seat 0: use the dice
supply 12 W, 8 C, 10 S   Quarry 4 P, 0 S   Gods 25 in the deck, 0 discarded

Cheops 1        Cheops 2   Cheops 3
no extra        +1 W +2 F  +2 W +4 F
[2]  (1)  (2)    .    .     .
(3)  (4)  (5)    .    .
(6)  (7)  [1]

god 0   Hathor, cost 1 1 5 5: no power; 6 Fame at the end
god 1   Bes, cost 2 *: in a Rest turn: 1 Fame
god 2   Osiris, cost 1 6: 2, 3, 4, 5 cards of the Ennead: 2, 6, 12, 20
rest    work (any one, then a Work turn, costs 1 Fame) | each (one W, C and S,
        costs 1 Fame) | god (a face-up God for nothing, costs 2 Fame) | three
        (three of one type, costs 1 Fame) | swap (lose one, gain two others) |
        feast (any two; all others gain a C)
dice    S 6   reroll spent

seat 0 *   W 5 C 0 S 0
  score 5: Fame 5
  Malachite: 3 Fame for returning three tiles
  Project Seven: 1-6 2-5 3-4 side by side, 2 each, now 0
  tiles: -

seat 1   W 4 C 1 S 1
  score 5: Fame 5, and a secret Project
  Carnelian: `fame` brings 2
  tiles: -
"""


def test_the_whole_table_as_a_player_sees_it() -> None:
    state = position(board={0: "5/0/0"}, pool="S6", pyramid={0: 2, 8: 1}, project=["Seven", "Second", None, None], reroll_used=True)
    assert state.to_text(0).startswith(TABLE)
    assert "Project Second" not in state.to_text(0)
    assert "Project Second" in state.to_text(1)
    assert "Project Seven" not in state.to_text(1)
