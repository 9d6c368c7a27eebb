"""Games beside the referee; MASTABA_LOCKSTEP multiplies how many."""

from __future__ import annotations

import os

import pytest

import lockstep
from giza.by_hand import PLAYERS, giza, nearly_finished, see
from giza.styles import bold, player_of, restless

GAMES = int(os.environ.get("MASTABA_LOCKSTEP", "1"))


@pytest.mark.parametrize("players", PLAYERS)
def test_lockstep_random_games(players):
    for seed in range(40 * GAMES):
        lockstep.play(giza(players), seed)


@pytest.mark.parametrize("players", PLAYERS)
def test_lockstep_builder_games_with_random_moves(players):
    for seed in range(20 * GAMES):
        lockstep.play(giza(players), seed, player_of("builder", 0.2))


@pytest.mark.parametrize("players", PLAYERS)
def test_lockstep_greedy_games(players):
    for seed in range(5 * GAMES):
        lockstep.play(giza(players), seed, player_of("greedy", 0.1))


def test_lockstep_late_games_with_much_walking():
    for seed in range(30 * GAMES):
        lockstep.play(giza(4), seed, restless, start=nearly_finished())


def test_lockstep_late_games_reach_the_capstone():
    ends = [see(lockstep.play(giza(4), seed, bold, start=nearly_finished()), "capstone") for seed in range(60 * GAMES)]
    assert ends.count("built") > 0.8 * len(ends)
