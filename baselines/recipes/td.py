"""Learning values of positions by self-play, in one file: `mastaba train cheops --players 2 --method td --out runs/cheops`.

The learner looks through its own turn and judges the positions it could leave behind (learned/thinking.py). After a game it learns
what they were worth: what came out in the end, mixed with what it thought later on (temporal differences). Games are played and
written down by one kernel; the gradient is a page of numpy. Read top down: settings, games, the network, checkpoints, the run.

Only the decisions of the learner teach, and where `others` says so what its other seats see of them. The game's rule-based player
starts it (its own games are the first lessons) and goes on sitting in some of the seats, for where everybody is the learner nobody
may ever find out what good play looks like.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...envs.core.declare.checks import check
from ...envs.core.game import Game
from ...envs.core.kernel.jit import kernel
from ...envs.core.kernel.masks import choose, new_masks
from ...envs.core.kernel.rng import draw, mix, stream
from ...envs.core.play.policies import SCRATCH, uniform
from ...envs.core.rules import Rules
from ...envs.registry import game as make_game
from ..agents import agent as named_agent
from ..keeping import REPLAY, against_greedy
from ..learned.brain import FILE, Brain, layout_of, read_arrays, replacing
from ..learned.network import BIAS, LINEAR, OUT, has_parts, net
from ..learned.players import LearnedAgent
from ..learned.thinking import BASES, DEEPEST, Plan, build_thinking, new_mind
from ..tournament import Result, evaluate_paired
from ..words import written
from .running import (
    CURVE_OPPONENTS,
    FRESH_GAMES,
    Report,
    check_folder,
    curve_point,
    draw_curve,
    final_results,
    progress_line,
    reached,
    working_in,
)
from .td_on_ray import RayTables

__all__ = ["Learner", "Report", "Settings", "command_of", "settings_for", "train"]

FORMAT = "mastaba td 2"
CHECKPOINT, CURVE = "checkpoint.npz", "curve.png"
CHECKPOINT_SECONDS = 30.0  # of computing: what a killed run loses at most, and one iteration
RAY_PAGES = 8  # workers that play at once, if nothing else is said
MOST_ERROR = 3.0  # errors are cut there: one strange game must not turn everything over


@dataclass(frozen=True)
class Settings:
    """Pairs go from the first value to the second as the budget is used up."""

    observation: str = "flat"  # the encoder whose numbers the network takes
    units: int = LINEAR  # in its hidden layer, a multiple of that
    spread: float = 0.0  # of its first weights: their standard deviation; 0: such that sums of them are about 1
    basis: str = "judged"  # what the network adds to: the lead in `points`, or as the rule-based player has `judged` it
    depth: int = 1  # how far the learner looks while it trains: see Plan
    player_depth: int = 0  # and when it plays in earnest; 0: as far
    positions: int = 1000
    worlds: int = 1
    lessons: int = 8192  # positions that are played before the network learns from them
    pages: int = 1  # in which they are played: so many workers can play at once (see td_on_ray.py)
    passes: int = 4  # over them
    minibatch: int = 512
    learning_rate: tuple[float, float] = (4e-4, 2e-5)
    explore: tuple[float, float] = (0.05, 0.01)  # share of the decisions that are drawn
    trace: float = 0.8  # lambda: how much the end counts against what was thought on the way
    warm_start: float = 0.08  # share of the budget in which rule-based players have all seats
    teacher: float = 0.3  # share of the seats that they have afterwards; one is always the learner's
    teachers: str = "greedy"  # who they are: one, or two that take turns game by game
    others: float = 0.0  # share of the decisions after which the learner's other seats are taught too, by what they see of them
    opening: int = 0  # so many decisions at most are drawn before the game begins in earnest
    decisions: int = 1_000_000  # the budget
    seed: int = 0

    @property
    def plan(self) -> Plan:
        return Plan(self.depth, self.positions, self.worlds)

    @property
    def player_plan(self) -> Plan:
        return self.plan._replace(depth=self.player_depth or self.depth)


# What differs from the defaults, game by game.
TUNED: dict[str, dict[str, Any]] = {
    # At most two stones a turn, each chosen and paid: the whole turn. Who meets greedy alone hardly ever learns to win short games.
    "cheops": {"depth": 5, "learning_rate": (1e-3, 1e-4), "teachers": "greedy,rush", "decisions": 10_000_000},
    # Nothing falls from dice, and nobody scores alone: who does not see good play for long enough never learns to score. And what
    # others do decides so much that positions of their turns are to be judged too.
    "giza": {
        "opening": 6,
        "teacher": 0.5,
        "warm_start": 0.15,
        "trace": 0.9,
        "others": 0.25,
        "decisions": 40_000_000,
        "player_depth": 3,
        "positions": 30,
    },
    # Fewer passes, more games. Looking through take and placement is worth ten points; with more positions it takes its time.
    "master_architect": {"passes": 3, "player_depth": 3, "positions": 12, "decisions": 24_000_000},
    "pyramids": {"player_depth": 6, "positions": 100, "decisions": 12_000_000},
    # Many small decisions a turn: what was thought fades slowly, and looking a few of them far is worth 15 points.
    "pyramidice": {"trace": 0.9, "player_depth": 4, "positions": 30, "decisions": 24_000_000},
}


def settings_for(game: Game, **changes: Any) -> Settings:
    game.array_encoder(changes.get("observation", "flat"), "training")
    known = {f.name for f in fields(Settings)}
    if unknown := sorted(set(changes) - known):
        raise ValueError(f"no setting {', '.join(unknown)}, there are {', '.join(sorted(known))}")
    chosen = Settings(**{**TUNED.get(game.name, {}), **changes})
    check("basis", chosen.basis, BASES)
    for name in ("positions", "worlds", "lessons", "pages", "passes", "minibatch", "decisions"):
        if getattr(chosen, name) < 1:
            raise ValueError(f"{name}={getattr(chosen, name)} is not possible: it takes at least one")
    if not 0 <= chosen.spread < np.inf:
        raise ValueError(f"spread={chosen.spread} is not possible: it is a standard deviation, or 0")
    if not 0 <= chosen.others <= 1:
        raise ValueError(f"others={chosen.others} is not possible: it is a share, from 0 to 1")
    if not has_parts(chosen.units):
        raise ValueError(f"units={chosen.units} is not possible, allowed are {LINEAR}, {2 * LINEAR}, {3 * LINEAR} and so on")
    teachers, there_are = chosen.teachers.split(","), {"greedy", *game.rules.named_policies}
    if len(teachers) > 2 or not there_are.issuperset(teachers):
        names = ", ".join(sorted(there_are))
        raise ValueError(f"teachers={chosen.teachers} is not possible: one or two of {names}, like greedy,random")
    for name, depth in (("depth", chosen.depth), ("player_depth", chosen.player_plan.depth)):
        if not 1 <= depth <= DEEPEST:
            raise ValueError(f"{name}={depth} is not possible, allowed are 1 to {DEEPEST}")
    return chosen


def command_of(game: Game, settings: Settings) -> str:
    """The command that trains so."""
    usual, chosen = asdict(settings_for(game)), asdict(settings)
    words = [f"mastaba train {game.name} --players {game.num_players} --method td"]
    words += [f"--{name} {chosen.pop(name)}" for name in ("seed", "decisions")]
    words += [f"--set {name}={written(value)}" for name, value in chosen.items() if value != usual[name]]
    return " ".join(words)


# --- Games, written down by one kernel ----------------------------------------------------------------------------------------


class Book(NamedTuple):
    """Positions that seats left behind, in the order of play."""

    seen: np.ndarray
    standing: np.ndarray  # the lead in the position
    expected: np.ndarray  # what the seat thought it was worth
    drawn: np.ndarray  # the action was not the best, but drawn
    seat: np.ndarray
    lesson: np.ndarray  # what the network should have said
    size: np.ndarray


class Terms(NamedTuple):
    """How games are played."""

    explore: float
    trace: float
    teacher: float
    opening: int
    others: float = 0.0


class Desk(NamedTuple):
    """Where a game is played and thought about."""

    states: np.ndarray
    masks: np.ndarray
    scratch: np.ndarray
    scratch_masks: np.ndarray
    counter: np.ndarray
    taught: np.ndarray  # seats of rule-based players


def new_book(lessons: int, inputs: int) -> Book:
    numbers = (np.zeros(lessons, np.float32) for _ in range(3))
    standing, expected, lesson = numbers
    drawn, seat = np.zeros(lessons, np.bool_), np.zeros(lessons, np.int8)
    return Book(np.zeros((lessons, inputs), np.float32), standing, expected, drawn, seat, lesson, np.zeros(1, np.int64))


def new_desk(game: Game) -> Desk:
    masks, scratch_masks = (new_masks(count, game.num_actions)[0] for count in (1, SCRATCH))
    taught = np.zeros(game.rules.schema.seats, np.bool_)
    return Desk(game.new_states(1), masks, game.new_states(SCRATCH), scratch_masks, np.zeros(1, np.uint64), taught)


ODD = np.uint64(1)
MOST_GAMES = 1 << 20  # on a page: each has numbers of its own for its games
OFTEN = 1 << 20  # how finely chances are drawn
MOST_NOTES = 8  # after one decision, unless more sit at the table
PLAYERS = np.uint64(0x7D1CE)  # keeps the players' dice apart from the game's


@cache
def build_self_play(rules: Rules, show: Any, basis: str, teachers: str) -> Any:
    begin, play = rules.kernels.begin, rules.kernels.play
    thinking = build_thinking(rules, show, basis)
    think, standing = thinking.think, thinking.standing
    known = [rules.named_policies.get(name, uniform) for name in teachers.split(",")]
    teacher, other_teacher = known[0], known[-1]

    @kernel
    def happens(chance, counter):
        return draw(counter, OFTEN) < chance * OFTEN

    @kernel
    def give_seats(desk, num_players, share):
        """Rule-based players get their share of the seats; but unless they have all, the learner has at least one."""
        learner = draw(desk.counter, num_players)
        for p in range(num_players):
            desk.taught[p] = happens(share, desk.counter) and (p != learner or share >= 1)

    @kernel
    def note(s, p, best, drawn, mind, book):
        """Write down the position that p has left behind. Finished games need no thought: their value is the result.

        What p expects is the value of the position as it is: that of the best action was found with imagined dice, and the best of
        several lucky throws promises too much. Only where the action was drawn it stands for what would have been played.
        """
        k = book.size[0]
        if not s.over:
            seen = book.seen[k]
            show(s, p, seen)
            book.standing[k] = standing(s, p, mind)
            book.expected[k] = best if drawn else book.standing[k] + net(seen, mind.weights, mind.memory)
            book.seat[k], book.drawn[k] = p, drawn
            book.size[0] += 1

    @kernel
    def teach(s, first, trace, mind, book):
        """From the end of the game back: the lesson of a position is what its seat made of it, and thought of it, later on."""
        for p in range(s.num_players):
            later = standing(s, p, mind)
            for k in range(book.size[0] - 1, first - 1, -1):
                if book.seat[k] == p:
                    book.lesson[k] = later - book.standing[k]
                    # A drawn action says nothing about the positions before it, but what was thought of the best one does.
                    later = book.expected[k] if book.drawn[k] else trace * later + (1 - trace) * book.expected[k]

    @kernel
    def one_game(template, seed, number, terms, desk, mind, book):
        """Return how many decisions it took; 0 if the book was full before its end: then nothing of it is kept."""
        first, mask, counter = book.size[0], desk.masks[0], desk.counter
        room = len(book.lesson) - (max(MOST_NOTES, len(desk.taught)) if terms.others > 0 else 0)
        begin(desk.states, 0, template, seed, number, mask)
        s = desk.states[0]
        counter[0] = mix(stream(seed, number) ^ PLAYERS)
        give_seats(desk, s.num_players, terms.teacher)
        opening = draw(counter, terms.opening + 1)
        while not s.over:
            if book.size[0] >= room:
                book.size[0] = first
                return 0
            p, best, drawn, noted = s.current_player, 0.0, False, True
            if s.decisions < opening:
                action, noted = choose(mask, counter), False
            elif desk.taught[p]:
                if number & ODD:
                    action = teacher(s, mask, counter, desk.scratch, desk.scratch_masks)
                else:
                    action = other_teacher(s, mask, counter, desk.scratch, desk.scratch_masks)
                noted = terms.teacher >= 1
            else:
                action, best = think(s, mask, counter, desk.scratch, desk.scratch_masks, mind)
                drawn = happens(terms.explore, counter)
                if drawn:
                    action = choose(mask, counter)
            play(s, action, mask)
            s.decisions += 1
            if noted:
                note(s, p, best, drawn, mind, book)
            if terms.others > 0 and happens(terms.others, counter):
                for q in range(s.num_players):
                    if q != p and (terms.teacher >= 1 or not desk.taught[q]):
                        note(s, q, best, False, mind, book)
        teach(s, first, terms.trace, mind, book)
        return np.int64(s.decisions)

    @kernel
    def fill(template, seed, number, terms, desk, mind, book):
        """Play games from `number` on until the book is full. Return games and decisions."""
        book.size[0] = 0
        games, decisions = 0, 0
        while True:
            taken = one_game(template, seed, number + np.uint64(games), terms, desk, mind, book)
            if taken == 0:
                return games, decisions
            games += 1
            decisions += taken

    return fill


class Page(NamedTuple):
    """What a table has written down."""

    seen: np.ndarray
    lesson: np.ndarray
    games: int
    decisions: int
    seconds: float  # of computing


class Table:
    """Plays pages, here or in a worker. A page follows from the weights, the terms and its number, wherever it is played."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game, self.settings = game, settings
        encoder = game.array_encoder(settings.observation, "training")
        self._fill = build_self_play(game.rules, encoder.show, settings.basis, settings.teachers)
        self.book, self._desk = new_book(settings.lessons // settings.pages, encoder.size), new_desk(game)

    def play(self, weights: np.ndarray, terms: Terms, number: int) -> Page:
        """The arrays are those of the book: good until the next page."""
        game, settings, book, started = self.game, self.settings, self.book, time.process_time()
        mind, first = new_mind(game, weights[None], settings.plan), np.uint64(number * MOST_GAMES)
        games, decisions = self._fill(game.template, np.uint64(settings.seed), first, terms, self._desk, mind, book)
        if not games:
            raise ValueError(f"lessons={settings.lessons} is too few: no game of {game.name} fits in")
        size = int(book.size[0])
        return Page(book.seen[:size], book.lesson[:size], games, decisions, time.process_time() - started)

    def play_all(self, weights: np.ndarray, terms: Terms, numbers: range) -> Iterator[Page]:
        for number in numbers:
            page = self.play(weights, terms, number)
            yield page if len(numbers) == 1 else page._replace(seen=page.seen.copy(), lesson=page.lesson.copy())


Players = Callable[[np.ndarray, Terms, range], Iterable[Page]]  # play pages of these numbers, and give them back in that order


# --- The network --------------------------------------------------------------------------------------------------------------


class Network:
    """One hidden layer and a straight line beside it, with the moments of Adam."""

    def __init__(self, inputs: int, seed: int, units: int = LINEAR, spread: float = 0.0) -> None:
        self.weights = np.zeros((inputs + 2, units + 1), np.float32)  # the output weights too: it begins by saying 0
        spread = spread or np.sqrt(2 / max(1, inputs) * 4)  # a quarter of the inputs is not 0, about
        self.weights[:BIAS, :-1] = np.random.default_rng(seed).normal(0, spread, (inputs, units))
        self.weights[OUT, :-1] = np.random.default_rng([seed, 1]).normal(0, 1e-3, units)
        self.mean, self.square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self.steps = 0

    def improve(self, seen: np.ndarray, lesson: np.ndarray, rate: float) -> float:
        """One step towards the lessons; return the mean square of the errors."""
        weights, gradient = self.weights, np.zeros_like(self.weights)
        sums = seen @ weights[:BIAS] + weights[BIAS]
        hidden = np.maximum(sums[:, :-1], 0)
        error = sums[:, -1] + hidden @ weights[OUT, :-1] - lesson
        blame = np.clip(error, -MOST_ERROR, MOST_ERROR) / len(lesson)
        back = np.empty_like(sums)
        back[:, -1] = blame
        back[:, :-1] = blame[:, None] * weights[OUT, :-1] * (hidden > 0)
        gradient[:BIAS], gradient[BIAS] = seen.T @ back, back.sum(0)
        gradient[OUT, :-1] = blame @ hidden
        self._adam(gradient, rate)
        return float(np.square(error).mean())

    def _adam(self, gradient: np.ndarray, rate: float, keep: float = 0.9, keep_square: float = 0.999) -> None:
        self.steps += 1
        self.mean += (1 - keep) * (gradient - self.mean)
        self.square += (1 - keep_square) * (gradient * gradient - self.square)
        scale = np.sqrt(1 - keep_square**self.steps) / (1 - keep**self.steps)
        self.weights -= np.float32(rate * scale) * self.mean / (np.sqrt(self.square) + np.float32(1e-8))


class Learner:
    """The network, and how far it has come. Games are played at a table of its own, or where `players` play them."""

    def __init__(self, game: Game, settings: Settings, players: Players | None = None) -> None:
        self.game, self.settings = game, settings
        inputs = game.array_encoder(settings.observation, "training").size
        self.network = Network(inputs, settings.seed, settings.units, settings.spread)
        self.players = players or Table(game, settings).play_all
        self.games, self.decisions, self.iterations = 0, 0, 0
        self.seconds = 0.0  # of computing, wherever it was done
        self.loss = 0.0
        self.curve: list[dict[str, float]] = []

    @property
    def used(self) -> float:
        """The share of the budget."""
        return min(1.0, self.decisions / self.settings.decisions)

    def iterate(self) -> None:
        """Let games be played, and learn from them."""
        s, used = self.settings, self.used
        warm = used < s.warm_start
        terms = Terms(at(s.explore, used), 1.0 if warm else s.trace, 1.0 if warm else s.teacher, s.opening, s.others)
        numbers = range(self.iterations * s.pages, (self.iterations + 1) * s.pages)
        pages = list(self.players(self.network.weights, terms, numbers))
        started = time.process_time()
        self._learn(joined([p.seen for p in pages]), joined([p.lesson for p in pages]), at(s.learning_rate, used))
        self.games += sum(p.games for p in pages)
        self.decisions += sum(p.decisions for p in pages)
        self.iterations += 1
        self.seconds += sum(p.seconds for p in pages) + time.process_time() - started

    def _learn(self, seen: np.ndarray, lesson: np.ndarray, rate: float) -> None:
        s, count = self.settings, len(lesson)
        dice, losses = np.random.default_rng([s.seed, self.iterations]), []
        for _ in range(s.passes):
            order = dice.permutation(count)
            for start in range(0, count, s.minibatch):
                chosen = order[start : start + s.minibatch]
                losses.append(self.network.improve(seen[chosen], lesson[chosen], rate))
        self.loss = float(np.mean(losses))

    def player(self, seed: int = 0, **training: Any) -> LearnedAgent:
        """As it plays now."""
        s = self.settings
        brain = Brain.of(self.game, s.observation, s.basis, s.player_plan, self.network.weights[None], **training)
        return LearnedAgent(self.game, "td", seed, brain)


def joined(parts: list[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def at(pair: tuple[float, float], used: float) -> float:
    return pair[0] + (pair[1] - pair[0]) * used


# --- Checkpoints --------------------------------------------------------------------------------------------------------------

PROGRESS = ("games", "decisions", "iterations", "seconds", "curve")  # what a learner has besides its network


def save(learner: Learner, path: Path) -> None:
    """Whole or not at all: written beside, then renamed."""
    network, game = learner.network, learner.game
    about = {
        "format": FORMAT,
        "game": game.rules.versioned_name,
        "num_players": game.num_players,
        "layout": layout_of(game.encoder(learner.settings.observation)),
        "settings": asdict(learner.settings),
        "steps": network.steps,
        "progress": {name: getattr(learner, name) for name in PROGRESS},
    }
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez(file, weights=network.weights, mean=network.mean, square=network.square, about=np.array(json.dumps(about)))


def resumed(game: Game, folder: Path, **changes: Any) -> Learner:
    """The learner of a checkpoint, which goes on exactly as it would have; ValueError says in one line why there is none."""
    path = folder / CHECKPOINT
    arrays = read_arrays(path, "a checkpoint")
    try:
        about = json.loads(str(arrays["about"]))
        if about["format"] != FORMAT:
            raise ValueError(f"{path} is not a checkpoint of this version of mastaba ({FORMAT!r})")
        theirs, ours = (about["game"], about["num_players"]), (game.rules.versioned_name, game.num_players)
        if theirs != ours:
            raise ValueError(f"{path} is a checkpoint of {theirs[0]} with {theirs[1]} players, not of {ours[0]} with {ours[1]}")
        pairs = {name: tuple(value) if isinstance(value, list) else value for name, value in about["settings"].items()}
        settings = Settings(**{**pairs, **changes})
        if about["layout"] != layout_of(game.encoder(settings.observation)):
            raise ValueError(f"{path} is a checkpoint of other observations than those of this version")
        learner = Learner(game, settings)
        network = learner.network
        for name in ("weights", "mean", "square"):
            if (arrays[name].shape, arrays[name].dtype) != (network.weights.shape, network.weights.dtype):
                raise ValueError(f"{path} is not a checkpoint, or a damaged one ({name} of another shape)")
            setattr(network, name, arrays[name])
        network.steps = about["steps"]
        for name in PROGRESS:
            setattr(learner, name, about["progress"][name])
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not a checkpoint, or a damaged one ({type(error).__name__})") from None
    return learner


# --- The training run ---------------------------------------------------------------------------------------------------------


def train(
    game_name: str,
    num_players: int | None,
    out_dir: str | Path,
    *,
    minutes: float | None = None,
    ray: str | None = None,
    resume: bool = False,
    progress: bool = True,
    evaluation_games: int = 1000,
    search_games: int = 20,
    curve_points: int = 10,
    **settings: Any,
) -> Report:
    """Train for so many `decisions`, by default those of the game's settings; then measure on fresh games.

    With `minutes` (of computing) given, the run ends there if the decisions are not made before: that depends on the machine. Else
    the same seed gives the same player, killed and resumed or not. `ray` is the address of a cluster whose workers play the games,
    or `local`; as many `pages`, and the player is the same. Everything that can be wrong is checked before anything is written:
    ValueError, ConnectionError or RuntimeError with one line.
    """
    game, out = make_game(game_name, num_players), Path(out_dir)
    if minutes is not None and not minutes > 0:
        raise ValueError(f"minutes={minutes} is not possible: a run takes some time")
    check_folder(out)
    chosen = settings_for(game, **({} if ray is None or resume else {"pages": RAY_PAGES}) | settings)
    if resume:
        chosen = resumed(game, out, **settings).settings
    elif (out / CHECKPOINT).exists():
        raise ValueError(f"{out} holds a run already: resume it, or choose another folder")
    players = None if ray is None else RayTables(game, chosen, ray).play_all
    with working_in(out):
        learner = resumed(game, out, **settings) if resume else Learner(game, chosen)
        learner.players = players or learner.players
        _run(learner, (minutes or float("inf")) * 60, out, curve_points, progress)
        results = final_results(game, partial(_against, learner), evaluation_games, search_games)
        _write_player(learner, out, results)
        against_greedy(game, learner.player(seed=1), FRESH_GAMES).save(out / REPLAY)
        made = (game.name, game.num_players, "td", learner.settings.seed, learner.seconds, learner.decisions)
        report = Report(*made, results, out / FILE, _plot(learner, out))
        report.tell(out, progress)
    return report


def _run(learner: Learner, most_seconds: float, out: Path, curve_points: int, progress: bool) -> None:
    name = f"{learner.game.name} {learner.game.num_players}p"
    if not learner.curve:
        _measure(learner)  # before the clock starts: the first games compile their kernels
        Learner(learner.game, learner.settings, learner.players).iterate()
    saved = learner.seconds

    def used() -> float:
        return max(learner.used, learner.seconds / most_seconds)

    with progress_line(name, used, lambda: _news(learner), learner.curve, progress) as show:
        while used() < 1:
            learner.iterate()
            if len(learner.curve) <= used() * curve_points:
                _measure(learner)
            if learner.seconds - saved >= CHECKPOINT_SECONDS or used() >= 1:
                save(learner, out / CHECKPOINT)
                saved = learner.seconds
            show()


def _measure(learner: Learner) -> None:
    learner.curve.append(curve_point(learner.seconds, learner.decisions, partial(_against, learner)))


def _against(learner: Learner, opponent: str, games: int) -> Result:
    game, opening = learner.game, learner.settings.opening
    return evaluate_paired(game, learner.player(seed=1), named_agent(game, opponent, seed=2), games, FRESH_GAMES, opening)


def _write_player(learner: Learner, out: Path, results: tuple[Result, ...]) -> None:
    s, game = learner.settings, learner.game
    made: dict[str, Any] = {"cpu_seconds": round(learner.seconds), "decisions": learner.decisions, "settings": asdict(s)}
    player = learner.player(command=command_of(game, s), **made, reached=reached(results))
    player.brain.save(out / FILE)


def _plot(learner: Learner, out: Path) -> Path | None:
    try:
        draw_curve(learner.game, learner.curve, out / CURVE)
    except RuntimeError:  # without matplotlib there is a player, but no plot
        return None
    return out / CURVE


def _news(learner: Learner) -> str:
    rates = "  ".join(f"{name} {learner.curve[-1][name]:.0%}" for name in CURVE_OPPONENTS)
    speed = learner.decisions / max(learner.seconds, 1e-9)
    budget = f"{learner.seconds / 60:.1f} CPU-min, {learner.decisions / 1e6:.2f}M decisions, {speed:,.0f}/s"
    return f"{budget}, error {learner.loss:.2f}; wins: {rates}"
