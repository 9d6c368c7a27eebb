"""The table in the browser, from the outside: what a seat is told, what is refused, what survives."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mastaba
from mastaba.baselines.agents import register_agent
from mastaba.envs.registry import rules
from mastaba.envs.replay import Replay
from mastaba.playing import PERSON, Sitting

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from starlette.testclient import TestClient

from mastaba.web.server import MOST_BYTES, make_app
from mastaba.web.tables import Seats, Table, Tables
from mastaba.web.telling import past_told, table_told


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with served(tmp_path) as client:
        yield client


def served(folder: Path, **more: Any) -> TestClient:
    return TestClient(make_app(folder, hosts=["testserver"], **more))


class Seat:
    """A person in front of a browser."""

    def __init__(self, client: TestClient, link: str) -> None:
        self.client, self.home = client, "/api" + link.replace("/table/", "/tables/")

    def look(self) -> dict[str, Any]:
        answer = self.client.get(self.home)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def do(self, what: str, **body: Any) -> Any:
        return self.client.post(f"{self.home}/{what}", json=body)

    def move(self, number: int = 0) -> dict[str, Any]:
        """Play one of the moves that are offered."""
        told = self.look()
        actions = [action for group in told["moves"] for action in group["actions"]]
        answer = self.do("move", action=actions[number % len(actions)], version=told["version"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] > told["version"]
        return answer.json()

    def wait(self) -> dict[str, Any]:
        """The table as soon as it is this person's turn, or the game is over."""
        told = self.look()
        while not (told["your_turn"] or told["over"]):
            answer = self.client.get(self.home, params={"after": told["version"]})
            told = answer.json() if answer.status_code == 200 else told
            assert not told["problem"], told["problem"]
        return told


def open_table(client: TestClient, game: str, *players: str, freely: bool = False, **options: str) -> list[Seat | None]:
    body = {"game": game, "num_players": len(players), "options": options, "players": list(players), "open": freely}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 200, answer.text
    links = answer.json()["links"]
    return [Seat(client, links[str(seat)]) if str(seat) in links else None for seat in range(len(players))]


def one_seat(client: TestClient, game: str = "pyramids", **more: Any) -> Seat:
    seat, _ = open_table(client, game, PERSON, "greedy", **more)
    assert seat is not None
    return seat


def two_seats(client: TestClient, game: str = "pyramids", **more: Any) -> tuple[Seat, Seat]:
    first, second = open_table(client, game, PERSON, PERSON, **more)
    assert first is not None
    assert second is not None
    return first, second


# --- Choosing and playing --------------------------------------------------------------------------------------------------------


def test_the_lobby_knows_games_tables_options_and_players(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()["games"]}
    assert list(games) == list(mastaba.GAMES)
    for name, told in games.items():
        assert told["players"] == list(rules(name).players)
        assert set(told["options"]) == set(rules(name).options)
        assert {"random", "greedy"} <= set(told["computers"])
    assert {"rollout:200", "mcts:1000"} <= set(games["cheops"]["computers"])


def test_a_whole_game_over_http(client: TestClient, name: str) -> None:
    players = [PERSON, *["greedy"] * (rules(name).default_players - 1)]
    seat = open_table(client, name, *players)[0]
    assert seat is not None
    told = seat.wait()
    while not told["over"]:
        seat.move(told["decisions"])
        told = seat.wait()
    assert len(told["result"]) == len(players)
    assert {row["place"] for row in told["result"]} >= {1}
    replay = Replay.from_json(seat.client.get(f"{seat.home}/replay.json").text)
    replay.verify()
    assert replay.finished
    assert replay.players == tuple(players)
    assert len(replay.actions) == told["decisions"]


def test_options_reach_the_table(client: TestClient, tmp_path: Path) -> None:
    seat, _ = two_seats(client, "cheops", sheets="in order")
    assert Replay.load(tmp_path / f"{seat.home.split('/')[3]}.json").options == {"sheets": "in order"}


def test_people_at_one_table_have_links_of_their_own(client: TestClient) -> None:
    first, second = two_seats(client)
    assert first.look()["your_turn"]
    assert not second.look()["your_turn"]
    assert second.look()["moves"] == []
    first.move()
    assert second.look()["your_turn"]
    assert [move["seat"] for move in second.look()["log"]] == [0]


