"""What the schema cannot say of an observation: seats counted from the observer (the Architect's too), what the dice can buy and
what a die on each open space would add to the own Project.

Written without branches: between the lanes of a batch whether a place is empty is as good as random, and a wrong guess costs more
than the work it saves. Rows of a constant width are copied with unsigned indices, see encoders/flat.py.
"""

from __future__ import annotations

import numpy as np

from ...encoders.flat import BIT_ROWS, Feature
from ..core.jit import inlined
from ..core.seats import after
from .cards import cards_left
from .components import (
    ANUBIS,
    ANUBIS_LIMIT,
    ARCHITECT_SEAT,
    ARCHITECTS,
    BASTET,
    CAT,
    COST_ANY,
    COST_CATS,
    COST_DICE,
    COST_OF_VALUE,
    COST_STONE,
    COST_WORKERS,
    ENNEAD_FAME,
    EXTRA_WORKERS,
    FACES,
    GOLD,
    KINDS,
    LAPIS,
    NEIGHBOURS,
    NUM_ENNEAD,
    NUM_GODS,
    NUM_PROJECTS,
    NUM_SLOTS,
    NUM_SPACES,
    NUM_TILES,
    OBSIDIAN,
    OBSIDIAN_FAME,
    PARTNER,
    PRAYER,
    PROJECT_FAME,
    QUARTZ,
    REAL_KINDS,
    ROW,
    STONE,
    STONE_DIE,
    TURNS_PER_SEAT,
    UNITS,
    VALUE_WORKERS,
    VIRTUAL,
    WORKER,
)
from .scoring import architect_project_fame, public_score
from .state import AVAILABLE, HELD, MOST_DICE, NONE, OWNED, SEAT_FACTOR, SEATS, WAITING

PER_SEAT = 13
NUM_POWERS = NUM_GODS - NUM_ENNEAD
MANY_DICE = 4  # of one kind and value
POINTS = 100

# --- Tables ------------------------------------------------------------------------------------------------------------------

U0, U1, U2, U3, U6 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(6)
BYTE, LOW_BYTE = np.uint64(8), np.uint64(255)
BYTES, HIGH_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
TURNS_SHARE = np.array([0.0, *(1 / (TURNS_PER_SEAT * seats) for seats in range(1, SEATS + 1))])
DICE_SHARE = np.minimum(np.arange(MOST_DICE + 1) / MANY_DICE, 1).astype(np.float32)

# Hits of a space: three bits for each value of a die that might be built there, copied three values at a time. A row of three is
# four numbers wide, one vector: the zero at the end is overwritten by what comes next.
HITS = np.array([[0, *(1 << 3 * (partner - 1) for partner in row[1:])] for row in PARTNER], np.uint64)  # by a neighbour's value
THREE_HITS = np.pad((np.arange(512)[:, None] >> np.arange(0, 9, 3) & 7) / 4, ((0, 0), (0, 1))).astype(np.float32)
LOW_HITS, HALF = np.uint64(511), np.uint64(9)
SPACE_BESIDE = np.flatnonzero(NEIGHBOURS[:, 0] >= 0).astype(np.uint64)  # the spaces that have neighbours
BESIDE_SPACES = len(SPACE_BESIDE)
IN_MIDDLE = 9  # the spaces of the largest square come first; only there can be more than two neighbours
BESIDE = np.where(NEIGHBOURS < 0, np.arange(NUM_SPACES)[:, None], NEIGHBOURS)[NEIGHBOURS[:, 0] >= 0].astype(np.uint64)


def _packed(counts: np.ndarray) -> np.ndarray:
    """A byte for each value of a die; a last row for no God."""
    return np.array([sum(int(n) << 8 * face for face, n in enumerate(row)) for row in (*counts, [])], np.uint64)


NO_GOD = np.uint64(NUM_GODS)
NEED_OF_VALUE, NEED_STONE = _packed(COST_OF_VALUE), _packed(COST_STONE)
NEED_ANY, NEED_DICE, NEED_WORKERS, NEED_CATS = (np.pad(cost, (0, 1)) for cost in (COST_ANY, COST_DICE, COST_WORKERS, COST_CATS))


