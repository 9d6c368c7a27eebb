"""Playing with people: what a seat is told, hints, taking back, and a whole game in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

import mastaba
from mastaba import Game
from mastaba.baselines.agents import agent
from mastaba.playing import PERSON, Sitting, Terminal, hints, read_action
from mastaba.testing import walk

# --- What is told ------------------------------------------------------------------------------------------------------------


def test_moves_are_told_one_by_one_with_the_forced_ones(table: Game) -> None:
    """A forced move is the only legal one where it is made; all of them together are what `apply_action` does."""
    for state in walk(table, seed=2):
        for action in state.legal_actions()[:3]:
            moves = state.moves_of(action)
            assert moves[0] == (state.current_player(), action)
            after = state.clone()
            after.apply_action(action)
            alone = state.clone()
            for _, move in moves:
                counts = alone.record["decisions"].astype("i8")
                alone.game.kernels.step_alone(alone.record, after._action * 0 + move, alone.padded_mask, counts)
            alone.record["decisions"] += 1
            assert alone == after


def test_two_moves_that_a_seat_cannot_tell_apart_are_told_to_it_in_the_same_words(table: Game) -> None:
    for step, state in enumerate(walk(table, seed=3)):
        if state.is_terminal() or step % 3:
            continue
        by = state.current_player()
        for player in range(table.num_players):
            if player == by:
                continue
            told: dict[str, str] = {}
            for action in state.legal_actions():
                after = state.clone()
                after.apply_action(action)
                seen = str(after.view(player))
                words = after.told(action, by, player)
                assert told.setdefault(seen, words) == words, f"seat {player} learns {words!r}"


def test_a_hand_s_order_and_secret_bids_are_told_to_their_owner_only() -> None:
    state = mastaba.game("pyramids", 2).new_initial_state(seed=1)
    action = state.game.string_to_action("tomb 2")
    assert (state.told(action, 0, 1), state.told(action, 0, 0), state.told(action, 0)) == ("tomb ?", "tomb 2", "tomb 2")
    state = mastaba.game("giza", 3).new_initial_state(seed=1)
    assert state.told(state.game.string_to_action("deco 3"), 2, 0) == "deco ?"


# --- Hints -------------------------------------------------------------------------------------------------------------------


def test_a_hint_names_a_legal_move_and_estimates_every_one(table: Game) -> None:
    state = table.new_initial_state(seed=4)
    choice, found = hints(state, state.current_player(), agent(table, "random", 1))
    assert choice in state.legal_actions()
    assert sorted(hint.action for hint in found) == state.legal_actions()
    assert all(0 <= hint.wins <= 1 for hint in found)
    if table.num_players > 1:
        average = sum(hint.wins for hint in found) / len(found)
        assert abs(average - 1 / table.num_players) < 0.2  # all play alike: nobody is far ahead after the first move


def test_a_search_estimates_every_move_by_victories() -> None:
    table = mastaba.game("master_architect", 2)
    state = table.new_initial_state(seed=4)
    for name in ("rollout:60", "mcts:60"):
        choice, found = hints(state, state.current_player(), agent(table, name, 1))
        assert choice in state.legal_actions()
        assert sorted(hint.action for hint in found) == state.legal_actions()
        assert all(0 <= hint.wins <= 1 and hint.points is None for hint in found)


def test_a_hint_depends_on_nothing_that_is_hidden_from_who_asks(table: Game) -> None:
    for step, state in enumerate(walk(table, seed=5)):
        if step % 20 != 7 or state.is_terminal():
            continue
        asking = state.current_player()
        first, second = (hints(state.determinize(asking, seed), asking, agent(table, "greedy", 1)) for seed in (1, 2))
        assert first[0] == second[0]
        worse = max(abs(a.wins - b.wins) for a, b in zip(sorted(first[1]), sorted(second[1]), strict=True))
        assert worse < 0.5  # other worlds, the same distribution
        break


# --- Taking back -------------------------------------------------------------------------------------------------------------


def sitting(name: str, players: list[str], seed: int = 3) -> Sitting:
    return Sitting(mastaba.game(name, len(players)), players, seed)


def test_a_move_that_shows_nothing_new_can_be_taken_back() -> None:
    game = sitting("master_architect", [PERSON, "greedy"])
    game.play(0, game.game.string_to_action("take 2"))
    game.undo(0)
    assert game.actions == []
    assert game.state == game.game.new_initial_state(seed=3)
    assert game.moves == []


def test_a_move_that_drew_stones_cannot_be_taken_back_unless_that_does_not_matter() -> None:
    game = sitting("master_architect", [PERSON, "greedy"])
    while game.to_move == 0:
        game.play(0, game.state.legal_actions()[0])  # to the end of the turn: the row is filled up
    with pytest.raises(ValueError, match="something hidden was revealed"):
        game.undo(0)
    before = len(game.actions)
    game.undo(0, anyway=True)
    assert len(game.actions) < before
    assert game.to_move == 0


def test_an_opponent_s_open_moves_reveal_nothing() -> None:
    """Pyramids, 2 players: God tiles are chosen in turn, and choosing them draws no card."""
    game = sitting("pyramids", [PERSON, "greedy"])
    game.play(0, game.game.string_to_action("god sekhmet"))
    while game.computer_moves():
        if game.deciders[-1] == 1 and game.state.phase() != "god":
            break
    game.undo(0)
    assert game.actions == []


def test_dice_cannot_be_rolled_twice_by_taking_back() -> None:
    game = sitting("pyramidice", [PERSON, PERSON])
    for seat in (0, 1):
        game.play(seat, game.state.legal_actions()[0])
    game.play(0, game.game.string_to_action("work"))
    game.undo(0)
    game.play(0, game.game.string_to_action("work"))
    if game.state.phase() == "dice":
        game.play(0, game.state.legal_actions()[0])
    with pytest.raises(ValueError, match="something hidden was revealed"):
        game.undo(0)


def test_what_another_person_has_answered_stays() -> None:
    game = sitting("pyramids", [PERSON, PERSON])
    with pytest.raises(ValueError, match="nothing to take back"):
        game.undo(0)
    game.play(0, game.state.legal_actions()[0])
    game.play(1, game.state.legal_actions()[0])
    with pytest.raises(ValueError, match="another person has decided since"):
        game.undo(0, anyway=True)


def test_only_who_is_to_move_moves() -> None:
    game = sitting("pyramids", [PERSON, PERSON])
    with pytest.raises(ValueError, match="it is not your turn: seat 0 decides"):
        game.play(1, 0)
    with pytest.raises(ValueError, match="is not legal"):
        game.play(0, game.game.string_to_action("pass"))
    assert game.actions == []


# --- In the terminal ---------------------------------------------------------------------------------------------------------


def talk(game: Sitting, *typed: str, seat: int = 0, anyway: bool = False) -> list[str]:
    """What a person reads who types these lines and then leaves."""
    lines = iter([*typed, "quit"])
    words: list[str] = []
    Terminal(game, seat, lambda: next(lines), words.append, anyway=anyway).run()
    return words


def test_moves_are_listed_by_kind_with_numbers_that_no_notation_has(name: str) -> None:
    table = mastaba.game(name)
    words = talk(Sitting(table, [PERSON] * table.num_players, seed=1))
    state = table.new_initial_state(seed=1)
    for number, action in enumerate(state.legal_actions(), start=1):
        assert any(f"#{number} {state.action_to_string(action)}" in line for line in words)
    assert not any("#" in notation for notation in table.rules.actions.names)
    assert all(len(line) <= 80 for line in words if not line.startswith("\n"))


def test_a_number_alone_is_no_move() -> None:
    state = mastaba.game("pyramids", 2).new_initial_state(seed=1)
    assert read_action(state, "#2") == state.legal_actions()[1]
    assert read_action(state, "God  HORUS") == state.game.string_to_action("god horus")
    for typed, complaint in (
        ("2", "written #2"),
        ("#99", "from #1 to #3"),
        ("#x", "from #1 to #3"),
        ("pass", "not legal now"),
        ("abra", "no action is written"),
    ):
        with pytest.raises(ValueError, match=complaint):
            read_action(state, typed)


def test_opponents_moves_are_told_in_words_and_secrets_are_not() -> None:
    words = talk(sitting("pyramids", [PERSON, "greedy", "random"]), *["#1"] * 12)
    told = [line for line in words if line.startswith("  seat")]
    assert any("seat 1 (greedy): god" in line and "choose a God tile" in line for line in told)
    assert any("pyr ?@" in line and "build a hand card into the Pyramid" in line for line in told)
    assert not any(f"pyr {h}@" in line for line in told for h in (1, 2, 3))


def test_forced_moves_are_told() -> None:
    game = sitting("cheops", [PERSON, "random"])
    words = talk(game, *["#1"] * 40)
    assert any(move.forced for move in game.moves)
    assert any("forced, " in line for line in words)


def test_commands_of_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    game = sitting("master_architect", [PERSON, "greedy"])
    words = talk(game, "", "?", "? wizard", "#1", "undo", "log", "take 2", "log", "save", f"save {file}", "help", "board")
    said = "\n".join(words)
    assert "greedy would play take" in said
    assert "wins" in said
    assert "! no agent 'wizard'" in said
    assert "! save needs the name of a file" in said
    assert "  you: take 2" in said
    assert f"wrote {file}" in said
    assert "what a player would do" in said
    assert [game.game.action_to_string(a) for a in game.actions] == ["take 2"]


def test_undo_in_the_terminal_says_how_to_allow_it() -> None:
    typed = ["#1"] * 3
    assert any("--open allows it" in line for line in talk(sitting("master_architect", [PERSON]), *typed, "undo"))
    assert not any("revealed" in line for line in talk(sitting("master_architect", [PERSON]), *typed, "undo", anyway=True))
