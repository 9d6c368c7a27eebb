"""Machine code for most processors: found where it is named, and doing what native code does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mastaba
from mastaba.benchmarks.portability import compare
from mastaba.envs.core.kernel import portable
from mastaba.envs.registry import GAMES

PLAY = """
import hashlib
import numpy as np
import mastaba
game = mastaba.game("cheops", num_players=3)
kernels, n = game.kernels, 64
states, (masks, seeds) = game.new_states(n), (np.zeros((n, -(-game.num_actions // 8) * 8), np.int8), np.arange(n, dtype=np.uint64))
episodes, counters = np.zeros_like(seeds), seeds * np.uint64(7919)
kernels.reset(states, game.template, seeds, episodes, masks)
kernels.playout(states, game.template, seeds, episodes, counters, masks, 3000)
compiled = sum(sum(k.stats.cache_misses.values()) for k in (kernels.reset, kernels.playout))
print(hashlib.sha256(states.tobytes() + masks.tobytes()).hexdigest(), compiled)
"""

pytestmark = pytest.mark.skipif(not portable._runs_here(), reason=f"this processor is not a {portable.CPU}")


def play(environment: dict[str, str]) -> tuple[str, int]:
    """A digest of 192,000 random decisions, and how many of the two kernels were compiled for them."""
    home = {"PYTHONPATH": str(Path(mastaba.__file__).parent.parent), "MASTABA_QUIET": "1"}
    done = subprocess.run([sys.executable, "-c", PLAY], env=environment | home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    digest, compiled = done.stdout.split()
    return digest, int(compiled)


def test_portable_kernels_play_as_native_ones_and_are_loaded_only_from_where_they_are_named(tmp_path: Path) -> None:
    shipped, empty = tmp_path / "shipped", tmp_path / "empty"
    made, compiled = play(portable.making(shipped))
    assert compiled == 2
    native, _ = play(dict(os.environ))
    assert made == native
    loaded = play(os.environ | {"MASTABA_CACHE_DIR": str(empty), portable.NAMED: str(shipped)})
    assert loaded == (native, 0)
    assert not list(empty.glob("*.nbc"))


def test_an_old_processor_is_given_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(portable.NAMED, str(tmp_path))
    assert portable.folders() == [tmp_path, portable.SHIPPED]
    monkeypatch.setattr(portable, "_runs_here", lambda: False)
    assert portable.folders() == []


def test_a_folder_that_is_made_for_others_is_not_read_while_it_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(portable.NAMED, "elsewhere")
    environment = portable.making(tmp_path)
    assert portable.NAMED not in environment
    assert environment["MASTABA_CACHE_DIR"] == str(tmp_path)


def test_the_command_finds_itself_in_the_processes_it_starts(tmp_path: Path) -> None:
    """Asked for a game that is none, each of them says so; run by its name, a module is called something else."""
    command = [sys.executable, "-m", "mastaba.benchmarks.portability", str(tmp_path), "nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "no game 'nowhere'" in done.stderr.splitlines()[-1]


FOLDERS = [folder for folder in portable.folders() if any(folder.glob("*.nbc"))]


@pytest.mark.skipif(not FOLDERS, reason="nothing is shipped here, and MASTABA_PORTABLE_DIR names nothing")
@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_kernel_does_what_the_native_one_does(game: str) -> None:
    found = compare(FOLDERS[0], game, repeats=1)
    assert found.same
    assert not found.compiled
