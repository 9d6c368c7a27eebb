"""What players of Pyramidice see, and what they cannot know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from encoders.plain import check_features, measuring, positions

from mastaba.envs.pyramidice import RULES
from mastaba.envs.pyramidice.components import (
    ARCHITECTS,
    GODS,
    GODS_TABLE,
    NEIGHBOURS,
    PARTNER,
    PROJECTS,
    SPACE_PLAYERS,
    SUPPORT,
    UNITS,
)

from pyramidice.by_hand import position, pyramidice, see
from pyramidice.rich_games import walk


@pytest.mark.parametrize("players", [2, 3, 4])
def test_projects_are_shown_at_the_scoring(players):
    """The deck and the rejected Scarabs are never shown, so they may still be drawn anew."""
    for seed in range(5):
        *_, (_, _, end) = walk(pyramidice(players).new_initial_state(seed), np.random.default_rng(seed))
        for player in range(players):
            for other in (end.determinize(player, seed=d) for d in range(4)):
                assert see(other, "project") == see(end, "project")
                assert other.scores() == end.scores()
                assert other.standings() == end.standings()
                assert other.to_text() == end.to_text()
                assert [other.to_text(p) for p in range(players)] == [end.to_text(p) for p in range(players)]


# --- Features, computed once more from the dictionary of a position ---------------------------------------------------------------

SPACES = [f"space {i}" for i in range(len(NEIGHBOURS))]
PAIRED = [space for space, beside in enumerate(NEIGHBOURS) if (beside >= 0).any()]


def share_of_dice(dice: int) -> float:
    """By fifths up to four, then evenly up to twenty."""
    return dice / 5 if dice <= 4 else 0.8 + 0.2 * (dice - 4) / 16


def god_costs(name: str) -> dict[str, Any]:
    """What the table of the rules says."""
    items = next(cost for god, _, cost, _ in GODS_TABLE if god == name).split()
    dice = [item for item in items if item not in ("W", "C")]
    return {"W": items.count("W"), "C": items.count("C"), "dice": dice}


def missing_dice(name: str, pool: list[list[int]]) -> int:
    """The fewest dice of the cost that are not there: tried die by die, those that any die can pay last."""
    left = {kind: list(counts) for kind, counts in zip("PSV", pool, strict=True)}
    missing = 0
    for item in sorted(god_costs(name)["dice"], key=lambda item: (item == "*", item[0] != "S")):
        kinds, values = ("S" if item[0] == "S" else "PVS"), range(6) if item == "*" else [int(item[-1]) - 1]
        found = next(((kind, value) for kind in kinds for value in values if left[kind][value]), None)
        if found is None:
            missing += 1
        else:
            left[found[0]][found[1]] -= 1
    return missing


def pairs_of(d: dict, project: str | None) -> int:
    """Adjacent dice that a Project counts."""
    if project is None:
        return 0
    partner = PARTNER[PROJECTS.index(project)]
    dice = d["pyramid"]
    return sum(dice[a] > 0 and partner[dice[a]] == dice[b] for a in PAIRED for b in NEIGHBOURS[a] if b > a)


def is_open(d: dict, space: int) -> bool:
    in_play = SPACE_PLAYERS[space] <= d["num_players"]
    return in_play and not d["pyramid"][space] and all(d["pyramid"][i] for i in range(len(SPACES)) if SUPPORT[space] >> i & 1)


def plain_sheet(d: dict, p: int, me: int) -> list[float]:
    ennead = sum(god in GODS[:10] for god in d["gods"][p])
    others = [god for god in d["gods"][p] if god not in GODS[:10]]
    count = len(others) + (ennead > 0)
    scarab = {"Quartz": sum(d["resources"][p]), "Obsidian": 2 * count}.get(d["scarab"][p] or "", 0)
    projects = d["architect_projects"] if p >= d["num_players"] else [d["project"][p]] if p == me else []
    project = 2 * sum(pairs_of(d, card) for card in projects)
    worth = sum(fame for god, _, _, fame in GODS_TABLE if god in others)
    stack = (0, 0, 2, 6, 12, 20)[min(ennead, 5)]
    total = d["fame"][p] + worth + stack + scarab + project
    beyond = max(0, d["fame"][p] - 100) / 9999
    return [min(100, d["fame"][p]) / 100, beyond, worth / 100, stack / 100, scarab / 100, project / 100, min(100, total) / 100]


def plain_features(d: dict, me: int) -> dict[str, list[list[float]]]:
    seats = [(me + k) % max(2, d["num_players"]) for k in range(max(2, d["num_players"]))]
    powers, queue = GODS[10:], d["queue"][: d["queue_length"]]
    turn = d["turn_player"]

    def cult(p: int) -> float:
        ennead = any(god in GODS[:10] for god in d["gods"][p])
        gods = sum(god not in GODS[:10] for god in d["gods"][p]) + ennead
        room = d["resources"][p][0] + d["resources"][p][1] + 3 * ("Anubis" in d["gods"][p]) - gods
        return max(-10, min(10, room)) / 10

    def payable(god: str) -> bool:
        workers, cats = d["resources"][turn][:2]
        cats += d["scarab"][turn] == "Gold" and not d["gold_used"]
        cost = god_costs(god)
        if "Bastet" in d["gods"][turn] or d["copied"] == "Bastet":
            return workers + cats >= cost["W"] + cost["C"]
        return workers >= cost["W"] and cats >= cost["C"]

    missing = [missing_dice(god, d["pool"]) if god and d["in_work"] else 0 for god in d["row"]]
    can = [bool(god and d["in_work"] and not missing[i] and payable(god)) for i, god in enumerate(d["row"])]
    partner = PARTNER[PROJECTS.index(d["project"][me])] if d["project"][me] else PARTNER[-1]
    hits = [
        sum(is_open(d, a) and d["pyramid"][b] > 0 and partner[d["pyramid"][b]] == value for b in NEIGHBOURS[a] if b >= 0) / 4
        for a in PAIRED
        for value in range(1, 7)
    ]
    features = {
        "sheet": [plain_sheet(d, p, me) for p in seats],
        "cult": [[cult(p)] for p in seats],
        "units": [[sum(entry == 16 * p + unit for entry in queue) / 3 for unit in range(len(UNITS))] for p in seats],
        "tiles_held": [[float(place == 1 + p) for place in d["tile_place"]] for p in seats],
        "tiles_available": [[float(place == 0) for place in d["tile_place"]]],
        "used": [[float(god in d["used"]) for god in powers]],
        "borrowed": [[float(god == d["copied"]) for god in powers]],
        "pool": [[share_of_dice(n) for kind in d["pool"] for n in kind]],
        "selected": [[share_of_dice(n) for kind in d["selected"] for n in kind]],
        "worship": [[*map(float, can), *(n / 4 for n in missing)]],
        "payment_for": [[float(d["payment"] != "none" and d["payment_for"] == i) for i in range(len(GODS))]],
        "project_hits": [hits],
    }
    if d["num_players"] == 1:
        features |= {
            "architect": [[float(name == d["architect"]) for name in ARCHITECTS]],
            "architect_projects": [[float(name in d["architect_projects"]) for name in PROJECTS]],
            "tile_slots": [[0.0 if slot is None else (slot + 1) / 6 for slot in d["tile_slot"]]],
            "tiles_waiting": [[float(place == -2) for place in d["tile_place"]]],
        }
    return features


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_features_are_what_the_position_says(players: int) -> None:
    for state in positions(pyramidice(players)):
        for me in range(players):
            check_features(state, me, plain_features(state.to_dict(), me))


def test_fame_beyond_a_hundred_and_a_crowd_of_gods_are_seen() -> None:
    many = [god for god in GODS[10:] if god not in ("Anubis", "Hathor", "Bes", "Osiris")][:12]
    state = position(2, board={0: "0/0/1"}, gods={0: many}, fame={0: 5_100})
    for me in range(2):
        check_features(state, me, plain_features(state.to_dict(), me))
    seen, where = state.observation(0), state.game.encoder().where
    assert seen[where("sheet")][0, 1] == pytest.approx(5_000 / 9_999)
    assert seen[where("cult")][0, 0] == -1


def test_lookahead_compares_what_the_position_says() -> None:
    measure = measuring(RULES.lookahead)
    for state in positions(pyramidice(3)):
        d = state.to_dict()
        for me in range(3):
            ennead = any(god in GODS[:10] for god in d["gods"][me])
            gods = sum(god not in GODS[:10] for god in d["gods"][me]) + ennead
            dice = sum(n for kind in d["pool"] for n in kind) if d["turn_player"] == me else 0
            expected = [n / 10 for n in (*d["resources"][me], dice, gods)]
            assert measure(state, me) == {"means": pytest.approx(expected)}


def test_planes_show_the_pyramids_storey_by_storey() -> None:
    """Cheops' three levels at the left, Chephren's two, Mykerinos: dice by value, open spaces, a plane for every level."""
    game = pyramidice(4)
    planes = game.encoder("planes")
    corners = {0: (0, 0, 3), 9: (1, 0, 2), 13: (2, 0, 1), 14: (0, 4, 2), 18: (1, 4, 1), 19: (0, 7, 1)}  # plane, column, side
    for state in positions(game):
        d, seen = state.to_dict(), state.observation(0, "planes").ravel()
        dice, may_be_built = (seen[planes.where(name)].reshape(3, 3, 8) for name in ("pyramid", "open_spaces"))
        for first, (plane, column, side) in corners.items():
            for i in range(side * side):
                at = plane, i // side, column + i % side
                assert dice[at] == pytest.approx(d["pyramid"][first + i] / 6)
                assert may_be_built[at] == is_open(d, first + i)
        assert np.count_nonzero(dice) == sum(n > 0 for n in d["pyramid"])
