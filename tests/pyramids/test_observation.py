"""What an observation of Pyramids holds, computed once more in plain Python from the dictionary of a position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mastaba
from mastaba import Game, State
from mastaba.envs.pyramids.components import CARDS, GLYPHS, LETTERS, MAX_SPARE, TILES
from mastaba.envs.pyramids.observation import BURIED, HELD
from mastaba.testing import positions

from pyramids.boards import do, position, tables

Fields = dict[str, Any]
POSITIONS = 250  # of every table, each seen by everybody: more than 3,000 observations


def marks_of(cards: list[str]) -> np.ndarray:
    """Stones by colour and glyphs by kind, counted in the notation: a tall stone is one letter."""
    text = [name.partition("^") for name in cards]
    stones = [sum(face.count(letter) for face, _, _ in text) for letter in LETTERS]
    return np.array(stones + [sum(glyph == kind for _, _, glyph in text) for kind in GLYPHS], float)


def placed(d: Fields, kind: str, p: int) -> list[str]:
    return [card for card, place in zip(CARDS, d["public_place"], strict=True) if place == f"{kind} {p}"]


def num_candidates(d: Fields, p: int) -> int:
    return len(placed(d, "candidate", p)) + (d["initial_status"][p] == "candidate")


# --- One feature each ----------------------------------------------------------------------------------------------------------


def tiles_free(d: Fields, n: int, me: int) -> list[float]:
    out = {d["removed_tile"], *(["thoth"] if n < 4 else [])}
    return [float(tile not in out and owner is None) for tile, owner in zip(TILES, d["tile_owner"], strict=True)]


def exposed(d: Fields, n: int, me: int) -> list[float]:
    chances = []
    for card in d["hand"][me]:
        if card in placed(d, "hand", me):
            chances.append(1.0)
        else:
            chances.append(1 / num_candidates(d, me) if card in placed(d, "candidate", me) else 0.0)
    return chances


def whereabouts(d: Fields, n: int, me: int) -> list[float]:
    told = []
    for card, place in zip(CARDS, d["public_place"], strict=True):
        what, _, who = place.partition(" ")
        away = (int(who) - me) % n if who else 0
        if place == "unseen":
            told.append(0.0 if card == d["initial_card"][me] else -1.0)
        elif away and what in ("hand", "candidate"):
            told.append((away - 0.5 * (what == "candidate")) / (n - 1))
        else:
            told.append(0.0)
    return told


def tile_taken(d: Fields, n: int, me: int, p: int) -> list[float]:
    return [float(owner == p) for owner in d["tile_owner"]]


def open_places(d: Fields, n: int, me: int, p: int) -> list[float]:
    slots = [card is not None for card in d["pyramid"][p]]
    base, below = sum(slots[:4]), {4: (0, 1), 5: (1, 2), 6: (2, 3), 7: (4, 5), 8: (5, 6), 9: (7, 8)}
    upper = [slots[a] and slots[b] and not slots[slot] for slot, (a, b) in below.items()]
    return [float(x) for x in (0 < base < 4, *(slot == base for slot in range(4)), *upper)]


def hand_expected(d: Fields, n: int, me: int, p: int) -> np.ndarray:
    share = 1 / max(1, num_candidates(d, p))
    return (marks_of(placed(d, "hand", p)) + share * marks_of(placed(d, "candidate", p))) / 4


def tomb_expected(d: Fields, n: int, me: int, p: int) -> np.ndarray:
    share = 1 - 1 / max(1, num_candidates(d, p))
    return share * marks_of(placed(d, "candidate", p)) / 11


ONCE = {f.__name__: f for f in (tiles_free, exposed, whereabouts)}
SEAT = {f.__name__: f for f in (tile_taken, open_places)}
OTHER = {f.__name__: f for f in (hand_expected, tomb_expected)}


def expected(state: State, me: int, name: str) -> list[Any]:
    """The rows of a feature, one per player it tells of."""
    d, n = state.to_dict(), state.game.num_players
    if name in ONCE:
        return [ONCE[name](d, n, me)]
    around = [(me + i) % n for i in range(n)]
    if name in SEAT:
        return [SEAT[name](d, n, me, p) for p in around]
    return [OTHER[name](d, n, me, p) for p in around[1:]]


@tables
def test_every_feature_is_what_its_line_says(num_players: int) -> None:
    game = mastaba.game("pyramids", num_players)
    encoder = game.encoder()
    assert [f.name for f in game.rules.features] == [*ONCE, *SEAT, *OTHER]
    for state in positions(game, POSITIONS, seed=num_players):
        for me in range(num_players):
            seen = state.observation(me)
            for name in (*ONCE, *SEAT, *OTHER):
                where = np.array(encoder.where(name)).reshape(len(expected(state, me, name)), -1)
                assert np.allclose(seen[where], expected(state, me, name), atol=1e-6), f"{name} of {me} in\n{state}"


def test_chances_are_there_for_as_many_candidates_as_there_can_be() -> None:
    numbers = np.arange(1, MAX_SPARE + 1)
    assert pytest.approx(1 / numbers) == HELD[1 : MAX_SPARE + 1]
    assert pytest.approx(1 - 1 / numbers) == BURIED[1 : MAX_SPARE + 1]


@tables
def test_the_derived_sums_are_those_of_the_cards(num_players: int) -> None:
    """What is observed of edifices and score sheets beside the cards themselves."""
    game = mastaba.game("pyramids", num_players)
    for state in positions(game, POSITIONS, seed=10 + num_players):
        d, record = state.to_dict(), state.record[0]
        for p in range(num_players):
            tomb, obelisk = ([card for card in d[field][p] if card] for field in ("tomb", "obelisk"))
            assert record["tomb_marks"][p].tolist() == marks_of(tomb).tolist()
            assert record["sure_tomb"][p].tolist() == marks_of(placed(d, "tomb", p)).tolist()
            assert record["obelisk_colours"][p].tolist() == [
                sum(letter in card.partition("^")[0] for card in obelisk) for letter in LETTERS
            ]
            parts = state.breakdown()[p]
            hidden = 2 * int(record["tomb_marks"][p][-1])
            assert record["open_sheet"][p].tolist() == [
                *(parts[part] for part in ("groups", "longest", "bonus", "obelisk")),
                parts["glyphs"] - hidden,
            ]
            assert record["open_points"][p] == sum(parts.values()) - parts["tomb"] - hidden


# --- No two that are alike -------------------------------------------------------------------------------------------------------


def replaced_everywhere(state: State, one: str, other: str) -> State:
    """The same position with two cards exchanged."""
    swap = {one: other, other: one}

    def exchanged(value: Any) -> Any:
        if isinstance(value, list):
            return [exchanged(v) for v in value]
        return swap.get(value, value) if isinstance(value, str) else value

    d = state.to_dict()
    i, j = CARDS.index(one), CARDS.index(other)
    places = list(d["public_place"])
    places[i], places[j] = places[j], places[i]
    changed = {name: exchanged(value) for name, value in d.items() if name != "public_place"} | {"public_place": places}
    for name in ("hand", "tomb"):
        changed[name] = [_ascending(row) for row in changed[name]]
    changed["quarry"] = [_ascending(row) for row in changed["quarry"]]
    return state.game.from_dict(changed)


def _ascending(row: list[str | None]) -> list[str | None]:
    held = sorted((card for card in row if card is not None), key=CARDS.index)
    return [*held, *[None] * (len(row) - len(held))]


@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_two_cards_that_change_places_show_if_either_can_still_be_played(num_players: int) -> None:
    """A card that may come, lies in the quarry, is in the own hand or may be in another one; against any card elsewhere."""
    game, rng = mastaba.game("pyramids", num_players), np.random.default_rng(1)
    compared = 0
    for state in positions(game, 120, seed=20):
        if state.is_terminal():
            continue
        me, d = state.current_player(), state.to_dict()
        told = whereabouts(d, num_players, me)
        living = [
            c for c, number in enumerate(told) if number != 0 or CARDS[c] in d["hand"][me] or d["public_place"][c] == "quarry"
        ]
        for one in rng.choice(living, 8):
            other = int(rng.integers(len(CARDS)))
            same = d["public_place"][one] == d["public_place"][other] and told[one] == told[other]
            if same or CARDS[one] == CARDS[other]:
                continue
            compared += 1
            after = replaced_everywhere(state, CARDS[one], CARDS[other])
            assert not np.array_equal(after.observation(me), state.observation(me)), f"{CARDS[one]} and {CARDS[other]} in\n{state}"
    assert compared > 150


def test_tomb_stones_of_all_players_have_one_scale() -> None:
    """Four blue stones in everybody's Tomb, known to all, are the same number for everybody."""
    state = position(3, 8, "god", tombs={0: [90, 95, 100], 1: [1, 2, 15, 16], 2: [31, 32, 45, 46]})
    seen, encoder = state.observation(0), state.game.encoder()
    blue = seen[encoder.where("sure_tomb")].reshape(3, -1)[:, 0]
    assert blue == pytest.approx([4 / 11] * 3)
    assert seen[encoder.where("tomb_marks")].ravel()[0] == pytest.approx(4 / 11)


