"""What a search thinks of a position, for people to read."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from ...envs.core.state import State
from ...envs.replay.file import Replay
from ..agents import agent
from .players import Analysis, SearchAgent

__all__ = ["analyse", "position_of", "table_of"]

LINE = 6  # moves of the expected line that are shown


def position_of(replay: Replay, game: str, move: int | None) -> tuple[State, str]:
    """The position in which a move of a replay was made, and that move."""
    if replay.game != game:
        raise ValueError(f"this is a game of {replay.game}, not of {game}")
    last = len(replay.actions)
    number = last if move is None else move
    if not 1 <= number <= last:
        raise ValueError(f"there is no move {number}, moves are 1..{last}")
    for made, state in enumerate(replay.states(), start=1):
        if made == number:
            return state, replay.actions[number - 1]
    raise AssertionError


def analyse(state: State, name: str, seed: int = 0) -> Analysis:
    """Let a search player think; ValueError if the named one is none."""
    player = agent(state.game, name, seed)
    if not isinstance(player, SearchAgent):
        raise ValueError(f"{name} does not search, allowed are search:BUDGET, rollout:BUDGET, mcts:BUDGET, mc:BUDGET")
    return player.analyse(state)


def table_of(state: State, found: Analysis, name: str, top: int, played: str | None = None) -> Table:
    """The moves from the best, with the mean value of each for every player; what was never tried has none."""
    how = "every line to the end" if found.exact else f"{found.simulations} simulations"
    title = f"player {found.player} to move: {name}, {how}"
    expected = "expected: " + ", ".join(found.principal[:LINE])
    table = Table(title=title, caption=expected, box=SIMPLE_HEAD)
    table.add_column("move", overflow="fold")
    for head in ("visits", *(f"p{p}" for p in range(state.game.num_players)), *(["played"] if played else [])):
        table.add_column(head, justify="right", no_wrap=True)
    for line in found.lines[:top]:
        values = [f"{value:+.3f}" if line.visits else "-" for value in line.values]
        mark = [("yes" if line.notation == played else "")] if played else []
        table.add_row(line.notation, str(line.visits), *values, *mark)
    return table
