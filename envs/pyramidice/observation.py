"""What the schema cannot say of an observation: the score sheet, what is still to be gained, what the dice can buy, and what a die
on each open space would add to the own Project."""

from __future__ import annotations

import numpy as np

from ..core.declare.features import SEAT, Feature
from ..core.declare.grid import Grid
from ..core.kernel.jit import inlined
from ..core.kernel.writing import put_bytes, stack_row, write_bits, write_equal, write_one_hot, write_zeros
from . import components as pieces
from .components import (
    ANUBIS,
    CAT,
    COST_CATS,
    COST_WORKERS,
    ENNEAD_FAME,
    FACES,
    KINDS,
    NEIGHBOURS,
    NUM_ENNEAD,
    NUM_GODS,
    NUM_PROJECTS,
    NUM_TILES,
    ROW,
    WORKER,
)
from .dice import dice_word, stone_dice_word
from .resources import can_pay
from .scoring import projects_fame, scarab_fame
from .state import AVAILABLE, FOR_NOTHING, HELD, MOST_DICE, MOST_FAME, NONE, SEAT_FACTOR, WAITING
from .work import dice_missing

NUM_POWERS = NUM_GODS - NUM_ENNEAD
POINTS = 100

# --- Players -------------------------------------------------------------------------------------------------------------------


@inlined
def write_sheet(s, me, p, out):
    """A secret Project is counted on its owner's sheet only."""
    project = projects_fame(s, p) * ((p == me) | (p >= s.num_players))
    ennead, of_scarab = ENNEAD_FAME[s.ennead_cards[p]], scarab_fame(s, p)
    total = s.fame[p] + s.god_fame[p] + ennead + of_scarab + project
    out[0] = min(s.fame[p], POINTS) * (1 / POINTS)
    out[1] = max(s.fame[p] - POINTS, 0) * (1 / MOST_FAME)
    out[2] = s.god_fame[p] * (1 / POINTS)
    out[3] = ennead * (1 / POINTS)
    out[4] = of_scarab * (1 / POINTS)
    out[5] = project * (1 / POINTS)
    out[6] = min(total, POINTS) * (1 / POINTS)


@inlined
def write_cult(s, me, p, out):
    limit = s.resources[p, WORKER] + s.resources[p, CAT] + pieces.ANUBIS_LIMIT * (s.gods[p] >> ANUBIS & 1)
    out[0] = min(max(limit - s.god_count[p], -10), 10) * (1 / 10)


@inlined
def write_units(s, me, p, out):
    write_zeros(out)
    for i in range(s.queue_length):
        if s.queue[i] // SEAT_FACTOR == p:
            out[s.queue[i] % SEAT_FACTOR] += 1 / 3


@inlined
def write_tiles_held(s, me, p, out):
    write_equal(s.tile_place, HELD + p, out, NUM_TILES)


# --- Gods and dice -------------------------------------------------------------------------------------------------------------

# By fifths up to four of a kind and value; more are rare.
DICE_SHARE = np.interp(np.arange(MOST_DICE + 1), [0, 4, MOST_DICE], [0, 0.8, 1]).astype(np.float32)


@inlined
def write_used(s, me, out):
    write_bits(np.uint64(s.used >> NUM_ENNEAD), out)


@inlined
def write_borrowed(s, me, out):
    write_one_hot(s.copied - NUM_ENNEAD if s.copied != NONE else NONE, out)


@inlined
def write_pool(s, me, out):
    for kind in range(np.uint64(len(KINDS))):
        for face in range(np.uint64(FACES)):
            out[np.uint64(FACES) * kind + face] = DICE_SHARE[np.uint64(s.pool[kind, face])]


@inlined
def write_selected(s, me, out):
    for kind in range(np.uint64(pieces.REAL_KINDS)):
        for face in range(np.uint64(FACES)):
            out[np.uint64(FACES) * kind + face] = DICE_SHARE[np.uint64(s.selected[kind, face])]


