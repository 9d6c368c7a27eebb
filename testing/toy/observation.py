"""What the schema cannot say of an observation: which stones fit, and what nobody has shown."""

from mastaba.making import SEAT, Feature, inlined

from .rules import fits
from .state import COPIES, HAND, NUM_STONES, VALUES


@inlined
def write_fits(s, me, out):
    for i in range(HAND):
        out[i] = fits(s, me, i)


@inlined
def write_unseen(s, me, out):
    for value in range(VALUES):
        out[value] = (COPIES - s.laid[value]) / COPIES
    for i in range(HAND):
        if s.hand[me, i]:
            out[s.hand[me, i] - 1] -= 1 / COPIES


@inlined
def write_points(s, me, p, out):
    out[0] = (s.steps[p] + s.top[p]) / (NUM_STONES + VALUES)


FEATURES = (
    Feature("fits", HAND, "stones of the hand that can be laid", write_fits),
    Feature("unseen", VALUES, "stones of each value that the observer has not seen, by 4", write_unseen),
    Feature("points", 1, "points so far, by 30", write_points, per=SEAT),
)
