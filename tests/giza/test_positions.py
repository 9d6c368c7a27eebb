"""What holds in every position, and which positions from outside are refused."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mastaba import State, testing
from mastaba.envs.core.positions import findings
from mastaba.envs.giza.actions import ACTIONS
from mastaba.envs.giza.components import ROWS, ZONES
from mastaba.envs.giza.state import PHASES

from giza.by_hand import (
    ALL,
    NO_SLEDS,
    PLAYERS,
    b3,
    base_sleds,
    before_rows,
    giza,
    middle_stone_lifted,
    nearly_finished,
    play,
    position,
    see,
    sleds,
)
from giza.styles import games


def check(state: State) -> None:
    """What holds at every decision."""
    assert list(findings(state.game, state.record)) == []
    assert see(state, "decisions") < 1000
    assert state.is_terminal() or len(state.legal_actions()) >= 2


def check_course(before: State, after: State) -> None:
    """What never goes back."""
    a, b = before.record[0], after.record[0]
    for field in ("points", "base_built", "middle_built", "round", "capstone"):
        assert (b[field] >= a[field]).all(), field
    for was, now in zip(a["sled_position"], b["sled_position"], strict=True):
        assert now >= was or now in (-1, 0)
        assert not (was == -1 and now != -1)


def check_derived(state: State) -> None:
    """Fields kept up to date along the way are those computed from scratch."""
    again = state.game.from_dict(state.to_dict())
    assert again.serialize() == state.serialize()


def test_invariants_hold_in_games_of_all_kinds():
    for game in games():
        before = None
        for state, _ in game:
            check(state)
            check_derived(state)
            if before is not None:
                check_course(before, state)
            before = state


@given(
    players=st.sampled_from(PLAYERS),
    seed=st.integers(0, 2**64 - 1),
    late=st.booleans(),
    choices=st.lists(st.integers(0, 196), max_size=350),
)
def test_invariants_hold_on_any_sequence_of_legal_actions(players, seed, late, choices):
    state = nearly_finished() if late else giza(players).new_initial_state(seed=seed)
    for k in choices:
        if state.is_terminal():
            break
        before = state.clone()
        legal = state.legal_actions()
        state.apply_action(legal[k % len(legal)])
        check(state)
        check_course(before, state)


def test_every_phase_and_every_kind_of_action_is_reached():
    phases, kinds = set(), set()
    for game in games():
        for state, action in game:
            phases.add(state.phase())
            if action >= 0:
                kinds.add(ACTIONS.kind_of(action))
    assert phases == set(PHASES)
    assert kinds == {r.kind for r in ACTIONS.ranges}


def farmers(first: int, second: int = 8, **elsewhere: int) -> list[list[int]]:
    """Workers of four players in the farms, so many of seats 0 and 1; `elsewhere` are seat 0's too."""
    others = [elsewhere.get(zone, 0) for zone in ZONES[1:]]
    return [[first, *others], [second] + [0] * 20, *([[8] + [0] * 20] * 2)]


MISFITS = {  # what does not belong into the phase of actions, or anywhere
    "a worker too few": ("workers", {"workers": farmers(7)}),
    "five in a space": ("workers", {"workers": farmers(3, q0=5)}),
    "a base stone too many": ("base_built", {"base_built": [True, False, False, False]}),
    "a middle stone too few": ("middle_built", {"middle_in_reserve": 3}),
    "a middle stone on nothing": ("middle_built", {"middle_built": [True, False, False, False], "middle_in_reserve": 3}),
    "the capstone on no sled": ("capstone", {"capstone": "sled"}),
    "the capstone lifted too early": ("capstone", {"capstone": "cl"}),
    "too much food": ("food", {"food": [100, 20, 20, 0]}),
    "too much art": ("art", {"art": [30, 30, 1, 0]}),
    "points for nothing": ("points", {"points": [[0, 0, 0, 1], *[[0] * 4] * 3]}),
    "an unloaded sled": ("sled_position", {"sled_position": ["unloaded", "quarry", "quarry", "quarry"]}),
    "a sled without a stone": ("sled_stone", {"sled_stone": [None, "base", "base", "base"], "base_built": [True] + [False] * 3}),
    "workers to reassign": ("to_reassign", {"to_reassign": [1, 0, 0, 0], "workers": farmers(7)}),
    "a worker in hand": ("worker_in_hand", {"worker_in_hand": True, "workers": farmers(7)}),
    "a food bid": ("food_bid", {"food_bid": [None, 1, None, None]}),
    "an art bid": ("art_bid", {"art_bid": [None, 1, None, None]}),
    "a nomination": ("nominated", {"nominated": "push q0"}),
    "a row taken twice": ("row", {"row": ["none", "none", "quarry", "track"]}),
    "an order against the rows": ("order", {"order": [1, 0, 2, 3], "turn_player": 1, "current_player": 1}),
    "too few rows used": ("used_rows", {"used_rows": [["none"], ["support"], ["quarry"], ["track"]]}),
    "more production than actions": ("actions_left", {"times_farmed": 1}),
    "no actions left": ("actions_left", {"actions_left": 0}),
    "a turn of somebody else": ("turn_player", {"turn_player": 2}),
    "nobody to decide": ("current_player", {"current_player": None}),
    "an end in mid-game": ("over", {"over": True}),
}