def test_pages_and_their_parts_are_served(client: TestClient) -> None:
    seat = one_seat(client)
    for address in ("/", seat.home.replace("/api/tables/", "/table/"), "/static/table.js", "/static/lobby.js", "/static/style.css"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "//" not in answer.text.replace("// ", "").replace("http://www.w3.org", "")  # nothing from elsewhere
    assert "no-referrer" in client.get("/").headers["referrer-policy"]


def test_news_are_told_to_who_waits(client: TestClient) -> None:
    first, second = two_seats(client)
    version = second.look()["version"]
    first.move()
    assert client.get(second.home, params={"after": version}).json()["your_turn"]


# --- Hints, taking back, looking back --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("adviser", ["greedy", "rollout:200", "mcts:1000"])
def test_a_hint_estimates_every_move(client: TestClient, adviser: str) -> None:
    seat = one_seat(client, "master_architect")
    told = seat.wait()
    advice = seat.do("hint", player=adviser).json()
    offered = [action for group in told["moves"] for action in group["actions"]]
    assert advice["choice"] in offered
    assert sorted(hint["action"] for hint in advice["moves"]) == sorted(offered)
    assert all(0 <= hint["wins"] <= 1 for hint in advice["moves"])
    assert seat.look()["version"] == told["version"]


def test_taking_back_is_allowed_until_something_hidden_is_revealed(client: TestClient) -> None:
    seat = one_seat(client, "master_architect")
    before = seat.look()
    told = seat.do("move", action="take 2", version=before["version"]).json()
    back = seat.do("undo", version=told["version"]).json()
    assert (back["decisions"], back["log"], back["svg"]) == (0, [], before["svg"])
    assert back["version"] > told["version"] > before["version"]  # another tab that shows the old one must not move in the new one
    while seat.move()["your_turn"]:
        pass
    refused = seat.do("undo", version=seat.wait()["version"])
    assert refused.status_code == 400
    assert "something hidden was revealed" in refused.json()["error"]


def test_a_table_opened_freely_takes_back_anything(client: TestClient) -> None:
    seat = one_seat(client, "master_architect", freely=True)
    while seat.move()["your_turn"]:
        pass
    told = seat.wait()
    assert seat.do("undo", version=told["version"]).json()["decisions"] < told["decisions"]


def test_a_finished_game_is_not_taken_back(client: TestClient) -> None:
    seat = open_table(client, "master_architect", PERSON)[0]
    assert seat is not None
    while not (told := seat.look())["over"]:
        seat.move(told["decisions"])
    refused = seat.do("undo", version=told["version"])
    assert "everything that was hidden is revealed" in refused.json()["error"]


def test_the_past_is_shown_as_it_was_seen(client: TestClient) -> None:
    first, second = two_seats(client)
    pictures = []
    for step in range(12):
        seats = (first, second)
        pictures.append([client.get(f"{s.home}/past/{step}").json()["svg"] for s in seats])
        next(s for s in seats if s.look()["your_turn"]).move(step)
    for step, shown in enumerate(pictures):
        assert shown == [client.get(f"{s.home}/past/{step}").json()["svg"] for s in (first, second)]
    assert client.get(f"{first.home}/past/999").status_code == 400


# --- Replays ---------------------------------------------------------------------------------------------------------------------


def test_a_replay_is_shown_when_the_game_is_over_and_played_on_from_any_point(client: TestClient) -> None:
    seat = open_table(client, "master_architect", PERSON)[0]
    assert seat is not None
    table = seat.home.split("/")[3]
    for address in (f"/replay/{table}", f"/api/replays/{table}", f"{seat.home}/replay.json"):
        refused = client.get(address)
        assert refused.status_code == 409
        assert "not over yet" in refused.json()["error"]
    while not (told := seat.look())["over"]:
        seat.move(told["decisions"])
    assert f"{told['decisions']}" in client.get(f"/api/replays/{table}").text
    page = client.get(f"/replay/{table}")
    assert page.headers["content-type"].startswith("text/html")
    assert "play on from here" in page.text
    answer = client.post(f"/api/tables?replay={table}", json={"players": [PERSON], "open": False, "at": 7}).json()
    again = Seat(client, answer["links"]["0"]).look()
    assert again["decisions"] == 7
    assert again["log"] == [line for line in told["log"] if line["at"] <= 7]
    refused = client.post(f"/api/tables?replay={table}", json={"players": [PERSON], "open": False, "at": 9999})
    assert "there is no move 9999" in refused.json()["error"]


def test_a_replay_from_elsewhere_can_be_brought(client: TestClient) -> None:
    game = mastaba.game("cheops", 2)
    actions: list[int] = []
    state = game.new_initial_state(3, 5)
    while len(actions) < 10:
        actions.append(state.legal_actions()[0])
        state.apply_action(actions[-1])
    kept = Replay.of(game, 3, actions, players=["ann", "ben"], episode=5)
    name = client.post("/api/replays", content=kept.to_json(), headers={"content-type": "application/json"}).json()["replay"]
    assert client.get(f"/api/replays/{name}").json()["players"] == ["ann", "ben"]
    assert client.get(f"/replay/{name}").status_code == 200
    answer = client.post(f"/api/tables?replay={name}", json={"players": [PERSON, PERSON], "open": False, "at": 10}).json()
    told = Seat(client, answer["links"][str(state.current_player())]).look()
    assert [a for group in told["moves"] for a in group["actions"]] == [state.action_to_string(a) for a in state.legal_actions()]
    broken = kept.to_json().replace(kept.digest, "0" * 64)
    refused = client.post("/api/replays", content=broken, headers={"content-type": "application/json"})
    assert refused.status_code == 400
    assert "digest" in refused.json()["error"]


# --- What is refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"game": "senet"}, "no game 'senet'"),
        ({"num_players": 9}, "9 players are not possible"),
        ({"num_players": "2"}, "'num_players' must be of the kind whole number"),
        ({"num_players": True}, "'num_players' must be of the kind whole number"),
        ({"players": [PERSON]}, "2 seats need as many players, got 1"),
        ({"players": [PERSON, "wizard"]}, "no player 'wizard' here"),
        ({"players": [PERSON, "ppo:/etc/passwd"]}, "no player 'ppo:/etc/passwd' here"),
        ({"players": ["greedy", "greedy"]}, "at least one seat is for a person"),
        ({"players": [PERSON, 3]}, "must be a list of texts"),
        ({"options": {"speed": "fast"}}, "no option 'speed'"),
        ({"options": {"num_players": "3"}}, "num_players"),
        ({"colour": "red"}, "an object with game, num_players, options, players, open is expected"),
    ],
)
def test_a_table_that_cannot_be_is_refused(client: TestClient, tmp_path: Path, body: dict[str, Any], complaint: str) -> None:
    whole = {"game": "pyramids", "num_players": 2, "options": {}, "players": [PERSON, "greedy"], "open": False}
    answer = client.post("/api/tables", json=whole | body)
    assert answer.status_code == 400
    assert complaint in answer.json()["error"]
    assert not list(tmp_path.glob("*.json"))


