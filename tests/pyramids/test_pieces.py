"""The cards and the grid of the Pyramid."""

from __future__ import annotations

import csv
import io
from collections import Counter

import numpy as np

import mastaba
from mastaba.envs.pyramids import components
from mastaba.envs.pyramids.components import CARDS, GLYPH, SLOT_X, SLOT_Y, STONES

from pyramids import referee
from pyramids.boards import (
    NUM_CARDS,
    NUM_SLOTS,
)


def test_the_cards_are_those_of_the_list() -> None:
    listed = list(csv.DictReader(io.StringIO(referee.CARDS_CSV)))
    assert list(CARDS) == [row["notation"] for row in listed]
    for card, row in enumerate(listed):
        cells = "".join(components.LETTERS[c] for c in components.CELL_COLOUR[card])
        assert cells == row["lt"] + row["lb"] + row["rt"] + row["rb"]
        assert STONES[card].sum() == int(row["stones"])
        assert (components.GLYPHS + "-")[GLYPH[card]] == row["glyph"]
        assert components.COLUMN_IS_TALL[card].tolist() == [row["form"] in "LD", row["form"] in "RD"]


def test_the_cards_are_balanced() -> None:
    faces = {name.partition("^")[0] for name in CARDS}
    assert len(faces) == NUM_CARDS
    assert np.bincount(STONES.sum(1)).tolist() == [0, 0, 15, 90]
    assert np.bincount(GLYPH).tolist() == [15, 15, 15, 60]
    assert STONES.sum(0).tolist() == [60] * 5
    assert (STONES > 0).sum(0).tolist() == [59] * 5
    forms = Counter(tuple(tall) for tall in components.COLUMN_IS_TALL.tolist())
    assert forms == {(1, 0): 45, (0, 1): 45, (1, 1): 15}
    assert set(
        Counter((tuple(t), g) for t, g in zip(components.COLUMN_IS_TALL.tolist(), GLYPH, strict=True) if g < 3).values()
    ) == {5}


def test_relabelling_the_colours_in_a_circle_maps_the_deck_onto_itself() -> None:
    assert {turned(name) for name in CARDS} == set(CARDS)


def turned(name: str | None) -> str | None:
    """A card with each colour replaced by the next."""
    return name and image(name, {c: (c + 1) % 5 for c in range(5)})


def image(name: str, colours: dict[int, int]) -> str:
    """A card with other colours."""
    return "".join(components.LETTERS[colours[components.LETTERS.index(c)]] if c in components.LETTERS else c for c in name)


def test_stones_of_neighbouring_cards_touch_in_24_places() -> None:
    listed = (
        "H 2-4 3-5 6-8 7-9 10-12 11-13 18-20 19-21 22-24 23-25 30-32 31-33 "
        "V 2-17 4-19 6-21 8-23 10-25 12-27 18-29 20-31 22-33 24-35 30-37 32-39"
    )
    expected = {tuple(map(int, pair.split("-"))) for pair in listed.split() if "-" in pair}
    cells = [(SLOT_X[slot] + bit % 8, SLOT_Y[slot] + bit // 8) for slot in range(NUM_SLOTS) for bit in components.CELL_BIT]
    assert len(set(cells)) == 40
    touching = {
        (a, b)
        for a in range(40)
        for b in range(a + 1, 40)
        if a // 4 != b // 4 and abs(cells[a][0] - cells[b][0]) + abs(cells[a][1] - cells[b][1]) == 1
    }
    assert touching == expected


def test_the_page_lists_the_cards_in_their_order() -> None:
    page = mastaba.game("pyramids").rules.page.read_text(encoding="utf-8")
    listed = page.partition("```text\n")[2].partition("```")[0]
    assert [name for line in listed.splitlines() for name in line.split()[1:]] == list(CARDS)
