"""One game on the terms of an interface: what a step writes is what everybody would see."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import mastaba
from mastaba.envs.core.episode import Episode
from mastaba.envs.core.kernel.addresses import Book


def first_legal(episode: Episode) -> int:
    return int(episode.mask(episode.state.current_player()).argmax())


def test_every_seat_is_shown_what_its_encoder_shows_at_every_step_and_after_the_end() -> None:
    game = mastaba.game("cheops", num_players=2)
    encoder = game.encoder()
    episode = Episode(game, encoder=encoder)
    episode.begin(seed=3)
    while not episode.state.is_terminal():
        for seat in range(2):
            assert np.array_equal(episode.observe(seat), encoder.observe(episode.state, seat))
        episode.act(first_legal(episode))
    for seat in range(2):
        assert np.array_equal(episode.observe(seat), encoder.observe(episode.state, seat))


def test_what_was_shown_does_not_change_when_the_game_goes_on_and_a_copy_shows_its_own_game() -> None:
    game = mastaba.game("cheops", num_players=2)
    episode = Episode(game, encoder=game.encoder())
    episode.begin(seed=3)
    me = episode.state.current_player()
    shown = episode.observe(me)
    kept, other = shown.copy(), copy.deepcopy(episode)
    for _ in range(5):
        episode.act(first_legal(episode))
    assert np.array_equal(shown, kept)
    assert np.array_equal(other.observe(me), kept)


def test_an_episode_without_an_encoder_shows_nothing() -> None:
    episode = Episode(mastaba.game("cheops", num_players=2))
    episode.begin(seed=3)
    with pytest.raises(TypeError, match="without an encoder"):
        episode.observe(0)


@pytest.mark.parametrize("action", [-1, 2**62, 2**63, -(2**70)])
def test_a_number_that_is_no_action_forfeits_however_large_it_is(action: int) -> None:
    episode = Episode(mastaba.game("cheops", num_players=2))
    episode.begin(seed=3)
    culprit = episode.player
    assert episode.act(action) == episode.player == mastaba.TERMINAL
    assert episode.state.forfeited_by() == culprit


def test_the_player_of_an_episode_is_the_one_of_its_state_also_in_a_copy() -> None:
    game = mastaba.game("cheops", num_players=3)
    episode = Episode(game, encoder=game.encoder())
    assert copy.deepcopy(episode).player == mastaba.TERMINAL
    episode.begin(seed=4)
    while episode.player != mastaba.TERMINAL:
        assert episode.player == episode.state.current_player() == copy.deepcopy(episode).player
        episode.act(first_legal(episode))
    assert episode.state.is_terminal()


def test_a_book_of_arrays_that_are_not_in_one_piece_is_refused() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        Book(np.zeros((4, 4))[:, :2])
