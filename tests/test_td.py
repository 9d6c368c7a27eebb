"""Learning values of positions: it learns, the same seed gives the same player, and what cannot be used is refused in one line."""

from __future__ import annotations

import json
import pickle
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mastaba
from mastaba.baselines.agents import act, agent
from mastaba.baselines.learned.brain import Brain
from mastaba.baselines.learned.network import BIAS, LINEAR, OUT, WIDTH, forget, in_parts, net, new_memory
from mastaba.baselines.learned.players import LearnedAgent
from mastaba.baselines.learned.thinking import Plan
from mastaba.baselines.recipes import td
from mastaba.baselines.recipes.results import read_report
from mastaba.baselines.recipes.running import parse_settings
from mastaba.baselines.recipes.td import Learner, Network, Settings, Table, Terms, settings_for, train
from mastaba.baselines.tournament import evaluate
from mastaba.envs.replay import Replay

SMALL: dict[str, Any] = {"lessons": 1024, "passes": 2, "minibatch": 128}
QUICK: dict[str, Any] = {"progress": False, "evaluation_games": 20, "search_games": 0, "curve_points": 1}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("run")
    train("cheops", 2, out, decisions=4000, **QUICK, **SMALL)
    return out


def small_learner(**changes) -> Learner:
    game = mastaba.game("cheops", 2)
    return Learner(game, settings_for(game, **{**SMALL, "decisions": 20_000, **changes}))


# --- It learns ----------------------------------------------------------------------------------------------------------------


def test_a_short_run_beats_random(tmp_path):
    report = train("cheops", 2, tmp_path, decisions=60_000, progress=False, evaluation_games=200, search_games=2, curve_points=2)
    rates = {result.opponent: result for result in report.results}
    assert list(rates) == ["random", "greedy", "rush", "mcts:1000"]
    assert rates["random"].low > 0.9, str(report)
    assert rates["mcts:1000"].games == 2
    assert report.curve is not None
    assert report.curve.read_bytes().startswith(b"\x89PNG")
    left = ["checkpoint.npz", "curve.json", "curve.png", "player.npz", "replay.json", "report.json"]
    assert sorted(p.name for p in tmp_path.iterdir()) == left
    assert [result["opponent"] for result in read_report(tmp_path)["results"]] == list(rates)
    kept = Replay.load(tmp_path / "replay.json")
    assert kept.finished
    assert kept.players == ("td", "greedy")


def test_what_others_computed_for_a_learner_counts_as_its_time():
    learner = small_learner(pages=3)
    play = learner.players
    learner.players = lambda *told: (page._replace(seconds=100.0) for page in play(*told))
    learner.iterate()
    assert 300 < learner.seconds < 400


# --- The network --------------------------------------------------------------------------------------------------------------


def some_network(inputs: int = 7, seed: int = 0, units: int = LINEAR) -> tuple[Network, np.ndarray]:
    rng, network = np.random.default_rng(seed), Network(inputs, seed=0, units=units)
    network.weights[:] = rng.normal(size=network.weights.shape)
    return network, rng.normal(size=(5, inputs)).astype(np.float32) * (rng.random((5, inputs)) < 0.7)


def by_hand(weights: np.ndarray, seen: np.ndarray) -> np.ndarray:
    sums = seen.astype(np.float64) @ weights[:BIAS] + weights[BIAS]
    return sums[:, -1] + np.maximum(sums[:, :-1], 0) @ weights[OUT, :-1]


def averaged(weights: np.ndarray, seen: np.ndarray) -> np.ndarray:
    return np.mean([by_hand(network, seen) for network in weights], axis=0)


@pytest.mark.parametrize("inputs", [7, 16, 100])
@pytest.mark.parametrize("networks", [1, 3])
def test_the_kernel_says_what_the_networks_are_on_average(inputs, networks):
    weights, seen = np.stack([some_network(inputs, seed)[0].weights for seed in range(networks)]), some_network(inputs)[1]
    said = [net(x, weights, new_memory(inputs, networks)) for x in seen]
    assert said == pytest.approx(averaged(weights, seen), rel=1e-4)


