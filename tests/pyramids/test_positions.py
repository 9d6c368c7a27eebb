"""Positions that cannot be are refused, and the field that is wrong is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mastaba
from mastaba import State, testing
from mastaba.envs.pyramids.components import CARDS
from mastaba.testing.walks import styles, walk

from pyramids.boards import IN_ORDER, do, finished, position, random_game, start, tables

Fields = dict[str, Any]


def see(state: State, field: str) -> Any:
    return state.to_dict()[field]


def in_the_middle() -> State:
    """Three players: seat 1 has built with Anubis, seat 0 is asked for an Obelisk card, seat 2 has not begun."""
    state = do(start(3, IN_ORDER), "0: god khepri", "1: god anubis", "2: god sekhmet")
    return do(state, "1: take A", "1: pyr 1@R", "1: tomb 1", "0: take B", "0: pyr 1@R")


@pytest.mark.parametrize(
    "field, change",
    [
        ("hand", lambda v: v["hand"][0].__setitem__(0, CARDS[104])),  # the last card of the deck
        ("deck", lambda v: v["deck"].__setitem__(104, None)),
        ("deck_position", lambda v: v.update(deck_position=10)),
        ("first_player", lambda v: v.update(first_player=1)),
        ("removed_tile", lambda v: v.update(removed_tile="horus")),
        ("tile", lambda v: v.update(tile=None)),
        ("tile", lambda v: v.update(tile="sekhmet")),
        ("tile_owner", lambda v: v["tile_owner"].__setitem__(0, 0)),
        ("tile_owner", lambda v: v.update(tile_owner=[None, 1, 0, None, 2])),
        ("gods_chosen", lambda v: v.update(gods_chosen=2, tile_owner=[None, 1, 0, None, None])),
        ("current_player", lambda v: v.update(current_player=4)),
        ("over", lambda v: v.update(over=True)),
        ("hand_size", lambda v: v["hand_size"].__setitem__(0, 1)),
        ("pyramid_size", lambda v: v["pyramid_size"].__setitem__(0, 2)),
        ("pyramid", lambda v: v["pyramid"][0].__setitem__(slice(0, 2), [None, v["pyramid"][0][0]])),
        ("pyramid", lambda v: v["pyramid"][0].__setitem__(slice(0, 5), [None, None, None, None, v["pyramid"][0][0]])),
        ("hand", lambda v: v["hand"][0].__setitem__(slice(0, 2), v["hand"][0][1::-1])),
        ("quarry", lambda v: v["quarry"][2].reverse()),
        ("built_obelisk", lambda v: v.update(built_obelisk=True)),
        ("public_place", lambda v: v["public_place"].__setitem__(CARDS.index(v["hand"][0][0]), "tomb 0")),
        ("public_place", lambda v: v["public_place"].__setitem__(CARDS.index(v["tomb"][1][0]), "hand 1")),
        ("public_place", lambda v: v["public_place"].__setitem__(CARDS.index(v["pyramid"][0][0]), "obelisk 0")),
        ("initial_card", lambda v: v["initial_card"].__setitem__(0, v["initial_card"][1])),
    ],
)
def test_from_dict_names_the_field_that_is_wrong(field: str, change: Callable[[Fields], object]) -> None:
    state = in_the_middle()
    values = state.to_dict()
    assert state.game.from_dict(values) == state
    change(values)
    with pytest.raises(ValueError, match=f"^{field}: "):
        state.game.from_dict(values)


def end_of(num_players: int, seed: int = 3) -> State:
    *_, end = random_game(num_players, seed)
    return end


def first_in(phase: str, num_players: int = 3) -> State:
    """The first position of a phase in a random game, after round 4."""
    return next(s for s in random_game(num_players, seed=1) if s.phase() == phase and s.record["round"][0] > 4)


REFUSED: list[tuple[str, str, Callable[[Fields], object]]] = [
    ("truncated", "end", lambda v: v.update(truncated=True)),
    ("over", "god", lambda v: v.update(over=True)),
    ("over", "end", lambda v: v.update(current_player=0)),
    ("current_player", "god", lambda v: v.update(current_player=(v["current_player"] + 1) % 3)),
    ("hand_size", "discard", lambda v: v.update(current_player=(v["current_player"] + 1) % 3)),
    ("initial_status", "end", lambda v: v["initial_status"].__setitem__(0, "tomb")),
    ("initial_status", "god", lambda v: v["initial_status"].__setitem__(4, "seen")),
    ("initial_card", "god", lambda v: v["initial_card"].__setitem__(4, v["initial_card"][0])),
    ("deck", "god", lambda v: v["deck"].__setitem__(slice(0, 2), [v["deck"][-1], None])),
    ("tile_owner", "pyramid", lambda v: v["tile_owner"].reverse()),
    ("built_obelisk", "pyramid", lambda v: v.update(built_obelisk=True)),
    ("quarry", "god", lambda v: v["quarry"][0].reverse()),
    ("phase", "end", lambda v: v.update(phase="discard", over=False, current_player=0)),
]


@pytest.mark.parametrize("field, phase, change", REFUSED)
def test_a_position_that_its_phase_does_not_know_is_refused(field: str, phase: str, change: Callable[[Fields], object]) -> None:
    state = end_of(3) if phase == "end" else first_in(phase)
    values = state.to_dict()
    assert state.game.from_dict(values) == state
    change(values)
    with pytest.raises(ValueError, match=r"^\w+: ") as refusal:
        state.game.from_dict(values)
    assert str(refusal.value).startswith(f"{field}: ") or field in ("phase", "tile_owner")


def test_a_finished_game_has_no_score_sheet_that_could_be_false() -> None:
    values = end_of(2).to_dict()
    assert "score" not in values
    with pytest.raises(ValueError, match=r"^score: no such field"):
        end_of(2).game.from_dict(values | {"score": [[0] * 7] * 5})


@tables
def test_an_obelisk_has_at_most_a_card_a_round(num_players: int) -> None:
    with pytest.raises(ValueError, match=r"^obelisk_size: seat 0 cannot have . cards in hand, 2 on the Obelisk"):
        position(num_players, 2, "god", obelisks={0: [90, 91]})


def test_a_tomb_has_at_most_a_card_a_round() -> None:
    with pytest.raises(ValueError, match=r"^tomb_size: seat 0 cannot have 1 cards in hand, 0 on the Obelisk and 3 in the Tomb"):
        position(5, 2, "god", tombs={0: [90, 91, 92]})


def test_obelisk_and_tomb_share_the_cards_that_the_pyramid_leaves() -> None:
    """Of 19 cards nine lie in the Pyramid before round 10, and Horus adds none to Obelisk or Tomb."""
    ten = {"obelisks": {0: list(range(80, 86))}, "tombs": {0: list(range(90, 94))}}
    assert position(3, 10, "tomb", seat=2, tile="sekhmet", hand=[1, 2], **ten).scores()
    eleven = ten | {"tombs": {0: list(range(90, 95))}}
    with pytest.raises(ValueError, match=r"^hand_size: seat 0 cannot have"):
        position(3, 10, "tomb", seat=2, tile="sekhmet", hand=[1, 2], **eleven)


def test_tiles_are_shared_so_not_everybody_can_have_built_everything() -> None:
    """In one round three players have Khepri and Sekhmet for two Obelisk cards between them."""
    with pytest.raises(ValueError, match=r"^obelisk_size: 3 cards on Obelisks"):
        position(3, 2, "god", obelisks={0: [90], 1: [91], 2: [92]})


def test_what_a_turn_may_still_build_does_not_stand_yet() -> None:
    """In round 1 two players can have built three cards besides their Pyramids, and in round 2 nobody has built one yet."""
    most: dict[str, Any] = {"obelisks": {0: [90]}, "tombs": {1: [92]}}
    assert position(2, 2, "tomb", tile="anubis", hand=[1, 2], **most).scores()
    with pytest.raises(ValueError, match=r"^tomb_size: 1 cards on Obelisks and 2 in Tombs"):
        position(2, 2, "tomb", tile="anubis", hand=[1], **most | {"tombs": {0: [91], 1: [92]}})


def test_a_hand_is_empty_only_after_a_turn_that_built_all_three_edifices() -> None:
    position(4, 3, "pair", tile="thoth", hand=[], obelisks={0: [90]}, tombs={0: [91]})
    with pytest.raises(ValueError, match=r"^hand_size: seat 0 cannot have 0 cards in hand"):
        position(4, 3, "pair", tile="thoth", hand=[], obelisks={0: [90]})


def test_an_initial_card_lies_where_its_owner_can_have_shown_it() -> None:
    state = position(3, 5, "god")
    last_of_deck = state.to_dict()["deck"][-1]
    with pytest.raises(ValueError, match=r"^initial_card: seat 0 cannot have shown card"):
        state.replace(initial_card=[last_of_deck, *state.to_dict()["initial_card"][1:]])
    of_another = state.to_dict()["initial_card"]
    with pytest.raises(ValueError, match=r"^initial_card: seat 0 cannot have shown card"):
        state.replace(initial_card=[of_another[1], of_another[0], *of_another[2:]])


def test_what_was_just_taken_has_been_seen_by_all() -> None:
    """Of a hand of three only one card can be unknown: two come from the pair."""
    state = next(s for s in random_game(3, seed=2) if s.phase() == "pyramid" and s.record["hand_size"][0][s.current_player()] == 3)
    me = state.current_player()
    values = state.to_dict()
    hand = [CARDS.index(card) for card in values["hand"][me]]
    other = next(p for p in range(3) if p != me and values["tomb_size"][p] == 0)
    assert other != me
    taken = next(card for card in hand if values["public_place"][card] == f"hand {me}")
    values["public_place"][taken] = f"hand {other}"
    with pytest.raises(ValueError, match=r"^public_place: "):
        state.game.from_dict(values)


# --- What differs in one card --------------------------------------------------------------------------------------------------


def discarded(v: Fields) -> int:
    return v["public_place"].index("discarded")


def pyramid_of_a_discard(v: Fields) -> None:
    card = discarded(v)
    v["pyramid"][0][4] = CARDS[card]
    v["public_place"][card] = "pyramid 0"


def hand_of_a_discard(v: Fields) -> None:
    card = discarded(v)
    v["hand"][2] = [*sorted([v["hand"][2][0], CARDS[card]], key=CARDS.index), None]
    v["hand_size"][2] = 2
    v["public_place"][card] = "hand 2"


def same_initial_card(v: Fields) -> None:
    v["initial_card"][:2] = [CARDS[discarded(v)]] * 2


def initial_card_of_another(v: Fields) -> None:
    v["initial_card"][0] = CARDS[discarded(v)]


def unseen_to_the_end(v: Fields) -> None:
    v["initial_card"][0], v["initial_status"][0] = CARDS[90], "tomb"
    v["public_place"][90] = "unseen"


def in_the_pyramid_of_nobody(v: Fields) -> None:
    v["public_place"][v["public_place"].index("quarry")] = "pyramid 4"


def one_candidate_alone(v: Fields) -> None:
    v["public_place"][CARDS.index(v["hand"][0][0])] = "candidate 0"


def two_unknown_cards_in_hand(v: Fields) -> None:
    """The initial one, and the one or the other of a card in hand and one in the Tomb."""
    v["initial_card"][0], v["initial_status"][0] = CARDS[1], "hand"
    for card, place in ((1, "unseen"), (2, "candidate 0"), (90, "candidate 0")):
        v["public_place"][card] = place


ONE_CARD: dict[str, tuple[str, State, Callable[[Fields], None]]] = {
    "a card more in a Pyramid than its size": ("pyramid_size", position(3, 5, "god"), pyramid_of_a_discard),
    "a card too many in hand beside a full Tomb": (
        "hand_size",
        position(3, 2, "pair", tile="sekhmet", tombs={2: [90, 91]}),
        hand_of_a_discard,
    ),
    "the same initial card of two": ("initial_card", position(3, 6, "god"), same_initial_card),
    "an initial card that somebody else has discarded": (
        "initial_card",
        position(3, 2, "god", obelisks={0: [90]}),
        initial_card_of_another,
    ),
    "an initial card that is unseen at the end": ("initial_status", finished(3, tombs={0: [90]}), unseen_to_the_end),
    "a card of the quarry in the Pyramid of nobody": ("public_place", position(3, 5, "god"), in_the_pyramid_of_nobody),
    "a candidate alone": ("public_place", position(3, 5, "god"), one_candidate_alone),
    "two unknown cards in hand": (
        "public_place",
        position(3, 5, "pyramid", tile="sekhmet", hand=[1, 2, 3], tombs={0: [90]}),
        two_unknown_cards_in_hand,
    ),
}


@pytest.mark.parametrize("field, state, change", ONE_CARD.values(), ids=ONE_CARD.keys())
def test_a_card_where_it_cannot_be_is_refused(field: str, state: State, change: Callable[[Fields], None]) -> None:
    values = state.to_dict()
    change(values)
    with pytest.raises(ValueError, match=f"^{field}: "):
        state.game.from_dict(values)


def test_a_full_obelisk_is_not_what_is_wrong_with_a_large_hand() -> None:
    with pytest.raises(ValueError, match=r"^hand_size: seat 1 cannot have 2 cards in hand, 1 on the Obelisk"):
        position(3, 2, "god", hand=[1, 2], obelisks={1: [90]})


def test_three_cards_of_a_round_are_not_four() -> None:
    position(4, 2, "god", hand=[], obelisks={1: [90]}, tombs={1: [91]})
    with pytest.raises(ValueError, match=r"^hand_size: seat 1 cannot have 1 cards in hand, 1 on the Obelisk and 1 in the Tomb"):
        position(4, 2, "god", hand=[1], obelisks={1: [90]}, tombs={1: [91]})


def test_who_has_discarded_holds_one_card() -> None:
    """Seat 0 still has two, but seat 1 is asked to discard."""
    discards = [s for seed in range(6) for s in random_game(3, seed) if s.phase() == "discard" and s.current_player() == 0]
    state = next(s for s in discards if see(s, "first_player") == 0 and see(s, "hand_size")[:2] == [2, 2])
    with pytest.raises(ValueError, match=r"^hand_size: seat 0 cannot have 2 cards in hand"):
        state.replace(current_player=1)


def test_nobody_discards_in_the_last_round() -> None:
    state = position(3, 10, "tomb", seat=2, tile="sekhmet", hand=[1, 2])
    values = state.to_dict() | {"phase": "discard", "tile": None, "current_player": 0}
    with pytest.raises(ValueError, match=r"^phase: nothing is chosen to be discarded in round 10"):
        state.game.from_dict(values)


@tables
def test_mutated_positions_are_refused_or_play_to_the_end(num_players: int) -> None:
    testing.check_positions(mastaba.game("pyramids", num_players), seed=70 + num_players)


@tables
def test_derived_fields_are_kept_as_they_would_be_computed(num_players: int) -> None:
    """Of every player's every card, in games of all kinds."""
    game = mastaba.game("pyramids", num_players)
    for seed, style in enumerate(styles(game)):
        for state in walk(game, seed, style):
            assert game.from_dict(state.to_dict()) == state
