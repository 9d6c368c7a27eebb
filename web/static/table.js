// A seat at a table. The server holds the position; this page shows what it tells and sends back the choice of a move.
import {$, ask, element, isDark, rememberSeat, say, themeButton} from "/static/common.js";

const [, , table, key] = location.pathname.split("/");
const home = `/api/tables/${table}/${key}`;
let told = null;      // the table as the server told it last
let shown = null;     // a past move that is looked at instead, or null
let busy = false;     // a move is on its way

const theme = (sign) => (isDark() ? `${sign}theme=dark` : "");
const nameOf = (seat) => (seat === told.seat ? "you" : `seat ${seat} (${told.players[seat]})`);

// --- Showing --------------------------------------------------------------------------------------------------------------

// Answers may overtake each other on their way here: what is older than what is shown already is dropped.
function show(news) {
  const first = told === null;
  if (!first && news.version < told.version) return;
  told = news;
  shown = null;
  document.title = `${told.your_turn ? "● " : ""}${told.title}, seat ${told.seat}`;
  $("title").textContent = told.title;
  if (first) {
    rememberSeat(location.pathname, told.title, told.seat);
    $("adviser").replaceChildren(...told.advisers.map((name) => new Option(name, name)));
    if (told.advisers.includes("greedy")) $("adviser").value = "greedy";
  }
  drawBoard(told.svg);
  showTurn();
  showMoves();
  showLog();
  showResult();
  showPlace();
}

function drawBoard(svg) {
  $("board").innerHTML = svg;
  $("board").classList.toggle("past", shown !== null);
  for (const choice of $("board").querySelectorAll("[data-action]")) {
    choice.setAttribute("tabindex", "0");
    choice.setAttribute("role", "button");
    choice.setAttribute("aria-label", choice.dataset.action);
  }
}

function showTurn() {
  const {to_move: seat} = told;
  $("turn").classList.toggle("yours", told.your_turn);
  if (told.over) $("turn").textContent = "The game is over.";
  else if (told.your_turn) $("turn").textContent = "It is your turn: choose on the board or in the list.";
  else if (told.players[seat] === "person") $("turn").textContent = `Seat ${seat} decides.`;
  else $("turn").textContent = `Seat ${seat} (${told.players[seat]}) is thinking …`;
  $("players").replaceChildren(...told.players.map((name, p) =>
    element("li", {className: "bar"}, element("span", {className: "seat seat" + p}), p === told.seat ? `seat ${p}: you` : `seat ${p}: ${name}`)));
  $("undo").disabled = !told.log.some((move) => move.seat === told.seat && !move.forced);
  if (told.problem) say("The player to move cannot go on: " + told.problem);
}

function showMoves() {
  $("choosing").hidden = $("hints").hidden = !told.your_turn;
  $("advice").replaceChildren();
  $("moves").replaceChildren();
  for (const {meaning, actions} of told.moves) {
    const row = element("div");
    for (const action of actions) row.append(moveButton(action));
    $("moves").append(element("h3", {}, meaning), row);
  }
}

function moveButton(action) {
  const button = element("button", {"data-move": action}, action);
  button.onclick = () => move(action);
  button.onmouseenter = button.onfocus = () => light(action, true);
  button.onmouseleave = button.onblur = () => light(action, false);
  return button;
}

// The same move on the board and in the list.
function light(action, on) {
  for (const mark of document.querySelectorAll("#board [data-action], #moves [data-move]")) {
    if ((mark.dataset.action || mark.dataset.move) === action) mark.classList.toggle("lit", on);
  }
}

function showLog() {
  $("log").replaceChildren(...told.log.map((move) => {
    const words = `${nameOf(move.seat)}: ${move.forced ? "forced, " : ""}${move.words}`;
    const line = element("li", {className: move.seat === told.seat ? "own" : ""}, element("span", {className: "seat seat" + move.seat}), words);
    line.onclick = () => look(move.at);
    return line;
  }));
  $("log").scrollTop = $("log").scrollHeight;
}

function showResult() {
  $("result").hidden = $("watch").hidden = $("save").hidden = !told.over;
  if (!told.over) return;
  const parts = Object.keys(told.result[0].parts);
  const cells = (kind, values) => element("tr", {}, ...values.map((value) => element(kind, {}, String(value))));
  const rows = told.result.map(({score, place, parts: own}, p) => cells("td", [nameOf(p), place, ...parts.map((part) => own[part]), score]));
  $("result").replaceChildren(cells("th", ["", "place", ...parts, "points"]), ...rows);
}

