"""The command line as a person uses it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

import mastaba
from mastaba import cli
from mastaba.cli import app
from mastaba.compiling import is_compiled

runner = CliRunner()


@pytest.fixture(autouse=True)
def wide_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "console", Console(width=200))


def test_games_lists_every_game() -> None:
    result = runner.invoke(app, ["games"])
    assert result.exit_code == 0
    assert all(name in result.stdout for name in mastaba.GAMES)


def test_the_demo_shows_a_board_win_rates_and_speed() -> None:
    result = runner.invoke(app, ["demo", "--games", "4"])
    assert result.exit_code == 0, result.output
    assert "Game over" in result.stdout
    assert "steps/s" in result.stdout
    assert all(name in result.stdout for name in mastaba.GAMES)


def test_a_person_can_play_a_whole_game() -> None:
    """Typing nonsense, an illegal action, and then always the first listed number."""
    game = mastaba.game("pyramids", num_players=2)
    typed, state = ["abracadabra", "[/x]", "40"], game.new_initial_state(seed=3)
    from mastaba.baselines.agents import agent

    opponent = agent(game, "greedy", 3)
    while not state.is_terminal():
        if state.current_player() == 0:
            typed.append(str(state.legal_actions()[0]))
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_action(int(opponent.choose(state.record, state._padded_mask)[0]))
    result = runner.invoke(app, ["play", "pyramids", "-n", "2", "--seed", "3"], input="\n".join(typed) + "\n")
    assert result.exit_code == 0, result.output
    assert "no action is written 'abracadabra'" in result.stdout
    assert "no action is written '[/x]'" in result.stdout
    assert "'40' is not legal now" in result.stdout
    assert f"you: {state.scores()[0]} points" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["play", "chess"], "no game 'chess', games are pyramids"),
        (["play", "pyramids", "-n", "9"], "9 players are not possible, allowed are 2, 3, 4, 5"),
        (["play", "pyramids", "-a", "wizard"], "no agent 'wizard' for pyramids, allowed are random, greedy"),
        (["play", "pyramids", "--seat", "7"], "no seat 7"),
        (["bench", "chess"], "no game 'chess'"),
        (["bench", "pyramids", "--face", "smile"], "no face 'smile', faces are kernel"),
        (["bench", "pyramids", "-n", "17"], "no game has such a table"),
        (["bench", "pyramids", "--compare", "nofile.json"], "nofile.json"),
        (["bench", "pyramids", "--out", "nofolder/rows.json"], "there is no folder nofolder"),
        (["warmup", "chess"], "no game 'chess'"),
        (["train", "chess"], "no game 'chess'"),
    ],
)
def test_wrong_input_gives_one_line_and_exit_code_2(arguments: list[str], complaint: str) -> None:
    result = runner.invoke(app, arguments)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_missing_library_is_named_with_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "mastaba.baselines.recipes.masked_ppo", raising=False)
    result = runner.invoke(app, ["train", "giza"])
    assert result.exit_code == 2
    assert 'torch, which is not installed: pip install "mastaba[train]"' in result.stderr


def test_warmup_leaves_in_the_cache_what_the_demo_needs() -> None:
    """Two games, so that each is compiled (or found) in a process of its own."""
    chosen = ["cheops", "pyramids"]
    result = runner.invoke(app, ["warmup", *chosen])
    assert result.exit_code == 0, result.output
    assert "2/2" in result.stdout
    assert all(is_compiled(mastaba.game(name)) for name in chosen)


def test_bench_writes_rows_and_compares_them(tmp_path: Path) -> None:
    report = tmp_path / "rows.json"
    short = ["bench", "pyramids", "-n", "2", "--face", "kernel", "--face", "limit", "--seconds", "0.01", "--repeats", "2"]
    result = runner.invoke(app, [*short, "--out", str(report)])
    assert result.exit_code == 0, result.output
    rows = json.loads(report.read_text())["rows"]
    assert {row["face"] for row in rows} == {"kernel", "batch"}
    assert all(row["steps_per_cpu_second"] > 0 for row in rows)
    assert runner.invoke(app, [*short, "--compare", str(report), "--loss", "0.99"]).exit_code == 0
    for row in rows:
        row["steps_per_cpu_second"] *= 1e6
    report.write_text(json.dumps({**json.loads(report.read_text()), "rows": rows}))
    assert runner.invoke(app, [*short, "--compare", str(report), "--loss", "0.5"]).exit_code == 1
