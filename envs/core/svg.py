"""The drawing kit of all pictures: small functions that return SVG text, one element per line.

A game's `drawing.py` says what lies where; colours, letters and shapes are from here, so that five games speak one visual language.
A picture is a frame with a header, what everybody shares, and a panel per seat. Rules of the house: colour never alone (a stone
carries its letter), no label below `SMALLEST`, what an observer may not see is a card's back, every colour is one of this module.

Two attributes make a picture more than an image: `data-action` is the notation of the legal action that an element stands for (a
page makes it clickable), `data-key` names a thing that changes (a replay tells what a move has touched).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from math import ceil
from typing import Any, NamedTuple, Protocol

WIDTH = 1200
MARGIN = 20
HEADER = 52
GAP = 12
SMALLEST = 11  # px of a label

# --- Colours -----------------------------------------------------------------------------------------------------------------

PAPER, PANEL, SOFT = "#f6efe0", "#fffaf0", "#e6d9bd"
INK, LINE = "#3a2e1f", "#8c7a5c"
QUIET = "#6f5f45"  # small words: darker than a line, so that they can be read on paper
ACCENT, GOOD = "#c8452d", "#2f7d5b"
TINT = "#fbe3d6"  # what can be chosen
BAR, BAR_INK, BAR_QUIET = "#3a2d1e", "#fffaef", "#e6d9bc"  # the header

BLUE, WHITE, RED, GREEN, YELLOW = "#3b73b9", "#f2ead6", "#c2452f", "#4f8f4a", "#e0a92e"
LILAC, ORANGE, BROWN, GREY = "#8a5ba5", "#dd7a2b", "#8b5e3c", "#9a958a"
DARK_ON, LIGHT_ON = "#2b2118", "#fffdf8"  # letters on stones: the same in every theme
BRIGHT = (WHITE, YELLOW, ORANGE, GREY)  # stones with dark letters
SEAT_COLOURS = (BLUE, RED, GREEN, YELLOW, LILAC)


def mixed(colour: str, with_colour: str, share: float) -> str:
    """A colour with so much of another in it."""
    pairs = ((int(colour[i : i + 2], 16), int(with_colour[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)


STONE_COLOURS = (BLUE, WHITE, RED, GREEN, YELLOW, LILAC, ORANGE, BROWN, GREY)
PALE = {colour: mixed(colour, PANEL, 0.68) for colour in STONE_COLOURS}  # printed, but not built

DARK_THEME = {
    **{PAPER: "#211c17", PANEL: "#2d2721", SOFT: "#453b30", INK: "#f3e9d6", LINE: "#94846a", QUIET: "#bcab8f"},
    **{ACCENT: "#f07a5e", GOOD: "#63bf95", TINT: "#55302a", BAR: "#120e0a", BAR_INK: "#fdf6e9", BAR_QUIET: "#cdbd9e"},
}
DARK_THEME |= {PALE[colour]: mixed(colour, DARK_THEME[PANEL], 0.6) for colour in STONE_COLOURS}
_LIGHT = re.compile("|".join(DARK_THEME))


def dark(picture: str) -> str:
    """The same picture in the dark theme: its colours swapped, stones and dice as they are."""
    return _LIGHT.sub(lambda found: DARK_THEME[found[0]], picture)


# --- Places ------------------------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """A rectangle on the picture, in pixels."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def cx(self) -> float:
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        return self.y + self.h / 2

    def inset(self, by: float) -> Box:
        return Box(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)

    def moved(self, dx: float, dy: float = 0) -> Box:
        return Box(self.x + dx, self.y + dy, self.w, self.h)


def row(x: float, y: float, count: int, w: float, h: float, gap: float = 6) -> list[Box]:
    """`count` boxes of one size, from left to right."""
    return [Box(x + i * (w + gap), y, w, h) for i in range(count)]


