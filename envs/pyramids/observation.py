"""What the schema cannot say of an observation: what the table knows of the others' cards, open locations, scores so far."""

from __future__ import annotations

from ...encoders.flat import Feature
from ..core.jit import kernel
from .components import (
    ALLOWS_OBELISK,
    ALLOWS_TOMB,
    GLYPH_POINTS,
    LARGE_TABLE,
    MAX_SCORE,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_LOCATIONS,
    NUM_TILES,
    OBELISK,
    OPEN_LOCATIONS,
    PYRAMID,
    SEKHMET,
    STONES,
)
from .rules import in_play
from .scoring import groups_and_longest, has_bonus, obelisk_points, score_of
from .state import CANDIDATE, KNOWN_IN_HAND, KNOWN_IN_TOMB, NOTHING

HAND_STONES, TOMB_STONES = 9, 30  # at most three cards in hand, ten in a Tomb
PER_TILE, PER_SEAT, PER_OTHER = 5, NUM_LOCATIONS + 3, 4 * NUM_COLOURS


def feature_table(num_players: int) -> list[Feature]:
    others = num_players - 1
    return [
        Feature("deck_left", 1, "cards left in the deck, by 105"),
        Feature("tiles", NUM_TILES * PER_TILE, "per tile: in play, free, allows Obelisk, Tomb, only one of both"),
        Feature("standing", num_players * PER_SEAT, "per seat: open locations, Pyramid and Obelisk glyphs by 10, public points"),
        Feature("own_score", 1, "own score if the game ended now"),
        Feature("known", others * PER_OTHER, "per other: stones by colour surely in hand, candidates (weighted), surely in Tomb, candidates there"),
    ]  # fmt: skip


@kernel
def features(s, observer, out):
    out[0] = (NUM_CARDS - s.deck_position) / NUM_CARDS
    at = 1
    for tile in range(NUM_TILES):
        write_tile(s, tile, out[at : at + PER_TILE])
        at += PER_TILE
    for i in range(s.num_players):
        write_standing(s, (observer + i) % s.num_players, out[at : at + PER_SEAT])
        at += PER_SEAT
    out[at] = score_of(s, observer) / MAX_SCORE
    at += 1
    for i in range(1, s.num_players):
        write_known(s, (observer + i) % s.num_players, out[at : at + PER_OTHER])
        at += PER_OTHER


@kernel
def write_tile(s, tile, out):
    out[0] = in_play(s, tile)
    out[1] = in_play(s, tile) and s.tile_owner[tile] == NOTHING
    out[2] = ALLOWS_OBELISK[tile]
    out[3] = ALLOWS_TOMB[tile]
    out[4] = tile == SEKHMET and s.num_players >= LARGE_TABLE


@kernel
def write_standing(s, p, out):
    open_locations = OPEN_LOCATIONS[s.filled_slots[p]]
    for location in range(NUM_LOCATIONS):
        out[location] = open_locations >> location & 1
    glyphs = s.glyphs[p]
    groups, longest = groups_and_longest(s, p)
    points = groups + longest + 10 * has_bonus(s, p) + obelisk_points(s, p)
    out[NUM_LOCATIONS] = glyphs[PYRAMID] / 10
    out[NUM_LOCATIONS + 1] = glyphs[OBELISK] / 10
    out[NUM_LOCATIONS + 2] = (points + GLYPH_POINTS * (glyphs[PYRAMID] + glyphs[OBELISK])) / MAX_SCORE


@kernel
def write_known(s, q, out):
    """Only sums over publicly known sets: which candidate is really in hand must not show."""
    candidates = 0
    for i in range(s.hand_size[q]):
        card = s.hand[q][i]
        candidates += add_known(s, q, card, out)
    for i in range(s.tomb_size[q]):
        candidates += add_known(s, q, s.tomb[q][i], out)
    if candidates:
        for colour in range(NUM_COLOURS):
            stones = out[NUM_COLOURS + colour]
            out[NUM_COLOURS + colour] = stones / candidates / HAND_STONES
            out[3 * NUM_COLOURS + colour] = stones * (candidates - 1) / candidates / TOMB_STONES
    for colour in range(NUM_COLOURS):
        out[colour] /= HAND_STONES
        out[2 * NUM_COLOURS + colour] /= TOMB_STONES


@kernel
def add_known(s, q, card, out):
    """Add the stones of a card to the run of its public place; return whether it is a candidate."""
    place = s.public_place[card]
    if place == KNOWN_IN_HAND + q:
        run = 0
    elif place == CANDIDATE + q:
        run = NUM_COLOURS
    elif place == KNOWN_IN_TOMB + q:
        run = 2 * NUM_COLOURS
    else:
        return 0
    for colour in range(NUM_COLOURS):
        out[run + colour] += STONES[card, colour]
    return run == NUM_COLOURS
