"""OpenSpiel: every game as a Python game that pyspiel knows, and OpenSpiel's bots as players.

    from mastaba import openspiel
    game = openspiel.load("giza", num_players=4)     # or, after that import, pyspiel.load_game("mastaba_giza(players=4)")

Chance is explicit: the deal, and every action that draws, is followed by chance nodes whose outcomes stand for seeds. So a history
tells a game completely, trees have chance nodes where chance is, and a search that expands them does not see the game's own future.
The information state is what a player sees and the moves as it was told them; both tensors are the observation, by the
encoder that the parameter `observation` names (`flat`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.declare.schema import EVERYBODY
from ..core.game import Game
from ..core.observing import Encoder
from ..core.rules import Rules
from ..core.state import State
from ..registry import GAMES, rules
from ..registry import game as make_game
from .extras import missing

try:
    import pyspiel
except ImportError as error:
    raise missing(error, "openspiel") from None

__all__ = ["OpenSpielAgent", "SpielGame", "SpielState", "load", "register", "short_name"]

OUTCOMES = 64  # of a chance node
DEAL = 4  # chance nodes before the first decision: OUTCOMES ** DEAL deals
BOTS = ("mcts", "ismcts", "random")
ALLOWED = "openspiel:mcts:SIMULATIONS, openspiel:ismcts:SIMULATIONS, openspiel:random"
EXPLORATION = 2.0


def short_name(game: str) -> str:
    """What pyspiel calls a game."""
    return f"mastaba_{game}"


def load(game: str | Game, num_players: int | None = None, observation: str = "flat", **options: str) -> SpielGame:
    """A game for OpenSpiel: `load("giza", num_players=4)`."""
    table = make_game(game, num_players, **options)
    register(table.name)
    return SpielGame({"players": table.num_players, "observation": observation, **table.options}, table.rules)


def register(game: str) -> None:
    """Make a game known to pyspiel; happens for all games when this module is imported."""
    name = short_name(game)
    if name not in pyspiel.registered_names():
        found = rules(game)

        class Registered(SpielGame):
            def __init__(self, params: Mapping[str, Any] | None = None) -> None:
                super().__init__(params, found)

        pyspiel.register_game(_type_of(found, found.default_players), Registered)


def _type_of(found: Rules, players: int) -> pyspiel.GameType:
    hidden = any(field.sees != EVERYBODY and not field.derived and field.name != "rng" for field in found.schema)
    kinds = pyspiel.GameType
    return pyspiel.GameType(
        short_name=short_name(found.name),
        long_name=found.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if players > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(found.players),
        min_num_players=min(found.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(found),
    )


def _parameters(found: Rules) -> dict[str, Any]:
    return {
        "players": found.default_players,
        "observation": "flat",
        **{name: option.default for name, option in found.options.items()},
    }


class SpielGame(pyspiel.Game):
    """One of our games at a table. Parameters: `players`, `observation` (an encoder), and the options of the game."""

    def __init__(self, params: Mapping[str, Any] | None, found: Rules) -> None:
        given = {**_parameters(found), **(params or {})}
        players = given["players"]
        known = {k for k, option in found.options.items() if not option.players or players in option.players}
        self.table = Game(found, players, **{k: v for k, v in given.items() if k in known})
        self.encoder = self.table.array_encoder(given["observation"], "OpenSpiel")
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.num_actions,
            max_chance_outcomes=OUTCOMES,
            num_players=self.table.num_players,
            min_utility=self.table.min_utility,
            max_utility=self.table.max_utility,
            utility_sum=0.0 if self.table.num_players > 1 else None,
            max_game_length=self.table.max_game_length,
        )
        super().__init__(_type_of(found, self.table.num_players), info, given)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def state_at(self, position: State) -> SpielState:
        """A state that begins with a position of ours: a search may start there. Its history is empty."""
        state = self.new_initial_state()
        state.position = position.clone()
        return state

    def max_chance_nodes_in_history(self) -> int:
        return self.table.max_game_length + DEAL

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"observers take no parameters, got {params}")
        return Observer(self.encoder, bool(iig_obs_type and iig_obs_type.perfect_recall))


class SpielState(pyspiel.State):
    """A position, or the moment before the deal or a draw."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: State | None = None
        self._table = game.table
        self._dealt = 0  # the deal's number, digit by digit
        self._digits = 0
        self._pending: int | None = None  # the action that waits for chance
        self._told: list[tuple[str, ...]] = []  # every move, as each player may know it

    def __deepcopy__(self, memo: dict) -> SpielState:
        return self.clone()

    # --- Asking ---------------------------------------------------------------------------------------------------------------

    def current_player(self) -> int:
        if self.position is None or self._pending is not None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.position.is_terminal() else self.position.current_player()

    def is_terminal(self) -> bool:
        return self.position is not None and self._pending is None and self.position.is_terminal()

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.position is None else self.position.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]

    def returns(self) -> list[float]:
        return [0.0] * self._table.num_players if self.position is None else self.position.returns()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"chance {action}" if player == pyspiel.PlayerId.CHANCE else self._table.action_to_string(action)

    def __str__(self) -> str:
        if self.position is None:
            return f"before the deal ({self._digits} of {DEAL})"
        waiting = "" if self._pending is None else f"\nchance decides about {self._table.action_to_string(self._pending)}"
        return self.position.to_text() + waiting

    # --- Playing --------------------------------------------------------------------------------------------------------------

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self._deal(action)
        elif self._pending is not None:
            self.position.reseed(int(self.position.record["decisions"][0]) * OUTCOMES + action)
            self._play(self._pending)
            self._pending = None
        elif self.position.is_chance_next(action):
            self._pending = action
        else:
            self._play(action)

    def _deal(self, digit: int) -> None:
        self._dealt, self._digits = self._dealt * OUTCOMES + digit, self._digits + 1
        if self._digits == DEAL:
            self.position = self._table.new_initial_state(seed=self._dealt)

    def _play(self, action: int) -> None:
        assert self.position is not None
        mover = self.position.current_player()
        self._told.append(tuple(self.position.told(action, mover, p) for p in range(self._table.num_players)))
        self.position.apply_action(action)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> SpielState:
        """A state that the player cannot tell from this one."""
        other = self.clone()
        if self.position is not None:
            other.position = self.position.determinize(player_id, seed=int(probability_sampler() * 2**53))
        return other


