"""State: one position of a game, in OpenSpiel's vocabulary. A record of a few hundred bytes and the mask of its legal actions."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from . import svg
from .declare.checks import brief, seed_number, whole
from .declare.schema import NOBODY, OWNER
from .kernel.masks import new_masks
from .kernel.rng import Chance
from .play.one import FORCED_LIMIT, TERMINAL
from .play.one import NOBODY as NO_SEAT
from .play.rewards import FORFEIT_REWARD, pay
from .play.series import fresh_seed

if TYPE_CHECKING:
    from .game import Game

__all__ = ["TERMINAL", "IllegalActionError", "State", "copied"]

SEARCH = 2**32  # the number of the game whose stream a determinized state gets: no face plays that many of one seed


class IllegalActionError(ValueError):
    """An action that the rules do not allow here."""


class State:
    """One position of a game. `clone`, `copy`, `pickle`, `serialize` and `to_dict` all keep it exactly."""

    def __init__(
        self,
        game: Game,
        record: np.ndarray | None = None,
        padded_mask: np.ndarray | None = None,
        history: list[int] | None = None,
    ) -> None:
        """Not dealt yet; or the state that lives in a record array of one and its mask; without a history an interface's."""
        self.game = game
        self.record = game.new_states(1) if record is None else record
        # As kernels and agents take it: a batch of one.
        self.padded_mask = new_masks(1, game.num_actions)[0] if padded_mask is None else padded_mask
        self._mask = self.padded_mask[0, : game.num_actions]
        self._action = np.zeros(1, np.int64)
        # Views made once: looking a field up by name costs more than a step.
        self._over, self._player = self.record["over"], self.record["current_player"]
        self._history = [] if record is None else history  # an interface plays without telling

    def restart(self, seed: int, episode: int = 0) -> None:
        """Become the beginning of game number `episode` of `seed`."""
        seeds = np.array([seed_number(seed)], np.uint64)
        episodes = np.array([whole("episode", episode) % 2**64], np.uint64)
        self.game.kernels.reset(self.record, self.game.template, seeds, episodes, self.padded_mask)
        self._history = None if self._history is None else []
        self.check_sound()

    def check_sound(self) -> None:
        """RuntimeError if the rules made forced moves without end: an error of a game, not of its players."""
        if self._over[0] and self._player[0] == NO_SEAT and self.record["truncated"][0]:
            raise RuntimeError(f"{self.game.name}: more than {FORCED_LIMIT} forced moves in a row in phase {self.phase()!r}")

    # --- Asking --------------------------------------------------------------------------------------------------------------

    def current_player(self) -> int:
        return TERMINAL if self._over[0] else self._player.item()

    def is_terminal(self) -> bool:
        return self._over.item() == 1

    def is_truncated(self) -> bool:
        return bool(self.record["truncated"][0])

    def forfeited_by(self) -> int | None:
        """The player whose illegal action ended the game."""
        return int(self._player[0]) if self.record["forfeited"][0] else None

    def legal_actions(self) -> list[int]:
        return self._mask.nonzero()[0].tolist()

    def legal_actions_mask(self) -> np.ndarray:
        return self._mask.copy()

    def phase(self) -> str:
        return self.game.phase_names[self.record["phase"][0]]

    def outcome(self) -> tuple[np.ndarray, np.ndarray]:
        """Points and ranks of all seats, if the game ended now."""
        seats = self.game.rules.schema.seats
        points, ranks = np.zeros((1, seats), np.int64), np.zeros((1, seats), np.int64)
        self.game.kernels.outcomes(self.record, points, ranks)
        return points[0], ranks[0]

    def scores(self) -> list[int]:
        """The score of each player, if the game ended now."""
        return self.outcome()[0][: self.game.num_players].tolist()

    def standings(self) -> list[int]:
        """The rank of each player after tie-breaks: 0 is the winner, joint winners share it. Who forfeits is last."""
        return self.outcome()[1][: self.game.num_players].tolist()

    def breakdown(self) -> list[dict[str, int]]:
        """The score sheet of each player by category, if the game ended now: the categories add up to the score."""
        rules = self.game.rules
        if rules.parts is None:
            return [{"points": score} for score in self.scores()]
        out = np.zeros((1, rules.schema.seats, len(rules.categories)), np.int64)
        self.game.kernels.sheets(self.record, out)
        return [dict(zip(rules.categories, row, strict=True)) for row in out[0, : self.game.num_players].tolist()]

    def returns(self, reward: str = "win") -> list[float]:
        """The rewards of a finished game; zeros before. For `score_delta` the whole score, starting points included."""
        n, mode = self.game.num_players, self.game.reward_mode(reward)
        out = np.zeros(n)
        if (forfeiter := self.forfeited_by()) is not None:
            out[forfeiter] = FORFEIT_REWARD
        elif self.is_terminal():
            points, ranks = self.outcome()
            if reward == "score_delta":
                return (points[:n] / self.game.rules.score_scale).tolist()
            pay(mode, n, points, ranks, self.game.rules.score_scale, out)
        return out.tolist()

    def observation(self, player: int | None = None, encoder: str = "flat") -> Any:
        """What a player (the one to act, if not given) sees, by the encoder of that name."""
        observer = max(0, int(self._player[0])) if player is None else self._seat(player)
        return self.game.encoder(encoder).observe(self, observer)

    # --- Playing -------------------------------------------------------------------------------------------------------------

    def apply_action(self, action: int) -> None:
        """Play an action, and every forced move that follows."""
        action = self.check_legal(action)
        self._action[0] = action
        self.game.kernels.apply(self.record, self._action, self.padded_mask)
        if self._history is not None:
            self._history.append(action)
        if self._over[0]:
            self.check_sound()

    def is_chance_next(self, action: int) -> bool:
        """Whether playing a legal action (and the forced moves that follow) draws anything: dice, cards of a bag, ..."""
        after, masks = copied(self.record), self.padded_mask.copy()
        self.game.kernels.apply(after, np.array([self.check_legal(action)]), masks)
        return bool(after["rng"][0] != self.record["rng"][0])

    def history(self) -> list[int]:
        """The actions since the game began, or since the position was loaded; forced moves are not among them."""
        if self._history is None:
            raise RuntimeError("an interface plays this game and keeps no history: clone the state, and play on the clone")
        return list(self._history)

    def moves_of(self, action: int) -> list[tuple[int, int]]:
        """What `apply_action` would do, move by move: the action and the forced ones that follow, each with who makes it."""
        moves: list[tuple[int, int]] = []
        choice = np.array([self.check_legal(action)])
        record, (masks, _), counts = copied(self.record), new_masks(1, self.game.num_actions), np.ones(1, np.int64)
        while counts[0] == 1 and len(moves) < FORCED_LIMIT:
            moves.append((int(record["current_player"][0]), int(choice[0])))
            self.game.kernels.step_alone(record, choice, masks, counts)
            choice[0] = masks[0].argmax()
        return moves

    def check_legal(self, action: int) -> int:
        """The action as a plain int; IllegalActionError unless it is legal here."""
        try:
            number = whole("action", action)
        except ValueError as error:
            raise IllegalActionError(f"{self.game.name}: {error}") from None
        if not (0 <= number < self.game.num_actions and self._mask[number]):
            raise IllegalActionError(self._complaint(number))
        return number

    def _complaint(self, action: int) -> str:
        known = 0 <= action < self.game.num_actions
        name = f"{self.action_to_string(action)!r} ({action})" if known else f"action {brief(action)}"
        if self.is_terminal():
            return f"{self.game.name}: {name} is not possible, the game is over"
        legal = ", ".join(f"{self.action_to_string(a)!r} ({a})" for a in self.legal_actions())
        return (
            f"{self.game.name}: {name} is not legal in phase {self.phase()!r} for player {self.current_player()}; legal are {legal}"
        )

    # --- Copying -------------------------------------------------------------------------------------------------------------

    def clone(self) -> State:
        return State(self.game, copied(self.record), self.padded_mask.copy(), list(self._history or ()))

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> State:
        return self.clone()

    def __getstate__(self) -> tuple[Game, bytes, bytes]:
        record = self.record.tobytes()
        return self.game, record, _digest(self.game, record)

    def __setstate__(self, state: tuple[Game, bytes, bytes]) -> None:
        """A record with its digest is trusted: it was a state once. Any other is checked like bytes from outside."""
        game, record, digest = state
        if digest != _digest(game, record):
            raise ValueError("record: the digest of this pickle is wrong, it was changed after it was written")
        records = copied(np.frombuffer(record, game.rules.schema.dtype))
        self.__init__(game, records, game.legal_of(records), [])  # type: ignore[misc]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game.name == other.game.name and self.serialize() == other.serialize()

    __hash__ = None  # type: ignore[assignment]

    def serialize(self) -> bytes:
        return self.record.tobytes()

    def to_dict(self) -> dict[str, Any]:
        """All fields, choices by name; `Game.from_dict` reads it back."""
        return self.game.rules.schema.to_dict(self.record[0])

    def replace(self, **fields: Any) -> State:
        """A copy with some fields set, checked like `Game.from_dict`."""
        return self.game.from_dict({**self.to_dict(), **fields})

    def view(self, player: int) -> dict[str, Any]:
        """The fields that a player may see, by name: what `to_dict` shows, without the hidden part."""
        seat = self._seat(player)
        shown = {}
        for f in self.game.rules.schema:
            if f.sees == NOBODY or f.derived:
                continue
            values = self.record[f.name][0]
            shown[f.name] = (values[seat] if f.sees == OWNER else values).tolist()
        return shown

    def determinize(self, player: int, seed: int | None = None) -> State:
        """A position that `player` cannot tell from this one: the hidden and the future are drawn anew."""
        record = copied(self.record)
        self.game.kernels.determinize(record, np.array([self._seat(player)]), _search_stream(seed))
        # Another player's options may depend on what was redrawn.
        return State(self.game, record, self.game.legal_of(record), list(self._history or ()))

    def reseed(self, seed: int | None = None) -> None:
        """Draw only the future anew: what is hidden stays as it is."""
        self.record["rng"] = _search_stream(seed)

    def _seat(self, player: int) -> int:
        seat = whole("player", player)
        if not 0 <= seat < self.game.num_players:
            raise ValueError(f"{self.game.name}: no player {player}, players are 0..{self.game.num_players - 1}")
        return seat

    # --- Showing -------------------------------------------------------------------------------------------------------------

    def action_to_string(self, action: int) -> str:
        return self.game.action_to_string(action)

    def told(self, action: int, by: int, player: int | None = None) -> str:
        """The notation of an action of seat `by` as `player` may know it: a question mark for what only its owner knows."""
        name, kind = self.action_to_string(action), self.game.rules.actions.kind_of(action)
        if player is None or player == by or self.is_terminal() or kind not in self.game.rules.secrets:
            return name
        return re.sub(self.game.rules.secrets[kind], "?", name)

    def to_text(self, player: int | None = None) -> str:
        """The table as text: as `player` sees it, or with everything open."""
        return self.game.rules.draw(self, None if player is None else self._seat(player))

    def to_svg(self, player: int | None = None, *, legal: bool = True, dark: bool = False) -> str:
        """The table as a picture in SVG: as `player` sees it, or with everything open; `legal` marks what can be done now."""
        draw = self.game.rules.picture or svg.text_picture
        picture = draw(self, None if player is None else self._seat(player), legal=legal)
        return svg.dark(picture) if dark else picture

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.to_svg()

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        where = f"phase {self.phase()}, player {self.current_player()}, decision {self.record['decisions'][0]}"
        return f"<{self.game.name} state: {where}>"


def copied(record: np.ndarray) -> np.ndarray:
    """A copy of a record array. numpy's own copies field by field, which takes ten times as long."""
    return np.frombuffer(np.frombuffer(record.tobytes(), np.uint8).copy(), record.dtype)


def _search_stream(seed: int | None) -> np.ndarray:
    """A generator that no game of any seed uses: a searcher must not see the game's own future."""
    return np.array([Chance.of_seed(fresh_seed() if seed is None else whole("seed", seed), episode=SEARCH).counter], np.uint64)


def _digest(game: Game, record: bytes) -> bytes:
    return hashlib.blake2b(record, digest_size=16, key=game.rules.versioned_name.encode()).digest()
