"""The learned players that come with the package: for which tables, how strong at least, and wherever a player is named."""

from __future__ import annotations

import json
import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import mastaba
from mastaba.baselines.agents import act, agent, agent_names, policy_names
from mastaba.baselines.learned import players
from mastaba.baselines.learned.brain import FILE, Brain
from mastaba.baselines.learned.network import BIAS, LINEAR, OUT
from mastaba.baselines.learned.players import LearnedAgent, learned_brain, learned_tables, thinking_of
from mastaba.baselines.learned.thinking import UNIT, Plan
from mastaba.baselines.recipes.measured import measure, searcher
from mastaba.baselines.recipes.results import read_report
from mastaba.baselines.tournament import evaluate_paired
from mastaba.envs.core.state import State
from mastaba.envs.faces.registration import gymnasium_id
from mastaba.envs.faces.vector import Duel
from mastaba.envs.registry import rules

MEGABYTES = 2**20
# At least, against greedy: clearly below what was measured (baselines/README.md), for these are few games.
FLOORS = {
    ("cheops", 2): 0.6,
    ("cheops", 4): 0.46,
    ("giza", 3): 0.92,
    ("giza", 4): 0.87,
    ("master_architect", 2): 0.7,
    ("master_architect", 4): 0.35,
    ("pyramidice", 2): 0.88,
    ("pyramidice", 4): 0.68,
    ("pyramids", 2): 0.77,
    ("pyramids", 4): 0.31,
}
OPENINGS = {"giza": 6}  # without chance, players without dice repeat the same few games


def files() -> list[Path]:
    return sorted(players.FOLDER.glob("*.npz"))


def test_every_file_belongs_to_a_table_that_has_a_floor():
    tables = [(name, n) for name in mastaba.GAMES for n in learned_tables(rules(name))]
    assert sorted(f"{name}-{n}.npz" for name, n in tables) == [file.name for file in files()]
    assert sorted(tables) == sorted(FLOORS)


def test_the_files_are_small_and_say_where_they_come_from():
    assert sum(file.stat().st_size for file in files()) < 2 * MEGABYTES
    for file in files():
        with np.load(file) as arrays:
            about = json.loads(str(arrays["about"]))
        assert about["training"]["command"].startswith(f"mastaba train {about['game'].rpartition('_v')[0]} ")
        assert about["training"]["reached"]["greedy"]["rate"] > FLOORS[about["game"].rpartition("_v")[0], about["num_players"]]


@pytest.mark.parametrize(("which", "seats"), FLOORS)
def test_it_holds_its_own_against_greedy(which, seats):
    game = mastaba.game(which, seats)
    learned, greedy = agent(game, "learned", seed=1), agent(game, "greedy", seed=2)
    result = evaluate_paired(game, learned, greedy, games=300, seed=2**41, openings=OPENINGS.get(which, 0))
    assert result.rate > FLOORS[which, seats], result


SOME = next(iter(FLOORS))


def test_it_plays_inside_the_kernel_of_a_batch():
    game = mastaba.game(*SOME)
    env = Duel(game, 8, opponents="learned", reward="win")
    env.reset(seed=0)
    earned, ended = 0.0, 0
    for _ in range(200):
        _, reward, terminated, *_ = env.step(env.sample_actions())
        earned, ended = earned + reward[terminated].sum(), ended + terminated.sum()
    assert ended >= 8
    assert earned < -0.8 * ended  # a random player loses


def test_it_plays_in_a_gymnasium_environment():
    env = gymnasium.make(gymnasium_id(SOME[0]), num_players=SOME[1], opponents="learned")
    earned = 0.0
    for seed in range(6):
        (_, info), over = env.reset(seed=seed), False
        while not over:
            _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        earned += reward
    assert earned <= -4  # who always takes the first action may be lucky once


def test_the_kernel_of_the_package_chooses_like_the_file():
    """Weights as constants of the machine code, or given as an array: the same player."""
    game = mastaba.game(*SOME)
    baked, given = agent(game, "learned", seed=4), agent(game, f"td:{players.file_of(game)}", seed=4)
    state = game.new_initial_state(seed=9)
    while not state.is_terminal():
        action = act(baked, state)
        assert action == act(given, state)
        state.apply_action(action)


def plain_value(state: State, player: int, weights: np.ndarray) -> float:
    """The lead in points, and what the networks add to it on average."""
    sums = state.observation(player).astype(np.float64) @ weights[:, :BIAS] + weights[:, BIAS]
    points = state.scores()
    lead = points[player] - max(points[:player] + points[player + 1 :])
    added = sums[:, -1] + (np.maximum(sums[:, :-1], 0) * weights[:, OUT, :-1]).sum(1)
    return lead / UNIT + added.mean()


