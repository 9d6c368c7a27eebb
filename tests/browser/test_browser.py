"""The table in a real browser: Debian's Chromium, driven by Playwright. `.ci/run` installs both and runs these tests."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

import mastaba
from mastaba.envs.registry import rules
from mastaba.envs.replay import Replay

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
QUIET = ("gpu", "background-networking", "component-update", "sync")
ARGUMENTS = ["--headless", "--no-sandbox", "--no-first-run", *(f"--disable-{part}" for part in QUIET)]
PATIENCE = 120_000  # ms: a game that is compiled while we wait


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own."""
    command = [sys.executable, "-m", "mastaba", "serve", "--port", "0", "--folder", str(tmp_path_factory.mktemp("tables"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found
        yield found[0]
        server.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Complaints(list):
    """What the browser complains about; a test may say which it expects."""

    expected = ""


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    found = Complaints()
    yield found
    assert [words for words in found if not (found.expected and found.expected in words)] == []


@pytest.fixture
def page(browser: Browser, complaints: Complaints) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1400, "height": 950}, color_scheme="light") as context:
        context.set_default_timeout(PATIENCE)
        context.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        yield context.new_page()


def sit_down(page: Page, address: str, name: str, players: int, *seats: str) -> None:
    """Choose a table in the lobby; people sit where nothing else is said."""
    page.goto(address)
    page.check(f"[name=game][value={name}]")
    page.select_option("#players", str(players))
    for seat, player in enumerate(seats):
        page.select_option(f"#seat-{seat}", player)
    page.click("#begin")
    if all(seat != "person" for seat in seats[1:]):
        page.wait_for_url("**/table/**")


def wait_for_turn(page: Page) -> bool:
    """Until there is something to choose; False when the game is over."""
    page.wait_for_selector("#board [data-action], #result:not([hidden])")
    return page.locator("#result").is_hidden()


def version(page: Page) -> str:
    return page.locator("#where").inner_text()


def click_a_move(page: Page, rng: random.Random) -> None:
    """On the board or in the list."""
    before = version(page)
    on_board = rng.random() < 0.7
    moves = page.locator("#board [data-action]" if on_board else "#moves button")
    moves.nth(rng.randrange(moves.count())).click(timeout=15_000)
    expect(page.locator("#where")).not_to_have_text(before, timeout=PATIENCE)


# --- Whole games -----------------------------------------------------------------------------------------------------------------


def test_a_whole_game_is_played_by_clicks(page: Page, address: str, name: str) -> None:
    players, rng = max(2, min(rules(name).players)), random.Random(5)
    sit_down(page, address, name, players)
    clicks = 0
    while wait_for_turn(page):
        click_a_move(page, rng)
        clicks += 1
    assert clicks > 5
    expect(page.locator("#turn")).to_have_text("The game is over.")
    assert page.locator("#result tr").count() == 1 + players
    assert "winner" in page.locator("#board").inner_text()
    page.click("#watch")
    page.wait_for_url("**/replay/**")
    expect(page.locator("#where")).to_have_text(re.compile(r"^0 / \d+$"))


# --- At the table ----------------------------------------------------------------------------------------------------------------


def test_a_reload_in_the_middle_changes_nothing(page: Page, address: str) -> None:
    sit_down(page, address, "cheops", 2)
    rng = random.Random(1)
    for _ in range(4):
        assert wait_for_turn(page)
        click_a_move(page, rng)
    wait_for_turn(page)
    page.wait_for_selector("#moves button")
    shown = page.locator("#board").inner_html(), page.locator("#log").inner_text(), version(page)
    page.reload()
    page.wait_for_selector("#moves button")
    assert (page.locator("#board").inner_html(), page.locator("#log").inner_text(), version(page)) == shown


def test_two_tabs_show_the_same_and_an_old_one_cannot_move(page: Page, address: str, complaints: Complaints) -> None:
    complaints.expected = "409"
    sit_down(page, address, "pyramids", 2, "person", "greedy")
    wait_for_turn(page)
    other = page.context.new_page()
    other.goto(page.url)
    wait_for_turn(other)
    click_a_move(page, random.Random(2))
    wait_for_turn(page)
    expect(other.locator("#where")).to_have_text(version(page))
    # Now the other tab hears of nothing any more.
    deaf = page.context.new_page()
    deaf.route("**/*after=*", lambda route: None)
    deaf.goto(page.url)
    wait_for_turn(deaf)
    click_a_move(page, random.Random(3))
    wait_for_turn(page)
    now = version(page)
    deaf.locator("#moves button").first.click()
    expect(deaf.locator("#message")).to_have_text("the table has changed since: look at it again")
    expect(deaf.locator("#where")).to_have_text(now)
    assert version(page) == now


def test_news_that_come_late_do_not_turn_the_table_back(page: Page, address: str) -> None:
    held: list[Route] = []
    page.route("**/*after=*", lambda route: held.append(route))
    sit_down(page, address, "pyramids", 2, "person", "greedy")
    wait_for_turn(page)
    with page.expect_response(lambda answer: answer.url.endswith("/move") and answer.ok):
        before = page.request.get(page.url.replace("/table/", "/api/tables/")).json()
        click_a_move(page, random.Random(1))
    now = version(page)
    with page.expect_request("**/*after=*"):  # the page has seen what it waited for, and asks again
        held[0].fulfill(json=before)
    assert version(page) == now


def test_two_people_at_one_table(page: Page, address: str) -> None:
    sit_down(page, address, "pyramids", 2, "person", "person")
    page.wait_for_selector("#links input")
    first, second = (page.locator("#links input").nth(k).input_value() for k in (0, 1))
    other = page.context.new_page()
    page.goto(first)
    other.goto(second)
    expect(other.locator("#turn")).to_have_text("Seat 0 decides.")
    assert other.locator("#board [data-action]").count() == 0
    page.locator("#board [data-action]").first.click()
    expect(other.locator("#turn")).to_contain_text("It is your turn")
    other.locator("#board [data-action]").first.focus()
    other.keyboard.press("Enter")
    expect(page.locator("#turn")).to_contain_text("It is your turn")


def test_hint_taking_back_and_looking_back(page: Page, address: str, complaints: Complaints) -> None:
    complaints.expected = "400"
    sit_down(page, address, "master_architect", 2)
    wait_for_turn(page)
    page.click("#hint")
    page.wait_for_selector("#advice tbody tr")
    assert page.locator("#advice tbody tr").count() == page.locator("#moves button").count()
    assert page.locator("#advice tr.choice").count() == 1
    before = page.locator("#board").inner_html()
    page.locator("#moves button").first.click()
    expect(page.locator("#where")).to_have_text("1 / 1")
    page.click("#undo")
    expect(page.locator("#where")).to_have_text("0 / 0")
    assert page.locator("#board").inner_html() == before
    for _ in range(3):
        wait_for_turn(page)
        click_a_move(page, random.Random(4))
    wait_for_turn(page)
    page.wait_for_selector("#moves button")
    page.fill("#slider", "0")
    expect(page.locator("#now")).to_be_visible()
    expect(page.locator("#board")).to_have_class("past")
    page.click("#now")
    expect(page.locator("#board [data-action]").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
def test_windows_wide_and_narrow_light_and_dark(page: Page, address: str, width: int, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    paper = {"light": "rgb(246, 239, 224)", "dark": "rgb(33, 28, 23)"}[scheme]
    page.goto(address)
    page.wait_for_selector("#begin")
    fits = "document.scrollingElement.scrollWidth <= window.innerWidth"
    assert page.evaluate(fits)
    sit_down(page, address, "giza", 3)
    wait_for_turn(page)
    assert page.evaluate(fits)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
    assert page.locator("#board rect").first.get_attribute("fill") == {"light": "#f6efe0", "dark": "#211c17"}[scheme]
    page.locator("#board [data-action]").first.click()
    page.click("#theme")
    other = {"light": "#211c17", "dark": "#f6efe0"}[scheme]
    expect(page.locator("#board rect").first).to_have_attribute("fill", other)


# --- Replays ---------------------------------------------------------------------------------------------------------------------


def test_the_replay_by_keyboard_and_playing_on(page: Page, address: str, tmp_path: Path) -> None:
    game = mastaba.game("pyramids", 2)
    state, rng, actions = game.new_initial_state(4), random.Random(4), []
    while not state.is_terminal():
        actions.append(rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    file, last = Replay.of(game, 4, actions, players=["ann", "ben"]).save(tmp_path / "kept.json"), len(actions)
    page.goto(address)
    page.set_input_files("#file", file)
    page.wait_for_url("**/replay/**")
    where, press = page.locator("#where"), page.keyboard.press
    expect(where).to_have_text(f"0 / {last}")
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0), ("ArrowLeft", 0)):
        press(key)
        expect(where).to_have_text(f"{at} / {last}")
    press("ArrowUp")
    press("ArrowUp")
    press(" ")
    expect(where).not_to_have_text(f"0 / {last}")
    press(" ")
    expect(page.locator("#play")).to_have_text("play")
    press("v")
    expect(page.locator("#view")).to_have_value("1")
    page.locator("#moves li").nth(9).click()
    expect(where).to_have_text(f"9 / {last}")
    page.click("#on")
    page.wait_for_url("**/?replay=*")
    expect(page.locator("#at")).to_have_value("9")
    page.select_option("#seat-1", "person")
    page.click("#begin")
    page.wait_for_selector("#links input")
    page.goto(page.locator("#links input").first.input_value())
    expect(where).to_have_text("9 / 9")


def test_the_browser_shows_every_part_of_a_picture(page: Page, address: str, name: str, tmp_path: Path) -> None:
    """A fixed position, as the page shows it and as it was drawn: the same elements with the same words, keys and colours."""
    game = mastaba.game(name)
    state, actions = game.new_initial_state(11), []
    for step in range(24):
        legal = state.legal_actions()
        actions.append(legal[step * 5 % len(legal)])
        state.apply_action(actions[-1])
    page.goto(address)
    page.set_input_files("#file", Replay.of(game, 11, actions).save(tmp_path / "kept.json"))
    page.wait_for_url("**/replay/**")
    page.wait_for_selector("#board svg")
    page.keyboard.press("End")
    expect(page.locator("#where")).to_have_text("24 / 24")
    shown = page.evaluate(
        """[...document.querySelectorAll('#board svg *:not(.touched)')].map((e) => [e.tagName, e.dataset.key || '',
        e.getAttribute('fill') || '', e.tagName === 'text' ? e.textContent : ''])"""
    )
    drawn = ElementTree.fromstring(state.to_svg(legal=False)).iter()
    next(drawn)  # the frame itself
    assert shown == [
        [e.tag.rpartition("}")[2], e.get("data-key", ""), e.get("fill", ""), e.text if e.tag.endswith("}text") else ""]
        for e in drawn
    ]
    assert len(shown) > 100


def test_a_file_that_is_no_replay_is_refused(page: Page, address: str, tmp_path: Path, complaints: Complaints) -> None:
    complaints.expected = "400"
    (tmp_path / "no.json").write_text("[]")
    page.goto(address)
    page.set_input_files("#file", tmp_path / "no.json")
    expect(page.locator("#message")).to_contain_text("no.json: not a replay")
