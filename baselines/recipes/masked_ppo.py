"""Masked PPO on the self-play batch, in one file: `mastaba train pyramids --players 2 --minutes 20 --out runs/pyramids`.

One network plays all seats, for observations are seen from the player to act. In some lanes every seat is the learner. In others it
has one seat and a past self has the rest, so that it does not forget how to beat what it was; or the game's greedy player has them,
for where everybody is the learner nobody may ever find out what good play looks like. Only the learner's decisions teach. Read top
down: settings, network, what is remembered of a rollout, the learner, checkpoints, the agent, the training run.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.faces.extras import missing
from ...envs.faces.vector import SelfPlay
from ...envs.registry import game as make_game
from ..agents import agent as named_agent
from ..keeping import REPLAY, against_greedy
from ..tournament import Result, evaluate
from . import observations
from .running import check_folder, draw_curve, figure_class, has_chance, progress_line, replacing, working_in

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise missing(error, "train") from None

__all__ = ["PPOAgent", "Report", "Settings", "train"]

FORMAT = "mastaba masked_ppo 1"
CHECKPOINT, CURVE = "checkpoint.pt", "curve.png"
CHECKPOINT_SECONDS = 15.0  # what a killed run loses at most, and one iteration
OPPONENTS = ("random", "greedy")
FRESH_GAMES = 2**40  # the seed of games that are never trained on
ILLEGAL_LOGIT = -1e9
PROGRESS = ("past", "iterations", "decisions", "seconds", "env_seconds", "curve")  # what a learner has besides its networks


@dataclass(frozen=True)
class Settings:
    """Pairs go from the first value to the second as the budget is used up."""

    lanes: int = 256
    steps: int = 64  # decisions per lane and rollout
    hidden: int = 256
    epochs: int = 3
    minibatch: int = 1024
    learning_rate: tuple[float, float] = (1e-3, 1e-4)
    entropy: tuple[float, float] = (0.02, 0.002)
    shaping: tuple[float, float] = (0.5, 0.2)  # share of the reward that is points; the rest is victory
    clip: float = 0.2
    trace: float = 0.95  # lambda of the advantage estimation; games end, so nothing is discounted
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    past_lanes: float = 0.2  # share of the lanes in which the other seats are a past self
    greedy_lanes: float = 0.4  # and in which they are the greedy player
    past_selves: int = 12
    imitation: float = 0.25  # share of the budget in which the learner first imitates the greedy player
    seed: int = 0
    observation: str = "flat"  # the encoder; whatever its shape, the network reads its numbers in a row


# With more than two players PPO has so far unlearnt to score: what helps oneself helps others too, and the learner stops doing it.
MORE_THAN_TWO = {"imitation": 1.0}


# --- The network --------------------------------------------------------------------------------------------------------------


class Net(nn.Module):
    """Logits of all actions, and what the player to act expects to earn."""

    def __init__(self, inputs: int, actions: int, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.value = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)  # begin with a uniform choice
        nn.init.orthogonal_(self.value.weight, 0.1)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        body = self.body(seen)
        return self.policy(body).masked_fill(~legal, ILLEGAL_LOGIT), self.value(body).squeeze(-1)


def new_net(game: Game, hidden: int, observation: str = "flat") -> Net:
    return Net(game.array_encoder(observation, "training").size, game.num_actions, hidden)


# --- A rollout ----------------------------------------------------------------------------------------------------------------


class Rollout:
    """Everything that `steps` decisions in every lane leave behind; row [t, lane] is one decision."""

    def __init__(self, steps: int, lanes: int, game: Game, observation: str = "flat") -> None:
        shape = (steps, lanes)
        self.seen = np.zeros((*shape, game.encoder(observation).size), np.float32)
        self.legal = np.zeros((*shape, game.num_actions), bool)
        self.player = np.zeros(shape, np.int64)
        self.mine = np.zeros(shape, bool)  # decided by the learner, not by a past self
        self.action = np.zeros(shape, np.int64)
        self.lesson = np.zeros(shape, np.int64)  # what the greedy player would do, while it is imitated
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
        self.net, self.past_net = (new_net(game, settings.hidden, settings.observation) for _ in range(2))
        self.optimizer = torch.optim.Adam(self.net.parameters(), eps=1e-5)
        self.past: list[dict[str, Tensor]] = []
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
        lane = np.arange(s.lanes)
        self.seat = lane % self.game.num_players  # the learner's, where it has only one
        self.meets_past = lane < s.past_lanes * s.lanes
        self.meets_greedy = lane >= s.lanes - s.greedy_lanes * s.lanes
        self.greedy = named_agent(self.game, "greedy", seed=s.seed)

    def iterate(self, done: float) -> dict[str, float]:
        """One rollout and the learning from it; `done` is the share of the budget used."""
        if self.iterations % max(1, 2 ** (self.iterations.bit_length() - 4)) == 0:  # ever rarer, so the pool spans the whole run
            self.remember_self()
        self.past_net.load_state_dict(self.past[int(torch.randint(len(self.past), (1,), generator=self.dice))])
        imitate = done < self.settings.imitation
        last_player, last_value = self.collect(at(self.settings.shaping, done), imitate)
        losses = self.learn(last_player, last_value, done, imitate)
        self.iterations += 1
        self.decisions += self.rollout.player.size
        return losses

    def remember_self(self) -> None:
        if len(self.past) == self.settings.past_selves:
            del self.past[int(torch.randint(len(self.past), (1,), generator=self.dice))]
        self.past.append({name: tensor.clone() for name, tensor in self.net.state_dict().items()})

    @torch.no_grad()
    def collect(self, shaping: float, imitate: bool) -> tuple[np.ndarray, np.ndarray]:
        """Play; return who is to act in the end and what they expect."""
        env, r = self.env, self.rollout
        for t in range(self.settings.steps):
            r.seen[t], r.legal[t], r.player[t] = self.seen, env.action_masks, env.current_player
            r.mine[t] = ~(self.meets_past | self.meets_greedy) | (r.player[t] == self.seat)
            past, greedy = (np.flatnonzero(meets & ~r.mine[t]) for meets in (self.meets_past, self.meets_greedy))
            r.action[t], r.log_prob[t], r.value[t] = self.decide(torch.from_numpy(r.seen[t]), torch.from_numpy(r.legal[t]), past)
            r.action[t, greedy] = self.greedy.choose(env.states[greedy], env.games.masks[greedy])
            if imitate:  # asked in the positions that the learner gets into, so it also learns the way back from its own mistakes
                r.lesson[t] = self.greedy.choose(env.states, env.games.masks)
            before = time.perf_counter()
            env.step(r.action[t])
            self.env_seconds += time.perf_counter() - before
            r.over[t] = env.terminated | env.truncated
            r.reward[t] = self.rewards(r.over[t], shaping)
        value = self.net(torch.from_numpy(self.seen), torch.from_numpy(env.action_masks != 0))[1]
        return env.current_player.copy(), value.numpy()

    def decide(self, seen: Tensor, legal: Tensor, past: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions drawn by the learner (in the rows `past` by its past self), the logarithms of their probabilities, and values."""
        logits, value = self.net(seen, legal)
        logits[past] = self.past_net(seen[past], legal[past])[0]
        log_probs = logits.log_softmax(-1)
        race = torch.empty_like(log_probs).exponential_(generator=self.dice)  # the smallest of exponentials of these rates wins
        action = (log_probs.exp() / race).argmax(-1)
        return action.numpy(), log_probs.gather(-1, action[:, None])[:, 0].numpy(), value.numpy()

    def rewards(self, over: np.ndarray, shaping: float) -> np.ndarray:
        """Victory mixed with points: early on games are won by chance, and points still tell good play from bad.

        Between two, points are the margin. Among more they are one's own: where players must help each other to score (the sleds of
        Giza), those who only compare themselves learn that nobody should, and never see a point.
        """
        win, points = self.env.rewards, self.env.points[over].astype(np.float32)
        if self.game.num_players == 2:
            points -= points[:, ::-1].copy()
        mixed = win.copy()
        mixed[over] += shaping * (np.clip(points / self.game.rules.score_scale, -1, 1) - mixed[over])
        return mixed

    def learn(self, last_player: np.ndarray, last_value: np.ndarray, done: float, imitate: bool) -> dict[str, float]:
        s, r = self.settings, self.rollout
        action = r.lesson if imitate else r.action
        advantage, complete = r.advantages(last_player, last_value, s.trace)
        use = np.flatnonzero((complete & r.mine).ravel())
        flat = (x.reshape(-1, *x.shape[2:])[use] for x in (r.seen, r.legal, action, r.log_prob, advantage, advantage + r.value))
        data = [torch.from_numpy(x) for x in flat]
        data[4] = (data[4] - data[4].mean()) / (data[4].std() + 1e-8)
        for group in self.optimizer.param_groups:
            group["lr"] = at(s.learning_rate, done)
        totals = np.zeros(3)
        for _ in range(s.epochs):
            order = torch.randperm(len(use), generator=self.dice)
            for chosen in order.split(s.minibatch):
                totals += self.improve(*(x[chosen] for x in data), entropy_weight=at(s.entropy, done), imitate=imitate)
        value_loss, entropy, change = totals / (s.epochs * -(-len(use) // s.minibatch))
        return {"value_loss": value_loss, "entropy": entropy, "change": change}

    def improve(
        self,
        seen: Tensor,
        legal: Tensor,
        action: Tensor,
        old: Tensor,
        advantage: Tensor,
        target: Tensor,
        *,
        entropy_weight: float,
        imitate: bool,
    ) -> tuple[float, float, float]:
        """One step of the optimiser on PPO's clipped objective, or on the likelihood of the lessons."""
        s = self.settings
        logits, value = self.net(seen, legal)
        log_probs = logits.log_softmax(-1)
        log_prob = log_probs.gather(-1, action[:, None])[:, 0]
        ratio = (log_prob - old).exp()
        surrogate = torch.min(ratio * advantage, ratio.clamp(1 - s.clip, 1 + s.clip) * advantage)
        gain = log_prob.mean() if imitate else surrogate.mean()
        entropy = -(log_probs.exp() * log_probs.masked_fill(~legal, 0)).sum(-1).mean()
        value_loss = (value - target).square().mean()
        self.optimizer.zero_grad()
        (s.value_weight * value_loss - gain - entropy_weight * entropy).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), s.gradient_norm)
        self.optimizer.step()
        return value_loss.item(), entropy.item(), (ratio - 1).abs().mean().item()


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
        **{name: getattr(learner, name) for name in PROGRESS},
    }
    with replacing(path) as beside:
        torch.save(content, beside)


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
    found, wanted = (content["game"], content["num_players"], content["options"]), _table_of(game)
    if found != wanted:
        theirs, ours = (f"{name} with {players} players {options or ''}".strip() for name, players, options in (found, wanted))
        raise ValueError(f"{path} is a checkpoint of {theirs}, not of {ours}")
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
        observation = content["settings"].get("observation", "flat")
        net = new_net(game, content["settings"]["hidden"], observation)
        restore(net, content["net"], Path(path))
        self._use(game, net, f"ppo:{path}", draw, seed, observation)

    @classmethod
    def of(
        cls, game: Game, net: Net, name: str = "ppo", *, draw: bool = False, seed: int = 0, observation: str = "flat"
    ) -> PPOAgent:
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
        return logits.softmax(-1).multinomial(1, generator=self._dice)[:, 0].numpy()


