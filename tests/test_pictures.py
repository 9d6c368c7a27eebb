"""Pictures: well-formed, of one size per table, with every legal action once, and nothing that the observer may not see."""

from __future__ import annotations

import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import mastaba
from mastaba import Game, State
from mastaba.envs.core import svg
from mastaba.envs.faces.pettingzoo import BoardGameEnv
from mastaba.envs.faces.pictures import FONTS, pixels_of
from mastaba.envs.registry import rules
from mastaba.testing import positions, walk

DRAWN = [(name, n) for name in mastaba.GAMES if rules(name).picture for n in rules(name).players]
drawn = pytest.mark.parametrize("drawn", DRAWN, ids=[f"{name}-{n}p" for name, n in DRAWN])  # games that draw themselves

OURS = [name for name in mastaba.GAMES if rules(name).home.startswith("mastaba.envs.")]

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def actions_in(picture: str) -> Counter[str]:
    return Counter(e.attrib["data-action"] for e in parsed(picture).iter() if "data-action" in e.attrib)


def labels_in(picture: str) -> list[str]:
    return [e.text or "" for e in parsed(picture).iter(f"{SVG}text")]


def legal_names(state: State) -> Counter[str]:
    return Counter(state.action_to_string(a) for a in state.legal_actions())


def thinned(table: Game, seed: int, every: int = 7) -> list[State]:
    """Some positions of a random game, its first and its last among them."""
    path = [state.clone() for state in walk(table, seed)]
    return [*path[::every], path[-1]]


# --- Every game --------------------------------------------------------------------------------------------------------------


@drawn
def test_a_picture_has_one_size_at_a_table(drawn: tuple[str, int]) -> None:
    table = mastaba.game(*drawn)
    sizes = {tuple(parsed(state.to_svg()).attrib[k] for k in ("width", "height", "viewBox")) for state in thinned(table, seed=3)}
    assert len(sizes) == 1
    assert next(iter(sizes))[0] == str(svg.WIDTH)


def test_every_legal_action_is_shown_once_to_who_may_decide_and_to_nobody_else(table: Game) -> None:
    for state in thinned(table, seed=4, every=3):
        acting = state.current_player()
        assert actions_in(state.to_svg()) == legal_names(state)
        for p in range(table.num_players):
            assert actions_in(state.to_svg(p)) == (legal_names(state) if p == acting else Counter())
        assert not actions_in(state.to_svg(legal=False))


def test_a_picture_shows_nothing_that_its_observer_may_not_see(table: Game) -> None:
    for state in positions(table, 12, seed=5):
        if state.is_terminal():
            continue
        for p in range(table.num_players):
            assert state.determinize(p, seed=1).to_svg(p) == state.determinize(p, seed=2).to_svg(p)


@drawn
def test_labels_are_large_enough_and_lie_on_the_picture(drawn: tuple[str, int]) -> None:
    for state in thinned(mastaba.game(*drawn), seed=6):
        root = parsed(state.to_svg())
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for e in root.iter(f"{SVG}text"):
            size = float(e.attrib["font-size"])
            assert size >= svg.SMALLEST
            assert 0 <= float(e.attrib["x"]) <= width
            assert size / 2 <= float(e.attrib["y"]) <= height
        for e in root.iter(f"{SVG}rect"):
            box = svg.Box(*(float(e.attrib[k]) for k in ("x", "y", "width", "height")))
            assert box.x >= 0
            assert box.right <= width
            assert box.bottom <= height


def test_all_colours_are_the_palette_s(table: Game) -> None:
    palette = {value for value in vars(svg).values() if isinstance(value, str) and re.fullmatch("#[0-9a-f]{6}", value)}
    palette |= set(svg.PALE.values())
    for state in thinned(table, seed=7, every=20):
        assert set(re.findall("#[0-9a-f]{6}", state.to_svg())) <= palette
        assert not set(re.findall("#[0-9a-f]{6}", state.to_svg(dark=True))) & set(svg.DARK_THEME)


def test_keys_name_one_thing_each(table: Game) -> None:
    for state in thinned(table, seed=8, every=20):
        keys = Counter(e.attrib["data-key"] for e in parsed(state.to_svg()).iter() if "data-key" in e.attrib)
        assert not [key for key, count in keys.items() if count > 1]


