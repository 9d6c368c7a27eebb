"""A turn in progress, from outside: in every phase some things must be pending, and others must not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mastaba import State
from mastaba.envs.pyramidice.state import PHASES

from pyramidice.by_hand import TILES, floor, play, position, see

# --- Positions in the middle of a turn -----------------------------------------------------------------------------------------


def after(turns: int = 2, **fields: Any) -> State:
    return position(turns=turns, **fields)


def borrowing(row: str = "Khnum Bes Osiris", **fields: Any) -> State:
    """Seat 0 has borrowed the power of Khnum by Amethyst."""
    return position(pool="P1 P1", row=row, scarabs={0: "Amethyst"}, copied="Khnum", copy_used=True, **fields)


def with_three_tiles() -> State:
    """The third tile, `work`, is in use."""
    return position(pool="P1 P1", held={0: ["work", "each", "three"]}, rest_pending=True)


def by_emerald() -> State:
    """Seat 1 rests with `work`, which lies in front of seat 0."""
    flipped = {"tile_flipped": [tile == "work" for tile in TILES], "held": {0: ["work"]}, "scarabs": {1: "Emerald"}}
    return position(pool="P1 P1", board={0: "4/1/1", 1: "4/1/0"}, **flipped, rest_pending=True, **turn_of(1))


def turn_of(seat: int) -> dict[str, int]:
    return {"turn_player": seat, "current_player": seat, "turns": seat}


def dropping(*gods: str) -> State:
    """One Worker, one Cat, and more Gods than that."""
    return position(
        board={0: "1/1/0"}, gods={0: list(gods)}, row="Hathor Heh Osiris", in_work=True, phase="drop", drop_reason="cult"
    )


def worshipping(god: str, pool: str, **fields: Any) -> State:
    return play(position(pool=pool, row=f"{god} Bes Osiris", **fields), "worship 0")


def choosing_the_cost() -> State:
    """A six on the second level costs three Workers, or one by Seshat."""
    state = position(board={0: "4/1/0"}, gods={0: ["Seshat"]}, pool="S6", pyramid=floor(0, 1, 3, 4))
    return play(state, "build 6", "at 9")


def building(scarab: str, space: int = 9) -> State:
    """Bastet lets Cats stand for Workers, so it is asked what to pay with."""
    state = position(
        board={0: "4/1/0"}, gods={0: ["Bastet"]}, pool="S6", pyramid=floor(0, 1, 3, 4), scarabs={0: scarab, 1: "Carnelian"}
    )
    return play(state, "build 6", f"at {space}")


def other_scarab(state: State) -> dict[str, Any]:
    """Seat 0 has kept the other of its two Scarabs."""
    (kept, other), *_ = see(state, "scarab_options")
    assert kept == see(state, "scarab", 0)
    return {"scarab": [other, *see(state, "scarab")[1:]]}


def board(state: State, workers: int, cats: int) -> dict[str, Any]:
    """Seat 0 has these resources, and the supply what is left."""
    resources, supply = see(state, "resources"), see(state, "supply")
    left = [supply[0] + resources[0][0] - workers, supply[1] + resources[0][1] - cats, supply[2]]
    return {"resources": [[workers, cats, resources[0][2]], *resources[1:]], "supply": left}


def discarded(state: State, *gone: str) -> dict[str, Any]:
    left = [[god for god in gods if god not in gone] for gods in see(state, "gods")]
    return {"gods": left, "discards": [*see(state, "discards"), *gone]}


def with_another_stone_die(state: State) -> dict[str, Any]:
    (workers, cats, stone), (prayer, (ones, *others), virtual) = see(state, "supply"), see(state, "pool")
    return {"supply": [workers, cats, stone - 1], "pool": [prayer, [ones + 1, *others], virtual]}


# --- What is refused -----------------------------------------------------------------------------------------------------------


def gold() -> State:
    return worshipping("Heka", "P5 S5", board={0: "1/0/0"}, scarabs={0: "Gold"})


def bastet() -> State:
    return worshipping("Heka", "P5 S5", board={0: "1/0/0"}, gods={0: ["Bastet"]})


def bastet_for_two() -> State:
    return worshipping("Sekhmet", "S4", board={0: "1/1/0"}, gods={0: ["Bastet"]}, scarabs={0: "Gold"})


def cat_or_gold() -> State:
    return worshipping("Sekhmet", "S4", board={0: "1/1/0"}, scarabs={0: "Gold"})


def aton_used(*others: str) -> State:
    return position(pool="P1 P1", gods={0: ["Aton", *others]}, used=["Aton", *others])


def ra_used() -> State:
    return position(pool="P1 P1", gods={0: ["Ra"]}, used=["Ra"])


def small_cult() -> State:
    return dropping("Khnum", "Bes", "Ra")


def cult_of_anubis() -> State:
    return dropping("Anubis", "Bes", "Hapy", "Khnum", "Ra", "Min")


Case = tuple[str, Callable[[], State], Callable[[State], dict[str, Any]]]  # the field that is named, a position, what is changed
REFUSED: dict[str, Case] = {
    "a hole in the row before a turn": ("row", position, lambda s: {"row": [None, "Bes", "Osiris"], "discards": ["Hathor"]}),
    "no Pharaoh though the deck is empty": ("pharaoh", lambda: after(deck_size=0, pharaoh=1), lambda s: {"pharaoh": None}),
    "no Pharaoh though the supply is empty": ("pharaoh", lambda: after(supply=0, pharaoh=1), lambda s: {"pharaoh": None}),
    "three tiles in a Work turn that no tile began": ("tile_place", with_three_tiles, lambda s: {"rest_pending": False}),
    "a borrowed power without Amethyst": ("copy_used", borrowing, other_scarab),
    "a borrowed God of the stack": ("copied", borrowing, lambda s: {"copied": "Osiris"}),
    "a borrowed God that nobody has seen": ("copied", borrowing, lambda s: {"copied": "Ra"}),
    "an ongoing God that is used": ("used", bastet, lambda s: {"used": ["Bastet"]}),
    "a used God that is nobody's": ("used", aton_used, lambda s: {"used": ["Aton", "Ra"]}),
    "two used Gods that Aton has discarded": ("used", lambda: aton_used("Ra", "Min"), lambda s: discarded(s, "Ra", "Min")),
    "a used God that is discarded without Aton": ("used", ra_used, lambda s: discarded(s, "Ra")),
    "a cult that is not too large": ("drop_reason", small_cult, lambda s: discarded(s, "Ra")),
    "a cult within the limit of Anubis": ("drop_reason", cult_of_anubis, lambda s: discarded(s, "Min")),
    "a Cat to pay without the Golden one": ("resources", gold, other_scarab),
    "a Cat to pay after the Golden one": ("resources", gold, lambda s: {"gold_used": True}),
    "a payment for an empty place of the row": ("payment", gold, lambda s: {"row": [None, "Bes", "Osiris"], "discards": ["Heka"]}),
    "a Worker for a Cat without Bastet": ("resources", bastet, lambda s: discarded(s, "Bastet")),
    "one for a Worker and a Cat": ("need_workers", bastet_for_two, lambda s: {**board(s, 1, 0), "gold_used": True}),
    "nothing for a Cat": ("need_workers", cat_or_gold, lambda s: {**board(s, 0, 0), "gold_used": True}),
    "building where a die lies": ("build_space", choosing_the_cost, lambda s: {"build_space": "space 0"}),
    "building where nothing lies below": ("build_space", choosing_the_cost, lambda s: {"build_space": "space 10"}),
    "building beside the game": ("build_space", choosing_the_cost, lambda s: {"build_space": "space 14"}),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_pending_is_refused_by_field(case: Case) -> None:
    field, make, change = case
    state = make()
    assert state.replace() == state
    with pytest.raises(ValueError, match=f"^{field}: "):
        state.replace(**change(state))


NOTHING_PENDING = {  # the field that is named if a Work turn is said to be in this phase
    "turn": "in_work", "rest": "in_work", "pick": "queue", "lose": "lose_reason", "free god": "in_work", "dice": "pool",
    "reroll": "reroll_used", "pay die": "payment", "pay unit": "payment", "build at": "build_value", "cost": "build_value",
    "from": "change_kind", "to": "change_kind", "drop": "drop_reason", "pearl": "current_player", "slot": "in_work",
    "scarab": "scarab", "end": "over",
}  # fmt: skip


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != "use"])
def test_a_phase_in_which_nothing_is_pending_is_refused(phase: str) -> None:
    with pytest.raises(ValueError, match=f"^{NOTHING_PENDING[phase]}: "):
        position(pool="P1 S1").replace(phase=phase)


@pytest.mark.parametrize("phase", ["turn", "rest", "use"])
@pytest.mark.parametrize("wrong", [{"queue": [63, 0, 0, 0, 0]}, {"queue_length": 5}, {"payment": "cat"}])
def test_nothing_else_is_pending_where_a_player_is_free_to_choose(phase: str, wrong: dict[str, Any]) -> None:
    """A kernel that trusted one of these read and wrote beyond its arrays."""
    state = position(pool="P1 S1") if phase == "use" else position(gods={0: ["Bes"]}, row="Hathor Heh Osiris", phase=phase)
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))}: must be empty in phase '{phase}'"):
        state.replace(**wrong)


# --- What is just possible -----------------------------------------------------------------------------------------------------

ACCEPTED: dict[str, Callable[[], State]] = {
    "a borrowed God that was bought since": lambda: borrowing("Hathor Bes Osiris", gods={0: ["Khnum"]}),
    "a borrowed God that was discarded since": lambda: borrowing().replace(
        **{"row": [None, "Bes", "Osiris"], "discards": ["Khnum"]}
    ),
    "a used God that Aton has discarded": lambda: aton_used("Ra").replace(**discarded(aton_used("Ra"), "Ra")),
    "Emerald's use of a tile of seat 0": by_emerald,
    "the Ennead as one God": lambda: dropping("Shu", "Tefnut", "Bes", "Hapy"),
    "the first card of the Ennead alone": lambda: dropping("Atum", "Bes", "Hapy"),
    "a Cat for a Worker by Bastet": lambda: worshipping("Khonsu", "P3 S3", board={0: "0/1/0"}, gods={0: ["Bastet"]}),
    "an upper space costs more": lambda: building("Ruby"),
    "but not with LapisLazuli": lambda: building("LapisLazuli"),
}


@pytest.mark.parametrize("make", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_what_can_be_pending_is_accepted(make: Callable[[], State]) -> None:
    assert make().replace() == make()


@pytest.mark.parametrize(
    ("most", "used"), [(9, []), (10, ["Mertseger"]), (10, ["Ptah"]), (11, ["Mertseger", "Ptah"]), (9, ["Mut"]), (9, ["Maat"])]
)
def test_dice_can_have_been_rolled(most: int, used: list[str]) -> None:
    """Turquoise and eight Workers, one by Mertseger, one more by Ptah; those selected for a reroll are dice too."""

    def rolled(dice: int) -> State:
        return position(pool=" ".join(["P1"] * 4 + ["S1"] * (dice - 4)), gods={0: used}, used=used)

    rerolling = play(rolled(most), "reroll", "die P1")
    for state in (rolled(most), rerolling):
        assert state.replace() == state
    with pytest.raises(ValueError, match=rf"^pool: {most + 1} dice are more than can have been rolled"):
        rolled(most + 1)
    with pytest.raises(ValueError, match=rf"^pool: {most + 1} dice are more than can have been rolled"):
        rerolling.replace(**with_another_stone_die(rerolling))


TRIAD = {"Khnum": "V1 V2", "Satis": "V3 V4", "Anuket": "V5 V6"}


def test_the_triad_gives_a_virtual_die_each_and_one_more_after_ptah() -> None:
    def given(pool: str, *used: str) -> State:
        return position(pool=pool, gods={0: [*TRIAD, "Ptah"]}, used=list(used))

    assert given("V1 V3 V5", *TRIAD).phase() == given("V1 V2", "Khnum", "Ptah").phase() == "use"
    for god, both in TRIAD.items():
        others = [other for other in TRIAD if other != god]
        for pool, used in (*((die, others) for die in both.split()), (both, [god]), (f"{both} {both[:2]}", [god, "Ptah"])):
            with pytest.raises(ValueError, match=rf"^pool: virtual dice that {god} has not given"):
                given(pool, *used)
