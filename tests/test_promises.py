"""What every game promises at every table: the battery of `mastaba.testing`, and how complaints are worded."""

from __future__ import annotations

import os
import pickle
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mastaba
from mastaba import Game, IllegalActionError, testing
from mastaba.baselines.agents import act, agent
from mastaba.envs.core.positions import findings
from mastaba.envs.registry import rules
from mastaba.testing import strategies

EXAMPLES = int(os.environ.get("MASTABA_FUZZ", "1"))  # multiplies what every check looks at
SEED = int(os.environ.get("MASTABA_FUZZ_SEED", "0"))


@pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: check.__name__)
def test_the_battery_finds_nothing(table: Game, check: testing.Check) -> None:
    check(table, examples=EXAMPLES, seed=SEED)


@given(data=st.data())
def test_no_sequence_of_legal_actions_breaks_an_invariant(table: Game, data: st.DataObject) -> None:
    state = data.draw(strategies.states(table))
    assert list(findings(table, state.record)) == []


# --- Complaints --------------------------------------------------------------------------------------------------------------


def test_the_complaint_names_the_action_the_phase_and_the_legal_ones(table: Game) -> None:
    state = table.new_initial_state(seed=1)
    wrong = next(a for a in range(table.num_actions) if a not in state.legal_actions())
    with pytest.raises(IllegalActionError) as complaint:
        state.apply_action(wrong)
    text = str(complaint.value)
    assert table.action_to_string(wrong) in text
    assert state.phase() in text
    assert all(table.action_to_string(a) in text for a in state.legal_actions())


def test_a_dictionary_with_a_wrong_field_is_refused_by_name(table: Game) -> None:
    values: dict[Any, Any] = table.new_initial_state(seed=2).to_dict()
    for broken, field in (
        ({**values, "pharaoh_hat": 1}, "pharaoh_hat"),
        ({**values, 7: 1}, "7"),
        ({k: v for k, v in values.items() if k != "phase"}, "phase"),
        ({**values, "phase": "holiday"}, "phase"),
        ({**values, "phase": [values["phase"]]}, "phase"),
        ({**values, "phase": {"lay"}}, "phase"),
        ({**values, "decisions": 1.0}, "decisions"),
        ({**values, "decisions": np.zeros(2)}, "decisions"),
        ({**values, "decisions": 1j}, "decisions"),
        ({**values, "over": "no"}, "over"),
        ({**values, "current_player": 99}, "current_player"),
        ({**values, "num_players": table.num_players % max(table.rules.players) + 1}, "num_players"),
        (["phase"], "values"),
    ):
        with pytest.raises(ValueError, match=f"^{field}: "):
            table.from_dict(broken)  # type: ignore[arg-type]
    per_seat = next(f for f in table.rules.schema if f.per_seat and not f.derived)
    with pytest.raises(ValueError, match=f"^{per_seat.name}: expected a list"):
        table.from_dict({**values, per_seat.name: values[per_seat.name][:-1]})


def test_bytes_that_are_no_state_are_refused(table: Game) -> None:
    data = table.new_initial_state(seed=2).serialize()
    for wrong in (b"", data[:-1], data + b"\0", "text", None):
        with pytest.raises(ValueError, match=r"^data: a state of "):
            table.deserialize(wrong)  # type: ignore[arg-type]


def test_a_pickle_that_was_changed_is_refused(table: Game) -> None:
    state = table.new_initial_state(seed=2)
    data = pickle.dumps(state)
    record = state.serialize()
    assert record in data
    changed = bytearray(record)
    changed[-1] ^= 1
    with pytest.raises(ValueError, match="record: the digest of this pickle is wrong"):
        pickle.loads(data.replace(record, bytes(changed)))


@pytest.mark.parametrize("seed", [1.5, "1", None, True, float("nan"), [1]])
def test_only_whole_numbers_are_seeds(seed: object) -> None:
    game = mastaba.game("cheops")
    state = game.new_initial_state(seed=1)
    if seed is not None:
        with pytest.raises(ValueError, match="seed: a whole number is needed"):
            game.new_initial_state(seed=seed)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="seed: a whole number is needed"):
            state.determinize(0, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="episode: a whole number is needed"):
        game.new_initial_state(seed=1, episode=seed)  # type: ignore[arg-type]


