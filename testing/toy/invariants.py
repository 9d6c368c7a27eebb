"""What holds in every position of Stairs."""

import numpy as np

from mastaba.making import Findings

from .state import COPIES, EMPTY, VALUES


def violations(s: np.void) -> Findings:
    n = int(s["num_players"])
    hands, tops = s["hand"][:n], s["top"][:n]
    for name in ("hand", "top", "steps"):
        if s[name][n:].any():
            yield name, "somebody who is not at the table has something"
    held = np.array([(hands == value).sum() for value in range(1, VALUES + 1)])
    if (held + s["bag"] + s["laid"] != COPIES).any():
        yield "bag", f"there are {COPIES} stones of each value in bag, hands and stairs"
    if s["bag"].any() and (hands == EMPTY).any():
        yield "hand", "hands are filled up as long as the bag has stones"
    if s["steps"].sum() != s["laid"].sum() or ((tops == 0) != (s["steps"][:n] == 0)).any():
        yield "steps", "the steps of all stairs are the stones laid"
    if any(s["laid"][top - 1] < (tops == top).sum() for top in tops if top) or s["laid"][max(tops) :].any():
        yield "top", "the highest stones of the stairs were laid, and nothing higher"
    if s["passes"] > n or (s["passes"] == n) != bool(s["over"]):
        yield "passes", "the game is over when all have passed in a row"
