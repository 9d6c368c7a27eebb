"""Many positions at once, seats turned round, and what one player may know of a position: for tests of all that is observed."""

from __future__ import annotations

import os
from functools import lru_cache

import numpy as np

from mastaba import Game
from mastaba.baselines.agents import agent
from mastaba.envs.core.declare.schema import NOBODY, OWNER
from mastaba.envs.core.kernel.masks import new_masks
from mastaba.testing.walks import styles

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "exhaustive"  # the long run of the whole suite
LANES = 32
POOL = 3_000


def crowd(game: Game, count: int, seed: int = 0) -> np.ndarray:
    """`count` positions from games of every style of play, beginnings and ends among them."""
    return _pool(game, max(count, POOL), seed)[:count].copy()


@lru_cache(maxsize=4)
def _pool(game: Game, count: int, seed: int) -> np.ndarray:
    """Shared by the tests of a table."""
    ways = styles(game)
    found = np.concatenate([_of_style(game, style, -(-count // len(ways)), seed + i) for i, style in enumerate(ways)])
    return found[np.random.default_rng(seed).permutation(len(found))]


def _of_style(game: Game, style: str, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    name = style.removeprefix("mixed ")
    player = None if style == "random" else agent(game, name, seed)
    found: list[np.ndarray] = []
    while sum(map(len, found)) < count:
        states, (masks, _) = game.new_states(LANES), new_masks(LANES, game.num_actions)
        game.kernels.reset(
            states, game.template, rng.integers(2**32, size=LANES).astype(np.uint64), np.zeros(LANES, np.uint64), masks
        )
        while True:
            found.append(states.copy())
            if states["over"].all():
                break
            actions = (masks * rng.random(masks.shape)).argmax(1)
            if player is not None:
                by_chance = np.zeros(LANES, bool) if style == name else rng.random(LANES) < 0.5
                actions = np.where(by_chance, actions, player.choose(states, masks))
            game.kernels.apply(states, actions, masks)
    everything = np.concatenate(found)
    return everything[rng.permutation(len(everything))[:count]]


def successors(game: Game, states: np.ndarray) -> np.ndarray:
    """The positions after every legal action of every position."""
    masks = game.legal_of(states)
    which, actions = np.nonzero(masks)
    after = states[which]
    game.kernels.apply(after, actions, np.zeros((len(after), masks.shape[1]), masks.dtype))
    return after


def observers(states: np.ndarray) -> np.ndarray:
    """The players to act; in finished games seat 0."""
    return np.maximum(states["current_player"], 0).astype(np.int64)


# --- Seats turned round ------------------------------------------------------------------------------------------------------

# Fields that hold seats inside numbers of another kind.
PLACES_OF_PYRAMIDS = (3, 8, 13, 18, 23)  # pyramid, obelisk, hand, candidate, tomb of seat 0, then of the others


def _turned_places(values: np.ndarray, by: np.ndarray, n: int) -> np.ndarray:
    turned = values.copy()
    for first in PLACES_OF_PYRAMIDS:
        inside = (values >= first) & (values < first + n)
        turned = np.where(inside, first + (values.astype(np.int64) - first - by) % n, turned)
    return turned


def _turned_tiles(values: np.ndarray, by: np.ndarray, n: int) -> np.ndarray:
    return np.where(values >= 1, 1 + (values.astype(np.int64) - 1 - by) % n, values)


def _turned_queue(values: np.ndarray, by: np.ndarray, n: int) -> np.ndarray:
    return (values // 16 - by) % n * 16 + values % 16


SEATS_INSIDE = {
    ("pyramids", "public_place"): _turned_places,
    ("pyramidice", "tile_place"): _turned_tiles,
    ("pyramidice", "queue"): _turned_queue,
}


def turned(game: Game, states: np.ndarray, by: np.ndarray) -> np.ndarray:
    """The same positions with seat by[i] of state i called seat 0, and so on clockwise. Derived fields follow."""
    n, other = game.rules.schema.seats_at(game.num_players), states.copy()
    for f in game.rules.schema:
        values = states[f.name]
        shift = by.reshape(-1, *[1] * (values.ndim - 1))
        if (game.name, f.name) in SEATS_INSIDE:
            waiting = np.arange(values.shape[1]) < states["queue_length"][:, None] if f.name == "queue" else True
            other[f.name] = np.where(waiting, SEATS_INSIDE[game.name, f.name](values, shift, n), values)
        elif f.kind == "seat":
            there = (values >= 0) & (values < n)
            other[f.name] = np.where(there, (values.astype(np.int64) - shift) % n, values)
        if f.per_seat:
            seats = (np.arange(n) + by[:, None]) % n
            rows = np.arange(len(states))[:, None]
            other[f.name][:, :n] = other[f.name][rows, seats] if f.kind == "seat" else values[rows, seats]
    game.kernels.derive(other)
    return other


def known(game: Game, states: np.ndarray, seats: np.ndarray, without: set[str]) -> dict[str, np.ndarray]:
    """All that seats[i] may know of state i, seats counted from it: a block of bytes per state and field."""
    seen = turned(game, states, seats)
    values = {}
    for f in game.rules.schema:
        if f.sees == NOBODY or f.derived or f.name in without:
            continue
        rows = seen[f.name][:, 0] if f.sees == OWNER else seen[f.name][:, : game.num_players] if f.per_seat else seen[f.name]
        values[f.name] = np.ascontiguousarray(rows).reshape(len(states), -1)
    return values