SEEDED = ("random", "greedy", "mc:4", "mcts:4", "rollout:4")


@pytest.mark.parametrize("kind", SEEDED)
def test_players_take_whole_numbers_of_any_type_and_size_as_seeds(kind: str) -> None:
    game = mastaba.game("cheops", num_players=2)
    state = game.new_initial_state(seed=1)
    for seed in (1.5, "1", True, float("nan"), [1]):
        with pytest.raises(ValueError, match="seed: a whole number is needed"):
            agent(game, kind, seed)  # type: ignore[arg-type]
    choices = {act(agent(game, kind, seed), state) for seed in (1, np.int64(1), np.uint8(1), 1 + 2**64)}  # type: ignore[arg-type]
    assert len(choices) == 1
    agent(game, kind, np.int64(-1))  # type: ignore[arg-type]


def test_seeds_of_all_integer_types_are_seeds(table: Game) -> None:
    one = table.new_initial_state(seed=1)
    for seed in (np.int64(1), np.uint8(1), np.array(1), 1 + 2**64):
        assert table.new_initial_state(seed=seed) == one  # type: ignore[arg-type]
    assert one.determinize(0, seed=np.int64(3)) == one.determinize(0, seed=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [1.7, "1", None, True, float("nan"), np.float32(1)])
def test_only_whole_numbers_are_actions(action: object) -> None:
    state = mastaba.game("cheops").new_initial_state(seed=1)
    with pytest.raises(IllegalActionError, match="action: a whole number is needed"):
        state.apply_action(action)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [2**70, -(2**70), 10**5000], ids=["large", "negative", "unprintable"])
def test_a_number_of_any_size_is_an_illegal_action_and_nothing_worse(action: int) -> None:
    with pytest.raises(IllegalActionError, match=r"cheops: action .* is not legal in phase 'build'"):
        mastaba.game("cheops").new_initial_state(seed=1).apply_action(action)
    aec, seat = pettingzoo.make("aec", "mastaba/cheops-v1"), gymnasium.make("mastaba/Cheops-v1").unwrapped
    aec.reset(seed=1)
    aec.step(action)
    assert aec.rewards["player_0"] == -1
    seat.reset(seed=1)
    assert seat.step(action)[1:4] == (-1.0, True, False)


def test_seed_zero_is_a_seed_and_episodes_of_a_seed_differ(table: Game) -> None:
    assert table.new_initial_state(seed=0) == table.new_initial_state(seed=0)
    assert table.new_initial_state(seed=0) != table.new_initial_state(seed=0, episode=1)
    assert table.new_initial_state() != table.new_initial_state()


def test_reseed_changes_the_future_alone(table: Game) -> None:
    state = table.new_initial_state(seed=5)
    other = state.clone()
    other.reseed(9)
    changed = [f.name for f in table.rules.schema if not np.array_equal(other.record[f.name], state.record[f.name])]
    assert changed == ["rng"]
    again = state.clone()
    again.reseed(9)
    assert again == other


def test_rewards_of_an_unknown_kind_are_refused_at_any_time(table: Game) -> None:
    with pytest.raises(ValueError, match="reward='nope' is not possible, allowed are 'win', 'margin', 'score_delta'"):
        table.new_initial_state(seed=1).returns("nope")


def test_wrong_tables_and_options_are_refused_with_what_is_allowed(name: str) -> None:
    allowed = ", ".join(map(str, rules(name).players))
    with pytest.raises(ValueError, match=f"17 players are not possible, allowed are {allowed}"):
        mastaba.game(name, num_players=17)
    with pytest.raises(ValueError, match=f"a whole number is needed, got '2', allowed are {allowed}"):
        mastaba.game(name, num_players="2")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no option 'weather'"):
        mastaba.game(name, weather="rain")


def test_an_unknown_game_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(ValueError, match="no game 'chess', games are pyramids, cheops, giza, master_architect, pyramidice"):
        mastaba.game("chess")
