"""What stands in an observation, computed once more in plain Python from the fields of a position."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from encoders.crowds import LONG, crowd

import mastaba
from mastaba import Game, State
from mastaba.encoders.lookahead import COLUMNS, FATE
from mastaba.envs.core.declare.features import OTHER, SEAT, build_writer, present
from mastaba.envs.core.declare.schema import NOBODY, OWNER, Field
from mastaba.envs.core.kernel.jit import kernel

from plain_kernels import features_of, module_of

POSITIONS = 300 if LONG else 12


def some_states(game: Game, seed: int) -> list[State]:
    states = crowd(game, (seed + 1) * POSITIONS)[seed * POSITIONS :]
    return [game.state_of(states[i : i + 1]) for i in range(len(states))]


# --- flat --------------------------------------------------------------------------------------------------------------------


def numbers_of(f: Field, value: Any, seats: int, me: int) -> list[float]:
    """One value as numbers: what `to_dict` shows of it, or the raw integer of a derived field."""
    if f.kind == "count":
        return [(int((f.empty or 0) if value is None else value) - f.low) / max(1, f.high - f.low)]
    if f.kind == "flag":
        return [float(value)]
    if f.kind == "bits":
        members = value if isinstance(value, list) else [name for i, name in enumerate(f.names) if value >> i & 1]
        return [float(name in members) for name in f.names]
    if f.kind == "seat":
        return [float(value is not None and (value - me) % seats == i) for i in range(seats)]
    number = f.names.index(value) if isinstance(value, str) else value
    if f.table is not None:
        return [0.0] * f.table.shape[1] if number is None else f.table[number].tolist()
    return [float(number == i) for i in range(len(f.names))]


def flattened(f: Field, values: Any, seats: int, me: int, depth: int) -> list[float]:
    if depth == 0:
        return numbers_of(f, values, seats, me)
    return [number for value in values for number in flattened(f, value, seats, me, depth - 1)]


def by_hand(state: State, me: int) -> list[float]:
    """The part of `flat` that follows from the schema."""
    schema = state.game.rules.schema
    seats = schema.seats_at(state.game.num_players)
    values = state.to_dict() | {f.name: state.record[f.name][0].tolist() for f in schema if f.derived}
    numbers = []
    for f in schema:
        if f.observe and f.sees != NOBODY and (not f.per_seat or f.sees == OWNER or f.observe == "own"):
            shown = values[f.name][me] if f.per_seat else values[f.name][:seats] if f.per_table else values[f.name]
            numbers += flattened(f, shown, seats, me, len(f.shape))
    for turn in range(seats):
        for f in schema:
            if f.observe is True and f.sees not in (NOBODY, OWNER) and f.per_seat:
                numbers += flattened(f, values[f.name][(me + turn) % seats], seats, me, len(f.shape))
    return numbers


def test_flat_begins_with_the_fields_of_the_schema(table: Game) -> None:
    for state in some_states(table, seed=1):
        for player in range(table.num_players):
            expected = by_hand(state, player)
            assert len(expected) == table.encoder().features_start  # type: ignore[attr-defined]
            assert state.observation(player)[: len(expected)] == pytest.approx(expected, abs=1e-6)


def test_features_run_as_plain_python_write_what_the_kernels_write(name: str) -> None:
    """So that what tests/mutants.py tries without compiling is what is played with."""
    game = mastaba.game(name)
    module = import_module(f"mastaba.envs.{name}.observation")
    names = module_of(Path(str(module.__file__)).read_text(encoding="utf-8"), module)
    states, seats, flat = some_states(game, seed=3)[:4], game.rules.schema.seats_at(game.num_players), game.encoder()
    with np.errstate(over="ignore"):  # words wrap round, as they do in kernels
        _, *written = features_of(game.rules, names, [state.record[0] for state in states])
    for number, (state, numbers) in enumerate(zip(states, written, strict=True)):
        seen, start = state.observation(number % game.num_players), 0
        for f in present(game.rules.features, game.num_players):
            stop = start + f.rows(seats) * f.size
            assert numbers[start:stop] == pytest.approx(seen[flat.where(f.name)].ravel(), abs=1e-6), f.name
            start = stop


# --- planes ------------------------------------------------------------------------------------------------------------------


def elements_of(game: Game, name: str) -> int:
    """How many things a slice tells of."""
    seats = game.rules.schema.seats_at(game.num_players)
    feature = next((f for f in present(game.rules.features, game.num_players) if f.name == name), None)
    if feature is not None:
        return feature.things
    f = game.rules.schema.by_name.get(name)
    if f is None:
        return 1
    return len(f.names) if f.kind == "bits" and not f.shape else int(np.prod(f.shape_at(seats), dtype=int))


def test_planes_hold_every_number_at_the_cell_of_its_thing(table: Game) -> None:
    grid, flat, planes = table.rules.planes, table.encoder(), table.encoder("planes")
    size = grid.height * grid.width
    for state in some_states(table, seed=2):
        seen, numbers = state.observation(0, "planes").reshape(-1, size), state.observation(0)
        channel = 0
        for s in flat.slices:
            cells = grid.cells.get(s.name, tuple(range(elements_of(table, s.name))))
            for row in s.indices():
                if len(cells) == 1 and s.name not in grid.cells:  # no things of its own: a constant plane, or laid as it comes
                    used = -(-len(row) // size)
                    whole = np.full(size, numbers[row[0]]) if len(row) == 1 else np.zeros(used * size)
                    whole[: len(row)] = numbers[row]
                    assert np.array_equal(seen[channel : channel + used].ravel(), whole), s.name
                else:
                    each = len(row) // len(cells)  # numbers of one thing
                    flat_cells = [c if isinstance(c, tuple) else (c,) for c in cells]
                    used = each * (max(max(c) for c in flat_cells) // size + 1)
                    expected = np.zeros((each, used // each * size))
                    for thing, places in enumerate(flat_cells):
                        for number in range(each):
                            expected[number, list(places)] = numbers[row[thing * each + number]]
                    assert np.array_equal(seen[channel : channel + used].ravel(), expected.ravel().astype(np.float32)), s.name
                channel += used
        assert channel == len(seen)
        assert planes.shape == (channel, grid.height, grid.width)


# --- tokens ------------------------------------------------------------------------------------------------------------------

VALUES = 32


def things_of(game: Game, state: State, me: int) -> dict[str, dict[tuple[int, int], list[float]]]:
    """By type of token: (owner counted from the observer or -1 for the table's, number of the thing) -> its numbers."""
    seats, schema = game.rules.schema.seats_at(game.num_players), game.rules.schema
    flat, numbers = game.encoder(), state.observation(me)
    per = {f.name: f.per for f in present(game.rules.features, game.num_players)}
    kinds: dict[str, dict[tuple[int, int], list[float]]] = {}
    for s in flat.slices:
        field = schema.by_name.get(s.name) if s.start < flat.features_start else None  # type: ignore[attr-defined]
        if field is not None:
            shape = field.shape_at(seats)
            who = "table" if not field.per_seat else "mine" if field.sees == OWNER or field.observe == "own" else "player"
        else:
            shape = (elements_of(game, s.name),) if elements_of(game, s.name) > 1 else ()
            who = "player" if per.get(s.name) in (SEAT, OTHER) else "table"
        kind = kinds.setdefault(" ".join([who, "x".join(map(str, shape))]).strip(), {})
        things = int(np.prod(shape, dtype=int))
        owners = range(seats) if who == "player" else [-1 if who == "table" else 0]
        for owner in owners:
            for thing in range(things):
                row = s.indices()[owner - s.first if who == "player" else 0] if owner >= s.first or who != "player" else None
                width = (s.stop - s.start) // things
                values = [0.0] * width if row is None else numbers[row[thing * width : (thing + 1) * width]].tolist()
                kind.setdefault((owner, thing), []).extend(values)
    return kinds


def test_tokens_hold_a_row_for_every_thing(table: Game) -> None:
    encoder = table.encoder("tokens")
    seats = table.rules.schema.seats_at(table.num_players)
    for turn, state in enumerate(some_states(table, seed=3)):
        for player in {turn % table.num_players, max(0, state.current_player())}:
            kinds = things_of(table, state, player)
            rows = iter(state.observation(player, "tokens"))
            for number_of_kind, things in enumerate(kinds.values()):
                place = 0
                for (owner, _), values in things.items():
                    for first in range(0, len(values), VALUES):
                        row = next(rows)
                        shown = values[first : first + VALUES]
                        if row[0] == 0:
                            assert not any([*row, *shown]), "a row that is gone held nothing"
                        else:
                            kind, whose, number = np.split(row[1:-VALUES], [len(kinds), len(kinds) + 1 + seats])
                            assert kind.tolist() == [float(k == number_of_kind) for k in range(len(kinds))]
                            assert whose.tolist() == [float(w == owner) for w in range(-1, seats)]
                            assert sum(int(bit) << i for i, bit in enumerate(number)) == place
                            assert row[-VALUES:].tolist() == pytest.approx(shown + [0.0] * (VALUES - len(shown)), abs=1e-6)
                        place += 1
            assert next(rows, None) is None
            assert [s.name for s in encoder.slices] == list(kinds)


# --- lookahead ---------------------------------------------------------------------------------------------------------------


def lead(state: State, player: int) -> int:
    points = state.outcome()[0].tolist()
    seats = range(max(2, state.game.num_players))  # alone: against what stands behind the player
    return points[player] - max(points[p] for p in seats if p != player)


def measuring(game: Game) -> Any:
    """The numbers whose change a game wants to see."""
    write, size = build_writer(game.rules.lookahead), sum(f.size for f in game.rules.lookahead)

    @kernel
    def write_first(states, me, out):
        write(states[0], me, out, 0)

    def measure(state: State, player: int) -> np.ndarray:
        out = np.zeros(size, np.float32)
        if size:
            write_first(state.record, player, out)
        return out

    return measure


def test_lookahead_rows_are_what_trying_every_action_shows(table: Game) -> None:
    """In the one world that is drawn from what the player knows."""
    encoder, scale, measure = table.encoder("lookahead"), table.rules.score_scale, measuring(table)
    for state in some_states(table, seed=4):
        for player in range(table.num_players):
            seen = state.observation(player, "lookahead")
            rows = encoder.rows(seen)  # type: ignore[attr-defined]
            assert np.array_equal(seen[: table.encoder().size], state.observation(player))
            if player != state.current_player():
                assert not rows.any()
                continue
            record = state.record.copy()
            table.kernels.determinize(record, np.array([player]), np.array([FATE]))
            world = table.state_of(record)
            for action in range(table.num_actions):
                expected = np.zeros(encoder.width)  # type: ignore[attr-defined]
                if action in state.legal_actions():
                    after = world.clone()
                    after.apply_action(action)
                    gain, margin = after.scores()[player] - world.scores()[player], lead(after, player) - lead(world, player)
                    changes = measure(after, player) - measure(world, player)
                    expected = np.clip([1, gain / scale, margin / scale, *changes], -1, 1)
                assert rows[action] == pytest.approx(expected, abs=1e-6), table.action_to_string(action)
            assert len(COLUMNS) + sum(f.size for f in table.rules.lookahead) == encoder.width  # type: ignore[attr-defined]
