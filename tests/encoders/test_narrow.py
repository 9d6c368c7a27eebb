"""`observation_dtype`: the same observations in fewer bytes. float16 is rounded, uint8 is exact or refused."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from encoders.crowds import crowd, observers
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

import mastaba
from mastaba import Game
from mastaba.encoders import Encoder
from mastaba.envs.core.declare.features import Feature
from mastaba.envs.core.kernel import writing
from mastaba.envs.core.kernel.jit import kernel
from mastaba.envs.core.narrow import DTYPES, NarrowEncoder
from mastaba.envs.faces.gymnasium import SeatEnv
from mastaba.envs.faces.pettingzoo import BoardGameEnv
from mastaba.envs.faces.vector import Duel

EXACT = ("cheops", "giza", "master_architect")  # every number of `flat` fits into a byte
GAME = "cheops"


def wide_and_narrow(game: Game, name: str, dtype: str) -> tuple[NarrowEncoder, np.ndarray, np.ndarray]:
    """What the players to act see of some hundred positions, a row each."""
    states, narrow = crowd(game, 400), game.encoder(name, dtype)
    assert isinstance(narrow, NarrowEncoder)
    wide = game.encoder(name).look(states, observers(states))
    seen = narrow.look(states, observers(states))
    assert seen.dtype == np.dtype(dtype) == narrow.space.dtype
    assert seen.shape == wide.shape
    return narrow, wide, seen


@pytest.mark.parametrize("observation", ["flat", "planes", "tokens", "lookahead"])
def test_halves_are_the_numbers_rounded_to_the_nearest(observation: str) -> None:
    for game in map(mastaba.game, (GAME,) if observation == "lookahead" else mastaba.GAMES):
        narrow, wide, seen = wide_and_narrow(game, observation, "float16")
        assert np.array_equal(seen, wide.astype(np.float16))
        assert np.abs(narrow.widen(seen) - wide).max() <= 2**-12


def test_bytes_times_the_unit_of_the_space_are_the_numbers(table: Game) -> None:
    if table.name not in EXACT:
        return
    for name in ("flat", "planes", "tokens"):
        narrow, wide, seen = wide_and_narrow(table, name, "uint8")
        high = narrow.space.high  # type: ignore[attr-defined]
        assert np.abs(wide * high - seen).max() < 1e-4, "whole numbers"
        assert (seen <= high).all()
        assert np.abs(seen / high.astype(np.float32) - wide).max() < 1e-6
        assert narrow.space.contains(seen[0])


def test_features_are_whole_in_their_units_and_what_is_0_or_1_has_the_unit_1(table: Game) -> None:
    flat, states = table.encoder(), crowd(table, 400)
    units, seen = flat.units(), flat.look(states, observers(states))
    for s in (s for s in flat.slices if s.name in {f.name for f in table.rules.features}):
        columns = s.indices().ravel()
        for unit in set(units[columns].tolist()) - {0}:
            numbers = unit * seen[:, columns[units[columns] == unit]]
            assert np.abs(numbers - np.rint(numbers)).max() < 1e-3, s.name
            assert unit == 1 or not numbers.any() or not np.isin(numbers, (0, unit)).all(), s.name


UNFIT = {"pyramids": "exposed, whereabouts, hand_expected, ...", "pyramidice": "sheet, cult"}


@pytest.mark.parametrize("make", [BoardGameEnv, SeatEnv, Duel, partial(mastaba.vector.make, num_envs=2)])
@pytest.mark.parametrize("game", UNFIT)
def test_what_bytes_cannot_hold_is_refused_with_what_is_allowed(game: str, make: Callable[..., Any]) -> None:
    refused = f"observation_dtype='uint8' is not possible for 'flat' of {game}, allowed are 'float32', 'float16'"
    with pytest.raises(ValueError, match=f"^{refused}: bytes cannot hold {re.escape(UNFIT[game])} exactly$"):
        make(game, observation_dtype="uint8")


def test_mistakes_are_answered_with_one_line() -> None:
    game = mastaba.game(GAME)
    with pytest.raises(ValueError, match=r"^observation_dtype='int4' is not possible, allowed are 'float32', 'float16', 'uint8'$"):
        mastaba.vector.make(GAME, 2, observation_dtype="int4")
    with pytest.raises(ValueError, match=r"^observation_dtype='uint8' is not possible for 'text': it is not made of numbers$"):
        game.encoder("text", "uint8")
    with pytest.raises(
        ValueError, match=r"not possible for 'lookahead' of cheops, .* cannot hold after_legal, after_score, after_margin"
    ):
        game.encoder("lookahead", "uint8")
    with pytest.raises(ValueError, match=r"feature dice: by=\(4, 6\) is no unit of 3 numbers"):
        Feature("dice", 3, "", None, by=(4, 6))


@pytest.mark.parametrize("dtype", ["float16", "uint8"])
@pytest.mark.parametrize("observation", ["flat", "planes", "tokens"])
def test_every_number_is_written(observation: str, dtype: str) -> None:
    game = mastaba.game("giza")
    narrow, states = game.encoder(observation, dtype), crowd(game, 50)
    seats, rows = observers(states), narrow.buffer(50)
    rows[:] = 77
    narrow._show_to(states, seats, rows)
    assert np.array_equal(narrow.shaped(rows), narrow.look(states, seats))


def test_narrow_observations_are_told_as_wide_ones() -> None:
    game = mastaba.game(GAME)
    state = game.new_initial_state(seed=3)
    wide = game.encoder()
    for dtype in ("float16", "uint8"):
        narrow: Encoder = game.encoder("flat", dtype)
        told = {line[:2]: line[2] for line in narrow.explain(narrow.observe(state, 1))}
        for name, owner, value in wide.explain(wide.observe(state, 1)):
            assert (
                np.ravel(told[name, owner]).tolist() == pytest.approx(np.ravel(value).tolist(), abs=2**-11)
                or told[name, owner] == value
            )
        assert np.array_equal(narrow.where("jokers"), wide.where("jokers"))
        assert narrow.describe() == wide.describe()
        assert pickle.loads(pickle.dumps(narrow)).space == narrow.space


# --- Interfaces --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_batches_show_what_a_state_shows(dtype: str) -> None:
    env = mastaba.vector.make(GAME, 4, num_players=3, observation_dtype=dtype, seed=6)
    for _ in range(30):
        env.step(env.sample_actions())
    encoder = env.game.encoder("flat", dtype)
    for batch in (env, copy.deepcopy(env)):
        assert batch.observations.dtype == encoder.space.dtype == np.dtype(dtype)
        assert batch.single_observation_space == encoder.space
        for i in range(4):
            state = batch.game_state(i)
            assert np.array_equal(batch.observations[i], encoder.observe(state, state.current_player()))


def test_interfaces_show_what_their_spaces_say() -> None:
    dtype = "uint8"
    several = Duel(GAME, 3, num_players=2, seat=0, observation_dtype=dtype)
    seen: Any = several.reset(seed=5)[0]
    for _ in range(20):
        assert several.observation_space.contains(seen)
        seen = several.step(several.sample_actions())[0]
    one = SeatEnv(GAME, num_players=2, seat=0, observation_dtype=dtype)
    seen, info = one.reset(seed=5)
    everybody = BoardGameEnv(GAME, num_players=2, observation_dtype=dtype)
    everybody.reset(seed=5)
    for _ in range(10):
        assert one.observation_space.contains(seen)
        seen, _, _, _, info = one.step(int(info["action_mask"].argmax()))
        told = everybody.last()[0]
        assert everybody.observation_space(everybody.agent_selection).contains(told)
        everybody.step(int(told["action_mask"].argmax()))


# --- Machines without halves ---------------------------------------------------------------------------------------------------


@intrinsic
def half_bits(typing_context, number):
    """As kernels make them where the machine has no instruction for it."""

    def codegen(context, builder, signature, args):
        whole = ir.VectorType(ir.FloatType(), 1)
        lane = ir.Constant(ir.IntType(32), 0)
        bits = writing._half_bits(builder, builder.insert_element(ir.Constant(whole, ir.Undefined), args[0], lane), 1)
        return builder.trunc(builder.extract_element(bits, lane), ir.IntType(16))

    return types.uint16(types.float32), codegen


@kernel
def all_half_bits(numbers, out):
    for i in range(len(out)):
        out[i] = half_bits(numbers[i])


def test_halves_without_the_instruction_are_the_same() -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)
    every = np.sort(every[np.abs(every) <= 1])
    between = (every[1:] + every[:-1]) / 2  # ties
    numbers = np.concatenate([every, between, np.nextafter(between, np.float32(2)), np.nextafter(between, np.float32(-2))])
    out = np.zeros(len(numbers), np.uint16)
    all_half_bits(numbers, out)
    assert np.array_equal(out.view(np.float16), numbers.astype(np.float16))
