"""Positions written as on the page of the rules: `2.1=b08r` is large stone b08 turned in space 2.1, `6L=b2` a small blue stone with
two workers in 6L. And the tables of the pieces, typed once more by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

import mastaba
from mastaba import Game, State
from mastaba.baselines.agents import act, agent
from mastaba.envs.master_architect import components, scoring
from mastaba.envs.master_architect.components import CARDS, COLOURS, LARGE_SPACES, LARGE_STONES, SMALL_SPACES, SMALL_STONES

from lockstep import Choose, load, uniform

TABLES = (1, 2, 3, 4)
BAG = [SMALL_STONES[i] for i in components.FULL_BAG]
SPARE_SPACES = ("2.1", "2.2", "2.3", "2.4", "3.1", "3.2", "3.3", "5.1", "1.3")  # filling them completes no card pair


def architect(num_players: int = 2) -> Game:
    return mastaba.game("master_architect", num_players)


def spaces(board: str) -> dict[str, str]:
    """`1.1=b01 6L=b2` as a dictionary."""
    return dict(entry.split("=") for entry in board.split())


def large(board: str) -> dict[str, str]:
    return {at: stone for at, stone in spaces(board).items() if at in LARGE_SPACES}


def large_row(board: str) -> tuple[list[str | None], list[bool]]:
    placed = large(board)
    return [placed[at].rstrip("r") if at in placed else None for at in LARGE_SPACES], [
        placed.get(at, "").endswith("r") for at in LARGE_SPACES
    ]


def small_row(board: str) -> list[str | None]:
    return [spaces(board).get(at) for at in SMALL_SPACES]


def counts(stones: str) -> list[int]:
    """`b1 b1 y3` as numbers by type."""
    return [stones.split().count(name) for name in SMALL_STONES]


def position(
    boards: tuple[str, ...] = ("", ""),
    hands: tuple[str, ...] = ("n2", "b1"),
    row: str = "",
    pile: str = "",
    collections: tuple[str, ...] = ("", ""),
    cards: tuple[tuple[str, ...], ...] = ((), ()),
    display: tuple[str, ...] = (),
    next_large: str = "",
    next_small: str = "",
    next_cards: tuple[str, ...] = (),
) -> State:
    """Seat 0 of two is about to take a stone. Boards, row, display and stocks are filled up with what is not named.

    As many rounds have been played as the stones need; small stones that they have brought besides lie in the Collection of seat 1.
    """
    named = {stone.rstrip("r") for board in boards for stone in large(board).values()} | set(row.split()) | set(next_large.split())
    spare = iter([stone for stone in LARGE_STONES if stone not in named])
    drawn_small = [stone for board in boards for at, stone in spaces(board).items() if at in SMALL_SPACES]
    drawn_small += [stone for stones in (pile, *collections) for stone in stones.split()] + list(hands)
    overseer = 3 * any("Overseer" in held for held in cards)
    rounds = max(*(len(large(board)) for board in boards), -(-(len(drawn_small) - 2 - overseer) // 2))
    full = [fill_up(board, rounds, spare) for board in boards]
    row_stones = row.split() + [next(spare) for _ in range(5 - len(row.split()))]
    drawn_large = [stone.rstrip("r") for board in full for stone in large(board).values()] + row_stones
    in_bag = (Counter(BAG) - Counter(drawn_small) - Counter(next_small.split())).elements()
    others = [next(in_bag) for _ in range(2 + 2 * rounds + overseer - len(drawn_small))]
    collections = (collections[0], " ".join([collections[1], *others]))
    drawn_small += others
    named_cards = {card for held in cards for card in held} | set(display) | set(next_cards)
    spare_cards = iter([card for card in CARDS if card not in named_cards])
    shown = [*display, *(next(spare_cards) for _ in range(4 - len(display)))]
    drawn_cards = [card for held in cards for card in held] + shown
    absent: list[None] = [None, None]
    return (
        architect(2)
        .new_initial_state(seed=0)
        .replace(
            turn=2 * rounds,
            large_stone=[large_row(board)[0] for board in full] + 2 * [[None] * 15],
            large_turned=[large_row(board)[1] for board in full] + 2 * [[False] * 15],
            small_stone=[small_row(board) for board in boards] + 2 * [[None] * 12],
            collection=[counts(stones) for stones in collections] + 2 * [[0] * 12],
            hand=[*hands, *absent],
            cards=[[*held, *[None] * (3 - len(held))] for held in cards] + 2 * [[None] * 3],
            row=row_stones,
            pile=counts(pile),
            display=shown,
            large_deck=order(drawn_large, next_large.split(), LARGE_STONES),
            large_drawn=len(drawn_large),
            bag=order(drawn_small, next_small.split(), BAG),
            small_drawn=len(drawn_small),
            card_deck=order(drawn_cards, next_cards, CARDS),
            cards_drawn=len(drawn_cards),
        )
    )


def fill_up(board: str, stones: int, spare: Iterator[str]) -> str:
    free = iter([at for at in SPARE_SPACES if at not in spaces(board)])
    return " ".join([board, *(f"{next(free)}={next(spare)}" for _ in range(stones - len(large(board))))])


def order(drawn: Sequence[str], following: Sequence[str], everything: Sequence[str]) -> list[str]:
    """A stock: first what has been drawn, then what comes next, then the rest."""
    first = [*drawn, *following]
    return [*first, *(Counter(everything) - Counter(first)).elements()]


def put_up(board: str, cards: tuple[str, ...] = (), collected: int = 0) -> State:
    """A pyramid to be scored, in front of player 0 of a solo game. No position of a game: turns and stocks do not fit it."""
    state = architect(1).new_initial_state(seed=0)
    record = state.record[0]
    stones, turned = large_row(board)
    record["large_stone"][0] = [-1 if stone is None else LARGE_STONES.index(stone) for stone in stones]
    record["large_turned"][0] = turned
    record["small_stone"][0] = [-1 if stone is None else SMALL_STONES.index(stone) for stone in small_row(board)]
    record["cards"][0] = [*map(CARDS.index, cards), *[-1] * (3 - len(cards))]
    record["collection"][0][0] = collected
    state.game.kernels.derive(state.record)
    assert load(state).scores() == state.scores()
    return state


def sheet(state: State, seat: int = 0) -> dict[str, int]:
    """The score of a seat by category."""
    return state.breakdown()[seat]


def card_values(state: State, seat: int = 0) -> dict[str, int]:
    s = state.record[0]
    return {CARDS[card]: int(scoring.points_of(s, seat, card)) for card in s["cards"][seat] if card >= 0}


def heights(state: State) -> dict[str, int]:
    return {colour: int(h) for colour, h in zip(COLOURS, state.record["height"][0][0], strict=True)}


def take_turns(state: State, *notations: str) -> State:
    for notation in notations:
        state.apply_action(state.game.string_to_action(notation))
    return state


def legal(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def stones_of(numbers: list[int]) -> str:
    """Numbers by type as `b1 b1 y3`."""
    return " ".join(name for name, number in zip(SMALL_STONES, numbers, strict=True) for _ in range(number))


def random_states(num_players: int, seed: int) -> Iterator[State]:
    """All positions of a random game."""
    rng = np.random.default_rng(seed)
    state = architect(num_players).new_initial_state(seed=seed)
    yield state.clone()
    while not state.is_terminal():
        state.apply_action(uniform(state, rng))
        yield state.clone()


def changed(values: list, index: int, value: object) -> list:
    return [*values[:index], value, *values[index + 1 :]]


def chooser(game: Game, name: str) -> Choose:
    player = agent(game, name, seed=0)
    return lambda state, rng: act(player, state)


# --- Mirror images ----------------------------------------------------------------------------------------------------

MIRROR_CARD = {"Hapi": "Geb", "Geb": "Hapi", "Ra": "Khonsu", "Khonsu": "Ra"}


def mirror_stone(stone: str) -> str:
    """b01 and n01, y1 and w1, ... are mirror images."""
    return stone.translate(str.maketrans("bnyw", "nbwy"))


def mirror_space(space: str) -> str:
    if space in SMALL_SPACES:
        return space.translate(str.maketrans("LR", "RL"))
    level, pos = map(int, space.split("."))
    return f"{level}.{7 - level - pos}"


def mirror_action(game: Game, action: int) -> int:
    kind, *rest = game.action_to_string(action).split()
    if kind in ("large", "small", "swap", "lift") and rest[0] != "coll":
        rest[0] = mirror_space(rest[0])
    return game.string_to_action(" ".join([kind, *rest]))


def mirrored(state: State) -> State:
    d = state.to_dict()

    def stones(values):
        return [stones(v) if isinstance(v, list) else v and mirror_stone(v) for v in values]

    def cards(values):
        return [cards(v) if isinstance(v, list) else MIRROR_CARD.get(v, v) for v in values]

    def by_type(numbers):
        return counts(mirror_stone(stones_of(numbers)))

    def moved(values, names):
        return [values[names.index(mirror_space(name))] for name in names]

    return state.replace(
        **{name: stones(d[name]) for name in ("row", "hand", "large_deck", "bag")},
        **{name: cards(d[name]) for name in ("cards", "display", "card_deck")},
        **{name: by_type(d[name]) for name in ("pile", "pending")},
        stone_in_hand=d["stone_in_hand"] and mirror_stone(d["stone_in_hand"]),
        swap_first=d["swap_first"] and mirror_space(d["swap_first"]),
        collection=[by_type(numbers) for numbers in d["collection"]],
        large_stone=[moved(stones(values), LARGE_SPACES) for values in d["large_stone"]],
        large_turned=[moved(values, LARGE_SPACES) for values in d["large_turned"]],
        small_stone=[moved(stones(values), SMALL_SPACES) for values in d["small_stone"]],
    )


# --- The pieces ----------------------------------------------------------------------------------------------------

# Name, sarcophagi, symbol, openings as it is and turned: the table of the rules.
LARGE_STONE_TABLE = """
    b01 1 - 1 8,  b02 1 - 9 9,  b03 1 - 3 24,  b04 1 - 4 32,  b05 1 - 21 42,  b06 2 - 1 8,
    b07 2 - 2 16,  b08 2 - 17 10,  b09 0 ankh 0 0,  b10 0 eye 9 9,  b11 0 scarab 20 34,  b12 0 djed 18 18,
    b13 0 lotus 0 0,  b14 0 - 36 36,  b15 0 - 22 50,  b16 0 - 11 25,  b17 0 - 42 21,  b18 0 - 45 45,
    b19 0 - 63 63,  n01 1 - 8 1,  n02 1 - 9 9,  n03 1 - 12 33,  n04 1 - 2 16,  n05 1 - 42 21,
    n06 2 - 8 1,  n07 2 - 4 32,  n08 2 - 40 5,  n09 0 ankh 0 0,  n10 0 eye 9 9,  n11 0 scarab 34 20,
    n12 0 djed 36 36,  n13 0 lotus 0 0,  n14 0 - 18 18,  n15 0 - 38 52,  n16 0 - 13 41,  n17 0 - 21 42,
    n18 0 - 27 27,  n19 0 - 63 63,  y01 1 - 1 8,  y02 1 - 9 9,  y03 1 - 3 24,  y04 1 - 4 32,
    y05 1 - 21 42,  y06 2 - 1 8,  y07 2 - 2 16,  y08 2 - 17 10,  y09 0 djed 0 0,  y10 0 lotus 9 9,
    y11 0 ankh 20 34,  y12 0 eye 18 18,  y13 0 scarab 0 0,  y14 0 - 36 36,  y15 0 - 22 50,  y16 0 - 11 25,
    y17 0 - 42 21,  y18 0 - 45 45,  w01 1 - 8 1,  w02 1 - 9 9,  w03 1 - 12 33,  w04 1 - 2 16,
    w05 1 - 42 21,  w06 2 - 8 1,  w07 2 - 4 32,  w08 2 - 40 5,  w09 0 djed 0 0,  w10 0 lotus 9 9,
    w11 0 ankh 34 20,  w12 0 eye 36 36,  w13 0 scarab 0 0,  w14 0 - 18 18,  w15 0 - 38 52,  w16 0 - 13 41,
    w17 0 - 21 42,  w18 0 - 27 27,
