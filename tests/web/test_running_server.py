"""A server as a process of its own: killed in the middle of games, and, if asked, under load.

MASTABA_LOAD_SECONDS=60 pytest -n 0 -s tests/web/test_running_server.py plays at 200 tables at once for a minute.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import mastaba
from mastaba.cli import app
from mastaba.envs.registry import rules
from mastaba.envs.replay import Replay

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import httpx

LOAD_SECONDS = float(os.environ.get("MASTABA_LOAD_SECONDS", "0"))
TABLES = 200
MORE_MEMORY = 40_000  # kB that a server may take while tables are only played at


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen, str]]:
    command = [sys.executable, "-m", "mastaba", "serve", "--port", "0", "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+(?=/ )", server.stdout.readline())
            assert found
            yield server, found[0]
        finally:
            server.kill()


def new_table(name: str, players: list[str]) -> dict[str, Any]:
    return {"game": name, "num_players": len(players), "options": {}, "players": players, "open": False}


def choices(told: dict[str, Any]) -> list[str]:
    return [action for group in told["moves"] for action in group["actions"]]


def test_a_killed_server_loses_no_move_that_was_answered(tmp_path: Path) -> None:
    homes: list[str] = []
    answered: dict[str, dict[str, Any]] = {}
    for life in range(2):
        with running(tmp_path) as (server, address), httpx.Client(base_url=address, timeout=120) as client:
            if not homes:
                for players in (["person", "person"], ["person", "greedy"]):
                    links = client.post("/api/tables", json=new_table("pyramids", players)).json()["links"]
                    homes += [link.replace("/table/", "/api/tables/") for link in links.values()]
            for home in homes:
                if life:
                    told = client.get(home).json()
                    before = answered[home]
                    assert told["log"][: len(before["log"])] == before["log"]
                    assert told["decisions"] >= before["decisions"]
            for step in range(12):
                for home in homes:
                    told = client.get(home).json()
                    if told["your_turn"]:
                        moves = choices(told)
                        body = {"action": moves[step % len(moves)], "version": told["version"]}
                        told = client.post(f"{home}/move", json=body).json()
                    answered[home] = told
            server.kill()  # not a moment to finish anything
    for file in tmp_path.glob("*.json"):
        if not file.name.endswith(".seats.json"):
            Replay.load(file)


def test_a_port_that_is_taken_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = CliRunner().invoke(app, ["serve", "--port", port, "--folder", str(tmp_path)])
    assert refused.exit_code == 2
    assert "in use" in refused.output
    assert len(refused.output.splitlines()) == 1


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    monkeypatch.delitem(sys.modules, "mastaba.web.server", raising=False)
    refused = CliRunner().invoke(app, ["serve"])
    assert refused.exit_code == 2
    assert "mastaba[web]" in refused.output


# --- Under load ------------------------------------------------------------------------------------------------------------------


def memory_of(process: subprocess.Popen) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
    assert found
    return int(found[1])


async def play_at_tables(client: httpx.AsyncClient, number: int, until: float, counts: dict[str, int]) -> None:
    """A person who plays at random, one game after the other."""
    rng = random.Random(number)
    name = list(mastaba.GAMES)[number % len(mastaba.GAMES)]
    size = rng.choice([n for n in rules(name).players if n > 1])
    while time.monotonic() < until:
        answer = await client.post("/api/tables", json=new_table(name, ["person", *["random"] * (size - 1)]))
        home = answer.raise_for_status().json()["links"]["0"].replace("/table/", "/api/tables/")
        counts["tables"] += 1
        told = (await client.get(home)).raise_for_status().json()
        while not told["over"] and time.monotonic() < until:
            assert not told["problem"]
            if told["your_turn"]:
                body = {"action": rng.choice(choices(told)), "version": told["version"]}
                told = (await client.post(f"{home}/move", json=body)).raise_for_status().json()
                counts["moves"] += 1
            else:
                answer = (await client.get(home, params={"after": told["version"]})).raise_for_status()
                told = answer.json() if answer.status_code == 200 else told


@pytest.mark.skipif(not LOAD_SECONDS, reason="takes long: set MASTABA_LOAD_SECONDS=60")
def test_two_hundred_tables_at_once(tmp_path: Path) -> None:
    counts = {"tables": 0, "moves": 0}

    async def load(address: str, seconds: float) -> None:
        limits = httpx.Limits(max_connections=2 * TABLES)
        async with httpx.AsyncClient(base_url=address, timeout=600, limits=limits) as client:
            until = time.monotonic() + seconds
            await asyncio.gather(*(play_at_tables(client, number, until, counts) for number in range(TABLES)))

    with running(tmp_path) as (server, address):
        try:
            asyncio.run(load(address, LOAD_SECONDS / 2))  # everything is compiled and has been used
            first, opened = memory_of(server), counts["tables"]
            asyncio.run(load(address, LOAD_SECONDS))
        except httpx.HTTPError as error:
            pytest.fail(f"{error!r} after {counts}; the server {'runs' if server.poll() is None else 'has died'}")
        last = memory_of(server)
    more = counts["tables"] - opened
    print(f"{counts['moves']} moves at {counts['tables']} tables; {first} kB, after {more} more tables {last} kB")
    assert counts["moves"] > TABLES
    assert last - first < MORE_MEMORY + 50 * more
