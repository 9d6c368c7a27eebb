"""Stones, cards and the geometry of the pyramid are those of the page."""

from __future__ import annotations

from collections import Counter

import numpy as np

from mastaba.envs.master_architect import components, pyramid
from mastaba.envs.master_architect.components import (
    CARDS,
    EXITS,
    LARGE_CELL,
    LARGE_SPACES,
    LARGE_STONES,
    MULTIPLIER,
    OPENINGS,
    PLACES,
    PORTS,
    SARCOPHAGI,
    SMALL_CELL,
    SMALL_SPACES,
    SYMBOL,
    SYMBOLS,
)

from master_architect.boards import CONTACT_TABLE, FACING_TABLE, LARGE_STONE_TABLE, architect, entries


def cell_of(space: str) -> int:
    return int(LARGE_CELL[LARGE_SPACES.index(space)] if space in LARGE_SPACES else SMALL_CELL[SMALL_SPACES.index(space)])


def test_large_stones_are_those_of_the_table():
    shown = [
        f"{LARGE_STONES[i]} {SARCOPHAGI[i]} {'-' if SYMBOL[i] < 0 else SYMBOLS[SYMBOL[i]]} {OPENINGS[i, 0]} {OPENINGS[i, 1]}"
        for i in range(74)
    ]
    assert shown == entries(LARGE_STONE_TABLE)


def test_counts_of_the_pieces():
    assert Counter(SARCOPHAGI.tolist()) == {0: 42, 1: 20, 2: 12}
    assert Counter(SYMBOL[SYMBOL >= 0].tolist()) == dict.fromkeys(range(5), 4)
    assert Counter(name[0] for name in LARGE_STONES) == {"b": 19, "n": 19, "y": 18, "w": 18}
    assert len(components.FULL_BAG) == 72
    assert len(set(CARDS)) == 20
    assert Counter(MULTIPLIER.tolist()) == {1: 9, 2: 5, 3: 1}
    assert EXITS[:, 63].sum() == 10
    assert len(architect().rules.actions) == 80


def test_contacts_are_those_of_the_table():
    touching = {entry.split(":")[0]: entry.split(":")[1].split() for entry in entries(CONTACT_TABLE)}
    assert sum(map(len, touching.values())) == 2 * 61
    for space, neighbours in touching.items():
        assert pyramid.neighbours(cell_of(space)) & components.ALL_CELLS == sum(cell_of(other) for other in neighbours)


def test_openings_face_the_spaces_of_the_table():
    for entry in entries(FACING_TABLE):
        space, multiplier, *facing = entry.split()
        assert MULTIPLIER[LARGE_SPACES.index(space)] == int(multiplier)
        for port, other in enumerate(facing):
            only_this = np.zeros(6, np.int64)
            only_this[port] = cell_of(space)
            ways = pyramid.ways_between(only_this, components.ALL_LARGE_CELLS & ~cell_of(space))
            reached = pyramid.linked(ways, cell_of(space))
            assert reached == (cell_of(other) if other in LARGE_SPACES else 0), f"{space} {PORTS[port]}"


def test_exits_lead_out_at_the_ends_of_a_level():
    for space, (level, pos) in enumerate(PLACES):
        assert EXITS[space, 1 << PORTS.index("W")] == (pos == 1)
        assert EXITS[space, 1 << PORTS.index("E")] == (pos == 6 - level)
        assert EXITS[space, 0b110110] == 0
