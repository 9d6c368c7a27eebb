"""The table as text and as a picture: a person can play from either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..core import svg
from ..core.svg import Box, Choices
from .actions import ACTIONS, CAT_CHANGE
from .components import (
    ARCHITECT_SEAT,
    ARCHITECT_TILE_FAME,
    ARCHITECTS,
    ENNEAD_FAME,
    EXTRA_OF_STOREY,
    FACES,
    GODS,
    GODS_TABLE,
    KINDS,
    NO_SCARAB,
    NUM_ENNEAD,
    NUM_SLOTS,
    NUM_TILES,
    PARTNER,
    PRAYER,
    PROJECT_FAME,
    PROJECTS,
    PYRAMIDS,
    RESOURCES,
    SCARABS,
    SPACES_IN_PLAY,
    SPACES_ON_BOARD,
    STONE_DIE,
    STOREYS,
    TILE_FAME_COST,
    TILES,
    TILES_IN_PLAY,
    UNITS,
)
from .state import (
    ANSWER_PEARL,
    AVAILABLE,
    BUILD_AT,
    CHANGE_FROM,
    CHANGE_TO,
    CHOOSE_COST,
    CHOOSE_DICE,
    CHOOSE_REROLL,
    CHOOSE_SCARAB,
    DROP_GOD,
    FOR_ATON,
    FREE_GOD,
    HELD,
    LOSE_ONE,
    NONE,
    PAY_DIE,
    PAY_UNIT,
    PICK,
    PLACE_TILE,
    PURPOSES,
    REST_TURN,
    SEAT_FACTOR,
    TURN,
    USE,
    WAITING,
)

if TYPE_CHECKING:
    from ..core.state import State

Table = dict[str, Any]  # the record in plain numbers and lists

# --- What cards do, in words -------------------------------------------------------------------------------------------------

ENNEAD = "2, 3, 4, 5 cards of the Ennead: 2, 6, 12, 20"
EFFECTS = {
    **dict.fromkeys(GODS[:NUM_ENNEAD], ENNEAD),
    "Khnum": "a virtual die of 1 or 2",
    "Satis": "a virtual die of 3 or 4",
    "Anuket": "a virtual die of 5 or 6",
    "Amon": "set a Prayer die to another value",
    "Anubis": "three more Gods in the cult",
    "Aton": "discard another own God: 4 Fame",
    "Bastet": "W and C pay for each other, C count for the dice",
    "Bes": "in a Rest turn: 1 Fame",
    "Hapy": "Rest without a tile: lose one, gain three of other types",
    "Hathor": "no power",
    "Heh": "1 Fame",
    "Heka": "2 C: 1 W and 3 Fame",
    "Khepri": "each three equal dice: 3 Fame and a resource",
    "Khonsu": "1 W and 1 C: 4 Fame",
    "Min": "2 dice: 1 W",
    "Ptah": "1 die: all other used Gods are ready again",
    "Maat": "another reroll",
    "Montu": "2 W: 1 C and 4 Fame",
    "Ra": "1 W: 3 Fame",
    "Mertseger": "2 dice: roll a Stone die of the supply",
    "Mut": "set a Stone die to another value",
    "Sekhmet": "1 W, 1 C and a Stone die: 7 Fame",
    "Neith": "1 C: 2 Fame",
    "Serket": "3 Fame for a build on four dice",
    "Seshat": "a build may cost 1 W",
    "Sobek": "2 dice: 3 Fame",
    "Sopdet": "1 die: 1 C",
    "Thoth": "1 Fame per W paid for a build",
}
SCARAB_EFFECTS = {
    "Amethyst": "once per Work turn pay a die, borrow the power of a face-up God",
    "Silver": "2 Fame when a gain fills the eighth space",
    "Pearl": "when another builds, pay 2 W for the same Fame",
    "Emerald": "may rest with another's face-up tile, which is then face down",
    "Quartz": "1 Fame per resource at the end",
    "Obsidian": "2 Fame per God at the end",
    "Gold": "a Golden Cat pays for one C in each Work turn",
    "Ruby": "2 Fame per worship",
    "LapisLazuli": "no extra W for levels",
    "Turquoise": "one die more",
    "Carnelian": "`fame` brings 2",
    "Malachite": "3 Fame for returning three tiles",
}
TILE_EFFECTS = {
    "work": "any one, then a Work turn",
    "each": "one W, C and S",
    "god": "a face-up God for nothing",
    "three": "three of one type",
    "swap": "lose one, gain two others",
    "feast": "any two; all others gain a C",
}
POWERS_OF_ARCHITECTS = {
    "Snefru": "1 Fame when he builds on level 2 or 3",
    "Hemionu": "1 Fame when his build completes a pair of his Projects",
    "Amenhotep": "1 Fame when he takes an Ennead card",
    "Imothep": "2 Fame when he builds",
}
WORDS_OF_PHASES = {
    CHOOSE_SCARAB: "keep one of two Scarabs",
    TURN: "work or rest",
    REST_TURN: "choose a Rest tile",
    PICK: "choose what to gain",
    FREE_GOD: "take a God for nothing",
    CHOOSE_DICE: "how many Stone dice to roll",
    USE: "use the dice",
    CHOOSE_REROLL: "select dice and roll them again",
    PAY_DIE: "choose a die to pay",
    PAY_UNIT: "choose what to pay with",
    PLACE_TILE: "choose a slot for the tile",
}
REASONS_TO_LOSE = ("nine resources: discard one", "swap: discard a resource", "Hapy: discard a resource")


def _tile_effect(tile: int) -> str:
    return TILE_EFFECTS.get(TILES[tile], f"gain {TILES[tile][0]} and {TILES[tile][-1]}")


def _deciding(s: Table) -> str:
    """What is asked of whom."""
    if s["over"]:
        return "game over" + (", cut off" if s["truncated"] else "")
    phase, words = s["phase"], WORDS_OF_PHASES.get(s["phase"], "")
    if phase == BUILD_AT:
        words = f"where to build the {s['build_value']}"
    elif phase == CHOOSE_COST:
        words = f"pay the usual cost for the {s['build_value']} on space {s['build_space']}, or 1 W by Seshat"
    elif phase == LOSE_ONE:
        words = REASONS_TO_LOSE[s["lose_reason"]]
    elif phase == CHANGE_FROM:
        words = f"which {KINDS[s['change_kind']]} die to set"
    elif phase == CHANGE_TO:
        words = f"set the {KINDS[s['change_kind']]}{s['change_value']} to another value"
    elif phase == DROP_GOD:
        words = "Aton: discard a God for 4 Fame" if s["drop_reason"] == FOR_ATON else "more Gods than W and C: discard one"
    elif phase == ANSWER_PEARL:
        words = f"Pearl: pay 2 W for {s['pearl_fame']} Fame?"
    return f"seat {s['current_player']}: {words}"


def _pending(s: Table) -> list[str]:
    """What is being paid for, gained or placed right now."""
    lines = []
    if s["payment"]:
        lines.append(f"to pay for {_purpose(s)}: {', '.join(_needs(s))}")
    if s["queue_length"]:
        units = [_unit(s, entry) for entry in s["queue"][: s["queue_length"]]]
        lines.append("still to gain: " + ", ".join(units))
    waiting = [TILES[t] for t in range(NUM_TILES) if s["tile_place"][t] == WAITING]
    if waiting:
        lines.append("tiles to place: " + ", ".join(waiting))
    if s["rest_pending"]:
        lines.append("the Rest turn goes on after this Work turn")
    return lines


def _unit(s: Table, entry: int) -> str:
    seat, unit = divmod(entry, SEAT_FACTOR)
    words = {"three": "three of one type", "khepri": "any", "any": "any"}.get(UNITS[unit], UNITS[unit])
    return words if seat == s["turn_player"] else f"seat {seat} {words}"


def _purpose(s: Table) -> str:
    which = s["payment_for"]
    return {
        "worship": lambda: f"worshipping {GODS[s['row'][which]]}",
        "replace": lambda: f"replacing {GODS[s['row'][which]]}",
        "fame": lambda: "Fame",
        "god": lambda: f"the power of {GODS[which]}",
        "copy": lambda: f"borrowing the power of {GODS[s['row'][which]]}",
        "build": lambda: f"building the {s['build_value']} on space {s['build_space']}",
        "cat": lambda: ACTIONS.names[CAT_CHANGE + which],
    }[PURPOSES[s["payment"]]]()


def _needs(s: Table) -> Iterator[str]:
    """What is still to pay."""
    yield from (f"{count} x {face}" if count > 1 else f"a {face}" for face, count in enumerate(s["need_value"], start=1) if count)
    if s["need_same"]:
        yield "three equal dice"
    if s["need_stone"]:
        yield "a Stone die"
    if s["need_any"]:
        yield f"{s['need_any']} {'dice' if s['need_any'] > 1 else 'die'} of any value"
    for name, words in (("need_workers", "W"), ("need_cats", "C")):
        if s[name]:
            yield f"{s[name]} {words}"


def _discarded(s: Table) -> int:
    return int(s["discards"]).bit_count()


def _own_gods(s: Table, p: int) -> list[int]:
    return [god for god in range(len(GODS)) if int(s["gods"][p]) >> god & 1]


def _is_used(s: Table, god: int) -> bool:
    return bool(int(s["used"]) >> int(god) & 1)


def _tiles_of(s: Table, p: int) -> list[int]:
    return [tile for tile, place in enumerate(s["tile_place"]) if place == HELD + p]


def _available(s: Table) -> list[int]:
    """The Rest tiles on the table; in a solo game in the order of their slots."""
    return sorted((t for t in range(NUM_TILES) if s["tile_place"][t] == AVAILABLE), key=lambda t: (s["tile_slot"][t], t))


def _pairs(project: int) -> list[tuple[int, int]]:
    partner = PARTNER[project].tolist()
    return [(value, partner[value]) for value in range(1, FACES + 1) if value <= partner[value]]


def _sheet(s: Table, p: int, points: int, everything: bool) -> dict[str, int]:
    """The score by category, as far as the observer may know it; what is left over is the Scarab's."""
    projects = s["architect_projects"] if _is_architect(s, p) else [s["project"][p]]
    project = PROJECT_FAME * sum(s["pairs"][i] for i in projects if i != NONE)
    sheet = {"Fame": s["fame"][p], "Gods": s["god_fame"][p], "Ennead": int(ENNEAD_FAME[s["ennead_cards"][p]])}
    if s["num_players"] > 1:
        sheet["Scarab"] = points - project - sum(sheet.values())
    return sheet | ({"Project": project} if everything else {})


