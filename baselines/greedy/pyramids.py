"""The greedy player of Pyramids: plans its whole turn, looking at its own necropolis and at what the table knows.

A turn puts one card into the Pyramid and, as the tile allows, one onto the Obelisk and one into the Tomb; at most one card is
kept. What a card is worth in each of these places does not depend on where the other cards go, so every card is valued once
and a plan only distributes the cards. The numbers were lightly tuned.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ...envs.core.kernel.jit import kernel
from ...envs.pyramids.actions import DROP, GOD, LAY, NUM_ACTIONS, OBE, PASS, PYR, TAKE
from ...envs.pyramids.components import (
    ALLOWS_OBELISK,
    ALLOWS_TOMB,
    BASE,
    BONUS,
    BONUS_GROUP,
    CELL_BOARD,
    FIRST_UPPER_LOCATION,
    GLYPH,
    GLYPH_POINTS,
    LEFT_END,
    LOWER_HALF_BOARD,
    NO_GLYPH,
    NUM_COLOURS,
    NUM_LOCATIONS,
    NUM_ROUNDS,
    NUM_SLOTS,
    NUM_TILES,
    OBELISK,
    OBELISK_POINTS,
    OPEN_LOCATIONS,
    PYRAMID,
    RIGHT_END,
    SHOWS,
    SLOT_SHIFT,
    STONES,
    TOMB,
    TOMB_MAJORITY,
)
from ...envs.pyramids.rules import base_cards, one_edifice_only
from ...envs.pyramids.scoring import count_stones, group_of, tomb_glyph_points
from ...envs.pyramids.state import (
    BUILD_OBELISK,
    BUILD_PYRAMID,
    BUILD_TOMB,
    CHOOSE_GOD,
    INITIAL_CANDIDATE,
    INITIAL_IN_TOMB,
    NOTHING,
    SEATS,
    TAKE_PAIR,
)

KEPT, KEPT_GLYPH = 1.0, 0.7
STAGES_TO_COME = 0.3  # Obelisk stages expected per round to go
MAJORITY_PER_STONE = 0.5  # chance of a majority gained by a lead of one stone at the end
MAJORITY_FADING = 0.15  # how much less a lead means per round to go
NAMELESS_STONES = 0.571  # of each colour, expected on a card nobody has seen: 60 stones on 105 cards
PER_TURN = 3.5  # points that a turn to come is worth beyond these hopes
TIE = 1e-9  # values this close are equal; the lowest action wins

# What a card is worth built into the Pyramid, onto the Obelisk, into the Tomb, or kept.
BUILT, RAISED, BURIED, HELD = range(4)
NO_CARD = (-np.inf, -np.inf, -np.inf, 0.0)

# What a turn is worth that builds the Pyramid only, also the Obelisk, also the Tomb, or all three.
ALONE, WITH_OBELISK, WITH_TOMB, WITH_BOTH = range(4)

# A player must not allocate: rows of the spare masks are its notepad. Rows 0-4: per tile what each pair is worth.
CELLS, LOWER_HALVES, RIVALS = NUM_TILES, NUM_TILES + 1, NUM_TILES + 2
assert 8 * (max(SEATS, NUM_COLOURS) - 1) < NUM_ACTIONS  # a padded row holds a number per pair, or per colour


def _chance_of_rank() -> np.ndarray:
    """[n, k, a]: the chance that, with k of n pairs gone at random, the best one left is the a-th best."""
    chance = np.zeros((SEATS + 1, SEATS, SEATS))
    for n in range(1, SEATS + 1):
        for k in range(n):
            for a in range(k + 1):
                chance[n, k, a] = comb(n - 1 - a, k - a) / comb(n, k)
    return chance


CHANCE_OF_RANK = _chance_of_rank()


@kernel
def greedy(s, mask, counter, scratch, masks):
    if s.phase == CHOOSE_GOD:
        return choose_god(s, mask, masks)
    if s.phase == TAKE_PAIR:
        return choose_pair(s, mask, masks)
    if s.phase == BUILD_PYRAMID:
        return choose_pyramid(s, masks)
    if s.phase == BUILD_OBELISK:
        return choose_obelisk(s, masks)
    if s.phase == BUILD_TOMB:
        return choose_tomb(s, masks)
    return choose_discard(s, masks)


# --- What a card is worth ----------------------------------------------------------------------------------------------------


@kernel
def study(s, notes):
    """Note what the values of all cards need: the own Pyramid as boards, and the Tombs to beat."""
    note_pyramid(s, notes)
    note_rivals(s, s.current_player, notes[RIVALS].view(np.float64))


@kernel
def worth(s, card, notes):
    if card == NOTHING:
        return NO_CARD
    built, _ = best_location(s, card, notes)
    return (
        built + GLYPH_POINTS * (GLYPH[card] == PYRAMID),
        obelisk_gain(s, card),
        tomb_gain(s, card, notes),
        kept_value(s, card),
    )


@kernel
def kept_value(s, card):
    if s.round == NUM_ROUNDS:
        return 0.0
    return KEPT + KEPT_GLYPH * (GLYPH[card] != NO_GLYPH)


# --- In the Pyramid


@kernel
def note_pyramid(s, notes):
    cells, lower_halves = notes[CELLS].view(np.uint64), notes[LOWER_HALVES].view(np.uint64)
    cells[:] = 0
    lower_halves[:] = 0
    slots = s.pyramid[s.current_player]
    for slot in range(NUM_SLOTS):
        if slots[slot] != NOTHING:
            for colour in range(NUM_COLOURS):
                cells[colour] |= CELL_BOARD[slots[slot], colour] << SLOT_SHIFT[slot]
                lower_halves[colour] |= LOWER_HALF_BOARD[slots[slot], colour] << SLOT_SHIFT[slot]


@kernel
def best_location(s, card, notes):
    """The best value of the Pyramid with the card in it, and where that is."""
    p = s.current_player
    open_locations = OPEN_LOCATIONS[s.filled_slots[p]]
    best, best_at = -np.inf, -1
    for location in range(NUM_LOCATIONS):
        if open_locations >> location & 1:
            if location == LEFT_END:
                slot, moved = 0, SLOT_SHIFT[1]  # the others stand one slot further right
            elif location == RIGHT_END:
                slot, moved = base_cards(s.pyramid[p]), SLOT_SHIFT[0]
            else:
                slot, moved = location - FIRST_UPPER_LOCATION + BASE, SLOT_SHIFT[0]
            value = pyramid_value(s, card, SLOT_SHIFT[slot], moved, notes)
            if value > best + TIE:
                best, best_at = value, location
    return best, best_at


@kernel
def pyramid_value(s, card, at, moved, notes):
    """Points of the Pyramid with the card at a slot, and the hope for the bonus."""
    p = s.current_player
    cells, lower_halves = notes[CELLS].view(np.uint64), notes[LOWER_HALVES].view(np.uint64)
    groups, longest, lacking = 0, 0, 0
    for colour in range(NUM_COLOURS):
        size = np.int64(s.largest_group[p][colour])
        if STONES[card, colour]:
            stone = CELL_BOARD[card, colour] << at  # all stones of a colour on one card touch
            group = group_of(stone, stone | (cells[colour] << moved))
            lower = (LOWER_HALF_BOARD[card, colour] << at) | (lower_halves[colour] << moved)
            size = max(size, count_stones(group, lower))
        groups += size
        longest = max(longest, size)
        lacking += max(0, BONUS_GROUP - size)
    return groups + longest + bonus_hope(lacking, NUM_SLOTS - 1 - s.pyramid_size[p])


@kernel
def bonus_hope(lacking, empty_slots):
    if lacking == 0:
        return float(BONUS)
    if empty_slots == 0:
        return 0.0
    return BONUS * max(0.0, 1.0 - lacking / (2.0 * empty_slots))


# --- On the Obelisk


@kernel
def obelisk_gain(s, card):
    now, then = 0, 0
    for colour in range(NUM_COLOURS):
        stages = np.int64(s.obelisk_colours[s.current_player][colour])
        now = max(now, stages)
        then = max(then, stages + SHOWS[card, colour])
    hope = STAGES_TO_COME * (NUM_ROUNDS - s.round)
    return obelisk_value(then + hope) - obelisk_value(now + hope) + GLYPH_POINTS * (GLYPH[card] == OBELISK)


@kernel
def obelisk_value(stages):
    """The table of Obelisk points, read between its lines."""
    last = len(OBELISK_POINTS) - 1
    if stages >= last:
        return float(OBELISK_POINTS[last])
    full = int(stages)
    return OBELISK_POINTS[full] + (stages - full) * (OBELISK_POINTS[full + 1] - OBELISK_POINTS[full])


# --- In the Tomb


@kernel
def note_rivals(s, p, rivals):
    """Per colour: the most stones that the table expects in the Tomb of another player than p."""
    for colour in range(NUM_COLOURS):
        rivals[colour] = rival_stones(s, p, colour)


@kernel
def rival_stones(s, p, colour):
    most = 0.0
    for q in range(s.num_players):
        if q != p:
            most = max(most, expected_stones(s, q, colour))
    return most


@kernel
def expected_stones(s, q, colour):
    """Stones known to be in q's Tomb, and those of the candidates, of which all but one are there."""
    candidates = s.candidates[q]
    nameless_sure = NAMELESS_STONES * (s.initial_status[q] == INITIAL_IN_TOMB)
    nameless_likely = NAMELESS_STONES * (s.initial_status[q] == INITIAL_CANDIDATE)
    in_tomb = (candidates - 1.0) / candidates if candidates else 0.0
    return s.sure_tomb[q][colour] + nameless_sure + (s.candidate_marks[q][colour] + nameless_likely) * in_tomb


