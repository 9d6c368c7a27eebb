"""Chunks of games as Ray tasks: on this machine, or on a cluster that has mastaba installed.

A chunk follows from the plan and its number, so it does not matter where it is played, nor how often: when a worker dies or a node
is lost, Ray plays its chunks again elsewhere, and the result is the same.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from typing import Any

from ...envs.faces.extras import missing
from .plan import Plan
from .running import Chunks, Row, make_agents, play_chunk

__all__ = ["connect", "on_ray"]

LOCAL = "local"
PATIENCE = 5.0  # seconds to reach a cluster
WAITING = 4  # chunks on their way for each core: enough that nobody waits, few enough that little is lost


def on_ray(plan: Plan, numbers: Sequence[int], moves: bool, address: str) -> Chunks:
    """Chunks as they are finished. ConnectionError if there is no cluster at the address."""
    ray = connect(address)
    task = ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")(_play)
    told = ray.put(plan.as_dict())
    waiting = list(reversed(numbers))
    running: dict[Any, int] = {}
    while waiting or running:
        room = max(1, int(WAITING * ray.cluster_resources().get("CPU", 1))) - len(running)
        for _ in range(min(room, len(waiting))):
            number = waiting.pop()
            running[task.remote(told, number, moves)] = number
        done, _ = ray.wait(list(running), num_returns=1)
        for job in done:
            number = running.pop(job)
            yield number, ray.get(job)


_KNOWN: dict[str, Any] = {}  # in a worker: the plan it plays, and its players


def _play(values: dict[str, Any], number: int, moves: bool) -> list[Row]:
    if _KNOWN.get("plan") != values:
        plan = Plan.from_dict(values)
        _KNOWN.update(plan=values, players=make_agents(plan), made=plan)
    return play_chunk(_KNOWN["made"], number, _KNOWN["players"], moves)


def connect(address: str) -> Any:
    """Ray, at the address; a cluster that is connected already is used as it is."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise missing(error, "ray") from None
    if ray.is_initialized():
        return ray
    _knock(address)
    here = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"} if address == LOCAL else {}
    try:
        ray.init(address=address, configure_logging=False, log_to_driver=False, **here)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _unreachable(address, error) from None
    return ray


def _knock(address: str) -> None:
    """Whether anybody listens at HOST:PORT. Ray itself would go on trying for ten minutes."""
    if address in (LOCAL, "auto"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise _unreachable(address, error) from None


def _unreachable(address: str, why: Exception) -> ConnectionError:
    allowed = "HOST:PORT, ray://HOST:PORT, auto, local"
    return ConnectionError(f"no Ray cluster at {address!r}, allowed are {allowed}: {str(why).strip().splitlines()[0]}")