@pytest.mark.parametrize("networks", [1, 3])
def test_wide_networks_are_cut_into_parts_that_say_the_same(networks):
    inputs, units = 20, 4 * LINEAR
    weights = np.stack([some_network(inputs, seed, units)[0].weights for seed in range(networks)])
    seen, parts = some_network(inputs)[1], in_parts(weights)
    assert parts.shape == (4 * networks, inputs + 2, WIDTH)
    assert parts.flags.c_contiguous  # kernels are compiled for such arrays
    said = [net(x, parts, new_memory(inputs, len(parts))) for x in seen]
    assert said == pytest.approx(averaged(weights, seen), rel=1e-4)


def test_first_weights_are_as_small_as_they_are_said_to_be():
    game = mastaba.game("cheops", 2)
    for spread, wanted in ((0.02, 0.02), (0.0, np.sqrt(8 / game.encoder("flat").size))):
        network = Learner(game, settings_for(game, spread=spread)).network
        assert network.weights[:-2, :-1].std() == pytest.approx(wanted, rel=0.05)


def test_networks_of_the_usual_width_are_taken_as_they_are():
    weights = np.stack([some_network(seed=seed)[0].weights for seed in range(3)])
    assert (in_parts(weights) == weights).all()


@pytest.mark.parametrize("inputs", [7, 16, 100])
@pytest.mark.parametrize("networks", [1, 3])
def test_they_say_the_same_of_what_differs_from_what_they_remember(inputs, networks):
    weights = np.stack([some_network(inputs, seed)[0].weights for seed in range(networks)])
    memory, rng = new_memory(inputs, networks), np.random.default_rng(1)
    first = rng.normal(size=inputs).astype(np.float32)
    seen = np.where(rng.random((40, inputs)) < 0.8, first, rng.integers(-1, 2, (40, inputs)).astype(np.float32))
    said = [net(x, weights, memory) for x in seen]
    assert said == pytest.approx(averaged(weights, seen), rel=1e-4, abs=1e-4)
    assert [net(x, weights, memory) for x in seen[::-1]] == said[::-1]  # to the last bit, in whatever order
    forget(memory)
    assert net(seen[-1], weights, memory) == net(seen[-1], weights, new_memory(inputs, networks))


@pytest.mark.parametrize("units", [LINEAR, 2 * LINEAR])
def test_the_gradient_is_the_slope_of_the_error(monkeypatch, units):
    network, seen = some_network(units=units)
    lesson = by_hand(network.weights, seen) + np.linspace(-1, 1, len(seen))
    found = []
    monkeypatch.setattr(network, "_adam", lambda gradient, rate: found.append(gradient))
    network.improve(seen, lesson.astype(np.float32), rate=1.0)
    weights, step = network.weights.astype(np.float64), 1e-5
    for place in [(0, 0), (2, 5), (2, units - 1), (3, units), (BIAS, 3), (BIAS, units), (OUT, 4), (OUT, units - 1)]:
        errors = []
        for sign in (1, -1):
            weights[place] += sign * step
            errors.append(np.square(by_hand(weights, seen) - lesson).mean() / 2)
            weights[place] -= sign * step
        assert found[0][place] == pytest.approx((errors[0] - errors[1]) / (2 * step), abs=2e-3), place


# --- Lessons ------------------------------------------------------------------------------------------------------------------


def filled(trace: float, explore: float = 0.0, teacher: float = 0.0, others: float = 0.0, **changes: Any) -> tuple[td.Book, int]:
    learner = small_learner(seed=3, **changes)
    table, weights = Table(learner.game, learner.settings), learner.network.weights
    weights[OUT, :LINEAR] = np.random.default_rng(1).normal(0, 0.1, LINEAR)
    page = table.play(weights, Terms(explore, trace, teacher, 0, others), 0)
    return table.book, page.games


def seat_rows(book: td.Book, seat: int) -> np.ndarray:
    return np.flatnonzero(book.seat[: book.size[0]] == seat)


def test_with_trace_one_a_lesson_is_the_end_of_the_game():
    book, games = filled(trace=1.0)
    worth = book.lesson + book.standing
    for seat in (0, 1):
        ends = worth[seat_rows(book, seat)]
        assert 1 + np.count_nonzero(np.abs(np.diff(ends)) > 1e-3) <= games  # one value per game
    assert games > 3