def seat_boxes(count: int, top: float, height: float, per_row: int = 2) -> list[Box]:
    """The panels of the seats, two per row."""
    w = (WIDTH - 2 * MARGIN - (per_row - 1) * GAP) / per_row
    return [Box(MARGIN + i % per_row * (w + GAP), top + i // per_row * (height + GAP), w, height) for i in range(count)]


# --- Text --------------------------------------------------------------------------------------------------------------------

# Advances of DejaVu Sans in hundredths of the size, from the space to the tilde; bold letters are about an eighth wider.
_ADVANCES = (
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 100 68 69 70 77 63 58 77 75"
    " 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 58 28 97 63 61 63 63"
    " 41 52 39 63 59 82 59 59 52 64 34 64 84"
)
ADVANCE = {chr(32 + i): int(width) / 100 for i, width in enumerate(_ADVANCES.split())}
BOLD = 1.125


def text_width(text: str, size: float, bold: bool = False) -> float:
    return size * (BOLD if bold else 1) * sum(ADVANCE.get(letter, 0.8) for letter in text)


def fitted(text: str, size: float, width: float, bold: bool = False) -> tuple[str, float]:
    """Text and size that fit into a width: smaller down to `SMALLEST`, then cut with an ellipsis."""
    while size > SMALLEST and text_width(text, size, bold) > width:
        size = max(SMALLEST, size - 0.5)
    return cut(text, size, width, bold), size


def cut(text: str, size: float, width: float, bold: bool = False) -> str:
    """As much of a text as fits, and an ellipsis for the rest."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def label(
    x: float,
    y: float,
    text: object,
    size: float = 13,
    *,
    bold: bool = False,
    colour: str = INK,
    anchor: str = "start",
    width: float | None = None,
) -> str:
    """One line of text; `y` is its baseline. With a width it is made to fit."""
    words = str(text)
    if width is not None:
        words, size = fitted(words, size, width, bold)
    weight = ' font-weight="bold"' if bold else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{weight}{where} fill="{colour}">{escape(words)}</text>'


def centred(box: Box, text: object, size: float = 13, *, bold: bool = False, colour: str = INK) -> str:
    return label(box.cx, box.cy + 0.36 * size, text, size, bold=bold, colour=colour, anchor="middle")


def paragraph(box: Box, text: str, size: float = SMALLEST, *, colour: str = QUIET) -> str:
    """Words wrapped into a box; the last line that fits is cut with an ellipsis if more would follow."""
    lines, room = wrapped(text, size, box.w), max(1, int(box.h // (size + 3)))
    if len(lines) > room:
        lines = [*lines[: room - 1], cut(" ".join(lines[room - 1 :]), size, box.w)]
    return together(label(box.x, box.y + size + i * (size + 3), line, size, colour=colour) for i, line in enumerate(lines))


# --- Elements ----------------------------------------------------------------------------------------------------------------


def together(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)


def rect(box: Box, fill: str = "none", stroke: str | None = None, *, r: float = 4, line: float = 1, dashed: bool = False) -> str:
    edge = f' stroke="{stroke}" stroke-width="{line:g}"' if stroke else ""
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.w:g}" height="{box.h:g}" rx="{r:g}" fill="{fill}"{edge}{dash}/>'


def circle(x: float, y: float, r: float, fill: str = "none", stroke: str | None = None, *, line: float = 1) -> str:
    edge = f' stroke="{stroke}" stroke-width="{line:g}"' if stroke else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"{edge}/>'


def path(d: str, fill: str = "none", stroke: str | None = None, *, line: float = 1) -> str:
    edge = f' stroke="{stroke}" stroke-width="{line:g}" stroke-linecap="round" stroke-linejoin="round"' if stroke else ""
    return f'<path d="{d}" fill="{fill}"{edge}/>'


def group(content: str, *, key: str | None = None, action: str | None = None, opacity: float | None = None) -> str:
    """Elements that are one thing: of a key that a replay can follow, or standing for an action."""
    marks = "" if key is None else f' data-key="{escape(key)}"'
    marks += "" if action is None else f' data-action="{escape(action)}"'
    marks += "" if opacity is None else f' opacity="{opacity:g}"'
    return f"<g{marks}>\n{content}\n</g>" if content else ""


def arrow(x1: float, y1: float, x2: float, y2: float, colour: str = LINE, line: float = 2) -> str:
    """A straight arrow with an open head."""
    length = max(1e-9, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    ux, uy, head = (x2 - x1) / length, (y2 - y1) / length, 3 + line
    left, right = (x2 - head * (ux - uy), y2 - head * (uy + ux)), (x2 - head * (ux + uy), y2 - head * (uy - ux))
    d = f"M{x1:g} {y1:g}L{x2:g} {y2:g}M{left[0]:.4g} {left[1]:.4g}L{x2:g} {y2:g}L{right[0]:.4g} {right[1]:.4g}"
    return path(d, stroke=colour, line=line)


def cross(box: Box, colour: str = INK, line: float = 2.5) -> str:
    """Crossed out with a pen."""
    b = box
    return path(f"M{b.x:g} {b.y:g}L{b.right:g} {b.bottom:g}M{b.right:g} {b.y:g}L{b.x:g} {b.bottom:g}", stroke=colour, line=line)


def panel(box: Box, edge: str = LINE) -> str:
    """A sheet on the table; an edge of another colour than the line's is a thick one."""
    return rect(box, PANEL, edge, r=10, line=1 if edge == LINE else 3)


def field(box: Box, r: float = 8) -> str:
    """A soft area of the table: a quarry, a camp, a strip."""
    return rect(box, SOFT, r=r)


def empty(box: Box, r: float = 4) -> str:
    """A place where nothing lies."""
    return rect(box, stroke=SOFT, r=r, line=1.5)


def letters_on(colour: str) -> str:
    return DARK_ON if colour in BRIGHT else LIGHT_ON


def stone(box: Box, colour: str, letter: object = "", *, size: float | None = None, r: float = 3) -> str:
    """A stone of a colour with its letter. Only a white one needs an edge: edges are what takes a rasteriser most of its time."""
    size = max(SMALLEST, 0.4 * min(box.w, box.h)) if size is None else size
    letters = centred(box, letter, size, bold=True, colour=letters_on(colour)) if letter != "" else ""
    return together((rect(box, colour, LINE if colour == WHITE else None, r=r), letters))


def pale_stone(box: Box, colour: str, letter: object = "", *, size: float | None = None, r: float = 3) -> str:
    """A stone that is not built yet: its colour in a tint."""
    size = max(SMALLEST, 0.4 * min(box.w, box.h)) if size is None else size
    return together((rect(box, PALE[colour], r=r), centred(box, letter, size, bold=True) if letter != "" else ""))


def badge(x: float, y: float, text: object, fill: str = INK, colour: str | None = None, size: float = SMALLEST) -> str:
    """A round mark with a letter or a number, around its centre."""
    on = (PANEL if fill in (INK, LINE, ACCENT, GOOD, QUIET) else letters_on(fill)) if colour is None else colour
    words = str(text)
    w = max(size + 5, text_width(words, size, True) + 8)
    box = Box(x - w / 2, y - (size + 5) / 2, w, size + 5)
    return together((rect(box, fill, r=box.h / 2), centred(box, words, size, bold=True, colour=on)))


def card(box: Box, title: str = "", *, fill: str = PANEL, chosen: bool = False, r: float = 5) -> str:
    """A card that lies open; what it shows is drawn upon it."""
    name = label(box.cx, box.y + 16, title, 12, bold=True, anchor="middle", width=box.w - 8) if title else ""
    return together((rect(box, fill, ACCENT if chosen else LINE, r=r, line=2 if chosen else 1), name))


def card_back(box: Box, count: int | None = None, r: float = 4) -> str:
    """A card that the observer may not see: one diagonal; with a count, so many of them."""
    diagonal = path(f"M{box.x + 4:g} {box.bottom - 4:g}L{box.right - 4:g} {box.y + 4:g}", stroke=PANEL, line=1.5)
    return together((rect(box, LINE, PANEL, r=r), diagonal, "" if count is None else badge(box.right - 5, box.y + 5, count)))


PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def die(box: Box, pips: int, fill: str = WHITE, *, chosen: bool = False, pale: bool = False) -> str:
    """A die that shows a number; a pale one cannot be used."""
    step, r, on = box.w * 0.26, box.w * 0.085, letters_on(fill)
    face = rect(box, fill, ACCENT if chosen else LINE, r=box.w * 0.18, line=2.5 if chosen else 1)
    dots = (circle(box.cx + dx * step, box.cy + dy * step, r, on) for dx, dy in PIPS.get(pips, ()))
    drawn = together((face, *dots))
    return group(drawn, opacity=0.35) if pale else drawn


def colour_die(box: Box, colour: str, letter: str, *, pale: bool = False) -> str:
    """A die that shows a colour, with its letter."""
    drawn = together(
        (
            rect(box, colour, LINE, r=box.w * 0.18),
            centred(box, letter, max(SMALLEST, box.w * 0.42), bold=True, colour=letters_on(colour)),
        )
    )
    return group(drawn, opacity=0.35) if pale else drawn


def pawn(x: float, y: float, seat: int, size: float = 20) -> str:
    """A worker of a seat around its centre: head and body in the seat's colour, the seat's number upon it."""
    colour, h = SEAT_COLOURS[seat], size
    body = f"M{x - 0.42 * h:g} {y + 0.6 * h:g}Q{x - 0.36 * h:g} {y - 0.25 * h:g} {x:g} {y - 0.3 * h:g}"
    body += f"Q{x + 0.36 * h:g} {y - 0.25 * h:g} {x + 0.42 * h:g} {y + 0.6 * h:g}Z"
    number = label(x, y + 0.5 * h, seat, max(SMALLEST, 0.55 * h), bold=True, colour=letters_on(colour), anchor="middle")
    return together((path(body, colour, DARK_ON), circle(x, y - 0.42 * h, 0.24 * h, colour, DARK_ON), number))


def bar(box: Box, share: float, colour: str = GOOD) -> str:
    """How much of something: 0 is empty, 1 full."""
    filled = Box(box.x, box.y, box.w * min(1.0, max(0.0, share)), box.h)
    return together((rect(box, SOFT, r=box.h / 2), rect(filled, colour, r=box.h / 2) if filled.w else ""))


def track(boxes: Sequence[Box], names: Sequence[object] = ()) -> str:
    """Spaces joined by a road, each with its name above."""
    road = path(f"M{boxes[0].cx:g} {boxes[0].cy:g}L{boxes[-1].cx:g} {boxes[-1].cy:g}", stroke=LINE, line=6)
    over = (label(b.cx, b.y - 4, name, SMALLEST, colour=QUIET, anchor="middle") for b, name in zip(boxes, names, strict=False))
    return together((road, *(rect(b, SOFT, LINE, r=6) for b in boxes), *over))


# --- The position ------------------------------------------------------------------------------------------------------------


class Position(Protocol):
    """What a picture asks of a state."""

    record: Any

    def current_player(self) -> int: ...
    def is_terminal(self) -> bool: ...
    def legal_actions(self) -> list[int]: ...
    def action_to_string(self, action: int) -> str: ...
    def to_text(self, player: int | None = None) -> str: ...


def fields(state: Position) -> dict[str, Any]:
    """The record in plain numbers and lists, which Python reads ten times faster than numpy's."""
    return {name: state.record[name][0].tolist() for name in state.record.dtype.names}


# --- Legal actions -----------------------------------------------------------------------------------------------------------

CHIP_HEIGHT = 18


def chip_width(text: str) -> float:
    return max(CHIP_HEIGHT, text_width(text, SMALLEST, True) + 10)


def chip(box: Box, action: str, text: str | None = None) -> str:
    """A legal action: the accent outline, and its notation or a shorter text inside."""
    words = "" if text == "" else centred(box, text or action, SMALLEST, bold=True, colour=ACCENT)
    return group(together((rect(box, TINT, ACCENT, r=min(5, box.h / 2), line=1.5), words)), action=action)


def outline(box: Box, action: str, r: float = 6) -> str:
    """A legal action as a frame around something that is drawn already."""
    return group(rect(box, "transparent", ACCENT, r=r, line=2.5), action=action)


class Choices:
    """The legal actions that a picture shows: each once, where it belongs, and what has no place of its own in a list."""

    def __init__(self, state: Position, observer: int | None, legal: bool = True) -> None:
        shown = legal and not state.is_terminal() and observer in (None, state.current_player())
        self.left = {state.action_to_string(action): None for action in state.legal_actions()} if shown else {}

    def __contains__(self, action: str) -> bool:
        return action in self.left

    def __bool__(self) -> bool:
        return bool(self.left)

    def chip(self, box: Box, action: str, text: str | None = None) -> str:
        return chip(box, action, text) if self._take(action) else ""

    def outline(self, box: Box, action: str, r: float = 6) -> str:
        return outline(box, action, r) if self._take(action) else ""

    def chips(self, box: Box, actions: Iterable[tuple[str, str]], gap: float = 4, height: float = CHIP_HEIGHT) -> str:
        """Some of the actions as chips, (notation, text) each, row by row from the box's upper left corner."""
        drawn, x, y = [], box.x, box.y
        for action, text in actions:
            if self._take(action):
                w = chip_width(text)
                if x > box.x and x + w > box.right:
                    x, y = box.x, y + height + gap
                drawn.append(chip(Box(x, y, w, height), action, text))
                x += w + gap
        return together(drawn)

    def rest(self, box: Box) -> str:
        """All that no other part of the picture has shown."""
        return self.chips(box, [(action, action) for action in self.left])

    def _take(self, action: str) -> bool:
        found = action in self.left
        if found:
            del self.left[action]
        return found


# --- The frame ---------------------------------------------------------------------------------------------------------------

PLACES = ("1st", "2nd", "3rd", "4th", "5th")


def header(title: str, words: str, aside: str = "") -> str:
    """The dark bar: the game, what happens and who decides, what is left."""
    x = MARGIN + text_width(title, 22, True) + 16
    aside_width = text_width(aside, 14)
    return group(
        together(
            (
                rect(Box(0, 0, WIDTH, HEADER), BAR, r=0),
                label(MARGIN, 34, title, 22, bold=True, colour=BAR_INK),
                label(x, 34, words, 16, colour=BAR_QUIET, width=WIDTH - MARGIN - 24 - aside_width - x),
                label(WIDTH - MARGIN, 34, aside, 14, colour=BAR_QUIET, anchor="end") if aside else "",
            )
        ),
        key="header",
    )


def frame(height: float, *parts: str) -> str:
    """The whole picture: paper, then the parts from back to front. Its height is even, since codecs of videos want that."""
    height = 2 * ceil(height / 2)
    size = f'width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}"'
    font = 'font-family="DejaVu Sans, Verdana, sans-serif"'
    return together(
        (f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>', rect(Box(0, 0, WIDTH, height), PAPER, r=0), *parts, "</svg>")
    )


def seat_panel(
    box: Box, seat: int, *, to_move: bool, name: str = "", place: int | None = None, total: object = "", parts: str = ""
) -> str:
    """A seat's panel: who, whether it moves or at the end which place, its score by category and the total."""
    title = f"seat {seat}" + (f" · {name}" if name else "")
    x = box.x + 32 + text_width(title, 15, True) + 12
    status, colour = ("to move", ACCENT) if to_move else ("", LINE)
    if place is not None:
        status, colour = ("winner", GOOD) if place == 0 else (f"{PLACES[place]} place", LINE)
    return together(
        (
            panel(box, colour),
            circle(box.x + 20, box.y + 19, 6, SEAT_COLOURS[seat], LINE),
            label(box.x + 32, box.y + 24, title, 15, bold=True),
            label(x, box.y + 24, status, 13, bold=True, colour=colour) if status else "",
            label(box.right - 14, box.y + 25, total, 18, bold=True, anchor="end") if total != "" else "",
            label(box.x + 14, box.y + 42, parts, 12, colour=QUIET, width=box.w - 28) if parts else "",
        )
    )


COLUMN_WIDTH, LINE_HEIGHT = 9, 17


def text_picture(state: Position, observer: int | None, *, legal: bool = True) -> str:
    """The picture of a game that draws none: its text board, word by word in columns, and the legal actions below."""
    lines, choices = state.to_text(observer).splitlines(), Choices(state, observer, legal)
    bottom = MARGIN + LINE_HEIGHT * len(lines)
    words = (
        label(MARGIN + COLUMN_WIDTH * word.start(), MARGIN + LINE_HEIGHT * (i + 0.7), word[0], 13)
        for i, line in enumerate(lines)
        for word in re.finditer(r"\S+", line)
    )
    return frame(bottom + 120, *words, choices.rest(Box(MARGIN, bottom + 10, WIDTH - 2 * MARGIN, 100)))