@kernel
def tomb_gain(s, card, notes):
    rivals, to_go = notes[RIVALS].view(np.float64), NUM_ROUNDS - s.round
    gain = 0.0
    for colour in range(NUM_COLOURS):
        if STONES[card, colour]:
            lead = s.tomb_marks[s.current_player][colour] - rivals[colour]
            gain += majority_chance(s, lead + STONES[card, colour], to_go) - majority_chance(s, lead, to_go)
    return TOMB_MAJORITY * gain + GLYPH_POINTS * (GLYPH[card] == TOMB)


@kernel
def majority_chance(s, lead, to_go):
    certainty = MAJORITY_PER_STONE / (1.0 + MAJORITY_FADING * to_go)
    return min(1.0, max(0.0, 1.0 / s.num_players + certainty * lead))


# --- What a turn is worth ----------------------------------------------------------------------------------------------------


@kernel
def turns(built, one, other):
    """The best turns that build the first of three cards into the Pyramid: with it alone, with Obelisk, with Tomb, with both."""
    return (
        built[BUILT] + max(one[HELD], other[HELD]),
        built[BUILT] + max(one[RAISED] + other[HELD], other[RAISED] + one[HELD]),
        built[BUILT] + max(one[BURIED] + other[HELD], other[BURIED] + one[HELD]),
        built[BUILT] + max(one[RAISED] + other[BURIED], other[RAISED] + one[BURIED]),
    )


