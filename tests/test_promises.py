"""What every game promises at every table: the battery of DESIGN section 6."""

from __future__ import annotations

import copy
import json
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mastaba
from mastaba.encoders.flat import build_encode
from mastaba.envs.core.game import TERMINAL, Game, IllegalActionError, Rules, State
from mastaba.envs.core.jit import kernel
from mastaba.envs.core.masks import new_masks
from mastaba.envs.core.schema import NOBODY, OWNER
from mastaba.envs.registry import rules

from walks import positions, walk

choices = st.lists(st.integers(0, 10**6), min_size=0, max_size=60)
seeds = st.integers(0, 2**64 - 1)


def follow(game: Game, seed: int, picks: list[int]) -> State:
    """A game steered by numbers that hypothesis can shrink: each picks among the legal actions."""
    state = game.new_initial_state(seed=seed)
    for pick in picks:
        if state.is_terminal():
            break
        legal = state.legal_actions()
        state.apply_action(legal[pick % len(legal)])
    return state


# --- Rules -------------------------------------------------------------------------------------------------------------------


@given(seed=seeds, picks=choices)
def test_no_sequence_of_legal_actions_breaks_an_invariant(table: Game, seed: int, picks: list[int]) -> None:
    state = follow(table, seed, picks)
    assert list(table.rules.violations(state.record[0])) == []


def test_every_position_of_a_random_game_keeps_the_invariants(table: Game) -> None:
    for state in walk(table, seed=5):
        assert list(table.rules.violations(state.record[0])) == []


def test_a_decision_offers_at_least_two_actions_and_a_finished_game_none(table: Game) -> None:
    for state in walk(table, seed=6):
        assert len(state.legal_actions()) >= 2 or state.is_terminal()
    assert state.legal_actions() == []
    assert state.current_player() == TERMINAL


def test_every_legal_action_applies_and_every_other_is_refused_without_a_trace(table: Game) -> None:
    for state in positions(table, 12):
        legal = set(state.legal_actions())
        for action in range(-1, table.num_actions + 1):
            tried = state.clone()
            if action in legal:
                tried.apply_action(action)
                assert tried != state
            else:
                with pytest.raises(IllegalActionError, match=r"legal|over"):
                    tried.apply_action(action)
                assert tried == state


def test_the_complaint_names_the_action_the_phase_and_the_legal_ones(table: Game) -> None:
    state = table.new_initial_state(seed=1)
    wrong = next(a for a in range(table.num_actions) if a not in state.legal_actions())
    with pytest.raises(IllegalActionError) as complaint:
        state.apply_action(wrong)
    text = str(complaint.value)
    assert table.action_to_string(wrong) in text
    assert state.phase() in text
    assert all(table.action_to_string(a) in text for a in state.legal_actions())


def test_scores_and_standings_agree_with_the_returns(table: Game) -> None:
    for seed in range(5):
        *_, end = walk(table, seed)
        returns, ranks = end.returns("win"), end.standings()
        if table.num_players == 1:
            expected = end.scores()[0] / 100 if table.rules.solo_score else (1.0 if ranks[0] == 0 else -1.0)
            assert returns == [expected]
            continue
        winners = [p for p, rank in enumerate(ranks) if rank == 0]
        assert sum(returns) == pytest.approx(0)
        assert all(returns[p] == max(returns) for p in winners)
        assert max(end.scores()) == max(end.scores()[p] for p in winners)


def test_the_margin_is_the_lead_over_the_best_other(table: Game) -> None:
    *_, end = walk(table, seed=3)
    points, margins = end.scores(), end.returns("margin")
    if table.num_players > 1:
        for p in range(table.num_players):
            lead = points[p] - max(points[:p] + points[p + 1 :])
            assert margins[p] == pytest.approx(lead / table.rules.score_scale)


# --- Notation ----------------------------------------------------------------------------------------------------------------


