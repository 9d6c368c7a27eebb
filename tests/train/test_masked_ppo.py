"""Recipe 2, against the real torch: it learns, it survives being killed, and it refuses what it cannot use."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import mastaba
from mastaba.baselines.agents import agent
from mastaba.baselines.recipes import masked_ppo
from mastaba.baselines.recipes.masked_ppo import Learner, Net, PPOAgent, Rollout, Settings, digest_of, train
from mastaba.baselines.recipes.running import parse_settings
from mastaba.baselines.tournament import evaluate
from mastaba.baselines.words import written
from mastaba.envs.replay import Replay

QUICK: dict[str, Any] = {"progress": False, "evaluation_games": 20, "search_games": 0, "curve_points": 1}
SMALL = {"lanes": 32, "steps": 16, "hidden": 32, "minibatch": 128, "epochs": 1}


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def short_run(out: Path, game: str = "pyramids", decisions: int = 1024, **more):
    return train(
        game,
        2,
        60,
        out,
        max_decisions=decisions,
        progress=False,
        evaluation_games=20,
        search_games=0,
        curve_points=1,
        **{**SMALL, **more},
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("run")
    short_run(out)
    return out


# --- It learns ----------------------------------------------------------------------------------------------------------------


def untrained_rate(game: mastaba.Game) -> float:
    """Of a player that draws from its untrained network."""
    torch.manual_seed(0)
    player = PPOAgent.of(game, masked_ppo.new_net(game, Settings(hidden=64)), "lookahead", draw=True)
    return evaluate(game, player, agent(game, "random", seed=1), games=400).rate


def test_a_short_run_on_pyramids_beats_random(tmp_path):
    assert 0.4 < untrained_rate(mastaba.game("pyramids", 2)) < 0.6
    settings = {"lanes": 128, "steps": 64, "hidden": 128, "minibatch": 512}
    report = train(
        "pyramids",
        2,
        5,
        tmp_path,
        max_decisions=200_000,
        progress=False,
        evaluation_games=400,
        search_games=2,
        curve_points=2,
        **settings,
    )
    against_random = report.results[0]
    assert (against_random.opponent, against_random.games) == ("random", 400)
    assert [(result.opponent, result.games) for result in report.results[1:]] == [("greedy", 400), ("mcts:1000", 2)]
    assert against_random.low > 0.9, str(report)
    assert 0 < report.env_share < 0.5
    assert report.curve.read_bytes().startswith(b"\x89PNG")
    assert Replay.load(tmp_path / "replay.json").players[1] == "greedy"


# --- Advantages belong to seats -----------------------------------------------------------------------------------------------


def slow_advantages(r: Rollout, last_player: np.ndarray, last_value: np.ndarray, trace: float) -> dict[tuple[int, int], float]:
    """Game by game and seat by seat: collect the seat's decisions, then walk back over them."""
    found = {}
    steps, lanes = r.player.shape
    for lane in range(lanes):
        for seat in range(r.reward.shape[2]):
            chains: list[tuple[list[list[Any]], float]] = []
            chain: list[list[Any]] = []
            for t in range(steps):
                if r.player[t, lane] == seat:
                    chain.append([t, 0.0])
                if chain:
                    chain[-1][1] += r.reward[t, lane, seat]
                if r.over[t, lane]:
                    chains.append((chain, 0.0))
                    chain = []
            if last_player[lane] == seat:
                chains.append((chain, float(last_value[lane])))
            elif chain:
                chains.append((chain[:-1], float(r.value[int(chain[-1][0]), lane])))
            for decisions, beyond in chains:
                advantage = 0.0
                for t, earned in reversed(decisions):
                    advantage = earned + beyond - r.value[t, lane] + trace * advantage
                    found[t, lane] = advantage
                    beyond = r.value[t, lane]
    return found


