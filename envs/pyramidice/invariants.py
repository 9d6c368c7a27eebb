"""What holds in every position. `from_dict` refuses a position that breaks one; what a phase asks beyond that stands beside it."""

from __future__ import annotations

import numpy as np

from ..core.declare.phases import Findings
from . import components as pieces
from . import pending
from .components import ARCHITECT_SEAT, CAT, NO_SCARAB, PRAYER, STONE, STONE_DIE, WORKER
from .state import (
    AVAILABLE,
    CHOOSE_SCARAB,
    END,
    HELD,
    IN_BOX,
    LOSE_ONE,
    NONE,
    OVERFLOW,
    PLACE_TILE,
    REST_TURN,
    SEATS,
    TURN,
    WAITING,
)


def violations(s: np.void) -> Findings:
    """The broken invariants as (field, problem)."""
    wrong = list(_seats_fit_the_table(s))
    if wrong:  # what follows counts by seats
        yield from wrong
        return
    yield from _turns_go_round(s)
    yield from _the_end_has_come(s)
    yield from _pieces_are_conserved(s)
    yield from _boards_hold_eight(s)
    yield from _pyramids_stand(s)
    yield from _gods_are_somewhere_once(s)
    yield from _tiles_are_in_play(s)
    yield from _secrets_are_dealt(s)


# --- The table and its turns ---------------------------------------------------------------------------------------------------


def _seats_fit_the_table(s: np.void) -> Findings:
    players, seats = int(s["num_players"]), int(s["num_seats"])
    if seats != max(players, 2):
        yield "num_seats", f"{seats} with {players} players"
        return
    if (s["architect"] != NONE) != (players == 1):
        yield "architect", "exactly a solo game has one"
    for field in ("turn_player", "pharaoh"):
        if s[field] != NONE and s[field] >= seats:
            yield field, f"{s[field]} with {seats} seats"
    for field, nothing in (("fame", 0), ("resources", 0), ("gods", 0), ("scarab", NO_SCARAB), ("scarab_options", NO_SCARAB)):
        if (s[field][seats:] != nothing).any():
            yield field, "a seat that is not at the table owns something"
    if players == 1 and (s["resources"][ARCHITECT_SEAT].any() or (s["scarab"] != NO_SCARAB).any()):
        yield "resources", "the Architect has none, and there are no Scarabs in a solo game"
    if players == 1 and s["turn_player"] == ARCHITECT_SEAT and s["phase"] not in (PLACE_TILE, END):
        yield "turn_player", "in the Architect's turn the human only places tiles"


def _turns_go_round(s: np.void) -> Findings:
    turns, seats, t, pharaoh = (int(s[f]) for f in ("turns", "num_seats", "turn_player", "pharaoh"))
    last = turns - 1 if s["phase"] == END else turns  # the turn that the turn player has
    if last < 0 or last % seats != t:
        yield "turn_player", f"{t}, but {turns} turns are finished"
    if turns >= pieces.TURNS_PER_SEAT * seats and s["phase"] != END:
        yield "turns", f"{turns}: the game would have been cut off"
    if pharaoh == NONE:
        return
    if turns <= pharaoh:
        yield "pharaoh", f"seat {pharaoh} has not finished a turn"
    if s["supply"][STONE] and s["deck_position"] < s["deck_end"]:
        yield "pharaoh", "nobody takes the tile while there are Stone dice and Gods"


def _the_end_has_come(s: np.void) -> Findings:
    """A finished game: the Pharaoh has had his last turn, or there were too many turns. Nothing is left to do."""
    if s["phase"] != END:
        return
    yield from pending.nothing_but(s)
    turns, seats, t = (int(s[f]) for f in ("turns", "num_seats", "turn_player"))
    most = pieces.TURNS_PER_SEAT * seats
    if s["current_player"] != min(t, int(s["num_players"]) - 1):
        yield "current_player", "not the player of the last turn"
    if turns > most or (s["truncated"] and turns < most):
        yield "turns", f"{turns}: a game is cut off after {most}"
    if not s["truncated"] and (s["pharaoh"] != t or turns <= seats):
        yield "pharaoh", "the game ends with a second turn of the Pharaoh's"


# --- Pieces --------------------------------------------------------------------------------------------------------------------


def _pieces_are_conserved(s: np.void) -> Findings:
    boards, supply, quarry, pool, selected = (s[f].astype(int) for f in ("resources", "supply", "quarry", "pool", "selected"))
    for resource, name, in_all in ((WORKER, "Workers", pieces.NUM_WORKERS), (CAT, "Cats", pieces.NUM_CATS)):
        there = supply[resource] + boards[:, resource].sum()
        if there != in_all:
            yield "supply", f"{there} {name} on boards and in the supply, not {in_all}"
    prayer = quarry[PRAYER] + pool[PRAYER].sum() + selected[PRAYER].sum()
    if prayer != pieces.NUM_PRAYER_DICE:
        yield "quarry", f"{prayer} Prayer dice in Quarry and pool, not {pieces.NUM_PRAYER_DICE}"
    rolled = pool[STONE_DIE].sum() + selected[STONE_DIE].sum()
    stone = supply[STONE] + quarry[STONE_DIE] + boards[:, STONE].sum() + rolled + (s["pyramid"] > 0).sum()
    if stone != pieces.STONE_DICE[s["num_players"]]:
        yield "supply", f"{stone} Stone dice in the game, not {pieces.STONE_DICE[s['num_players']]}"


