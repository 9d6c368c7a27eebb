"""The table as text: a person can play from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .components import (
    ARCHITECT_SEAT,
    ARCHITECTS,
    CAT,
    FACES,
    GODS,
    GODS_TABLE,
    KINDS,
    NO_SCARAB,
    NUM_ENNEAD,
    NUM_SPACES,
    NUM_TILES,
    PAIRS,
    PARTNER,
    PROJECT_FAME,
    PROJECTS,
    PYRAMIDS,
    SCARABS,
    SPACES_IN_PLAY,
    STONE,
    STOREYS,
    TILES,
    UNITS,
    WORKER,
)
from .state import AVAILABLE, CHOOSE_SCARAB, DISCARDED, HELD, NONE, OWNED, PHASES, PLACE_TILE, SEAT_FACTOR, WAITING

if TYPE_CHECKING:
    from ..core.game import State

PYRAMID_HEIGHT = 3  # lines
NEEDS = {"need_stone": "S", "need_same": "three equal", "need_any": "*", "need_workers": "W", "need_cats": "C"}


def draw(state: State, player: int | None) -> str:
    s = state.record[0]
    lines = [_headline(s), *_pyramids(s), _row(s), _tiles(s)]
    lines += _pending(s)
    points = state.outcome()[0]
    for p in range(s["num_seats"]):
        line = _seat(s, p, secrets=player is None or player == p or bool(s["over"]))
        lines.append(f"{line}   score {points[p]}" if s["over"] else line)
    return "\n".join(lines)


def _headline(s: np.void) -> str:
    w, c, stone = s["supply"]
    prayer_dice, stone_dice = s["quarry"]
    doing = "game over" if s["over"] else f"seat {s['current_player']}: {PHASES[s['phase']]}"
    pharaoh = "-" if s["pharaoh"] == NONE else f"seat {s['pharaoh']}"
    discards = (s["god_place"] == DISCARDED).sum()
    return (
        f"turn {s['turns'] + 1}   {doing}   pharaoh {pharaoh}   supply W{w} C{c} S{stone}   quarry P{prayer_dice} S{stone_dice}"
        f"   deck {s['deck_end'] - s['deck_position']}   discards {discards}"
    )


def _pyramids(s: np.void) -> list[str]:
    """A column per storey, spaces counted in reading order: dice by value, `*` open, `.` not supported yet."""
    title, rows = "", [""] * PYRAMID_HEIGHT
    space = 0
    for pyramid, level, side, _ in STOREYS:
        if int(SPACES_IN_PLAY[s["num_players"]]) >> space & 1:
            heading = f"{PYRAMIDS[pyramid]} {level}"
            width = max(len(heading), 2 * side) + 3
            title += heading.ljust(width)
            for row in range(PYRAMID_HEIGHT):
                cells = [_space(s, space + row * side + column) for column in range(side)] if row < side else []
                rows[row] += " ".join(cells).ljust(width)
        space += side * side
    spaces = " ".join(str(i) for i in range(NUM_SPACES) if int(s["open_spaces"]) >> i & 1)
    return [title.rstrip(), *(row.rstrip() for row in rows), f"open   {spaces or '-'}"]


def _space(s: np.void, space: int) -> str:
    if s["pyramid"][space]:
        return str(s["pyramid"][space])
    return "*" if int(s["open_spaces"]) >> space & 1 else "."


def _row(s: np.void) -> str:
    shown = [f"{i} {GODS[g]} ({GODS_TABLE[g][2]})" for i, g in enumerate(s["row"]) if g != NONE]
    return "gods   " + ("   ".join(shown) or "-")


def _tiles(s: np.void) -> str:
    available = [t for t in range(NUM_TILES) if s["tile_place"][t] == AVAILABLE]
    if s["num_players"] > 1:
        return "rest   " + " ".join(TILES[t] for t in available)
    available.sort(key=lambda t: s["tile_slot"][t])
    shown = "rest   " + " ".join(f"{s['tile_slot'][t] + 1}:{TILES[t]}" for t in available)
    waiting = [TILES[t] for t in range(NUM_TILES) if s["tile_place"][t] == WAITING]
    return shown + (f"   to place: {' '.join(waiting)}" if s["phase"] == PLACE_TILE else "")


def _pending(s: np.void) -> list[str]:
    """The dice of a Work turn, and what is being decided right now."""
    lines = []
    if s["in_work"]:
        lines.append(f"dice   {_dice(s['pool'])}".rstrip())
    if s["selected"].any():
        lines.append(f"reroll {_dice(s['selected'])}")
    if s["queue_length"]:
        units = [f"seat {q // SEAT_FACTOR} {UNITS[q % SEAT_FACTOR]}" for q in s["queue"][: s["queue_length"]].tolist()]
        lines.append("gains  " + ", ".join(units))
    needs = [str(v + 1) for v in range(FACES) for _ in range(s["need_value"][v])]
    for need, what in NEEDS.items():
        needs += [what] * int(s[need])
    if needs:
        lines.append("to pay " + " ".join(needs))
    if s["build_value"]:
        where = f" at {s['build_space']}" if s["build_space"] != NONE else ""
        lines.append(f"build  {s['build_value']}{where}")
    if s["pearl_fame"]:
        lines.append(f"pearl  {s['pearl_fame']} Fame for 2 W")
    return lines


def _dice(counts: np.ndarray) -> str:
    shown = []
    for kind, of_value in zip(KINDS, counts, strict=False):
        values = " ".join(str(v + 1) for v in range(FACES) for _ in range(of_value[v]))
        shown += [f"{kind}: {values}"] if values else []
    return "   ".join(shown)


def _seat(s: np.void, p: int, secrets: bool) -> str:
    mark = ">" if p == s["current_player"] and not s["over"] else " "
    tiles = [TILES[t] + "(flipped)" * bool(s["tile_flipped"][t]) for t in range(NUM_TILES) if s["tile_place"][t] == HELD + p]
    owned = f"gods: {_gods(s, p)}   tiles: {' '.join(tiles) or '-'}"
    if s["num_players"] == 1 and p == ARCHITECT_SEAT:
        projects = "; ".join(_project(s, i) for i in s["architect_projects"] if i != NONE)
        return f"{mark}{ARCHITECTS[s['architect']]}   F{s['fame'][p]}   {owned}   projects {projects}"
    w, c, stone = s["resources"][p][[WORKER, CAT, STONE]]
    line = f"{mark}seat {p}   F{s['fame'][p]}   W{w} C{c} S{stone}   {owned}"
    if s["scarab"][p] != NO_SCARAB:
        line += f"   {SCARABS[s['scarab'][p]]}"
    elif s["phase"] == CHOOSE_SCARAB and secrets:
        line += f"   {' or '.join(SCARABS[i] for i in s['scarab_options'][p])}"
    if secrets:
        line += f"   project {_project(s, s['project'][p])}"
    return line


def _project(s: np.void, project: int) -> str:
    values = s["pyramid"]
    hits = sum(values[b] > 0 and PARTNER[project, values[a]] == values[b] for a, b in PAIRS)
    pairs = " ".join(f"{v}-{PARTNER[project, v]}" for v in range(1, FACES + 1) if v <= PARTNER[project, v])
    return f"{PROJECTS[project]} {pairs} (now {PROJECT_FAME * hits})"


def _gods(s: np.void, p: int) -> str:
    owned = [g for g in range(len(GODS)) if s["god_place"][g] == OWNED + p]
    shown = [GODS[g] + "*" * bool(s["used"][g]) for g in owned if g >= NUM_ENNEAD]
    ennead = [GODS[g] for g in owned if g < NUM_ENNEAD]
    if ennead:
        shown.append(f"Ennead x{len(ennead)} ({' '.join(ennead)})")
    if p == s["turn_player"] and s["copied"] != NONE:
        shown.append(f"[{GODS[s['copied']]}{'*' * bool(s['used'][s['copied']])} borrowed]")
    return " ".join(shown) or "-"