def test_with_trace_zero_a_lesson_is_what_was_thought_one_decision_later():
    book, games = filled(trace=0.0)
    worth = book.lesson + book.standing
    for seat in (0, 1):
        rows = seat_rows(book, seat)
        differ = np.abs(worth[rows[:-1]] - book.expected[rows[1:]]) > 1e-3
        assert differ.sum() <= games  # the last position of each game, whose lesson is the result


def test_between_them_lessons_are_mixed_and_end_at_drawn_actions():
    book, games = filled(trace=0.6, explore=0.3)
    worth = book.lesson + book.standing
    assert 0.2 < book.drawn[: book.size[0]].mean() < 0.4
    for seat in (0, 1):
        rows = seat_rows(book, seat)
        here, later = rows[:-1], rows[1:]
        mixed = np.where(book.drawn[later], book.expected[later], 0.6 * worth[later] + 0.4 * book.expected[later])
        assert np.count_nonzero(np.abs(worth[here] - mixed) > 1e-3) <= games


def test_other_seats_are_taught_what_they_see_of_a_decision():
    book, games = filled(trace=1.0, others=1.0)
    size = book.size[0]
    assert size % 2 == 0
    assert games > 1
    first, second = np.arange(0, size, 2), np.arange(1, size, 2)
    assert (book.seat[first] + book.seat[second] == 1).all()  # each position twice: first as who moved sees it
    assert book.standing[first] == pytest.approx(-book.standing[second], abs=1e-5)
    assert (book.seen[first] != book.seen[second]).any(1).all()
    ends = (book.lesson + book.standing)[seat_rows(book, 1)]
    assert 1 + np.count_nonzero(np.abs(np.diff(ends)) > 1e-3) <= games  # one value per game, as for who moved


def test_now_and_then_is_less_and_rule_based_players_are_taught_nothing():
    def rows_per_game(others: float) -> float:
        book, games = filled(trace=1.0, others=others)
        return book.size[0] / games

    alone, some, every = (rows_per_game(others) for others in (0.0, 0.25, 1.0))
    assert alone < some < alone + 0.4 * (every - alone)
    book, _ = filled(trace=1.0, teacher=0.9, others=1.0)
    pairs = (np.diff(book.seat[: book.size[0]]) != 0).mean()
    assert pairs < 0.5  # in most games one seat learns, and nobody else


def test_the_rule_based_player_has_its_share_of_the_seats():
    full, _ = filled(trace=1.0, teacher=1.0)
    assert full.size[0] > 0  # its own games are lessons while it has all seats
    assert not full.drawn[: full.size[0]].any()
    _, more_games = filled(trace=1.0, teacher=0.9)
    assert more_games > 1.5 * filled(trace=1.0)[1]  # otherwise only the learner's decisions are written down


def test_two_teachers_take_turns():
    both, greedy, rush = (filled(trace=1.0, teacher=1.0, teachers=names)[0].seen for names in ("greedy,rush", "greedy", "rush"))
    first = 30  # positions: less than a game
    assert (both[:first] == rush[:first]).all()  # games have numbers, and one has rush if its number is even
    assert (both[:first] != greedy[:first]).any()
    assert (both != rush).any()
    assert (filled(trace=1.0, teacher=1.0)[0].seen == both).all()  # in Cheops both teach if nothing else is said


# --- The same seed, the same player -------------------------------------------------------------------------------------------


def test_a_run_that_was_interrupted_ends_like_one_that_was_not(tmp_path):
    straight, first = small_learner(), small_learner()
    for _ in range(4):
        straight.iterate()
    for _ in range(2):
        first.iterate()
    td.save(first, tmp_path / td.CHECKPOINT)
    second = td.resumed(straight.game, tmp_path)
    for _ in range(2):
        second.iterate()
    assert (second.games, second.decisions) == (straight.games, straight.decisions)
    assert (second.network.weights == straight.network.weights).all()
    other = small_learner(seed=1)
    other.iterate()
    assert not np.array_equal(other.network.weights, straight.network.weights)


