"""What is made of the rows of a benchmark: ratios and the page. How fast anything is, no test judges."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mastaba
from mastaba.benchmarks import cold, drawing
from mastaba.benchmarks.cold import ColdRun, ColdStart
from mastaba.benchmarks.encoding import costs
from mastaba.benchmarks.measure import Report, Row, environment, load, ratio, save
from mastaba.benchmarks.page import page


def row(system: str, face: str, rounds: list[float], *, batch: int = 1024, threads: int = 1, game: str = "giza") -> Row:
    middle = sorted(rounds)[len(rounds) // 2]
    rates: dict[str, Any] = {
        "steps_per_cpu_second": middle,
        "slowest": min(rounds),
        "fastest": max(rounds),
        "steps_per_wall_second": middle,
    }
    doubled = [rate * threads for rate in rounds]
    return Row(
        *(system, game, 4, face, batch, threads, ("mask",)),
        **rates,
        spread=0.1,
        prepare_seconds=1.0,
        steps_per_run=1000,
        repeats=len(rounds),
        cpu_rounds=tuple(rounds),
        wall_rounds=tuple(doubled),
    )


ROWS = [
    row("mastaba", "kernel", [10e6, 5e6, 10e6]),
    row("mastaba", "blind", [5e6, 2.5e6, 5e6]),
    row("mastaba", "batch", [4e6, 2e6, 2.5e6]),
    row("mastaba", "batch", [3e6, 3e6, 3e6], batch=8192),
    row("mastaba", "batch", [3e6, 3e6, 3e6], batch=8192, threads=2),
    row("limit", "batch", [10e6, 5e6, 10e6]),
    row("mastaba", "batch uint8", [3e6, 3e6, 3e6]),
    row("limit", "batch uint8", [12e6, 12e6, 12e6]),
    row("pgx", "batch", [2e6, 1e6, 0.25e6], game="backgammon"),
    row("mastaba", "aec", [3e5, 2e5, 3e5], batch=1),
    row("limit", "aec", [5e5, 4e5, 6e5], batch=1),
]


def test_ratios_compare_what_was_measured_in_the_same_round() -> None:
    batch, limit, backgammon = ROWS[2], ROWS[5], next(row for row in ROWS if row.game == "backgammon")
    assert ratio(batch, limit) == pytest.approx(0.4)
    assert ratio(batch, backgammon) == pytest.approx(2.0)
    with pytest.raises(ValueError, match="same rounds"):
        ratio(batch, row("limit", "batch", [1e6]))


def test_the_page_tells_shares_parts_and_gains(tmp_path) -> None:
    save(ROWS, tmp_path / "rows.json", machine=environment())
    report = load(tmp_path / "rows.json")
    assert report.rows == ROWS
    text = page(report, tables=[report])
    assert "| giza | 4 | 40% | - | - | 2.00x |" in text
    assert "| giza | 4 | - | - | 0.5x | 2.0x | - | - | - | - |" in text
    assert "| giza | 4 | float32 | 1024 | 40% |" in text
    assert "| giza | 4 | uint8 | 1024 | 25% |" in text
    assert "| giza | 4 | 100 | 100 | 200 | 400 | 100 | 40% | 50% |" in text
    assert "| giza | 4 | 8192 | 3 M | 3 M | 2.00x |" in text


def test_what_an_observation_costs_is_told_by_encoder() -> None:
    found = costs(mastaba.game("cheops", 2), batch=8, rounds=2)
    assert [(row.encoder, row.size) for row in found] == [
        (name, mastaba.game("cheops", 2).encoder(name).size) for name in ("flat", "planes", "tokens", "lookahead")
    ]
    assert all(row.per_number == pytest.approx(row.per_observation / row.size) for row in found)
    assert found[0].against_flat == 1


def test_what_pictures_cost_is_told_kept_and_shown_on_the_page(tmp_path: Path) -> None:
    pytest.importorskip("thorvg_python")
    found = drawing.cost(mastaba.game("cheops", 2), positions=2, rounds=1)
    assert (found.game, found.players, found.height) == ("cheops", 2, 526)
    assert 0 < found.svg <= found.svg_slowest < found.pixels_slowest
    drawing.save_run([found], tmp_path / "pictures.json")
    run = drawing.load_run(tmp_path / "pictures.json")
    assert run is not None
    assert run.costs == [found]
    assert "| cheops | 2 | 526 |" in page(Report(ROWS[:1], [], environment()), pictures=run)
    assert not replace(found, pixels_slowest=drawing.PIXELS_LIMIT).fine
    assert not replace(found, svg_slowest=drawing.SVG_LIMIT).fine


def test_a_page_of_few_rows_has_empty_tables_instead_of_errors() -> None:
    assert "# Throughput" in page(Report(ROWS[:1], [], environment()))


def cold_run(label: str, first_step: float) -> ColdRun:
    return ColdRun(label, "2026-01-01", "a machine", "0.68", [ColdStart("giza", first_step, 0.7, 12.0, 40.0)], 30.0)


def test_cold_starts_are_remembered_run_by_run_and_shown_with_their_history(tmp_path) -> None:
    history = tmp_path / "cold.json"
    for run in (cold_run("0.2", 14.0), cold_run("now", 9.0), cold_run("now", 6.5)):
        cold.remember(run, history)
    runs = cold.load_history(history)
    assert runs == [cold_run("0.2", 14.0), cold_run("now", 6.5)]  # a second run of the same label replaces the first
    text = page(Report(ROWS[:1], [], environment()), runs)
    assert "| giza | 0.2 | 2026-01-01 | 14.0 | 0.7 | 12.0 | 40.0 |\n| giza | now | 2026-01-01 | 6.5 | 0.7 | 12.0 | 40.0 |" in text


def test_a_cold_start_runs_in_processes_of_its_own_with_an_empty_cache() -> None:
    """A program of three lines instead of a game: what matters is where it runs."""
    program = "import os, sys; print(len(os.listdir(os.environ['MASTABA_CACHE_DIR']))); print(len(sys.argv))"
    assert cold.run_cold(program, "giza") == [0.0, 2.0]
    with pytest.raises(RuntimeError, match="a cold start of giza failed: ValueError: no such table"):
        cold.run_cold("raise ValueError('no such table')", "giza")
