"""What every encoder promises: a space, a table that names every number, numbers told to people, text that can be answered."""

from __future__ import annotations

import re

import numpy as np
import pytest
from encoders.crowds import crowd

import mastaba
from mastaba import Game, State, testing
from mastaba.encoders import encoder_names, register_encoder
from mastaba.encoders.gather import NOTHING, ONE
from mastaba.encoders.tokens import groups_of
from mastaba.envs.core.declare.actions import ActionTable, Range
from mastaba.envs.core.declare.features import OTHER, Feature
from mastaba.envs.core.declare.grid import Grid
from mastaba.envs.core.observing import encoder_class
from mastaba.envs.registry import rules

FIVE = ("flat", "planes", "tokens", "text", "lookahead")
ARRAYS = ("flat", "planes", "tokens", "lookahead")


def some_state(game: Game, seed: int = 1) -> State:
    running = crowd(game, 40)
    return game.state_of(running[running["over"] == 0][seed : seed + 1])


def test_there_are_five() -> None:
    assert encoder_names()[:5] == FIVE


# --- describe, where, explain ----------------------------------------------------------------------------------------------------


def places_told(first: str, per: int) -> set[int]:
    """The numbers that a line of a table names: `5`, `5-9`, `5-9 (+12 per player)`."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?(?: \(\+(\d+) per \w+\))?", first)
    assert match, first
    start, stop, every = (int(n) if n else None for n in match.groups())
    run = range(start, (stop if stop is not None else start) + 1)  # type: ignore[operator, arg-type]
    return {place + k * every for k in range(per) for place in run} if every else set(run)


@pytest.mark.parametrize("name_of_encoder", ["flat", "lookahead"])
def test_the_table_names_every_number_once(table: Game, name_of_encoder: str) -> None:
    encoder = table.encoder(name_of_encoder)
    lines = encoder.describe().splitlines()[2:]
    assert len(lines) == len(encoder.slices)
    named: list[int] = []
    for line, s in zip(lines, encoder.slices, strict=True):
        numbers, name, meaning = (cell.strip() for cell in line.strip("|").split("|", 2))
        assert (name, meaning) == (f"`{s.name}`", s.doc)
        named += places_told(numbers, s.rows)
    assert sorted(named) == list(range(encoder.size))


def test_the_tables_of_planes_and_tokens_name_every_channel_and_row(table: Game) -> None:
    planes, tokens = table.encoder("planes"), table.encoder("tokens")
    channels: list[int] = []
    for line, s in zip(planes.describe().splitlines()[2:], planes.slices, strict=True):
        channels += places_told(line.strip("|").split("|")[0].strip(), s.rows)
    assert sorted(channels) == list(range(planes.shape[0]))
    columns, rows = tokens.describe().split("\n\n")
    told = [places_told(line.strip("|").split("|")[0].strip(), 1) for line in columns.splitlines()[2:]]
    assert sorted(set().union(*told)) == list(range(tokens.shape[1]))
    told = [places_told(line.strip("|").split("|")[0].strip(), 1) for line in rows.splitlines()[2:]]
    assert sorted(n for each in told for n in each) == list(range(tokens.shape[0]))
    assert "legal actions in notation" in table.encoder("text").describe()


def test_where_finds_the_numbers_of_every_player(table: Game) -> None:
    state, seats = some_state(table), table.rules.schema.seats_at(table.num_players)
    flat = state.observation(0)
    for s in table.encoder().slices:
        places = table.encoder().where(s.name)
        assert places.shape == (s.rows, s.stop - s.start)
        assert s.rows in (1, seats, seats - 1)
        for name in ("planes", "tokens", "lookahead"):
            encoder = table.encoder(name)
            found = encoder.where(s.name)
            if name == "planes":  # whole channels
                assert set(np.unique(flat[places])) <= {0.0, *np.unique(state.observation(0, name).ravel()[found])}
            elif s.name not in [own.name for own in encoder.slices] or name == "lookahead":
                assert np.array_equal(state.observation(0, name).ravel()[found], flat[places])
    for name in ARRAYS:
        with pytest.raises(ValueError, match=rf"^{name}: nothing is called 'mummy', there are .*current_player"):
            table.encoder(name).where("mummy")


@pytest.mark.parametrize("name_of_encoder", ["flat", "planes", "tokens"])
def test_explain_tells_the_fields_as_to_dict_does(table: Game, name_of_encoder: str) -> None:
    schema, n = table.rules.schema, table.num_players
    seats = schema.seats_at(n)
    for seed in range(3):
        state = some_state(table, seed)
        values = state.to_dict()
        for me in range(n):
            told = table.encoder(name_of_encoder).explain(state.observation(me, name_of_encoder))
            for name, owner, value in told:
                f = schema.by_name.get(name)
                if f is None or f.derived or f.table is not None or name not in values or not f.observe:
                    continue
                assert owner == "table" or re.fullmatch(r"me(\+\d)?", owner)
                seat = (me + int(owner[3:] or 0)) % seats if owner != "table" else me
                true = values[name][seat] if f.per_seat else values[name][: len(value)] if f.per_table else values[name]
                if f.kind == "seat":
                    counted = np.array([None if v is None else (v - me) % seats for v in np.ravel(true)])
                    true = ["me" if v == 0 else None if v is None else f"me+{v}" for v in counted]
                    value = list(np.ravel(value))
                if f.kind == "count" and f.empty is not None:
                    true, value = [-1 if v is None else v for v in np.ravel(true)], list(np.ravel(value))
                assert np.array_equal(np.ravel(np.array(true, object)), np.ravel(np.array(value, object))), name


def test_explain_tells_what_every_action_would_do() -> None:
    game = mastaba.game("master_architect", 2)
    state = some_state(game)
    me = state.current_player()
    told = {(name, owner): value for name, owner, value in game.encoder("lookahead").explain(state.observation(me, "lookahead"))}
    for action in range(game.num_actions):
        legal = told["after_legal", game.action_to_string(action)]
        assert legal == [float(action in state.legal_actions())]
        assert len(told["after_lines", game.action_to_string(action)]) == 4


def test_an_observation_of_another_table_is_not_explained(table: Game) -> None:
    for name in ARRAYS:
        encoder = table.encoder(name)
        with pytest.raises(ValueError, match=rf"^{name}: an observation has {encoder.size} numbers, got 3"):
            encoder.explain(np.zeros(3))


# --- planes and tokens -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name_of_encoder", ["planes", "tokens"])
def test_every_number_of_flat_has_a_place(table: Game, name_of_encoder: str) -> None:
    encoder = table.encoder(name_of_encoder)
    sources = type(encoder).sources(table.rules, table.num_players).reshape(-1)  # type: ignore[attr-defined]
    assert set(sources[sources >= 0].tolist()) == set(range(table.encoder().size))
    assert sources.min() >= min(NOTHING, ONE)


def test_rows_of_things_that_are_not_there_vanish() -> None:
    gone = False
    for name in mastaba.GAMES:
        game = mastaba.game(name)
        if any(group.vanishes for group in groups_of(game.rules, game.num_players)):
            gone |= any((state.observation(0, "tokens")[:, 0] == 0).any() for state in testing.positions(game, 8))
    assert gone


def test_a_grid_refuses_cells_that_collide_or_lie_outside() -> None:
    with pytest.raises(ValueError, match="grid: the cells of pyramid must differ and lie within 2 x 2"):
        Grid(2, 2, {"pyramid": (0, 0)})
    with pytest.raises(ValueError, match="must differ and lie within 2 x 2"):
        Grid(2, 2, {"pyramid": (4,)})
    with pytest.raises(ValueError, match="must differ and lie within 2 x 2 on 2 planes"):
        Grid(2, 2, {"pyramid": (3, (4, 8))}, depth=2)


def test_a_feature_refuses_things_that_cannot_share_its_numbers() -> None:
    with pytest.raises(ValueError, match="feature cards: 5 numbers cannot be shared by 2 things"):
        Feature("cards", 5, "", None, things=2)


def test_wrong_declarations_are_refused() -> None:
    import dataclasses

    from mastaba.encoders.lookahead import lookahead_kernel
    from mastaba.encoders.planes import channels_of

    cheops = rules("cheops")
    with pytest.raises(ValueError, match="planes of cheops: nothing is called mummies"):
        channels_of(dataclasses.replace(cheops, planes=Grid(5, 5, {"mummies": (1,)})), 2)
    with pytest.raises(ValueError, match="planes: 7 cells are named for the 15 numbers of pyramid"):
        channels_of(dataclasses.replace(cheops, planes=Grid(5, 5, {"pyramid": tuple(range(7))})), 2)
    with pytest.raises(ValueError, match="lookahead of cheops: rotation must stand once, at every table"):
        lookahead_kernel(dataclasses.replace(cheops, lookahead=(Feature("rotation", 1, "", None, per=OTHER),)))


# --- text --------------------------------------------------------------------------------------------------------------------


def test_text_tells_who_one_is_what_is_decided_and_what_is_legal(table: Game) -> None:
    for state in testing.positions(table, 6, seed=7):
        for player in range(table.num_players):
            text = state.observation(player, "text")
            assert f"You are player {player}." in text
            assert state.to_text(player) in text
            if state.current_player() == player:
                offered = [line.strip() for line in text[text.index("Legal actions:") :].splitlines() if line.startswith("  ")]
                assert offered == [table.action_to_string(a) for a in state.legal_actions()]
            else:
                assert "Legal actions" not in text


def test_a_reply_is_read_if_it_names_one_action(name: str) -> None:
    game = mastaba.game(name)
    for action in range(game.num_actions):
        notation = game.action_to_string(action)
        assert game.parse_reply(notation) == action
        assert game.parse_reply(f"I have thought about it.\nMy choice: **{notation}**, of course.") == action
    with pytest.raises(ValueError, match="no action is written in 'I resign'"):
        game.parse_reply("I resign")
    first, last = game.action_to_string(0), game.action_to_string(game.num_actions - 1)
    with pytest.raises(ValueError, match="more than one action is written in"):
        game.parse_reply(f"either {first} or {last}")


def test_of_notations_inside_each_other_the_longest_counts() -> None:
    table = ActionTable(Range("use", ["use", "use cat", "use cat 2"], ""), Range("bid", ["bid 1", "bid 11"], ""))
    assert table.find("I use cat 2 now") == 2
    assert table.find("I use cat now") == 1
    assert table.find("bid 11") == 4
    with pytest.raises(ValueError, match="more than one action"):
        table.find("use, then bid 1")


# --- Bad input, and encoders of third parties ------------------------------------------------------------------------------------


def test_an_unknown_encoder_is_refused_with_those_there_are(table: Game) -> None:
    with pytest.raises(ValueError, match="observation='radar' is not possible, allowed are 'flat', 'planes', 'tokens', 'text'"):
        table.new_initial_state(seed=1).observation(0, "radar")


@pytest.mark.parametrize("name_of_encoder", FIVE)
def test_an_observer_who_is_not_at_the_table_is_refused(table: Game, name_of_encoder: str) -> None:
    state, n = table.new_initial_state(seed=1), table.num_players
    for wrong in (-1, n):
        with pytest.raises(ValueError, match=rf"^{table.name}: no player {wrong}, players are 0..{n - 1}$"):
            state.observation(wrong, name_of_encoder)
        with pytest.raises(ValueError, match=rf"^{table.name}: no player {wrong}, players are 0..{n - 1}$"):
            table.encoder(name_of_encoder).observe(state, wrong)
    with pytest.raises(ValueError, match="player: "):
        state.observation("first", name_of_encoder)  # type: ignore[arg-type]


def test_a_name_is_given_once() -> None:
    register_encoder("flat", "mastaba.encoders.flat:FlatEncoder")  # the same again is fine
    with pytest.raises(ValueError, match="there is an encoder 'flat' already"):
        register_encoder("flat", "somewhere:Else")
    assert encoder_class("flat").__name__ == "FlatEncoder"
