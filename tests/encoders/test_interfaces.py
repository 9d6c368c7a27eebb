"""`observation=` means the same in every interface, for the five encoders and for those of third parties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box

import mastaba
from mastaba import Game
from mastaba.encoders import Encoder, encoder_names, register_encoder
from mastaba.envs.core.kernel.jit import inlined
from mastaba.envs.core.observing import Slice
from mastaba.envs.core.rules import Rules
from mastaba.envs.faces.gymnasium import SeatEnv
from mastaba.envs.faces.pettingzoo import BoardGameEnv
from mastaba.envs.faces.registration import gymnasium_id
from mastaba.envs.faces.vector import Duel, SelfPlay

GAME = "cheops"


@inlined
def show_phase(s, observer, out):
    out[0] = s.phase / 8
    out[1] = observer == s.current_player


class PhaseOnly(Encoder):
    """What a third party might write: two numbers."""

    name = "phase only"

    def __init__(self, rules: Rules, num_players: int) -> None:
        super().__init__(rules, num_players)
        self.shape = (2,)
        self.space = Box(-1.0, 1.0, self.shape, np.float32)
        self.show = show_phase
        self.slices = [Slice("phase", 0, 1, "its number by 8"), Slice("my_turn", 1, 2, "whether I decide")]


@pytest.fixture(autouse=True)
def third_party(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known in these tests only."""
    from mastaba.envs.core import observing

    monkeypatch.setattr(observing, "_REGISTERED", dict(observing._REGISTERED))
    observing.encoder_class.cache_clear()
    register_encoder("phase only", PhaseOnly)


ALL = ("flat", "planes", "tokens", "text", "lookahead", "phase only")
NUMBERS = tuple(name for name in ALL if name != "text")


@pytest.fixture(params=ALL)
def observation(request: pytest.FixtureRequest) -> str:
    return request.param


def same(one: Any, other: Any) -> bool:
    return one == other if isinstance(one, str) else np.array_equal(one, other)


def test_a_third_partys_encoder_is_known_by_its_name() -> None:
    assert encoder_names()[-1] == "phase only"
    state = mastaba.game(GAME, 2).new_initial_state(seed=1)
    assert state.observation(0, "phase only").tolist() == [0, 1]
    assert state.observation(1, "phase only").tolist() == [0, 0]
    assert state.game.encoder("phase only").explain(np.array([0, 1])) == [("phase", "table", [0]), ("my_turn", "table", [1])]


def test_pettingzoo(observation: str) -> None:
    env = BoardGameEnv(GAME, num_players=3, observation=observation)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(20):
        seen = env.last()[0]
        assert env.observation_space(env.agent_selection).contains(seen)
        for seat, agent in enumerate(env.possible_agents):
            assert same(env.observe(agent)["observation"], env.game_state.observation(seat, observation))
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))


def test_gymnasium(observation: str) -> None:
    env = gymnasium.make(gymnasium_id(GAME), num_players=2, seat=1, observation=observation, disable_env_checker=True)
    seen, info = env.reset(seed=4)
    for _ in range(10):
        assert env.observation_space.contains(seen)
        assert isinstance(env.unwrapped, SeatEnv)
        assert same(seen, env.unwrapped.game_state.observation(1, observation))
        seen, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert not over


@pytest.mark.parametrize("seen_by", NUMBERS)
def test_gymnasiums_vector(seen_by: str) -> None:
    env = Duel(GAME, 3, num_players=2, seat=0, observation=seen_by)
    seen, _ = env.reset(seed=5)
    for _ in range(10):
        assert env.observation_space.contains(seen)
        for i in range(3):
            assert same(seen[i], env.game_state(i).observation(0, seen_by))
        seen = env.step(env.sample_actions())[0]


@pytest.mark.parametrize("seen_by", NUMBERS)
def test_self_play(seen_by: str) -> None:
    env = mastaba.vector.make(GAME, 4, num_players=3, observation=seen_by, seed=6)
    assert isinstance(env, SelfPlay)
    for _ in range(30):
        env.step(env.sample_actions())
        for i in range(4):
            state = env.game_state(i)
            assert same(env.observations[i], state.observation(state.current_player(), seen_by))
    assert env.observations.shape[1:] == env.game.encoder(seen_by).shape


@pytest.mark.parametrize("seen_by", NUMBERS)
def test_stable_baselines(seen_by: str) -> None:
    pytest.importorskip("stable_baselines3")
    from mastaba.envs.faces.sb3 import DuelVecEnv

    env = DuelVecEnv(GAME, 3, num_players=2, observation=seen_by, seat=1)
    seen = env.reset()
    assert seen.shape == (3, *env.observation_space.shape)
    for i in range(3):
        assert same(seen[i], env.games.game_state(i).observation(1, seen_by))


