"""A tournament on many machines: the same games as here, whatever dies on the way. Needs Ray, in an environment of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster
from typer.testing import CliRunner

import mastaba
from mastaba.baselines.tournament import Plan, on_ray, run
from mastaba.cli import app

from clusters import NODE, mortal, new_cluster

runner = CliRunner()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with new_cluster() as made:
        yield made


def plan() -> Plan:
    return Plan.of(mastaba.game("cheops", num_players=2), ["mc:200", "greedy"], games=40)


def test_a_lost_node_loses_no_game(cluster: Cluster) -> None:
    made = plan()
    second = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    assert ray.cluster_resources()["CPU"] == 2
    rows = {}
    for number, games in on_ray.on_ray(made, range(made.chunks), False, cluster.address):
        rows[number] = games
        if len(rows) == 4:
            cluster.remove_node(second, allow_graceful=False)  # with the chunks it was playing
    cluster.wait_for_nodes()  # the cluster hears of a death by missed heartbeats, later than the games are played
    assert ray.cluster_resources()["CPU"] == 1
    assert [row for number in sorted(rows) for row in rows[number]] == run(made, workers=1)


def test_a_killed_worker_loses_no_game(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, deaths = plan(), [tmp_path / "first", tmp_path / "second"]
    monkeypatch.setattr(on_ray, "_play", mortal(on_ray._play, deaths))
    rows = dict(on_ray.on_ray(made, range(made.chunks), False, cluster.address))
    assert all(death.exists() for death in deaths)
    assert [row for number in sorted(rows) for row in rows[number]] == run(made, workers=1)


def test_on_this_machine(tmp_path: Path) -> None:
    command = ["tournament", "pyramids", "-n", "2", "--agents", "random,greedy", "--games", "20"]
    files = [tmp_path / "here.json", tmp_path / "ray.json"]
    for file, where in zip(files, ([], ["--ray", "local"]), strict=True):
        result = runner.invoke(app, [*command, *where, "--json", str(file)])
        assert result.exit_code == 0, result.output
    assert files[0].read_bytes() == files[1].read_bytes()
    ray.shutdown()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "somewhere", "127.0.0.1:x"])
def test_an_address_where_nobody_listens_is_one_clear_line(address: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["tournament", "pyramids", "-n", "2", "--agents", "random", "--games", "2", "--ray", address]
    result = runner.invoke(app, command)
    assert result.exit_code == 2
    assert f"no Ray cluster at '{address}', allowed are HOST:PORT" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not result.stdout
    assert not list(tmp_path.iterdir())
