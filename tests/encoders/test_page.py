"""The page of the encoders (encoders/README.md): what it shows happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import mastaba
from mastaba.envs.core import observing

PAGE = (Path(mastaba.__file__).parent / "encoders" / "README.md").read_text(encoding="utf-8")


def test_what_the_page_shows_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "_REGISTERED", dict(observing._REGISTERED))
    observing.encoder_class.cache_clear()
    talk = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    runner = doctest.DocTestRunner()
    told: list[str] = []
    runner.run(doctest.DocTestParser().get_doctest(talk, {}, "encoders/README.md", None, 0), out=told.append)
    assert runner.tries > 20
    assert runner.failures == 0, "".join(told)


def test_the_page_names_the_five() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))[:5] == ("flat", "planes", "tokens", "text", "lookahead")
