// The lobby: choose a game, a table, options and who sits where; or bring a replay.
import {$, ask, element, say, seats, themeButton} from "/static/common.js";

const asked = new URLSearchParams(location.search);
const replayName = asked.get("replay");
let games, replay = null;

const PERSON = "person";
const chosen = () => games.find((game) => game.name === document.querySelector("[name=game]:checked").value);

function select(name, values, value) {
  const made = element("select", {name, id: name});
  for (const [key, words] of values) made.append(new Option(words, key));
  made.value = value;
  return made;
}

function choice(words, control) {
  $("choices").append(element("label", {htmlFor: control.id}, words), control);
}

function listGames() {
  games.forEach((game, k) => {
    const few = game.players[0], many = game.players.at(-1);
    const radio = element("input", {type: "radio", name: "game", value: game.name, checked: replay ? game.name === replay.game : k === 0});
    const label = element("label", {}, radio, " " + game.title, element("span", {}, few === many ? `${few} players` : `${few}-${many} players`));
    label.hidden = replay !== null && game.name !== replay.game;
    radio.onchange = () => listTable(game.default_players);
    $("games").append(label);
  });
}

// The size of the table, its options, and a row per seat.
function listTable(players) {
  const game = chosen();
  $("choices").replaceChildren();
  if (replay === null) {
    const size = select("players", game.players.map((n) => [n, n]), players);
    size.onchange = () => listTable(Number(size.value));
    choice("players", size);
    for (const [name, option] of Object.entries(game.options)) {
      if (!option.players.includes(players)) continue;
      const control = select("option-" + name, option.values.map((value) => [value, value]), option.default);
      control.title = option.doc;
      choice(name, control);
    }
  } else {
    const at = element("input", {type: "number", id: "at", min: 0, max: replay.decisions, value: asked.get("at") || 0});
    choice(`after move (0-${replay.decisions})`, at);
  }
  const names = [[PERSON, "a person"], ...game.computers.map((name) => [name, name])];
  const rival = game.computers.includes("greedy") ? "greedy" : game.computers.at(-1);
  for (let seat = 0; seat < players; seat++) {
    choice(`seat ${seat}${replay ? ` (was ${replay.players[seat]})` : ""}`, select("seat-" + seat, names, seat ? rival : PERSON));
  }
}

function table() {
  const players = [...document.querySelectorAll("[name^=seat-]")].map((control) => control.value);
  const open = $("open").checked;
  if (replay !== null) return ["/api/tables?replay=" + encodeURIComponent(replayName), {players, open, at: Number($("at").value)}];
  const options = {};
  for (const control of document.querySelectorAll("[name^=option-]")) options[control.name.slice("option-".length)] = control.value;
  return ["/api/tables", {game: chosen().name, num_players: players.length, options, players, open}];
}

async function begin(event) {
  event.preventDefault();
  say("");
  $("begin").disabled = true;
  $("wait").hidden = false;
  try {
    const [address, body] = table();
    const {links} = await ask(address, JSON.stringify(body));
    const all = Object.entries(links);
    if (all.length === 1) location.assign(all[0][1]);
    else showLinks(all);
  } catch (error) {
    say(error.message);
  }
  $("begin").disabled = false;
  $("wait").hidden = true;
}

function showLinks(links) {
  $("links").replaceChildren(...links.map(([seat, link]) => {
    const address = element("input", {type: "text", readOnly: true, value: location.origin + link, "aria-label": "link of seat " + seat});
    address.onfocus = () => address.select();
    const sit = element("button", {type: "button"}, "sit here");
    sit.onclick = () => window.open(link, "_blank", "noopener");
    return element("div", {className: "bar"}, element("span", {className: "seat seat" + seat}), "seat " + seat, address, sit);
  }));
  $("made").hidden = false;
  $("made").scrollIntoView();
}

function listMine() {
  const mine = seats();
  $("mine").hidden = !mine.length;
  $("tables").replaceChildren(...mine.map(({link, title, seat}) =>
    element("li", {}, element("a", {href: link}, `${title}, seat ${seat}`), element("span", {className: "quiet"}, " " + link.split("/")[2]))));
}

async function bring() {
  say("");
  const [file] = $("file").files;
  if (!file) return;
  try {
    const told = await ask("/api/replays", await file.text());
    location.assign("/replay/" + told.replay);
  } catch (error) {
    say(`${file.name}: ${error.message}`);
    $("file").value = "";
  }
}

themeButton();
listMine();
$("form").onsubmit = begin;
$("file").onchange = bring;
try {
  ({games} = await ask("/api/games"));
  if (replayName) {
    replay = await ask("/api/replays/" + encodeURIComponent(replayName));
    $("heading").textContent = "Play on";
  }
  listGames();
  listTable(replay ? replay.num_players : games[0].default_players);
} catch (error) {
  say(error.message);
}
