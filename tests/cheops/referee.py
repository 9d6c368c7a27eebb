"""Referee for `cheops`: a plain reading of the rules, written for comparison with the fast kernel, not for speed.

Chance order
1. Setup, sheets: `shuffle([0, 1, 2, 3, 4])`, all five for every n; seat i gets entry i of the shuffled list.
2. Setup, roll of round 0: `below(6)` once per die, die 0 first, 3 dice with two builders, else 4.
3. Start of every later round: the roll, as in 2. Nothing is rolled after the last round.

Values the rules leave open
- Seats without a builder: sheet -1, q_mark -1, everything else 0.
- After the last turn no new turn starts: active, turn, cur, built, pool, avail, roll keep the values of that last turn
  (turn >= 1 there, so pool is not touched); pend, need, qbase are -1.
"""

import csv
from dataclasses import dataclass, field
from typing import Any, Protocol


class Chance(Protocol):
    def below(self, n: int) -> int: ...

    def shuffle(self, items: list) -> None: ...


COLOURS = "BRLOGY"
SHEETS = "ABCDE"
MAX_BUILDERS = 5
MAX_DICE = 4
MAX_ROUNDS = 100  # R35
QUARRY_LENGTH = 12

PYRAMID_CSV = """\
stone,level,pos,support_left,support_right,carries,A,B,C,D,E
p0,1,0,-,-,p5,R,L,O,G,Y
p1,1,1,-,-,p5 p6,B,R,L,O,G
p2,1,2,-,-,p6 p7,O,G,Y,B,R
p3,1,3,-,-,p7 p8,Y,B,R,L,O
p4,1,4,-,-,p8,G,Y,B,R,L
p5,2,0,p0,p1,p9,G,Y,B,R,L
p6,2,1,p1,p2,p9 p10,R,L,O,G,Y
p7,2,2,p2,p3,p10 p11,L,O,G,Y,B
p8,2,3,p3,p4,p11,O,G,Y,B,R
p9,3,0,p5,p6,p12,L,O,G,Y,B
p10,3,1,p6,p7,p12 p13,B,R,L,O,G
p11,3,2,p7,p8,p13,Y,B,R,L,O
p12,4,0,p9,p10,p14,G,Y,B,R,L
p13,4,1,p10,p11,p14,L,O,G,Y,B
p14,5,0,p12,p13,-,B,R,L,O,G
"""

ARCH_CSV = """\
row,stones,count,needs,A,B,C,D,E
level1,left1 right1,2,ground,O,G,Y,B,R
level2,left2 right2,2,left1 for left2; right1 for right2,Y,B,R,L,O
level3,left3 right3,2,left2 for left3; right2 for right3,G,Y,B,R,L
level4,left4 right4,2,left3 for left4; right3 for right4,R,L,O,G,Y
keystone,key,1,left4 and right4,L,O,G,Y,B
"""

MOSAIC_CSV = """\
cell,row,col,neighbours,A,B,C,D,E
m0,0,0,m1 m4,L,O,G,Y,B
m1,0,1,m0 m2 m5,Y,B,R,L,O
m2,0,2,m1 m3 m6,G,Y,B,R,L
m3,0,3,m2 m7,B,R,L,O,G
m4,1,0,m0 m5 m8,R,L,O,G,Y
m5,1,1,m1 m4 m6 m9,L,O,G,Y,B
m6,1,2,m2 m5 m7 m10,B,R,L,O,G
m7,1,3,m3 m6 m11,O,G,Y,B,R
m8,2,0,m4 m9,O,G,Y,B,R
m9,2,1,m5 m8 m10,B,R,L,O,G
m10,2,2,m6 m9 m11,R,L,O,G,Y
m11,2,3,m7 m10,Y,B,R,L,O
"""

