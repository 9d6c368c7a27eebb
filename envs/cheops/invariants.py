"""What holds in every position. `from_dict` refuses a position that breaks one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .actions import ACTIONS, ARCH_LEFT, ARCH_RIGHT, KEYSTONE, MOSAIC
from .components import (
    BE,
    BONUSES,
    COLUMN,
    DOMINO_CELLS,
    DOMINOES,
    MAX_DICE,
    MAX_ROUNDS,
    MOSAIC_COLOUR,
    MOST_DOMINOES,
    NUM_COLOURS,
    NUM_GROUPS,
    SEATS,
)
from .rules import colour_of_stone, open_stones, payments, supported_stones
from .scoring import complete_buildings, complete_groups
from .state import BUILD, NOTHING, OVER, PAY

Violations = Iterator[tuple[str, str]]


def violations(s: np.void) -> Violations:
    """The broken invariants as (field, problem)."""
    yield from _seats_are_taken(s)
    yield from _buildings_stand(s)
    yield from _material_is_left(s)
    yield from _turns_follow(s)
    yield from _stones_were_built_and_paid(s)
    yield from _dice_add_up(s)
    yield from _bonuses_are_earned(s)
    yield from _the_end_is_the_end(s)
    yield from _payment_is_due(s)


def _seats_are_taken(s: np.void) -> Violations:
    n = int(s["num_players"])
    sheets = s["sheet"][:n].tolist()
    if NOTHING in sheets or len(set(sheets)) < n:
        yield "sheet", f"{n} builders need {n} different sheets, got {sheets}"
    for p in range(n, SEATS):
        if s["sheet"][p] != NOTHING or s["mark"][p] != NOTHING:
            yield "sheet" if s["sheet"][p] != NOTHING else "mark", f"seat {p} is not at the table"
        for field in ("pyramid", "left", "right", "keystone", "mosaic", "quarry", "jokers", "bonuses"):
            if s[field][p]:
                yield field, f"seat {p} is not at the table"


def _buildings_stand(s: np.void) -> Violations:
    for p in range(s["num_players"]):
        pyramid = int(s["pyramid"][p])
        if pyramid & ~supported_stones(pyramid):
            yield "pyramid", f"a stone of seat {p} rests on nothing"
        if s["keystone"][p] and not s["left"][p] == s["right"][p] == COLUMN:
            yield "keystone", f"the columns of seat {p} are not complete"
        cells = int(s["mosaic"][p])
        if 2 * MOST_DOMINOES[cells] != cells.bit_count():
            yield "mosaic", f"the cells of seat {p} are not made of dominoes"


def _material_is_left(s: np.void) -> Violations:
    for p in range(s["num_players"]):
        last = int(s["quarry"][p]).bit_length() - 1
        if s["mark"][p] != last:
            yield "mark", f"{s['mark'][p]} for seat {p}, but the rightmost crossed quarry stone is {last}"
        if s["jokers"][p] > s["num_players"]:
            yield "jokers", f"{s['jokers'][p]} for seat {p} with {s['num_players']} builders"


def _turns_follow(s: np.void) -> Violations:
    n, turn = int(s["num_players"]), int(s["turn"])
    active = int(s["round"]) % n
    if turn >= n:
        yield "turn", f"{turn} with {n} builders"
    if s["active_player"] != active:
        yield "active_player", f"{s['active_player']} in round {s['round']}, expected {active}"
    if s["current_player"] != (active + turn) % n:
        yield "current_player", f"{s['current_player']} in turn {turn} of round {s['round']}, expected {(active + turn) % n}"
    if s["phase"] != OVER and s["built"] == 2:
        yield "built", "a turn ends with the second stone"


def _stones_were_built_and_paid(s: np.void) -> Violations:
    """At most two a turn; each is paid with a die, a quarry stone or a joker."""
    n = int(s["num_players"])
    for p in range(n):
        stones, turns = _stones_of(s, p), _turns_over(s, p)
        begun = int(s["built"]) if _in_turn(s, p) else 0
        if stones < begun + (begun == 1) * int(s["mosaic"][p]).bit_count():
            yield "built", f"{begun} in this turn of seat {p}, but its pyramid and arch have no such stone"
        if stones > 2 * turns + begun:
            yield "round", f"{s['round']}, but seat {p} has crossed {stones} stones: at most two in each of {turns} turns"
        paid = int(s["quarry"][p]).bit_count() + n - int(s["jokers"][p])
        in_advance = _paid_in_advance(s) if _in_turn(s, p) else 0
        if paid > stones + in_advance:
            yield "quarry", f"seat {p} has spent {paid} quarry stones and jokers on {stones} stones"


def _stones_of(s: np.void, p: int) -> int:
    arch = int(s["left"][p]) + int(s["right"][p]) + int(s["keystone"][p])
    return int(s["pyramid"][p]).bit_count() + arch + int(s["mosaic"][p]).bit_count()


def _in_turn(s: np.void, p: int) -> bool:
    return bool(s["phase"] != OVER and p == s["current_player"])


def _turns_over(s: np.void, p: int) -> int:
    """The turns that a seat has finished."""
    place = (p - int(s["active_player"])) % int(s["num_players"])
    return int(s["round"]) + bool(s["phase"] == OVER or place < s["turn"])


def _paid_in_advance(s: np.void) -> int:
    """What of the stone or domino that is being paid for is paid already."""
    if s["phase"] != PAY or s["pending"] == NOTHING:
        return 0
    return (1 if s["pending"] < MOSAIC else 2) - int(np.count_nonzero(s["owed"] != NOTHING))


def _dice_add_up(s: np.void) -> Violations:
    num_dice = 3 if s["num_players"] == 2 else MAX_DICE
    if s["num_dice"] != num_dice:
        yield "num_dice", f"{s['num_dice']} with {s['num_players']} builders"
    if any((colour == NOTHING) != (die >= num_dice) for die, colour in enumerate(s["roll"])):
        yield "roll", f"{num_dice} dice are rolled with {s['num_players']} builders"
    rolled = np.array([np.count_nonzero(s["roll"] == colour) for colour in range(NUM_COLOURS)])
    blocked, taken = rolled - s["pool"], s["pool"] - s["dice"]
    if blocked.min() < 0 or blocked.sum() > 2 * (s["turn"] > 0):
        yield "pool", f"{s['pool'].tolist()} of the rolled {rolled.tolist()} in turn {s['turn']}"
    if taken.min() < 0 or taken.sum() > s["built"] + _paid_in_advance(s):
        yield "dice", f"{s['dice'].tolist()} of the pool {s['pool'].tolist()}"


def _bonuses_are_earned(s: np.void) -> Violations:
    n = s["num_players"]
    complete = [complete_groups(s, p) for p in range(n)]
    for b in range(NUM_GROUPS):
        holders = [p for p in range(n) if s["bonuses"][p] >> b & 1]
        first = s["bonus_round"][b]
        for p in holders:
            if not complete[p] >> b & 1:
                yield "bonuses", f"seat {p} has {BONUSES[b]} without its stones"
        if first > s["round"]:
            yield "bonus_round", f"{BONUSES[b]} is dated round {first} in round {s['round']}"
        for p in holders if first == s["round"] else ():
            if _turns_over(s, p) == s["round"] and not (_in_turn(s, p) and s["built"]):
                yield "bonus_round", f"{BONUSES[b]} is dated this round, but seat {p} has not built in it"
        if bool(holders) != (first != NOTHING):
            yield "bonus_round", f"{first} for {BONUSES[b]}, held by seats {holders}"
        if not holders and any(groups >> b & 1 for groups in complete):
            yield "bonuses", f"nobody has {BONUSES[b]}, but its stones are crossed"
        for p in range(n) if first == s["round"] else ():  # R18: whoever was earlier would have had it first
            if complete[p] >> b & 1 and p not in holders:
                yield "bonuses", f"seat {p} has the stones of {BONUSES[b]}, first earned in this round, without the bonus"


def _the_end_is_the_end(s: np.void) -> Violations:
    n = s["num_players"]
    over, last_round = s["phase"] == OVER, s["round"] == MAX_ROUNDS - 1
    winners = [p for p in range(n) if complete_buildings(s, p) >= 2]
    if bool(s["truncated"]) != (over and not winners):
        yield "truncated", "a game is cut off exactly when it is over and nobody has two buildings"
    if (over and not (winners or last_round)) or (over and s["turn"] != n - 1):
        yield "over", "a game ends after a round, when somebody has two buildings or the rounds are used up"
    if s["phase"] == BUILD and s["turn"] == 0 and s["built"] == 0 and winners:
        yield "phase", f"seat {winners[0]} has two buildings, the round cannot begin"
    for p in range(n):
        if bool(s["bonuses"][p] >> BE & 1) != (over and p in winners):
            yield "bonuses", f"BE of seat {p}: it goes at the end to everybody with two buildings"


def _payment_is_due(s: np.void) -> Violations:
    pending, owed = int(s["pending"]), [int(colour) for colour in s["owed"] if colour != NOTHING]
    if s["phase"] != PAY:
        for field, value in (("pending", pending), ("owed", s["owed"].max()), ("mark_before", s["mark_before"])):
            if value != NOTHING:
                yield field, "nothing is being paid"
        return
    if pending == NOTHING or s["owed"][0] == NOTHING:
        yield "pending" if pending == NOTHING else "owed", "nothing to pay for in phase 'pay'"
        return
    p = s["current_player"]
    if not _can_be_crossed(s, p, pending):
        yield "pending", f"seat {p} cannot cross out {ACTIONS.names[pending]}"
    if any(s["dice"][colour] for colour in owed):
        yield "owed", "a die of that colour is in the middle"
    cost = _cost(s, p, pending)
    if owed != cost and owed not in [[colour] for colour in cost]:
        yield "owed", f"{owed} for {ACTIONS.names[pending]}, which costs {cost}"
    if s["mark_before"] > s["mark"][p] or (s["mark_before"] < s["mark"][p] and len(owed) == len(cost)):
        yield "mark_before", f"{s['mark_before']} with the mark of seat {p} at {s['mark'][p]}"
    if not payments(s):
        yield "owed", f"seat {p} cannot pay"


def _can_be_crossed(s: np.void, p: int, action: int) -> bool:
    if action < ARCH_LEFT:
        return bool(open_stones(int(s["pyramid"][p])) >> action & 1)
    if action == ARCH_LEFT:
        return s["left"][p] < COLUMN
    if action == ARCH_RIGHT:
        return s["right"][p] < COLUMN
    if action == KEYSTONE:
        return s["left"][p] == s["right"][p] == COLUMN and not s["keystone"][p]
    return s["built"] == 0 and not int(s["mosaic"][p]) & int(DOMINO_CELLS[action - MOSAIC])


def _cost(s: np.void, p: int, action: int) -> list[int]:
    if action < MOSAIC:
        return [int(colour_of_stone(s, p, action))]
    return [int(MOSAIC_COLOUR[s["sheet"][p], cell]) for cell in DOMINOES[action - MOSAIC]]
