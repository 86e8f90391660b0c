// A table, drawn from plain data: seats, zones and cards. The viewer sits at the bottom, the
// others in playing order to the right, as at a Catalan table.

import { make, playerName, text } from "./base.js";

const HIDDEN = "??";
const MANY_HIDDEN = 3; // more than so many face-down cards are shown as one with a number
const SIZES = [[18, "many crowd"], [10, "many"], [3, "some"]]; // cards of a zone and its look
const PILE = 8; // so many cards of a pile are shown

/** The felt with everything on it; `hand` says how the viewer's own cards behave. */
export function drawTable(table, seated, hand = null) {
  const count = table.seats.length;
  const first = table.viewer ?? 0;
  const others = [];
  for (let step = count - 1; step > 0; step -= 1) others.push(table.seats[(first + step) % count]);
  return make("section", { class: `felt players-${count}`, "data-viewer": table.viewer ?? "all" },
    make("div", { class: "others" }, others.map((seat) => drawSeat(table, seat, seated, null))),
    drawCentre(table),
    drawSeat(table, table.seats[first], seated, table.viewer === null ? null : hand, "own"),
  );
}

function drawSeat(table, seat, seated, hand, kind = "") {
  const acts = table.turn === seat.seat;
  const facts = [...seat.tags, ...seat.values.map(([name, value]) => `${name}: ${value}`)];
  const marked = seat.zones.filter((zone) => zone.marks)
    .map((zone) => `${zone.name}: ${zone.cards.join(" ") || text("none")}`);
  return make("section", { class: `seat ${kind} ${acts ? "turn" : ""}`, "data-seat": seat.seat },
    make("h3", {}, acts ? make("span", { class: "arrow", "aria-hidden": "true" }, "▶ ") : null,
      playerName(seat.seat, seated, table.viewer),
      seat.sealed ? make("span", { class: "sealed", title: "✉" }, " ✉") : null),
    make("p", { class: "facts" }, [...facts, ...marked].join(" · ")),
    seat.coins ? coins(seat.coins) : null,
    make("div", { class: "zones" },
      seat.zones.filter((zone) => !zone.marks && (zone.cards.length || zone.caption))
        .map((zone) => drawZone(zone, table, zone.taken ? hand : null))),
  );
}

function drawCentre(table) {
  const zones = table.centre.filter((zone) => zone.cards.length || zone.caption);
  return make("section", { class: "centre" },
    make("p", { class: "values" },
      table.values.map(([name, value]) => make("span", {}, `${name}: `, make("b", {}, value)))),
    table.coins ? coins(table.coins) : null,
    make("div", { class: "zones" }, zones.map((zone) => drawZone(zone, table, null))),
    table.log.length
      ? make("ul", { class: "said" }, table.log.slice(-8).map((line) => make("li", {}, line)))
      : null,
  );
}

function coins(count) {
  return make("p", { class: "coins", role: "img", "aria-label": `${count}`, "data-coins": count },
    Array.from({ length: count }, () => make("i", {})));
}

function drawZone(zone, table, hand) {
  const label = zone.caption ? `${zone.name}: ${zone.caption}` : zone.name;
  const size = SIZES.find(([more]) => zone.cards.length > more)?.[1] ?? "";
  return make("div", { class: `zone ${size}`, "data-zone": zone.name },
    make("h4", {}, label),
    make("div", { class: zone.pile ? "cards pile" : "cards" }, zoneCards(zone, table, hand)));
}

function zoneCards(zone, table, hand) {
  const hidden = zone.cards.filter((card) => card === HIDDEN).length;
  const shown = hidden > MANY_HIDDEN ? zone.cards.filter((card) => card !== HIDDEN) : zone.cards;
  const drawn = shown.map((card, n) => drawCard(card, table, zone.owners[n], hand));
  if (hidden > MANY_HIDDEN) drawn.push(stack(HIDDEN, hidden, table));
  const extra = zone.pile ? drawn.length - PILE : 0;
  if (extra <= 0) return drawn;
  const more = make("button", { class: "more", onclick: () => more.replaceWith(...drawn.slice(0, extra)) },
    `+${extra}`);
  return [more, ...drawn.slice(extra)];
}

function stack(card, count, table) {
  return make("span", { class: "card stack" }, picture(card, table),
    make("b", { class: "count", "aria-label": text("cards", { n: count }) }, `×${count}`));
}

function picture(card, table) {
  return make("img", {
    src: `/card/${table.style}/${encodeURIComponent(card)}.svg`,
    alt: table.names[card] ?? card, title: table.names[card] ?? card, draggable: "false",
  });
}

function drawCard(card, table, owner, hand) {
  const inside = [picture(card, table),
    owner === undefined ? null : make("b", { class: "owner", title: text("player", { n: owner }) }, owner)];
  const lit = hand?.lit(card);
  if (!lit) return make("span", { class: `card ${hand ? "dim" : ""}`, "data-card": card }, inside);
  const button = make("button", {
    class: "card lit", "data-card": card, "aria-pressed": "false",
    onclick: () => hand.pick(card, button),
  }, inside);
  return button;
}

/** The acts so far, and how each hand ended. */
export function drawLog(log, own) {
  return log.flatMap((line) => [
    make("li", { class: line.seat === own ? "own" : "" }, actLine(line)),
    line.result ? make("li", { class: "hand" }, endOfHand(line)) : null,
  ].filter(Boolean));
}

export const actLine = (line) => [make("b", {}, `${text("player", { n: line.seat })}: `), line.words];

export const endOfHand = (line) => `${text("hand_ended")} · ${line.result}`;
