"""Rows, their bonuses, and the actions of a turn: production, moves, walks."""

from __future__ import annotations

import pytest

from mastaba import State
from mastaba.envs.core.kernel.jit import kernel
from mastaba.envs.giza.components import ROWS
from mastaba.envs.giza.turns import round_of, turn_of

from giza.by_hand import asked, b3, base_sleds, before_rows, options, play, position, see, workers
from giza.styles import games


def test_the_order_of_play_is_reversed_for_choosing():
    state = position(rows=(0, 1, 6, 7), round=1)
    state = play(state, "pass", "pass", "pass", "pass")
    assert see(state, "round") == 2
    assert see(state, "order") == [3, 2, 1, 0]
    assert asked(state) == ("row", 3)


def test_the_last_row_is_taken_by_force():
    state = before_rows(ROWS[:4], round=5, order=[3, 2, 1, 0])
    assert options(state) == {"row track", "row lifter", "row farm2", "row art2"}
    state = play(state, "row track")
    assert asked(state) == ("row", 2), "nobody stands on a track: the bonus is skipped"
    state = play(state, "row farm2", "row art2")
    assert see(state, "row")[0] == "lifter"
    assert asked(state) == ("bonus", 0)
    assert options(state) == {"pass", "farm>ml", "farm>cl"}


def test_rows_are_free_again_in_the_second_dynasty():
    state = play(position(turn=3, round=5), "pass")
    assert see(state, "round") == 6
    assert see(state, "used_rows") == [[]] * 4
    assert options(state) == {f"row {row}" for row in ROWS}


def test_the_track_bonus_walks_one_space_only():
    state = before_rows(ROWS[:4], round=10, move={0: {"q0": 1, "q1": 1}, 1: {"q1.1": 4}}, **base_sleds(q0="space 2", q1="space 2"))
    assert options(play(state, "row track")) == {"pass", "adv q0.0"}


def test_fishing_and_farming():
    state = play(position(move={0: {"ra": 3}}), "fish")
    assert see(state, "food")[0] == 10
    assert "fish" not in options(state)
    assert see(play(state, "farm"), "food")[0] == 15


@pytest.mark.parametrize(("farmers", "action", "food"), [(3, "farm", 3), (4, "fish", 2), (5, "fish", 2)])
def test_production(farmers, action, food):
    state = position(move={0: {"ra": 8 - farmers}})
    assert see(play(state, action), "food")[0] == 8 + food


def test_double_farming_and_double_fishing():
    farming = position(turn=0, rows=(6, 2, 3, 4))
    assert "fish" not in options(farming)
    state = play(farming, "farm")
    assert "fish" not in options(state)
    assert see(play(state, "farm"), "food")[0] == 24
    fishing = position(turn=0, rows=(0, 2, 3, 4))
    assert "farm" not in options(fishing)
    state = play(fishing, "fish", "fish")
    assert see(state, "food")[0] == 16
    assert "farm" not in options(state)


def test_art_is_made_once_in_a_turn():
    state = play(position(move={0: {"art": 3}}), "art 2")
    assert (see(state, "food")[0], see(state, "art")[0]) == (6, 5)
    assert not any(action.startswith("art ") for action in options(state))


def test_art_is_made_twice_in_row_art2():
    state = position(rows=(7, 2, 3, 4), move={0: {"art": 3}})
    assert see(state, "order") == [1, 2, 3, 0]
    state = play(state, "art 3", "art 3")
    assert (see(state, "food")[0], see(state, "art")[0]) == (2, 9)


def test_the_supply_is_limited():
    state = play(position(food=[40, 40, 43, 0]), "farm")
    assert see(state, "food")[0] == 45
    assert "fish" not in options(state)
    state = position(move={0: {"art": 5}}, art=[20, 20, 18, 0])
    assert {a for a in options(state) if a.startswith("art ")} == {"art 1", "art 2"}


def walker_behind_a_full_space(on_sled: int = 3, sled: str = "space 2", actions_left: int = 3) -> State:
    space = f"q0.{sled[-1]}"
    moved = {0: {"q0": 1}, 1: {"q0.1": 2}, 2: {"q0.1": 2}, 3: {space: on_sled}}
    if sled == "space 3":
        moved[1]["q0.2"] = moved[2]["q0.2"] = 2
    return position(move=moved, actions_left=actions_left, **base_sleds(q0=sled))


def test_a_full_space_is_walked_through():
    state = play(walker_behind_a_full_space(), "adv q0.0")
    assert workers(state, "q0.2") == [1, 0, 0, 3]
    assert see(state, "actions_left") == 1
    assert "adv q0.2" not in options(state)


def test_a_full_sled_is_not_passed():
    assert "adv q0.0" not in options(walker_behind_a_full_space(on_sled=4))


def test_the_walk_must_be_paid_in_one_go():
    assert "adv q0.0" in options(walker_behind_a_full_space(sled="space 3", actions_left=3))
    assert "adv q0.0" not in options(walker_behind_a_full_space(sled="space 3", actions_left=1))


def test_a_worker_walks_off_its_track():
    state = play(position(move={0: {"q1.3": 1}}), "adv q1.3")
    assert asked(state) == ("exit", 0)
    assert see(state, "actions_left") == 2
    state = play(state, "put cl")
    assert asked(state) == ("action", 0)
    assert see(state, "actions_left") == 2
    assert workers(state, "cl") == [1, 0, 0, 0]
    assert state.scores() == [0, 0, 0, 0]


def test_a_full_quarry_is_closed():
    for turn in (0, 1):
        assert "farm>q0" not in options(position(turn=turn, move={1: {"q0": 4}}))


def test_nobody_leaves_a_sled_on_the_track():
    state = position(move={0: {"q0.1": 2}}, **base_sleds(q0="space 1"))
    assert not options(state) & {"adv q0.1", "q0>farm"}


def test_a_sled_in_the_quarry_may_be_left_but_not_forward():
    state = position(move={0: {"q0": 2}})
    assert options(state) >= {"q0>farm", "q0>q1"}
    assert "adv q0.0" not in options(state)


def test_the_last_quarry_is_not_used_by_three():
    assert not options(b3()) & {"farm>q3"}
    assert "farm>q2" in options(b3())


@kernel
def clocks(states):
    return turn_of(states[0]), round_of(states[0])


def test_turns_and_rounds_are_counted_when_they_end() -> None:
    """Neither placing workers nor choosing rows is a turn; the capstone ends the game in the middle of a round."""
    for game in games(1):
        before = None
        for state, _ in game:
            turns, rounds = clocks(state.record)
            shown, n = state.to_dict(), state.game.num_players
            if before is None:
                assert state.phase() != "setup" or (turns, rounds) == (0, 0)
            else:
                assert turns - before[0] in (range(n + 1))
                assert rounds - before[1] in (0, 1)
                if shown["turn_player"] == before[2] and shown["round"] == before[3] and shown["turn_player"] is not None:
                    assert turns == before[0], "the same turn goes on"
                elif None not in (shown["turn_player"], before[2]):
                    assert turns > before[0], "another turn has begun"
            before = (turns, rounds, shown["turn_player"], shown["round"])
        if shown["capstone"] == "built":
            assert turns == (shown["round"] - 1) * n + shown["order_index"] + 1
            assert rounds == shown["round"]
        else:
            assert (turns, rounds) == (10 * n, 10)
