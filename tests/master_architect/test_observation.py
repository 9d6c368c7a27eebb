"""What architects see, computed once more from the dictionary of a position."""

from __future__ import annotations

import pytest
from encoders.plain import check_features, measuring, positions

from mastaba import State
from mastaba.envs.master_architect import RULES
from mastaba.envs.master_architect.components import (
    CARDS,
    LARGE_SPACES,
    LARGE_STONES,
    MULTIPLIER,
    OPENINGS,
    SARCOPHAGI,
    SMALL_SPACES,
    SMALL_STONES,
    SYMBOL,
)

from master_architect.boards import architect, sheet
from master_architect.test_players import CONTACTS, distances, spaces_to_the_edge

COLOURS = "bnyw"
FAR = 4


def closeness(missing: int) -> float:
    return max(0.0, 1 - missing / FAR)


def pieces_of(d: dict, p: int) -> tuple[dict, dict, dict]:
    stones = {at: s for at, s in zip(LARGE_SPACES, d["large_stone"][p], strict=True) if s}
    turned = dict(zip(LARGE_SPACES, d["large_turned"][p], strict=True))
    smalls = {at: s for at, s in zip(SMALL_SPACES, d["small_stone"][p], strict=True) if s}
    return stones, turned, smalls


def stones_missing(d: dict, p: int) -> dict[str, list[int]]:
    """Per colour and level: how many stones its line lacks; 99 where there is no way."""
    stones, _, smalls = pieces_of(d, p)
    colour = {at: s[0] for at, s in (stones | smalls).items()}
    missing = {}
    for q in COLOURS:
        cost = {at: int(at not in colour) for at in CONTACTS if colour.get(at, q) == q}
        ways = {at: {to: cost[to] for to in CONTACTS[at] if to in cost} for at in cost}
        reach = distances({at: cost[at] for at in cost if at[0] == "1"}, ways)
        missing[q] = [min([far for at, far in reach.items() if int(at[0]) >= level], default=99) for level in range(1, 7)]
    return missing


def far_from_the_edge(d: dict, p: int) -> dict[str, int]:
    """Per large space: empty spaces on the best way out; 99 where there is none."""
    stones, turned, _ = pieces_of(d, p)
    return dict.fromkeys(LARGE_SPACES, 99) | spaces_to_the_edge(stones, turned)


def lying(stone: str | None, turned: bool) -> list[float]:
    if stone is None:
        return [0.0] * 12
    number = LARGE_STONES.index(stone)
    ports = int(OPENINGS[number, int(turned)])
    face = [float(stone[0] == q) for q in COLOURS]
    return [*face, SARCOPHAGI[number] / 2, (SYMBOL[number] + 1) / 5, *(float(ports >> i & 1) for i in range(6))]


def card_points(state: State, me: int, card: str) -> int:
    """What a card adds to the score, beside the cards held; what Priest does for Thoth counts as Thoth's."""
    held = [CARDS.index(c) for c in state.to_dict()["cards"][me] if c]
    kept = held if len(held) < 3 else sorted(held, key=lambda c: CARDS[c] in ("Priest", "Thoth"))[1:]
    scores = []
    for cards in (kept, [*kept, CARDS.index(card)]):
        tried = state.clone()
        tried.record["cards"][0][me] = [*cards, *[-1] * (3 - len(cards))]
        state.game.kernels.derive(tried.record)
        scores.append(tried.scores()[me])
    return scores[1] - scores[0] - (card == "Priest" and CARDS.index("Thoth") in kept)


def plain_features(state: State, me: int) -> dict[str, list[list[float]]]:
    d = state.to_dict()
    seats = [(me + k) % d["num_players"] for k in range(d["num_players"])]
    most = {"solid": 21, "burial": 41, "symbols": 16, "workers": 18, "collection": 36, "cards": 81}
    current = next((stone for stone, left in zip(SMALL_STONES, d["pending"], strict=True) if left), None)
    edge = far_from_the_edge(d, me)
    return {
        "large": [[x for s, t in zip(d["large_stone"][p], d["large_turned"][p], strict=True) for x in lying(s, t)] for p in seats],
        "sheet": [[sheet(state, p)[name] / high for name, high in most.items()] for p in seats],
        "offer": [[0.0 if card is None else card_points(state, me, card) / 36 for card in d["display"]]],
        "steps": [[closeness(far) for levels in stones_missing(d, me).values() for far in levels]],
        "to_edge": [[closeness(edge[at]) for at in LARGE_SPACES]],
        "current_small": [[0.0 if not current or current[0] != q else int(current[1]) / 3 for q in COLOURS]],
        "progress": [[d["turn"] / (15 * d["num_players"])]],
    }


def plain_lookahead(d: dict, me: int) -> dict[str, list[float]]:
    stones, _, smalls = pieces_of(d, me)
    edge = far_from_the_edge(d, me)
    tombs = sum(
        closeness(edge[at]) * SARCOPHAGI[LARGE_STONES.index(s)] * MULTIPLIER[LARGE_SPACES.index(at)] for at, s in stones.items()
    )
    ends = [(f"{level}L" in smalls) + (f"{level}R" in smalls) for level in range(1, 7)]
    return {
        "lines": [sum(map(closeness, levels)) / 6 for levels in stones_missing(d, me).values()],
        "ways": [sum(closeness(far) for far in edge.values()) / 15, tombs / 41],
        "half_levels": [sum(stones == 1 for stones in ends) / 6],
        "hand": [float(d["hand"][me] is not None)],
    }


@pytest.mark.parametrize("players", RULES.players)
def test_features_are_what_the_position_says(players: int) -> None:
    for state in positions(architect(players)):
        for me in range(players):
            check_features(state, me, plain_features(state, me))


def test_lookahead_compares_what_the_position_says() -> None:
    measure = measuring(RULES.lookahead)
    for state in positions(architect(2)):
        for me in range(2):
            told, expected = measure(state, me), plain_lookahead(state.to_dict(), me)
            assert {name: pytest.approx(values, abs=1e-5) for name, values in expected.items()} == told


def test_planes_show_a_pyramid_level_by_level() -> None:
    """The top level first; the small space L, the large ones, the small space R."""
    game = architect(2)
    planes = game.encoder("planes")
    for state in positions(game):
        d, seen = state.to_dict(), state.observation(0, "planes").ravel()
        for p in range(2):
            large, small = (seen[planes.where(name)[p]].reshape(-1, 6, 7) for name in ("large", "small_stone"))
            for at, stone, turned in zip(LARGE_SPACES, d["large_stone"][p], d["large_turned"][p], strict=True):
                level, position = map(int, at.split("."))
                assert large[:, 6 - level, position].tolist() == pytest.approx(lying(stone, turned))
            for at, stone in zip(SMALL_SPACES, d["small_stone"][p], strict=True):
                row, column = 6 - int(at[0]), 0 if at[1] == "L" else 7 - int(at[0])
                expected = [0.0 if not stone or stone[0] != q else int(stone[1]) / 3 for q in COLOURS]
                assert small[:, row, column].tolist() == pytest.approx(expected)
        steps = seen[planes.where("steps")].reshape(4, 6, 7)
        for colour, levels in enumerate(stones_missing(d, 0).values()):
            assert [steps[colour, 6 - level, 0] for level in range(1, 7)] == pytest.approx([closeness(far) for far in levels])