@pytest.mark.parametrize(("which", "seats"), [("cheops", 2), ("giza", 4), ("pyramidice", 4)])
def test_every_action_is_worth_what_plain_numpy_says_of_the_position_behind_it(which, seats):
    game, dice, compared = mastaba.game(which, seats), np.random.default_rng(5), 0
    brain = replace(learned_brain(game), basis="points", plan=Plan(depth=1, positions=1000, worlds=1))
    player, state = LearnedAgent(game, "td", 1, brain), game.new_initial_state(seed=6)
    rates, room = np.zeros(game.num_actions), (player._scratch, player._scratch_masks, player.kernel.args[0])
    while not state.is_terminal():
        counter = player._counters[:1].copy()
        act(player, state)
        thought, imagined = player.kernel.args[0].totals.copy(), State(game, player._scratch[:1].copy(), state.padded_mask.copy())
        thinking_of(game, brain).rate(state.record[0], state.padded_mask[0], counter, *room, rates)
        assert rates[state.legal_actions()] == pytest.approx(thought[state.legal_actions()] * UNIT / game.rules.score_scale)
        for action in state.legal_actions():
            after = imagined.clone()
            after.apply_action(action)
            if not after.is_terminal():
                expected = plain_value(after, state.current_player(), brain.weights)
                assert thought[action] == pytest.approx(expected, abs=1e-4), state.action_to_string(action)
                compared += 1
        state.apply_action(int(dice.choice(state.legal_actions())))
    assert compared > 100


def test_tables_without_a_learned_player_name_those_that_have_one(monkeypatch, tmp_path):
    game = mastaba.game(*SOME)
    shutil.copy(players.file_of(game), tmp_path)
    monkeypatch.setattr(players, "FOLDER", tmp_path)
    other = mastaba.game(SOME[0], next(n for n in rules(SOME[0]).players if n not in (1, SOME[1])))
    assert "learned" in policy_names(game)
    assert "learned" not in policy_names(other)
    for name in ("learned", "learned:2", "learned+search:20"):
        with pytest.raises(ValueError, match=rf"there is one for {SOME[1]}\)"):
            agent(other, name)


def test_the_depth_can_be_named():
    game = mastaba.game(*SOME)
    assert "learned:DEPTH" in agent_names(game)
    player, state = agent(game, "learned:2", seed=1), game.new_initial_state(seed=3)
    assert (player.name, player.brain.plan.depth) == ("learned:2", 2)
    assert (player.brain.weights == players.learned_brain(game).weights).all()
    twin = pickle.loads(pickle.dumps(player))
    assert act(player, state) == act(twin, state)
    for wrong in ("0", "16", "deep", ""):
        with pytest.raises(ValueError, match=f"learned:{wrong} is not possible: a depth is a number from 1 to 15"):
            agent(game, f"learned:{wrong}")


def test_learned_search_plays_on_and_can_be_sent_to_another_process():
    game = mastaba.game(*SOME)
    assert "learned+search:BUDGET" in agent_names(game)
    player = agent(game, "learned+search:40", seed=1)
    assert player.name == "learned+search:40"
    state = game.new_initial_state(seed=3)
    twin = pickle.loads(pickle.dumps(player))
    assert act(player, state) == act(twin, state)
    with pytest.raises(ValueError, match=r"learned\+search:soon: a budget is"):
        agent(game, "learned+search:soon")


def test_the_weights_of_a_run_as_leaf_of_a_search_think_as_those_of_the_package_do():
    game = mastaba.game(*SOME)
    brain = learned_brain(game)
    by_name, given = agent(game, "learned+search:200", seed=1), searcher(game, brain, "200", seed=1)
    other = searcher(game, replace(brain, weights=-brain.weights), "200", seed=1)
    state, choices = game.new_initial_state(seed=3), []
    while not state.is_terminal():
        choices.append([act(player, state) for player in (by_name, given, other)])
        state.apply_action(choices[-1][0])
    assert [named for named, _, _ in choices] == [ours for _, ours, _ in choices]
    assert [named for named, _, _ in choices] != [strange for _, _, strange in choices]


ONE_TURN = "rollout:60:horizon=1:leaf=learned"
GAMES = {"games": 6, "other_games": 4, "search_games": 2, "progress": False}


@pytest.mark.parametrize(("search", "method", "networks"), [("", "td x 3", 3), ("20", "learned+search:20", 1)])
def test_it_can_be_measured_as_its_run_was(tmp_path, search, method, networks):
    game = mastaba.game(*SOME)
    measure(game, [players.file_of(game)], search, tmp_path, **GAMES)
    found, training = read_report(tmp_path), learned_brain(game).first(networks).training
    assert (found["method"], found["seed"], found["decisions"]) == (method, training["settings"]["seed"], training["decisions"])
    met = {result["opponent"]: result["games"] for result in found["results"]}
    assert met == {"random": 4, "greedy": 6, "rush": 4, "mcts:1000": 2}


