"""What holds in every position of every game."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from mastaba.envs.cheops import RULES
from mastaba.envs.cheops.actions import ACTIONS
from mastaba.envs.cheops.invariants import violations
from mastaba.envs.cheops.scoring import complete_buildings, complete_groups

from cheops.by_hand import DOMINO_NAMES, SEATS, SHEET_FIELDS, cheops, legal, random_game, seeds, tables


@given(tables, seeds)
def test_every_position_keeps_the_invariants(players: int, seed: int) -> None:
    for _, _, after in random_game(players, seed):
        assert list(violations(after.record[0])) == []


@given(tables, seeds)
def test_what_is_kept_follows_from_the_rest(players: int, seed: int) -> None:
    for _, _, after in random_game(players, seed):
        anew = after.clone()
        for field in RULES.schema:
            if field.derived:
                anew.record[field.name] = 0
        after.game.kernels.derive(anew.record)
        assert anew.record.tobytes() == after.record.tobytes()


@given(tables, seeds)
def test_the_first_decision_has_25_actions(players: int, seed: int) -> None:
    state = cheops(players).new_initial_state(seed=seed)
    assert legal(state) == ["P0", "P1", "P2", "P3", "P4", "AL", "AR", *DOMINO_NAMES, "stop"]


@given(tables, seeds)
def test_a_decision_is_to_build_or_to_pay_and_never_forced(players: int, seed: int) -> None:
    for state, _, _ in random_game(players, seed):
        actions = state.legal_actions()
        assert len(actions) >= 2
        if state.phase() == "build":
            assert max(actions) == ACTIONS.index["stop"]
        else:
            assert min(actions) > ACTIONS.index["stop"]


@given(tables, seeds)
def test_only_the_builder_to_act_changes_and_nothing_is_taken_back(players: int, seed: int) -> None:
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        for p in range(SEATS):
            if p != a["current_player"]:
                unchanged = [f for f in SHEET_FIELDS if f != "bonuses" or not b["over"]]
                assert all(a[field][p] == b[field][p] for field in unchanged)
            for field in ("pyramid", "mosaic", "quarry", "bonuses"):
                assert a[field][p] & ~b[field][p] == 0
            assert all(a[field][p] <= b[field][p] for field in ("left", "right", "keystone", "mark"))
            assert a["jokers"][p] >= b["jokers"][p]


@given(tables, seeds)
def test_buildings_never_lose_points_and_material_never_gains_any(players: int, seed: int) -> None:
    for before, _, after in random_game(players, seed):
        for p in range(players):
            one, two = before.breakdown()[p], after.breakdown()[p]
            assert all(one[part] <= two[part] for part in ("pyramid", "arch", "mosaic", "bonuses"))
            assert all(one[part] >= two[part] for part in ("quarry", "jokers"))


def stones(s: np.void, p: int) -> int:
    columns = int(s["left"][p]) + int(s["right"][p]) + int(s["keystone"][p])
    return int(s["pyramid"][p]).bit_count() + columns + int(s["mosaic"][p]).bit_count()


def payments(s: np.void, p: int) -> int:
    """Quarry stones and jokers used so far."""
    return int(s["quarry"][p]).bit_count() + int(s["num_players"]) - int(s["jokers"][p])


@given(tables, seeds)
def test_every_stone_is_paid_for(players: int, seed: int) -> None:
    """Stones of the active builder's turn = dice that stay out + quarry stones + jokers; payments never exceed stones."""
    start = None
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        p = int(a["current_player"])
        if a["turn"] == 0 and a["built"] == 0 and a["phase"] == 0:
            start = a
        if start is not None and b["turn"] == 1 and b["round"] == start["round"]:
            blocked = int(b["num_dice"]) - int(b["pool"].sum())
            assert stones(b, p) - stones(start, p) == blocked + payments(b, p) - payments(start, p) <= 2
            start = None
        if b["phase"] != 1:
            assert all(payments(b, q) <= stones(b, q) for q in range(players))


@given(tables, seeds)
def test_the_pool_changes_only_by_what_the_active_builder_used(players: int, seed: int) -> None:
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        if a["round"] == b["round"] and a["turn"] > 0:
            assert a["pool"].tolist() == b["pool"].tolist()


@given(tables, seeds)
def test_a_bonus_belongs_to_all_who_completed_it_in_its_round_and_to_nobody_later(players: int, seed: int) -> None:
    completed: dict[tuple[int, int], int] = {}
    for before, _, after in random_game(players, seed):
        a, b = before.record[0], after.record[0]
        p = int(a["current_player"])
        for group in range(8):
            if complete_groups(b, p) >> group & 1:
                completed.setdefault((p, group), int(a["round"]))
    for (p, group), when in completed.items():
        first = b["bonus_round"][group]
        assert bool(b["bonuses"][p] >> group & 1) == (when == first)
        assert when >= first


@given(tables, seeds)
def test_length_and_scores_are_bounded(players: int, seed: int) -> None:
    *_, (_, _, last) = random_game(players, seed)
    s = last.record[0]
    assert s["truncated"] or 10 <= s["round"] <= 99
    assert any(complete_buildings(s, p) >= 2 for p in range(players)) != last.is_truncated()
    assert all(0 <= score <= 84 + 2 * players for score in last.scores())


def test_random_games_use_every_action() -> None:
    used = {action for seed in range(40) for _, action, _ in random_game(3, seed)}
    assert used == set(ACTIONS.names)
