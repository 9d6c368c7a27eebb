"""The curves of several runs in one plot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mastaba
from mastaba.baselines.recipes.curves import draw, joint_line
from mastaba.baselines.recipes.results import read_report, table
from mastaba.baselines.recipes.running import CURVE_OPPONENTS, Report, draw_curve
from mastaba.baselines.tournament import Result


def curve(*rates: float) -> list[dict[str, float]]:
    """A point a minute, each with an interval of 0.1 to both sides."""
    ends = {"": 0.0, "_low": -0.1, "_high": 0.1}
    return [
        {"seconds": 60.0 * k, **{name + end: r + by for name in CURVE_OPPONENTS for end, by in ends.items()}}
        for k, r in enumerate(rates)
    ]


def run(folder: Path, *rates: float) -> str:
    """The folder of a run that had these rates."""
    folder.mkdir()
    draw_curve(mastaba.game("cheops", 2), curve(*rates), folder / "curve.png")
    return str(folder)


def test_one_run_has_its_interval_as_band():
    minutes, rate, low, high = joint_line([curve(0.2, 0.6)], "greedy")
    assert (minutes, rate) == ([0, 1], [0.2, 0.6])
    assert (low, high) == (pytest.approx([0.1, 0.5]), pytest.approx([0.3, 0.7]))


def test_several_runs_have_their_mean_from_the_worst_to_the_best_as_far_as_all_go():
    minutes, rate, low, high = joint_line([curve(0.2, 0.6, 0.9), curve(0.4, 0.4)], "greedy")
    assert (minutes[0], minutes[-1]) == (0, 1)
    assert (rate[0], low[0], high[0]) == pytest.approx((0.3, 0.2, 0.4))
    assert (rate[-1], low[-1], high[-1]) == pytest.approx((0.5, 0.4, 0.6))


def test_what_runs_leave_behind_can_be_drawn_together(tmp_path):
    first, second = run(tmp_path / "a", 0.1, 0.5), run(tmp_path / "b", 0.1, 0.7)
    draw("cheops", 2, [f"td={first}", f"td={second}", f"ppo={second}"], tmp_path / "all.png")
    assert (tmp_path / "all.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "is not the curve of a run .FileNotFoundError"),
        ("{", "is not the curve of a run .JSONDecodeError"),
        ("[3]", "is not the curve of a run .TypeError"),
        ("[]", "is not the curve of a run against greedy"),
        (json.dumps([{"seconds": 1, "random": 1}]), "is not the curve of a run against greedy"),
    ],
)
def test_what_is_not_a_curve_is_named_and_nothing_is_drawn(tmp_path, content, complaint):
    if content is not None:
        (tmp_path / "curve.json").write_text(content)
    with pytest.raises(ValueError, match=complaint):
        draw("cheops", 2, [f"td={tmp_path}"], tmp_path / "all.png")
    assert not (tmp_path / "all.png").exists()


# --- One table ----------------------------------------------------------------------------------------------------------------


def report(folder: Path, seed: int, rate: float, **more: object) -> Path:
    """The folder of a run that won so often against everybody."""
    folder.mkdir()
    opponents = ("random", "greedy", "rush", "mcts:1000")
    results = tuple(Result("td", name, 100, rate, rate - 0.1, rate + 0.1, 1.0, 2.0) for name in opponents)
    made: dict[str, Any] = {"game": "cheops", "num_players": 2, "method": "td", "seconds": 90.0, "decisions": 2_000_000}
    Report(**(made | more), seed=seed, results=results, player=folder / "player.npz", curve=None).tell(folder, progress=False)
    return folder


def test_seeds_of_one_method_become_one_line_with_their_mean_from_the_worst_to_the_best(tmp_path):
    seeds = [report(tmp_path / "a", 0, 0.5), report(tmp_path / "b", 1, 0.8, seconds=120.0)]
    alone = report(tmp_path / "c", 0, 0.25, method="ppo")
    head, _, *lines = [line.split(" | ") for line in table(map(read_report, [*seeds, alone])).splitlines()]
    rates = ["25.0 [15.0, 35.0]", "65.0 [50.0, 80.0]"]
    assert [line[:6] for line in lines] == [
        ["| cheops", "2", "ppo", "0", "1.5", "2.0"],
        ["| cheops", "2", "td", "0, 1", "1.5-2.0", "2.0"],
    ]
    assert [line[6:] for line in lines] == [[rate, rate, f"rush {rate}", f"{rate} |"] for rate in rates]
    assert {len(line) for line in lines} == {len(head)}


def test_a_method_that_was_given_much_longer_is_a_line_of_its_own(tmp_path):
    runs = [(2, 2_100_000), (0, 10_000_000), (1, 2_000_000)]
    folders = [report(tmp_path / f"{seed}", seed, 0.5, decisions=decisions) for seed, decisions in runs]
    _, _, *lines = [line.split(" | ") for line in table(map(read_report, folders)).splitlines()]
    assert [line[3:6:2] for line in lines] == [["1, 2", "2.0-2.1"], ["0", "10.0"]]


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"game": "cheops"}'])
def test_a_folder_without_a_report_is_refused_in_one_line(tmp_path, content):
    if content is not None:
        (tmp_path / "report.json").write_text(content)
    with pytest.raises(ValueError, match="is not the report of a run") as refusal:
        read_report(tmp_path)
    assert "\n" not in str(refusal.value)
