"""Machine code for most processors (`mastaba warmup --portable`) against native code: the same results, and at what speed.

`python -m mastaba.benchmarks.portability FOLDER [GAME ...]` runs every kernel of the folder, and native ones in turn, each in a
process of its own, and exits with 1 if they differ anywhere. A release is shipped with portable kernels only after that.
"""

from __future__ import annotations

import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ..baselines.agents import PolicyAgent, policy_names
from ..envs.core.game import Game
from ..envs.core.kernel import portable
from ..envs.faces.vector import Duel, SelfPlay
from ..envs.registry import GAMES
from ..envs.registry import game as make_game
from .measure import cpu_model, installed_version
from .throughput import SEED, random_playout

__all__ = ["Comparison", "Portability", "compare", "load_comparison"]

LANES, DECISIONS, SIZE = 64, 200, 1024


@dataclass(frozen=True)
class Run:
    """What one process found: a digest of all that the kernels wrote, and decisions per CPU-second."""

    digest: str
    playout: float
    batch: float


@dataclass(frozen=True)
class Portability:
    """Of one game: whether all that was written is the same, what had to be compiled although a folder was named, and portable
    speed as a share of native speed (medians of alternating processes)."""

    game: str
    same: bool
    compiled: tuple[str, ...]
    playout: float
    batch: float


# --- In a process of its own -------------------------------------------------------------------------------------------------


def run_all(game: Game) -> Run:
    """Use every kernel that `mastaba warmup` makes, and time two of them."""
    digest = hashlib.sha256()
    for written in _everything(game):
        digest.update(np.ascontiguousarray(written).tobytes())
    return Run(digest.hexdigest(), _rate(random_playout(game), 1_000_000), _rate(_batch_of(game), 300_000))


def _everything(game: Game) -> Iterator[np.ndarray]:
    state = game.new_initial_state(seed=SEED)
    for k in range(DECISIONS):
        if state.is_terminal():
            state.restart(SEED, k)
        legal = state.legal_actions()
        state.apply_action(legal[k * 7919 % len(legal)])
        yield from (state.record, state.padded_mask, state.observation(), *state.outcome())
        yield state.determinize(k % game.num_players, seed=k).record
        if not state.is_terminal():
            for name in policy_names(game):
                yield np.asarray(PolicyAgent(game, name, seed=k).choose(state.record, state.padded_mask))
    yield from _played(SelfPlay(game, LANES, seed=SEED))
    duel = Duel(game, LANES)
    duel.reset(seed=SEED)
    yield from _played(duel)


def _played(env: Any) -> Iterator[np.ndarray]:
    for _ in range(DECISIONS):
        env.step(env.sample_actions())
        yield from (env.states, env.lanes, env.games.masks, env.games.observations)


def _batch_of(game: Game) -> Callable[[int], int]:
    env = SelfPlay(game, SIZE, seed=SEED)

    def run(steps: int) -> int:
        for _ in range(steps // SIZE):
            env.step(env.sample_actions())
        return steps // SIZE * SIZE

    return run


def _rate(run: Callable[[int], int], steps: int) -> float:
    """The best of three: what disturbs a run only ever makes it slower."""
    rates = []
    for _ in range(3):
        start = time.process_time()
        done = run(steps)
        rates.append(done / (time.process_time() - start))
    return max(rates)


# --- Side by side ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """As it is remembered."""

    label: str
    date: str
    cpu: str
    games: list[Portability]


def compare(folder: Path, game: str, repeats: int = 3) -> Portability:
    """Native and portable processes in turn. A portable one finds an empty cache of its own, so whatever it lacks, it compiles."""
    pairs: list[tuple[Run, Run]] = []
    with tempfile.TemporaryDirectory() as empty:
        named = {"MASTABA_CACHE_DIR": empty, portable.NAMED: str(folder)}
        for _ in range(repeats):
            pairs.append((_in_a_process(game, {}), _in_a_process(game, named)))
        compiled = tuple(sorted(path.name.split("-")[0] for path in Path(empty).glob("*.nbc")))
    return Portability(
        game,
        same=len({run.digest for pair in pairs for run in pair}) == 1,
        compiled=compiled,
        playout=statistics.median(other.playout / native.playout for native, other in pairs),
        batch=statistics.median(other.batch / native.batch for native, other in pairs),
    )


def _in_a_process(game: str, more: dict[str, str]) -> Run:
    command = [sys.executable, "-c", f"from {__package__}.portability import tell; tell({game!r})"]
    done = subprocess.run(command, env=os.environ | {"MASTABA_QUIET": "1"} | more, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{game}: running its kernels failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return Run(**json.loads(done.stdout))


def tell(game: str) -> None:
    print(json.dumps(asdict(run_all(make_game(game)))))


def load_comparison(path: Path) -> Comparison | None:
    if not path.exists():
        return None
    stored = json.loads(path.read_text())
    return Comparison(**(stored | {"games": [Portability(**game) for game in stored["games"]]}))


def main(arguments: Sequence[str]) -> int:
    folder, names = Path(arguments[0]), arguments[1:] or list(GAMES)
    found = [compare(folder, name) for name in names]
    for of_game in found:
        print(of_game)
    date = datetime.now(UTC).date().isoformat()
    text = json.dumps(asdict(Comparison(installed_version("mastaba") or "", date, cpu_model(), found)), indent=1)
    (folder / "comparison.json").write_text(text + "\n")
    return 0 if all(of_game.same for of_game in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
