"""The Work turn: dice, Gods, payment, building."""

from __future__ import annotations

from typing import Any

from .position import Position
from .tables import (
    CAT_CHANGES,
    CONSTRUCTION_TABLE,
    DICE,
    GOD_FAME,
    GOD_NEEDS_SUPPLY,
    GOD_PRICE,
    GOD_UNIT,
    GODS,
    REAL_DICE,
    SPACES,
    TRIAD_DICE,
    USES,
    VALUES,
)


class WorkTurn(Position):
    # The rest of the game follows in Referee.

    def gain(self, units: list[str], after: int) -> None:
        raise NotImplementedError

    def rest_step_3(self) -> None:
        raise NotImplementedError

    def end_turn(self) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------------ Work turn

    def start_work(self) -> None:
        self.in_work = 1
        self.quarry["S"] += self.me.res["S"]
        self.me.res["S"] = 0
        self.phase = "DICE"

    def dice_to_roll(self) -> int:
        workers = self.me.res["W"] + (self.me.res["C"] if self.has("Bastet") else 0)  # R35
        return min(workers + (self.me.scarab == "Turquoise"), self.quarry["P"] + self.quarry["S"])

    def legal_dice(self) -> list[str]:
        n = self.dice_to_roll()
        return [f"dice S{k}" for k in range(max(0, n - self.quarry["P"]), min(n, self.quarry["S"]) + 1)]

    def do_dice(self, verb: str, arg: str) -> None:
        stone = int(arg[1:])
        prayer = self.dice_to_roll() - stone
        self.quarry["S"] -= stone
        self.quarry["P"] -= prayer
        self.roll_into_pool(stone, prayer)
        self.phase = "USE"

    def legal_use(self) -> list[str]:
        dice = len(self.pool)
        moves = ["end"]
        if self.of_kind("P") + self.of_kind("S") >= 1 and not self.reroll_used:
            moves.append("reroll")
        if self.can_pay(0, 1):
            moves += [f"cat {c}" for c in CAT_CHANGES if c[:2] in self.pool]
        moves += [f"build {v}" for v in VALUES if f"S{v}" in self.pool and self.build_spaces(v)]
        for i, god in enumerate(self.row):
            if god and self.can_worship(god):
                moves.append(f"worship {i}")
            if god and dice >= 1:
                moves.append(f"replace {i}")
            if god and dice >= 1 and self.me.scarab == "Amethyst" and not self.copy_used and GODS[god].copyable:
                moves.append(f"copy {i}")
        if dice >= 2:
            moves.append("fame")
        moves += [f"use {g}" for g in USES if self.has(g) and g not in self.used and self.god_usable(g)]
        for virtual in TRIAD_DICE:
            god = virtual.split("=")[0]
            if self.has(god) and god not in self.used:
                moves.append(f"use {virtual}")
        return moves

    def do_use(self, verb: str, arg: str) -> None:
        if verb == "end":
            self.finish_work()
        elif verb == "reroll":
            self.reroll_used = 1
            self.phase = "REROLL"
        elif verb == "cat":
            self.pay("cat", arg, cats=1)
        elif verb == "build":
            self.build_val = int(arg)
            self.phase = "BUILDAT"
        elif verb == "worship":
            self.worship(arg)
        elif verb == "replace":
            self.pay("replace", arg, dice=1)
        elif verb == "copy":
            self.copy_used = 1
            self.pay("copy", arg, dice=1)
        elif verb == "fame":
            self.pay("fame", dice=2)
        else:
            self.use_god(arg)

    def legal_reroll(self) -> list[str]:
        moves = [f"die {d}" for i, d in enumerate(REAL_DICE) if d in self.pool and i >= self.last_sel]
        return moves + (["roll"] if self.sel else [])

    def do_reroll(self, verb: str, die: str) -> None:
        if verb == "die":
            self.pool.remove(die)
            self.sel.append(die)
            self.last_sel = REAL_DICE.index(die)
            return
        stone = sum(d[0] == "S" for d in self.sel)
        prayer = len(self.sel) - stone
        self.sel = []
        self.roll_into_pool(stone, prayer)
        self.phase = "USE"

    def finish_work(self) -> None:
        for die in list(self.pool):
            self.pay_die(die)
        limit = self.me.res["W"] + self.me.res["C"] + (3 if self.has("Anubis") else 0)
        if self.me.god_count() > limit:
            self.phase, self.drop_mode = "DROP", 2
        else:
            self.end_work()

    def legal_drop(self) -> list[str]:
        moves = ["drop Ennead"] if self.me.ennead_cards() else []
        droppable = [g for g in self.me.gods if not GODS[g].ennead and not (self.drop_mode == 1 and g == "Aton")]
        return moves + [f"drop {g}" for g in droppable]

    def do_drop(self, verb: str, arg: str) -> None:
        dropped = {g for g in self.me.gods if g == arg or (arg == "Ennead" and GODS[g].ennead)}  # R55
        self.me.gods -= dropped
        self.discard |= dropped
        if self.drop_mode == 1:
            self.me.fame += 4
            self.phase = "USE"
        else:
            self.end_work()

    def end_work(self) -> None:
        self.in_work = self.copy_used = self.gold_used = self.reroll_used = 0
        self.copy = ""
        self.used = set()
        self.refill()
        if self.rest_pending:  # R19
            self.rest_pending = 0
            self.rest_step_3()
        else:
            self.end_turn()

    # ------------------------------------------------------------------ worship and the powers of the Gods

    def can_worship(self, god: str) -> bool:
        cost = GODS[god].cost
        for v in VALUES:
            stone, exact = cost.count(f"S{v}"), cost.count(str(v))
            if self.pool.count(f"S{v}") < stone or self.showing(v) < stone + exact:
                return False
        dice_items = sum(item not in ("W", "C") for item in cost)
        return len(self.pool) >= dice_items and self.can_pay(cost.count("W"), cost.count("C"))

    def worship(self, position: str) -> None:
        cost = GODS[self.row[int(position)]].cost
        for item in cost:
            if item[0] == "S":
                self.pay_die(item)
        exact = {v: cost.count(str(v)) for v in VALUES}
        self.pay(
            "worship",
            position,
            exact=exact,
            dice=cost.count("*"),
            workers=cost.count("W"),
            cats=cost.count("C"),
        )

    def god_usable(self, god: str) -> bool:
        if god == "Amon":
            return self.of_kind("P") >= 1
        if god == "Mut":
            return self.of_kind("S") >= 1
        if god == "Maat":
            return self.of_kind("P") + self.of_kind("S") >= 1
        if god == "Aton":
            return bool(self.me.gods - {"Aton"})
        if god == "Ptah" and not any(self.has(g) for g in self.used - {"Ptah"}):  # R42
            return False
        if god in GOD_NEEDS_SUPPLY and self.supply[GOD_NEEDS_SUPPLY[god]] == 0:
            return False
        price = GOD_PRICE.get(god, {})
        return (
            len(self.pool) >= price.get("dice", 0)
            and self.of_kind("S") >= price.get("stone", 0)
            and (not price.get("same") or bool(self.triples()))
            and self.can_pay(price.get("workers", 0), price.get("cats", 0))
        )

    def use_god(self, arg: str) -> None:
        god, _, virtual = arg.partition("=")
        if god != "Khepri":
            self.used.add(god)
        if virtual:
            self.pool.append(f"V{virtual}")
        elif god in ("Amon", "Mut"):
            self.phase, self.chg_kind = "FROM", "P" if god == "Amon" else "S"
        elif god == "Maat":
            self.phase = "REROLL"
        elif god == "Aton":
            self.phase, self.drop_mode = "DROP", 1
        else:
            price: dict[str, Any] = GOD_PRICE.get(god, {})
            self.pay("god", god, **price)

    def legal_from(self) -> list[str]:
        return [f"die {self.chg_kind}{v}" for v in VALUES if f"{self.chg_kind}{v}" in self.pool]

    def do_from(self, verb: str, die: str) -> None:
        self.chg_val = int(die[1])
        self.phase = "TO"

    def legal_to(self) -> list[str]:
        return [f"to {u}" for u in VALUES if u != self.chg_val]  # R47

    def do_to(self, verb: str, arg: str) -> None:
        self.pool.remove(f"{self.chg_kind}{self.chg_val}")
        self.pool.append(f"{self.chg_kind}{arg}")
        self.phase = "USE"

    # ------------------------------------------------------------------ payment

    def pay(
        self,
        what: str,
        arg: str = "",
        *,
        exact: dict[int, int] | None = None,
        dice: int = 0,
        stone: int = 0,
        same: int = 0,
        workers: int = 0,
        cats: int = 0,
    ) -> None:
        self.pay_for, self.pay_arg, self.paid_w = what, arg, 0
        self.need_val = dict(exact) if exact else dict.fromkeys(VALUES, 0)
        self.need_any, self.need_stone, self.need_same = dice, stone, same
        self.need_w, self.need_c = workers, cats
        self.next_payment()

    def next_payment(self) -> None:
        if self.need_same and len(self.triples()) == 1:
            self.need_same = 0
            self.need_val[self.triples()[0]] = 3
        for v in VALUES:
            if self.need_val[v] and self.need_val[v] == self.showing(v):
                self.need_val[v] = 0
                for die in [d for d in self.pool if d[1] == str(v)]:
                    self.pay_die(die)
        particular_dice = self.need_stone or self.need_same or any(self.need_val.values())
        if not particular_dice and self.need_any == len(self.pool):
            self.need_any = 0
            for die in list(self.pool):
                self.pay_die(die)
        if particular_dice or self.need_any:
            self.phase = "PAYDIE"
        elif self.need_w or self.need_c:
            self.phase = "PAYUNIT"
        else:
            self.phase = "USE"
            getattr(self, f"paid_{self.pay_for}")(self.pay_arg)

    def legal_paydie(self) -> list[str]:
        if self.need_stone:
            fitting = [d for d in DICE if d[0] == "S"]
        elif self.need_same:
            fitting = [d for d in DICE if int(d[1]) in self.triples()]
        elif any(self.need_val.values()):
            smallest = min(v for v in VALUES if self.need_val[v])
            fitting = [d for d in DICE if d[1] == str(smallest)]
        else:
            fitting = DICE
        return [f"die {d}" for d in fitting if d in self.pool]

    def do_paydie(self, verb: str, die: str) -> None:
        value = int(die[1])
        self.pay_die(die)
        if self.need_stone:
            self.need_stone -= 1
        elif self.need_same:
            self.need_same = 0
            self.need_val[value] = 2
        elif any(self.need_val.values()):
            self.need_val[value] -= 1
        else:
            self.need_any -= 1
        self.next_payment()

    def legal_payunit(self) -> list[str]:
        bastet = self.has("Bastet")
        accepted = ["W"] if self.need_w and not bastet else ["C", "G"] if not bastet else ["W", "C", "G"]
        have = {"W": self.me.res["W"], "C": self.me.res["C"], "G": self.gold()}
        return [f"pay {x}" for x in accepted if have[x] > 0]

    def do_payunit(self, verb: str, x: str) -> None:
        if x == "G":
            self.gold_used = 1
        else:
            self.me.res[x] -= 1
            self.supply[x] += 1
        if self.need_w:
            self.need_w -= 1
            self.paid_w += 1  # R37: whatever it was paid with
        else:
            self.need_c -= 1
        self.next_payment()

    def paid_worship(self, position: str) -> None:
        self.take_card(int(position), self.turn_player)
        if self.me.scarab == "Ruby":
            self.me.fame += 2

    def paid_replace(self, position: str) -> None:
        self.discard_card(int(position))
        self.draw_one()  # R29

    def paid_copy(self, position: str) -> None:
        self.copy = self.row[int(position)]

    def paid_fame(self, _: str) -> None:
        self.me.fame += 2 if self.me.scarab == "Carnelian" else 1

    def paid_cat(self, change: str) -> None:
        kind, value = change[0], int(change[1])
        self.pool.remove(f"{kind}{value}")
        self.pool.append(f"{kind}{value + (1 if change[2] == '+' else -1)}")

    def paid_god(self, god: str) -> None:
        self.me.fame += GOD_FAME.get(god, 0)
        if god == "Ptah":
            self.used &= {"Ptah"}
        elif god == "Mertseger":
            self.supply["S"] -= 1
            self.roll_into_pool(1, 0)
        elif god in GOD_UNIT:
            self.gain([GOD_UNIT[god]], after=2)

    # ------------------------------------------------------------------ building

    def supported(self, s: int) -> bool:
        space = SPACES[s]
        return space.min_seats <= self.n_humans and self.pyr[s] == 0 and all(self.pyr[b] for b in space.support)

    def usual_cost(self, value: int, s: int) -> int:
        return CONSTRUCTION_TABLE[value] + (0 if self.me.scarab == "LapisLazuli" else SPACES[s].extra_workers)  # R50

    def build_spaces(self, value: int) -> list[int]:
        seshat = self.has("Seshat") and self.can_pay(1, 0)
        free = [s for s in range(20) if self.supported(s)]
        return [s for s in free if seshat or self.can_pay(self.usual_cost(value, s), 0)]

    def legal_buildat(self) -> list[str]:
        return [f"at {s}" for s in self.build_spaces(self.build_val)]

    def do_buildat(self, verb: str, arg: str) -> None:
        self.build_space = int(arg)
        usual = self.usual_cost(self.build_val, self.build_space)
        usual_ok, seshat_ok = self.can_pay(usual, 0), self.has("Seshat") and self.can_pay(1, 0)
        if usual != 1 and usual_ok and seshat_ok:
            self.phase = "COST"  # R51
        else:
            self.pay("build", workers=usual if usual_ok else 1)

    def legal_cost(self) -> list[str]:
        return ["cost usual", "cost seshat"]

    def do_cost(self, verb: str, arg: str) -> None:
        self.pay("build", workers=1 if arg == "seshat" else self.usual_cost(self.build_val, self.build_space))

    def paid_build(self, _: str) -> None:
        value, space = self.build_val, SPACES[self.build_space]
        self.pool.remove(f"S{value}")
        self.pyr[self.build_space] = value
        gain = value + space.extra_fame
        if self.has("Serket") and space.support:  # R52
            gain += 3
        if self.has("Thoth"):
            gain += self.paid_w
        self.me.fame += gain
        for p, seat in enumerate(self.seats):
            if p != self.turn_player and seat.scarab == "Pearl" and seat.res["W"] >= 2:  # R53
                self.phase, self.actor, self.pearl_fame = "PEARL", p, gain

    def legal_pearl(self) -> list[str]:
        return ["pearl yes", "pearl no"]

    def do_pearl(self, verb: str, arg: str) -> None:
        if arg == "yes":
            owner = self.seats[self.actor]
            owner.res["W"] -= 2
            self.supply["W"] += 2
            owner.fame += self.pearl_fame
        self.phase, self.actor = "USE", self.turn_player
