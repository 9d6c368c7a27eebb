"""Positions written by hand, and what tests ask of one."""

from __future__ import annotations

from typing import Any

import pytest

import mastaba
from mastaba import Game, State
from mastaba.envs.core.kernel.rng import Chance
from mastaba.envs.pyramidice.components import (
    ARCHITECTS,
    GODS,
    NUM_SPACES,
    SCARABS,
    STONE_DICE,
    TILES,
    TILES_IN_PLAY,
)

TABLES = [(2, None), (3, None), (4, None), *((1, architect) for architect in ARCHITECTS)]
tables = pytest.mark.parametrize("players, architect", TABLES, ids=[f"{n}p" if a is None else a for n, a in TABLES])
DECK_END = {1: 28, 2: 28, 3: 33, 4: 35}
SEATS = 4
KINDS = "PSV"


def pyramidice(players: int = 2, architect: str | None = None) -> Game:
    return mastaba.game("pyramidice", players, **({"architect": architect or "Snefru"} if players == 1 else {}))


# --- Writing -----------------------------------------------------------------------------------------------------------------


def spread(by_seat: dict[int, Any], default: Any, present: int, absent: Any) -> list[Any]:
    return [by_seat.get(p, default) if p < present else absent for p in range(SEATS)]


def dice(text: str, kinds: str = KINDS) -> list[list[int]]:
    """`P1 P1 S6` as counts by kind and value."""
    counts = [[0] * 6 for _ in kinds]
    for die in text.split():
        counts[kinds.index(die[0])][int(die[1]) - 1] += 1
    return counts


def god_cards(players: int, row: list[str], gods: dict[int, list[str]], deck: list[str], deck_size: int | None) -> dict[str, Any]:
    """Where the Gods are: `row` from left to right, `deck` on top; a smaller deck means more discards."""
    known = [*row, *(g for owned in gods.values() for g in owned)]
    others = [g for g in GODS if g not in known and g not in deck]
    drawn = len(known) if deck_size is None else DECK_END[players] - deck_size
    discards, rest = others[: drawn - len(known)], others[drawn - len(known) :]
    return {
        "deck": [*known, *discards, *deck, *rest],
        "deck_position": drawn,
        "deck_end": DECK_END[players],
        "gods": [gods.get(p, []) for p in range(SEATS)],
        "discards": discards,
        "row": [None] * (3 - len(row)) + row,
    }


def rest_tiles(players: int, held: dict[int, list[str]], available: list[str], empty_slots: list[int]) -> dict[str, Any]:
    """`held` by seat, `available` among the others in play; in a solo game they fill the slots in order, but for `empty_slots`."""
    taken = [tile for tiles in held.values() for tile in tiles]
    fill = [tile for tile in TILES if tile not in taken and tile not in available]
    free = [*available, *fill][: int(TILES_IN_PLAY[players]) - len(taken)]
    slots = iter(i for i in range(6) if i + 1 not in empty_slots)
    slot = {tile: next(slots) for tile in free} if players == 1 else {}
    place = dict.fromkeys(free, 0) | {tile: p + 1 for p, tiles in held.items() for tile in tiles}
    return {"tile_place": [place.get(tile, -1) for tile in TILES], "tile_slot": [slot.get(tile) for tile in TILES]}


def scarab_cards(players: int, scarabs: dict[int, str]) -> dict[str, Any]:
    """Given Scarabs; the other seats hold ones that only count at the end or do nothing here."""
    if players == 1:
        return {}
    quiet = iter(x for x in ("Malachite", "Carnelian", "Ruby", "Quartz", "Obsidian") if x not in scarabs.values())
    kept = {p: scarabs.get(p) or next(quiet) for p in range(players)}
    rejected = [x for x in SCARABS if x not in kept.values()]
    return {
        "scarab": spread(kept, None, players, None),
        "scarab_options": [[kept[p], rejected[p]] if p < players else [None, None] for p in range(SEATS)],
    }


