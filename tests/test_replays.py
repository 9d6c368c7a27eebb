"""Games that are kept: they come back as they were, and a file that does not tell the truth is refused with what is wrong."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import mastaba
from mastaba import Game
from mastaba.cli import app
from mastaba.envs.replay import Replay, ReplayError, write_gif
from mastaba.envs.replay.film import COLOURS, few_colours
from mastaba.envs.replay.page import page_of


def played(game: Game, seed: int = 5) -> Replay:
    """A random game, kept."""
    state, rng, actions = game.new_initial_state(seed), np.random.default_rng(seed), []
    while not state.is_terminal():
        actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(actions[-1])
    return Replay.of(game, seed, actions, players=[f"random {p}" for p in range(game.num_players)])


def broken(replay: Replay, **changes: Any) -> str:
    return json.dumps({**json.loads(replay.to_json()), **changes})


def test_a_game_comes_back_as_it_was(table: Game, tmp_path: Path) -> None:
    replay = played(table)
    assert Replay.load(replay.save(tmp_path / "game.json")) == replay
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    *_, last = replay.states()
    assert last.is_terminal()
    assert tuple(last.scores()) == replay.scores


def test_an_unfinished_game_can_be_kept(name: str) -> None:
    game = mastaba.game(name)
    replay = played(game)
    half = Replay.of(game, replay.seed, replay.actions[:10])
    half.verify()
    assert not half.finished


def test_options_and_numbers_of_games_are_kept() -> None:
    game = mastaba.game("cheops", 2, sheets="in order")
    replay = Replay.of(game, 3, [], episode=4)
    assert next(iter(Replay.from_json(replay.to_json()).states())) == game.new_initial_state(3, 4)
    assert replay.options == {"sheets": "in order"}


@pytest.fixture(scope="module")
def kept() -> Replay:
    return played(mastaba.game("pyramids", 2))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"version": 77}, r"a game of pyramids by the rules of version 77; here is version"),
        ({"game": "senet"}, r"a game of 'senet', which is not known here"),
        ({"num_players": 9}, r"9 players are not possible"),
        ({"options": {"speed": "fast"}}, r"no option 'speed'"),
        ({"digest": "0" * 64}, r"the digest of the last position should be 0000"),
        ({"scores": [0, 0]}, r"the scores should be \(0, 0\)"),
        ({"standings": [0, 0]}, r"the standings should be"),
        ({"finished": False}, r"called unfinished, but after \d+ moves it is over"),
        ({"actions": ["god thoth"]}, r"move 1: pyramids: 'god thoth' .* is not legal"),
        ({"actions": ["dance"]}, r"move 1: .*dance"),
        ({"seed": -1}, r"'seed' must lie between"),
        ({"seed": True}, r"'seed' must be a number"),
        ({"actions": "god horus"}, r"'actions' must be a list"),
        ({"players": [1, 2]}, r"'players' must be a text"),
        ({"format": "chess"}, r"not a replay of the format"),
        ({"colour": "red"}, r"'colour' is no field of a replay"),
    ],
)
def test_a_file_that_is_not_true_is_refused(kept: Replay, changes: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(broken(kept, **changes))
    with pytest.raises(ReplayError, match=complaint) as error:
        Replay.load(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", "{}", "[" * 100_000])
def test_what_is_no_replay_is_refused(text: str) -> None:
    with pytest.raises(ReplayError, match=r"not JSON|not a replay"):
        Replay.from_json(text)


def test_a_missing_field_is_named(kept: Replay) -> None:
    values = json.loads(kept.to_json())
    del values["seed"]
    with pytest.raises(ReplayError, match="'seed' is missing"):
        Replay.from_json(json.dumps(values))


def test_names_must_fit_the_table() -> None:
    with pytest.raises(ValueError, match="2 players need as many names, got 1"):
        Replay.of(mastaba.game("pyramids", 2), 1, [], players=["me"])


# --- The page ----------------------------------------------------------------------------------------------------------------


def unpacked(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="text/plain">(.*?)</script>', page)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_the_page_puts_together_every_picture_of_every_view(name: str) -> None:
    replay = played(mastaba.game(name), seed=6)
    told = unpacked(page_of(replay))
    for view, observer in zip(told["views"], (None, *range(replay.num_players)), strict=False):
        lines: list[int] = []
        for state, changes in zip(replay.states(), view["frames"], strict=True):
            for start, gone, *come in changes:
                lines[start : start + gone] = come
            assert "\n".join(told["lines"][i] for i in lines) == state.to_svg(observer, legal=False)
    assert [action for _, action in told["moves"]] == list(replay.actions)
    assert told["scores"][-1] == list(replay.scores)


def test_the_page_is_small_and_needs_nothing_else(name: str) -> None:
    page = page_of(played(mastaba.game(name, max(mastaba.game(name).rules.players)), seed=7))
    assert len(page) < 2_000_000
    assert not re.search(r"""(src|href)\s*=|@import|url\(|fetch\(""", page)


def test_names_of_players_cannot_break_the_page() -> None:
    game = mastaba.game("pyramids", 2)
    evil = "</script><script>alert(1)</script>"
    page = page_of(Replay.of(game, 1, [], players=[evil, "b"]))
    assert evil not in page
    assert unpacked(page)["players"] == [evil, "b"]


def test_a_gif_has_one_picture_per_move(tmp_path: Path) -> None:
    from PIL import Image

    game = mastaba.game("cheops", 2)
    replay = played(game)
    short = Replay.of(game, replay.seed, replay.actions[:9])
    with Image.open(write_gif(short, tmp_path / "game.gif", width=300)) as film:
        assert film.n_frames == 10  # type: ignore[attr-defined]
        assert film.width == 300
    with Image.open(write_gif(short, tmp_path / "game.gif", width=300, every=4)) as film:
        assert film.n_frames == 4  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="every=0"):
        write_gif(short, tmp_path / "game.gif", every=0)


# --- The command -------------------------------------------------------------------------------------------------------------


def test_few_colours_keep_what_is_rare_and_what_is_common_as_it_is() -> None:
    """A dot of a seat among hundreds of shades of its edge and of other things."""
    pytest.importorskip("PIL")
    from PIL.Image import fromarray

    pixels = np.full((60, 300, 3), (0xF6, 0xEF, 0xE0), np.uint8)
    pixels[:5, :255, 0] = np.arange(255)  # five pixels of each shade
    pixels[30:33, 5:8] = 0x3B, 0x73, 0xB9
    (drawn,) = few_colours([fromarray(pixels)])
    assert len(drawn.getcolors() or ()) in range(2, COLOURS + 1)
    assert np.array_equal(np.asarray(drawn.convert("RGB"))[20:], pixels[20:])


def test_the_command_steps_through_a_game(kept: Replay, tmp_path: Path) -> None:
    path = str(kept.save(tmp_path / "game.json"))
    boards = [state.to_text() for state in kept.states()]
    shown = CliRunner().invoke(app, ["replay", path], input="\n\nb\n9999\n\n")
    assert shown.exit_code == 0
    for k in (0, 1, 2, len(boards) - 1):
        assert boards[k] in shown.output
    assert "place 1" in shown.output
    assert CliRunner().invoke(app, ["replay", path], input="").exit_code == 0


def test_the_command_writes_page_and_gif_and_refuses_what_is_wrong(kept: Replay, tmp_path: Path) -> None:
    short = Replay.of(kept.table(), kept.seed, kept.actions[:3])
    path, page, gif = str(short.save(tmp_path / "game.json")), tmp_path / "game.html", tmp_path / "game.gif"
    assert CliRunner().invoke(app, ["replay", path, "--html", str(page), "--gif", str(gif), "--seat", "1"]).exit_code == 0
    assert page.read_text().startswith("<!doctype html>")
    assert gif.read_bytes().startswith(b"GIF89a")
    for wrong in ([path, "--seat", "5"], [str(tmp_path / "nothing.json")], [str(gif)]):
        refused = CliRunner().invoke(app, ["replay", *wrong])
        assert refused.exit_code == 2
