"""A game with people at the table: who sits where, what each seat is told, hints, taking back. Terminal and browser play by it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .baselines.agents import Agent, PolicyAgent, act, agent, policy_names
from .baselines.search.players import SearchAgent
from .envs.core.game import Game
from .envs.core.state import IllegalActionError, State
from .envs.registry import game as make_game

if TYPE_CHECKING:
    from .envs.replay import Replay

__all__ = ["PERSON", "Hint", "Sitting", "Terminal", "hints", "opponents", "options_of", "read_action"]

PERSON = "person"
WORLDS = 16  # drawn to see whether a seat has learnt something
ESTIMATES = 400  # games played for the estimates of a hint, over all moves


class Move(NamedTuple):
    """A line of the log: a decision, or a forced move that followed from it."""

    seat: int
    action: int
    forced: bool


class Hint(NamedTuple):
    """What may come of a move, as the named player thinks."""

    action: int
    wins: float  # share of the games won
    points: float | None  # mean of the own score, if the player counts it


class Sitting:
    """One game: players by name, `person` where somebody sits, and all decisions from the start."""

    def __init__(self, game: Game, players: Sequence[str], seed: int, actions: Iterable[int] = (), *, episode: int = 0) -> None:
        if len(players) != game.num_players:
            raise ValueError(f"{game.name}: {game.num_players} seats need as many players, got {len(players)}")
        self.game, self.players, self.seed, self.episode = game, tuple(players), seed, episode
        self.agents = {p: agent(game, name, seed + 1 + p) for p, name in enumerate(players) if name != PERSON}
        self._begin(actions)

    @classmethod
    def of_replay(cls, replay: Replay, players: Sequence[str] | None = None, decisions: int | None = None) -> Sitting:
        """A game that was kept goes on, after so many of its decisions, with other players if they are named."""
        game = replay.table()
        actions = [game.string_to_action(action) for action in replay.actions[:decisions]]
        return cls(game, replay.players if players is None else players, replay.seed, actions, episode=replay.episode)

    def snapshot(self) -> Sitting:
        """A copy that stays as it is while this game goes on; the players are the same."""
        other = copy.copy(self)
        other.state = self.state.clone()
        other.actions, other.deciders, other.moves = self.actions.copy(), self.deciders.copy(), self.moves.copy()
        return other

    def deal(self) -> State:
        """The position before the first decision."""
        return self.game.new_initial_state(self.seed, self.episode)

    def _begin(self, actions: Iterable[int]) -> None:
        self.state = self.deal()
        self.actions: list[int] = []
        self.deciders: list[int] = []
        self.moves: list[Move] = []
        for action in actions:
            self._apply(action)

    def _apply(self, action: int) -> None:
        decider, moves = self.state.current_player(), self.state.moves_of(action)
        self.state.apply_action(action)
        self.actions.append(action)
        self.deciders.append(decider)
        self.moves += [Move(seat, move, forced=i > 0) for i, (seat, move) in enumerate(moves)]

    # --- Asking --------------------------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The seat that decides now, None at the end."""
        return None if self.state.is_terminal() else self.state.current_player()

    @property
    def waits_for_a_person(self) -> bool:
        return self.to_move is not None and self.players[self.to_move] == PERSON

    def at(self, decisions: int) -> State:
        """The position after so many decisions."""
        state = self.deal()
        for action in self.actions[:decisions]:
            state.apply_action(action)
        return state

    def words(self, move: Move, observer: int | None) -> str:
        """A move as a seat may know it, and what it means."""
        told = self.state.told(move.action, move.seat, observer)
        return f"{told}: {meaning(self.game, move.action)}"

    def replay(self) -> Replay:
        from .envs.replay import Replay

        return Replay.of(self.game, self.seed, self.actions, players=self.players, episode=self.episode)

    # --- Playing -------------------------------------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        """A seat decides; ValueError if it is not its turn, IllegalActionError if the move is not legal."""
        if self.to_move is None:
            raise ValueError("the game is over")
        if seat != self.to_move:
            raise ValueError(f"it is not your turn: seat {self.to_move} decides")
        self._apply(self.state.check_legal(action))

    def asked(self) -> tuple[Agent, State] | None:
        """The computer whose turn it is, and a copy of the position to think about; None if a person decides, or nobody."""
        if self.to_move is None or self.waits_for_a_person:
            return None
        return self.agents[self.to_move], self.state.clone()

    def computer_moves(self) -> bool:
        """Let the computer whose turn it is decide once; False if a person decides or the game is over."""
        asked = self.asked()
        if asked is not None:
            self._apply(act(*asked))
        return asked is not None

    # --- Taking back ---------------------------------------------------------------------------------------------------------

    def undo(self, seat: int, *, anyway: bool = False) -> None:
        """Back to the last decision of a seat; ValueError if it may not be taken back."""
        self.back_to(self.last_decision(seat, anyway=anyway))

    def last_decision(self, seat: int, *, anyway: bool = False) -> int:
        """The number of a seat's last decision; ValueError if it has learnt something since, unless that does not matter."""
        own = [i for i, decider in enumerate(self.deciders) if decider == seat]
        if not own:
            raise ValueError("there is nothing to take back")
        if any(self.players[p] == PERSON and p != seat for p in self.deciders[own[-1] + 1 :]):
            raise ValueError("another person has decided since")
        if not anyway and self.to_move is None:
            raise ValueError("the game is over, and everything that was hidden is revealed")
        if not anyway and self.has_learnt(seat, own[-1]):
            raise ValueError("something hidden was revealed since (cards drawn, dice rolled, a secret told)")
        return own[-1]

    def back_to(self, decisions: int) -> None:
        """Forget all decisions but the first ones."""
        self._begin(self.actions[:decisions])

    def has_learnt(self, seat: int, since: int) -> bool:
        """Whether the same moves would have shown this seat something else, had hidden cards and dice been others."""
        before, seen = self.at(since), self.state.view(seat)
        for world in range(WORLDS):
            other = before.determinize(seat, seed=world)
            try:
                for action in self.actions[since:]:
                    other.apply_action(action)
            except IllegalActionError:  # somebody could do what they could not have done in this world
                return True
            if other.view(seat) != seen:
                return True
        return False


