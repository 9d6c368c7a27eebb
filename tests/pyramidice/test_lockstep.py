"""Games of Pyramidice in lockstep with the referee, up to every card, tile and action."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from mastaba import Game, State
from mastaba.baselines.agents import agent
from mastaba.envs.core.kernel.masks import new_masks
from mastaba.envs.pyramidice.actions import ACTIONS
from mastaba.envs.pyramidice.components import (
    ARCHITECTS,
    EXTRA_FAME,
    EXTRA_WORKERS,
    GODS,
    NEIGHBOURS,
    NUM_ENNEAD,
    PARTNER,
    PROJECTS,
    SCARABS,
    SUPPORT,
)
from mastaba.envs.pyramidice.state import PHASES, PURPOSES

import lockstep
from lockstep import uniform
from pyramidice.by_hand import (
    SEATS,
    TABLES,
    floor,
    position,
    pyramidice,
    set_of,
    tables,
)
from pyramidice.rich_games import busy, by_hand, god_count, holders, rich_start

GAMES = int(os.environ.get("MASTABA_LOCKSTEP", "1"))


def greedy_with_slips(game: Game) -> lockstep.Choose:
    player = agent(game, "greedy", seed=0)
    padded, mask = new_masks(1, len(ACTIONS))

    def choose(state: State, rng: np.random.Generator) -> int:
        if rng.random() < 0.1:
            return uniform(state, rng)
        mask[0] = state.legal_actions_mask()
        return int(player.choose(state.record, padded)[0])

    return choose


@tables
def test_lockstep_random_games(players, architect):
    for seed in range((40 if players > 1 else 10) * GAMES):
        lockstep.play(pyramidice(players, architect), seed)


@tables
def test_lockstep_greedy_games(players, architect):
    game = pyramidice(players, architect)
    for seed in range((8 if players > 1 else 3) * GAMES):
        lockstep.play(game, seed, greedy_with_slips(game))


class Coverage:
    """A player that notes what its games exercise: phases, actions, and the powers of cards and Architects."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.before: State | None = None

    def __call__(self, state: State, rng: np.random.Generator) -> int:
        self.note_change(state)
        action = busy(state, rng)
        self.before, self.action = state.clone(), state.action_to_string(action)
        self.seen[f"phase {state.phase()}"] += 1
        self.seen[self.action] += 1
        return action

    def play(self, seed: int, game: Game, start: State | None = None) -> None:
        end = lockstep.play(game, seed, self, start=start)
        self.note_change(end)
        self.before = None
        self.seen.update(scored(end.to_dict(), game.num_players))

    def note_change(self, after: State) -> None:
        if self.before is not None:
            b, a = self.before.record[0], after.record[0]
            self.seen.update(scarab_powers(b, self.action, a))
            self.seen.update(god_powers(b, self.action, a))
            self.seen.update(architect_powers(b, self.action, a))


def built_by(b: np.void, action: str, a: np.void) -> tuple[int | None, int | None]:
    """The spaces that the player and the Architect have just built on."""
    (built,) = np.nonzero(a["pyramid"] != b["pyramid"])
    own = [s for s in built.tolist() if b["build_value"] or action.startswith("build")][:1]
    others = [s for s in built.tolist() if s not in own]
    return next(iter(own), None), next(iter(others), None)


def scarab_powers(b: np.void, action: str, a: np.void) -> Iterator[str]:
    t = int(b["turn_player"])
    scarab = (*SCARABS, None)[b["scarab"][t]]
    gained = int(a["fame"][t]) - int(b["fame"][t])
    space, _ = built_by(b, action, a)
    own_tiles_before, own_tiles = ((record["tile_place"] == t + 1).sum() for record in (b, a))
    bought = bool(set_of(a["gods"][t]) - set_of(b["gods"][t]))
    happened = {
        "Amethyst": a["copied"] > b["copied"],
        "Silver": gained == 2 and action.split()[0] in ("rest", "gain"),
        "Pearl": action == "pearl yes",
        "Emerald": a["tile_flipped"].sum() > b["tile_flipped"].sum(),
        "Gold": a["gold_used"] > b["gold_used"],
        "Ruby": gained == 2 and bought and bool(b["in_work"]),
        "LapisLazuli": space is not None and EXTRA_WORKERS[space] > 0,
        "Turquoise": action.startswith("dice ") and b["quarry"].sum() > b["resources"][t][0],
        "Carnelian": gained == 2 and (action == "fame" or PURPOSES[b["payment"]] == "fame"),
        "Malachite": gained >= 2 and own_tiles_before == 2 and own_tiles == 0,
    }
    if action == "pearl yes" or happened.get(scarab or ""):
        yield f"scarab {'Pearl' if action == 'pearl yes' else scarab}"


