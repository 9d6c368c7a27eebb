"""Masked PPO on the self-play batch, in one file: `mastaba train pyramids --players 2 --minutes 20 --out runs/pyramids`.

One network plays all seats, for observations are seen from the player to act. In some games every seat is the learner. In others it
has one seat and a past self has the rest, so that it does not forget how to beat what it was; or the game's greedy player has them,
for where everybody is the learner nobody may ever find out what good play looks like. Only the learner's decisions teach. Read top
down: settings, network, who plays with the learner, what is remembered of a rollout, the learner, checkpoints, the agent, the run.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...encoders.lookahead import LookaheadEncoder
from ...envs.core.declare.checks import check
from ...envs.core.game import Game
from ...envs.core.observing import Encoder
from ...envs.faces.extras import missing
from ...envs.faces.vector import SelfPlay
from ...envs.registry import game as make_game
from ..agents import Agent
from ..agents import agent as named_agent
from ..keeping import REPLAY, against_greedy
from ..tournament import Result, evaluate_paired
from . import observations
from .running import (
    CURVE_OPPONENTS,
    FRESH_GAMES,
    Report,
    check_folder,
    curve_point,
    draw_curve,
    figure_class,
    final_results,
    has_chance,
    progress_line,
    replacing,
    working_in,
)

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise missing(error, "train") from None

__all__ = ["PPOAgent", "Report", "Settings", "train"]

FORMAT = "mastaba masked_ppo 3"
CHECKPOINT, CURVE = "checkpoint.pt", "curve.png"
CHECKPOINT_SECONDS = 15.0  # of computing: what a killed run loses at most, and one iteration
OPENING = 6  # where nothing is left to chance, so many decisions at most are drawn before a game begins in earnest
ILLEGAL_LOGIT = -1e9
SELF, PAST, TEACHER = "self", "past", "greedy"
PROGRESS = ("iterations", "decisions", "seconds", "env_seconds", "curve")  # what a learner has besides its networks


@dataclass(frozen=True)
class Settings:
    """Pairs go from the first value to the second as the budget is used up."""

    lanes: int = 256
    steps: int = 64  # decisions per lane and rollout
    hidden: int = 128
    scorer: int = 32  # hidden units that judge the row of an action, where the observation has rows
    epochs: int = 3
    minibatch: int = 1024
    learning_rate: tuple[float, float] = (1e-3, 1e-4)
    entropy: tuple[float, float] = (0.02, 0.002)
    shaping: tuple[float, float] = (0.5, 0.2)  # share of the reward that is points; the rest is victory
    points: str = "margin"  # what these points are: the lead over the best other, or one's "own"
    clip: float = 0.2
    trace: float = 0.95  # lambda of the advantage estimation; games end, so nothing is discounted
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    opponents: dict[str, float] = field(default_factory=lambda: {SELF: 0.4, PAST: 0.2, TEACHER: 0.4})  # weights: see Company
    past_selves: int = 6
    imitation: float = 0.25  # share of the budget in which the learner first imitates the greedy player
    advice: tuple[float, float] = (0.0, 0.0)  # afterwards: how much it still counts to agree with it
    seed: int = 0
    observation: str = "lookahead"  # the encoder; whatever its shape, the network reads its numbers in a row


# What differs from the defaults, game by game.
TUNED: dict[str, dict[str, Any]] = {
    # Nobody scores alone, and whoever plays with dice in hand scores little: no self-play, hardly any entropy, advice for long.
    # With all of that PPO went on from what it had imitated (3 players, three runs: 44 to 51 % after six minutes, even is 33 %).
    "giza": {
        "opponents": {TEACHER: 0.7, PAST: 0.3},
        "imitation": 0.3,
        "advice": (0.3, 0.0),
        "entropy": (0.003, 0.0005),
        "shaping": (0.7, 0.4),
        "trace": 0.97,
    },
}
# With more than two players advice keeps PPO from unlearning what it imitated. With four, after six minutes, three seeds won 24 %
# against greedy in Cheops and 37 % in Pyramidice, where imitation alone ended at 14 %; in Pyramids they won 15 %.
MORE_THAN_TWO: dict[str, Any] = {"advice": (0.3, 0.0)}


def settings_for(game: Game, **changes: Any) -> Settings:
    known = [f.name for f in fields(Settings)]
    if unknown := sorted(set(changes) - set(known)):
        raise ValueError(f"no setting {', '.join(unknown)}, there are {', '.join(known)}")
    usual = TUNED.get(game.name, MORE_THAN_TWO if game.num_players > 2 else {})
    chosen = Settings(**{**usual, **changes})
    check("points", chosen.points, ("margin", "own"))
    if not sum(chosen.opponents.values()) > 0 or min(chosen.opponents.values()) < 0:
        raise ValueError(f"opponents: the weights of a pool are numbers of at least 0 and not all 0, got {chosen.opponents}")
    for name in set(chosen.opponents) - {SELF, PAST}:
        named_agent(game, name)
    return chosen


# --- The network --------------------------------------------------------------------------------------------------------------


class Net(nn.Module):
    """Logits of all actions, and what the player to act expects to earn.

    A body reads the position. Where the observation has a row for every action (`lookahead`), one scorer judges the rows of the
    legal ones in the light of the position: what it learns of one placement it knows of all.
    """

    def __init__(self, encoder: Encoder, actions: int, hidden: int, scorer: int) -> None:
        super().__init__()
        self.inputs, self.actions, self.width = encoder.size, actions, 0
        if isinstance(encoder, LookaheadEncoder):
            self.inputs, self.width = encoder.actions_start, encoder.width
        self.body = nn.Sequential(nn.Linear(self.inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.value = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)  # begin with a uniform choice
        nn.init.orthogonal_(self.value.weight, 0.1)
        if self.width:
            self.row, self.context = nn.Linear(self.width, scorer), nn.Linear(hidden, scorer, bias=False)
            self.which = nn.Parameter(torch.zeros(actions, scorer))
            self.score = nn.Linear(scorer, 1, bias=False)
            nn.init.orthogonal_(self.score.weight, 0.01)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        body = self.body(seen[:, : self.inputs])
        logits = self.policy(body)
        if self.width:
            rows = seen[:, self.inputs :].unflatten(1, (self.actions, self.width))
            logits = logits + self.judge(rows, legal, self.context(body))
        return logits.masked_fill(~legal, ILLEGAL_LOGIT), self.value(body).squeeze(-1)

    def judge(self, rows: Tensor, legal: Tensor, context: Tensor) -> Tensor:
        """What the scorer says of the legal actions, 0 elsewhere: few are legal, so the others are left out."""
        place, action = legal.nonzero(as_tuple=True)
        hidden = self.row(rows[place, action]) + context.index_select(0, place) + self.which.index_select(0, action)
        found = self.score(hidden.relu()).squeeze(-1)
        return torch.zeros(legal.shape).index_put((place, action), found)


def new_net(game: Game, settings: Settings) -> Net:
    return Net(game.array_encoder(settings.observation, "training"), game.num_actions, settings.hidden, settings.scorer)


@cache
def opening_of(game: Game) -> int:
    """How many decisions at most are drawn before a game begins in earnest."""
    return 0 if has_chance(game) else OPENING


def drawn(logits: Tensor, dice: torch.Generator) -> tuple[Tensor, Tensor]:
    """Actions, and the logarithms of their probabilities."""
    log_probs = logits.log_softmax(-1)
    race = torch.empty_like(log_probs).exponential_(generator=dice)  # the smallest of exponentials of these rates wins
    action = (log_probs.exp() / race).argmax(-1)
    return action, log_probs.gather(-1, action[:, None])[:, 0]


# --- Who plays with the learner -----------------------------------------------------------------------------------------------


class Company:
    """Who has the other seats in each lane, and which seat is the learner's: drawn when a game begins, kept until it ends.

    A pool names them with weights: `self` (every seat is the learner's), `past` (a past self) or a player by name. What one game
    is must not change in its middle: decisions would be praised or blamed for what others did later.
    """

    def __init__(self, game: Game, pool: dict[str, float], lanes: int, past: list[Net], dice: torch.Generator, seed: int) -> None:
        self.game, self.dice, self.past = game, dice, past
        self.kinds, self.odds = list(pool), torch.tensor(list(pool.values()), dtype=torch.float64)
        self.named = {name: named_agent(game, name, seed=seed) for name in pool if name not in (SELF, PAST)}
        self.players: list[Agent | Net | None] = [None] * lanes  # None: the learner
        self.seat = np.full(lanes, -1)  # the learner's; -1: all of them
        self.opening = np.zeros(lanes, np.int64)  # decisions that are drawn first
        self.longest_opening = opening_of(game)
        self.begin(np.arange(lanes))

    def begin(self, lanes: np.ndarray) -> None:
        """Games begin in these lanes."""
        if not len(lanes):
            return
        drawn_kinds = torch.multinomial(self.odds, len(lanes), replacement=True, generator=self.dice).tolist()
        for lane, kind in zip(lanes.tolist(), (self.kinds[k] for k in drawn_kinds), strict=True):
            self.players[lane] = self._one(kind)
            self.seat[lane] = -1 if kind == SELF else self._below(self.game.num_players)
            self.opening[lane] = self._below(self.longest_opening + 1)

    def _one(self, kind: str) -> Agent | Net | None:
        if kind == SELF:
            return None
        return self.past[self._below(len(self.past))] if kind == PAST else self.named[kind]

    def _below(self, end: int) -> int:
        return int(torch.randint(end, (1,), generator=self.dice))

    def learners(self, players: np.ndarray) -> np.ndarray:
        """Where the seat that decides is the learner's."""
        return (self.seat < 0) | (players == self.seat)

    def choose(self, env: SelfPlay, seen: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        """What the others do in these lanes: each is asked once, for all of its games."""
        actions = np.zeros(len(lanes), np.int64)
        asked = [self.players[lane] for lane in lanes.tolist()]
        whose = np.array([id(player) for player in asked])
        for player in {id(player): player for player in asked}.values():
            mine = whose == id(player)
            where = lanes[mine]
            if isinstance(player, Net):
                logits = player(torch.from_numpy(seen[where]), torch.from_numpy(env.action_masks[where] != 0))[0]
                actions[mine] = drawn(logits, self.dice)[0].numpy()
            elif player is not None:
                actions[mine] = player.choose(env.states[where], env.games.masks[where])
        return actions


# --- A rollout ----------------------------------------------------------------------------------------------------------------


class Rollout:
    """Everything that `steps` decisions in every lane leave behind; row [t, lane] is one decision."""

    def __init__(self, steps: int, lanes: int, game: Game, observation: str) -> None:
        shape = (steps, lanes)
        self.seen = np.zeros((*shape, game.encoder(observation).size), np.float32)
        self.legal = np.zeros((*shape, game.num_actions), bool)
        self.player = np.zeros(shape, np.int64)
        self.mine = np.zeros(shape, bool)  # decided by the learner, not by anybody else or by chance
        self.action = np.zeros(shape, np.int64)
        self.lesson = np.zeros(shape, np.int64)  # what the teacher would do, while it is asked
        self.log_prob = np.zeros(shape, np.float32)
        self.value = np.zeros(shape, np.float32)
        self.reward = np.zeros((*shape, game.num_players), np.float32)
        self.over = np.zeros(shape, bool)

    def advantages(self, last_player: np.ndarray, last_value: np.ndarray, trace: float) -> tuple[np.ndarray, np.ndarray]:
        """Generalised advantage estimation for each seat of each lane, and which decisions have one.

        The successor of a decision is the next decision of the same seat; what the seat earns until then is the decision's reward.
        Of the seats that are not to act after the last step, the last decision has no successor yet: it gets no advantage.
        """
        steps, lanes = self.player.shape
        rows = np.arange(lanes)
        table = (lanes, self.reward.shape[2])
        earned, next_value, next_advantage = (np.zeros(table, np.float32) for _ in range(3))
        known = np.zeros(table, bool)
        known[rows, last_player], next_value[rows, last_player] = True, last_value
        advantage, complete = np.zeros((steps, lanes), np.float32), np.zeros((steps, lanes), bool)
        for t in reversed(range(steps)):
            over = self.over[t]
            earned[over], next_value[over], next_advantage[over], known[over] = 0, 0, 0, True
            earned += self.reward[t]
            at = rows, self.player[t]
            complete[t] = known[at]
            surprise = earned[at] + next_value[at] - self.value[t]
            advantage[t] = np.where(complete[t], surprise + trace * next_advantage[at], 0)
            earned[at], next_value[at], next_advantage[at], known[at] = 0, self.value[t], advantage[t], True
        return advantage, complete


# --- The learner --------------------------------------------------------------------------------------------------------------


class Learner:
    """The network, its optimiser, its past selves and the batch it plays in."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game, self.settings = game, settings
        self.dice = torch.Generator().manual_seed(settings.seed)
        torch.manual_seed(settings.seed)
        self.net = new_net(game, settings)
        self.optimizer = torch.optim.Adam(self.net.parameters(), eps=1e-5)
        self.past: list[Net] = []
        self.iterations, self.decisions = 0, 0
        self.seconds, self.env_seconds = 0.0, 0.0
        self.curve: list[dict[str, float]] = []

    def begin(self) -> None:
        """Open new games; a resumed run opens others than the first one did."""
        s = self.settings
        self.env = SelfPlay(
            self.game,
            s.lanes,
            reward="win",
            observation=s.observation,
            autoreset_mode="same_step",
            seed=(s.seed << 32) + (self.iterations << 12),
        )
        self.seen = self.env.observations.reshape(s.lanes, -1)  # the same memory, a row per lane
        self.env.step(self.env.sample_actions())  # compiles
        self.rollout = Rollout(s.steps, s.lanes, self.game, s.observation)
        self.teacher = named_agent(self.game, TEACHER, seed=s.seed)
        if not self.past:
            self.remember_self()
        self.company = Company(self.game, s.opponents, s.lanes, self.past, self.dice, s.seed)

    def iterate(self, done: float) -> dict[str, float]:
        """One rollout and the learning from it; `done` is the share of the budget used."""
        if self.iterations % max(1, 2 ** (self.iterations.bit_length() - 4)) == 0:  # ever rarer, so the pool spans the whole run
            self.remember_self()
        imitate = done < self.settings.imitation
        advice = at(self.settings.advice, (done - self.settings.imitation) / max(1e-9, 1 - self.settings.imitation))
        last_player, last_value = self.collect(at(self.settings.shaping, done), lessons=imitate or advice > 0)
        losses = self.learn(last_player, last_value, done, 1.0 if imitate else advice, imitate)
        self.iterations += 1
        self.decisions += self.rollout.player.size
        return losses

    def remember_self(self) -> None:
        """Games that are being played keep whom they have, in the pool or not."""
        if len(self.past) == self.settings.past_selves:
            del self.past[int(torch.randint(len(self.past), (1,), generator=self.dice))]
        self.past.append(deepcopy(self.net).requires_grad_(False))

    @torch.no_grad()
    def collect(self, shaping: float, lessons: bool) -> tuple[np.ndarray, np.ndarray]:
        """Play; return who is to act in the end and what they expect."""
        env, r, company = self.env, self.rollout, self.company
        for t in range(self.settings.steps):
            r.seen[t], r.legal[t], r.player[t] = self.seen, env.action_masks, env.current_player
            drawn = env.states["decisions"] < company.opening
            learners = company.learners(r.player[t])
            r.mine[t] = learners & ~drawn
            mine, others, by_chance = (np.flatnonzero(who) for who in (r.mine[t], ~learners & ~drawn, drawn))
            r.action[t, mine], r.log_prob[t, mine], r.value[t, mine] = self.decide(r.seen[t, mine], r.legal[t, mine])
            r.action[t, others] = company.choose(env, self.seen, others)
            if len(by_chance):
                r.action[t, by_chance] = env.sample_actions()[by_chance]
            if lessons:  # asked in the positions that the learner gets into, so it also learns the way back from its own mistakes
                r.lesson[t, mine] = self.teacher.choose(env.states[mine], env.games.masks[mine])
            before = time.process_time()
            env.step(r.action[t])
            self.env_seconds += time.process_time() - before
            r.over[t] = env.terminated | env.truncated
            r.reward[t] = self.rewards(r.over[t], shaping)
            company.begin(np.flatnonzero(r.over[t]))
        value = self.net(torch.from_numpy(self.seen), torch.from_numpy(env.action_masks != 0))[1]
        return env.current_player.copy(), value.numpy()

    def decide(self, seen: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions drawn by the learner, the logarithms of their probabilities, and values."""
        logits, value = self.net(torch.from_numpy(seen), torch.from_numpy(legal))
        action, log_prob = drawn(logits, self.dice)
        return action.numpy(), log_prob.numpy(), value.numpy()

    def rewards(self, over: np.ndarray, shaping: float) -> np.ndarray:
        """Victory mixed with points: early on games are won by chance, and points still tell good play from bad."""
        win, points = self.env.rewards, self.env.points[over].astype(np.float32)
        if self.settings.points == "margin" and self.game.num_players > 1:
            points -= best_others(points)
        mixed = win.copy()
        mixed[over] += shaping * (np.clip(points / self.game.rules.score_scale, -1, 1) - mixed[over])
        return mixed

    def learn(self, last_player: np.ndarray, last_value: np.ndarray, done: float, advice: float, imitate: bool) -> dict[str, float]:
        s, r = self.settings, self.rollout
        advantage, complete = r.advantages(last_player, last_value, s.trace)
        use = np.flatnonzero((complete & r.mine).ravel())
        kept = (r.seen, r.legal, r.action, r.lesson, r.log_prob, advantage, advantage + r.value)
        data = [torch.from_numpy(x.reshape(-1, *x.shape[2:])) for x in kept]
        data[5] = (data[5] - data[5][use].mean()) / (data[5][use].std(correction=0) + 1e-8)
        weights = Weights(policy=0.0 if imitate else 1.0, advice=advice, entropy=at(s.entropy, done), value=s.value_weight)
        for group in self.optimizer.param_groups:
            group["lr"] = at(s.learning_rate, done)
        totals = np.zeros(3)
        for _ in range(s.epochs):
            order = torch.from_numpy(use)[torch.randperm(len(use), generator=self.dice)]
            for chosen in order.split(s.minibatch) if len(use) else ():  # in a tiny rollout all may be others' decisions
                totals += self.improve(Lessons(*(x[chosen] for x in data)), weights)
        names = ("value_loss", "entropy", "change")
        return dict(zip(names, totals / max(1, s.epochs * -(-len(use) // s.minibatch)), strict=True))

    def improve(self, lessons: Lessons, weights: Weights) -> tuple[float, float, float]:
        """One step of the optimiser on PPO's clipped objective and on the likelihood of what the teacher would do."""
        s = self.settings
        logits, value = self.net(lessons.seen, lessons.legal)
        log_probs = logits.log_softmax(-1)
        ratio = (log_probs.gather(-1, lessons.action[:, None])[:, 0] - lessons.log_prob).exp()
        surrogate = torch.min(ratio * lessons.advantage, ratio.clamp(1 - s.clip, 1 + s.clip) * lessons.advantage).mean()
        entropy = -(log_probs.exp() * log_probs.masked_fill(~lessons.legal, 0)).sum(-1).mean()
        value_loss = (value - lessons.target).square().mean()
        gain = weights.policy * surrogate + weights.entropy * entropy - weights.value * value_loss
        if weights.advice:  # else nobody was asked
            gain = gain + weights.advice * log_probs.gather(-1, lessons.advised[:, None]).mean()
        self.optimizer.zero_grad()
        (-gain).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), s.gradient_norm)
        self.optimizer.step()
        return value_loss.item(), entropy.item(), (ratio - 1).abs().mean().item()


class Weights(NamedTuple):
    """Of the parts of the objective."""

    policy: float
    advice: float
    entropy: float
    value: float


class Lessons(NamedTuple):
    """Decisions to learn from."""

    seen: Tensor
    legal: Tensor
    action: Tensor
    advised: Tensor
    log_prob: Tensor
    advantage: Tensor
    target: Tensor


def best_others(points: np.ndarray) -> np.ndarray:
    """For each seat, the most points of anybody else."""
    best = np.full_like(points, -np.inf)
    for seat in range(points.shape[1]):
        best[:, seat] = np.delete(points, seat, axis=1).max(1)
    return best


def at(pair: tuple[float, float], done: float) -> float:
    return pair[0] + (pair[1] - pair[0]) * min(1.0, done)


# --- Checkpoints --------------------------------------------------------------------------------------------------------------


def save(learner: Learner, path: Path) -> None:
    """Whole or not at all: written beside, then renamed."""
    content = {
        "format": FORMAT,
        **dict(zip(("game", "num_players", "options"), _table_of(learner.game), strict=True)),
        "settings": asdict(learner.settings),
        "net": learner.net.state_dict(),
        "optimizer": learner.optimizer.state_dict(),
        "dice": learner.dice.get_state(),
        "past": [net.state_dict() for net in learner.past],
        **{name: getattr(learner, name) for name in PROGRESS},
    }
    with replacing(path) as beside:
        torch.save({**content, "digest": digest_of(content)}, beside)


def digest_of(content: dict[str, Any]) -> str:
    """Of everything else in a checkpoint: torch does not notice flipped bits."""
    digest = hashlib.sha256()
    for part in _parts({name: value for name, value in content.items() if name != "digest"}):
        digest.update(part)
    return digest.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    if isinstance(value, Tensor):
        yield value.cpu().numpy().tobytes()
    elif isinstance(value, (dict, list, tuple)):
        for part in value.items() if isinstance(value, dict) else value:
            yield from _parts(part)
    else:
        yield repr(value).encode()


def load(path: Path, game: Game) -> dict[str, Any]:
    """The content of a checkpoint of this game; ValueError says in one line why it is none. Runs no code from the file."""
    path = path / CHECKPOINT if path.is_dir() else path
    if not path.is_file():
        raise ValueError(f"{path}: no such checkpoint")
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise ValueError(f"{path} is not a checkpoint, or a damaged one ({type(error).__name__})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"{path} is not a checkpoint of this version of mastaba ({FORMAT!r})")
    found, wanted = tuple(content.get(name) for name in ("game", "num_players", "options")), _table_of(game)
    if found != wanted:
        theirs, ours = (f"{name} with {players} players {options or ''}".strip() for name, players, options in (found, wanted))
        raise ValueError(f"{path} is a checkpoint of {theirs}, not of {ours}")
    if content.get("digest") != digest_of(content):
        raise ValueError(f"{path} is not a checkpoint, or a damaged one (its digest is another)")
    return content


def _table_of(game: Game) -> tuple[str, int, dict[str, str]]:
    return game.rules.versioned_name, game.num_players, game.options


def restore(net: Net, weights: dict[str, Tensor], path: Path) -> None:
    try:
        net.load_state_dict(weights)
    except RuntimeError:
        raise ValueError(f"{path} is a checkpoint of other observations or actions than those of this version") from None


def resumed(game: Game, path: Path) -> Learner:
    content = load(path, game)
    learner = Learner(game, Settings(**content["settings"]))
    restore(learner.net, content["net"], path)
    learner.optimizer.load_state_dict(content["optimizer"])
    learner.dice.set_state(content["dice"])
    for weights in content["past"]:
        learner.remember_self()
        restore(learner.past[-1], weights, path)
    for name in PROGRESS:
        setattr(learner, name, content[name])
    return learner


# --- The agent ----------------------------------------------------------------------------------------------------------------


class PPOAgent:
    """A network as a player: takes the action it thinks best, or draws from its policy. `path`: a checkpoint or a run's folder."""

    @classmethod
    def of_name(cls, game: Game, path: str, seed: int | None) -> PPOAgent:
        """`ppo:PATH`."""
        return cls(game, path)

    def __init__(self, game: Game, path: str | Path, *, draw: bool = False, seed: int = 0) -> None:
        content = load(Path(path), game)
        settings = Settings(**content["settings"])
        net = new_net(game, settings)
        restore(net, content["net"], Path(path))
        self._use(game, net, f"ppo:{path}", draw, seed, settings.observation)

    @classmethod
    def of(cls, game: Game, net: Net, observation: str, name: str = "ppo", *, draw: bool = False, seed: int = 0) -> PPOAgent:
        """A network that is still learning."""
        player = cls.__new__(cls)
        player._use(game, net, name, draw, seed, observation)
        return player

    def _use(self, game: Game, net: Net, name: str, draw: bool, seed: int, observation: str) -> None:
        self.game, self.net, self.name, self.observation = game, net, name, observation
        self._dice = torch.Generator().manual_seed(seed) if draw else None

    @torch.no_grad()
    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        legal = torch.from_numpy(masks[:, : self.game.num_actions] != 0)
        seen = observations(self.game, states, self.observation).reshape(len(states), -1)
        logits = self.net(torch.from_numpy(seen), legal)[0]
        if self._dice is None:
            return logits.argmax(-1).numpy()
        return drawn(logits, self._dice)[0].numpy()


# --- The training run ---------------------------------------------------------------------------------------------------------


def train(
    game_name: str,
    num_players: int | None,
    minutes: float,
    out_dir: str | Path,
    *,
    resume: bool = False,
    seed: int = 0,
    progress: bool = True,
    threads: int | None = None,
    max_decisions: int | None = None,
    evaluation_games: int = 1000,
    search_games: int = 20,
    curve_points: int = 15,
    **settings: Any,
) -> Report:
    """Train for `minutes` of computing (a resumed run counts what it has used), then measure against others.

    `max_decisions` ends it earlier, if given: a budget that does not depend on the machine. `threads` are torch's; where other work
    shares the cores, one is faster than two that wait for each other. Everything that can be wrong is checked before anything is
    written: ValueError or RuntimeError with one line.
    """
    game = make_game(game_name, num_players)
    out = Path(out_dir)
    learner = _learner(game, minutes, out, resume, seed, settings)
    figure_class()
    if threads:
        torch.set_num_threads(threads)
    with working_in(out):
        _run(learner, Budget(minutes * 60, max_decisions or 2**63), out, curve_points, progress)
        results = final_results(game, partial(_against, learner), evaluation_games, search_games)
        against_greedy(game, _player(learner), FRESH_GAMES).save(out / REPLAY)
        draw_curve(game, learner.curve, out / CURVE)
        made = (game.name, game.num_players, "ppo", learner.settings.seed, learner.seconds, learner.decisions)
        share = learner.env_seconds / max(learner.seconds, 1e-9)
        report = Report(*made, results, out / CHECKPOINT, out / CURVE, share)
        report.tell(out, progress)
    return report


def _learner(game: Game, minutes: float, out: Path, resume: bool, seed: int, settings: dict[str, Any]) -> Learner:
    if not minutes > 0:
        raise ValueError(f"minutes={minutes} is not possible: a run takes some time")
    check_folder(out)
    if resume and settings:
        raise ValueError(f"a resumed run keeps its settings: {', '.join(sorted(settings))} cannot be changed")
    if resume:
        return resumed(game, out)
    if (out / CHECKPOINT).exists():
        raise ValueError(f"{out} holds a run already: resume it, or choose another folder")
    return Learner(game, settings_for(game, seed=seed, **settings))


@dataclass(frozen=True)
class Budget:
    seconds: float
    decisions: int

    def used(self, learner: Learner) -> float:
        """The share of it."""
        return max(learner.seconds / self.seconds, learner.decisions / self.decisions)


def _run(learner: Learner, budget: Budget, out: Path, curve_points: int, progress: bool) -> None:
    learner.begin()
    if not learner.curve:
        _measure(learner)  # the first games compile their kernels
    saved = -CHECKPOINT_SECONDS
    losses: dict[str, float] = {}
    name = f"{learner.game.name} {learner.game.num_players}p"
    with progress_line(name, lambda: budget.used(learner), lambda: _news(learner, losses), learner.curve, progress) as show:
        while (used := budget.used(learner)) < 1:
            if len(learner.curve) <= used * curve_points:
                _measure(learner)
                draw_curve(learner.game, learner.curve, out / CURVE)
            started = time.process_time()
            losses = learner.iterate(used)
            learner.seconds += time.process_time() - started
            if learner.seconds - saved >= CHECKPOINT_SECONDS:
                save(learner, out / CHECKPOINT)
                saved = learner.seconds
            show()
    if learner.curve[-1]["decisions"] < learner.decisions:
        _measure(learner)
        save(learner, out / CHECKPOINT)


def _against(learner: Learner, opponent: str, games: int) -> Result:
    game = learner.game
    return evaluate_paired(game, _player(learner), named_agent(game, opponent, seed=1), games, FRESH_GAMES, opening_of(game))


def _player(learner: Learner) -> PPOAgent:
    return PPOAgent.of(learner.game, learner.net, learner.settings.observation)


def _measure(learner: Learner) -> None:
    learner.curve.append(curve_point(learner.seconds, learner.decisions, partial(_against, learner)))


def _news(learner: Learner, losses: dict[str, float]) -> str:
    rates = "  ".join(f"{name} {learner.curve[-1][name]:.0%}" for name in CURVE_OPPONENTS if learner.curve)
    speed, share = learner.decisions / learner.seconds, learner.env_seconds / learner.seconds
    budget = f"{learner.seconds / 60:.1f} CPU-min, {learner.decisions / 1e6:.1f}M decisions, {speed:,.0f}/s, env {share:.0%}"
    return f"{budget}, entropy {losses['entropy']:.2f}; wins: {rates}"
