"""The curves of several runs in one plot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mastaba
from mastaba.baselines.recipes.curves import draw, joint_line
from mastaba.baselines.recipes.running import draw_curve


def curve(*rates: float) -> list[dict[str, float]]:
    """A point a minute, each with an interval of 0.1 to both sides."""
    return [{"seconds": 60.0 * k, "greedy": r, "greedy_low": r - 0.1, "greedy_high": r + 0.1} for k, r in enumerate(rates)]


def run(folder: Path, *rates: float) -> str:
    """The folder of a run that had these rates."""
    folder.mkdir()
    draw_curve(mastaba.game("cheops", 2), curve(*rates), ["greedy"], folder / "curve.png")
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