@pytest.mark.parametrize("players", [2, 3, 5])
def test_advantages_equal_those_of_each_seat_alone(players):
    rng = np.random.default_rng(players)
    r = Rollout(40, 30, mastaba.game("pyramids", players), "flat")
    r.player[:] = rng.integers(players, size=r.player.shape)
    r.value[:] = rng.normal(size=r.value.shape)
    r.reward[:] = rng.normal(size=r.reward.shape)
    r.over[:] = rng.random(r.over.shape) < 0.1
    last_player, last_value = rng.integers(players, size=30), rng.normal(size=30).astype(np.float32)
    advantage, complete = r.advantages(last_player, last_value, 0.9)
    expected = slow_advantages(r, last_player, last_value, 0.9)
    assert {(t, lane) for t, lane in np.argwhere(complete)} == set(expected)
    for (t, lane), value in expected.items():
        assert advantage[t, lane] == pytest.approx(value, abs=1e-4)


def test_a_rollout_holds_legal_decisions_and_the_seats_of_the_learner():
    learner = small_learner("pyramids", 3, steps=300, shaping=(0.0, 0.0), opponents={"self": 1, "past": 1, "greedy": 1})
    watched = watch_games(learner, iterations=1)
    r = learner.rollout
    t, lane = np.indices(r.action.shape)
    assert r.legal[t, lane, r.action].all()
    assert {-1, 0, 1, 2} == set(watched.seat.ravel().tolist())
    assert (r.mine == (watched.seat == -1) | (r.player == watched.seat)).all()
    assert r.over.sum() >= 40
    assert r.reward[r.over].sum(-1) == pytest.approx(0, abs=1e-5)
    assert (r.reward[r.over].max(-1) > 0).all()
    assert (r.reward[~r.over] == 0).all()


# --- The pool -----------------------------------------------------------------------------------------------------------------


def small_learner(game: str, players: int, **settings: Any) -> Learner:
    table = mastaba.game(game, players)
    learner = Learner(table, masked_ppo.settings_for(table, **{"lanes": 40, "steps": 50, "hidden": 16, **settings}))
    learner.begin()
    return learner


class Watched(NamedTuple):
    """Before every decision [t, lane]: whose company it is, the learner's seat, and whether a game ended there."""

    company: np.ndarray
    seat: np.ndarray
    over: np.ndarray


def watch_games(learner: Learner, iterations: int) -> Watched:
    """Iterate, and write down who was asked: a past self is known by what its weights are when it is."""
    company, seats, over, step = [], [], [], learner.env.step

    def who(player: Any) -> str:
        return f"past {float(player.value.bias):.9f}" if isinstance(player, Net) else getattr(player, "name", "self")

    def watching_step(actions: np.ndarray) -> None:
        company.append([who(player) for player in learner.company.players])
        seats.append(learner.company.seat.copy())
        step(actions)
        over.append(learner.env.terminated | learner.env.truncated)

    vars(learner.env)["step"] = watching_step
    for _ in range(iterations):
        learner.iterate(0.9)
    return Watched(np.array(company), np.array(seats), np.array(over))


def test_nobody_is_exchanged_in_the_middle_of_a_game():
    """Past selves leave the pool at every iteration here; the games that have them keep them, as they were."""
    learner = small_learner("pyramids", 3, past_selves=2, opponents={"self": 1, "past": 3, "greedy": 1})
    watched = watch_games(learner, iterations=8)
    goes_on = ~watched.over[:-1]
    for what in (watched.company, watched.seat):
        assert (what[1:] == what[:-1])[goes_on].all()
        assert (what[1:] != what[:-1])[~goes_on].any()
    assert len(np.unique(watched.company)) > 4  # self, greedy, and more past selves than the pool ever holds


def test_a_pool_is_drawn_by_its_weights():
    learner = small_learner("pyramids", 2, lanes=1000, opponents={"self": 1, "greedy": 3, "random": 0})
    names = [getattr(player, "name", "self") for player in learner.company.players]
    assert names.count("greedy") == pytest.approx(750, abs=60)
    assert names.count("self") == 1000 - names.count("greedy")