def test_a_picture_takes_less_than_20_ms_to_draw(name: str) -> None:
    """At the largest table, CPU time, the best of five: a busy machine changes nothing, and there is room to spare."""
    for state in thinned(mastaba.game(name, max(rules(name).players)), seed=11, every=40):
        times = []
        for _ in range(5):
            started = time.process_time()
            state.to_svg()
            times.append(time.process_time() - started)
        assert min(times) < 0.020


@drawn
def test_the_end_names_the_winners(drawn: tuple[str, int]) -> None:
    name, players = drawn
    last = thinned(mastaba.game(name, players), seed=9)[-1]
    labels = labels_in(last.to_svg())
    assert "to move" not in labels
    if players > 1:
        assert labels.count("winner") == last.standings().count(0)


@drawn
def test_a_text_board_fits_into_80_columns_of_ascii(drawn: tuple[str, int]) -> None:
    for state in thinned(mastaba.game(*drawn), seed=10):
        for player in (None, 0):
            lines = state.to_text(player).splitlines()
            assert max(map(len, lines)) <= 80
            assert all(line.isascii() for line in lines)


# --- The kit -----------------------------------------------------------------------------------------------------------------


def test_text_is_escaped() -> None:
    picture = svg.frame(
        100, svg.label(10, 20, '<b> & "quotes" \''), svg.group(svg.rect(svg.Box(0, 0, 9, 9)), key='a"b', action="x>y")
    )
    assert labels_in(picture) == ['<b> & "quotes" \'']
    assert actions_in(picture) == {"x>y": 1}


def test_a_label_is_made_to_fit() -> None:
    assert svg.fitted("short", 14, 200) == ("short", 14)
    smaller, size = svg.fitted("a line of words that is a bit long", 14, 220)
    assert smaller == "a line of words that is a bit long"
    assert size < 14
    text, size = svg.fitted("a line of words that is a bit long", 14, 80)
    assert size == svg.SMALLEST
    assert text.endswith("…")
    assert svg.text_width(text, size) <= 80


def test_a_game_without_a_picture_shows_its_text_board() -> None:
    state = mastaba.game("cheops", 2).new_initial_state(seed=1)
    picture = svg.text_picture(state, None)
    assert actions_in(picture) == legal_names(state)
    assert [word for line in state.to_text().splitlines() for word in line.split()] == labels_in(picture)[
        : -len(legal_names(state))
    ]


# --- On the pages ------------------------------------------------------------------------------------------------------------


def test_the_pictures_of_the_pages_are_small_and_shown() -> None:
    """`mastaba pictures` writes them; a picture beside each game's page, and the film of the README."""
    root = Path(__file__).parent.parent  # an installed package comes without pictures
    pictures = [root / "envs" / name / "picture.png" for name in OURS]
    assert sum(path.stat().st_size for path in [*pictures, root / "pictures" / "game.gif"]) < 1_500_000
    for path in pictures:
        assert "](picture.png)" in path.with_name("README.md").read_text(encoding="utf-8")


# --- Pixels ------------------------------------------------------------------------------------------------------------------


def test_a_label_has_pixels() -> None:
    for bold in (False, True):
        blank, written = (
            pixels_of(svg.frame(40, svg.label(10, 30, text, 20, bold=bold, colour="#000000"))) for text in ("", "Ag·…×")
        )
        assert (blank != written).any(axis=(0, 2))[10:70].sum() > 40  # columns with ink


def test_the_shipped_font_is_small_and_comes_with_its_licence() -> None:
    assert sum(Path(font).stat().st_size for font in FONTS) < 150_000
    assert "Bitstream Vera" in Path(FONTS[0]).with_name("LICENSE").read_text()


def test_rgb_array_shows_the_picture_and_human_prints_the_board(name: str, capsys: pytest.CaptureFixture) -> None:
    env = BoardGameEnv(name, render_mode="rgb_array")
    env.reset(seed=1)
    frame = env.render()
    assert isinstance(frame, np.ndarray)
    assert frame.dtype == np.uint8
    assert frame.shape[1:] == (svg.WIDTH, 3)
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 8
    env = BoardGameEnv(name, render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert env.game_state.to_text() in capsys.readouterr().out


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    env = BoardGameEnv("pyramids", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"mastaba\[render\]"):
        env.render()
