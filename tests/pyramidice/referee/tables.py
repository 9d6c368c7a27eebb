"""The component tables and the notation of the 194 actions."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

GODS_CSV = """id,name,group,symbol,cost,end_fame,copyable
0,Atum,ennead,stack,1 2,0,0
1,Shu,ennead,stack,2 3,0,0
2,Tefnut,ennead,stack,3 4,0,0
3,Geb,ennead,stack,4 5,0,0
4,Nut,ennead,stack,5 6,0,0
5,Osiris,ennead,stack,1 6,0,0
6,Seth,ennead,stack,3 6,0,0
7,Isis,ennead,stack,1 4,0,0
8,Nephthys,ennead,stack,2 5,0,0
9,Horus,ennead,stack,4 6,0,0
10,Khnum,triad,work,1 *,0,1
11,Satis,triad,work,4 *,0,1
12,Anuket,triad,work,6 *,0,1
13,Amon,single,work,2 6 *,2,1
14,Anubis,single,ongoing,4 *,0,1
15,Aton,single,work,3 3,1,1
16,Bastet,single,ongoing,C 2,0,1
17,Bes,single,rest,2 *,0,0
18,Hapy,single,rest,1 5,1,0
19,Hathor,single,none,1 1 5 5,6,0
20,Heh,single,work,5 *,0,1
21,Heka,single,work,C 5,0,1
22,Khepri,single,ongoing,2 2,1,1
23,Khonsu,single,work,W 3,0,1
24,Min,single,work,4 4,2,1
25,Ptah,single,work,1 3 *,2,1
26,Maat,single,work,1 2 3,3,1
27,Montu,single,work,W 4 *,0,1
28,Ra,single,work,W 6 *,0,1
29,Mertseger,single,work,S3 *,2,1
30,Mut,single,work,S6,0,1
31,Sekhmet,single,work,S4 C W,0,1
32,Neith,single,work,C 1,0,1
33,Serket,single,ongoing,S5 *,0,1
34,Seshat,single,ongoing,S1 *,0,1
35,Sobek,single,work,5 6 *,0,1
36,Sopdet,single,work,3 *,1,1
37,Thoth,single,ongoing,S2 3,0,1
"""
TILES_CSV = """id,code,fame_cost
0,work,1
1,each,1
2,god,2
3,three,1
4,swap,0
5,feast,0
6,WW,0
7,WC,0
8,WS,0
9,CC,0
10,CS,0
11,SS,0
"""
PROJECTS_CSV = """id,pairs,fame_per_pair
0,1-6 2-5 3-4,2
1,1-3 2-6 4-5,2
2,1-5 2-4 3-6,2
3,1-2 3-5 4-6,2
4,1-4 2-3 5-6,2
5,1-1 2-2 3-3 4-4 5-5 6-6,2
"""
SPACES_CSV = """id,pyramid,level,row,col,extra_workers,extra_fame,min_seats,support,adjacent
0,cheops,1,0,0,0,0,1,-,1 3
1,cheops,1,0,1,0,0,1,-,0 2 4
2,cheops,1,0,2,0,0,1,-,1 5
3,cheops,1,1,0,0,0,1,-,0 4 6
4,cheops,1,1,1,0,0,1,-,1 3 5 7
5,cheops,1,1,2,0,0,1,-,2 4 8
6,cheops,1,2,0,0,0,1,-,3 7
7,cheops,1,2,1,0,0,1,-,4 6 8
8,cheops,1,2,2,0,0,1,-,5 7
9,cheops,2,0,0,1,2,1,0 1 3 4,10 11
10,cheops,2,0,1,1,2,1,1 2 4 5,9 12
11,cheops,2,1,0,1,2,1,3 4 6 7,9 12
12,cheops,2,1,1,1,2,1,4 5 7 8,10 11
13,cheops,3,0,0,2,4,1,9 10 11 12,-
14,chephren,1,0,0,1,2,3,-,15 16
15,chephren,1,0,1,1,2,3,-,14 17
16,chephren,1,1,0,1,2,3,-,14 17
17,chephren,1,1,1,1,2,3,-,15 16
18,chephren,2,0,0,2,4,3,14 15 16 17,-
19,mykerinos,1,0,0,2,4,4,-,-
"""
ARCHITECTS_CSV = """id,name,projects,spaces
0,Snefru,2,0 0 1
1,Hemionu,2,0 1 1
2,Amenhotep,3,0 1 1
3,Imothep,2,0 1 2
"""
ENNEAD_FAME = [0, 0, 2, 6, 12, 20, 20, 20, 20, 20, 20]
SCARABS = [
    "Amethyst",
    "Silver",
    "Pearl",
    "Emerald",
    "Quartz",
    "Obsidian",
    "Gold",
    "Ruby",
    "LapisLazuli",
    "Turquoise",
    "Carnelian",
    "Malachite",
]
NO_SCARAB = 12


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def numbers(text: str) -> list[int]:
    return [] if text == "-" else [int(word) for word in text.split()]


@dataclass(frozen=True)
class God:
    id: int
    ennead: bool
    cost: list[str]
    end_fame: int
    copyable: bool


@dataclass(frozen=True)
class Space:
    pyramid: str
    level: int
    extra_workers: int
    extra_fame: int
    min_seats: int
    support: list[int]
    adjacent: list[int]


GODS = {
    r["name"]: God(int(r["id"]), r["group"] == "ennead", r["cost"].split(), int(r["end_fame"]), r["copyable"] == "1")
    for r in table(GODS_CSV)
}
GOD_NAMES = list(GODS)
TILE_FAME_COST = {r["code"]: int(r["fame_cost"]) for r in table(TILES_CSV)}
TILES = list(TILE_FAME_COST)
PROJECT_PAIRS = [{tuple(map(int, pair.split("-"))) for pair in r["pairs"].split()} for r in table(PROJECTS_CSV)]
PROJECT_FAME = [int(r["fame_per_pair"]) for r in table(PROJECTS_CSV)]
SPACES = [
    Space(
        r["pyramid"],
        int(r["level"]),
        int(r["extra_workers"]),
        int(r["extra_fame"]),
        int(r["min_seats"]),
        numbers(r["support"]),
        numbers(r["adjacent"]),
    )
    for r in table(SPACES_CSV)
]
ARCHITECTS = table(ARCHITECTS_CSV)
CONSTRUCTION_TABLE = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 2}

# Setup by number of human players.
TILES_IN_PLAY = {1: 6, 2: 6, 3: 8, 4: 10}
GODS_REMOVED = {1: 10, 2: 10, 3: 5, 4: 3}
STONE_DICE = {1: 14, 2: 14, 3: 19, 4: 20}
WORKERS, CATS = 21, 9

VALUES = range(1, 7)
RESOURCES = ["W", "C", "S"]
REAL_DICE = [f"{kind}{v}" for kind in "PS" for v in VALUES]
DICE = [f"{kind}{v}" for kind in "PSV" for v in VALUES]
CAT_CHANGES = [f"{k}{v}{sign}" for k in "PS" for sign, low in (("+", 1), ("-", 2)) for v in range(low, low + 5)]
TRIAD_DICE = ["Khnum=1", "Khnum=2", "Satis=3", "Satis=4", "Anuket=5", "Anuket=6"]
USES = [
    "Amon",
    "Aton",
    "Heh",
    "Heka",
    "Khepri",
    "Khonsu",
    "Min",
    "Ptah",
    "Maat",
    "Montu",
    "Ra",
    "Mertseger",
    "Mut",
    "Sekhmet",
    "Neith",
    "Sobek",
    "Sopdet",
]
PHASES = [
    "SCARAB",
    "TURN",
    "REST",
    "PICK",
    "LOSE",
    "FREEGOD",
    "DICE",
    "USE",
    "REROLL",
    "PAYDIE",
    "PAYUNIT",
    "BUILDAT",
    "COST",
    "FROM",
    "TO",
    "DROP",
    "PEARL",
    "SLOT",
    "END",
]
PAY_FOR = ["none", "worship", "replace", "fame", "god", "copy", "build", "cat"]
UNITS = ["W", "C", "S", "any", "not W", "not C", "not S", "three", "khepri"]
AVAILABLE, BOX, WAITING = "available", "box", "waiting"

# What a use of a God costs (5.6), which Fame it gives and which unit it gains.
GOD_PRICE: dict[str, dict[str, int]] = {
    "Heka": {"cats": 2},
    "Khepri": {"same": 1},
    "Khonsu": {"workers": 1, "cats": 1},
    "Min": {"dice": 2},
    "Ptah": {"dice": 1},
    "Montu": {"workers": 2},
    "Ra": {"workers": 1},
    "Mertseger": {"dice": 2},
    "Sekhmet": {"stone": 1, "workers": 1, "cats": 1},
    "Neith": {"cats": 1},
    "Sobek": {"dice": 2},
    "Sopdet": {"dice": 1},
}
GOD_FAME = {"Heh": 1, "Heka": 3, "Khepri": 3, "Khonsu": 4, "Montu": 4, "Ra": 3, "Sekhmet": 7, "Neith": 2, "Sobek": 3}
GOD_UNIT = {"Heka": "W", "Khepri": "khepri", "Min": "W", "Montu": "C", "Sopdet": "C"}
GOD_NEEDS_SUPPLY = {"Min": "W", "Mertseger": "S", "Sopdet": "C"}  # R44

NOTATION = (
    [f"keep {s}" for s in SCARABS]
    + ["work"]
    + [f"rest {k}" for k in TILES]
    + ["hapy", "bes"]
    + [f"gain {x}" for x in RESOURCES]
    + [f"lose {x}" for x in RESOURCES]
    + [f"free {i}" for i in range(3)]
    + [f"dice S{k}" for k in range(10)]
    + ["reroll", "roll"]
    + [f"die {d}" for d in DICE]
    + [f"cat {c}" for c in CAT_CHANGES]
    + [f"build {v}" for v in VALUES]
    + [f"at {s}" for s in range(20)]
    + [f"{verb} {i}" for verb in ("worship", "replace", "copy") for i in range(3)]
    + ["fame"]
    + [f"use {g}" for g in USES + TRIAD_DICE]
    + [f"to {v}" for v in VALUES]
    + ["pay W", "pay C", "pay G", "cost usual", "cost seshat", "drop Ennead"]
    + [f"drop {g}" for g in GOD_NAMES[10:]]
    + ["pearl yes", "pearl no"]
    + [f"slot {i}" for i in range(1, 7)]
    + ["end"]
)
INDEX = {notation: i for i, notation in enumerate(NOTATION)}

# Helper fields: rest value and the phases in which the field means something.
PAYING = ("PAYDIE", "PAYUNIT")
HELPERS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "last_sel": (0, ("REROLL",)),
    "drop_mode": (0, ("DROP",)),
    "lose_mode": (0, ("LOSE",)),
    "after": (0, ("PICK", "LOSE")),
    "pearl_fame": (0, ("PEARL",)),
    "pay_for": ("none", PAYING),
    "pay_arg": ("", PAYING),
    "paid_w": (0, PAYING),
    "build_val": (0, ("BUILDAT", "COST", "PAYUNIT")),
    "build_space": (-1, ("COST", "PAYUNIT")),
    "chg_kind": ("P", ("FROM", "TO")),
    "chg_val": (0, ("TO",)),
}
FLAGS = ["in_work", "rest_pending", "reroll_used", "gold_used", "copy_used"]
COUNTERS = [
    "last_sel",
    "drop_mode",
    "lose_mode",
    "after",
    "pearl_fame",
    "paid_w",
    "build_val",
    "build_space",
    "chg_val",
]
NEEDS = ["need_any", "need_stone", "need_same", "need_w", "need_c"]
PLAIN = ["n_seats", "n_humans", "arch", "actor", "turn_player", "pharaoh", "done", "truncated", "turns"]
