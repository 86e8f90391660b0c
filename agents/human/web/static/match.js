// A match in progress, at one seat.

import { ask, byId, keep, kept, make, notice, playerName, Refused, show, text, wait }
  from "./base.js";
import { offerRules } from "./rules.js";
import { actLine, drawLog, drawTable, endOfHand } from "./table.js";

const PACES = { slow: 1500, normal: 700, fast: 60 };
const HAND_END = 4; // so many times as long is waited where a hand has ended
const DIALOG = 300; // while one is open the agents wait
const PATIENCE = 4000; // after so long a request that is not answered is explained
const LOOK_AGAIN = 1500; // while a person is awaited; it may be this one, in another tab
const AFTER_A_FAILURE = 2000;
const MANY = 12; // more actions than these can be searched
const FOLDED = 30; // of more than these, groups that hold more than MANY are folded
const NARROW = 992; // on a screen of less than this the actions lie below the table
const DIGITS = 900; // how long a number may take to be typed

let token = "";
let now = null; // the page of the match as the server told it last
let picked = []; // cards chosen so far: {card, button}
let sought = ""; // what the filter says
let typed = ""; // digits of a number
let busy = false;

export async function playMatch(named) {
  token = named;
  byId("main").className = "play";
  byId("main").replaceChildren(
    make("div", { id: "table" }),
    make("aside", {},
      make("p", { id: "status", role: "status" }),
      make("div", { id: "result", hidden: true }),
      make("div", { id: "actions" }),
      make("div", { id: "tools" }),
      make("section", { id: "hints", hidden: true }),
      make("section", {}, make("h2", {}, text("log")), make("ol", { id: "log" }))),
  );
  document.addEventListener("keydown", press);
  await drive();
}

/** Follow the match until it is over: agents play at the chosen pace, people are awaited. */
async function drive() {
  for (;;) {
    try {
      if (now === null) take(await ask(`matches/${token}`));
      else if (now.over) return;
      else if (now.agent) {
        await pause();
        take(await patiently(
          ask(`matches/${token}/next`, { method: "POST", data: { version: now.version } })));
      } else {
        await wait(LOOK_AGAIN);
        if (!busy && !document.hidden) take(await ask(`matches/${token}?seen=${now.version}`));
      }
      if (byId("notice").dataset.kind === "network") say("");
    } catch (error) {
      if (error instanceof Refused) {
        say(error.status === 404 || error.status === 410 ? text("gone") : error.message);
        return;
      }
      say(text("network"), "network");
      await wait(AFTER_A_FAILURE);
    }
  }
}

/** The chosen pace; longer where a hand has ended, so that it can be looked at. */
async function pause() {
  const pace = PACES[kept("pace", "normal")] ?? PACES.normal;
  await wait(now.log.at(-1)?.result ? HAND_END * pace : pace);
  while (byId("dialog").open) await wait(DIALOG);
}

/** An answer; where it takes long, with a word about why. */
async function patiently(answer) {
  const timer = setTimeout(() => say(text("patience"), "patience"), PATIENCE);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    if (byId("notice").dataset.kind === "patience") say("");
  }
}

function say(words, kind = "") {
  byId("notice").dataset.kind = kind;
  notice(words);
}

/** Show a page that came from the server, unless a newer one is shown already. */
function take(page) {
  if (page === null || (now !== null && page.version <= now.version)) return;
  now = page;
  picked = [];
  sought = typed = "";
  draw();
}

function draw() {
  document.title = `${now.mine ? "▶ " : ""}${now.title} – Naips`;
  byId("title").textContent = now.title;
  if (byId("rules").hidden) offerRules(now.game);
  const lit = new Set(now.actions.flatMap((action) => action.cards));
  byId("table").replaceChildren(
    drawTable(now.table, now.seated, { lit: (card) => lit.has(card), pick }));
  byId("status").replaceChildren(...status());
  byId("hints").hidden = true;
  drawResult();
  drawActions();
  drawTools();
  byId("log").replaceChildren(...drawLog(now.log, now.seat));
  byId("log").scrollTop = byId("log").scrollHeight;
  if (now.mine && innerWidth < NARROW) byId("actions").scrollIntoView({ block: "nearest" });
}

function status() {
  if (now.over) return [text("over")];
  const who = playerName(now.turn, now.seated, now.seat);
  const what = now.mine ? text("your_turn") : text(now.agent ? "thinks" : "waits", { who });
  const last = now.log.at(-1);
  return [make("b", { class: now.mine ? "mine" : "" }, what), ` ${now.table.phase}`,
    ...(last?.result ? [make("span", { class: "ended" }, endOfHand(last))] : [])];
}

// Actions

