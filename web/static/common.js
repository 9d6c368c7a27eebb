// What both pages need: elements, requests, the theme.

export const $ = (id) => document.getElementById(id);

export function element(name, marks = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(marks)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...content);
  return made;
}

// What the server answers; null if there is no news. An Error says what it complains about, with the status.
export async function ask(address, body) {
  const how = body === undefined ? {} : {method: "POST", headers: {"content-type": "application/json"}, body};
  const answer = await fetch(address, how);
  if (answer.status === 204) return null;
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.error), {status: answer.status});
  return told;
}

export function say(words) {
  $("message").textContent = words;
  $("message").hidden = !words;
}

const root = document.documentElement;
const remembered = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
export const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private windows */ } };
export const isDark = () => root.classList.contains("dark");

const wanted = remembered("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
root.classList.toggle("dark", wanted === "dark");

export function themeButton(then = () => {}) {
  $("theme").onclick = () => {
    root.classList.toggle("dark");
    remember("theme", isDark() ? "dark" : "light");
    then();
  };
}

// The seats this browser has sat at, the latest first.
export const seats = () => JSON.parse(remembered("seats") || "[]");
export function rememberSeat(link, title, seat) {
  const others = seats().filter((other) => other.link !== link);
  remember("seats", JSON.stringify([{link, title, seat}, ...others].slice(0, 12)));
}
