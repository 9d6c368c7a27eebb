"""The command line as a person uses it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import mastaba
from mastaba import cli
from mastaba.cli import app, plain_console
from mastaba.compiling import is_compiled
from mastaba.envs.faces.registration import gymnasium_id

runner = CliRunner()


@pytest.fixture(autouse=True)
def wide_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "console", plain_console(width=200))


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
    """Typing nonsense, an illegal action, and then always the first move of the list."""
    game = mastaba.game("pyramids", num_players=2)
    typed, state = ["abracadabra", "[/x]", "40", "drop 1"], game.new_initial_state(seed=3)
    from mastaba.baselines.agents import agent

    opponent = agent(game, "greedy", 3 + 1 + 1)
    while not state.is_terminal():
        if state.current_player() == 0:
            typed.append("#1")
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_action(int(opponent.choose(state.record, state.padded_mask)[0]))
    result = runner.invoke(app, ["play", "pyramids", "-n", "2", "--seed", "3"], input="\n".join(typed) + "\n")
    assert result.exit_code == 0, result.output
    assert "no action is written 'abracadabra'" in result.stdout
    assert "no action is written '[/x]'" in result.stdout
    assert "the move with that number is written #40" in result.stdout
    assert "'drop 1' is not legal now" in result.stdout
    assert f"you: {state.scores()[0]} points" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["play", "chess"], "no game 'chess', games are pyramids"),
        (["play", "pyramids", "-n", "9"], "9 players are not possible, allowed are 2, 3, 4, 5"),
        (["play", "pyramids", "-a", "wizard"], "no agent 'wizard' for pyramids, allowed are random, greedy"),
        (["play", "pyramids", "--seat", "7"], "no seat 7"),
        (["play", "pyramids", "-n", "2", "-a", "greedy,random"], "1 opponents, but 2 names: greedy,random"),
        (["play", "pyramidice", "-n", "1", "--option", "architect"], "an option is written key=value, not 'architect'"),
        (["play", "pyramidice", "-n", "1", "--option", "architect=Cheops"], "architect"),
        (["play", "pyramids", "--option", "colour=red"], "no option 'colour'"),
        (["bench", "chess"], "no game 'chess'"),
        (["bench", "pyramids", "--face", "smile"], "no face 'smile', faces are kernel"),
        (["bench", "pyramids", "-n", "17"], "no game has such a table"),
        (["bench", "pyramids", "--compare", "nofile.json"], "nofile.json"),
        (["bench", "pyramids", "--out", "nofolder/rows.json"], "there is no folder nofolder"),
        (["bench", "chess", "--cold"], "no game 'chess'"),
        (["bench", "pyramids", "--cold", "--out", "nofolder/cold.json"], "there is no folder nofolder"),
        (["bench", "pyramids", "--pictures", "--out", "nofolder/pictures.json"], "there is no folder nofolder"),
        (["bench", "pyramids", "--pictures", "-n", "9"], "no game has such a table"),
        (["bench", "pyramids", "--seconds", "0"], "--seconds 0.0 is not possible"),
        (["bench", "pyramids", "--seconds", "-1"], "--seconds -1.0 is not possible"),
        (["bench", "pyramids", "--seconds", "nan"], "--seconds nan is not possible"),
        (["bench", "pyramids", "--loss", "2"], "--loss 2.0 is not possible"),
        (["warmup", "chess"], "no game 'chess'"),
        (["train", "chess"], "no game 'chess'"),
        (["train", "cheops", "--method", "magic"], "method='magic' is not possible, allowed are 'td', 'ppo'"),
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
    result = runner.invoke(app, ["train", "giza", "--method", "ppo"])
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


@pytest.mark.parametrize("content", ["[1, 2]", '{"rows": [{"a": 1}]}', '{"rows": 3}', "{}", "no json"])
def test_a_report_of_another_shape_is_refused(tmp_path: Path, content: str) -> None:
    report = tmp_path / "other.json"
    report.write_text(content)
    result = runner.invoke(app, ["bench", "pyramids", "-n", "2", "--face", "kernel", "--compare", str(report)])
    assert result.exit_code == 2
    assert "is no report of `mastaba bench --out`" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_tables_keep_names_and_ids_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "console", plain_console(width=80))
    shown = runner.invoke(app, ["games"]).stdout
    assert all(name in shown and gymnasium_id(name) in shown for name in mastaba.GAMES)
    short = ["bench", "master_architect", "-n", "2", "--face", "kernel", "--seconds", "0.01", "--repeats", "1"]
    bench = runner.invoke(app, short).stdout
    assert "master_architect" in bench
    for line in (shown + bench).splitlines():
        assert len(line) <= 80
        assert "\u2026" not in line, "something was cut"


def test_a_narrow_terminal_breaks_lines_but_cuts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "console", plain_console(width=40))
    shown = runner.invoke(app, ["games"]).stdout
    assert all(name in shown and gymnasium_id(name) in shown for name in mastaba.GAMES)


def test_names_of_players_are_shown_as_they_are() -> None:
    """Between two colons stands what would be an emoji's name, and a path may have brackets."""
    named = "search:100:sure=0"
    shown = runner.invoke(app, ["tournament", "cheops", "-n", "2", "--agents", f"random,{named}", "--games", "2"])
    assert named in shown.stdout, shown.output
    told = runner.invoke(app, ["tournament", "cheops", "--agents", "random,search:abc"])
    assert "mastaba: search:abc: a budget is" in told.stderr
    told = runner.invoke(app, ["tournament", "cheops", "--agents", "random,td:[bold]x"])
    assert told.stderr == "mastaba: [bold]x: no such file\n"


def test_games_are_completed() -> None:
    asked = {"_MASTABA_COMPLETE": "complete_bash", "COMP_WORDS": "mastaba stats gi", "COMP_CWORD": "2"}
    told = runner.invoke(app, [], prog_name="mastaba", env=asked)
    assert told.stdout.split() == ["giza"], told.output


def run_it(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """As a process of its own, whose output is piped."""
    command = [sys.executable, "-m", "mastaba", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def test_an_ascii_terminal_is_enough() -> None:
    result = run_it("games", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert result.returncode == 0, result.stderr
    assert all(name in result.stdout for name in mastaba.GAMES)


def test_the_version_is_told() -> None:
    result = runner.invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"mastaba {mastaba.__version__}\n")


def test_shells_can_complete() -> None:
    assert "--install-completion" in runner.invoke(app, ["--help"]).stdout