DOMINO_CSV = """\
domino,action,notation,cell_x,cell_y,orientation
0,18,M0-1,m0,m1,horizontal
1,19,M1-2,m1,m2,horizontal
2,20,M2-3,m2,m3,horizontal
3,21,M4-5,m4,m5,horizontal
4,22,M5-6,m5,m6,horizontal
5,23,M6-7,m6,m7,horizontal
6,24,M8-9,m8,m9,horizontal
7,25,M9-10,m9,m10,horizontal
8,26,M10-11,m10,m11,horizontal
9,27,M0-4,m0,m4,vertical
10,28,M1-5,m1,m5,vertical
11,29,M2-6,m2,m6,vertical
12,30,M3-7,m3,m7,vertical
13,31,M4-8,m4,m8,vertical
14,32,M5-9,m5,m9,vertical
15,33,M6-10,m6,m10,vertical
16,34,M7-11,m7,m11,vertical
"""

QUARRY_CSV = """\
index,A,B,C,D,E
0,B,R,L,O,G
1,R,L,O,G,Y
2,Y,B,R,L,O
3,L,O,G,Y,B
4,G,Y,B,R,L
5,O,G,Y,B,R
6,Y,B,R,L,O
7,B,R,L,O,G
8,L,O,G,Y,B
9,R,L,O,G,Y
10,O,G,Y,B,R
11,G,Y,B,R,L
"""

BONUS_CSV = """\
bit,id,building,stones,meaning
0,BP1,pyramid,p0 p1 p2 p3 p4,ground level complete
1,BP2,pyramid,p10,centre stone of level 3
2,BP3,pyramid,p14,top stone
3,BA1,arch,left1 left2 right1 right2,both columns at least 2 high
4,BA2,arch,key,keystone
5,BM1,mosaic,m0 m1 m2 m3,mosaic row 0 complete
6,BM2,mosaic,m4 m5 m6 m7,mosaic row 1 complete
7,BM3,mosaic,m8 m9 m10 m11,mosaic row 2 complete
"""

PYRAMID_POINTS = [0, 3, 6, 10, 15, 21]
COLUMN_POINTS = [0, 0, 2, 4, 6]
KEYSTONE_POINTS = 9
MOSAIC_POINTS = {0: 0, 2: 0, 4: 4, 6: 6, 8: 8, 10: 11, 12: 15}  # R26
BONUS_POINTS = 3
JOKER_POINTS = 2
END_BONUS = 8


def rows(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(table.splitlines()))


def number(stone: str) -> int:
    """The number in the name of a pyramid stone or mosaic cell: p7 -> 7."""
    return int(stone[1:])


def colours_per_sheet(table: str) -> list[list[int]]:
    return [[COLOURS.index(row[sheet]) for row in rows(table)] for sheet in SHEETS]


# [sheet][place]; the arch has one colour per level, the keystone comes last.
PYRAMID_COLOURS = colours_per_sheet(PYRAMID_CSV)
ARCH_COLOURS = colours_per_sheet(ARCH_CSV)
MOSAIC_COLOURS = colours_per_sheet(MOSAIC_CSV)
QUARRY_COLOURS = colours_per_sheet(QUARRY_CSV)

LEVEL = [int(row["level"]) for row in rows(PYRAMID_CSV)]
SUPPORTS = [[number(row[side]) for side in ("support_left", "support_right") if row[side] != "-"] for row in rows(PYRAMID_CSV)]
DOMINOES = [(number(row["cell_x"]), number(row["cell_y"])) for row in rows(DOMINO_CSV)]
BONUS_GROUPS = [set(row["stones"].split()) for row in rows(BONUS_CSV)]

BUILD, PAY, OVER = 0, 1, 2

AL, AR, AK = 15, 16, 17
FIRST_DOMINO = 18
STOP = 35
JOKER = 36
FIRST_QUARRY = 37
NOTATION = (
    [f"P{i}" for i in range(15)]
    + ["AL", "AR", "AK"]
    + [row["notation"] for row in rows(DOMINO_CSV)]
    + ["stop", "J"]
    + [f"Q{i}" for i in range(QUARRY_LENGTH)]
)


def is_pyramid(action: int) -> bool:
    return action < AL


def is_domino(action: int) -> bool:
    return FIRST_DOMINO <= action < STOP


def cells_of(action: int) -> tuple[int, int]:
    return DOMINOES[action - FIRST_DOMINO]


