"""The board as text: a person can play from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .components import (
    CAMPS,
    CAPSTONE,
    CAPSTONE_LIFT,
    LOCATIONS,
    MIDDLE_LIFT,
    NOMINATIONS,
    NUM_QUARRIES,
    ROUNDS_PER_DYNASTY,
    ROWS,
    SPACE_CAPACITY,
    SPACES,
)
from .state import (
    ACTION,
    ART_BID,
    CAPSTONE_AT,
    CHOOSING,
    IN_CAPSTONE_LIFT,
    IN_MIDDLE_LIFT,
    IN_RESERVE,
    NOTHING,
    ON_SLED,
    PHASES,
    SETUP,
    UNLOADED,
)
from .workers import space_of

if TYPE_CHECKING:
    from ..core.game import State

Table = dict[str, Any]  # the record in plain numbers and lists

STONE_LETTERS = "BMC"


def draw(state: State, player: int | None) -> str:
    s = {name: state.record[name][0].tolist() for name in state.game.rules.schema.by_name}
    lines = [_headline(s), _turn_order(s), ""]
    lines += [_track(s, q) for q in range(min(NUM_QUARRIES, s["num_players"]))]
    lines += [_camps(s), "", *_pyramid(s), "", *_seats(s, player)]
    if s["nominated"] != NOTHING:
        lines.append(_auction(s, player))
    return "\n".join(lines)


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
    """The sled is where a stone stands before the bar: `[B|p0 p1 . .]`."""
    spaces = (_space(s, quarry, position) for position in range(SPACES))
    names = (f"q{quarry}", *map(str, range(1, SPACES)))
    notes = {NOTHING: "  (no sled)", UNLOADED: "  (sled unloaded)"}
    track = " => ".join(name + space for name, space in zip(names, spaces, strict=True))
    return f"{track} =>{notes.get(s['sled_position'][quarry], '')}"


def _space(s: Table, quarry: int, position: int) -> str:
    zone = space_of(quarry, position)
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
    return " | ".join(f"{name} {_workers_in(s, camp)}{stones[camp]}" for camp, name in enumerate(CAMPS))


def _workers_in(s: Table, zone: int) -> str:
    return " ".join(f"p{p}:{workers[zone]}" for p, workers in enumerate(s["workers"]) if workers[zone]) or "-"


def _pyramid(s: Table) -> list[str]:
    carrier = f" q{s['sled_stone'].index(CAPSTONE)}" if s["capstone"] == ON_SLED else ""
    reserve = " ".join("M" * s["middle_in_reserve"] + "C" * (s["capstone"] == IN_RESERVE)) or "-"
    return [
        f"base {_row(s['base_built'], 0)}   middle {_row(s['middle_built'], 0)}"
        f"   capstone: {CAPSTONE_AT[s['capstone']]}{carrier}   reserve: {reserve}",
        f"     {_row(s['base_built'], 2)}          {_row(s['middle_built'], 2)}",
    ]


def _row(tier: list[int], first: int) -> str:
    return " ".join(f"{LOCATIONS[at]}{'#' if tier[at] else '.'}" for at in (first, first + 1))


def _seats(s: Table, player: int | None) -> list[str]:
    lines = []
    for p in range(s["num_players"]):
        turn = "*" if p == s["current_player"] else " "
        rows = " ".join(name for r, name in enumerate(ROWS) if s["used_rows"][p] >> r & 1) or "-"
        hand = s["to_reassign"][p] + (p == s["current_player"] and s["worker_in_hand"])
        waiting = f"   in hand {hand}" if hand else ""
        you = "   (you)" if p == player else ""
        stock = f"vp {s['vp'][p]:3}   food {s['food'][p]:3}   art {s['art'][p]:2}"
        lines.append(f"p{p}{turn} {stock}   rows used: {rows}{waiting}{you}")
    return lines


def _auction(s: Table, player: int | None) -> str:
    stone = NOMINATIONS[s["nominated"]]
    if s["phase"] == ART_BID:
        bids = [
            f"p{p} {bid if player is None or player == p else '?'}"
            for p, bid in enumerate(s["art_bid"][: s["num_players"]])
            if bid != NOTHING
        ]
        return f"{stone}: decorating, secret art bids: {', '.join(bids) or '-'}"
    bids = [f"p{p} {bid}" for p, bid in enumerate(s["food_bid"]) if bid != NOTHING]
    return f"{stone}: food bids: {', '.join(bids)}" if bids else stone