@pytest.mark.parametrize("seen_by", NUMBERS)
def test_rllib(seen_by: str) -> None:
    pytest.importorskip("ray")
    from mastaba.envs.faces.rllib import env as rllib_env

    env = rllib_env({"game": GAME, "num_players": 2, "observation": seen_by})
    seen, _ = env.reset(seed=7)
    (agent,) = seen
    assert env.observation_spaces[agent].contains(seen[agent])
    assert same(seen[agent]["observations"], env.env.game_state.observation(0, seen_by))


@pytest.mark.parametrize("seen_by", NUMBERS)
def test_openspiel(seen_by: str) -> None:
    pytest.importorskip("pyspiel")
    from mastaba.envs.faces.openspiel import load

    state = load(GAME, 2, observation=seen_by).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    expected = state.position.observation(0, seen_by).ravel()  # type: ignore[union-attr]
    assert same(np.array(state.observation_tensor(0), np.float32), expected)


# --- Training ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen_by", ["planes", "lookahead"])
def test_a_network_learns_from_any_numbers_and_its_checkpoint_knows_which(seen_by: str, tmp_path: Any) -> None:
    pytest.importorskip("torch")
    from mastaba.baselines.agents import agent
    from mastaba.baselines.recipes.masked_ppo import Learner, Settings, save

    game = mastaba.game(GAME, 2)
    learner = Learner(game, Settings(lanes=4, steps=4, hidden=16, observation=seen_by))
    learner.begin()
    learner.iterate(0.9)
    save(learner, tmp_path / "checkpoint.pt")
    state = game.new_initial_state(seed=8)
    player = agent(game, f"ppo:{tmp_path / 'checkpoint.pt'}")
    assert int(player.choose(state.record, state.padded_mask)[0]) in state.legal_actions()


# --- Mistakes ----------------------------------------------------------------------------------------------------------------


def several(observation: str) -> Any:
    return Duel(GAME, 2, observation=observation)


def sb3(observation: str) -> Any:
    pytest.importorskip("stable_baselines3")
    from mastaba.envs.faces.sb3 import DuelVecEnv

    return DuelVecEnv(GAME, 2, observation=observation)


def rllib(observation: str) -> Any:
    pytest.importorskip("ray")
    from mastaba.envs.faces.rllib import env as rllib_env

    return rllib_env({"game": GAME, "observation": observation})


def openspiel(observation: str) -> Any:
    pytest.importorskip("pyspiel")
    from mastaba.envs.faces.openspiel import load

    return load(GAME, 2, observation=observation)


def ppo(observation: str) -> Any:
    pytest.importorskip("torch")
    from mastaba.baselines.recipes.masked_ppo import Learner, Settings

    return Learner(mastaba.game(GAME, 2), Settings(observation=observation))


MAKERS: dict[str, Callable[[str], Any]] = {
    "pettingzoo": lambda o: BoardGameEnv(GAME, observation=o),
    "gymnasium": lambda o: SeatEnv(GAME, observation=o),
    "vector": several,
    "self-play": lambda o: mastaba.vector.make(GAME, 2, observation=o),
    "state": lambda o: mastaba.game(GAME).new_initial_state(seed=1).observation(0, o),
    "sb3": sb3,
    "rllib": rllib,
    "openspiel": openspiel,
    "training": ppo,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_an_unknown_encoder_is_answered_with_one_line(make: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError, match="observation='radar' is not possible, allowed are 'flat', 'planes'") as caught:
        make("radar")
    assert len(str(caught.value).splitlines()) == 1


NEED_NUMBERS = {
    "vector": "a batch",
    "self-play": "a batch",
    "sb3": "a batch",
    "rllib": "RLlib",
    "openspiel": "OpenSpiel",
    "training": "training",
}


@pytest.mark.parametrize(("face", "where"), NEED_NUMBERS.items())
def test_text_is_refused_where_numbers_are_needed(face: str, where: str) -> None:
    with pytest.raises(ValueError, match=f"^observation='text' is not possible in {where}: it is not made of numbers$"):
        MAKERS[face]("text")


def test_agents_are_asked_for_by_their_names() -> None:
    env = BoardGameEnv(GAME, num_players=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="player_7"):
        env.observe("player_7")


def test_the_game_of_a_batch_is_the_table_it_was_made_for() -> None:
    game: Game = mastaba.game(GAME, 5)
    assert SelfPlay(game, 2, observation="planes").observations.shape == (2, *game.encoder("planes").shape)
