"""Tournaments: paired deals, figures that can be trusted, and runs that survive being stopped."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import mastaba
from mastaba.baselines.agents import agent
from mastaba.baselines.tournament import Keeper, Plan, evaluate_paired, report, run, running, wilson, write_replays
from mastaba.baselines.tournament.numbers import bradley_terry, elo, share_interval
from mastaba.cli import app
from mastaba.envs.replay import Replay

TABLE = mastaba.game("pyramids", num_players=2)
runner = CliRunner()


def plan(agents: str = "random,greedy", games: int = 40, **settings: int) -> Plan:
    return Plan.of(TABLE, agents.split(","), games, **settings)


# --- Who sits where ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("agents", [1, 2, 3, 4])
def test_everybody_sits_everywhere_equally_often_in_every_deal(players: int, agents: int) -> None:
    made = Plan("pyramids", players, ("random",) * agents, games=100)
    for deal in range(6):
        seatings = made.seatings(deal)
        assert len(seatings) == made.per_deal
        taken = Counter((int(who), seat) for line in seatings for seat, who in enumerate(line))
        assert len(set(taken.values())) == 1
        assert len(taken) == agents * players


def test_the_order_around_the_table_changes_from_deal_to_deal() -> None:
    made = Plan("pyramids", 3, ("random", "greedy", "random"), games=100)
    assert made.seatings(0).tolist() != made.seatings(1).tolist()
    assert made.seatings(0).tolist() == made.seatings(2).tolist()


def test_chunks_are_the_games_of_the_plan() -> None:
    made = Plan("pyramids", 2, ("random", "greedy", "random"), games=50, chunk=7)
    parts = [made.of_chunk(k) for k in range(made.chunks)]
    assert sum(len(deals) for deals, _ in parts) == made.total == 54
    deals = np.concatenate([deals for deals, _ in parts])
    assert deals.tolist() == sorted(deals.tolist())


# --- Playing -------------------------------------------------------------------------------------------------------------------


def test_games_do_not_depend_on_workers_and_follow_from_the_seed() -> None:
    made = Plan("pyramids", 2, ("random", "greedy"), games=60, chunk=8)
    rows = run(made, workers=1)
    assert run(made, workers=3) == rows
    other = run(Plan("pyramids", 2, ("random", "greedy"), games=60, chunk=8, seed=1), workers=1)
    assert [row["points"] for row in other] != [row["points"] for row in rows]


def test_a_search_with_a_budget_in_simulations_plays_the_same_again() -> None:
    table = mastaba.game("cheops", num_players=2)
    made = Plan.of(table, ["mcts:20", "greedy"], games=2)
    assert made.chunk == 1
    assert run(made, workers=2) == run(made, workers=1)


def test_openings_are_the_same_in_all_games_of_a_deal() -> None:
    rows = run(plan("random,greedy", games=8, openings=5), moves=True)
    for deal in range(4):
        first, second = [row["actions"][:5] for row in rows if row["deal"] == deal]
        assert first == second
    assert len({tuple(row["actions"][:5]) for row in rows}) > 1


def test_replays_are_the_games(tmp_path: Path) -> None:
    made = plan("random,greedy", games=4, openings=2)
    rows = run(made, moves=True)
    assert write_replays(made, rows, tmp_path) == 4
    for row, file in zip(rows, sorted(tmp_path.iterdir()), strict=True):
        replay = Replay.load(file)
        assert list(replay.scores) == row["points"]
        assert [made.names.index(name) for name in replay.players] == row["seats"]


# --- Being stopped -------------------------------------------------------------------------------------------------------------


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    made = Plan("pyramids", 2, ("random", "greedy"), games=40, chunk=8)
    rows = run(made)
    file = tmp_path / "games.jsonl"
    keeper = Keeper(made, file)
    run(made, keeper, workers=1)
    keeper.close()
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3]) + lines[3][:30])  # the plan, two chunks and a piece of the third
    again = Keeper(made, file)
    assert again.missing() == [2, 3, 4]
    assert run(made, again, workers=1) == rows
    again.close()
    assert file.read_bytes() == whole


def test_a_file_of_another_tournament_is_refused(tmp_path: Path) -> None:
    Keeper(plan(), tmp_path / "a.jsonl").close()
    with pytest.raises(ValueError, match="another tournament: games was 40, now it is 60"):
        Keeper(plan(games=60), tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_text("hello\n")
    with pytest.raises(ValueError, match="not a file of tournament games"):
        Keeper(plan(), tmp_path / "b.jsonl")


def test_an_interrupted_command_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = running.play_chunk

    def stop_at_two(made: Plan, number: int, *rest: object) -> object:
        if number == 2:
            raise KeyboardInterrupt
        return played(made, number, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(running, "play_chunk", stop_at_two)
    command = ["tournament", "cheops", "-n", "2", "--agents", "mc:4,random", "--games", "6", "--workers", "1"]
    result = runner.invoke(app, command)
    assert "go on with --resume" in result.stdout.replace("\n", " ")
    assert result.exit_code == 1
    (kept,) = tmp_path.glob("runs/tournaments/*.jsonl")
    monkeypatch.setattr(running, "play_chunk", played)
    result = runner.invoke(app, [*command, "--resume", str(kept)])
    assert result.exit_code == 0, result.output
    assert "6 games, 3 deals" in result.stdout


# --- Figures -------------------------------------------------------------------------------------------------------------------


def test_ratings_are_the_log_odds_of_two() -> None:
    strengths, errors = bradley_terry(np.array([[0, 299.5], [99.5, 0]]))
    assert strengths[0] - strengths[1] == pytest.approx(np.log(3), abs=1e-6)
    assert errors[0] == pytest.approx(0.5 * (1 / np.sqrt(400 * 0.75 * 0.25)), rel=1e-3)


def test_ratings_of_three_are_found_again() -> None:
    rng, true = np.random.default_rng(0), np.array([1.0, 0.0, -1.0])
    wins = np.zeros((3, 3))
    for a, b in ((0, 1), (0, 2), (1, 2)):
        won = rng.binomial(5000, 1 / (1 + np.exp(true[b] - true[a])))
        wins[a, b], wins[b, a] = won, 5000 - won
    strengths, errors = bradley_terry(wins)
    assert np.abs(strengths - true).max() < 4 * errors.max()
    assert errors.max() < 0.05


def test_who_never_loses_has_a_rating_with_a_wide_interval() -> None:
    ratings, errors = elo(np.tile([[0.0, 2.0], [0.0, 0.0]], (50, 1, 1)))
    assert np.isfinite(ratings).all()
    assert ratings[0] > 1800
    assert errors.min() > 50


def test_paired_deals_make_intervals_shorter_and_certainty_does_not_make_them_vanish() -> None:
    even = np.full(100, 0.5)
    even[:4] = [0, 1, 0, 1]
    share, low, high = share_interval(even)
    assert share == 0.5
    assert high - low < 0.3 * np.subtract(*wilson(100, 200)[::-1])
    assert share_interval(np.ones(50))[1] < 0.95


def test_a_player_meets_itself_evenly() -> None:
    found = report(made := plan("greedy,greedy", games=600), run(made))
    assert made.names == ["greedy #1", "greedy #2"]
    first, second = found.standings
    assert first.wins + second.wins == pytest.approx(1)
    assert first.low <= 0.5 <= first.high


def test_one_against_copies_sits_everywhere_in_every_deal() -> None:
    """Who plays the same as the others wins each deal once, in whatever seat: no luck of the draw is left."""
    game = mastaba.game("giza", 3)
    result = evaluate_paired(game, agent(game, "greedy"), agent(game, "greedy"), games=29, openings=6, at_once=7)
    assert result.games == 30
    assert result.rate == pytest.approx(1 / 3)
    assert result.mean_score == pytest.approx(result.opponent_score)


def test_alone_against_copies() -> None:
    table = mastaba.game("pyramids", num_players=3)
    made = Plan.of(table, ["random", "greedy"], 60)
    found = report(made, run(made))
    assert found.games == 60
    assert [s.games for s in found.standings] == [30, 30]
    assert found.standings[1].wins > 0.9  # not shared with a copy
    assert found.cross[0][0] is None


def test_one_deal_has_no_interval_and_says_so(tmp_path: Path) -> None:
    given = ["tournament", "pyramids", "-n", "2", "--agents", "random,greedy", "--games", "2", "--json", str(tmp_path / "x.json")]
    shown = runner.invoke(app, given)
    assert shown.exit_code == 0, shown.output
    assert "nan" not in shown.stdout.lower()
    written = json.loads((tmp_path / "x.json").read_text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert [standing["score_margin"] for standing in written["standings"]] == [None, None]


def test_the_command_writes_json_csv_and_a_plot(tmp_path: Path) -> None:
    files = {name: tmp_path / f"out.{name}" for name in ("json", "csv", "png")}
    command = [
        "tournament",
        "pyramids",
        "-n",
        "2",
        "--agents",
        "random,greedy",
        "--games",
        "20",
        "--resume",
        str(tmp_path / "g.jsonl"),
    ]
    command += ["--json", str(files["json"]), "--csv", str(files["csv"]), "--plot", str(files["png"])]
    result = runner.invoke(app, command)
    assert result.exit_code == 0, result.output
    content = json.loads(files["json"].read_text())
    assert content["games"] == len(content["rows"]) == 20
    with files["csv"].open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 40
    assert {line["agent"] for line in lines} == {"random", "greedy"}
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_the_command_fills_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- players -->\nold\n<!-- /players -->\nafter\n")
    monkeypatch.setattr("mastaba.envs.pages.page_of", lambda name: page)
    result = runner.invoke(app, ["tournament", "pyramids", "-n", "2", "--agents", "random,greedy", "--games", "20", "--page"])
    assert result.exit_code == 0, result.output
    told = page.read_text()
    assert "old" not in told
    assert "`mastaba tournament pyramids --players 2 --agents random,greedy --games 20 --page`" in told
    assert "| `greedy` | 100.0 [" in told
    assert "\n| `random` | 0.0 [" in told


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--agents", "wizard"], "no agent 'wizard' for pyramids, allowed are random, greedy"),
        (["--agents", "mcts:0"], "a budget is a number of simulations or a time"),
        (["--agents", ","], "a tournament needs players"),
        (["--games", "0"], "at least one game"),
        (["--json", "nofolder/a.json"], "there is no folder nofolder"),
        (["-n", "9"], "allowed are 2, 3, 4, 5"),
        (["--ray", "local"], 'this needs ray, which is not installed: pip install "mastaba[ray]"'),
    ],
)
def test_wrong_input_is_one_clear_line(arguments: list[str], complaint: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    result = runner.invoke(app, ["tournament", "pyramids", *arguments])
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not result.stdout
    assert not list(tmp_path.iterdir())
