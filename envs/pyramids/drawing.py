"""The table as text and as a picture: a person can play from either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import svg
from ..core.svg import Box, Choices
from .components import (
    ALLOWS_OBELISK,
    ALLOWS_TOMB,
    BASE,
    BONUS,
    BONUS_GROUP,
    CARDS,
    CELL_COLOUR,
    COLUMN_IS_TALL,
    FIRST_UPPER_LOCATION,
    GLYPH,
    GLYPH_POINTS,
    GLYPHS,
    LARGE_TABLE,
    LEFT_BOTTOM,
    LEFT_END,
    LEFT_TOP,
    LETTERS,
    LOCATIONS,
    NO_GLYPH,
    NUM_ROUNDS,
    NUM_SLOTS,
    OBELISK_POINTS,
    OPEN_LOCATIONS,
    RIGHT_BOTTOM,
    RIGHT_END,
    RIGHT_TOP,
    SEKHMET,
    TILES,
    TOMB_MAJORITY,
)
from .state import (
    BUILD_OBELISK,
    BUILD_TOMB,
    CANDIDATE,
    END,
    INITIAL_CANDIDATE,
    INITIAL_IN_HAND,
    INITIAL_IN_TOMB,
    KNOWN_IN_HAND,
    KNOWN_IN_TOMB,
    NOTHING,
    OPEN_CATEGORIES,
)

if TYPE_CHECKING:
    from ..core.state import State

STAGES = ((9,), (7, 8), (4, 5, 6), (0, 1, 2, 3))  # from the top
assert sum(map(len, STAGES)) == NUM_SLOTS


def _allows(tile: int, num_players: int) -> str:
    """What a tile lets its owner build besides the Pyramid."""
    between = " or " if tile == SEKHMET and num_players >= LARGE_TABLE else " and "
    return between.join(["Obelisk"] * bool(ALLOWS_OBELISK[tile]) + ["Tomb"] * bool(ALLOWS_TOMB[tile]))


# --- The text board ----------------------------------------------------------------------------------------------------------

PICTURE_WIDTH = 25
NOTES_WIDTH = 80 - PICTURE_WIDTH - 2
LEGEND = (
    "card R|B/Y^P: tall red, blue over yellow, Pyramid glyph; in the Pyramid | is the",
    "lower half of a tall stone, p o t a glyph (2 points in Pyramid, Obelisk, Tomb);",
    "L R 2a ... are the open places, tiles tell what may be built (P pyramid, O, T)",
)


def draw(state: State, player: int | None) -> str:
    s = state.record[0]
    lines = [_headline(s), *_quarry(s)]
    for p in range(s["num_players"]):
        lines += ["", *_seat(state, p, everything=player is None or player == p or s["phase"] == END)]
    return "\n".join([*lines, "", *LEGEND])


def _headline(s: np.void) -> str:
    if s["over"]:
        return f"Game over after round {s['round']}"
    first = f"Round {s['round']}/{NUM_ROUNDS}   seat {s['current_player']}: {DOING[s['phase']]}"
    rest = f"   first player {s['first_player']}   deck {len(s['deck']) - s['deck_position']}"
    tiles = "  ".join(_tile(s, t) for t in range(len(TILES) if s["num_players"] >= LARGE_TABLE else len(TILES) - 1))
    return f"{first}{rest}\ntiles  {tiles}"


def _tile(s: np.void, tile: int) -> str:
    """`khepri P+O>1`: lets build Pyramid and Obelisk, taken by seat 1."""
    if tile == s["removed_tile"]:
        return f"({TILES[tile]} out)"
    more = _allows(tile, s["num_players"]).replace(" and ", "+").replace(" or ", "/").replace("Obelisk", "O").replace("Tomb", "T")
    owner, now = s["tile_owner"][tile], "*" if tile == s["tile"] else ""
    return f"{TILES[tile]} P{'+' + more if more else ''}" + (f">{owner}{now}" if owner != NOTHING else "")


def _quarry(s: np.void) -> list[str]:
    pairs = []
    for i, letter in enumerate("ABCDE"[: s["num_players"]]):
        cards = s["quarry"][i]
        pairs.append(f"{letter} " + ("taken" if cards[0] == NOTHING else " ".join(_names(cards))))
    return _wrapped("quarry", pairs, 80, "   ")


def _names(cards: np.ndarray) -> list[str]:
    return [CARDS[c] for c in cards if c != NOTHING]


def _wrapped(title: str, items: list[str], width: int, gap: str = "  ") -> list[str]:
    """Items behind a title, as many per line as fit."""
    lines = [f"{title}  "]
    for item in items:
        if len(lines[-1] + item) > width:
            lines.append(" " * (len(title) + 2))
        lines[-1] += item + gap
    return [line.rstrip() for line in lines]


def _sheet(state: State, p: int) -> dict[str, int]:
    """The score by category; before the end, what lies in the Tombs does not count."""
    s = state.record[0]
    return state.breakdown()[p] if s["phase"] == END else dict(zip(OPEN_CATEGORIES, s["open_sheet"][p].tolist(), strict=True))


def _seat(state: State, p: int, everything: bool) -> list[str]:
    s = state.record[0]
    notes = [
        *_wrapped(f"obelisk {s['obelisk_size'][p]}", _names(s["obelisk"][p]), NOTES_WIDTH),
        *(_own_cards(s, p) if everything else _known_cards(s, p)),
        "groups  " + " ".join(f"{c}{m}" for c, m in zip(LETTERS, s["largest_group"][p], strict=True)),
    ]
    if s["phase"] == END:
        sheet = _sheet(state, p)
        notes += _wrapped("score", [f"{part} {v}" for part, v in (*sheet.items(), ("total", sum(sheet.values())))], NOTES_WIDTH)
    else:
        notes.append(f"points  {s['open_points'][p]} without the Tomb")
    picture = _pyramid(s, p)
    picture += [""] * (len(notes) - len(picture))
    notes += [""] * (len(picture) - len(notes))
    rows = [f"{drawn:<{PICTURE_WIDTH}}  {note}".rstrip() for drawn, note in zip(picture, notes, strict=True)]
    return [f"seat {p}{' *' if p == s['current_player'] and not s['over'] else ''}", *rows]


def _own_cards(s: np.void, p: int) -> list[str]:
    hand = [f"{i + 1}: {name}" for i, name in enumerate(_names(s["hand"][p]))]
    return [
        *_wrapped(f"tomb {s['tomb_size'][p]}", _names(s["tomb"][p]), NOTES_WIDTH),
        *_wrapped(f"hand {s['hand_size'][p]}", hand, NOTES_WIDTH),
    ]


def _known_cards(s: np.void, p: int) -> list[str]:
    """What everybody knows (R24): cards that are surely there, and candidates, of which one is in hand and the rest in the Tomb."""
    status = int(s["initial_status"][p])
    hand, candidates, tomb = (
        [*(CARDS[c] for c in np.flatnonzero(s["public_place"] == place + p)), *["the initial card"] * (status == initial)]
        for place, initial in ((KNOWN_IN_HAND, INITIAL_IN_HAND), (CANDIDATE, INITIAL_CANDIDATE), (KNOWN_IN_TOMB, INITIAL_IN_TOMB))
    )
    lines = [*_wrapped(f"tomb {s['tomb_size'][p]}", tomb, NOTES_WIDTH), *_wrapped(f"hand {s['hand_size'][p]}", hand, NOTES_WIDTH)]
    return [*lines, "one in hand, the rest in the tomb:", *_wrapped("", candidates, NOTES_WIDTH)] if candidates else lines


def _open_slots(open_places: int, base: int) -> dict[int, int]:
    """The location by slot of all open places but the left end, which has no slot until something is built there."""
    where = {RIGHT_END: base} if base < BASE else {}
    where |= {location: location - FIRST_UPPER_LOCATION + BASE for location in range(FIRST_UPPER_LOCATION, len(LOCATIONS))}
    return {slot: location for location, slot in where.items() if open_places >> location & 1}


def _pyramid(s: np.void, p: int) -> list[str]:
    """Two lines per stage: a letter per stone, `|` for the lower half of a tall one, dots for empty slots, names of open ones."""
    slots, open_places = s["pyramid"][p], int(OPEN_LOCATIONS[s["filled_slots"][p]])
    location_of = _open_slots(open_places, sum(slots[:BASE] != NOTHING))
    lines = []
    for stage, row in enumerate(STAGES):
        left = "L" if stage == len(STAGES) - 1 and open_places >> LEFT_END & 1 else " "
        indent = "  " * (len(STAGES) - 1 - stage)
        lines.append(f" {left} {indent}" + " ".join(_upper_half(slots[i], location_of.get(i)) for i in row))
        lines.append(f"   {indent}" + " ".join(_lower_half(slots[i]) for i in row))
    return lines


def _upper_half(card: int, location: int | None) -> str:
    if card == NOTHING:
        return ". ." if location is None else LOCATIONS[location].center(3)
    glyph = " " if GLYPH[card] == NO_GLYPH else GLYPHS[GLYPH[card]].lower()
    return LETTERS[CELL_COLOUR[card, LEFT_TOP]] + glyph + LETTERS[CELL_COLOUR[card, RIGHT_TOP]]


def _lower_half(card: int) -> str:
    if card == NOTHING:
        return ". ."
    cells = (LEFT_BOTTOM, RIGHT_BOTTOM)
    return " ".join("|" if COLUMN_IS_TALL[card, cell // 2] else LETTERS[CELL_COLOUR[card, cell]] for cell in cells)


# --- The picture -------------------------------------------------------------------------------------------------------------

Table = dict[str, Any]  # the record in plain numbers and lists

STONE_COLOURS = (svg.BLUE, svg.WHITE, svg.RED, svg.GREEN, svg.YELLOW)
DOING = (
    *("choose a God tile", "take a pair", "build the Pyramid", "build the Obelisk or pass", "lay into the Tomb or pass"),
    *("discard a card", "game over"),
)
TILE, PAIR, SHARED_HEIGHT = 104, 111, 84  # the strip that everybody shares
SHARED_TOP = svg.HEADER + 34
SEATS_TOP = SHARED_TOP + SHARED_HEIGHT + 16
SEAT_HEIGHT = 322
CARD, SMALL_CARD, SLOT = 54, 40, 58
TINY_CARD = 30
FOOTER = 40
UNKNOWN = -1  # a card that the observer may not see


def picture(state: State, observer: int | None, *, legal: bool = True) -> str:
    s, choices = svg.fields(state), Choices(state, observer, legal)
    n = s["num_players"]
    rows = (n + 1) // 2
    places = state.standings() if s["over"] else [None] * n
    height = SEATS_TOP + rows * (SEAT_HEIGHT + svg.GAP) + (svg.GAP if n % 2 else FOOTER)
    seats = svg.seat_boxes(n, SEATS_TOP, SEAT_HEIGHT)
    return svg.frame(
        height,
        svg.header("Pyramids", _words(s), f"{len(s['deck']) - s['deck_position']} cards in the deck"),
        _tiles_picture(s, choices),
        _quarry_picture(s, choices),
        *(
            _seat_picture(s, p, box, places[p], choices, _sheet(state, p), observer is None or observer == p)
            for p, box in enumerate(seats)
        ),
        _legend(n, height),
        choices.rest(Box(svg.MARGIN, height - FOOTER, svg.WIDTH - 2 * svg.MARGIN, svg.CHIP_HEIGHT)),
    )


def _legend(n: int, height: float) -> str:
    """In the place of the missing seat, or below the seats."""
    if n % 2:
        box = svg.seat_boxes(n + 1, SEATS_TOP, SEAT_HEIGHT)[n].inset(30)
        return svg.paragraph(box, HOW_IT_SCORES, 14)
    return svg.paragraph(Box(svg.MARGIN, height - FOOTER, svg.WIDTH - 2 * svg.MARGIN, FOOTER - 6), HOW_IT_SCORES)


HOW_IT_SCORES = (
    "Pyramid: the largest group of touching stones of each colour, and the largest of all once more; all five colours with"
    f" {BONUS_GROUP} or more: {BONUS}. Obelisk: cards that show one colour pay {', '.join(map(str, OBELISK_POINTS[1:]))}."
    f" Tomb: {TOMB_MAJORITY} for each colour of which nobody else has as many stones. A glyph P, O or T pays {GLYPH_POINTS} in"
    " Pyramid, Obelisk or Tomb."
)


def _words(s: Table) -> str:
    if s["over"]:
        return f"game over after round {s['round']}"
    return f"round {s['round']} of {NUM_ROUNDS} · seat {s['current_player']}: {DOING[s['phase']]}"


def _tiles_picture(s: Table, choices: Choices) -> str:
    count = len(TILES) if s["num_players"] >= LARGE_TABLE else len(TILES) - 1
    boxes = svg.row(svg.MARGIN, SHARED_TOP, count, TILE, SHARED_HEIGHT, 8)
    title = svg.label(svg.MARGIN, SHARED_TOP - 8, "God tiles, in order of play", 14, bold=True)
    return svg.together((title, *(_tile_picture(s, tile, box, choices) for tile, box in enumerate(boxes))))


def _tile_picture(s: Table, tile: int, box: Box, choices: Choices) -> str:
    owner, out = s["tile_owner"][tile], tile == s["removed_tile"]
    parts = [svg.card(box, TILES[tile].capitalize(), fill=svg.SOFT if out else svg.PANEL, chosen=tile == s["tile"])]
    more = _allows(tile, s["num_players"]).replace(" and ", ", ")
    for i, line in enumerate(("Pyramid and", more) if more else ("Pyramid only",)):
        parts.append(svg.label(box.cx, box.y + 34 + 14 * i, line, 11, colour=svg.QUIET, anchor="middle"))
    if out:
        parts.append(svg.label(box.cx, box.bottom - 8, "out this round", 11, colour=svg.QUIET, anchor="middle"))
    elif owner != NOTHING:
        parts.append(svg.badge(box.cx, box.bottom - 13, f"seat {owner}", svg.SEAT_COLOURS[owner]))
    parts.append(choices.chip(Box(box.x + 5, box.bottom - 24, box.w - 10, svg.CHIP_HEIGHT), f"god {TILES[tile]}"))
    return svg.group(svg.together(parts), key=f"tile {TILES[tile]}")


def _quarry_picture(s: Table, choices: Choices) -> str:
    n = s["num_players"]
    boxes = svg.row(svg.WIDTH - svg.MARGIN - 5 * (PAIR + 8) + 8, SHARED_TOP, n, PAIR, SHARED_HEIGHT, 8)
    parts = [svg.label(boxes[0].x, SHARED_TOP - 8, "Quarry", 14, bold=True)]
    for i, box in enumerate(boxes):
        taken = s["quarry"][i][0] == NOTHING
        drawn = [svg.field(box), svg.label(box.x + 4, box.y + 33, "ABCDE"[i], 16, bold=True, colour=svg.LINE)]
        if not taken:
            drawn += [_card(Box(box.x + 19 + 46 * k, box.y + 8, 44, 44), card) for k, card in enumerate(s["quarry"][i])]
        drawn.append(choices.chip(Box(box.x + 19, box.bottom - 24, 88, svg.CHIP_HEIGHT), f"take {'ABCDE'[i]}"))
        parts.append(svg.group(svg.together(drawn), key=f"pair {'ABCDE'[i]}"))
    return svg.together(parts)


def _card(box: Box, card: int) -> str:
    """Two columns of stones, each one tall stone or two small ones, and the glyph in the corner."""
    if card == UNKNOWN:
        return svg.card_back(box)
    pad = 1.5
    w, h = (box.w - 3 * pad) / 2, (box.h - 3 * pad) / 2
    parts = [svg.rect(box, svg.LINE)]
    for cell, colour in enumerate(CELL_COLOUR[card].tolist()):
        tall = COLUMN_IS_TALL[card, cell // 2]
        if tall and cell % 2 == 1:
            continue
        x, y = box.x + pad + (w + pad) * (cell // 2), box.y + pad + (h + pad) * (cell % 2)
        parts.append(svg.stone(Box(x, y, w, 2 * h + pad if tall else h), STONE_COLOURS[colour], LETTERS[colour], r=2.5))
    if GLYPH[card] != NO_GLYPH:
        parts.append(svg.badge(box.cx, box.y - 2, GLYPHS[GLYPH[card]]))
    return svg.together(parts)


def _seat_picture(s: Table, p: int, box: Box, place: int | None, choices: Choices, sheet: dict[str, int], everything: bool) -> str:
    acting = choices if p == s["current_player"] else None
    panel = svg.seat_panel(
        box,
        p,
        to_move=p == s["current_player"] and not s["over"],
        name="first player" if p == s["first_player"] and not s["over"] else "",
        place=place,
        total=f"{sum(sheet.values())}{' open' * (s['phase'] != END)}",
        parts="  ·  ".join(f"{part} {points}" for part, points in sheet.items()),
    )
    return svg.together(
        (panel, _groups_picture(s, p, box), _pyramid_picture(s, p, box, acting), _rows(s, p, box, acting, everything))
    )


def _groups_picture(s: Table, p: int, box: Box) -> str:
    """The size of the largest group of each colour."""
    parts = []
    for i, (colour, letter) in enumerate(zip(STONE_COLOURS, LETTERS, strict=True)):
        at = Box(box.x + 14, box.y + 58 + 21 * i, 18, 18)
        parts += [svg.stone(at, colour, letter), svg.label(at.right + 6, at.y + 14, s["largest_group"][p][i], 13, bold=True)]
    return svg.group(svg.together(parts), key=f"groups {p}")


def _pyramid_picture(s: Table, p: int, box: Box, choices: Choices | None) -> str:
    left, ground = box.x + 38, box.bottom - 12 - CARD
    open_places, base = int(OPEN_LOCATIONS[s["filled_slots"][p]]), sum(card != NOTHING for card in s["pyramid"][p][:BASE])
    location_of = _open_slots(open_places, base)
    parts = []
    for height, stage in zip((3, 2, 1, 0), STAGES, strict=True):
        for i, slot in enumerate(stage):
            at = Box(left + SLOT * i + SLOT / 2 * height, ground - SLOT * height, CARD, CARD)
            card, location = s["pyramid"][p][slot], location_of.get(slot)
            drawn = svg.empty(at) if card == NOTHING else _card(at, card)
            parts.append(svg.group(drawn, key=f"slot {p} {slot}"))
            if location is not None:
                parts.append(_open_place(at, location, choices))
    if open_places >> LEFT_END & 1 and base:
        strip = Box(left - 26, ground, 22, CARD)
        parts += [svg.empty(strip), svg.label(strip.cx, ground - 5, "L", 12, bold=True, colour=svg.QUIET, anchor="middle")]
        if choices:
            chips = (Box(strip.x + 2, ground + 18 * h, 18, 17) for h in range(3))
            parts += [choices.chip(chip, f"pyr {h + 1}@L", str(h + 1)) for h, chip in enumerate(chips)]
    return svg.together(parts)


def _open_place(at: Box, location: int, choices: Choices | None) -> str:
    """The name of an open place, and the hand cards that can be built there."""
    name = LOCATIONS[location]
    parts = [svg.label(at.cx, at.y + 20, name, 13, bold=True, colour=svg.QUIET, anchor="middle")]
    if choices:
        chips = svg.row(at.x + 0.5, at.bottom - 22, 3, 17, svg.CHIP_HEIGHT, 1)
        parts += [choices.chip(chip, f"pyr {h + 1}@{name}", str(h + 1)) for h, chip in enumerate(chips)]
    return svg.together(parts)


def _rows(s: Table, p: int, box: Box, choices: Choices | None, everything: bool) -> str:
    """Obelisk, Tomb and hand at the right of the panel, and what the table can tell of cards that are in one of the latter two."""
    x, w = box.x + 296, box.w - 296 - 12
    hand, candidates, tomb = _seen_cards(s, p, everything or s["phase"] == END)
    obelisk = [card for card in s["obelisk"][p] if card != NOTHING]
    passing = {BUILD_OBELISK: "obe", BUILD_TOMB: "tomb"}.get(s["phase"], "")
    rows = [
        ("obelisk", s["obelisk_size"][p], obelisk, "obe", ""),
        ("tomb", s["tomb_size"][p], tomb, "tomb", ""),
        ("hand", s["hand_size"][p], hand, "drop", "numbered"),
    ]
    parts = []
    for i, (name, size, cards, verb, numbered) in enumerate(rows):
        at = Box(x, box.y + 74 + 70 * i, w, SMALL_CARD)
        parts.append(svg.label(x, at.y - 15, f"{name} {size}", 13, bold=True, colour=svg.QUIET))
        parts.append(svg.group(_cards_in(at, cards, bool(numbered) and everything), key=f"{name} {p}"))
        if choices:
            offers = [(f"{verb} {h}", f"{verb} {h}") for h in (1, 2)] + ([("pass", "pass")] if passing == verb else [])
            parts.append(choices.chips(Box(x + 84, at.y - 29, w - 84, svg.CHIP_HEIGHT), offers))
    if candidates:
        at = Box(x, box.y + 285, w, TINY_CARD)
        parts.append(svg.label(x, at.y - 14, "one of these in hand, the rest in the tomb", 11, colour=svg.QUIET))
        parts.append(svg.group(_cards_in(at, candidates, False), key=f"candidates {p}"))
    return svg.together(parts)


def _seen_cards(s: Table, p: int, everything: bool) -> tuple[list[int], list[int], list[int]]:
    """Cards in hand, in hand or Tomb, in the Tomb, as the observer knows them (R24)."""
    if everything:
        return [c for c in s["hand"][p] if c != NOTHING], [], [c for c in s["tomb"][p] if c != NOTHING]
    seen = []
    for place, initial in ((KNOWN_IN_HAND, INITIAL_IN_HAND), (CANDIDATE, INITIAL_CANDIDATE), (KNOWN_IN_TOMB, INITIAL_IN_TOMB)):
        known = [card for card, at in enumerate(s["public_place"]) if at == place + p]
        seen.append(known + [UNKNOWN] * (s["initial_status"][p] == initial))
    hand, candidates, tomb = seen
    return hand, candidates, tomb


def _cards_in(box: Box, cards: list[int], numbered: bool) -> str:
    """Cards side by side, small ones if there are many."""
    size = min(box.h, SMALL_CARD if len(cards) <= 5 else TINY_CARD)
    step = min(size + 5, (box.w - size) / max(1, len(cards) - 1))
    parts = []
    for i, card in enumerate(cards):
        at = Box(box.x + i * step, box.y, size, size)
        parts.append(_card(at, card))
        if numbered:
            parts.append(svg.label(at.cx, at.bottom + 13, i + 1, 12, bold=True, colour=svg.QUIET, anchor="middle"))
    return svg.together(parts)
