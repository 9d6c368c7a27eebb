"""The components of Stairs, and the record of a game: its phases and its fields."""

from mastaba.making import NOBODY, OWNER, Schema, count

SEATS, VALUES, COPIES, HAND = 4, 6, 4, 2
NUM_STONES = VALUES * COPIES
EMPTY = 0  # no stone: values are 1 to 6

PHASES = ("lay", "over")
LAY, OVER = range(len(PHASES))

FIELDS = (
    count("hand", "stones in hand", low=1, high=VALUES, empty=EMPTY, shape=(HAND,), per_seat=True, sees=OWNER),
    count("top", "the highest stone of the stairs", high=VALUES, per_seat=True),
    count("steps", "stones in the stairs", high=NUM_STONES, per_seat=True),
    count("passes", "players who passed in a row", high=SEATS),
    count("laid", "stones of each value in all stairs", high=COPIES, shape=(VALUES,)),
    count("bag", "stones of each value in the bag", high=COPIES, shape=(VALUES,), sees=NOBODY),
)
SCHEMA = Schema(SEATS, PHASES, FIELDS)