@kernel
def best_turns(a, b, c):
    x, y, z = turns(a, b, c), turns(b, a, c), turns(c, a, b)
    return (
        max(x[ALONE], max(y[ALONE], z[ALONE])),
        max(x[WITH_OBELISK], max(y[WITH_OBELISK], z[WITH_OBELISK])),
        max(x[WITH_TOMB], max(y[WITH_TOMB], z[WITH_TOMB])),
        max(x[WITH_BOTH], max(y[WITH_BOTH], z[WITH_BOTH])),
    )


@kernel
def allowed_best(s, tile, values):
    best = values[ALONE]
    if ALLOWS_OBELISK[tile]:
        best = max(best, values[WITH_OBELISK])
    if ALLOWS_TOMB[tile]:
        best = max(best, values[WITH_TOMB])
    if ALLOWS_OBELISK[tile] and ALLOWS_TOMB[tile] and not one_edifice_only(s, tile):
        best = max(best, values[WITH_BOTH])
    return best


# --- The decisions -----------------------------------------------------------------------------------------------------------


@kernel
def choose_god(s, mask, notes):
    study(s, notes)
    in_hand = worth(s, s.hand[s.current_player][0], notes)
    for pair in range(s.num_players):
        values = best_turns(in_hand, worth(s, s.quarry[pair][0], notes), worth(s, s.quarry[pair][1], notes))
        for tile in range(NUM_TILES):
            if mask[GOD + tile]:
                insert_descending(notes[tile].view(np.float64), pair, allowed_best(s, tile, values))
    best, best_tile = -np.inf, -1
    for tile in range(NUM_TILES):
        if mask[GOD + tile]:
            value = expected_value(s, notes[tile].view(np.float64), pairs_gone(s, mask, tile))
            if value > best + TIE:
                best, best_tile = value, tile
    return GOD + best_tile