@inlined
def write_worship(s, me, out):
    write_zeros(out)
    if s.in_work:
        stone_dice, dice = stone_dice_word(s), dice_word(s)
        for i in range(ROW):
            if s.row[i] != NONE:
                missing = dice_missing(s.row[i], stone_dice, dice)
                out[i] = (missing == 0) & can_pay(s, COST_WORKERS[s.row[i]], COST_CATS[s.row[i]])
                out[ROW + i] = missing * (1 / 4)


@inlined
def write_payment_for(s, me, out):
    write_one_hot(s.payment_for if s.payment != FOR_NOTHING else NONE, out)


# --- Tiles ---------------------------------------------------------------------------------------------------------------------


@inlined
def write_tiles_available(s, me, out):
    write_equal(s.tile_place, AVAILABLE, out, NUM_TILES)


@inlined
def write_tile_slots(s, me, out):
    for tile in range(np.uint64(NUM_TILES)):
        out[tile] = np.float32(s.tile_slot[tile] + 1) * np.float32(1 / pieces.NUM_SLOTS)


@inlined
def write_tiles_waiting(s, me, out):
    write_equal(s.tile_place, WAITING, out, NUM_TILES)


# --- Pyramids and Projects -----------------------------------------------------------------------------------------------------

WITH_NEIGHBOURS = np.flatnonzero((NEIGHBOURS >= 0).any(axis=1)).astype(np.uint64)
NO_SPACE = len(NEIGHBOURS)
OTHERS = np.where(NEIGHBOURS >= 0, NEIGHBOURS, NO_SPACE)[WITH_NEIGHBOURS].astype(np.uint64)
HITS = FACES * len(WITH_NEIGHBOURS)
SPACES_AND_NONE = NO_SPACE + 1
# Per Project and value of a die: a word with a byte for every value, 1 for the one that makes a pair with it.
BYTE_BITS = np.uint64(8)
PARTNER_BYTES = np.zeros(pieces.PARTNER.shape, np.uint64)
PARTNER_BYTES[:, 1:] = np.uint64(1) << BYTE_BITS * (pieces.PARTNER[:, 1:] - 1).astype(np.uint64)


@inlined
def write_project_hits(s, me, out):
    """A word per space counts the pairs of each value in its bytes; six of the eight are shown."""
    partners = stack_row(SPACES_AND_NONE, np.uint64)
    card, open_spaces = np.uint64(s.project[me]), np.uint64(s.open_spaces)
    for space in range(np.uint64(NO_SPACE)):
        partners[space] = PARTNER_BYTES[card, np.uint64(s.pyramid[space])]
    partners[NO_SPACE] = 0
    for i in range(np.uint64(len(WITH_NEIGHBOURS))):
        pairs = partners[OTHERS[i, 0]] + partners[OTHERS[i, 1]] + partners[OTHERS[i, 2]] + partners[OTHERS[i, 3]]
        put_bytes(pairs * (open_spaces >> WITH_NEIGHBOURS[i] & np.uint64(1)), 1 / 4, out, np.uint64(FACES) * i, FACES)


@inlined
def write_architect(s, me, out):
    write_one_hot(s.architect, out)


@inlined
def write_architect_projects(s, me, out):
    write_zeros(out)
    for i in range(len(s.architect_projects)):
        if s.architect_projects[i] != NONE:
            out[s.architect_projects[i]] = 1


