"""Ordinary mistakes, in every interface: each is answered with one line that names what is allowed."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

import gymnasium
import numpy as np
import pytest

import mastaba
from mastaba import IllegalActionError
from mastaba.envs.faces.registration import gymnasium_id
from mastaba.envs.registry import rules

GAME = "pyramids"


def versioned():
    return import_module(f"mastaba.envs.{rules(GAME).versioned_name}")


def self_play(**settings):
    return mastaba.vector.make(GAME, num_envs=2, **settings)


def single(**settings):
    return gymnasium.make(gymnasium_id(GAME), **settings)


def several(**settings):
    return gymnasium.make_vec(gymnasium_id(GAME), num_envs=2, **settings)


INTERFACES = {
    "pettingzoo": lambda **s: versioned().env(**s),
    "pettingzoo, wrapped": lambda **s: versioned().wrapped_env(**s),
    "pettingzoo, parallel": lambda **s: versioned().parallel_env(**s),
    "gymnasium": single,
    "gymnasium, vector": several,
    "self-play": self_play,
    "state": lambda num_players=None, **options: mastaba.game(GAME, num_players, **options),
}
OF_LIBRARIES = {  # those that are installed: CI has environments with each of them
    "stable_baselines3": ("sb3", lambda **s: mastaba.sb3.DuelVecEnv(GAME, 2, **s)),
    "ray": ("rllib", lambda **s: mastaba.rllib.env({"game": GAME, **s})),
    "pyspiel": ("openspiel", lambda num_players=None, **options: mastaba.openspiel.load(GAME, num_players, **options)),
}
INTERFACES |= dict(interface for library, interface in OF_LIBRARIES.items() if find_spec(library))
OPTIONS_ONLY = [INTERFACES[name] for name in ("state", "openspiel") if name in INTERFACES]
WITH_OPPONENTS = [name for name in ("gymnasium", "gymnasium, vector", "sb3") if name in INTERFACES]

everywhere = pytest.mark.parametrize("make", INTERFACES.values(), ids=INTERFACES)
with_opponents = pytest.mark.parametrize("make", [INTERFACES[name] for name in WITH_OPPONENTS], ids=WITH_OPPONENTS)


def one_line(error: BaseException) -> str:
    assert len(str(error).splitlines()) == 1
    return str(error)


@everywhere
def test_a_misspelt_setting(make) -> None:
    with pytest.raises(TypeError, match=r"no option 'rewrad'") as caught:
        make(rewrad="margin")
    line = one_line(caught.value)
    if make not in OPTIONS_ONLY:
        assert "unexpected keyword argument 'rewrad'" in line  # TorchRL looks for these words
        assert "settings are" in line
        assert "reward" in line


@everywhere
@pytest.mark.parametrize(
    ("num_players", "complaint"),
    [("2", "a whole number is needed, got '2'"), (2.0, "a whole number is needed, got 2.0"), (9, "9 players are not possible")],
)
def test_a_wrong_number_of_players(make, num_players, complaint: str) -> None:
    with pytest.raises(ValueError, match="allowed are 2, 3, 4, 5") as caught:
        make(num_players=num_players)
    assert complaint in one_line(caught.value)


@everywhere
@pytest.mark.parametrize("setting", ["reward", "observation", "illegal", "terminal_mask"])
def test_a_wrong_value(make, setting: str) -> None:
    if make is INTERFACES["pettingzoo, wrapped"] and setting == "illegal":
        make = INTERFACES["pettingzoo"]  # the wrappers have their own way with illegal actions
    if make in OPTIONS_ONLY:
        make = INTERFACES["pettingzoo"]  # a state has options only
    with pytest.raises(ValueError, match=f"{setting}='nonsense' is not possible, allowed are '") as caught:
        make(**{setting: "nonsense"})
    one_line(caught.value)


@with_opponents
def test_a_wrong_seat(make) -> None:
    for seat in (9, "first", 1.0, None):
        with pytest.raises(ValueError, match=r"seat=.* is not possible, allowed are 'random', 0, 1, 2, 3") as caught:
            make(seat=seat)
        one_line(caught.value)


@with_opponents
def test_a_wrong_opponent(make) -> None:
    with pytest.raises(ValueError, match="no agent 'wizard' for pyramids, allowed are random, greedy") as caught:
        make(opponents="wizard")
    one_line(caught.value)


def act_parallel(env, action) -> None:
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, action))


def act_single(env, action) -> None:
    env.reset(seed=1)
    env.step(action)


def act_batch(env, action) -> None:
    env.reset(seed=1)
    env.step(np.array([action, action]))


def act_sb3(env, action) -> None:
    env.reset()
    env.step(np.array([action, action]))


def act_rllib(env, action) -> None:
    observations, _ = env.reset(seed=1)
    env.step(dict.fromkeys(observations, action))


def act_state(game, action) -> None:
    game.new_initial_state(seed=1).apply_action(action)


ACTING = {
    "pettingzoo": act_single,
    "pettingzoo, parallel": act_parallel,
    "gymnasium": act_single,
    "gymnasium, vector": act_batch,
    "self-play": act_batch,
    "state": act_state,
    "sb3": act_sb3,
    "rllib": act_rllib,
}
ACTING = {name: act for name, act in ACTING.items() if name in INTERFACES}

RESET_MISSING = {
    "pettingzoo, step": lambda: INTERFACES["pettingzoo"]().step(0),
    "pettingzoo, last": lambda: INTERFACES["pettingzoo"]().last(),
    "pettingzoo, agent_iter": lambda: next(iter(INTERFACES["pettingzoo"]().agent_iter())),
    "pettingzoo, observe": lambda: INTERFACES["pettingzoo"]().observe("player_0"),
    "pettingzoo, render": lambda: INTERFACES["pettingzoo"](render_mode="ansi").render(),
    "pettingzoo, parallel": lambda: INTERFACES["pettingzoo, parallel"]().step({}),
    "gymnasium, step": lambda: single().step(0),
    "gymnasium, render": lambda: single(render_mode="ansi").render(),
    "gymnasium, vector": lambda: several().step(np.zeros(2, int)),
    "gymnasium, vector render": lambda: several(render_mode="ansi").render(),
}
if "sb3" in INTERFACES:
    RESET_MISSING["sb3"] = lambda: INTERFACES["sb3"]().step(np.zeros(2, int))


@pytest.mark.parametrize("use", RESET_MISSING.values(), ids=RESET_MISSING)
def test_a_missing_reset(use) -> None:
    with pytest.raises(RuntimeError, match=r"call reset\(\)") as caught:
        use()
    one_line(caught.value)


@pytest.mark.parametrize("interface", ACTING)
def test_an_unmasked_action_with_raise(interface: str) -> None:
    settings = {} if interface == "state" else {"illegal": "raise"}
    with pytest.raises(IllegalActionError, match=r"is not legal.*legal are") as caught:
        ACTING[interface](INTERFACES[interface](**settings), 40)
    one_line(caught.value)


@pytest.mark.parametrize("interface", ACTING)
@pytest.mark.parametrize("action", [1.7, "1", float("nan"), None])
def test_an_action_that_is_no_number(interface: str, action) -> None:
    with pytest.raises(ValueError, match=r"whole number|an action is needed") as caught:
        ACTING[interface](INTERFACES[interface](), action)
    one_line(caught.value)


@pytest.mark.parametrize("interface", ["pettingzoo", "gymnasium", "gymnasium, vector", "self-play"])
@pytest.mark.parametrize("seed", [1.5, "1", True])
def test_a_seed_that_is_no_number(interface: str, seed) -> None:
    env = INTERFACES[interface]()
    with pytest.raises((ValueError, gymnasium.error.Error), match="seed"):
        env.reset(seed=seed)


@pytest.mark.parametrize("interface", ["pettingzoo", "gymnasium", "gymnasium, vector", "self-play"])
def test_numpys_numbers_are_numbers(interface: str) -> None:
    INTERFACES[interface]().reset(seed=np.int64(3).item() if interface == "gymnasium" else np.int64(3))
    two, one, nobody, five = np.int64(2), np.uint8(1), np.int8(0), np.int64(5)
    state = mastaba.game(GAME).new_initial_state(seed=two, episode=one)  # type: ignore[arg-type]
    redrawn = state.determinize(nobody, seed=five)  # type: ignore[arg-type]
    redrawn.apply_action(np.int64(state.legal_actions()[0]))  # type: ignore[arg-type]


def test_which_games_to_reset() -> None:
    batch = self_play()
    for which in (True, [1, 0], np.array([True]), np.array([False, False])):
        with pytest.raises(ValueError, match="2 truth values are needed"):
            batch.reset(which=which)


def test_a_wrong_reward_before_the_end_and_a_tournament_of_no_games() -> None:
    from mastaba.baselines.agents import agent
    from mastaba.baselines.tournament import evaluate

    game = mastaba.game(GAME)
    with pytest.raises(ValueError, match="reward='nope' is not possible"):
        game.new_initial_state(seed=1).returns("nope")
    with pytest.raises(ValueError, match="games"):
        evaluate(game, agent(game, "random", 1), agent(game, "random", 2), games=0)


@pytest.mark.parametrize(
    ("short", "library", "extra"),
    [("sb3", "stable_baselines3", "train"), ("rllib", "ray", "ray"), ("openspiel", "pyspiel", "openspiel")],
)
def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, short: str, library: str, extra: str) -> None:
    for module in [m for m in sys.modules if m == library or m.startswith(f"{library}.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"mastaba.envs.faces.{short}", raising=False)
    with pytest.raises(
        ImportError, match=rf'this needs {library}.*, which is not installed: pip install "mastaba\[{extra}\]"'
    ) as caught:
        getattr(mastaba, short)
    one_line(caught.value)


def test_short_names_are_there() -> None:
    from mastaba import testing, vector

    assert (testing.__name__, vector.make.__name__) == ("mastaba.testing", "make")
    assert {"openspiel", "rllib", "sb3", "testing", "vector"} <= set(mastaba.__all__)


def test_a_forfeited_position_is_the_same_everywhere_and_can_be_kept() -> None:
    env, many, batch = (
        single(num_players=2, seat=0),
        several(num_players=2, seat=0),
        self_play(num_players=2, autoreset_mode="disabled"),
    )
    aec = INTERFACES["pettingzoo"](num_players=2)
    for each in (env, many, batch, aec):
        each.reset(seed=3)
    first = aec.game_state.current_player() == 0  # otherwise the opponents have moved
    env.step(40), many.step(np.array([40, 40])), batch.step(np.array([40, 40])), aec.step(40)
    ends = [aec.game_state, batch.game_state(0), *([env.unwrapped.game_state, many.unwrapped.game_state(0)] if first else [])]
    for end in ends:
        assert end.is_terminal()
        assert end.serialize() == ends[0].serialize()
        assert end.game.deserialize(end.serialize()) == end
    assert len(ends) == 4
