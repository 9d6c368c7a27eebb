"""Pages of self-play as Ray tasks: games are played by workers, one learner learns from them.

A page follows from the weights, the terms and its number, so it does not matter where it is played, nor how often: when a worker
dies or a node is lost, Ray plays its pages again elsewhere, and the learner ends as it would have alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...envs.core.game import Game
from ..tournament.on_ray import connect

if TYPE_CHECKING:
    from .td import Page, Settings, Terms

__all__ = ["RayTables"]


class RayTables:
    """The tables of a cluster."""

    def __init__(self, game: Game, settings: Settings, address: str) -> None:
        """ConnectionError if there is no cluster at the address."""
        self._ray = connect(address)
        self._told = self._ray.put((game, settings))
        self._task = self._ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")(_play)

    def play_all(self, weights: np.ndarray, terms: Terms, numbers: range) -> Iterator[Page]:
        known = self._ray.put(weights)
        jobs = [self._task.remote(self._told, known, terms, number) for number in numbers]
        for job in jobs:
            yield self._ray.get(job)


_KNOWN: dict[str, Any] = {}  # in a worker: the run it plays for, and its table


def _play(told: tuple[Game, Settings], weights: np.ndarray, terms: Terms, number: int) -> Page:
    from .td import Table

    if _KNOWN.get("told") != told:
        _KNOWN.update(told=told, table=Table(*told))
        _KNOWN["table"].play(weights, terms, number)  # once for nothing: the first games compile, which is no part of the time
    page: Page = _KNOWN["table"].play(weights, terms, number)
    return page
