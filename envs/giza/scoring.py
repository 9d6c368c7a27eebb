"""Points for a ranking, the score sheet, scores and standings."""

from __future__ import annotations

from ..core.kernel.jit import kernel
from .components import CATEGORIES, FOR_PUSHES, FOR_TEMPLE, ORDINARY, RA, SHARES, SOLO_BONUS

# --- Awards: points by rank --------------------------------------------------------------------------------------------------


@kernel
def share_of(values, num_players, p, scale):
    """What p gets of an award ranked by `values`; who has none is not ranked (R32)."""
    own = values[p]
    if own <= 0:
        return 0
    ahead, tied = 0, 0
    for q in range(num_players):
        ahead += values[q] > own
        tied += values[q] == own
    return SHARES[scale, ahead, tied]


@kernel
def push_share(values, num_players, p):
    """What p gets for `values` workers on an unloaded sled; whoever pushed it alone gets a bonus."""
    alone = values[p] > 0
    for q in range(num_players):
        alone &= q == p or values[q] == 0
    return share_of(values, num_players, p, ORDINARY) + SOLO_BONUS * alone


@kernel
def award(s, values, scale, category):
    for p in range(s.num_players):
        s.points[p][category] += share_of(values, s.num_players, p, scale)


@kernel
def award_push(s, crew):
    for p in range(s.num_players):
        s.points[p][FOR_PUSHES] += push_share(crew, s.num_players, p)


@kernel
def award_temple(s):
    award(s, s.workers[:, RA], ORDINARY, FOR_TEMPLE)


# --- The score sheet ---------------------------------------------------------------------------------------------------------


@kernel
def victory_points(s, p):
    total = 0
    for category in range(len(CATEGORIES)):
        total += s.points[p][category]
    return total


@kernel
def parts(s, p, out):
    """What p has won so far, by category. Nothing is added at the end."""
    for category in range(len(CATEGORIES)):
        out[category] = s.points[p][category]


@kernel
def scores(s, out):
    for p in range(s.num_players):
        out[p] = victory_points(s, p)


# --- The end of the game -----------------------------------------------------------------------------------------------------


@kernel
def worth(s, points, p):
    """Points, then food and art (at most 188), then workers in the Temple of Ra (at most 10), in one number."""
    return (points[p] * 256 + s.food[p] + s.art[p]) * 16 + s.workers[p][RA]


@kernel
def standings(s, points, out):
    for p in range(s.num_players):
        out[p] = 0
        for q in range(s.num_players):
            out[p] += worth(s, points, q) > worth(s, points, p)
