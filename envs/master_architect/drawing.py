"""The table as text and as a picture: a person can play from either. Nothing on it is secret; the stocks are never shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..core import svg
from ..core.svg import Box, Choices
from .components import (
    CARDS,
    COLOURS,
    LARGE_CELL,
    LARGE_COLOUR,
    LARGE_SPACES,
    LARGE_STONES,
    LETTERS,
    MULTIPLIER,
    NOTHING,
    NUM_CARDS,
    NUM_LARGE,
    NUM_LEVELS,
    NUM_SMALL,
    OPENINGS,
    ORIENTATIONS,
    PAIR_PARTNER,
    PAIRS,
    PLACES,
    PORTS,
    SARCOPHAGI,
    SMALL_CELL,
    SMALL_COLOUR,
    SMALL_SPACES,
    SMALL_STONES,
    SYMBOL,
    SYMBOL_POINTS,
    SYMBOLS,
    TURNS,
    WORKERS,
)
from .scoring import points_of
from .state import LIFT_SMALL, OVER, PLACE_LARGE, PLACE_SMALL, SWAP_FIRST, SWAP_SECOND, TAKE_CARD, TAKE_STONE

if TYPE_CHECKING:
    from ..core.state import State

Table = dict[str, Any]  # the record in plain numbers and lists

EFFECTS = {
    "Set": "1 for each connected sarcophagus at x1",
    "Anubis": "1 for each connected sarcophagus at x2 or x3",
    "Hidden Tomb": "1 for each sarcophagus without a way out",
    "Divine Path": "1 for each opening that leads out",
    "Priest": "counts as one more different symbol",
    "Thoth": "1 for each stone with a symbol",
    "Osiris": "1 for every four workers in the pyramid",
    "Maat": "1 for each level with equal workers",
    **{god: f"1 for each {colour} large stone" for god, colour in zip(("Hapi", "Geb", "Ra", "Khonsu"), COLOURS, strict=True)},
    "Ptah": "2 for each level with all four colours",
    "Nut": "2 for each colour that reaches level 4",
    "Khepri": "the height of the highest colour",
    "Treasurer": "the Collection pays 1 for each stone",
    "Overseer": "now: draw and place three small stones",
    "Stonemason": "3; now: may exchange two large stones",
    "Surveyor": "3; now: may lift two small stones",
    "Vizier": "later: your small stone is placed, not paid",
}


def _deciding(s: Table) -> str:
    """What is asked of whom, in words."""
    if s["phase"] == OVER:
        winners = [str(p) for p in range(s["num_players"]) if s["winners"] >> p & 1]
        return f"game over, won by seat {' and '.join(winners)}"
    words = {
        TAKE_STONE: "take a large stone",
        PLACE_LARGE: "place the large stone",
        TAKE_CARD: "take a card",
        PLACE_SMALL: f"place the small stone {_current_small(s)}",
        SWAP_FIRST: "Stonemason: exchange which stone?",
        SWAP_SECOND: f"Stonemason: exchange {LARGE_SPACES[s['swap_first']]} with which?",
        LIFT_SMALL: f"Surveyor: may lift {s['lifts_left']}",
    }
    return f"seat {s['current_player']}: {words[s['phase']]}"


def _current_small(s: Table) -> str:
    """Small stones are placed by type, the lowest first."""
    return next((name for name, count in zip(SMALL_STONES, s["pending"], strict=True) if count), "")


def _stocks(s: Table) -> str:
    large, small, cards = NUM_LARGE - s["large_drawn"], NUM_SMALL - s["small_drawn"], NUM_CARDS - s["cards_drawn"]
    return f"left: {large} large, {small} small, {cards} cards"


def _held(state: State, s: Table, p: int) -> list[tuple[int, int]]:
    """The cards of a seat and what each pays now."""
    return [(card, int(points_of(state.record[0], p, card))) for card in s["cards"][p] if card != NOTHING]


def _is_connected(s: Table, p: int, space: int) -> bool:
    return bool(s["open_cells"][p] & int(LARGE_CELL[space]))


# --- The table as text -------------------------------------------------------------------------------------------------------

FIRST_BRICK = 11  # column where level 1 begins
HALF_BRICK = 6
EMPTY_EDGE = "+..........+"
LEGEND = """\
stones  b blue, n brown, y yellow, w white; b2 is a small one with 2 workers
        = ^ v openings of a chamber, # if it has a way to the edge; r turned
        sN sarcophagi, @A ankh @E eye @S scarab @D djed @L lotus
