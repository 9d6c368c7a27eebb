"""The position on the table: components, questions about them, the God row, the dice, scoring, snapshots."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from .tables import (
    AVAILABLE,
    BOX,
    CAT_CHANGES,
    COUNTERS,
    ENNEAD_FAME,
    FLAGS,
    GOD_NAMES,
    GODS,
    GODS_REMOVED,
    HELPERS,
    NEEDS,
    NO_SCARAB,
    PAY_FOR,
    PHASES,
    PLAIN,
    PROJECT_FAME,
    PROJECT_PAIRS,
    RESOURCES,
    SCARABS,
    SPACES,
    TILES,
    UNITS,
    VALUES,
    WAITING,
)


def bits_of(gods: set[str]) -> int:
    """A set of Gods as the kernel's record holds it."""
    return sum(1 << GOD_NAMES.index(g) for g in gods)


def gods_of(bits: int) -> set[str]:
    return {g for i, g in enumerate(GOD_NAMES) if bits >> i & 1}


class Chance(Protocol):
    def below(self, n: int) -> int: ...

    def shuffle(self, items: list) -> None: ...


@dataclass
class Seat:
    fame: int = 0
    res: dict[str, int] = field(default_factory=lambda: {"W": 0, "C": 0, "S": 0})
    gods: set[str] = field(default_factory=set)
    scarab: str = ""
    scarab_options: list[str] = field(default_factory=list)
    projects: list[int] = field(default_factory=list)

    def total(self) -> int:
        return sum(self.res.values())

    def ennead_cards(self) -> int:
        return sum(GODS[g].ennead for g in self.gods)

    def god_count(self) -> int:
        return len(self.gods) - self.ennead_cards() + (self.ennead_cards() > 0)


