"""Positions of Cheops written by hand, and games to look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

import mastaba
from mastaba import Game, State
from mastaba.envs.cheops.components import BONUSES, COLOURS, LETTERS

PLAYERS = (2, 3, 4, 5)
SEATS = 5
SHEET_FIELDS = ("pyramid", "left", "right", "keystone", "mosaic", "mark", "quarry", "jokers", "bonuses")
ALL_BUT_TOP = range(14)
WHOLE = range(15)
CELLS = range(12)
HORIZONTAL = ["M0-1", "M1-2", "M2-3", "M4-5", "M5-6", "M6-7", "M8-9", "M9-10", "M10-11"]
VERTICAL = ["M0-4", "M1-5", "M2-6", "M3-7", "M4-8", "M5-9", "M6-10", "M7-11"]
DOMINO_NAMES = [*HORIZONTAL, *VERTICAL]


def cheops(players: int, **options: str) -> Game:
    return mastaba.game("cheops", num_players=players, **options)


def counts(letters: str) -> list[int]:
    return [letters.count(letter) for letter in LETTERS]


def position(
    roll: str,
    *,
    players: int = 3,
    round: int = 0,
    turn: int = 0,
    blocked: str = "",
    dated: dict[str, int] | list[int] | None = None,
    **seats: dict[str, Any],
) -> State:
    """A table with sheets A, B, C, ... at the beginning of a turn. `seat0={"pyramid": [0, 1], "jokers": 1}` fills a sheet; `dated`
    are the rounds of the bonuses, round 0 if not given."""
    values = cheops(players, sheets="in order").new_initial_state(seed=0).to_dict()
    pool = [a - b for a, b in zip(counts(roll), counts(blocked), strict=True)]
    values |= {
        "round": round,
        "turn": turn,
        "active_player": round % players,
        "current_player": (round + turn) % players,
        "roll": [COLOURS[LETTERS.index(letter)] for letter in roll] + [None] * (4 - len(roll)),
        "pool": pool,
        "dice": pool,
    }
    for seat, sheet in seats.items():
        p = int(seat.removeprefix("seat"))
        for field, value in sheet.items():
            values[field][p] = [f"{field[0]}{i}" for i in value] if field in ("pyramid", "mosaic", "quarry") else value
        values["mark"][p] = max(sheet.get("quarry", ()), default=None)
    if isinstance(dated, list):
        values["bonus_round"] = [None if r < 0 else r for r in dated]
    else:
        held = {b for bonuses in values["bonuses"] for b in bonuses}
        values["bonus_round"] = [(dated or {}).get(b, 0) if b in held else None for b in BONUSES[:8]]
    return cheops(players, sheets="in order").from_dict(values)


def play(state: State, *moves: str) -> State:
    for move in moves:
        state.apply_action(state.game.string_to_action(move))
    return state


def legal(state: State) -> list[str]:
    return [state.action_to_string(a) for a in state.legal_actions()]


def dice_of(state: State, field: str) -> str:
    return "".join(letter * n for letter, n in zip(LETTERS, state.to_dict()[field], strict=True))


def owed(state: State) -> list[str]:
    return [colour for colour in state.to_dict()["owed"] if colour]


def of(state: State, p: int, field: str) -> Any:
    return state.to_dict()[field][p]


seeds = st.integers(0, 2**32)
tables = st.sampled_from(PLAYERS)


def random_game(players: int, seed: int) -> Iterator[tuple[State, str, State]]:
    """Every step of a random game: position, action, position after it and the forced moves."""
    state = cheops(players).new_initial_state(seed=seed)
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        before = state.clone()
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        yield before, state.action_to_string(action), state.clone()