@pytest.mark.parametrize(("field", "wrong"), MISFITS.values(), ids=MISFITS.keys())
def test_a_broken_position_is_refused_by_the_name_of_its_field(field, wrong):
    with pytest.raises(ValueError, match=f"^{field}: "):
        position().replace(**wrong)


def test_three_players_own_nothing_in_the_fourth_seat():
    with pytest.raises(ValueError, match=r"^food: seat 3"):
        b3().replace(food=[8, 8, 8, 1])


# --- Every phase has its own demands -------------------------------------------------------------------------------------------


def bidding() -> State:
    """Seat 1, then seat 3, then the nominator 0 bid for the sled of q0; seat 1 has bid 3."""
    return play(position(move={0: {"q0": 1}, 1: {"q0": 2}, 3: {"q0": 1}}), "pass", "food 3")


def bidding_to_lift() -> State:
    """Seats 1, 3 and 0 bid for a middle stone, one of two base stones is free to carry it; no stone is in reserve."""
    state = position(
        move={0: {"ml": 1}, 1: {"ml": 2}, 3: {"ml": 1}},
        base_built=[True, True, False, False],
        middle_built=[True, False, False, False],
        middle_in_camp=2,
        middle_in_reserve=0,
        **sleds(q0=("quarry", "base"), q1=("quarry", "base"), q2=("quarry", "middle")),
        capstone="ml",
    )
    return play(state, "pass", "food 3")


def nominating() -> State:
    return play(position(move={0: {"q0": 3}, 1: {"q1": 3}}), "pass")


def unloaded(*actions: str) -> State:
    """Seats 0 and 1 have brought a base stone; then these actions."""
    return play(position(move={0: {"q0.3": 2}, 1: {"q0.3": 2}}, **base_sleds(q0="space 3")), "pass", "food 2", "food 2", *actions)


def walked_off() -> State:
    return play(position(move={0: {"q1.3": 1}}), "adv q1.3")


def lifter_chosen() -> State:
    return play(before_rows(ROWS[:4], round=5), "row lifter")


def walking_bonus() -> State:
    return play(before_rows(ROWS[:4], round=10, move={0: {"q0.3": 1}}), "row track", "adv q0.3")


def placing(how_many: int = 3) -> State:
    return play(giza(4).new_initial_state(seed=1), *["put farm"] * how_many)


def decorating(*actions: str) -> State:
    return play(middle_stone_lifted(), "build B", *actions)


def used_too(seat: int, row: str) -> dict[str, list]:
    """That seat has chosen this row, nobody else any."""
    rows = [[*ROWS[:4], row] if p == seat else list(ROWS[:4]) for p in range(4)]
    return {"row": [row if p == seat else None for p in range(4)], "used_rows": rows}


def finished() -> State:
    return play(position(turn=3, round=10), "pass")


EIGHT_STONES = {**NO_SLEDS, "base_built": ALL, "middle_built": ALL, "middle_in_reserve": 0}


def capstone_lifted(*actions: str) -> State:
    """Seats 0 and 1 have lifted the capstone to its place and bid for its decoration."""
    state = position(move={0: {"cl": 2}, 1: {"cl": 2}}, **EIGHT_STONES, capstone="cl", art=[5, 5, 0, 0])
    return play(state, "pass", "food 4", "food 4", *actions)


def last_middle_stone(*actions: str) -> State:
    """The middle tier and its last row are complete, but not yet decorated."""
    state = position(
        move={0: {"ml": 2}, 1: {"ml": 2}},
        **NO_SLEDS,
        base_built=ALL,
        middle_built=[True, True, True, False],
        middle_in_camp=1,
        middle_in_reserve=0,
        capstone="ml",
        art=[5, 5, 0, 0],
    )
    return play(state, "pass", "food 4", "food 4", *actions)


def won(category: int, points: int) -> dict[str, list]:
    """All points are seat 0's, in one category."""
    return {"points": [[points if c == category else 0 for c in range(4)], *[[0] * 4] * 3]}


def moved(state: State, seat: int, source: str, target: str) -> dict[str, list]:
    """The workers with one of a seat somewhere else."""
    workers = [list(row) for row in see(state, "workers")]
    workers[seat][ZONES.index(source)] -= 1
    workers[seat][ZONES.index(target)] += 1
    return {"workers": workers}


