"""Catanatron (Catan), its random players; legal moves are a list of actions."""

from __future__ import annotations

from functools import partial

from ..measure import Case, Run


def cases() -> list[Case]:
    return [
        Case("catanatron", "catan", players, "state", 1, 1, ("legal list", "reset"), partial(prepare, players))
        for players in (2, 4)
    ]


def prepare(players: int) -> Run:
    import random

    from catanatron import Color, Game, RandomPlayer
    from catanatron.game import TURNS_LIMIT

    random.seed(1)
    game: Game | None = None

    def run(steps: int) -> int:
        nonlocal game
        for _ in range(steps):
            if game is None or game.winning_color() is not None or game.state.num_turns >= TURNS_LIMIT:
                game = Game([RandomPlayer(color) for color in list(Color)[:players]])
            game.play_tick()
        return steps

    run(10)
    return run
