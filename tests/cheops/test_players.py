"""The rule-based players."""

from __future__ import annotations

import pytest

from mastaba import State
from mastaba.baselines.agents import agent
from mastaba.baselines.greedy.cheops import GREEDY, RUSH, worth

from cheops.by_hand import cheops, position, random_game


def test_what_greedy_and_rush_like() -> None:
    sheet = {
        "pyramid": [0, 1, 2, 5],
        "left": 2,
        "right": 1,
        "mosaic": [0, 1, 2, 3, 6, 7],
        "quarry": [4],
        "jokers": 2,
        "bonuses": ["BM1"],
    }
    s = position("BBBB", round=9, seat0=sheet).record[0]
    bonuses = {"P": (3 / 5) ** 2 + (2 / 6) ** 2 + (4 / 15) ** 2, "A": (3 / 4) ** 2 + (3 / 9) ** 2, "M": (2 / 4) ** 2 + 0}
    hopes = 3 * (0.55 * bonuses["P"] + 0.3 * bonuses["A"] + 0.85 * bonuses["M"])
    assert worth(s, 0, GREEDY) == pytest.approx(1.65 * 4 + 0 + 1.3 * 6 - 4 * 0 + 3 + hopes + 0.8 * 7 + 2.1 * 2)
    hopes = 3 * (0.2 * bonuses["P"] + 0.6 * bonuses["A"] + 0.8 * bonuses["M"])
    assert worth(s, 0, RUSH) == pytest.approx(0.45 * 6 + 2.1 * 3 - 0 + 1.7 * 6 - 3.4 * 0 + 3 + hopes + 0.6 * 7 + 1.6 * 2)


def test_no_hope_for_a_bonus_that_is_gone() -> None:
    sheet = {"pyramid": [0, 1, 2, 3]}
    other = {"pyramid": range(5), "bonuses": ["BP1"]}
    gone = position("BBBB", round=3, seat0=sheet, seat1=other, dated={"BP1": 2}).record[0]
    open_ = position("BBBB", round=3, seat0=sheet).record[0]
    assert worth(open_, 0, GREEDY) - worth(gone, 0, GREEDY) == pytest.approx(3 * 0.55 * (4 / 5) ** 2)


def best_end(state: State, plan: int, p: int, when: tuple[int, int]) -> float:
    """The best worth that p can reach in the turn that is going on, by trying everything."""
    s = state.record[0]
    if state.is_terminal() or (int(s["round"]), int(s["turn"])) != when:
        return worth(s, p, plan)
    ends = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        ends.append(best_end(after, plan, p, when))
    return max(ends)


@pytest.mark.parametrize(("policy", "plan"), [("greedy", GREEDY), ("rush", RUSH)])
def test_players_choose_the_best_end_of_their_turn(policy: str, plan: int) -> None:
    game = cheops(3)
    player = agent(game, policy)
    for state, _, _ in list(random_game(3, seed=8))[::12]:
        s = state.record[0]
        p, when = int(s["current_player"]), (int(s["round"]), int(s["turn"]))
        chosen = int(player.choose(state.record, state.padded_mask)[0])
        ends = {}
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            ends[action] = best_end(after, plan, p, when)
        assert ends[chosen] == pytest.approx(max(ends.values()))
        assert all(ends[action] < max(ends.values()) - 1e-9 for action in ends if action < chosen)
