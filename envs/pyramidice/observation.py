"""What the schema cannot say of an observation: seats counted from the observer (the Architect's too), what the dice can buy and
what a die on each open space would add to the own Project."""

from __future__ import annotations

from ...encoders.flat import Feature
from ..core.jit import kernel
from .building import usual_cost
from .cards import ENNEAD, cards_left, ennead_cards, god_count, owns
from .components import (
    ANUBIS,
    ANUBIS_LIMIT,
    ARCHITECT_SEAT,
    ARCHITECTS,
    ENNEAD_FAME,
    FACES,
    KINDS,
    NEIGHBOURS,
    NUM_ENNEAD,
    NUM_GODS,
    NUM_PROJECTS,
    NUM_RESOURCES,
    NUM_SLOTS,
    NUM_SPACES,
    NUM_TILES,
    PARTNER,
    REAL_KINDS,
    ROW,
    STONE,
    TURNS_PER_SEAT,
    UNITS,
)
from .dice import dice_in_pool
from .rest_tiles import tiles_held
from .scoring import architect_project_fame, end_fame, project_fame, public_score
from .state import AVAILABLE, DISCARDED, HELD, NONE, SEAT_FACTOR
from .work import can_worship, dice_missing

PER_SEAT = 13
NUM_POWERS = NUM_GODS - NUM_ENNEAD
MANY_DICE = 4  # of one kind and value
POINTS = 100


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
        Feature("open_spaces", NUM_SPACES, "spaces that can be built on"),
        Feature("project_hits", NUM_SPACES * FACES, "per open space and value: pairs of the own Project it would complete, by 4"),
        Feature("own_score", 2, "own Project by 40, own score if the game ended now by 100"),
        Feature("next_unit", len(UNITS), "the unit being gained (one-hot)"),
        Feature("build_cost", 1, "Workers that the chosen space costs, by 4"),
        *(solo if num_players == 1 else []),
    ]  # fmt: skip


@kernel
def features(s, observer, out):
    seats = s.num_seats
    out[0] = cards_left(s) * (1 / NUM_GODS)
    out[1] = s.turns / (TURNS_PER_SEAT * seats)
    at = 2
    if s.pharaoh != NONE:
        out[at + (s.pharaoh - observer + seats) % seats] = 1
    at += seats
    for i in range(seats):
        write_seat(s, (observer + i) % seats, out[at : at + PER_SEAT])
        at += PER_SEAT
    for i in range(seats):
        write_bits(s.gods[(observer + i) % seats], out[at : at + NUM_GODS])
        at += NUM_GODS
    for god in range(NUM_GODS):
        out[at + god] = s.god_place[god] == DISCARDED
    at += NUM_GODS
    if s.in_work:
        write_ready(s, out[at : at + NUM_POWERS])
    at += NUM_POWERS
    at = write_dice(s, out, at)
    at = write_worship(s, out, at)
    at = write_tiles(s, observer, out, at)
    at = write_pyramids(s, observer, out, at)
    if s.queue_length > 0:
        out[at + s.queue[0] % SEAT_FACTOR] = 1
    at += len(UNITS)
    if s.build_space != NONE:
        out[at] = usual_cost(s, s.build_value, s.build_space) * (1 / 4)
    if s.num_players == 1:
        write_solo(s, out, at + 1)


@kernel
def clipped(x):
    return min(max(x, -1.0), 1.0)


@kernel
def write_bits(members, out):
    i = 0
    while members != 0:
        out[i] = members & 1
        members >>= 1
        i += 1


@kernel
def write_seat(s, p, out):
    out[0] = clipped(s.fame[p] / POINTS)
    spaces = 0
    for resource in range(NUM_RESOURCES):
        out[1 + resource] = s.resources[p][resource] * (1 / 9)
        spaces += s.resources[p][resource]
    out[4] = spaces * (1 / 9)
    gods, ennead = god_count(s, p), ennead_cards(s, p)
    out[5] = clipped(gods / 10)
    out[6] = ennead * (1 / NUM_ENNEAD)
    out[7] = ENNEAD_FAME[ennead] * (1 / 20)
    out[8] = clipped(end_fame(s, p) / 20)
    limit = spaces - s.resources[p][STONE] + (ANUBIS_LIMIT if owns(s, p, ANUBIS) else 0)
    out[9] = clipped((limit - gods) / 9)
    out[10] = clipped(public_score(s, p) / POINTS)
    out[11] = tiles_held(s, p) * (1 / 3)
    out[12] = p == s.turn_player


@kernel
def write_ready(s, out):
    powers = s.gods[s.turn_player] & ~ENNEAD
    if s.copied != NONE:
        powers |= 1 << s.copied
    write_bits(powers >> NUM_ENNEAD, out)
    for i in range(NUM_POWERS):
        if s.used[NUM_ENNEAD + i]:
            out[i] = 0


@kernel
def write_dice(s, out, at):
    for kind in range(len(KINDS)):
        for face in range(FACES):
            out[at + FACES * kind + face] = clipped(s.pool[kind][face] / MANY_DICE)
    at += len(KINDS) * FACES
    for kind in range(REAL_KINDS):
        for face in range(FACES):
            out[at + FACES * kind + face] = clipped(s.selected[kind][face] / MANY_DICE)
    return at + REAL_KINDS * FACES


@kernel
def write_worship(s, out, at):
    dice = dice_in_pool(s)
    for i in range(ROW):
        god = s.row[i]
        if god != NONE and s.in_work:
            out[at + 2 * i] = can_worship(s, god, dice)
            out[at + 2 * i + 1] = dice_missing(s, god, dice) * (1 / 4)
    return at + 2 * ROW


@kernel
def write_tiles(s, observer, out, at):
    seats = s.num_seats
    for tile in range(NUM_TILES):
        place = s.tile_place[tile]
        if place == AVAILABLE:
            out[at] = 1
        elif place >= HELD:
            out[at + 1 + (place - HELD - observer + seats) % seats] = 1
        at += 1 + seats
    return at


@kernel
def write_pyramids(s, observer, out, at):
    project = s.project[observer]
    write_bits(s.open_spaces, out[at : at + NUM_SPACES])
    at += NUM_SPACES
    for space in range(NUM_SPACES):
        if s.open_spaces >> space & 1 and project != NONE:
            for i in range(NEIGHBOURS.shape[1]):
                beside = NEIGHBOURS[space, i]
                if beside >= 0 and s.pyramid[beside] > 0:
                    out[at + PARTNER[project, s.pyramid[beside]] - 1] += 0.25
        at += FACES
    fame = project_fame(s, project)
    out[at] = fame * (1 / 40)
    out[at + 1] = clipped((public_score(s, observer) + fame) / POINTS)
    return at + 2


@kernel
def write_solo(s, out, at):
    out[at + s.architect] = 1
    at += len(ARCHITECTS)
    for i in range(len(s.architect_projects)):
        if s.architect_projects[i] != NONE:
            out[at + s.architect_projects[i]] = 1
    at += NUM_PROJECTS
    out[at] = clipped((public_score(s, ARCHITECT_SEAT) + architect_project_fame(s)) / POINTS)
    at += 1
    for tile in range(NUM_TILES):
        out[at + tile] = (s.tile_slot[tile] + 1) * (1 / NUM_SLOTS)
    at += NUM_TILES
    if s.slot_queue_length > 0:
        out[at + s.slot_queue[0]] = 1
