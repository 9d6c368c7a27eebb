"""Rules, chance, actions, observations and drawings are what they were: a versioned id never changes silently."""

from __future__ import annotations

import pytest

from mastaba import Game
from mastaba.envs.pages import page_of, write_pages

import planes
import refusals
from playthroughs import PLAYERS, path_of, playthrough


@pytest.mark.parametrize("player", PLAYERS)
def test_a_playthrough_is_as_recorded(table: Game, player: str) -> None:
    recorded = path_of(table.name, table.num_players, player).read_text(encoding="utf-8")
    assert playthrough(table, player) == recorded, "if this is meant, raise the version and run `python tests/playthroughs.py`"


def test_what_is_refused_is_as_recorded(name: str) -> None:
    recorded = refusals.path_of(name).read_text(encoding="utf-8").splitlines()
    assert refusals.refusals(name).splitlines() == recorded, "read what changed; if it is meant: `python tests/refusals.py`"


def test_things_lie_on_planes_as_recorded(name: str) -> None:
    recorded = planes.path_of(name).read_text(encoding="utf-8")
    assert planes.maps(name) == recorded, "if this is meant, raise the version and run `python tests/planes.py`"


def test_the_tables_of_the_pages_match_the_code() -> None:
    assert [path.parent.name for path in write_pages(check=True)] == [], "run `mastaba docs`"


HEADINGS = (
    "Description",
    "Rules as implemented",
    "Action Space",
    "Observation Space",
    "State",
    "Starting State",
    "Rewards",
    "Episode End",
    "Information",
    "Arguments",
    "Baselines",
    "Facts",
    "Rulings",
    "Provenance",
    "Version History",
)


def test_every_page_has_the_same_headings_in_the_same_order(name: str) -> None:
    lines = page_of(name).read_text(encoding="utf-8").splitlines()
    assert tuple(line.removeprefix("## ") for line in lines if line.startswith("## ")) == HEADINGS


@pytest.mark.parametrize("word", ["[D]", "[R]"])
def test_every_page_says_where_its_data_comes_from(name: str, word: str) -> None:
    assert word in page_of(name).read_text(encoding="utf-8")
