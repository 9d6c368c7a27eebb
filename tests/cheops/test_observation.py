"""What builders of Cheops see, computed once more from the dictionary of a position."""

from __future__ import annotations

import numpy as np
import pytest
from encoders.plain import check_features, measuring, positions

import mastaba
from mastaba.envs.cheops import RULES
from mastaba.envs.cheops.components import QUARRY_COLOUR

from cheops.by_hand import play, position

COLOURS = ("blue", "red", "lilac", "orange", "green", "yellow")
QUARRY = "BRYLGOYBLROG"  # of sheet A
LETTERS = "BRLOGY"
ROWS_OF_PYRAMID = (range(0, 5), range(5, 9), range(9, 12), range(12, 14), range(14, 15))


def plain_features(d: dict, me: int) -> dict[str, list[list[float]]]:
    n, own = d["num_players"], "ABCDE".index(d["sheet"][me])
    seats = [(me + k) % n for k in range(n)]
    turned = [(i + own) % 6 for i in range(6)]  # the colour that stands where sheet A has colour i
    owed = [[float(c is not None and (COLOURS.index(c) - own) % 6 == i) for i in range(6)] for c in d["owed"]]
    before = -1 if d["mark_before"] is None else d["mark_before"]
    ahead = {p: ("ABCDE".index(d["sheet"][p]) - own) % 6 for p in seats}

    def quarry(p: int) -> list[float]:
        first = 0 if d["mark"][p] is None else d["mark"][p] + 1
        left = [(place, (LETTERS.index(QUARRY[place]) + ahead[p]) % 6) for place in range(first, 12)]
        stones = [sum(colour == i for _, colour in left) / 2 for i in range(6)]
        nearest = [next((1 - (place - first) / 12 for place, colour in left if colour == i), 0.0) for i in range(6)]
        return [*stones, *nearest, len(left) / 12]

    return {
        "dice_at_first": [[d["pool"][c] / 4 for c in turned]],
        "dice_left": [[d["dice"][c] / 4 for c in turned]],
        "owed_colours": [[*owed[0], *owed[1]]],
        "usable_for_payment": [[(11 - before) / 12 if d["phase"] == "pay" else 0]],
        "rotation": [[float(ahead[p] == k) for k in range(1, 6)] for p in seats[1:]],
        "usable_quarry": [quarry(p) for p in seats],
        "columns": [[float(d[side][p] == h) for side in ("left", "right") for h in range(5)] for p in seats],
    }


def with_all_below(stone: int) -> set[int]:
    """A stone of the pyramid and those it rests on."""
    level = next(k for k, row in enumerate(ROWS_OF_PYRAMID) if stone in row)
    if level == 0:
        return {stone}
    left = ROWS_OF_PYRAMID[level - 1][ROWS_OF_PYRAMID[level].index(stone)]
    return {stone} | with_all_below(left) | with_all_below(left + 1)


def plain_lookahead(d: dict, me: int) -> dict[str, list[float]]:
    crossed, cells = {int(s[1:]) for s in d["pyramid"][me]}, {int(c[1:]) for c in d["mosaic"][me]}
    groups = {"BP1": set(range(5)), "BP2": with_all_below(10), "BP3": with_all_below(14)}
    shares = {name: len(crossed & stones) / len(stones) for name, stones in groups.items()}
    shares["BA1"] = (min(2, d["left"][me]) + min(2, d["right"][me])) / 4
    shares["BA2"] = (d["left"][me] + d["right"][me] + d["keystone"][me]) / 9
    shares |= {f"BM{row + 1}": len(cells & set(range(4 * row, 4 * row + 4))) / 4 for row in range(3)}
    taken = {b for p in range(d["num_players"]) for b in d["bonuses"][p]}
    fresh = {name for name, when in zip(shares, d["bonus_round"], strict=True) if when == d["round"]}
    can_be_had = {b for b in shares if b not in taken} | fresh | set(d["bonuses"][me])
    usable = 11 - (-1 if d["mark"][me] is None else d["mark"][me])
    return {
        "groups": [share * (name in can_be_had) for name, share in shares.items()],
        "material": [usable / 12, d["jokers"][me] / 5],
    }


@pytest.mark.parametrize("players", RULES.players)
def test_features_are_what_the_position_says(players: int) -> None:
    for state in positions(mastaba.game("cheops", players)):
        for me in range(players):
            check_features(state, me, plain_features(state.to_dict(), me))


def test_lookahead_compares_what_the_position_says() -> None:
    measure = measuring(RULES.lookahead)
    for state in positions(mastaba.game("cheops", 3)):
        for me in range(3):
            told, expected = measure(state, me), plain_lookahead(state.to_dict(), me)
            assert {name: pytest.approx(values, abs=1e-5) for name, values in expected.items()} == told


def test_planes_show_the_sheets_as_they_are_drawn() -> None:
    """The top stone above the left of the two it rests on, the arch beside it, then the mosaic; the bottom is the last row."""
    game = mastaba.game("cheops", 2)
    planes = game.encoder("planes")
    for state in positions(game):
        d, seen = state.to_dict(), state.observation(1, "planes").ravel()
        for k, p in enumerate((1, 0)):
            pyramid, mosaic, columns, keystone = (seen[planes.where(name)[k]].reshape(-1, 5, 13)[0] for name in
                                                  ("pyramid", "mosaic", "columns", "keystone"))  # fmt: skip
            for level, row in enumerate(ROWS_OF_PYRAMID):
                assert pyramid[4 - level].tolist() == [*(float(f"p{i}" in d["pyramid"][p]) for i in row), *[0] * (13 - len(row))]
            assert mosaic[2:, 9:].ravel().tolist() == [float(f"m{i}" in d["mosaic"][p]) for i in range(12)]
            assert columns[4 - d["left"][p], 6] == columns[4 - d["right"][p], 7] == 1
            assert columns.sum() == 2
            assert keystone.sum() == 2 * d["keystone"][p]


def test_observed_colours_are_turned_to_the_own_sheet() -> None:
    state = play(
        position("OYYB", round=3, seat1={"left": 2, "quarry": [0, 9]}), "M0-1"
    )  # sheets A, B, C; lilac is owed, a yellow die is taken
    where = state.game.encoder().where
    lilac, yellow = LETTERS.index("L"), LETTERS.index("Y")
    for observer in range(3):
        seen = state.observation(observer)
        pool, dice = seen[where("dice_at_first")[0]], seen[where("dice_left")[0]]
        assert pool.tolist() == np.roll([0.25, 0, 0, 0.25, 0, 0.5], -observer).tolist()
        assert (pool - dice).tolist() == np.roll(0.25 * np.eye(6)[yellow], -observer).tolist()
        assert seen[where("owed_colours")[0]].tolist() == [*np.eye(6)[(lilac - observer) % 6], *[0] * 6]
        place = (1 - observer) % 3
        mine = seen[where("usable_quarry")[place]]
        stones, nearness = mine[:6], mine[6:12]
        left = [(int(QUARRY_COLOUR[1][place]) - observer) % 6 for place in (10, 11)]
        assert np.flatnonzero(stones).tolist() == sorted(left)
        assert nearness[left].tolist() == pytest.approx([1, 11 / 12])
        if place:
            assert seen[where("rotation")[place - 1]].tolist() == np.eye(6)[(1 - observer) % 6][1:].tolist()
