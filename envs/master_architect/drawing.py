"""The table as text: a person can play from it. Nothing on the table is secret; the stocks are never shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .components import (
    CARDS,
    LARGE_SPACES,
    LARGE_STONES,
    MULTIPLIER,
    NOTHING,
    NUM_CARDS,
    NUM_LARGE,
    NUM_LEVELS,
    NUM_SMALL,
    OPENINGS,
    PAIR_PARTNER,
    PLACES,
    PORTS,
    SARCOPHAGI,
    SMALL_SPACES,
    SMALL_STONES,
    SYMBOL,
    SYMBOLS,
    TURNS,
)
from .scoring import CATEGORIES, card_points, collection_points, points_of, solid_points, symbol_points
from .state import LIFT_SMALL, OVER, PHASES

if TYPE_CHECKING:
    from ..core.game import State

FIRST_BRICK = 11  # column where level 1 begins
HALF_BRICK = 6
EMPTY_EDGE = "+..........+"
LEGEND = (
    "= ^ v chamber openings   sN sarcophagi   @X symbol   r turned   x1-x3 multiplier   * card pair   /b2 small stone, 2 workers"
)


def draw(state: State, player: int | None) -> str:
    """Everybody sees the same, so `player` changes nothing."""
    s = state.record[0]
    lines = [_headline(s), _row(s), _display(s)]
    for p in range(s["num_players"]):
        lines += ["", _seat(s, p), *_pyramid(s, p)]
    return "\n".join([*lines, "", LEGEND])


def _headline(s: np.void) -> str:
    stocks = (NUM_LARGE - s["large_drawn"], NUM_SMALL - s["small_drawn"], NUM_CARDS - s["cards_drawn"])
    left = f"left: {stocks[0]} large, {stocks[1]} small, {stocks[2]} cards"
    if s["phase"] == OVER:
        winners = [str(p) for p in range(s["num_players"]) if s["winners"] >> p & 1]
        return f"Game over, won by seat {' and '.join(winners)}   {left}"
    doing = f"{PHASES[s['phase']]}: seat {s['current_player']}"
    if s["stone_in_hand"] != NOTHING:
        doing += f" places {_face(s['stone_in_hand'])}"
    if s["pending"].any():
        doing += f"   small stones to place: {_small_stones(s['pending'])}"
    if s["swap_first"] != NOTHING:
        doing += f"   exchanges {LARGE_SPACES[s['swap_first']]}"
    if s["phase"] == LIFT_SMALL:
        doing += f"   may lift {s['lifts_left']}"
    return f"Turn {s['turn'] + 1}/{TURNS * s['num_players']}   {doing}   {left}"


def _face(stone: int) -> str:
    """`b01 W s1`: name, openings, sarcophagi or symbol."""
    openings = "+".join(name for d, name in enumerate(PORTS) if OPENINGS[stone, 0] >> d & 1)
    return f"{LARGE_STONES[stone]} {openings or '-'} {_mark(stone)}".rstrip()


def _mark(stone: int) -> str:
    if SARCOPHAGI[stone]:
        return f"s{SARCOPHAGI[stone]}"
    return "" if SYMBOL[stone] == NOTHING else "@" + SYMBOLS[SYMBOL[stone]][0].upper()


def _small_stones(counts: np.ndarray) -> str:
    return " ".join(name for name, count in zip(SMALL_STONES, counts, strict=True) for _ in range(count)) or "-"


def _row(s: np.void) -> str:
    first, *others = ("(taken)" if stone == NOTHING else _face(stone) for stone in s["row"])
    return f"row  [{first}] {' | '.join(others)}    pile: {_small_stones(s['pile'])}"


def _display(s: np.void) -> str:
    return "cards  " + "   ".join(f"{slot} {CARDS[card]}" for slot, card in enumerate(s["display"], start=1))


def _seat(s: np.void, p: int) -> str:
    """`P0*  hand w3  coll 4  cards Osiris 3, Set 2   solid 9 burial 5 ... = 28`."""
    held = [card for card in s["cards"][p] if card != NOTHING]
    cards = ", ".join(f"{CARDS[card]} {points_of(s, p, card)}" for card in held) or "-"
    points = (
        *(solid_points(s, p), s["burial"][p], symbol_points(s, p)),
        *(s["worker_points"][p], collection_points(s, p), card_points(s, p)),
    )
    sheet = " ".join(f"{name} {value}" for name, value in zip(CATEGORIES, points, strict=True))
    hand = "-" if s["hand"][p] == NOTHING else SMALL_STONES[s["hand"][p]]
    acting = "*" if p == s["current_player"] and s["phase"] != OVER else " "
    return f"P{p}{acting}  hand {hand}  coll {s['collected'][p]}  cards {cards}   {sheet} = {sum(map(int, points))}"


# --- The pyramid in half-bricks ----------------------------------------------------------------------------------------------


def _pyramid(s: np.void, p: int) -> Iterable[str]:
    for level in range(NUM_LEVELS, 0, -1):
        indent = FIRST_BRICK + HALF_BRICK * (level - 1)
        bricks = [_brick(s, p, space) for space, (at, _) in enumerate(PLACES) if at == level]
        top, middle, bottom = ("".join(part) for part in zip(*bricks, strict=True)) if bricks else ("", "", "")
        left, right = (_small(s, p, f"{level}{side}") for side in "LR")
        if bricks:
            yield " " * indent + top
        yield f"L{level}".ljust(indent - 5) + f"/{left}  {middle}  {right}\\"
        if bricks:
            yield " " * indent + bottom


def _small(s: np.void, p: int, name: str) -> str:
    stone = s["small_stone"][p][SMALL_SPACES.index(name)]
    return ".." if stone == NOTHING else SMALL_STONES[stone]


def _brick(s: np.void, p: int, space: int) -> tuple[str, str, str]:
    """Three lines of twelve characters."""
    stone, turned = s["large_stone"][p][space], s["large_turned"][p][space]
    if stone == NOTHING:
        pair = "*" if PAIR_PARTNER[space] != NOTHING else " "
        return EMPTY_EDGE, f": {LARGE_SPACES[space]}  x{MULTIPLIER[space]} {pair}:", EMPTY_EDGE
    openings = {name for d, name in enumerate(PORTS) if OPENINGS[stone, turned] >> d & 1}
    west, east = ("=" if side in openings else "|" for side in "WE")
    name = LARGE_STONES[stone] + "r" * turned
    return (
        _edge("NW" in openings, "NE" in openings, "^"),
        f"{west} {name:<4} {_mark(stone):<4}{east}",
        _edge("SW" in openings, "SE" in openings, "v"),
    )


def _edge(left: bool, right: bool, opening: str) -> str:
    return f"+--{opening if left else '-'}----{opening if right else '-'}--+"
