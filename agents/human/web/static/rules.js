// The page of a game, from the Markdown in which it is written: headings, paragraphs, lists, tables,
// and in a line **bold**, *italics* and `code`.

import { ask, byId, make, show, text } from "./base.js";

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/;
const ITEM = /^(?:[*-]|\d+\.) /;

/** Let the button at the top show the rules of a game. */
export function offerRules(game) {
  const button = byId("rules");
  button.textContent = text("rules");
  button.hidden = false;
  button.onclick = async () => {
    const rules = await ask(`rules/${game}`);
    show(rules.title, drawRules(rules.page.replace(/^# .*\n/, "")));
  };
}

/** The page as an element. */
function drawRules(page) {
  const blocks = page.trim().split(/\n\s*\n/);
  return make("div", { class: "rules", lang: "en" }, blocks.map((block) => drawBlock(block.split("\n"))));
}

function drawBlock(lines) {
  const heading = /^(#+) (.*)$/.exec(lines[0]);
  if (heading) {
    const rest = lines.slice(1);
    return [make(`h${Math.min(heading[1].length + 2, 6)}`, {}, inline(heading[2])),
      ...(rest.length ? [drawBlock(rest)].flat() : [])];
  }
  if (lines[0].trimStart().startsWith("|")) return drawGrid(lines);
  const at = lines.findIndex((line) => ITEM.test(line));
  if (at > 0) return [drawBlock(lines.slice(0, at)), drawBlock(lines.slice(at))].flat();
  if (at === 0) return drawList(lines);
  return make("p", {}, inline(lines.join(" ")));
}

/** Items go on over lines that are set in; a table may stand among them. */
function drawList(lines) {
  const items = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, "")]);
    else items.at(-1).push(line.trim());
  }
  return make("ul", {}, items.map((item) => make("li", {}, inline(item.join(" ")))));
}

function drawGrid(lines) {
  const rows = lines.map((line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  const [head, , ...body] = rows;
  const row = (cells, name) => make("tr", {}, cells.map((cell) => make(name, {}, inline(cell))));
  return make("div", { class: "grid" }, make("table", {}, row(head, "th"), body.map((cells) => row(cells, "td"))));
}

function inline(text) {
  return text.split(INLINE).filter(Boolean).map((part) => {
    if (/^`.+`$/.test(part)) return make("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return make("b", {}, inline(part.slice(2, -2)));
    if (/^\*.+\*$/.test(part)) return make("i", {}, inline(part.slice(1, -1)));
    return part;
  });
}
