"""Seats, quarries and locations are alike: to turn a position and play is to play and turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from mastaba import State
from mastaba.envs.giza.components import LOCATIONS

from giza.by_hand import options, play, see
from giza.styles import games


def rotated(state: State, by: int) -> State:
    """The same position with every player `by` seats further on."""
    n, shown = state.game.num_players, state.to_dict()

    def seat(p: int | None) -> int | None:
        return None if p is None else (p + by) % n

    for f in state.game.rules.schema:
        if f.derived:
            continue
        if f.kind == "seat":
            shown[f.name] = [seat(p) for p in shown[f.name]] if f.shape else seat(shown[f.name])
        elif f.per_seat:
            rows = shown[f.name]
            shown[f.name] = [rows[(p - by) % n] for p in range(n)] + rows[n:]
    return state.game.from_dict(shown)


def requarried(state: State, new: list[int]) -> State:
    """The same position with quarry q called new[q]."""
    shown = state.to_dict()
    old = [new.index(q) for q in range(4)]
    for field in ("sled_position", "sled_stone"):
        shown[field] = [shown[field][q] for q in old]
    shown["workers"] = [row[:5] + [n for q in old for n in row[5 + 4 * q : 9 + 4 * q]] for row in shown["workers"]]
    shown["nominated"] = with_new_quarries(shown["nominated"], new)
    return state.game.from_dict(shown)


def with_new_quarries(text: str | None, new: list[int]) -> str | None:
    return text and re.sub(r"q(\d)", lambda q: f"q{new[int(q[1])]}", text)


def relocated(state: State, new: str) -> State:
    """The same position with locations A, B, C, D called by the letters of `new`."""
    shown = state.to_dict()
    for field in ("base_built", "middle_built"):
        shown[field] = [shown[field][new.index(at)] for at in LOCATIONS]
    shown["built_at"] = shown["built_at"] and new[LOCATIONS.index(shown["built_at"])]
    return state.game.from_dict(shown)


def with_new_locations(action: str, new: str) -> str:
    return f"build {new[LOCATIONS.index(action[-1])]}" if action.startswith("build ") else action


def assert_commutes(state: State, action: int, turn, rename) -> None:
    """To turn a position and play is to play and turn; the legal actions are the same but for their names."""
    name = state.action_to_string(action)
    assert options(turn(state)) == {rename(a) for a in options(state)}
    there = play(turn(state), rename(name))
    assert there.to_dict() == {**turn(play(state, name)).to_dict(), "decisions": see(there, "decisions")}


def sampled_decisions(every: int) -> Iterator[tuple[State, int]]:
    for game in games(1):
        for i, (state, action) in enumerate(game):
            if i % every == 0 and action >= 0:
                yield state, action


def test_seats_are_alike():
    for state, action in sampled_decisions(every=7):
        for by in range(1, state.game.num_players):
            assert_commutes(state, action, lambda s, by=by: rotated(s, by), lambda a: a)


def test_quarries_are_alike():
    rng = np.random.default_rng(1)
    for state, action in sampled_decisions(every=5):
        used = state.game.num_players
        new = [*rng.permutation(used).tolist(), *range(used, 4)]
        assert_commutes(state, action, lambda s, new=new: requarried(s, new), lambda a, new=new: with_new_quarries(a, new))


def test_locations_are_alike():
    """With three players A is built beforehand, so only C and D are."""
    for i, (state, action) in enumerate(sampled_decisions(every=5)):
        new = ("BACD", "ABDC", "CDAB")[i % 3] if state.game.num_players == 4 else "ABDC"
        assert_commutes(state, action, lambda s, new=new: relocated(s, new), lambda a, new=new: with_new_locations(a, new))
