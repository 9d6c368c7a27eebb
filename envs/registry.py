"""The games by name. A game's folder is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from .core.game import Game, Rules

__all__ = ["GAMES", "game", "rules"]

GAMES: tuple[str, ...] = ("pyramids", "cheops", "giza", "master_architect", "pyramidice")


def rules(name: str) -> Rules:
    """The rules of a game; ValueError names the games there are."""
    if name not in GAMES:
        raise ValueError(f"no game {name!r}, games are {', '.join(GAMES)}")
    return import_module(f".{name}", __package__).RULES


def game(name: str, num_players: int | None = None, **options: str) -> Game:
    """A game at a table of `num_players`: `mastaba.game("giza", num_players=4)`."""
    return Game(rules(name), num_players, **options)
