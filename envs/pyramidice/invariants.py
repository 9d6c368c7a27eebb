"""What holds in every position (spec section 12). `from_dict` refuses a position that breaks one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .components import (
    ARCHITECT_PROJECTS,
    ARCHITECT_SEAT,
    CAT,
    EMERALD,
    FULL_SET_OF_TILES,
    GODS_REMOVED,
    NO_SCARAB,
    NUM_CATS,
    NUM_GODS,
    NUM_PRAYER_DICE,
    NUM_WORKERS,
    PRAYER,
    SPACES_IN_PLAY,
    SPACES_ON_BOARD,
    STONE,
    STONE_DICE,
    STONE_DIE,
    SUPPORT,
    TILES_IN_PLAY,
    WORKER,
)
from .state import (
    AVAILABLE,
    CHOOSE_SCARAB,
    END,
    HELD,
    IN_BOX,
    IN_ROW,
    LOSE_ONE,
    NONE,
    OVERFLOW,
    OWNED,
    SEATS,
    TURN,
    UNSEEN,
    WAITING,
)

Problems = Iterator[tuple[str, str]]


def violations(s: np.void) -> Problems:
    """The broken invariants as (field, problem)."""
    yield from _seats_fit_the_table(s)
    yield from _pieces_are_conserved(s)
    yield from _boards_hold_eight(s)
    yield from _pyramids_stand(s)
    yield from _gods_are_somewhere_once(s)
    yield from _tiles_are_in_play(s)
    yield from _secrets_are_dealt(s)
    yield from _nothing_is_pending_at_the_start_of_a_turn(s)


def _seats_fit_the_table(s: np.void) -> Problems:
    players, seats = int(s["num_players"]), int(s["num_seats"])
    if seats != max(players, 2):
        yield "num_seats", f"{seats} with {players} players"
    if (s["architect"] != NONE) != (players == 1):
        yield "architect", "exactly a solo game has one"
    if (s["phase"] == END) != bool(s["over"]):
        yield "over", "the phase is 'end' exactly when the game is over"
    if not 0 <= s["current_player"] < players:
        yield "current_player", f"{s['current_player']} with {players} players"
    for field in ("turn_player", "pharaoh"):
        if s[field] != NONE and s[field] >= seats:
            yield field, f"{s[field]} with {seats} seats"
    for p in range(seats, SEATS):
        if s["fame"][p] or s["resources"][p].any() or s["scarab"][p] != NO_SCARAB:
            yield "num_players", f"seat {p} is not at the table but owns something"
    if players == 1 and s["resources"][ARCHITECT_SEAT].any():
        yield "resources", "the Architect has none"


def _pieces_are_conserved(s: np.void) -> Problems:
    boards, supply, quarry, pool, selected = (s[f].astype(int) for f in ("resources", "supply", "quarry", "pool", "selected"))
    for resource, name, pieces in ((WORKER, "Workers", NUM_WORKERS), (CAT, "Cats", NUM_CATS)):
        there = supply[resource] + boards[:, resource].sum()
        if there != pieces:
            yield "supply", f"{there} {name} on boards and in the supply, not {pieces}"
    prayer = quarry[PRAYER] + pool[PRAYER].sum() + selected[PRAYER].sum()
    if prayer != NUM_PRAYER_DICE:
        yield "quarry", f"{prayer} Prayer dice in Quarry and pool, not {NUM_PRAYER_DICE}"
    rolled = pool[STONE_DIE].sum() + selected[STONE_DIE].sum()
    stone = supply[STONE] + quarry[STONE_DIE] + boards[:, STONE].sum() + rolled + (s["pyramid"] > 0).sum()
    if stone != STONE_DICE[s["num_players"]]:
        yield "supply", f"{stone} Stone dice in the game, not {STONE_DICE[s['num_players']]}"


def _boards_hold_eight(s: np.void) -> Problems:
    overflowing = s["current_player"] if s["phase"] == LOSE_ONE and s["lose_reason"] == OVERFLOW else NONE
    for p in range(SEATS):
        spaces = s["resources"][p].astype(int).sum()
        if spaces > SPACES_ON_BOARD + (p == overflowing):
            yield "resources", f"{spaces} on the board of seat {p}"


def _pyramids_stand(s: np.void) -> Problems:
    filled = sum(1 << int(i) for i in np.flatnonzero(s["pyramid"]))
    if filled & ~int(SPACES_IN_PLAY[s["num_players"]]):
        yield "pyramid", "a space that is not in play is filled"
    for space in np.flatnonzero(s["pyramid"]):
        if int(SUPPORT[space]) & ~filled:
            yield "pyramid", f"space {space} rests on nothing"


def _gods_are_somewhere_once(s: np.void) -> Problems:
    place, deck, drawn = s["god_place"], s["deck"], int(s["deck_position"])
    if sorted(deck.tolist()) != list(range(NUM_GODS)):
        yield "deck", "not every God once"
    elif set(deck[drawn:].tolist()) != set(np.flatnonzero(place == UNSEEN).tolist()):
        yield "god_place", "the unseen Gods are not exactly those from deck_position on"
    in_the_game = NUM_GODS - GODS_REMOVED[s["num_players"]]
    if s["deck_end"] != in_the_game:
        yield "deck_end", f"{s['deck_end']}, but {in_the_game} Gods are in the game with {s['num_players']} players"
    if drawn > s["deck_end"]:
        yield "deck_position", f"{drawn} is beyond the end {s['deck_end']}"
    row = [int(g) for g in s["row"] if g != NONE]
    if sorted(row) != np.flatnonzero(place == IN_ROW).tolist():
        yield "row", "does not agree with god_place"
    if s["row"][len(s["row"]) - len(row) :].tolist() != row:
        yield "row", "a hole to the right of a card"
    if s["phase"] == TURN and len(row) < len(s["row"]) and drawn < s["deck_end"]:
        yield "row", "not full at the start of a turn"
    if (place >= OWNED + s["num_seats"]).any():
        yield "god_place", "a seat that is not at the table owns a God"


def _tiles_are_in_play(s: np.void) -> Problems:
    place, slot, solo = s["tile_place"], s["tile_slot"], s["num_players"] == 1
    in_play = (place != IN_BOX).sum()
    if in_play != TILES_IN_PLAY[s["num_players"]]:
        yield "tile_place", f"{in_play} tiles in play, not {TILES_IN_PLAY[s['num_players']]}"
    if (place >= HELD + s["num_seats"]).any():
        yield "tile_place", "a seat that is not at the table holds a tile"
    for p in range(SEATS):
        held = (place == HELD + p).sum()
        if held > FULL_SET_OF_TILES - (s["phase"] == TURN):
            yield "tile_place", f"seat {p} holds {held} tiles"
    if (s["tile_flipped"].astype(bool) & (place < HELD)).any():
        yield "tile_flipped", "a tile that nobody holds is face down"
    if s["tile_flipped"].any() and EMERALD not in s["scarab"]:
        yield "tile_flipped", "a tile is face down, but nobody has Emerald"
    numbered = slot[slot != NONE].tolist()
    if ((slot != NONE) != (solo & (place == AVAILABLE))).any() or len(set(numbered)) < len(numbered):
        yield "tile_slot", "solo: each available tile has a slot of its own; otherwise none has"
    queue = [int(tile) for tile in s["slot_queue"] if tile != NONE]
    if queue != np.flatnonzero(place == WAITING).tolist() or len(queue) != s["slot_queue_length"]:
        yield "slot_queue", "not the waiting tiles in ascending order"


def _secrets_are_dealt(s: np.void) -> Problems:
    players = int(s["num_players"])
    projects = [int(x) for x in (*s["project"][:players], *s["architect_projects"]) if x != NONE]
    if (s["project"][:players] == NONE).any() or (s["project"][players:] != NONE).any() or len(set(projects)) < len(projects):
        yield "project", "every player has one, and no two are the same"
    due = int(ARCHITECT_PROJECTS[s["architect"]]) if players == 1 else 0
    if ((s["architect_projects"] != NONE) != (np.arange(len(s["architect_projects"])) < due)).any():
        yield "architect_projects", f"{due} of them must be filled, from the first on"
    if players == 1:
        return
    options = s["scarab_options"][:players].ravel().tolist()
    if len(set(options)) < len(options) or NO_SCARAB in options:
        yield "scarab_options", "two different Scarabs for every player"
    for p in range(players):
        chosen = s["scarab"][p] in s["scarab_options"][p]
        still_to_choose = s["phase"] == CHOOSE_SCARAB and p >= s["current_player"]
        if chosen == still_to_choose:
            yield "scarab", f"seat {p} must have one of its options, once it has chosen"


def _nothing_is_pending_at_the_start_of_a_turn(s: np.void) -> Problems:
    if s["phase"] != TURN:
        return
    for field in AT_REST:
        if s[field].any():
            yield field, "must be empty at the start of a turn"
    for field in ("copied", "build_space"):
        if s[field] != NONE:
            yield field, "must be nothing at the start of a turn"


AT_REST = (
    *("pool", "selected", "last_selected", "used", "in_work", "rest_pending", "reroll_used", "gold_used", "copy_used"),
    *("drop_reason", "lose_reason", "afterwards", "pearl_fame", "payment", "payment_for", "need_value", "need_any"),
    *("need_stone", "need_same", "need_workers", "need_cats", "paid_workers", "build_value", "change_kind", "change_value"),
    *("queue", "queue_length", "slot_queue_length"),
)