"""

# Space and the spaces it touches.
CONTACT_TABLE = """
    1.1: 1.2 2.1 1L 2L,  1.2: 1.1 1.3 2.1 2.2,  1.3: 1.2 1.4 2.2 2.3,  1.4: 1.3 1.5 2.3 2.4,
    1.5: 1.4 2.4 1R 2R,  2.1: 1.1 1.2 2.2 3.1 2L 3L,  2.2: 1.2 1.3 2.1 2.3 3.1 3.2,  2.3: 1.3 1.4 2.2 2.4 3.2 3.3,
    2.4: 1.4 1.5 2.3 3.3 2R 3R,  3.1: 2.1 2.2 3.2 4.1 3L 4L,  3.2: 2.2 2.3 3.1 3.3 4.1 4.2,  3.3: 2.3 2.4 3.2 4.2 3R 4R,
    4.1: 3.1 3.2 4.2 5.1 4L 5L,  4.2: 3.2 3.3 4.1 5.1 4R 5R,  5.1: 4.1 4.2 5L 5R 6L 6R,  1L: 1.1 2L,
    1R: 1.5 2R,  2L: 1.1 2.1 1L 3L,  2R: 1.5 2.4 1R 3R,  3L: 2.1 3.1 2L 4L,
    3R: 2.4 3.3 2R 4R,  4L: 3.1 4.1 3L 5L,  4R: 3.3 4.2 3R 5R,  5L: 4.1 5.1 4L 6L,
    5R: 4.2 5.1 4R 6R,  6L: 5.1 5L 6R,  6R: 5.1 5R 6L,
