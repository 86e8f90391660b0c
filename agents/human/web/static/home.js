// The first page: choose a game, its options, and who sits where.

import { ask, byId, keep, kept, make, notice, text } from "./base.js";
import { begin } from "./match.js";
import { offerRules } from "./rules.js";

const SHOWN = { truc_v0: "11B", puc_v0: "JK", balco_v0: "7", quatre_duros_v0: "12O", poker_builder_v0: "AS" };
const PERSON = "person";
const NARROW = 576; // on a screen of less than this the agents are explained when that is asked

let games = [];
let game = null;

export async function home() {
  byId("title").textContent = text("tagline");
  const main = byId("main");
  main.className = "home";
  main.replaceChildren(make("p", { role: "status" }, text("starting")));
  games = await ask("games");
  main.replaceChildren(
    myGames(),
    make("section", { class: "card-box" },
      make("h2", {}, text("new_game")),
      make("div", { class: "games" }, games.map(gameButton)),
      make("form", { id: "form", onsubmit: start })),
    make("section", { class: "card-box" },
      make("h2", {}, text("replay")),
      make("label", { class: "file" }, text("open_replay"), " ",
        make("input", { type: "file", id: "file", accept: ".jsonl", onchange: openFile }))),
  );
  const asked = new URLSearchParams(location.search).get("game") ?? kept("game", "");
  choose(games.find((one) => one.id === asked) ?? games[0]);
}

function gameButton(one) {
  const card = SHOWN[one.id] ?? "??";
  return make("button", { type: "button", "data-game": one.id, onclick: () => choose(one) },
    make("img", { src: `/card/${one.style}/${card}.svg`, alt: "" }), one.title);
}

function choose(one) {
  game = one;
  keep("game", one.id);
  offerRules(one.id);
  for (const button of document.querySelectorAll("[data-game]")) {
    button.setAttribute("aria-pressed", button.dataset.game === one.id);
  }
  const players = make("select", { id: "players", onchange: seatsAnew },
    one.player_counts.map((n) => make("option", { value: n, selected: n === one.default_players }, n)));
  byId("form").replaceChildren(
    make("div", { class: "row" },
      make("label", {}, `${text("players")} `, players),
      make("label", {}, `${text("seed")} `,
        make("input", { id: "seed", type: "number", min: 0, placeholder: text("seed_hint") }))),
    make("fieldset", {}, make("legend", {}, text("seats")), make("div", { id: "seats" }), who()),
    make("details", { id: "options" }, make("summary", {}, text("options")), one.options.map(option)),
    make("button", { id: "start", class: "main" }, text("start")),
  );
  seatsAnew();
}

function seatsAnew() {
  const count = Number(byId("players").value);
  byId("seats").replaceChildren(...Array.from({ length: count }, (_, seat) => seatChoice(seat)));
  sayStart();
}

function seatChoice(seat) {
  const other = make("input", { class: "other", hidden: true, placeholder: text("agent_hint"), "aria-label": text("other_agent") });
  const select = make("select", {
    class: "who", "aria-label": text("player", { n: seat }),
    onchange: () => { other.hidden = select.value !== ""; sayStart(); },
  },
  make("option", { value: PERSON, selected: seat === 0 }, text("person")),
  game.agents.map(({ name, meaning }) => make("option",
    { value: name, title: meaning, selected: seat > 0 && name === game.best }, name)),
  make("option", { value: "" }, text("other_agent")));
  return make("label", { class: "seat-choice" }, make("span", {}, text("player", { n: seat })), select, other);
}

/** What each agent is. */
function who() {
  return make("details", { id: "who", open: innerWidth >= NARROW }, make("summary", {}, text("who")),
    make("dl", {}, game.agents.map(({ name, meaning }) => make("div", {},
      make("dt", {}, make("code", {}, name)), make("dd", {}, meaning)))));
}

function seated() {
  return [...document.querySelectorAll(".seat-choice")].map((label) =>
    label.querySelector("select").value || label.querySelector("input").value.trim());
}

function sayStart() {
  byId("start").textContent = text(seated().includes(PERSON) ? "start" : "watch");
}

function option(one) {
  const id = `option-${one.name}`;
  const input = one.choices.length
    ? make("select", { id }, one.choices.map((value, n) =>
      make("option", { value: n, selected: value === one.default }, said(value))))
    : make("input", { id, placeholder: `${said(one.default)} (${text("default")})` });
  return make("label", { class: "option" }, make("code", {}, one.name), input,
    make("small", { lang: "en" }, one.meaning));
}

function said(value) {
  if (value === null) return text("none");
  return value === true ? text("yes") : value === false ? text("no") : String(value);
}

function options() {
  const chosen = {};
  for (const one of game.options) {
    const { value } = byId(`option-${one.name}`);
    if (one.choices.length) chosen[one.name] = one.choices[Number(value)];
    else if (value.trim()) chosen[one.name] = meant(value.trim());
  }
  return chosen;
}

function meant(value) {
  if (value === "none" || value === text("none")) return null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

async function start(event) {
  event.preventDefault();
  const button = byId("start");
  button.disabled = true;
  button.textContent = text("starting");
  notice();
  try {
    await begin(game.id, options(), seated(), byId("seed").value ? Number(byId("seed").value) : null);
  } catch (error) {
    notice(error.message);
  }
  button.disabled = false;
  sayStart();
}

function myGames() {
  const list = kept("games", []);
  if (!list.length) return make("div", {});
  const forget = async (one, row) => {
    row.remove();
    keep("games", kept("games", []).filter((other) => other.token !== one.token));
    await ask(`matches/${one.token}`, { method: "DELETE" }).catch(() => null);
  };
  return make("section", { class: "card-box" },
    make("h2", {}, text("my_games")),
    make("ul", { class: "mine" }, list.map((one) => {
      const title = games.find((other) => other.id === one.game)?.title ?? one.game;
      const seat = one.seat >= 0 ? ` · ${text("player", { n: one.seat })}` : "";
      const row = make("li", {},
        make("a", { href: `/play/${one.token}` }, `${title}${seat}`), " ",
        make("small", {}, new Date(one.at).toLocaleString(document.documentElement.lang)),
        make("button", { class: "plain", onclick: () => forget(one, row) }, text("forget")));
      return row;
    })));
}

async function openFile(event) {
  try {
    const { name } = await ask("replays", { method: "POST", body: await event.target.files[0].arrayBuffer() });
    location.href = `/replay/${name}`;
  } catch (error) {
    event.target.value = "";
    notice(error.message);
  }
}
