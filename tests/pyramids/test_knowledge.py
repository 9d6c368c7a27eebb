"""What the table knows of hidden cards, and the worlds a player cannot tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings

import mastaba
from mastaba import Game, State, testing
from mastaba.envs.core.kernel.jit import kernel
from mastaba.envs.core.kernel.rng import shuffle

from pyramids.boards import NUM_CARDS, any_seed, any_table, do, known, legal_names, pile, random_game, tables, with_candidates


def test_a_candidate_that_is_shown_betrays_the_others() -> None:
    state = do(with_candidates(), "1: obe 2")
    assert pile(state, "obelisk", 1) == [93]
    assert known(state, 1) == ({57}, set(), set(), "tomb")


def test_a_second_card_in_the_tomb_makes_more_candidates() -> None:
    state = do(with_candidates(), "1: pass", "1: tomb 1")
    assert known(state, 1) == (set(), {93, 57}, set(), "candidate")


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=20, deadline=None)
def test_nobody_else_sees_which_card_went_into_the_tomb(num_players: int, seed: int) -> None:
    for state in random_game(num_players, seed):
        if legal_names(state) == ["tomb 1", "tomb 2", "pass"]:
            me = state.current_player()
            one, other = do(state.clone(), "tomb 1"), do(state.clone(), "tomb 2")
            for p in set(range(num_players)) - {me}:
                if not one.is_terminal():
                    assert one.view(p) == other.view(p)
                    assert one.to_text(p) == other.to_text(p)
                    assert (one.observation(p) == other.observation(p)).all()


# --- Worlds ------------------------------------------------------------------------------------------------------------------
# Four promises, each by itself: samples differ, the own view stays, deductions hold, the truth decides nothing.


def hidden_from(state: State, player: int, field: str) -> list[list[int]]:
    """What a player cannot see of an owner's field."""
    values = state.record[field][0][: state.game.num_players].tolist()
    return [row for p, row in enumerate(values) if p != player]


def samples(num_players: int, games: int = 3) -> Iterator[tuple[State, int, list[State]]]:
    for seed in range(games):
        for state in list(random_game(num_players, seed))[5:-1:9]:
            for player in range(num_players):
                yield state, player, [state.determinize(player, seed=k) for k in range(6)]


@tables
@pytest.mark.parametrize("field", ["deck", "hand", "tomb", "initial_card"])
def test_samples_differ_in_all_that_is_hidden(num_players: int, field: str) -> None:
    """Also hands, Tombs and initial cards: a sample that keeps them tells a search the truth."""
    different = 0
    for state, player, worlds in samples(num_players):
        shown = [w.record["deck"][0].tolist() if field == "deck" else hidden_from(w, player, field) for w in worlds]
        truth = state.record["deck"][0].tolist() if field == "deck" else hidden_from(state, player, field)
        different += any(one != shown[0] for one in shown) and any(one != truth for one in shown)
    assert different > 10


@tables
def test_a_sample_keeps_the_players_own_view(num_players: int) -> None:
    for state, player, worlds in samples(num_players, games=1):
        for world in worlds:
            assert world.view(player) == state.view(player)
            assert world.legal_actions() == state.legal_actions()


@tables
def test_a_sample_keeps_what_the_table_has_deduced(num_players: int) -> None:
    """What is known to be in a hand or a Tomb is there, and of the candidates one is in hand: all that was done stays possible."""
    for state, _, worlds in samples(num_players, games=1):
        for world in worlds:
            assert list(state.game.rules.violations(world.record[0])) == []
            for p in range(num_players):
                hand, candidates, tomb, _ = known(state, p)
                assert known(world, p) == known(state, p)
                assert hand <= set(pile(world, "hand", p))
                assert tomb <= set(pile(world, "tomb", p))
                assert candidates <= set(pile(world, "hand", p)) | set(pile(world, "tomb", p))


@tables
def test_a_sample_depends_neither_on_the_truth_nor_on_the_games_generator(num_players: int) -> None:
    for state, player, worlds in samples(num_players, games=1):
        for k, world in enumerate(worlds):
            assert worlds[-1].determinize(player, seed=k) == world
        reseeded = state.clone()
        reseeded.record["rng"] = 12345
        assert reseeded.determinize(player, seed=0) == worlds[0]


def test_candidates_are_equally_often_in_hand() -> None:
    """Seat 1 of two holds card 93 or its initial card, and the initial card is any that seat 0 has not seen."""
    state = with_candidates()
    worlds = [state.determinize(0, seed=k) for k in range(600)]
    in_hand = sum(93 in pile(world, "hand", 1) for world in worlds)
    assert 240 <= in_hand <= 360
    initial = Counter(int(world.record["initial_card"][0][1]) for world in worlds)
    assert len(initial) > 60
    assert max(initial.values()) < 30


def test_the_battery_notices_a_determinize_that_only_shuffles_the_deck() -> None:
    """Hands, Tombs and initial cards would stay as they are: the truth."""

    @kernel
    def only_the_deck(s, player):
        shuffle(s, s.deck, s.deck_position, NUM_CARDS)

    rules = replace(mastaba.game("pyramids", 2).rules, determinize=only_the_deck)
    with pytest.raises(AssertionError, match="depend on the truth"):
        testing.check_determinize(Game(rules, 2))