"""

# Large space, multiplier, what its sides W, NW, NE, E, SE, SW face.
FACING_TABLE = """
    1.1 1 1L 2L 2.1 1.2 ground ground,  1.2 2 1.1 2.1 2.2 1.3 ground ground,
    1.3 3 1.2 2.2 2.3 1.4 ground ground,  1.4 2 1.3 2.3 2.4 1.5 ground ground,
    1.5 1 1.4 2.4 2R 1R ground ground,  2.1 1 2L 3L 3.1 2.2 1.2 1.1,
    2.2 2 2.1 3.1 3.2 2.3 1.3 1.2,  2.3 2 2.2 3.2 3.3 2.4 1.4 1.3,
    2.4 1 2.3 3.3 3R 2R 1.5 1.4,  3.1 1 3L 4L 4.1 3.2 2.2 2.1,
    3.2 2 3.1 4.1 4.2 3.3 2.3 2.2,  3.3 1 3.2 4.2 4R 3R 2.4 2.3,
    4.1 1 4L 5L 5.1 4.2 3.2 3.1,  4.2 1 4.1 5.1 5R 4R 3.3 3.2,
    5.1 1 5L 6L 6R 5R 4.2 4.1,
"""


def entries(table: str) -> list[str]:
    return [entry.strip() for entry in table.replace("\n", " ").split(",") if entry.strip()]


# The player of the rulebook's scoring example.
EXAMPLE = (
    "1.1=b10 1.2=w18 1.3=y01 1.4=w10 1.5=n16r 2.1=b07r 2.2=y03r 2.3=w17 2.4=n08 3.1=b13 3.2=y07 3.3=w16r 4.1=b05r 4.2=y06r 5.1=y13 "
    "1L=n2 1R=b2 2L=w1 2R=b3 3L=y1 3R=n1 4L=w1 4R=n1 5L=b3 5R=n1 6L=b2 6R=n2"
)
