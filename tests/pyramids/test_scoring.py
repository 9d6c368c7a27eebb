"""Groups in the Pyramid, the Obelisk, majorities in the Tombs, glyphs; and symmetries of the score."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mastaba import State
from mastaba.envs.pyramids import components
from mastaba.envs.pyramids.components import CARDS

from pyramids.boards import (
    IN_ORDER,
    LONG_RED,
    THREE_OF_EACH,
    any_seed,
    any_table,
    do,
    finished,
    groups,
    pile,
    position,
    random_game,
    rows,
    sheet,
)

BLUE = 0


def test_the_largest_group_of_each_colour_counts_and_the_longest_twice() -> None:
    state = finished(2, pyramids={0: LONG_RED})
    assert groups(state) == [4, 2, 6, 3, 1]
    parts = sheet(state, 0)
    assert (parts["groups"], parts["longest"], parts["bonus"], parts["glyphs"]) == (16, 6, 0, 2)


def test_tied_colours_of_the_obelisk_score_once() -> None:
    state = finished(2, obelisks={0: [22, 34, 100, 48]})
    assert state.record["obelisk_colours"][0][0].tolist() == [3, 2, 3, 2, 1]
    assert sheet(state, 0)["obelisk"] == 6


@pytest.mark.parametrize(
    "slots, largest, points",
    [
        pytest.param([16, 4], [1, 1, 1, 1, 0], 5, id="corners do not touch"),
        pytest.param([16, 101], [1, 2, 0, 1, 0], 6, id="a small stone touches a tall one"),
        pytest.param([16, 101, None, None, 24], [1, 3, 0, 2, 1], 10, id="stones stand on stones"),
        pytest.param([16, 101, None, None, 25], [1, 2, 0, 2, 1], 8, id="white on top does not reach down"),
        pytest.param([92, 21], [1, 0, 3, 1, 0], 8, id="a double is two stones"),
        pytest.param([21, 92], [1, 0, 2, 1, 0], 6, id="in the other order a column lies between"),
    ],
)
def test_stones_of_a_colour_that_share_an_edge_are_a_group(slots: list[int | None], largest: list[int], points: int) -> None:
    cards = sum(card is not None for card in slots)
    state = position(3, cards + 1, "god", pyramids={0: slots})
    assert groups(state) == largest
    assert state.scores()[0] == points


def test_three_of_every_colour_is_the_bonus() -> None:
    state = finished(2, pyramids={0: THREE_OF_EACH})
    assert groups(state) == [3, 3, 3, 3, 3]
    parts = sheet(state, 0)
    assert (parts["groups"], parts["longest"], parts["bonus"]) == (15, 3, 10)


def test_a_colour_of_the_tomb_pays_only_a_sole_majority() -> None:
    state = finished(3, tombs={0: [90, 30, 100], 1: [95, 0, 2], 2: [91, 78]})
    stones = state.record["tomb_marks"][0][:3, :5]
    assert stones.T.tolist() == [[4, 3, 1], [1, 3, 3], [1, 2, 0], [0, 0, 0], [1, 0, 1]]
    assert [sheet(state, p)["tomb"] for p in range(3)] == [5, 5, 0]
    pyramid_glyphs = 2 * sum(CARDS[c].endswith("^P") for c in pile(state, "pyramid", 0))
    assert sheet(state, 0)["glyphs"] == pyramid_glyphs + 2


def test_the_only_tomb_has_every_majority() -> None:
    state = finished(3, tombs={2: [101]}, pyramids={2: LONG_RED})
    assert [sheet(state, p)["tomb"] for p in range(3)] == [0, 0, 10]
    assert sheet(state, 2)["glyphs"] == 4  # 23^P in the Pyramid and 101^T


def test_a_double_is_one_stage_of_the_obelisk() -> None:
    state = finished(2, obelisks={0: [90, 95, 99, 100, 103, 0]}, pyramids={0: THREE_OF_EACH})
    assert state.record["obelisk_colours"][0][0][BLUE] == 6
    assert sheet(state, 0)["obelisk"] == 15
    assert sheet(state, 0)["glyphs"] == 4  # 98^P in the Pyramid and 90^O


def test_a_score_is_the_sum_of_its_parts() -> None:
    state = position(
        2, 10, "tomb", seat=1, tile="sekhmet", hand=[96, 97],
        pyramids={0: LONG_RED, 1: THREE_OF_EACH},
        obelisks={0: [22, 34, 100], 1: [94, 24, 57, 49, 13, 27]},
        tombs={0: [80, 93, 104], 1: [12, 65]},
    )  # fmt: skip
    do(state, "1: tomb 2")
    assert state.record["tomb_marks"][0][:2, :5].tolist() == [[1, 2, 0, 2, 2], [2, 2, 1, 2, 1]]
    assert list(sheet(state, 0).values()) == [16, 6, 0, 6, 5, 6]
    assert list(sheet(state, 1).values()) == [15, 3, 10, 15, 10, 4]
    assert (state.scores(), state.standings()) == ([39, 57], [1, 0])


def test_ties_share_the_victory() -> None:
    state = finished(3, pyramids={1: LONG_RED, 2: THREE_OF_EACH}, obelisks={1: [22, 34, 100]})
    assert state.scores()[1:] == [30, 30]
    assert state.standings() == [2, 0, 0]
    assert state.returns() == [-0.5, 0.25, 0.25]


MIRRORED_SLOTS = [3, 2, 1, 0, 6, 5, 4, 8, 7, 9]
FACE = {name.partition("^")[0]: card for card, name in enumerate(CARDS)}


def image(name: str, colours: dict[int, int]) -> str:
    """A card with other colours."""
    return "".join(components.LETTERS[colours[components.LETTERS.index(c)]] if c in components.LETTERS else c for c in name)


def turned(name: str | None) -> str | None:
    """A card with each colour replaced by the next."""
    return name and image(name, {c: (c + 1) % 5 for c in range(5)})


def face(card: int) -> str:
    return CARDS[card].partition("^")[0]


def pyramid_of(cards: list[int]) -> State:
    return position(3, 10, "tomb", tile="sekhmet", hand=[c for c in IN_ORDER if c not in cards][:2], pyramids={0: cards})


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_a_mirrored_pyramid_has_the_same_groups(data: st.DataObject) -> None:
    mirror = {c: FACE["|".join(reversed(face(c).split("|")))] for c in IN_ORDER if "|".join(reversed(face(c).split("|"))) in FACE}
    assert len(mirror) == 65
    cards = data.draw(st.lists(st.sampled_from(sorted(mirror)), min_size=10, max_size=10, unique=True))
    mirrored = [mirror[cards[slot]] for slot in MIRRORED_SLOTS]
    assert groups(pyramid_of(cards)) == groups(pyramid_of(mirrored))


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_other_colours_make_the_same_groups(data: st.DataObject) -> None:
    colours = dict(enumerate(data.draw(st.sampled_from(list(permutations(range(5)))))))
    other = {c: FACE[image(face(c), colours)] for c in IN_ORDER if image(face(c), colours) in FACE}
    cards = data.draw(st.lists(st.sampled_from(sorted(other)), min_size=10, max_size=10, unique=True))
    before, after = groups(pyramid_of(cards)), groups(pyramid_of([other[c] for c in cards]))
    assert [after[colours[c]] for c in range(5)] == before


@given(num_players=any_table, seed=any_seed)
@settings(max_examples=20, deadline=None)
def test_colours_turned_in_a_circle_score_the_same(num_players: int, seed: int) -> None:
    *_, end = random_game(num_players, seed)
    values = end.to_dict()
    places = dict(zip(map(turned, CARDS), values["public_place"], strict=True))
    after = end.replace(
        public_place=[places[name] for name in CARDS],
        deck=list(map(turned, values["deck"])),
        initial_card=list(map(turned, values["initial_card"])),
        tomb=rows([sorted(CARDS.index(turned(CARDS[c])) for c in pile(end, "tomb", p)) for p in range(num_players)], 10),
        **{field: [list(map(turned, row)) for row in values[field]] for field in ("pyramid", "obelisk")},
    )
    assert after.scores() == end.scores()
