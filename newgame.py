"""`mastaba new-game NAME`: a complete small package outside ours, with a game that plays at once and is yours to change."""

from __future__ import annotations

import keyword
from pathlib import Path

from .envs.core.game import Game
from .envs.registry import GAMES
from .testing import toy

__all__ = ["write_package"]

TOY = Path(toy.__file__).parent

PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{package}"
version = "0.1.0"
description = "{title}, a game for mastaba"
requires-python = ">=3.11"
dependencies = ["mastaba"]

[project.optional-dependencies]
test = ["mastaba[test]"]

[project.entry-points."mastaba.games"]
{name}-v0 = "{package}:RULES"

[tool.setuptools]
packages = ["{package}"]

[tool.setuptools.package-data]
"*" = ["README.md"]

[tool.pytest.ini_options]
testpaths = ["tests"]
"""

TESTS = '''\
"""{title}: the battery at every table, a rule by example, and a golden game."""

import pytest

import mastaba
from mastaba import testing
from {package} import RULES

GOLDEN = {golden!r}


@pytest.mark.parametrize("players", RULES.players)
@pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: check.__name__)
def test_the_battery_finds_nothing(players: int, check: testing.Check) -> None:
    check(mastaba.game("{name}", players))


def test_a_stone_lower_than_the_last_one_cannot_be_laid() -> None:
    game = mastaba.game("{name}", 2)
    state = game.new_initial_state(seed=0)
    while not state.is_terminal():
        top = state.record["top"][0, state.current_player()]
        for i, stone in enumerate(state.record["hand"][0, state.current_player()]):
            assert (i in state.legal_actions()) == (stone >= max(top, 1))
        state.apply_action(state.legal_actions()[0])


def test_a_golden_game_is_as_recorded() -> None:
    """If a change of the rules is meant, raise the version and write the new game down."""
    state = mastaba.game("{name}", 4).new_initial_state(seed=2026)
    moves = []
    while not state.is_terminal():
        action = state.legal_actions()[len(moves) % len(state.legal_actions())]
        moves.append(state.action_to_string(action))
        state.apply_action(action)
    assert [*moves, str(state.scores())] == GOLDEN
'''


def write_package(name: str, folder: Path) -> Path:
    """Write the package of a game called `name` into `folder`/NAME; ValueError says what is wrong with the name or the place."""
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        raise ValueError(f"{name!r} is no name for a game: lower-case letters, digits and _ are, beginning with a letter")
    if name in GAMES:
        raise ValueError(f"there is a game {name!r} already; games are {', '.join(GAMES)}")
    root = folder / name
    if root.exists():
        raise ValueError(f"{root} is there already")
    package, title = f"mastaba_{name}", name.replace("_", " ").title()
    (root / package).mkdir(parents=True)
    (root / "tests").mkdir()
    for source in sorted(TOY.iterdir()):
        if source.suffix in (".py", ".md"):
            text = source.read_text(encoding="utf-8").replace("Stairs", title).replace('name="stairs"', f'name="{name}"')
            (root / package / source.name).write_text(text, encoding="utf-8")
    words = {"name": name, "package": package, "title": title, "golden": _golden()}
    (root / "pyproject.toml").write_text(PYPROJECT.format(**words), encoding="utf-8")
    (root / "tests" / f"test_{name}.py").write_text(TESTS.format(**words), encoding="utf-8")
    (root / "README.md").write_text(
        (root / package / "README.md").read_text(encoding="utf-8") + USE.format(**words), encoding="utf-8"
    )
    return root


USE = """
## Using it

```bash
pip install -e ".[test]" && pytest          # installs, plays, passes
mastaba check {name}                        # the battery from the command line
mastaba play {name}
```

```python
import mastaba

state = mastaba.game("{name}", 3).new_initial_state(seed=1)
```
"""


def _golden() -> list[str]:
    """The moves of one game of the toy, as it is."""
    state = Game(toy.RULES, 4).new_initial_state(seed=2026)
    moves: list[str] = []
    while not state.is_terminal():
        action = state.legal_actions()[len(moves) % len(state.legal_actions())]
        moves.append(state.action_to_string(action))
        state.apply_action(action)
    return [*moves, str(state.scores())]
