"""What is made of the rows of a benchmark: ratios and the page. How fast anything is, no test judges."""

from __future__ import annotations

import pytest

from mastaba.benchmarks.measure import Report, Row, environment, load, ratio, save
from mastaba.benchmarks.page import page


def row(system: str, face: str, rounds: list[float], *, batch: int = 1024, threads: int = 1, game: str = "giza") -> Row:
    middle = sorted(rounds)[len(rounds) // 2]
    rates = {"steps_per_cpu_second": middle, "slowest": min(rounds), "fastest": max(rounds), "steps_per_wall_second": middle}
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
    row("pgx", "batch", [2e6, 1e6, 0.25e6], game="backgammon"),
]


def test_ratios_compare_what_was_measured_in_the_same_round() -> None:
    batch, limit, backgammon = ROWS[2], ROWS[5], ROWS[6]
    assert ratio(batch, limit) == pytest.approx(0.4)
    assert ratio(batch, backgammon) == pytest.approx(2.0)
    with pytest.raises(ValueError, match="same rounds"):
        ratio(batch, row("limit", "batch", [1e6]))


def test_the_page_tells_shares_parts_and_gains(tmp_path) -> None:
    save(ROWS, tmp_path / "rows.json", machine=environment())
    report = load(tmp_path / "rows.json")
    assert report.rows == ROWS
    text = page(report)
    assert "| giza | 4 | - | - | 2.0x | - | - | - | - |" in text
    assert "| giza | 4 | 1024 | 40% |" in text
    assert "| giza | 4 | 100 | 100 | 200 | 400 | 100 | 40% | 50% |" in text
    assert "| giza | 4 | 8192 | 3 M | 3 M | 2.00x |" in text


def test_a_page_of_few_rows_has_empty_tables_instead_of_errors() -> None:
    assert "# Throughput" in page(Report(ROWS[:1], [], environment()))
