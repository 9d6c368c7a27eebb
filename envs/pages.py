"""The generated parts of the pages: actions, observation, state and use of a game, and the settings of all interfaces.

A page that does not match the code fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, signature
from pathlib import Path

from gymnasium.vector import AutoresetMode

from .core.game import Game
from .core.observing import encoder_names
from .faces.gymnasium import SeatEnv
from .faces.pettingzoo import BoardGameEnv
from .faces.registration import gymnasium_id
from .faces.settings import SETTINGS
from .faces.vector import Duel, SelfPlay
from .registry import GAMES
from .registry import game as make_game

__all__ = ["LIBRARIES", "page_of", "settings_table", "write_pages"]

LIBRARIES = Path(__file__).parent / "LIBRARIES.md"


def page_of(name: str) -> Path:
    return Path(__file__).parent / name / "README.md"


def write_pages(check: bool = False) -> list[Path]:
    """Bring the pages up to date; return those that were not."""
    contents = {page_of(name): _tables(make_game(name)) for name in GAMES} | {LIBRARIES: {"settings": settings_table()}}
    stale = []
    for path, tables in contents.items():
        old = path.read_text(encoding="utf-8")
        new = fill(old, tables)
        if new != old:
            stale.append(path)
            if not check:
                path.write_text(new, encoding="utf-8")
    return stale


def _tables(game: Game) -> dict[str, str]:
    size = f"\n\n{game.rules.schema.dtype.itemsize} bytes."
    phases = game.rules.phases
    actions = game.rules.actions.markdown(phases.of_kind if phases else None)
    tables = {
        "actions": f"`Discrete({game.num_actions})`\n\n{actions}",
        "observation": _observation(game),
        "state": game.rules.schema.markdown() + size,
    }
    return tables | {"using": _using(game)} | _own_tables(game)


def _own_tables(game: Game) -> dict[str, str]:
    """What only this game has: its module `tables`, if there is one."""
    module = f"{game.rules.home}.tables"
    return import_module(module).TABLES if find_spec(module) else {}


# --- How to use one game -------------------------------------------------------------------------------------------------------


def _using(game: Game) -> str:
    """Three lines to start with, the arguments, the rewards and the info."""
    rules = game.rules
    lines = [
        "```python",
        "import gymnasium, mastaba",
        "",
        f'env = gymnasium.make("{gymnasium_id(game.name)}", num_players={game.num_players}, opponents="greedy")',
        'observation, info = env.reset(seed=7)  # info["action_mask"] tells what is legal',
        "```",
        "",
        "| argument | values | meaning |",
        "|---|---|---|",
        f"| `num_players` | {', '.join(map(str, rules.players))}; if not given {rules.default_players} | players at the table |",
    ]
    for name, option in rules.options.items():
        where = f" (with {', '.join(map(str, option.players))} players)" if option.players else ""
        values = ", ".join(f"`{value}`" for value in option.values)
        lines.append(f"| `{name}` | {values}; if not given `{option.default}` | {option.doc}{where} |")
    lines += [
        "",
        "Settings of the interfaces (observation, opponents, ...) are the same for all games: [Your library](../LIBRARIES.md).",
        "",
        _rewards(game),
    ]
    return "\n".join(lines)


def _rewards(game: Game) -> str:
    rules, scale = game.rules, f"{game.rules.score_scale:g}"
    alone = ""
    if 1 in rules.players:
        alone = " Alone: score / 100." if rules.solo_score else " Alone: 1 for beating the automaton, otherwise -1."
    categories = ", ".join(f"`{name}`" for name in rules.categories or ("points",))
    return f"""| reward | when | how much |
|---|---|---|
| `win` | at the end | (n * share - 1) / (n - 1) for n players; k joint winners have a share of 1 / k, the others none.{alone} |
| `margin` | at the end | own score minus the best other, divided by {scale} |
| `score_delta` | at every step | change of the own score, divided by {scale} |