def meaning(game: Game, action: int) -> str:
    """What an action does, as the game's table of actions has it."""
    kind = game.rules.actions.kind_of(action)
    return next(r.doc for r in game.rules.actions.ranges if r.kind == kind)


def by_kind(state: State) -> dict[str, list[int]]:
    """The legal actions under what they mean, in the order of the action table."""
    groups: dict[str, list[int]] = {}
    for action in state.legal_actions():
        groups.setdefault(meaning(state.game, action), []).append(action)
    return groups


# --- Hints ---------------------------------------------------------------------------------------------------------------------


def hints(state: State, player: int, adviser: Agent) -> tuple[int, list[Hint]]:
    """What a named player would do, and how the moves fare, the best first.

    It sees what the asking player sees: everything hidden is drawn anew. A rule-based player is thought of at all seats; a search
    plays on as it does when it thinks, but to the end, and all moves get the same share of its budget.
    """
    from .baselines.search.players import SearchAgent

    imagined = state.determinize(player, seed=0)
    choice = act(adviser, imagined)
    found: list[Hint] = []
    if isinstance(adviser, PolicyAgent):
        found = _estimates(state, player, adviser)
    elif isinstance(adviser, SearchAgent):
        found = [Hint(line.action, line.values[player], None) for line in adviser.counting_victories().analyse(imagined).lines]
    return choice, sorted(found, key=lambda hint: (-hint.wins, -(hint.points or 0)))


