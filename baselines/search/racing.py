"""A race of actions that are tried in the same worlds: who is clearly beaten drops out, and when one is left, nobody thinks on.

Two actions share hidden cards and dice, so their difference varies far less than what each is worth: it is the difference that is
judged. Whoever could still be the best stays, and the budget is used up where the choice is not clear.
"""

from __future__ import annotations

import numpy as np

__all__ = ["Race"]

NO_MATTER = 0.001  # a lead of a thousandth of a typical score that may be missed
FEWEST = 8  # worlds before anybody is beaten
FEW = 3.0  # standard errors of few worlds are themselves uncertain: so much wider at one world, a tenth of it at ten


class Race:
    """What the actions of a decision were worth so far, and which of them are still alive."""

    def __init__(self, actions: np.ndarray, num_players: int, player: int, sure: float) -> None:
        size = len(actions)
        self.actions, self.player, self.sure = actions, player, sure
        self.alive = np.arange(size)
        self.counts = np.zeros(size, np.int64)
        self.totals = np.zeros((size, num_players))
        self.products = np.zeros((size, size))  # of gains in the same world, summed; the lower half

    @property
    def decided(self) -> bool:
        return len(self.alive) == 1

    def add(self, totals: np.ndarray, products: np.ndarray, worlds: int) -> None:
        """What was found in new worlds of those that are alive."""
        self.totals[self.alive] += totals
        self.products[np.ix_(self.alive, self.alive)] += products
        self.counts[self.alive] += worlds

    def keep(self, most: int) -> None:
        """The best so far go on."""
        means = self.totals[self.alive, self.player] / self.counts[self.alive]
        self.alive = self.alive[np.argsort(-means, kind="stable")[:most]]
        self.alive.sort()

    def drop_the_beaten(self) -> None:
        """Who is behind the leader by so many standard errors of the difference, or level with it; of equal ones the first stays.

        One more world is imagined that speaks for the other: a few that agree are no proof.
        """
        worlds = self.counts[self.alive[0]]
        if not self.sure or worlds < FEWEST:
            return
        means = self.totals[self.alive, self.player] / worlds
        products = self.products[np.ix_(self.alive, self.alive)] / worlds
        best = int(np.argmax(means))
        squares, together = np.diag(products), np.concatenate([products[best, :best], products[best:, best]])
        leads = means[best] - means
        spread = np.sqrt(max(squares[best] - means[best] ** 2, 0))
        errors = np.sqrt(np.maximum(squares + squares[best] - 2 * together - leads**2, 0) / worlds)
        beaten = leads + NO_MATTER > self.sure * (1 + FEW / worlds) * errors + spread / worlds
        beaten[best] = False
        self.alive = self.alive[~beaten]

    def order(self) -> list[int]:
        """From the best: those alive first, then by what they were worth."""
        alive = set(self.alive.tolist())
        return sorted(range(len(self.actions)), key=lambda i: (i not in alive, -self.totals[i, self.player] / self.counts[i], i))
