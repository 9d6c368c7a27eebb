"""Independent referee for *Pyramids*, written from the rules alone; plain and slow on purpose.

Chance order
------------
1. `shuffle` of the list of card ids 0..104: the deck, front drawn first. Seat 0 takes the first card as its initial
   card, then seat 1, and so on; then the pairs A, B, ... of round 1, two cards each. Later rounds draw on likewise.
2. Two players only: `below(4)`, the tile that is out of play in round 1.

Nothing else is random.

Choices where the rules leave room
----------------------------------------------------
* Fields of shape 1 are plain ints; n_hand, n_pyr, n_obe and n_tomb are four lists of five.
* Unused rows (seat >= n): cards, tile owners and init_card are 255; counts and init_stat are 0.
* used_obe is 0 whenever nobody has a turn (GOD, DISC, END), just as tile is 255 there.
* tile_owner and god_cnt keep the values of the round through DISC and END; START_ROUND clears them.
* At END first, removed and round stay those of round 10, and init_card stays visible.
* current_player is 255 at END.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import Protocol

EMPTY = 255
MAX_PLAYERS = 5
ROUNDS = 10
COLOURS = "BWRGY"

GOD, PAIR, PYR, OBE, TOMB, DISC, END = range(7)

CARDS_CSV = """\
id,form,lt,lb,rt,rb,stones,glyph,notation
0,L,B,B,R,W,3,P,B|R/W^P
1,R,W,R,B,B,3,-,W/R|B
2,R,R,W,B,B,3,-,R/W|B
3,L,W,W,G,R,3,P,W|G/R^P
4,R,R,G,W,W,3,-,R/G|W
5,R,G,R,W,W,3,-,G/R|W
6,L,R,R,Y,G,3,P,R|Y/G^P
7,R,G,Y,R,R,3,-,G/Y|R
8,R,Y,G,R,R,3,-,Y/G|R
9,L,G,G,B,Y,3,P,G|B/Y^P
10,R,Y,B,G,G,3,-,Y/B|G
11,R,B,Y,G,G,3,-,B/Y|G
12,L,Y,Y,W,B,3,P,Y|W/B^P
13,R,B,W,Y,Y,3,-,B/W|Y
14,R,W,B,Y,Y,3,-,W/B|Y
15,L,B,B,W,G,3,-,B|W/G
16,L,B,B,G,W,3,-,B|G/W
17,R,W,G,B,B,3,P,W/G|B^P
18,L,W,W,R,Y,3,-,W|R/Y
19,L,W,W,Y,R,3,-,W|Y/R
20,R,R,Y,W,W,3,P,R/Y|W^P
21,L,R,R,G,B,3,-,R|G/B
22,L,R,R,B,G,3,-,R|B/G
23,R,G,B,R,R,3,P,G/B|R^P
24,L,G,G,Y,W,3,-,G|Y/W
25,L,G,G,W,Y,3,-,G|W/Y
26,R,Y,W,G,G,3,P,Y/W|G^P
27,L,Y,Y,B,R,3,-,Y|B/R
28,L,Y,Y,R,B,3,-,Y|R/B
29,R,B,R,Y,Y,3,P,B/R|Y^P
30,L,B,B,W,Y,3,O,B|W/Y^O
31,R,W,Y,B,B,3,-,W/Y|B
32,R,Y,W,B,B,3,-,Y/W|B
33,L,W,W,R,B,3,O,W|R/B^O
34,R,R,B,W,W,3,-,R/B|W
35,R,B,R,W,W,3,-,B/R|W
36,L,R,R,G,W,3,O,R|G/W^O
37,R,G,W,R,R,3,-,G/W|R
38,R,W,G,R,R,3,-,W/G|R
39,L,G,G,Y,R,3,O,G|Y/R^O
40,R,Y,R,G,G,3,-,Y/R|G
41,R,R,Y,G,G,3,-,R/Y|G
42,L,Y,Y,B,G,3,O,Y|B/G^O
43,R,B,G,Y,Y,3,-,B/G|Y
44,R,G,B,Y,Y,3,-,G/B|Y
45,L,B,B,R,G,3,-,B|R/G
46,L,B,B,G,R,3,-,B|G/R
47,R,G,R,B,B,3,O,G/R|B^O
48,L,W,W,G,Y,3,-,W|G/Y
49,L,W,W,Y,G,3,-,W|Y/G
50,R,Y,G,W,W,3,O,Y/G|W^O
51,L,R,R,Y,B,3,-,R|Y/B
52,L,R,R,B,Y,3,-,R|B/Y
53,R,B,Y,R,R,3,O,B/Y|R^O
54,L,G,G,B,W,3,-,G|B/W
55,L,G,G,W,B,3,-,G|W/B
56,R,W,B,G,G,3,O,W/B|G^O
57,L,Y,Y,W,R,3,-,Y|W/R
58,L,Y,Y,R,W,3,-,Y|R/W
59,R,R,W,Y,Y,3,O,R/W|Y^O
60,L,B,B,Y,R,3,T,B|Y/R^T
61,R,R,Y,B,B,3,-,R/Y|B
62,R,Y,R,B,B,3,-,Y/R|B
63,L,W,W,B,G,3,T,W|B/G^T
64,R,G,B,W,W,3,-,G/B|W
65,R,B,G,W,W,3,-,B/G|W
66,L,R,R,W,Y,3,T,R|W/Y^T
67,R,Y,W,R,R,3,-,Y/W|R
68,R,W,Y,R,R,3,-,W/Y|R
69,L,G,G,R,B,3,T,G|R/B^T
70,R,B,R,G,G,3,-,B/R|G
71,R,R,B,G,G,3,-,R/B|G
72,L,Y,Y,G,W,3,T,Y|G/W^T
73,R,W,G,Y,Y,3,-,W/G|Y
74,R,G,W,Y,Y,3,-,G/W|Y
75,L,B,B,G,Y,3,-,B|G/Y
76,L,B,B,Y,G,3,-,B|Y/G
77,R,G,Y,B,B,3,T,G/Y|B^T
78,L,W,W,Y,B,3,-,W|Y/B
79,L,W,W,B,Y,3,-,W|B/Y
80,R,Y,B,W,W,3,T,Y/B|W^T
81,L,R,R,B,W,3,-,R|B/W
82,L,R,R,W,B,3,-,R|W/B
83,R,B,W,R,R,3,T,B/W|R^T
84,L,G,G,W,R,3,-,G|W/R
85,L,G,G,R,W,3,-,G|R/W
86,R,W,R,G,G,3,T,W/R|G^T
87,L,Y,Y,R,G,3,-,Y|R/G
88,L,Y,Y,G,R,3,-,Y|G/R
89,R,R,G,Y,Y,3,T,R/G|Y^T
90,D,B,B,B,B,2,O,B|B^O
91,D,W,W,W,W,2,O,W|W^O
92,D,R,R,R,R,2,O,R|R^O
93,D,G,G,G,G,2,O,G|G^O
94,D,Y,Y,Y,Y,2,O,Y|Y^O
95,D,B,B,W,W,2,P,B|W^P
96,D,W,W,R,R,2,P,W|R^P
97,D,R,R,G,G,2,P,R|G^P
98,D,G,G,Y,Y,2,P,G|Y^P
99,D,Y,Y,B,B,2,P,Y|B^P
100,D,B,B,R,R,2,T,B|R^T
101,D,W,W,G,G,2,T,W|G^T
102,D,R,R,Y,Y,2,T,R|Y^T
103,D,G,G,B,B,2,T,G|B^T
104,D,Y,Y,W,W,2,T,Y|W^T
"""

TILES_CSV = """\
tile,number,name,players,obelisk,tomb,excl
0,1,Horus,2-5,0,0,0
1,2,Anubis,2-5,0,1,0
2,3,Khepri,2-5,1,0,0
3,4,Sekhmet,2-3,1,1,0
3,4,Sekhmet,4-5,1,1,1
4,5,Thoth,4-5,1,1,0
"""

TILE_NAMES = ["horus", "anubis", "khepri", "sekhmet", "thoth"]
LOCATION_NAMES = ["L", "R", "2a", "2b", "2c", "3a", "3b", "4a"]
# (stage, index from the left) of the ten slots
SLOTS = [(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0)]
OBELISK_POINTS = [0, 1, 3, 6, 10, 15]

# first action index of each kind
TAKE_TILE, TAKE_PAIR, BUILD_PYRAMID, BUILD_OBELISK, BUILD_TOMB, PASS, DROP, NUM_ACTIONS = 0, 5, 10, 34, 36, 38, 39, 41

# public places of a card, the field `pub`; the last five are followed by the seat
UNSEEN, QUARRY, DISCARD, IN_PYRAMID, IN_OBELISK, IN_HAND, CANDIDATE, IN_TOMB = 0, 1, 2, 3, 8, 13, 18, 23
IDENTIFIED = 3


class Chance(Protocol):
    def below(self, n: int) -> int: ...

    def shuffle(self, items: list) -> None: ...


@dataclass(frozen=True)
class Stone:
    colour: str
    cells: tuple[tuple[int, int], ...]  # (dx, dy) from the lower left cell of the card


@dataclass(frozen=True)
class Card:
    stones: tuple[Stone, ...]
    glyph: str


@dataclass(frozen=True)
class Tile:
    obelisk: bool
    tomb: bool
    exclusive: bool


def column(top: str, bottom: str, dx: int, tall: bool) -> list[Stone]:
    if tall:
        return [Stone(top, ((dx, 1), (dx, 0)))]
    return [Stone(top, ((dx, 1),)), Stone(bottom, ((dx, 0),))]


def read_cards() -> list[Card]:
    cards = []
    for row in csv.DictReader(io.StringIO(CARDS_CSV)):
        left = column(row["lt"], row["lb"], 0, row["form"] in "LD")
        right = column(row["rt"], row["rb"], 1, row["form"] in "RD")
        cards.append(Card(tuple(left + right), row["glyph"]))
    return cards


def read_tiles(num_players: int) -> dict[int, Tile]:
    tiles = {}
    for row in csv.DictReader(io.StringIO(TILES_CSV)):
        fewest, most = row["players"].split("-")
        if int(fewest) <= num_players <= int(most):
            tiles[int(row["tile"])] = Tile(row["obelisk"] == "1", row["tomb"] == "1", row["excl"] == "1")
    return tiles


CARDS = read_cards()


class Pyramid:
    """Cards by (stage, column). The first card lies in column 0; stage 1 may grow to negative columns (R6, R10).

    The card (stage, k) with stage > 1 rests on (stage - 1, k) and (stage - 1, k + 1).
    """

    def __init__(self) -> None:
        self.cards: dict[tuple[int, int], int] = {}

    def base(self) -> list[int]:
        return sorted(k for stage, k in self.cards if stage == 1)

    def place_of(self, location: str) -> tuple[int, int]:
        base = self.base()
        if not base:
            return 1, 0
        if location == "L":
            return 1, base[0] - 1
        if location == "R":
            return 1, base[-1] + 1
        return int(location[0]), base[0] + "abc".index(location[1])

    def is_open(self, location: str) -> bool:
        width = len(self.base())
        if location == "L":
            return 1 <= width <= 3
        if location == "R":
            return width <= 3
        stage, k = self.place_of(location)
        supports = [(stage - 1, k), (stage - 1, k + 1)]
        return (stage, k) not in self.cards and all(place in self.cards for place in supports)  # R5, R8, R9

    def build(self, card: int, location: str) -> None:
        self.cards[self.place_of(location)] = card

    def largest_groups(self) -> list[int]:
        """Stones in the largest connected group of each colour."""
        stones: list[tuple[str, list[tuple[int, int]]]] = []
        stone_at: dict[tuple[int, int], int] = {}
        for (stage, k), card in self.cards.items():
            x0, y0 = 2 * k + stage - 1, 2 * (stage - 1)
            for stone in CARDS[card].stones:
                cells = [(x0 + dx, y0 + dy) for dx, dy in stone.cells]
                for cell in cells:
                    stone_at[cell] = len(stones)
                stones.append((stone.colour, cells))

        largest = dict.fromkeys(COLOURS, 0)
        grouped: set[int] = set()
        for start, (colour, _) in enumerate(stones):
            if start in grouped:
                continue
            group, frontier = {start}, [start]
            while frontier:
                for x, y in stones[frontier.pop()][1]:
                    for neighbour in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                        other = stone_at.get(neighbour)
                        if other is not None and other not in group and stones[other][0] == colour:
                            group.add(other)
                            frontier.append(other)
            grouped |= group
            largest[colour] = max(largest[colour], len(group))
        return [largest[colour] for colour in COLOURS]

    def slots(self) -> list[int]:
        left = min(self.base(), default=0)
        return [self.cards.get((stage, left + index), EMPTY) for stage, index in SLOTS]

    @classmethod
    def from_slots(cls, slots: list[int]) -> Pyramid:
        pyramid = cls()
        pyramid.cards = {place: card for place, card in zip(SLOTS, slots, strict=True) if card != EMPTY}
        return pyramid


@dataclass
class Player:
    initial_card: int
    initial_card_identified: bool = False
    hand: list[int] = field(default_factory=list)
    pyramid: Pyramid = field(default_factory=Pyramid)
    obelisk: list[int] = field(default_factory=list)
    tomb: list[int] = field(default_factory=list)
    # What the table knows. The initial card is in these sets too; until identified, nobody else knows its name.
    surely_in_hand: set[int] = field(default_factory=set)  # K
    one_in_hand: set[int] = field(default_factory=set)  # F: exactly one in hand, the others in the Tomb
    surely_in_tomb: set[int] = field(default_factory=set)  # T

    def receive(self, cards: list[int]) -> None:
        self.hand = sorted(self.hand + cards)
        self.surely_in_hand |= set(cards)

    def show(self, slot: int) -> int:
        card = self.hand.pop(slot)
        self.surely_in_hand.discard(card)
        if card in self.one_in_hand:
            self.surely_in_tomb |= self.one_in_hand - {card}
            self.one_in_hand = set()
        if card == self.initial_card:
            self.initial_card_identified = True
        return card

    def bury(self, slot: int) -> None:
        possible = self.surely_in_hand | self.one_in_hand
        self.surely_in_hand, self.one_in_hand = set(), set()
        if len(self.hand) == 1:
            self.surely_in_tomb |= possible
        else:
            self.one_in_hand = possible
        self.tomb = sorted([*self.tomb, self.hand.pop(slot)])

    def knowledge(self) -> list[set[int]]:
        return [self.surely_in_hand, self.one_in_hand, self.surely_in_tomb]

    def init_stat(self) -> int:
        if self.initial_card_identified:
            return IDENTIFIED
        return next(i for i, cards in enumerate(self.knowledge()) if self.initial_card in cards)

    def obelisk_points(self) -> int:
        stages = [sum(colour in {s.colour for s in CARDS[card].stones} for card in self.obelisk) for colour in COLOURS]
        return OBELISK_POINTS[min(5, max(stages))]  # R30, R31, R32

    def tomb_stones(self, colour: str) -> int:
        return sum(stone.colour == colour for card in self.tomb for stone in CARDS[card].stones)

    def glyphs(self) -> int:
        edifices = {"P": self.pyramid.cards.values(), "O": self.obelisk, "T": self.tomb}
        return sum(CARDS[card].glyph == glyph for glyph, cards in edifices.items() for card in cards)


class Referee:
    def __init__(self, num_players: int, chance: Chance) -> None:
        if not 2 <= num_players <= MAX_PLAYERS:
            raise ValueError(f"2 to 5 players, not {num_players}")
        self.num_players = num_players
        self.tiles = read_tiles(num_players)
        self.deck = list(range(len(CARDS)))
        chance.shuffle(self.deck)
        self.players = [Player(initial_card=card) for card in self.draw(num_players)]
        for player in self.players:
            player.receive([player.initial_card])
        self.first_player = 0  # R20
        self.round = 0
        self.removed_tile = chance.below(4) if num_players == 2 else EMPTY  # R19
        self.discards: set[int] = set()
        self.start_round()
        self.resolve_forced_moves()

    def draw(self, count: int) -> list[int]:
        drawn, self.deck = self.deck[:count], self.deck[count:]
        return drawn

    # The round

    def start_round(self) -> None:
        self.round += 1
        self.quarry = [sorted(self.draw(2)) for _ in range(self.num_players)]
        self.tile_owner: dict[int, int] = {}
        self.tile = EMPTY
        self.obelisk_used = False
        self.phase = GOD
        self.current_player = self.first_player

    def next_tile(self) -> None:
        waiting = [tile for tile in sorted(self.tile_owner) if self.tile == EMPTY or tile > self.tile]
        self.obelisk_used = False
        if waiting:
            self.tile = waiting[0]  # R21
            self.current_player = self.tile_owner[self.tile]
            self.phase = PAIR
            return
        self.tile = EMPTY
        if self.round == ROUNDS:
            self.finish()
        else:
            self.next_discard()

    def next_build(self) -> None:
        tile = self.tiles[self.tile]
        has_card = bool(self.player.hand)  # R14
        if self.phase == PYR and tile.obelisk and has_card:
            self.phase = OBE
        elif self.phase in (PYR, OBE) and tile.tomb and has_card and not (tile.exclusive and self.obelisk_used):  # R13
            self.phase = TOMB
        else:
            self.next_tile()

    def next_discard(self) -> None:
        for step in range(self.num_players):
            seat = (self.first_player + step) % self.num_players
            if len(self.players[seat].hand) == 2:
                self.phase, self.current_player = DISC, seat  # R15
                return
        self.first_player = (self.first_player + 1) % self.num_players
        if self.num_players == 2:
            self.removed_tile = (self.removed_tile + 1) % 4
        self.start_round()

    def finish(self) -> None:
        for player in self.players:
            while player.hand:
                self.discards.add(player.show(0))  # R17
            player.surely_in_tomb = set(player.tomb)
            player.initial_card_identified = True
        self.phase = END
        self.current_player = EMPTY

    # The decisions

    @property
    def player(self) -> Player:
        return self.players[self.current_player]

    def legal_god(self) -> list[int]:
        return [TAKE_TILE + t for t in sorted(self.tiles) if t != self.removed_tile and t not in self.tile_owner]

    def do_god(self, tile: int) -> None:
        self.tile_owner[tile] = self.current_player
        if len(self.tile_owner) < self.num_players:
            self.current_player = (self.current_player + 1) % self.num_players
        else:
            self.next_tile()

    def legal_pair(self) -> list[int]:
        return [TAKE_PAIR + i for i, pair in enumerate(self.quarry) if pair]

    def do_pair(self, index: int) -> None:
        self.player.receive(self.quarry[index])
        self.quarry[index] = []
        self.phase = PYR

    def legal_pyramid(self) -> list[int]:
        open_locations = [i for i, name in enumerate(LOCATION_NAMES) if self.player.pyramid.is_open(name)]
        return [BUILD_PYRAMID + 8 * slot + loc for slot in range(len(self.player.hand)) for loc in open_locations]

    def do_pyramid(self, slot: int, location: str) -> None:
        self.player.pyramid.build(self.player.show(slot), location)
        self.next_build()

    def legal_obelisk(self) -> list[int]:
        return [BUILD_OBELISK + slot for slot in range(len(self.player.hand))] + [PASS]  # R12

    def do_obelisk(self, slot: int) -> None:
        self.player.obelisk.append(self.player.show(slot))
        self.obelisk_used = True
        self.next_build()

    def legal_tomb(self) -> list[int]:
        return [BUILD_TOMB + slot for slot in range(len(self.player.hand))] + [PASS]  # R12

    def do_tomb(self, slot: int) -> None:
        self.player.bury(slot)
        self.next_build()

    def legal_discard(self) -> list[int]:
        return [DROP, DROP + 1]

    def do_discard(self, slot: int) -> None:
        self.discards.add(self.player.show(slot))
        self.next_discard()

    def is_terminal(self) -> bool:
        return self.phase == END

    def legal_actions(self) -> list[int]:
        if self.is_terminal():
            return []
        return {
            GOD: self.legal_god,
            PAIR: self.legal_pair,
            PYR: self.legal_pyramid,
            OBE: self.legal_obelisk,
            TOMB: self.legal_tomb,
            DISC: self.legal_discard,
        }[self.phase]()

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is illegal")
        self.do(action)
        self.resolve_forced_moves()

    def do(self, action: int) -> None:
        if action < TAKE_PAIR:
            self.do_god(action - TAKE_TILE)
        elif action < BUILD_PYRAMID:
            self.do_pair(action - TAKE_PAIR)
        elif action < BUILD_OBELISK:
            slot, location = divmod(action - BUILD_PYRAMID, 8)
            self.do_pyramid(slot, LOCATION_NAMES[location])
        elif action < BUILD_TOMB:
            self.do_obelisk(action - BUILD_OBELISK)
        elif action < PASS:
            self.do_tomb(action - BUILD_TOMB)
        elif action == PASS:
            self.next_build()
        else:
            self.do_discard(action - DROP)

    def resolve_forced_moves(self) -> None:
        while len(legal := self.legal_actions()) == 1:
            self.do(legal[0])

    # Scoring

    def tomb_points(self, seat: int) -> int:
        points = 0
        for colour in COLOURS:
            mine = self.players[seat].tomb_stones(colour)
            others = [player.tomb_stones(colour) for i, player in enumerate(self.players) if i != seat]
            if mine > max(others):  # R33, R34
                points += 5
        return points

    def score_row(self, seat: int) -> list[int]:
        """groups, longest, bonus, obelisk, tomb, glyphs, total"""
        player = self.players[seat]
        largest = player.pyramid.largest_groups()
        bonus = 10 if min(largest) >= 3 else 0
        tomb = self.tomb_points(seat)
        parts = [sum(largest), max(largest), bonus, player.obelisk_points(), tomb, 2 * player.glyphs()]
        return [*parts, sum(parts)]

    def scores(self) -> list[int]:
        return [self.score_row(seat)[-1] for seat in range(self.num_players)]

    def standings(self) -> list[int]:
        scores = self.scores()
        return [sum(other > score for other in scores) for score in scores]  # R42

    # Snapshots

    def public_places(self) -> list[int]:
        pub = [UNSEEN] * len(CARDS)

        def put(cards, place: int) -> None:
            for card in cards:
                pub[card] = place

        for pair in self.quarry:
            put(pair, QUARRY)
        put(self.discards, DISCARD)
        for seat, player in enumerate(self.players):
            put(player.pyramid.cards.values(), IN_PYRAMID + seat)
            put(player.obelisk, IN_OBELISK + seat)
            for cards, place in zip(player.knowledge(), (IN_HAND, CANDIDATE, IN_TOMB), strict=True):
                put(cards, place + seat)
            if not player.initial_card_identified:
                pub[player.initial_card] = UNSEEN
        return pub

    def snapshot(self) -> dict:
        players = self.players
        return {
            "n_players": self.num_players,
            "round": self.round,
            "phase": self.phase,
            "cur": self.current_player,
            "first": self.first_player,
            "removed": self.removed_tile,
            "tile": self.tile,
            "god_cnt": len(self.tile_owner),
            "used_obe": int(self.obelisk_used),
            "done": int(self.is_terminal()),
            "tile_owner": [self.tile_owner.get(tile, EMPTY) for tile in range(5)],
            "quarry": padded_rows(self.quarry, 2),
            "hand": padded_rows([player.hand for player in players], 3),
            "pyr": padded_rows([player.pyramid.slots() for player in players], 10),
            "obe": padded_rows([player.obelisk for player in players], 10),
            "tomb": padded_rows([player.tomb for player in players], 10),
            "n_hand": padded([len(player.hand) for player in players], MAX_PLAYERS, 0),
            "n_pyr": padded([len(player.pyramid.cards) for player in players], MAX_PLAYERS, 0),
            "n_obe": padded([len(player.obelisk) for player in players], MAX_PLAYERS, 0),
            "n_tomb": padded([len(player.tomb) for player in players], MAX_PLAYERS, 0),
            "deck": [EMPTY] * (len(CARDS) - len(self.deck)) + self.deck,
            "deck_pos": len(CARDS) - len(self.deck),
            "pub": self.public_places(),
            "init_card": padded([player.initial_card for player in players], MAX_PLAYERS, EMPTY),
            "init_stat": padded([player.init_stat() for player in players], MAX_PLAYERS, 0),
        }

    @classmethod
    def from_snapshot(cls, snapshot: dict, chance: Chance) -> Referee:
        self = cls.__new__(cls)
        self.num_players = snapshot["n_players"]
        self.tiles = read_tiles(self.num_players)
        self.round = snapshot["round"]
        self.phase = snapshot["phase"]
        self.current_player = snapshot["cur"]
        self.first_player = snapshot["first"]
        self.removed_tile = snapshot["removed"]
        self.tile = snapshot["tile"]
        self.obelisk_used = bool(snapshot["used_obe"])
        self.tile_owner = {tile: seat for tile, seat in enumerate(snapshot["tile_owner"]) if seat != EMPTY}
        self.quarry = [filled(pair) for pair in snapshot["quarry"][: self.num_players]]
        self.deck = list(snapshot["deck"][snapshot["deck_pos"] :])
        self.discards = cards_at(snapshot["pub"], DISCARD)
        self.players = [player_from_snapshot(snapshot, seat) for seat in range(self.num_players)]
        return self

    @staticmethod
    def action_to_string(action: int) -> str:
        if not 0 <= action < NUM_ACTIONS:
            raise ValueError(f"no action {action}")
        if action < TAKE_PAIR:
            return f"god {TILE_NAMES[action]}"
        if action < BUILD_PYRAMID:
            return f"take {'ABCDE'[action - TAKE_PAIR]}"
        if action < BUILD_OBELISK:
            slot, location = divmod(action - BUILD_PYRAMID, 8)
            return f"pyr {slot + 1}@{LOCATION_NAMES[location]}"
        if action < BUILD_TOMB:
            return f"obe {action - BUILD_OBELISK + 1}"
        if action < PASS:
            return f"tomb {action - BUILD_TOMB + 1}"
        if action == PASS:
            return "pass"
        return f"drop {action - DROP + 1}"


def padded(values: list[int], length: int, padding: int) -> list[int]:
    return values + [padding] * (length - len(values))


def padded_rows(rows: list[list[int]], width: int) -> list[list[int]]:
    return [padded(row, width, EMPTY) for row in rows + [[]] * (MAX_PLAYERS - len(rows))]


def filled(values: list[int]) -> list[int]:
    return [value for value in values if value != EMPTY]


def cards_at(pub: list[int], place: int) -> set[int]:
    return {card for card, where in enumerate(pub) if where == place}


def player_from_snapshot(snapshot: dict, seat: int) -> Player:
    init_stat = snapshot["init_stat"][seat]
    player = Player(
        initial_card=snapshot["init_card"][seat],
        initial_card_identified=init_stat == IDENTIFIED,
        hand=filled(snapshot["hand"][seat]),
        pyramid=Pyramid.from_slots(snapshot["pyr"][seat]),
        obelisk=filled(snapshot["obe"][seat]),
        tomb=filled(snapshot["tomb"][seat]),
        surely_in_hand=cards_at(snapshot["pub"], IN_HAND + seat),
        one_in_hand=cards_at(snapshot["pub"], CANDIDATE + seat),
        surely_in_tomb=cards_at(snapshot["pub"], IN_TOMB + seat),
    )
    if init_stat != IDENTIFIED:
        player.knowledge()[init_stat].add(player.initial_card)
    return player
