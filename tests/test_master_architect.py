"""Master Architect: the pieces, the worked examples of the rules, what holds in every game, the referee, the greedy players.

Positions are written as in the rules: `2.1=b08r` is large stone b08 turned in space 2.1, `6L=b2` a small blue stone with two
workers in 6L.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mastaba
from mastaba.baselines.agents import agent
from mastaba.envs.core.game import Game, State
from mastaba.envs.master_architect import components, pyramid, scoring
from mastaba.envs.master_architect.components import (
    CARDS,
    COLOURS,
    EXITS,
    LARGE_CELL,
    LARGE_SPACES,
    LARGE_STONES,
    MULTIPLIER,
    OPENINGS,
    ORIENTATIONS,
    PLACES,
    PORTS,
    SARCOPHAGI,
    SMALL_CELL,
    SMALL_SPACES,
    SMALL_STONES,
    SYMBOL,
    SYMBOLS,
)

from lockstep import load, play, uniform

TABLES = (1, 2, 3, 4)
GAMES_IN_LOCKSTEP = 40 * int(os.environ.get("MASTABA_LOCKSTEP", "1"))

# --- Positions ---------------------------------------------------------------------------------------------------------------

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
    """Seat 0 of two is about to take a stone. Boards, row, display and stocks are filled up with what is not named."""
    named = {stone.rstrip("r") for board in boards for stone in large(board).values()} | set(row.split()) | set(next_large.split())
    spare = iter([stone for stone in LARGE_STONES if stone not in named])
    rounds = max(len(large(board)) for board in boards)
    full = [fill_up(board, rounds, spare) for board in boards]
    row_stones = row.split() + [next(spare) for _ in range(5 - len(row.split()))]
    drawn_large = [stone.rstrip("r") for board in full for stone in large(board).values()] + row_stones
    drawn_small = [stone for board in boards for at, stone in spaces(board).items() if at in SMALL_SPACES]
    drawn_small += [stone for stones in (pile, *collections) for stone in stones.split()] + list(hands)
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
            bag=order(drawn_small, next_small.split(), [SMALL_STONES[i] for i in components.FULL_BAG]),
            small_drawn=len(drawn_small),
            card_deck=order(drawn_cards, next_cards, CARDS),
            cards_drawn=len(drawn_cards),
        )
    )


def fill_up(board: str, stones: int, spare: Iterator[str]) -> str:
    free = iter([at for at in SPARE_SPACES if at not in spaces(board)])
    return " ".join([board, *(f"{next(free)}={next(spare)}" for _ in range(stones - len(large(board))))])


def order(drawn: list[str], following: list[str] | tuple[str, ...], everything: object) -> list[str]:
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
    s = state.record[0]
    points = {
        "solid": scoring.solid_points(s, seat),
        "burial": s["burial"][seat],
        "symbols": scoring.symbol_points(s, seat),
        "workers": s["worker_points"][seat],
        "collection": scoring.collection_points(s, seat),
        "cards": scoring.card_points(s, seat),
    }
    assert sum(map(int, points.values())) == state.scores()[seat]
    return {name: int(value) for name, value in points.items()}


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


# --- The pieces --------------------------------------------------------------------------------------------------------------

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


def cell_of(space: str) -> int:
    return int(LARGE_CELL[LARGE_SPACES.index(space)] if space in LARGE_SPACES else SMALL_CELL[SMALL_SPACES.index(space)])


def test_large_stones_are_those_of_the_table():
    shown = [
        f"{LARGE_STONES[i]} {SARCOPHAGI[i]} {'-' if SYMBOL[i] < 0 else SYMBOLS[SYMBOL[i]]} {OPENINGS[i, 0]} {OPENINGS[i, 1]}"
        for i in range(74)
    ]
    assert shown == entries(LARGE_STONE_TABLE)


def test_counts_of_the_pieces():
    assert Counter(SARCOPHAGI.tolist()) == {0: 42, 1: 20, 2: 12}
    assert Counter(SYMBOL[SYMBOL >= 0].tolist()) == dict.fromkeys(range(5), 4)
    assert Counter(name[0] for name in LARGE_STONES) == {"b": 19, "n": 19, "y": 18, "w": 18}
    assert len(components.FULL_BAG) == 72
    assert len(set(CARDS)) == 20
    assert Counter(MULTIPLIER.tolist()) == {1: 9, 2: 5, 3: 1}
    assert EXITS[:, 63].sum() == 10
    assert len(architect().rules.actions) == 80


def test_contacts_are_those_of_the_table():
    touching = {entry.split(":")[0]: entry.split(":")[1].split() for entry in entries(CONTACT_TABLE)}
    assert sum(map(len, touching.values())) == 2 * 61
    for space, neighbours in touching.items():
        assert pyramid.neighbours(cell_of(space)) & components.ALL_CELLS == sum(cell_of(other) for other in neighbours)


def test_openings_face_the_spaces_of_the_table():
    for entry in entries(FACING_TABLE):
        space, multiplier, *facing = entry.split()
        assert MULTIPLIER[LARGE_SPACES.index(space)] == int(multiplier)
        for port, other in enumerate(facing):
            only_this = np.zeros(6, np.int64)
            only_this[port] = cell_of(space)
            reached = pyramid.linked(only_this, components.ALL_LARGE_CELLS & ~cell_of(space), cell_of(space))
            assert reached == (cell_of(other) if other in LARGE_SPACES else 0), f"{space} {PORTS[port]}"


def test_exits_lead_out_at_the_ends_of_a_level():
    for space, (level, pos) in enumerate(PLACES):
        assert EXITS[space, 1 << PORTS.index("W")] == (pos == 1)
        assert EXITS[space, 1 << PORTS.index("E")] == (pos == 6 - level)
        assert EXITS[space, 0b110110] == 0


# --- The rulebook's example player ---------------------------------------------------------------------------------------------

EXAMPLE = (
    "1.1=b10 1.2=w18 1.3=y01 1.4=w10 1.5=n16r 2.1=b07r 2.2=y03r 2.3=w17 2.4=n08 3.1=b13 3.2=y07 3.3=w16r 4.1=b05r 4.2=y06r 5.1=y13 "
    "1L=n2 1R=b2 2L=w1 2R=b3 3L=y1 3R=n1 4L=w1 4R=n1 5L=b3 5R=n1 6L=b2 6R=n2"
)
PICTURE = r"""
L6                                  /b2    n2\
                                   +----------+