def feature_table(num_players: int) -> list[Feature]:
    seats = max(num_players, 2)
    solo = [
        Feature("architect", len(ARCHITECTS), "the Great Architect (one-hot)"),
        Feature("architect_projects", NUM_PROJECTS, "his Projects"),
        Feature("architect_score", 1, "his score if the game ended now, by 100"),
        Feature("slots", NUM_TILES, "number of the slot of each available tile, by 6"),
        Feature("slot_next", NUM_TILES, "the tile to be placed now (one-hot)"),
    ]
    return [
        Feature("clock", 2, "cards left in the deck, turns finished of those allowed"),
        Feature("pharaoh", seats, "holder of the Pharaoh tile, from the observer (one-hot)"),
        Feature("seats", seats * PER_SEAT,
                "per seat: Fame, Workers, Cats, Stone dice, all three, Gods, Ennead cards and Fame, Fame of other Gods, Gods below "
                "the cult's limit, public score, Rest tiles, whether it is the turn player"),
        Feature("gods", seats * NUM_GODS, "per seat: its Gods"),
        Feature("discards", NUM_GODS, "discarded Gods"),
        Feature("ready", NUM_POWERS, "powers of Gods outside the Ennead that the turn player has, not used yet"),
        Feature("pool", len(KINDS) * FACES, "unused dice: Prayer, Stone, virtual, by value, by 4"),
        Feature("selection", REAL_KINDS * FACES, "dice selected for a reroll, by 4"),
        Feature("worship", 2 * ROW, "per face-up God: payable now, dice missing by 4"),
        Feature("tiles", NUM_TILES * (1 + seats), "per Rest tile: available, in front of which seat"),
        Feature("project_hits", BESIDE_SPACES * FACES,
                "per open space that has neighbours and value: pairs of the own Project it would complete, by 4"),
        Feature("own_score", 2, "own Project by 40, own score if the game ended now by 100"),
        Feature("next_unit", len(UNITS), "the unit being gained (one-hot)"),
        Feature("build_cost", 1, "Workers that the chosen space costs, by 4"),
        *(solo if num_players == 1 else []),
    ]  # fmt: skip


@inlined
def features(s, observer, out):
    seats = s.num_seats
    out[0] = cards_left(s) * (1 / NUM_GODS)
    out[1] = s.turns * TURNS_SHARE[seats]
    at = 2
    write_zeros(seats, out, at)
    out[at + max(turned(s.pharaoh, observer, seats), 0)] = s.pharaoh != NONE
    at += seats
    tiles = tiles_by_place(s)
    p, own_score = observer, 0
    for i in range(seats):
        score = write_seat(s, p, tiles, out, at + PER_SEAT * i)
        own_score = score if i == 0 else own_score
        write_set(s.gods[p], out, at + PER_SEAT * seats + NUM_GODS * i)
        p = after(p, seats)
    at += (PER_SEAT + NUM_GODS) * seats
    write_set(s.discards, out, at)
    at += NUM_GODS
    write_ready(s, out, at)
    at += NUM_POWERS
    write_dice(s, out, at)
    at += (len(KINDS) + REAL_KINDS) * FACES
    write_worship(s, out, at)
    at += 2 * ROW
    write_tiles(s, observer, out, at)
    at += NUM_TILES * (1 + seats)
    write_hits(s, s.project[observer], out, at)
    at += BESIDE_SPACES * FACES
    fame = PROJECT_FAME * s.pairs[s.project[observer]]
    out[at] = fame * (1 / 40)
    out[at + 1] = min(own_score + fame, POINTS) * (1 / POINTS)
    at += 2
    write_zeros(len(UNITS), out, at)
    out[at + s.queue[0] % SEAT_FACTOR] = s.queue_length > 0
    at += len(UNITS)
    extra = EXTRA_WORKERS[s.build_space] * (s.scarab[s.turn_player] != LAPIS)
    out[at] = (VALUE_WORKERS[s.build_value] + extra) * (s.build_space != NONE) * (1 / 4)
    if s.num_players == 1:
        write_solo(s, out, at + 1)


@inlined
def write_zeros(count, out, at):
    for i in range(np.uint64(count)):
        out[np.uint64(at) + i] = 0


@inlined
def turned(seat, observer, seats):
    """A seat counted from the observer."""
    return seat - observer if seat >= observer else seat - observer + seats


# --- Seats -------------------------------------------------------------------------------------------------------------------