def _is_architect(s: Table, p: int) -> bool:
    return s["num_players"] == 1 and p == ARCHITECT_SEAT


def _sees(s: Table, observer: int | None, p: int) -> bool:
    return observer is None or observer == p or bool(s["over"]) or _is_architect(s, p)


def _spent(s: Table, p: int) -> bool:
    """Whether a Scarab that works once per turn has worked."""
    used = {"Gold": s["gold_used"], "Amethyst": s["copy_used"]}
    return p == s["turn_player"] and s["scarab"][p] != NO_SCARAB and bool(used.get(SCARABS[s["scarab"][p]]))


# --- The table as text -------------------------------------------------------------------------------------------------------

COLUMNS = 80
FULL_CARDS = 6  # more Gods than these are shown by name only
LEGEND = """\
W Worker, C Cat, S Stone die, P Prayer die, V virtual die, * used in this turn
spaces  [5] a die, (12) open space number 12, . not supported yet
cost    a digit is a die of that value, S4 a Stone die of it, * any die, W, C
build   1-2, 3-4, 5-6 cost 0, 1, 2 W and what the level adds; brings the value"""


def draw(state: State, player: int | None) -> str:
    s, points = svg.fields(state), state.outcome()[0].tolist()
    lines = [*_headline(s), "", *_pyramids(s), "", *_offers(s), *_dice_lines(s)]
    for p in range(s["num_seats"]):
        lines += ["", *_seat(s, p, points[p], _sees(s, player, p))]
    return "\n".join([*lines, "", LEGEND])


