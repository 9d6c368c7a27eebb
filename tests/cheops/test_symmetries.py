"""Two games side by side, one decision at a time: what is turned or mirrored plays the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mastaba.envs.cheops import RULES
from mastaba.envs.cheops.actions import ACTIONS
from mastaba.envs.core.kernel.masks import new_masks

from cheops.by_hand import SEATS, SHEET_FIELDS, cheops, seeds, tables


class Table:
    """A position without forced moves, so that dice can be laid by hand before anything is decided."""

    def __init__(self, players: int, seed: int) -> None:
        self.state = cheops(players, sheets="in order").new_initial_state(seed=seed)
        self.s = self.state.record[0]

    def legal(self) -> list[int]:
        padded, masks = new_masks(1, len(ACTIONS))
        RULES.legal(self.s, padded[0])
        return np.flatnonzero(masks[0]).tolist()

    def step(self, action: int) -> None:
        RULES.step(self.s, action)

    def scores(self) -> list[int]:
        out = np.zeros(SEATS, np.int64)
        RULES.scores(self.s, out)
        return out.tolist()


@given(st.sampled_from([2, 3]), st.integers(1, 2), seeds)
def test_turning_all_colours_changes_nothing(players: int, turn: int, seed: int) -> None:
    one, two = Table(players, seed), Table(players, seed)
    two.s["sheet"][:players] += turn
    rng = np.random.default_rng(seed)
    round_ = -1
    while not one.s["over"]:
        if one.s["round"] != round_:
            round_ = one.s["round"]
            dice = int(one.s["num_dice"])
            two.s["roll"][:dice] = (one.s["roll"][:dice] + turn) % 6
            two.s["pool"][:] = two.s["dice"][:] = np.roll(one.s["pool"], turn)
        assert two.s["dice"].tolist() == np.roll(one.s["dice"], turn).tolist()
        assert one.legal() == two.legal()
        others = np.delete(np.arange(one.state.game.encoder().size), one.state.game.encoder().where("sheet"))
        assert np.array_equal(one.state.observation()[others], two.state.observation()[others])
        action = int(rng.choice(one.legal()))
        one.step(action)
        two.step(action)
        assert one.scores() == two.scores()
        assert all(one.s[field].tolist() == two.s[field].tolist() for field in SHEET_FIELDS)


@given(tables, seeds)
def test_left_and_right_column_are_mirror_images(players: int, seed: int) -> None:
    left, right = ACTIONS.index["AL"], ACTIONS.index["AR"]
    swap = {left: right, right: left}
    one, two = Table(players, seed), Table(players, seed)
    rng = np.random.default_rng(seed)
    while not one.s["over"]:
        assert sorted(swap.get(a, a) for a in one.legal()) == two.legal()
        action = int(rng.choice(one.legal()))
        one.step(action)
        two.step(swap.get(action, action))
        assert one.scores() == two.scores()
    assert one.s["left"].tolist() == two.s["right"].tolist()
