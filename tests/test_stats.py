"""Facts about the games are what a plain count of the same games gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import mastaba
from mastaba import cli
from mastaba.baselines.agents import act, agent
from mastaba.baselines.stats import facts, markdown
from mastaba.cli import app
from mastaba.envs.registry import rules

runner = CliRunner()


def test_facts_are_those_of_the_games_played_one_by_one() -> None:
    game = mastaba.game("pyramids", num_players=3)
    found = facts(game, "greedy", 5, seed=3)
    decisions, branching, changes = [], [], []
    kinds: dict[str, dict[str, int]] = {}
    for deal in range(5):
        state, player = game.new_initial_state(seed=3, episode=deal), agent(game, "greedy", 1)
        leader, changed, length = None, 0, 0
        while not state.is_terminal():
            scores = state.scores()
            if scores.count(max(scores)) == 1:
                now = scores.index(max(scores))
                changed += leader is not None and now != leader
                leader = now
            branching.append(len(state.legal_actions()))
            action = act(player, state)
            of_phase = kinds.setdefault(game.phase_names[state.record["phase"][0]], {})
            kind = game.rules.actions.kind_of(action)
            of_phase[kind] = of_phase.get(kind, 0) + 1
            state.apply_action(action)
            length += 1
        decisions.append(length)
        changes.append(changed)
        assert found.points[deal].tolist() == state.scores()
    assert found.decisions.tolist() == decisions
    assert found.lead_changes.tolist() == changes
    assert sorted(found.branching.tolist()) == sorted(branching)
    assert found.kinds == kinds


def test_the_command_shows_them_and_fills_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- facts -->\nold\n<!-- /facts -->\nafter\n")
    import mastaba.envs.pages as pages

    monkeypatch.setattr(pages, "page_of", lambda name: page)
    result = runner.invoke(app, ["stats", "pyramids", "-n", "2", "--games", "20", "--page", "--plot", str(tmp_path / "a.png")])
    assert result.exit_code == 0, result.output
    assert "decisions a game" in result.stdout
    told = page.read_text()
    assert told.startswith("before\n<!-- facts -->\nPlayers against themselves, 2 at the table")
    assert "old" not in told
    assert "mastaba stats pyramids --players 2 --agents random,greedy --games 20 --page" in told
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_one_player_alone_has_no_seats_to_compare() -> None:
    found = facts(mastaba.game("pyramidice", num_players=1), "random", 3)
    assert "winner's lead" not in dict(found.rows())
    assert "decisions a game" in markdown([found], "command")


def test_every_page_has_a_place_for_them(name: str) -> None:
    page = rules(name).page.read_text(encoding="utf-8")
    assert "<!-- facts -->" in page
    assert "<!-- /facts -->" in page


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-a", "random,wizard"], "no agent 'wizard'"),
        (["-a", "mc:0"], "a budget is"),
        (["--plot", "nofolder/a.png"], "no folder nofolder"),
    ],
)
def test_wrong_input_is_one_clear_line(arguments: list[str], complaint: str) -> None:
    result = runner.invoke(app, ["stats", "pyramids", *arguments])
    assert result.exit_code == cli.WRONG_INPUT
    assert complaint in result.stderr
    assert len(result.stderr.splitlines()) == 1