def position(
    players: int = 2,
    board: dict[int, str] | None = None,
    fame: dict[int, int] | None = None,
    gods: dict[int, list[str]] | None = None,
    row: str = "Hathor Bes Osiris",
    deck: str = "",
    deck_size: int | None = None,
    pool: str = "",
    quarry: int = 0,
    supply: int | None = None,
    pyramid: dict[int, int] | None = None,
    scarabs: dict[int, str] | None = None,
    held: dict[int, list[str]] | None = None,
    available: str = "",
    empty_slots: list[int] | None = None,
    rolls: list[str] | None = None,
    architect: str | None = None,
    **fields: Any,
) -> State:
    """Seat 0 is to move; with a `pool` it is in the middle of a Work turn. Every board is 4/1/1 unless said otherwise.

    `quarry` and `supply` are Stone dice; what is not said of them lies in the supply, or in the Quarry if the supply is given.
    """
    game = pyramidice(players, architect)
    boards = spread({p: [int(x) for x in text.split("/")] for p, text in (board or {}).items()}, [4, 1, 1], players, [0, 0, 0])
    if pool and 0 not in (board or {}):
        boards[0] = [4, 1, 0]
    spaces = [(pyramid or {}).get(i, 0) for i in range(NUM_SPACES)]
    elsewhere = sum(b[2] for b in boards) + sum(map(sum, dice(pool)[1:2])) + sum(v > 0 for v in spaces)
    stone = int(STONE_DICE[players]) - elsewhere
    stone_supply, stone_quarry = (stone - quarry, quarry) if supply is None else (supply, stone - supply)
    return game.from_dict(
        {
            **game.new_initial_state(seed=0).to_dict(),
            "phase": "use" if pool else "turn",
            "in_work": bool(pool),
            "resources": boards,
            "fame": spread(fame or {}, 5, max(players, 2), 0),
            "supply": [21 - sum(b[0] for b in boards), 9 - sum(b[1] for b in boards), stone_supply],
            "quarry": [4 - sum(dice(pool)[0]), stone_quarry],
            "pool": dice(pool),
            "pyramid": spaces,
            "rng": counter_that_rolls(*(rolls or [])),
            **god_cards(players, row.split(), gods or {}, deck.split(), deck_size),
            **rest_tiles(players, held or {}, available.split(), empty_slots or []),
            **scarab_cards(players, scarabs or {}),
            **fields,
        }
    )


def counter_that_rolls(*throws: str) -> int:
    """A random generator whose next dice are those of each throw, in any order within it."""
    wanted = [sorted(map(int, throw)) for throw in throws]
    counter = 0
    while True:
        chance = Chance(counter)
        if all(sorted(chance.below(6) + 1 for _ in throw) == throw for throw in wanted):
            return counter
        counter += 1


def play(state: State, *actions: str) -> State:
    state = state.clone()
    for action in actions:
        state.apply_action(state.game.string_to_action(action))
    return state


def options(state: State) -> set[str]:
    return {state.action_to_string(a) for a in state.legal_actions()}


def see(state: State, field: str, *index: Any) -> Any:
    value = state.to_dict()[field]
    for i in index:
        value = value[i]
    return value


def board(state: State, p: int) -> str:
    return "/".join(map(str, see(state, "resources", p)))


def row(state: State) -> str:
    return " ".join(god or "-" for god in see(state, "row"))


def gods(state: State, p: int) -> set[str]:
    return set(see(state, "gods", p))


def place_of(state: State, tile: str) -> int:
    return see(state, "tile_place", TILES.index(tile))


def fame(state: State, p: int = 0) -> int:
    return see(state, "fame", p)


def pool(state: State) -> str:
    counts = see(state, "pool")
    return " ".join(f"{k}{v + 1}" for k, of_value in zip(KINDS, counts, strict=True) for v in range(6) for _ in range(of_value[v]))


def floor(*spaces: int) -> dict[int, int]:
    """Spaces filled with dice of different values side by side."""
    return {i: 1 + i % 6 for i in spaces}


def finish_turn(state: State) -> State:
    """Let the player work, and do nothing with the dice."""
    state, turn = state.clone(), see(state, "turns")
    while not state.is_terminal() and see(state, "turns") == turn:
        wanted = [a for a in ("end", "work", "drop Ennead") if a in options(state)]
        state.apply_action(state.game.string_to_action(wanted[0]) if wanted else state.legal_actions()[0])
    return state


def set_of(bits: Any) -> set[str]:
    """A set of Gods of a record."""
    return {g for i, g in enumerate(GODS) if int(bits) >> i & 1}
