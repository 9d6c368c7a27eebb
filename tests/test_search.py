"""Players that search: they find what is best, see nothing they may not see, and say what they found."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import mastaba
from mastaba.baselines.agents import act, agent
from mastaba.baselines.learned import players as learned_players
from mastaba.baselines.learned.players import is_known
from mastaba.baselines.search import players as search_players
from mastaba.baselines.search.analysis import table_of
from mastaba.baselines.search.engine import nothing_learned
from mastaba.baselines.search.players import KINDS, Analysis, Learned, SearchAgent
from mastaba.baselines.search.racing import Race
from mastaba.baselines.search.settings import (
    MUCH_TIME,
    SIMULATIONS_PER_MILLISECOND,
    STRONGEST,
    STRONGEST_LEARNED,
    WITH_LITTLE_TIME,
    WITH_MUCH_TIME,
    Budget,
    Settings,
    defaults,
    strongest,
)
from mastaba.baselines.tournament import evaluate, tuning
from mastaba.baselines.tournament.tuning import Candidate
from mastaba.cli import app
from mastaba.envs.core.kernel.jit import kernel
from mastaba.envs.core.state import State
from mastaba.envs.registry import rules

runner = CliRunner()
CHEOPS = mastaba.game("cheops", num_players=2)


def searcher(kind: str, simulations: int, **settings: object) -> SearchAgent:
    return SearchAgent(CHEOPS, kind, Budget(simulations), seed=1, settings=Settings(**settings) if settings else None)  # type: ignore[arg-type]


def middle(game: mastaba.Game, seed: int, decisions: int) -> State:
    state, player = game.new_initial_state(seed=seed), agent(game, "greedy", seed)
    while state.record["decisions"][0] < decisions and not state.is_terminal():
        state.apply_action(act(player, state))
    return state


# --- What it may see -------------------------------------------------------------------------------------------------------------


TREE_BELOW = "rollout:60:ahead=6:widen=2:sure=2"  # below each action that is tried
BUDGETED = [*(f"{kind}:60" for kind in KINDS), "search:60", "search:60:sure=1", TREE_BELOW]


def check_that_it_thinks_the_same(game: mastaba.Game, player: str) -> None:
    """In two deals that the player cannot tell apart, with other hidden cards and another future."""
    for seed in range(2):
        state = middle(game, seed, 12)
        rigged = state.determinize(state.current_player(), seed=99)
        rigged.reseed(12345)
        found = [agent(game, player, 7).analyse(position) for position in (state, rigged)]  # type: ignore[attr-defined]
        assert found[0] == found[1]


@pytest.mark.parametrize("player", BUDGETED)
def test_a_rigged_deal_changes_nothing(name: str, player: str) -> None:
    check_that_it_thinks_the_same(mastaba.game(name, min(n for n in rules(name).players if n > 1)), player)


def test_nor_does_it_where_the_learned_player_plays_on() -> None:
    check_that_it_thinks_the_same(CHEOPS, "rollout:60:playout=learned:leaf=learned:horizon=2")


def test_nor_does_it_where_the_learned_player_guides() -> None:
    check_that_it_thinks_the_same(CHEOPS, "mcts:60:leaf=learned:prior=0.1")


def test_the_rigged_future_would_have_mattered() -> None:
    """The same moves lead elsewhere, so whoever saw the future could use it."""
    results = set()
    for future in range(4):
        state, player = middle(CHEOPS, 0, 12), agent(CHEOPS, "greedy", 1)
        state.reseed(future)
        while not state.is_terminal():
            state.apply_action(act(player, state))
        results.add(tuple(state.scores()))
    assert len(results) > 1


# --- What it finds ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_beats_random_players(kind: str) -> None:
    result = evaluate(CHEOPS, agent(CHEOPS, f"{kind}:60", 1), agent(CHEOPS, "random", 2), games=12)
    assert result.rate > 0.8


def test_an_action_that_ends_the_turn_is_judged_at_the_same_time_as_others() -> None:
    """One turn ahead, greedy's own opinion as the leaf: the choice is greedy's, up to ties."""
    player, greedy, same, state = searcher("rollout", 1, horizon=1, solve=0), agent(CHEOPS, "greedy", 1), [], middle(CHEOPS, 4, 2)
    while state.record["round"][0] < 6:
        found = player.analyse(state)
        values = {line.action: line.values[found.player] for line in found.lines}
        same.append(values[act(greedy, state)] == pytest.approx(max(values.values())))
        state.apply_action(act(greedy, state))
    assert all(same)


def brute_force(state: State) -> tuple[np.ndarray, int]:
    """What everybody gets if everybody plays every line to the end for itself, and the first best action."""
    if state.is_terminal():
        points, ranks = np.array(state.scores(), float), state.standings()
        lead = np.array([points[p] - max(np.delete(points, p)) for p in range(len(points))]) / state.game.rules.score_scale
        share = np.array([(rank == 0) / ranks.count(0) for rank in ranks])
        return lead + 0.5 * (share * len(points) - 1) / (len(points) - 1), -1
    best: tuple[np.ndarray, int] | None = None
    mover = state.current_player()
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        values, _ = brute_force(after)
        if best is None or values[mover] > best[0][mover]:
            best = values, action
    assert best is not None
    return best


@pytest.mark.parametrize(("ending", "players", "enough"), [("cheops", 2, 4), ("giza", 3, 4)])
def test_the_end_is_played_as_brute_force_would(ending: str, players: int, enough: int) -> None:
    game = mastaba.game(ending, num_players=players)
    player = SearchAgent(game, "rollout", Budget(1), seed=1, settings=Settings(horizon=1, solve=300))
    solved = 0
    for seed in range(12):
        state, greedy = game.new_initial_state(seed=seed), agent(game, "greedy", seed)
        while not state.is_terminal():
            found = player.analyse(state)
            if found.exact:
                values, action = brute_force(state)
                assert found.best == action
                assert found.lines[0].values == pytest.approx(values.tolist())
                solved += 1
            state.apply_action(act(greedy, state))
    assert solved >= enough


def test_what_is_hidden_or_thrown_is_never_called_exact() -> None:
    found = SearchAgent(CHEOPS, "rollout", Budget(1), seed=1, settings=Settings(horizon=1, solve=10**6)).analyse(
        middle(CHEOPS, 0, 5)
    )
    assert not found.exact


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_an_analysis_adds_up(kind: str, threads: int) -> None:
    state = middle(CHEOPS, 3, 6)
    found = agent(CHEOPS, f"{kind}:300:threads={threads}", 1).analyse(state)  # type: ignore[attr-defined]
    assert sorted(line.action for line in found.lines) == state.legal_actions()
    assert sum(line.visits for line in found.lines) == found.simulations >= 200
    assert found.principal[0] == found.lines[0].notation == state.action_to_string(found.best)
    assert found.player == state.current_player()
    if kind == "mc":
        assert len({line.visits for line in found.lines}) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_many_games_at_once_are_shared_out_to_threads(kind: str) -> None:
    """Thread k takes every second game with its own dice: the same choices as by a player that has these dice."""
    states = [middle(CHEOPS, seed, 6) for seed in range(5)]
    records, masks = (np.concatenate([getattr(state, what) for state in states]) for what in ("record", "padded_mask"))
    player = SearchAgent(CHEOPS, kind, Budget(60), seed=1, settings=Settings(threads=2))
    alone = SearchAgent(CHEOPS, kind, Budget(60), settings=Settings())
    dice = [int(desk.counter[0]) for desk in player._desks]
    chosen = player.choose(records, masks)
    for k in range(2):
        alone._desks[0].counter[0] = dice[k]
        assert alone.choose(records[k::2], masks[k::2]).tolist() == chosen[k::2].tolist()


def test_margins_of_two_are_opposite() -> None:
    found = agent(CHEOPS, "rollout:100", 1).analyse(middle(CHEOPS, 3, 6))  # type: ignore[attr-defined]
    assert all(sum(line.values) == pytest.approx(0, abs=1e-9) for line in found.lines)


@pytest.mark.parametrize(
    "settings", [{"playout": "averages", "leaf": "win"}, {"playout": "greedy", "mix": 50}, {"rivals": "greedy"}]
)
def test_every_way_to_think_is_possible(settings: dict[str, object]) -> None:
    base = {"playout": "uniform", "leaf": "margin"} | settings
    found = searcher("mcts", 2000, **base).analyse(middle(CHEOPS, 3, 40))
    other = searcher("mcts", 2000, playout="uniform", leaf="margin").analyse(middle(CHEOPS, 3, 40))
    assert found != other


def test_action_averages_are_of_this_search_alone() -> None:
    player = searcher("mcts", 100, playout="averages", leaf="win")
    first, state = middle(CHEOPS, 3, 6), middle(CHEOPS, 5, 6)
    player.set_dice(1)
    expected = player.analyse(state)
    player.analyse(first)
    player.set_dice(1)
    assert player.analyse(state) == expected


@kernel
def likes_the_second(s, p, mind):
    return mind[0] if p == 1 else -mind[0]


def test_a_learned_value_judges_leaves() -> None:
    settings = Settings(playout="uniform", horizon=1, leaf="learned")
    learned = Learned(likes_the_second, np.array([0.25]))
    found = SearchAgent(CHEOPS, "rollout", Budget(40), seed=1, settings=settings, learned=learned).analyse(middle(CHEOPS, 3, 6))
    assert all(line.values == pytest.approx((-0.25, 0.25)) for line in found.lines)


@kernel
def flatters_everybody(s, p, mind):
    return mind[0] + 0.1 * p


@pytest.mark.parametrize(("which", "players", "values"), [("cheops", 2, (-0.05, 0.05)), ("giza", 3, (0.25, 0.35, 0.45))])
def test_of_two_players_both_are_asked_what_the_lead_is(which: str, players: int, values: tuple[float, ...]) -> None:
    game, learned = mastaba.game(which, players), Learned(flatters_everybody, np.array([0.25]))
    settings = Settings(playout="uniform", horizon=1, leaf="learned")
    found = SearchAgent(game, "rollout", Budget(40), seed=1, settings=settings, learned=learned).analyse(middle(game, 3, 6))
    assert all(line.values == pytest.approx(values) for line in found.lines)


def test_every_thread_thinks_with_a_mind_of_its_own() -> None:
    settings, learned = Settings(leaf="learned", threads=2), Learned(likes_the_second, np.array([0.25]))
    player = SearchAgent(CHEOPS, "rollout", Budget(40), seed=1, settings=settings, learned=learned)
    assert not np.shares_memory(*(desk.mind for desk in player._desks))


def test_learned_values_come_with_the_package_or_are_refused() -> None:
    player = agent(CHEOPS, "rollout:40:leaf=learned:horizon=1", 1)
    other = agent(CHEOPS, "rollout:40:horizon=1", 1)
    state = middle(CHEOPS, 3, 6)
    assert player.analyse(state) != other.analyse(state)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=r"no learned player of cheops for 5 players \(there is one for 2"):
        agent(mastaba.game("cheops", 5), "rollout:40:leaf=learned", 1)


@kernel
def takes_the_last(s, mask, counter, scratch, scratch_masks, mind):
    """Plays so, and counts how often it was asked."""
    mind[0] += 1
    last = 0
    for action in range(len(mask)):
        if mask[action]:
            last = action
    return last


def test_a_learned_player_plays_on() -> None:
    settings, state = Settings(playout="learned", horizon=2, solve=0), middle(CHEOPS, 3, 6)
    learned = Learned(nothing_learned, np.array([0]), takes_the_last)
    player = SearchAgent(CHEOPS, "rollout", Budget(40), seed=1, settings=settings, learned=learned)
    found, usual = player.analyse(state), searcher("rollout", 40, horizon=2, solve=0).analyse(state)
    assert player._desks[0].mind[0] >= 40
    assert [line.values for line in found.lines] != [line.values for line in usual.lines]
    with pytest.raises(ValueError, match="playout=learned is not possible"):
        SearchAgent(CHEOPS, "rollout", Budget(40), settings=settings, learned=Learned(likes_the_second, np.array([0.25])))


# --- When it is sure -------------------------------------------------------------------------------------------------------------


@kernel
def throws_dice(s, p, mind):
    """Another number each time, none of them better on average."""
    mind[0] = (mind[0] * 69069 + 12345) % 2**31
    return mind[0] / 2**31


def used(value: object, **settings: object) -> int:
    """Simulations of 4000 that are made if positions are judged so."""
    given = Settings(playout="uniform", horizon=1, leaf="learned", solve=0, **settings)  # type: ignore[arg-type]
    player = SearchAgent(CHEOPS, "rollout", Budget(4000), seed=1, settings=given, learned=Learned(value, np.array([1], np.int64)))
    return player.analyse(middle(CHEOPS, 3, 6)).simulations


def test_a_clear_choice_takes_less_than_the_budget_and_an_unclear_one_all_of_it() -> None:
    assert used(likes_the_second, sure=3) < 2000  # all the same: nothing to choose
    assert used(throws_dice, sure=3) > 3800
    assert used(likes_the_second) > 3800  # sure of nothing


def race(differences: np.ndarray, sure: float = 3.0) -> Race:
    """Of actions that were worth `differences[world, action]` more than the world was."""
    worlds, actions = differences.shape
    gains = differences + np.random.default_rng(1).normal(0, 10, (worlds, 1))
    made = Race(np.arange(actions) + 20, 2, 0, sure)
    made.add(np.stack([gains.sum(0), -gains.sum(0)], 1), np.tril(gains.T @ gains), worlds)
    made.drop_the_beaten()
    return made


def test_a_race_is_decided_by_differences_in_the_same_worlds() -> None:
    """The worlds differ by 10, the actions by 1: nobody sees that from the means alone."""
    noise = np.random.default_rng(2).normal(0, 1, (400, 3))
    behind = race(noise - [1, 0, 0.05])
    assert behind.alive.tolist() == [1, 2]
    assert not behind.decided
    assert behind.order()[-1] == 0
    assert race(noise - [1, 0, 1]).decided
    assert race(noise - [1, 0, 1], sure=0).alive.tolist() == [0, 1, 2]


def test_a_few_worlds_that_agree_are_no_proof() -> None:
    assert race(np.tile([0.0, 0.5], (4, 1))).alive.tolist() == [0, 1]
    assert race(np.tile([0.0, 0.5], (8, 1))).alive.tolist() == [0, 1]  # one world more of those could say the opposite
    assert race(np.tile([0.0, 0.5], (60, 1))).alive.tolist() == [1]


def test_of_equal_actions_the_first_is_left() -> None:
    assert race(np.zeros((20_000, 3))).alive.tolist() == [0]


def test_a_race_keeps_the_best_and_what_was_found_of_them() -> None:
    made = race(np.random.default_rng(2).normal(0, 1, (50, 5)) - [3, 0, 2, 0.1, 1], sure=0)
    made.keep(3)
    assert made.alive.tolist() == [1, 3, 4]
    made.add(np.full((3, 2), 7.0), np.ones((3, 3)), 1)
    assert made.counts.tolist() == [50, 51, 50, 51, 51]
    assert made.order()[3:] == [2, 0]


@kernel
def likes_jokers(s, p, mind):
    return 0.1 * (s.jokers[p] - s.jokers[1 - p])


@pytest.mark.parametrize(("seed", "decisions"), [(3, 15), (5, 20)])
def test_a_tree_below_an_action_begins_like_greedy_and_then_finds_more(seed: int, decisions: int) -> None:
    """With few visits it is the rollout; later on it finds own actions that lead to what greedy does not look for."""
    state, best = middle(CHEOPS, seed, decisions), []
    for how in ({}, {"ahead": 9, "widen": 1e6}, {"ahead": 9, "widen": 2.0, "explore": 0.1}):
        settings = Settings(horizon=2, leaf="learned", rivals="greedy", solve=0, **how)  # type: ignore[arg-type]
        learned = Learned(likes_jokers, np.zeros(1))
        player = SearchAgent(CHEOPS, "rollout", Budget(2000), seed=1, settings=settings, learned=learned)
        best.append(player.analyse(state).lines[0])
    plain, young, old = (line.values[state.current_player()] for line in best)
    assert young == plain
    assert old > plain + 0.01


def test_a_tree_below_an_action_keeps_within_its_room() -> None:
    player = agent(CHEOPS, "rollout:40:ahead=30:widen=1:solve=0", 1)
    tree = player._trees[0]  # type: ignore[attr-defined]
    for seed in range(5):
        player.analyse(middle(CHEOPS, seed, 8))  # type: ignore[attr-defined]
        assert tree.size[0] <= len(tree.first)
        assert tree.size[1] <= len(tree.action)


# --- Trees that the learned player guides ----------------------------------------------------------------------------------------


@kernel
def rates_the_last(s, mask, counter, scratch, scratch_masks, mind, rates):
    """The last legal action best, each other one by mind[0] worse than the next."""
    rate = 0.0
    for action in range(len(rates) - 1, -1, -1):
        if mask[action]:
            rates[action] = rate
            rate -= mind[0]


def guided(step: float, simulations: int, state: State, value: object = nothing_learned, **settings: object) -> Analysis:
    """What it finds if each action is rated so much worse than the next one."""
    given = Settings(**{"leaf": "learned", "prior": 0.1, "solve": 0} | settings)  # type: ignore[arg-type]
    learned = Learned(value, np.array([step]), rater=rates_the_last)
    return SearchAgent(CHEOPS, "mcts", Budget(simulations), seed=1, settings=given, learned=learned).analyse(state)


def visits_of(found: Analysis) -> list[int]:
    return [line.visits for line in sorted(found.lines, key=lambda line: line.action)]


def test_actions_are_tried_as_likely_as_they_are_rated() -> None:
    """All are worth the same, so the prior decides: exp(-0.1 / 0.1) times as often as the next one."""
    state = middle(CHEOPS, 3, 6)
    even, steep = (np.array(visits_of(guided(step, 2000, state, trust=1e-9))) for step in (0.0, 0.1))
    assert len(even) == len(state.legal_actions()) > 5
    assert even.max() - even.min() <= 1
    assert steep[-4:-1] / steep[-3:] == pytest.approx(np.exp(-1), rel=0.01)


def test_what_was_not_tried_is_worth_what_its_rate_says() -> None:
    state = middle(CHEOPS, 3, 6)
    often = visits_of(guided(0.1, 200, state, prior=1e6, trust=0.3, explore=1e-3))
    assert often[-1] == 200  # likely are all, but what is rated worse never looks better than what was found to be as good as said
    assert sum(often) == 200


@pytest.mark.parametrize(("seed", "decisions"), [(3, 15), (5, 20)])
def test_a_tree_finds_what_its_guide_does_not_see(seed: int, decisions: int) -> None:
    state = middle(CHEOPS, seed, decisions)
    misled = guided(0.01, 4000, state, likes_jokers)
    favourite = next(line for line in misled.lines if line.action == max(state.legal_actions()))
    best, followed = (line.values[state.current_player()] for line in (misled.lines[0], favourite))
    assert best > followed
    assert misled.best != favourite.action
    assert guided(0.01, 1, state, likes_jokers).best == favourite.action


def test_a_full_tree_goes_on_with_what_it_knows(monkeypatch) -> None:
    state = middle(CHEOPS, 3, 6)
    free = guided(0.0, 500, state, likes_jokers)
    monkeypatch.setattr(search_players, "MOST_EDGES", 40)
    full = guided(0.0, 500, state, likes_jokers)
    assert full.simulations == sum(visits_of(full)) == 500
    assert len(full.principal) < len(free.principal)


def test_what_was_never_tried_is_told_without_values() -> None:
    state = middle(CHEOPS, 3, 6)
    found = guided(0.5, 40, state)
    table = table_of(state, found, "mcts:40", top=99)
    visits, values = (list(table.columns[k].cells) for k in (1, 2))
    assert "0" in visits
    assert [value == "-" for value in values] == [number == "0" for number in visits]


def test_victories_of_a_guided_search_are_counted_in_games_of_greedy() -> None:
    game = mastaba.game("giza", 3)
    player = SearchAgent.of_name("search", game, "40", 1)
    assert player.settings.prior > 0
    counting, usual = player.counting_victories(), SearchAgent.of_name("rollout", game, "40", 1).counting_victories()
    state = middle(game, 3, 6)
    found, expected = ([line.values for line in one.analyse(state).lines] for one in (counting, usual))
    assert found == expected
    assert all(sum(values) == pytest.approx(1) for values in found)


def test_a_tree_is_guided_only_by_who_rates_actions() -> None:
    settings, learned = Settings(leaf="learned", prior=0.1), Learned(likes_the_second, np.array([0.25]))
    with pytest.raises(ValueError, match="prior is not possible with a learned value that rates no actions"):
        SearchAgent(CHEOPS, "mcts", Budget(40), settings=settings, learned=learned)


# --- Budgets, names, copies ------------------------------------------------------------------------------------------------------


def test_a_time_budget_is_kept() -> None:
    import time

    player, state = agent(CHEOPS, "mcts:20ms", 1), middle(CHEOPS, 3, 6)
    act(player, state)
    start = time.thread_time()
    for _ in range(5):
        act(player, state)
    assert 0.08 < time.thread_time() - start < 0.25


FIRST = """
import mastaba
from mastaba.baselines.agents import agent
game = mastaba.game("cheops", 2)
player, state = agent(game, {name!r}, 1), game.new_initial_state(seed=3)
print(*(player.analyse(state).simulations for _ in range(3)))
"""


@pytest.mark.parametrize("player", ["mcts:5ms", "mcts:5ms:leaf=learned:prior=0.1"])
def test_the_first_decision_of_a_process_has_its_whole_time(player: str) -> None:
    """Kernels are compiled or read from the cache before the clock runs."""
    done = subprocess.run([sys.executable, "-c", FIRST.format(name=player)], capture_output=True, text=True, check=True)
    first, *others = map(int, done.stdout.split())
    assert first > min(others) / 4 > 10


@pytest.mark.parametrize("budget", [30, 100, 1000])
def test_a_budget_of_simulations_is_kept_where_every_action_gets_its_chance(budget: int) -> None:
    state = middle(CHEOPS, 3, 6)
    found = agent(CHEOPS, f"rollout:{budget}:solve=0", 1).analyse(state)  # type: ignore[attr-defined]
    assert found.simulations <= max(1.3 * budget, len(state.legal_actions()))


def test_settings_by_name() -> None:
    player = agent(CHEOPS, "mcts:50:explore=0.25:choose=visits", 1)
    assert isinstance(player, SearchAgent)
    assert (player.settings.explore, player.settings.choose) == (0.25, "visits")
    assert player.settings.playout == defaults("mcts", "cheops").playout
    for wrong, complaint in (
        ("mcts", "^mcts: a budget is a number of simulations or a time"),
        ("mcts:0", "a budget is a number of simulations or a time"),
        ("mcts:-3ms", "a budget is a number of simulations or a time"),
        ("mcts:5:colour=red", "no setting 'colour=red', settings are NAME=VALUE with playout"),
        ("mcts:5:playout=wild", "playout='wild' is not possible, allowed are 'uniform', 'greedy', 'averages'"),
        ("mcts:5:depth=x", "'depth=x' is not possible: depth is something like 1000"),
        ("mcts:5:threads=0", "at least 1"),
        ("mcts:5:prior=-1", "prior is at least 0"),
        ("mcts:5:prior=0.1", "prior=0.1 needs leaf=learned, not leaf='win'"),
        ("mcts:5:trust=0", "trust is more than 0, not 0"),
    ):
        with pytest.raises(ValueError, match=complaint):
            agent(CHEOPS, wrong, 1)


def test_search_is_the_strongest_of_its_game_and_can_be_changed(name: str) -> None:
    game = mastaba.game(name, min(n for n in rules(name).players if n > 1))
    table = STRONGEST | STRONGEST_LEARNED if is_known(game) else STRONGEST
    for budget in (7, 100_000):
        kind, *words = table.get(name, "rollout").split(":")
        if is_known(game):
            words += (WITH_LITTLE_TIME if budget < SIMULATIONS_PER_MILLISECOND * MUCH_TIME else WITH_MUCH_TIME).get(name, [])
        named, other = agent(game, f"search:{budget}", 1), agent(game, ":".join([kind, f"{budget}", *words]), 1)
        assert isinstance(named, SearchAgent)
        assert isinstance(other, SearchAgent)
        assert (named.kind, named.settings, named.name) == (other.kind, other.settings, f"search:{budget}")
    usual, changed = agent(game, "search:7", 1), agent(game, "search:7:explore=0.25", 1)
    assert isinstance(usual, SearchAgent)
    assert isinstance(changed, SearchAgent)
    assert changed.settings == replace(usual.settings, explore=0.25)


def test_more_time_asks_all_networks_and_looks_further_and_giza_always_asks_all() -> None:
    budgets = [Budget.parse(budget, "") for budget in ("49ms", "50ms", "4900", "5000")]
    assert [strongest("giza", True, budget)[1].networks for budget in budgets] == [0, 0, 0, 0]
    assert [strongest("pyramidice", True, budget)[1].networks for budget in budgets] == [1, 0, 1, 0]
    assert [strongest("pyramidice", True, budget)[1].horizon for budget in budgets] == [1, 2, 1, 2]
    assert [strongest("pyramids", True, budget)[1].horizon for budget in budgets] == [4, 8, 4, 8]
    assert [strongest("pyramids", learned, budgets[1])[1].leaf for learned in (False, True)] == ["judged", "learned"]


@pytest.mark.parametrize("where", STRONGEST_LEARNED)
def test_search_asks_the_learned_player_only_where_there_is_one(where: str, monkeypatch, tmp_path) -> None:
    game = mastaba.game(where, min(n for n in rules(where).players if n > 1))
    known = agent(game, "search:7", 1)
    monkeypatch.setattr(learned_players, "FOLDER", tmp_path)
    unknown = agent(game, "search:7", 1)
    assert (known.settings.leaf, unknown.settings.leaf) == ("learned", "judged")  # type: ignore[attr-defined]
    assert act(unknown, game.new_initial_state(seed=1)) >= 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_goes_on_with_the_same_dice(kind: str) -> None:
    player = agent(CHEOPS, f"{kind}:50", 1)
    act(player, middle(CHEOPS, 3, 6))
    copy = pickle.loads(pickle.dumps(player))
    state = middle(CHEOPS, 4, 8)
    found: list[Analysis] = [one.analyse(state) for one in (player, copy)]  # type: ignore[union-attr]
    assert found[0] == found[1]
    assert copy.name == player.name == f"{kind}:50"


# --- On the command line ---------------------------------------------------------------------------------------------------------


def test_analyse_tells_what_a_search_thinks_of_a_kept_game(tmp_path) -> None:
    from mastaba.envs.replay import Replay

    state, player, moves = CHEOPS.new_initial_state(seed=5), agent(CHEOPS, "greedy", 1), []
    while not state.is_terminal():
        moves.append(act(player, state))
        state.apply_action(moves[-1])
    file = Replay.of(CHEOPS, 5, moves, players=["greedy", "greedy"]).save(tmp_path / "game.json")
    result = runner.invoke(app, ["analyse", "cheops", "--replay", str(file), "--move", "4", "--agent", "mcts:100"])
    assert result.exit_code == 0, result.output
    assert "100 simulations" in result.stdout
    assert CHEOPS.action_to_string(moves[3]) in result.stdout
    for arguments, complaint in (
        (["--replay", str(file), "--move", "999"], f"moves are 1..{len(moves)}"),
        (["--agent", "greedy"], "greedy does not search"),
        (["--replay", str(tmp_path / "nothing.json")], "nothing.json"),
    ):
        result = runner.invoke(app, ["analyse", "cheops", *arguments])
        assert result.exit_code == 2, result.output
        assert complaint in result.stderr
    result = runner.invoke(app, ["analyse", "pyramids", "--replay", str(file)])
    assert "a game of cheops, not of pyramids" in result.stderr


def test_tune_compares_settings_in_the_same_deals() -> None:
    command = ["tune", "cheops", "-n", "2", "--budget", "4", "--try", "horizon=1,2", "--games", "4", "--workers", "1"]
    result = runner.invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "search:4:horizon=1" in result.stdout
    assert "search:4:horizon=2" in result.stdout
    result = runner.invoke(app, [*command, "--try", "horizon"])
    assert result.exit_code == 2
    assert "what is tried is written key=value,value, not 'horizon'" in result.stderr


@pytest.mark.parametrize(
    ("seats", "shares", "deals"),
    [
        (2, [0.5, 1.0, 0.75, 0.0], (2, 1)),  # one of two games, both, one and a draw, none
        (3, [1 / 3, np.mean([1 / 3, 1 / 3, 1 / 3]), np.mean([1.0, 0.5, 0.0]), 0.0, 1.0], (2, 1)),
    ],
)
def test_tune_counts_the_deals_that_do_not_decide_by_themselves(seats, shares, deals) -> None:
    candidate = Candidate("search:4", np.array(shares), 1 / seats)
    assert candidate.deals == deals
    (column,) = [column for column in tuning.table_of([candidate], ["greedy"], 8).columns if column.header == "deals"]
    assert list(column.cells) == [f"{deals[0]}:{deals[1]}"]


def test_tune_does_not_play_what_is_kept_again(tmp_path, monkeypatch) -> None:
    command = ["tune", "cheops", "-n", "2", "--budget", "4", "--games", "4", "--workers", "1", "--keep", str(tmp_path)]
    first = runner.invoke(app, command)
    assert first.exit_code == 0, first.output
    (kept,) = tmp_path.iterdir()
    lines = kept.read_text().splitlines(keepends=True)
    monkeypatch.setattr("mastaba.baselines.tournament.running.play_chunk", None)  # playing would fail
    again = runner.invoke(app, command)
    assert again.exit_code == 0, again.output
    assert again.stdout.splitlines()[-3:] == first.stdout.splitlines()[-3:]
    kept.write_text("".join(lines[:-1]))
    assert runner.invoke(app, command).exit_code != 0
