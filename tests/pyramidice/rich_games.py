"""Games played from rich positions, in which rare things happen soon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from mastaba import State
from mastaba.envs.pyramidice.components import (
    END_FAME,
    ENNEAD_FAME,
    GODS,
    NUM_ENNEAD,
    PAIRS,
    PARTNER,
    PROJECTS,
    SCARABS,
    STONE_DICE,
    TILES,
)

import lockstep
from pyramidice.by_hand import (
    SEATS,
    position,
    set_of,
)


def rich_start(players: int, architect: str | None, rng: np.random.Generator) -> State:
    """A position in the middle of a game, with many Gods about, where rare things happen soon."""
    cards = list(rng.permutation(GODS))
    gods = {p: [str(cards.pop()) for _ in range(rng.integers(1, 5))] for p in range(players)}
    row = " ".join(str(cards.pop()) for _ in range(3))
    scarabs = dict(enumerate(str(x) for x in rng.permutation(SCARABS)[:players]))
    filled = range(int(rng.choice([0, 4, 9, 11, 13], p=[0.3, 0.2, 0.2, 0.15, 0.15])))
    pyramid = {i: int(rng.integers(1, 7)) for i in filled}
    if players >= 3 and len(filled) <= 9 and rng.random() < 0.5:
        pyramid |= {i: int(rng.integers(1, 7)) for i in range(14, 18)}
    boards = {p: f"{rng.integers(1, 5)}/{rng.integers(0, 3)}/0" for p in range(players)}
    stone = int(STONE_DICE[players]) - len(pyramid)
    boards[0] = str(rng.choice(["8/0/0", "6/1/0", "5/2/0", "3/2/0"]))
    projects = [str(x) for x in rng.permutation(PROJECTS)]
    chosen = projects[1 : 4 if architect == "Amenhotep" else 3]
    more: dict[str, Any] = {"architect_projects": [*chosen, None][:3]} if players == 1 else {}
    return position(
        players,
        architect=architect,
        board=boards,
        gods=gods,
        row=row,
        pyramid=pyramid,
        scarabs=scarabs,
        available=" ".join(rng.permutation(TILES)),
        quarry=int(rng.integers(0, stone)) if stone > 1 else stone - 1,
        fame={p: int(rng.integers(0, 9)) for p in range(players)},
        rng=int(rng.integers(2**62)),
        project=[projects[p] if p < players else None for p in range(SEATS)] if players > 1 else [projects[0], None, None, None],
        **more,
    )


def busy(state: State, rng: np.random.Generator) -> int:
    """Random, but slow to end a turn, to replace Gods or to sell dice, and fond of what is rare."""
    names = [state.action_to_string(a) for a in state.legal_actions()]
    weight = np.array([RARENESS.get(name, RARENESS.get(name.split()[0], 1.0)) for name in names])
    return int(rng.choice(state.legal_actions(), p=weight / weight.sum()))


RARENESS = {
    "end": 0.05, "replace": 0.1, "fame": 0.1, "reroll": 0.5, "roll": 2.0,
    "use": 5.0, "worship": 5.0, "copy": 5.0, "build": 3.0, "work": 3.0, "dice S9": 20.0,
}  # fmt: skip


def walk(start: State, rng: np.random.Generator, choose: lockstep.Choose = busy) -> Iterator[tuple[State, str, State]]:
    state = start.clone()
    while not state.is_terminal():
        before, action = state.clone(), choose(state, rng)
        state.apply_action(action)
        yield before, state.action_to_string(action), state


seeds = st.integers(0, 2**32 - 1)


def god_count(record: np.void, p: int) -> int:
    ennead = set_of(record["gods"][p]) & set(GODS[:NUM_ENNEAD])
    return len(set_of(record["gods"][p]) - ennead) + bool(ennead)


def units(record: np.void) -> int:
    t = int(record["turn_player"])
    gold = SCARABS.index("Gold")
    return int(record["resources"][t][:2].sum() + (record["scarab"][t] == gold and not record["gold_used"]))


def holders(record: np.void, t: int) -> set[str]:
    """Gods whose powers seat t has in its Work turn."""
    return set_of(record["gods"][t]) | {GODS[i] for i in [record["copied"]] if i >= 0}


def by_hand(d: dict[str, Any], p: int, projects: list[int]) -> int:
    owned = [GODS.index(g) for g in d["gods"][p]]
    ennead = [g for g in owned if g < NUM_ENNEAD]
    values = d["pyramid"]
    pairs = sum(values[a] and values[b] and PARTNER[x, values[a]] == values[b] for x in projects for a, b in PAIRS.tolist())
    gods = len(owned) - len(ennead) + bool(ennead)
    scarab = {"Quartz": sum(d["resources"][p]), "Obsidian": 2 * gods}.get(d["scarab"][p], 0)
    return d["fame"][p] + sum(int(END_FAME[g]) for g in owned) + int(ENNEAD_FAME[len(ennead)]) + scarab + 2 * pairs
