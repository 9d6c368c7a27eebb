"""A hypothesis state machine: play, copy, save, look behind the curtain and cheat, in any order, and shrink what breaks."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import mastaba
from mastaba.envs.core.game import IllegalActionError, State
from mastaba.envs.registry import rules


class Table(RuleBasedStateMachine):
    """One game under way, and a twin that is always reached by another road."""

    name: str
    state: State
    twin: State

    @initialize(seed=st.integers(0, 2**64 - 1), which=st.integers(0, 10))
    def sit_down(self, seed: int, which: int) -> None:
        counts = rules(self.name).players
        game = mastaba.game(self.name, num_players=counts[which % len(counts)])
        self.state, self.twin = game.new_initial_state(seed=seed), game.new_initial_state(seed=seed)

    @precondition(lambda self: not self.state.is_terminal())
    @rule(picks=st.lists(st.integers(0, 10**6), min_size=1, max_size=25))
    def play(self, picks: list[int]) -> None:
        for pick in picks:
            if not self.state.is_terminal():
                legal = self.state.legal_actions()
                for table in (self.state, self.twin):
                    table.apply_action(legal[pick % len(legal)])

    @rule(pick=st.integers(-3, 300))
    def cheat(self, pick: int) -> None:
        if pick not in self.state.legal_actions():
            with pytest.raises(IllegalActionError):
                self.state.apply_action(pick)

    @rule()
    def save_and_load(self) -> None:
        self.twin = self.twin.game.deserialize(self.twin.serialize())

    @rule()
    def write_down_and_read(self) -> None:
        self.twin = self.twin.game.from_dict(self.twin.to_dict())

    @rule(pick=st.integers(0, 10**6))
    def try_something_in_a_clone(self, pick: int) -> None:
        clone = self.state.clone()
        if not clone.is_terminal():
            clone.apply_action(clone.legal_actions()[pick % len(clone.legal_actions())])

    @rule(player=st.integers(0, 10), dice=st.integers(0, 2**32))
    def imagine(self, player: int, dice: int) -> None:
        player %= self.state.game.num_players
        imagined = self.state.determinize(player, seed=dice)
        assert imagined.view(player) == self.state.view(player)
        assert not list(self.state.game.rules.violations(imagined.record[0]))

    @invariant()
    def twins_are_equal_and_sound(self) -> None:
        if hasattr(self, "state"):
            assert self.state == self.twin
            assert self.state.legal_actions() == self.twin.legal_actions()
            assert not list(self.state.game.rules.violations(self.state.record[0]))


def test_the_machine_finds_nothing(name: str) -> None:
    machine = type(name, (Table,), {"name": name})
    steps = 30 if os.environ.get("HYPOTHESIS_PROFILE") == "exhaustive" else 12
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(machine, settings=settings(stateful_step_count=steps))
