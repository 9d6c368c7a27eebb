"""What holds in every position. What a phase asks beyond it stands with the phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..core.declare.phases import Findings
from .components import (
    ART_TOKENS,
    BASE,
    BUILT_BEFOREHAND,
    CAPSTONE,
    CATEGORIES,
    FINAL_LIFT,
    FIRST_PLACE,
    FIRST_PLACE_OF_FINAL,
    FIRST_SPACE,
    FOOD_TOKENS,
    LIFT_MIDDLE,
    LONGEST_PUSH,
    MIDDLE,
    NOTHING,
    NUM_LOCATIONS,
    NUM_QUARRIES,
    NUM_ROUNDS,
    NUM_ROWS,
    OFF_TRACK,
    POINTS,
    PUSH_ALONE,
    QUARRIES_USED,
    ROUNDS_PER_DYNASTY,
    ROWS,
    SEATS,
    SPACE_CAPACITY,
    SPACES,
    START_ART,
    START_FOOD,
    STONES_PER_TIER,
    WORKERS,
    ZONES,
)
from .pending import only, phase_of
from .state import (
    ART_BID,
    BONUS,
    BUILD,
    BUILT,
    CHOOSING,
    EXIT,
    IN_CAPSTONE_LIFT,
    IN_MIDDLE_LIFT,
    IN_RESERVE,
    ON_SLED,
    OVER,
    PLACING,
    PLAYING,
    REASSIGN,
    ROW,
    SETUP,
    STAGES,
    STONE,
    UNLOADED,
)


def violations(s: np.void) -> Findings:
    """What is wrong with a position, as (field, problem)."""
    yield from _absent_seats_are_empty(s)
    yield from _stages_follow_each_other(s)
    yield from _workers_are_somewhere_once(s)
    yield from _stones_are_somewhere_once(s)
    yield from _sleds_carry_stones(s)
    yield from _stocks_are_within_supply(s)
    yield from _stocks_were_produced(s)
    yield from _points_were_won(s)
    yield from _stones_take_their_time(s)
    yield from _rows_and_order_agree(s)
    if s["phase"] == OVER:
        yield from _the_end_is_the_end(s)


def _absent_seats_are_empty(s: np.void) -> Findings:
    n = int(s["num_players"])
    if s["first_player"] >= n:
        yield "first_player", f"{s['first_player']} of {n} players"
    for p in range(n, SEATS):
        for field in ("food", "art", "points", "used_rows", "to_reassign", "workers"):
            if np.any(s[field][p]):
                yield field, f"seat {p} is not at the table"
        for field in ("order", "row", "food_bid", "art_bid"):
            if s[field][p] != NOTHING:
                yield field, f"seat {p} is not at the table"


def _stages_follow_each_other(s: np.void) -> Findings:
    phase, stage = s["phase"], s["stage"]
    stages = {SETUP: (PLACING,), ROW: (CHOOSING,), BONUS: (CHOOSING,), EXIT: (CHOOSING, PLAYING)}
    if stage not in stages.get(int(phase), (PLAYING,)):
        yield "stage", f"{STAGES[stage]!r} {phase_of(s)}"
    if (stage == PLACING) != (s["round"] == 0):
        yield "round", f"{s['round']} in the stage {STAGES[stage]!r}"
    if s["truncated"]:
        yield "truncated", "no game is cut off"


def _the_end_is_the_end(s: np.void) -> Findings:
    """After the capstone, in the middle of a round, or after all rounds."""
    yield from only(s)
    n, place = int(s["num_players"]), int(s["order_index"])
    if s["current_player"] != NOTHING:
        yield "current_player", f"{s['current_player']} is asked, but the game is over"
    if s["capstone"] == BUILT and place >= n:
        yield "order_index", f"{place}, but the capstone was built in the turn of one of {n} players"
    if s["capstone"] != BUILT and (s["round"] != NUM_ROUNDS or place != n):
        yield "over", "a game ends with the capstone or after the last round"


# --- Pieces ------------------------------------------------------------------------------------------------------------------


def _workers_are_somewhere_once(s: np.void) -> Findings:
    n = int(s["num_players"])
    each, placed = int(WORKERS[n]), int(s["workers"].sum())
    if s["stage"] == PLACING and not placed == s["workers_placed"] < n * each:
        yield "workers_placed", f"{s['workers_placed']}, but {placed} of {n * each} workers stand on the board"
    if s["stage"] != PLACING and s["workers_placed"] != n * each:
        yield "workers_placed", f"{s['workers_placed']} after setup, expected {n * each}"
    for p in range(n if s["stage"] != PLACING else 0):
        owned = int(s["workers"][p].sum()) + int(s["to_reassign"][p]) + int(s["worker_in_hand"] and p == s["current_player"])
        if owned != each:
            yield "workers", f"seat {p} has {owned} workers instead of {each}"
    crowd = s["workers"].sum(0)
    for zone in range(FIRST_SPACE, len(ZONES)):
        if crowd[zone] > SPACE_CAPACITY:
            yield "workers", f"{crowd[zone]} workers in {ZONES[zone]}, it holds {SPACE_CAPACITY}"
        if crowd[zone] and zone >= FIRST_SPACE + SPACES * QUARRIES_USED[n]:
            yield "workers", f"workers in {ZONES[zone]}, which is not used with {n} players"


def _stones_are_somewhere_once(s: np.void) -> Findings:
    in_hand = s["nominated"] if s["phase"] == BUILD else NOTHING
    on_sleds = [int((s["sled_stone"] == stone).sum()) for stone in (BASE, MIDDLE, CAPSTONE)]
    base = int(s["base_built"].sum()) + on_sleds[BASE] + (NOTHING < in_hand < LIFT_MIDDLE)
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
    if not s["middle_built"][: BUILT_BEFOREHAND[s["num_players"]]].all():
        yield "middle_built", f"with {s['num_players']} players a stone of each tier is built beforehand (R40)"
    if s["capstone"] >= IN_CAPSTONE_LIFT and not s["middle_built"].all():
        yield "capstone", "lifted before all eight stones were built"
    if s["capstone"] == BUILT and not (s["phase"] == OVER or (s["phase"] == ART_BID and s["nominated"] == FINAL_LIFT)):
        yield "capstone", f"built, but the game goes on {phase_of(s)}"


def _sleds_carry_stones(s: np.void) -> Findings:
    used = QUARRIES_USED[s["num_players"]]
    reserve = s["middle_in_reserve"] or s["capstone"] == IN_RESERVE
    for quarry in range(NUM_QUARRIES):
        position, stone = s["sled_position"][quarry], s["sled_stone"][quarry]
        nominated = s["nominated"] == quarry
        if (position == UNLOADED) != (nominated and s["phase"] in (BUILD, REASSIGN, ART_BID)):
            yield "sled_position", f"{position} for sled {quarry} {phase_of(s)}"
        if position != 0 and nominated and s["phase"] == STONE:
            yield "sled_position", f"{position} for sled {quarry}, which has just returned"
        if (stone != NOTHING) != (NOTHING < position < UNLOADED and not (nominated and s["phase"] == STONE)):
            yield "sled_stone", f"sled {quarry} carries {stone} at {position}"
        if position != NOTHING and quarry >= used:
            yield "sled_position", f"sled {quarry} is not used with {s['num_players']} players"
        if position == NOTHING and quarry < used and reserve:
            yield "sled_position", f"sled {quarry} is out of the game, but there are stones in reserve"


def _stocks_are_within_supply(s: np.void) -> Findings:
    for field, tokens in (("food", FOOD_TOKENS), ("art", ART_TOKENS)):
        if s[field].sum() > tokens:
            yield field, f"{s[field].sum()} in all, there are only {tokens}"


# --- What has been done ------------------------------------------------------------------------------------------------------


class Done(NamedTuple):
    """Stones moved and points paid so far."""

    pushes: int
    lifts: int
    final_lifts: int
    rows: int
    final_decorations: int
    tiers: int


def _done(s: np.void) -> Done:
    beforehand, built_now = int(BUILT_BEFOREHAND[s["num_players"]]), s["phase"] == BUILD
    base, middle = int(s["base_built"].sum()) - beforehand, int(s["middle_built"].sum()) - beforehand
    lifted = middle + (built_now and s["nominated"] == LIFT_MIDDLE)
    pushed = base + (built_now and NOTHING < s["nominated"] < LIFT_MIDDLE) + lifted + int(s["middle_in_camp"])
    capstone, final = int(s["capstone"]), int(s["capstone"] == BUILT)
    still_to_pay = s["phase"] in (REASSIGN, ART_BID)
    rows, tiers = sum(_complete_rows(s)), int(s["base_built"].all()) + int(s["middle_built"].all()) + final
    if still_to_pay and s["built_at"] != NOTHING:
        tier = s["middle_built"] if s["nominated"] == LIFT_MIDDLE else s["base_built"]
        rows -= int(tier[s["built_at"] ^ 1])
        tiers -= int(tier.all())
    return Done(
        pushed + (capstone >= IN_MIDDLE_LIFT),
        lifted + (capstone >= IN_CAPSTONE_LIFT),
        final,
        rows,
        final * (not still_to_pay),
        tiers - final * still_to_pay,
    )


def _complete_rows(s: np.void) -> Iterator[int]:
    for tier in (s["base_built"], s["middle_built"]):
        for at in range(0, NUM_LOCATIONS, 2):
            yield int(tier[at] and tier[at + 1])


def _points_were_won(s: np.void) -> Findings:
    """Nobody has more points than what was done can have paid."""
    done = _done(s)
    firsts = (  # what one player can have won, by category
        done.pushes * PUSH_ALONE,
        done.lifts * FIRST_PLACE + done.final_lifts * FIRST_PLACE_OF_FINAL,
        done.rows * FIRST_PLACE + done.final_decorations * FIRST_PLACE_OF_FINAL,
        done.tiers * FIRST_PLACE,
    )
    ordinary, final = (sum(points) for points in POINTS)
    together = (
        done.pushes * max(PUSH_ALONE, ordinary),
        done.lifts * ordinary + done.final_lifts * final,
        done.rows * ordinary + done.final_decorations * final,
        done.tiers * ordinary,
    )
    for category, name in enumerate(CATEGORIES):
        won = s["points"][:, category].astype(int)
        if won.max() > firsts[category] or won.sum() > together[category]:
            most = f"at most {firsts[category]} each and {together[category]} in all"
            yield "points", f"{won.tolist()} for {name}, but what was done pays {most}"


def _stocks_were_produced(s: np.void) -> Findings:
    """In a turn a player makes at most twice as much food as there are workers, and art only of food."""
    n = int(s["num_players"])
    for p in range(n):
        turns = max(int(s["round"]) - 1, 0) + (s["stage"] == PLAYING and p in s["order"][: s["order_index"] + 1])
        food, art, gained = int(s["food"][p]), int(s["art"][p]), 2 * int(WORKERS[n]) * int(turns)
        if art > START_ART + gained:
            yield "art", f"{art} of seat {p} after {turns} turns, at most {START_ART + gained}"
        if food > START_FOOD + gained or food + art > START_FOOD + START_ART + gained:
            yield "food", f"{food} and {art} art of seat {p} after {turns} turns"
        if not _turns_begun(s) and (food, art) != (START_FOOD, START_ART):
            yield "food", f"{food} and {art} art of seat {p} before the first turn, everybody starts with {START_FOOD}, {START_ART}"


def _turns_begun(s: np.void) -> int:
    """Turns in which something can have been done."""
    begun = max(int(s["round"]) - 1, 0) * int(s["num_players"])
    if s["stage"] == PLAYING:
        begun += min(int(s["order_index"]) + 1, int(s["num_players"]))
    return begun


def _stones_take_their_time(s: np.void) -> Findings:
    """One stone is moved in a turn."""
    done = _done(s)
    under_way = sum(0 < position < OFF_TRACK for position in s["sled_position"].tolist())
    needed = done.pushes * -(-OFF_TRACK // LONGEST_PUSH) + done.lifts + done.final_lifts + under_way
    this_turn = s["stage"] == PLAYING and s["phase"] not in (BUILD, REASSIGN, ART_BID, STONE, OVER)
    if needed > _turns_begun(s) - this_turn:
        yield "round", f"{s['round']} is too early: the stones were moved in {needed} turns at least"


# --- Rows and order ----------------------------------------------------------------------------------------------------------


def _rows_and_order_agree(s: np.void) -> Findings:
    n = int(s["num_players"])
    order, rows = s["order"][:n].tolist(), s["row"][:n].tolist()
    if s["stage"] == PLACING:
        for field, nothing in (("order", NOTHING), ("row", NOTHING), ("used_rows", 0), ("order_index", 0)):
            if np.any(s[field] != nothing):
                yield field, "rows are chosen after setup"
        return
    if sorted(order) != list(range(n)):
        yield "order", f"{order} is not an order of {n} seats"
        return
    first = int(s["first_player"])
    if s["stage"] == CHOOSING and s["round"] == 1 and order != [(first + i) % n for i in range(n)]:
        yield "order", f"{order} in round 1, in which the order is clockwise from seat {first}"
    chosen = [r for r in rows if r != NOTHING]
    if len(set(chosen)) < len(chosen):
        yield "row", f"a row is taken twice: {rows}"
    yield from _rows_were_free(s, rows)
    if s["stage"] == PLAYING and (len(chosen) < n or order != sorted(range(n), key=rows.__getitem__)):
        yield "order", f"{order} is not the order of the rows {rows}"


def _rows_were_free(s: np.void, rows: list[int]) -> Findings:
    """Everybody has used a row per round of the dynasty, a different one each time and nobody else's."""
    rounds = (int(s["round"]) - 1) % ROUNDS_PER_DYNASTY
    earlier = []
    for p, row in enumerate(rows):
        used = int(s["used_rows"][p])
        if row != NOTHING and not used >> row & 1:
            yield "used_rows", f"seat {p} has row {ROWS[row]} but has not used it"
        expected = rounds + (row != NOTHING)
        if used.bit_count() != expected:
            yield "used_rows", f"{used.bit_count()} for seat {p} in round {s['round']}, expected {expected}"
        earlier.append(used & ~(1 << row) if row != NOTHING else used)
    for row in range(NUM_ROWS):
        users = sum(used >> row & 1 for used in earlier)
        if users > rounds:
            yield "used_rows", f"{users} players have used row {ROWS[row]} in {rounds} rounds"
