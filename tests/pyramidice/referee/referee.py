"""Setup, the interface of the tests, gains, the Rest turn, the end, the Great Architect."""

from __future__ import annotations

from .position import Chance
from .tables import (
    ARCHITECTS,
    AVAILABLE,
    CATS,
    GOD_NAMES,
    GODS,
    HELPERS,
    INDEX,
    NOTATION,
    PROJECT_PAIRS,
    RESOURCES,
    SCARABS,
    SPACES,
    STONE_DICE,
    TILE_FAME_COST,
    TILES,
    TILES_IN_PLAY,
    WAITING,
    WORKERS,
    numbers,
)
from .work import WorkTurn


class Referee(WorkTurn):
    # ------------------------------------------------------------------ setup

    def __init__(self, num_players: int, chance: Chance, architect: int = 0) -> None:
        if num_players not in (1, 2, 3, 4) or architect not in range(4):
            raise ValueError("1 to 4 players; architect 0 to 3")
        self.blank(num_players, architect if num_players == 1 else -1, chance)
        n = self.n_humans
        for seat in self.seats:
            seat.fame = 5
        for seat in self.seats[:n]:
            seat.res = {"W": 4, "C": 1, "S": 1}
        self.supply = {"W": WORKERS - 4 * n, "C": CATS - n, "S": STONE_DICE[n] - n}
        self.deal_gods()
        self.lay_out_tiles()
        self.deal_projects()
        if self.solo:
            self.begin_turn(0)
        else:
            self.deal_scarabs()

    def shuffled(self, count: int) -> list[int]:
        items = list(range(count))
        self.chance.shuffle(items)
        return items

    def deal_gods(self) -> None:
        self.deck = [GOD_NAMES[i] for i in self.shuffled(38)]
        self.refill()

    def lay_out_tiles(self) -> None:
        for position, tile in enumerate(self.shuffled(12)[: TILES_IN_PLAY[self.n_humans]]):
            self.tile_at[TILES[tile]] = AVAILABLE
            if self.solo:
                self.tile_slot[TILES[tile]] = position + 1

    def deal_projects(self) -> None:
        projects = self.shuffled(6)
        for p in range(self.n_humans):
            self.seats[p].projects = [projects[p]]
        if self.solo:
            self.seats[1].projects = projects[1 : 1 + int(ARCHITECTS[self.arch]["projects"])]

    def deal_scarabs(self) -> None:
        scarabs = [SCARABS[i] for i in self.shuffled(12)]
        for p, seat in enumerate(self.seats):
            seat.scarab_options = scarabs[2 * p : 2 * p + 2]

    def legal_scarab(self) -> list[str]:
        return [f"keep {s}" for s in self.seats[self.actor].scarab_options]

    def do_scarab(self, verb: str, arg: str) -> None:
        self.seats[self.actor].scarab = arg
        self.actor += 1
        if self.actor == self.n_seats:
            self.begin_turn(0)

    # ------------------------------------------------------------------ interface

    @property
    def current_player(self) -> int:
        return self.actor

    def is_terminal(self) -> bool:
        return self.phase == "END"

    def legal_moves(self) -> list[str]:
        return getattr(self, f"legal_{self.phase.lower()}")()

    def legal_actions(self) -> list[int]:
        return sorted(INDEX[move] for move in self.legal_moves())

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action} in phase {self.phase}")
        self.step(NOTATION[action])
        while len(moves := self.legal_moves()) == 1:  # forced-move rule
            self.step(moves[0])

    def step(self, move: str) -> None:
        verb, _, arg = move.partition(" ")
        getattr(self, f"do_{self.phase.lower()}")(verb, arg)
        for name, (rest_value, phases) in HELPERS.items():
            if self.phase not in phases:
                setattr(self, name, rest_value)

    @staticmethod
    def action_to_string(action: int) -> str:
        return NOTATION[action]

    # ------------------------------------------------------------------ gain queue

    def gain(self, units: list[str], after: int) -> None:
        self.queue += [(self.turn_player, unit) for unit in units]
        self.after = after
        self.run_queue()

    def run_queue(self) -> None:
        while self.queue:
            q, unit = self.queue[0]
            if unit not in RESOURCES:
                if self.pick_options(unit):
                    self.phase, self.actor = "PICK", q
                    return
                self.queue.pop(0)  # R3
                continue
            self.queue.pop(0)
            if self.supply[unit] == 0:  # R1
                continue
            self.supply[unit] -= 1
            self.seats[q].res[unit] += 1
            if self.seats[q].total() == 8 and self.seats[q].scarab == "Silver":
                self.seats[q].fame += 2
            if self.seats[q].total() == 9:  # R4
                self.phase, self.actor, self.lose_mode = "LOSE", q, 0
                return
        self.actor = self.turn_player
        if self.after == 0:
            self.rest_step_3()
        elif self.after == 1:
            self.rest_pending = 1
            self.start_work()
        else:
            self.phase = "USE"

    def pick_options(self, unit: str) -> list[str]:
        return [x for x in RESOURCES if self.supply[x] > 0 and unit != f"not {x}"]

    def legal_pick(self) -> list[str]:
        return [f"gain {x}" for x in self.pick_options(self.queue[0][1])]

    def do_pick(self, verb: str, x: str) -> None:
        q, unit = self.queue.pop(0)
        if unit == "khepri" and x == "S":  # R43
            self.supply["S"] -= 1
            self.roll_into_pool(1, 0)
        else:
            self.queue[:0] = [(q, x)] * (3 if unit == "three" else 1)
        self.run_queue()

    def legal_lose(self) -> list[str]:
        return [f"lose {x}" for x in RESOURCES if self.seats[self.actor].res[x] > 0]

    def do_lose(self, verb: str, x: str) -> None:
        self.seats[self.actor].res[x] -= 1
        if x == "S":
            self.quarry["S"] += 1  # R6
        else:
            self.supply[x] += 1
        if self.lose_mode == 0:
            self.run_queue()
        else:
            self.gain([f"not {x}"] * (2 if self.lose_mode == 1 else 3), after=0)

    # ------------------------------------------------------------------ Rest turn

    def begin_turn(self, p: int) -> None:
        self.turn_player = self.actor = p
        if self.solo and p == 1:
            self.architect_turn()
        else:
            self.phase = "TURN"

    def tile_ok(self, tile: str, fame: int) -> bool:
        at = self.tile_at[tile]
        borrowed = isinstance(at, int) and at != self.turn_player and tile not in self.tile_flip
        if not (at == AVAILABLE or (self.me.scarab == "Emerald" and borrowed)):
            return False
        if fame < TILE_FAME_COST[tile]:
            return False
        if tile == "god":
            return any(self.row)
        return tile != "swap" or self.me.total() >= 1

    def legal_turn(self) -> list[str]:
        moves = ["work", *self.legal_rest()]
        step_2_after_bes = "hapy" in moves or any(self.tile_ok(k, self.me.fame + 1) for k in TILES)
        if "Bes" in self.me.gods and step_2_after_bes:  # R16
            moves.append("bes")
        return moves

    def do_turn(self, verb: str, arg: str) -> None:
        if verb == "work":
            self.start_work()
        elif verb == "bes":
            self.me.fame += 1
            self.phase = "REST"
        else:
            self.do_rest(verb, arg)

    def legal_rest(self) -> list[str]:
        moves = [f"rest {k}" for k in TILES if self.tile_ok(k, self.me.fame)]
        if "Hapy" in self.me.gods and self.me.total() >= 1:  # R18
            moves.append("hapy")
        return moves

    def do_rest(self, verb: str, tile: str) -> None:
        if verb == "hapy":
            self.phase, self.lose_mode = "LOSE", 2
            return
        self.me.fame -= TILE_FAME_COST[tile]
        if self.tile_at[tile] == AVAILABLE:
            self.tile_at[tile] = self.turn_player
            self.tile_slot.pop(tile, None)
        else:
            self.tile_flip.add(tile)  # R25
        if tile == "work":
            self.gain(["any"], after=1)
        elif tile == "each":
            self.gain(["W", "C", "S"], after=0)
        elif tile == "god":
            self.phase = "FREEGOD"
        elif tile == "three":
            self.gain(["three"], after=0)
        elif tile == "swap":
            self.phase, self.lose_mode = "LOSE", 1
        elif tile == "feast":
            self.feast()
        else:
            self.gain(list(tile), after=0)

    def feast(self) -> None:
        t, n = self.turn_player, self.n_humans
        others = [(t + i) % n for i in range(1, n)]  # R12
        self.queue = [(t, "any"), (t, "any")] + [(p, "C") for p in others]
        self.after = 0
        self.run_queue()

    def legal_freegod(self) -> list[str]:
        return [f"free {i}" for i in range(3) if self.row[i]]

    def do_freegod(self, verb: str, arg: str) -> None:
        self.take_card(int(arg), self.turn_player)
        self.draw_one()
        self.rest_step_3()

    def rest_step_3(self) -> None:
        if len(self.tiles_of(self.turn_player)) < 3:
            self.end_turn()
            return
        if self.me.scarab == "Malachite":
            self.me.fame += 3
        self.return_three_tiles()

    def return_three_tiles(self) -> None:
        tiles = self.tiles_of(self.turn_player)
        for tile in tiles:
            self.tile_at[tile] = WAITING if self.solo else AVAILABLE
            self.tile_flip.discard(tile)
        if self.solo:
            self.slot_queue = tiles
            self.phase, self.actor = "SLOT", 0  # R67
        else:
            self.row_discard()
            self.end_turn()

    def legal_slot(self) -> list[str]:
        return [f"slot {i}" for i in range(1, 7) if i not in self.tile_slot.values()]

    def do_slot(self, verb: str, arg: str) -> None:
        tile = self.slot_queue.pop(0)
        self.tile_at[tile] = AVAILABLE
        self.tile_slot[tile] = int(arg)
        if not self.slot_queue:
            self.row_discard()
            self.end_turn()

    def end_turn(self) -> None:
        t = self.actor = self.turn_player
        self.turns += 1
        if self.pharaoh == t:
            self.end_game()
            return
        if self.pharaoh == -1 and (self.supply["S"] == 0 or self.deck_pos == self.deck_end):
            self.pharaoh = t
        if self.turns >= 40 * self.n_seats:
            self.truncated = 1
            self.end_game()
            return
        self.begin_turn((t + 1) % self.n_seats)

    def end_game(self) -> None:
        self.phase, self.done = "END", 1
        if self.solo:
            self.actor = 0  # I14: the actor is a human seat

    def legal_end(self) -> list[str]:
        return []

    # ------------------------------------------------------------------ the Great Architect

    def architect_turn(self) -> None:
        if any(self.row):
            self.architect_takes_god()
        value = self.architect_rolls()
        numbered = sorted((slot, tile) for tile, slot in self.tile_slot.items())
        tile = next((tile for slot, tile in numbered if value in (0, slot)), "")  # R68
        if tile:
            self.quarry["S"] += value > 0
            self.me.fame += numbers(ARCHITECTS[self.arch]["spaces"])[len(self.tiles_of(1))]
            self.tile_at[tile] = 1
            del self.tile_slot[tile]
            if len(self.tiles_of(1)) == 3:
                self.return_three_tiles()
                return
        else:
            self.architect_builds(value)
        self.refill()
        self.end_turn()

    def architect_takes_god(self) -> None:
        def rank(i: int) -> tuple[bool, int, int]:
            god = GODS[self.row[i]]
            return god.ennead, god.end_fame, i  # R70

        god = self.take_card(max((i for i in range(3) if self.row[i]), key=rank), 1)
        if ARCHITECTS[self.arch]["name"] == "Amenhotep" and GODS[god].ennead:
            self.me.fame += 1

    def architect_rolls(self) -> int:
        for store in (self.quarry, self.supply):
            if store["S"]:
                store["S"] -= 1
                return self.roll_die()
        return 0

    def architect_builds(self, value: int) -> None:
        candidates = [s for s in range(20) if self.supported(s)]  # Cheops ids are in reading order
        lowest = min(SPACES[s].level for s in candidates)  # R66
        candidates = [s for s in candidates if SPACES[s].level == lowest]
        adjacent = [s for s in candidates if self.completes_adjacency(value, s)]
        s = (adjacent or candidates)[0]
        self.pyr[s] = value
        name = ARCHITECTS[self.arch]["name"]
        power = {"Snefru": int(lowest >= 2), "Hemionu": int(bool(adjacent)), "Imothep": 2}.get(name, 0)
        self.me.fame += value + SPACES[s].extra_fame + power

    def completes_adjacency(self, value: int, s: int) -> bool:
        pairs = {tuple(sorted((value, self.pyr[a]))) for a in SPACES[s].adjacent}
        return any(pairs & PROJECT_PAIRS[project] for project in self.me.projects)
