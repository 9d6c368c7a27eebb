"""The generated tables of a game's page: actions, observation, state. A page that does not match the code fails a test."""

from __future__ import annotations

from pathlib import Path

from ..registry import GAMES
from ..registry import game as make_game
from .game import Game

__all__ = ["page_of", "write_pages"]


def page_of(name: str) -> Path:
    return Path(__file__).parent.parent / name / "README.md"


def write_pages(check: bool = False) -> list[Path]:
    """Bring the pages up to date; return those that were not."""
    stale = []
    for name in GAMES:
        path, game = page_of(name), make_game(name)
        old = path.read_text(encoding="utf-8")
        new = fill(old, _tables(game))
        if new != old:
            stale.append(path)
            if not check:
                path.write_text(new, encoding="utf-8")
    return stale


def _tables(game: Game) -> dict[str, str]:
    encoder = game.encoder
    head = f"At {game.num_players} players: `Box(-1, 1, ({encoder.size},), float32)`.\n\n"
    size = f"\n\n{game.rules.schema.dtype.itemsize} bytes."
    return {
        "actions": f"`Discrete({game.num_actions})`\n\n{game.rules.actions.markdown()}",
        "observation": head + encoder.describe(),
        "state": game.rules.schema.markdown() + size,
    }


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
