"""Greedy players of Master Architect: one decision ahead on the own pyramid, opponents ignored.

`greedy0` takes the score if the game ended now as the value of a position. `greedy` values what a position may become: colour
lines by the stones they still need, sarcophagi by the spaces still missing to the edge, half-balanced levels, card pairs. Ties go
to the lowest action.
"""

from __future__ import annotations

import numpy as np

from ...envs.core.kernel.jit import kernel
from ...envs.master_architect.actions import CARD, COLLECT, DONE, LARGE, LIFT, SMALL, SWAP, TAKE
from ...envs.master_architect.components import (
    ALL_CELLS,
    ALL_LARGE_CELLS,
    ALL_SMALL,
    ANUBIS,
    DISPLAY,
    DIVINE_PATH,
    EDGE_CELLS,
    GROUND,
    HAPI,
    HIDDEN_TOMB,
    KHEPRI,
    KHONSU,
    LARGE_CELL,
    MAAT,
    MULTIPLIER,
    NOTHING,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_HELD,
    NUM_LARGE_SPACES,
    NUM_LEVELS,
    NUM_PAIRS,
    NUM_SMALL_SPACES,
    NUM_SYMBOLS,
    NUM_TYPES,
    NUT,
    ORIENTATIONS,
    OSIRIS,
    OVERSEER,
    PAIR_SPACES,
    PRIEST,
    PTAH,
    ROW,
    SARCOPHAGI,
    SET,
    STONEMASON,
    SURVEYOR,
    SYMBOL_POINTS,
    THOTH,
    TREASURER,
    VIZIER,
    WORKERS,
    WORKERS_PER_POINT,
)
from ...envs.master_architect.pyramid import connected, highest_level, linked, neighbours, ways_between
from ...envs.master_architect.rules import collect, current_small, exchange, gain_card, lay_large, lay_small, lift
from ...envs.master_architect.scoring import colours_of_level, members, owns, points_of, score_of
from ...envs.master_architect.state import LIFT_SMALL, PLACE_LARGE, PLACE_SMALL, SWAP_FIRST, SWAP_SECOND, TAKE_CARD, TAKE_STONE

STONE_MISSING = 0.80  # a line that needs another stone is worth so much of one that does not
CHAMBER_MISSING = 0.65
SYMBOL_HOPE = 3.2  # per different symbol at the beginning
HALF_BALANCED = 0.4
COLLECTED = 0.5
PAIR_COMPLETE, PAIR_HALF = 2.0, 0.5
SMALL_PLACED, SMALL_COLLECTED = 1.2, 0.5  # small stones gained with the red stone
CLOSE = 1e-9  # values this close are equal: the lower action wins, not the noise of rounding
LIFT_GAIN = 0.25
NUT_HOPE = np.array([0, 0.1, 0.4, 1, 2, 2, 2])  # by height
PTAH_HOPE = np.array([0, 0.2, 0.6, 1.2, 2])  # by colours of a level
PTAH_LEVELS = 4  # higher levels have fewer than four spaces

CARD_PRIOR = np.zeros(NUM_CARDS)
CARD_PRIOR[:OVERSEER] = 5, 4, 5, 6.5, 6, 5, 5, 5, 5, 5, 5.5, 5, 4.5, 5.5, 4, 3
CARD_PRIOR[[STONEMASON, SURVEYOR]] = 3.5
OVERSEER_PRIOR, OVERSEER_PRIOR_FULL, OVERSEER_SPACES = 3.5, 1.5, 3
VIZIER_PRIOR = 0.7  # per empty large space

HOPE, POINTS = 0, 1  # what a player goes by

# --- The value of a pyramid --------------------------------------------------------------------------------------------------


@kernel
def empty_large(s, p):
    return NUM_LARGE_SPACES - members(s.filled_large[p])


@kernel
def empty_small(s, p):
    return NUM_SMALL_SPACES - members(s.filled_small[p])


@kernel
def value(s, p, sight):
    return np.float64(score_of(s, p)) if sight == POINTS else hope(s, p)


@kernel
def hope(s, p):
    f = empty_large(s, p) / NUM_LARGE_SPACES
    return lines(s, p) + tombs(s, p) + symbols(s, p, f) + levels(s, p) + stores(s, p) + cards(s, p) + pairs(s, p, f)


@kernel
def lines(s, p):
    """Per colour the best level * STONE_MISSING ** (stones missing on the way up to it)."""
    stones = s.colour_cells[p]
    empty = ALL_CELLS & ~(stones[0] | stones[1] | stones[2] | stones[3])
    total = 0.0
    for colour in range(NUM_COLOURS):
        reached = s.solid_cells[p][colour]
        best, weight = np.float64(highest_level(reached)), 1.0
        while True:
            weight *= STONE_MISSING
            entered = (GROUND | neighbours(reached)) & empty & ~reached
            if entered == 0 or NUM_LEVELS * weight <= best:
                break
            reached |= entered
            reached = connected(reached, reached | stones[colour])
            best = max(best, highest_level(reached) * weight)
        total += best
    return total