class Observer:
    """What a player sees, as OpenSpiel's Python games show it."""

    def __init__(self, encoder: Encoder, perfect_recall: bool) -> None:
        self._encoder, self._recall = encoder, perfect_recall
        self.tensor = np.zeros(self._encoder.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = 0 if state.position is None else self._encoder.observe(state.position, player).reshape(-1)

    def string_from(self, state: SpielState, player: int) -> str:
        if state.position is None:
            return f"player {player}, before the deal"
        seen = f"player {player} {state.position.view(player)}"
        return f"{seen} after {', '.join(moves[player] for moves in state._told)}" if self._recall else seen


class OpenSpielAgent:
    """A bot of OpenSpiel as a player: `openspiel:mcts:100`, `openspiel:ismcts:50` (simulations), `openspiel:random`.

    It searches from a position in which all is redrawn that its seat cannot know.
    """

    def __init__(self, game: Game, kind: str, simulations: int, seed: int | None = None) -> None:
        self.game, self.kind, self.simulations = game, kind, simulations
        self.name = f"openspiel:{kind}" + (f":{simulations}" if kind != "random" else "")
        self._spiel = load(game)
        self.set_dice(int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed)

    def set_dice(self, counter: int) -> None:
        self._random = np.random.RandomState(counter % 2**32)
        self._bot = self._make()

    def _make(self) -> Any:
        from open_spiel.python.algorithms import ismcts, mcts
        from open_spiel.python.bots import uniform_random

        if self.kind == "random":
            return uniform_random.UniformRandomBot(0, self._random)
        evaluator = mcts.RandomRolloutEvaluator(1, self._random)
        if self.kind == "mcts":
            return mcts.MCTSBot(self._spiel, EXPLORATION, self.simulations, evaluator, random_state=self._random)
        return ismcts.ISMCTSBot(
            self._spiel, evaluator, EXPLORATION, self.simulations, random_state=self._random, allow_inconsistent_action_sets=True
        )

    def choose(self, states: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.array([self._choose(self.game.state_of(states[i : i + 1])) for i in range(len(states))], np.int64)

    def _choose(self, position: State) -> int:
        if position.is_terminal():
            return 0
        redrawn = position.determinize(position.current_player(), seed=int(self._random.randint(2**31)))
        return int(self._bot.step(self._spiel.state_at(redrawn)))

    @classmethod
    def of_name(cls, game: Game, argument: str, seed: int | None) -> OpenSpielAgent:
        kind, _, budget = argument.partition(":")
        fine = budget == "" if kind == "random" else budget.isdigit() and int(budget) > 0
        if kind not in BOTS or not fine:
            raise ValueError(f"openspiel:{argument} is not possible, allowed are {ALLOWED}")
        return cls(game, kind, int(budget or 0), seed)


for _name in GAMES:
    register(_name)