def _folded(text: str, indent: str = "        ") -> list[str]:
    return wrap(text, COLUMNS - 1, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _headline(s: Table) -> list[str]:
    workers, cats, stone = s["supply"]
    lines = [
        f"Turn {s['turns'] + 1}   {_deciding(s)}",
        f"supply {workers} W, {cats} C, {stone} S   Quarry {s['quarry'][PRAYER]} P, {s['quarry'][STONE_DIE]} S"
        f"   Gods {s['deck_end'] - s['deck_position']} in the deck, {_discarded(s)} discarded",
    ]
    if s["pharaoh"] != NONE:
        lines.append(f"seat {s['pharaoh']} has the Pharaoh: the game ends after that seat's next turn")
    return lines + [line for text in _pending(s) for line in _folded(text)]


def _pyramids(s: Table) -> list[str]:
    """A column per storey, its spaces in reading order."""
    columns = []
    for first, (pyramid, level, side, _), extra in _storeys(s):
        head = [_storey_name(pyramid, level), f"+{extra} W +{2 * extra} F" if extra else "no extra"]
        rows = [" ".join(_space(s, first + row * side + column) for column in range(side)) for row in range(side)]
        columns.append(head + rows)
    widths = [max(map(len, column)) for column in columns]
    height = max(map(len, columns))
    padded = [column + [""] * (height - len(column)) for column in columns]
    lines = zip(*padded, strict=True)
    return ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in lines]


def _storeys(s: Table) -> Iterator[tuple[int, tuple[int, int, int, int], int]]:
    """The storeys in play: first space, what it is, extra Workers."""
    first = 0
    for storey, extra in zip(STOREYS, EXTRA_OF_STOREY, strict=True):
        if int(SPACES_IN_PLAY[s["num_players"]]) >> first & 1:
            yield first, storey, extra
        first += storey[2] ** 2


def _storey_name(pyramid: int, level: int) -> str:
    storeys = sum(1 for which, *_ in STOREYS if which == pyramid)
    return PYRAMIDS[pyramid].capitalize() + (f" {level}" if storeys > 1 else "")


def _space(s: Table, space: int) -> str:
    if s["pyramid"][space]:
        return f"[{s['pyramid'][space]}]".ljust(4)
    return (f"({space})" if s["open_spaces"] >> space & 1 else " .").ljust(4)


def _offers(s: Table) -> list[str]:
    """The face-up Gods and the Rest tiles."""
    lines = []
    for i, god in enumerate(s["row"]):
        if god != NONE:
            name, _, cost, fame = GODS_TABLE[god]
            worth = f"; {fame} Fame at the end" if fame else ""
            lines += _folded(f"god {i}   {name}, cost {cost}: {EFFECTS[name]}{worth}")
    solo = s["num_players"] == 1
    shown = [(f"{s['tile_slot'][t] + 1}: " if solo else "") + _tile_words(t) for t in _available(s)]
    return lines + _folded("rest    " + " | ".join(shown))


def _tile_words(tile: int) -> str:
    price = f", costs {TILE_FAME_COST[tile]} Fame" if TILE_FAME_COST[tile] else ""
    return TILES[tile] + (f" ({TILE_EFFECTS[TILES[tile]]}{price})" if TILES[tile] in TILE_EFFECTS else "")


def _dice_lines(s: Table) -> Iterator[str]:
    if s["in_work"]:
        yield f"dice    {_dice(s['pool']) or '-'}   reroll {'spent' if s['reroll_used'] else 'left'}"
    if any(map(any, s["selected"])):
        yield f"reroll  {_dice(s['selected'])}"


def _dice(counts: Sequence[Sequence[int]]) -> str:
    """`P 2 3 5   S 2 2`."""
    shown = []
    for kind, of_value in zip(KINDS, counts, strict=False):
        values = " ".join(str(v + 1) for v in range(FACES) for _ in range(of_value[v]))
        shown += [f"{kind} {values}"] if values else []
    return "   ".join(shown)