def test_games_without_chance_open_with_moves_that_are_nobodys():
    learner = small_learner("giza", 3, lanes=64, steps=8)
    learner.collect(shaping=0.0, lessons=False)
    assert set(learner.company.opening.tolist()) == set(range(masked_ppo.OPENING + 1))
    assert not learner.rollout.mine[0].all()
    everywhere = learner.company.seat < 0
    assert learner.rollout.mine[-1, everywhere].all()


@pytest.mark.parametrize("seed", range(6))
def test_rollouts_with_hardly_any_decision_of_the_learner_do_no_harm(seed):
    learner = small_learner("pyramids", 2, lanes=2, steps=2, seed=seed, opponents={"greedy": 1})
    for _ in range(6):
        learner.iterate(0.9)
    assert all(bool(weights.isfinite().all()) for weights in learner.net.parameters())


# --- What points are worth ----------------------------------------------------------------------------------------------------


def test_the_margin_is_the_lead_over_the_best_other():
    points = np.array([[10.0, 7.0, 7.0], [1.0, 5.0, 2.0]])
    assert (points - masked_ppo.best_others(points)).tolist() == [[3.0, -3.0, -3.0], [-4.0, 3.0, -3.0]]


def test_settings_differ_by_game_and_can_be_changed():
    game = mastaba.game("giza", 3)
    usual = masked_ppo.settings_for(game)
    assert usual != Settings()
    assert masked_ppo.settings_for(game, clip=0.3) == replace(usual, clip=0.3)


# --- The scorer ---------------------------------------------------------------------------------------------------------------


def test_one_scorer_judges_the_rows_of_all_legal_actions():
    """Legal actions are judged by the same weights, from their own row and nobody else's; illegal ones are out."""
    game = mastaba.game("pyramids", 2)
    net = masked_ppo.new_net(game, Settings(hidden=16))
    torch.nn.init.normal_(net.score.weight)
    seen, legal = torch.rand(5, game.encoder("lookahead").size), torch.rand(5, game.num_actions) < 0.3
    legal[:, :2] = True
    logits, _ = net(seen, legal)
    assert (logits[~legal] == masked_ppo.ILLEGAL_LOGIT).all()
    other = seen.clone()
    other[:, net.inputs : net.inputs + net.width] += 1.0  # the row of action 0
    changed = net(other, legal)[0]
    assert (changed[:, 0] != logits[:, 0]).all()
    assert torch.equal(changed[:, 1:], logits[:, 1:])
    with torch.no_grad():
        net.which.copy_(net.which[:1].expand_as(net.which))
    rows = torch.rand(5, 1, net.width).expand(5, net.actions, net.width)
    judged = net.judge(rows, legal, torch.rand(5, 32))
    assert (judged[:, 0] == judged[:, 1]).all()
    assert (judged[~legal] == 0).all()


# --- Killed and resumed -------------------------------------------------------------------------------------------------------

FOREVER = """
import sys, torch
torch.set_num_threads(1)
from mastaba.baselines.recipes import masked_ppo
masked_ppo.CHECKPOINT_SECONDS = 0.0
masked_ppo.train("pyramids", 2, 60, sys.argv[1], progress=False, curve_points=1, **eval(sys.argv[2]))
"""


def test_a_killed_run_resumes_where_its_checkpoint_was(tmp_path):
    run = subprocess.Popen([sys.executable, "-c", FOREVER, str(tmp_path), repr(SMALL)])
    wait_for(lambda: (tmp_path / "checkpoint.pt").exists(), run)
    time.sleep(0.5)
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    game = mastaba.game("pyramids", 2)
    before = masked_ppo.load(tmp_path, game)
    assert before["decisions"] > 0
    report = train("pyramids", 2, 60, tmp_path, resume=True, max_decisions=before["decisions"] + 2048, **QUICK)
    after = masked_ppo.load(tmp_path, game)
    assert report.decisions == after["decisions"] == before["decisions"] + 2048
    assert after["iterations"] == before["iterations"] + 4
    assert after["seconds"] > before["seconds"]
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != ".part") == [
        "checkpoint.pt",
        "curve.json",
        "curve.png",
        "replay.json",
        "report.json",
    ]


