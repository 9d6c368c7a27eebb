"""A game as a small JSON file: where it began, what was decided, how it ended. Whoever reads it plays it again, and so checks it.

{"format": "mastaba replay 1", "game": "pyramids", "version": 0, "num_players": 2, "options": {}, "seed": 7, "episode": 0,
 "players": ["greedy", "you"], "actions": ["god khepri", "take B", ...],
 "finished": true, "scores": [51, 62], "standings": [1, 0], "digest": "9f86d0..."}
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ..core.game import Game
from ..core.state import State
from ..registry import GAMES
from ..registry import game as make_game

__all__ = ["FORMAT", "Replay", "ReplayError", "digest_of", "write_whole"]

FORMAT = "mastaba replay 1"
MAX_BYTES = 5_000_000  # of a file: the longest games have some hundred actions


class ReplayError(ValueError):
    """A file that is no replay, or one that does not tell what happened."""


def write_whole(path: Path, text: str) -> Path:
    """Write a file under another name, and give it its own when it is complete."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def digest_of(state: State) -> str:
    """A fingerprint of a position that does not depend on how records are laid out in memory."""
    return hashlib.sha256(json.dumps(state.to_dict(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Replay:
    """A game that was played, to its end or up to some decision."""

    game: str
    version: int  # of the rules
    num_players: int
    options: dict[str, str]
    seed: int
    episode: int  # number of the game among those of the seed
    players: tuple[str, ...]  # who sat where
    actions: tuple[str, ...]  # decisions in notation; forced moves follow by themselves
    finished: bool
    scores: tuple[int, ...]
    standings: tuple[int, ...]
    digest: str  # of the last position

    # --- Making ---------------------------------------------------------------------------------------------------------------

    @classmethod
    def of(
        cls, game: Game, seed: int, actions: Sequence[int | str], *, players: Sequence[str] | None = None, episode: int = 0
    ) -> Replay:
        """The replay of a game that began from a seed; the actions are played again."""
        names = tuple(players) if players is not None else ("?",) * game.num_players
        if len(names) != game.num_players:
            raise ValueError(f"{game.num_players} players need as many names, got {len(names)}")
        words = tuple(a if isinstance(a, str) else game.action_to_string(a) for a in actions)
        table = game.name, game.rules.version, game.num_players, game.options
        begun = cls(*table, seed % 2**64, episode, names, words, False, (), (), "")
        for state in begun.states(game):
            last = state
        result = last.is_terminal(), tuple(last.scores()), tuple(last.standings()), digest_of(last)
        return cls(*table, begun.seed, episode, names, words, *result)

    # --- Playing again --------------------------------------------------------------------------------------------------------

    def table(self) -> Game:
        """The game at its table; ReplayError if these are other rules than those it was played by."""
        if self.game not in GAMES:
            raise ReplayError(f"this is a game of {self.game!r}, which is not known here; known are {', '.join(GAMES)}")
        try:
            table = make_game(self.game, self.num_players, **self.options)
        except (TypeError, ValueError) as error:
            raise ReplayError(str(error)) from None
        if table.rules.version != self.version:
            there = f"{self.game} by the rules of version {self.version}"
            raise ReplayError(f"this is a game of {there}; here is version {table.rules.version}, which plays differently")
        return table

    def states(self, table: Game | None = None) -> Iterator[State]:
        """Every position, from the start to the last; the same State object moves on. `table`: where it is known already."""
        table = table or self.table()
        state = table.new_initial_state(self.seed, self.episode)
        yield state
        for number, action in enumerate(self.actions, 1):
            try:
                state.apply_action(table.string_to_action(action))
            except ValueError as error:
                raise ReplayError(f"move {number}: {error}") from None
            yield state

    def verify(self) -> None:
        """Play it again; ReplayError if it is not what the file says."""
        for state in self.states():
            last = state
        if last.is_terminal() != self.finished:
            called, is_so = ("finished", "is not") if self.finished else ("unfinished", "is over")
            raise ReplayError(f"the game is called {called}, but after {len(self.actions)} moves it {is_so}")
        for what, told, found in (
            ("scores", self.scores, tuple(last.scores())),
            ("standings", self.standings, tuple(last.standings())),
            ("digest of the last position", self.digest, digest_of(last)),
        ):
            if told != found:
                raise ReplayError(f"the {what} should be {_brief(told)}, but the moves lead to {_brief(found)}")

    # --- Files ----------------------------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in {"format": FORMAT, **asdict(self)}.items())
        return "{" + ",\n ".join(lines) + "}\n"

    def save(self, path: str | Path) -> Path:
        """Write the file, whole or not at all."""
        return write_whole(Path(path), self.to_json())

    @classmethod
    def from_json(cls, text: str) -> Replay:
        """What a file says, not verified yet."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ReplayError(f"not JSON: {error}") from None
        if not isinstance(values, dict) or "format" not in values:
            raise ReplayError("not a replay: an object with a format is expected")
        if values.pop("format") != FORMAT:
            raise ReplayError(f"not a replay of the format {FORMAT!r}")
        names = [f.name for f in fields(cls)]
        for name in (*names, *values):
            if name not in values or name not in names:
                raise ReplayError(f"{name!r} is {'missing' if name in names else 'no field of a replay'}")
        return cls(**{name: CHECKS[name](name, values[name]) for name in names})

    @classmethod
    def load(cls, path: str | Path) -> Replay:
        """Read a file and verify it; ReplayError says what is wrong."""
        try:
            if Path(path).stat().st_size > MAX_BYTES:
                raise ReplayError("too long for a replay")
            replay = cls.from_json(Path(path).read_text(encoding="utf-8"))
            replay.verify()
        except UnicodeDecodeError:
            raise ReplayError(f"{path}: not a text file") from None
        except ReplayError as error:
            raise ReplayError(f"{path}: {error}") from None
        return replay


# --- What a file may hold ------------------------------------------------------------------------------------------------------


def _brief(value: object) -> str:
    return str(value)[:40]


def _must_be(name: str, value: Any, kind: type, words: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ReplayError(f"{name!r} must be {words}, not {_brief(value)!r}")
    return value


def _number(name: str, value: Any) -> int:
    if _must_be(name, value, int, "a number") < 0 or value >= 2**64:
        raise ReplayError(f"{name!r} must lie between 0 and 2^64, not {value}")
    return value


def _text(name: str, value: Any) -> str:
    return _must_be(name, value, str, "a text")


def _truth(name: str, value: Any) -> bool:
    return _must_be(name, value, bool, "true or false")


def _texts(name: str, value: Any) -> tuple[str, ...]:
    return tuple(_text(name, item) for item in _must_be(name, value, list, "a list"))


def _numbers(name: str, value: Any) -> tuple[int, ...]:
    return tuple(_must_be(name, item, int, "a list of numbers") for item in _must_be(name, value, list, "a list"))


def _choices(name: str, value: Any) -> dict[str, str]:
    return {key: _text(name, item) for key, item in _must_be(name, value, dict, "an object").items()}


CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "game": _text,
    "version": _number,
    "num_players": _number,
    "options": _choices,
    "seed": _number,
    "episode": _number,
    "players": _texts,
    "actions": _texts,
    "finished": _truth,
    "scores": _numbers,
    "standings": _numbers,
    "digest": _text,
}
