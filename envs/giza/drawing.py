"""The board as text and as a picture: a person can play from either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core import svg
from ..core.svg import Box, Choices
from .components import (
    ART_TOKENS,
    CAMPS,
    CAPSTONE,
    CAPSTONE_LIFT,
    CATEGORIES,
    ENOUGH_FOOD,
    FINAL_LIFT,
    FIRST_SPACE,
    FOOD_PER_WORKER,
    FOOD_TOKENS,
    LOCATIONS,
    MAX_FOOD_BID,
    MAX_WORKERS,
    MIDDLE,
    MIDDLE_LIFT,
    NOMINATIONS,
    NOTHING,
    NUM_QUARRIES,
    NUM_ROUNDS,
    QUARRIES,
    ROUNDS_PER_DYNASTY,
    ROWS,
    SPACE_CAPACITY,
    SPACES,
    STONES,
    TRACK_LENGTH,
)
from .state import (
    ACTION,
    ART_BID,
    BONUS,
    BUILD,
    BUILT,
    CAPSTONE_AT,
    CHOOSING,
    FOOD_BID,
    IN_CAPSTONE_LIFT,
    IN_MIDDLE_LIFT,
    IN_RESERVE,
    ON_SLED,
    PHASES,
    SETUP,
    UNLOADED,
)

if TYPE_CHECKING:
    from ..core.state import State

Table = dict[str, Any]  # the record in plain numbers and lists

STONE_LETTERS = "BMC"
ROW_GIVES = (
    *("fish twice, no farming", "nothing", "a support move", "a quarry move", "an advance"),
    *("a lifter move", "farm twice, no fishing", "make art twice"),
)


# --- What both boards tell ---------------------------------------------------------------------------------------------------


def _zone(quarry: int, position: int) -> int:
    return FIRST_SPACE + SPACES * quarry + position


def _crew_zone(s: Table) -> int:
    """Where the workers stand that move the nominated stone."""
    stone = s["nominated"]
    if stone < NUM_QUARRIES:
        return _zone(stone, s["sled_position"][stone])
    return CAPSTONE_LIFT if stone == FINAL_LIFT else MIDDLE_LIFT


def _most_food(s: Table, p: int) -> int:
    return min(FOOD_PER_WORKER * s["workers"][p][_crew_zone(s)], s["food"][p])


def _bidders_to_come(s: Table) -> list[int]:
    """Who has workers at the stone and has not bid, in bidding order: clockwise, the nominator last."""
    n, zone = s["num_players"], _crew_zone(s)
    order = ((s["turn_player"] + step) % n for step in range(1, n + 1))
    return [p for p in order if s["food_bid"][p] == NOTHING and s["workers"][p][zone]]


def _needed(s: Table) -> str:
    if s["nominated"] < NUM_QUARRIES:
        return "needs 4, 6, 8 food for 1, 2, 3 spaces"
    return f"needs {ENOUGH_FOOD} food"


def _victory_points(s: Table, p: int) -> int:
    return sum(s["points"][p])


def _sheet(s: Table, p: int) -> str:
    return ", ".join(f"{name} {points}" for name, points in zip(CATEGORIES, s["points"][p], strict=True))


def _in_hand(s: Table, p: int) -> int:
    return s["to_reassign"][p] + (p == s["current_player"] and s["worker_in_hand"])


def _art_bids(s: Table, player: int | None) -> list[tuple[int, str]]:
    """Who has bid art, and how much as far as the observer may know."""
    bids = enumerate(s["art_bid"][: s["num_players"]])
    return [(p, str(bid) if player in (None, p) else "?") for p, bid in bids if bid != NOTHING]


def _supply(s: Table) -> tuple[int, int]:
    n = s["num_players"]
    return FOOD_TOKENS - sum(s["food"][:n]), ART_TOKENS - sum(s["art"][:n])


# --- The text board ----------------------------------------------------------------------------------------------------------


def draw(state: State, player: int | None) -> str:
    s = svg.fields(state)
    lines = [_headline(s), _turn_order(s), ""]
    lines += [_track(s, q) for q in range(min(NUM_QUARRIES, s["num_players"]))]
    lines += [_camps(s), "", *_pyramid(s), "", *_seats(s, player)]
    if s["nominated"] != NOTHING:
        lines += _auction(s, player)
    return "\n".join([*lines, "", *LEGEND])


LEGEND = (
    "* to move, > you; hand: workers to place; used: rows taken in this dynasty",
    "[B|p0 . . .] a sled with a stone (B base, M middle, C capstone) and workers",
    "farm Farms, ra Temple of Ra, art Artist Camp, ml Middle Lift, cl Capstone Lift",
    "A. free, A# built; decorated are the rows AB and CD of a tier, and the capstone",
    "rows of the track in order of play: fish2 fish twice, no farming; none; support,",
    "  quarry, track, lifter a move; farm2 farm twice, no fishing; art2 art twice",
)


def _headline(s: Table) -> str:
    if s["over"]:
        return f"Game over in round {s['round']}"
    where = "Setup" if s["phase"] == SETUP else f"Round {s['round']}/10, dynasty {(s['round'] - 1) // ROUNDS_PER_DYNASTY + 1}"
    left = f" ({s['actions_left']} left)" if s["phase"] == ACTION else ""
    return f"{where}   {PHASES[s['phase']]}: p{s['current_player']}{left}   start player p{s['first_player']}"


def _turn_order(s: Table) -> str:
    if s["order"][0] == NOTHING:
        return "order: -"
    what = "choosing" if s["stage"] == CHOOSING else "order"
    seats = (f"p{p}({ROWS[s['row'][p]] if s['row'][p] != NOTHING else '?'})" for p in s["order"][: s["num_players"]])
    return f"{what}: {' '.join(seats)}"


def _track(s: Table, quarry: int) -> str:
    spaces = (_space(s, quarry, position) for position in range(SPACES))
    names = (f"q{quarry}", *map(str, range(1, SPACES)))
    notes = {NOTHING: " (no sled)", UNLOADED: " (unloaded)"}
    track = " > ".join(name + space for name, space in zip(names, spaces, strict=True))
    return f"{track} >{notes.get(s['sled_position'][quarry], '')}"


def _space(s: Table, quarry: int, position: int) -> str:
    zone = _zone(quarry, position)
    workers = [f"p{p}" for p in range(s["num_players"]) for _ in range(s["workers"][p][zone])]
    drawn = " ".join(workers + ["."] * (SPACE_CAPACITY - len(workers)))
    if s["sled_position"][quarry] != position:
        return f"[{drawn}]"
    stone = s["sled_stone"][quarry]
    return f"[{'-' if stone == NOTHING else STONE_LETTERS[stone]}|{drawn}]"


def _camps(s: Table) -> str:
    stones = [""] * len(CAMPS)
    stones[MIDDLE_LIFT] = " M" * s["middle_in_camp"] + " C" * (s["capstone"] == IN_MIDDLE_LIFT)
    stones[CAPSTONE_LIFT] = " C" * (s["capstone"] == IN_CAPSTONE_LIFT)
    camps = [f"{name} {_workers_in(s, camp)}{stones[camp]}" for camp, name in enumerate(CAMPS)]
    return f"{' | '.join(camps[:MIDDLE_LIFT])}\n{' | '.join(camps[MIDDLE_LIFT:])}"


def _workers_in(s: Table, zone: int) -> str:
    return " ".join(f"p{p}:{workers[zone]}" for p, workers in enumerate(s["workers"]) if workers[zone]) or "-"


def _pyramid(s: Table) -> list[str]:
    carrier = f" q{s['sled_stone'].index(CAPSTONE)}" if s["capstone"] == ON_SLED else ""
    reserve = " ".join("M" * s["middle_in_reserve"] + "C" * (s["capstone"] == IN_RESERVE)) or "-"
    food, art = _supply(s)
    return [
        f"base {_row(s['base_built'], 0)}   middle {_row(s['middle_built'], 0)}"
        f"   capstone: {CAPSTONE_AT[s['capstone']]}{carrier}   reserve: {reserve}",
        f"     {_row(s['base_built'], 2)}          {_row(s['middle_built'], 2)}   supply: food {food} art {art}",
    ]


def _row(tier: list[int], first: int) -> str:
    return " ".join(f"{LOCATIONS[at]}{'#' if tier[at] else '.'}" for at in (first, first + 1))


def _seats(s: Table, player: int | None) -> list[str]:
    lines = []
    for p in range(s["num_players"]):
        turn = "*" if p == s["current_player"] else " "
        rows = " ".join(name for r, name in enumerate(ROWS) if s["used_rows"][p] >> r & 1) or "-"
        waiting = f"  hand {_in_hand(s, p)}" if _in_hand(s, p) else ""
        you = ">" if p == player else " "
        stock = f"vp {_victory_points(s, p):3}  food {s['food'][p]:2}  art {s['art'][p]:2}"
        lines.append(f"{you}p{p}{turn} {stock}  used: {rows}{waiting}".rstrip())
        if any(s["points"][p]):
            lines.append(f"     points for {_sheet(s, p)}")
    return lines


def _auction(s: Table, player: int | None) -> list[str]:
    stone = NOMINATIONS[s["nominated"]]
    if s["phase"] == ART_BID:
        bids = [f"p{p} {bid}" for p, bid in _art_bids(s, player)]
        return [f"{stone}: decorating, secret art bids: {', '.join(bids) or '-'}"]
    bids = [f"p{p} {bid}" for p, bid in enumerate(s["food_bid"]) if bid != NOTHING]
    total = sum(bid for bid in s["food_bid"] if bid != NOTHING)
    if s["phase"] != FOOD_BID:
        return [f"{stone}: food bids: {', '.join(bids)}"] if bids else [stone]
    to_come = ", ".join(f"p{p} (at most {_most_food(s, p)})" for p in _bidders_to_come(s))
    return [f"{stone} {_needed(s)}; bid {total}: {', '.join(bids) or '-'}", f"to bid: {to_come}"]


# --- The picture -------------------------------------------------------------------------------------------------------------

STONE_COLOURS = (svg.BROWN, svg.ORANGE, svg.YELLOW)
CAMP_TITLES = ("Farms", "Temple of Ra", "Artist Camp", "Middle Lift", "Capstone Lift")
CAMP_WIDTHS = (250, 206, 250, 206, 200)
DOING = (
    *("place a worker", "choose a row", "use the row's bonus or pass", "take an action", "send the worker to a camp"),
    *("nominate a stone", "bid food", "choose where the stone goes", "send workers of the sled to camps", "bid art in secret"),
    *("load the next stone", "game over"),
)
ROWS_TOP, ROWS_HEIGHT = svg.HEADER + 34, 62
TRACKS_TOP = ROWS_TOP + ROWS_HEIGHT + 32
TRACK_HEIGHT, TRACK_STEP = 78, 97
SITE_WIDTH, SPACE_WIDTH, ROAD = 176, 142, 18
CAMP_HEIGHT, STRIP_HEIGHT, SEAT_HEIGHT = 118, 76, 90
PYRAMID_LEFT = 752
LOCATION = 52

HOW_IT_SCORES = (
    "A sled that arrives pays 6, 3, 1 by workers on it, and 4 more to somebody alone; a lift 6, 3, 1 by food bid, the last lift"
    " 10, 6, 3, 1. A complete row of a tier is decorated: 6, 3, 1 by art; the capstone 10, 6, 3, 1. A complete tier honours Ra:"
    " 6, 3, 1 by workers in his temple."
)


def picture(state: State, observer: int | None, *, legal: bool = True) -> str:
    s, choices = svg.fields(state), Choices(state, observer, legal)
    n = s["num_players"]
    places = state.standings() if s["over"] else [None] * n
    camps = TRACKS_TOP + min(NUM_QUARRIES, n) * TRACK_STEP
    strip = camps + CAMP_HEIGHT + 10
    seats = strip + STRIP_HEIGHT + 12
    height = seats + (n + 1) // 2 * (SEAT_HEIGHT + svg.GAP) + svg.GAP
    food, art = _supply(s)
    boxes = svg.seat_boxes(n, seats, SEAT_HEIGHT)
    return svg.frame(
        height,
        svg.header("Giza", _words(s), f"supply: {food} food, {art} art"),
        _rows_picture(s, choices),
        *(_track_picture(s, quarry, choices) for quarry in range(min(NUM_QUARRIES, n))),
        _pyramid_picture(s, choices, camps),
        *_camps_picture(s, camps, choices),
        *(_seat_picture(s, p, box, places[p]) for p, box in enumerate(boxes)),
        _strip_picture(s, observer, Box(svg.MARGIN, strip, svg.WIDTH - 2 * svg.MARGIN, STRIP_HEIGHT), choices),
    )


def _words(s: Table) -> str:
    if s["over"]:
        return f"game over in round {s['round']}"
    when = "setup" if s["phase"] == SETUP else f"round {s['round']} of {NUM_ROUNDS}"
    left = f", {s['actions_left']} left" if s["phase"] == ACTION else ""
    return f"{when} · seat {s['current_player']}: {DOING[s['phase']]}{left} · start player {s['first_player']}"


def _rows_picture(s: Table, choices: Choices) -> str:
    """The Turn Order Track: what a row gives, and who has taken it for this round."""
    title = svg.label(svg.MARGIN, ROWS_TOP - 8, "Turn Order Track: turns from left to right", 14, bold=True)
    width = (svg.WIDTH - 2 * svg.MARGIN - 7 * 8) / 8
    parts = [title]
    for r, box in enumerate(svg.row(svg.MARGIN, ROWS_TOP, len(ROWS), width, ROWS_HEIGHT, 8)):
        takers = [p for p in range(s["num_players"]) if s["row"][p] == r]
        drawn = [
            svg.card(box, chosen=any(p == s["turn_player"] for p in takers)),
            svg.label(box.x + 8, box.y + 18, ROWS[r], 13, bold=True),
            svg.label(box.x + 8, box.y + 33, ROW_GIVES[r], 11, colour=svg.QUIET, width=box.w - 12),
        ]
        drawn += [svg.badge(box.right - 32, box.y + 14, f"seat {p}", svg.SEAT_COLOURS[p]) for p in takers]
        drawn.append(choices.chip(Box(box.x + 6, box.bottom - 23, box.w - 12, svg.CHIP_HEIGHT), f"row {ROWS[r]}"))
        parts.append(svg.group(svg.together(drawn), key=f"row {ROWS[r]}"))
    return svg.together(parts)


def _track_picture(s: Table, quarry: int, choices: Choices) -> str:
    """A road from the quarry's site over three spaces to the pyramid."""
    y = TRACKS_TOP + quarry * TRACK_STEP
    site = Box(svg.MARGIN, y, SITE_WIDTH, TRACK_HEIGHT)
    boxes = [site, *svg.row(site.right + ROAD, y, TRACK_LENGTH, SPACE_WIDTH, TRACK_HEIGHT, ROAD)]
    names = [f"quarry {QUARRIES[quarry]}", *(f"{QUARRIES[quarry]}.{k}" for k in range(1, SPACES))]
    end = boxes[-1].right
    note = {NOTHING: "no sled", UNLOADED: "unloaded"}.get(s["sled_position"][quarry], "")
    return svg.together(
        (
            svg.track(boxes, names),
            svg.arrow(end + 2, y + TRACK_HEIGHT / 2, end + 26, y + TRACK_HEIGHT / 2, line=4),
            svg.label(end - 4, y - 4, note, 11, colour=svg.QUIET, anchor="end") if note else "",
            *(_space_picture(s, quarry, position, box, choices) for position, box in enumerate(boxes)),
        )
    )


