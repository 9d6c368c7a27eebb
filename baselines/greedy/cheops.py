"""The rule-based players of Cheops: `greedy` goes for pyramid and mosaic, `rush` for arch and mosaic and a quick end.

A turn holds no chance, so both look at every way to play their turn to its end and take the first step towards the sheet they
like best. They differ only in what they like. The weights are the spec's, tuned there by self-play.
"""

from __future__ import annotations

import numpy as np

from ...envs.cheops.components import (
    ALL_CELLS,
    ARCH_SIZE,
    BA1,
    BA2,
    BM1,
    BONUS_POINTS,
    FIRST_ROW,
    GROUND,
    LOW_ARCH,
    MAX_DOMINOES,
    MOST_DOMINOES,
    NUM_GROUPS,
    PYRAMID_SIZE,
    ROW,
)
from ...envs.cheops.rules import legal, step
from ...envs.cheops.scoring import arch_points, complete_buildings, pyramid_points, quarry_points
from ...envs.cheops.state import NOTHING
from ...envs.core.jit import kernel
from ...envs.core.masks import clear, count_legal, first_set
from ...envs.core.wide import count_ones

# --- What a sheet is worth ---------------------------------------------------------------------------------------------------

PYRAMID_STONE, PYRAMID_POINT, ARCH_STONE, ARCH_POINT, CELL, LOST_DOMINO, QUARRY_STONE, JOKER = range(8)
PYRAMID, ARCH, MOSAIC = range(3)

GREEDY, RUSH = 0, 1
#                  pyramid     arch         mosaic      quarry  joker
#                  stone point stone point  cell  lost
WORTH = np.array([(1.65, 0.00, 0.0,  1.00,  1.3, -4.0,  0.8,    2.1),
                  (0.00, 0.45, 2.1, -0.15,  1.7, -3.4,  0.6,    1.6)])  # fmt: skip
# How much of an open bonus the work on it is worth, per building.
HOPE = np.array([(0.55, 0.3, 0.85), (0.2, 0.6, 0.8)])

WAY_TO_CENTRE = sum(1 << stone for stone in (1, 2, 3, 6, 7, 10))
WHOLE_PYRAMID = (1 << PYRAMID_SIZE) - 1
WAY = np.array([GROUND, WAY_TO_CENTRE, WHOLE_PYRAMID])  # all that BP1, BP2, BP3 need
WAY_LENGTH = np.array([5, 6, 15])


@kernel
def worth(s, p, this_round, plan):
    """The value of p's sheet at the end of a turn in `this_round`. The bonus of the game's end counts as soon as it is sure."""
    arch_stones = s.left[p] + s.right[p] + s.keystone[p]
    cells = count_ones(np.uint64(s.mosaic[p]))
    reach = cells // 2 + MOST_DOMINOES[ALL_CELLS & ~s.mosaic[p]]
    value = WORTH[plan, PYRAMID_STONE] * count_ones(np.uint64(s.pyramid[p]))
    value += WORTH[plan, PYRAMID_POINT] * pyramid_points(s, p)
    value += WORTH[plan, ARCH_STONE] * arch_stones
    value += WORTH[plan, ARCH_POINT] * arch_points(s, p)
    value += WORTH[plan, CELL] * cells
    value += WORTH[plan, LOST_DOMINO] * (MAX_DOMINOES - reach)
    value += WORTH[plan, QUARRY_STONE] * quarry_points(s, p)
    value += WORTH[plan, JOKER] * s.jokers[p]
    value += BONUS_POINTS * (complete_buildings(s, p) >= 2)
    for b in range(NUM_GROUPS):
        if s.bonuses[p] >> b & 1:
            value += BONUS_POINTS
        elif s.bonus_round[b] == NOTHING or s.bonus_round[b] == this_round:
            value += BONUS_POINTS * HOPE[plan, building_of(b)] * share(s, p, b) ** 2
    return value


@kernel
def building_of(b):
    return PYRAMID if b < BA1 else ARCH if b < BM1 else MOSAIC


@kernel
def share(s, p, b):
    """The crossed share of all stones that bonus b needs."""
    if b < BA1:
        return count_ones(np.uint64(s.pyramid[p] & WAY[b])) / WAY_LENGTH[b]
    if b == BA1:
        return (min(s.left[p], LOW_ARCH) + min(s.right[p], LOW_ARCH)) / (2 * LOW_ARCH)
    if b == BA2:
        return (s.left[p] + s.right[p] + s.keystone[p]) / ARCH_SIZE
    return count_ones(np.uint64(s.mosaic[p] >> ROW * (b - BM1) & FIRST_ROW)) / ROW


# --- The search through one turn ---------------------------------------------------------------------------------------------

TIE = 1e-9  # sums of the same numbers in another order are equal


@kernel
def best_turn(s, mask, scratch, masks, plan):
    """The first action of the best way to end the turn: depth first in the order of actions, the first of equals."""
    best, best_value, first = -1, -np.inf, -1
    scratch[0] = s
    for action in range(len(mask)):
        masks[0][action] = mask[action]
    depth = 0
    while depth >= 0:
        if count_legal(masks[depth]) == 0:
            depth -= 1
            continue
        action = first_set(masks[depth])
        masks[depth][action] = 0  # what is still marked is still to be tried
        if depth == 0:
            first = action
        scratch[depth + 1] = scratch[depth]
        after = scratch[depth + 1]
        step(after, action)
        if after.over or after.turn != s.turn or after.round != s.round:
            value = worth(after, s.current_player, s.round, plan)
            if value > best_value + TIE:
                best, best_value = first, value
        else:
            depth += 1
            clear(masks[depth])
            legal(after, masks[depth])
    return best


@kernel
def greedy(s, mask, counter, scratch, masks):
    return best_turn(s, mask, scratch, masks, GREEDY)


@kernel
def rush(s, mask, counter, scratch, masks):
    return best_turn(s, mask, scratch, masks, RUSH)


POLICIES = {"greedy": greedy, "rush": rush}
