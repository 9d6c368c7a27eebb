"""Facts about the games, counted in play: how long they are, how much there is to choose, who wins from where, what is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table

from ..envs.core.game import Game
from ..envs.core.kernel.rng import Chance
from .agents import agent
from .tournament.games import play_deals
from .tournament.numbers import wilson
from .tournament.reporting import new_figure

__all__ = ["Facts", "facts", "markdown", "plot", "tables"]

AT_ONCE = 250
NOBODY = -1


@dataclass(frozen=True)
class Facts:
    """What was counted in games of one player against itself."""

    game: Game
    agent: str
    games: int
    decisions: np.ndarray  # of each game
    branching: np.ndarray  # legal actions of each decision
    points: np.ndarray  # [games, players]
    ranks: np.ndarray
    lead_changes: np.ndarray  # of each game: somebody else is alone in the lead
    kinds: dict[str, dict[str, int]]  # phase -> kind of action -> how often it was chosen

    @property
    def ties(self) -> float:
        return float(((self.ranks == 0).sum(1) > 1).mean())

    @property
    def seats(self) -> np.ndarray:
        """Share of victories of each seat; of one player alone, how often the automaton was beaten."""
        winners = self.ranks == 0
        return (winners / np.maximum(1, winners.sum(1, keepdims=True))).mean(0)

    def rows(self) -> list[tuple[str, str]]:
        """What there is to tell in one line each."""
        low, high = np.percentile(self.points, [5, 95])
        length, legal = self.decisions, self.branching
        told = [
            ("games", f"{self.games}"),
            ("decisions a game", f"{length.mean():.0f} ({length.min()}-{length.max()})"),
            ("legal actions", f"{legal.mean():.1f} (median {np.median(legal):.0f}, most {legal.max()})"),
            ("size of the tree", f"10^{self.log_size:.0f}"),
            ("score", f"{self.points.mean():.1f} (90 %: {low:.0f} to {high:.0f})"),
        ]
        if self.game.num_players > 1:
            best = np.sort(self.points, 1)
            margin = best[:, -1] - best[:, -2]
            shares = [wilson(share * self.games, self.games) for share in self.seats]
            told += [
                ("winner's lead", f"{margin.mean():.1f}"),
                ("ties for victory", f"{self.ties:.1%}"),
                ("lead changes", f"{self.lead_changes.mean():.1f}"),
                ("victories by seat, %", " ".join(f"{100 * share:.0f}" for share in self.seats)),
                ("95 % intervals", " ".join(f"{100 * a:.0f}-{100 * b:.0f}" for a, b in shares)),
            ]
        return told

    @property
    def log_size(self) -> float:
        """Decimal logarithm of the number of lines: the mean game's decisions with the geometric mean of their choices."""
        return float(self.decisions.mean() * np.log10(self.branching).mean())


class _Watch:
    """Counts while games are played."""

    def __init__(self, game: Game, count: int) -> None:
        self.game = game
        self.leader = np.full(count, NOBODY)
        self.changes = np.zeros(count, np.int64)
        self.branching: list[np.ndarray] = []
        self.chosen = np.zeros((len(game.phase_names), game.num_actions), np.int64)

    def __call__(self, states: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        playing = actions >= 0
        self.branching.append(masks[playing].sum(1))
        np.add.at(self.chosen, (states["phase"][playing], actions[playing]), 1)
        points, ranks = (np.zeros((len(states), self.game.rules.schema.seats), np.int64) for _ in range(2))
        self.game.kernels.outcomes(states, points, ranks)
        points = points[:, : self.game.num_players]
        ahead = points == points.max(1, keepdims=True)
        alone = playing & (ahead.sum(1) == 1)
        now = np.where(alone, ahead.argmax(1), self.leader)
        self.changes += (now != self.leader) & (self.leader != NOBODY)
        self.leader = now


def facts(game: Game, name: str, games: int, seed: int = 0, progress: Callable[[int], None] | None = None) -> Facts:
    """Let a player play against itself, and count. The deals are the same for every player."""
    player = agent(game, name, seed)
    parts, watches = [], []
    for first in range(0, games, AT_ONCE):
        count = min(AT_ONCE, games - first)
        if hasattr(player, "set_dice"):
            player.set_dice(Chance.of_seed(seed, 2**42 + first).counter)
        watch = _Watch(game, count)
        seeds, deals = np.full(count, seed % 2**64, np.uint64), np.arange(first, first + count, dtype=np.uint64)
        seats = np.zeros((count, game.num_players), np.int64)
        parts.append(play_deals(game, seats, [player], seeds, deals, watch=watch))
        watches.append(watch)
        if progress:
            progress(first + count)
    return Facts(
        game,
        name,
        games,
        np.concatenate([part.decisions for part in parts]),
        np.concatenate([legal for watch in watches for legal in watch.branching]),
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.ranks for part in parts]),
        np.concatenate([watch.changes for watch in watches]),
        _by_phase(game, np.sum([watch.chosen for watch in watches], 0)),
    )


