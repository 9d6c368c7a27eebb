"""A game as one page that needs nothing else: picture, slider, moves, scores over time, the view of each seat.

Neighbouring pictures differ in a few lines, and views in a few more. The page carries every line once, and per view and move what
changes (start, lines that go, lines that come), packed; the browser puts the pictures together.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any

from ..core import svg
from ..core.declare.schema import OWNER
from .file import Replay

__all__ = ["page_of", "write_page"]

TEMPLATE = Path(__file__).with_name("page.html")
Splice = list[int]  # start, lines that go, numbers of the lines that come


def write_page(replay: Replay, path: str | Path) -> Path:
    path = Path(path)
    path.write_text(page_of(replay), encoding="utf-8")
    return path


def page_of(replay: Replay, play_on: str = "") -> str:
    """The page as HTML. With `play_on` it has a button that leads there, the number of the shown move appended."""
    told = _tell(replay) | {"play_on": play_on}
    packed = base64.b64encode(gzip.compress(json.dumps(told, separators=(",", ":")).encode(), mtime=0)).decode()
    page = TEMPLATE.read_text(encoding="utf-8")
    return page.replace("{{title}}", escape(told["title"])).replace("{{data}}", packed)


def _tell(replay: Replay) -> dict[str, Any]:
    secrets = any(field.sees == OWNER for field in replay.table().rules.schema)
    observers: list[int | None] = [None, *(range(replay.num_players) if secrets and replay.num_players > 1 else ())]
    numbers: dict[str, int] = {}  # of the lines
    views: list[list[list[Splice]]] = [[] for _ in observers]
    shown: list[list[tuple[int, ...]]] = [[] for _ in observers]
    deciders, scores = [], []
    for state in replay.states():
        deciders.append(state.current_player())
        scores.append(state.scores())
        for view, observer in enumerate(observers):
            things = _things(state.to_svg(observer, legal=False).splitlines())
            picture = [tuple(numbers.setdefault(line, len(numbers)) for line in thing) for thing in things]
            views[view].append(splices(shown[view], picture))
            shown[view] = picture
    names = ["everything open", *(f"as seat {p} sees it" for p in range(replay.num_players))]
    return {
        "title": replay.table().rules.title,
        "players": replay.players,
        "seed": str(replay.seed),
        "finished": replay.finished,
        "standings": replay.standings,
        "moves": list(zip(deciders, replay.actions, strict=False)),
        "scores": scores,
        "lines": list(numbers),
        "views": [{"name": name, "frames": frames} for name, frames in zip(names, views, strict=False)],
        "dark": svg.DARK_THEME,
        "colours": svg.SEAT_COLOURS,
    }


def _things(lines: list[str]) -> list[tuple[str, ...]]:
    """The lines of a picture by the things they draw: each begins with its key."""
    starts = [0, *(i for i, line in enumerate(lines) if line.startswith("<g data-key")), len(lines)]
    return [tuple(lines[i:j]) for i, j in pairwise(starts)]


def splices(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[Splice]:
    """What makes one picture of another, from its end to its start, so that earlier places stay where they are.

    Compared thing by thing: line by line takes a hundred times as long, as so many lines are alike.
    """
    places = list(accumulate((len(thing) for thing in before), initial=0))
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [
        _trimmed(places[i], [*chain(*before[i:j])], [*chain(*after[k:m])])
        for kind, i, j, k, m in reversed(changes)
        if kind != "equal"
    ]


def _trimmed(place: int, old: list[int], new: list[int]) -> Splice:
    """Lines of `old` that stand at a place become `new`, but for those that are the same at both ends."""
    start, short = 0, min(len(old), len(new))
    while start < short and old[start] == new[start]:
        start += 1
    end = 0
    while end < short - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return [place + start, len(old) - start - end, *new[start : len(new) - end]]
