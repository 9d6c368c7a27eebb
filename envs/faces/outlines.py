"""Letters as outlines: the shipped font, read by fontTools, and the words of a picture as paths.

A rasteriser that looks up and shapes every label takes longer for the words than for the board. Here the outline of each letter is
read from the font once; a label is then a path like any other, the same on every machine.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple

from .extras import missing

try:
    from fontTools.pens.basePen import BasePen
    from fontTools.ttLib import TTFont
except ImportError as error:
    raise missing(error, "render") from None

__all__ = ["FONTS", "Font", "font", "words_as_paths"]

FONTS = tuple(Path(__file__).parent / "fonts" / name for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))

Point = tuple[float, float]


class Letter(NamedTuple):
    outline: str  # in units of the font, y upwards, relative to where the letter begins
    advance: int


class Font:
    """Letters and how wide they are. A character that the font does not have is its empty box."""

    def __init__(self, path: Path) -> None:
        file = TTFont(path)
        self.units = file["head"].unitsPerEm
        self._names, self._glyphs = file.getBestCmap(), file.getGlyphSet()
        self._letters: dict[str, Letter] = {}

    def letter(self, character: str) -> Letter:
        found = self._letters.get(character)
        if found is None:
            glyph, pen = self._glyphs[self._names.get(ord(character), ".notdef")], RelativePen(self._glyphs)
            glyph.draw(pen)
            found = self._letters[character] = Letter("".join(pen.drawn), glyph.width)
        return found


class RelativePen(BasePen):
    """Writes relative commands of a path, so that a letter is the same text wherever it stands."""

    def __init__(self, glyphs: object) -> None:
        super().__init__(glyphs)
        self.drawn: list[str] = []
        self._here = self._start = (0.0, 0.0)

    def _go(self, command: str, *points: Point) -> None:
        x, y = self._here
        self.drawn.append(command + " ".join(f"{px - x:g} {py - y:g}" for px, py in points))
        self._here = points[-1]

    def _moveTo(self, point: Point) -> None:
        self._go("m", point)
        self._start = point

    def _lineTo(self, point: Point) -> None:
        self._go("l", point)

    def _qCurveToOne(self, pull: Point, point: Point) -> None:
        self._go("q", pull, point)

    def _closePath(self) -> None:
        self.drawn.append("z")
        self._here = self._start


@cache
def font(bold: bool) -> Font:
    return Font(FONTS[bold])


# --- Words -------------------------------------------------------------------------------------------------------------------

_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}  # how much of a label stands left of its place


def words_as_paths(picture: str) -> str:
    """The same picture with every label of the drawing kit as a path."""
    return _TEXT.sub(lambda found: _label(dict(_ATTRIBUTE.findall(found[1])), unescape(found[2])), picture)


def _label(given: dict[str, str], words: str) -> str:
    drawn_in = font(given.get("font-weight") == "bold")
    outlines, x = [], 0
    for letter in map(drawn_in.letter, " ".join(words.split())):  # as browsers do it: several spaces are one
        if letter.outline:
            outlines.append(f"M{x} 0{letter.outline}")
        x += letter.advance
    scale = float(given["font-size"]) / drawn_in.units
    left = float(given["x"]) - BEFORE[given.get("text-anchor", "start")] * x * scale
    matrix = f"matrix({scale:.6g} 0 0 {-scale:.6g} {left:.2f} {given['y']})"
    return f'<path transform="{matrix}" fill="{given["fill"]}" d="{"".join(outlines)}"/>'
