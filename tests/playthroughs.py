"""Golden playthroughs: readable files per game and table size, one played at random and one by the rule-based player.

`python tests/playthroughs.py` writes them anew, `python tests/playthroughs.py giza` those of one game.

A change of rules, chance order, actions, observations or drawing shows up as a difference in these files, which are read by people.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mastaba
from mastaba import Game, State
from mastaba.baselines.agents import act, agent
from mastaba.envs.registry import rules

FOLDER = Path(__file__).parent
SEED = 2026
BOARDS = 4  # drawn on the way, besides the last
TABLES = [(name, n) for name in mastaba.GAMES for n in rules(name).players]
PLAYERS = ("random", "greedy")  # random play alone never gets to see half of a game's rules


def path_of(name: str, players: int, player: str = "random") -> Path:
    return FOLDER / name / "golden" / (f"{players}p.txt" if player == "random" else f"{players}p_{player}.txt")


def chooser(game: Game, player: str) -> Callable[[State], int]:
    if player != "random":
        named = agent(game, player, SEED)
        return lambda state: act(named, state)
    rng = np.random.Generator(np.random.PCG64(SEED))

    def choose(state: State) -> int:
        legal = state.legal_actions()
        return legal[int(rng.random() * len(legal))]

    return choose


def playthrough(game: Game, player: str = "random") -> str:
    """One player in all seats: every action by its notation, some boards, and a digest of all records and observations."""
    state = game.new_initial_state(seed=SEED)
    choose = chooser(game, player)
    by = "" if player == "random" else f", played by {player}"
    lines = [f"{game.rules.versioned_name}, {game.num_players} players, seed {SEED}{by}", ""]
    records, observations = hashlib.sha256(), hashlib.sha256()
    history: list[tuple[int, str, str]] = []
    boards = [str(state)]
    while not state.is_terminal():
        records.update(state.serialize())
        observations.update(state.observation().tobytes())
        action = choose(state)
        history.append((state.current_player(), state.phase(), state.action_to_string(action)))
        state.apply_action(action)
        boards.append(str(state))
    shown = {round(i * (len(boards) - 1) / BOARDS) for i in range(BOARDS + 1)}
    for i, board in enumerate(boards):
        if i in shown:
            lines += ["", *(line.rstrip() for line in board.splitlines()), ""]
        if i < len(history):
            seat, phase, notation = history[i]
            lines.append(f"{i:4d}  player {seat}  {phase:<12} {notation}")
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
    wanted = sys.argv[1:] or list(mastaba.GAMES)
    for name, players in TABLES:
        for player in PLAYERS if name in wanted else ():
            path = path_of(name, players, player)
            path.write_text(playthrough(mastaba.game(name, num_players=players), player), encoding="utf-8")
            print(f"wrote {path.relative_to(FOLDER)}")


if __name__ == "__main__":
    main()