def some_brain(game: mastaba.Game, seed: int, units: int = LINEAR, **changes: Any) -> Brain:
    """Random weights, and what a run says of itself."""
    weights = (
        np.random.default_rng(seed).normal(0, 0.1, (1, game.encoder().size + 2, units + 1)).astype(np.float16).astype(np.float32)
    )
    made = {
        "command": f"mastaba train {seed}",
        "cpu_seconds": 60 + seed,
        "decisions": 1000,
        "settings": {"seed": seed, "opening": 0},
    }
    return replace(Brain.of(game, "flat", "points", Plan(1, 100, 1), weights, **made), **changes)


def test_several_runs_think_together_and_leave_one_player(tmp_path):
    game = mastaba.game(*SOME)
    brains, runs = [some_brain(game, seed) for seed in range(3)], [tmp_path / f"{seed}.npz" for seed in range(3)]
    for brain, run in zip(brains, runs, strict=True):
        brain.save(run)
    measure(game, runs, "", tmp_path / "together", **GAMES)
    found, kept = read_report(tmp_path / "together"), Brain.load(tmp_path / "together", game)
    assert (found["method"], found["seed"], found["seconds"], found["decisions"]) == ("td x 3", 0, 183, 3000)
    assert (kept.weights == np.concatenate([brain.weights for brain in brains])).all()
    assert kept.training["command"] == "mastaba train 0 && mastaba train 1 && mastaba train 2"
    assert [made["settings"]["seed"] for made in kept.training["networks"]] == [0, 1, 2]
    assert kept.training["reached"]["greedy"]["games"] == 6
    measure(game, runs, "20", tmp_path / "asked", **GAMES)
    asked = read_report(tmp_path / "asked")
    assert (asked["method"], asked["seconds"], asked["decisions"]) == ("learned+search:20", 60, 1000)
    assert not (tmp_path / "asked" / FILE).exists()  # its record would be that of the search


def test_a_search_asks_as_many_networks_as_it_is_told(monkeypatch, tmp_path):
    game = mastaba.game(*SOME)
    brains, state = [some_brain(game, seed) for seed in range(2)], game.new_initial_state(seed=3)
    monkeypatch.setattr(players, "FOLDER", tmp_path)

    def values(brain: Brain, name: str) -> list[tuple[float, ...]]:
        brain.save(players.file_of(game))
        return [line.values for line in agent(game, name, seed=1).analyse(state).lines]  # type: ignore[attr-defined]

    first, second, both = values(brains[0], ONE_TURN), values(brains[1], ONE_TURN), values(Brain.together(brains), ONE_TURN)
    assert values(Brain.together(brains), f"{ONE_TURN}:networks=1") == first
    assert len({tuple(found) for found in (first, second, both)}) == 3
    with pytest.raises(ValueError, match="networks is at least 0, not -1"):
        agent(game, f"{ONE_TURN}:networks=-1", seed=1)


def test_the_first_of_those_that_think_together_have_taken_their_own_time():
    game = mastaba.game(*SOME)
    brains = [some_brain(game, seed) for seed in range(3)]
    together = Brain.together(brains)
    one, two = together.first(1), together.first(2)
    assert (one.weights == brains[0].weights).all()
    assert (two.weights == together.weights[:2]).all()
    assert [brain.training["cpu_seconds"] for brain in (one, two, together)] == [60, 121, 183]
    assert [brain.training["decisions"] for brain in (one, two, together)] == [1000, 2000, 3000]
    assert Brain.together([together.first(2), brains[2]]).training == together.training
    assert together.first(0) is together
    assert together.first(3) is together


def test_only_brains_of_one_kind_think_together(tmp_path):
    game = mastaba.game(*SOME)
    with pytest.raises(
        ValueError,
        match=r"cannot think together: cheops_v\d with 2 players, flat .*basis=points, units=63, and .*basis=judged, units=63$",
    ):
        Brain.together([some_brain(game, 0), some_brain(game, 1, basis="judged")])
    with pytest.raises(ValueError, match=r"cannot think together: .*units=63, and .*units=126"):
        Brain.together([some_brain(game, 0), some_brain(game, 1, units=126)])


@pytest.mark.parametrize("part", [np.s_[:0], np.s_[0, 0], np.s_[:, 1:], np.s_[:, :, 1:], np.s_[:, :, :1]])
def test_a_file_without_whole_networks_is_refused(tmp_path, part):
    game = mastaba.game(*SOME)
    replace(some_brain(game, 0), weights=some_brain(game, 0).weights[part]).save(tmp_path / "some.npz")
    with pytest.raises(ValueError, match="was trained on other observations"):
        Brain.load(tmp_path / "some.npz", game)


def test_what_is_no_run_cannot_be_measured_and_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        measure(mastaba.game(*SOME), [tmp_path / "nowhere"], "", tmp_path / "new", **GAMES)
    assert not (tmp_path / "new").exists()