@kernel
def tombs(s, p):
    """Per sarcophagus its multiplier * CHAMBER_MISSING ** (empty spaces on the way to the edge)."""
    stones = s.colour_cells[p]
    filled = (stones[0] | stones[1] | stones[2] | stones[3]) & ALL_LARGE_CELLS
    empty = ALL_LARGE_CELLS & ~filled
    ways = ways_between(s.openings[p], empty)
    reached, new, weight = s.open_cells[p], s.open_cells[p], 1.0
    total = 0.0
    while True:
        total += tombs_of(s, p, new, weight)
        entered = (linked(ways, reached) | EDGE_CELLS) & empty & ~reached
        if entered == 0:
            break
        weight *= CHAMBER_MISSING
        before = reached
        reached |= entered
        while True:
            grown = reached | (linked(ways, reached) & filled)
            if grown == reached:
                break
            reached = grown
        new = reached & ~before
    return total + tombs_of(s, p, filled & ~reached, 0.0)


@kernel
def tombs_of(s, p, cells, weight):
    """The worth of the sarcophagi on these cells, all at the same distance from the edge."""
    total = 0.0
    for space in range(NUM_LARGE_SPACES):
        if cells & LARGE_CELL[space] and s.large_stone[p][space] != NOTHING:
            count = SARCOPHAGI[s.large_stone[p][space]]
            each = MULTIPLIER[space] + (owns(s, p, SET) if MULTIPLIER[space] == 1 else owns(s, p, ANUBIS))
            total += count * (each * weight + owns(s, p, HIDDEN_TOMB) * (1.0 - weight))
    return total


@kernel
def symbols(s, p, f):
    kinds = min(members(s.symbols[p]) + owns(s, p, PRIEST), NUM_SYMBOLS)
    return f * SYMBOL_HOPE * kinds + (1.0 - f) * SYMBOL_POINTS[kinds]


@kernel
def levels(s, p):
    maat = owns(s, p, MAAT)
    total = 0.0
    for level in range(NUM_LEVELS):
        left, right = s.small_stone[p][2 * level], s.small_stone[p][2 * level + 1]
        if s.balanced[p] >> level & 1:
            total += WORKERS[left] + maat
        elif (left == NOTHING) != (right == NOTHING):
            total += HALF_BALANCED * (WORKERS[max(left, right)] + maat)
    return total


@kernel
def stores(s, p):
    return s.collected[p] * (2.0 if owns(s, p, TREASURER) else 1.0) * COLLECTED


@kernel
def cards(s, p):
    total = 0.0
    for i in range(NUM_HELD):
        card = s.cards[p][i]
        if card == OSIRIS:
            total += s.workers[p] / WORKERS_PER_POINT
        elif card in (DIVINE_PATH, KHEPRI) or HAPI <= card <= KHONSU:
            total += points_of(s, p, card)
        elif card == THOTH:
            total += points_of(s, p, card) - owns(s, p, PRIEST)
        elif card == NUT:
            for colour in range(NUM_COLOURS):
                total += NUT_HOPE[s.height[p][colour]]
        elif card == PTAH:
            for level in range(PTAH_LEVELS):
                total += PTAH_HOPE[colours_of_level(s, p, level)]
    return total


@kernel
def pairs(s, p, f):
    total = 0.0
    for pair in range(NUM_PAIRS):
        filled = (s.filled_large[p] >> PAIR_SPACES[pair, 0] & 1) + (s.filled_large[p] >> PAIR_SPACES[pair, 1] & 1)
        total += f * (PAIR_COMPLETE if filled == 2 else PAIR_HALF * filled)
    return total


# --- Take a large stone and place it -----------------------------------------------------------------------------------------


@kernel
def best_placement(s, p, stone, sight, scratch):
    """The value of the best legal placement of a stone, and its action."""
    best, action = -np.inf, NOTHING
    for space in range(NUM_LARGE_SPACES):
        if s.filled_large[p] >> space & 1 == 0:
            for turned in range(ORIENTATIONS[stone]):
                scratch[0] = s
                t = scratch[0]
                lay_large(t, p, stone, space, turned)
                v = value(t, p, sight)
                if v > best + CLOSE:
                    best, action = v, LARGE + 2 * space + turned
    return best, action


@kernel
def worth_of_gains(s, p, slot, sight):
    """The small stones that come with a stone of the row."""
    gained = 0
    if slot == 0:
        gained = 1
        for stone in range(NUM_TYPES):
            gained += s.pile[stone]
    if sight == POINTS:
        return np.float64(gained)
    if slot > 0:
        gained = owns(s, p, VIZIER)
    placed = min(gained, empty_small(s, p))
    return SMALL_PLACED * placed + SMALL_COLLECTED * (gained - placed)