class Position:
    in_work: int
    rest_pending: int
    gold_used: int
    pay_for: str
    pay_arg: str
    chg_kind: str

    def blank(self, num_players: int, arch: int, chance: Chance) -> None:
        self.chance = chance
        self.n_humans = num_players
        self.n_seats = max(2, num_players)
        self.arch = arch
        self.phase, self.actor, self.turn_player = "SCARAB", 0, 0
        self.pharaoh, self.done, self.truncated, self.turns = -1, 0, 0, 0
        self.seats = [Seat() for _ in range(self.n_seats)]
        self.supply = {"W": 0, "C": 0, "S": 0}
        self.quarry = {"P": 4, "S": 0}
        self.pool: list[str] = []
        self.sel: list[str] = []
        self.pyr = [0] * len(SPACES)
        self.deck: list[str] = []
        self.deck_pos, self.deck_end = 0, 38 - GODS_REMOVED[num_players]
        self.row: list[str] = ["", "", ""]
        self.discard: set[str] = set()
        self.used: set[str] = set()
        self.copy = ""
        self.tile_at: dict[str, str | int] = dict.fromkeys(TILES, BOX)
        self.tile_flip: set[str] = set()
        self.tile_slot: dict[str, int] = {}
        self.slot_queue: list[str] = []
        self.queue: list[tuple[int, str]] = []
        self.need_val = dict.fromkeys(VALUES, 0)
        for name in FLAGS + NEEDS:
            setattr(self, name, 0)
        for name, (rest_value, _) in HELPERS.items():
            setattr(self, name, rest_value)

    # ------------------------------------------------------------------ questions

    @property
    def solo(self) -> bool:
        return self.arch >= 0

    @property
    def me(self) -> Seat:
        return self.seats[self.turn_player]

    def has(self, god: str) -> bool:
        return bool(self.in_work) and (god in self.me.gods or self.copy == god)

    def gold(self) -> int:
        return int(self.me.scarab == "Gold" and not self.gold_used)

    def can_pay(self, workers: int, cats: int) -> bool:
        w, c = self.me.res["W"], self.me.res["C"] + self.gold()
        if self.has("Bastet"):
            return w + c >= workers + cats
        return w >= workers and c >= cats

    def of_kind(self, kind: str) -> int:
        return sum(die[0] == kind for die in self.pool)

    def showing(self, value: int) -> int:
        return sum(die[1] == str(value) for die in self.pool)

    def triples(self) -> list[int]:
        return [v for v in VALUES if self.showing(v) >= 3]

    def tiles_of(self, p: int) -> list[str]:
        return [k for k in TILES if self.tile_at[k] == p]

    # ------------------------------------------------------------------ God row and dice

    def slide(self) -> None:
        cards = [g for g in self.row if g]
        self.row = [""] * (3 - len(cards)) + cards

    def draw_one(self) -> None:
        holes = [i for i in range(3) if not self.row[i]]
        if holes and self.deck_pos < self.deck_end:
            self.row[holes[-1]] = self.deck[self.deck_pos]
            self.deck_pos += 1

    def refill(self) -> None:
        self.slide()
        for _ in range(3):
            self.draw_one()

    def take_card(self, position: int, p: int) -> str:
        god = self.row[position]
        self.seats[p].gods.add(god)
        self.row[position] = ""
        self.slide()
        return god

    def discard_card(self, position: int) -> None:
        if self.row[position]:
            self.discard.add(self.row[position])
            self.row[position] = ""
            self.slide()

    def row_discard(self) -> None:
        self.discard_card(2)
        self.refill()

    def roll_die(self) -> int:
        return 1 + self.chance.below(6)

    def roll_into_pool(self, stone: int, prayer: int) -> None:
        self.pool += [f"S{self.roll_die()}" for _ in range(stone)]
        self.pool += [f"P{self.roll_die()}" for _ in range(prayer)]

    def pay_die(self, die: str) -> None:
        self.pool.remove(die)
        if die[0] != "V":
            self.quarry[die[0]] += 1

    # ------------------------------------------------------------------ scoring

    def project_fame(self, project: int) -> int:
        neighbours = [(a, b) for a in range(20) for b in SPACES[a].adjacent if a < b]
        hits = sum(tuple(sorted((self.pyr[a], self.pyr[b]))) in PROJECT_PAIRS[project] for a, b in neighbours)
        return PROJECT_FAME[project] * hits

    def final(self, seat: Seat) -> int:
        score = seat.fame + sum(GODS[g].end_fame for g in seat.gods) + ENNEAD_FAME[seat.ennead_cards()]
        if seat.scarab == "Quartz":
            score += seat.total()
        if seat.scarab == "Obsidian":
            score += 2 * seat.god_count()
        return score + sum(self.project_fame(project) for project in seat.projects)

    def scores(self) -> list[int]:
        return [self.final(seat) for seat in self.seats]

    def standings(self) -> list[int]:
        keys = [(score, seat.total()) for score, seat in zip(self.scores(), self.seats, strict=True)]
        if self.solo:
            keys = [(keys[0][0], 0), (keys[1][0], 1)]  # R73
        return [sum(other > key for other in keys) for key in keys]

    # ------------------------------------------------------------------ snapshot

    def pay_arg_number(self) -> int:
        if self.pay_for == "god":
            return GODS[self.pay_arg].id
        if self.pay_for == "cat":
            return CAT_CHANGES.index(self.pay_arg)
        return int(self.pay_arg or 0)

    def pay_arg_text(self, number: int) -> str:
        if self.pay_for == "god":
            return GOD_NAMES[number]
        if self.pay_for == "cat":
            return CAT_CHANGES[number]
        return str(number) if self.pay_for in ("worship", "replace", "copy") else ""

    def snapshot(self) -> dict[str, Any]:
        places = {BOX: -1, WAITING: -2, AVAILABLE: 0} | {p: 1 + p for p in range(4)}
        absent = [Seat()] * (4 - self.n_seats)
        seats = self.seats + absent
        god_number = {"": -1} | {name: god.id for name, god in GODS.items()}
        shot: dict[str, Any] = {name: getattr(self, name) for name in PLAIN + FLAGS + COUNTERS + NEEDS}
        shot |= {
            "phase": PHASES.index(self.phase),
            "fame": [seat.fame for seat in seats],
            "res": [[seat.res[x] for x in RESOURCES] for seat in seats],
            "supply": [self.supply[x] for x in RESOURCES],
            "quarry": [self.quarry[x] for x in "PS"],
            "pool": [[self.pool.count(f"{kind}{v}") for v in VALUES] for kind in "PSV"],
            "sel": [[self.sel.count(f"{kind}{v}") for v in VALUES] for kind in "PS"],
            "pyr": list(self.pyr),
            "deck": [god_number[g] for g in self.deck],
            "deck_pos": self.deck_pos,
            "deck_end": self.deck_end,
            "gods": [bits_of(seat.gods) for seat in seats],
            "discards": bits_of(self.discard),
            "row": [god_number[g] for g in self.row],
            "used": bits_of(self.used),
            "copy": god_number[self.copy],
            "tile_loc": [places[self.tile_at[k]] for k in TILES],
            "tile_flip": [int(k in self.tile_flip) for k in TILES],
            "tile_slot": [self.tile_slot.get(k, 0) - 1 for k in TILES],
            "scarab": [SCARABS.index(seat.scarab) if seat.scarab else NO_SCARAB for seat in seats],
            "scarab_opt": [[SCARABS.index(s) for s in seat.scarab_options] or [NO_SCARAB] * 2 for seat in seats],
            "project": [seat.projects[0] if p < self.n_humans else -1 for p, seat in enumerate(seats)],
            "arch_proj": ((self.seats[1].projects if self.solo else []) + [-1] * 3)[:3],
            "pay_for": PAY_FOR.index(self.pay_for),
            "pay_arg": self.pay_arg_number(),
            "need_val": [self.need_val[v] for v in VALUES],
            "chg_kind": "PS".index(self.chg_kind),
            "queue": ([16 * q + UNITS.index(unit) for q, unit in self.queue] + [0] * 5)[:5],
            "queue_len": len(self.queue),
            "slot_queue": ([TILES.index(k) for k in self.slot_queue] + [-1] * 3)[:3],
            "slot_len": len(self.slot_queue),
        }
        return shot

    @classmethod
    def from_snapshot(cls, snapshot: dict[str, Any], chance: Chance) -> Self:
        shot = snapshot
        self = cls.__new__(cls)
        self.blank(shot["n_humans"], shot["arch"], chance)
        for name in PLAIN + FLAGS + COUNTERS + NEEDS + ["deck_pos", "deck_end"]:
            setattr(self, name, shot[name])
        god_name = {-1: "", **dict(enumerate(GOD_NAMES))}
        place = {-1: BOX, -2: WAITING, 0: AVAILABLE} | {1 + p: p for p in range(4)}
        self.phase = PHASES[shot["phase"]]
        for p, seat in enumerate(self.seats):
            seat.fame = shot["fame"][p]
            seat.res = dict(zip(RESOURCES, shot["res"][p], strict=True))
            seat.gods = gods_of(shot["gods"][p])
            seat.scarab = [*SCARABS, ""][shot["scarab"][p]]
            seat.scarab_options = [SCARABS[s] for s in shot["scarab_opt"][p] if s != NO_SCARAB]
            seat.projects = [shot["project"][p]] if p < self.n_humans else [x for x in shot["arch_proj"] if x >= 0]
        self.supply = dict(zip(RESOURCES, shot["supply"], strict=True))
        self.quarry = dict(zip("PS", shot["quarry"], strict=True))
        self.pool = [f"{kind}{v}" for i, kind in enumerate("PSV") for v in VALUES for _ in range(shot["pool"][i][v - 1])]
        self.sel = [f"{kind}{v}" for i, kind in enumerate("PS") for v in VALUES for _ in range(shot["sel"][i][v - 1])]
        self.pyr = list(shot["pyr"])
        self.deck = [god_name[i] for i in shot["deck"]]
        self.discard = gods_of(shot["discards"])
        self.row = [god_name[i] for i in shot["row"]]
        self.used = gods_of(shot["used"])
        self.copy = god_name[shot["copy"]]
        self.tile_at = {k: place[loc] for k, loc in zip(TILES, shot["tile_loc"], strict=True)}
        self.tile_flip = {k for k, flip in zip(TILES, shot["tile_flip"], strict=True) if flip}
        self.tile_slot = {k: slot + 1 for k, slot in zip(TILES, shot["tile_slot"], strict=True) if slot >= 0}
        self.pay_for = PAY_FOR[shot["pay_for"]]
        self.pay_arg = self.pay_arg_text(shot["pay_arg"])
        self.need_val = dict(zip(VALUES, shot["need_val"], strict=True))
        self.chg_kind = "PS"[shot["chg_kind"]]
        self.queue = [(code // 16, UNITS[code % 16]) for code in shot["queue"][: shot["queue_len"]]]
        self.slot_queue = [TILES[i] for i in shot["slot_queue"][: shot["slot_len"]]]
        return self
