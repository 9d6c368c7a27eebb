"""Golden refusals: positions of the golden games with some fields changed, and for which field each is refused, or that it is not.

`python tests/refusals.py` writes the files anew, `python tests/refusals.py giza` that of one game. A change of what a game accepts
shows up as a difference in these files, line by line, for people to judge.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import mastaba
from mastaba import Game, State
from mastaba.envs.registry import rules
from mastaba.testing.fuzz import mutate, transplant

from playthroughs import FOLDER, PLAYERS, SEED, chooser

LINES = 1600  # in the file of a game
SOURCES = 8  # positions of each phase of a golden game that are changed


def path_of(name: str) -> Path:
    return FOLDER / name / "golden" / "refused.txt"


def refusals(name: str) -> str:
    tables = [(n, player) for n in rules(name).players for player in PLAYERS]
    return "".join(f"{line}\n" for n, player in tables for line in _refused_of(mastaba.game(name, n), player, LINES // len(tables)))


def _refused_of(game: Game, player: str, count: int) -> Iterator[str]:
    yield f"{game.rules.versioned_name}, {game.num_players} players, seed {SEED}, played by {player}"
    states = _golden_states(game, player)
    rng = np.random.Generator(np.random.PCG64(SEED))
    for number in range(count):
        state, donor = (states[int(rng.random() * len(states))] for _ in range(2))
        values = state.to_dict()
        changed = transplant(game, values, donor.to_dict(), rng) if number % 2 else mutate(game, values, rng)
        fields = [field for field in values if changed[field] is not values[field]]
        decision = int(state.record["decisions"][0])
        yield f"{number:4d}  decision {decision:3d}  {', '.join(fields) or 'nothing'}: {_verdict(game, changed)}"


def _golden_states(game: Game, player: str) -> list[State]:
    state, choose = game.new_initial_state(seed=SEED), chooser(game, player)
    path = [state.clone()]
    while not state.is_terminal():
        state.apply_action(choose(state))
        path.append(state.clone())
    by_phase = {phase: [s for s in path if s.phase() == phase] for phase in game.phase_names}
    return [s for states in by_phase.values() for s in states[:: max(1, len(states) // SOURCES)][:SOURCES]]


def _verdict(game: Game, values: dict[str, object]) -> str:
    try:
        game.from_dict(values)
    except ValueError as error:
        return f"refused for {str(error).partition(':')[0]}"
    return "accepted"


def main() -> None:
    for name in sys.argv[1:] or mastaba.GAMES:
        path_of(name).write_text(refusals(name), encoding="utf-8")
        print(f"wrote {path_of(name).relative_to(FOLDER)}")


if __name__ == "__main__":
    main()
