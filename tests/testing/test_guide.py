"""The guide to making games (envs/README.md): it shows the toy game as it is, and what it claims happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import mastaba
from mastaba.testing import toy

import stairs_referee

GUIDE = (Path(mastaba.__file__).parent / "envs" / "README.md").read_text(encoding="utf-8")
TOY = Path(toy.__file__).parent
ROOMS = dict(re.findall(r"#### `(\w+\.py)`\n\n```python\n(.*?)```", GUIDE, re.DOTALL))


@pytest.mark.parametrize("room", [path.name for path in TOY.glob("*.py")])
def test_the_guide_shows_every_room_of_the_toy(room: str) -> None:
    assert ROOMS[room] == (TOY / room).read_text(encoding="utf-8")


def test_the_guide_shows_the_referee() -> None:
    assert f"```python\n{Path(stairs_referee.__file__).read_text(encoding='utf-8')}```" in GUIDE


def test_what_the_guide_shows_happens() -> None:
    parser = doctest.DocTestParser()
    talk = "\n".join(re.findall(r"```pycon\n(.*?)```", GUIDE, re.DOTALL))
    names = {"StairsReferee": stairs_referee.StairsReferee}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    told: list[str] = []
    runner.run(parser.get_doctest(talk, names, "envs/README.md", None, 0), out=told.append)
    assert runner.tries > 10
    assert runner.failures == 0, "".join(told)