def _by_phase(game: Game, chosen: np.ndarray) -> dict[str, dict[str, int]]:
    kinds = [game.rules.actions.kind_of(action) for action in range(game.num_actions)]
    found: dict[str, dict[str, int]] = {}
    for phase, counts in zip(game.phase_names, chosen, strict=True):
        for action in np.flatnonzero(counts):
            of_phase = found.setdefault(phase, {})
            of_phase[kinds[action]] = of_phase.get(kinds[action], 0) + int(counts[action])
    return found


# --- Showing ---------------------------------------------------------------------------------------------------------------------


def _columns(all_facts: Sequence[Facts]) -> list[tuple[str, list[str]]]:
    tellings = [dict(one.rows()) for one in all_facts]
    return [(name, [told[name] for told in tellings]) for name in tellings[0]]


def _shares(all_facts: Sequence[Facts]) -> list[tuple[str, str, list[str]]]:
    """Phase, kind of action, and each player's share of the phase's decisions."""
    lines = []
    for phase in dict.fromkeys(phase for one in all_facts for phase in one.kinds):
        for kind in dict.fromkeys(kind for one in all_facts for kind in one.kinds.get(phase, {})):
            counts = [one.kinds.get(phase, {}) for one in all_facts]
            lines.append((phase, kind, [f"{count.get(kind, 0) / max(1, sum(count.values())):.0%}" for count in counts]))
    return lines


def tables(all_facts: Sequence[Facts]) -> list[Table]:
    game = all_facts[0].game
    first = Table(title=f"{game.name}, {game.num_players} players", box=SIMPLE_HEAD)
    second = Table(title="what is chosen, share of the decisions of a phase", box=SIMPLE_HEAD)
    first.add_column("")
    second.add_column("phase")
    second.add_column("action")
    for one in all_facts:
        first.add_column(one.agent, justify="right", overflow="fold")
        second.add_column(one.agent, justify="right", overflow="fold")
    for name, told in _columns(all_facts):
        first.add_row(name, *told)
    for phase, kind, shares in _shares(all_facts):
        second.add_row(phase, kind, *shares)
    return [first, second]


def markdown(all_facts: Sequence[Facts], command: str) -> str:
    """The tables for a page, and the command that wrote them."""
    game, names = all_facts[0].game, " | ".join(f"`{one.agent}`" for one in all_facts)
    rule = "|---" * (1 + len(all_facts)) + "|"
    lines = [f"Players against themselves, {game.num_players} at the table (`{command}`).", "", f"| | {names} |", rule]
    lines += [f"| {name} | {' | '.join(told)} |" for name, told in _columns(all_facts)]
    lines += ["", "Share of the decisions of each phase:", "", f"| phase | action | {names} |", f"|---{rule}"]
    lines += [f"| {phase} | {kind} | {' | '.join(shares)} |" for phase, kind, shares in _shares(all_facts)]
    return "\n".join(lines)


def plot(all_facts: Sequence[Facts], path: Path) -> None:
    """Lengths, choices, scores and seats of each player."""
    figure = new_figure(10, 6)
    figure.suptitle(f"{all_facts[0].game.name}, {all_facts[0].game.num_players} players")
    (length, legal), (score, seats) = figure.subplots(2, 2)
    for k, one in enumerate(all_facts):
        for axes, values in ((length, one.decisions), (legal, one.branching), (score, one.points.ravel())):
            axes.hist(values, bins=40, density=True, histtype="step", label=one.agent)
        width = 0.8 / len(all_facts)
        seats.bar(np.arange(one.game.num_players) + k * width, 100 * one.seats, width, label=one.agent)
    for axes, label in ((length, "decisions a game"), (legal, "legal actions"), (score, "score"), (seats, "seat: victories, %")):
        axes.set(xlabel=label)
    length.legend()
    figure.savefig(path, dpi=120)