def test_pages_can_be_played_anywhere_and_in_any_order():
    """What a page holds follows from its number: a worker plays it like the learner itself, and again if the first one died."""
    here, there = small_learner(pages=4), small_learner(pages=4)

    def somewhere(weights, terms, numbers):
        pages = {n: Table(there.game, there.settings).play(weights, terms, n) for n in reversed(numbers)}
        return [pages[n] for n in numbers]

    there.players = somewhere
    for _ in range(2):
        here.iterate()
        there.iterate()
    assert (here.games, here.decisions) == (there.games, there.decisions)
    assert (here.network.weights == there.network.weights).all()
    assert here.seconds > 0


def test_no_two_pages_have_the_same_games():
    learner = small_learner(pages=2)
    pages = Table(learner.game, learner.settings).play_all(learner.network.weights, Terms(0.0, 1.0, 0.0, 0), range(2))
    first, second = ({position.tobytes() for position in page.seen} for page in pages)
    assert len(first) > 100
    assert len(first & second) < 10


FOREVER = """
import sys
from mastaba.baselines.recipes import td
td.CHECKPOINT_SECONDS = 0.0
td.train("cheops", 2, sys.argv[1], decisions=10**9, **eval(sys.argv[2]))
"""


def test_a_killed_run_resumes_and_a_folder_has_one_run_at_a_time(tmp_path):
    run = subprocess.Popen([sys.executable, "-c", FOREVER, str(tmp_path), repr({**QUICK, **SMALL})])
    try:
        deadline = time.monotonic() + 300
        while not (tmp_path / td.CHECKPOINT).exists():
            assert run.poll() is None, "the run ended by itself"
            assert time.monotonic() < deadline, "the run wrote no checkpoint"
            time.sleep(0.05)
        with pytest.raises(ValueError, match="in use by another run"):
            train("cheops", 2, tmp_path, resume=True, **QUICK)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    before = td.resumed(mastaba.game("cheops", 2), tmp_path)
    assert before.decisions > 0
    report = train("cheops", 2, tmp_path, resume=True, decisions=before.decisions + 2000, **QUICK)
    assert before.decisions + 2000 <= report.decisions < before.decisions + 6000


# --- A brain is a player ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["", "player.npz"])
def test_what_was_trained_plays_by_name(run, file):
    game = mastaba.game("cheops", 2)
    player = agent(game, f"td:{run / file}", seed=3)
    result = evaluate(game, player, agent(game, "random", seed=1), games=40)
    assert result.agent == f"td:{run / file}"
    assert result.mean_score > 0
    twin = pickle.loads(pickle.dumps(agent(game, f"td:{run / file}", seed=3)))
    assert evaluate(game, twin, agent(game, "random", seed=1), games=40) == result


def untrained(game: mastaba.Game, plan: Plan) -> LearnedAgent:
    weights = Network(game.encoder().size, seed=5).weights
    weights[:BIAS, LINEAR] = np.random.default_rng(0).normal(size=len(weights) - 2)
    return LearnedAgent(game, "td", 0, Brain.of(game, "flat", "points", plan, weights[None]))


@pytest.mark.parametrize("which", mastaba.GAMES)
def test_the_future_of_a_game_does_not_decide_what_is_played(which):
    """The generator of the game is not the player's: whatever it holds, the choice is the same."""
    game = mastaba.game(which)
    state = game.new_initial_state(seed=1)
    for k in range(25):
        choices = set()
        for future in range(3):
            other = state.clone()
            other.reseed(future)
            choices.add(act(untrained(game, Plan(2, 50, 1)), other))
        assert len(choices) == 1
        state.apply_action(choices.pop() if k % 2 else state.legal_actions()[0])
        if state.is_terminal():
            break


def best_lead(state: mastaba.State, player: int, turn: int, depth: int, basis: str) -> float:
    """The greatest lead at the end of the turn, or after `depth` more actions."""
    if state.is_terminal() or not depth or state.current_player() != player or state.game.rules.turn_of(state.record[0]) != turn:
        worth = [state.game.rules.value(state.record[0], p) for p in (0, 1)] if basis == "judged" else state.scores()
        return worth[player] - worth[1 - player]
    return max(best_lead(child(state, a), player, turn, depth - 1, basis) for a in state.legal_actions())