spaces  x1-x3 multiplier of sarcophagi, * card pair, (1L) empty small space"""


def draw(state: State, player: int | None) -> str:
    """Everybody sees the same, so `player` changes nothing."""
    s = svg.fields(state)
    lines = [*_headline(s), "", *_row(s), *_display(s)]
    for p, sheet in enumerate(state.breakdown()):
        lines += ["", *_seat(state, s, p, sheet), *_pyramid(s, p)]
    return "\n".join([*lines, "", LEGEND])


def _headline(s: Table) -> Iterator[str]:
    turn = min(s["turn"] + 1, TURNS * s["num_players"])
    yield f"Turn {turn}/{TURNS * s['num_players']}   {_stocks(s)}"
    yield _deciding(s)
    if s["stone_in_hand"] != NOTHING:
        ways = [_brick(s["stone_in_hand"], turned) for turned in range(int(ORIENTATIONS[s["stone_in_hand"]]))]
        yield from (f"    {'      '.join(parts)}" for parts in zip(*ways, strict=True))
        yield "    as it is" + "          turned: r" * (len(ways) == 2)
    if any(s["pending"]):
        yield f"small stones to place: {_small_stones(s['pending'])}"


def _small_stones(counts: Sequence[int]) -> str:
    return (
        " ".join(name if count == 1 else f"{count}x{name}" for name, count in zip(SMALL_STONES, counts, strict=True) if count)
        or "-"
    )


def _row(s: Table) -> Iterator[str]:
    """The five stones on offer, each under the word that takes it."""
    yield "take  " + "".join(f"{name:<13}" for name in ("first", "2", "3", "4", "5")).rstrip()
    bricks = [("", "   (taken)", "") if stone == NOTHING else _brick(stone, 0) for stone in s["row"]]
    for parts in zip(*bricks, strict=True):
        yield ("     " + " ".join(f"{part:<12}" for part in parts)).rstrip()
    yield f"with the first stone come: {_small_stones(s['pile'])}"


def _display(s: Table) -> Iterator[str]:
    for slot, card in enumerate(s["display"], start=1):
        yield f"card {slot}  {CARDS[card]}: {EFFECTS[CARDS[card]]}"


def _seat(state: State, s: Table, p: int, sheet: dict[str, int]) -> Iterator[str]:
    acting = " *" if p == s["current_player"] and s["phase"] != OVER else ""
    hand = "-" if s["hand"][p] == NOTHING else SMALL_STONES[s["hand"][p]]
    yield f"seat {p}{acting}   hand {hand}   Collection {_small_stones(s['collection'][p])}"
    yield "  " + "  ".join(f"{name} {points}" for name, points in sheet.items()) + f"  = {sum(sheet.values())}"
    for card, points in _held(state, s, p):
        yield f"  {CARDS[card]} {points}: {EFFECTS[CARDS[card]]}"


def _pyramid(s: Table, p: int) -> Iterable[str]:
    """In half-bricks."""
    for level in range(NUM_LEVELS, 0, -1):
        indent = FIRST_BRICK + HALF_BRICK * (level - 1)
        bricks = [_place(s, p, space) for space, (at, _) in enumerate(PLACES) if at == level]
        top, middle, bottom = ("".join(part) for part in zip(*bricks, strict=True)) if bricks else ("", "", "")
        left, right = (_small(s, p, f"{level}{side}") for side in "LR")
        if bricks:
            yield " " * indent + top
        yield f"L{level}".ljust(indent - 5) + f"{left:<5}{middle}{right:>5}"
        if bricks:
            yield " " * indent + bottom


def _small(s: Table, p: int, name: str) -> str:
    stone = s["small_stone"][p][SMALL_SPACES.index(name)]
    if stone == NOTHING:
        return f"({name})"
    return f"/{SMALL_STONES[stone]}" if name.endswith("L") else f"{SMALL_STONES[stone]}\\"


def _place(s: Table, p: int, space: int) -> tuple[str, str, str]:
    stone, multiplier = s["large_stone"][p][space], f"x{MULTIPLIER[space]}"
    if stone == NOTHING:
        pair = "*" if PAIR_PARTNER[space] != NOTHING else " "
        return EMPTY_EDGE, f": {LARGE_SPACES[space]}   {multiplier}{pair}:", EMPTY_EDGE
    return _brick(stone, s["large_turned"][p][space], multiplier, _is_connected(s, p, space))


def _brick(stone: int, turned: int, multiplier: str = "", connected: bool = False) -> tuple[str, str, str]:
    """Three lines of twelve characters."""
    openings = {name for d, name in enumerate(PORTS) if OPENINGS[stone, turned] >> d & 1}
    side, up, down = ("#", "#", "#") if connected else ("=", "^", "v")
    west, east = (side if end in openings else "|" for end in "WE")
    name = LARGE_STONES[stone] + "r" * turned
    return (
        _edge("NW" in openings, "NE" in openings, up),
        f"{west}{name:<4} {_mark(stone):<2} {multiplier:<2}{east}",
        _edge("SW" in openings, "SE" in openings, down),
    )


def _mark(stone: int) -> str:
    if SARCOPHAGI[stone]:
        return f"s{SARCOPHAGI[stone]}"
    return "" if SYMBOL[stone] == NOTHING else "@" + SYMBOLS[SYMBOL[stone]][0].upper()


def _edge(left: bool, right: bool, opening: str) -> str:
    return f"+--{opening if left else '-'}----{opening if right else '-'}--+"


# --- The picture -------------------------------------------------------------------------------------------------------------

STONE_COLOURS = (svg.BLUE, svg.BROWN, svg.YELLOW, svg.WHITE)
CHAMBER, WAY_OUT = svg.LIGHT_ON, svg.GOOD  # a corridor, and one that is connected with the edge

SHARED_TOP = svg.HEADER + 34
SHARED_HEIGHT = 124
SEATS_TOP = SHARED_TOP + SHARED_HEIGHT + 14
BRICK = Box(0, 0, 86, 44)
END = 40  # width of a small stone
LEVEL = BRICK.h + 2
SEAT_HEIGHT = 54 + NUM_LEVELS * LEVEL + 66
FOOTER = 40
CARD_SPAN = 142
PILES, PILE_NAME = 540, 66  # widths

PICTURE_LEGEND = (
    "Stones: b blue, n brown, y yellow, w white; what has a thick edge hangs together with the ground. Points: per colour the level"
    " that it reaches; per sarcophagus whose chamber (green, with a line) has a way to the edge its multiplier;"
    f" {', '.join(map(str, SYMBOL_POINTS[1:]))} for different symbols; equal workers at both ends of a level count once;"
    " 1 per two stones of the Collection; cards, one for each pair of spaces with the card mark."
)


def picture(state: State, observer: int | None, *, legal: bool = True) -> str:
    """Everybody sees the same; only the player to move sees what can be done."""
    s, choices = svg.fields(state), Choices(state, observer, legal)
    n = s["num_players"]
    height = SEATS_TOP + (n + 1) // 2 * (SEAT_HEIGHT + svg.GAP) + (svg.GAP if n % 2 else FOOTER)
    places = state.standings() if s["over"] and n > 1 else [None] * n
    seats = svg.seat_boxes(n, SEATS_TOP, SEAT_HEIGHT)
    sheets = state.breakdown()
    turn = min(s["turn"] + 1, TURNS * n)
    return svg.frame(
        height,
        svg.header("Master Architect", f"turn {turn} of {TURNS * n} · {_deciding(s)}", _stocks(s)),
        _row_picture(s, choices),
        _piles(s),
        _display_picture(s, choices),
        *(_seat_picture(state, s, p, box, places[p], sheets[p], choices) for p, box in enumerate(seats)),
        _legend(n, height),
    )


def _legend(n: int, height: float) -> str:
    """In the place of the missing seat, or below the seats."""
    if n % 2:
        return svg.paragraph(svg.seat_boxes(n + 1, SEATS_TOP, SEAT_HEIGHT)[n].inset(30), PICTURE_LEGEND, 14)
    return svg.paragraph(Box(svg.MARGIN, height - FOOTER, svg.WIDTH - 2 * svg.MARGIN, FOOTER), PICTURE_LEGEND)


# --- What everybody shares -----------------------------------------------------------------------------------------------------


def _row_picture(s: Table, choices: Choices) -> str:
    title = svg.label(
        svg.MARGIN, SHARED_TOP - 8, "Row: the first stone is free, another one costs the small stone in hand", 13, bold=True
    )
    parts = [title]
    for slot, box in enumerate(svg.row(svg.MARGIN, SHARED_TOP, len(s["row"]), 112, 78, 6)):
        stone, at = s["row"][slot], Box(box.x + 8, box.y + 6, box.w - 16, 46)
        name = "first" if slot == 0 else str(slot + 1)
        below = Box(box.x + 8, box.bottom - 23, box.w - 16, svg.CHIP_HEIGHT)
        drawn = [svg.rect(box, svg.SOFT, svg.RED if slot == 0 else None, r=8, line=2)]
        if stone != NOTHING:
            drawn.append(_large_picture(at, stone))
        elif slot == s["hole"] and s["stone_in_hand"] != NOTHING:
            drawn += [svg.group(_large_picture(at, s["stone_in_hand"]), opacity=0.4), _caption(below, "being placed")]
        drawn.append(choices.chip(below, f"take {name}") or (_caption(below, name) if stone != NOTHING else ""))
        parts.append(svg.group(svg.together(drawn), key=f"row {slot}"))
    return svg.together(parts)


def _caption(box: Box, text: str) -> str:
    return svg.centred(box, text, svg.SMALLEST, bold=True, colour=svg.QUIET)


def _piles(s: Table) -> str:
    """The small stones that come with the first stone, and those to be placed in this turn."""
    x: float = svg.MARGIN
    y, parts = SHARED_TOP + 90, []
    kinds = sum(1 for counts in (s["pile"], s["pending"]) for count in counts if count)
    step = min(32, (PILES - 2 * PILE_NAME) / max(1, kinds))
    for name, counts in (("on the first stone", s["pile"]), ("to place now", s["pending"])):
        words = svg.wrapped(name, svg.SMALLEST, 70)
        drawn = [svg.label(x, y + 14 + 13 * i, line, svg.SMALLEST, colour=svg.QUIET) for i, line in enumerate(words)]
        x += PILE_NAME
        present = [(kind, count) for kind, count in enumerate(counts) if count]
        for kind, count in present:
            at = Box(x, y, 28, 32)
            drawn += [_small_picture(at, kind), svg.badge(at.right - 3, at.y, count) if count > 1 else ""]
            x += step
        if not present:
            drawn.append(svg.label(x, y + 14, "-", svg.SMALLEST, colour=svg.QUIET))
        x += 40
        parts.append(svg.group(svg.together(drawn), key=name))
    return svg.together(parts)


def _display_picture(s: Table, choices: Choices) -> str:
    x = svg.WIDTH - svg.MARGIN - 4 * CARD_SPAN + 8
    parts = [svg.label(x, SHARED_TOP - 8, "Cards", 13, bold=True)]
    for slot, box in enumerate(svg.row(x, SHARED_TOP, len(s["display"]), CARD_SPAN - 8, SHARED_HEIGHT, 8)):
        card = CARDS[s["display"][slot]]
        below = Box(box.x + 8, box.bottom - 24, box.w - 16, svg.CHIP_HEIGHT)
        drawn = [svg.card(box, card), svg.paragraph(Box(box.x + 8, box.y + 24, box.w - 14, 66), EFFECTS[card], 12)]
        drawn.append(choices.chip(below, f"card {slot + 1}") or _caption(below, str(slot + 1)))
        parts.append(svg.group(svg.together(drawn), key=f"display {slot}"))
    return svg.together(parts)


# --- A seat --------------------------------------------------------------------------------------------------------------------


def _seat_picture(state: State, s: Table, p: int, box: Box, place: int | None, sheet: dict[str, int], choices: Choices) -> str:
    acting = choices if p == s["current_player"] else None
    panel = svg.seat_panel(
        box,
        p,
        to_move=p == s["current_player"] and not s["over"],
        place=place,
        total=sum(sheet.values()),
        parts="  ·  ".join(f"{name} {points}" for name, points in sheet.items()),
    )
    return svg.together(
        (
            panel,
            _possessions(s, p, box, acting),
            _placing(s, box) if acting is not None else "",
            _heights(s, p, box),
            *(_space_picture(s, p, space, _brick_box(box, space), acting) for space in range(len(PLACES))),
            *(_card_mark(box, pair) for pair in PAIRS),
            *(_end_picture(s, p, end, _end_box(box, end), acting) for end in range(len(SMALL_SPACES))),
            *(_balance(s, p, level, box) for level in range(NUM_LEVELS)),
            _cards_picture(state, s, p, box, acting),
        )
    )


def _brick_box(panel: Box, space: int) -> Box:
    level, position = PLACES[space]
    x = panel.x + 14 + END + 3 + (position - 1) * (BRICK.w + 1) + (level - 1) * (BRICK.w + 1) / 2
    return Box(x, _level_y(panel, level), BRICK.w, BRICK.h)


def _end_box(panel: Box, end: int) -> Box:
    level, right = end // 2 + 1, end % 2
    inset = (level - 1) * (BRICK.w + 1) / 2
    x = panel.x + 14 + inset + right * (END + 5 + (NUM_LEVELS - level) * (BRICK.w + 1))
    return Box(x, _level_y(panel, level), END, BRICK.h)


def _level_y(panel: Box, level: int) -> float:
    return panel.y + 54 + (NUM_LEVELS - level) * LEVEL


def _possessions(s: Table, p: int, panel: Box, choices: Choices | None) -> str:
    """The small stone in hand and the Collection, at the upper left."""
    x, y = panel.x + 14, panel.y + 54
    hand = Box(x, y + 14, 26, 30)
    parts = [svg.label(x, y + 10, "hand", svg.SMALLEST, colour=svg.QUIET)]
    parts.append(svg.empty(hand) if s["hand"][p] == NOTHING else _small_picture(hand, s["hand"][p]))
    parts.append(svg.label(x + 44, y + 10, f"Collection {s['collected'][p]}", svg.SMALLEST, colour=svg.QUIET))
    stones = _small_stones(s["collection"][p])
    if choices and "small coll" in choices:
        parts.append(choices.chip(Box(x + 44, y + 16, 84, svg.CHIP_HEIGHT), "small coll", "collect it"))
    elif s["collected"][p]:
        parts.append(svg.paragraph(Box(x + 44, y + 13, 156, 30), stones, colour=svg.INK))
    return svg.group(svg.together(parts), key=f"hand {p}")


def _placing(s: Table, panel: Box) -> str:
    """The large stone being placed, both ways round."""
    stone = s["stone_in_hand"]
    if stone == NOTHING:
        return ""
    parts = []
    for turned in range(int(ORIENTATIONS[stone])):
        at = Box(panel.x + 14, panel.y + 106 + 54 * turned, 72, 37)
        name = "r: turned" if turned else "as it is"
        parts += [_large_picture(at, stone, turned), svg.label(at.x, at.bottom + 11, name, svg.SMALLEST, colour=svg.QUIET)]
    return svg.together(parts)


def _heights(s: Table, p: int, panel: Box) -> str:
    """The level that each colour reaches, and the symbols found, at the upper right."""
    x, y = panel.right - 196, panel.y + 54
    parts = [svg.label(x, y + 10, "colours reach level", svg.SMALLEST, colour=svg.QUIET)]
    for colour, at in enumerate(svg.row(x, y + 16, len(COLOURS), 20, 20, 26)):
        parts += [
            svg.stone(at, STONE_COLOURS[colour], LETTERS[colour]),
            svg.label(at.right + 5, at.y + 15, s["height"][p][colour], 13, bold=True),
        ]
    for symbol, name in enumerate(SYMBOLS):
        found = s["symbols"][p] >> symbol & 1
        drawn = _symbol(x + 75 + 25 * symbol, y + 58, name)
        parts.append(drawn if found else svg.group(drawn, opacity=0.2))
    return svg.group(svg.together(parts), key=f"heights {p}")


def _space_picture(s: Table, p: int, space: int, box: Box, choices: Choices | None) -> str:
    stone, name = s["large_stone"][p][space], LARGE_SPACES[space]
    if stone == NOTHING:
        drawn = _empty_place(box, name, f"x{MULTIPLIER[space]}", choices)
    else:
        colour = LARGE_COLOUR[stone]
        solid = bool(s["solid_cells"][p][colour] & int(LARGE_CELL[space]))
        drawn = _large_picture(box, stone, s["large_turned"][p][space], _is_connected(s, p, space), solid, f"x{MULTIPLIER[space]}")
        if choices:
            drawn = svg.together((drawn, choices.outline(box, f"swap {name}", r=3)))
        if space == s["swap_first"] and choices is not None:
            drawn = svg.together((drawn, svg.rect(box, stroke=svg.ACCENT, r=3, line=4)))
    return svg.group(drawn, key=f"large {p} {name}")


def _empty_place(box: Box, name: str, multiplier: str, choices: Choices | None) -> str:
    parts = [svg.empty(box)]
    parts.append(svg.label(box.x + 6, box.y + 15, name, 12, bold=True, colour=svg.QUIET))
    parts.append(svg.label(box.right - 6, box.y + 15, multiplier, svg.SMALLEST, colour=svg.QUIET, anchor="end"))
    if choices:
        both = f"large {name} r" in choices
        as_it_is, turned = (
            Box(box.x + 5, box.bottom - 22, 36 if both else 76, svg.CHIP_HEIGHT),
            Box(box.x + 44, box.bottom - 22, 37, svg.CHIP_HEIGHT),
        )
        parts += [choices.chip(as_it_is, f"large {name}", name), choices.chip(turned, f"large {name} r", f"{name} r")]
    return svg.together(parts)


def _card_mark(panel: Box, pair: tuple[str, str]) -> str:
    """A card between the two spaces of a pair."""
    left = _brick_box(panel, LARGE_SPACES.index(pair[0]))
    return svg.card_back(Box(left.right - 4.5, left.y - 8, 10, 12), r=2)


def _end_picture(s: Table, p: int, end: int, box: Box, choices: Choices | None) -> str:
    stone, name = s["small_stone"][p][end], SMALL_SPACES[end]
    if stone == NOTHING:
        place = choices.chip(box.inset(3), f"small {name}", name) if choices else ""
        drawn = svg.together((svg.empty(box), place or svg.centred(box, name, 12, bold=True, colour=svg.QUIET)))
    else:
        solid = bool(s["solid_cells"][p][SMALL_COLOUR[stone]] & int(SMALL_CELL[end]))
        drawn = _small_picture(box, stone, solid)
        if choices:
            drawn = svg.together((drawn, choices.outline(box, f"lift {name}", r=3)))
    return svg.group(drawn, key=f"small {p} {name}")


def _balance(s: Table, p: int, level: int, panel: Box) -> str:
    """What a level with equal workers pays, beside it."""
    if not s["balanced"][p] >> level & 1:
        return ""
    right = _end_box(panel, 2 * level + 1)
    points = WORKERS[s["small_stone"][p][2 * level]]
    return svg.label(right.right + 5, right.cy + 5, f"+{points}", 13, bold=True, colour=svg.GOOD)


def _cards_picture(state: State, s: Table, p: int, panel: Box, choices: Choices | None) -> str:
    """The cards of a seat with what they do and pay now; what has no place on the board beside them."""
    held = _held(state, s, p)
    parts = []
    for i, box in enumerate(svg.row(panel.x + 14, panel.bottom - 60, len(PAIRS), 177, 50, 8)):
        if i < len(held):
            card, points = held[i]
            drawn = (
                svg.card(box),
                svg.label(box.x + 8, box.y + 16, CARDS[card], 12, bold=True),
                svg.label(box.right - 8, box.y + 16, points, 13, bold=True, colour=svg.GOOD, anchor="end"),
                svg.paragraph(Box(box.x + 8, box.y + 18, box.w - 12, 32), EFFECTS[CARDS[card]]),
            )
            parts.append(svg.group(svg.together(drawn), key=f"card {p} {i}"))
        else:
            parts += [
                svg.empty(box, r=5),
                svg.label(box.cx, box.cy + 4, "card for a pair", svg.SMALLEST, colour=svg.LINE, anchor="middle"),
            ]
    if choices:
        parts.append(choices.chip(Box(panel.x + 14, panel.y + 166, 60, svg.CHIP_HEIGHT), "done"))
    return svg.together(parts)


# --- Stones ----------------------------------------------------------------------------------------------------------------------


def _large_picture(
    box: Box, stone: int, turned: int = 0, connected: bool = False, solid: bool = False, multiplier: str = ""
) -> str:
    """A large stone: its colour's letter, its chambers as corridors from the middle to the openings, sarcophagi or a symbol."""
    colour = STONE_COLOURS[LARGE_COLOUR[stone]]
    on = svg.letters_on(colour)
    parts = [svg.rect(box, colour, svg.INK if solid else svg.LINE, r=3, line=2 if solid else 1)]
    parts.append(_corridors(box, int(OPENINGS[stone, turned]), connected))
    if SARCOPHAGI[stone]:
        parts += [_sarcophagus(box, i, int(SARCOPHAGI[stone])) for i in range(SARCOPHAGI[stone])]
    elif SYMBOL[stone] != NOTHING:
        parts.append(_symbol(box.cx, box.cy, SYMBOLS[SYMBOL[stone]]))
    parts.append(svg.label(box.x + 4, box.y + 12, LETTERS[LARGE_COLOUR[stone]], 12, bold=True, colour=on))
    if multiplier:
        parts.append(svg.label(box.right - 3, box.bottom - 4, multiplier, svg.SMALLEST, colour=on, anchor="end"))
    return svg.together(parts)