@kernel
def best_take(s, p, sight, scratch):
    best, action = -np.inf, NOTHING
    for slot in range(ROW):
        v, _ = best_placement(s, p, s.row[slot], sight, scratch)
        v += worth_of_gains(s, p, slot, sight)
        if v > best + CLOSE:
            best, action = v, TAKE + slot
    return action


# --- Cards -------------------------------------------------------------------------------------------------------------------


@kernel
def prior_of(s, p, card):
    """What a card is worth at the beginning of a game."""
    if card == OVERSEER:
        return OVERSEER_PRIOR if empty_small(s, p) >= OVERSEER_SPACES else OVERSEER_PRIOR_FULL
    if card == VIZIER:
        return VIZIER_PRIOR * empty_large(s, p)
    return CARD_PRIOR[card]


@kernel
def best_card(s, p, scratch):
    best, action = -np.inf, NOTHING
    f = empty_large(s, p) / NUM_LARGE_SPACES
    for slot in range(DISPLAY):
        card = s.display[slot]
        scratch[0] = s
        t = scratch[0]
        gain_card(t, p, card)
        v = (1.0 - f) * (score_of(t, p) - score_of(s, p)) + f * prior_of(s, p, card)
        if v > best + CLOSE:
            best, action = v, CARD + slot
    return action


@kernel
def best_exchange(s, p, first, sight, scratch):
    """The best exchange with `first`: value and the other space."""
    best, other = -np.inf, NOTHING
    for space in range(NUM_LARGE_SPACES):
        if space != first and s.filled_large[p] >> space & 1:
            scratch[0] = s
            t = scratch[0]
            exchange(t, p, first, space)
            v = value(t, p, sight)
            if v > best + CLOSE:
                best, other = v, space
    return best, other


@kernel
def best_swap(s, p, sight, scratch):
    best, action = value(s, p, sight), DONE
    for space in range(NUM_LARGE_SPACES):
        if s.filled_large[p] >> space & 1:
            v, _ = best_exchange(s, p, space, sight, scratch)
            if v > best + CLOSE:
                best, action = v, SWAP + space
    return action


@kernel
def best_lift(s, p, sight, scratch):
    best, action = value(s, p, sight) + LIFT_GAIN, DONE
    for space in range(NUM_SMALL_SPACES):
        if s.filled_small[p] >> space & 1:
            scratch[1] = s
            lifted = scratch[1]
            lift(lifted, p, space)
            v, _ = best_small(lifted, p, s.small_stone[p][space], sight, scratch)
            if v > best + CLOSE:
                best, action = v, LIFT + space
    return action


# --- Small stones ------------------------------------------------------------------------------------------------------------


@kernel
def best_small(s, p, stone, sight, scratch):
    """The value of the best place for a small stone, and its action."""
    best, action = -np.inf, NOTHING
    empty = ALL_SMALL & ~s.filled_small[p]
    for space in range(NUM_SMALL_SPACES + 1):
        if space < NUM_SMALL_SPACES and empty >> space & 1 == 0:
            continue
        scratch[0] = s
        t = scratch[0]
        if space < NUM_SMALL_SPACES:
            lay_small(t, p, stone, space)
        else:
            collect(t, p, stone, 1)
        v = value(t, p, sight)
        if v > best + CLOSE:
            best, action = v, SMALL + space
    return best, action


# --- The players -------------------------------------------------------------------------------------------------------------


@kernel
def decide(s, sight, scratch):
    p = s.current_player
    if s.phase == TAKE_STONE:
        return best_take(s, p, sight, scratch)
    if s.phase == PLACE_LARGE:
        return best_placement(s, p, s.stone_in_hand, sight, scratch)[1]
    if s.phase == TAKE_CARD:
        return best_card(s, p, scratch)
    if s.phase == PLACE_SMALL:
        return best_small(s, p, current_small(s), sight, scratch)[1]
    if s.phase == SWAP_FIRST:
        return best_swap(s, p, sight, scratch)
    if s.phase == SWAP_SECOND:
        return SWAP + best_exchange(s, p, s.swap_first, sight, scratch)[1]
    if s.phase == LIFT_SMALL:
        return best_lift(s, p, sight, scratch)
    return NOTHING


@kernel
def greedy(s, mask, counter, scratch, masks):
    return decide(s, HOPE, scratch)


@kernel
def greedy0(s, mask, counter, scratch, masks):
    return decide(s, POINTS, scratch)


@kernel
def position_value(s, p):
    """What `greedy` thinks a position is worth to p, in points."""
    return np.float64(score_of(s, p)) if s.over else hope(s, p)


VALUE = position_value
POLICIES = {"greedy0": greedy0, "greedy": greedy}
assert SMALL + NUM_SMALL_SPACES == COLLECT
