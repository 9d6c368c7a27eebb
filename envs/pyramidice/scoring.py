"""Final scores: Fame, Gods, the Ennead, the Scarab, Projects; and who has won."""

from __future__ import annotations

from ..core.kernel.jit import kernel
from .components import (
    ARCHITECT_SEAT,
    ENNEAD_FAME,
    NUM_PROJECTS,
    OBSIDIAN,
    OBSIDIAN_FAME,
    PAIRS,
    PARTNER,
    PROJECT_FAME,
    QUARTZ,
)
from .resources import total
from .state import NONE


@kernel
def project_fame(s, project):
    """Every pair of adjacent dice on the card counts, whoever built them."""
    return 0 if project == NONE else PROJECT_FAME * s.pairs[project]


@kernel
def count_pairs(s):
    """Of each Project, after a die was built."""
    for project in range(NUM_PROJECTS):
        s.pairs[project] = 0
        for i in range(PAIRS.shape[0]):
            a, b = s.pyramid[PAIRS[i, 0]], s.pyramid[PAIRS[i, 1]]
            s.pairs[project] += (PARTNER[project, a] == b) & (b > 0)


@kernel
def scarab_fame(s, p):
    return (s.scarab[p] == QUARTZ) * total(s, p) + (s.scarab[p] == OBSIDIAN) * OBSIDIAN_FAME * s.god_count[p]


@kernel
def projects_fame(s, p):
    """Of the secret Project, or of all that the Architect has."""
    if p < s.num_players:
        return project_fame(s, s.project[p])
    fame = 0
    for i in range(len(s.architect_projects)):
        fame += project_fame(s, s.architect_projects[i])
    return fame


@kernel
def public_score(s, p):
    """What everybody can count: all but the secret Project."""
    return s.fame[p] + s.god_fame[p] + ENNEAD_FAME[s.ennead_cards[p]] + scarab_fame(s, p)


CATEGORIES = ("fame", "gods", "ennead", "scarab", "project")


@kernel
def parts(s, p, out):
    """p's points by category, if the game ended now."""
    out[0] = s.fame[p]
    out[1] = s.god_fame[p]
    out[2] = ENNEAD_FAME[s.ennead_cards[p]]
    out[3] = scarab_fame(s, p)
    out[4] = projects_fame(s, p)


@kernel
def scores(s, out):
    """Each player's score if the game ended now; in a solo game the Architect's comes second."""
    for p in range(s.num_seats):
        out[p] = public_score(s, p) + projects_fame(s, p)


@kernel
def standings(s, points, out):
    """Highest score, then most resources, then shared (R62); the Architect wins a tie (R73)."""
    if s.num_players == 1:
        out[0] = points[0] <= points[ARCHITECT_SEAT]
        out[ARCHITECT_SEAT] = 1 - out[0]
        return
    for p in range(s.num_players):
        out[p] = 0
        for q in range(s.num_players):
            out[p] += points[q] > points[p] or (points[q] == points[p] and total(s, q) > total(s, p))
