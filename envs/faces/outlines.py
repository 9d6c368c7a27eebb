"""Letters as outlines: the shipped font, and the words of a picture as paths.

A rasteriser that looks up and shapes every label takes longer for the words than for the board. Here the outline of each letter is
read from the font once; a label is then a path like any other, the same on every machine.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from struct import unpack_from
from typing import NamedTuple

__all__ = ["FONTS", "Font", "font", "words_as_paths"]

FONTS = tuple(Path(__file__).parent / "fonts" / name for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))

Point = tuple[float, float]


class Letter(NamedTuple):
    outline: str  # in units of the font, y upwards, relative to where the letter begins
    advance: int


class Font:
    """A TrueType font: letters and how wide they are. A character that it does not have is its empty box."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        (count,) = unpack_from(">4xH", self.data)
        entries = (unpack_from(">4s4xI4x", self.data, 12 + 16 * i) for i in range(count))
        self.tables: dict[str, int] = {tag.decode(): place for tag, place in entries}
        (self.units,) = self._numbers("head", 18, "H")
        (self._long_places,) = self._numbers("head", 50, "h")
        (self._widths,) = self._numbers("hhea", 34, "H")
        self.glyphs = self._glyphs_of_characters()
        self._letters: dict[str, Letter] = {}

    def letter(self, character: str) -> Letter:
        found = self._letters.get(character)
        if found is None:
            glyph = self.glyphs.get(ord(character), 0)
            (advance,) = self._numbers("hmtx", 4 * min(glyph, self._widths - 1), "H")
            found = self._letters[character] = Letter(_outline(self._contours(glyph)), advance)
        return found

    def _numbers(self, table: str, offset: int, kinds: str) -> tuple[int, ...]:
        return unpack_from(">" + kinds, self.data, self.tables[table] + offset)

    def _glyphs_of_characters(self) -> dict[int, int]:
        """From the subtable for Windows and Unicode, segments of neighbouring characters (format 4)."""
        (count,) = self._numbers("cmap", 2, "H")
        places = {
            (platform, coding): at for platform, coding, at in (self._numbers("cmap", 4 + 8 * i, "HHI") for i in range(count))
        }
        start = places[3, 1]
        segments = self._numbers("cmap", start + 6, "H")[0] // 2
        columns = [start + 14 + 2 * segments * i + 2 * (i > 0) for i in range(4)]  # last, first, delta, and where the list is
        glyphs = {}
        for i in range(segments):
            last, first, delta, listed = (self._numbers("cmap", column + 2 * i, "H")[0] for column in columns)
            for character in range(first, min(last, 0xFFFE) + 1):
                where = columns[3] + 2 * i + listed + 2 * (character - first)
                glyphs[character] = (self._numbers("cmap", where, "H")[0] if listed else character) + delta & 0xFFFF
        return glyphs

    def _contours(self, glyph: int) -> list[list[tuple[Point, bool]]]:
        """Closed lines of points; those that are not on the line pull a curve."""
        size, kind = (4, "2I") if self._long_places else (2, "2H")
        begin, end = self._numbers("loca", size * glyph, kind)
        if begin == end:
            return []
        at = self.tables["glyf"] + begin * (1 if self._long_places else 2)
        (count,) = unpack_from(">h", self.data, at)
        return self._simple(at + 10, count) if count >= 0 else self._composite(at + 10)

    def _simple(self, at: int, count: int) -> list[list[tuple[Point, bool]]]:
        ends = unpack_from(f">{count}H", self.data, at)
        (instructions,) = unpack_from(">H", self.data, at + 2 * count)
        at += 2 * count + 2 + instructions
        flags: list[int] = []
        while len(flags) <= ends[-1]:
            flag, repeated = self.data[at], self.data[at + 1] if self.data[at] & 8 else 0
            flags += [flag] * (1 + repeated)
            at += 2 if flag & 8 else 1
        xs, at = self._coordinates(flags, at, short=2, same=16)
        ys, at = self._coordinates(flags, at, short=4, same=32)
        points = [((x, y), bool(flag & 1)) for x, y, flag in zip(xs, ys, flags, strict=True)]
        return [points[begin : end + 1] for begin, end in zip((0, *(end + 1 for end in ends)), ends, strict=False)]

    def _coordinates(self, flags: list[int], at: int, short: int, same: int) -> tuple[list[float], int]:
        """Each is a step from the one before: a byte with its sign in the flag, nothing, or two bytes."""
        values, value = [], 0
        for flag in flags:
            if flag & short:
                value += self.data[at] if flag & same else -self.data[at]
                at += 1
            elif not flag & same:
                value += unpack_from(">h", self.data, at)[0]
                at += 2
            values.append(float(value))
        return values, at

    def _composite(self, at: int) -> list[list[tuple[Point, bool]]]:
        """Letters put together from others, each moved; the shipped font turns and stretches none."""
        contours, more = [], True
        while more:
            flags, glyph = unpack_from(">HH", self.data, at)
            if flags & 0b11001000 or not flags & 2:
                raise ValueError(f"glyph {glyph} is a scaled part of a letter, which is not read")
            dx, dy = unpack_from(">hh" if flags & 1 else ">bb", self.data, at + 4)
            contours += [[((x + dx, y + dy), on) for (x, y), on in contour] for contour in self._contours(glyph)]
            at += 8 if flags & 1 else 6
            more = bool(flags & 32)
        return contours


def _outline(contours: list[list[tuple[Point, bool]]]) -> str:
    """Relative commands of a path, so that a letter is the same text wherever it stands."""
    drawn, here = [], (0.0, 0.0)

    def step(*points: Point) -> str:
        return " ".join(f"{x - here[0]:g} {y - here[1]:g}" for x, y in points)

    for contour in contours:
        points = _with_middles(contour)
        first = points[0][0]
        drawn.append(f"m{step(first)}")
        here, pull = first, None
        for point, on in [*points[1:], points[0]]:
            if not on:
                pull = point
                continue
            drawn.append(f"l{step(point)}" if pull is None else f"q{step(pull, point)}")
            here, pull = point, None
        if drawn[-1].startswith("l"):
            drawn.pop()  # the straight way back is drawn by closing
        drawn.append("z")
    return "".join(drawn)


def _with_middles(contour: list[tuple[Point, bool]]) -> list[tuple[Point, bool]]:
    """Between two points that pull lies one on the line, in their middle; the first one is on the line."""
    points = []
    for (before, was_on), (point, on) in zip([contour[-1], *contour], contour, strict=False):
        if not was_on and not on:
            points.append((((before[0] + point[0]) / 2, (before[1] + point[1]) / 2), True))
        points.append((point, on))
    start = next(i for i, (_, on) in enumerate(points) if on)
    return points[start:] + points[:start]


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