@inlined
def write_seat(s, p, tiles, out, at):
    """Return the public score, as scoring.public_score counts it."""
    seat, here = np.uint64(p), np.uint64(at)
    count, ennead, fame_of_gods = s.god_count[seat], s.ennead_cards[seat], s.god_fame[seat]
    workers, cats, stone_dice = s.resources[seat, WORKER], s.resources[seat, CAT], s.resources[seat, STONE]
    cult = workers + cats
    spaces = cult + stone_dice
    of_scarab = spaces * (s.scarab[seat] == QUARTZ) + OBSIDIAN_FAME * count * (s.scarab[seat] == OBSIDIAN)
    score = s.fame[seat] + fame_of_gods + ENNEAD_FAME[ennead] + of_scarab
    out[here] = np.float32(min(s.fame[seat], POINTS)) * np.float32(1 / POINTS)
    out[here + np.uint64(1)] = np.float32(workers) * np.float32(1 / 9)
    out[here + np.uint64(2)] = np.float32(cats) * np.float32(1 / 9)
    out[here + np.uint64(3)] = np.float32(stone_dice) * np.float32(1 / 9)
    out[here + np.uint64(4)] = np.float32(spaces) * np.float32(1 / 9)
    out[here + np.uint64(5)] = np.float32(min(count, 10)) * np.float32(1 / 10)
    out[here + np.uint64(6)] = np.float32(ennead) * np.float32(1 / NUM_ENNEAD)
    out[here + np.uint64(7)] = np.float32(ENNEAD_FAME[ennead]) * np.float32(1 / 20)
    out[here + np.uint64(8)] = np.float32(min(fame_of_gods, 20)) * np.float32(1 / 20)
    limit = cult + ANUBIS_LIMIT * (s.gods[seat] >> ANUBIS & 1)
    out[here + np.uint64(9)] = np.float32(min(max(limit - count, -9), 9)) * np.float32(1 / 9)
    out[here + np.uint64(10)] = np.float32(min(score, POINTS)) * np.float32(1 / POINTS)
    tiles_held = np.int64(tiles >> BYTE * (seat + np.uint64(HELD - WAITING)) & LOW_BYTE)
    out[here + np.uint64(11)] = np.float32(tiles_held) * np.float32(1 / 3)
    out[here + np.uint64(12)] = np.float32(seat == s.turn_player)
    return score