@dataclass
class Builder:
    """One builder's sheet."""

    sheet: int
    jokers: int
    pyramid: set[int] = field(default_factory=set)
    left: int = 0
    right: int = 0
    keystone: bool = False
    mosaic: set[int] = field(default_factory=set)
    quarry_crossed: set[int] = field(default_factory=set)
    quarry_marker: int = -1
    bonuses: set[int] = field(default_factory=set)

    def may_place(self, action: int) -> bool:
        """Whether the stones of a building action are open and carried, whatever they cost."""
        if is_pyramid(action):
            return action not in self.pyramid and all(support in self.pyramid for support in SUPPORTS[action])
        if action == AL:
            return self.left < 4
        if action == AR:
            return self.right < 4
        if action == AK:
            return self.left == self.right == 4 and not self.keystone
        return not any(cell in self.mosaic for cell in cells_of(action))

    def cost(self, action: int) -> list[int]:
        if is_pyramid(action):
            return [PYRAMID_COLOURS[self.sheet][action]]
        if action == AL:
            return [ARCH_COLOURS[self.sheet][self.left]]
        if action == AR:
            return [ARCH_COLOURS[self.sheet][self.right]]
        if action == AK:
            return [ARCH_COLOURS[self.sheet][-1]]
        return [MOSAIC_COLOURS[self.sheet][cell] for cell in cells_of(action)]

    def place(self, action: int) -> None:
        if is_pyramid(action):
            self.pyramid.add(action)
        elif action == AL:
            self.left += 1
        elif action == AR:
            self.right += 1
        elif action == AK:
            self.keystone = True
        else:
            self.mosaic.update(cells_of(action))

    def quarry_stones(self, colour: int, marker: int) -> list[int]:
        """Open quarry stones of a colour to the right of a marker (R4, R29)."""
        row = QUARRY_COLOURS[self.sheet]
        return [i for i in range(marker + 1, QUARRY_LENGTH) if row[i] == colour and i not in self.quarry_crossed]

    def can_pay(self, unpaid: list[int]) -> bool:
        """Whether jokers and quarry stones right of the marker cover the colours (R7, R41)."""
        without_stone = 0
        for colour in set(unpaid):
            stones = len(self.quarry_stones(colour, self.quarry_marker))
            without_stone += max(0, unpaid.count(colour) - stones)
        return without_stone <= self.jokers

    def crossed_stones(self) -> set[str]:
        """Names of all crossed building stones, as the bonus table names them."""
        stones = {f"p{i}" for i in self.pyramid} | {f"m{i}" for i in self.mosaic}
        stones |= {f"left{level}" for level in range(1, self.left + 1)}
        stones |= {f"right{level}" for level in range(1, self.right + 1)}
        return stones | {"key"} if self.keystone else stones

    def complete_groups(self) -> set[int]:
        crossed = self.crossed_stones()
        return {b for b, group in enumerate(BONUS_GROUPS) if group <= crossed}

    def complete_buildings(self) -> int:
        return [len(self.pyramid) == 15, self.keystone, len(self.mosaic) == 12].count(True)

    def score(self) -> int:
        pyramid = PYRAMID_POINTS[max((LEVEL[i] for i in self.pyramid), default=0)]  # R27
        arch = KEYSTONE_POINTS if self.keystone else COLUMN_POINTS[min(self.left, self.right)]  # R28
        mosaic = MOSAIC_POINTS[len(self.mosaic)]
        bonuses = BONUS_POINTS * len(self.bonuses)
        quarry = QUARRY_LENGTH - 1 - self.quarry_marker
        return pyramid + arch + mosaic + bonuses + quarry + JOKER_POINTS * self.jokers