def _estimates(state: State, player: int, everybody: PolicyAgent) -> list[Hint]:
    """How the moves fare if from then on everybody plays alike."""
    legal = state.legal_actions()
    worlds = max(4, ESTIMATES // len(legal))
    records = np.concatenate([state.determinize(player, seed=world).record for world in range(worlds)]).repeat(len(legal))
    points, ranks = _played_out(state.game, records, np.tile(legal, worlds), everybody)
    won = ranks[:, : state.game.num_players] == 0
    shares = won / np.maximum(1, won.sum(1, keepdims=True))
    wins, score = (x[:, player].reshape(worlds, -1).mean(0) for x in (shares, points))
    return [Hint(action, float(w), float(p)) for action, w, p in zip(legal, wins, score, strict=True)]


def _played_out(game: Game, records: np.ndarray, actions: np.ndarray, player: Agent) -> tuple[np.ndarray, np.ndarray]:
    """Points and ranks if in each position the action is played and then everybody plays alike."""
    masks = game.legal_of(records)
    game.kernels.apply(records, actions, masks)
    while (playing := np.flatnonzero(records["over"] == 0)).size:
        chosen = np.zeros(len(records), np.int64)
        chosen[playing] = player.choose(records[playing], masks[playing])
        game.kernels.apply(records, chosen, masks)
    points, ranks = (np.zeros((len(records), game.rules.schema.seats), np.int64) for _ in range(2))
    game.kernels.outcomes(records, points, ranks)
    return points, ranks


# --- What is asked for on a command line -----------------------------------------------------------------------------------------


def options_of(words: Iterable[str]) -> dict[str, str]:
    """`key=value` each."""
    pairs = [word.partition("=") for word in words]
    if wrong := [key for key, equals, value in pairs if not (key and equals and value)]:
        raise ValueError(f"an option is written key=value, not {wrong[0]!r}")
    return {key: value for key, _, value in pairs}


def opponents(names: str, seat: int, num_players: int) -> list[str]:
    """Who sits where: a person at `seat`, the named players around; one name is for all."""
    others = [name.strip() for name in names.split(",")]
    if len(others) == 1:
        others *= num_players - 1
    if len(others) != num_players - 1:
        raise ValueError(f"{num_players - 1} opponents, but {len(others)} names: {names}")
    if not 0 <= seat < num_players:
        raise ValueError(f"no seat {seat}, seats are 0..{num_players - 1}")
    return [*others[:seat], PERSON, *others[seat:]]


def table_for(name: str, players: int | None, names: str, options: Iterable[str]) -> Game:
    """The table for so many players; several named opponents say how many."""
    named = names.count(",") + 1
    try:
        return make_game(name, players if players or named == 1 else named + 1, **options_of(options))
    except TypeError as error:
        raise ValueError(str(error)) from None


# --- In the terminal -------------------------------------------------------------------------------------------------------------

COLUMNS = 80
HELP = """\
type a move as it is written, or #3 for the third one of the list
  ?  or  ? NAME   what a player would do, and how the moves fare
  undo            back to your last decision
  save FILE       keep the game as a replay
  board, log      show the table, all moves so far
  quit            leave"""


class Quit(Exception):
    """The person leaves the table."""


class Terminal:
    """A person at one seat, who reads lines and writes commands."""

    def __init__(
        self,
        sitting: Sitting,
        seat: int,
        ask: Callable[[], str],
        tell: Callable[[str], None],
        *,
        anyway: bool = False,
        adviser: str = "",
    ) -> None:
        self.sitting, self.seat, self.ask, self.tell, self.anyway = sitting, seat, ask, tell, anyway
        names = policy_names(sitting.game)
        self.adviser = adviser or ("greedy" if "greedy" in names else names[-1])
        self.told = 0  # moves that were told already

    def run(self) -> None:
        """Play to the end, or until the person leaves."""
        self.tell(f"You are seat {self.seat}. Type `help` for help.")
        try:
            while self.sitting.to_move is not None:
                if not self.sitting.computer_moves():
                    self._turn()
                self._news()
        except Quit:
            return
        self._board()
        for p, (score, rank) in enumerate(zip(self.sitting.state.scores(), self.sitting.state.standings(), strict=True)):
            self.tell(f"{self._name(p)}: {score} points, place {rank + 1}")

    def _name(self, p: int) -> str:
        return "you" if p == self.seat else f"seat {p} ({self.sitting.players[p]})"

    def _news(self) -> None:
        """The moves since the last time: those of others, and forced ones."""
        for move in self.sitting.moves[self.told :]:
            if move.forced or move.seat != self.seat:
                self.tell(self._line(move))
        self.told = len(self.sitting.moves)

    def _line(self, move: Move) -> str:
        words = self.sitting.words(move, self.seat)
        return f"  {self._name(move.seat)}: {'forced, ' if move.forced else ''}{words}"

    def _board(self) -> None:
        observer = None if self.sitting.to_move is None else self.seat
        self.tell("\n" + self.sitting.state.to_text(observer) + "\n")

    def _turn(self) -> None:
        """Ask until the person has decided something."""
        self._board()
        self._list()
        while True:
            try:
                if self._obey(self.ask().strip()):
                    return
            except (ValueError, OSError) as error:
                self.tell(f"! {error}")

    def _list(self) -> None:
        numbers = {action: i for i, action in enumerate(self.sitting.state.legal_actions(), start=1)}
        for words, actions in by_kind(self.sitting.state).items():
            for line in wrap(words, COLUMNS):
                self.tell(line)
            entries = [f"#{numbers[action]} {self.sitting.game.action_to_string(action)}" for action in actions]
            for line in _in_columns(entries):
                self.tell(f"    {line}")

    def _obey(self, typed: str) -> bool:
        """Do what was typed; whether the position has changed."""
        verb, _, rest = typed.partition(" ")
        if verb == "quit":
            raise Quit
        commands = {"?": self._advise, "undo": self._undo, "save": self._save, "log": self._log, "help": self._help}
        if verb == "board":
            self._board()
            self._list()
        elif verb in commands:
            return commands[verb](rest.strip())
        elif typed:
            self.sitting.play(self.seat, read_action(self.sitting.state, typed))
            return True
        return False

    def _advise(self, name: str) -> bool:
        name = name or self.adviser
        adviser = agent(self.sitting.game, name, self.sitting.seed)
        write = self.sitting.game.action_to_string
        if isinstance(adviser, SearchAgent):
            thought = adviser.analyse(self.sitting.state)
            self.tell(f"{name} would play {', then '.join(thought.principal[:3])}")
            for line in thought.lines[:8]:
                self.tell(f"    {line.notation:<16} worth {line.values[self.seat]:+.2f}, {line.visits} visits")
            return False
        choice, found = hints(self.sitting.state, self.seat, adviser)
        self.tell(f"{name} would play {write(choice)}")
        for hint in found[:8]:
            points = "" if hint.points is None else f", {hint.points:.1f} points"
            self.tell(f"    {write(hint.action):<16} wins {hint.wins:4.0%}{points}")
        return False

    def _undo(self, _: str) -> bool:
        try:
            self.sitting.undo(self.seat, anyway=self.anyway)
        except ValueError as error:
            more = "" if self.anyway or "revealed" not in str(error) else "; a game begun with --open allows it"
            raise ValueError(f"{error}{more}") from None
        self.told = len(self.sitting.moves)
        return True

    def _save(self, file: str) -> bool:
        if not file:
            raise ValueError("save needs the name of a file")
        self.tell(f"wrote {self.sitting.replay().save(Path(file))}")
        return False

    def _log(self, _: str) -> bool:
        for move in self.sitting.moves:
            self.tell(self._line(move))
        return False

    def _help(self, _: str) -> bool:
        self.tell(HELP)
        return False


def read_action(state: State, typed: str) -> int:
    """A legal action as a person writes it: by its notation, or #3 for the third of the list."""
    legal = state.legal_actions()
    if typed.startswith("#"):
        number = typed[1:].strip()
        if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(legal)):
            raise ValueError(f"{typed!r} is not in the list, which goes from #1 to #{len(legal)}")
        return legal[int(number) - 1]
    if typed.isdigit():
        raise ValueError(f"{typed!r} is no move; the move with that number is written #{typed}")
    action = state.game.string_to_action(typed)
    if action not in legal:
        raise ValueError(f"{typed!r} is not legal now")
    return action


def _in_columns(entries: list[str]) -> Iterator[str]:
    """Entries side by side, each in a column of its own."""
    width = max(map(len, entries)) + 2
    per_line = max(1, (COLUMNS - 4) // width)
    for i in range(0, len(entries), per_line):
        yield "".join(entry.ljust(width) for entry in entries[i : i + per_line]).rstrip()
