"""The rule-based players choose as they are described."""

from __future__ import annotations

import numpy as np
import pytest

from mastaba import State, testing
from mastaba.baselines.greedy.giza import VALUE
from mastaba.envs.core.kernel.jit import kernel
from mastaba.envs.giza.rules import step

from giza.by_hand import base_sleds, giza, middle_stone_lifted, play, position
from giza.styles import player_of


def choice(name: str, state: State) -> str:
    return state.action_to_string(player_of(name)(state, np.random.default_rng(0)))


def test_builder_sets_up_at_its_own_quarry_and_farms():
    state = giza(4).new_initial_state(seed=0)
    placed = {p: [] for p in range(4)}
    while state.phase() == "setup":
        action = choice("builder", state)
        placed[state.current_player()].append(action)
        state = play(state, action)
    for p in range(4):
        assert placed[p] == [f"put q{p}"] * 4 + ["put farm"] * 4


def test_builder_walks_to_its_sled_before_it_sends_new_workers():
    state = position(move={0: {"q0": 1, "q0.2": 1}, 1: {"q0.2": 1}}, food=[20, 8, 8, 8], **base_sleds(q0="space 2"))
    assert choice("builder", state) == "adv q0.0"


def test_builder_does_not_waste_food_on_a_push():
    state = play(position(move={0: {"q0.1": 3}, 1: {"q0.1": 1}}, **base_sleds(q0="space 1")), "pass", "food 1")
    assert choice("builder", state) == "food 5", "one and five are six: two spaces"
    state = play(position(move={0: {"q0.2": 2}, 1: {"q0.2": 1}}, **base_sleds(q0="space 2")), "pass", "food 1")
    assert choice("builder", state) == "food 3", "five would go as far as four"


def test_greedy_feeds_a_push_that_unloads():
    state = play(position(move={0: {"q0.3": 3}}, **base_sleds(q0="space 3")), "pass")
    assert choice("greedy", state) == "food 4"


def test_greedy_bids_as_much_art_as_the_points_are_worth():
    """With one row and the capstone to come the others are expected to bid 2 each: three wins alone and leaves one for later."""
    assert choice("greedy", play(middle_stone_lifted(), "build B")) == "deco 3"


# --- What a position is worth to greedy ------------------------------------------------------------------------------------------


@kernel
def value_of(states, player):
    return VALUE(states[0], player)


def worth(state: State, player: int) -> float:
    return float(value_of(state.record, player))


def test_a_finished_game_is_worth_its_points_and_a_little_for_the_stock() -> None:
    end = play(position(turn=3, round=10, food=[3, 5, 4, 20], art=[4, 2, 3, 9]), "pass")
    assert [worth(end, p) for p in range(4)] == pytest.approx([0.07, 0.07, 0.07, 0.29])


def test_workers_on_a_sled_near_the_pyramid_are_worth_more() -> None:
    here, nearer = (position(move={0: {f"q0.{i}": 3}}, **base_sleds(q0=f"space {i}")) for i in (1, 3))
    assert worth(nearer, 0) > worth(here, 0)
    assert worth(nearer, 1) == pytest.approx(worth(here, 1))


def test_greedy_takes_the_action_after_which_the_position_is_worth_most() -> None:
    """Outside of bids and rows the choice is one step of `value`; the lower of equally good actions is taken."""
    compared = 0
    for state in testing.positions(giza(3), 40, seed=3):
        if state.phase() not in ("build", "stone", "reassign", "exit", "setup", "bonus"):
            continue
        player, values = state.current_player(), {}
        for action in state.legal_actions():
            after = state.record.copy()
            step_first(after, action)
            values[action] = float(value_of(after, player))
        best = max(values.values())
        assert choice("greedy", state) == state.action_to_string(min(a for a, v in values.items() if v > best - 1e-9))
        compared += 1
    assert compared > 5


@kernel
def step_first(states, action):
    step(states[0], action)