def wait_for(event, process, seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while not event():
        assert process.poll() is None, "the run ended by itself"
        assert time.monotonic() < deadline, "the run wrote no checkpoint"
        time.sleep(0.05)


def test_a_checkpoint_is_written_whole_or_not_at_all(run, tmp_path, monkeypatch):
    learner = masked_ppo.resumed(mastaba.game("pyramids", 2), run)
    path = tmp_path / "checkpoint.pt"
    masked_ppo.save(learner, path)
    whole = path.read_bytes()

    def dies_halfway(content, beside):
        Path(beside).write_bytes(whole[: len(whole) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", dies_halfway)
    with pytest.raises(KeyboardInterrupt):
        masked_ppo.save(learner, path)
    assert path.read_bytes() == whole


def test_a_finished_run_resumed_only_measures_again(run):
    before = (run / "checkpoint.pt").read_bytes()
    report = train("pyramids", 2, 60, run, resume=True, max_decisions=1024, **QUICK)
    assert report.decisions == 1024
    assert (run / "checkpoint.pt").read_bytes() == before


# --- A checkpoint is an agent -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["", "checkpoint.pt"])
def test_a_checkpoint_plays_by_name(run, file):
    game = mastaba.game("pyramids", 2)
    player = agent(game, f"ppo:{run / file}")
    assert player.name == f"ppo:{run / file}"
    result = evaluate(game, player, agent(game, "random", seed=1), games=50)
    assert result.games == 50
    assert result.mean_score > 0
    assert evaluate(game, player, agent(game, "random", seed=1), games=50) == result


def test_a_game_without_chance_is_measured_after_random_openings():
    """Else players without dice repeat three games, and the interval means nothing."""
    games = {name: mastaba.game(name, players) for name, players in (("pyramids", 2), ("giza", 3))}
    assert [masked_ppo.opening_of(game) for game in games.values()] == [0, masked_ppo.OPENING]


# --- Bad input: one line, nothing changed -------------------------------------------------------------------------------------


def contents(folder: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def refuses(folder: Path, says: str, **arguments) -> None:
    before = contents(folder)
    given = {"game_name": "pyramids", "num_players": 2, "minutes": 1.0, "out_dir": folder, "progress": False, **arguments}
    with pytest.raises((ValueError, RuntimeError), match=re.escape(says)) as refusal:
        train(**given)
    assert "\n" not in str(refusal.value)
    assert contents(folder) == before


def test_bad_arguments_are_refused(run, tmp_path):
    refuses(tmp_path, "no game 'chess'", game_name="chess")
    refuses(tmp_path, "9 players are not possible", num_players=9)
    refuses(tmp_path, "minutes=0", minutes=0)
    refuses(tmp_path, "minutes=nan", minutes=float("nan"))
    refuses(tmp_path, "no setting sped", sped=3)
    refuses(tmp_path, "points='all'", points="all")
    refuses(tmp_path, "the weights of a pool", opponents={"self": 0})
    refuses(tmp_path, "no agent 'greed'", opponents={"greed": 1})
    refuses(tmp_path, "no such checkpoint", resume=True)
    refuses(run, "holds a run already")
    refuses(run, "a resumed run keeps its settings: hidden", resume=True, hidden=8)
    (tmp_path / "file").touch()
    refuses(tmp_path, "is a file", out_dir=tmp_path / "file")
    assert not (tmp_path / "new").exists()
    refuses(tmp_path, "no such checkpoint", resume=True, out_dir=tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("part", [0.0, 0.3, 0.99])
def test_a_damaged_checkpoint_is_refused(run, tmp_path, part):
    whole = (run / "checkpoint.pt").read_bytes()
    damaged = tmp_path / "checkpoint.pt"
    damaged.write_bytes(whole[: int(part * len(whole))])
    refuses(tmp_path, "is not a checkpoint, or a damaged one", resume=True)
    with pytest.raises(ValueError, match="damaged"):
        agent(mastaba.game("pyramids", 2), f"ppo:{damaged}")


@pytest.mark.parametrize(
    "change, says",
    [
        ({"game": "cheops_v0"}, "is a checkpoint of cheops_v0 with 2 players, not of pyramids_v1 with 2"),
        ({"game": "pyramids_v9"}, "is a checkpoint of pyramids_v9 with 2 players"),
        ({"num_players": 3}, "with 3 players, not of pyramids_v1 with 2"),
        ({"format": "mastaba masked_ppo 1"}, "not a checkpoint of this version of mastaba"),
        ({"net": {"body.0.weight": torch.zeros(1, 1)}}, "of other observations or actions"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(run, tmp_path, change, says):
    content = {**torch.load(run / "checkpoint.pt", weights_only=True), **change}
    torch.save({**content, "digest": digest_of(content)}, tmp_path / "checkpoint.pt")
    refuses(tmp_path, says, resume=True)
    with pytest.raises(ValueError, match=re.escape(says)):
        agent(mastaba.game("pyramids", 2), f"ppo:{tmp_path}")


def weights_changed(content):
    content["net"]["body.0.weight"][0, 0] += 1


def moments_changed(content):
    content["optimizer"]["state"][0]["exp_avg"][0, 0] += 1


@pytest.mark.parametrize(
    "harm",
    [
        weights_changed,
        moments_changed,
        *(lambda content, name=name: content.pop(name) for name in ("net", "optimizer", "past", "settings", "curve", "digest")),
        lambda content: content.update(settings={"speed": 3}),
    ],
)
def test_a_checkpoint_with_another_content_is_refused(run, tmp_path, harm):
    """Its first lines are right; torch itself would not notice flipped bits."""
    content = torch.load(run / "checkpoint.pt", weights_only=True)
    harm(content)
    torch.save(content, tmp_path / "checkpoint.pt")
    refuses(tmp_path, "its digest is another", resume=True)
    with pytest.raises(ValueError, match="its digest is another"):
        agent(mastaba.game("pyramids", 2), f"ppo:{tmp_path}")


@pytest.mark.parametrize(
    "library, module",
    [
        ("torch", "mastaba.baselines.recipes.masked_ppo"),
        ("stable_baselines3", "mastaba.envs.faces.sb3"),
        ("sb3_contrib", "mastaba.baselines.recipes.sb3_maskable_ppo"),
        ("ray", "mastaba.baselines.recipes.rllib_ppo"),
        ("ray", "mastaba.envs.faces.rllib"),
        ("torchrl", "mastaba.baselines.recipes.torchrl_ppo"),
        ("tianshou", "mastaba.baselines.recipes.tianshou_ppo"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(library, module):
    code = f"import sys; sys.modules[{library!r}] = None\ntry:\n    import {module}\nexcept RuntimeError as e:\n    print(e)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    extra = library if library in ("ray", "torchrl", "tianshou") else "train"
    assert len(said) == 1
    assert library in said[0]
    assert f'pip install "mastaba[{extra}]"' in said[0]


def test_settings_are_given_in_words():
    words = ["opponents=self:1,greedy:2.5", "imitation=0.5", "entropy=0.1,0.01", "points=own", "steps=8"]
    found = parse_settings(Settings, words)
    assert found == {"opponents": {"self": 1, "greedy": 2.5}, "imitation": 0.5, "entropy": (0.1, 0.01), "points": "own", "steps": 8}
    for name, value in found.items():
        assert parse_settings(Settings, [f"{name}={written(value)}"]) == {name: value}
    with pytest.raises(ValueError, match=r"opponents is something like self:0\.4,past:0\.2,greedy:0\.4"):
        parse_settings(Settings, ["opponents=greedy"])
