"""The rule-based player of Stairs: lay the lowest stone that fits."""

from mastaba.making import kernel

from .actions import PASS
from .state import HAND, VALUES


@kernel
def greedy(s, mask, counter, scratch, scratch_masks):
    best, hand = PASS, s.hand[s.current_player]
    for i in range(HAND):
        if mask[i] and (best == PASS or hand[i] < hand[best]):
            best = i
    return best


@kernel
def value(s, p):
    """Points so far, and room for more."""
    return s.steps[p] + s.top[p] + 0.5 * (VALUES - s.top[p]) * (1 - s.over)


POLICIES = {"greedy": greedy}
VALUE = value
