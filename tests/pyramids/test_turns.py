"""What may be done in a turn and what it does, round by round."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

import pytest

import mastaba
from mastaba import State
from mastaba.envs.pyramids.components import CARDS

from pyramids.boards import (
    IN_ORDER,
    LONG_RED,
    NUM_CARDS,
    do,
    groups,
    known,
    legal_names,
    pile,
    position,
    random_game,
    sheet,
    start,
    tables,
)

NEITHER, OBELISK_CARD, TOMB_CARD, BOTH = (0, 0), (1, 0), (0, 1), (1, 1)


@pytest.mark.parametrize(
    "tile, tables, allowed",
    [
        ("horus", (3, 4, 5), {NEITHER}),
        ("anubis", (2, 3, 4, 5), {NEITHER, TOMB_CARD}),
        ("khepri", (2, 3, 4, 5), {NEITHER, OBELISK_CARD}),
        ("sekhmet", (2, 3), {NEITHER, OBELISK_CARD, TOMB_CARD, BOTH}),
        ("sekhmet", (4, 5), {NEITHER, OBELISK_CARD, TOMB_CARD}),
        ("thoth", (4, 5), {NEITHER, OBELISK_CARD, TOMB_CARD, BOTH}),
    ],
)
def test_a_tile_allows_what_its_picture_shows(tile: str, tables: tuple[int, ...], allowed: set[tuple[int, int]]) -> None:
    for num_players in tables:
        state = do(position(num_players, 3, "pyramid", tile=tile, hand=[100, 101, 102]), "pyr 1@2a")
        assert set(ways_to_build_on(state)) == allowed


def ways_to_build_on(state: State) -> Iterator[tuple[int, int]]:
    """Cards on Obelisk and in Tomb of seat 0 after every way to finish its turn."""
    if state.current_player() != 0 or state.phase() not in ("obelisk", "tomb"):
        yield len(pile(state, "obelisk", 0)), len(pile(state, "tomb", 0))
    else:
        for action in legal_names(state):
            yield from ways_to_build_on(do(state.clone(), action))


def test_horus_builds_only_the_pyramid_and_anubis_adds_the_tomb() -> None:
    state = do(position(3, 2, "pyramid", tile="horus", hand=[50, 60, 70]), "0: pyr 1@R")
    assert (state.phase(), state.current_player()) == ("pair", 1)
    state = do(position(3, 2, "pyramid", tile="anubis", hand=[50, 60, 70]), "0: pyr 1@R")
    assert (state.phase(), state.current_player()) == ("tomb", 0)


def test_the_lowest_tile_taken_chooses_first() -> None:
    state = do(start(4, IN_ORDER), "0: god anubis", "1: god horus", "2: god thoth", "3: god sekhmet")
    assert state.current_player() == 1
    do(state, "1: take A", "1: pyr 1@R")
    assert (state.phase(), state.current_player()) == ("pair", 0)
    state = do(start(4, IN_ORDER), "0: god anubis", "1: god khepri", "2: god thoth", "3: god sekhmet")
    assert (state.phase(), state.current_player()) == ("pair", 0)


def test_anubis_may_lay_either_card_or_none() -> None:
    assert legal_names(position(3, 2, "tomb", tile="anubis", hand=[4, 5])) == ["tomb 1", "tomb 2", "pass"]


def test_with_two_players_the_tile_out_of_play_moves_on() -> None:
    state = start(2, IN_ORDER).replace(removed_tile="sekhmet")
    assert legal_names(state) == ["god horus", "god anubis", "god khepri"]
    while state.record["round"][0] == 1:
        state.apply_action(state.legal_actions()[0])
    assert state.to_dict()["removed_tile"] == "horus"
    assert legal_names(state) == ["god anubis", "god khepri", "god sekhmet"]


@tables
def test_a_game_begins_with_a_pair_for_every_player_and_a_secret_card_each(num_players: int) -> None:
    for seed in range(5):
        values = mastaba.game("pyramids", num_players).new_initial_state(seed=seed).to_dict()
        pairs = values["quarry"][:num_players]
        assert all(None not in pair for pair in pairs)
        assert not any(card for pair in values["quarry"][num_players:] for card in pair)
        assert [hand[0] for hand in values["hand"]] == values["initial_card"]
        assert len({card for pair in pairs for card in pair} | set(values["initial_card"][:num_players])) == 3 * num_players


@tables
def test_every_pyramid_ends_with_ten_cards(num_players: int) -> None:
    *_, end = random_game(num_players, seed=1)
    assert all(len(pile(end, "pyramid", p)) == 10 for p in range(num_players))


@pytest.mark.parametrize(
    "filled, expected",
    [
        ("", "R"),
        ("1a", "L R"),
        ("1a 1b", "L R 2a"),
        ("1a 1b 2a", "L R"),
        ("1a 1b 1c", "L R 2a 2b"),
        ("1a 1b 1c 2a", "L R 2b"),
        ("1a 1b 1c 2a 2b", "L R 3a"),
        ("1a 1b 1c 1d", "2a 2b 2c"),
        ("1a 1b 1c 1d 2a 2c", "2b"),
        ("1a 1b 1c 1d 2a 2b 3a", "2c"),
        ("1a 1b 1c 1d 2a 2b 2c 3a 3b", "4a"),
    ],
)
def test_a_place_is_open_beside_the_base_or_on_two_cards(filled: str, expected: str) -> None:
    labels = ["1a", "1b", "1c", "1d", "2a", "2b", "2c", "3a", "3b", "4a"]
    slots = [50 + i if label in filled.split() else None for i, label in enumerate(labels)]
    state = position(3, len(filled.split()) + 1, "pyramid", tile="horus", hand=[0, 1, 2], pyramids={0: slots})
    assert legal_names(state) == [f"pyr {h}@{at}" for h in (1, 2, 3) for at in expected.split()]


def test_a_card_at_the_left_end_moves_all_others_on() -> None:
    slots = [16, 101, 0, None, 24, 25, None, 30, None, None]
    state = position(3, 7, "pyramid", tile="horus", hand=[3, 9, 77], pyramids={0: slots})
    before = groups(state)
    assert state.game.string_to_action("pyr 1@L") == 10
    do(state, "pyr 1@L")
    moved = [3, 16, 101, 0, None, 24, 25, None, 30, None]
    assert state.to_dict()["pyramid"][0] == [None if c is None else CARDS[c] for c in moved]
    assert all(after >= m for after, m in zip(groups(state), before, strict=True))


def test_a_round_from_the_tiles_to_the_discards() -> None:
    state = start(4, IN_ORDER)
    state.record["first_player"] = state.record["current_player"] = 1  # in a real game seat 0 starts; this example has seat 1
    assert [pile(state, "hand", p) for p in range(4)] == [[0], [1], [2], [3]]
    assert [pile(state, "quarry", i) for i in range(4)] == [[4, 5], [6, 7], [8, 9], [10, 11]]

    do(state, "1: god anubis", "2: god horus", "3: god thoth", "0: god khepri")
    do(state, "2: take C", "2: pyr 2@R")
    assert pile(state, "hand", 2) == [2, 9]
    assert pile(state, "pyramid", 2) == [8]
    do(state, "1: take A", "1: pyr 1@R", "1: tomb 1")
    assert known(state, 1) == (set(), {4, 5}, set(), "seen")
    do(state, "0: take B", "0: pyr 2@R", "0: pass")
    assert pile(state, "hand", 0) == [0, 7]
    assert (state.phase(), state.current_player()) == ("pyramid", 3)  # the last pair is forced
    assert pile(state, "hand", 3) == [3, 10, 11]
    do(state, "3: pyr 1@R", "3: obe 2", "3: tomb 1")
    assert pile(state, "hand", 3) == []
    assert known(state, 3) == (set(), set(), {10}, "seen")

    do(state, "2: drop 1", "0: drop 2")
    assert [pile(state, "hand", p) for p in range(4)] == [[0], [5], [9], []]
    values = state.to_dict()
    assert (values["round"], values["first_player"], state.current_player(), state.phase()) == (2, 2, 2, "god")
    assert [pile(state, "quarry", i) for i in range(4)] == [[12, 13], [14, 15], [16, 17], [18, 19]]
    assert values["initial_status"][:4] == ["hand", "seen", "seen", "seen"]
    assert [c for c in IN_ORDER if values["public_place"][c] == "discarded"] == [2, 7]


def test_sekhmet_allows_one_edifice_at_a_large_table_and_both_at_a_small_one() -> None:
    large = position(4, 2, "obelisk", tile="sekhmet", hand=[50, 60])
    assert do(large.clone(), "0: obe 1").phase() != "tomb"
    assert legal_names(do(large, "0: pass")) == ["tomb 1", "tomb 2", "pass"]
    small = do(position(3, 2, "obelisk", tile="sekhmet", hand=[50, 60]), "0: obe 1", "0: tomb 1")
    assert pile(small, "hand", 0) == []


def test_without_a_card_kept_the_hand_may_run_out() -> None:
    """In round 2 seat 0 built all three edifices and kept nothing."""
    built = {"obelisks": {0: [80]}, "tombs": {0: [81]}, "hand": []}
    thoth = position(4, 3, "pair", tile="thoth", **built)
    do(thoth, "0: take A", "0: pyr 1@R", "0: obe 1")
    assert pile(thoth, "hand", 0) == []
    assert thoth.record["round"][0] == 3
    assert thoth.phase() == "discard"  # of the others: they kept two cards

    horus = do(position(3, 3, "pair", tile="horus", **built), "0: take A", "0: pyr 1@R")
    while horus.record["round"][0] == 3:
        assert (horus.phase(), horus.current_player()) != ("discard", 0)
        horus.apply_action(horus.legal_actions()[0])
    assert len(pile(horus, "hand", 0)) == 1


def test_in_round_ten_the_cards_left_are_discarded_for_nothing() -> None:
    state = do(position(3, 10, "pyramid", tile="horus", hand=[1, 33, 60], pyramids={0: [*LONG_RED[1:], None]}), "0: pyr 1@4a")
    while not state.is_terminal():
        assert state.phase() != "discard"
        state.apply_action(state.legal_actions()[-1])
    places = state.to_dict()["public_place"]
    assert (places[33], places[60]) == ("discarded", "discarded")
    assert sheet(state, 0)["glyphs"] == 2 * sum(CARDS[c].endswith("^P") for c in pile(state, "pyramid", 0))


SCRAMBLED = [(38 * i + 17) % NUM_CARDS for i in range(NUM_CARDS)]
GOLDEN = """\
policy,n,deck,decisions,discards,scores
low,2,identity,69,9,8/3/0/6/20/8/45;11/3/0/6/0/6/26
low,2,38i+17,69,9,8/2/0/6/20/6/42;11/3/0/6/0/6/26
low,3,identity,109,13,8/3/0/6/0/2/19;9/3/0/6/10/4/32;8/2/0/10/0/4/24
low,3,38i+17,109,13,8/3/0/6/5/8/30;6/2/0/3/10/6/27;8/3/0/6/5/6/28
low,4,identity,149,14,8/2/0/15/0/6/31;9/3/0/10/10/0/32;11/4/0/10/10/2/37;8/2/0/15/0/10/35
low,4,38i+17,149,14,10/3/0/10/5/6/34;8/2/0/10/5/8/33;11/3/0/15/5/6/40;7/2/0/15/0/6/30
low,5,identity,184,5,7/2/0/10/5/8/32;11/4/0/10/5/10/40;8/3/0/15/0/4/30;9/3/0/15/5/10/42;8/2/0/15/0/6/31
low,5,38i+17,184,5,9/4/0/15/0/8/36;10/4/0/15/5/14/48;7/2/0/15/5/6/35;8/3/0/15/0/6/32;11/4/0/15/5/8/43
high,2,identity,96,22,9/4/0/0/0/6/19;9/3/0/0/0/4/16
high,2,38i+17,96,22,9/3/0/0/0/2/14;9/3/0/0/0/2/14
high,3,identity,147,33,9/3/0/0/0/0/12;9/3/0/0/0/4/16;8/2/0/0/0/4/14
high,3,38i+17,147,33,12/5/0/0/0/0/17;10/3/0/0/0/4/17;10/4/0/0/0/0/14
high,4,identity,206,44,6/2/0/0/0/0/8;8/2/0/0/0/0/10;10/3/0/0/0/2/15;9/3/0/0/0/6/18
high,4,38i+17,206,44,10/3/0/0/0/0/13;11/4/0/0/0/4/19;9/2/0/0/0/0/11;15/5/0/0/0/2/22
high,5,identity,235,55,9/3/0/0/0/4/16;9/4/0/0/0/0/13;11/4/0/0/0/2/17;8/2/0/0/0/4/14;8/2/0/0/0/2/12
high,5,38i+17,235,55,8/2/0/0/0/2/12;8/3/0/0/0/0/11;10/3/0/0/0/0/13;9/3/0/0/0/4/16;10/4/0/0/0/4/18
mod7,2,identity,79,8,8/2/0/6/25/6/47;8/2/0/6/0/6/22
mod7,2,38i+17,79,8,9/4/0/6/15/6/40;9/4/0/10/0/4/27
mod7,3,identity,121,16,6/2/0/6/25/8/47;10/3/0/0/0/2/15;9/3/0/0/0/0/12
mod7,3,38i+17,121,16,10/3/0/10/20/8/51;8/3/0/0/0/2/13;10/4/0/0/0/4/18
mod7,4,identity,177,27,10/3/0/0/0/2/15;9/3/0/3/10/2/27;8/3/0/0/0/4/15;9/3/0/1/5/4/22
mod7,4,38i+17,177,27,8/4/0/0/0/0/12;9/3/0/3/10/2/27;8/2/0/0/5/0/15;7/2/0/1/0/2/12
mod7,5,identity,199,23,6/2/0/6/0/4/18;13/4/0/6/15/6/44;8/2/0/6/0/6/22;8/3/0/3/5/6/25;9/3/0/6/0/6/24
mod7,5,38i+17,199,23,11/3/0/3/0/4/21;7/2/0/6/10/4/29;9/3/0/3/0/2/17;8/2/0/3/5/0/18;8/2/0/6/0/2/18
"""
PICKS: dict[str, Callable[[int, int], int]] = {
    "low": lambda decision, count: 0,
    "high": lambda decision, count: count - 1,
    "mod7": lambda decision, count: (7 * decision + 3) % count,
}


@pytest.mark.parametrize(
    "row", list(csv.DictReader(io.StringIO(GOLDEN))), ids=lambda row: f"{row['policy']}-{row['n']}-{row['deck']}"
)
def test_games_of_simple_players_end_as_computed_by_hand(row: dict[str, str]) -> None:
    num_players = int(row["n"])
    state = start(num_players, IN_ORDER if row["deck"] == "identity" else SCRAMBLED)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[PICKS[row["policy"]](int(state.record["decisions"][0]), len(legal))])
    values = state.to_dict()
    assert values["decisions"] == int(row["decisions"])
    assert values["public_place"].count("discarded") == int(row["discards"])
    sheets = [[*sheet(state, p).values(), state.scores()[p]] for p in range(num_players)]
    assert ";".join("/".join(map(str, parts)) for parts in sheets) == row["scores"]