@kernel
def insert_descending(values, size, value):
    i = size
    while i > 0 and values[i - 1] < value:
        values[i] = values[i - 1]
        i -= 1
    values[i] = value


@kernel
def pairs_gone(s, mask, tile):
    """How many players are expected to take a pair before the owner of a tile: the others choose tiles at random."""
    taken, free_below, free_others = 0, 0, 0
    for other in range(NUM_TILES):
        free = mask[GOD + other] and other != tile
        free_others += free
        free_below += free and other < tile
        taken += other < tile and s.tile_owner[other] != NOTHING
    later = s.num_players - 1 - s.gods_chosen
    if later == 0:
        return float(taken)
    return min(taken + later * free_below / free_others, s.num_players - 1.0)


@kernel
def expected_value(s, values, gone):
    """The expected value of the best pair left when `gone` of them are; between whole numbers, a straight line."""
    fewer = int(gone)
    more = min(fewer + 1, s.num_players - 1)
    low, high = 0.0, 0.0
    for a in range(s.num_players):
        low += values[a] * CHANCE_OF_RANK[s.num_players, fewer, a]
        high += values[a] * CHANCE_OF_RANK[s.num_players, more, a]
    return low + (gone - fewer) * (high - low)


@kernel
def choose_pair(s, mask, notes):
    study(s, notes)
    in_hand = worth(s, s.hand[s.current_player][0], notes)
    best, best_pair = -np.inf, -1
    for pair in range(s.num_players):
        if mask[TAKE + pair]:
            values = best_turns(in_hand, worth(s, s.quarry[pair][0], notes), worth(s, s.quarry[pair][1], notes))
            value = allowed_best(s, s.tile, values)
            if value > best + TIE:
                best, best_pair = value, pair
    return TAKE + best_pair


@kernel
def choose_pyramid(s, notes):
    study(s, notes)
    hand = s.hand[s.current_player]
    a, b, c = worth(s, hand[0], notes), worth(s, hand[1], notes), worth(s, hand[2], notes)
    best, best_card = allowed_best(s, s.tile, turns(a, b, c)), 0
    second, third = allowed_best(s, s.tile, turns(b, a, c)), allowed_best(s, s.tile, turns(c, a, b))
    if second > best + TIE:
        best, best_card = second, 1
    if third > best + TIE:
        best_card = 2
    _, location = best_location(s, hand[best_card], notes)
    return PYR + NUM_LOCATIONS * best_card + location


@kernel
def choose_obelisk(s, notes):
    """Compare the plans for one or two cards: each on the Obelisk, or neither; the Tomb may follow."""
    tomb_after = ALLOWS_TOMB[s.tile] and not one_edifice_only(s, s.tile)
    one, other = rest_of_hand(s, notes)
    first = one[RAISED] + max(other[HELD], other[BURIED] if tomb_after else 0.0)
    second = other[RAISED] + max(one[HELD], one[BURIED] if tomb_after else 0.0)
    nothing = max(one[HELD], other[HELD])
    if ALLOWS_TOMB[s.tile]:
        nothing = max(nothing, max(one[BURIED] + other[HELD], other[BURIED] + one[HELD]))
    return best_of_three(first, OBE, second, OBE + 1, nothing, PASS)


