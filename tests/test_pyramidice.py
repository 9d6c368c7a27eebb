"""Pyramidice: components, the worked examples of the spec, its invariants, and games in lockstep with the referee."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mastaba
from mastaba.baselines.agents import agent
from mastaba.envs.core.game import Game, IllegalActionError, State
from mastaba.envs.core.masks import new_masks
from mastaba.envs.core.rng import Chance
from mastaba.envs.pyramidice.actions import ACTIONS
from mastaba.envs.pyramidice.components import (
    ARCHITECTS,
    COST_OF_VALUE,
    COST_STONE,
    END_FAME,
    ENNEAD_FAME,
    EXTRA_FAME,
    EXTRA_WORKERS,
    GODS,
    GODS_TABLE,
    NEIGHBOURS,
    NUM_ENNEAD,
    NUM_SPACES,
    PAIRS,
    PARTNER,
    POWERS,
    PROJECTS,
    SCARABS,
    STONE_DICE,
    SUPPORT,
    TILE_FAME_COST,
    TILES,
    TILES_IN_PLAY,
    USABLE_GODS,
    VALUE_WORKERS,
)
from mastaba.envs.pyramidice.invariants import violations
from mastaba.envs.pyramidice.state import PHASES, PURPOSES

import lockstep
from lockstep import uniform

GAMES = int(os.environ.get("MASTABA_LOCKSTEP", "1"))
TABLES = [(2, None), (3, None), (4, None), *((1, architect) for architect in ARCHITECTS)]
DECK_END = {1: 28, 2: 28, 3: 33, 4: 35}
SEATS = 4
KINDS = "PSV"


def pyramidice(players: int = 2, architect: str | None = None) -> Game:
    return mastaba.game("pyramidice", players, **({"architect": architect or "Snefru"} if players == 1 else {}))


# --- Positions ---------------------------------------------------------------------------------------------------------------


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
    place = dict.fromkeys(row, "row") | dict.fromkeys(discards, "discard")
    place |= {g: f"seat {p}" for p, owned in gods.items() for g in owned}
    return {
        "deck": [*known, *discards, *deck, *rest],
        "deck_position": drawn,
        "deck_end": DECK_END[players],
        "god_place": [place.get(g, "unseen") for g in GODS],
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
    return {g for g, place in zip(GODS, see(state, "god_place"), strict=True) if place == f"seat {p}"}


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


# --- Components --------------------------------------------------------------------------------------------------------------


def test_the_cards_are_38_gods_12_scarabs_6_projects_and_12_tiles():
    assert (len(GODS), len(SCARABS), len(PROJECTS), len(TILES)) == (38, 12, 6, 12)
    assert len(set(GODS)) == 38
    symbols = Counter(symbol for _, symbol, *_ in GODS_TABLE)
    assert symbols == {"work": 19, "rest": 2, "stack": 10, "ongoing": 6, "none": 1}


def test_every_god_with_a_work_symbol_has_an_action():
    work = {name for name, symbol, *_ in GODS_TABLE if symbol == "work"}
    assert work | {"Khepri"} == {*USABLE_GODS, "Khnum", "Satis", "Anuket"}
    assert set(POWERS) == set(USABLE_GODS) - {"Amon", "Aton", "Maat", "Mut"}


def test_every_face_is_asked_for_about_equally_often():
    assert all(9 <= n <= 11 for n in (COST_OF_VALUE + COST_STONE).sum(0))


def test_every_pair_of_faces_is_on_exactly_one_project():
    for a, b in combinations_with_replacement(range(1, 7), 2):
        assert sum(PARTNER[project, a] == b for project in range(6)) == 1


def test_the_pyramids_have_14_5_and_1_spaces_and_20_adjacent_pairs():
    assert len(PAIRS) == 20
    assert [len([p for p in PAIRS if p[0] < 14]), len([p for p in PAIRS if p[0] >= 14])] == [16, 4]
    assert NEIGHBOURS[4].tolist() == [1, 3, 5, 7]
    assert [int(SUPPORT[i]).bit_count() for i in range(NUM_SPACES)] == [0] * 9 + [4] * 5 + [0] * 4 + [4, 0]
    assert EXTRA_WORKERS.tolist() == [0] * 9 + [1] * 4 + [2] + [1] * 4 + [2, 2]


def test_ennead_scale():
    assert ENNEAD_FAME.tolist() == [0, 0, 2, 6, 12, 20, 20, 20, 20, 20, 20]


INDEX_OF = {
    "keep Malachite": 11, "work": 12, "rest SS": 24, "hapy": 25, "bes": 26, "gain S": 29, "lose S": 32, "free 2": 35, "dice S9": 45,
    "reroll": 46, "roll": 47, "die V6": 65, "cat P1+": 66, "cat P2-": 71, "cat S6-": 85, "build 6": 91, "at 19": 111,
    "worship 2": 114, "replace 2": 117, "copy 2": 120, "fame": 121, "use Amon": 122, "use Sopdet": 138,
    "use Khnum=1": 139, "use Anuket=6": 144,
    "to 6": 150, "pay G": 153, "cost seshat": 155, "drop Ennead": 156, "drop Khnum": 157, "drop Thoth": 184, "pearl no": 186,
    "slot 6": 192, "end": 193,
}  # fmt: skip


@pytest.mark.parametrize("action, index", INDEX_OF.items())
def test_action_indices_are_those_of_the_spec(action, index):
    assert ACTIONS.index[action] == index


@pytest.mark.parametrize(
    "players, workers, cats, stone, tiles, deck",
    [(1, 17, 8, 13, 6, 25), (2, 13, 7, 12, 6, 25), (3, 9, 6, 16, 8, 30), (4, 5, 5, 16, 10, 32)],
)
def test_setup(players, workers, cats, stone, tiles, deck):
    state = pyramidice(players).new_initial_state(seed=1)
    assert see(state, "supply") == [workers, cats, stone]
    assert see(state, "quarry") == [4, 0]
    assert [board(state, p) for p in range(players)] == ["4/1/1"] * players
    assert sum(place == 0 for place in see(state, "tile_place")) == tiles
    assert see(state, "deck_end") - see(state, "deck_position") == deck
    assert see(state, "fame") == [5] * max(players, 2) + [0] * (SEATS - max(players, 2))
    assert state.phase() == ("turn" if players == 1 else "scarab")


@pytest.mark.parametrize("architect, projects", [("Snefru", 2), ("Hemionu", 2), ("Amenhotep", 3), ("Imothep", 2)])
def test_solo_setup_has_an_architect_with_open_projects_and_numbered_tiles(architect, projects):
    state = pyramidice(1, architect).new_initial_state(seed=3)
    assert see(state, "architect") == architect
    assert see(state, "num_seats") == 2
    assert sum(p is not None for p in see(state, "architect_projects")) == projects
    assert sorted(slot for slot in see(state, "tile_slot") if slot is not None) == list(range(6))
    assert board(state, 1) == "0/0/0"


def test_an_architect_is_only_for_one_player():
    with pytest.raises(ValueError, match="architect"):
        mastaba.game("pyramidice", 2, architect="Snefru")


# --- Worked examples of the rulebook -----------------------------------------------------------------------------------------


def test_e1_third_rest_tile_sends_all_back_and_moves_the_row():
    state = position(board={0: "3/1/0"}, held={0: ["feast", "swap"]}, available="WS", row="Ra Heh Bes", deck="Maat")
    after = play(state, "rest WS")
    assert board(after, 0) == "4/1/1"
    assert [place_of(after, t) for t in ("WS", "feast", "swap")] == [0, 0, 0]
    assert see(after, "god_place", GODS.index("Bes")) == "discard"
    assert row(after) == "Maat Ra Heh"
    assert after.current_player() == 1


def test_e2_work_turn_with_cats_worship_and_the_last_card():
    state = position(board={0: "4/2/0"}, gods={0: ["Ra", "Heh", "Bes"]}, row="Maat Hathor Min", deck="Mut", deck_size=1,
                     quarry=2, rolls=["5", "126"])  # fmt: skip
    rolled = play(state, "work", "dice S1")
    assert pool(rolled) == "P1 P2 P6 S5"
    changed = play(rolled, "cat P2-", "cat P6-")
    assert board(changed, 0) == "4/0/0"
    bought = play(changed, "worship 1")
    assert "Hathor" in gods(bought, 0)
    assert pool(bought) == ""
    after = bought if bought.current_player() == 1 else play(bought, "end")
    assert see(after, "quarry") == [4, 2]
    assert gods(after, 0) == {"Ra", "Heh", "Bes", "Hathor"}
    assert row(after) == "Mut Maat Min"
    assert see(after, "pharaoh") == 0
    assert after.current_player() == 1


def test_e3_the_architect_takes_the_right_god_and_a_tile():
    state = position(1, architect="Snefru", board={0: "4/1/0"}, pool="P1", row="Khepri Hapy Ra", deck="Mut", supply=1,
                     pyramid=floor(*range(13)), available="WW CC", rolls=["2"])  # fmt: skip
    assert see(state, "tile_slot", TILES.index("CC")) == 1
    after = play(state, "end")
    assert gods(after, 1) == {"Hapy"}
    assert place_of(after, "CC") == 2
    assert fame(after, 1) == 5
    assert see(after, "supply", 2) == 0
    assert see(after, "quarry", 1) == 1
    assert row(after) == "Mut Khepri Ra"
    assert see(after, "pharaoh") == 1
    assert after.current_player() == 0
    last = finish_turn(after)
    while not last.is_terminal():
        last = play(last, "slot 6" if "slot 6" in options(last) else sorted(options(last))[0])
    assert see(last, "turns") == see(after, "turns") + 2


def test_e4_silver_pays_for_the_eighth_space():
    state = position(board={0: "3/2/2"}, scarabs={0: "Silver"}, available="WW")
    full = play(state, "rest WW")
    assert full.phase() == "lose"
    assert board(full, 0) == "5/2/2"
    after = play(full, "lose S")
    assert board(after, 0) == "5/2/1"
    assert fame(after) == 5 + 2
    assert see(after, "quarry", 1) == see(state, "quarry", 1) + 1


def test_e5_pearl_shares_the_builders_gain():
    state = position(board={0: "4/1/0", 1: "3/0/0"}, gods={0: ["Thoth"]}, pool="S3", scarabs={1: "Pearl"})
    built = play(state, "build 3", "at 0")
    assert see(built, "resources", 0, 0) == 3
    assert fame(built) == 5 + 3 + 1
    assert built.phase() == "pearl"
    assert built.current_player() == 1
    after = play(built, "pearl yes")
    assert board(after, 1) == "1/0/0"
    assert fame(after, 1) == 9
    assert fame(play(built, "pearl no"), 1) == 5


def test_e6_the_cult_costs_exactly_one_god():
    state = position(board={0: "1/0/0"}, gods={0: ["Ra", "Heh", "Bes", "Min"]}, row="Hathor Mut Osiris", pool="P1")
    after = play(state, "end")
    assert options(after) == {"drop Ra", "drop Heh", "drop Bes", "drop Min"}
    assert gods(play(after, "drop Heh"), 0) == {"Ra", "Bes", "Min"}
    assert play(after, "drop Heh").current_player() == 1


def test_e7_emerald_uses_anothers_tile_and_flips_it():
    state = position(board={0: "4/1/1"}, scarabs={0: "Emerald"}, held={0: ["SS", "WC"], 1: ["WS"]})
    after = play(state, "rest WS")
    assert board(after, 0) == "5/1/2"
    assert place_of(after, "WS") == 2
    assert see(after, "tile_flipped", TILES.index("WS"))
    assert [place_of(after, t) for t in ("SS", "WC")] == [1, 1]
    assert row(after) == row(state)
    assert "rest WS" not in options(finish_turn(after))


@pytest.mark.parametrize("cards, points", [(1, 0), (2, 2), (3, 6)])
def test_e8_ennead(cards, points):
    state = position(gods={0: list(GODS[:cards])}, row="Hathor Bes Min")
    assert state.scores()[0] == 5 + points


# --- Worked examples of the spec ---------------------------------------------------------------------------------------------


def test_x1_serket_and_thoth_on_the_second_level():
    state = position(board={0: "5/0/0"}, gods={0: ["Serket", "Thoth"]}, pool="S6 P1", pyramid=floor(0, 1, 3, 4))
    after = play(state, "build 6", "at 9")
    assert fame(after) == 5 + 14
    assert board(after, 0) == "2/0/0"


def test_x2_seshat_is_a_choice():
    state = position(board={0: "5/0/0", 1: "4/1/0"}, gods={0: ["Seshat", "Thoth"]}, pool="S5", pyramid=floor(*range(13)))
    choosing = play(state, "build 5")
    assert options(choosing) == {"cost usual", "cost seshat"}
    usual, seshat = (play(choosing, cost) for cost in ("cost usual", "cost seshat"))
    assert (fame(usual), see(usual, "resources", 0, 0)) == (5 + 13, 1)
    assert (fame(seshat), see(seshat, "resources", 0, 0)) == (5 + 10, 4)


def test_x3_bastet_rolls_and_pays_with_cats():
    state = position(board={0: "3/2/0"}, gods={0: ["Bastet"]}, row="Ra Hathor Maat", quarry=1, rolls=["6", "1126"])
    rolled = play(state, "work")
    assert pool(rolled) == "P1 P1 P2 P6 S6"
    built = play(rolled, "build 6", "at 4", "pay C", "pay W")
    assert board(built, 0) == "2/1/0"
    assert fame(built) == 5 + 6
    worshipping = play(built, "worship 0", "die P1")
    assert options(worshipping) == {"pay W", "pay C"}
    bought = play(worshipping, "pay C")
    assert board(bought, 0) == "2/0/0"
    after = play(bought, "use Ra")
    assert board(after, 0) == "1/0/0"
    assert fame(after) == fame(bought) + 3


def test_x4_ptah_makes_sobek_ready_again():
    state = position(gods={0: ["Ptah", "Sobek"]}, pool="P1 P2 P3 S4 S5")
    once = play(state, "use Sobek", "die P1", "die P2")
    assert fame(once) == 8
    restored = play(once, "use Ptah", "die P3")
    assert not see(restored, "used", GODS.index("Sobek"))
    assert see(restored, "used", GODS.index("Ptah"))
    after = play(restored, "use Sobek")
    assert fame(after) == 11
    assert pool(after) == ""


def test_x5_khepri_rolls_a_stone_die_and_works_again():
    state = position(gods={0: ["Khepri"]}, pool="P2 P2 P2 S4 S4", rolls=["4"])
    once = play(state, "use Khepri", "gain S")
    assert fame(once) == 8
    assert pool(once) == "S4 S4 S4"
    after = play(once, "use Khepri", "gain C")
    assert fame(after) == 11
    assert see(after, "resources", 0, 1) == see(state, "resources", 0, 1) + 1
    assert pool(after) == ""


def test_x6_a_virtual_die_is_not_rerolled_and_vanishes_when_paid():
    state = position(gods={0: ["Khnum"]}, row="Isis Hathor Bes", pool="P3 S4")
    rerolling = play(state, "use Khnum=1", "reroll")
    assert pool(rerolling) == "P3 S4 V1"
    assert options(rerolling) == {"die P3", "die S4"}
    after = play(rerolling, "die P3", "roll")
    quarry = see(after, "quarry")
    bought = play(after, "worship 0")
    assert "Isis" in gods(bought, 0)
    assert see(bought, "quarry")[1] == quarry[1] + 1


def test_x7_the_work_tile_interrupts_the_rest_turn():
    state = position(board={0: "4/1/0"}, held={0: ["CC", "SS"]}, available="work", row="Hathor Amon Ra", deck="Mut Min Maat")
    working = play(state, "rest work", "gain W")
    assert fame(working) == 4
    assert see(working, "resources", 0, 0) == 5
    assert sum(see(working, "pool", 0)) == 4
    after = play(working, "end")
    assert [place_of(after, t) for t in ("work", "CC", "SS")] == [0, 0, 0]
    assert see(after, "god_place", GODS.index("Ra")) == "discard"
    assert row(after) == "Mut Hathor Amon"


def test_x8_a_feast_passes_the_last_cat_on():
    state = position(3, board={0: "4/1/1", 1: "3/4/1", 2: "3/3/1"}, scarabs={2: "Silver"}, available="feast")
    assert see(state, "supply", 1) == 1
    full = play(state, "rest feast", "gain W", "gain W")
    assert full.phase() == "lose"
    assert full.current_player() == 1
    after = play(full, "lose C")
    assert [see(after, "resources", p, 1) for p in range(3)] == [1, 4, 4]
    assert see(after, "supply", 1) == 0
    assert fame(after, 2) == 7


def test_x9_a_discarded_stone_die_still_empties_the_supply():
    state = position(board={0: "6/2/0"}, supply=1, available="WS")
    assert see(state, "quarry", 1) == 12
    after = play(state, "rest WS", "lose W", "lose S")
    assert board(after, 0) == "6/2/0"
    assert see(after, "quarry", 1) == 13
    assert see(after, "supply", 2) == 0
    assert see(after, "pharaoh") == 0


def test_x10_hapy_on_a_full_board():
    state = position(board={0: "6/1/1"}, gods={0: ["Hapy"]}, fame={0: 0})
    after = play(state, "hapy", "lose W", "gain S", "gain C", "lose W", "gain C", "lose W")
    assert board(after, 0) == "3/3/2"
    assert 1 not in see(after, "tile_place")
    assert after.current_player() == 1


def test_x11_amethyst_borrows_a_power_that_does_not_count():
    state = position(board={0: "2/0/0"}, gods={0: ["Ra", "Heh"]}, scarabs={0: "Amethyst"}, pool="P1 P2 P3", row="Sobek Hathor Atum")
    assert {a for a in options(state) if a.startswith("copy")} == {"copy 0"}
    used = play(state, "copy 0", "die P3", "use Sobek")
    assert fame(used) == 8
    after = play(used, "end")
    assert gods(after, 0) == {"Ra", "Heh"}
    assert row(after) == "Sobek Hathor Atum"
    assert after.current_player() == 1


def test_x12_aton_discards_the_whole_ennead():
    state = position(gods={0: ["Aton", "Atum", "Shu", "Geb", "Heh"]}, pool="P1")
    after = play(state, "use Aton", "drop Ennead")
    assert gods(after, 0) == {"Aton", "Heh"}
    assert fame(after) == 9


def test_x13_hemionu_builds_beside_a_partner():
    state = position(1, architect="Hemionu", held={0: ["WW"]}, available="CC SS", empty_slots=[2], board={0: "4/1/0"}, pool="P1",
                     pyramid={0: 4, 2: 5, 4: 1}, row="Hathor Atum Ra", deck="Mut", quarry=1, rolls=["2"],
                     project=["Third", None, None, None], architect_projects=["Seven", "Second", None])  # fmt: skip
    after = play(state, "end")
    assert gods(after, 1) == {"Atum"}
    assert see(after, "pyramid", 1) == 2
    assert fame(after, 1) == 8
    assert row(after) == "Mut Hathor Ra"


def test_x14_the_game_ends_after_the_next_turn_of_the_pharaoh():
    state = position(3, supply=2, available="SS")
    after = play(state, "rest SS")
    assert see(after, "pharaoh") == 0
    for _ in range(2):
        after = finish_turn(after)
        assert not after.is_terminal()
    after = finish_turn(after)
    assert after.is_terminal()
    assert not after.is_truncated()


def test_x15_the_golden_cat_pays_once():
    state = position(board={0: "4/0/0"}, gods={0: ["Neith"]}, scarabs={0: "Gold"}, pool="P5")
    assert "cat P5+" in options(state)
    after = play(state, "use Neith")
    assert fame(after) == 7
    assert see(after, "gold_used")
    assert "cat P5+" not in options(after)


def test_x16_a_gain_in_the_work_turn_fills_the_eighth_space():
    state = position(board={0: "5/2/0"}, gods={0: ["Min", "Heh"]}, scarabs={0: "Silver"}, pool="P1 P2")
    assert fame(play(position(board={0: "5/1/0"}, gods={0: ["Min", "Heh"]}, scarabs={0: "Silver"}, pool="P1 P2"), "use Min")) == 5
    assert fame(play(position(board={0: "6/1/0"}, gods={0: ["Min", "Heh"]}, scarabs={0: "Silver"}, pool="P1 P2"), "use Min")) == 7
    assert fame(play(state, "use Min")) == 7


SCORED = {i: int(v) for i, v in enumerate("166253433" + "6125" + "6")}


def test_full_scoring_of_two_players():
    state = position(
        board={0: "0/0/0", 1: "3/0/0"},
        fame={0: 41, 1: 44},
        gods={0: ["Hathor", "Maat", "Atum", "Shu", "Geb", "Nut"], 1: ["Amon", "Khepri", "Ra", "Isis", "Seth"]},
        row="Bes Min Osiris",
        pyramid=SCORED,
        scarabs={0: "Obsidian", 1: "Quartz"},
        project=["Seven", "Twins", None, None],
    )
    assert state.scores() == [78, 58]
    assert state.standings() == [0, 1]


def test_the_six_projects_on_that_pyramid():
    scores = []
    for project in PROJECTS:
        other = "Twins" if project != "Twins" else "Seven"
        state = position(pyramid=SCORED, board={0: "0/0/0", 1: "0/0/0"}, project=[project, other, None, None])
        scores.append(state.scores()[0] - fame(state))
    assert scores == [10, 2, 6, 6, 2, 6]


def test_solo_scoring():
    state = position(
        1,
        architect="Amenhotep",
        fame={0: 48, 1: 33},
        gods={0: ["Hathor", "Sopdet", "Ra"], 1: ["Maat", "Amon", "Heh", "Atum", "Shu", "Nut", "Isis"]},
        row="Bes Min Osiris",
        pyramid={i: int(v) for i, v in enumerate("4316162")},
        project=["Fourth", None, None, None],
        architect_projects=["Seven", "Second", "Fifth"],
    )
    points, ranks = state.outcome()
    assert points[:2].tolist() == [57, 64]
    assert ranks[0] == 1


# --- Rulings -----------------------------------------------------------------------------------------------------------------


def test_tie_goes_to_more_resources_and_is_shared_otherwise():
    projects = ["Seven", "Second", None, None]
    assert position(board={0: "2/1/0", 1: "3/1/0"}, project=projects).standings() == [1, 0]
    assert position(board={0: "2/1/1", 1: "3/1/0"}, project=projects).standings() == [0, 0]


def test_the_architect_wins_a_tie():
    assert position(1, board={0: "8/0/0"}).standings() == [1]
    assert position(1, fame={0: 6}).standings() == [0]


@pytest.mark.parametrize("margin, reward", [(0, -1.0), (1, 1.0)])
def test_solo_reward_is_plus_or_minus_one(margin, reward):
    state = position(1, fame={0: 5 + margin}, phase="end", over=True)
    assert state.returns() == [reward]


def test_a_game_is_cut_off_after_forty_turns_a_seat():
    state = finish_turn(position(turns=79, turn_player=0))
    assert state.is_terminal()
    assert state.is_truncated()
    assert not finish_turn(position(turns=78)).is_terminal()


def test_bes_can_pay_for_a_tile():
    state = position(gods={0: ["Bes"]}, row="Hathor Min Ra", fame={0: 0}, available="each")
    assert "rest each" not in options(state)
    assert "rest each" in options(play(state, "bes"))
    assert "work" not in options(play(state, "bes"))


def test_bastet_does_nothing_in_a_rest_turn_and_counts_no_golden_cat_as_a_die():
    state = position(board={0: "1/1/0"}, gods={0: ["Bastet"]}, scarabs={0: "Gold"}, quarry=3)
    assert options(play(state, "work")) == {"dice S0", "dice S1", "dice S2"}


def test_lapis_lazuli_waives_the_workers_of_the_level():
    state = position(board={0: "0/0/0"}, scarabs={0: "LapisLazuli"}, pool="S2", pyramid=floor(0, 1, 3, 4))
    assert "at 9" in options(play(state, "build 2"))
    other = position(board={0: "0/0/0"}, pool="S2", pyramid=floor(0, 1, 3, 4))
    assert "at 9" not in options(play(other, "build 2"))


def test_the_free_god_is_drawn_for_and_costs_two_fame():
    state = position(row="Ra Hathor Maat", deck="Mut", available="god")
    after = play(state, "rest god", "free 1")
    assert fame(after) == 3
    assert gods(after, 0) == {"Hathor"}
    assert row(after) == "Mut Ra Maat"


def test_two_dice_buy_fame_and_carnelian_doubles_it():
    assert fame(play(position(pool="P1 P2"), "fame")) == 6
    assert fame(play(position(pool="P1 P2", scarabs={0: "Carnelian"}), "fame")) == 7


def test_malachite_is_paid_for_three_tiles():
    state = position(board={0: "3/1/0"}, scarabs={0: "Malachite"}, held={0: ["feast", "swap"]}, available="WS")
    assert fame(play(state, "rest WS")) == 8


def test_ruby_is_paid_for_worship_but_not_for_a_free_god():
    assert fame(play(position(scarabs={0: "Ruby"}, row="Atum Bes Ra", pool="P1 P2"), "worship 0")) == 7
    assert fame(play(position(scarabs={0: "Ruby"}, available="god"), "rest god", "free 0")) == 3


def test_a_third_tile_of_the_architect_is_placed_by_the_human():
    state = position(1, architect="Imothep", held={1: ["WW", "CC"]}, available="SS", board={0: "4/1/0"}, pool="P1",
                     row="Hathor Ra Heh", deck="Mut Min", rolls=["1"])  # fmt: skip
    placing = play(state, "end")
    assert placing.phase() == "slot"
    assert placing.current_player() == 0
    assert see(placing, "turn_player") == 1
    assert fame(placing, 1) == 5 + 2
    assert see(placing, "slot_queue") == ["WW", "CC", "SS"]
    after = play(placing, "slot 6", "slot 1")
    assert see(after, "tile_slot", TILES.index("WW")) == 5
    assert see(after, "tile_slot", TILES.index("CC")) == 0
    assert after.phase() == "turn"


def test_an_illegal_action_names_the_phase():
    with pytest.raises(IllegalActionError, match="'turn'"):
        play(position(), "end")


@pytest.mark.parametrize(
    "field, wrong",
    [
        ("supply", {"supply": [0, 0, 0]}),
        ("row", {"row": ["Atum", None, None]}),
        ("scarab", {"scarab": ["Ruby", "Ruby", None, None]}),
        ("tile_place", {"tile_place": [0] * 12}),
        ("project", {"project": ["Twins", "Twins", None, None]}),
        ("num_seats", {"num_seats": 3}),
        ("pyramid", {"pyramid": [0] * 13 + [6] + [0] * 6, "supply": [13, 7, 11]}),
        ("resources", {"resources": [[8, 1, 1], [4, 1, 1], [0, 0, 0], [0, 0, 0]], "supply": [9, 7, 12]}),
        ("paid_workers", {"paid_workers": 1}),
        ("tile_flipped", {"tile_flipped": [True] + [False] * 11}),
        ("deck_end", {"deck_end": 27}),
        ("deck_end", {"deck_end": 38}),
    ],
)
def test_impossible_positions_are_refused_by_field(field, wrong):
    with pytest.raises(ValueError, match=f"^{field}: "):
        position().replace(**wrong)


@pytest.mark.parametrize("players", DECK_END)
def test_the_deck_ends_where_the_box_begins(players):
    state = position(players)
    for wrong in set(DECK_END.values()) - {DECK_END[players]}:
        with pytest.raises(ValueError, match=r"^deck_end: "):
            state.replace(deck_end=wrong)


@pytest.mark.parametrize(
    "players, architect, filled",
    [
        (2, None, [0]),
        (1, "Snefru", []),
        (1, "Snefru", [0]),
        (1, "Snefru", [1, 2]),
        (1, "Imothep", [0, 1, 2]),
        (1, "Amenhotep", [0, 1]),
    ],
)
def test_an_architect_has_the_projects_of_his_board_and_nobody_else_has_any(players, architect, filled):
    state = position(players, architect=architect)
    others = [x for x in PROJECTS if x not in see(state, "project")]
    with pytest.raises(ValueError, match=r"^architect_projects: "):
        state.replace(architect_projects=[others[i] if i in filled else None for i in range(3)])


# --- Hidden information ------------------------------------------------------------------------------------------------------


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


# --- Invariants along random games -------------------------------------------------------------------------------------------


def rich_start(players: int, architect: str | None, rng: np.random.Generator) -> State:
    """A position in the middle of a game, with many Gods about, where rare things happen soon."""
    cards = list(rng.permutation(GODS))
    gods = {p: [str(cards.pop()) for _ in range(rng.integers(1, 5))] for p in range(players)}
    row = " ".join(str(cards.pop()) for _ in range(3))
    scarabs = dict(enumerate(str(x) for x in rng.permutation(SCARABS)[:players]))
    filled = range(int(rng.choice([0, 4, 9, 11, 13], p=[0.3, 0.2, 0.2, 0.15, 0.15])))
    pyramid = {i: int(rng.integers(1, 7)) for i in filled}
    if players >= 3 and len(filled) <= 9 and rng.random() < 0.5:
        pyramid |= {i: int(rng.integers(1, 7)) for i in range(14, 18)}
    boards = {p: f"{rng.integers(1, 5)}/{rng.integers(0, 3)}/0" for p in range(players)}
    stone = int(STONE_DICE[players]) - len(pyramid)
    boards[0] = str(rng.choice(["8/0/0", "6/1/0", "5/2/0", "3/2/0"]))
    projects = [str(x) for x in rng.permutation(PROJECTS)]
    more = {"architect_projects": [*projects[1 : 4 if architect == "Amenhotep" else 3], None][:3]} if players == 1 else {}
    return position(
        players,
        architect=architect,
        board=boards,
        gods=gods,
        row=row,
        pyramid=pyramid,
        scarabs=scarabs,
        available=" ".join(rng.permutation(TILES)),
        quarry=int(rng.integers(0, stone)) if stone > 1 else stone - 1,
        fame={p: int(rng.integers(0, 9)) for p in range(players)},
        rng=int(rng.integers(2**62)),
        project=[projects[p] if p < players else None for p in range(SEATS)] if players > 1 else [projects[0], None, None, None],
        **more,
    )


def busy(state: State, rng: np.random.Generator) -> int:
    """Random, but slow to end a turn, to replace Gods or to sell dice, and fond of what is rare."""
    names = [state.action_to_string(a) for a in state.legal_actions()]
    weight = np.array([RARENESS.get(name, RARENESS.get(name.split()[0], 1.0)) for name in names])
    return int(rng.choice(state.legal_actions(), p=weight / weight.sum()))


RARENESS = {
    "end": 0.05, "replace": 0.1, "fame": 0.1, "reroll": 0.5, "roll": 2.0,
    "use": 5.0, "worship": 5.0, "copy": 5.0, "build": 3.0, "work": 3.0, "dice S9": 20.0,
}  # fmt: skip


def walk(start: State, rng: np.random.Generator, choose: lockstep.Choose = busy) -> Iterator[tuple[State, str, State]]:
    state = start.clone()
    while not state.is_terminal():
        before, action = state.clone(), choose(state, rng)
        state.apply_action(action)
        yield before, state.action_to_string(action), state


tables = pytest.mark.parametrize("players, architect", TABLES, ids=[f"{n}p" if a is None else a for n, a in TABLES])
seeds = st.integers(0, 2**32 - 1)


@tables
@given(seed=seeds, rich=st.booleans())
def test_static_invariants_hold_everywhere(players, architect, seed, rich):
    rng = np.random.default_rng(seed)
    start = rich_start(players, architect, rng) if rich else pyramidice(players, architect).new_initial_state(seed)
    for _, _, after in walk(start, rng):
        assert list(violations(after.record[0])) == []
        assert after.is_terminal() or len(after.legal_actions()) >= 2
        assert after.is_terminal() or after.current_player() < players


@tables
@given(seed=seeds, rich=st.booleans())
def test_what_may_change_and_how(players, architect, seed, rich):
    rng = np.random.default_rng(seed)
    start = rich_start(players, architect, rng) if rich else pyramidice(players, architect).new_initial_state(seed)
    uses = 0
    for before, action, after in walk(start, rng):
        uses = uses + 1 if before.phase() == "use" else 0 if before.phase() == "turn" else uses
        assert uses < 120
        b, a = before.record[0], after.record[0]
        tile_cost = TILE_FAME_COST[TILES.index(action[5:])] if action.startswith("rest ") else 0
        lost = b["fame"].astype(int) - a["fame"]
        assert lost.max() <= tile_cost
        assert a["fame"].min() >= 0
        assert silver_is_right(b, action, a)
        assert a["supply"][2] <= b["supply"][2]
        built = b["pyramid"] > 0
        assert (a["pyramid"][built] == b["pyramid"][built]).all()
        moved = a["god_place"] != b["god_place"]
        assert not (moved & (a["god_place"] == 0)).any()
        assert not (moved & (b["god_place"] == 2)).any()
        assert not (moved & (b["god_place"] > 2) & (a["god_place"] != 2)).any()
        turns = int(a["turns"]) - int(b["turns"])  # a seat with nothing but `work` and no dice has its whole turn forced
        assert turns >= 0
        assert a["over"] or (int(b["turn_player"]) + turns) % a["num_seats"] == a["turn_player"]
        assert a["pharaoh"] == b["pharaoh"] or b["pharaoh"] == -1
        if players == 1:
            assert (a["tile_place"] == 2).sum() <= 2
            assert (a["god_place"][b["god_place"] == 4] == 4).all()


def silver_is_right(b: np.void, action: str, a: np.void) -> bool:
    """I24, in Rest turns, where nothing else pays Fame: 2 when the eighth space is filled, at no other time.

    Left out are `swap` and Hapy, which may discard and gain in one step.
    """
    resting = action.split()[0] in ("rest", "gain", "lose") and action != "rest swap" and not (b["in_work"] or a["in_work"])
    resting &= int(a["turns"]) - int(b["turns"]) <= 1  # no forced turn lies between
    for p in np.flatnonzero(b["scarab"] == SCARABS.index("Silver")) if resting else ():
        cost = TILE_FAME_COST[TILES.index(action[5:])] if action.startswith("rest ") and p == b["turn_player"] else 0
        before = b["resources"][p].sum() - (action.startswith("lose ") and p == b["current_player"])
        filled = before < 8 <= a["resources"][p].sum()
        if int(a["fame"][p]) - int(b["fame"][p]) + cost != 2 * filled:
            return False
    return True


@tables
@given(seed=seeds)
def test_the_pharaoh_has_the_last_turn(players, architect, seed):
    rng = np.random.default_rng(seed)
    taken = None
    for _, _, state in walk(pyramidice(players, architect).new_initial_state(seed), rng, uniform):
        s = state.record[0]
        seats, turns, pharaoh = int(s["num_seats"]), int(s["turns"]), int(s["pharaoh"])
        if taken is None and pharaoh >= 0:
            taken = turns - (turns - 1 - pharaoh) % seats  # the turn that this seat finished last
    assert turns - taken == seats
    assert s["turn_player"] == pharaoh


def god_count(record: np.void, p: int) -> int:
    owned = np.flatnonzero(record["god_place"] == 3 + p)
    return int((owned >= NUM_ENNEAD).sum() + (owned < NUM_ENNEAD).any())


@tables
@given(seed=seeds)
def test_the_cult_takes_one_god_and_only_if_there_are_too_many(players, architect, seed):
    rng = np.random.default_rng(seed)
    for before, action, after in walk(rich_start(players, architect, rng), rng):
        if action != "end":
            continue
        b, a = before.record[0], after.record[0]
        t = int(b["turn_player"])
        anubis = GODS.index("Anubis")
        limit = b["resources"][t][:2].sum() + 3 * (b["god_place"][anubis] == 3 + t or b["copied"] == anubis)
        dropped = god_count(b, t) - god_count(a, t)
        if god_count(b, t) <= limit:
            assert dropped == 0
            assert after.phase() != "drop"
        else:
            assert (after.phase() == "drop") != (dropped == 1)


def units(record: np.void) -> int:
    t = int(record["turn_player"])
    gold = SCARABS.index("Gold")
    return int(record["resources"][t][:2].sum() + (record["scarab"][t] == gold and not record["gold_used"]))


@pytest.mark.parametrize("players", [2, 3, 4])
@given(seed=seeds)
def test_a_cat_changes_one_die_by_one_for_one_unit(players, seed):
    rng = np.random.default_rng(seed)
    for before, action, after in walk(rich_start(players, None, rng), rng):
        if action.startswith("cat ") and after.phase() == "use":
            b, a = before.record[0], after.record[0]
            values = np.arange(1, 7)
            change = (a["pool"].astype(int) - b["pool"]) @ values
            assert change["PSV".index(action[4])] == (1 if action[-1] == "+" else -1)
            assert np.abs(change).sum() == 1
            assert units(a) == units(b) - 1


@pytest.mark.parametrize("players", [2, 3, 4])
@given(seed=seeds)
def test_a_build_brings_value_and_level_and_what_serket_and_thoth_add(players, seed):
    rng = np.random.default_rng(seed)
    for before, action, after in walk(rich_start(players, None, rng), rng):
        b, a = before.record[0], after.record[0]
        if action.startswith("build "):
            units_before = units(b)
        (built,) = np.nonzero(a["pyramid"] != b["pyramid"])
        if len(built) and a["in_work"]:
            t, space = int(b["turn_player"]), int(built[0])
            extra = int(a["fame"][t] - b["fame"][t]) - int(a["pyramid"][space]) - int(EXTRA_FAME[space])
            powers = {GODS[g] for g in range(38) if b["god_place"][g] == 3 + t or b["copied"] == g}
            workers = extra - 3 * ("Serket" in powers and SUPPORT[space] != 0)
            paid = units_before - units(a)
            assert workers == paid * ("Thoth" in powers)
            if "Seshat" not in powers and SCARABS[b["scarab"][t]] != "LapisLazuli":
                assert paid == VALUE_WORKERS[a["pyramid"][space]] + EXTRA_WORKERS[space]


@tables
@given(seed=seeds)
def test_final_scores_follow_from_what_lies_on_the_table(players, architect, seed):
    rng = np.random.default_rng(seed)
    *_, (_, _, state) = walk(pyramidice(players, architect).new_initial_state(seed), rng)
    d, (points, _) = state.to_dict(), state.outcome()
    for p in range(max(players, 2)):
        projects = [d["project"][p]] if p < players else [x for x in d["architect_projects"] if x]
        assert points[p] == by_hand(d, p, [PROJECTS.index(x) for x in projects])


def by_hand(d: dict[str, Any], p: int, projects: list[int]) -> int:
    owned = [i for i, place in enumerate(d["god_place"]) if place == f"seat {p}"]
    ennead = [g for g in owned if g < NUM_ENNEAD]
    values = d["pyramid"]
    pairs = sum(values[a] and values[b] and PARTNER[x, values[a]] == values[b] for x in projects for a, b in PAIRS.tolist())
    gods = len(owned) - len(ennead) + bool(ennead)
    scarab = {"Quartz": sum(d["resources"][p]), "Obsidian": 2 * gods}.get(d["scarab"][p], 0)
    return d["fame"][p] + sum(int(END_FAME[g]) for g in owned) + int(ENNEAD_FAME[len(ennead)]) + scarab + 2 * pairs


# --- Lockstep with the referee -----------------------------------------------------------------------------------------------


@tables
def test_lockstep_random_games(players, architect):
    for seed in range((40 if players > 1 else 10) * GAMES):
        lockstep.play(pyramidice(players, architect), seed)


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
    return (own or [None])[0], ([s for s in built.tolist() if s not in own] or [None])[0]


def holders(record: np.void, t: int) -> set[str]:
    """Gods whose powers seat t has in its Work turn."""
    return {g for i, g in enumerate(GODS) if record["god_place"][i] == 3 + t or record["copied"] == i}


def scarab_powers(b: np.void, action: str, a: np.void) -> Iterator[str]:
    t = int(b["turn_player"])
    scarab = (*SCARABS, None)[b["scarab"][t]]
    gained = int(a["fame"][t]) - int(b["fame"][t])
    space, _ = built_by(b, action, a)
    own_tiles_before, own_tiles = ((record["tile_place"] == t + 1).sum() for record in (b, a))
    bought = ((a["god_place"] == 3 + t) & (b["god_place"] == 1)).any()
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
    if action == "pearl yes" or happened.get(scarab):
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
        "Ptah": bool(a["in_work"]) and a["used"].sum() < b["used"].sum(),
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
        "Amenhotep": ((a["god_place"] == 4) & (b["god_place"] != 4))[:NUM_ENNEAD].any(),
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
    yield from (f"owned {g}" for g, place in zip(GODS, d["god_place"], strict=True) if place.startswith("seat"))


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
    top = {"pyramid": floor(*range(13)), "board": {0: "8/0/0", 1: "4/1/0"}, "gods": {0: ["Seshat", "Thoth"]}}
    return [
        position(4, board={0: "8/0/0"}, scarabs={0: "Turquoise"}, quarry=12, rng=seed),
        position(**top, quarry=1, rng=seed),
    ]


def test_lockstep_of_a_truncated_game():
    for seed in range(4):
        start = position(3, turns=117)
        assert lockstep.play(start.game, seed, uniform, start=start).is_truncated()


# --- The baseline ------------------------------------------------------------------------------------------------------------


def greedy(state: State) -> str:
    padded, mask = new_masks(1, len(ACTIONS))
    mask[0] = state.legal_actions_mask()
    return state.action_to_string(int(agent(state.game, "greedy", seed=0).choose(state.record, padded)[0]))


def test_greedy_works_with_a_strong_board_and_rests_with_a_weak_one():
    assert greedy(position(board={0: "4/1/1"})) == "work"
    assert greedy(position(board={0: "2/1/1"}, available="WW")).startswith("rest")


def test_greedy_builds_its_best_die_where_its_project_scores():
    state = position(board={0: "5/0/0"}, pool="S6", pyramid={0: 2, 8: 1}, project=["Seven", "Second", None, None], reroll_used=True)
    assert greedy(state) == "build 6"
    assert greedy(play(state, "build 6")) in ("at 5", "at 7")


def test_greedy_does_not_look_at_its_dice_to_come():
    """The value of a roll must not depend on the generator of the game."""
    state = position(gods={0: ["Mertseger", "Khepri"]}, pool="P2 P2 P2 S4 S1 P5", reroll_used=True)
    assert len({greedy(state.replace(rng=rng)) for rng in range(40)}) == 1
