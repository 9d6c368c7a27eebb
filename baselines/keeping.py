"""One game of named players, kept: what training shows of its player, and where the pictures of the pages come from."""

from __future__ import annotations

from collections.abc import Sequence

from ..envs.core.game import Game
from ..envs.replay.file import Replay
from .agents import Agent, act, agent, policy_names

__all__ = ["REPLAY", "against_greedy", "kept_game"]

REPLAY = "replay.json"  # in the folder of a training run


def kept_game(game: Game, players: Sequence[Agent], seed: int) -> Replay:
    """A whole game, each seat with its player."""
    state, actions = game.new_initial_state(seed), []
    while not state.is_terminal():
        actions.append(act(players[state.current_player()], state))
        state.apply_action(actions[-1])
    return Replay.of(game, seed, actions, players=[player.name for player in players])


def against_greedy(game: Game, player: Agent, seed: int) -> Replay:
    """A game of a player at seat 0 against greedy, or, where there is none, the last rule-based player that the game names."""
    name = "greedy" if "greedy" in policy_names(game) else policy_names(game)[-1]
    return kept_game(game, [player, *(agent(game, name, seed + seat) for seat in range(1, game.num_players))], seed)