SOLO = (1,)
FEATURES = (
    Feature(
        "sheet",
        7,
        "score sheet by 100, cut at 1: Fame, Fame beyond 100 by 9999, Gods, Ennead, Scarab, Project (0 if secret), sum",
        write_sheet,
        per=SEAT,
        by=(100, 9999, 100, 100, 100, 100, 100),
    ),
    Feature("cult", 1, "how many more Gods its Workers and Cats support, by 10", write_cult, per=SEAT),
    Feature("units", len(pieces.UNITS), f"units still to gain, by 3: {', '.join(pieces.UNITS)}", write_units, per=SEAT, by=3),
    Feature("tiles_held", NUM_TILES, "Rest tiles in front of it", write_tiles_held, per=SEAT, by=1),
    Feature("tiles_available", NUM_TILES, "Rest tiles that can be taken", write_tiles_available, by=1),
    Feature("used", NUM_POWERS, "Gods outside the Ennead that are used in this Work turn", write_used, by=1),
    Feature("borrowed", NUM_POWERS, "the God whose power Amethyst borrows (one-hot)", write_borrowed, by=1),
    Feature("pool", len(KINDS) * FACES, "unused dice: Prayer, Stone, virtual, by value; fifths up to 4", write_pool, by=5),
    Feature("selected", pieces.REAL_KINDS * FACES, "dice selected for a reroll: Prayer, Stone; as `pool`", write_selected, by=5),
    Feature(
        "worship", 2 * ROW, "in a Work turn: face-up Gods that can be paid now; dice missing for each, by 4", write_worship, by=4
    ),
    Feature("payment_for", NUM_GODS, "row position, God or Cat change that is being paid for (one-hot)", write_payment_for, by=1),
    Feature(
        "project_hits",
        HITS,
        "for each space with neighbours, if open, and value of a die: pairs of the own Project it would complete, by 4",
        write_project_hits,
        things=len(WITH_NEIGHBOURS),
        by=4,
    ),
    Feature("architect", len(pieces.ARCHITECTS), "the Great Architect (one-hot)", write_architect, at=SOLO, by=1),
    Feature("architect_projects", NUM_PROJECTS, "his Projects", write_architect_projects, at=SOLO, by=1),
    Feature("tile_slots", NUM_TILES, "slot of each available tile, by 6; 0 for the others", write_tile_slots, at=SOLO, by=6),
    Feature("tiles_waiting", NUM_TILES, "tiles that wait for a slot; the first is placed next", write_tiles_waiting, at=SOLO, by=1),
)

# --- Planes: three Pyramids side by side, a plane for every level. A space lies above the first of the four it rests on ---------

BASE = max(side for _, _, side, _ in pieces.STOREYS)
PYRAMID_AT = (0, BASE + 1, BASE + 4)  # the first column of Cheops, Chephren, Mykerinos, with a gap between them
WIDTH = PYRAMID_AT[-1] + 1


def _space_cells() -> tuple[int, ...]:
    return tuple(
        (level - 1) * BASE * WIDTH + row * WIDTH + PYRAMID_AT[pyramid] + column
        for pyramid, level, side, _ in pieces.STOREYS
        for row in range(side)
        for column in range(side)
    )


SPACE_CELLS = _space_cells()
PLANES = Grid(
    BASE,
    WIDTH,
    {
        "pyramid": SPACE_CELLS,
        "open_spaces": SPACE_CELLS,
        "build_space": SPACE_CELLS,
        "project_hits": tuple(SPACE_CELLS[space] for space in WITH_NEIGHBOURS.tolist()),
    },
    depth=int(pieces.SPACE_LEVEL.max()),
)

# --- What an action changes ----------------------------------------------------------------------------------------------------


@inlined
def write_means(s, me, out):
    for i in range(pieces.NUM_RESOURCES):
        out[i] = s.resources[me, i] / 10
    dice = 0
    for kind in range(len(KINDS)):
        for face in range(FACES):
            dice += s.pool[kind, face]
    out[pieces.NUM_RESOURCES] = dice * (s.turn_player == me) / 10
    out[pieces.NUM_RESOURCES + 1] = s.god_count[me] / 10


LOOKAHEAD = (
    Feature(
        "means",
        pieces.NUM_RESOURCES + 2,
        "Workers, Cats, Stone dice, unused dice, Gods: what it costs and brings, by 10",
        write_means,
    ),
)
