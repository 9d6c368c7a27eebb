"""Referee for Master Architect, written from the rules alone.

Chance order (all during setup, nothing afterwards):
1. shuffle the 74 large stone ids 0..73 (``ldeck``);
2. shuffle the 72 small stones as types in type order, eight 0, six 1, four 2, eight 3, ... (``bag``);
3. shuffle the 20 card ids 0..19 (``cdeck``).
The front of each list is drawn first: row = ldeck[0..4], hand of seat s = bag[s], display = cdeck[0..3].

Values the rules leave open: At the end ``cur`` stays the seat that made the last turn,
``hole`` stays the slot it emptied, all hands are -1. Ranks before the end compare the scores of the moment.
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

MAX_PLAYERS = 4
STONES_PER_PYRAMID = 15
CARDS_PER_PLAYER = 3


class Phase(IntEnum):
    TAKE = 0
    LARGE = 1
    CARD = 2
    SMALL = 3
    SWAP_A = 4
    SWAP_B = 5
    LIFT = 6
    OVER = 7


FIRST_TAKE, FIRST_LARGE, FIRST_CARD, FIRST_SMALL, COLLECT, FIRST_SWAP, FIRST_LIFT, DONE = 0, 5, 35, 39, 51, 52, 67, 79

COLOURS = ["blue", "brown", "yellow", "white"]
OPPOSITE_PORT = {"W": "E", "E": "W", "NW": "SE", "SE": "NW", "NE": "SW", "SW": "NE"}
SYMBOL_POINTS = [0, 2, 4, 7, 11, 16]
LEVELS = range(1, 7)

LARGE_STONES_CSV = """
id,name,colour,sarcophagi,symbol,ports
0,b01,blue,1,-,W
1,b02,blue,1,-,W+E
2,b03,blue,1,-,W+NW
3,b04,blue,1,-,NE
4,b05,blue,1,-,W+NE+SE
5,b06,blue,2,-,W
6,b07,blue,2,-,NW
7,b08,blue,2,-,W+SE
8,b09,blue,0,ankh,-
9,b10,blue,0,eye,W+E
10,b11,blue,0,scarab,NE+SE
11,b12,blue,0,djed,NW+SE
12,b13,blue,0,lotus,-
13,b14,blue,0,-,NE+SW
14,b15,blue,0,-,NW+NE+SE
15,b16,blue,0,-,W+NW+E
16,b17,blue,0,-,NW+E+SW
17,b18,blue,0,-,W+NE+E+SW
18,b19,blue,0,-,W+NW+NE+E+SE+SW
19,n01,brown,1,-,E
20,n02,brown,1,-,W+E
21,n03,brown,1,-,NE+E
22,n04,brown,1,-,NW
23,n05,brown,1,-,NW+E+SW
24,n06,brown,2,-,E
25,n07,brown,2,-,NE
26,n08,brown,2,-,E+SW
27,n09,brown,0,ankh,-
28,n10,brown,0,eye,W+E
29,n11,brown,0,scarab,NW+SW
30,n12,brown,0,djed,NE+SW
31,n13,brown,0,lotus,-
32,n14,brown,0,-,NW+SE
33,n15,brown,0,-,NW+NE+SW
34,n16,brown,0,-,W+NE+E
35,n17,brown,0,-,W+NE+SE
36,n18,brown,0,-,W+NW+E+SE
37,n19,brown,0,-,W+NW+NE+E+SE+SW
38,y01,yellow,1,-,W
39,y02,yellow,1,-,W+E
40,y03,yellow,1,-,W+NW
41,y04,yellow,1,-,NE
42,y05,yellow,1,-,W+NE+SE
43,y06,yellow,2,-,W
44,y07,yellow,2,-,NW
45,y08,yellow,2,-,W+SE
46,y09,yellow,0,djed,-
47,y10,yellow,0,lotus,W+E
48,y11,yellow,0,ankh,NE+SE
49,y12,yellow,0,eye,NW+SE
50,y13,yellow,0,scarab,-
51,y14,yellow,0,-,NE+SW
52,y15,yellow,0,-,NW+NE+SE
53,y16,yellow,0,-,W+NW+E
54,y17,yellow,0,-,NW+E+SW
55,y18,yellow,0,-,W+NE+E+SW
56,w01,white,1,-,E
57,w02,white,1,-,W+E
58,w03,white,1,-,NE+E
59,w04,white,1,-,NW
60,w05,white,1,-,NW+E+SW
61,w06,white,2,-,E
62,w07,white,2,-,NE
63,w08,white,2,-,E+SW
64,w09,white,0,djed,-
65,w10,white,0,lotus,W+E
66,w11,white,0,ankh,NW+SW
67,w12,white,0,eye,NE+SW
68,w13,white,0,scarab,-
69,w14,white,0,-,NW+SE
70,w15,white,0,-,NW+NE+SW
71,w16,white,0,-,W+NE+E
72,w17,white,0,-,W+NE+SE
73,w18,white,0,-,W+NW+E+SE
"""

SMALL_STONES_CSV = """
type,name,colour,workers,count
0,b1,blue,1,8
1,b2,blue,2,6
2,b3,blue,3,4
3,n1,brown,1,8
4,n2,brown,2,6
5,n3,brown,3,4
6,y1,yellow,1,8
7,y2,yellow,2,6
8,y3,yellow,3,4
9,w1,white,1,8
10,w2,white,2,6
11,w3,white,3,4
"""

LARGE_SPACES_CSV = """
id,name,level,pos,multiplier,exit_ports,W,NW,NE,E,SE,SW
0,1.1,1,1,1,W,1L,2L,2.1,1.2,ground,ground
1,1.2,1,2,2,-,1.1,2.1,2.2,1.3,ground,ground
2,1.3,1,3,3,-,1.2,2.2,2.3,1.4,ground,ground
3,1.4,1,4,2,-,1.3,2.3,2.4,1.5,ground,ground
4,1.5,1,5,1,E,1.4,2.4,2R,1R,ground,ground
5,2.1,2,1,1,W,2L,3L,3.1,2.2,1.2,1.1
6,2.2,2,2,2,-,2.1,3.1,3.2,2.3,1.3,1.2
7,2.3,2,3,2,-,2.2,3.2,3.3,2.4,1.4,1.3
8,2.4,2,4,1,E,2.3,3.3,3R,2R,1.5,1.4
9,3.1,3,1,1,W,3L,4L,4.1,3.2,2.2,2.1
10,3.2,3,2,2,-,3.1,4.1,4.2,3.3,2.3,2.2
11,3.3,3,3,1,E,3.2,4.2,4R,3R,2.4,2.3
12,4.1,4,1,1,W,4L,5L,5.1,4.2,3.2,3.1
13,4.2,4,2,1,E,4.1,5.1,5R,4R,3.3,3.2
14,5.1,5,1,1,W+E,5L,6L,6R,5R,4.2,4.1
"""

CARD_PAIRS_CSV = """
pair,space_a,space_b
0,1.1,1.2
1,1.4,1.5
2,4.1,4.2
"""

CARDS_CSV = """
Set,Priest,Osiris,Divine Path,Anubis,Hapi,Geb,Ra,Khonsu,Maat
Ptah,Thoth,Nut,Khepri,Treasurer,Hidden Tomb,Overseer,Stonemason,Surveyor,Vizier
"""


def rows(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(table.strip().splitlines()))


def port_set(text: str) -> frozenset[str]:
    return frozenset() if text == "-" else frozenset(text.split("+"))


def turned(ports: frozenset[str]) -> frozenset[str]:
    return frozenset(OPPOSITE_PORT[port] for port in ports)


@dataclass(frozen=True)
class LargeStone:
    colour: str
    sarcophagi: int
    symbol: str | None
    ports: frozenset[str]

    @property
    def looks_different_turned(self) -> bool:
        return turned(self.ports) != self.ports


@dataclass(frozen=True)
class SmallStone:
    colour: str
    workers: int
    count: int


@dataclass(frozen=True)
class LargeSpace:
    name: str
    multiplier: int
    exit_ports: frozenset[str]
    faces: dict[str, str]  # port -> name of what lies behind it


LARGE_STONES = [
    LargeStone(
        row["colour"],
        int(row["sarcophagi"]),
        None if row["symbol"] == "-" else row["symbol"],
        port_set(row["ports"]),
    )
    for row in rows(LARGE_STONES_CSV)
]
CARDS = [name for line in CARDS_CSV.strip().splitlines() for name in line.split(",")]
SMALL_STONES = [SmallStone(row["colour"], int(row["workers"]), int(row["count"])) for row in rows(SMALL_STONES_CSV)]
LARGE_SPACES = [
    LargeSpace(
        row["name"],
        int(row["multiplier"]),
        port_set(row["exit_ports"]),
        {port: row[port] for port in OPPOSITE_PORT},
    )
    for row in rows(LARGE_SPACES_CSV)
]
SMALL_SPACES = [f"{level}{side}" for level in LEVELS for side in "LR"]
LARGE_SPACE_ID = {space.name: number for number, space in enumerate(LARGE_SPACES)}
CARD_PAIRS = [{LARGE_SPACE_ID[row["space_a"]], LARGE_SPACE_ID[row["space_b"]]} for row in rows(CARD_PAIRS_CSV)]
ALL_SPACES = [space.name for space in LARGE_SPACES] + SMALL_SPACES
LEVEL = {name: int(name[0]) for name in ALL_SPACES}


def colour_contacts() -> dict[str, set[str]]:
    """Common sides, and the corner between two small stones of neighbouring levels on one slope (R5)."""
    sides = [(space.name, other) for space in LARGE_SPACES for other in space.faces.values() if other in ALL_SPACES]
    corners = [(f"{level}{side}", f"{level + 1}{side}") for level in range(1, 6) for side in "LR"]
    touching = [*sides, *corners, ("6L", "6R")]
    touching += [(b, a) for a, b in touching]
    return {name: {b for a, b in touching if a == name} for name in ALL_SPACES}


CONTACTS = colour_contacts()


class Chance(Protocol):
    def below(self, n: int) -> int: ...

    def shuffle(self, items: list[int]) -> None: ...


@dataclass
class Player:
    pyramid: dict[int, tuple[int, int]] = field(default_factory=dict)  # large space -> (stone, rotation)
    slopes: dict[int, int] = field(default_factory=dict)  # small space -> small stone type
    collection: list[int] = field(default_factory=list)  # small stone types
    hand: int | None = None  # small stone type
    cards: list[int] = field(default_factory=list)

    def owns(self, card: str) -> bool:
        return CARDS.index(card) in self.cards

    def empty_large_spaces(self) -> list[int]:
        return [space for space in range(len(LARGE_SPACES)) if space not in self.pyramid]

    def empty_small_spaces(self) -> list[int]:
        return [space for space in range(len(SMALL_SPACES)) if space not in self.slopes]

    def small_stone_total(self) -> int:
        return len(self.slopes) + len(self.collection)

    # ---- what the pyramid shows

    def large_stones(self) -> list[LargeStone]:
        return [LARGE_STONES[stone] for stone, _ in self.pyramid.values()]

    def colour_by_space(self) -> dict[str, str]:
        colours = {LARGE_SPACES[space].name: LARGE_STONES[stone].colour for space, (stone, _) in self.pyramid.items()}
        colours |= {SMALL_SPACES[space]: SMALL_STONES[kind].colour for space, kind in self.slopes.items()}
        return colours

    def colour_height(self, colour: str) -> int:
        shown = self.colour_by_space()
        reached = {space for space in shown if shown[space] == colour and LEVEL[space] == 1}
        frontier = list(reached)
        while frontier:
            for neighbour in CONTACTS[frontier.pop()]:
                if shown.get(neighbour) == colour and neighbour not in reached:
                    reached.add(neighbour)
                    frontier.append(neighbour)
        return max((LEVEL[space] for space in reached), default=0)

    def ports(self, space: int) -> frozenset[str]:
        if space not in self.pyramid:
            return frozenset()
        stone, rotation = self.pyramid[space]
        ports = LARGE_STONES[stone].ports
        return turned(ports) if rotation else ports

    def exits(self) -> list[tuple[int, str]]:
        return [(space, port) for space in self.pyramid for port in self.ports(space) & LARGE_SPACES[space].exit_ports]

    def linked(self, space: int) -> list[int]:
        behind = [(port, LARGE_SPACE_ID.get(LARGE_SPACES[space].faces[port])) for port in self.ports(space)]
        return [other for port, other in behind if other is not None and OPPOSITE_PORT[port] in self.ports(other)]

    def open_spaces(self) -> set[int]:
        reached = {space for space, _ in self.exits()}
        frontier = list(reached)
        while frontier:
            for other in self.linked(frontier.pop()):
                if other not in reached:
                    reached.add(other)
                    frontier.append(other)
        return reached

    def sarcophagi(self, space: int) -> int:
        return LARGE_STONES[self.pyramid[space][0]].sarcophagi

    def connected_sarcophagi(self, multipliers: tuple[int, ...]) -> int:
        return sum(self.sarcophagi(s) for s in self.open_spaces() if LARGE_SPACES[s].multiplier in multipliers)

    def symbols(self) -> list[str]:
        return [stone.symbol for stone in self.large_stones() if stone.symbol]

    def balanced_levels(self) -> list[int]:
        """Number of workers per side, for every balanced level."""
        result = []
        for level in LEVELS:
            here = [SMALL_STONES[t].workers for space, t in self.slopes.items() if LEVEL[SMALL_SPACES[space]] == level]
            if len(here) == 2 and here[0] == here[1]:  # R27
                result.append(here[0])
        return result

    def four_colour_levels(self) -> int:
        shown = self.colour_by_space()
        return sum({shown[s] for s in shown if LEVEL[s] == level} == set(COLOURS) for level in LEVELS)

    # ---- scoring

    def solid_points(self) -> int:
        return sum(self.colour_height(colour) for colour in COLOURS)

    def burial_points(self) -> int:
        return sum(self.sarcophagi(space) * LARGE_SPACES[space].multiplier for space in self.open_spaces())

    def symbol_points(self) -> int:
        return SYMBOL_POINTS[len(set(self.symbols()))]

    def worker_points(self) -> int:
        return sum(self.balanced_levels())

    def collection_points(self) -> int:
        return len(self.collection) // 2

    def card_points(self) -> dict[str, int]:
        """What every card is worth on this pyramid."""
        heights = [self.colour_height(colour) for colour in COLOURS]
        colours = [stone.colour for stone in self.large_stones()]
        different = len(set(self.symbols()))
        return {
            "Set": self.connected_sarcophagi((1,)),  # R14
            "Priest": SYMBOL_POINTS[min(5, different + 1)] - SYMBOL_POINTS[different],  # R30
            "Osiris": sum(SMALL_STONES[kind].workers for kind in self.slopes.values()) // 4,  # R28
            "Divine Path": len(self.exits()),  # R29
            "Anubis": self.connected_sarcophagi((2, 3)),
            "Hapi": colours.count("blue"),
            "Geb": colours.count("brown"),
            "Ra": colours.count("yellow"),
            "Khonsu": colours.count("white"),
            "Maat": len(self.balanced_levels()),
            "Ptah": 2 * self.four_colour_levels(),
            "Thoth": len(self.symbols()) + (1 if self.owns("Priest") else 0),  # R31
            "Nut": 2 * sum(height >= 4 for height in heights),
            "Khepri": max(heights),
            "Treasurer": len(self.collection) - len(self.collection) // 2,
            "Hidden Tomb": sum(self.sarcophagi(space) for space in self.pyramid.keys() - self.open_spaces()),
            "Overseer": 0,
            "Stonemason": 3,
            "Surveyor": 3,
            "Vizier": 0,
        }

    def score(self) -> int:
        categories = (
            self.solid_points() + self.burial_points() + self.symbol_points() + self.worker_points() + self.collection_points()
        )
        points = self.card_points()
        return categories + sum(points[CARDS[card]] for card in self.cards)  # R40


class Referee:
    def __init__(self, num_players: int, chance: Chance) -> None:
        if not 1 <= num_players <= MAX_PLAYERS:  # R38: one player plays for the score
            raise ValueError(f"1 to {MAX_PLAYERS} players, not {num_players}")
        self.num_players = num_players
        self.ldeck = list(range(len(LARGE_STONES)))
        chance.shuffle(self.ldeck)
        self.bag = [kind for kind, stone in enumerate(SMALL_STONES) for _ in range(stone.count)]
        chance.shuffle(self.bag)
        self.cdeck = list(range(len(CARDS)))
        chance.shuffle(self.cdeck)
        self.lpos = self.bpos = self.cpos = 0

        self.row: list[int | None] = [self.draw_large() for _ in range(5)]
        self.display = [self.draw_card() for _ in range(4)]
        self.players = [Player(hand=self.draw_small()) for _ in range(num_players)]
        self.pile: list[int] = []  # small stone types lying on the red stone, row[0]
        self.pending: list[int] = []  # small stone types the player still has to place
        self.turn = 0
        self.current_player = 0  # R42
        self.phase = Phase.TAKE
        self.stone_in_hand: int | None = None
        self.hole: int | None = None
        self.swap_first: int | None = None
        self.lifts_left = 0

    def draw_large(self) -> int:
        self.lpos += 1
        return self.ldeck[self.lpos - 1]

    def draw_small(self) -> int:
        self.bpos += 1
        return self.bag[self.bpos - 1]

    def draw_card(self) -> int:
        self.cpos += 1
        return self.cdeck[self.cpos - 1]

    @property
    def player(self) -> Player:
        return self.players[self.current_player]

    def is_terminal(self) -> bool:
        return self.phase == Phase.OVER

    # ---- decisions

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else self.decision()[0]()

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action} in phase {self.phase.name}")
        self.do(action)
        while len(forced := self.legal_actions()) == 1:
            self.do(forced[0])

    def do(self, action: int) -> None:
        self.decision()[1](action)

    def decision(self) -> tuple[Callable[[], list[int]], Callable[[int], None]]:
        return {
            Phase.TAKE: (self.legal_take, self.do_take),
            Phase.LARGE: (self.legal_large, self.do_large),
            Phase.CARD: (self.legal_card, self.do_card),
            Phase.SMALL: (self.legal_small, self.do_small),
            Phase.SWAP_A: (self.legal_swap_first, self.do_swap_first),
            Phase.SWAP_B: (self.legal_swap_second, self.do_swap_second),
            Phase.LIFT: (self.legal_lift, self.do_lift),
        }[self.phase]

    def legal_take(self) -> list[int]:
        return [FIRST_TAKE + slot for slot in range(len(self.row))]

    def do_take(self, action: int) -> None:
        slot = action - FIRST_TAKE
        self.stone_in_hand, self.row[slot], self.hole = self.row[slot], None, slot
        hand_stone, self.player.hand = self.player.hand, None
        assert hand_stone is not None
        if slot == 0:
            self.pending = [*self.pile, hand_stone]
            self.pile = []
        elif self.player.owns("Vizier"):  # R34
            self.pending = [hand_stone]
        else:
            self.pile.append(hand_stone)
        self.phase = Phase.LARGE

    def legal_large(self) -> list[int]:
        assert self.stone_in_hand is not None
        rotations = [0, 1] if LARGE_STONES[self.stone_in_hand].looks_different_turned else [0]  # R3
        return [FIRST_LARGE + 2 * space + r for space in self.player.empty_large_spaces() for r in rotations]

    def do_large(self, action: int) -> None:
        space, rotation = divmod(action - FIRST_LARGE, 2)
        pyramid = self.player.pyramid
        assert self.stone_in_hand is not None
        pyramid[space] = (self.stone_in_hand, rotation)
        self.stone_in_hand = None
        if any(space in pair and pair <= pyramid.keys() for pair in CARD_PAIRS):
            self.phase = Phase.CARD  # R15
        else:
            self.to_small()

    def legal_card(self) -> list[int]:
        return [FIRST_CARD + slot for slot in range(len(self.display))]  # R17

    def do_card(self, action: int) -> None:
        slot = action - FIRST_CARD
        card = self.display[slot]
        self.player.cards.append(card)
        self.display[slot] = self.draw_card()
        if CARDS[card] == "Stonemason":
            self.phase = Phase.SWAP_A
        elif CARDS[card] == "Surveyor" and self.player.slopes:  # R36
            self.lifts_left = 2
            self.phase = Phase.LIFT
        else:
            if CARDS[card] == "Overseer":
                self.pending += [self.draw_small() for _ in range(min(3, len(self.bag) - self.bpos))]  # R37
            self.to_small()

    def legal_swap_first(self) -> list[int]:
        return [FIRST_SWAP + space for space in sorted(self.player.pyramid)] + [DONE]

    def do_swap_first(self, action: int) -> None:
        if action == DONE:
            self.to_small()
        else:
            self.swap_first = action - FIRST_SWAP
            self.phase = Phase.SWAP_B

    def legal_swap_second(self) -> list[int]:
        return [FIRST_SWAP + space for space in sorted(self.player.pyramid) if space != self.swap_first]

    def do_swap_second(self, action: int) -> None:
        space = action - FIRST_SWAP
        pyramid = self.player.pyramid
        assert self.swap_first is not None
        pyramid[self.swap_first], pyramid[space] = pyramid[space], pyramid[self.swap_first]  # R35
        self.swap_first = None
        self.to_small()

    def legal_lift(self) -> list[int]:
        return [FIRST_LIFT + space for space in sorted(self.player.slopes)] + [DONE]

    def do_lift(self, action: int) -> None:
        if action == DONE:
            self.lifts_left = 0
        else:
            self.pending.append(self.player.slopes.pop(action - FIRST_LIFT))
            self.lifts_left -= 1
        if self.lifts_left == 0 or not self.player.slopes:
            self.lifts_left = 0
            self.to_small()

    def to_small(self) -> None:
        if not self.player.empty_small_spaces():  # R26
            self.player.collection += self.pending
            self.pending = []
        if self.pending:
            self.phase = Phase.SMALL
        else:
            self.end_turn()

    def legal_small(self) -> list[int]:
        return [FIRST_SMALL + space for space in self.player.empty_small_spaces()] + [COLLECT]  # R25

    def do_small(self, action: int) -> None:
        stone = min(self.pending)
        self.pending.remove(stone)
        if action == COLLECT:
            self.player.collection.append(stone)
        else:
            self.player.slopes[action - FIRST_SMALL] = stone
        self.to_small()

    def end_turn(self) -> None:
        self.turn += 1
        if self.turn == STONES_PER_PYRAMID * self.num_players:
            self.phase = Phase.OVER  # R22
            return
        assert self.hole is not None
        del self.row[self.hole]
        self.row.append(self.draw_large())
        self.hole = None
        if self.turn <= (STONES_PER_PYRAMID - 1) * self.num_players:  # R21
            self.player.hand = self.draw_small()
        self.current_player = (self.current_player + 1) % self.num_players
        self.phase = Phase.TAKE

    # ---- result

    def scores(self) -> list[int]:
        return [player.score() for player in self.players]

    def standings(self) -> list[int]:
        results = [(player.score(), player.small_stone_total()) for player in self.players]
        return [sum(other > own for other in results) for own in results]

    # ---- conversion

    def snapshot(self) -> dict:
        seats = self.players + [Player()] * (MAX_PLAYERS - self.num_players)
        large_spaces, small_spaces = range(len(LARGE_SPACES)), range(len(SMALL_SPACES))
        return {
            "n_players": self.num_players,
            "phase": int(self.phase),
            "cur": self.current_player,
            "turn": self.turn,
            "lpos": self.lpos,
            "bpos": self.bpos,
            "cpos": self.cpos,
            "pl": number(self.stone_in_hand),
            "hole": number(self.hole),
            "swap_first": number(self.swap_first),
            "lifts_left": self.lifts_left,
            "large_stone": [[p.pyramid.get(space, (-1, 0))[0] for space in large_spaces] for p in seats],
            "large_rot": [[p.pyramid.get(space, (-1, 0))[1] for space in large_spaces] for p in seats],
            "small_type": [[p.slopes.get(space, -1) for space in small_spaces] for p in seats],
            "coll": [counts(p.collection) for p in seats],
            "hand": [number(p.hand) for p in seats],
            "cards": [p.cards + [-1] * (CARDS_PER_PLAYER - len(p.cards)) for p in seats],
            "row": [number(stone) for stone in self.row],
            "pile": counts(self.pile),
            "pending": counts(self.pending),
            "display": list(self.display),
            "ldeck": list(self.ldeck),
            "bag": list(self.bag),
            "cdeck": list(self.cdeck),
        }

    @classmethod
    def from_snapshot(cls, snapshot: dict, chance: Chance) -> "Referee":
        game = cls.__new__(cls)
        game.num_players = snapshot["n_players"]
        game.phase = Phase(snapshot["phase"])
        game.current_player = snapshot["cur"]
        game.turn = snapshot["turn"]
        game.lpos, game.bpos, game.cpos = snapshot["lpos"], snapshot["bpos"], snapshot["cpos"]
        game.stone_in_hand = optional(snapshot["pl"])
        game.hole = optional(snapshot["hole"])
        game.swap_first = optional(snapshot["swap_first"])
        game.lifts_left = snapshot["lifts_left"]
        game.players = [player_from_snapshot(snapshot, seat) for seat in range(game.num_players)]
        game.row = [optional(stone) for stone in snapshot["row"]]
        game.pile = stones(snapshot["pile"])
        game.pending = stones(snapshot["pending"])
        game.display = list(snapshot["display"])
        game.ldeck, game.bag, game.cdeck = list(snapshot["ldeck"]), list(snapshot["bag"]), list(snapshot["cdeck"])
        return game

    @staticmethod
    def action_to_string(action: int) -> str:
        if action == 0:
            return "take first"
        if action < FIRST_LARGE:
            return f"take {action + 1}"
        if action < FIRST_CARD:
            space, rotation = divmod(action - FIRST_LARGE, 2)
            return f"large {LARGE_SPACES[space].name}" + (" r" if rotation else "")
        if action < FIRST_SMALL:
            return f"card {action - FIRST_CARD + 1}"
        if action < COLLECT:
            return f"small {SMALL_SPACES[action - FIRST_SMALL]}"
        if action == COLLECT:
            return "small coll"
        if action < FIRST_LIFT:
            return f"swap {LARGE_SPACES[action - FIRST_SWAP].name}"
        if action < DONE:
            return f"lift {SMALL_SPACES[action - FIRST_LIFT]}"
        if action == DONE:
            return "done"
        raise ValueError(f"no action {action}")


def number(value: int | None) -> int:
    return -1 if value is None else value


def optional(value: int) -> int | None:
    return None if value == -1 else value


def counts(kinds: list[int]) -> list[int]:
    return [kinds.count(kind) for kind in range(len(SMALL_STONES))]


def stones(by_type: list[int]) -> list[int]:
    return [kind for kind, count in enumerate(by_type) for _ in range(count)]


def player_from_snapshot(snapshot: dict, seat: int) -> Player:
    placed = zip(snapshot["large_stone"][seat], snapshot["large_rot"][seat], strict=True)
    return Player(
        pyramid={space: (stone, rotation) for space, (stone, rotation) in enumerate(placed) if stone != -1},
        slopes={space: kind for space, kind in enumerate(snapshot["small_type"][seat]) if kind != -1},
        collection=stones(snapshot["coll"][seat]),
        hand=optional(snapshot["hand"][seat]),
        cards=[card for card in snapshot["cards"][seat] if card != -1],
    )
