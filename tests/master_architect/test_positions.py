"""Positions that cannot be are refused, and the field that is wrong is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from mastaba import State
from mastaba.envs.master_architect.components import LARGE_SPACES, SMALL_STONES

from master_architect.boards import TABLES, architect, changed, random_states, take_turns

Fields = dict[str, Any]


@cache
def positions(phase: str) -> list[State]:
    """Positions of a phase from random games of two, some from each."""
    return [state for seed in range(150) for state in random_states(2, seed) if state.phase() == phase][:400]


def moved(counts: list[int], stone: int, by: int) -> list[int]:
    return changed(counts, stone, counts[stone] + by)


def mine(d: Fields, field: str, value: Any) -> list:
    """A field with the row of the player to act replaced."""
    return changed(d[field], d["current_player"], value)


def of_mine(d: Fields, field: str) -> Any:
    return d[field][d["current_player"]]


def first(counts: list[int]) -> int:
    return next(stone for stone, count in enumerate(counts) if count)


def empty_large(d: Fields) -> str:
    return LARGE_SPACES[of_mine(d, "large_stone").index(None)]


def from_pile(d: Fields) -> Fields:
    stone = first(d["pile"])
    return {"pile": moved(d["pile"], stone, -1), "pending": moved(d["pending"], stone, 1)}


def to_pile(d: Fields) -> Fields:
    stone = first(d["pending"])
    return {"pile": moved(d["pile"], stone, 1), "pending": moved(d["pending"], stone, -1)}


def collect_all(d: Fields) -> Fields:
    first(d["pending"])
    own = [a + b for a, b in zip(of_mine(d, "collection"), d["pending"], strict=True)]
    return {"collection": mine(d, "collection", own), "pending": [0] * 12}


def heap_up(d: Fields) -> Fields:
    """One more stone of the bag lies on the red stone."""
    stone = SMALL_STONES.index(d["bag"][d["small_drawn"]])
    return {"pile": moved(d["pile"], stone, 1), "small_drawn": d["small_drawn"] + 1}


def other_card_last(d: Fields) -> Fields:
    """The card just gained changes places with one of the display."""
    held = of_mine(d, "cards")
    last = len([card for card in held if card]) - 1
    return {"cards": mine(d, "cards", changed(held, last, d["display"][0])), "display": changed(d["display"], 0, held[last])}


def put_back(d: Fields) -> Fields:
    """The large stone in hand lies in the row again."""
    return {"stone_in_hand": None, "row": changed(d["row"], d["hole"], d["stone_in_hand"]), "hole": None}


def not_refilled(d: Fields) -> Fields:
    """The last card that was drawn lies on the deck again."""
    last = d["card_deck"][d["cards_drawn"] - 1]
    return {"display": changed(d["display"], d["display"].index(last), None), "cards_drawn": d["cards_drawn"] - 1}


def refilled(d: Fields) -> Fields:
    """A large stone has come into the hole of the row."""
    drawn = d["large_drawn"]
    return {"row": changed(d["row"], d["hole"], d["large_deck"][drawn]), "hole": None, "large_drawn": drawn + 1}


def skip() -> Fields:
    raise StopIteration


def laid_down(d: Fields) -> Fields:
    """The small stone in the hand of seat 1 lies on the red stone."""
    return {"hand": changed(d["hand"], 1, None), "pile": moved(d["pile"], SMALL_STONES.index(d["hand"][1]), 1)}


# In this phase, with these fields set, this field is named.
IMPOSSIBLE: list[tuple[str, str, Callable[[Fields], Fields]]] = [
    ("take", "row", lambda d: {"row": changed(d["row"], 0, d["row"][1])}),
    ("take", "row", lambda d: {"row": changed(d["row"], 0, None), "stone_in_hand": d["row"][0]}),
    ("take", "large_deck", lambda d: {"large_deck": changed(d["large_deck"], 73, d["large_deck"][0])}),
    ("take", "large_deck", lambda d: {"large_drawn": d["large_drawn"] + 1}),
    ("take", "card_deck", lambda d: {"cards_drawn": d["cards_drawn"] + 1}),
    ("take", "small_drawn", lambda d: {"pile": moved(d["pile"], 11, 1)}),
    ("take", "small_drawn", heap_up),
    ("take", "bag", lambda d: {"bag": changed(d["bag"], 0, "b1" if d["bag"][0] != "b1" else "n1")}),
    ("take", "display", lambda d: {"display": changed(d["display"], 0, d["display"][1])}),
    ("take", "display", not_refilled),
    ("take", "turn", lambda d: {"turn": 30}),
    ("take", "current_player", lambda d: {"current_player": 1 - d["current_player"]}),
    ("take", "large_stone", lambda d: {"turn": d["turn"] + 2}),
    ("take", "hand", laid_down),
    ("take", "hand", lambda d: {"hand": [*d["hand"][:3], "b1"]}),
    ("take", "collection", lambda d: {"collection": [*d["collection"][:3], [1] + [0] * 11]}),
    ("take", "row", lambda d: {"hole": 3}),
    ("take", "swap_first", lambda d: {"swap_first": "1.1"}),
    ("take", "lifts_left", lambda d: {"lifts_left": 1}),
    ("take", "pending", from_pile),
    ("take", "large_turned", lambda d: {"large_turned": [[s is None for s in row] for row in d["large_stone"]]}),
    ("take", "over", lambda d: {"over": True}),
    ("take", "truncated", lambda d: {"truncated": True}),
    ("large", "stone_in_hand", put_back),
    ("large", "pending", from_pile),
    ("large", "pending", collect_all),
    ("large", "pile", to_pile),
    ("large", "hand", lambda d: {"phase": "take"}),
    ("large", "large_stone", lambda d: {"phase": "small"}),
    ("card", "cards", lambda d: {"phase": "small"}),
    ("card", "pending", collect_all),
    ("card", "lifts_left", lambda d: {"lifts_left": 2}),
    ("small", "pending", collect_all),
    ("small", "lifts_left", lambda d: {"lifts_left": 1}),
    ("small", "cards", lambda d: {"phase": "card"}),
    ("small", "cards", lambda d: {"phase": "lift", "lifts_left": 2} if "Surveyor" not in of_mine(d, "cards") else skip()),
    ("small", "cards", lambda d: {"phase": "swap first"} if "Stonemason" not in of_mine(d, "cards") else skip()),
    ("swap first", "cards", other_card_last),
    ("swap first", "swap_first", lambda d: {"swap_first": "1.1"}),
    ("swap second", "swap_first", lambda d: {"swap_first": empty_large(d)}),
    ("swap second", "swap_first", lambda d: {"swap_first": None}),
    ("swap second", "cards", other_card_last),
    ("lift", "lifts_left", lambda d: {"lifts_left": 0}),
    ("lift", "cards", other_card_last),
    ("lift", "pending", lambda d: {"lifts_left": 3 - d["lifts_left"]} if d["hole"] else skip()),
    ("over", "turn", lambda d: {"turn": 29, "over": True}),
    ("over", "truncated", lambda d: {"truncated": True}),
    ("over", "current_player", lambda d: {"current_player": None}),
    ("over", "lifts_left", lambda d: {"lifts_left": 1}),
    ("over", "pending", from_pile),
    ("over", "hole", refilled),
    ("over", "over", lambda d: {"over": False}),
]  # fmt: skip


@pytest.mark.parametrize("phase, field, change", IMPOSSIBLE)
def test_an_impossible_position_is_refused_by_field(phase: str, field: str, change: Callable[[Fields], Fields]) -> None:
    """Every position of the phase that can be changed so is refused, and some of them for this field."""
    named = set()
    for state in positions(phase)[::7]:
        d = state.to_dict()
        try:
            spoilt = {**d, **change(d)}
        except (StopIteration, ValueError):  # no stone to move, no space to name
            continue
        with pytest.raises(ValueError, match=r"^\w+: ") as refused:
            state.game.from_dict(spoilt)
        named.add(str(refused.value).partition(":")[0])
    assert field in named


@pytest.mark.parametrize("num_players", TABLES)
def test_every_position_is_read_back(num_players: int) -> None:
    for seed in range(6):
        for state in random_states(num_players, seed):
            assert state.game.from_dict(state.to_dict()) == state
            assert state.game.deserialize(state.serialize()) == state


def test_winners_follow_from_the_position() -> None:
    """They are no part of a dictionary, and bytes that name others are set right."""
    end = positions("over")[0]
    lying = end.clone()
    lying.record["winners"] ^= 0b11
    assert lying.game.deserialize(lying.serialize()) == end


def test_a_seat_without_a_turn_has_no_small_stones() -> None:
    state = take_turns(architect(2).new_initial_state(seed=3), "take 2", "large 3.1")
    d = state.to_dict()
    stone = first(d["pile"])
    spoilt = {"pile": [0] * 12, "collection": changed(d["collection"], 1, moved([0] * 12, stone, 1))}
    with pytest.raises(ValueError, match=r"^small_stone: seat 1 has small stones before its first turn"):
        state.replace(**spoilt)


def test_a_full_pyramid_is_not_asked_where_to_put_small_stones() -> None:
    for state in positions("small"):
        d = state.to_dict()
        spaces = of_mine(d, "small_stone")
        if spaces.count(None) == 1 and sum(d["pending"]) > 1:
            stone = first(d["pending"])
            name = SMALL_STONES[stone]
            full = changed(spaces, spaces.index(None), name)
            with pytest.raises(ValueError, match=r"^small_stone: with no empty small space"):
                state.replace(small_stone=mine(d, "small_stone", full), pending=moved(d["pending"], stone, -1))
            return
    pytest.fail("no such position")


def test_what_was_drawn_stays_part_of_the_order_of_its_stock() -> None:
    """Nobody reads it again, but a deck with a stone twice is none."""
    state = architect(2).new_initial_state(seed=1)
    for stock in ("large_deck", "card_deck"):
        order = state.to_dict()[stock]
        with pytest.raises(ValueError, match=rf"^{stock}: not an order of all"):
            state.replace(**{stock: [order[1], *order[1:]]})