@kernel
def choose_tomb(s, notes):
    one, other = rest_of_hand(s, notes)
    return best_of_three(one[BURIED] + other[HELD], LAY, other[BURIED] + one[HELD], LAY + 1, max(one[HELD], other[HELD]), PASS)


@kernel
def rest_of_hand(s, notes):
    """What the cards left after building the Pyramid are worth elsewhere."""
    note_rivals(s, s.current_player, notes[RIVALS].view(np.float64))
    hand = s.hand[s.current_player]
    return worth_elsewhere(s, hand[0], notes), worth_elsewhere(s, hand[1], notes)


@kernel
def worth_elsewhere(s, card, notes):
    if card == NOTHING:
        return NO_CARD
    return -np.inf, obelisk_gain(s, card), tomb_gain(s, card, notes), kept_value(s, card)


@kernel
def best_of_three(first, first_action, second, second_action, third, third_action):
    """The action of the highest value; on a tie the earlier."""
    best, action = first, first_action
    if second > best + TIE:
        best, action = second, second_action
    if third > best + TIE:
        action = third_action
    return action


@kernel
def choose_discard(s, notes):
    note_pyramid(s, notes)
    hand = s.hand[s.current_player]
    first, _ = best_location(s, hand[0], notes)
    second, _ = best_location(s, hand[1], notes)
    first += GLYPH[hand[0]] != NO_GLYPH
    second += GLYPH[hand[1]] != NO_GLYPH
    return DROP if first < second - TIE else DROP + 1


# --- What a position is worth ------------------------------------------------------------------------------------------------


@kernel
def value(s, p):
    """The points that p may expect at the end, by what p knows: those that are open, and the hopes by which greedy plans a turn."""
    to_go = turns_to_go(s, p)
    return (
        s.open_points[p]
        + bonus_to_come(s, p)
        + stages_to_come(s, p, to_go)
        + majorities(s, p, to_go)
        + tomb_glyph_points(s, p)
        + hand_value(s, p, to_go)
        + PER_TURN * to_go
    )


@kernel
def turns_to_go(s, p):
    """The turns that p has not finished yet."""
    to_go = NUM_ROUNDS - s.round
    if s.phase == CHOOSE_GOD:
        return to_go + 1
    for tile in range(NUM_TILES):
        to_go += tile >= s.tile and s.tile_owner[tile] == p
    return to_go


@kernel
def bonus_to_come(s, p):
    lacking = 0
    for colour in range(NUM_COLOURS):
        lacking += max(0, BONUS_GROUP - s.largest_group[p][colour])
    return bonus_hope(lacking, NUM_SLOTS - s.pyramid_size[p]) if lacking else 0.0


@kernel
def stages_to_come(s, p, to_go):
    stages = 0
    for colour in range(NUM_COLOURS):
        stages = max(stages, s.obelisk_colours[p][colour])
    return obelisk_value(stages + STAGES_TO_COME * to_go) - obelisk_value(float(stages))


@kernel
def majorities(s, p, to_go):
    chances = 0.0
    for colour in range(NUM_COLOURS):
        chances += majority_chance(s, s.tomb_marks[p][colour] - rival_stones(s, p, colour), to_go)
    return TOMB_MAJORITY * chances


@kernel
def hand_value(s, p, to_go):
    """One card can be kept for a turn to come."""
    best = 0.0
    for i in range(s.hand_size[p]):
        best = max(best, KEPT + KEPT_GLYPH * (GLYPH[s.hand[p][i]] != NO_GLYPH))
    return best if to_go > 0 else 0.0


VALUE = value
POLICIES = {"greedy": greedy}
