"""What is hidden, and worlds drawn for a player: only the art bids of a running decoration."""

from __future__ import annotations

from collections import Counter

import numpy as np

from mastaba import State

from giza.by_hand import middle_stone_lifted, nearly_finished, play


def art_auction() -> State:
    """Seats 1 and 2 have bid art in secret; seat 3 is asked."""
    return play(middle_stone_lifted(), "build B", "deco 4", "deco 2")


def test_an_art_bid_is_seen_by_its_owner_only() -> None:
    state = art_auction()
    assert [state.view(p)["art_bid"] for p in range(4)] == [-1, 4, 2, -1]
    assert "p1 4, p2 ?" in state.to_text(1)
    assert "p1 ?, p2 ?" in state.to_text(3)
    assert "p1 4, p2 2" in state.to_text()


def bids(state: State) -> tuple[int, ...]:
    return tuple(state.record["art_bid"][0].tolist())


def test_drawn_worlds_differ_and_every_bid_that_can_be_paid_comes_up() -> None:
    state = art_auction()
    seen = Counter(bids(state.determinize(3, seed)) for seed in range(1500))
    assert set(seen) == {(-1, first, second, -1) for first in range(5) for second in range(4)}
    assert max(seen.values()) < 2 * min(seen.values()), "all are equally likely"


def test_the_own_view_stays_as_it_is() -> None:
    for player in range(4):
        state = art_auction()
        for seed in range(20):
            world = state.determinize(player, seed)
            assert world.view(player) == state.view(player)
            assert world.to_text(player) == state.to_text(player)
            assert np.array_equal(world.observation(player), state.observation(player))
            assert world.legal_actions() == state.legal_actions()


def test_what_everybody_knows_stays_true() -> None:
    """Who has bid, who has not, and that nobody bids more than it has."""
    state = art_auction()
    shown = state.to_dict()
    for seed in range(100):
        world = state.determinize(0, seed).to_dict()
        for p, bid in enumerate(world["art_bid"]):
            assert (bid is None) == (shown["art_bid"][p] is None)
            assert bid is None or 0 <= bid <= shown["art"][p]
        assert {k: v for k, v in world.items() if k not in ("art_bid", "rng")} == {
            k: v for k, v in shown.items() if k not in ("art_bid", "rng")
        }


def test_a_world_depends_neither_on_the_truth_nor_on_the_dice_of_the_game() -> None:
    state = art_auction()
    other = state.replace(art_bid=[None, 0, 3, None])
    later = state.clone()
    later.reseed(99)
    for seed in range(50):
        world = state.determinize(3, seed)
        assert other.determinize(3, seed).serialize() == world.serialize()
        assert later.determinize(3, seed).serialize() == world.serialize()


def test_outside_of_decorations_nothing_is_hidden() -> None:
    state = nearly_finished()
    assert state.determinize(2, seed=5).to_dict() == {**state.to_dict(), "rng": state.determinize(2, seed=5).to_dict()["rng"]}
