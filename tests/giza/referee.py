"""Plain referee of Giza: The Great Pyramid, written from the rules alone (R..: the rulings of the game's page).

Chance order
------------
1. Setup, C1: `first = chance.below(num_players)`. Nothing else in the game is random.

Choices where the rules leave a value open
------------------------------------------
* During SETUP (stage 0) no order and no rows exist yet: `order` and `row` are all -1, `oi` is 0.
* When the game is over `stage` stays 2 and `order`, `row`, `used_rows` keep their last values; `oi` is the index of
  the last turn after the capstone ended the game, and `num_players` after the last turn of round 10.
* `current_player` is -1 when the game is over. `scores()` is the sum of `points` at any time.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple, Protocol


class Chance(Protocol):
    def below(self, n: int) -> int: ...

    def shuffle(self, items: list) -> None: ...


Phase = IntEnum("Phase", "SETUP ROW BONUS ACTION EXIT NOMINATE FOOD_BID BUILD REASSIGN ART_BID STONE OVER", start=0)

MAX_PLAYERS = 4
CATEGORIES = ("pushes", "lifts", "decorations", "temple")
BOARD_WORKERS = {3: 10, 4: 8}
QUARRIES_USED = {3: 3, 4: 4}
ROUNDS = 10
SECOND_DYNASTY = 6
TRACK_LENGTH = 3  # R4
UNLOADED = TRACK_LENGTH + 1
SPACE_CAPACITY = 4
WORKERS_TO_NOMINATE = 3
FOOD_PER_WORKER = 2
FOOD_TO_SUCCEED = 4
ACTIONS_PER_TURN = 3
ALL_FOOD = 128  # R8
ALL_ART = 60
START_FOOD = 8
START_ART = 3

STAGE_SETUP, STAGE_ROWS, STAGE_TURNS = 0, 1, 2
FISH2, NO_BONUS, SUPPORT, QUARRY, TRACK, LIFTER, FARM2, ART2 = range(8)
ROW_NAMES = ("fish2", "none", "support", "quarry", "track", "lifter", "farm2", "art2")
BONUS_ROWS = (SUPPORT, QUARRY, TRACK, LIFTER)

FARM, RA, ARTISTS, ML, CL = CAMPS = range(5)
CAMP_NAMES = ("farm", "ra", "art", "ml", "cl")
ZONES = 21

BASE, MIDDLE, CAPSTONE = range(3)
LOCATIONS = "ABCD"
CAP_RESERVE, CAP_SLED, CAP_ML, CAP_CL, CAP_BUILT = range(5)
# Nomination ids 0-3 are the sleds.
LIFT_MID, LIFT_CAP1, LIFT_CAP2 = 4, 5, 6

POINTS = (6, 3, 1, 0)
CAPSTONE_POINTS = (10, 6, 3, 1)
SOLO_BONUS = 4

# First index of each block of the action table.
PUT, ROW, PASS, DO_FARM, DO_FISH, MAKE_ART, MOVE, ADVANCE = 0, 9, 17, 18, 19, 20, 30, 86
NOMINATE, FOOD, BUILD, LOAD, DECO, NUM_ACTIONS = 102, 109, 130, 134, 136, 197

# Worker moves in the order of the action table, by kind.
MOVE_TABLE = {
    "support": """farm>ra farm>art ra>farm ra>art art>farm art>ra""",
    "quarry": """
        q0>q1 q0>q2 q0>q3 q1>q0 q1>q2 q1>q3 q2>q0 q2>q1 q2>q3 q3>q0 q3>q1 q3>q2
        q0>farm q0>ra q0>art q1>farm q1>ra q1>art q2>farm q2>ra q2>art q3>farm q3>ra q3>art
        farm>q0 farm>q1 farm>q2 farm>q3 ra>q0 ra>q1 ra>q2 ra>q3 art>q0 art>q1 art>q2 art>q3""",
    "lifter": """
        ml>cl cl>ml ml>farm ml>ra ml>art cl>farm cl>ra cl>art
        farm>ml farm>cl ra>ml ra>cl art>ml art>cl""",
}
ZONE_OF_NAME = {"farm": FARM, "ra": RA, "art": ARTISTS, "ml": ML, "cl": CL, "q0": 5, "q1": 9, "q2": 13, "q3": 17}


class Move(NamedTuple):
    number: int
    notation: str
    kind: str
    src: int
    dst: int


def read_moves() -> dict[int, Move]:
    listed = [(kind, notation) for kind, table in MOVE_TABLE.items() for notation in table.split()]
    moves = {}
    for index, (kind, notation) in enumerate(listed, start=MOVE):
        src, dst = (ZONE_OF_NAME[name] for name in notation.split(">"))
        moves[index] = Move(index, notation, kind, src, dst)
    return moves


MOVES = read_moves()

NOTATIONS: list[str] = [
    *(f"put {name}" for name in (*CAMP_NAMES, "q0", "q1", "q2", "q3")),
    *(f"row {name}" for name in ROW_NAMES),
    "pass",
    "farm",
    "fish",
    *(f"art {k}" for k in range(1, 11)),
    *(MOVES[index].notation for index in range(MOVE, ADVANCE)),
    *(f"adv q{q}.{s}" for q in range(4) for s in range(TRACK_LENGTH + 1)),
    *(f"push q{q}" for q in range(4)),
    "lift mid",
    "lift cap1",
    "lift cap2",
    *(f"food {b}" for b in range(21)),
    *(f"build {name}" for name in LOCATIONS),
    "load mid",
    "load cap",
    *(f"deco {k}" for k in range(61)),
]

# fmt: off
SCALAR_FIELDS = (
    "n_players", "first", "phase", "stage", "cur", "round", "setup_k", "oi", "turn_player", "acts", "n_farm", "n_fish",
    "n_make", "hand", "cap_where", "lift_mid", "reserve_mid", "nom", "bid_step", "loc",
)
# fmt: on
QUARRY_OR_LOCATION_FIELDS = ("sled_pos", "sled_stone", "base_built", "mid_built")
# Fields with one entry per seat, with the value that fills the slot of an absent fourth seat.
SEAT_FIELDS = {
    **dict.fromkeys(("order", "row", "bids", "art_bid"), -1),
    **dict.fromkeys(("used_rows", "food", "art", "pend"), 0),
}


def cell(quarry: int, space: int) -> int:
    return 5 + 4 * quarry + space


def quarry_of_site(zone: int) -> int | None:
    """The quarry whose site this zone is; None for any other zone."""
    return (zone - 5) // 4 if zone >= 5 and (zone - 5) % 4 == 0 else None


def partner(loc: int) -> int:
    return loc ^ 1


def award(values: list[int], points: tuple[int, ...]) -> list[int]:
    """Points by rank; value 0 is not ranked (R32); ties share the places and round down (R34)."""
    gains = [0] * len(values)
    place = 0
    for value in sorted({v for v in values if v >= 1}, reverse=True):
        tied = [p for p, v in enumerate(values) if v == value]
        share = sum(points[place : place + len(tied)]) // len(tied)
        for p in tied:
            gains[p] = share
        place += len(tied)
    return gains


class Referee:
    bids: list[int]
    art_bid: list[int]

    def __init__(self, num_players: int, chance: Chance) -> None:
        if num_players not in BOARD_WORKERS:
            raise ValueError("Giza is for 3 or 4 players")
        quarries = QUARRIES_USED[num_players]
        prebuilt = 4 - quarries  # R40
        self.n_players = num_players
        self.first = chance.below(num_players)
        self.phase = Phase.SETUP
        self.stage = STAGE_SETUP
        self.cur = self.first
        self.round = 0
        self.setup_k = 0
        self.order = [-1] * num_players
        self.oi = 0
        self.turn_player = -1
        self.used_rows = [0] * num_players
        self.row = [-1] * num_players
        self.workers = [[0] * ZONES for _ in range(num_players)]
        self.sled_pos = [0] * quarries + [-1] * (4 - quarries)
        self.sled_stone = [BASE] * quarries + [-1] * (4 - quarries)
        self.base_built = [1] * prebuilt + [0] * (4 - prebuilt)
        self.mid_built = list(self.base_built)
        self.cap_where = CAP_RESERVE
        self.lift_mid = 0
        self.reserve_mid = 4 - prebuilt
        self.food = [START_FOOD] * num_players
        self.art = [START_ART] * num_players
        self.points = [[0] * len(CATEGORIES) for _ in range(num_players)]
        self.hand = 0
        self.pend = [0] * num_players
        self.clear_turn()
        self.take_forced_decisions()

    # ---------------------------------------------------------------- interface

    @property
    def current_player(self) -> int:
        return self.cur

    def is_terminal(self) -> bool:
        return self.phase == Phase.OVER

    def legal_actions(self) -> list[int]:
        if self.is_terminal():
            return []
        return sorted(getattr(self, f"legal_{self.phase.name.lower()}")())

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action} in phase {self.phase.name}")
        self.take(action)
        self.take_forced_decisions()

    def take(self, action: int) -> None:
        getattr(self, f"do_{self.phase.name.lower()}")(action)

    def take_forced_decisions(self) -> None:
        while len(legal := self.legal_actions()) == 1:
            self.take(legal[0])

    def scores(self) -> list[int]:
        return [sum(sheet) for sheet in self.points]

    def standings(self) -> list[int]:
        keys = [(sum(self.points[p]), self.food[p] + self.art[p], self.workers[p][RA]) for p in self.seats()]
        return [sum(other > key for other in keys) for key in keys]

    def snapshot(self) -> dict[str, Any]:
        absent = MAX_PLAYERS - self.n_players
        snapshot: dict[str, Any] = {name: int(getattr(self, name)) for name in SCALAR_FIELDS}
        for name in QUARRY_OR_LOCATION_FIELDS:
            snapshot[name] = list(getattr(self, name))
        for name, filler in SEAT_FIELDS.items():
            snapshot[name] = getattr(self, name) + [filler] * absent
        snapshot["workers"] = [list(zones) for zones in self.workers] + [[0] * ZONES for _ in range(absent)]
        snapshot["points"] = [list(sheet) for sheet in self.points] + [[0] * len(CATEGORIES) for _ in range(absent)]
        return snapshot

    @classmethod
    def from_snapshot(cls, snapshot: dict[str, Any], chance: Chance) -> Referee:
        referee = cls.__new__(cls)
        players = snapshot["n_players"]
        for name in SCALAR_FIELDS:
            setattr(referee, name, snapshot[name])
        referee.phase = Phase(snapshot["phase"])
        for name in QUARRY_OR_LOCATION_FIELDS:
            setattr(referee, name, list(snapshot[name]))
        for name in SEAT_FIELDS:
            setattr(referee, name, list(snapshot[name][:players]))
        referee.workers = [list(zones) for zones in snapshot["workers"][:players]]
        referee.points = [list(sheet) for sheet in snapshot["points"][:players]]
        return referee

    @staticmethod
    def action_to_string(action: int) -> str:
        return NOTATIONS[action]

    # ---------------------------------------------------------------- counting and moving pieces

    def seats(self) -> range:
        return range(self.n_players)

    def clockwise_from(self, seat: int) -> list[int]:
        return [(seat + k) % self.n_players for k in self.seats()]

    def count(self, zone: int) -> int:
        return sum(zones[zone] for zones in self.workers)

    def has_room(self, zone: int) -> bool:
        return zone in CAMPS or self.count(zone) < SPACE_CAPACITY

    def quarries(self) -> range:
        return range(QUARRIES_USED[self.n_players])

    def food_supply(self) -> int:
        return ALL_FOOD - sum(self.food)

    def art_supply(self) -> int:
        return ALL_ART - sum(self.art)

    def tier_complete(self, built: list[int]) -> bool:
        return sum(built) == 4

    def pyramid_ready_for_capstone(self) -> bool:
        return self.tier_complete(self.base_built) and self.tier_complete(self.mid_built)

    def move_worker(self, player: int, src: int, dst: int, number: int = 1) -> None:
        self.workers[player][src] -= number
        self.workers[player][dst] += number

    def score(self, category: str, gains: list[int]) -> None:
        for p in self.seats():
            self.points[p][CATEGORIES.index(category)] += gains[p]

    # ---------------------------------------------------------------- setup

    def legal_camps(self) -> list[int]:
        return [PUT + zone for zone in CAMPS]

    def legal_setup(self) -> list[int]:
        return self.legal_camps() + [PUT + 5 + q for q in self.quarries() if self.has_room(cell(q, 0))]

    def do_setup(self, action: int) -> None:
        place = action - PUT
        zone = place if place in CAMPS else cell(place - 5, 0)
        self.workers[self.cur][zone] += 1
        self.setup_k += 1
        if self.setup_k == BOARD_WORKERS[self.n_players] * self.n_players:
            self.start_round()
        else:
            self.cur = (self.first + self.setup_k // 2) % self.n_players

    # ---------------------------------------------------------------- turn order track

    def start_round(self) -> None:
        self.round += 1
        if self.round == 1:
            self.order = self.clockwise_from(self.first)
        else:
            self.order = self.order[::-1]  # R44: also in round 6
        if self.round == SECOND_DYNASTY:
            self.used_rows = [0] * self.n_players
        self.row = [-1] * self.n_players
        self.stage = STAGE_ROWS
        self.turn_player = -1
        self.ask_chooser(0)

    def ask_chooser(self, oi: int) -> None:
        self.oi = oi
        self.phase = Phase.ROW
        self.cur = self.order[oi]

    def next_chooser(self) -> None:
        if self.oi + 1 < self.n_players:
            self.ask_chooser(self.oi + 1)
            return
        self.order = sorted(self.seats(), key=lambda p: self.row[p])
        self.stage = STAGE_TURNS
        self.start_turn(0)

    def legal_row(self) -> list[int]:
        used = self.used_rows[self.cur]
        return [ROW + r for r in range(8) if r not in self.row and not used & (1 << r)]

    def do_row(self, action: int) -> None:
        row = action - ROW
        self.row[self.cur] = row
        self.used_rows[self.cur] |= 1 << row
        if row in BONUS_ROWS:
            self.phase = Phase.BONUS
        else:
            self.next_chooser()

    def legal_bonus(self) -> list[int]:
        row = self.row[self.cur]
        if row == TRACK:
            return [PASS, *self.legal_advances(1)]  # R20
        return [PASS, *self.legal_moves(ROW_NAMES[row])]

    def do_bonus(self, action: int) -> None:
        if action in MOVES:
            self.do_move(action)
        elif action != PASS:
            self.do_advance(action)
        if not self.hand:
            self.next_chooser()

    # ---------------------------------------------------------------- actions of a turn

    def start_turn(self, oi: int) -> None:
        self.oi = oi
        self.turn_player = self.cur = self.order[oi]
        self.clear_turn()
        self.acts = ACTIONS_PER_TURN
        self.phase = Phase.ACTION

    def legal_action(self) -> list[int]:
        return [
            PASS,
            *self.legal_farm(),
            *self.legal_fish(),
            *self.legal_make_art(),
            *self.legal_moves("support"),
            *self.legal_moves("quarry"),
            *self.legal_advances(self.acts),
        ]

    def do_action(self, action: int) -> None:
        if action == PASS:
            self.to_nominate()  # R12
            return
        if action in MOVES:
            self.do_move(action)
            self.acts -= 1
        elif action >= ADVANCE:
            self.acts -= self.do_advance(action)
        else:
            self.do_production(action)
            self.acts -= 1
        if not self.hand and self.acts == 0:
            self.to_nominate()

    def legal_farm(self) -> list[int]:
        row = self.row[self.cur]
        times = 2 if row == FARM2 else 1
        farmers = self.workers[self.cur][FARM]
        possible = farmers >= 1 and self.food_supply() >= 1 and row != FISH2 and self.n_farm < times
        return [DO_FARM] if possible else []

    def legal_fish(self) -> list[int]:
        row = self.row[self.cur]
        times = 2 if row == FISH2 else 1
        fishers = self.workers[self.cur][FARM]
        possible = fishers >= 2 and self.food_supply() >= 1 and row != FARM2 and self.n_fish < times
        return [DO_FISH] if possible else []

    def legal_make_art(self) -> list[int]:
        times = 2 if self.row[self.cur] == ART2 else 1
        if self.n_make >= times:
            return []
        most = min(self.workers[self.cur][ARTISTS], self.food[self.cur], self.art_supply())
        return [MAKE_ART + k - 1 for k in range(1, most + 1)]

    def do_production(self, action: int) -> None:
        player = self.cur
        workers = self.workers[player][FARM]
        if action == DO_FARM:
            self.food[player] += min(workers, self.food_supply())
            self.n_farm += 1
        elif action == DO_FISH:
            self.food[player] += min(workers // 2, self.food_supply())
            self.n_fish += 1
        else:
            made = action - MAKE_ART + 1
            self.food[player] -= made
            self.art[player] += made
            self.n_make += 1

    def legal_moves(self, kind: str) -> list[int]:
        return [m.number for m in MOVES.values() if m.kind == kind and self.can_move(m)]

    def can_move(self, move: Move) -> bool:
        if self.workers[self.cur][move.src] == 0:
            return False
        quarry = quarry_of_site(move.dst)
        return quarry is None or (quarry in self.quarries() and self.has_room(move.dst))

    def do_move(self, action: int) -> None:
        self.move_worker(self.cur, MOVES[action].src, MOVES[action].dst)

    def advance_from(self, quarry: int, space: int) -> int | None:
        """The space (UNLOADED = past the last one) where a worker walking on from here stops, or None."""
        sled = self.sled_pos[quarry]
        if sled == space:
            return None
        for stop in range(space + 1, TRACK_LENGTH + 1):
            if self.has_room(cell(quarry, stop)):
                return stop
            if sled == stop:
                return None  # R18
        return UNLOADED

    def legal_advances(self, most_actions: int) -> list[int]:
        legal = []
        for q in self.quarries():
            for s in range(TRACK_LENGTH + 1):
                stop = self.advance_from(q, s)
                if self.workers[self.cur][cell(q, s)] >= 1 and stop is not None and stop - s <= most_actions:
                    legal.append(ADVANCE + 4 * q + s)
        return legal

    def do_advance(self, action: int) -> int:
        """Walks, and returns the number of spaces walked; off the track the worker is taken in hand."""
        quarry, space = divmod(action - ADVANCE, 4)
        stop = self.advance_from(quarry, space)
        assert stop is not None
        self.workers[self.cur][cell(quarry, space)] -= 1
        if stop == UNLOADED:
            self.hand = 1
            self.phase = Phase.EXIT
        else:
            self.workers[self.cur][cell(quarry, stop)] += 1
        return stop - space

    def legal_exit(self) -> list[int]:
        return self.legal_camps()

    def do_exit(self, action: int) -> None:
        self.workers[self.cur][action - PUT] += 1
        self.hand = 0
        if self.stage == STAGE_ROWS:
            self.next_chooser()
        elif self.acts == 0:
            self.to_nominate()
        else:
            self.phase = Phase.ACTION

    # ---------------------------------------------------------------- nomination and food bids

    def to_nominate(self) -> None:
        self.acts = 0
        if self.eligible():
            self.phase = Phase.NOMINATE
            self.cur = self.turn_player
        else:
            self.end_turn()  # R13

    def nomination_zone(self, nom: int) -> int:
        if nom < LIFT_MID:
            return cell(nom, self.sled_pos[nom])
        return CL if nom == LIFT_CAP2 else ML

    def eligible(self) -> list[int]:
        stones = [q for q in range(4) if 0 <= self.sled_pos[q] <= TRACK_LENGTH]
        if self.lift_mid >= 1 and self.free_middle_locations():
            stones.append(LIFT_MID)
        if self.pyramid_ready_for_capstone():  # R25
            if self.cap_where == CAP_ML:
                stones.append(LIFT_CAP1)
            if self.cap_where == CAP_CL:
                stones.append(LIFT_CAP2)
        return [nom for nom in stones if self.count(self.nomination_zone(nom)) >= WORKERS_TO_NOMINATE]

    def legal_nominate(self) -> list[int]:
        return [NOMINATE + nom for nom in self.eligible()]

    def do_nominate(self, action: int) -> None:
        self.nom = action - NOMINATE
        self.phase = Phase.FOOD_BID
        self.next_bidder()

    def next_bidder(self) -> None:
        zone = self.nomination_zone(self.nom)
        while self.bid_step < self.n_players:
            self.bid_step += 1
            self.cur = (self.turn_player + self.bid_step) % self.n_players
            if self.workers[self.cur][zone] >= 1:
                return
        self.resolve()

    def legal_food_bid(self) -> list[int]:
        pushers = self.workers[self.cur][self.nomination_zone(self.nom)]
        most = min(FOOD_PER_WORKER * pushers, self.food[self.cur])
        return [FOOD + b for b in range(most + 1)]

    def do_food_bid(self, action: int) -> None:
        self.bids[self.cur] = action - FOOD
        self.next_bidder()

    def resolve(self) -> None:
        bids = {p: b for p, b in enumerate(self.bids) if b >= 0}
        for p, bid in bids.items():
            self.food[p] -= bid
        self.bids = [-1] * self.n_players
        self.bid_step = 0
        total = sum(bids.values())
        food_bid = [bids.get(p, 0) for p in self.seats()]
        if total < FOOD_TO_SUCCEED:
            self.starve(bids)
        elif self.nom < LIFT_MID:
            self.push(self.nom, min(total // 2 - 1, 3))
        elif self.nom == LIFT_MID:
            self.lift_mid -= 1
            self.score("lifts", award(food_bid, POINTS))
            self.ask_nominator(Phase.BUILD)
        elif self.nom == LIFT_CAP1:
            self.cap_where = CAP_CL
            self.score("lifts", award(food_bid, POINTS))
            self.end_turn()
        else:
            self.cap_where = CAP_BUILT
            self.score("lifts", award(food_bid, CAPSTONE_POINTS))
            self.start_art()

    def starve(self, bids: dict[int, int]) -> None:
        zone = self.nomination_zone(self.nom)
        for p, bid in bids.items():
            if bid == min(bids.values()):  # R30
                self.move_worker(p, zone, FARM)
        self.end_turn()

    def push(self, quarry: int, spaces: int) -> None:
        start = self.sled_pos[quarry]
        end = start + spaces
        for crushed in range(start + 1, min(end, TRACK_LENGTH) + 1):  # R22
            for p in self.seats():
                self.move_worker(p, cell(quarry, crushed), RA, self.workers[p][cell(quarry, crushed)])
        if end > TRACK_LENGTH:
            self.unload(quarry)
            return
        for p in self.seats():
            self.move_worker(p, cell(quarry, start), cell(quarry, end), self.workers[p][cell(quarry, start)])
        self.sled_pos[quarry] = end
        self.end_turn()

    def unload(self, quarry: int) -> None:
        sled = cell(quarry, self.sled_pos[quarry])
        for p in self.seats():
            self.pend[p] = self.workers[p][sled]
            self.workers[p][sled] = 0
        stone = self.sled_stone[quarry]
        self.sled_pos[quarry] = UNLOADED
        self.sled_stone[quarry] = -1
        self.score_push()
        if stone == BASE:
            self.ask_nominator(Phase.BUILD)
            return
        if stone == MIDDLE:
            self.lift_mid += 1
        else:
            self.cap_where = CAP_ML
        self.next_reassign()

    def score_push(self) -> None:
        self.score("pushes", award(self.pend, POINTS))
        pushers = [p for p in self.seats() if self.pend[p] >= 1]
        if len(pushers) == 1:
            self.points[pushers[0]][CATEGORIES.index("pushes")] += SOLO_BONUS  # R35

    def ask_nominator(self, phase: Phase) -> None:
        self.phase = phase
        self.cur = self.turn_player

    # ---------------------------------------------------------------- building, reassigning, decorating

    def free_middle_locations(self) -> list[int]:
        return [i for i in range(4) if self.base_built[i] and not self.mid_built[i]]  # R24

    def legal_build(self) -> list[int]:
        if self.nom == LIFT_MID:
            return [BUILD + i for i in self.free_middle_locations()]
        return [BUILD + i for i in range(4) if not self.base_built[i]]

    def do_build(self, action: int) -> None:
        self.loc = action - BUILD
        if self.nom != LIFT_MID:
            self.base_built[self.loc] = 1
            self.next_reassign()  # R26: the decoration waits until the workers are reassigned
            return
        self.mid_built[self.loc] = 1
        self.decorate_if_row_complete(self.mid_built)

    def next_reassign(self) -> None:
        for p in self.clockwise_from(self.turn_player + 1):
            if self.pend[p] >= 1:
                self.phase = Phase.REASSIGN
                self.cur = p
                return
        self.decorate_if_row_complete(self.base_built)

    def legal_reassign(self) -> list[int]:
        return self.legal_camps()

    def do_reassign(self, action: int) -> None:
        self.workers[self.cur][action - PUT] += 1
        self.pend[self.cur] -= 1
        self.next_reassign()

    def decorate_if_row_complete(self, built: list[int]) -> None:
        if self.loc >= 0 and built[partner(self.loc)]:
            self.start_art()
        else:
            self.after_art()

    def start_art(self) -> None:
        self.phase = Phase.ART_BID
        self.next_art_bidder()

    def next_art_bidder(self) -> None:
        self.bid_step += 1
        self.cur = (self.turn_player + self.bid_step) % self.n_players

    def legal_art_bid(self) -> list[int]:
        return [DECO + k for k in range(self.art[self.cur] + 1)]

    def do_art_bid(self, action: int) -> None:
        self.art_bid[self.cur] = action - DECO
        if self.bid_step < self.n_players:
            self.next_art_bidder()
            return
        for p in self.seats():
            self.art[p] -= self.art_bid[p]
        self.score("decorations", award(self.art_bid, CAPSTONE_POINTS if self.nom == LIFT_CAP2 else POINTS))
        self.art_bid = [-1] * self.n_players
        self.bid_step = 0
        self.after_art()

    def after_art(self) -> None:
        if self.tier_just_completed():
            self.score("temple", award([zones[RA] for zones in self.workers], POINTS))  # R27
        if self.nom < LIFT_MID:
            self.return_sled(self.nom)
        elif self.nom == LIFT_MID:
            self.end_turn()
        else:
            self.finish()  # R48

    def tier_just_completed(self) -> bool:
        if self.nom < LIFT_MID:
            return self.loc >= 0 and self.tier_complete(self.base_built)
        return self.nom == LIFT_CAP2 or self.tier_complete(self.mid_built)

    def return_sled(self, quarry: int) -> None:
        if self.reserve_mid == 0 and self.cap_where != CAP_RESERVE:
            self.sled_pos[quarry] = -1  # R41
            self.end_turn()
            return
        self.sled_pos[quarry] = 0
        self.ask_nominator(Phase.STONE)

    def legal_stone(self) -> list[int]:
        middle = [LOAD] if self.reserve_mid >= 1 else []
        capstone = [LOAD + 1] if self.cap_where == CAP_RESERVE else []
        return middle + capstone

    def do_stone(self, action: int) -> None:
        if action == LOAD:
            self.sled_stone[self.nom] = MIDDLE
            self.reserve_mid -= 1
        else:
            self.sled_stone[self.nom] = CAPSTONE
            self.cap_where = CAP_SLED
        self.end_turn()

    # ---------------------------------------------------------------- end of a turn, end of the game

    def clear_turn(self) -> None:
        self.nom = self.loc = -1
        self.bids = [-1] * self.n_players
        self.art_bid = [-1] * self.n_players
        self.bid_step = self.acts = self.n_farm = self.n_fish = self.n_make = 0

    def end_turn(self) -> None:
        self.clear_turn()
        self.oi += 1
        if self.oi < self.n_players:
            self.start_turn(self.oi)
        elif self.round < ROUNDS:
            self.start_round()
        else:
            self.finish()

    def finish(self) -> None:
        self.clear_turn()
        self.phase = Phase.OVER
        self.cur = self.turn_player = -1
