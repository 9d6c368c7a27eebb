"""What holds in every game, whoever plays it."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from mastaba import State
from mastaba.envs.pyramids.components import SLOT_X, SLOT_Y, TILES
from mastaba.envs.pyramids.state import NOTHING

from pyramids.boards import (
    any_seed,
    any_table,
    pile,
    random_game,
    sheet,
)


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=20, deadline=None)
def test_what_is_built_stays_and_groups_only_grow(num_players: int, seed: int) -> None:
    """Also when a card at the left end moves all others: the old cards keep their places relative to each other."""
    states = random_game(num_players, seed)
    before = next(states)
    for after in states:
        for p in range(num_players):
            old, new = places(before, p), places(after, p)
            steps = {(new[card][0] - x, new[card][1] - y) for card, (x, y) in old.items()}
            assert steps <= {(0, 0)} or steps == {(2, 0)}
            assert len(new) - len(old) in (0, 1)
            assert pile(after, "obelisk", p)[: len(pile(before, "obelisk", p))] == pile(before, "obelisk", p)
            assert set(pile(before, "tomb", p)) <= set(pile(after, "tomb", p))
        assert (after.record["largest_group"] >= before.record["largest_group"]).all()
        assert (after.record["obelisk_colours"] >= before.record["obelisk_colours"]).all()
        before = after


def places(state: State, seat: int) -> dict[int, tuple[int, int]]:
    """Where each card of a Pyramid lies on the grid."""
    slots = state.record["pyramid"][0][seat].tolist()
    return {card: (SLOT_X[slot], SLOT_Y[slot]) for slot, card in enumerate(slots) if card != NOTHING}


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=20, deadline=None)
def test_every_turn_builds_what_its_tile_allows_and_no_card_is_lost(num_players: int, seed: int) -> None:
    obelisk = {"khepri", "sekhmet", "thoth"}
    tomb = {"anubis", "sekhmet", "thoth"}
    discards: Counter[int] = Counter()
    start_of_round, tile_of = None, {}
    states = random_game(num_players, seed)
    before = next(states)
    for after in states:
        old, new = before.to_dict(), after.to_dict()
        if start_of_round is None:
            start_of_round = old
        if before.phase() == "discard":
            discards[old["current_player"]] += 1
        if before.phase() == "god" and after.phase() != "god":
            tile_of = {owner: TILES[t] for t, owner in enumerate(new["tile_owner"]) if owner is not None}
            assert sorted(tile_of) == list(range(num_players))
        if new["round"] > old["round"] or after.is_terminal():
            for p in range(num_players):
                raised, buried = (new[size][p] - start_of_round[size][p] for size in ("obelisk_size", "tomb_size"))
                assert raised <= (tile_of[p] in obelisk)
                assert buried <= (tile_of[p] in tomb)
                assert raised + buried <= 1 or tile_of[p] == "thoth" or num_players < 4
                if not after.is_terminal():
                    held = sum(new[size][p] for size in ("hand_size", "pyramid_size", "obelisk_size", "tomb_size"))
                    assert held + discards[p] == 1 + 2 * old["round"]
            if num_players == 2 and not after.is_terminal():
                assert TILES.index(new["removed_tile"]) == (TILES.index(old["removed_tile"]) + 1) % 4
            start_of_round = new
        before = after


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=20, deadline=None)
def test_scores_are_made_of_possible_parts(num_players: int, seed: int) -> None:
    *_, end = random_game(num_players, seed)
    parts = [sheet(end, p) for p in range(num_players)]
    for part in parts:
        assert min(part.values()) >= 0
        assert part["longest"] <= part["groups"] <= 30
        assert part["bonus"] in (0, 10)
        assert part["obelisk"] in (0, 1, 3, 6, 10, 15)
        assert part["tomb"] in range(0, 26, 5)
        assert part["glyphs"] in range(0, 43, 2)
        assert sum(part.values()) <= 133
    assert sum(part["tomb"] for part in parts) <= 25
    assert end.scores() == [sum(part.values()) for part in parts]
    assert end.record["deck_position"][0] == 21 * num_players


DECISIONS = {2: (62, 96), 3: (100, 147), 4: (140, 206), 5: (170, 235)}


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=20, deadline=None)
def test_only_the_last_choice_of_a_round_is_forced(num_players: int, seed: int) -> None:
    asked = Counter(state.phase() for state in random_game(num_players, seed))
    assert asked["god"] == 10 * min(num_players, 4)  # with five players the last tile is forced
    assert asked["pair"] == 10 * (num_players - 1)  # so is the last pair
    assert asked["pyramid"] == 10 * num_players
    fewest, most = DECISIONS[num_players]
    assert fewest <= asked.total() - asked["end"] <= most
