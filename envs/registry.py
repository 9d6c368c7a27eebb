"""The games by name, ours and those of third parties. A game's folder is imported when it is first asked for.

This is the only place that knows names. Ours stand in OURS, with the version that ids carry; an installed package adds its own by
an entry point of the group `mastaba.games`, named like `senet-v0` and leading to its RULES; a program by `register_game(RULES)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from .core.game import Game
from .core.rules import Rules

__all__ = ["GAMES", "GROUP", "SOLO", "game", "register_game", "rules", "version_of"]

OURS = ("pyramids-v1", "cheops-v1", "giza-v1", "master_architect-v1", "pyramidice-v1")
SOLO = ("pyramidice",)  # have a Gymnasium id for the table of one too
GROUP = "mastaba.games"


def _split(entry: str) -> tuple[str, int]:
    name, dash, version = entry.rpartition("-v")
    if not dash or not version.isdigit():
        raise ValueError(f"a game is registered as NAME-vVERSION, not as {entry!r}")
    return name, int(version)


class Games(Mapping[str, int]):
    """The names of all games, ours first, each with its version."""

    def __init__(self) -> None:
        self._versions = dict(_split(entry) for entry in OURS)
        self._places = {name: f"{__package__}.{name}:RULES" for name in self._versions}
        self._given: dict[str, Rules] = {}
        for point in entry_points(group=GROUP):
            name, version = _split(point.name)
            if name in self._versions:
                raise ValueError(f"two games are called {name!r}: {self._places[name]} and {point.value}")
            self._versions[name], self._places[name] = version, point.value

    def __getitem__(self, name: str) -> int:
        return self._versions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._versions)

    def __len__(self) -> int:
        return len(self._versions)

    def add(self, rules: Rules) -> None:
        if rules.name in self._versions and self._given.get(rules.name) is not rules:
            raise ValueError(f"there is a game {rules.name!r} already")
        self._versions[rules.name], self._given[rules.name] = rules.version, rules

    def load(self, name: str) -> Rules:
        if name in self._given:
            return self._given[name]
        module, _, attribute = self._places[name].partition(":")
        found = getattr(import_module(module), attribute)
        if found.name != name or found.version != self._versions[name]:
            raise ValueError(f"{name}-v{self._versions[name]} leads to {self._places[name]}, which is {found.versioned_name}")
        return found


GAMES = Games()


def register_game(rules: Rules) -> None:
    """Make a game known to everything that takes games by name."""
    from .faces.registration import register

    GAMES.add(rules)
    register(rules.name)


@cache
def _rules(name: str) -> Rules:
    return GAMES.load(name)


def rules(name: str) -> Rules:
    """The rules of a game; ValueError names the games there are."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"no game {name!r}, games are {', '.join(GAMES)}")
    return _rules(name)


def version_of(name: str) -> int:
    return GAMES[name]


def game(name: str | Game, num_players: int | None = None, **options: str) -> Game:
    """A game at a table of `num_players`: `mastaba.game("giza", num_players=4)`. A `Game` is what it is already."""
    if not isinstance(name, Game):
        return Game(rules(name), num_players, **options)
    if num_players not in (None, name.num_players) or options:
        asked = ", ".join(f"{key}={value!r}" for key, value in {"num_players": num_players, **options}.items())
        raise ValueError(f"{name.name} is a table of {name.num_players} already: {asked} cannot be set any more")
    return name
