"""Long runs count what they try, look at every table, and notice what the battery notices."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from mastaba import Game, game
from mastaba.cli import app
from mastaba.envs.registry import rules
from mastaba.testing.fuzz import STRANGE, dict_mutants, transplant
from mastaba.testing.toy import RULES
from mastaba.testing.volume import long_play, many_mutants, tables
from mastaba.testing.walks import positions


def names_nothing(s: np.void) -> Iterator[tuple[str, str]]:
    if next(RULES.violations(s), None):
        yield "the moon", "is wrong"


def finds_late_games_wrong(s: np.void) -> Iterator[tuple[str, str]]:
    if s["decisions"] > 5:
        yield "decisions", "too many"


def test_a_sound_game_has_no_findings_and_everything_is_counted() -> None:
    toy = Game(RULES, 3)
    dictionaries, byte_strings = many_mutants(toy, 150, 50, seed=3)
    assert (dictionaries.tried, byte_strings.tried) == (150, 50)
    assert 0 < dictionaries.accepted < 150
    played = long_play(toy, 30_000, seed=3)
    assert played.tried >= 30_000
    assert played.accepted >= 64
    assert dictionaries.findings == byte_strings.findings == played.findings == []


def test_a_game_that_is_wrong_has_findings() -> None:
    dictionaries, byte_strings = many_mutants(Game(replace(RULES, violations=names_nothing), 3), 150, 50, seed=3)
    assert all("names no field: the moon" in words for words in dictionaries.findings + byte_strings.findings)
    assert dictionaries.findings
    assert byte_strings.findings
    played = long_play(Game(replace(RULES, violations=finds_late_games_wrong), 3), 20_000, seed=3)
    assert "breaks an invariant, decisions" in played.findings[0]


def test_every_table_and_every_choice_of_an_option_is_one() -> None:
    assert [t.num_players for t in tables(rules("giza"))] == [3, 4]
    solo = {t.options["architect"] for t in tables(rules("pyramidice"), [1])}
    assert solo == set(rules("pyramidice").options["architect"].values)
    assert len(tables(rules("cheops"))) == 2 * 4


def test_mutants_of_another_seed_are_others() -> None:
    states = positions(Game(RULES, 3), 24)
    one, again, other = (list(map(repr, dict_mutants(states, 40, seed))) for seed in (1, 1, 2))
    assert [line for line in one if "object at" not in line] == [line for line in again if "object at" not in line]
    assert len(set(one) & set(other)) < 10


def test_a_transplant_takes_fields_of_the_other_position_only() -> None:
    toy = Game(RULES, 3)
    first, *_, last = positions(toy, 24)
    values, donor = first.to_dict(), last.to_dict()
    for seed in range(20):
        mutant = transplant(toy, values, donor, np.random.default_rng(seed))
        taken = [name for name in mutant if mutant[name] != values[name]]
        assert 1 <= len(taken) <= 4
        assert all(mutant[name] == donor[name] for name in taken)


def test_whatever_stands_in_a_field_it_is_a_value_or_refused_by_name(name: str) -> None:
    table = game(name)
    values = table.new_initial_state(seed=1).to_dict()
    for field in values:
        for strange in (s for s in STRANGE if type(s) not in (int, bool, list, type(None))):
            with pytest.raises(ValueError, match=rf"^{field}: "):
                table.from_dict({**values, field: strange})


def test_a_mapping_that_cannot_be_read_is_refused() -> None:
    class Broken(UserDict):
        def __getitem__(self, key: object) -> object:
            raise RuntimeError("no")

    with pytest.raises(ValueError, match=r"^values: this Broken cannot be read: RuntimeError"):
        game("cheops").from_dict(Broken(phase=1))


def test_bits_without_a_meaning_are_refused() -> None:
    table = game("cheops", num_players=2)
    state = table.new_initial_state(seed=1)
    for field, value in (("keystone", 2), ("over", 254), ("mosaic", 1 << 12)):
        record = state.record.copy()
        record[field].flat[0] |= np.array(value, record[field].dtype)
        with pytest.raises(ValueError, match=f"^{field}: "):
            table.deserialize(record.tobytes())


def test_the_command_tells_what_was_tried_and_finds_nothing() -> None:
    few = ["--mutants", "20", "--bytes", "10", "--decisions", "1000", "-n", "2"]
    result = CliRunner().invoke(app, ["fuzz", "cheops", *few])
    assert result.exit_code == 0, result.output
    assert "dictionaries: 10 tried" in result.stdout
    assert "byte strings: 5 tried" in result.stdout
    assert result.stdout.endswith("cheops: nothing found\n")