def _corridors(box: Box, openings: int, connected: bool) -> str:
    """Light ways with a dark edge; those with a way out are tinted and have a line in the middle."""
    quarter, ends = box.w / 4, []
    where = {"W": (box.x, box.cy), "E": (box.right, box.cy)}
    where |= {"NW": (box.cx - quarter, box.y), "NE": (box.cx + quarter, box.y)}
    where |= {"SW": (box.cx - quarter, box.bottom), "SE": (box.cx + quarter, box.bottom)}
    for direction, name in enumerate(PORTS):
        if openings >> direction & 1:
            x, y = where[name]
            ends.append(f"M{box.cx:g} {box.cy:g}L{x:g} {y:g}" if name in "WE" else f"M{box.cx:g} {box.cy:g}H{x:g}V{y:g}")
    if not ends:
        return ""
    return svg.together(
        (
            _way(box, ends, svg.DARK_ON, 10),
            _way(box, ends, WAY_OUT if connected else CHAMBER, 7.5),
            _way(box, ends, CHAMBER, 1) if connected else "",
        )
    )


def _way(box: Box, ends: list[str], colour: str, width: float) -> str:
    """Corridors that are cut off straight at the edge of the stone."""
    lines = f'<path d="{"".join(ends)}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"/>'
    return svg.together((lines, svg.circle(box.cx, box.cy, width / 2, colour)))