def _boards_hold_eight(s: np.void) -> Findings:
    overflowing = s["current_player"] if s["phase"] == LOSE_ONE and s["lose_reason"] == OVERFLOW else NONE
    for p in range(SEATS):
        spaces = s["resources"][p].astype(int).sum()
        if spaces > pieces.SPACES_ON_BOARD + (p == overflowing):
            yield "resources", f"{spaces} on the board of seat {p}"


def _pyramids_stand(s: np.void) -> Findings:
    filled = sum(1 << int(i) for i in np.flatnonzero(s["pyramid"]))
    if filled & ~int(pieces.SPACES_IN_PLAY[s["num_players"]]):
        yield "pyramid", "a space that is not in play is filled"
    for space in np.flatnonzero(s["pyramid"]):
        if int(pieces.SUPPORT[space]) & ~filled:
            yield "pyramid", f"space {space} rests on nothing"


# --- Cards and tiles -----------------------------------------------------------------------------------------------------------


def _gods_are_somewhere_once(s: np.void) -> Findings:
    deck, drawn = s["deck"].tolist(), int(s["deck_position"])
    in_the_game = pieces.NUM_GODS - int(pieces.GODS_REMOVED[s["num_players"]])
    if sorted(deck) != list(range(pieces.NUM_GODS)):
        yield "deck", "not every God once"
    if s["deck_end"] != in_the_game:
        yield "deck_end", f"{s['deck_end']}, but {in_the_game} Gods are in the game with {s['num_players']} players"
    if drawn > in_the_game:
        yield "deck_position", f"{drawn} is beyond the end {in_the_game}"
    row = [int(god) for god in s["row"] if god != NONE]
    if s["row"][len(s["row"]) - len(row) :].tolist() != row:
        yield "row", "a hole to the right of a card"
    lying = [*row, *(god for seen in (*s["gods"], s["discards"]) for god in range(pieces.NUM_GODS) if int(seen) >> god & 1)]
    if len(set(lying)) < len(lying):
        yield "gods", "a God lies in two places"
    elif set(lying) != set(deck[:drawn]):
        yield "deck_position", "the Gods that can be seen are not exactly those drawn from the deck"


def _tiles_are_in_play(s: np.void) -> Findings:
    place, slot, solo = s["tile_place"], s["tile_slot"], s["num_players"] == 1
    in_play = (place != IN_BOX).sum()
    if in_play != pieces.TILES_IN_PLAY[s["num_players"]]:
        yield "tile_place", f"{in_play} tiles in play, not {pieces.TILES_IN_PLAY[s['num_players']]}"
    if (place >= HELD + s["num_seats"]).any():
        yield "tile_place", "a seat that is not at the table holds a tile"
    resting = s["phase"] not in (CHOOSE_SCARAB, TURN, REST_TURN, PLACE_TILE, END)  # a third tile may lie there until step 3
    for p in range(SEATS):
        held = pending.tiles_of(s, p)
        if held > pieces.FULL_SET_OF_TILES - 1 + (resting and p == s["turn_player"]):
            yield "tile_place", f"seat {p} holds {held} tiles"
    flipped = s["tile_flipped"].astype(bool)
    with_emerald = np.flatnonzero(s["scarab"] == pieces.EMERALD)
    if flipped.any() and (
        (place < HELD)[flipped].any() or not len(with_emerald) or (place[flipped] == HELD + with_emerald[0]).any()
    ):
        yield "tile_flipped", "only what lies in front of others is turned face down, and only by Emerald"
    numbered = slot[slot != NONE].tolist()
    if ((slot != NONE) != (solo & (place == AVAILABLE))).any() or len(set(numbered)) < len(numbered):
        yield "tile_slot", "solo: each available tile has a slot of its own; otherwise none has"
    queue, waiting = s["slot_queue"].tolist(), np.flatnonzero(place == WAITING).tolist()
    if queue != [*waiting, *[NONE] * (len(queue) - len(waiting))] or len(waiting) != s["slot_queue_length"]:
        yield "slot_queue", "not the waiting tiles in ascending order"


def _secrets_are_dealt(s: np.void) -> Findings:
    players = int(s["num_players"])
    projects = [int(x) for x in (*s["project"][:players], *s["architect_projects"]) if x != NONE]
    if (s["project"][:players] == NONE).any() or (s["project"][players:] != NONE).any() or len(set(projects)) < len(projects):
        yield "project", "every player has one, and no two are the same"
    due = int(pieces.ARCHITECT_PROJECTS[s["architect"]]) if players == 1 else 0
    if ((s["architect_projects"] != NONE) != (np.arange(len(s["architect_projects"])) < due)).any():
        yield "architect_projects", f"{due} of them must be filled, from the first on"
    if players == 1:
        if (s["scarab_options"] != NO_SCARAB).any():
            yield "scarab_options", "there are no Scarabs in a solo game"
        return
    options = s["scarab_options"][:players].ravel().tolist()
    if len(set(options)) < len(options) or NO_SCARAB in options:
        yield "scarab_options", "two different Scarabs for every player"
    for p in range(players):
        chosen = s["scarab"][p] in s["scarab_options"][p]
        still_to_choose = s["phase"] == CHOOSE_SCARAB and p >= s["current_player"]
        if chosen == still_to_choose or (still_to_choose and s["scarab"][p] != NO_SCARAB):
            yield "scarab", f"seat {p} must have one of its options, once it has chosen"