def test_every_action_has_its_own_notation_and_is_read_back(name: str) -> None:
    game = mastaba.game(name)
    names = [game.action_to_string(a) for a in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    assert [game.string_to_action(n) for n in names] == list(range(game.num_actions))
    with pytest.raises(ValueError, match="no action is written 'sing'"):
        game.string_to_action("sing")


def test_the_board_can_be_drawn_everywhere_and_for_everybody(table: Game) -> None:
    for state in positions(table, 8):
        assert str(state)
        assert all(state.to_text(p).isascii() for p in range(table.num_players))


# --- Copies ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "duplicate",
    [
        State.clone,
        copy.copy,
        copy.deepcopy,
        lambda s: pickle.loads(pickle.dumps(s)),
        lambda s: s.game.deserialize(s.serialize()),
        lambda s: s.game.from_dict(json.loads(json.dumps(s.to_dict()))),
    ],
    ids=["clone", "copy", "deepcopy", "pickle", "serialize", "to_dict"],
)
def test_a_copy_is_equal_plays_on_alike_and_leaves_the_original_alone(table: Game, duplicate) -> None:
    for state in positions(table, 4):
        before = state.serialize()
        other = duplicate(state)
        assert other == state
        assert other.legal_actions() == state.legal_actions()
        rng = np.random.default_rng(0)
        twin = state.clone()
        while not other.is_terminal():
            action = int(rng.choice(other.legal_actions()))
            other.apply_action(action)
            twin.apply_action(action)
        assert other == twin
        assert state.serialize() == before


def test_a_dictionary_with_a_wrong_field_is_refused_by_name(table: Game) -> None:
    values = table.new_initial_state(seed=2).to_dict()
    for broken, field in (
        ({**values, "pharaoh_hat": 1}, "pharaoh_hat"),
        ({k: v for k, v in values.items() if k != "phase"}, "phase"),
        ({**values, "phase": "holiday"}, "phase"),
        ({**values, "phase": [values["phase"]]}, "phase"),
        ({**values, "current_player": 99}, "current_player"),
        ({**values, "num_players": table.num_players % max(table.rules.players) + 1}, "num_players"),
    ):
        with pytest.raises(ValueError, match=f"^{field}: "):
            table.from_dict(broken)
    per_seat = next(f for f in table.rules.schema if f.per_seat and not f.derived)
    with pytest.raises(ValueError, match=f"^{per_seat.name}: expected a list"):
        table.from_dict({**values, per_seat.name: values[per_seat.name][:-1]})


# --- Chance ------------------------------------------------------------------------------------------------------------------


def test_the_same_seed_and_actions_give_the_same_bytes(table: Game) -> None:
    a, b = ([s.serialize() for s in walk(table, seed=11)] for _ in range(2))
    assert a == b
    other = table.new_initial_state(seed=12)
    assert other.serialize() != a[0]


def test_seed_zero_is_a_seed_and_episodes_of_a_seed_differ(table: Game) -> None:
    assert table.new_initial_state(seed=0) == table.new_initial_state(seed=0)
    assert table.new_initial_state(seed=0) != table.new_initial_state(seed=0, episode=1)
    assert table.new_initial_state() != table.new_initial_state()


# --- Hidden information ------------------------------------------------------------------------------------------------------


@given(seed=seeds, picks=choices, dice=st.integers(0, 2**32))
def test_determinize_keeps_the_view_the_mask_and_the_invariants(table: Game, seed: int, picks: list[int], dice: int) -> None:
    state = follow(table, seed, picks)
    for player in range(table.num_players):
        other = state.determinize(player, seed=dice)
        assert other.view(player) == state.view(player)
        assert np.array_equal(other.observation(player), state.observation(player))
        assert other.to_text(player) == state.to_text(player)
        assert other.legal_actions() == table.state_of(other.record).legal_actions()
        if state.current_player() == player:
            assert other.legal_actions() == state.legal_actions()
        assert list(table.rules.violations(other.record[0])) == []


def test_determinize_never_hands_over_the_future(table: Game) -> None:
    state = table.new_initial_state(seed=4)
    counters = {int(state.determinize(0, seed=d).record["rng"][0]) for d in range(20)}
    assert int(state.record["rng"][0]) not in counters
    assert len(counters) == 20


def test_what_is_hidden_really_varies(table: Game) -> None:
    hidden = [f for f in table.rules.schema if f.sees in (NOBODY, OWNER) and not f.derived and f.name != "rng"]
    if not hidden:
        return  # a game of open information: nothing to redraw
    varied = set()
    for state in positions(table, 12, seed=21):
        if not state.is_terminal():
            for d in range(4):
                other = state.determinize(0, seed=d)
                varied |= {f.name for f in hidden if not np.array_equal(other.record[f.name], state.record[f.name])}
    expected = {f.name for f in hidden if f.sees == NOBODY}
    assert expected <= varied


