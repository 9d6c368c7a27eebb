"""The stateful machine finds nothing in our games, and tells the seed and the actions of what it finds in a broken one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

import mastaba
from mastaba import Game, testing
from mastaba.envs.replay import Replay
from mastaba.testing.toy import RULES


def test_the_machine_finds_nothing(name: str) -> None:
    class Machine(testing.GameMachine):
        make_game = staticmethod(lambda: mastaba.game(name))

    steps = 60 if os.environ.get("HYPOTHESIS_PROFILE") == "exhaustive" else 25
    run_state_machine_as_test(Machine, settings=settings(stateful_step_count=steps))


def test_a_failure_is_told_as_seed_and_notation_and_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Short(testing.GameMachine):
        make_game = staticmethod(lambda: Game(RULES, 2))

        @invariant()
        def stairs_stay_short(self) -> None:
            assert self.state.record["steps"].max() < 2

    monkeypatch.setenv("MASTABA_FAILURES", str(tmp_path))
    with pytest.raises(AssertionError):
        run_state_machine_as_test(Short, settings=settings(max_examples=50, stateful_step_count=30))
    assert "mastaba.game('stairs', num_players=2), seed 0: lay 1" in capsys.readouterr().out
    replay = Replay.from_json((tmp_path / "stairs.json").read_text(encoding="utf-8"))
    *_, last = replay.states(Game(RULES, replay.num_players))
    assert last.record["steps"].max() == 2


def test_the_replay_of_an_action_that_fails_leads_to_where_it_can_be_tried() -> None:
    class Machine(testing.GameMachine):
        make_game = staticmethod(lambda: Game(RULES, 2))

    machine = Machine()
    machine.history = ["pass", "no such action"]
    assert machine._replay().actions == ("pass",)