Whoever plays an illegal action gets -1, the others 0. The info holds `action_mask` at every step; at the end also `scores`,
`standings`, `winner` and `breakdown`, whose categories are {categories}."""


# --- The settings of all interfaces --------------------------------------------------------------------------------------------


def settings_table() -> str:
    """Every setting: what it means, and its default in each interface that has it."""
    interfaces = {
        "PettingZoo, RLlib": signature(BoardGameEnv.__init__).parameters,
        "Gymnasium": signature(SeatEnv.__init__).parameters,
        "vector, SB3": signature(Duel.__init__).parameters,
        "self-play": signature(SelfPlay.__init__).parameters,
    }
    lines = [f"| setting | meaning | {' | '.join(interfaces)} |", "|---|---" + "|---" * len(interfaces) + "|"]
    for name, doc in SETTINGS.items():
        found = [_default(name, parameters) for parameters in interfaces.values()]
        lines.append(f"| `{name}` | {doc} | {' | '.join(found)} |")
    return "\n".join(lines)


def _default(name: str, parameters: Mapping[str, Parameter]) -> str:
    if name == "num_players":
        return "the game's"
    if name not in parameters:
        return "-"
    default = parameters[name].default
    if isinstance(default, AutoresetMode):
        default = default.name.lower()
    return f"`{default[0] if isinstance(default, tuple) else default}`"


def _observation(game: Game) -> str:
    """The shape of every encoder at every table, what stands where in `flat`, and what `lookahead` tells of every action."""
    tables = [make_game(game.name, n) for n in game.rules.players]
    arrays = [name for name in encoder_names() if game.encoder(name).show is not None]
    shapes = [f"| {t.num_players} | {' | '.join(str(t.encoder(name).shape) for name in arrays)} |" for t in tables]
    head = [f"| players | {' | '.join(f'`{name}`' for name in arrays)} |", "|---" * (len(arrays) + 1) + "|"]
    every = "Shapes of `Box(-1, 1, shape, float32)` by table; `text` is `Text`. What stands where in `flat`, by players:"
    return "\n".join([*head, *shapes, "", every, "", *_slices(tables), "", *_feature_rows(game), *_rows_of_actions(game)])


def _slices(tables: list[Game]) -> list[str]:
    """One line per slice of `flat`, with its numbers at every table."""
    found: dict[str, dict[int, str]] = {}
    docs: dict[str, str] = {}
    for table in tables:
        for s in table.encoder().slices:
            found.setdefault(s.name, {})[table.num_players] = str(s).replace(" per player", "")
            docs[s.name] = s.doc
    sizes = [table.num_players for table in tables]
    lines = [f"| what | {' | '.join(map(str, sizes))} | meaning |", "|---" * (len(sizes) + 2) + "|"]
    lines += [f"| `{name}` | {' | '.join(at.get(n, '-') for n in sizes)} | {docs[name]} |" for name, at in found.items()]
    return [
        *lines,
        "",
        "`(+k)`: the same of the next player, clockwise, stands k numbers further, and so on.",
        "*Nothing* (an empty place, nobody, not chosen yet) is zeros.",
    ]


def _feature_rows(game: Game) -> list[str]:
    """What stands in the rows of fields that tell what a thing is like, instead of which of its kind it is."""
    rows: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for f in game.rules.schema:
        if f.columns and f.observe:
            rows.setdefault(f.columns, []).append(f"`{f.name}`")
    if not rows:
        return []
    lines = ["A feature row tells what a thing is like, each of its kind in the same way:", ""]
    lines += ["| feature row of | numbers | meaning |", "|---|---|---|"]
    for columns, names in rows.items():
        at = 0
        for meaning, size in columns:
            lines.append(f"| {', '.join(names) if at == 0 else ''} | {_span(at, size)} | {meaning} |")
            at += size
    return [*lines, ""]


def _span(first: int, size: int) -> str:
    return str(first) if size == 1 else f"{first}-{first + size - 1}"


def _rows_of_actions(game: Game) -> list[str]:
    """The columns that `lookahead` has for every action."""
    columns = [s for s in game.encoder("lookahead").slices if s.of]
    width = sum(s.stop - s.start for s in columns)
    lines = [f"`lookahead` is `flat`, followed by {width} numbers for each of the {game.num_actions} actions:", ""]
    lines += ["| numbers | what | meaning |", "|---|---|---|"]
    at = 0
    for s in columns:
        size = s.stop - s.start
        lines.append(f"| {_span(at, size)} | `{s.name}` | {s.doc.removeprefix('per action: ')} |")
        at += size
    return lines


def fill(page: str, tables: dict[str, str]) -> str:
    """Replace what stands between `<!-- name -->` and `<!-- /name -->`."""
    for name, table in tables.items():
        before, after = f"<!-- {name} -->", f"<!-- /{name} -->"
        head, found, rest = page.partition(before)
        _, closed, tail = rest.partition(after)
        if not (found and closed):
            raise ValueError(f"the page has no place for the {name} table: {before} {after}")
        page = f"{head}{before}\n{table}\n{after}{tail}"
    return page