def test_bad_input_gets_a_clear_message_and_changes_nothing(client: TestClient, tmp_path: Path) -> None:
    first, second = two_seats(client)
    first.move()
    told = first.look(), second.look()
    files = {path.name: path.read_bytes() for path in tmp_path.glob("*.json")}
    legal, version = told[1]["moves"][0]["actions"][0], told[1]["version"]
    as_json = {"content-type": "application/json"}
    wrong = [
        (409, "not your turn", first.do("move", action=legal, version=version)),
        (409, "changed since", second.do("move", action=legal, version="0.0")),
        (400, "no action is written", second.do("move", action="abra", version=version)),
        (400, "is not legal", second.do("move", action="pass", version=version)),
        (400, "an object with action, version", second.do("move", action=legal)),
        (400, "'action' must be of the kind text", second.do("move", action=3, version=version)),
        (400, "not JSON", client.post(f"{second.home}/move", content="{", headers=as_json)),
        (400, "not JSON", client.post(f"{second.home}/move", content="[" * 9000, headers=as_json)),
        (400, "UTF-8", client.post(f"{second.home}/move", content=b"\xff\xfe", headers=as_json)),
        (413, "too long", client.post(f"{second.home}/move", content=b" " * (MOST_BYTES + 1), headers=as_json)),
        (415, "application/json", client.post(f"{second.home}/move", content="{}", headers={"content-type": "text/plain"})),
        (404, "no such seat", Seat(client, f"/table/{told[0]['table']}/wrong").client.get(f"/api/tables/{told[0]['table']}/wrong")),
        (404, "no such table", client.get("/api/tables/nowhere00/key")),
        (404, "nothing at this address", client.get("/api/tables/..%2F..%2Fetc/key")),
        (404, "nothing at this address", client.get("/api/chairs")),
        (405, "does not take that", client.get("/api/tables")),
        (400, "no player 'wizard'", second.do("hint", player="wizard")),
        (409, "not your turn", first.do("hint", player="greedy")),
        (409, "changed since", first.do("undo", version="9.9")),
        (400, "another person has decided", (second.move(), first.do("undo", version=first.look()["version"]))[1]),
    ]
    for status, words, answer in wrong:
        assert answer.status_code == status, answer.text
        assert words in answer.json()["error"]
    second.do("undo", version=second.look()["version"])  # the move of the last line
    for before, after in zip(told, (first.look(), second.look()), strict=True):
        assert {**after, "version": before["version"]} == before
    game_file = f"{told[0]['table']}.json"
    assert (tmp_path / game_file).read_bytes() == files[game_file]


