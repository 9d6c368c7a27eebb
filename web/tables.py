"""Tables: games with people, each kept on disk by two files that are always whole.

`ID.json` is the replay of the game so far, written before a move is answered; `ID.seats.json` says which secret opens which seat.
Everything that changes a table happens in one thread, the server's loop; what takes long (compiling, thinking, looking whether
something hidden was revealed) works on copies in other threads, and its result counts only if the table has not changed meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..baselines.agents import act, agent, policy_names
from ..baselines.search.players import lacks
from ..envs.core.game import Game
from ..envs.registry import GAMES
from ..envs.registry import game as make_game
from ..envs.replay import Replay, ReplayError
from ..envs.replay.file import write_whole
from ..playing import PERSON, Hint, Sitting, hints

__all__ = ["ConflictError", "Table", "Tables"]

SEARCHERS = ("rollout:200", "rollout:1000", "mcts:1000", "mcts:10000")
AT_HAND = 1000  # tables in memory; those that were asked for least recently are on disk only
ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
Result = TypeVar("Result")


class ConflictError(ValueError):
    """What was asked for does not fit the table as it is now."""


@dataclass(frozen=True)
class Seats:
    """What a table is besides its game: a secret per seat with a person, whether anything may be taken back, how often it was."""

    keys: tuple[str | None, ...]
    open: bool
    undone: int = 0


class Table:
    """One game, its seats, and who waits for news of it."""

    def __init__(self, name: str, sitting: Sitting, seats: Seats) -> None:
        self.name, self.sitting, self.seats = name, sitting, seats
        self.problem = ""  # why the computer to move cannot go on
        self.thinking: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    @property
    def version(self) -> str:
        """After every change a later word in the alphabet: decisions grow, but for those taken back, which are counted."""
        return f"{self.seats.undone:06}.{len(self.sitting.actions):06}{'!' if self.problem else ''}"

    def seat_of(self, key: str) -> int:
        for seat, own in enumerate(self.seats.keys):
            if own is not None and secrets.compare_digest(own.encode(), key.encode()):
                return seat
        raise LookupError("no such seat at this table: the link is wrong")

    def changed(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def wait_for_news(self, version: str, seconds: float) -> None:
        """Until the table is no longer in that version, or some time has passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version == version:
                    await self._news.wait()


