"""What a browser is told: of the games there are, and of a table as one seat may know it. Everything that a seat ever gets is made
here, from the public part of the game and the seat's own."""

from __future__ import annotations

from typing import Any

from ..envs.core.game import Game
from ..envs.replay import Replay
from ..playing import Hint, Sitting, by_kind
from .tables import Table

__all__ = ["game_told", "hints_told", "past_told", "replay_told", "table_told"]


def game_told(game: Game, computers: list[str]) -> dict[str, Any]:
    """For who chooses a table."""
    rules = game.rules
    options = {
        name: {"doc": o.doc, "values": o.values, "default": o.default, "players": o.players or rules.players}
        for name, o in rules.options.items()
    }
    return {
        "name": rules.name,
        "title": rules.title,
        "players": rules.players,
        "default_players": rules.default_players,
        "options": options,
        "computers": computers,
    }


def table_told(table: Table, seat: int, computers: list[str], *, dark: bool = False) -> dict[str, Any]:
    """The table as a seat sees it: picture, own moves, log in words; at the end everything is open."""
    sitting = table.sitting
    over = sitting.to_move is None
    return {
        "table": table.name,
        "title": sitting.game.rules.title,
        "seat": seat,
        "players": sitting.players,
        "version": table.version,
        "decisions": len(sitting.actions),
        "to_move": sitting.to_move,
        "your_turn": sitting.to_move == seat,
        "over": over,
        "open": table.seats.open,
        "problem": table.problem,
        "svg": sitting.state.to_svg(None if over else seat, dark=dark),
        "moves": _moves(sitting) if sitting.to_move == seat else [],
        "log": _log(sitting, seat),
        "result": _result(sitting) if over else None,
        "advisers": computers,
    }


def _moves(sitting: Sitting) -> list[dict[str, Any]]:
    write = sitting.game.action_to_string
    return [
        {"meaning": words, "actions": [write(action) for action in actions]} for words, actions in by_kind(sitting.state).items()
    ]


def _log(sitting: Sitting, seat: int) -> list[dict[str, Any]]:
    """The moves in words; `at` is the number of decisions after each."""
    told, at = [], 0
    for move in sitting.moves:
        at += not move.forced
        told.append({"seat": move.seat, "forced": move.forced, "words": sitting.words(move, seat), "at": at})
    return told


def _result(sitting: Sitting) -> list[dict[str, Any]]:
    state = sitting.state
    return [
        {"score": score, "place": rank + 1, "parts": parts}
        for score, rank, parts in zip(state.scores(), state.standings(), state.breakdown(), strict=True)
    ]


def past_told(table: Table, seat: int, decisions: int, *, dark: bool = False) -> dict[str, Any]:
    """How the table looked to a seat after so many decisions."""
    if not 0 <= decisions <= len(table.sitting.actions):
        raise ValueError(f"there is no move {decisions}, moves are 0..{len(table.sitting.actions)}")
    observer = None if table.sitting.to_move is None else seat
    return {"at": decisions, "svg": table.sitting.at(decisions).to_svg(observer, legal=False, dark=dark)}


def hints_told(table: Table, choice: int, found: list[Hint]) -> dict[str, Any]:
    write = table.sitting.game.action_to_string
    return {
        "choice": write(choice),
        "moves": [{"action": write(hint.action), "wins": hint.wins, "points": hint.points} for hint in found],
    }


def replay_told(replay: Replay) -> dict[str, Any]:
    """For who wants to play on: the table, and how far the game goes."""
    return {
        "game": replay.game,
        "num_players": replay.num_players,
        "options": replay.options,
        "players": replay.players,
        "decisions": len(replay.actions),
        "finished": replay.finished,
    }
