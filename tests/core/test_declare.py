"""Declarations: what a schema, an action table, a phase table and features give, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mastaba.encoders.flat import FlatEncoder, build_encode, source_of
from mastaba.envs.core.declare.actions import ActionTable, Range
from mastaba.envs.core.declare.features import OTHER, SEAT, Feature, build_writer
from mastaba.envs.core.declare.phases import Phase, PhaseTable
from mastaba.envs.core.declare.schema import NOBODY, OWNER, Field, Schema, bits, choice, count, flag, seat
from mastaba.envs.core.kernel.jit import inlined, kernel
from mastaba.envs.core.kernel.writing import (
    add_scaled,
    part,
    put_bytes,
    put_row,
    write_bits,
    write_counts,
    write_equal,
    write_one_hot,
    write_row,
    write_scaled,
    write_seat,
    write_seat_at_once,
    write_turned,
)
from mastaba.envs.core.rules import Rules


def rules_of(schema: Schema, features: tuple[Feature, ...] = ()) -> Rules:
    """As much of a game as an encoder looks at."""
    nothing: dict[str, Any] = dict.fromkeys(
        ("setup", "legal", "step", "scores", "standings", "determinize", "draw", "violations", "actions")
    )
    return Rules("toy", "Toy", 0, (2, 3), 3, schema, score_scale=1.0, features=features, **nothing)


# --- The schema and what follows from it -------------------------------------------------------------------------------------

SCHEMA = Schema(
    3,
    ("work", "rest"),
    [
        count("gold", "coins", high=10, per_seat=True),
        count("debt", "may be below zero", low=-5, high=5),
        choice("card", "in hand", ("ra", "isis"), per_seat=True, empty=255, sees=OWNER),
        seat("pharaoh", "who rules", empty=255),
        bits("wonders", "built", ("sphinx", "lamp", "garden")),
        flag("night", "it is dark"),
        choice("deck", "to come", ("ra", "isis"), (2,), sees=NOBODY),
    ],
)


def position(**fields: object) -> np.ndarray:
    record = np.zeros(1, SCHEMA.dtype)
    record["num_players"] = 3
    for name, value in fields.items():
        record[name][0] = value
    return record


def test_a_record_is_shown_and_read_back_by_names() -> None:
    record = position(gold=[1, 2, 3], card=[0, 1, 255], pharaoh=255, wonders=5, debt=-2)
    shown = SCHEMA.to_dict(record[0])
    assert shown["card"] == ["ra", "isis", None]
    assert shown["pharaoh"] is None
    assert shown["wonders"] == ["sphinx", "garden"]
    assert shown["debt"] == -2
    assert SCHEMA.from_dict(shown).tobytes() == record.tobytes()


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("gold", [1, 2, 11], "gold: 11 is not in 0..10"),
        ("gold", [1, 2], "gold: expected a list of 3, got 2 values"),
        ("gold", [1, 2, "x"], "gold: expected 0..10, got 'x'"),
        ("card", ["ra", "zeus", None], "card: 'zeus' is none of ra, isis or nothing"),
        ("pharaoh", 3, "pharaoh: 3 is not in a seat or nothing"),
        ("wonders", ["tower"], "wonders: 'tower' is not in a set of sphinx, lamp, garden"),
        ("debt", None, "debt: expected -5..5, got None"),
    ],
)
def test_a_wrong_value_is_refused_by_field(field: str, value: object, complaint: str) -> None:
    values = SCHEMA.to_dict(position()[0])
    with pytest.raises(ValueError, match=complaint):
        SCHEMA.from_dict({**values, field: value})


def encoded(schema: Schema, encoder: FlatEncoder, record: np.ndarray, observer: int) -> np.ndarray:
    encode, out = build_encode(schema), np.full(encoder.size, 9, np.float32)

    @kernel
    def encode_first(records, observer, out):
        return encode(records[0], observer, out)

    assert encode_first(record, observer, out) == encoder.size
    return out


def test_the_flat_observation_follows_the_schema_from_the_observers_seat() -> None:
    encoder = FlatEncoder(rules_of(SCHEMA), 3)
    record = position(gold=[1, 2, 3], card=[0, 1, 255], pharaoh=0, wonders=6, debt=-5, current_player=2, phase=1, night=1)
    out = encoded(SCHEMA, encoder, record, observer=1)
    seen = {s.name: out[s.indices()].ravel().tolist() for s in encoder.slices}
    assert seen["gold"] == pytest.approx([0.2, 0.3, 0.1])
    assert seen["card"] == [0, 1]
    assert seen["pharaoh"] == [0, 0, 1]
    assert seen["current_player"] == [0, 1, 0]
    assert seen["wonders"] == [0, 1, 1]
    assert seen["debt"] == [0]
    assert seen["phase"] == [0, 1]
    assert seen["night"] == [1]
    assert "deck" not in seen


def test_feature_tables_of_any_width_are_copied_whole() -> None:
    for width in (1, 7, 8, 9, 24, 27):
        features = np.arange(1, 2 * width + 1, dtype=np.float32).reshape(2, width) / (2 * width)
        schema = Schema(2, ("only",), [choice("card", "c", ("a", "b"), (2,), empty=255, table=features)])
        encoder, record = FlatEncoder(rules_of(schema), 2), np.zeros(1, schema.dtype)
        record["card"] = [1, 255]
        record["num_players"] = 2
        out = encoded(schema, encoder, record, observer=0)
        assert out[encoder.where("card")].ravel().tolist() == [*features[1].tolist(), *[0.0] * width]


def test_columns_tell_of_every_number_of_a_feature_row() -> None:
    features = np.zeros((2, 3), np.float32)
    assert choice("card", "c", ("a", "b"), table=features, columns=(("colour", 2), ("price", 1))).columns
    with pytest.raises(ValueError, match="'card': its columns tell of 2 numbers, a row of its table has 3"):
        choice("card", "c", ("a", "b"), table=features, columns=(("colour", 2),))


def test_an_action_table_lays_ranges_end_to_end() -> None:
    table = ActionTable(Range("go", ["go left", "go right"], "move"), Range("stop", ["stop"], "rest"))
    assert len(table) == 3
    assert table.start("stop") == 2
    assert [table.kind_of(a) for a in range(3)] == ["go", "go", "stop"]
    assert table.parse("  GO   Left ") == 0
    with pytest.raises(ValueError, match="two actions share a notation"):
        ActionTable(Range("a", ["x"], ""), Range("b", ["x"], ""))


@pytest.mark.parametrize(
    ("declare", "complaint"),
    [
        (lambda: choice("card", "", ("a", "b"), dtype="u1", empty=-1), "field 'card': u1 holds 0..255, not -1"),
        (lambda: seat("owner", "", dtype="u1", empty=-1), "field 'owner': u1 holds 0..255, not -1"),
        (lambda: count("gold", "", high=300, dtype="u1"), "field 'gold': u1 holds 0..255, not 300"),
        (lambda: choice("card", "", [f"c{i}" for i in range(300)], dtype="u1"), "field 'card': u1 holds 0..255, not 299"),
        (lambda: count("gold", "", high=3, sees="me"), "field 'gold': sees='me' is not possible, allowed are 'everybody'"),
        (lambda: count("gold", "", high=3, sees=OWNER), "field 'gold': only a field with a row per seat has an owner"),
        (lambda: choice("card", "", ("a", "b", "a")), "field 'card': two of its names are the same: a"),
        (lambda: choice("card", "", ()), "field 'card': it needs names"),
        (lambda: Field("x", "number", ""), "field 'x': kind 'number' is none of count, flag, choice, seat, bits"),
        (lambda: Schema(2, ("only",), [flag("night", ""), flag("night", "")]), "two fields of a schema share a name"),
        (lambda: ActionTable(Range("go", ["a"], ""), Range("go", ["b"], "")), "two ranges of actions are of the kind 'go'"),
        (lambda: Feature("x", 0, "", None), "feature x: a size of at least 1 is needed, got 0"),
        (
            lambda: Feature("x", 1, "", None, per="table"),
            "feature x: per='table' is not possible, allowed are 'once'",
        ),
    ],
)
def test_a_wrong_declaration_is_refused_where_it_is_made(declare: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        declare()


def test_a_negative_nothing_makes_a_field_signed_and_many_names_a_wider_one() -> None:
    assert choice("card", "", ("a", "b"), empty=-1).dtype == "i1"
    assert seat("owner", "", empty=-1).dtype == "i1"
    assert choice("card", "", ("a", "b"), empty=255).dtype == "u1"
    assert choice("card", "", [f"c{i}" for i in range(300)]).dtype == "i2"


# --- Phases ------------------------------------------------------------------------------------------------------------------

ACTIONS = ActionTable(
    Range("bid", ["bid 0", "bid 1", "bid 2"], ""), Range("pass", ["pass"], ""), Range("go", ["left", "right"], "")
)


@kernel
def legal_two(s, mask):
    mask[0] = mask[1] = 1
    return 2


@kernel
def legal_none(s, mask):
    return 0


@kernel
def remember(s, choice):
    s.debt = choice


def phase_table(*phases: Phase) -> PhaseTable:
    return PhaseTable(("work", "rest", "end"), ACTIONS, *phases)


WORK, REST = Phase(0, legal_two, remember, ("bid", "pass")), Phase(1, legal_none, remember, "go")


def test_a_phase_is_handed_the_action_counted_from_its_kind_or_whole_if_it_has_several() -> None:
    table = phase_table(WORK, REST)
    legal, do = table.legal, table.do

    @kernel
    def legal_first(records, mask):
        return legal(records[0], mask)

    @kernel
    def do_first(records, action):
        do(records[0], action)

    mask = np.zeros(8, np.int8)
    for phase, action, told, count_of_legal in ((0, 2, 2, 2), (1, 5, 1, 0)):
        record = position(phase=phase)
        do_first(record, action)
        assert record["debt"][0] == told
        assert legal_first(record, mask) == count_of_legal
    assert table.of_kind("go") == "rest"
    assert table.offers(0).tolist() == [True, True, True, True, False, False]


@pytest.mark.parametrize(
    ("phases", "complaint"),
    [
        ((WORK,), r"missing \['rest'\]"),
        ((WORK, REST, REST), r"twice or unknown \[1\]"),
        ((WORK, Phase(7, legal_two, remember, "go")), r"missing \['rest'\], twice or unknown \[7\]"),
        ((WORK, Phase(1, legal_two, remember, "fly")), "phase 'rest': no kind of action 'fly', there are bid, pass, go"),
    ],
)
def test_a_phase_that_is_none_or_missing_is_refused(phases: tuple[Phase, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        phase_table(*phases)


# --- Features ----------------------------------------------------------------------------------------------------------------


@inlined
def write_night(s, me, out):
    out[0] = s.night


@inlined
def write_gold(s, me, p, out):
    out[0] = s.gold[p] / 10
    out[1] = p == me


def test_features_stand_once_per_seat_or_per_other_with_offsets_from_their_sizes() -> None:
    features = (
        Feature("dark", 1, "it is dark", write_night),
        Feature("purse", 2, "gold by 10, whether it is the observer", write_gold, per=SEAT),
        Feature("duel", 1, "only at a table of two", write_night, at=(2,)),
        Feature("rivals", 2, "as purse", write_gold, per=OTHER),
    )
    record = position(gold=[1, 2, 3], night=1)
    encoder = FlatEncoder(rules_of(SCHEMA, features), 3)
    out = encoder.look(record, np.array([1]))[0]
    assert out[encoder.where("purse")] == pytest.approx(np.array([[0.2, 1], [0.3, 0], [0.1, 0]]))
    assert out[encoder.where("rivals")] == pytest.approx(np.array([[0.3, 0], [0.1, 0]]))
    assert out[encoder.where("dark")].tolist() == [[1]]
    assert encoder.where("rivals").max() == encoder.size - 1
    with pytest.raises(ValueError, match=r"flat: nothing is called 'duel', there are .*purse"):
        encoder.where("duel")
    told = {(name, owner): value for name, owner, value in encoder.explain(out)}
    assert told["gold", "me"] == 2
    assert told["rivals", "me+2"] == pytest.approx([0.1, 0])


def test_a_feature_row_ends_where_the_declaration_says() -> None:
    """So a writer that goes too far is caught when bounds are checked."""
    sizes = []

    @inlined
    def write_length(s, me, out):
        out[0] = len(out)

    for size in (1, 5):
        write = build_writer((Feature("x", size, "", write_length),))

        @kernel
        def write_first(records, out):
            return write(records[0], 0, out, 2)  # noqa: B023

        out = np.zeros(20, np.float32)
        assert write_first(position(), out) == 2 + size
        sizes.append(out[2])
    assert sizes == [1, 5]


def test_writers_fill_their_whole_row() -> None:
    @kernel
    def write_all(members, counts, value, who, rows):
        write_bits(members, rows[0][:19])
        write_counts(counts, 0.5, rows[1][:3])
        write_one_hot(value, rows[2][:4])
        write_seat(who, 2, rows[3][:4])

    rows = np.full((4, 19), 9, np.float32)
    write_all(np.uint64(0b1010000000000000001), np.array([1, 2, 4]), 3, 1, rows)
    assert rows[0].tolist() == [1, *[0] * 15, 1, 0, 1]
    assert rows[1, :3].tolist() == [0.5, 1, 2]
    assert rows[2, :4].tolist() == [0, 0, 0, 1]
    assert rows[3, :4].tolist() == [0, 0, 0, 1]
    write_all(np.uint64(0), np.array([0, 0, 0]), -1, 255, rows)
    assert not rows[:, :3].any()
    assert (rows[1:, 4:] == 9).all()


def test_rows_of_every_length_are_written_in_pieces_and_nothing_beyond() -> None:
    """Sizes from 1 to 40: eights, a rest that is a power of two, and one that overlaps."""

    @kernel
    def write(members, value, table, index, rows, size):
        write_bits(members, rows[0][1 : 1 + size])
        write_one_hot(value, rows[1][1 : 1 + size])
        write_row(table, index, rows[2][1 : 1 + size])

    members, table = 0xB5E9_3A71_C64D_9A17, np.arange(200, dtype=np.float32).reshape(5, 40)
    for size in range(1, 41):
        rows = np.full((3, 48), 77, np.float32)
        write(np.uint64(members), size - 1, table[:, :size].copy(), 3, rows, size)
        assert rows[0, 1 : 1 + size].tolist() == [members >> i & 1 for i in range(size)], size
        assert rows[1, 1 : 1 + size].tolist() == [0] * (size - 1) + [1], size
        assert rows[2, 1 : 1 + size].tolist() == table[3, :size].tolist(), size
        assert (rows[:, 0] == 77).all(), size
        assert (rows[:, 1 + size :] == 77).all(), size


def test_a_seat_is_written_at_once_only_if_enough_follows() -> None:
    """Eight numbers are written, and what follows writes over those that are no seats."""
    few = Schema(3, ("only",), [seat("starter", "who began"), count("round", "rounds", 9, shape=(7,))])
    enough = Schema(3, ("only",), [seat("starter", "who began"), count("round", "rounds", 9, shape=(8,))])
    assert "write_seat_at_once(s.starter" not in source_of(few)
    assert "write_seat_at_once(s.starter" in source_of(enough)
    last = Schema(3, ("only",), [count("round", "rounds", 9, shape=(8,)), seat("starter", "who began")])
    assert "write_seat_at_once(s.starter" not in source_of(last)


def test_rows_of_tables_are_put_and_nothing_beyond() -> None:
    @kernel
    def write(tables, narrow, index, out):
        put_row(tables, index, part(out, 1, 23), 23)
        put_row(narrow, index, part(out, 30, 5), 5)

    wide, narrow = np.arange(115, dtype=np.float32).reshape(5, 23), np.arange(25, dtype=np.float32).reshape(5, 5)
    out = np.full(40, 777, np.float32)
    write(wide, narrow, 3, out)
    assert out.tolist() == [777, *wide[3].tolist(), *[777] * 6, *narrow[3].tolist(), *[777] * 5]


def test_a_seat_at_once_writes_eight_numbers() -> None:
    @kernel
    def write(seat, me, n, out):
        write_seat_at_once(seat, me, n, out)

    for who, me, n, wanted in [(1, 2, 4, 3), (2, 2, 4, 0), (0, 1, 2, 1), (-1, 2, 4, None), (255, 0, 5, None), (4, 1, 4, None)]:
        out = np.full(12, 77, np.float32)
        write(who, me, n, out)
        assert out.tolist() == [i == wanted for i in range(8)] + [77] * 4


def test_what_is_equal_and_what_is_added_fill_their_row() -> None:
    @kernel
    def write(values, out, words):
        write_equal(values, -1, part(out, 0, 12), 12)
        write_scaled(values, np.float32(0.5), part(out, 12, 5), 5)
        add_scaled(values, np.float32(0.25), part(out, 12, 5), 5)
        put_bytes(np.uint64(0x0807060504030201), 0.5, words, 1, 6)
        put_bytes(np.uint64(0xFFFF000000000003), 0.25, words, 7, 1)

    values = np.array([-1, 2, 3, -1, 4, 5, -1, 6, 7, 8, 9, -1], np.int8)
    out, words = np.full(20, 77, np.float32), np.full(9, 77, np.float32)
    write(values, out, words)
    assert out[:12].tolist() == [value == -1 for value in values.tolist()]
    assert out[12:17].tolist() == [0.75 * value for value in values[:5].tolist()]
    assert (out[17:] == 77).all()
    assert words.tolist() == [77, 0.5, 1, 1.5, 2, 2.5, 3, 0.75, 77]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_a_row_is_turned_and_nothing_beyond_is_written(dtype: type) -> None:
    @kernel
    def write(six, eight, turn, out):
        write_turned(six, turn, 0.25, part(out, 1, 6), 6)
        write_turned(eight, turn, 0.5, part(out, 8, 8), 8)

    counts: np.ndarray = np.array([200, 1, 2, 3, 4, 5, 6, 7]).astype(dtype)
    for turn in range(6):
        out = np.full(17, 77, np.float32)
        write(counts[:6].copy(), counts, turn, out)
        assert out[1:7].tolist() == [0.25 * counts[(i + turn) % 6] for i in range(6)]
        assert out[8:16].tolist() == [0.5 * counts[(i + turn) % 8] for i in range(8)]
        assert (out[[0, 7, 16]] == 77).all()


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64])
def test_a_row_of_counts_is_written_at_once_and_nothing_beyond(dtype: type) -> None:
    @kernel
    def write(counts, out):
        write_scaled(counts, np.float32(0.1), out, 21)

    counts: np.ndarray = np.array([(7 * i) % 11 - (dtype is np.int8) * i for i in range(21)]).astype(dtype)
    if dtype is np.uint8:
        counts[3] = 200
    out = np.full(30, 77, np.float32)
    write(counts, out)
    assert np.array_equal(out[:21], counts.astype(np.float32) * np.float32(0.1))
    assert (out[21:] == 77).all()
