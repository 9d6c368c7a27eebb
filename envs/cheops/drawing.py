"""The table as text and as a picture: a person can play from either. Everything is public, so every player sees the same.

In the text `[X]` is crossed out, lower case open, `-x-` a skipped quarry stone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core import svg
from ..core.svg import Box, Choices
from .actions import ACTIONS
from .components import (
    ARCH_COLOUR,
    ARCH_POINTS,
    BA1,
    BA2,
    BE,
    BM1,
    BM2,
    BM3,
    BONUS_POINTS,
    BONUSES,
    BP1,
    BP2,
    BP3,
    CATEGORIES,
    COLOURS,
    COLUMN,
    DOMINOES,
    JOKER_POINTS,
    KEYSTONE_POINTS,
    LETTERS,
    LEVEL_START,
    MOSAIC_COLOUR,
    MOSAIC_POINTS,
    MOSAIC_SIZE,
    NUM_GROUPS,
    PYRAMID_COLOUR,
    PYRAMID_POINTS,
    PYRAMID_SIZE,
    QUARRY_COLOUR,
    QUARRY_SIZE,
    ROW,
    SHEETS,
)
from .state import NOTHING, OVER, PAY

if TYPE_CHECKING:
    from ..core.state import State

Table = dict[str, Any]  # the record in plain numbers and lists

LEVELS = (*LEVEL_START, PYRAMID_SIZE)
TOP = len(LEVEL_START) - 1
MOSAIC_TOP = 2  # the mosaic's first row is drawn beside this level
BONUS_MEANS = (
    *("ground level", "middle of level 3", "top stone", "both columns 2 high", "keystone"),
    *("mosaic row 1", "mosaic row 2", "mosaic row 3", "two buildings"),
)


def _dice_left(s: Table) -> list[tuple[int, bool]]:
    """Each die of the roll as it lies on the table, and whether it is still in the middle."""
    left, dice = list(s["dice"]), []
    for colour in s["roll"]:
        if colour != NOTHING:
            dice.append((colour, left[colour] > 0))
            left[colour] -= 1
    return dice


def _owed(s: Table) -> list[int]:
    return [colour for colour in s["owed"] if colour != NOTHING]


def _gone(s: Table, b: int) -> bool:
    """A bonus that was first earned in an earlier round."""
    return b != BE and s["bonus_round"][b] not in (NOTHING, s["round"])


# --- The text board ----------------------------------------------------------------------------------------------------------


def draw(state: State, player: int | None) -> str:
    s = svg.fields(state)
    lines = _headline(s)
    for p in range(s["num_players"]):
        lines += _sheet(s, p, numbered=p == s["current_player"] and not s["over"])
    return "\n".join([*lines, *LEGEND])


LEGEND = (
    "B blue, R red, L lilac, O orange, G green, Y yellow; [B] crossed out, -b- lost",
    "score: P pyramid, A arch, M mosaic, B bonuses, Q quarry, J jokers",
    "bonuses, 3 points each: BP1 ground level, BP2 middle of level 3, BP3 top stone,",
    "  BA1 both columns 2 high, BA2 keystone, BM1 BM2 BM3 a row of the mosaic,",
    "  BE at the end: two complete buildings; * earned, x gone in an earlier round",
)


def _headline(s: Table) -> list[str]:
    if s["phase"] == OVER:
        return [f"game over after round {s['round']}"]
    dice = _dice_left(s)
    rolled = " ".join(LETTERS[colour] for colour, _ in dice)
    middle = " ".join(LETTERS[colour] for colour, left in dice if left) or "none"
    seat = f"seat {s['current_player']}"
    what = f"{seat} builds, stone {s['built'] + 1} of 2: P pyramid, AL AR AK arch, M mosaic, or stop"
    if s["phase"] == PAY:
        owed = " and ".join(COLOURS[colour] for colour in _owed(s))
        what = f"{seat} pays {owed} for {ACTIONS.names[s['pending']]}: Q a quarry stone, or J a joker"
    return [f"round {s['round']}   seat {s['active_player']} rolled {rolled}   in the middle: {middle}", what]


def _sheet(s: Table, p: int, numbered: bool) -> list[str]:
    parts = " ".join(f"{part[0].upper()}{points}" for part, points in zip(CATEGORIES, s["score_sheet"][p], strict=True))
    who = f"seat {p}{' *' if numbered else ''}  sheet {SHEETS[s['sheet'][p]]}"
    lines = [f"{who}  score {s['points'][p]} = {parts}"]
    for level in range(TOP, -1, -1):
        row = f" {PYRAMID_POINTS[level + 1]:>2} {_level(s, p, level, numbered)}  | {_arch(s, p, level)} |"
        lines.append(f"{row} {_mosaic(s, p, level, numbered)}".rstrip())
    quarry = " ".join(_quarry_stone(s, p, i, numbered) for i in range(QUARRY_SIZE)).rstrip()
    lines.append(f"quarry {quarry}  jokers {s['jokers'][p]}")
    lines.append("bonuses " + " ".join(_bonus(s, p, b) for b in range(len(BONUSES)) if b != BE or s["phase"] == OVER))
    return lines


def _stone(colour: int, crossed: bool, number: int | None = None) -> str:
    """Three columns, four where the stones are numbered."""
    if number is None:
        return f"[{LETTERS[colour]}]" if crossed else f" {LETTERS[colour].lower()} "
    return f"[{LETTERS[colour]}] " if crossed else f"{LETTERS[colour].lower()}{number}".center(4)


def _level(s: Table, p: int, level: int, numbered: bool) -> str:
    stones = range(LEVELS[level], LEVELS[level + 1])
    colours, crossed = PYRAMID_COLOUR[s["sheet"][p]], s["pyramid"][p]
    row = "".join(_stone(colours[i], crossed >> i & 1, i if numbered else None) for i in stones)
    return row.center((4 if numbered else 3) * LEVELS[1])


def _arch(s: Table, p: int, level: int) -> str:
    colour = ARCH_COLOUR[s["sheet"][p], level]
    if level == COLUMN:
        return f"{KEYSTONE_POINTS}   {_stone(colour, s['keystone'][p])}  "
    left, right = _stone(colour, s["left"][p] > level), _stone(colour, s["right"][p] > level)
    return f"{ARCH_POINTS[level + 1]} {left} {right}"


def _mosaic(s: Table, p: int, level: int, numbered: bool) -> str:
    if level > MOSAIC_TOP:
        return ""
    first = ROW * (MOSAIC_TOP - level)
    colours, crossed = MOSAIC_COLOUR[s["sheet"][p]], s["mosaic"][p]
    return "".join(_stone(colours[i], crossed >> i & 1, i if numbered else None) for i in range(first, first + ROW))


def _quarry_stone(s: Table, p: int, i: int, numbered: bool) -> str:
    colour, crossed = QUARRY_COLOUR[s["sheet"][p], i], s["quarry"][p] >> i & 1
    if i < s["mark"][p] and not crossed:
        return f"-{LETTERS[colour].lower()}-" + " " * numbered
    return _stone(colour, crossed, i if numbered else None)


def _bonus(s: Table, p: int, b: int) -> str:
    if s["bonuses"][p] >> b & 1:
        return f"{BONUSES[b]}*"
    return f"{BONUSES[b]}x" if _gone(s, b) else BONUSES[b]


# --- The picture -------------------------------------------------------------------------------------------------------------

DIE_COLOURS = (svg.BLUE, svg.RED, svg.LILAC, svg.ORANGE, svg.GREEN, svg.YELLOW)
SHARED_TOP, SHARED_HEIGHT = svg.HEADER + 14, 92
SEATS_TOP = SHARED_TOP + SHARED_HEIGHT + 16
SEAT_HEIGHT = 328
STONE_W, STONE_H, LEVEL_STEP = 36, 33, 35
CELL = 44
QUARRY_W = 31


def picture(state: State, observer: int | None, *, legal: bool = True) -> str:
    s, choices = svg.fields(state), Choices(state, observer, legal)
    n = s["num_players"]
    places = state.standings() if s["over"] else [None] * n
    height = SEATS_TOP + (n + 1) // 2 * (SEAT_HEIGHT + svg.GAP) + svg.GAP
    seats = svg.seat_boxes(n, SEATS_TOP, SEAT_HEIGHT)
    return svg.frame(
        height,
        svg.header("Cheops", _words(s), f"{s['num_dice']} dice"),
        _dice_picture(s, choices),
        _bonus_table(s),
        *(_sheet_picture(s, p, box, places[p], choices) for p, box in enumerate(seats)),
        svg.paragraph(svg.seat_boxes(n + 1, SEATS_TOP, SEAT_HEIGHT)[n].inset(30), HOW_TO_READ, 14) if n % 2 else "",
        choices.rest(Box(svg.MARGIN, height - svg.GAP, svg.WIDTH, svg.CHIP_HEIGHT)),
    )


HOW_TO_READ = (
    "A stone costs its colour: a die from the middle, else a stone of the own quarry or a joker. The pyramid pays by the highest"
    " level reached, the arch by its lower column, the mosaic by cells crossed. A quarry stone right of the mark is worth 1, a"
    f" joker {JOKER_POINTS}. Two complete buildings end the game."
)


def _words(s: Table) -> str:
    if s["over"]:
        return f"game over after round {s['round']}"
    who = f"round {s['round']} · seat {s['current_player']}"
    if s["phase"] == PAY:
        owed = " and ".join(COLOURS[colour] for colour in _owed(s))
        return f"{who}: pay {owed} for {ACTIONS.names[s['pending']]} with a quarry stone or a joker"
    return f"{who}: build, stone {s['built'] + 1} of 2"


def _dice_picture(s: Table, choices: Choices) -> str:
    """The roll, used dice pale, and at its right what is owed or the way to stop."""
    title = f"Dice of seat {s['active_player']}" if not s["over"] else "The last dice"
    parts = [svg.label(svg.MARGIN, SHARED_TOP + 10, title, 14, bold=True)]
    boxes = svg.row(svg.MARGIN, SHARED_TOP + 24, len(s["roll"]), 52, 52, 10)
    for i, ((colour, left), box) in enumerate(zip(_dice_left(s), boxes, strict=False)):
        draw_stone = svg.stone if left else svg.pale_stone
        drawn = draw_stone(box, DIE_COLOURS[colour], LETTERS[colour], size=22, r=10)
        parts.append(svg.group(drawn, key=f"die {i}"))
    x = svg.MARGIN + 4 * 62 + 14
    if s["phase"] == PAY:
        parts.append(svg.label(x, SHARED_TOP + 10, "to pay", 14, bold=True))
        stones = zip(_owed(s), svg.row(x, SHARED_TOP + 33, 2, 36, 36, 6), strict=False)
        parts += [svg.stone(box, DIE_COLOURS[colour], LETTERS[colour]) for colour, box in stones]
    parts.append(choices.chip(Box(x, SHARED_TOP + 36, 70, 28), "stop"))
    return svg.together(parts)


def _bonus_table(s: Table) -> str:
    """What the bonus codes mean, and which are gone."""
    left = svg.MARGIN + 400
    title = f"Bonuses, {BONUS_POINTS} points each, to all who are first in the same round"
    parts = [svg.label(left, SHARED_TOP + 10, title, 14, bold=True)]
    for i, b in enumerate(BY_BUILDING):
        x, y, means = left + 254 * (i % 3), SHARED_TOP + 24 + 23 * (i // 3), BONUS_MEANS[b]
        parts.append(_bonus_tag(Box(x, y, 46, 18), s, b, held=False))
        note = " (gone)" if _gone(s, b) else " (at the end)" if b == BE else ""
        parts.append(svg.label(x + 54, y + 14, means + note, 12, colour=svg.QUIET))
    return svg.group(svg.together(parts), key="bonuses")


BY_BUILDING = (BP1, BP2, BP3, BA1, BA2, BE, BM1, BM2, BM3)


def _bonus_tag(box: Box, s: Table, b: int, held: bool) -> str:
    """Green: earned. Grey: gone. Outlined: still to be had."""
    if held:
        return svg.together(
            (svg.rect(box, svg.GOOD, r=9), svg.centred(box, f"{BONUSES[b]} +{BONUS_POINTS}", 11, bold=True, colour=svg.PANEL))
        )
    gone = _gone(s, b)
    strike = svg.path(f"M{box.x + 6:g} {box.cy:g}H{box.right - 6:g}", stroke=svg.LINE, line=1.5) if gone else ""
    edge = svg.rect(box, svg.SOFT if gone else svg.PANEL, None if gone else svg.LINE, r=9)
    return svg.together((edge, svg.centred(box, BONUSES[b], 11, bold=True, colour=svg.LINE if gone else svg.INK), strike))


def _sheet_picture(s: Table, p: int, box: Box, place: int | None, choices: Choices) -> str:
    moving = p == s["current_player"] and not s["over"]
    acting = choices if moving else None
    parts = zip(CATEGORIES, s["score_sheet"][p], strict=True)
    rolled = " · rolled" if p == s["active_player"] and not s["over"] else ""
    panel = svg.seat_panel(
        box,
        p,
        to_move=moving,
        name=f"sheet {SHEETS[s['sheet'][p]]}{rolled}",
        place=place,
        total=s["points"][p],
        parts="  ·  ".join(f"{part} {points}" for part, points in parts),
    )
    x, y = box.x + 14, box.y + 56
    tags = svg.row(x, box.y + 240, len(BONUSES), 55, 18, 6)
    bonuses = (_bonus_tag(tag, s, b, bool(s["bonuses"][p] >> b & 1)) for b, tag in enumerate(tags) if b < NUM_GROUPS or s["over"])
    return svg.together(
        (
            panel,
            _pyramid_picture(s, p, x, y, acting),
            _arch_picture(s, p, x + 240, y, acting),
            _mosaic_picture(s, p, x + 362, y, acting),
            svg.group(svg.together(bonuses), key=f"bonuses {p}"),
            _quarry_picture(s, p, x, box.y + 280, acting),
            _jokers_picture(s, p, x + 412, box.y + 280, acting),
        )
    )


def _place(box: Box, key: str, colour: int, crossed: bool, choices: Choices | None, action: str) -> str:
    """A printed stone: crossed out, open, or open and legal with its notation."""
    if crossed:
        drawn = svg.together((svg.stone(box, DIE_COLOURS[colour], LETTERS[colour]), _pen(box)))
    elif choices and action in choices:
        drawn = svg.together(
            (
                svg.pale_stone(box, DIE_COLOURS[colour]),
                svg.label(box.cx, box.y + 14, LETTERS[colour], 12, bold=True, anchor="middle"),
                svg.label(box.cx, box.bottom - 5, action, 11, bold=True, colour=svg.ACCENT, anchor="middle"),
                choices.outline(box, action, r=4),
            )
        )
    else:
        drawn = svg.pale_stone(box, DIE_COLOURS[colour], LETTERS[colour])
    return svg.group(drawn, key=key)


def _pen(box: Box) -> str:
    """A cross that leaves the letter free."""
    x, y, r, b, k = box.x + 4, box.y + 4, box.right - 4, box.bottom - 4, 6
    d = f"M{x:g} {y:g}l{k} {k}M{r:g} {y:g}l-{k} {k}M{x:g} {b:g}l{k} -{k}M{r:g} {b:g}l-{k} -{k}"
    return svg.path(d, stroke=svg.DARK_ON, line=2)


def _pyramid_picture(s: Table, p: int, x: float, y: float, choices: Choices | None) -> str:
    parts = []
    for level in range(len(LEVEL_START)):
        top = y + (TOP - level) * LEVEL_STEP
        reached = s["pyramid"][p] >> LEVELS[level] != 0
        colour = svg.GOOD if reached else svg.LINE
        parts.append(svg.label(x + 16, top + 22, PYRAMID_POINTS[level + 1], 12, bold=reached, colour=colour, anchor="end"))
        for k, i in enumerate(range(LEVELS[level], LEVELS[level + 1])):
            box = Box(x + 24 + 38 * k + 19 * level, top, STONE_W, STONE_H)
            crossed = bool(s["pyramid"][p] >> i & 1)
            parts.append(_place(box, f"P{i} {p}", PYRAMID_COLOUR[s["sheet"][p], i], crossed, choices, f"P{i}"))
    return svg.together(parts)


def _arch_picture(s: Table, p: int, x: float, y: float, choices: Choices | None) -> str:
    """Two columns, the points of each level between them, and the keystone."""
    colours, lower, parts = ARCH_COLOUR[s["sheet"][p]], min(s["left"][p], s["right"][p]), []
    for column, (side, dx) in enumerate((("left", 0), ("right", 62))):
        for level in range(COLUMN):
            box = Box(x + dx, y + (TOP - level) * LEVEL_STEP, STONE_W, STONE_H)
            action = ("AL", "AR")[column] if level == s[side][p] else ""
            parts.append(_place(box, f"{side} {level} {p}", colours[level], s[side][p] > level, choices, action))
    for level in range(COLUMN):
        at = y + (TOP - level) * LEVEL_STEP + 22
        done = lower > level
        colour = svg.GOOD if done else svg.LINE
        parts.append(svg.label(x + 49, at, ARCH_POINTS[level + 1], 12, bold=done, colour=colour, anchor="middle"))
    keystone = Box(x + 31, y, STONE_W, STONE_H)
    parts.append(_place(keystone, f"keystone {p}", colours[COLUMN], bool(s["keystone"][p]), choices, "AK"))
    colour = svg.GOOD if s["keystone"][p] else svg.LINE
    parts.append(svg.label(x + 80, y + 22, KEYSTONE_POINTS, 12, bold=bool(s["keystone"][p]), colour=colour, anchor="middle"))
    return svg.together(parts)


def _mosaic_picture(s: Table, p: int, x: float, y: float, choices: Choices | None) -> str:
    """Twelve numbered cells with the points by cells crossed above; a mark between two cells crosses both."""
    top, done = y + 36, s["mosaic"][p].bit_count() // 2
    parts = []
    for k in range(1, len(MOSAIC_POINTS)):
        colour = svg.GOOD if k <= done else svg.LINE
        at = x + (k - 0.5) * 4 * (CELL + 2) / (len(MOSAIC_POINTS) - 1)
        parts.append(svg.label(at, y + 12, f"{2 * k}:", 11, colour=svg.QUIET, anchor="middle"))
        parts.append(svg.label(at, y + 27, MOSAIC_POINTS[k], 12, bold=k <= done, colour=colour, anchor="middle"))
    boxes = [Box(x + (CELL + 2) * (i % ROW), top + (CELL + 2) * (i // ROW), CELL, CELL) for i in range(MOSAIC_SIZE)]
    for i, box in enumerate(boxes):
        crossed = bool(s["mosaic"][p] >> i & 1)
        drawn = _place(box, f"M{i} {p}", MOSAIC_COLOUR[s["sheet"][p], i], crossed, None, "")
        number = "" if crossed else svg.label(box.x + 3, box.y + 12, i, 11, colour=svg.QUIET)
        parts += [drawn, number]
    if choices:
        parts += [_domino(boxes[a], boxes[b], f"M{a}-{b}", choices) for a, b in DOMINOES.tolist()]
    return svg.together(parts)


def _domino(a: Box, b: Box, action: str, choices: Choices) -> str:
    """A bridge over the edge that two cells share."""
    x, y = (a.cx + b.cx) / 2, (a.cy + b.cy) / 2
    box = Box(x - 9, y - 5, 18, 10) if a.y == b.y else Box(x - 5, y - 9, 10, 18)
    return choices.chip(box, action, "")


def _quarry_picture(s: Table, p: int, x: float, y: float, choices: Choices | None) -> str:
    """Stones are used from the left; what lies left of the mark is lost, but for what the payment under way may still use."""
    mark = s["mark"][p]
    lost_before = s["mark_before"] if s["phase"] == PAY and p == s["current_player"] else mark
    parts = [svg.label(x, y - 5, "quarry, from left to right", 11, colour=svg.QUIET)]
    for i, box in enumerate(svg.row(x, y, QUARRY_SIZE, QUARRY_W, STONE_H, 2)):
        colour, crossed = QUARRY_COLOUR[s["sheet"][p], i], bool(s["quarry"][p] >> i & 1)
        if i < lost_before and not crossed:
            lost = svg.path(f"M{box.x + 5:g} {box.bottom - 5:g}L{box.right - 5:g} {box.y + 5:g}", stroke=svg.LINE, line=1.5)
            drawn = svg.together((svg.rect(box, svg.SOFT, r=3), svg.centred(box, LETTERS[colour], 12, colour=svg.QUIET), lost))
            parts.append(svg.group(drawn, key=f"Q{i} {p}"))
        else:
            parts.append(_place(box, f"Q{i} {p}", colour, crossed, choices, f"Q{i}"))
        if i == mark:
            parts.append(svg.path(f"M{box.cx - 6:g} {box.bottom + 9:g}h12l-6 -7z", svg.ACCENT))
    return svg.together(parts)


def _jokers_picture(s: Table, p: int, x: float, y: float, choices: Choices | None) -> str:
    parts = [svg.label(x, y - 5, f"jokers {s['jokers'][p]}", 11, colour=svg.QUIET)]
    for i, box in enumerate(svg.row(x, y + 3, s["num_players"], 24, 26, 3)):
        left = i < s["jokers"][p]
        parts.append(svg.stone(box, svg.GREY, "J", r=12) if left else svg.empty(box, r=12))
    joker = svg.group(svg.together(parts), key=f"jokers {p}")
    where = Box(x - 3, y, 27 * max(1, s["jokers"][p]) + 3, STONE_H - 1)
    return svg.together((joker, choices.outline(where, "J") if choices else ""))