def _seat(s: Table, p: int, points: int, everything: bool) -> Iterator[str]:
    architect = _is_architect(s, p)
    mark = " *" if p == s["current_player"] and not s["over"] else ""
    board = "" if architect else "   " + " ".join(f"{name} {n}" for name, n in zip(RESOURCES, s["resources"][p], strict=True))
    sheet = _sheet(s, p, points, everything)
    parts = " + ".join(f"{name} {value}" for name, value in sheet.items() if value or name == "Fame")
    name = f"{ARCHITECTS[s['architect']]}, the Architect" if architect else f"seat {p}"
    yield f"{name}{mark}{board}"
    yield f"  score {sum(sheet.values())}: {parts}" + ("" if everything else ", and a secret Project")
    if architect:
        yield f"  power: {POWERS_OF_ARCHITECTS[ARCHITECTS[s['architect']]]}"
    yield from (f"  {line}" for line in _scarab_lines(s, p, everything))
    if everything:
        projects = s["architect_projects"] if architect else [s["project"][p]]
        yield from (f"  Project {_project(s, i)}" for i in projects if i != NONE)
    tiles = [TILES[t] + " (face down)" * bool(s["tile_flipped"][t]) for t in _tiles_of(s, p)]
    yield f"  tiles: {', '.join(tiles) or '-'}"
    for line in _gods(s, p):
        yield from _folded(f"  {line}", "    ")


def _scarab_lines(s: Table, p: int, everything: bool) -> Iterator[str]:
    if s["scarab"][p] != NO_SCARAB:
        name = SCARABS[s["scarab"][p]]
        yield from _folded(f"{name}{'*' * _spent(s, p)}: {SCARAB_EFFECTS[name]}")
    elif s["phase"] == CHOOSE_SCARAB and everything:
        yield from (f"{SCARABS[i]}? {SCARAB_EFFECTS[SCARABS[i]]}" for i in s["scarab_options"][p] if i != NO_SCARAB)


def _project(s: Table, project: int) -> str:
    pairs = " ".join(f"{a}-{b}" for a, b in _pairs(project))
    return f"{PROJECTS[project]}: {pairs} side by side, {PROJECT_FAME} each, now {PROJECT_FAME * s['pairs'][project]}"


def _gods(s: Table, p: int) -> Iterator[str]:
    """The Gods with what they do: a line each for a few, names only for many."""
    owned = _own_gods(s, p)
    ennead, others = [GODS[g] for g in owned if g < NUM_ENNEAD], [g for g in owned if g >= NUM_ENNEAD]
    if ennead:
        yield f"Ennead x{len(ennead)}: {' '.join(ennead)}"
    if len(others) > FULL_CARDS:
        yield "gods: " + ", ".join(GODS[g] + "*" * _is_used(s, g) for g in others)
    else:
        yield from (f"{GODS[g]}{'*' * _is_used(s, g)}: {EFFECTS[GODS[g]]}" for g in others)
    if p == s["turn_player"] and s["copied"] != NONE:
        yield f"borrowed {GODS[s['copied']]}{'*' * _is_used(s, s['copied'])}: {EFFECTS[GODS[s['copied']]]}"


# --- The picture -------------------------------------------------------------------------------------------------------------

DIE_COLOURS = (svg.WHITE, svg.GREY, svg.LILAC)  # Prayer, Stone, virtual
TOKEN_COLOURS = {"W": svg.BROWN, "C": svg.YELLOW, "S": svg.GREY}

TOP = svg.HEADER + 34
CELL = 40
PYRAMID_HEIGHT = 160
GOD_WIDTH = 178
TILES_TOP = TOP + PYRAMID_HEIGHT + 32
TILE = Box(0, 0, 110, 62)
DICE_TOP = TILES_TOP + TILE.h + 12
DICE_HEIGHT = 142
POOL_LEFT = 196
DIE, DIE_SPAN = 36, 55
SEATS_TOP = DICE_TOP + DICE_HEIGHT + 14
SEAT_HEIGHT = 304
FOOTER = 40
GOD_CARD = Box(0, 0, 178, 50)

PICTURE_LEGEND = (
    "W Worker, C Cat, S Stone die, P Prayer die, V virtual die. A die of 1-2, 3-4, 5-6 costs 0, 1, 2 W and what its level adds,"
    " and brings its value and what its level adds. The game ends one turn after the Stone supply or the God deck is empty."
    f" Points: Fame, Gods, Ennead ({', '.join(str(ENNEAD_FAME[n]) for n in range(2, 6))} for 2, 3, 4, 5 cards), Scarab,"
    f" {PROJECT_FAME} per pair of the Project side by side on one level."
)


def picture(state: State, observer: int | None, *, legal: bool = True) -> str:
    s, choices = svg.fields(state), Choices(state, observer, legal)
    n = s["num_seats"]
    height = SEATS_TOP + (n + 1) // 2 * (SEAT_HEIGHT + svg.GAP) + (svg.GAP if n % 2 else FOOTER)
    points, ranks = (row.tolist() for row in state.outcome())
    aside = f"{s['deck_end'] - s['deck_position']} Gods in the deck, {_discarded(s)} discarded"
    return svg.frame(
        height,
        svg.header("Pyramidice", f"turn {s['turns'] + 1} · {_deciding(s)}", aside),
        _pyramids_picture(s, choices),
        _row_picture(s, choices),
        _tiles_picture(s, choices),
        *(
            _seat_picture(s, p, box, points[p], ranks[p] if s["over"] else None, choices, _sees(s, observer, p))
            for p, box in enumerate(svg.seat_boxes(n, SEATS_TOP, SEAT_HEIGHT))
        ),
        _legend(n, height),
        _dice_picture(s, choices),  # last: it takes what no other place has shown
    )