def child(state: mastaba.State, action: int) -> mastaba.State:
    after = state.clone()
    after.apply_action(action)
    return after


@pytest.mark.parametrize("depth, basis", [(1, "points"), (2, "points"), (8, "points"), (2, "judged")])
def test_without_a_network_the_greatest_lead_at_the_end_of_the_turn_is_played(depth, basis):
    game = mastaba.game("cheops", 2)
    weights = np.zeros((1, game.encoder().size + 2, WIDTH), np.float32)
    player = LearnedAgent(game, "td", 0, Brain.of(game, "flat", basis, Plan(depth, 10**6, 1), weights))
    state, rng = game.new_initial_state(seed=depth), np.random.default_rng(0)
    for _ in range(30):
        me, turn = state.current_player(), game.rules.turn_of(state.record[0])
        leads = {a: best_lead(child(state, a), me, turn, depth - 1, basis) for a in state.legal_actions()}
        assert leads[act(player, state)] == pytest.approx(max(leads.values()))
        state.apply_action(rng.choice(state.legal_actions()))


# --- Bad input: one line, nothing changed -------------------------------------------------------------------------------------


def contents(folder: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def refuses(folder: Path, says: str, *, game: str = "cheops", players: int = 2, out: Path | None = None, **arguments) -> None:
    before = contents(folder)
    with pytest.raises((ValueError, RuntimeError), match=re.escape(says)) as refusal:
        train(game, players, out or folder, **{**QUICK, **arguments})
    assert "\n" not in str(refusal.value)
    assert contents(folder) == before


def test_bad_arguments_are_refused(run, tmp_path):
    refuses(tmp_path, "no game 'chess'", game="chess")
    refuses(tmp_path, "9 players are not possible", players=9)
    refuses(tmp_path, "minutes=0", minutes=0)
    refuses(tmp_path, "no setting sped", sped=3)
    refuses(tmp_path, "no such file", resume=True)
    refuses(tmp_path, "basis='luck' is not possible, allowed are 'points', 'judged'", basis="luck")
    refuses(tmp_path, "pages=0 is not possible", pages=0)
    refuses(tmp_path, "depth=99 is not possible, allowed are 1 to 15", depth=99)
    refuses(tmp_path, "decisions=0 is not possible", decisions=0)
    refuses(tmp_path, "units=100 is not possible, allowed are 63, 126, 189 and so on", units=100)
    refuses(tmp_path, "units=0 is not possible", units=0)
    for spread in (-1.0, float("nan")):
        refuses(tmp_path, f"spread={spread} is not possible: it is a standard deviation, or 0", spread=spread)
    refuses(
        tmp_path, "teachers=socrates is not possible: one or two of greedy, random, rush, like greedy,random", teachers="socrates"
    )
    refuses(tmp_path, "teachers=greedy,greedy,rush is not possible", teachers="greedy,greedy,rush")
    refuses(tmp_path, "observation='smell' is not possible", observation="smell")
    refuses(tmp_path, "observation='text' is not possible in training", observation="text")
    refuses(run, "holds a run already")
    (tmp_path / "file").touch()
    refuses(tmp_path, "is a file", out=tmp_path / "file")
    refuses(tmp_path, "no such file", resume=True, out=tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("part", [0.0, 0.3, 0.99])
def test_a_truncated_file_is_refused(run, tmp_path, part):
    for name in ("checkpoint.npz", "player.npz"):
        whole = (run / name).read_bytes()
        (tmp_path / name).write_bytes(whole[: int(part * len(whole))])
    refuses(tmp_path, "is not a checkpoint, or a damaged one", resume=True)
    with pytest.raises(ValueError, match="is not a learned player, or a damaged one"):
        agent(mastaba.game("cheops", 2), f"td:{tmp_path}")


def changed(source: Path, target: Path, **change) -> None:
    with np.load(source) as file:
        arrays = dict(file)
    about = {**json.loads(str(arrays["about"])), **change}
    np.savez(target, **{**arrays, "about": np.array(json.dumps(about))})


@pytest.mark.parametrize(
    "change, says",
    [
        ({"game": "giza_v1"}, "giza_v1 with 2 players, not"),
        ({"game": "cheops_v99"}, "cheops_v99 with 2 players, not"),
        ({"num_players": 3}, "with 3 players, not"),
        ({"format": "something else"}, "of this version of mastaba"),
        ({"layout": "0123"}, "other observations"),
    ],
)
def test_a_file_of_something_else_is_refused(run, tmp_path, change, says):
    for name in ("checkpoint.npz", "player.npz"):
        changed(run / name, tmp_path / name, **change)
    refuses(tmp_path, says, resume=True)
    with pytest.raises(ValueError, match=re.escape(says)):
        agent(mastaba.game("cheops", 2), f"td:{tmp_path}")


HARMS = {
    "without weights": lambda arrays: arrays.pop("weights"),
    "without a word about them": lambda arrays: arrays.pop("about"),
    "about something else": lambda arrays: arrays.update(about=np.array("[1, 2]")),
    "with weights of another shape": lambda arrays: arrays.update(weights=arrays["weights"][..., :1]),
    "with weights of another type": lambda arrays: arrays.update(weights=arrays["weights"].astype(np.int8)),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS.keys())
def test_a_file_with_another_content_is_refused(run, tmp_path, harm):
    for name in ("checkpoint.npz", "player.npz"):
        with np.load(run / name) as file:
            arrays = dict(file)
        harm(arrays)
        np.savez(tmp_path / name, **arrays)
    refuses(tmp_path, "is not a checkpoint, or a damaged one", resume=True)
    with pytest.raises(ValueError, match="is not a learned player, or a damaged one"):
        agent(mastaba.game("cheops", 2), f"td:{tmp_path}")


@pytest.mark.parametrize("place", [0.4, 0.6, 0.9])
def test_flipped_bits_are_refused(run, tmp_path, place):
    for name in ("checkpoint.npz", "player.npz"):
        data = bytearray((run / name).read_bytes())
        data[int(place * len(data))] ^= 4
        (tmp_path / name).write_bytes(data)
    refuses(tmp_path, "is not a checkpoint, or a damaged one", resume=True)
    with pytest.raises(ValueError, match="is not a learned player, or a damaged one"):
        agent(mastaba.game("cheops", 2), f"td:{tmp_path}")


def test_changed_weights_are_refused(run, tmp_path):
    with np.load(run / "player.npz") as file:
        arrays = dict(file)
    arrays["weights"][0, 0] += 1
    np.savez(tmp_path / "player.npz", **arrays)
    with pytest.raises(ValueError, match="its digest is another"):
        agent(mastaba.game("cheops", 2), f"td:{tmp_path}")


def test_settings_of_a_game_are_those_of_its_table():
    assert settings_for(mastaba.game("cheops", 2)).depth > 1
    assert settings_for(mastaba.game("giza", 3)).opening > 0
    assert settings_for(mastaba.game("giza", 4)).others > 0
    with pytest.raises(ValueError, match=r"others=1.5 is not possible: it is a share, from 0 to 1"):
        settings_for(mastaba.game("cheops", 2), others=1.5)
    assert settings_for(mastaba.game("cheops", 2), depth=1) == Settings(**{**td.TUNED["cheops"], "depth": 1})


def test_a_command_says_which_settings_are_unusual():
    game = mastaba.game("cheops", 2)
    settings = settings_for(game, seed=3, decisions=500, learning_rate=(2e-3, 1e-4), depth=2)
    command = td.command_of(game, settings)
    assert command == (
        "mastaba train cheops --players 2 --method td --seed 3 --decisions 500 --set depth=2 --set learning_rate=0.002,0.0001"
    )
    changes = parse_settings(Settings, (word for word in command.split() if "=" in word))
    assert settings_for(game, seed=3, decisions=500, **changes) == settings


@pytest.mark.parametrize("word", ["sped=3", "depth", "depth=", "depth=deep", "learning_rate=1", "learning_rate=1,2,3"])
def test_a_setting_that_is_none_is_refused_in_one_line(word):
    with pytest.raises(ValueError, match=re.escape(word)) as refusal:
        parse_settings(Settings, [word])
    assert "\n" not in str(refusal.value)
