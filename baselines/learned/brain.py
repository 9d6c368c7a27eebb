"""Brain: what a learned player is made of, as a small file: matrices of half-precision numbers, and what must be known of them.

A file says for which game, version, table and observation it was trained, how, and with which command. What does not fit, or is not
as it was written, is refused in one line.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.observing import Encoder
from .network import has_parts
from .thinking import DEEPEST, Plan

__all__ = ["Brain", "layout_of", "read_arrays", "replacing"]

FORMAT = "mastaba learned 2"
FILE = "player.npz"  # in the folder of a run


@dataclass(frozen=True, eq=False)
class Brain:
    """The weights of its networks, how far it looks, and where they come from."""

    game: str  # with its version
    num_players: int
    encoder: str
    layout: str  # digest of what stands where in the observation
    basis: str  # what the networks add to
    plan: Plan
    weights: np.ndarray  # [networks, inputs + 2, hidden units + 1]
    training: dict[str, Any] = field(default_factory=dict)  # the command, the time it took, what it reached

    @classmethod
    def of(cls, game: Game, encoder: str, basis: str, plan: Plan, weights: np.ndarray, **training: Any) -> Brain:
        layout = layout_of(game.encoder(encoder))
        return cls(game.rules.versioned_name, game.num_players, encoder, layout, basis, plan, weights, training)

    @classmethod
    def together(cls, brains: Sequence[Brain]) -> Brain:
        """One that thinks what these think on average; ValueError if they are not of one kind. The first has the plan."""
        first, kinds = brains[0], [(b.game, b.num_players, b.encoder, b.layout, b.basis, b.units) for b in brains]
        if other := next((kind for kind in kinds if kind != kinds[0]), None):
            raise ValueError(f"these cannot think together: {_told(kinds[0])}, and {_told(other)}")
        made = [training for b in brains for training in b.training.get("networks", [b.training])]
        together: dict[str, Any] = {name: sum(training[name] for training in made) for name in ("cpu_seconds", "decisions")}
        together["command"] = " && ".join(training["command"] for training in made)
        weights = np.concatenate([b.weights for b in brains])
        return replace(first, weights=weights, training={**first.training, **together, "networks": made})

    @property
    def units(self) -> int:
        """In the hidden layer of each network."""
        return int(self.weights.shape[2]) - 1

    def first(self, networks: int) -> Brain:
        """What so many of those that think together think, and what they took; 0: all."""
        if not 0 < networks < len(self.weights):
            return self
        made = self.training["networks"][:networks]
        return Brain.together([replace(self, weights=self.weights[[k]], training=training) for k, training in enumerate(made)])

    def save(self, path: Path) -> None:
        """Whole or not at all."""
        stored = self.weights.astype(np.float16)
        about = {
            "format": FORMAT,
            "game": self.game,
            "num_players": self.num_players,
            "encoder": self.encoder,
            "layout": self.layout,
            "basis": self.basis,
            "plan": self.plan._asdict(),
            "training": self.training,
            "digest": hashlib.sha256(stored.tobytes()).hexdigest(),
        }
        with replacing(path) as beside, beside.open("wb") as file:
            np.savez_compressed(file, weights=stored, about=np.array(json.dumps(about)))

    @classmethod
    def load(cls, path: Path, game: Game) -> Brain:
        """The brain in a file (or in the folder of a run) for this game; ValueError says in one line why there is none."""
        path = path / FILE if path.is_dir() else path
        arrays = read_arrays(path, "a learned player")
        try:
            about, weights = json.loads(str(arrays["about"])), arrays["weights"]
            if about["format"] != FORMAT:
                raise ValueError(f"{path} is not a learned player of this version of mastaba ({FORMAT!r})")
            brain = cls(
                about["game"],
                about["num_players"],
                about["encoder"],
                about["layout"],
                about["basis"],
                Plan(**about["plan"]),
                (weights if weights.ndim == 3 else weights[None]).astype(np.float32),
                about["training"],
            )
            whole = about["digest"] == hashlib.sha256(weights.tobytes()).hexdigest()
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} is not a learned player, or a damaged one ({type(error).__name__})") from None
        if not whole or not 1 <= brain.plan.depth <= DEEPEST:
            raise ValueError(f"{path} is not a learned player, or a damaged one (its digest is another)")
        brain._check(game, path)
        return brain

    def _check(self, game: Game, path: Path) -> None:
        if (self.game, self.num_players) != (game.rules.versioned_name, game.num_players):
            ours = f"{game.rules.versioned_name} with {game.num_players} players"
            raise ValueError(f"{path} plays {self.game} with {self.num_players} players, not {ours}")
        encoder = game.encoder(self.encoder)
        whole = self.weights.ndim == 3 and self.weights.size and has_parts(self.units)
        if self.layout != layout_of(encoder) or not whole or self.weights.shape[1] != encoder.size + 2:
            raise ValueError(f"{path} was trained on other observations of {self.game} than those of this version")


def _told(kind: tuple[Any, ...]) -> str:
    game, num_players, encoder, layout, basis, units = kind
    return f"{game} with {num_players} players, {encoder} ({layout}), basis={basis}, units={units}"


def layout_of(encoder: Encoder) -> str:
    """A digest of what stands where: names and places, not their descriptions."""
    places = [(s.name, s.start, s.stop, s.rows, s.every, s.first) for s in encoder.slices]
    return hashlib.sha256(repr((encoder.name, encoder.size, places)).encode()).hexdigest()[:16]


def read_arrays(path: Path, what: str) -> dict[str, np.ndarray]:
    """The arrays of a file; ValueError says in one line that it is not `what`. Runs no code from the file."""
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    except (OSError, ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile, zipfile.zlib.error) as error:  # type: ignore[attr-defined]
        raise ValueError(f"{path} is not {what}, or a damaged one ({type(error).__name__})") from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write instead of `path`, which takes its place at once when all is written. A killed run leaves it to the next."""
    beside = path.with_name(f"{path.name}.part")
    yield beside
    os.replace(beside, path)
