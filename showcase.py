"""The pictures of the pages: a position of a game between strong players per game, and one whole game as an animated picture.

`mastaba pictures` writes them anew: a picture.png beside the page of each game, and pictures/game.gif for the README.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from .baselines.agents import agent
from .baselines.keeping import kept_game
from .envs.core.game import Game
from .envs.core.state import State
from .envs.faces.pictures import image_of
from .envs.registry import GAMES, rules
from .envs.registry import game as make_game
from .envs.replay import Replay, write_gif
from .envs.replay.film import few_colours

__all__ = ["write_pictures"]

ROOT = Path(__file__).parent
SEED = 7
STRONG, QUICK = "rollout:200", "greedy"
LATE = 0.7  # how much of a game has been played when its picture is taken
FILM, FILM_WIDTH, FILM_PACE, FILM_EVERY = "master_architect", 600, 1.0, 4


def write_pictures(names: Iterable[str] = GAMES, done: Callable[[Path], None] = lambda path: None) -> list[Path]:
    """Write the pictures of these games; where they are."""
    written = []
    for name in names:
        table = make_game(name, max(2, min(rules(name).players)))
        replay = _played(table)
        path = rules(name).page.with_name("picture.png")
        _write_png(_position(replay), path)
        written.append(path)
        done(path)
        if name == FILM:
            film = ROOT / "pictures" / "game.gif"
            film.parent.mkdir(exist_ok=True)
            written.append(write_gif(replay, film, width=FILM_WIDTH, seconds=FILM_PACE, every=FILM_EVERY))
            done(film)
    return written


def _played(table: Game) -> Replay:
    """A whole game of the strongest players that search here."""
    try:
        players = [agent(table, STRONG, SEED + seat) for seat in range(table.num_players)]
    except ValueError:  # a game that cannot be searched
        players = [agent(table, QUICK, SEED + seat) for seat in range(table.num_players)]
    return kept_game(table, players, SEED)


def _position(replay: Replay) -> State:
    wanted = round(LATE * len(replay.actions))
    return next(state for number, state in enumerate(replay.states()) if number == wanted)


def _write_png(state: State, path: Path) -> None:
    """As the player to act sees it, with its legal moves; few colours, so that the file is small."""
    few_colours([image_of(state.to_svg(state.current_player()))])[0].save(path, optimize=True)
