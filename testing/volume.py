"""Much of the same: thousands of mutants, millions of decisions, at every table and with every option of a game.

`mastaba fuzz GAME` is its command; what it counts is told beside what it finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

import numpy as np

from ..envs.core.game import Game
from ..envs.core.kernel.masks import new_masks
from ..envs.core.rules import Rules
from ..envs.core.state import State
from .checks import wrong_mask
from .fuzz import byte_mutants, dict_mutants, try_mutant
from .walks import positions

__all__ = ["Tally", "long_play", "many_mutants", "tables"]

SOURCES = 96  # positions that mutants are made of ...
FRESH = 1000  # ... until so many are made: then others, of other games
THIN = 8  # a mutant that plays on is looked at in its first decisions, then in one of so many
LANES = 64
MOST_STEPS = 400  # between two looks at a lane, drawn anew each time


@dataclass
class Tally:
    """What was tried, and what came of it."""

    tried: int = 0
    accepted: int = 0
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.tried:,} tried, {self.accepted:,} accepted, {len(self.findings)} findings"


def tables(rules: Rules, players: Iterable[int] = ()) -> list[Game]:
    """The game at every table, or at those of some `players`, once with every choice of its options."""
    return [
        Game(rules, n, **dict(zip(options, chosen, strict=True)))
        for n in players or rules.players
        for options in [{k: o.values for k, o in rules.options.items() if not o.players or n in o.players}]
        for chosen in product(*options.values())
    ]


def many_mutants(game: Game, dictionaries: int, byte_strings: int, seed: int = 0) -> tuple[Tally, Tally]:
    """Try so many mutated dictionaries, and so many byte strings with flipped bits, of ever other positions."""
    tallies = Tally(), Tally()
    for tally, mutants in zip(tallies, _streams(game, seed), strict=True):
        for number, mutant in enumerate(islice(mutants, dictionaries if tally is tallies[0] else byte_strings)):
            accepted, wrong = try_mutant(game, mutant, seed + number, THIN)
            tally.tried += 1
            tally.accepted += accepted
            tally.findings += [] if wrong is None else [f"mutant {number}: {wrong}"]
    return tallies


def _streams(game: Game, seed: int) -> tuple[Iterator[Any], Iterator[Any]]:
    def endless(make: Any) -> Iterator[Any]:
        number = seed
        while True:
            yield from make(positions(game, SOURCES, 100 * number), FRESH, number)
            number += 1

    return endless(dict_mutants), endless(byte_mutants)


def long_play(game: Game, decisions: int, seed: int = 0) -> Tally:
    """Random play in many lanes, a new game whenever one ends; every few hundred decisions a lane is looked at.

    `tried` are decisions, `accepted` the positions that were looked at.
    """
    states, (masks, _) = game.new_states(LANES), new_masks(LANES, game.num_actions)
    seeds = np.arange(seed, seed + LANES, dtype=np.uint64)
    episodes, counters = np.zeros(LANES, np.uint64), seeds * np.uint64(2**32 + 1)
    game.kernels.reset(states, game.template, seeds, episodes, masks)
    rng, tally = np.random.default_rng(seed), Tally()
    while tally.tried < decisions:
        steps = int(rng.integers(1, MOST_STEPS))
        game.kernels.playout(states, game.template, seeds, episodes, counters, masks, steps)
        tally.tried += LANES * steps
        for lane in range(LANES):
            state = State(game, states[lane : lane + 1], masks[lane : lane + 1])
            tally.accepted += 1
            tally.findings += [f"seed {seeds[lane]}, game {episodes[lane]}: {words}" for words in wrong_mask(state)]
    return tally