def _sarcophagus(box: Box, i: int, count: int) -> str:
    """A coffin with shoulders."""
    x, y = box.cx + 16 * (i - (count - 1) / 2), box.cy
    coffin = f"M{x - 3:g} {y - 12:g}H{x + 3:g}L{x + 7:g} {y - 5:g}L{x + 4:g} {y + 12:g}H{x - 4:g}L{x - 7:g} {y - 5:g}Z"
    return svg.together((svg.path(coffin, svg.YELLOW, svg.DARK_ON, line=1.2), svg.circle(x, y - 5, 2.4, svg.DARK_ON)))


GLYPHS = {  # around the middle, in a circle of 11
    "ankh": "M0 8V-1M-5 1H5M0 -1C-5 -4 -4 -8 0 -8C4 -8 5 -4 0 -1",
    "eye": "M-7 -1C-4 -6 4 -6 7 -1C4 3 -4 3 -7 -1M-2 2C-2 5 -4 7 -6 6M2 2L3 7M-1 -1.5A1.2 1.2 0 1 0 1 -1.5A1.2 1.2 0 1 0 -1 -1.5",
    "scarab": "M-4 -3C-5 8 5 8 4 -3ZM0 -3V6M-3 -4C-3 -8 3 -8 3 -4M-4 0L-8 -3M4 0L8 -3M-4 4L-7 7M4 4L7 7",
    "djed": "M-3 8H3M-1.5 8V-2M1.5 8V-2M-5 -2H5M-5 -4.5H5M-4 -7H4",
    "lotus": "M0 7C-3 3 -3 -3 0 -7C3 -3 3 3 0 7M0 7C-6 6 -7 1 -7 -4C-4 -2 -2 0 -2 1M0 7C6 6 7 1 7 -4C4 -2 2 0 2 1",
}