def _space_picture(s: Table, quarry: int, position: int, box: Box, choices: Choices) -> str:
    zone, parts, x = _zone(quarry, position), [], box.x + 8
    if s["sled_position"][quarry] == position:
        parts.append(_sled(Box(x - 3, box.y + 8, 34, 30), s["sled_stone"][quarry]))
    pawns = [p for p in range(s["num_players"]) for _ in range(s["workers"][p][zone])]
    parts += [svg.pawn(x + 45 + 25 * i, box.y + 24, p, 23) for i, p in enumerate(pawns)]
    name = QUARRIES[quarry]
    offers = [(f"push {name}", f"push {name}"), (f"adv {name}.{position}", "adv")]
    if position == 0:
        offers = [(f"put {name}", f"put {name}"), *offers]
        offers += [(f"{name}>{target}", f">{target}") for target in (*QUARRIES, *CAMPS)]
    chips = choices.chips(Box(box.x + 4, box.y + 42, box.w - 6, 40), offers, gap=2, height=15)
    return svg.together((svg.group(svg.together(parts), key=f"space {quarry}.{position}"), chips))


def _sled(box: Box, stone: int) -> str:
    """Runners, and the stone upon them."""
    y = box.bottom - 3
    runners = svg.path(f"M{box.x:g} {y:g}h{box.w - 5:g}q5 0 5 -6", stroke=svg.INK, line=3)
    load = Box(box.x + 3, box.y - 2, 26, 26)
    return svg.together((runners, _stone_picture(load, stone) if stone != NOTHING else svg.empty(load)))


