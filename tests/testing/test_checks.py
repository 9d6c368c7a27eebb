"""The checks are checked: the sound toy game passes all of them, and each catches the toys that are broken its way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mastaba import Game, testing
from mastaba.envs.core.episode import Episode
from mastaba.making import ActionTable, Feature, Phase, PhaseTable, Rules, inlined, kernel
from mastaba.testing.toy import RULES, players
from mastaba.testing.toy.actions import ACTIONS, PASS
from mastaba.testing.toy.observation import FEATURES
from mastaba.testing.toy.rules import determinize, do_lay, draw_stone, legal_lay, setup
from mastaba.testing.toy.scoring import scores
from mastaba.testing.toy.state import EMPTY, HAND, LAY, PHASES

from stairs_referee import StairsReferee


@pytest.mark.parametrize("check", testing.CHECKS, ids=lambda check: check.__name__)
def test_the_sound_toy_passes(check: testing.Check) -> None:
    check(Game(RULES, 3))
    check(Game(RULES, 2), examples=3, seed=100)


# --- Kernels that are wrong, each in one way -----------------------------------------------------------------------------------


@kernel
def legal_anything(s, mask):
    """Lower stones too."""
    mask[PASS] = 1
    for i in range(HAND):
        mask[i] = s.hand[s.current_player][i] != EMPTY
    return mask[: PASS + 1].sum()


@kernel
def legal_miscounted(s, mask):
    return max(2, legal_lay(s, mask))


@kernel
def legal_by_peeping(s, mask):
    """Passing is forbidden to those whose neighbour holds a six."""
    count = legal_lay(s, mask)
    if count == HAND + 1 and s.hand[(s.current_player + 1) % s.num_players][0] == 6:
        mask[PASS] = 0
        count -= 1
    return count


@kernel
def pass_for_ever(s, action):
    """Nobody is counted as passing."""
    do_lay(s, action)
    if action == PASS and not s.over:
        s.passes = 0


@kernel
def lay_for_nothing(s, action):
    """A stone is lost."""
    do_lay(s, action)
    if s.steps.sum() == 3:
        s.bag[0] = 0


@kernel
def legal_only_pass(s, mask):
    mask[PASS] = 1
    return 1


@kernel
def setup_without_seed(s):
    s.rng = np.uint64(7)
    setup(s)


@kernel
def lay_by_numba_dice(s, action):
    do_lay(s, action)
    if np.random.random() < 0.5:  # noqa: NPY002
        s.rng += np.uint64(1)


@kernel
def determinize_nothing(s, player):
    pass


@kernel
def determinize_all(s, player):
    """The own hand too."""
    determinize(s, -1)


@kernel
def determinize_by_swapping(s, player):
    """The others' stones change places: what they are follows from what they were."""
    for p in range(s.num_players):
        if p != player and s.hand[p][1] != EMPTY:
            first = s.hand[p][0]
            s.bag[first - 1] += 1
            draw_stone(s, p, 0)
            s.hand[p][0], s.hand[p][1] = s.hand[p][1], s.hand[p][0]


@kernel
def parts_that_forget(s, p, out):
    out[0] = s.steps[p]
    out[1] = 0


@kernel
def standings_upside_down(s, points, out):
    for p in range(s.num_players):
        out[p] = 0
        for q in range(s.num_players):
            out[p] += points[q] < points[p]


@inlined
def write_neighbour(s, me, out):
    out[0] = s.hand[(me + 1) % s.num_players][0] / 6


@inlined
def write_too_much(s, me, out):
    for i in range(HAND + 1):
        out[i] = 0.5


@inlined
def write_too_little(s, me, out):
    out[0] = 0.5


@inlined
def write_too_high(s, me, out):
    out[0] = 2.0


@kernel
def play_illegally(s, mask, counter, scratch, scratch_masks):
    return 0 if mask[0] == 0 else PASS


@kernel
def play_with_the_position(s, mask, counter, scratch, scratch_masks):
    s.passes = 0
    return PASS


# --- What is broken, who must notice, and what it says --------------------------------------------------------------------------


def broken(**parts: Any) -> Rules:
    return replace(RULES, **parts)


