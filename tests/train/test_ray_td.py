"""Learning with games from many machines: the same player as from one, whatever dies on the way. Needs Ray."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster
from typer.testing import CliRunner

import mastaba
from mastaba.baselines.recipes import td_on_ray
from mastaba.baselines.recipes.td import Learner, Report, settings_for, train
from mastaba.cli import app

from clusters import NODE, mortal, new_cluster

QUICK: dict[str, Any] = {"progress": False, "evaluation_games": 4, "search_games": 0, "curve_points": 1}
SETTINGS: dict[str, Any] = {"lessons": 2048, "pages": 4, "passes": 1, "decisions": 30_000}
runner = CliRunner()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with new_cluster() as made:
        yield made


def learned(learner: Learner) -> tuple[int, int, bytes]:
    return learner.games, learner.decisions, learner.network.weights.tobytes()


def new_learner() -> Learner:
    game = mastaba.game("cheops", 2)
    return Learner(game, settings_for(game, **SETTINGS))


def alone(iterations: int) -> Learner:
    learner = new_learner()
    for _ in range(iterations):
        learner.iterate()
    return learner


def test_killed_workers_and_a_lost_node_lose_nothing_but_their_games(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths = [tmp_path / "first", tmp_path / "second"]
    monkeypatch.setattr(td_on_ray, "_play", mortal(td_on_ray._play, deaths))
    second = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    learner = new_learner()
    learner.players = td_on_ray.RayTables(learner.game, learner.settings, cluster.address).play_all
    for iteration in range(4):
        if iteration == 2:
            cluster.remove_node(second, allow_graceful=False)
        learner.iterate()
    assert all(death.exists() for death in deaths)
    assert learned(learner) == learned(alone(4))


def test_on_this_machine_as_without_ray(tmp_path: Path) -> None:
    reports = {where: made(tmp_path / str(where), where) for where in (None, "local")}
    ray.shutdown()
    here, there = (np.load(reports[where].player)["weights"] for where in (None, "local"))
    assert (here == there).all()
    assert reports[None].decisions == reports["local"].decisions >= SETTINGS["decisions"]


def made(out: Path, where: str | None) -> Report:
    return train("cheops", 2, out, ray=where, **QUICK, **SETTINGS)


def test_by_command(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["train", "cheops", "-n", "2", "--ray", "local", "--decisions", "20000", "--games", "2", "--out", str(out)]
    result = runner.invoke(app, command)
    ray.shutdown()
    assert result.exit_code == 0, result.output
    about = str(np.load(out / "player.npz")["about"])
    assert "--set pages=8" in about  # the same player without Ray


@pytest.mark.parametrize("address", ["127.0.0.1:1", "somewhere"])
def test_an_address_where_nobody_listens_is_one_clear_line(address: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = runner.invoke(app, ["train", "cheops", "-n", "2", "--ray", address, "--out", str(out)])
    assert result.exit_code == 2
    assert f"no Ray cluster at '{address}', allowed are HOST:PORT" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not out.exists()
