"""The statistics of tournaments: shares with intervals, and ratings.

Games of one deal belong together, so the deal is the unit of every interval: its games are averaged first.

The Bradley-Terry fit is written here, because its few lines need nothing but numpy: choix finds the same strengths (checked by
hand) but brings scipy and networkx, and the ratings of openskill depend on the order of the games and know nothing of paired deals.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

__all__ = ["bradley_terry", "elo", "mean_interval", "share_interval", "told", "wilson"]

Z = 1.959964  # 95 %
ELO = 400 / log(10)  # rating points for a factor e of strength
FEW = 10  # games that somebody won against the odds
PRIOR = 0.5  # draws of everybody with everybody: who never lost has a finite rating


def wilson(wins: float, games: float) -> tuple[float, float]:
    """The 95 % score interval of a share. Ties enter as fractions of a win."""
    share = wins / games
    centre = share + Z * Z / (2 * games)
    spread = Z * sqrt(max(0.0, share * (1 - share) / games + Z * Z / (4 * games * games)))
    scale = 1 + Z * Z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def share_interval(shares: np.ndarray) -> tuple[float, float, float]:
    """A share and its 95 % interval from the means of the deals.

    Wilson's interval for as many games as the deals are worth: the binomial variance over the one that was seen between deals.
    Where nothing varies, each deal counts as one game.
    """
    share, deals = float(shares.mean()), len(shares)
    seen = float(shares.var(ddof=1)) / deals if deals > 1 else 0.0
    worth = share * (1 - share) / seen if seen > 0 else float(deals)
    return share, *wilson(share * worth, worth)


def mean_interval(means: np.ndarray) -> tuple[float, float | None]:
    """A mean over deals and the half width of its 95 % interval, of which a single deal tells nothing."""
    deals = len(means)
    return float(means.mean()), Z * float(means.std(ddof=1)) / sqrt(deals) if deals > 1 else None


def told(mean: float, margin: float | None) -> str:
    """As people read it: `12.3 ±0.4`."""
    return f"{mean:.1f}" if margin is None else f"{mean:.1f} ±{margin:.1f}"


def bradley_terry(wins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Log strengths (mean 0) and their standard errors from wins[a, b], how often a was ahead of b; ties are half a win for both.

    Newton's method on a concave likelihood; the prior keeps it finite, steps are kept short where it is flat.
    """
    wins = wins + PRIOR * (1 - np.eye(len(wins)))
    met = wins + wins.T
    strengths = np.zeros(len(wins))
    level = np.full_like(wins, 1 / len(wins))  # only differences matter: this direction is left out of the inverse
    for _ in range(100):
        chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        weights = met * chance * (1 - chance)
        information = np.diag(weights.sum(1)) - weights
        inverse = np.linalg.inv(information + level) - level
        step = np.clip(inverse @ (wins - met * chance).sum(1), -1, 1)
        strengths = strengths + step - step.mean()
        if np.abs(step).max() < 1e-9:
            break
    return strengths, np.sqrt(np.diag(inverse))


def elo(wins_by_deal: np.ndarray, resamples: int = 200, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Ratings (mean 1500) and their standard errors from wins[deal, a, b].

    The errors come from drawing deals anew; where few games were lost, those of the likelihood are larger and count.
    """
    strengths, errors = bradley_terry(wins_by_deal.sum(0))
    deals = len(wins_by_deal)
    drawn = np.random.default_rng(seed).multinomial(deals, np.full(deals, 1 / deals), size=resamples)
    again = np.array([bradley_terry(wins)[0] for wins in np.tensordot(drawn, wins_by_deal, axes=(1, 0))])
    lost = wins_by_deal.sum(0)
    sure = np.minimum(lost, lost.T).sum(1) < FEW  # nothing varies between deals
    return 1500 + ELO * strengths, ELO * np.where(sure, np.maximum(errors, again.std(0, ddof=1)), again.std(0, ddof=1))
