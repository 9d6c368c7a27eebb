"""Rewards: `win`, `margin` and `score_delta`.

win          zero-sum, at the end: (n * share - 1) / (n - 1), share = 1/k for k joint winners; one player against an automaton
             gets +1 or -1, one player alone gets score / 100
margin       at the end: own score minus the best other, divided by the game's scale
score_delta  at every step: the change of the own score, divided by the game's scale
"""

from __future__ import annotations

from ..kernel.jit import kernel

__all__ = ["FORFEIT_REWARD", "MARGIN", "REWARDS", "SCORE", "SCORE_DELTA", "SCORE_SCALE", "WIN", "pay"]

REWARDS = ("win", "margin", "score_delta")
WIN, MARGIN, SCORE_DELTA, SCORE = range(4)  # SCORE is what `win` means where nobody can be beaten
SCORE_SCALE = 100.0
FORFEIT_REWARD = -1.0  # of whoever plays an illegal action; the others get nothing


@kernel
def pay(mode, num_players, points, ranks, scale, out):
    """The rewards at the end of a game in every mode but SCORE_DELTA."""
    for p in range(num_players):
        if mode == MARGIN:
            out[p] = (points[p] - best_other(points, num_players, p)) / scale
        elif mode == SCORE:
            out[p] = points[p] / SCORE_SCALE
        elif num_players == 1:
            out[p] = 1.0 if ranks[p] == 0 else -1.0
        else:
            out[p] = (num_players * share_of(ranks, num_players, p) - 1.0) / (num_players - 1.0)


@kernel
def share_of(ranks, num_players, p):
    """What p gets of one victory."""
    winners = 0
    for q in range(num_players):
        winners += ranks[q] == 0
    return 1.0 / winners if ranks[p] == 0 else 0.0


@kernel
def best_other(points, num_players, p):
    """The highest score among the others; alone, the automaton's, which stands behind the player's (0 if there is none)."""
    best = points[1 - min(p, 1)]
    for q in range(num_players):
        if q != p:
            best = max(best, points[q])
    return best
