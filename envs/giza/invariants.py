"""What holds in every position (spec section 12). `from_dict` refuses a position that breaks one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .components import (
    ACTIONS_PER_TURN,
    ART_TOKENS,
    BASE,
    CAPSTONE,
    FARMING,
    FINAL_LIFT,
    FIRST_SPACE,
    FISHING,
    FOOD_TOKENS,
    LIFT_MIDDLE,
    MIDDLE,
    NUM_QUARRIES,
    ROUNDS_PER_DYNASTY,
    SPACE_CAPACITY,
    SPACES,
    STONES_PER_TIER,
    WORKERS,
    ZONES,
)
from .state import (
    ACTION,
    ART_BID,
    BUILD,
    BUILT,
    CHOOSING,
    EXIT,
    FOOD_BID,
    IN_CAPSTONE_LIFT,
    NOTHING,
    ON_SLED,
    OVER,
    PHASES,
    PLACING,
    PLAYING,
    REASSIGN,
    SETUP,
    STONE,
    UNLOADED,
)

Problems = Iterator[tuple[str, str]]
WITH_NOMINATION = (FOOD_BID, BUILD, REASSIGN, ART_BID, STONE)


def violations(s: np.void) -> Problems:
    """The broken invariants as (field, problem)."""
    yield from _the_course_is_consistent(s)
    yield from _workers_are_somewhere_once(s)
    yield from _stones_are_somewhere_once(s)
    yield from _sleds_fit_the_phase(s)
    yield from _stocks_are_within_supply(s)
    yield from _the_turn_is_consistent(s)
    yield from _rows_and_order_agree(s)
    yield from _absent_seats_are_empty(s)


def _the_course_is_consistent(s: np.void) -> Problems:
    n, phase, stage = int(s["num_players"]), s["phase"], s["stage"]
    if (phase == OVER) != bool(s["over"]):
        yield "over", "the phase is 'over' exactly when the game is over"
    if (s["current_player"] == NOTHING) != (phase == OVER) or s["current_player"] >= n:
        yield "current_player", f"{s['current_player']} in phase {PHASES[phase]!r} with {n} players"
    if (stage == PLACING) != (phase == SETUP) or (stage == PLACING) != (s["round"] == 0):
        yield "stage", f"{stage} in phase {PHASES[phase]!r} of round {s['round']}"
    if stage == CHOOSING and PHASES[phase] not in ("row", "bonus", "exit"):
        yield "phase", f"{PHASES[phase]!r} while rows are chosen"
    if stage == PLAYING and PHASES[phase] in ("row", "bonus"):
        yield "phase", f"{PHASES[phase]!r} while turns are played"
    expected = int(s["order"][s["order_index"]]) if stage == PLAYING and phase != OVER and s["order_index"] < n else NOTHING
    if s["turn_player"] != expected:
        yield "turn_player", f"{s['turn_player']}, but the order says {expected}"
    asked = s["order"][min(s["order_index"], n - 1)]
    if PHASES[phase] in ("row", "bonus", "action", "exit", "nominate", "build", "stone") and s["current_player"] != asked:
        yield "current_player", f"{s['current_player']}, but the order says {asked}"


def _workers_are_somewhere_once(s: np.void) -> Problems:
    n = int(s["num_players"])
    each = int(WORKERS[n])
    for p in range(n):
        owned = int(s["workers"][p].sum()) + int(s["to_reassign"][p])
        owned += int(s["worker_in_hand"] and p == s["current_player"])
        if s["stage"] != PLACING and owned != each:
            yield "workers", f"seat {p} has {owned} workers instead of {each}"
    placed = int(s["workers"].sum())
    if s["stage"] == PLACING and placed != s["workers_placed"]:
        yield "workers_placed", f"{s['workers_placed']}, but {placed} workers stand on the board"
    if s["stage"] != PLACING and s["workers_placed"] != n * each:
        yield "workers_placed", f"{s['workers_placed']} after setup, expected {n * each}"
    crowd = s["workers"].sum(0)
    for zone in range(FIRST_SPACE, len(ZONES)):
        if crowd[zone] > SPACE_CAPACITY:
            yield "workers", f"{crowd[zone]} workers in {ZONES[zone]}, it holds {SPACE_CAPACITY}"
        if crowd[zone] and zone >= FIRST_SPACE + SPACES * n:
            yield "workers", f"workers in {ZONES[zone]}, which is not used with {n} players"


def _stones_are_somewhere_once(s: np.void) -> Problems:
    in_hand = s["nominated"] if s["phase"] == BUILD else NOTHING
    on_sleds = [int((s["sled_stone"] == stone).sum()) for stone in (BASE, MIDDLE, CAPSTONE)]
    base = int(s["base_built"].sum()) + on_sleds[BASE] + (0 <= in_hand < LIFT_MIDDLE)
    middle = int(s["middle_built"].sum()) + on_sleds[MIDDLE] + (in_hand == LIFT_MIDDLE)
    middle += int(s["middle_in_camp"]) + int(s["middle_in_reserve"])
    if base != STONES_PER_TIER:
        yield "base_built", f"{base} base stones instead of {STONES_PER_TIER}"
    if middle != STONES_PER_TIER:
        yield "middle_built", f"{middle} middle stones instead of {STONES_PER_TIER}"
    if on_sleds[CAPSTONE] != (s["capstone"] == ON_SLED):
        yield "capstone", f"{on_sleds[CAPSTONE]} sleds carry it"
    if (s["middle_built"] > s["base_built"]).any():
        yield "middle_built", "a middle stone rests on nothing"
    if s["capstone"] >= IN_CAPSTONE_LIFT and not s["middle_built"].all():
        yield "capstone", "lifted before all eight stones were built"
    final = s["nominated"] == FINAL_LIFT and s["phase"] == ART_BID
    if s["capstone"] == BUILT and not (final or s["phase"] == OVER):
        yield "capstone", f"built, but the phase is {PHASES[s['phase']]!r}"


def _sleds_fit_the_phase(s: np.void) -> Problems:
    for quarry in range(NUM_QUARRIES):
        position, stone = s["sled_position"][quarry], s["sled_stone"][quarry]
        nominated = s["nominated"] == quarry
        if (position == UNLOADED) != (nominated and s["phase"] in (BUILD, REASSIGN, ART_BID)):
            yield "sled_position", f"{position} for sled {quarry} in phase {PHASES[s['phase']]!r}"
        carries = NOTHING < position < UNLOADED and not (nominated and s["phase"] == STONE)
        if (stone != NOTHING) != carries:
            yield "sled_stone", f"sled {quarry} carries {stone} at {position}"
        if position != NOTHING and quarry >= s["num_players"]:
            yield "sled_position", f"sled {quarry} is not used with {s['num_players']} players"
    if 0 <= s["nominated"] < NUM_QUARRIES and s["sled_position"][s["nominated"]] == NOTHING:
        yield "nominated", f"sled {s['nominated']} is out of the game"


def _stocks_are_within_supply(s: np.void) -> Problems:
    for field, tokens in (("food", FOOD_TOKENS), ("art", ART_TOKENS)):
        total = int(s[field].sum())
        if total > tokens:
            yield field, f"{total} in all, there are only {tokens}"
    most = 250 if s["num_players"] == 4 else 220
    if s["vp"].sum() > most:
        yield "vp", f"{s['vp'].sum()} in all, at most {most} can be won"


def _the_turn_is_consistent(s: np.void) -> Problems:
    phase, nominated = s["phase"], s["nominated"]
    if (nominated != NOTHING) != (phase in WITH_NOMINATION):
        yield "nominated", f"{nominated} in phase {PHASES[phase]!r}"
    if bool(s["to_reassign"].sum()) != (phase == REASSIGN or (phase == BUILD and nominated < LIFT_MIDDLE)):
        yield "to_reassign", f"{s['to_reassign'].tolist()} in phase {PHASES[phase]!r}"
    if bool(s["worker_in_hand"]) != (phase == EXIT):
        yield "worker_in_hand", f"{s['worker_in_hand']} in phase {PHASES[phase]!r}"
    if (s["food_bid"] != NOTHING).any() and phase != FOOD_BID:
        yield "food_bid", f"bids in phase {PHASES[phase]!r}"
    if (s["art_bid"] != NOTHING).any() and phase != ART_BID:
        yield "art_bid", f"bids in phase {PHASES[phase]!r}"
    if (s["bid_step"] > 0) != (phase in (FOOD_BID, ART_BID)) or s["bid_step"] > s["num_players"]:
        yield "bid_step", f"{s['bid_step']} in phase {PHASES[phase]!r}"
    if s["bid_step"] and s["current_player"] != (s["turn_player"] + s["bid_step"]) % s["num_players"]:
        yield "bid_step", f"{s['bid_step']} does not lead from seat {s['turn_player']} to seat {s['current_player']}"
    for field, stock in (("food_bid", "food"), ("art_bid", "art")):
        if (s[field] > s[stock]).any():
            yield field, f"{s[field].tolist()} is more than the stock {s[stock].tolist()}"
    if s["built_at"] != NOTHING and not (phase in (REASSIGN, ART_BID, STONE) and s["base_built"][s["built_at"]]):
        yield "built_at", f"{s['built_at']} in phase {PHASES[phase]!r}"
    if s["actions_left"] and phase not in (ACTION, EXIT):
        yield "actions_left", f"{s['actions_left']} in phase {PHASES[phase]!r}"
    if phase == ACTION and s["actions_left"] == 0:
        yield "actions_left", "0 in phase 'action'"
    production = int(s["times_farmed"]) + int(s["times_fished"]) + int(s["times_made_art"])
    if production > ACTIONS_PER_TURN - s["actions_left"]:
        yield "actions_left", f"{s['actions_left']} after {production} production actions"
    row = s["row"][s["turn_player"]] if s["turn_player"] != NOTHING else NOTHING
    if row != NOTHING and (s["times_farmed"] > FARMING[row] or s["times_fished"] > FISHING[row]):
        yield "times_farmed", f"farmed {s['times_farmed']} and fished {s['times_fished']} times in row {row}"


def _rows_and_order_agree(s: np.void) -> Problems:
    n = int(s["num_players"])
    order, rows = s["order"][:n].tolist(), s["row"][:n].tolist()
    if s["stage"] == PLACING:
        if order != [NOTHING] * n or rows != [NOTHING] * n:
            yield "order", "rows are chosen after setup"
        return
    if sorted(order) != list(range(n)):
        yield "order", f"{order} is not an order of {n} seats"
        return
    chosen = [r for r in rows if r != NOTHING]
    if len(set(chosen)) < len(chosen):
        yield "row", f"a row is taken twice: {rows}"
    for p in range(n):
        used = int(s["used_rows"][p])
        if rows[p] != NOTHING and not used >> rows[p] & 1:
            yield "used_rows", f"seat {p} has row {rows[p]} but has not used it"
        expected = (int(s["round"]) - 1) % ROUNDS_PER_DYNASTY + (rows[p] != NOTHING)
        if used.bit_count() != expected:
            yield "used_rows", f"{used.bit_count()} for seat {p} in round {s['round']}, expected {expected}"
    if s["stage"] == PLAYING and (len(chosen) < n or order != sorted(range(n), key=rows.__getitem__)):
        yield "order", f"{order} is not the order of the rows {rows}"


def _absent_seats_are_empty(s: np.void) -> Problems:
    for p in range(s["num_players"], len(s["vp"])):
        if any(s[f][p] for f in ("food", "art", "vp", "used_rows", "to_reassign")) or s["workers"][p].any():
            yield "num_players", f"seat {p} is not at the table but owns something"
        if any(s[f][p] != NOTHING for f in ("order", "row", "food_bid", "art_bid")):
            yield "num_players", f"seat {p} is not at the table but has a place in the game"