// --- Looking back -----------------------------------------------------------------------------------------------------------

function showPlace() {
  const at = shown === null ? told.decisions : shown;
  $("slider").max = told.decisions;
  $("slider").value = at;
  $("where").textContent = `${at} / ${told.decisions}`;
  $("now").hidden = shown === null;
  $("back").disabled = at === 0;
  $("next").disabled = at === told.decisions;
}

async function look(at) {
  if (at >= told.decisions) return drawNow();
  shown = Math.max(0, at);
  const wanted = shown;
  showPlace();
  const past = await attempt(() => ask(`${home}/past/${wanted}${theme("?")}`));
  if (past && shown === wanted) drawBoard(past.svg);
  return undefined;
}

function drawNow() {
  shown = null;
  drawBoard(told.svg);
  showPlace();
}

// --- Doing ------------------------------------------------------------------------------------------------------------------

// The answer, or undefined if the server complains: then its words are shown.
async function attempt(request) {
  try {
    return await request();
  } catch (error) {
    say(error.message);
    if (error.status === 409) await refresh();
    return undefined;
  }
}

async function change(what, body) {
  if (busy) return;
  busy = true;
  say("");
  const news = await attempt(() => ask(`${home}/${what}${theme("?")}`, JSON.stringify({...body, version: told.version})));
  busy = false;
  if (news) show(news);
}

const move = (action) => change("move", {action});

async function advise() {
  const player = $("adviser").value, {version} = told;
  $("hint").disabled = true;
  const advice = await attempt(() => ask(`${home}/hint`, JSON.stringify({player})));
  $("hint").disabled = false;
  if (!advice || version !== told.version) return;
  const rows = advice.moves.map(({action, wins, points}) => {
    const share = element("td", {}, element("meter", {value: wins}), ` ${Math.round(100 * wins)} %`);
    const row = element("tr", {className: action === advice.choice ? "choice" : ""}, element("td", {}, action), share,
      element("td", {}, points === null ? "" : points.toFixed(1)));
    row.onmouseenter = () => light(action, true);
    row.onmouseleave = () => light(action, false);
    row.onclick = () => move(action);
    return row;
  });
  const heads = ["move", "wins", rows.length && advice.moves[0].points !== null ? "points" : ""];
  const head = element("thead", {}, element("tr", {}, ...heads.map((words) => element("th", {}, words))));
  $("advice").replaceChildren(element("p", {}, `${player} would play ${advice.choice}`),
    ...(rows.length ? [element("table", {}, head, element("tbody", {}, ...rows))] : []));
}

async function refresh() {
  const news = await ask(home + theme("?"));
  if (news) show(news);
}

// Ask again and again for what is new; after a failure wait, longer each time.
async function listen() {
  let pause = 1;
  for (;;) {
    try {
      const news = await ask(`${home}?after=${encodeURIComponent(told.version)}${theme("&")}`);
      if (pause > 1) say("");
      pause = 1;
      if (news && news.version !== told.version && !busy) show(news);
    } catch (error) {
      if (error.status === 404) { say(error.message); return; }
      say("The server does not answer; trying again.");
      await new Promise((done) => setTimeout(done, 1000 * pause));
      pause = Math.min(10, 2 * pause);
    }
  }
}

$("board").onclick = (event) => {
  const choice = event.target.closest("[data-action]");
  if (choice && shown === null) move(choice.dataset.action);
};
$("board").onkeydown = (event) => {
  const choice = event.target.closest("[data-action]");
  if (choice && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); move(choice.dataset.action); }
};
$("slider").oninput = () => look(Number($("slider").value));
$("back").onclick = () => look((shown === null ? told.decisions : shown) - 1);
$("next").onclick = () => look((shown === null ? told.decisions : shown) + 1);
$("now").onclick = drawNow;
$("undo").onclick = () => change("undo", {});
$("hint").onclick = advise;
$("watch").onclick = () => location.assign("/replay/" + table);
$("save").onclick = () => location.assign(home + "/replay.json");
themeButton(() => attempt(refresh));
if ((await attempt(async () => { await refresh(); return true; }))) listen();