@inlined
def write_set(gods, out, at):
    """A set of Gods, eight at a time."""
    here, left = np.uint64(at), np.uint64(gods)
    for _ in range(NUM_GODS // 8):
        for i in range(BYTE):
            out[here + i] = BIT_ROWS[left & LOW_BYTE, i]
        left >>= BYTE
        here += BYTE
    for i in range(np.uint64(NUM_GODS % 8)):
        out[here + i] = BIT_ROWS[left, i]


@inlined
def write_ready(s, out, at):
    used = np.uint32(0)
    for i in range(np.uint64(NUM_POWERS)):
        used |= np.uint32(s.used[np.uint64(NUM_ENNEAD) + i]) << np.uint32(i)
    borrowed = np.int64(s.copied != NONE) << max(s.copied, 0)
    left = np.uint64((s.gods[s.turn_player] | borrowed) >> NUM_ENNEAD & ~np.int64(used)) * np.uint64(s.in_work)
    here = np.uint64(at)
    for _ in range(NUM_POWERS // 4):
        for i in range(np.uint64(4)):
            out[here + i] = BIT_ROWS[left & np.uint64(15), i]
        left >>= np.uint64(4)
        here += np.uint64(4)


# --- Dice --------------------------------------------------------------------------------------------------------------------


@inlined
def write_dice(s, out, at):
    here = np.uint64(at)
    for kind in range(np.uint64(len(KINDS))):
        for face in range(U6):
            out[here + face] = DICE_SHARE[np.uint64(s.pool[kind, face])]
        here += U6
    for kind in range(np.uint64(REAL_KINDS)):
        for face in range(U6):
            out[here + face] = DICE_SHARE[np.uint64(s.selected[kind, face])]
        here += U6


@inlined
def write_worship(s, out, at):
    """As work.can_worship and work.dice_missing say, with the dice of each value in a byte."""
    stone, showing = np.uint64(0), np.uint64(0)
    for face in range(U6):
        stone |= np.uint64(s.pool[STONE_DIE, face]) << BYTE * face
        showing |= np.uint64(s.pool[PRAYER, face] + s.pool[STONE_DIE, face] + s.pool[VIRTUAL, face]) << BYTE * face
    dice = sum_of_bytes(showing)
    t = np.uint64(s.turn_player)
    workers = s.resources[t, WORKER]
    cats = s.resources[t, CAT] + ((s.scarab[t] == GOLD) & (s.gold_used == 0))
    either = (s.god_place[BASTET] == OWNED + s.turn_player) | (s.copied == BASTET)
    here = np.uint64(at)
    for i in range(np.uint64(ROW)):
        god = min(np.uint64(np.uint8(s.row[i])) + NO_GOD * np.uint64(1 - s.in_work), NO_GOD)
        of_stone = lower_bytes(stone, NEED_STONE[god])
        fitting = sum_of_bytes(of_stone + lower_bytes(showing - of_stone, NEED_OF_VALUE[god]))
        missing = NEED_DICE[god] - fitting - min(dice - fitting, NEED_ANY[god])
        no_workers, no_cats = NEED_WORKERS[god] - workers, NEED_CATS[god] - cats
        paid = (no_workers + no_cats <= 0) & (either | ((no_workers <= 0) & (no_cats <= 0)))
        out[here] = np.float32((god < NO_GOD) & paid & (missing == 0))
        out[here + U1] = np.float32(missing) * np.float32(1 / 4)
        here += np.uint64(2)


@inlined
def sum_of_bytes(x):
    return np.int64(x * BYTES >> np.uint64(56))


@inlined
def lower_bytes(a, b):
    """The lower one of each two bytes, all below 128."""
    not_less = ((a | HIGH_BITS) - b & HIGH_BITS) >> np.uint64(7)  # 1 where a >= b
    chosen = not_less * LOW_BYTE
    return (b & chosen) | (a & ~chosen)


# --- Rest tiles --------------------------------------------------------------------------------------------------------------


@inlined
def tiles_by_place(s):
    """How many tiles are in each place: a byte for every place, from WAITING on."""
    tiles = np.uint64(0)
    for tile in range(NUM_TILES):
        tiles += np.uint64(1) << BYTE * np.uint64(s.tile_place[tile] - WAITING)
    return tiles


@inlined
def write_tiles(s, observer, out, at):
    seats = s.num_seats
    here, width = np.uint64(at), np.uint64(1 + seats)
    write_zeros(NUM_TILES * (1 + seats), out, at)
    for tile in range(np.uint64(NUM_TILES)):
        place = np.int64(s.tile_place[tile])
        column = place - observer if place > observer else place - observer + seats
        out[here + np.uint64(column if place >= HELD else 0)] = np.float32(place >= AVAILABLE)
        here += width


# --- Pyramids ----------------------------------------------------------------------------------------------------------------


@inlined
def write_hits(s, project, out, at):
    card, here, open_spaces = np.uint64(project), np.uint64(at), np.uint64(s.open_spaces)
    for i in range(np.uint64(BESIDE_SPACES)):
        hits = HITS[card, np.uint64(s.pyramid[BESIDE[i, U0]])] + HITS[card, np.uint64(s.pyramid[BESIDE[i, U1]])]
        if i < np.uint64(IN_MIDDLE):
            hits += HITS[card, np.uint64(s.pyramid[BESIDE[i, U2]])] + HITS[card, np.uint64(s.pyramid[BESIDE[i, U3]])]
        hits *= open_spaces >> SPACE_BESIDE[i] & U1
        for k in range(np.uint64(4)):
            out[here + k] = THREE_HITS[hits & LOW_HITS, k]
        for k in range(np.uint64(4)):
            out[here + U3 + k] = THREE_HITS[hits >> HALF, k]
        here += U6


@inlined
def write_solo(s, out, at):
    write_zeros(len(ARCHITECTS) + NUM_PROJECTS, out, at)
    out[at + s.architect] = 1
    at += len(ARCHITECTS)
    for i in range(len(s.architect_projects)):
        if s.architect_projects[i] != NONE:
            out[at + s.architect_projects[i]] = 1
    at += NUM_PROJECTS
    out[at] = min(public_score(s, ARCHITECT_SEAT) + architect_project_fame(s), POINTS) * (1 / POINTS)
    at += 1
    for tile in range(NUM_TILES):
        out[at + tile] = (s.tile_slot[tile] + 1) * (1 / NUM_SLOTS)
    at += NUM_TILES
    write_zeros(NUM_TILES, out, at)
    if s.slot_queue_length > 0:
        out[at + s.slot_queue[0]] = 1