L5                            /b3  | y13  @S  |  n1\
                                   +----------+
                             +--^-------++----------+
L4                      /w1  | b05r s1  =| y06r s2  =  n1\
                             +--v-------++----------+
                       +----------++--^-------++----------+
L3                /y1  | b13  @L  || y07  s2  |= w16r     =  n1\
                       +----------++----------++--v-------+
                 +----------++----------++-------^--++----------+
L2          /w1  | b07r s2  || y03r s1  == w17      || n08  s2  =  b3\
                 +-------v--++-------v--++-------v--++--v-------+
           +----------++--^-------++----------++----------++----------+
L1    /n2  = b10  @E  == w18      == y01  s1  |= w10  @L  == n16r     =  b2\
           +----------++-------v--++----------++----------++--v-------+
"""


def test_the_example_player_has_62_points():
    state = put_up(EXAMPLE, ("Set", "Priest", "Divine Path"), collected=7)
    assert sheet(state) == {"solid": 20, "burial": 11, "symbols": 7, "workers": 6, "collection": 3, "cards": 15}
    assert heights(state) == {"blue": 6, "brown": 6, "yellow": 5, "white": 3}
    assert card_values(state) == {"Set": 6, "Priest": 4, "Divine Path": 5}
    assert state.scores() == [62]


def test_every_card_alone_with_the_example_player():
    worth = {}
    for card in CARDS:
        worth |= card_values(put_up(EXAMPLE, (card,), collected=7))
    assert list(worth.values()) == [6, 4, 5, 5, 2, 4, 2, 5, 4, 4, 8, 4, 6, 6, 4, 3, 0, 3, 3, 0]


def test_priest_counts_as_a_symbol_for_thoth():
    assert card_values(put_up(EXAMPLE, ("Priest", "Thoth"))) == {"Priest": 4, "Thoth": 5}


def test_the_example_player_is_drawn_in_half_bricks():
    assert PICTURE.strip("\n") in str(put_up(EXAMPLE))


def test_empty_spaces_are_drawn_with_name_multiplier_and_card_pair():
    lines = str(put_up("1.1=b01")).splitlines()
    assert any("= b01  s1  |: 1.2  x2 *:: 1.3  x3  :: 1.4  x2 *:: 1.5  x1 *:" in line for line in lines)


# --- Turns ---------------------------------------------------------------------------------------------------------------------


def first_turns() -> State:
    return position(row="b01 n06 y13 w18 b09", next_large="y02 w06", next_small="w3 y1")


def test_t1_another_stone_costs_the_small_stone_in_hand():
    state = take_turns(first_turns(), "take 3")
    assert stones_of(state.to_dict()["pile"]) == "n2"
    assert state.to_dict()["stone_in_hand"] == "y13"
    assert len(legal(state)) == 15
    after = take_turns(state, "large 5.1").to_dict()
    assert after["row"] == ["b01", "n06", "w18", "b09", "y02"]
    assert after["hand"][0] == "w3"
    assert (after["current_player"], after["phase"], sum(after["pending"])) == (1, "take", 0)


def test_t2_the_red_stone_brings_all_small_stones():
    state = take_turns(first_turns(), "take 3", "large 5.1", "take first")
    assert state.to_dict()["stone_in_hand"] == "b01"
    assert stones_of(state.to_dict()["pending"]) == "b1 n2"
    assert sum(state.to_dict()["pile"]) == 0
    assert len(legal(state)) == 30
    take_turns(state, "large 2.1 r", "small 6L")
    assert state.to_dict()["small_stone"][1][SMALL_SPACES.index("6L")] == "b1"
    assert len(legal(state)) == 12
    after = take_turns(state, "small coll").to_dict()
    assert stones_of(after["collection"][1]) == "n2"
    assert after["row"] == ["n06", "w18", "b09", "y02", "w06"]
    assert (after["hand"][1], after["current_player"]) == ("y1", 0)


def test_t3_a_completed_pair_gives_a_card_before_the_small_stones():
    shown = ("Set", "Priest", "Osiris", "Nut")
    state = position(("1.1=b01", ""), row="b02 n06 y13 w18 b09", display=shown, next_cards=("Ra",))
    take_turns(state, "take first", "large 1.2")
    assert state.phase() == "card"
    assert legal(state) == ["card 1", "card 2", "card 3", "card 4"]
    assert stones_of(state.to_dict()["pending"]) == "n2"
    take_turns(state, "card 3")
    assert state.to_dict()["cards"][0] == ["Osiris", None, None]
    assert state.to_dict()["display"] == ["Set", "Priest", "Ra", "Nut"]
    assert state.phase() == "small"
    assert len(legal(state)) == 13


def test_t4_the_vizier_pays_nothing():
    state = position(("1.1=b01 1.2=b03", ""), row="b02 n06", pile="y3", cards=(("Vizier",), ()))
    after = take_turns(state, "take 2").to_dict()
    assert after["stone_in_hand"] == "n06"
    assert stones_of(after["pending"]) == "n2"
    assert stones_of(after["pile"]) == "y3"


def test_r33_the_vizier_changes_nothing_with_the_red_stone():
    state = position(("1.1=b01 1.2=b03", ""), row="b02 n06", pile="y3", cards=(("Vizier",), ()))
    assert stones_of(take_turns(state, "take first").to_dict()["pending"]) == "n2 y3"


def test_r32_the_vizier_gives_no_refund_for_the_turn_that_gained_it():
    state = position(("1.1=b01", ""), row="b02 b03", display=("Vizier",))
    after = take_turns(state, "take 2", "large 1.2", "card 1").to_dict()
    assert stones_of(after["pile"]) == "n2"
    assert (after["current_player"], sum(after["pending"])) == (1, 0)


FULL_BUT_6R = "1L=b1 1R=b1 2L=n1 2R=n1 3L=y1 3R=y1 4L=w1 4R=w1 5L=b1 5R=n1 6L=w1"


def test_t5_the_overseer_draws_three_stones_and_a_full_pyramid_collects_the_rest():
    state = position((f"1.1=b01 {FULL_BUT_6R}", ""), row="b02", display=("Set", "Overseer"), next_small="w3 y1 b2 y2")
    take_turns(state, "take first", "large 1.2", "card 2")
    assert stones_of(state.to_dict()["pending"]) == "b2 n2 y1 w3"
    assert legal(state) == ["small 6R", "small coll"]
    after = take_turns(state, "small coll", "small 6R").to_dict()
    assert after["small_stone"][0][SMALL_SPACES.index("6R")] == "n2"
    assert stones_of(after["collection"][0]) == "b2 y1 w3"
    assert (after["hand"][0], after["current_player"]) == ("y2", 1)


def test_r37_the_overseer_draws_what_is_left():
    state = position(("1.1=b01", ""), row="b02", display=("Set", "Overseer"))
    take_turns(state, "take first", "large 1.2")
    state.record["small_drawn"] = 70  # no position of a game: such a bag is refused
    after = take_turns(state, "card 2").to_dict()
    assert sum(after["pending"]) == 1 + 2
    assert after["small_drawn"] == 72


def with_surveyor() -> State:
    state = position(("4.1=b01 1L=b1 6R=w3", ""), row="n01 n02 n03 b02", display=("Set", "Surveyor"))
    return take_turns(state, "take 4", "large 4.2", "card 2")


def test_t6_the_surveyor_lifts_two_stones_to_be_placed_again():
    state = with_surveyor()
    assert stones_of(state.to_dict()["pile"]) == "n2"
    assert legal(state) == ["lift 1L", "lift 6R", "done"]
    take_turns(state, "lift 6R", "lift 1L")
    assert stones_of(state.to_dict()["pending"]) == "b1 w3"
    assert len(legal(state)) == 13
    after = take_turns(state, "small 6R", "small coll").to_dict()
    assert after["small_stone"][0] == [*[None] * 11, "b1"]
    assert stones_of(after["collection"][0]) == "w3"


def test_r36_the_surveyor_may_stop_after_one_stone_or_none():
    assert with_surveyor().current_player() == 0
    assert take_turns(with_surveyor(), "done").current_player() == 1
    once = take_turns(with_surveyor(), "lift 1L", "done")
    assert (once.phase(), stones_of(once.to_dict()["pending"])) == ("small", "b1")


def test_r36_the_surveyor_has_nothing_to_do_without_small_stones():
    state = position(("4.1=b01", ""), row="n01 n02 n03 b02", display=("Surveyor",))
    assert take_turns(state, "take 4", "large 4.2", "card 1").current_player() == 1


def test_t7_with_two_stones_the_second_of_an_exchange_is_forced():
    state = position(("1.4=b08", ""), row="b02 n06", display=("Set", "Stonemason"))
    take_turns(state, "take 2", "large 1.5 r", "card 2")
    assert legal(state) == ["swap 1.4", "swap 1.5", "done"]
    after = take_turns(state, "swap 1.4").to_dict()
    fourth, fifth = LARGE_SPACES.index("1.4"), LARGE_SPACES.index("1.5")
    assert (after["large_stone"][0][fourth], after["large_turned"][0][fourth]) == ("n06", True)
    assert (after["large_stone"][0][fifth], after["large_turned"][0][fifth]) == ("b08", False)
    assert after["current_player"] == 1


def test_r35_with_three_stones_the_second_of_an_exchange_is_chosen():
    state = position(("1.4=b08 5.1=w01", ""), row="b02 n06", display=("Stonemason",))
    take_turns(state, "take 2", "large 1.5", "card 1", "swap 1.5")
    assert legal(state) == ["swap 1.4", "swap 5.1"]
    stones = take_turns(state, "swap 5.1").to_dict()["large_stone"][0]
    assert (stones[LARGE_SPACES.index("1.5")], stones[LARGE_SPACES.index("5.1")]) == ("w01", "n06")


def test_an_exchange_may_be_declined():
    state = position(("1.4=b08", ""), row="b02 n06", display=("Stonemason",))
    assert take_turns(state, "take 2", "large 1.5", "card 1", "done").current_player() == 1


def test_declining_an_exchange_leaves_the_lifts_that_a_surveyor_could_not_use():
    """Section 5: only the `done` of LIFT sets lifts_left to 0. Found by the referee in one of 320 random games."""
    state = position(("1.4=b08", ""), row="b02 n06", display=("Stonemason",)).replace(lifts_left=1)
    assert take_turns(state, "take 2", "large 1.5", "card 1", "done").to_dict()["lifts_left"] == 1


def test_t8_full_small_spaces_send_all_small_stones_to_the_collection():
    state = position((f"{FULL_BUT_6R} 6R=b3", ""), pile="y1 y3")
    after = take_turns(state, "take first", "large 2.2").to_dict()
    assert stones_of(after["collection"][0]) == "n2 y1 y3"
    assert after["current_player"] == 1


def before_the_last_stones() -> State:
    second = "1.1=b01 1.2=b02 1.3=b03 1.4=b04 1.5=b06 2.1=b09 2.2=b11 2.3=b12 2.4=b14 3.1=n01 3.2=n02 3.3=n03 4.1=n04 4.2=n05"
    return position(
        boards=(EXAMPLE.replace("5.1=y13 ", ""), second),
        hands=("w1", "y1"),
        row="y13 n06 y12 w01 w04",
        pile="y2 y3",
        collections=("b1 b1 n1 y1", ""),
        cards=(("Set", "Priest", "Divine Path"), ("Ra", "Nut", "Osiris")),
        next_large="w05",
    )


def test_t9_the_last_stone_of_a_player_is_forced_and_nothing_is_drawn_for_it():
    after = take_turns(before_the_last_stones(), "take first").to_dict()
    assert after["large_stone"][0][14] == "y13"
    assert sum(after["collection"][0]) == 7
    assert after["row"] == ["n06", "y12", "w01", "w04", "w05"]
    assert after["hand"] == [None, "y1", None, None]
    assert (after["current_player"], after["turn"], after["phase"]) == (1, 29, "take")


def test_t9_the_game_ends_without_a_refill():
    state = take_turns(before_the_last_stones(), "take first")
    drawn = state.to_dict()["large_drawn"]
    take_turns(state, "take 4", "large 5.1 r")
    after = state.to_dict()
    assert state.is_terminal()
    assert (after["phase"], after["row"][3], after["large_drawn"]) == ("over", None, drawn)
    assert state.scores() == [62, 13]
    assert sheet(state, seat=1) == {"solid": 2, "burial": 4, "symbols": 7, "workers": 0, "collection": 0, "cards": 0}
    assert after["winners"] == ["seat 0"]
    assert state.standings() == [0, 1]
    assert state.returns() == [1.0, -1.0]


# --- Scores --------------------------------------------------------------------------------------------------------------------


def test_s1_small_stones_of_a_slope_touch_by_their_corners():
    assert heights(put_up("1L=b1 2L=b1 3L=b1 4L=b1 5L=b1 6L=b1"))["blue"] == 6


def test_s2_a_line_must_stand_on_the_ground():
    floating = heights(put_up("1.1=n01 2L=b1 3L=b1 4L=b1 5L=b1 6L=b1"))
    assert (floating["blue"], floating["brown"]) == (0, 1)
    assert heights(put_up("1.1=b01 2L=b1 3L=b1 4L=b1 5L=b1 6L=b1"))["blue"] == 6


def test_s3_a_line_may_run_sideways():
    reached = heights(put_up("1.1=w01 2.1=w02 2.2=w03 3.2=w04 4.2=w05 5R=w1 6R=w2 3.1=b01"))
    assert (reached["white"], reached["blue"]) == (6, 0)


def test_s4_a_line_may_run_from_right_to_left():
    assert heights(put_up("1.5=y01 2.4=y02 2.3=y03 2.2=y04 3.1=y05 4L=y1"))["yellow"] == 4


@pytest.mark.parametrize(
    "board, burial, exits",
    [
        ("2.1=b08", 2, 1),
        ("2.1=b08r", 0, 0),
        ("3.1=b07", 0, 0),
        ("3.1=b07r 2.2=n19", 0, 0),
        ("3.1=b07r 2.2=n19 2.1=b18", 2, 1),
        ("1.2=y02 1.1=n04", 0, 0),
        ("1.2=y02 1.1=n02", 3, 1),
        ("1.2=y02 1.1=n02 1.3=w06r", 9, 1),
    ],
)
def test_s5_s6_s7_sarcophagi_count_when_chambers_lead_to_the_edge(board, burial, exits):
    state = put_up(board)
    assert (state.record["burial"][0][0], state.record["exits"][0][0]) == (burial, exits)


def test_s8_the_top_stone_may_have_two_exits():
    state = put_up("5.1=w18", ("Divine Path",))
    assert state.record["exits"][0][0] == 2
    assert card_values(state) == {"Divine Path": 2}


def test_s9_a_full_set_of_symbols_leaves_nothing_to_the_priest():
    state = put_up("1.1=b09 1.2=b10 1.3=b11 1.4=b12 1.5=b13", ("Priest", "Thoth"))
    assert sheet(state)["symbols"] == 16
    assert card_values(state) == {"Priest": 0, "Thoth": 6}


def test_s10_the_priest_counts_as_the_first_symbol():
    state = put_up("1.1=b01", ("Priest",))
    assert sheet(state) == {"solid": 1, "burial": 1, "symbols": 0, "workers": 0, "collection": 0, "cards": 2}


def test_s11_balanced_workers():
    state = put_up("1L=b3 1R=w3 2L=y2 3L=n1 3R=n2 6L=w1 6R=b1", ("Maat", "Osiris"))
    assert sheet(state) == {"solid": 2, "burial": 0, "symbols": 0, "workers": 4, "collection": 0, "cards": 5}
    assert card_values(state) == {"Maat": 2, "Osiris": 3}
    assert state.scores() == [11]


def test_s12_the_treasurer_pays_for_every_collected_stone():
    state = put_up("1L=b3", ("Treasurer",), collected=5)
    assert sheet(state) == {"solid": 1, "burial": 0, "symbols": 0, "workers": 0, "collection": 2, "cards": 3}


def test_s13_ptah_wants_all_colours_on_a_level():
    board = "1L=w1 1.1=b01 1.2=n03 1.3=y02 4L=b1 4.1=n01 4.2=y01 4R=w2 5L=b1 5.1=n02 5R=w1"
    assert card_values(put_up(board, ("Ptah",))) == {"Ptah": 4}


def test_s14_nut_and_khepri_like_high_lines():
    state = put_up("1L=b1 2L=b1 3L=b1 4L=b1 1R=n1 2R=n1 3R=n1 4R=n1 5R=n2", ("Nut", "Khepri"))
    assert sheet(state) == {"solid": 9, "burial": 0, "symbols": 0, "workers": 4, "collection": 0, "cards": 9}
    assert card_values(state) == {"Nut": 4, "Khepri": 5}
    assert state.scores() == [22]


def test_s15_hidden_tombs_are_those_without_a_way_out():
    state = put_up("1.1=b06 1.2=n06 1.3=y08r", ("Hidden Tomb", "Set"))
    assert sheet(state) == {"solid": 3, "burial": 2, "symbols": 0, "workers": 0, "collection": 0, "cards": 6}
    assert card_values(state) == {"Hidden Tomb": 4, "Set": 2}


def tied(first: str, second: str, first_collected: int, second_collected: int) -> State:
    """Two solo pyramids at one table."""
    state = architect(2).new_initial_state(seed=0)
    for seat, (board, collected) in enumerate(((first, first_collected), (second, second_collected))):
        state.record["small_stone"][0][seat] = put_up(board).record["small_stone"][0][0]
        state.record["collection"][0][seat][0] = collected
    state.game.kernels.derive(state.record)
    return state


def test_s16_ties_are_broken_by_small_stones_in_pyramid_and_collection():
    ahead = tied("1L=b1", "1L=b1", 3, 2)
    assert ahead.scores() == [2, 2]
    assert ahead.standings() == [0, 1]
    assert tied("1L=b1", "1L=b1", 2, 2).standings() == [0, 0]
    assert tied("1L=b1 5L=b1", "1L=b1", 2, 3).standings() == [0, 0]  # a stone counts the same in pyramid and Collection


def test_s16_joint_winners_share_the_victory():
    """Two pyramids that are mirror images of each other, cards included."""
    left = "1.1=b01 1.2=b02 1.3=b03 1.4=b04 1.5=b05 2.1=b06 2.2=b07 2.3=b08 2.4=y01 3.1=y02 3.2=y03 3.3=y04 4.1=y05 4.2=y06"
    right = " ".join(f"{mirror_space(at)}={mirror_stone(stone)}" for at, stone in spaces(left).items())
    cards = (("Hapi", "Ra", "Stonemason"), ("Geb", "Khonsu", "Surveyor"))
    state = position((left, right), row="b09 y13 w13", cards=cards)
    take_turns(state, "take 2", "take 2")
    assert state.is_terminal()
    assert state.scores()[0] == state.scores()[1]
    assert state.to_dict()["winners"] == ["seat 0", "seat 1"]
    assert state.standings() == [0, 0]
    assert state.returns() == [0.0, 0.0]


def test_alone_the_result_is_the_score():
    *_, end = random_states(1, seed=5)
    assert end.returns() == [end.scores()[0] / 100]
    assert end.to_dict()["winners"] == ["seat 0"]


# --- What holds in every game ------------------------------------------------------------------------------------------------

GAMES = {"num_players": st.sampled_from(TABLES), "seed": st.integers(0, 2**32 - 1)}
FEW = settings(max_examples=12, deadline=None)


@FEW
@given(**GAMES)
def test_i1_to_i5_every_position_is_consistent(num_players, seed):
    for state in random_states(num_players, seed):
        assert list(state.game.rules.violations(state.record[0])) == []


@FEW
@given(**GAMES)
def test_tallies_that_grow_equal_tallies_made_anew(num_players, seed):
    for state in random_states(num_players, seed):
        anew = state.clone()
        state.game.kernels.derive(anew.record)
        assert anew == state


@FEW
@given(**GAMES)
def test_i6_stones_stay_where_they_are(num_players, seed):
    before = None
    for state in random_states(num_players, seed):
        now = state.record[0]
        if before is not None:
            assert ((before["large_stone"] < 0) | (now["large_stone"] >= 0)).all()
            assert ((before["small_stone"] < 0) | (now["small_stone"] >= 0)).all() or before["phase"] == 6
            assert (now["collection"] >= before["collection"]).all()
            assert now["turn"] >= before["turn"]
        before = now.copy()


@FEW
@given(**GAMES)
def test_i7_stocks_shrink_with_the_turns(num_players, seed):
    for state in random_states(num_players, seed):
        d = state.to_dict()
        overseer = any("Overseer" in held for held in d["cards"])
        assert d["large_drawn"] == 5 + d["turn"] - state.is_terminal()
        assert d["cards_drawn"] == 4 + sum(card is not None for held in d["cards"] for card in held)
        assert d["small_drawn"] == num_players + min(d["turn"], 14 * num_players) + 3 * overseer


@FEW
@given(**GAMES)
def test_i8_the_pile_grows_stone_by_stone_and_goes_with_the_red_stone(num_players, seed):
    rng = np.random.default_rng(seed)
    state = architect(num_players).new_initial_state(seed=seed)
    while not state.is_terminal():
        before, action = state.to_dict()["pile"], uniform(state, rng)
        state.apply_action(action)
        after = state.to_dict()["pile"]
        if state.action_to_string(action) == "take first":
            assert sum(after) == 0
        else:
            assert sum(after) - sum(before) in (0, 1)


@FEW
@given(**GAMES)
def test_i9_points_stay_within_their_bounds(num_players, seed):
    *_, end = random_states(num_players, seed)
    s = end.record[0]
    for p in range(num_players):
        points = sheet(end, p)
        assert points["solid"] <= 21
        assert (s["height"][p] == 6).sum() <= 2
        assert points["burial"] <= 41
        assert points["symbols"] in (0, 2, 4, 7, 11, 16)
        assert points["workers"] <= 18
        assert s["exits"][p] <= 10
        assert s["edge_sarcophagi"][p] + s["inner_sarcophagi"][p] <= s["sarcophagi"][p]


@FEW
@given(**GAMES)
def test_i10_there_is_always_a_choice(num_players, seed):
    sizes = {"take": {5}, "card": {4}}
    for state in random_states(num_players, seed):
        if not state.is_terminal():
            number = len(state.legal_actions())
            assert number >= 2
            assert number in sizes.get(state.phase(), {number})


@FEW
@given(**GAMES)
def test_i11_a_game_has_fifteen_turns_each(num_players, seed):
    for state in random_states(num_players, seed):
        d = state.to_dict()
        assert state.is_terminal() == (d["turn"] == 15 * num_players)
        assert d["decisions"] <= 48 * num_players + 9
    assert all(None not in stones for stones in d["large_stone"][:num_players])
    assert all(None not in held for held in d["cards"][:num_players])


@FEW
@given(**GAMES)
def test_i13_small_stones_never_hurt(num_players, seed):
    *_, end = random_states(num_players, seed)
    rng = np.random.default_rng(seed)
    more = end.clone()
    more.record["collection"][0][0][0] += 1
    more.game.kernels.derive(more.record)
    assert more.scores()[0] >= end.scores()[0]
    for card in ("Osiris", "Maat", "Ptah", "Nut", "Khepri"):
        filled, emptied = end.clone(), end.clone()
        space = int(rng.integers(12))
        filled.record["small_stone"][0][0][space] = rng.integers(12)
        emptied.record["small_stone"][0][0][space] = -1
        for state in (filled, emptied):
            state.record["cards"][0][0] = [CARDS.index(card), -1, -1]
            state.game.kernels.derive(state.record)
        with_stone, without = sheet(filled), sheet(emptied)
        assert all(with_stone[part] >= without[part] for part in ("solid", "workers", "cards"))


@FEW
@given(**GAMES)
def test_i15_turning_a_symmetric_stone_changes_no_score(num_players, seed):
    *_, end = random_states(num_players, seed)
    turned = end.clone()
    symmetric = ORIENTATIONS[turned.record["large_stone"][0]] == 1
    turned.record["large_turned"][0] ^= symmetric & (turned.record["large_stone"][0] >= 0)
    turned.game.kernels.derive(turned.record)
    assert turned.scores() == end.scores()


@FEW
@given(**GAMES)
def test_i17_winners_have_most_points_and_then_most_small_stones(num_players, seed):
    *_, end = random_states(num_players, seed)
    d = end.to_dict()
    merits = [
        (score, sum(stone is not None for stone in d["small_stone"][p]) + sum(d["collection"][p]))
        for p, score in enumerate(end.scores())
    ]
    assert d["winners"] == [f"seat {p}" for p, merit in enumerate(merits) if merit == max(merits)]
    assert [rank == 0 for rank in end.standings()] == [merit == max(merits) for merit in merits]


# --- I14: left and right are alike -------------------------------------------------------------------------------------------

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


@settings(max_examples=4, deadline=None)
@given(**GAMES)
def test_i14_the_mirror_image_of_a_game_is_the_same_game(num_players, seed):
    rng = np.random.default_rng(seed)
    game = architect(num_players)
    state = game.new_initial_state(seed=seed)
    while True:
        image = mirrored(state)
        assert [sheet(image, p) for p in range(num_players)] == [sheet(state, p) for p in range(num_players)]
        assert image.legal_actions() == sorted(mirror_action(game, action) for action in state.legal_actions())
        if state.is_terminal():
            break
        action = uniform(state, rng)
        same_stone_next = state.phase() != "small" or sum(state.to_dict()["pending"]) == 1  # types are placed in order of colour
        state.apply_action(action)
        if same_stone_next:
            image.apply_action(mirror_action(game, action))
            assert image == mirrored(state)


# --- Positions that cannot be ------------------------------------------------------------------------------------------------


def changed(values: list, index: int, value: object) -> list:
    return [*values[:index], value, *values[index + 1 :]]


@pytest.mark.parametrize(
    "field, spoil",
    [
        ("row", lambda d: changed(d["row"], 0, d["row"][1])),
        ("large_deck", lambda d: changed(d["large_deck"], 73, d["large_deck"][0])),
        ("small_drawn", lambda d: changed(d["pile"], 0, 1)),
        ("bag", lambda d: changed(d["bag"], 0, "b1" if d["bag"][0] != "b1" else "n1")),
        ("display", lambda d: changed(d["display"], 0, d["display"][1])),
        ("turn", lambda d: 30),
        ("current_player", lambda d: 1),
        ("large_stone", lambda d: 2),
        ("hand", lambda d: changed(d["hand"], 1, None)),
        ("stone_in_hand", lambda d: "large"),
        ("hole", lambda d: 3),
        ("swap_first", lambda d: "1.1"),
        ("winners", lambda d: ["seat 1"]),
        ("large_turned", lambda d: [[True] * 15, *d["large_turned"][1:]]),
        ("num_players", lambda d: changed(d["hand"], 3, "b1")),
    ],
)
def test_inconsistent_positions_are_refused_by_field(field, spoil):
    written_to = {"small_drawn": "pile", "large_stone": "turn", "stone_in_hand": "phase", "num_players": "hand"}.get(field, field)
    state = architect(2).new_initial_state(seed=3)
    spoilt = {**state.to_dict(), written_to: spoil(state.to_dict())}
    record = state.game.rules.schema.from_dict(spoilt)
    assert field in {name for name, _ in state.game.rules.violations(record[0])}
    with pytest.raises(ValueError, match=r"^\w+: "):
        state.game.from_dict(spoilt)


def heaped(state: State, stones: int) -> dict:
    """A position with so many more stones of the bag on the red stone."""
    d = state.to_dict()
    drawn = d["small_drawn"]
    heap = counts(" ".join(d["bag"][drawn : drawn + stones]))
    return {**d, "pile": [a + b for a, b in zip(d["pile"], heap, strict=True)], "small_drawn": drawn + stones}


@pytest.mark.parametrize("num_players", TABLES)
def test_r39_a_bag_that_would_run_out_is_refused(num_players):
    """All but the 15 stones of each player and the Overseer's three are to spare, as long as anything is to be drawn."""
    overseer_seen = set()
    for state in (s for seed in range(24 // num_players) for s in random_states(num_players, seed)):
        if state.phase() != "take" or state.to_dict()["turn"] >= 14 * num_players:
            continue
        cards = [card for held in state.to_dict()["cards"] for card in held if card]
        overseer_counts = "Overseer" in cards or len(cards) < 3 * num_players
        to_spare = 72 - 15 * num_players - 3 * overseer_counts
        state.game.from_dict(heaped(state, to_spare))
        with pytest.raises(ValueError, match=r"^small_drawn: .* left in the bag"):
            state.game.from_dict(heaped(state, to_spare + 1))
        overseer_seen.add("Overseer" in cards)
    assert overseer_seen == {False, True}


@pytest.mark.parametrize("num_players", TABLES)
def test_r39_the_smallest_bag_lasts_to_the_end(num_players):
    game = architect(num_players)
    for seed in range(10):
        start = game.from_dict(heaped(game.new_initial_state(seed=seed), 72 - 15 * num_players - 3))
        end = play(game, seed, start=start).to_dict()
        overseer = any("Overseer" in held for held in end["cards"])
        assert end["small_drawn"] == 72 - 3 * (not overseer)


@pytest.mark.parametrize(
    "phase, field, value",
    [("card", "cards", None), ("small", "pending", [0] * 12), ("lift", "lifts_left", 0), ("swap second", "swap_first", "5.1")],
)
def test_what_is_under_way_belongs_to_the_phase(phase, field, value):
    for seed in range(300):
        for state in random_states(2, seed):
            if state.phase() == phase and state.to_dict()["large_stone"][state.current_player()][14] is None:
                d = state.to_dict()
                spoilt = {**d, "phase": "small"} if phase == "card" else {**d, field: value}
                record = state.game.rules.schema.from_dict(spoilt)
                assert field in {name for name, _ in state.game.rules.violations(record[0])}
                return
    pytest.fail(f"no position in phase {phase}")


# --- The referee -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", TABLES)
def test_random_games_in_lockstep_with_the_referee(num_players):
    game = architect(num_players)
    for seed in range(GAMES_IN_LOCKSTEP):
        play(game, seed)


@pytest.mark.parametrize("policy", ["greedy0", "greedy"])
@pytest.mark.parametrize("num_players", TABLES)
def test_greedy_games_in_lockstep_with_the_referee(num_players, policy):
    game = architect(num_players)
    player = chooser(game, policy)

    def sometimes(state: State, rng: np.random.Generator) -> int:
        return uniform(state, rng) if rng.random() < 0.1 else player(state, rng)

    for seed in range(max(5, GAMES_IN_LOCKSTEP // 8)):
        play(game, seed, choose=sometimes)


def test_random_games_reach_every_phase_and_every_kind_of_action():
    phases, kinds = set(), set()
    actions = architect().rules.actions
    for seed in range(60):
        for state in random_states(2, seed):
            phases.add(state.phase())
            kinds |= {actions.kind_of(action) for action in state.legal_actions()}
    assert phases == set(architect().rules.schema.by_name["phase"].names)
    assert kinds == set(actions.starts)


# --- The greedy players ------------------------------------------------------------------------------------------------------


def chooser(game: Game, name: str):
    player = agent(game, name, seed=0)
    return lambda state, rng: int(player.choose(state.record, state._padded_mask)[0])


CONTACTS = {entry.split(":")[0]: entry.split(":")[1].split() for entry in entries(CONTACT_TABLE)}
FACING = {entry.split()[0]: entry.split()[2:] for entry in entries(FACING_TABLE)}


def distances(sources: dict[str, int], step_costs: dict[str, dict[str, int]]) -> dict[str, int]:
    """Cheapest ways by relaxation: costs of the sources, then of every step."""
    found = dict(sources)
    changed_one = True
    while changed_one:
        changed_one = False
        for here in list(found):
            for there, cost in step_costs[here].items():
                if found[here] + cost < found.get(there, 99):
                    found[there] = found[here] + cost
                    changed_one = True
    return found


def plain_value(d: dict, p: int) -> float:
    """The value of a pyramid for `greedy`, written down as the rules of the baseline say it."""
    stones = {at: s for at, s in zip(LARGE_SPACES, d["large_stone"][p], strict=True) if s}
    turned = dict(zip(LARGE_SPACES, d["large_turned"][p], strict=True))
    smalls = {at: s for at, s in zip(SMALL_SPACES, d["small_stone"][p], strict=True) if s}
    colour = {at: s[0] for at, s in (stones | smalls).items()}
    cards = d["cards"][p]
    f = (15 - len(stones)) / 15
    total, top = 0.0, dict.fromkeys("bnyw", 0)

    for q in "bnyw":
        cost = {at: 1 if at not in colour else 0 for at in CONTACTS if colour.get(at, q) == q}
        steps = {at: {to: cost[to] for to in CONTACTS[at] if to in cost} for at in cost}
        reach = distances({at: cost[at] for at in cost if at[0] == "1"}, steps)
        total += max([int(at[0]) * 0.8**far for at, far in reach.items()], default=0)
        top[q] = max([int(at[0]) for at, far in reach.items() if far == 0], default=0)

    ports = dict.fromkeys(LARGE_SPACES, 63) | {
        at: int(OPENINGS[LARGE_STONES.index(s), int(turned[at])]) for at, s in stones.items()
    }
    cost = {at: int(at not in stones) for at in LARGE_SPACES}
    steps = {
        at: {
            to: cost[to]
            for port, to in enumerate(FACING[at])
            if to in cost and ports[at] >> port & 1 and ports[to] >> (port + 3) % 6 & 1
        }
        for at in cost
    }
    outlets = {at: cost[at] for i, at in enumerate(LARGE_SPACES) if EXITS[i, ports[at]]}
    reach = distances(outlets, steps)
    for at, stone in stones.items():
        tombs, multiplier = SARCOPHAGI[LARGE_STONES.index(stone)], MULTIPLIER[LARGE_SPACES.index(at)]
        weight = 0.65 ** reach[at] if at in reach else 0.0
        multiplier += ("Set" in cards) if multiplier == 1 else ("Anubis" in cards)
        total += tombs * multiplier * weight + ("Hidden Tomb" in cards) * tombs * (1 - weight)

    shown = [SYMBOL[LARGE_STONES.index(s)] for s in stones.values() if SYMBOL[LARGE_STONES.index(s)] >= 0]
    kinds = min(5, len(set(shown)) + ("Priest" in cards))
    total += f * 3.2 * kinds + (1 - f) * (0, 2, 4, 7, 11, 16)[kinds]

    for level in "123456":
        workers = [int(smalls[level + side][1]) for side in "LR" if level + side in smalls]
        if len(workers) == 2 and workers[0] == workers[1]:
            total += workers[0] + ("Maat" in cards)
        elif len(workers) == 1:
            total += 0.4 * (workers[0] + ("Maat" in cards))

    total += sum(d["collection"][p]) * (1.0 if "Treasurer" in cards else 0.5)
    by_colour = dict(zip("bnyw", ("Hapi", "Geb", "Ra", "Khonsu"), strict=True))
    per_level = [len({colour[at] for at in colour if at[0] == level}) for level in "1234"]
    total += ("Osiris" in cards) * sum(int(s[1]) for s in smalls.values()) / 4
    total += ("Divine Path" in cards) * sum(EXITS[LARGE_SPACES.index(at), ports[at]] for at in stones)
    total += sum(by_colour[s[0]] in cards for s in stones.values())
    total += ("Thoth" in cards) * len(shown)
    total += ("Nut" in cards) * sum((0, 0.1, 0.4, 1, 2, 2, 2)[h] for h in top.values())
    total += ("Khepri" in cards) * max(top.values())
    total += ("Ptah" in cards) * sum((0, 0.2, 0.6, 1.2, 2)[number] for number in per_level)
    for a, b in (("1.1", "1.2"), ("1.4", "1.5"), ("4.1", "4.2")):
        total += f * (0, 0.5, 2)[(a in stones) + (b in stones)]
    return float(total)


def with_large(d: dict, p: int, stone: str, space: int, turn: bool) -> dict:
    seats = d["large_stone"], d["large_turned"]
    stones, turns = (changed(rows, p, changed(rows[p], space, value)) for rows, value in zip(seats, (stone, turn), strict=True))
    return {**d, "large_stone": stones, "large_turned": turns}


def with_small(d: dict, p: int, stone: str, space: int) -> dict:
    if space == 12:
        number = SMALL_STONES.index(stone)
        more = changed(d["collection"][p], number, d["collection"][p][number] + 1)
        return {**d, "collection": changed(d["collection"], p, more)}
    return {**d, "small_stone": changed(d["small_stone"], p, changed(d["small_stone"][p], space, stone))}


def placements(d: dict, p: int, stone: str) -> dict[tuple[int, int], float]:
    """The value of every way to place a large stone."""
    return {
        (space, turn): plain_value(with_large(d, p, stone, space, bool(turn)), p)
        for space in range(15)
        if d["large_stone"][p][space] is None
        for turn in range(ORIENTATIONS[LARGE_STONES.index(stone)])
    }


def exchanged(d: dict, p: int, a: int, b: int) -> dict:
    stones, turns = d["large_stone"][p], d["large_turned"][p]
    return with_large(with_large(d, p, stones[b], a, turns[b]), p, stones[a], b, turns[a])


PRIOR = (5, 4, 5, 6.5, 6, 5, 5, 5, 5, 5, 5.5, 5, 4.5, 5.5, 4, 3)


def plain_take(state: State, d: dict, p: int) -> dict[str, float]:
    gains = [1 + sum(d["pile"]), *[int("Vizier" in d["cards"][p])] * 4]
    empty = d["small_stone"][p].count(None)
    worth = [1.2 * min(gain, empty) + 0.5 * max(0, gain - empty) for gain in gains]
    names = ("take first", "take 2", "take 3", "take 4", "take 5")
    return {name: max(placements(d, p, d["row"][slot]).values()) + worth[slot] for slot, name in enumerate(names)}


def plain_large(state: State, d: dict, p: int) -> dict[str, float]:
    return {f"large {LARGE_SPACES[s]}{' r' * t}": v for (s, t), v in placements(d, p, d["stone_in_hand"]).items()}


def plain_card(state: State, d: dict, p: int) -> dict[str, float]:
    values = {}
    empty_large, empty_small = d["large_stone"][p].count(None), d["small_stone"][p].count(None)
    later = {"Overseer": 3.5 if empty_small >= 3 else 1.5, "Stonemason": 3.5, "Surveyor": 3.5, "Vizier": 0.7 * empty_large}
    for slot, card in enumerate(d["display"]):
        owner = state.clone()
        owner.record["cards"][0][p][d["cards"][p].index(None)] = CARDS.index(card)
        state.game.kernels.derive(owner.record)
        gain = owner.scores()[p] - state.scores()[p]
        prior = later[card] if card in later else PRIOR[CARDS.index(card)]
        values[f"card {slot + 1}"] = (1 - empty_large / 15) * gain + empty_large / 15 * prior
    return values


def plain_small(state: State, d: dict, p: int, stone: str = "") -> dict[str, float]:
    stone = stone or stones_of(d["pending"]).split()[0]
    choices = [space for space in range(13) if space == 12 or d["small_stone"][p][space] is None]
    return {f"small {(*SMALL_SPACES, 'coll')[at]}": plain_value(with_small(d, p, stone, at), p) for at in choices}


def plain_swap_second(state: State, d: dict, p: int, first: str = "") -> dict[str, float]:
    a = LARGE_SPACES.index(first or d["swap_first"])
    others = [b for b in range(15) if b != a and d["large_stone"][p][b]]
    return {f"swap {LARGE_SPACES[b]}": plain_value(exchanged(d, p, a, b), p) for b in others}


def plain_swap_first(state: State, d: dict, p: int) -> dict[str, float]:
    filled = [at for at, stone in zip(LARGE_SPACES, d["large_stone"][p], strict=True) if stone]
    values = {f"swap {at}": max(plain_swap_second(state, d, p, at).values()) for at in filled}
    return {**values, "done": plain_value(d, p)}


def plain_lift(state: State, d: dict, p: int) -> dict[str, float]:
    values = {"done": plain_value(d, p) + 0.25}
    for at, (name, stone) in enumerate(zip(SMALL_SPACES, d["small_stone"][p], strict=True)):
        if stone:
            lifted = {**d, "small_stone": changed(d["small_stone"], p, changed(d["small_stone"][p], at, None))}
            values[f"lift {name}"] = max(plain_small(state, lifted, p, stone).values())
    return values


PLAIN = {
    "take": plain_take,
    "large": plain_large,
    "card": plain_card,
    "small": plain_small,
    "swap first": plain_swap_first,
    "swap second": plain_swap_second,
    "lift": plain_lift,
}


def test_greedy_chooses_what_a_plain_reading_of_its_rules_chooses():
    """In every phase. Values may differ in the last digit, so one of nearly equal actions will do."""
    game = architect(2)
    greedy = chooser(game, "greedy")
    rng = np.random.default_rng(1)
    share = {"take": 0.1, "large": 0.3, "small": 0.3, "swap first": 0.5}  # of the positions looked at: the plain reading is slow
    looked_at = Counter()
    seed = 0
    while len(looked_at) < len(PLAIN) or min(looked_at.values()) < 3:
        state = game.new_initial_state(seed=seed)
        seed += 1
        while not state.is_terminal():
            action = greedy(state, rng)
            if rng.random() < share.get(state.phase(), 1.0):
                values = PLAIN[state.phase()](state, state.to_dict(), state.current_player())
                assert sorted(values) == sorted(legal(state))
                assert values[state.action_to_string(action)] == pytest.approx(max(values.values()), abs=1e-9)
                looked_at[state.phase()] += 1
            state.apply_action(uniform(state, rng) if rng.random() < 0.3 else action)


def test_greedy0_exchanges_stones_when_that_scores():
    """b08 (W+SE, two sarcophagi) scores 2 at the left edge and nothing in 1.5."""
    state = position(("1.1=b09 1.5=b08", ""), row="b02 n09", display=("Stonemason",))
    take_turns(state, "take 2", "large 1.4", "card 1")
    assert state.action_to_string(chooser(state.game, "greedy0")(state, None)) == "swap 1.1"


def test_greedy_beats_greedy0_as_often_as_the_rules_say():
    """The prototype of the rules won 81.7 % of 300 games; four standard errors of 200 games are 11 %."""
    game = architect(2)
    players = [chooser(game, "greedy"), chooser(game, "greedy0")]
    won = 0.0
    for seed in range(200):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            state.apply_action(players[(state.current_player() + seed) % 2](state, None))
        ranks = state.standings()
        won += 0.5 if ranks[0] == ranks[1] else ranks[seed % 2] == 0
    assert 0.70 < won / 200 < 0.95
