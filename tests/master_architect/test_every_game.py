"""What holds in every game, at every table."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mastaba.envs.master_architect.components import CARDS, ORIENTATIONS

from lockstep import uniform
from master_architect.boards import TABLES, architect, mirror_action, mirrored, random_states, sheet

GAMES = {"num_players": st.sampled_from(TABLES), "seed": st.integers(0, 2**32 - 1)}
FEW = settings(max_examples=12, deadline=None)


@FEW
@given(**GAMES)
def test_every_position_is_consistent(num_players, seed):
    for state in random_states(num_players, seed):
        assert list(state.game.rules.violations(state.record[0])) == []


@FEW
@given(**GAMES)
def test_tallies_that_grow_equal_tallies_made_anew(num_players, seed):
    for state in random_states(num_players, seed):
        anew = state.clone()
        state.game.kernels.derive(anew.record)
        assert anew == state


@FEW
@given(**GAMES)
def test_stones_stay_where_they_are(num_players, seed):
    before = None
    for state in random_states(num_players, seed):
        now = state.record[0]
        if before is not None:
            assert ((before["large_stone"] < 0) | (now["large_stone"] >= 0)).all()
            assert ((before["small_stone"] < 0) | (now["small_stone"] >= 0)).all() or before["phase"] == 6
            assert (now["collection"] >= before["collection"]).all()
            assert now["turn"] >= before["turn"]
        before = now.copy()


@FEW
@given(**GAMES)
def test_stocks_shrink_with_the_turns(num_players, seed):
    for state in random_states(num_players, seed):
        d = state.to_dict()
        overseer = any("Overseer" in held for held in d["cards"])
        assert d["large_drawn"] == 5 + d["turn"] - state.is_terminal()
        assert d["cards_drawn"] == 4 + sum(card is not None for held in d["cards"] for card in held)
        assert d["small_drawn"] == num_players + min(d["turn"], 14 * num_players) + 3 * overseer


@FEW
@given(**GAMES)
def test_the_pile_grows_stone_by_stone_and_goes_with_the_red_stone(num_players, seed):
    rng = np.random.default_rng(seed)
    state = architect(num_players).new_initial_state(seed=seed)
    while not state.is_terminal():
        before, action = state.to_dict()["pile"], uniform(state, rng)
        state.apply_action(action)
        after = state.to_dict()["pile"]
        if state.action_to_string(action) == "take first":
            assert sum(after) == 0
        else:
            assert sum(after) - sum(before) in (0, 1)


@FEW
@given(**GAMES)
def test_points_stay_within_their_bounds(num_players, seed):
    *_, end = random_states(num_players, seed)
    s = end.record[0]
    for p in range(num_players):
        points = sheet(end, p)
        assert points["solid"] <= 21
        assert (s["height"][p] == 6).sum() <= 2
        assert points["burial"] <= 41
        assert points["symbols"] in (0, 2, 4, 7, 11, 16)
        assert points["workers"] <= 18
        worth = dict(zip(CARDS, s["worth"][p].tolist(), strict=False))
        assert worth["Divine Path"] <= 10
        assert worth["Set"] + worth["Anubis"] + worth["Hidden Tomb"] <= 27
        assert s["worth"][p][-1] == 0  # no card


@FEW
@given(**GAMES)
def test_there_is_always_a_choice(num_players, seed):
    sizes = {"take": {5}, "card": {4}}
    for state in random_states(num_players, seed):
        if not state.is_terminal():
            number = len(state.legal_actions())
            assert number >= 2
            assert number in sizes.get(state.phase(), {number})


@FEW
@given(**GAMES)
def test_a_game_has_fifteen_turns_each(num_players, seed):
    for state in random_states(num_players, seed):
        d = state.to_dict()
        assert state.is_terminal() == (d["turn"] == 15 * num_players)
        assert d["decisions"] <= 48 * num_players + 9
    assert all(None not in stones for stones in d["large_stone"][:num_players])
    assert all(None not in held for held in d["cards"][:num_players])


@FEW
@given(**GAMES)
def test_small_stones_never_hurt(num_players, seed):
    *_, end = random_states(num_players, seed)
    rng = np.random.default_rng(seed)
    more = end.clone()
    more.record["collection"][0][0][0] += 1
    more.game.kernels.derive(more.record)
    assert more.scores()[0] >= end.scores()[0]
    for card in ("Osiris", "Maat", "Ptah", "Nut", "Khepri"):
        filled, emptied = end.clone(), end.clone()
        space = int(rng.integers(12))
        filled.record["small_stone"][0][0][space] = rng.integers(12)
        emptied.record["small_stone"][0][0][space] = -1
        for state in (filled, emptied):
            state.record["cards"][0][0] = [CARDS.index(card), -1, -1]
            state.game.kernels.derive(state.record)
        with_stone, without = sheet(filled), sheet(emptied)
        assert all(with_stone[part] >= without[part] for part in ("solid", "workers", "cards"))


@FEW
@given(**GAMES)
def test_turning_a_symmetric_stone_changes_no_score(num_players, seed):
    *_, end = random_states(num_players, seed)
    turned = end.clone()
    symmetric = ORIENTATIONS[turned.record["large_stone"][0]] == 1
    turned.record["large_turned"][0] ^= symmetric & (turned.record["large_stone"][0] >= 0)
    turned.game.kernels.derive(turned.record)
    assert turned.scores() == end.scores()


@FEW
@given(**GAMES)
def test_winners_have_most_points_and_then_most_small_stones(num_players, seed):
    *_, end = random_states(num_players, seed)
    d = end.to_dict()
    merits = [
        (score, sum(stone is not None for stone in d["small_stone"][p]) + sum(d["collection"][p]))
        for p, score in enumerate(end.scores())
    ]
    assert end.record["winners"][0] == sum(1 << p for p, merit in enumerate(merits) if merit == max(merits))
    assert [rank == 0 for rank in end.standings()] == [merit == max(merits) for merit in merits]


@settings(max_examples=4, deadline=None)
@given(**GAMES)
def test_the_mirror_image_of_a_game_is_the_same_game(num_players, seed):
    rng = np.random.default_rng(seed)
    game = architect(num_players)
    state = game.new_initial_state(seed=seed)
    while True:
        image = mirrored(state)
        assert [sheet(image, p) for p in range(num_players)] == [sheet(state, p) for p in range(num_players)]
        assert image.legal_actions() == sorted(mirror_action(game, action) for action in state.legal_actions())
        if state.is_terminal():
            break
        action = uniform(state, rng)
        same_stone_next = state.phase() != "small" or sum(state.to_dict()["pending"]) == 1  # types are placed in order of colour
        state.apply_action(action)
        if same_stone_next:
            image.apply_action(mirror_action(game, action))
            assert image == mirrored(state)