def _stone_picture(box: Box, stone: int) -> str:
    return svg.stone(box, STONE_COLOURS[stone], STONE_LETTERS[stone], size=13)


def _pyramid_picture(s: Table, choices: Choices, bottom: float) -> str:
    """Both tiers and the capstone in plan, the reserve, and what pays."""
    x, y = PYRAMID_LEFT, TRACKS_TOP
    box = Box(x, y - 16, svg.WIDTH - svg.MARGIN - x, bottom - y)
    building = MIDDLE if s["nominated"] >= NUM_QUARRIES else 0
    parts = [svg.panel(box)]
    for tier, field in enumerate(("base_built", "middle_built")):
        left = x + 16 + 138 * tier
        parts.append(svg.label(left, y + 6, f"{STONES[tier]} tier", 13, bold=True, colour=svg.QUIET))
        for at, name in enumerate(LOCATIONS):
            place = Box(left + (LOCATION + 4) * (at % 2), y + 16 + (LOCATION + 8) * (at // 2), LOCATION, LOCATION)
            parts.append(_location(tier, at, place, s[field][at]))
            if s["phase"] == BUILD and tier == building:
                parts.append(choices.chip(Box(place.x + 2, place.bottom - 20, LOCATION - 4, svg.CHIP_HEIGHT), f"build {name}"))
    left = x + 16 + 276
    parts.append(svg.label(left, y + 6, "capstone", 13, bold=True, colour=svg.QUIET))
    top = Box(left + 10, y + 44, LOCATION, LOCATION)
    built = s["capstone"] == BUILT
    parts.append(svg.group(_stone_picture(top, CAPSTONE) if built else svg.empty(top), key="capstone"))
    parts.append(_reserve_picture(s, x + 16, y + 144, choices))
    parts.append(svg.paragraph(Box(x + 16, y + 172, box.w - 30, bottom - y - 190), HOW_IT_SCORES, 12))
    return svg.together(parts)


def _location(tier: int, at: int, box: Box, built: int) -> str:
    ink = svg.letters_on(STONE_COLOURS[tier]) if built else svg.LINE
    name = svg.label(box.x + 5, box.y + 14, LOCATIONS[at], 12, bold=True, colour=ink)
    stone = _stone_picture(box, tier) if built else svg.empty(box)
    return svg.group(svg.together((stone, name)), key=f"{STONES[tier]} {LOCATIONS[at]}")


def _reserve_picture(s: Table, x: float, y: float, choices: Choices) -> str:
    stones = [MIDDLE] * s["middle_in_reserve"] + [CAPSTONE] * (s["capstone"] == IN_RESERVE)
    parts = [svg.label(x, y + 14, "reserve" if stones else "reserve: empty", 13, bold=True, colour=svg.QUIET)]
    parts += [_stone_picture(box, stone) for stone, box in zip(stones, svg.row(x + 66, y - 2, 5, 24, 24, 4), strict=False)]
    chips = choices.chips(Box(x + 212, y + 1, 200, 18), [(a, a) for a in ("load mid", "load cap")])
    return svg.together((svg.group(svg.together(parts), key="reserve"), chips))


def _camps_picture(s: Table, y: float, choices: Choices) -> list[str]:
    x, drawn = float(svg.MARGIN), []
    for camp, width in enumerate(CAMP_WIDTHS):
        drawn.append(_camp_picture(s, camp, Box(x, y, width, CAMP_HEIGHT), choices))
        x += width + 12
    return drawn


def _camp_picture(s: Table, camp: int, box: Box, choices: Choices) -> str:
    code = CAMPS[camp]
    parts = [svg.label(box.x + 8, box.y + 17, f"{CAMP_TITLES[camp]} ({code})", 13, bold=True)]
    x = box.x + 18
    for p in range(s["num_players"]):
        if count := s["workers"][p][camp]:
            parts += [svg.pawn(x, box.y + 40, p, 22), svg.label(x + 12, box.y + 50, f"×{count}", 13)]
            x += 47
    for i, (stone, count) in enumerate(_stones_in(s, camp)):
        at = Box(box.right - 48 - 48 * i, box.y + 5, 22, 22)
        parts += [_stone_picture(at, stone), svg.label(at.right + 2, box.y + 21, f"×{count}", 13)]
    chips = choices.chips(Box(box.x + 6, box.y + 61, box.w - 10, 54), _camp_offers(camp), gap=2, height=16)
    return svg.together((svg.field(box), svg.group(svg.together(parts), key=f"camp {code}"), chips))


def _stones_in(s: Table, camp: int) -> list[tuple[int, int]]:
    """The stones that wait in a lift camp: which and how many."""
    middle = s["middle_in_camp"] if camp == MIDDLE_LIFT else 0
    at = {MIDDLE_LIFT: IN_MIDDLE_LIFT, CAPSTONE_LIFT: IN_CAPSTONE_LIFT}.get(camp)
    return [(stone, count) for stone, count in ((CAPSTONE, int(s["capstone"] == at)), (MIDDLE, middle)) if count]


def _camp_offers(camp: int) -> list[tuple[str, str]]:
    code = CAMPS[camp]
    offers = [(f"put {code}", f"put {code}")]
    offers += {
        "farm": [("farm", "farm"), ("fish", "fish")],
        "art": [(f"art {k}", f"+{k}") for k in range(1, MAX_WORKERS + 1)],
        "ml": [("lift mid", "lift mid"), ("lift cap1", "lift cap1")],
        "cl": [("lift cap2", "lift cap2")],
    }.get(code, [])
    return offers + [(f"{code}>{target}", f">{target}") for target in (*CAMPS, *QUARRIES)]


def _strip_picture(s: Table, observer: int | None, box: Box, choices: Choices) -> str:
    """What is decided now: the auction with its bids, and all choices that have no place on the board."""
    words = "" if s["over"] else f"Seat {s['current_player']}: {DOING[s['phase']]}"
    parts = [svg.field(box)]
    if s["nominated"] != NOTHING and s["phase"] == FOOD_BID:
        total = sum(bid for bid in s["food_bid"] if bid != NOTHING)
        bids = [f"seat {p} bid {bid}" for p, bid in enumerate(s["food_bid"]) if bid != NOTHING]
        bids += [f"seat {p} may bid up to {_most_food(s, p)}" for p in _bidders_to_come(s)]
        words = f"Auction, {NOMINATIONS[s['nominated']]}: {_needed(s)}; {total} so far · {' · '.join(bids)}"
    elif s["phase"] == ART_BID:
        bids = [f"seat {p} bid {bid}" for p, bid in _art_bids(s, observer)]
        words = f"Decoration, secret bids of art · {' · '.join(bids) or 'nobody has bid yet'}"
    elif s["phase"] == BONUS:
        words += f" ({ROW_GIVES[s['row'][s['current_player']]]})"
    parts.append(svg.label(box.x + 12, box.y + 20, words, 14, bold=True, width=box.w - 24))
    offers = [(f"food {k}", str(k)) for k in range(MAX_FOOD_BID + 1)] + [(f"deco {k}", str(k)) for k in range(ART_TOKENS + 1)]
    where = Box(box.x + 12, box.y + 30, box.w - 24, 40)
    gap = 2 if s["phase"] == ART_BID else 4
    return svg.together((svg.group(svg.together(parts), key="strip"), choices.chips(where, offers, gap), choices.rest(where)))


def _seat_picture(s: Table, p: int, box: Box, place: int | None) -> str:
    panel = svg.seat_panel(
        box,
        p,
        to_move=p == s["current_player"] and not s["over"],
        name="start player" if p == s["first_player"] else "",
        place=place,
        total=f"{_victory_points(s, p)} points",
        parts=_stock(s, p),
    )
    x = box.x + 14
    parts = [svg.label(x, box.y + 65, "rows used in this dynasty", 11, colour=svg.QUIET)]
    for r, tag in enumerate(svg.row(x, box.y + 69, len(ROWS), 64, 15, 4)):
        used = bool(s["used_rows"][p] >> r & 1)
        words = svg.centred(tag, ROWS[r], 11, bold=used, colour=svg.PANEL if used else svg.LINE)
        parts.append(svg.together((svg.rect(tag, svg.QUIET if used else svg.SOFT, r=7), words)))
    return svg.group(svg.together((panel, *parts)), key=f"seat {p}")


def _stock(s: Table, p: int) -> str:
    """What the player has, and what the points are for."""
    stock = f"food {s['food'][p]}  ·  art {s['art'][p]}"
    stock += f"  ·  workers in hand {_in_hand(s, p)}" if _in_hand(s, p) else ""
    return stock + (f"  ·  {_sheet(s, p)}" if any(s["points"][p]) else "")