NOT_IN_THIS_PHASE: dict[str, tuple[str, State, dict[str, Any]]] = {
    "setup asks the wrong seat": ("current_player", placing(), {"current_player": 0}),
    "setup with a worker too many of one seat": (
        "workers",
        placing(),
        {"workers": [[2] + [0] * 20] + [[1] + [0] * 20] + [[0] * 21] * 2},
    ),
    "setup with a worker on a track": ("workers", placing(), moved(placing(), 3, "farm", "q0.1")),
    "setup with a sled on its way": ("round", placing(), base_sleds(q0="space 1")),
    "setup with a harvest": ("food", placing(), {"food": [9, 8, 8, 8]}),
    "setup with used rows": ("used_rows", placing(), {"used_rows": [["none"], [], [], []]}),
    "rows with a row of somebody to come": ("row", before_rows(ROWS[:4], round=5), used_too(1, "art2")),
    "rows asked of the wrong seat": ("current_player", before_rows(ROWS[:4], round=5), {"current_player": 2}),
    "rows in round 1 out of order": (
        "order",
        play(placing(32)),
        {"order": [0, 1, 2, 3], "current_player": 0, "first_player": 1},
    ),
    "rows used by too many": (
        "used_rows",
        before_rows(ROWS[:4], round=5),
        {"round": 2, "used_rows": [["none"], ["none"], ["none"], ["none"]]},
    ),
    "a bonus of a row without one": ("row", lifter_chosen(), used_too(0, "farm2")),
    "farming twice in a row without": ("times_farmed", position(rows=(1, 2, 3, 4)), {"times_farmed": 2, "actions_left": 1}),
    "farming twice in its row but with an action spent": (
        "actions_left",
        position(rows=(6, 2, 3, 4)),
        {"times_farmed": 2, "actions_left": 2},
    ),
    "art twice in a row without": ("times_made_art", position(), {"times_made_art": 2, "actions_left": 1}),
    "an exit without a worker": ("worker_in_hand", position(), {"phase": "exit", "actions_left": 2}),
    "an exit from a track that nobody can have left": ("worker_in_hand", walked_off(), {"actions_left": 2, "times_farmed": 1}),
    "an exit by a bonus of another row": ("row", walking_bonus(), used_too(0, "lifter")),
    "a nomination with nothing eligible": ("phase", position(), {"phase": "nominate", "actions_left": 0}),
    "a nomination by the wrong seat": ("current_player", nominating(), {"current_player": 1}),
    "a bid of eight with two workers": ("food_bid", bidding(), {"food_bid": [None, 8, None, None]}),
    "a bid that cannot be paid": ("food_bid", bidding(), {"food": [8, 2, 8, 8]}),
    "an earlier bid that is missing": ("food_bid", bidding(), {"food_bid": [None] * 4}),
    "a bid of somebody without workers": ("food_bid", bidding(), {"food_bid": [None, 3, 1, None]}),
    "a bid before its time": ("food_bid", bidding(), {"food_bid": [1, 3, None, None]}),
    "a bidder without workers": ("bid_step", bidding(), {"bid_step": 2, "current_player": 2}),
    "the wrong bidder": ("current_player", bidding(), {"current_player": 0}),
    "bids for a stone without a crew": ("workers", bidding(), {"nominated": "push q1"}),
    "bids for a middle stone that is not there": ("nominated", bidding(), {"nominated": "lift mid"}),
    "bids for a capstone that is not in the first lift camp": ("nominated", bidding(), {"nominated": "lift cap1"}),
    "bids for a capstone that is not in the second lift camp": ("nominated", bidding(), {"nominated": "lift cap2"}),
    "bids for nothing": ("nominated", bidding(), {"nominated": None}),
    "bids for a sled that is out of the game": ("nominated", bidding_to_lift(), {"nominated": "push q3"}),
    "bids for a middle stone that no base stone is free for": (
        "nominated",
        bidding_to_lift(),
        {"middle_built": [True, True, False, False], "middle_in_camp": 1},
    ),
    "bids for the capstone before the other stones stand": ("nominated", bidding_to_lift(), {"nominated": "lift cap1"}),
    "building by the wrong seat": ("current_player", unloaded(), {"current_player": 1}),
    "building with a crew of two": ("to_reassign", unloaded(), {"to_reassign": [1, 1, 0, 0], "workers": farmers(7, 7)}),
    "building with somebody in the way of the sled": ("workers", unloaded(), moved(unloaded(), 2, "farm", "q0.3")),
    "reassigning by a seat that has nothing to reassign": ("current_player", unloaded("build A"), {"current_player": 2}),
    "reassigning before it is one's turn": ("current_player", unloaded("build A"), {"current_player": 0}),
    "reassigning after nothing was brought": ("built_at", unloaded("build A"), {"built_at": None}),
    "reassigning after another stone was built": ("built_at", unloaded("build A"), {"built_at": "C"}),
    "decorating with an earlier bid missing": ("art_bid", decorating("deco 1"), {"art_bid": [None] * 4}),
    "decorating with more art than there is": ("art_bid", decorating("deco 1"), {"art_bid": [None, 5, None, None]}),
    "decorating by the wrong seat": ("current_player", decorating("deco 1"), {"current_player": 0}),
    "decorating no row": ("built_at", decorating("deco 1"), {"built_at": None}),
    "a new stone from an empty reserve": (
        "middle_in_reserve",
        unloaded("build A", *["put farm"] * 4),
        {"middle_in_reserve": 0, "capstone": "ml", "middle_in_camp": 4},
    ),
    "a new stone for a sled under way": ("sled_position", unloaded("build A", *["put farm"] * 4), base_sleds(q0="space 1")),
    "an end in the middle": ("over", finished(), {"round": 9, "used_rows": [list(ROWS[p + 1 : p + 5]) for p in range(4)]}),
    "an end with somebody to act": ("current_player", finished(), {"current_player": 1}),
    "a game cut off": ("truncated", finished(), {"truncated": True}),
    "stones moved too soon": (
        "round",
        position(round=1),
        {"base_built": ALL, "sled_stone": ["middle"] * 4, "middle_in_reserve": 0},
    ),
    "a sled gone while there are stones": (
        "sled_position",
        position(),
        {"sled_position": [None, *["quarry"] * 3], "sled_stone": [None, *["base"] * 3], "base_built": [True, *[False] * 3]},
    ),
    "art that nobody can have made": ("art", position(round=1), {"art": [3, 20, 3, 3]}),
    "food that nobody can have grown": ("food", position(round=1), {"food": [25, 8, 8, 8], "art": [0, 3, 3, 3]}),
    "food and art of the same turns": ("food", position(round=1), {"food": [24, 8, 8, 8], "art": [4, 3, 3, 3]}),
    "actions after the capstone": ("capstone", position(**EIGHT_STONES, capstone="cl"), {"capstone": "built"}),
    "decorating a row after the capstone": ("capstone", last_middle_stone(), {"capstone": "built"}),
    "an end by the capstone in nobody's turn": ("order_index", capstone_lifted("deco 1", "deco 1"), {"order_index": 4}),
    "an end by the capstone too soon": (
        "round",
        capstone_lifted("deco 1", "deco 1"),
        {"round": 6, "order_index": 2, "used_rows": [[row] for row in ROWS[1:5]]},
    ),
    "a tier paid before its last row is decorated": ("points", last_middle_stone(), won(3, 12)),
    "the last tier paid before its decoration": ("points", capstone_lifted(), won(3, 18)),
    "a sled in a quarry that is not used": (
        "sled_position",
        b3(
            **sleds(q0=("quarry", "middle")),
            base_built=ALL,
            middle_built=[True, True, True, False],
            middle_in_reserve=0,
            capstone="ml",
        ),
        sleds(q3=("quarry", "middle")),
    ),
}


