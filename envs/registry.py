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


def game(name: str | Game, num_players: int | None = None, **options: str) -> Game:
    """A game at a table of `num_players`: `mastaba.game("giza", num_players=4)`. A `Game` is what it is already."""
    if not isinstance(name, Game):
        return Game(rules(name), num_players, **options)
    if num_players not in (None, name.num_players) or options:
        asked = ", ".join(f"{key}={value!r}" for key, value in {"num_players": num_players, **options}.items())
        raise ValueError(f"{name.name} is a table of {name.num_players} already: {asked} cannot be set any more")
    return name