# --- The training run ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """What came out of a run."""

    game: str
    num_players: int
    seconds: float
    decisions: int
    env_share: float  # of the wall time
    results: tuple[Result, ...]  # against each opponent
    checkpoint: Path
    curve: Path

    def __str__(self) -> str:
        budget = f"{self.seconds / 60:.1f} minutes, {self.decisions / 1e6:.1f} million decisions"
        speed = f"{self.decisions / max(self.seconds, 1e-9):,.0f}/s, {self.env_share:.0%} of the time in the environment"
        return "\n".join([f"{self.game}, {self.num_players} players: {budget} ({speed})", *map(str, self.results)])


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
    curve_points: int = 15,
    **settings: Any,
) -> Report:
    """Train for `minutes` of wall time (a resumed run counts what it has used), then measure against random and greedy.

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
        results = tuple(_against(learner, name, evaluation_games) for name in OPPONENTS)
        against_greedy(game, _player(learner), FRESH_GAMES).save(out / REPLAY)
        draw_curve(game, learner.curve, OPPONENTS, out / CURVE)
    share = learner.env_seconds / max(learner.seconds, 1e-9)
    report = Report(game.name, game.num_players, learner.seconds, learner.decisions, share, results, out / CHECKPOINT, out / CURVE)
    if progress:
        print(report)
    return report


def _learner(game: Game, minutes: float, out: Path, resume: bool, seed: int, settings: dict[str, Any]) -> Learner:
    if not minutes > 0:
        raise ValueError(f"minutes={minutes} is not possible: a run takes some time")
    check_folder(out)
    if resume:
        return resumed(game, out)
    if (out / CHECKPOINT).exists():
        raise ValueError(f"{out} holds a run already: resume it, or choose another folder")
    unknown = set(settings) - {f.name for f in fields(Settings)}
    if unknown:
        raise ValueError(f"no setting {', '.join(sorted(unknown))}, there are {', '.join(f.name for f in fields(Settings))}")
    usual = MORE_THAN_TWO if game.num_players > 2 else {}
    return Learner(game, Settings(**{**usual, "seed": seed, **settings}))


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
        _measure(learner)  # before the clock starts: the first games compile their kernels
    saved = -CHECKPOINT_SECONDS
    started = time.perf_counter() - learner.seconds
    losses: dict[str, float] = {}
    name = f"{learner.game.name} {learner.game.num_players}p"
    with progress_line(name, lambda: budget.used(learner), lambda: _news(learner, losses), learner.curve, progress) as show:
        while (used := budget.used(learner)) < 1:
            if len(learner.curve) <= used * curve_points:
                _measure(learner)
                draw_curve(learner.game, learner.curve, OPPONENTS, out / CURVE)
            losses = learner.iterate(used)
            learner.seconds = time.perf_counter() - started
            if learner.seconds - saved >= CHECKPOINT_SECONDS:
                save(learner, out / CHECKPOINT)
                saved = learner.seconds
            show()
    if learner.curve[-1]["decisions"] < learner.decisions:
        _measure(learner)
        save(learner, out / CHECKPOINT)


def _against(learner: Learner, opponent: str, games: int) -> Result:
    game = learner.game
    return evaluate(game, _player(learner), named_agent(game, opponent, seed=1), games, seed=FRESH_GAMES)


def _player(learner: Learner) -> PPOAgent:
    game = learner.game
    return PPOAgent.of(game, learner.net, draw=not has_chance(game), observation=learner.settings.observation)


def _measure(learner: Learner) -> None:
    """One more point of the learning curve."""
    point = {"seconds": learner.seconds, "decisions": float(learner.decisions)}
    for name in OPPONENTS:
        result = _against(learner, name, games=200)
        point |= {name: result.rate, f"{name}_low": result.low, f"{name}_high": result.high}
    learner.curve.append(point)


def _news(learner: Learner, losses: dict[str, float]) -> str:
    rates = "  ".join(f"{name} {learner.curve[-1][name]:.0%}" for name in OPPONENTS if learner.curve)
    speed, share = learner.decisions / learner.seconds, learner.env_seconds / learner.seconds
    budget = f"{learner.seconds / 60:.1f} min, {learner.decisions / 1e6:.1f}M decisions, {speed:,.0f}/s, env {share:.0%}"
    return f"{budget}, entropy {losses['entropy']:.2f}; wins: {rates}"