@pytest.mark.parametrize(("field", "state", "wrong"), NOT_IN_THIS_PHASE.values(), ids=NOT_IN_THIS_PHASE.keys())
def test_what_a_phase_does_not_allow_is_refused_by_the_name_of_its_field(field: str, state: State, wrong: dict[str, Any]) -> None:
    assert state.replace() == state
    with pytest.raises(ValueError, match=f"^{field}: "):
        state.replace(**wrong)


def test_the_best_decorator_of_all_is_not_refused() -> None:
    """Four rows at six points each, ten for the capstone's."""
    end = capstone_lifted("deco 5", "deco 0")
    assert end.replace(**won(2, 4 * 6 + 10)).is_terminal()
    with pytest.raises(ValueError, match=r"^points: "):
        end.replace(**won(2, 4 * 6 + 11))


def test_three_players_start_with_a_stone_of_each_tier() -> None:
    elsewhere = [False, True, False, False]
    with pytest.raises(ValueError, match=r"^middle_built: with 3 players"):
        b3().replace(base_built=elsewhere, middle_built=elsewhere)


def test_three_players_use_three_quarries() -> None:
    state = b3()
    with pytest.raises(ValueError, match=r"^workers: workers in q3, which is not used with 3 players"):
        state.replace(**moved(state, 0, "farm", "q3"))


@pytest.mark.parametrize("players", PLAYERS)
def test_mutated_positions_are_refused_or_play_to_their_end(players: int) -> None:
    testing.check_positions(giza(players), seed=int(os.environ.get("MASTABA_FUZZ_SEED", "5")))