def _symbol(x: float, y: float, name: str) -> str:
    glyph = svg.path(GLYPHS[name], stroke=svg.LIGHT_ON, line=1.5)
    return svg.together((svg.circle(x, y, 11.5, svg.DARK_ON, svg.LIGHT_ON), f'<g transform="translate({x:g} {y:g})">{glyph}</g>'))


def _small_picture(box: Box, stone: int, solid: bool = False) -> str:
    """A small stone: its colour's letter and one to three workers."""
    colour, workers = STONE_COLOURS[SMALL_COLOUR[stone]], int(WORKERS[stone])
    on = svg.letters_on(colour)
    parts = [svg.rect(box, colour, svg.INK if solid else svg.LINE, r=3, line=2 if solid else 1)]
    parts.append(
        svg.label(
            box.cx,
            box.y + 3 + 0.26 * box.h,
            LETTERS[SMALL_COLOUR[stone]],
            12 if box.h > 40 else 11,
            bold=True,
            colour=on,
            anchor="middle",
        )
    )
    step = min(11, box.w / 3)
    for i in range(workers):
        x, y = box.cx + step * (i - (workers - 1) / 2), box.bottom - 4
        parts.append(svg.circle(x, y - 8.5, 2.3, on))
        parts.append(svg.path(f"M{x - 3:g} {y:g}C{x - 3:g} {y - 8:g} {x + 3:g} {y - 8:g} {x + 3:g} {y:g}Z", on))
    return svg.together(parts)