class Tables:
    """All tables of a folder."""

    def __init__(self, folder: Path, more_players: Sequence[str] = ()) -> None:
        self.folder, self.more_players = folder, tuple(more_players)
        (folder / "replays").mkdir(parents=True, exist_ok=True)
        self._at_hand: dict[str, Table] = {}
        self._opening = asyncio.Lock()
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="thinking")
        self._compiling = ThreadPoolExecutor(1, thread_name_prefix="preparing")

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._compiling.shutdown(wait=False, cancel_futures=True)

    async def aside(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do what takes long in another thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    # --- Who can play --------------------------------------------------------------------------------------------------------

    def computers(self, game: Game) -> list[str]:
        """The players that may be asked for here: a name is no way to make the server read files or think for ever."""
        searchers = () if lacks(game.rules) else SEARCHERS
        return [*policy_names(game), *searchers, *self.more_players]

    def check_players(self, game: Game, players: Sequence[str]) -> None:
        allowed = [PERSON, *self.computers(game)]
        if wrong := [name for name in players if name not in allowed]:
            raise ValueError(f"no player {wrong[0]!r} here, allowed are {', '.join(allowed)}")
        if PERSON not in players:
            raise ValueError("at least one seat is for a person")

    # --- Opening -------------------------------------------------------------------------------------------------------------

    async def open(self, game: Game, players: Sequence[str], *, freely: bool = False, seed: int | None = None) -> Table:
        """A new table; `freely` allows to take back anything."""
        self.check_players(game, players)
        deal = secrets.randbits(63) if seed is None else seed
        return await self._seat(lambda: Sitting(game, players, deal), freely)

    async def play_on(self, replay: Replay, decisions: int, players: Sequence[str], *, freely: bool = False) -> Table:
        """A new table at which a kept game goes on from some point."""
        if not 0 <= decisions <= len(replay.actions):
            raise ValueError(f"there is no move {decisions} in this game, moves are 0..{len(replay.actions)}")
        self.check_players(replay.table(), players)
        return await self._seat(lambda: Sitting.of_replay(replay, players, decisions), freely)

    async def _seat(self, make: Callable[[], Sitting], freely: bool) -> Table:
        sitting = await self._prepared(make)
        keys = tuple(secrets.token_urlsafe(16) if name == PERSON else None for name in sitting.players)
        table = Table(secrets.token_urlsafe(9), sitting, Seats(keys, freely))
        self._write_seats(table)
        self._write_game(table)
        self._put_at_hand(table)
        return table

    async def _prepared(self, make: Callable[[], Sitting]) -> Sitting:
        """One at a time: what a table needs is turned into machine code before anybody waits for an answer."""

        def work() -> Sitting:
            sitting = make()
            rehearse(sitting)
            return sitting

        return await asyncio.get_running_loop().run_in_executor(self._compiling, work)

    def _put_at_hand(self, table: Table) -> None:
        self._at_hand[table.name] = table
        idle = [name for name, other in self._at_hand.items() if other.thinking is None]
        for name in idle[: max(0, len(self._at_hand) - AT_HAND)]:
            del self._at_hand[name]
        self._let_computers_move(table)

    # --- Finding -------------------------------------------------------------------------------------------------------------

    async def find(self, name: str) -> Table:
        """A table by its name, from disk if need be; LookupError if there is none."""
        if name in self._at_hand:
            self._at_hand[name] = table = self._at_hand.pop(name)  # asked for most recently
            return table
        async with self._opening:
            if name not in self._at_hand:
                self._put_at_hand(await self._read(name))
            return self._at_hand[name]

    async def _read(self, name: str) -> Table:
        if not ID.fullmatch(name) or not self._game_file(name).exists() or not self._seats_file(name).exists():
            raise LookupError("no such table: the link is wrong")
        values = json.loads(self._seats_file(name).read_text(encoding="utf-8"))
        sitting = await self._prepared(lambda: Sitting.of_replay(Replay.load(self._game_file(name))))
        return Table(name, sitting, Seats(tuple(values["keys"]), values["open"], values["undone"]))

    async def replay(self, name: str) -> Replay:
        """A finished game of a table here, or a game that was brought; LookupError if there is none."""
        brought = self.folder / "replays" / f"{name}.json"
        if ID.fullmatch(name) and brought.exists():
            return await self.aside(Replay.load, brought)
        table = await self.find(name)
        if table.sitting.to_move is not None:
            raise ConflictError("this game is not over yet: its replay would show what is hidden")
        return await self.aside(table.sitting.replay)

    async def bring(self, text: str) -> str:
        """Keep a replay that somebody brings; its name. ReplayError says what is wrong with it."""

        def work() -> str:
            replay = Replay.from_json(text)
            if replay.game not in GAMES:
                raise ReplayError(f"no game {replay.game!r} here, games are {', '.join(GAMES)}")
            replay.verify()
            name = secrets.token_urlsafe(9)
            replay.save(self.folder / "replays" / f"{name}.json")
            return name

        return await self.aside(work)

    # --- Playing -------------------------------------------------------------------------------------------------------------

    def play(self, table: Table, seat: int, action: str, version: str) -> None:
        """A person's decision: kept first, then answered."""
        self._check_version(table, version)
        if seat != table.sitting.to_move:
            decider = table.sitting.to_move
            raise ConflictError("the game is over" if decider is None else f"it is not your turn: seat {decider} decides")
        self._decide(table, seat, table.sitting.game.string_to_action(action))
        self._let_computers_move(table)

    def _decide(self, table: Table, seat: int, action: int) -> None:
        before = len(table.sitting.actions)
        table.sitting.play(seat, action)
        try:
            self._write_game(table)
        except OSError:
            table.sitting.back_to(before)
            raise
        table.changed()

    async def undo(self, table: Table, seat: int, version: str) -> None:
        self._check_version(table, version)
        sitting = table.sitting.snapshot()
        decisions = await self.aside(lambda: sitting.last_decision(seat, anyway=table.seats.open))
        self._check_version(table, version)
        table.seats = Seats(table.seats.keys, table.seats.open, table.seats.undone + 1)
        self._write_seats(table)
        table.problem = ""
        table.sitting.back_to(decisions)
        self._write_game(table)
        table.changed()
        self._let_computers_move(table)

    async def hint(self, table: Table, seat: int, name: str) -> tuple[int, list[Hint]]:
        """What a named player would do at a seat whose turn it is."""
        game = table.sitting.game
        if name not in self.computers(game):
            raise ValueError(f"no player {name!r} here, allowed are {', '.join(self.computers(game))}")
        if seat != table.sitting.to_move:
            raise ConflictError("it is not your turn")
        position = table.sitting.state.clone()
        return await self.aside(lambda: hints(position, seat, agent(game, name, 0)))

    def _check_version(self, table: Table, version: str) -> None:
        if version != table.version:
            raise ConflictError("the table has changed since: look at it again")

    # --- Computers -----------------------------------------------------------------------------------------------------------

    def _let_computers_move(self, table: Table) -> None:
        if table.thinking is None and table.sitting.asked() is not None:
            table.thinking = asyncio.get_running_loop().create_task(self._think(table))

    async def _think(self, table: Table) -> None:
        """Ask computers as long as it is their turn; one at a time, so that a player never thinks about two positions at once."""
        try:
            while (asked := table.sitting.asked()) is not None:
                version, seat = table.version, table.sitting.to_move
                action = await self.aside(act, *asked)
                if version == table.version and seat is not None:
                    self._decide(table, seat, action)
        except Exception as error:  # whatever a player by a third party does, the table says so and lives on
            table.problem = f"{type(error).__name__}: {error}"
            table.changed()
        finally:
            table.thinking = None

    # --- Files ---------------------------------------------------------------------------------------------------------------

    def _game_file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _seats_file(self, name: str) -> Path:
        return self.folder / f"{name}.seats.json"

    def _write_game(self, table: Table) -> None:
        table.sitting.replay().save(self._game_file(table.name))

    def _write_seats(self, table: Table) -> None:
        write_whole(self._seats_file(table.name), json.dumps(asdict(table.seats)))


def rehearse(sitting: Sitting) -> None:
    """Use once everything that a table uses."""
    state = sitting.state.clone()
    for seat in range(sitting.game.num_players):
        state.determinize(seat, seed=0)
        state.to_svg(seat)
    if not state.is_terminal():
        for computer in sitting.agents.values():
            act(computer, state)
        state.moves_of(state.legal_actions()[0])
    sitting.replay()


def named_game(name: Any, num_players: Any, options: dict[str, str]) -> Game:
    """The game at its table; ValueError says what is wrong."""
    try:
        return make_game(name, num_players, **options)
    except TypeError as error:
        raise ValueError(str(error)) from None