def _legend(n: int, height: float) -> str:
    """In the place of the missing seat, or below the seats."""
    if n % 2:
        return svg.paragraph(svg.seat_boxes(n + 1, SEATS_TOP, SEAT_HEIGHT)[n].inset(30), PICTURE_LEGEND, 14)
    return svg.paragraph(Box(svg.MARGIN, height - FOOTER, svg.WIDTH - 2 * svg.MARGIN, FOOTER), PICTURE_LEGEND)


def _die(box: Box, kind: int, value: int, *, chosen: bool = False) -> str:
    return svg.die(box, value, DIE_COLOURS[kind], chosen=chosen)


def _token(box: Box, name: str) -> str:
    """A Worker, a Cat or a Stone die on a board, or the price in them."""
    return svg.stone(box, TOKEN_COLOURS[name], name, r=0.18 * box.w if name == "S" else box.w / 2)


def _small(x: float, y: float, text: object, *, anchor: str = "start") -> str:
    return svg.label(x, y, text, svg.SMALLEST, colour=svg.QUIET, anchor=anchor)


# --- What everybody shares -----------------------------------------------------------------------------------------------------


def _pyramids_picture(s: Table, choices: Choices) -> str:
    """The storeys in plan, one beside the other."""
    parts, x = [], float(svg.MARGIN)
    for first, (pyramid, level, side, _), extra in _storeys(s):
        w = max(side * (CELL + 2), 74)
        parts.append(svg.label(x, TOP - 8, _storey_name(pyramid, level), 13, bold=True, width=w))
        for i in range(side * side):
            at = Box(x + i % side * (CELL + 2), TOP + i // side * (CELL + 2), CELL, CELL)
            parts.append(_space_picture(s, first + i, at, choices))
        if extra:
            parts.append(_small(x, TOP + side * (CELL + 2) + 12, f"+{extra} W, +{2 * extra} F"))
        x += w + 12
    return svg.together(parts)


def _space_picture(s: Table, space: int, at: Box, choices: Choices) -> str:
    value = s["pyramid"][space]
    if value:
        drawn = _die(at.inset(1), STONE_DIE, value)
    elif s["open_spaces"] >> space & 1:
        number = svg.centred(at, space, 13, bold=True, colour=svg.QUIET)
        drawn = svg.together((svg.rect(at, stroke=svg.LINE, r=6), choices.chip(at.inset(2), f"at {space}", str(space)) or number))
    else:
        drawn = svg.together((svg.empty(at, r=6), svg.centred(at, space, svg.SMALLEST, colour=svg.LINE)))
    if space == s["build_space"]:
        drawn = svg.together((drawn, svg.rect(at, stroke=svg.ACCENT, r=6, line=3)))
    return svg.group(drawn, key=f"space {space}")


def _row_picture(s: Table, choices: Choices) -> str:
    x = svg.WIDTH - svg.MARGIN - len(s["row"]) * (GOD_WIDTH + 8) + 8
    parts = [svg.label(x, TOP - 8, "Gods: the newest first", 13, bold=True)]
    for i, box in enumerate(svg.row(x, TOP, len(s["row"]), GOD_WIDTH, PYRAMID_HEIGHT - 8, 8)):
        god = s["row"][i]
        drawn = svg.empty(box, r=5) if god == NONE else _offered_god(i, god, box, choices)
        parts.append(svg.group(drawn, key=f"god {i}"))
    return svg.together(parts)


def _offered_god(i: int, god: int, box: Box, choices: Choices) -> str:
    name, symbol, cost, fame = GODS_TABLE[god]
    parts = [svg.card(box), svg.label(box.x + 10, box.y + 21, f"{i}  {name}", 14, bold=True)]
    if fame:
        parts.append(svg.label(box.right - 10, box.y + 21, f"{fame} Fame", 12, bold=True, colour=svg.GOOD, anchor="end"))
    kind = {"stack": "Ennead", "work": "power of a Work turn", "ongoing": "always works", "rest": "for Rest turns"}.get(symbol, "")
    parts.append(_cost_picture(box.x + 10, box.y + 32, cost))
    parts.append(_small(box.x + 10, box.y + 75, kind))
    parts.append(svg.paragraph(Box(box.x + 10, box.y + 78, box.w - 16, 46), EFFECTS[name], 12, colour=svg.INK))
    below = Box(box.x + 8, box.bottom - 24, box.w - 12, svg.CHIP_HEIGHT)
    parts.append(choices.chips(below, [(f"{verb} {i}", verb) for verb in ("worship", "replace", "copy", "free")]))
    return svg.together(parts)


def _cost_picture(x: float, y: float, cost: str) -> str:
    parts = []
    for i, item in enumerate(cost.split()):
        at = Box(x + 34 * i, y, 26, 26)
        if item in TOKEN_COLOURS:
            parts.append(_token(at, item))
        elif item == "*":
            parts += [svg.rect(at, svg.PANEL, svg.LINE, r=5, dashed=True), svg.centred(at, "any", svg.SMALLEST, colour=svg.QUIET)]
        elif item[0] == "S":
            parts += [_die(at, STONE_DIE, int(item[1])), svg.badge(at.right + 3, at.y + 1, "S")]
        else:
            parts.append(_die(at, PRAYER, int(item)))
    return svg.together(parts)


def _tiles_picture(s: Table, choices: Choices) -> str:
    solo = s["num_players"] == 1
    title = "Rest tiles, by slot" if solo else "Rest tiles"
    parts = [svg.label(svg.MARGIN, TILES_TOP - 8, title, 13, bold=True)]
    boxes = svg.row(svg.MARGIN, TILES_TOP, int(TILES_IN_PLAY[s["num_players"]]), TILE.w, TILE.h, 6)
    if solo:
        in_slot = {s["tile_slot"][t]: t for t in _available(s)}
        for slot in range(NUM_SLOTS):
            parts.append(svg.group(_slot_picture(slot, in_slot.get(slot), boxes[slot], choices), key=f"slot {slot}"))
    else:
        for tile, box in zip(_available(s), boxes, strict=False):
            parts.append(svg.group(_tile_picture(tile, box, choices), key=f"tile {TILES[tile]}"))
    return svg.together(parts)


def _slot_picture(slot: int, tile: int | None, box: Box, choices: Choices) -> str:
    number = svg.badge(box.right - 8, box.bottom - 6, slot + 1)
    if tile is not None:
        return svg.together((_tile_picture(tile, box, choices), number))
    place = choices.chip(Box(box.x + 20, box.cy - 9, box.w - 40, svg.CHIP_HEIGHT), f"slot {slot + 1}")
    return svg.together((svg.empty(box, r=6), place or number))


def _tile_picture(tile: int, box: Box, choices: Choices | None) -> str:
    price = f"-{TILE_FAME_COST[tile]} Fame" if TILE_FAME_COST[tile] else ""
    parts = [svg.rect(box, svg.SOFT, svg.LINE, r=6), svg.label(box.x + 8, box.y + 17, TILES[tile], 13, bold=True)]
    parts.append(svg.label(box.right - 7, box.y + 16, price, svg.SMALLEST, colour=svg.QUIET, anchor="end") if price else "")
    if TILES[tile] in TILE_EFFECTS:
        parts.append(svg.paragraph(Box(box.x + 8, box.y + 20, box.w - 10, 44), TILE_EFFECTS[TILES[tile]]))
    else:
        parts += [_token(Box(box.x + 8 + 28 * i, box.y + 27, 24, 24), name) for i, name in enumerate(TILES[tile])]
    parts.append(choices.outline(box, f"rest {TILES[tile]}") if choices else "")
    return svg.together(parts)


# --- The dice and what is being decided ------------------------------------------------------------------------------------------


def _dice_picture(s: Table, choices: Choices) -> str:
    box = Box(svg.MARGIN, DICE_TOP, svg.WIDTH - 2 * svg.MARGIN, DICE_HEIGHT)
    pool = [(kind, v + 1, n) for kind in range(len(KINDS)) for v, n in enumerate(s["pool"][kind]) if n]
    selected = [(kind, v + 1, n) for kind in range(len(s["selected"])) for v, n in enumerate(s["selected"][kind]) if n]
    parts = [svg.field(box), _stores(s, box)]
    columns = svg.row(POOL_LEFT, box.y + 8, len(pool), DIE_SPAN - 3, 96, 3)
    parts += [_die_column(s, kind, v, n, at, choices) for (kind, v, n), at in zip(pool, columns, strict=True)]
    right = POOL_LEFT + DIE_SPAN * len(pool) + 14
    if selected:
        parts.append(_small(right, box.y + 20, "to roll again:"))
        for i, (kind, v, n) in enumerate(selected):
            at = Box(right + i * 42, box.y + 28, DIE, DIE)
            parts += [_die(at, kind, v, chosen=True), svg.badge(at.right - 2, at.y, n) if n > 1 else ""]
    elif s["in_work"]:
        parts.append(_small(right, box.y + 30, "reroll spent" if s["reroll_used"] else "reroll left"))
    else:
        parts.append(_small(POOL_LEFT, box.y + 30, "no dice rolled"))
    parts.append(_decision(s, box, choices))
    return svg.group(svg.together(parts), key="dice")


def _stores(s: Table, box: Box) -> str:
    """Quarry and supply at the left."""
    parts = [_small(box.x + 12, box.y + 20, "Quarry"), _small(box.x + 12, box.y + 66, "supply")]
    for i, kind in enumerate((PRAYER, STONE_DIE)):
        at = Box(box.x + 12 + 50 * i, box.y + 26, 22, 22)
        parts.append(svg.colour_die(at, DIE_COLOURS[kind], KINDS[kind]))
        parts.append(svg.label(at.right + 4, at.y + 16, s["quarry"][kind], 13, bold=True))
    for i, (name, count) in enumerate(zip(RESOURCES, s["supply"], strict=True)):
        at = Box(box.x + 12 + 50 * i, box.y + 72, 22, 22)
        parts += [_token(at, name), svg.label(at.right + 4, at.y + 16, count, 13, bold=True)]
    return svg.together(parts)


def _die_column(s: Table, kind: int, value: int, count: int, at: Box, choices: Choices) -> str:
    """Dice of one kind and value, and what can be done with one of them."""
    name = f"{KINDS[kind]}{value}"
    face = Box(at.cx - DIE / 2, at.y, DIE, DIE)
    changing = s["change_value"] == value and s["change_kind"] == kind
    parts = [_die(face, kind, value, chosen=changing), svg.badge(face.right, face.y + 1, f"x{count}") if count > 1 else ""]
    parts.append(svg.label(at.cx, face.bottom + 15, name, 12, bold=True, colour=svg.QUIET, anchor="middle"))
    parts.append(choices.outline(face.inset(-3), f"die {name}", r=9))
    half = (at.w - 2) / 2
    parts.append(choices.chip(Box(at.x, at.y + 54, half, svg.CHIP_HEIGHT), f"cat {name}-", "-1"))
    parts.append(choices.chip(Box(at.x + half + 2, at.y + 54, half, svg.CHIP_HEIGHT), f"cat {name}+", "+1"))
    if kind == STONE_DIE:
        parts.append(choices.chip(Box(at.x, at.y + 75, at.w, svg.CHIP_HEIGHT), f"build {value}", "build"))
    return svg.together(parts)


def _decision(s: Table, box: Box, choices: Choices) -> str:
    """What is being decided, and the actions that have no place of their own."""
    words = " · ".join([_deciding(s), *_pending(s)])
    shown, size = svg.fitted(words, 13, 0.62 * box.w if choices else box.w - 24, bold=True)
    x = box.x + 12 + svg.text_width(shown, size, bold=True) + 16
    parts = [svg.label(box.x + 12, box.bottom - 14, shown, size, bold=True)]
    parts.append(choices.rest(Box(x, box.bottom - 27, box.right - x - 8, svg.CHIP_HEIGHT)))
    return svg.together(parts)


# --- A seat --------------------------------------------------------------------------------------------------------------------


def _seat_picture(s: Table, p: int, box: Box, points: int, place: int | None, choices: Choices, everything: bool) -> str:
    acting = choices if p == s["current_player"] else None
    sheet = _sheet(s, p, points, everything)
    names = [ARCHITECTS[s["architect"]]] if _is_architect(s, p) else []
    names += ["Pharaoh: one more turn"] if p == s["pharaoh"] and not s["over"] else []
    panel = svg.seat_panel(
        box,
        p,
        to_move=p == s["current_player"] and not s["over"],
        name=", ".join(names),
        place=place,
        total=sum(sheet.values()) if everything else f"{sum(sheet.values())} open",
        parts="  ·  ".join(f"{name} {value}" for name, value in sheet.items()),
    )
    left, right = Box(box.x + 14, box.y + 54, 286, 44), Box(box.x + 318, box.y + 50, 244, 52)
    if _is_architect(s, p):
        upper = _architect_picture(s, left, right)
    else:
        project = Box(right.x, box.y + 104, right.w, 44)
        upper = svg.together((_board_picture(s, p, left), _scarab_picture(s, p, right), _own_project(s, p, project, everything)))
    gods = Box(box.x + 14, box.y + 168, box.w - 28, 2 * (GOD_CARD.h + 5))
    choosing = s["phase"] == CHOOSE_SCARAB and s["scarab"][p] == NO_SCARAB
    lower = _scarab_options(s, p, gods, acting, everything) if choosing else _gods_picture(s, p, gods, acting)
    return svg.together((panel, upper, _held_tiles(s, p, Box(box.x + 14, box.y + 102, 286, 60), choices), lower))


def _architect_picture(s: Table, left: Box, right: Box) -> str:
    """His power and his Projects."""
    fame = ", ".join(str(f) for f in ARCHITECT_TILE_FAME[s["architect"]])
    words = f"{POWERS_OF_ARCHITECTS[ARCHITECTS[s['architect']]]}. His first, second, third tile: {fame} Fame."
    projects = [project for project in s["architect_projects"] if project != NONE]
    drawn = (_project_picture(s, project, right.x, right.y + 6 + 27 * k, 17) for k, project in enumerate(projects))
    return svg.together((svg.paragraph(left, words, 12), *drawn))


def _board_picture(s: Table, p: int, box: Box) -> str:
    """Eight spaces, the Workers first; a ninth resource has to go."""
    tokens = [name for name, count in zip(RESOURCES, s["resources"][p], strict=True) for _ in range(count)]
    parts = []
    for i, at in enumerate(svg.row(box.x, box.y + 4, max(SPACES_ON_BOARD, len(tokens)), 30, 30, 3)):
        place = svg.empty(at, r=6) if i < SPACES_ON_BOARD else svg.rect(at, stroke=svg.ACCENT, r=6, line=2)
        parts += [place, _token(at.inset(3), tokens[i]) if i < len(tokens) else ""]
    return svg.group(svg.together(parts), key=f"board {p}")


def _scarab_picture(s: Table, p: int, box: Box) -> str:
    if s["scarab"][p] == NO_SCARAB:
        return ""
    name = SCARABS[s["scarab"][p]]
    title = f"Scarab: {name}" + (", spent" if _spent(s, p) else "")
    words = svg.paragraph(Box(box.x, box.y + 17, box.w, 30), SCARAB_EFFECTS[name].replace("`", ""))
    return svg.group(svg.together((svg.label(box.x, box.y + 14, title, 12, bold=True), words)), key=f"scarab {p}")


def _scarab_options(s: Table, p: int, box: Box, choices: Choices | None, everything: bool) -> str:
    """The two Scarabs to choose from, backs for who may not see them."""
    parts = []
    for option, at in zip(s["scarab_options"][p], svg.row(box.x, box.y + 6, 2, 240, 74, 12), strict=True):
        if not everything:
            parts.append(svg.card_back(at))
            continue
        name = SCARABS[option]
        words = svg.paragraph(Box(at.x + 10, at.y + 24, at.w - 18, 48), SCARAB_EFFECTS[name].replace("`", ""), 12)
        parts += [svg.card(at), svg.label(at.x + 10, at.y + 19, name, 13, bold=True), words]
        parts.append(choices.outline(at, f"keep {name}") if choices else "")
    return svg.group(svg.together(parts), key=f"scarabs {p}")


def _own_project(s: Table, p: int, box: Box, everything: bool) -> str:
    if not everything:
        back = svg.card_back(Box(box.x, box.y + 4, 26, 34))
        return svg.group(svg.together((back, _small(box.x + 36, box.y + 25, "secret Project"))), key=f"project {p}")
    drawn = _project_picture(s, s["project"][p], box.x, box.y + 18, 18)
    title = svg.label(box.x, box.y + 12, f"Project {PROJECTS[s['project'][p]]}: {PROJECT_FAME} per pair", 12, bold=True)
    return svg.group(svg.together((title, drawn)), key=f"project {p}")


def _project_picture(s: Table, project: int, x: float, y: float, size: float) -> str:
    """The pairs that count, and what they bring now."""
    pairs = _pairs(project)
    size = size if len(pairs) < FACES else 15
    parts = []
    for i, pair in enumerate(pairs):
        left = x + i * (2 * size + (8 if len(pairs) < FACES else 4))
        parts += [_die(Box(left + k * size, y, size, size), STONE_DIE, value) for k, value in enumerate(pair)]
    left = x + len(pairs) * (2 * size + (8 if len(pairs) < FACES else 4)) + 4
    now = svg.label(left, y + 0.5 * size + 5, PROJECT_FAME * s["pairs"][project], 13, bold=True, colour=svg.GOOD)
    return svg.together((*parts, now))


def _held_tiles(s: Table, p: int, box: Box, choices: Choices) -> str:
    """Up to three Rest tiles; with Emerald another seat may use one."""
    held = _tiles_of(s, p)
    parts = []
    for i, at in enumerate(svg.row(box.x, box.y, 3, 91, box.h, 5)):
        if i >= len(held):
            parts += [svg.empty(at, r=6), _small(at.cx, at.cy + 4, "Rest tile", anchor="middle")]
            continue
        tile = held[i]
        name = TILES[tile] + (", face down" if s["tile_flipped"][tile] else "")
        face = [svg.rect(at, svg.SOFT, svg.LINE, r=6), svg.label(at.x + 7, at.y + 16, name, 12, bold=True, width=at.w - 10)]
        face.append(svg.paragraph(Box(at.x + 7, at.y + 17, at.w - 8, 43), _tile_effect(tile)))
        parts.append(svg.group(svg.together(face), key=f"tile {TILES[tile]}", opacity=0.5 if s["tile_flipped"][tile] else None))
        parts.append(choices.outline(at, f"rest {TILES[tile]}"))
    return svg.together(parts)


def _gods_picture(s: Table, p: int, box: Box, choices: Choices | None) -> str:
    """The Gods of a seat as cards with what they do; the Ennead is one stack. Many are shown by name only."""
    owned = _own_gods(s, p)
    ennead = [GODS[g] for g in owned if g < NUM_ENNEAD]
    cards = [("Ennead", f"Ennead x{len(ennead)}", ", ".join(ennead), int(ENNEAD_FAME[len(ennead)]), False)] if ennead else []
    for god in [g for g in owned if g >= NUM_ENNEAD]:
        cards.append((GODS[god], GODS[god], EFFECTS[GODS[god]], GODS_TABLE[god][3], _is_used(s, god)))
    if p == s["turn_player"] and s["copied"] != NONE:
        god = s["copied"]
        cards.append((GODS[god], f"{GODS[god]}, borrowed", EFFECTS[GODS[god]], 0, _is_used(s, god)))
    full = len(cards) <= FULL_CARDS
    w, h, per_row = (GOD_CARD.w, GOD_CARD.h, 3) if full else (105, 23, 5)
    parts = []
    for i, card in enumerate(cards):
        at = Box(box.x + i % per_row * (w + 5), box.y + i // per_row * (h + 5 if full else h + 3), w, h)
        parts.append(_god_card(p, card, at, full, choices))
    if not cards:
        parts.append(_small(box.x, box.y + 16, "no Gods yet"))
    return svg.together(parts)


def _god_card(p: int, card: tuple[str, str, str, int, bool], at: Box, full: bool, choices: Choices | None) -> str:
    name, title, words, fame, used = card
    face = [svg.card(at), svg.label(at.x + 7, at.y + 16, title + (" (used)" if used else ""), 12, bold=True, width=at.w - 28)]
    if fame:
        face.append(svg.label(at.right - 7, at.y + 16, fame, 12, bold=True, colour=svg.GOOD, anchor="end"))
    if full:
        face.append(svg.paragraph(Box(at.x + 7, at.y + 18, at.w - 9, 32), words))
    drawn = [svg.group(svg.together(face), key=f"god {p} {name}", opacity=0.5 if used else None)]
    if choices:
        actions = (f"use {name}", f"drop {name}", name.lower() if name in ("Bes", "Hapy") else "")
        drawn += [choices.outline(at, action, r=5) for action in actions if action]
        virtual = [(f"use {name}={v}", str(v)) for v in range(1, FACES + 1)]
        drawn.append(choices.chips(Box(at.right - 46, at.y + (28 if full else 4), 44, svg.CHIP_HEIGHT), virtual))
    return svg.together(drawn)
