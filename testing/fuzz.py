"""Positions that may be none: mutated dictionaries and bytes. What is accepted must be playable to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..baselines.agents import act, agent
from ..envs.core.declare.schema import Field
from ..envs.core.game import Game
from ..envs.core.observing import encoder_names
from ..envs.core.positions import findings
from ..envs.core.state import State

__all__ = ["byte_mutants", "dict_mutants", "mutate", "play_out", "transplant", "try_mutant"]


class Hostile:
    """An object that cannot even be looked at."""

    def _refuse(self, *given: object) -> Any:
        raise RuntimeError("nobody looks at this")

    __repr__ = __str__ = __index__ = __int__ = __len__ = __iter__ = __eq__ = _refuse
    __hash__ = None  # type: ignore[assignment]


# What no field takes.
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 255, 2**70, 10**5000, 1.5, float("nan"), 1j),
    *("", "isis", b"x", [], [[]], {}, {1}, object(), Hostile(), [Hostile()], np.zeros(2)),
)


def mutate(game: Game, values: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A dictionary of a position with one to three of its values changed, mostly to others that their fields allow."""
    mutant = dict(values)
    fields = [f for f in game.rules.schema if not f.derived]
    for _ in range(rng.integers(1, 4)):
        f = fields[rng.integers(len(fields))]
        if rng.random() < 0.03:
            mutant[f.name] = STRANGE[rng.integers(len(STRANGE))]
        else:
            mutant[f.name] = _changed(f, mutant[f.name], game.rules.schema.seats, rng)
    return mutant


def _changed(f: Field, value: Any, seats: int, rng: np.random.Generator) -> Any:
    """Another value in one place, or two places swapped."""
    if not isinstance(value, list) or (f.kind == "bits" and all(isinstance(v, str) for v in value) and not f.full_shape(seats)):
        return _another(f, value, seats, rng)
    if not value:
        return value
    changed, i = list(value), int(rng.integers(len(value)))
    if rng.random() < 0.25:
        j = int(rng.integers(len(value)))
        changed[i], changed[j] = changed[j], changed[i]
    else:
        inner = f if not f.full_shape(seats) else _without_axis(f)
        changed[i] = _changed(inner, value[i], seats, rng)
    return changed


def _without_axis(f: Field) -> Field:
    return replace(f, per_seat=False, sees="everybody") if f.per_seat else replace(f, shape=f.shape[1:])


def _another(f: Field, value: Any, seats: int, rng: np.random.Generator) -> Any:
    if f.empty is not None and rng.random() < 0.2:
        return None
    if f.kind == "flag":
        return value is not True
    if f.kind == "choice":
        return f.names[rng.integers(len(f.names))]
    if f.kind == "seat":
        return int(rng.integers(seats))
    if f.kind == "bits":
        return [name for name in f.names if rng.random() < 0.4]
    near = isinstance(value, int) and rng.random() < 0.6
    if near:
        return int(min(f.high, max(f.low, value + int(rng.integers(-2, 3)))))
    high = min(f.high, 2**63 - 1)
    return int(rng.integers(f.low, high, endpoint=True))


def transplant(game: Game, values: dict[str, Any], donor: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """One to four fields of another position of the same game: what is pending there, without what it is pending for."""
    fields = [f.name for f in game.rules.schema if not f.derived and values[f.name] != donor[f.name]]
    taken = rng.choice(fields, min(len(fields), int(rng.integers(1, 5))), replace=False) if fields else ()
    return {**values, **{str(name): donor[str(name)] for name in taken}}


def dict_mutants(states: list[State], count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """`count` dictionaries of the given positions: three in four mutated, the others with fields of another one."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        state, donor = (states[i] for i in rng.integers(len(states), size=2))
        if rng.random() < 0.75:
            yield mutate(state.game, state.to_dict(), rng)
        else:
            yield transplant(state.game, state.to_dict(), donor.to_dict(), rng)


def byte_mutants(states: list[State], count: int, seed: int = 0) -> Iterator[bytes]:
    """`count` serialized positions with one to four bits flipped, or cut, or grown."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        data = bytearray(states[rng.integers(len(states))].serialize())
        for _ in range(rng.integers(1, 5)):
            data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        if rng.random() < 0.02:
            data = data[: rng.integers(len(data))] if rng.random() < 0.5 else data + b"\0"
        yield bytes(data)


def try_mutant(game: Game, mutant: dict[str, Any] | bytes, seed: int = 0, every: int = 1) -> tuple[bool, str | None]:
    """Whether a mutant is accepted, and what is wrong with that: an exception of another kind, or a position that breaks."""
    fields = {f.name for f in game.rules.schema} | {"data", "values"}
    try:
        state = game.deserialize(mutant) if isinstance(mutant, bytes) else game.from_dict(mutant)
    except ValueError as error:
        named = str(error).partition(":")[0] in fields
        return False, None if named else f"the refusal names no field: {error}"
    except Exception as error:
        return False, f"refused with {type(error).__name__} instead of a ValueError: {error}"
    return True, play_out(state, seed, every=every)


def play_out(state: State, seed: int = 0, most: int = 3000, every: int = 1) -> str | None:
    """Play a position to the end at random, looking at it in every way; say what breaks.

    After the first decisions, which what was wrong with it would meet, it is looked at after `every` so many.
    """
    rng = np.random.default_rng(seed)
    game = state.game
    start = state.to_dict()
    try:
        _look_at(state, seed, picture=seed % every == 0)
        for turn in range(most):
            for player in _observers(turn, game.num_players, 8 * every):
                state.observation(player)
                state.to_text(player)
                game.from_dict(state.determinize(player, seed=turn).to_dict())
            wrong = next(findings(game, state.record), None) if turn < 12 or turn % every == 0 or state.is_terminal() else None
            if wrong is not None:
                return f"after {turn} decisions {wrong[0]}: {wrong[1]}; it began as {start}"
            state.breakdown(), state.standings()
            if state.is_terminal():
                return None
            legal = state.legal_actions()
            if not legal:
                return f"nothing is legal after {turn} decisions in phase {state.phase()!r}; it began as {start}"
            state.apply_action(int(rng.choice(legal)))
    except Exception as error:
        return f"{type(error).__name__}: {error}; it began as {start}"
    return f"no end after {most} decisions; it began as {start}"


def _observers(turn: int, players: int, every: int) -> range:
    """Who looks at a position on the way: everybody at first, then one player in turn, after `every` so many."""
    if turn == 0:
        return range(players)
    seat = turn // every % players
    return range(seat, seat + (turn % every == 0))


def _look_at(state: State, seed: int, picture: bool) -> None:
    """Every kernel that reads a position reads this one: all encoders, all rule-based players; it may be drawn as a picture too."""
    for player in range(state.game.num_players):
        for name in encoder_names():
            state.observation(player, name)
    if picture:
        state.to_svg(seed // 8 % state.game.num_players)
    for name in state.game.rules.named_policies if not state.is_terminal() else ():
        if act(agent(state.game, name, seed), state) not in state.legal_actions():
            raise AssertionError(f"{name} chooses an illegal action")
