"""Ray clusters on this machine, and the death of their workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


def kill_a_worker() -> bool:
    """A process that plays for this test, found among its descendants; whether there was one."""
    processes = {int(path.name): path for path in Path("/proc").iterdir() if path.name.isdigit()}
    for number in processes:
        if "ray::_play" in title(number) and os.getpid() in ancestors(number):
            os.kill(number, signal.SIGKILL)
            return True
    return False


def title(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def ancestors(process: int) -> Iterator[int]:
    while process > 1:
        try:
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return
        yield process
