"""The greedy player of *Pyramids* by brute force: every plan of a turn, valued from scratch. Plain and slow on purpose.

It looks at a referee of pyramids.py, not at the kernels' record, and only at what the acting player may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, floor
from typing import NamedTuple

from .referee import (
    BUILD_OBELISK,
    BUILD_PYRAMID,
    BUILD_TOMB,
    CARDS,
    COLOURS,
    DISC,
    DROP,
    GOD,
    LOCATION_NAMES,
    OBE,
    PAIR,
    PASS,
    PYR,
    ROUNDS,
    TAKE_PAIR,
    Player,
    Pyramid,
    Referee,
)

TIE = 1e-9
OBELISK_TABLE = [0, 1, 3, 6, 10, 15]


class Plan(NamedTuple):
    """One way to play a turn: the Pyramid card and its location, then perhaps an Obelisk card and a Tomb card."""

    built: int | None
    location: str
    raised: int | None
    buried: int | None


class Planner:
    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.me = referee.player
        self.rounds_left = ROUNDS - referee.round
        self.rival_stones = [self._most_expected(colour) for colour in COLOURS]

    # --- Values --------------------------------------------------------------------------------------------------------------

    def pyramid_value(self, pyramid: Pyramid) -> float:
        groups = pyramid.largest_groups()
        empty = 10 - len(pyramid.cards)
        lacking = sum(max(0, 3 - m) for m in groups)
        if lacking == 0:
            hope = 10.0
        elif empty == 0:
            hope = 0.0
        else:
            hope = 10 * max(0.0, 1 - lacking / (2 * empty))
        return sum(groups) + max(groups) + hope

    def obelisk_value(self, cards: list[int]) -> float:
        stages = max(sum(any(s.colour == c for s in CARDS[card].stones) for card in cards) for c in COLOURS)
        x = min(5.0, stages + 0.3 * self.rounds_left)
        low = min(4, floor(x))
        return OBELISK_TABLE[low] + (x - low) * (OBELISK_TABLE[low + 1] - OBELISK_TABLE[low])

    def tomb_value(self, cards: list[int]) -> float:
        value = 0.0
        for colour, rival in zip(COLOURS, self.rival_stones, strict=True):
            chance = 1 / self.referee.num_players + 0.5 * (stones(cards, colour) - rival) / (1 + 0.15 * self.rounds_left)
            value += 5 * min(1.0, max(0.0, chance))
        return value

    def _most_expected(self, colour: str) -> float:
        return max(self._expected(other, colour) for other in self.referee.players if other is not self.me)

    def _expected(self, other: Player, colour: str) -> float:
        def average(card: int) -> float:
            nameless = card == other.initial_card and not other.initial_card_identified
            return 0.571 if nameless else stones([card], colour)

        candidates = other.one_in_hand
        weight = (len(candidates) - 1) / len(candidates) if candidates else 0
        return sum(map(average, other.surely_in_tomb)) + weight * sum(map(average, candidates))

    def best_building_value(self, card: int) -> float:
        return max(self.pyramid_value(self._with(card, loc)) for loc in LOCATION_NAMES if self.me.pyramid.is_open(loc))

    def _with(self, card: int, location: str) -> Pyramid:
        pyramid = Pyramid()
        pyramid.cards = dict(self.me.pyramid.cards)
        pyramid.build(card, location)
        return pyramid

    # --- Plans ---------------------------------------------------------------------------------------------------------------

    def plans(self, hand: list[int], tile: int, phase: int) -> Iterator[tuple[Plan, float]]:
        """All ways to finish the turn from a phase, with their values (up to a constant)."""
        permission = self.referee.tiles[tile]
        may_raise = permission.obelisk and phase in (PYR, OBE)
        may_bury = permission.tomb
        places = [loc for loc in LOCATION_NAMES if self.me.pyramid.is_open(loc)]
        for built, location in [(c, loc) for c in hand for loc in places] if phase == PYR else [(None, "")]:
            base = 0.0
            if built is not None:
                base = self.pyramid_value(self._with(built, location)) + 2 * (CARDS[built].glyph == "P")
            rest = [c for c in hand if c != built]
            for raised in [*rest, None] if may_raise else [None]:
                for buried in [*(c for c in rest if c != raised), None] if may_bury else [None]:
                    if permission.exclusive and raised is not None and buried is not None:
                        continue
                    value = base + self.value_elsewhere(raised, buried, [c for c in rest if c not in (raised, buried)])
                    yield Plan(built, location, raised, buried), value

    def value_elsewhere(self, raised: int | None, buried: int | None, kept: list[int]) -> float:
        value = 0.0
        if raised is not None:
            value += self.obelisk_value([*self.me.obelisk, raised]) - self.obelisk_value(self.me.obelisk)
            value += 2 * (CARDS[raised].glyph == "O")
        if buried is not None:
            value += self.tomb_value([*self.me.tomb, buried]) - self.tomb_value(self.me.tomb)
            value += 2 * (CARDS[buried].glyph == "T")
        if kept and self.rounds_left > 0:
            value += max(1.0 + 0.7 * (CARDS[card].glyph != "-") for card in kept)
        return value

    def plan_value(self, pair: list[int], tile: int) -> float:
        return max(value for _, value in self.plans(sorted(self.me.hand + pair), tile, PYR))

    # --- Decisions -----------------------------------------------------------------------------------------------------------

    def action_values(self) -> dict[int, float]:
        referee, hand, phase = self.referee, self.me.hand, self.referee.phase
        if phase == GOD:
            return {tile: self.tile_value(tile) for tile in referee.legal_actions()}
        if phase == PAIR:
            return {a: self.plan_value(referee.quarry[a - TAKE_PAIR], referee.tile) for a in referee.legal_actions()}
        if phase == DISC:
            # the lower one goes: its worth counts against it; the tie rule is the caller's
            return {DROP + h: -self.best_building_value(card) - (CARDS[card].glyph != "-") for h, card in enumerate(hand)}
        values = dict.fromkeys(referee.legal_actions(), float("-inf"))
        for plan, value in self.plans(hand, referee.tile, phase):
            if phase == PYR:
                assert plan.built is not None
                action = BUILD_PYRAMID + 8 * hand.index(plan.built) + LOCATION_NAMES.index(plan.location)
            elif phase == OBE:
                action = PASS if plan.raised is None else BUILD_OBELISK + hand.index(plan.raised)
            else:
                action = PASS if plan.buried is None else BUILD_TOMB + hand.index(plan.buried)
            values[action] = max(values[action], value)
        return values

    def tile_value(self, tile: int) -> float:
        referee, n = self.referee, self.referee.num_players
        free = referee.legal_actions()
        later = n - 1 - len(referee.tile_owner)
        gone = float(sum(t < tile for t in referee.tile_owner))
        if later:
            gone += later * sum(t < tile for t in free) / (len(free) - 1)
        gone = min(gone, n - 1)
        values = sorted((self.plan_value(pair, tile) for pair in referee.quarry), reverse=True)

        def best_left(k: int) -> float:
            return sum(values[a] * comb(n - 1 - a, k - a) for a in range(k + 1)) / comb(n, k)

        low = floor(gone)
        if gone == low:
            return best_left(low)
        return best_left(low) + (gone - low) * (best_left(low + 1) - best_left(low))


def choose(referee: Referee) -> int:
    """The best action; of equal ones the lowest, but of equal discards the second."""
    values = Planner(referee).action_values()
    best = max(values.values())
    equal = [action for action, value in values.items() if value >= best - TIE]
    return max(equal) if referee.phase == DISC else min(equal)


def stones(cards: list[int], colour: str) -> int:
    return sum(stone.colour == colour for card in cards for stone in CARDS[card].stones)
