"""Positions of Giza written by hand, and short ways to play and read them."""

from __future__ import annotations

from typing import Any

import mastaba
from mastaba import Game, State
from mastaba.envs.giza.components import QUARRIES, ROWS, ZONES

PLAYERS = (3, 4)
NO_SLEDS = {"sled_position": [None] * 4, "sled_stone": [None] * 4}
ALL = [True] * 4


def giza(players: int) -> Game:
    return mastaba.game("giza", num_players=players)


def used_rows(row: int, rounds: int) -> list[str]:
    """The row of this round and one for each earlier round of the dynasty: in each round everybody's are different."""
    return [ROWS[(row + k) % len(ROWS)] for k in range(rounds)]


def position(
    turn: int = 0,
    players: int = 4,
    rows: tuple[int, ...] = (1, 2, 3, 4),
    move: dict[int, dict[str, int]] | None = None,
    **fields: Any,
) -> State:
    """A turn with three actions to go, late enough for any pyramid; all workers are in the farms but for those in `move`."""
    game = giza(players)
    rows, each, round_ = rows[:players], {3: 10, 4: 8}[players], fields.get("round", 8)
    workers = [[each if p < players else 0] + [0] * (len(ZONES) - 1) for p in range(4)]
    for seat, places in (move or {}).items():
        for zone, n in places.items():
            workers[seat][0] -= n
            workers[seat][ZONES.index(zone)] += n
    order = sorted(range(players), key=rows.__getitem__)
    absent = [None] * (4 - players)
    used = [used_rows(rows[p], (round_ - 1) % 5 + 1) if p < players else [] for p in range(4)]
    base = {
        **game.new_initial_state(seed=0).to_dict(),
        "phase": "action",
        "stage": "turns",
        "round": round_,
        "workers_placed": each * players,
        "order": [*order, *absent],
        "order_index": order.index(turn),
        "turn_player": turn,
        "current_player": turn,
        "row": [*(ROWS[r] for r in rows), *absent],
        "used_rows": used,
        "actions_left": 3,
        "workers": workers,
    }
    return game.from_dict({**base, **fields})


def before_rows(used: tuple[str, ...], **fields: Any) -> State:
    """The first player is about to choose a row, everybody having used these."""
    order = fields.pop("order", [0, 1, 2, 3])
    return position(
        phase="row",
        stage="rows",
        order=order,
        order_index=0,
        current_player=order[0],
        turn_player=None,
        actions_left=0,
        row=[None] * 4,
        used_rows=[list(used)] * 4,
        **fields,
    )


def b3(turn: int = 0, **fields: Any) -> State:
    return position(turn, players=3, **fields)


def sleds(**placed: tuple[str, str]) -> dict[str, Any]:
    """`sleds(q0=("space 2", "middle"))`: these sleds, and no others."""
    return {
        "sled_position": [placed[q][0] if q in placed else None for q in QUARRIES],
        "sled_stone": [placed[q][1] if q in placed else None for q in QUARRIES],
    }


def base_sleds(**positions: str) -> dict[str, list]:
    """All four sleds with base stones, some of them moved on."""
    return {"sled_position": [positions.get(q, "quarry") for q in QUARRIES]}


def nearly_finished() -> State:
    """One middle stone and the capstone are still to come."""
    everywhere = {"ra": 1, "art": 1, "ml": 1, "cl": 1, "q0.2": 1}
    return position(
        rows=(1, 2, 3, 5),
        round=8,
        move=dict.fromkeys(range(4), everywhere),
        **sleds(q0=("space 2", "middle")),
        base_built=ALL,
        middle_built=[True, True, True, False],
        middle_in_reserve=0,
        capstone="ml",
        food=[12] * 4,
        art=[4] * 4,
        points=[[12, 4, 2, 2], [12, 5, 3, 1], [13, 4, 3, 2], [14, 5, 3, 1]],
    )


def middle_stone_lifted() -> State:
    state = position(
        move={0: {"ml": 2}, 1: {"ml": 1}, 2: {"ml": 1}, 3: {"ml": 2}},
        **sleds(q0=("quarry", "middle")),
        base_built=ALL,
        middle_built=[True, False, False, False],
        middle_in_camp=2,
        middle_in_reserve=0,
        capstone="ml",
        art=[5, 4, 3, 4],
    )
    return play(state, "pass", "food 1", "food 2", "food 4", "food 4")


def play(state: State, *actions: str) -> State:
    state = state.clone()
    for action in actions:
        state.apply_action(state.game.string_to_action(action))
    return state


def see(state: State, field: str) -> Any:
    return state.to_dict()[field]


def workers(state: State, zone: str) -> list[int]:
    return [row[ZONES.index(zone)] for row in see(state, "workers")]


def options(state: State) -> set[str]:
    return {state.action_to_string(a) for a in state.legal_actions()}


def asked(state: State) -> tuple[str, int]:
    return state.phase(), state.current_player()
