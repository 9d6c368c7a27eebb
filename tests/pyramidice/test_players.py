"""The rule-based player of Pyramidice."""

from __future__ import annotations

from mastaba import State
from mastaba.baselines.agents import agent
from mastaba.envs.core.kernel.masks import new_masks
from mastaba.envs.pyramidice.actions import ACTIONS

from pyramidice.by_hand import (
    play,
    position,
)


def greedy(state: State) -> str:
    padded, mask = new_masks(1, len(ACTIONS))
    mask[0] = state.legal_actions_mask()
    return state.action_to_string(int(agent(state.game, "greedy", seed=0).choose(state.record, padded)[0]))


def test_greedy_works_with_a_strong_board_and_rests_with_a_weak_one():
    assert greedy(position(board={0: "4/1/1"})) == "work"
    assert greedy(position(board={0: "2/1/1"}, available="WW")) == "rest god"
    # a God for nothing costs 2 Fame
    assert greedy(position(board={0: "2/1/1"}, available="WW", fame={0: 1})) == "rest WW"


def test_greedy_builds_its_best_die_where_its_project_scores():
    state = position(board={0: "5/0/0"}, pool="S6", pyramid={0: 2, 8: 1}, project=["Seven", "Second", None, None], reroll_used=True)
    assert greedy(state) == "build 6"
    assert greedy(play(state, "build 6")) in ("at 5", "at 7")


def test_greedy_does_not_look_at_its_dice_to_come():
    """The value of a roll must not depend on the generator of the game."""
    state = position(gods={0: ["Mertseger", "Khepri"]}, pool="P2 P2 P2 S4 S1 P5", reroll_used=True)
    assert len({greedy(state.replace(rng=rng)) for rng in range(40)}) == 1