/** The actions that take all picked cards and hold the words that are sought. */
function fitting() {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return now.actions.filter((action) => {
    const left = [...action.cards];
    const takes = picked.every(({ card }) => {
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
    const named = [action.words, ...action.cards].map((name) => name.toLowerCase());
    return takes && words.every((word) => named.some((name) => name.includes(word)));
  });
}

/** A lit card was clicked: play it, or show what can be done with it and those picked before. */
function pick(card, button) {
  const at = picked.findIndex((other) => other.button === button);
  if (at >= 0) picked.splice(at, 1);
  else picked.push({ card, button });
  if (!fitting().length) picked = [{ card, button }];
  const fit = fitting();
  if (at < 0 && fit.length === 1) {
    play(fit[0].id);
    return;
  }
  mark();
  drawActions();
}

function mark() {
  for (const button of document.querySelectorAll(".card.lit")) {
    const on = picked.some((other) => other.button === button);
    button.setAttribute("aria-pressed", on);
  }
}

function drawActions() {
  const box = byId("actions");
  if (!now.mine) {
    box.replaceChildren();
    return;
  }
  const list = make("div", { class: "list" });
  const filter = now.actions.length > MANY
    ? make("input", {
      type: "search", id: "filter", placeholder: `${text("filter")} ( / )`,
      "aria-label": text("filter"), value: sought,
      oninput: (event) => { sought = event.target.value; fill(list); },
    })
    : null;
  const note = picked.length
    ? make("p", { class: "note" }, text("pick_more"), " ",
      make("button", { class: "plain", id: "clear", onclick: clear }, text("clear")))
    : null;
  box.replaceChildren(...[note, filter, list].filter(Boolean));
  fill(list);
  if (picked.length) list.querySelector("button")?.focus({ preventScroll: true });
}

function clear() {
  picked = [];
  sought = "";
  mark();
  drawActions();
}

function fill(list) {
  const fit = fitting();
  const groups = Map.groupBy ? Map.groupBy(fit, (action) => action.group) : grouped(fit);
  const folded = fit.length > FOLDED && !picked.length && !sought;
  let number = 0;
  const parts = [...groups.keys()].sort((a, b) => (a === "" ? -1 : b === "" ? 1 : 0)).map((name) => {
    const actions = groups.get(name);
    const buttons = make("div", { class: name ? "buttons small" : "buttons" },
      actions.map((action) => {
        number += 1;
        return make("button", {
          class: "action", "data-action": action.id, "data-number": number,
          onclick: () => play(action.id),
        }, make("kbd", {}, number), name ? action.words.replace(`${name} `, "") : action.words);
      }));
    if (!name) return buttons;
    return make("details", { open: !(folded && actions.length > MANY) },
      make("summary", {}, `${name} (${actions.length})`), buttons);
  });
  list.replaceChildren(...(parts.length ? parts : [make("p", {}, text("none_match"))]));
}

function grouped(actions) {
  const groups = new Map();
  for (const action of actions) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  return groups;
}

async function play(action) {
  if (busy) return;
  setBusy(true);
  try {
    say("");
    take(await patiently(
      ask(`matches/${token}/act`, { method: "POST", data: { action, version: now.version } })));
  } catch (error) {
    if (!(error instanceof Refused)) say(text("network"), "network");
    else if (error.status === 409) {
      take(await ask(`matches/${token}`).catch(() => null));
      say(text("changed"));
    } else say(error.status === 404 ? text("gone") : error.message);
    clear();
  } finally {
    setBusy(false);
  }
}

function setBusy(on) {
  busy = on;
  byId("actions").setAttribute("aria-busy", on);
}

// Hints, the log, the end

function drawTools() {
  const pace = make("select", { id: "pace", "aria-label": text("pace"),
    onchange: (event) => keep("pace", event.target.value) },
    Object.keys(PACES).map((name) => make("option",
      { value: name, selected: name === kept("pace", "normal") }, text(name))));
  byId("tools").replaceChildren(...[
    now.mine ? make("button", { id: "hint", onclick: hint }, `${text("hint")} (h)`) : null,
    now.last_hand ? make("button", { id: "last", onclick: lastHand }, text("last_hand")) : null,
    make("button", { id: "keys", onclick: () => show(text("keys"), make("p", {}, text("keys_text"))) },
      text("keys")),
    make("label", {}, `${text("pace")} `, pace),
  ].filter(Boolean));
}

function lastHand() {
  show(text("last_hand"), make("p", {}, text("last_hand_note")),
    drawTable(now.last_hand.table, now.seated),
    make("p", {}, actLine(now.last_hand.act)),
    make("p", {}, now.last_hand.act.result));
}

async function hint() {
  const box = byId("hints");
  if (!box.hidden) {
    box.hidden = true;
    return;
  }
  box.hidden = false;
  box.replaceChildren(make("p", {}, "…"));
  try {
    const found = await patiently(ask(`matches/${token}/hint`));
    if (found.version === now.version) drawHints(box, found);
  } catch (error) {
    box.hidden = true;
    say(error instanceof Refused ? error.message : text("network"));
  }
}

function drawHints(box, found) {
  const share = (part) => make("td", {},
    make("meter", { min: 0, max: 1, value: part }), ` ${Math.round(100 * part)} %`);
  const rows = found.actions.slice(0, 12).map((row) => make("tr", {},
    make("td", {}, make("button", { class: "plain", onclick: () => play(row.action) }, row.words)),
    make("td", { class: "number" }, row.value === null ? "–" : row.value.toFixed(2).replace("-", "−")),
    share(row.tried), share(row.policy)));
  box.replaceChildren(
    make("h2", {}, text("hint")),
    make("table", {},
      make("tr", {}, ["hint_action", "hint_value", "hint_tried"].map((key) => make("th", {}, text(key))),
        make("th", {}, found.player)),
      rows),
    make("p", { class: "note" }, text("hint_note", found)));
}

function drawResult() {
  const box = byId("result");
  box.hidden = !now.over;
  if (!now.over) return;
  const { title, verdict, totals } = now.result;
  box.replaceChildren(
    make("h2", {}, verdict || title),
    make("ul", {}, totals.map((total, seat) => make("li", {},
      `${playerName(seat, now.seated, now.seat)}: ${total > 0 ? "+" : ""}${total}`))),
    make("button", { id: "again", onclick: again }, text("again")),
    make("button", { id: "replay", onclick: openReplay }, text("replay")),
    make("a", { class: "button", href: "/" }, text("home")));
}

async function again() {
  await begin(now.plan.game, now.plan.options, now.seated, null).catch((error) => say(error.message));
}

async function openReplay() {
  try {
    const { name } = await ask(`matches/${token}/replay`, { method: "POST", data: {} });
    location.href = `/replay/${name}?seat=${now.seat ?? "all"}`;
  } catch (error) {
    say(error.message);
  }
}

/** Begin a match and go to its first seat; the links are kept among "your games". */
export async function begin(game, options, seats, seed) {
  const drawn = seed ?? Math.floor(Math.random() * 2 ** 31);
  const { tokens, first } = await ask("matches", { method: "POST", data: { game, options, seats, seed: drawn } });
  const links = Object.entries(tokens).map(([seat, link]) => ({ game, token: link, seat: Number(seat), at: Date.now() }));
  keep("games", [...links, ...kept("games", [])].slice(0, 30));
  if (links.length === 1) location.href = `/play/${first}`;
  else {
    show(text("links"), make("ul", { class: "links" }, links.map((link) => make("li", {},
      make("a", { href: `/play/${link.token}` }, `${text("player", { n: link.seat })}`)))));
  }
}

// Keyboard

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("dialog").open || !now) return;
  const writing = ["INPUT", "SELECT"].includes(event.target.tagName);
  if (event.key === "Escape") {
    clear();
    document.activeElement.blur();
  } else if (writing) {
    if (event.key === "Enter" && event.target.id === "filter") document.querySelector(".action")?.click();
    if (event.key === "ArrowDown" && event.target.id === "filter") move(1, event);
  } else if (/^\d$/.test(event.key)) digit(event.key);
  else if (event.key === "Enter" && typed) {
    event.preventDefault();
    playNumber();
  } else if (event.key.startsWith("Arrow")) {
    move(event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1, event);
  } else if (event.key === "h") byId("hint")?.click();
  else if (event.key === "/") {
    event.preventDefault();
    byId("filter")?.focus();
  }
}

/** A digit is played at once where no longer number can begin with it. */
function digit(key) {
  typed += key;
  const count = document.querySelectorAll(".action").length;
  if (Number(typed) * 10 > count) playNumber();
  else {
    const waiting = typed;
    setTimeout(() => { if (typed === waiting) playNumber(); }, DIGITS);
  }
}

function playNumber() {
  const number = typed;
  typed = "";
  document.querySelector(`.action[data-number="${Number(number)}"]`)?.click();
}

function move(step, event) {
  const all = [...document.querySelectorAll(".card.lit, .action")].filter((one) => one.offsetParent);
  if (!all.length) return;
  event.preventDefault();
  const at = all.indexOf(document.activeElement);
  const first = Math.max(all.findIndex((one) => one.classList.contains("action")), 0);
  all[at < 0 ? first : (at + step + all.length) % all.length].focus();
}
