"""Counting decision paths: the same numbers in two implementations, or in a golden table, say that the rules are the same."""

from __future__ import annotations

from ..envs.core.state import State

__all__ = ["perft"]


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` decisions from here; a game that ends sooner counts once.

    Dice and cards fall as the state's own generator says, so the numbers belong to a seed.
    """
    if depth == 0 or state.is_terminal():
        return 1
    total = 0
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        total += perft(after, depth - 1)
    return total