def test_the_others_hidden_fields_do_not_reach_an_observation(table: Game) -> None:
    """Scrambling every byte that a player may not see changes nothing of the schema's part of the observation."""
    rng = np.random.default_rng(8)
    for state in positions(table, 6, seed=31):
        for player in range(table.num_players):
            scrambled = state.clone()
            for f in table.rules.schema:
                values = scrambled.record[f.name]
                if f.sees == NOBODY:
                    values[...] = rng.integers(0, 100, values.shape)
                elif f.sees == OWNER:
                    own = values[0, player].copy()
                    values[...] = rng.integers(0, 100, values.shape)
                    values[0, player] = own
            seen, still = (_schema_part(s, player) for s in (state, scrambled))
            assert np.array_equal(seen, still)


@cache
def schema_encoder(rules: Rules) -> Any:
    encode = build_encode(rules.schema)

    @kernel
    def encode_first(states, observer, out):
        return encode(states[0], observer, out)

    return encode_first


def _schema_part(state: State, player: int) -> np.ndarray:
    """The part of an observation that the schema makes, without the game's own features."""
    encoder = state.game.encoder
    out = np.zeros(encoder.size, np.float32)
    assert schema_encoder(state.game.rules)(state.record, player, out) == encoder.features_start
    return out


# --- Observations ------------------------------------------------------------------------------------------------------------


def test_observations_lie_in_their_space_for_everybody_everywhere(table: Game) -> None:
    for state in positions(table, 10, seed=41):
        for player in range(table.num_players):
            assert table.encoder.space.contains(state.observation(player))


def test_an_observation_leaves_nothing_of_the_one_before(table: Game) -> None:
    out = np.zeros((1, table.encoder.size), np.float32)
    for state in positions(table, 10, seed=43):
        for player in range(table.num_players):
            out[:] = np.nan
            table.kernels.observe(state.record, np.array([player]), out)
            before = out.copy()
            out[:] = -1
            table.kernels.observe(state.record, np.array([player]), out)
            assert np.array_equal(out, before)


def test_every_number_of_the_observation_is_described_once(table: Game) -> None:
    places = np.concatenate([s.indices().ravel() for s in table.encoder.slices])
    assert np.array_equal(np.sort(places), np.arange(table.encoder.size))


def test_most_of_the_observation_is_used(table: Game) -> None:
    """Numbers that never change in hundreds of positions are padding; a game may have some, not mostly."""
    seen = np.array([state.observation() for seed in range(6) for state in walk(table, seed)])
    assert (seen.std(0) > 0).mean() > 0.4


# --- One and many ------------------------------------------------------------------------------------------------------------


def test_a_batch_plays_the_same_games_as_single_states(table: Game) -> None:
    count = 8
    states, (masks, _) = table.new_states(count), new_masks(count, table.num_actions)
    table.kernels.reset(states, table.template, np.arange(count, dtype=np.uint64), np.zeros(count, np.uint64), masks)
    singles = [table.new_initial_state(seed=i) for i in range(count)]
    rng = np.random.default_rng(1)
    while not all(s.is_terminal() for s in singles):
        actions = np.array([0 if s.is_terminal() else rng.choice(s.legal_actions()) for s in singles])
        for single, action in zip(singles, actions, strict=True):
            if not single.is_terminal():
                single.apply_action(action)
        table.kernels.apply(states, actions, masks)
        assert states.tobytes() == b"".join(s.serialize() for s in singles)


def test_wrong_tables_and_options_are_refused_with_what_is_allowed(name: str) -> None:
    allowed = ", ".join(map(str, rules(name).players))
    with pytest.raises(ValueError, match=f"17 players are not possible, allowed are {allowed}"):
        mastaba.game(name, num_players=17)
    with pytest.raises(ValueError, match="no option 'weather'"):
        mastaba.game(name, weather="rain")


def test_an_unknown_game_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(ValueError, match="no game 'chess', games are pyramids, cheops, giza, master_architect, pyramidice"):
        mastaba.game("chess")
