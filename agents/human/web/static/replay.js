// A replay, step by step, as one seat saw it or with everything open.

import { ask, byId, make, notice, playerName, text } from "./base.js";
import { offerRules } from "./rules.js";
import { drawLog, drawTable } from "./table.js";

let name = "";
let move = 0;
let seat = "all";
let now = null;

export async function playReplay(named) {
  name = named;
  const query = new URLSearchParams(location.search);
  move = Number(query.get("move") ?? 0) || 0;
  seat = query.get("seat") ?? "all";
  byId("main").className = "play replay";
  byId("main").replaceChildren(
    make("div", { id: "table" }),
    make("aside", {},
      make("p", { id: "status", role: "status" }),
      make("div", { id: "steps" }),
      make("div", { id: "tools" }),
      make("div", { id: "result" }),
      make("section", {}, make("h2", {}, text("log")), make("ol", { id: "log" }))),
  );
  document.addEventListener("keydown", press);
  await look();
}

async function look() {
  try {
    const wanted = move;
    const page = await ask(`replays/${name}?move=${move}&seat=${seat}`);
    if (wanted !== move) return;
    now = page;
    notice();
    history.replaceState(null, "", `?move=${move}&seat=${seat}`);
    draw();
  } catch (error) {
    notice(error.status === 404 ? text("gone") : error.message);
  }
}

function step(to) {
  if (!now) return;
  move = Math.min(Math.max(to, 0), now.last);
  look();
}

function draw() {
  document.title = `${now.title} – Naips`;
  byId("title").textContent = now.title;
  offerRules(now.game);
  byId("table").replaceChildren(drawTable(now.table, now.seated));
  byId("status").textContent = `${text("move", { n: now.move, last: now.last })} · ${now.table.phase}`;
  const button = (id, key, sign, to) => make("button", {
    id, title: text(key), "aria-label": text(key), disabled: to < 0 || to > now.last || to === now.move, onclick: () => step(to),
  }, sign);
  byId("steps").replaceChildren(
    button("first", "first", "|◀", 0), button("back", "back", "◀", move - 1),
    make("input", { type: "range", id: "where", min: 0, max: now.last, value: move, "aria-label": text("replay"),
      onchange: (event) => step(Number(event.target.value)) }),
    button("forward", "forward", "▶", move + 1), button("end", "last", "▶|", now.last));
  byId("tools").replaceChildren(
    make("label", {}, `${text("view")} `, make("select", {
      id: "seat", onchange: (event) => { seat = event.target.value; look(); },
    },
    make("option", { value: "all", selected: seat === "all" }, text("everything")),
    now.seated.map((_, n) => make("option", { value: n, selected: seat === String(n) }, playerName(n, now.seated, null))))),
    make("a", { class: "button", href: `/api/replays/${name}/file`, download: "" }, text("save_replay")));
  byId("result").replaceChildren(...(now.result
    ? [make("h2", {}, text("over")), make("ul", {}, now.result.map((total, n) =>
      make("li", {}, `${playerName(n, now.seated, null)}: ${total > 0 ? "+" : ""}${total}`)))]
    : []));
  byId("log").replaceChildren(...drawLog(now.log, null));
  byId("log").scrollTop = byId("log").scrollHeight;
}

function press(event) {
  if (["INPUT", "SELECT"].includes(event.target.tagName) || byId("dialog").open) return;
  const to = { ArrowRight: move + 1, ArrowLeft: move - 1, Home: 0, End: now?.last ?? 0 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    step(to);
  }
}
