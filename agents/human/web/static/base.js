// What every page uses: elements, requests, texts in the reader's language.

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** An element: attributes, "onclick" and the like, and children; null children are left out. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

// Requests

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The answer of the server; null where nothing has changed. */
export async function ask(path, { method = "GET", data, body } = {}) {
  const joint = path.includes("?") ? "&" : "?";
  const answer = await fetch(`/api/${path}${joint}lang=${kept("language", "")}`, {
    method,
    body: data === undefined ? body : JSON.stringify(data),
  });
  if (answer.status === 204) return null;
  const found = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, found.error);
  return found;
}

/** Say something at the top of the page; an empty text says nothing. */
export function notice(text = "") {
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
}

// Texts

let texts = {};

export function text(key, facts = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (all, name) => facts[name] ?? all);
}

export async function loadTexts() {
  const found = await ask("texts");
  texts = found.texts;
  document.documentElement.lang = found.language;
  const select = byId("language");
  select.replaceChildren(
    ...Object.entries(found.languages).map(([code, name]) =>
      make("option", { value: code, lang: code, selected: code === found.language }, name)),
  );
  select.setAttribute("aria-label", text("language"));
  select.addEventListener("change", () => {
    keep("language", select.value);
    location.reload();
  });
}

// What this browser remembers; without storage it remembers nothing

export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`naips-${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(`naips-${name}`, JSON.stringify(value));
  } catch {
    // a private window: the game goes on without it
  }
}

/** The player's name as the page says it. */
export function playerName(seat, seated, viewer) {
  const name = text("player", { n: seat });
  if (seat === viewer) return `${name} (${text("you")})`;
  const who = seated[seat] === "person" ? text("person") : seated[seat];
  return who ? `${name} · ${who}` : name;
}

// The dialog

export function show(title, ...content) {
  const dialog = byId("dialog");
  dialog.replaceChildren(
    make("header", {}, make("h2", {}, title),
      make("button", { class: "plain", id: "close", onclick: () => dialog.close() }, text("close"))),
    ...content,
  );
  dialog.showModal();
}
