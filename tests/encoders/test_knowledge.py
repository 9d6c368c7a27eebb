"""What observations tell: all that a player may know and nothing else, the same from every seat.

`HYPOTHESIS_PROFILE=exhaustive` looks at many more positions, in the search for aliases at 100,000 at every table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np
import pytest
from encoders.crowds import LONG, crowd, known, observers, successors, turned

import mastaba
from mastaba import Game
from mastaba.encoders import Encoder, encoder_names
from mastaba.envs.core.declare.schema import NOBODY, OWNER

POSITIONS = 20_000 if LONG else 1_500
AT_ONCE = 2_000
SEARCHED = 100_000 if LONG else 1  # for aliases; at least one family
RICH = 8_000  # positions in which everything happens


def arrays(game: Game) -> Iterator[Encoder]:
    return (game.encoder(name) for name in encoder_names() if game.encoder(name).show is not None)


def seats_of(game: Game, states: np.ndarray) -> np.ndarray:
    """Observers by turns."""
    return np.arange(len(states)) % game.num_players


# --- Space -------------------------------------------------------------------------------------------------------------------


def test_observations_lie_in_their_space(table: Game) -> None:
    states = crowd(table, 2 * POSITIONS)
    for part in np.array_split(states, -(-len(states) // AT_ONCE)):
        for encoder in arrays(table):
            for seats in (observers(part), seats_of(table, part)):
                seen = encoder.look(part, seats)
                assert (seen.dtype, seen.shape[1:]) == (encoder.space.dtype, encoder.space.shape)
                assert (np.abs(seen) <= 1).all(), encoder.name  # and is a number
    text = table.encoder("text")
    for i in range(0, len(states), max(1, len(states) // 50)):
        state = table.state_of(states[i : i + 1])
        assert text.space.contains(text.observe(state, i % table.num_players))


# --- Nothing that is hidden ----------------------------------------------------------------------------------------------------


def test_worlds_that_a_player_cannot_tell_apart_look_the_same(table: Game) -> None:
    """Drawn with many seeds, and drawn anew from such a world. `lookahead` tries actions in them."""
    for state in map(table.state_of, np.array_split(crowd(table, 200 if LONG else 24), 200 if LONG else 24)):
        for player in range(table.num_players):
            worlds = [state.determinize(player, seed=k) for k in range(5)]
            worlds.append(worlds[0].determinize(player, seed=99))
            for name in encoder_names():
                truth = state.observation(player, name)
                for world in worlds:
                    assert np.array_equal(world.observation(player, name), truth), f"{name} shows player {player} the truth"


def test_hidden_fields_scrambled_change_nothing(table: Game) -> None:
    """Whatever stands in them: `flat`, and with it `planes` and `tokens`, does not read it."""
    rng = np.random.default_rng(3)
    states = crowd(table, 300)
    states = states[states["over"] == 0]  # at the end secrets are shown
    for player in range(table.num_players):
        scrambled = states.copy()
        for f in table.rules.schema:
            if f.sees in (NOBODY, OWNER):
                own = states[f.name][:, player].copy() if f.sees == OWNER else None
                scrambled[f.name] = rng.integers(0, 100, states[f.name].shape)
                if own is not None:
                    scrambled[f.name][:, player] = own
        seats = np.full(len(states), player)
        for name in ("flat", "planes", "tokens"):
            encoder = table.encoder(name)
            assert np.array_equal(encoder.look(scrambled, seats), encoder.look(states, seats)), name


def test_lookahead_does_not_read_the_games_own_dice(table: Game) -> None:
    states, encoder = crowd(table, 300), table.encoder("lookahead")
    seats = observers(states)
    other = states.copy()
    other["rng"] = np.random.default_rng(4).integers(2**60, size=len(states))
    assert np.array_equal(encoder.look(other, seats), encoder.look(states, seats))


# --- The same from every seat ----------------------------------------------------------------------------------------------------


def test_seats_turned_round_look_the_same(table: Game) -> None:
    if table.num_players == 1:
        pytest.skip("one seat cannot be turned")
    everything = crowd(table, POSITIONS)
    for states in np.array_split(everything, -(-len(everything) // AT_ONCE)):
        by, seats = seats_of(table, states), np.arange(len(states)) // table.num_players % table.num_players
        other = turned(table, states, by)
        assert not np.array_equal(other, states)
        for encoder in arrays(table):
            one, two = encoder.look(states, seats), encoder.look(other, (seats - by) % table.num_players)
            wrong = np.flatnonzero((one != two).reshape(len(states), -1).any(0))
            assert not len(wrong), f"{encoder.name}: {[s.name for s in encoder.slices if np.isin(s.indices(), wrong).any()]}"


# --- All that is known -------------------------------------------------------------------------------------------------------

# Public fields that no rule reads, or that follow from what is observed.
NOT_OBSERVED = {
    "": {"decisions": "no rule reads it", "num_players": "the same for all observations of a table"},
    "cheops": {
        "roll": "rules read the dice in the middle, by colour",
        "quarry": "which stones left of the mark were used: they are lost in any case",
        "bonus_round": "rules ask only whether it is this round: `fresh_bonuses`",
    },
}


class Aliases:
    """A search for positions that look the same to their observers, and the facts in which they differ."""

    def __init__(self, game: Game) -> None:
        self.game, self.positions, self.found = game, 0, set[str]()
        self._first: dict[bytes, tuple[bytes, ...]] = {}  # by the digest of what is seen: what is known of the first such position

    def add(self, states: np.ndarray, looks: np.ndarray) -> None:
        facts = known(self.game, states, observers(states), {*NOT_OBSERVED[""], *NOT_OBSERVED.get(self.game.name, ())})
        self.positions += len(states)
        for i, seen in enumerate(looks):
            told = tuple(values[i].tobytes() for values in facts.values())
            twin = self._first.setdefault(blake2b(seen.tobytes(), digest_size=16).digest(), told)
            if twin != told:
                self.found |= {name for name, one, other in zip(facts, twin, told, strict=True) if one != other}


def test_positions_that_differ_for_their_observer_look_different(table: Game) -> None:
    """No aliasing. Positions after every action of a position are those that differ least."""
    search = Aliases(table)
    for states in _families(table, AT_ONCE if LONG else AT_ONCE // 4, SEARCHED):
        for part in np.array_split(states, -(-len(states) // AT_ONCE)):
            search.add(part, table.encoder().look(part, observers(part)))
    assert not search.found
    assert search.positions >= SEARCHED


def test_the_search_for_aliases_finds_what_is_not_shown() -> None:
    game = mastaba.game("cheops", 2)
    states, flat = next(_families(game)), game.encoder()
    for name, hides in (("pyramid", "pyramid"), ("pending", "pending"), ("mosaic", "mosaic")):
        blind = flat.look(states, observers(states))
        blind[:, flat.where(name).ravel()] = 0
        search = Aliases(game)
        search.add(states, blind)
        assert hides in search.found


def _families(game: Game, size: int = AT_ONCE // 4, wanted: int = 1, ends: bool = False) -> Iterator[np.ndarray]:
    """Positions, each with all that can follow; at least so many together. `ends`: those of finished games too."""
    positions, number = 0, 0
    while positions < wanted:
        base = crowd(game, size, seed=100 + number)
        family = np.concatenate([base, successors(game, base)])
        family = family if ends else family[family["over"] == 0]
        positions, number = positions + len(family), number + 1
        yield family


# --- Every number ------------------------------------------------------------------------------------------------------------

# Numbers that are always the same, and why; by game, table sizes, and slice.
ALL = (1, 2, 3, 4, 5)
SOLO = (1,)
CONSTANT = {
    ("pyramids", (2, 3), "tile"): "Thoth is for four and five",
    ("pyramids", (2, 3), "tiles_free"): "Thoth is for four and five",
    ("pyramids", (2, 3), "tile_taken"): "Thoth is for four and five",
    ("master_architect", SOLO, "current_player"): "one player",
    ("pyramidice", SOLO, "current_player"): "one player decides",
    ("pyramidice", SOLO, "architect"): "an option of the game",
    ("pyramidice", SOLO, "resources"): "the Architect has none",
    ("pyramidice", SOLO, "units"): "the Architect gains none",
    ("pyramidice", SOLO, "tile_flipped"): "tiles are flipped by Emerald, a Scarab, and solo has no Scarabs",
    ("pyramidice", SOLO, "scarab"): "no Scarabs",
    ("pyramidice", SOLO, "scarab_options"): "no Scarabs",
    ("pyramidice", SOLO, "gold_used"): "Gold is a Scarab",
    ("pyramidice", SOLO, "copy_used"): "Amethyst is a Scarab",
    ("pyramidice", SOLO, "pearl_fame"): "Pearl is a Scarab",
    ("pyramidice", SOLO, "payment"): "nothing is copied without Amethyst",
    ("pyramidice", ALL, "phase"): "no Scarabs and no Pearl alone, slots for tiles only alone",
    ("pyramidice", ALL, "borrowed"): "Amethyst does not borrow the Triad, and is not in a solo game",
    ("pyramidice", ALL, "used"): "Gods whose power needs no use in a Work turn",
    ("pyramidice", ALL, "payment_for"): "Gods that are neither in a cost nor used",
    ("pyramidice", ALL, "need_same"): "two triples at once, and Khepri: too rare for chance",
    ("pyramidice", ALL, "sheet"): "others' Projects are secret, Fame beyond 100 is rare, no Scarabs alone",
    ("pyramidice", (1, 2, 3), "pyramid"): "Chephren and Mykerinos are built by three and four",
    ("pyramidice", (1, 2, 3), "open_spaces"): "Chephren and Mykerinos are built by three and four",
    ("pyramidice", (1, 2, 3), "build_space"): "Chephren and Mykerinos are built by three and four",
    ("pyramidice", (1, 2), "project_hits"): "Chephren is built by three and four",
}


# Slices of which some numbers are always the same, and why: asked for by the long run only.
A_QUARRY_LESS = "three players use three quarries, and one stone of each tier is built beforehand"
QUARRIES = ("sled_position", "sled_stone", "nominated", "workers", "eligible", "sleds")
TIERS = ("base_built", "middle_built", "built_at")
PARTLY_CONSTANT: dict[tuple[str, tuple[int, ...], str], str] = {
    ("giza", ALL, "phase"): "exit: a worker that walks off its track with a choice of camps is rare",
    ("giza", (3,), "order"): "the fourth in the order",
    **{("giza", (3,), name): A_QUARRY_LESS for name in (*QUARRIES, *TIERS)},
    ("pyramidice", SOLO, "paid_workers"): "too rare in a solo game",
    ("pyramidice", (4,), "build_space"): "a payment for one of the last spaces is rare",
    ("pyramidice", ALL, "units"): "three at once of Khepri are rare",
}


def listed(table: Game, constants: Iterable[tuple[str, tuple[int, ...], str]]) -> set[str]:
    return {name for game, players, name in constants if game == table.name and table.num_players in players}


def test_every_number_varies_or_is_listed(table: Game) -> None:
    """The long run asks it of every number, the default one of every slice. What `planes` and `tokens` add is constant."""
    flat = table.encoder()
    low, high = np.ones(flat.size), -np.ones(flat.size)
    for states in _families(table, RICH, 2 * SEARCHED if LONG else 1, ends=True):
        for part in np.array_split(states, -(-len(states) // AT_ONCE)):
            for seats in (observers(part), seats_of(table, part)):
                seen = flat.look(part, seats)
                low, high = np.minimum(low, seen.min(0)), np.maximum(high, seen.max(0))
    constant = listed(table, CONSTANT) | (listed(table, PARTLY_CONSTANT) if LONG else {"paid_workers"})
    asked = np.all if LONG else np.any
    dull = [s.name for s in flat.slices if s.name not in constant and not asked((low < high)[s.indices()])]
    assert dull == []


def test_every_column_of_lookahead_varies(table: Game) -> None:
    """An action changes only what it touches, so not every number of its row does."""
    encoder, states = table.encoder("lookahead"), crowd(table, POSITIONS)
    rows = np.concatenate([encoder.rows(seen) for seen in encoder.look(states, observers(states))])  # type: ignore[attr-defined]
    assert (rows.min(0) < rows.max(0)).all()
    legal = table.legal_of(states)[:, : table.num_actions]
    assert np.array_equal(rows[:, 0].reshape(legal.shape), legal)
