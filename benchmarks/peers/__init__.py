"""The peers: other people's board games, measured by our protocol in the same run.

Each peer has one small module whose `cases()` lists what is measured; the peer itself is imported only inside
`prepare`, so listing costs nothing and a missing peer is an entry in the table instead of an error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from ..measure import Case, Skipped
from ..searching import openspiel_cases


@dataclass(frozen=True)
class Peer:
    """Where a peer's cases are written down, how to see that it is there, how to get it, and what is in the way."""

    name: str
    module: str
    imports: tuple[str, ...]
    install: str
    trouble: str = ""

    def is_installed(self) -> bool:
        return all(find_spec(name) is not None for name in self.imports)

    def cases(self) -> list[Case]:
        return import_module(f"{__name__}.{self.module}").cases()

    def skipped(self) -> Skipped:
        return Skipped(self.name, "; ".join(filter(None, ("not installed", self.trouble))), self.install)


PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            "pettingzoo",
            "pettingzoo_classic",
            ("pettingzoo", "pygame", "chess", "shimmy"),  # we depend on PettingZoo; its games want their extra
            'pip install "pettingzoo[classic]"',
        ),
        Peer("openspiel", "openspiel", ("pyspiel",), "pip install open_spiel"),
        Peer("rlcard", "rlcard_games", ("rlcard",), "pip install rlcard"),
        Peer("pgx", "pgx_games", ("pgx",), "pip install pgx"),
        Peer("envpool", "envpool_games", ("envpool",), "pip install envpool"),
        Peer("jumanji", "jumanji_games", ("jumanji",), "pip install jumanji"),
        Peer("catanatron", "catanatron_games", ("catanatron",), "pip install catanatron"),
        Peer(
            "catanatron-gym",
            "catanatron_gym_games",
            ("catanatron", "catanatron_gym"),
            "pip install --no-deps catanatron-gym",
            "4.0.0 pins gymnasium==0.29.1, yet runs with newer ones",
        ),
        Peer(
            "pufferlib",
            "pufferlib_ocean",
            ("pufferlib", "gym"),
            "python -m mastaba.benchmarks.peers.build_pufferlib",
            "3.0.0 pins numpy<2, and its own build downloads further sources; ours builds four games from its sdist",
        ),
    )
}


def cases(names: Iterable[str] | None = None) -> tuple[list[Case], list[Skipped]]:
    """Cases of the named peers (of all, by default) and those that cannot be measured here."""
    found: list[Case] = []
    skipped: list[Skipped] = []
    for peer in chosen(names):
        if peer.is_installed():
            found += peer.cases()
        else:
            skipped.append(peer.skipped())
    return found, skipped


def search_cases() -> tuple[list[Case], list[Skipped]]:
    """Searches of peers, beside `--face search`."""
    peer = PEERS["openspiel"]
    return (openspiel_cases(), []) if peer.is_installed() else ([], [peer.skipped()])


def chosen(names: Iterable[str] | None) -> list[Peer]:
    wanted = list(PEERS if names is None else names)
    unknown = [name for name in wanted if name not in PEERS]
    if unknown:
        raise ValueError(f"unknown peers {', '.join(unknown)}; there are {', '.join(PEERS)}")
    return [PEERS[name] for name in wanted]