def with_phase(legal: Any = legal_lay, do: Any = do_lay) -> Rules:
    table = PhaseTable(PHASES, ACTIONS, Phase(LAY, legal, do, ("lay", "pass")))
    return broken(phases=table, legal=table.legal, step=table.do)


def with_feature(write: Any, size: int) -> Rules:
    return broken(features=(Feature("odd", size, "", write), *FEATURES))


def with_player(policy: Any) -> Rules:
    rules = broken()
    rules.__dict__["named_policies"] = {"odd": policy}
    return rules


def names_nothing(s: np.void) -> Any:
    if next(RULES.violations(s), None):
        yield "the moon", "is wrong"


def stumbles(s: np.void) -> Any:
    if 1 // (int(s["steps"].sum()) - int(s["laid"].sum()) + 1) > 1:
        yield "steps", "too many"
    yield from RULES.violations(s)


def draw_all(state: Any, player: int | None) -> str:
    return RULES.draw(state, None)


class Careless(ActionTable):
    def parse(self, text: str) -> int:
        return 0


UNDECLARED = PhaseTable(PHASES, ACTIONS, Phase(LAY, legal_lay, do_lay, ("lay",)))

BROKEN: dict[str, tuple[Callable[[], Rules], testing.Check, str]] = {
    "a mask that allows too much": (lambda: with_phase(legal_anything), testing.check_legal, "breaks an invariant, top"),
    "a count that is not the mask's": (lambda: with_phase(legal_miscounted), testing.check_legal, "returns 2 but marks 1"),
    "an action of no kind of its phase": (
        lambda: broken(phases=UNDECLARED),
        testing.check_legal,
        "'pass' is legal, but of no kind that the phase declares",
    ),
    "a game without end": (lambda: with_phase(do=pass_for_ever), testing.check_legal, "no end after|forced moves in a row"),
    "forced moves without end": (
        lambda: with_phase(legal_only_pass, pass_for_ever),
        testing.check_legal,
        "stairs: more than 10000 forced moves in a row in phase 'lay'",
    ),
    "a stone that is lost": (lambda: with_phase(do=lay_for_nothing), testing.check_legal, "breaks an invariant, bag"),
    "a seed that is ignored": (
        lambda: broken(setup=setup_without_seed),
        testing.check_determinism,
        "different seeds begin the same game",
    ),
    "dice outside the state": (lambda: with_phase(do=lay_by_numba_dice), testing.check_determinism, "two different games"),
    "a leak through an observation": (
        lambda: with_feature(write_neighbour, 1),
        testing.check_hiding,
        "the observation 'flat' of player . shows what is hidden",
    ),
    "a leak through the mask": (
        lambda: with_phase(legal_by_peeping),
        testing.check_hiding,
        "the mask of player . shows what is hidden",
    ),
    "a leak through the board": (lambda: broken(draw=draw_all), testing.check_hiding, "the text board of player . shows"),
    "determinize hands over the truth": (
        lambda: broken(determinize=determinize_nothing),
        testing.check_determinize,
        "hand: hidden, but `determinize` never redraws it",
    ),
    "determinize changes the own hand": (
        lambda: broken(determinize=determinize_all),
        testing.check_determinize,
        "changes what player . knows",
    ),
    "determinize depends on the truth": (
        lambda: broken(determinize=determinize_by_swapping),
        testing.check_determinize,
        "depend on the truth",
    ),
    "a score sheet that does not add up": (lambda: broken(parts=parts_that_forget), testing.check_scores, "add up to"),
    "ranks upside down": (lambda: broken(standings=standings_upside_down), testing.check_scores, "is ranked higher"),
    "a notation that is read wrongly": (
        lambda: broken(actions=Careless(*ACTIONS.ranges)),
        testing.check_notation,
        "is action 1, but is read as 0",
    ),
    "a feature that writes too much": (lambda: with_feature(write_too_much, HAND), testing.check_encoders, "writes more"),
    "a feature that writes too little": (
        lambda: with_feature(write_too_little, HAND),
        testing.check_encoders,
        "does not write them all",
    ),
    "a feature outside the space": (lambda: with_feature(write_too_high, 1), testing.check_encoders, "is 2.0, outside the space"),
    "a player that plays illegally": (lambda: with_player(play_illegally), testing.check_players, "which is not legal"),
    "a player that moves the stones": (
        lambda: with_player(play_with_the_position),
        testing.check_players,
        "changes the position while it thinks",
    ),
    "a refusal that names no field": (lambda: broken(violations=names_nothing), testing.check_positions, "names no field"),
    "a check that stumbles": (lambda: broken(violations=stumbles), testing.check_positions, "ZeroDivisionError"),
}


