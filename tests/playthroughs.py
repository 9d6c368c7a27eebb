"""Golden playthroughs: one readable file per game and table size. `python tests/playthroughs.py` writes them anew.

A change of rules, chance order, actions, observations or drawing shows up as a difference in these files, which are read by people.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np

import mastaba
from mastaba.envs.core.game import Game
from mastaba.envs.registry import rules

FOLDER = Path(__file__).parent / "golden"
SEED = 2026
BOARDS = 4  # drawn on the way, besides the last
TABLES = [(name, n) for name in mastaba.GAMES for n in rules(name).players]


def path_of(name: str, players: int) -> Path:
    return FOLDER / f"{name}_{players}p.txt"


def playthrough(game: Game) -> str:
    """A uniformly random game: every action by its notation, some boards, and a digest of all records and observations."""
    state = game.new_initial_state(seed=SEED)
    rng = np.random.Generator(np.random.PCG64(SEED))
    lines = [f"{game.rules.versioned_name}, {game.num_players} players, seed {SEED}", ""]
    records, observations = hashlib.sha256(), hashlib.sha256()
    history: list[tuple[int, str, str]] = []
    boards = [str(state)]
    while not state.is_terminal():
        records.update(state.serialize())
        observations.update(state.observation().tobytes())
        legal = state.legal_actions()
        action = legal[int(rng.random() * len(legal))]
        history.append((state.current_player(), state.phase(), state.action_to_string(action)))
        state.apply_action(action)
        boards.append(str(state))
    shown = {round(i * (len(boards) - 1) / BOARDS) for i in range(BOARDS + 1)}
    for i, board in enumerate(boards):
        if i in shown:
            lines += ["", *(line.rstrip() for line in board.splitlines()), ""]
        if i < len(history):
            player, phase, action = history[i]
            lines.append(f"{i:4d}  player {player}  {phase:<12} {action}")
    lines += [
        f"scores    {state.scores()}",
        f"standings {state.standings()}",
        f"decisions {len(history)}",
        f"records      sha256 {records.hexdigest()}",
        f"observations sha256 {observations.hexdigest()}",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or list(mastaba.GAMES)
    for name, players in TABLES:
        if name in wanted:
            path_of(name, players).write_text(playthrough(mastaba.game(name, num_players=players)), encoding="utf-8")
            print(f"wrote {path_of(name, players).name}")


if __name__ == "__main__":
    main()
