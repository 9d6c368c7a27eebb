"""The rule-based players of Cheops: `greedy` goes for pyramid and mosaic, `rush` for arch and mosaic and a quick end.

A turn holds no chance, so both look at every way to play their turn to its end and take the first step towards the sheet they
like best. They differ only in what they like. The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from ...envs.cheops.actions import STOP
from ...envs.cheops.components import (
    ALL_CELLS,
    ARCH_SIZE,
    BA1,
    BA2,
    BM1,
    BONUS_POINTS,
    BP1,
    LOW_ARCH,
    MAX_DOMINOES,
    MOSAIC_GROUPS,
    MOST_DOMINOES,
    NUM_GROUPS,
    PYRAMID_GROUPS,
    STONES_A_TURN,
)
from ...envs.cheops.rules import act, builds, payments
from ...envs.cheops.scoring import arch_points, complete_buildings, pyramid_points, quarry_points
from ...envs.cheops.state import BUILD
from ...envs.core.kernel.jit import kernel
from ...envs.core.kernel.words import count_ones
from ...envs.core.kernel.writing import stack_row

# --- What a sheet is worth ---------------------------------------------------------------------------------------------------

GREEDY, RUSH = 0, 1
PER_PYRAMID_STONE = np.array([1.65, 0.0])
PER_PYRAMID_POINT = np.array([0.0, 0.45])
PER_ARCH_STONE = np.array([0.0, 2.1])
PER_ARCH_POINT = np.array([1.0, -0.15])
PER_CELL = np.array([1.3, 1.7])
PER_LOST_DOMINO = np.array([-4.0, -3.4])
PER_QUARRY_STONE = np.array([0.8, 0.6])
PER_JOKER = np.array([2.1, 1.6])
# How much of an open bonus the work on it is worth: BP1 to BP3, BA1 and BA2, BM1 to BM3.
HOPE = np.array([(0.55, 0.55, 0.55, 0.3, 0.3, 0.85, 0.85, 0.85), (0.2, 0.2, 0.2, 0.6, 0.6, 0.8, 0.8, 0.8)])
STONES_NEEDED = np.array([
    *(stones.bit_count() for stones in PYRAMID_GROUPS),
    2 * LOW_ARCH, ARCH_SIZE,
    *(cells.bit_count() for cells in MOSAIC_GROUPS),
])  # fmt: skip


def _hopes() -> np.ndarray:
    """Per plan, bonus and number of stones crossed: what that work is worth, by the square of the share that is done."""
    crossed = np.arange(STONES_NEEDED.max() + 1)
    return BONUS_POINTS * HOPE[:, :, None] * (crossed / STONES_NEEDED[:, None]) ** 2


def _mosaics() -> np.ndarray:
    """Per plan and set of crossed cells: what they are worth, and what the dominoes cost that can no longer be crossed."""
    cells = np.array([mosaic.bit_count() for mosaic in range(ALL_CELLS + 1)])
    lost = MAX_DOMINOES - cells // 2 - MOST_DOMINOES[::-1]  # the open cells are the others
    return PER_CELL[:, None] * cells + PER_LOST_DOMINO[:, None] * lost


HOPES = _hopes()
MOSAICS = _mosaics()


@kernel
def worth(s, p, plan):
    """The value of p's sheet at the end of a turn. The bonus of the game's end counts as soon as it is sure."""
    value = PER_PYRAMID_STONE[plan] * count_ones(np.uint64(s.pyramid[p]))
    value += PER_PYRAMID_POINT[plan] * pyramid_points(s, p)
    value += PER_ARCH_STONE[plan] * arch_stones(s, p)
    value += PER_ARCH_POINT[plan] * arch_points(s, p)
    value += MOSAICS[plan, s.mosaic[p]]
    value += PER_QUARRY_STONE[plan] * quarry_points(s, p)
    value += PER_JOKER[plan] * s.jokers[p]
    value += BONUS_POINTS * (complete_buildings(s, p) >= 2)
    return value + worth_of_bonuses(s, p, plan)


@kernel
def arch_stones(s, p):
    return s.left[p] + s.right[p] + s.keystone[p]


@kernel
def worth_of_bonuses(s, p, plan):
    """The bonuses that p has, and a part of those that p can still earn."""
    held = s.bonuses[p]
    hoped = (s.open_bonuses | s.fresh_bonuses) & ~held
    value = 0.0
    for b in range(NUM_GROUPS):
        if held >> b & 1:
            value += BONUS_POINTS
        elif hoped >> b & 1:
            value += HOPES[plan, b, stones_crossed(s, p, b)]
    return value


@kernel
def stones_crossed(s, p, b):
    """Of those that bonus b needs."""
    if b < BA1:
        return count_ones(np.uint64(s.pyramid[p] & PYRAMID_GROUPS[b - BP1]))
    if b == BA1:
        return min(s.left[p], LOW_ARCH) + min(s.right[p], LOW_ARCH)
    if b == BA2:
        return arch_stones(s, p)
    return count_ones(np.uint64(s.mosaic[p] & MOSAIC_GROUPS[b - BM1]))


@kernel
def value(s, p):
    """What the position is worth to p, in points; of a finished game, the score."""
    return np.float64(s.points[p]) if s.over else worth(s, p, GREEDY)


# --- The search through one turn ---------------------------------------------------------------------------------------------

TIE = 1e-9  # sums of the same numbers in another order are equal
POSITIONS = 2 * STONES_A_TURN + 1  # in the longest turn: each stone is chosen and paid


@kernel
def best_turn(s, scratch, plan):
    """The first action of the best way to end the turn: depth first in the order of actions, the first of equals.

    scratch[d] is the position after d actions, untried[d] the actions that are still to be tried there.
    """
    p = s.current_player
    best, best_value, first = -1, -np.inf, -1
    untried = stack_row(POSITIONS, np.int64)
    scratch[0] = s
    untried[0] = choices(s)
    depth = 0
    while depth >= 0:
        if untried[depth] == 0:
            depth -= 1
            continue
        action = lowest(untried[depth])
        untried[depth] &= ~(1 << action)
        if depth == 0:
            first = action
        scratch[depth + 1] = scratch[depth]
        after = scratch[depth + 1]
        act(after, action)
        if action == STOP or after.built == STONES_A_TURN:
            value = worth(after, p, plan)
            if value > best_value + TIE:
                best, best_value = first, value
        else:
            depth += 1
            untried[depth] = choices(after)
    return best


@kernel
def choices(s):
    """The legal actions as a set."""
    return builds(s) if s.phase == BUILD else payments(s)


@kernel
def lowest(actions):
    """The first action of a set."""
    return count_ones(np.uint64(actions & -actions) - np.uint64(1))


@kernel
def greedy(s, mask, counter, scratch, masks):
    return best_turn(s, scratch, GREEDY)


@kernel
def rush(s, mask, counter, scratch, masks):
    return best_turn(s, scratch, RUSH)


POLICIES = {"greedy": greedy, "rush": rush}
VALUE = value
