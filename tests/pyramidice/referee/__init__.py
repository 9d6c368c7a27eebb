"""Pyramidice, played slowly and plainly: an independent referee for the fast kernel.

Moves are handled in notation ("cat P2-", "rest WS"); the index of the action table appears only at the
border (`legal_actions`, `apply`). Gods, Scarabs and Rest tiles go by name, a die is a kind and a value ("S5"), the pool
is a list of dice. tables.py: components; position.py: what lies on the table, scoring, snapshots; work.py: the Work
turn; referee.py: everything else.

Chance order
------------
Setup:
1. shuffle the 38 God ids;
2. shuffle the 12 Rest tile ids;
3. shuffle the 6 Project ids;
4. shuffle the 12 Scarab ids (2 to 4 players; no call in solo). The Architect is an argument, not drawn.
Play, every die one `below(6)`, value = result + 1:
5. DICE: the k Stone dice, then the n-k Prayer dice;
6. `roll`: the selected Stone dice, then the selected Prayer dice;
7. `use Mertseger` (after the payment) and `gain S` for Khepri: one die;
8. Architect: one die after he took his God, only if the Quarry or the supply has a Stone die.
Cards drawn during play call no chance: the deck was shuffled in 1.

Choices where the rules are silent
--------------------------------
* Helper fields (tables.HELPERS) show their rest value outside the phases in which they are read, not only after
  END TURN. A test against stale bytes of a kernel can mask with that table. need_* are 0 once paid, `sel` once rolled.
* last_sel is the index 0..11 in P1..P6,S1..S6; chg_kind 0 = P, 1 = S; chg_val 1..6; need_same is a flag 0/1;
  pay_arg is 0 for fame and build; queue is padded with 0, slot_queue with -1. Where a God lies is told by the sets of
  the seats, the discards and the row; `used` is a set. The queue never holds more than five units.
* Absent seats: fame 0, res 0 0 0, scarab 12, scarab_opt 12 12, project -1. Solo: scarab and scarab_opt are all 12.
  scarab_opt keeps the two drawn Scarabs for the whole game.
* At the end turn_player is the seat whose turn was the last, and so is actor (5.0), but in solo actor is the human (I14).
* Solo has two seats: scores() and standings() have length 2 (human, Architect).
"""

from typing import Any

from .referee import Referee

__all__ = ["Referee", "options"]


def options(game: Any) -> dict[str, int]:
    """What `Referee` must know of a game besides its players."""
    return {"architect": int(game.template["architect"][0])} if game.num_players == 1 else {}
