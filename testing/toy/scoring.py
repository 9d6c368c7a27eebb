"""Points: one for each step of the stairs, and the value of the highest stone."""

from mastaba.making import kernel, rank

CATEGORIES = ("steps", "height")


@kernel
def parts(s, p, out):
    out[0] = s.steps[p]
    out[1] = s.top[p]


@kernel
def scores(s, out):
    for p in range(s.num_players):
        out[p] = s.steps[p] + s.top[p]


@kernel
def standings(s, points, out):
    rank(points, s.num_players, out)