class Referee:
    def __init__(self, num_players: int, chance: Chance) -> None:
        if not 2 <= num_players <= MAX_BUILDERS:
            raise ValueError(f"2 to 5 builders, not {num_players}")
        self.chance = chance
        sheets = list(range(len(SHEETS)))
        chance.shuffle(sheets)  # R34
        self.builders = [Builder(sheet, jokers=num_players) for sheet in sheets[:num_players]]  # R30
        self.num_dice = 3 if num_players == 2 else 4
        self.bonus_round = [-1] * len(BONUS_GROUPS)
        self.truncated = False
        self.start_round(0)
        self.resolve_forced_moves()

    # --- the course of the game

    @property
    def current_player(self) -> int:
        return (self.active + self.turn) % len(self.builders)

    @property
    def builder(self) -> Builder:
        return self.builders[self.current_player]

    def is_terminal(self) -> bool:
        return self.phase == OVER

    def start_round(self, round_: int) -> None:
        self.round = round_
        self.active = round_ % len(self.builders)
        self.roll = [self.chance.below(len(COLOURS)) for _ in range(self.num_dice)]  # R16
        self.pool = [self.roll.count(colour) for colour in range(len(COLOURS))]
        self.start_turn(0)

    def start_turn(self, turn: int) -> None:
        self.turn = turn
        self.available = list(self.pool)
        self.built = 0
        self.clear_pending()
        self.phase = BUILD

    def clear_pending(self) -> None:
        self.pending = -1
        self.need: list[int] = []
        self.quarry_base = -1

    def end_turn(self) -> None:
        if self.turn == 0:
            self.pool = list(self.available)  # R14; dice of the others go back, R15
        if self.turn < len(self.builders) - 1:
            self.start_turn(self.turn + 1)
        else:
            self.end_round()

    def end_round(self) -> None:
        finished = [builder for builder in self.builders if builder.complete_buildings() >= 2]
        if finished or self.round + 1 == MAX_ROUNDS:
            for builder in finished:
                builder.bonuses.add(END_BONUS)  # R22
            self.truncated = not finished
            self.phase = OVER
        else:
            self.start_round(self.round + 1)

    def legal_actions(self) -> list[int]:
        if self.phase == BUILD:
            return self.legal_build()
        if self.phase == PAY:
            return self.legal_pay()
        return []

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action}")
        self.do(action)
        self.resolve_forced_moves()

    def do(self, action: int) -> None:
        if self.phase == BUILD:
            self.do_build(action)
        else:
            self.do_pay(action)

    def resolve_forced_moves(self) -> None:
        while len(legal := self.legal_actions()) == 1:  # R37
            self.do(legal[0])

    # --- BUILD

    def take_dice(self, cost: list[int]) -> tuple[list[int], list[int]]:
        """Dice left in the middle and colours left to pay: a matching die is always used (R1-R3)."""
        dice, unpaid = list(self.available), []
        for colour in cost:
            if dice[colour] > 0:
                dice[colour] -= 1
            else:
                unpaid.append(colour)
        return dice, unpaid

    def may_build(self, action: int) -> bool:
        if is_domino(action) and self.built > 0:  # R9
            return False
        if not self.builder.may_place(action):
            return False
        _, unpaid = self.take_dice(self.builder.cost(action))
        return self.builder.can_pay(unpaid)

    def legal_build(self) -> list[int]:
        return [action for action in range(STOP) if self.may_build(action)] + [STOP]

    def do_build(self, action: int) -> None:
        if action == STOP:
            self.end_turn()
            return
        self.available, self.need = self.take_dice(self.builder.cost(action))
        self.pending = action
        self.quarry_base = self.builder.quarry_marker
        if self.need:
            self.phase = PAY
        else:
            self.complete()

    # --- PAY

    def can_pay_rest(self, jokers: int, used_stone: int | None) -> bool:
        """Whether the second colour still owed, if any, can be paid after the first payment."""
        if len(self.need) < 2:
            return True
        stones = self.builder.quarry_stones(self.need[1], self.quarry_base)
        return jokers >= 1 or any(stone != used_stone for stone in stones)

    def legal_pay(self) -> list[int]:
        jokers = self.builder.jokers
        legal = [JOKER] if jokers >= 1 and self.can_pay_rest(jokers - 1, None) else []
        stones = self.builder.quarry_stones(self.need[0], self.quarry_base)  # R7: right of the old marker
        return legal + [FIRST_QUARRY + stone for stone in stones if self.can_pay_rest(jokers, stone)]

    def do_pay(self, action: int) -> None:
        builder = self.builder
        if action == JOKER:
            builder.jokers -= 1  # R5: the marker stays
        else:
            stone = action - FIRST_QUARRY
            builder.quarry_crossed.add(stone)
            builder.quarry_marker = max(builder.quarry_marker, stone)
        self.need.pop(0)
        if not self.need:
            self.complete()

    # --- COMPLETE

    def complete(self) -> None:
        builder = self.builder
        before = builder.complete_groups()
        builder.place(self.pending)
        self.built += 2 if is_domino(self.pending) else 1
        for b in builder.complete_groups() - before:  # R20
            if self.bonus_round[b] in (-1, self.round):  # R18, R21
                builder.bonuses.add(b)
                self.bonus_round[b] = self.round
        self.clear_pending()
        if self.built == 2:
            self.end_turn()
        else:
            self.phase = BUILD

    # --- scores

    def scores(self) -> list[int]:
        return [builder.score() for builder in self.builders]

    def standings(self) -> list[int]:
        results = [(builder.score(), len(builder.pyramid)) for builder in self.builders]
        return [sum(other > own for other in results) for own in results]  # R31

    # --- snapshots

    def snapshot(self) -> dict[str, Any]:
        builders = self.builders
        return {
            "n_players": len(builders),
            "n_dice": self.num_dice,
            "round": self.round,
            "active": self.active,
            "turn": self.turn,
            "cur": self.current_player,
            "phase": self.phase,
            "built": self.built,
            "roll": padded(self.roll, MAX_DICE, -1),
            "pool": list(self.pool),
            "avail": list(self.available),
            "pend": self.pending,
            "need": padded(self.need, 2, -1),
            "qbase": self.quarry_base,
            "bonus_round": list(self.bonus_round),
            "truncated": int(self.truncated),
            "sheet": padded([b.sheet for b in builders], MAX_BUILDERS, -1),
            "pyr": padded([bits(b.pyramid) for b in builders], MAX_BUILDERS, 0),
            "arch_l": padded([b.left for b in builders], MAX_BUILDERS, 0),
            "arch_r": padded([b.right for b in builders], MAX_BUILDERS, 0),
            "key": padded([int(b.keystone) for b in builders], MAX_BUILDERS, 0),
            "mos": padded([bits(b.mosaic) for b in builders], MAX_BUILDERS, 0),
            "q_mark": padded([b.quarry_marker for b in builders], MAX_BUILDERS, -1),
            "q_crossed": padded([bits(b.quarry_crossed) for b in builders], MAX_BUILDERS, 0),
            "jokers": padded([b.jokers for b in builders], MAX_BUILDERS, 0),
            "bonus": padded([bits(b.bonuses) for b in builders], MAX_BUILDERS, 0),
        }

    @classmethod
    def from_snapshot(cls, snapshot: dict[str, Any], chance: Chance) -> "Referee":
        game = cls.__new__(cls)
        game.chance = chance
        game.builders = [
            Builder(
                sheet=snapshot["sheet"][seat],
                jokers=snapshot["jokers"][seat],
                pyramid=members(snapshot["pyr"][seat]),
                left=snapshot["arch_l"][seat],
                right=snapshot["arch_r"][seat],
                keystone=bool(snapshot["key"][seat]),
                mosaic=members(snapshot["mos"][seat]),
                quarry_crossed=members(snapshot["q_crossed"][seat]),
                quarry_marker=snapshot["q_mark"][seat],
                bonuses=members(snapshot["bonus"][seat]),
            )
            for seat in range(snapshot["n_players"])
        ]
        game.num_dice = snapshot["n_dice"]
        game.round = snapshot["round"]
        game.active = snapshot["active"]
        game.turn = snapshot["turn"]
        game.phase = snapshot["phase"]
        game.built = snapshot["built"]
        game.roll = list(snapshot["roll"][: game.num_dice])
        game.pool = list(snapshot["pool"])
        game.available = list(snapshot["avail"])
        game.pending = snapshot["pend"]
        game.need = [colour for colour in snapshot["need"] if colour >= 0]
        game.quarry_base = snapshot["qbase"]
        game.bonus_round = list(snapshot["bonus_round"])
        game.truncated = bool(snapshot["truncated"])
        return game

    @staticmethod
    def action_to_string(action: int) -> str:
        return NOTATION[action]


def padded(values: list[int], length: int, filler: int) -> list[int]:
    return values + [filler] * (length - len(values))


def bits(numbers: set[int]) -> int:
    return sum(1 << i for i in numbers)


def members(mask: int) -> set[int]:
    return {i for i in range(mask.bit_length()) if mask >> i & 1}