def test_another_host_name_is_refused(client: TestClient) -> None:
    """A page elsewhere that lets its name point here would have the rights of our own pages."""
    assert client.get("/api/games", headers={"host": "evil.example"}).status_code == 400


def test_a_move_that_cannot_be_kept_is_not_made(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = two_seats(client)[0]
    told = seat.look()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(Replay, "save", full)
        answer = seat.do("move", action=told["moves"][0]["actions"][0], version=told["version"])
    assert answer.status_code == 507
    assert "No space left" in answer.json()["error"]
    assert seat.look() == told
    seat.move()


# --- What survives ---------------------------------------------------------------------------------------------------------------


def test_tables_survive_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        first, second = two_seats(client, "master_architect")
        for step in range(5):
            next(s for s in (first, second) if s.look()["your_turn"]).move(step)
        told = first.look(), second.look()
    with served(tmp_path) as client:
        assert tuple(Seat(client, s.home.replace("/api/tables/", "/table/")).look() for s in (first, second)) == told
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_computers_go_on_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        seat = one_seat(client)
        name = seat.home.split("/")[3]
    file = tmp_path / f"{name}.json"
    sitting = Sitting.of_replay(Replay.load(file))
    while sitting.to_move == 0:
        sitting.play(0, sitting.state.legal_actions()[0])
    sitting.replay().save(file)  # as if the server had been killed after the person's move
    with served(tmp_path) as client:
        assert Seat(client, seat.home.replace("/api/tables/", "/table/")).wait()["decisions"] > len(sitting.actions)


class Stuck:
    """A player that thinks until it is let go, and then does something wrong."""

    name = "stuck"

    def __init__(self, let_go: threading.Event) -> None:
        self.let_go = let_go

    def choose(self, states: Any, masks: Any) -> Any:
        self.let_go.wait(60)
        raise RuntimeError("I am lost")


def test_a_player_that_thinks_does_not_keep_others_waiting_and_one_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = threading.Event()
    register_agent("stuck", lambda game, argument, seed: Stuck(let_go))
    monkeypatch.setattr("mastaba.web.tables.rehearse", lambda sitting: None)
    with served(tmp_path, more_players=["stuck"]) as client:
        waiting = one_seat(client)
        table, _ = open_table(client, "pyramids", PERSON, "stuck")
        assert table is not None
        while table.move()["your_turn"]:
            pass
        waiting.move()
        told = table.look()
        assert (told["to_move"], told["problem"]) == (1, "")
        let_go.set()
        told = client.get(table.home, params={"after": told["version"]}).json()
        assert told["problem"] == "RuntimeError: I am lost"


# --- What stays hidden -----------------------------------------------------------------------------------------------------------


def test_no_byte_sent_to_a_seat_depends_on_what_is_hidden_from_it(name: str, tmp_path: Path) -> None:
    """At many points of a game the truth is exchanged for two other worlds in which the seat sees the same: it is told the same."""
    with served(tmp_path) as client:
        seats = [seat for seat in open_table(client, name, *[PERSON] * rules(name).default_players) if seat]
        tables: Tables = client.app.router.lifespan_context.__self__.tables  # type: ignore[attr-defined]
        held: Table = next(iter(tables._at_hand.values()))
        compared = 0
        for step in range(60):
            sitting = held.sitting
            if sitting.to_move is None:
                break
            if step % 9 == 0:
                for number, seat in enumerate(seats):
                    truth, told = sitting.state, []
                    for world in (1, 2):
                        sitting.state = truth.determinize(number, seed=world)
                        told.append(everything(seat, sitting))
                    sitting.state = truth
                    assert told[0] == told[1], f"seat {number} at step {step}"
                    compared += 1
            seats[sitting.to_move].move(step * 7)
        assert compared > 8


def everything(seat: Seat, sitting: Sitting) -> list[bytes]:
    """Every byte that the addresses of a seat give without changing the table, and what it says to bad input."""
    client, version = seat.client, seat.look()["version"]
    answers = [client.get(seat.home), client.get(seat.home, params={"theme": "dark"})]
    answers += [client.get(f"{seat.home}/past/{step}") for step in range(0, len(sitting.actions), 15)]
    answers += [client.get(f"{seat.home}/replay.json"), client.get(seat.home.replace("/api/tables/", "/table/"))]
    answers += [seat.do("move", action="abra", version=version), seat.do("undo", version="old")]
    return [repr(sorted(answer.headers.items())).encode() + answer.content for answer in answers]


def test_a_history_in_which_other_cards_were_dealt_is_told_alike(tmp_path: Path) -> None:
    """Two games of Pyramids whose hidden cards differ from the deal on, and in which a seat has seen the same: log and past too."""
    game, found = mastaba.game("pyramids", 2), 0
    for seed in range(30):
        start = game.new_initial_state(seed)
        worlds = [start.determinize(1, seed=world) for world in (1, 2)]
        told = []
        sittings = [DealtOtherwise(game, [PERSON, PERSON], seed, world) for world in worlds]
        for step in range(30):
            first, second = sittings
            if first.to_move is None or first.to_move != second.to_move:
                break
            common = sorted(set(first.state.legal_actions()) & set(second.state.legal_actions()))
            if not common:
                break
            seat = first.to_move
            for sitting in sittings:
                sitting.play(seat, common[step % len(common)])
            if first.state.view(1) != second.state.view(1):
                break
            told = [json.dumps(seen_by(sitting, 1)) for sitting in sittings]
            assert told[0] == told[1]
            found += first.state.to_dict() != second.state.to_dict()
    assert found > 20


class DealtOtherwise(Sitting):
    """A game that began with another deal than its seed's."""

    def __init__(self, game: mastaba.Game, players: list[str], seed: int, start: mastaba.State) -> None:
        self.start = start
        super().__init__(game, players, seed)

    def deal(self) -> mastaba.State:
        return self.start.clone()


def seen_by(sitting: Sitting, seat: int) -> list[Any]:
    held = Table("name", sitting, Seats(("a", "b"), False))
    return [table_told(held, seat, []), *(past_told(held, seat, k) for k in range(len(sitting.actions) + 1))]


def test_moves_that_a_seat_cannot_tell_apart_are_told_in_the_same_bytes() -> None:
    """What another seat builds from its hand, or puts into its tomb, is its secret: so is which of its cards it was."""
    game, compared = mastaba.game("pyramids", 2), 0
    sitting = Sitting(game, [PERSON, PERSON], seed=8)
    for step in range(40):
        if sitting.to_move == 0:
            told: dict[str, str] = {}
            for action in sitting.state.legal_actions():
                other = sitting.snapshot()
                other.play(0, action)
                seen, words = str(other.state.view(1)), json.dumps(seen_by(other, 1))
                compared += seen in told
                assert told.setdefault(seen, words) == words
        assert sitting.to_move is not None
        sitting.play(sitting.to_move, sitting.state.legal_actions()[step % 3 % len(sitting.state.legal_actions())])
    assert compared
