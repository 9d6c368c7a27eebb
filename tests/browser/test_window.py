"""`render_mode="human"` on a real display: a virtual one (Xvfb), which `.ci/run` installs; its pixels are read back."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import ImageGrab

from mastaba.envs.faces import screen
from mastaba.envs.faces.gymnasium import SeatEnv
from mastaba.envs.faces.pettingzoo import BoardGameEnv
from mastaba.envs.faces.pictures import pixels_of
from mastaba.envs.faces.vector import Duel


@pytest.fixture(scope="module")
def xvfb() -> Iterator[str]:
    """One display for all tests, large enough for any picture: Tk does not survive the end of a display that it has used."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1500x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL) as server, os.fdopen(reading) as told:
        os.close(writing)
        number = told.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
        server.terminate()


@pytest.fixture
def display(xvfb: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DISPLAY", xvfb)
    monkeypatch.setattr(screen, "RENDER_FPS", 1000)  # pictures need not stay for a person to look at them
    return xvfb


def is_shown(picture: np.ndarray, display: str) -> bool:
    """Whether the display shows the picture somewhere; a window may need a moment."""
    height, width, _ = picture.shape
    for _ in range(50):
        seen = np.array(ImageGrab.grab(xdisplay=display).convert("RGB"))
        corners = np.argwhere((seen == picture[0, 0]).all(axis=2))
        for y, x in corners[:1]:
            if np.array_equal(seen[y : y + height, x : x + width], picture):
                return True
        time.sleep(0.1)
    return False


def is_dark(display: str) -> bool:
    return not np.array(ImageGrab.grab(xdisplay=display).convert("RGB")).any()


def test_a_window_shows_the_picture_after_every_step(name: str, display: str, capfd: pytest.CaptureFixture) -> None:
    env = BoardGameEnv(name, render_mode="human")
    assert is_dark(display)
    env.reset(seed=1)
    for _ in range(4):
        assert is_shown(pixels_of(env.game_state.to_svg()), display)
        env.step(env.game_state.legal_actions()[0])
    assert env.render() is None
    assert capfd.readouterr().out == ""
    env.close()
    assert is_dark(display)
    env.reset(seed=2)  # opens it again
    assert is_shown(pixels_of(env.game_state.to_svg()), display)
    env.close()


def test_one_seat_sees_what_it_may_see(display: str) -> None:
    env = SeatEnv("giza", seat=1, render_mode="human")
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    assert is_shown(pixels_of(env.game_state.to_svg(1)), display)
    env.close()
    assert is_dark(display)


def test_a_batch_shows_its_first_game(display: str) -> None:
    games = Duel("cheops", 3, render_mode="human")
    games.reset(seed=1)
    assert games.render() is None
    games.step(games.masks.argmax(axis=1))
    assert is_shown(pixels_of(games.game_state(0).to_svg(int(games.seats[0]))), display)
    games.close()
    assert is_dark(display)


def test_a_window_that_the_person_closes_stays_closed(display: str) -> None:
    env = BoardGameEnv("cheops", render_mode="human")
    env.reset(seed=1)
    window = env._screen._window
    assert window is not None
    assert window._root is not None
    window._root.tk.eval(window._root.tk.eval("wm protocol . WM_DELETE_WINDOW"))  # what the button of the frame calls
    env.step(env.game_state.legal_actions()[0])
    assert is_dark(display)
    env.close()


def test_a_picture_is_made_smaller_than_the_display(display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "SHARE", 0.5)
    env = BoardGameEnv("pyramids", 5, render_mode="human")
    env.reset(seed=1)
    picture = env.game_state.to_svg()
    height = pixels_of(picture).shape[0]
    assert is_shown(pixels_of(picture, min(0.5 * 1600 / 1200, 0.5 * 1500 / height)), display)
    env.close()
