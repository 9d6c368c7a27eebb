"""Positions from outside: a dictionary, bytes or a pickle become a state only if they are a position of the game.

What is checked, in this order: every field by its declaration; the table; the game's invariants; what the phase asks of a position;
that something can be decided unless the game is over. ValueError names the field. Only then does a kernel touch the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .declare.phases import Findings
from .kernel.masks import new_masks

if TYPE_CHECKING:
    from .game import Game

__all__ = ["findings", "from_bytes", "from_mapping"]


def from_mapping(game: Game, values: Mapping[str, Any]) -> np.ndarray:
    """The record array (of one) that `State.to_dict` showed."""
    record = game.rules.schema.from_dict(values)
    for field, problem in findings(game, record):
        raise ValueError(f"{field}: {problem}")
    game.kernels.derive(record)
    for field, problem in _playable(game, record):
        raise ValueError(f"{field}: {problem}")
    return record


def from_bytes(game: Game, data: bytes) -> np.ndarray:
    """The record array (of one) that `State.serialize` packed. Derived fields are computed anew."""
    schema = game.rules.schema
    if not isinstance(data, (bytes, bytearray, memoryview)) or len(data) != schema.dtype.itemsize:
        came = f"{len(data)} bytes" if isinstance(data, (bytes, bytearray, memoryview)) else repr(data)[:80]
        raise ValueError(f"data: a state of {game.name} has {schema.dtype.itemsize} bytes, got {came}")
    given = np.frombuffer(data, schema.dtype)
    record = from_mapping(game, schema.to_dict(given[0]))
    for f in schema:
        # A dictionary has no place for a flag of 2, or for a bit that has no name.
        if not f.derived and not np.array_equal(record[f.name], given[f.name]):
            raise ValueError(f"{f.name}: these bytes are not in {f.values()}")
    return record


def findings(game: Game, record: np.ndarray) -> Findings:
    """What is wrong with a position, found without a kernel. Fields are within their declared ranges."""
    s = record[0]
    if s["num_players"] != game.num_players:
        yield "num_players", f"{s['num_players']}, but this game is for {game.num_players}"
        return
    if not 0 <= s["current_player"] < game.num_players and not s["over"]:
        yield "current_player", f"{s['current_player']}, players are 0..{game.num_players - 1}"
        return
    for name, option in game.rules.options.items():
        if name in game.options and s[option.field] != option.values.index(game.options[name]):
            yield option.field, f"{option.values[s[option.field]]!r}, but this game is for {name}={game.options[name]!r}"
            return
    if s["forfeited"]:
        # A forfeit ends the game as it stands: what is left is a position in which the player to act has not acted.
        if not s["over"]:
            yield "forfeited", "a forfeit ends the game, but over is false"
            return
        record = record.copy()
        record["over"] = record["forfeited"] = 0
        s = record[0]
        if not 0 <= s["current_player"] < game.num_players:
            yield "current_player", f"{s['current_player']}, players are 0..{game.num_players - 1}"
            return
    phases = game.rules.phases
    if s["truncated"] and not s["over"]:
        yield "truncated", "a game that was cut off is over"
        return
    if phases is not None and (s["phase"] == len(phases.names) - 1) != bool(s["over"]):
        yield "over", f"{bool(s['over'])} in phase {phases.names[s['phase']]!r}"
        return
    wrong = False
    for finding in game.rules.violations(s):
        wrong = True
        yield finding
    if not wrong and phases is not None and not s["over"]:
        yield from phases.phases[int(s["phase"])].check(s)


def _playable(game: Game, record: np.ndarray) -> Findings:
    """Something can be decided, and it is what the phase may offer."""
    if record["over"][0] and not record["forfeited"][0]:
        return
    tried = record.copy()
    tried["over"] = tried["forfeited"] = 0
    masks, mask = new_masks(1, game.num_actions)
    counts = np.zeros(1, np.int64)
    game.kernels.legal_masks(tried, masks, counts)
    phase = game.rules.schema.by_name["phase"].names[record["phase"][0]]
    if not mask.any():
        yield "phase", f"nothing can be decided in phase {phase!r}"
