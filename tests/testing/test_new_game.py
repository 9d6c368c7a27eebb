"""A game from outside: written by `mastaba new-game`, installed, and found by everything that takes games by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mastaba
from mastaba.newgame import write_package

FIND = """
import gymnasium, mastaba, pettingzoo
from mastaba.baselines.agents import agent_names
assert "senet" in mastaba.GAMES
game = mastaba.game("senet", 2)
assert agent_names(game)[:2] == ["random", "greedy"]
env = gymnasium.make("mastaba/Senet-v0", opponents="greedy")
env.reset(seed=1)
if hasattr(pettingzoo, "make"):
    aec = pettingzoo.make("aec", "mastaba/senet-v0")
    aec.reset(seed=1)
from mastaba.envs import senet_v0
senet_v0.env(num_players=3).reset(seed=1)
batch = mastaba.vector.make("senet", 4, seed=0)
batch.step(batch.sample_actions())
print("found")
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, installed as pip would leave it: importable, with its entry point in the metadata."""
    root = write_package("senet", tmp_path_factory.mktemp("outside"))
    metadata = root / "mastaba_senet-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mastaba_senet\nVersion: 0.1.0\n", encoding="utf-8")
    entry = "[mastaba.games]\nsenet-v0 = mastaba_senet:RULES\n"
    (metadata / "entry_points.txt").write_text(entry, encoding="utf-8")
    return root


def run(package: Path, *command: str) -> subprocess.CompletedProcess[str]:
    home = str(Path(mastaba.__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(package), home]), "MASTABA_CACHE_DIR": str(package / "cache")}
    return subprocess.run([sys.executable, *command], cwd=package, env=env, capture_output=True, text=True, check=False)


def test_it_is_found_by_name_everywhere(package: Path) -> None:
    done = run(package, "-c", FIND)
    assert done.stdout == "found\n", done.stderr


def test_its_own_tests_pass_and_notice_a_changed_rule(package: Path) -> None:
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", "golden or lower or legal")
    done = run(package, *command)
    assert done.returncode == 0, done.stdout
    rules = package / "mastaba_senet" / "rules.py"
    sound = rules.read_text(encoding="utf-8")
    rules.write_text(sound.replace("s.hand[p][place] >= s.top[p]", "s.hand[p][place] > s.top[p]"), encoding="utf-8")
    done = run(package, *command)
    rules.write_text(sound, encoding="utf-8")
    assert "test_a_golden_game_is_as_recorded" in done.stdout
    assert done.returncode == 1


def test_the_battery_runs_from_the_command_line(package: Path) -> None:
    done = run(package, "-m", "mastaba", "check", "senet", "--players", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "senet: nothing found"


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [("Senet", "is no name for a game"), ("1up", "is no name"), ("for", "is no name"), ("giza", "there is a game 'giza' already")],
)
def test_a_name_that_is_none_or_taken_is_refused(wanted: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=complaint):
        write_package(wanted, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "senet").mkdir()
    with pytest.raises(ValueError, match="senet is there already"):
        write_package("senet", tmp_path)


def test_a_program_can_register_a_game_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    from mastaba.testing.toy import RULES

    mastaba.register_game(RULES)
    try:
        assert mastaba.game("stairs", 2).rules is RULES
        mastaba.register_game(RULES)  # the same once more: nothing to complain about
        from dataclasses import replace

        with pytest.raises(ValueError, match="there is a game 'stairs' already"):
            mastaba.register_game(replace(RULES, version=3))
        with pytest.raises(ValueError, match="there is a game 'giza' already"):
            mastaba.register_game(replace(RULES, name="giza"))
    finally:
        mastaba.GAMES._versions.pop("stairs")
        mastaba.GAMES._given.pop("stairs")
