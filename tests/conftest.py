"""Profiles of hypothesis, and the games at every table."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

import mastaba
from mastaba.envs.registry import rules

settings.register_profile("ci", max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
settings.register_profile("exhaustive", max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

os.environ.setdefault("MASTABA_QUIET", "1")  # what a test reads from stderr must not depend on what is compiled already

TABLES = [(name, n) for name in mastaba.GAMES for n in rules(name).players]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `table` runs at every table of every game; one that asks for `name` runs once per game."""
    if "table" in metafunc.fixturenames:
        ids = [f"{name}-{n}p" for name, n in TABLES]
        metafunc.parametrize("table", TABLES, ids=ids, indirect=True)
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", mastaba.GAMES)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Workers share the machine by game, so that no game is compiled twice at once; what needs all games comes last."""
    for item in items:
        game = next((name for name in mastaba.GAMES if name in item.nodeid), "all games")
        item.add_marker(pytest.mark.xdist_group(game))
    items.sort(key=lambda item: "test_cli" in item.nodeid)


@pytest.fixture
def table(request: pytest.FixtureRequest) -> mastaba.Game:
    name, players = request.param
    return mastaba.game(name, num_players=players)