@pytest.mark.parametrize("defect", BROKEN)
def test_a_broken_toy_is_caught(defect: str) -> None:
    make, check, words = BROKEN[defect]
    with pytest.raises(testing.Findings, match=words):
        check(Game(make(), 3))


CHECK_POSITIONS = """
from dataclasses import replace
from mastaba import Game, testing
from mastaba.testing.toy import RULES
testing.check_positions(Game(replace(RULES, violations={violations}), 3))
"""


@pytest.mark.parametrize(("violations", "findings"), [("lambda s: iter(())", True), ("RULES.violations", False)])
def test_positions_that_cannot_be_are_caught(violations: str, findings: bool) -> None:
    """In a process of its own, with bounds checks: kernels follow such positions to anywhere in memory."""
    command = [sys.executable, "-c", CHECK_POSITIONS.format(violations=violations)]
    done = subprocess.run(command, env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == findings, done.stderr
    assert ("Findings" in done.stderr) == findings


def test_an_interface_that_pays_otherwise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Episode, "rewards", lambda self: [0.0] * self.game.num_players)
    with pytest.raises(testing.Findings, match="PettingZoo pays"):
        testing.check_faces(Game(RULES, 3))


def test_a_copy_that_shares_its_memory_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from mastaba.testing import checks

    monkeypatch.setitem(checks.COPIES, "clone", lambda state: state)
    with pytest.raises(testing.Findings, match="a copy by clone changed the original"):
        testing.check_copies(Game(RULES, 3))


# --- The battery as a whole ------------------------------------------------------------------------------------------------------


def test_findings_are_numbered_and_name_the_game_and_the_check() -> None:
    game = Game(broken(parts=parts_that_forget, actions=Careless(*ACTIONS.ranges)), 3)
    found = testing.find(game)
    assert {f.check for f in found} >= {"check_scores", "check_notation"}
    with pytest.raises(testing.Findings) as error:
        testing.check_game(game)
    lines = str(error.value).splitlines()
    assert lines[0] == f"mastaba.game('stairs', num_players=3): {len(found)} findings"
    assert lines[1].startswith("1. [check_")


def test_after_the_time_no_further_check_begins() -> None:
    told: list[str] = []
    assert testing.find(Game(RULES, 3), seconds=0, told=told.append) == []
    assert told in ([], ["check_legal"])


def test_perft_counts_paths_to_a_depth_and_ends_once() -> None:
    state = Game(RULES, 2).new_initial_state(seed=1)
    assert testing.perft(state, 0) == 1
    assert testing.perft(state, 1) == len(state.legal_actions())
    two = 0
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        two += max(1, len(after.legal_actions()))
    assert testing.perft(state, 2) == two
    *_, end = testing.walk(Game(RULES, 2), seed=1)
    assert testing.perft(end, 5) == 1


def test_the_toy_is_a_small_folder() -> None:
    from pathlib import Path

    lines = [line for file in Path(players.__file__).parent.glob("*.py") for line in file.read_text(encoding="utf-8").splitlines()]
    assert sum(bool(line.strip()) for line in lines) < 250


def test_a_referee_agrees_in_lockstep_and_a_wrong_one_does_not() -> None:
    testing.check_lockstep(Game(RULES, 3), StairsReferee, games=10)

    class Generous(StairsReferee):
        def scores(self) -> list[int]:
            return [score + 1 for score in super().scores()]

    with pytest.raises(AssertionError, match="scores"):
        testing.check_lockstep(Game(RULES, 3), Generous, games=1)


def test_scores_of_the_toy_are_its_parts() -> None:
    assert scores is RULES.scores