def test_every_cell_of_every_pyramid_has_its_place_on_the_planes() -> None:
    """Colours are channels, the ground is the lowest row, and an open place covers the cells of a card."""
    game = mastaba.game("pyramids", 2)
    state = position(2, 3, "god", pyramids={0: [16, 101], 1: [92, 21]})  # B|G/W and W|G; R|R and R|G/B
    planes, encoder = state.observation(0, "planes"), game.encoder("planes")
    size = 8 * 10
    mine, theirs = (planes.reshape(-1, 8, 10)[rows.ravel()[::size] // size] for rows in np.array(encoder.where("pyramid")))
    assert drawn(mine) == ["..BGWG....", "..BWWG...."]
    assert drawn(theirs) == ["..RRRG....", "..RRRB...."]
    first = np.array(encoder.where("open_places"))[0].ravel()[0] // size
    assert np.argwhere(planes.reshape(-1, 8, 10)[first]).tolist() == [
        *([row, column] for row in (4, 5) for column in (3, 4)),  # on the two cards
        *([row, column] for row in (6, 7) for column in (0, 1, 6, 7)),  # at both ends
    ]


def drawn(pyramid: np.ndarray) -> list[str]:
    """The two rows above the ground, a letter per cell."""
    rows = pyramid[:, -2:, :]
    return ["".join(LETTERS[int(rows[:, y, x].argmax())] if rows[:, y, x].any() else "." for x in range(10)) for y in (0, 1)]


@tables
def test_lookahead_tells_how_groups_obelisk_and_tomb_change(num_players: int) -> None:
    game: Game = mastaba.game("pyramids", num_players)
    state = position(num_players, 3, "obelisk", tile="khepri", hand=[90, 91])
    encoder = game.encoder("lookahead")
    rows = encoder.rows(state.observation(0, "lookahead"))  # type: ignore[attr-defined]
    raise_blue = rows[game.string_to_action("obe 1")]
    before, after = state.record["obelisk_colours"][0][0], do(state.clone(), "obe 1").record["obelisk_colours"][0][0]
    assert (after - before).tolist() == [1, 0, 0, 0, 0]
    assert 0.1 in raise_blue.round(6)