def god_powers(b: np.void, action: str, a: np.void) -> Iterator[str]:
    """Powers that are no action of their own."""
    t = int(b["turn_player"])
    powers = holders(b, t)
    space, _ = built_by(b, action, a)
    high = space is not None and SUPPORT[space] != 0
    supported = god_count(b, t) == god_count(a, t) > b["resources"][t][:2].sum()
    worth = 0 if space is None else int(a["pyramid"][space] + EXTRA_FAME[space] + 3 * (high and "Serket" in powers))
    happened = {
        "Anubis": action == "end" and supported,
        "Bastet": PHASES[b["phase"]] == "pay unit",
        "Seshat": action == "cost seshat",
        "Serket": high,
        "Thoth": space is not None and a["fame"][t] - b["fame"][t] > worth,
        "Ptah": bool(a["in_work"]) and len(set_of(a["used"])) < len(set_of(b["used"])),
    }
    yield from (f"power of {god}" for god, true in happened.items() if true and god in powers)


def architect_powers(b: np.void, action: str, a: np.void) -> Iterator[str]:
    if b["num_players"] > 1:
        return
    _, space = built_by(b, action, a)
    beside = [int(a["pyramid"][i]) for i in NEIGHBOURS[space] if i >= 0] if space is not None else []
    partners = [PARTNER[p, a["pyramid"][space]] for p in b["architect_projects"] if p >= 0] if space is not None else []
    happened = {
        "Snefru": space is not None and space >= 9,
        "Hemionu": not set(partners).isdisjoint(beside),
        "Amenhotep": bool((set_of(a["gods"][1]) - set_of(b["gods"][1])) & set(GODS[:NUM_ENNEAD])),
        "Imothep": space is not None,
    }
    if happened[ARCHITECTS[b["architect"]]]:
        yield f"power of {ARCHITECTS[b['architect']]}"


def scored(d: dict[str, Any], players: int) -> Iterator[str]:
    """What brought points at the end."""
    for p in range(players):
        without_project = by_hand(d, p, [])
        if by_hand(d, p, [PROJECTS.index(d["project"][p])]) > without_project:
            yield f"project {d['project'][p]}"
        if without_project > by_hand({**d, "scarab": [None] * SEATS}, p, []):
            yield f"scarab {d['scarab'][p]}"
    yield from (f"owned {g}" for owned in d["gods"] for g in owned)


EVERYTHING = {
    *ACTIONS.names,
    *(f"phase {x}" for x in PHASES if x != "end"),
    *(f"scarab {x}" for x in SCARABS),
    *(f"project {x}" for x in PROJECTS),
    *(f"owned {x}" for x in GODS),
    *(f"power of {x}" for x in (*ARCHITECTS, "Anubis", "Bastet", "Seshat", "Serket", "Thoth", "Ptah")),
}


def test_lockstep_reaches_every_card_tile_scarab_project_architect_and_action():
    """Rich positions played on at random in lockstep; `pytest -rP` shows the counts."""
    coverage = Coverage()
    for seed in range(10 * GAMES):
        coverage.play(seed, pyramidice(4))
    for players, architect in TABLES:
        for seed in range((40 if players > 1 else 10) * GAMES):
            start = rich_start(players, architect, np.random.default_rng(seed))
            coverage.play(seed, start.game, start)
    for seed in range(4):
        for start in rare_starts(seed):
            coverage.play(seed, start.game, start)
    print(", ".join(f"{what}: {n}" for what, n in sorted(coverage.seen.items())))
    assert set(coverage.seen) >= EVERYTHING, sorted(EVERYTHING - set(coverage.seen))


def rare_starts(seed: int) -> list[State]:
    """Where random play hardly ever comes: nine dice, the top of Cheops."""
    top: dict[str, Any] = {"pyramid": floor(*range(13)), "board": {0: "8/0/0", 1: "4/1/0"}, "gods": {0: ["Seshat", "Thoth"]}}
    top |= {"pharaoh": 1, "turns": 2}
    return [
        position(4, board={0: "8/0/0"}, scarabs={0: "Turquoise"}, quarry=12, rng=seed),
        position(**top, quarry=1, rng=seed),
    ]


def test_lockstep_of_a_truncated_game():
    for seed in range(4):
        start = position(3, turns=117)
        assert lockstep.play(start.game, seed, uniform, start=start).is_truncated()
