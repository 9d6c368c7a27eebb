"""Pictures: well-formed, of one size per table, with every legal action once, and nothing that the observer may not see."""

from __future__ import annotations

import copy
import pickle
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mastaba
from mastaba import Game, State
from mastaba.envs.core import svg
from mastaba.envs.faces import pictures
from mastaba.envs.faces.gymnasium import SeatEnv
from mastaba.envs.faces.outlines import FONTS, font, words_as_paths
from mastaba.envs.faces.pettingzoo import BoardGameEnv
from mastaba.envs.faces.pictures import image_of, pixels_of
from mastaba.envs.faces.vector import Duel
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
    width, height, _ = next(iter(sizes))
    assert width == str(svg.WIDTH)
    assert int(height) % 2 == 0, "codecs of videos want even sides"


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
    first_screen = (root / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert "](pictures/game.gif)" in first_screen
    for path in pictures:
        assert "](picture.png)" in path.with_name("README.md").read_text(encoding="utf-8")
        assert f'src="{path.relative_to(root).as_posix()}"' in first_screen


# --- Pixels ------------------------------------------------------------------------------------------------------------------


def test_a_label_has_pixels() -> None:
    for bold in (False, True):
        blank, written = (
            pixels_of(svg.frame(40, svg.label(10, 30, text, 20, bold=bold, colour="#000000"))) for text in ("", "Ag·…×")
        )
        assert (blank != written).any(axis=(0, 2))[10:70].sum() > 40  # columns with ink


def test_the_shipped_font_is_small_and_comes_with_its_licence() -> None:
    assert sum(path.stat().st_size for path in FONTS) < 150_000
    assert "Bitstream Vera" in FONTS[0].with_name("LICENSE").read_text()


@pytest.mark.parametrize("bold", [False, True])
def test_letters_are_read_from_the_font_as_fonttools_reads_them(bold: bool) -> None:
    """Advance, box and area of every outline, area by walking along it."""
    from fontTools.pens.areaPen import AreaPen
    from fontTools.ttLib import TTFont

    theirs = TTFont(FONTS[bold])
    glyphs, characters = theirs.getGlyphSet(), theirs.getBestCmap()
    for character, glyph in characters.items():
        pen, ours = AreaPen(glyphs), font(bold).letter(chr(character))
        glyphs[glyph].draw(pen)
        assert ours.advance == glyphs[glyph].width
        assert area_of(ours.outline) == pytest.approx(pen.value, abs=1), chr(character)


def area_of(outline: str) -> float:
    """What relative lines and curves enclose, counterclockwise positive."""
    x = y = total = 0.0
    start = x, y
    for command, numbers in re.findall(r"([mlqz])([-\d. ]*)", outline):
        steps = [float(number) for number in numbers.split()]
        if command == "z":
            total += (x * start[1] - start[0] * y) / 2
            x, y = start
            continue
        dx, dy = steps[-2:]
        if command == "m":
            start = x + dx, y + dy
        else:
            total += (x * (y + dy) - (x + dx) * y) / 2
        if command == "q":
            total += (steps[0] * dy - dx * steps[1]) / 3
        x, y = x + dx, y + dy
    return total


def test_labels_become_paths_where_they_stood() -> None:
    """A label of one letter, from its left, around its middle and to its right: the same ink, moved by half its advance."""
    ink = []
    for anchor in ("start", "middle", "end"):
        picture = svg.frame(60, svg.label(600, 40, "H", 40, anchor=anchor, colour="#000000"))
        assert "<text" not in words_as_paths(picture)
        columns = np.flatnonzero((pixels_of(picture) < 100).all(axis=2).any(axis=0))
        ink.append(int(columns[0]))
    advance = font(False).letter("H").advance / font(False).units * 40
    assert ink[0] - ink[1] == pytest.approx(advance / 2, abs=1)
    assert ink[0] - ink[2] == pytest.approx(advance, abs=1)


def test_a_picture_is_drawn_as_a_browser_draws_it() -> None:
    """What the rasteriser would get wrong by itself: a frame that is open for clicks, and several open lines in one path."""
    box = svg.Box(10, 10, 80, 40)
    lines = '<path d="M50 30L10 30M50 30L90 30" fill="none" stroke="#c8452d" stroke-width="10"/>'
    framed, crossed = (pixels_of(svg.frame(60, part))[5:55, 5:95] for part in (svg.outline(box, "x"), lines))
    assert framed[25, 45].tolist() == [0xF6, 0xEF, 0xE0]  # paper
    red = (crossed == [0xC8, 0x45, 0x2D]).all(axis=2)
    assert red[21:29, 6:84].all()
    assert red.sum() == 80 * 10


def test_what_is_no_picture_is_refused() -> None:
    for wrong in ("", "<p>", '<svg width="10" height="10"><rect'):
        with pytest.raises(ValueError, match="not a picture"):
            pixels_of(wrong)


def test_drawing_again_and_again_takes_no_more_memory() -> None:
    resource = pytest.importorskip("resource")
    drawn = [state.to_svg() for state in thinned(mastaba.game("cheops", 2), seed=2, every=30)]

    def most_memory(times: int) -> int:
        for i in range(times):
            image_of(drawn[i % len(drawn)], zoom=0.1)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = most_memory(10)
    assert most_memory(60) - before < 5_000  # kB


# --- In the interfaces -------------------------------------------------------------------------------------------------------


def test_rgb_array_shows_the_picture(name: str) -> None:
    env = BoardGameEnv(name, render_mode="rgb_array")
    env.reset(seed=1)
    frame = env.render()
    assert isinstance(frame, np.ndarray)
    assert frame.dtype == np.uint8
    assert frame.shape[1:] == (svg.WIDTH, 3)
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 8


ENVIRONMENTS = {
    "aec": lambda: BoardGameEnv("cheops", render_mode="human"),
    "seat": lambda: SeatEnv("cheops", seat=0, render_mode="human"),
    "batch": lambda: Duel("cheops", 2, seat=0, render_mode="human"),
}


@pytest.mark.parametrize("make", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
@pytest.mark.parametrize(
    ("library", "why"), [("tkinter", "this Python has no tkinter"), ("thorvg_python", 'pip install "mastaba[render]"')]
)
def test_human_without_a_window_prints_the_board_and_says_why_once(
    make: Callable[[], Any], library: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """The window itself: tests/browser/test_window.py, on a display."""
    monkeypatch.setitem(sys.modules, library, None)
    pictures.engine.cache_clear()
    env = make()
    env.reset(seed=1)
    env.render()
    printed = capsys.readouterr().out
    state = env.game_state(0) if isinstance(env, Duel) else env.game_state
    board = state.to_text(None if isinstance(env, BoardGameEnv) else 0)
    assert printed.startswith("boards as text, since no window can be shown: ")
    assert why in printed.splitlines()[0]
    assert printed.count(board) == 2
    assert printed.count("no window") == 1
    env.close()


def test_without_a_display_the_board_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    tkinter = pytest.importorskip("tkinter")
    monkeypatch.setattr(tkinter, "Tk", lambda **_: (_ for _ in ()).throw(tkinter.TclError("no display name")))
    env = BoardGameEnv("pyramids", render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == f"boards as text, since no window can be shown: no display name\n{env.game_state.to_text()}\n"


def test_an_environment_with_a_window_can_be_copied() -> None:
    env = BoardGameEnv("pyramids", render_mode="human")
    assert pickle.loads(pickle.dumps(env)).render_mode == "human"
    assert copy.deepcopy(env).render_mode == "human"


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "thorvg_python", None)
    pictures.engine.cache_clear()
    env = BoardGameEnv("pyramids", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"mastaba\[render\]"):
        env.render()
