"""Ray clusters on this machine, and the death of their workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

NODE = {"num_cpus": 1}


@contextmanager
def new_cluster() -> Iterator[Cluster]:
    """One node, connected; more can be added."""
    made = Cluster(initialize_head=True, head_node_args=NODE | {"include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def mortal(play: Callable[..., Any], deaths: list[Path]) -> Callable[..., Any]:
    """A task that kills its own worker, once for each file: a file that is there says that this death has been died.

    The worker goes without a word while it plays, as one that is killed from outside; but it goes for sure, however fast it plays.
    """

    def doomed(*args: Any) -> Any:
        for death in deaths:
            try:
                death.touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        return play(*args)

    return doomed
