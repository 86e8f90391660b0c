// Which page this address means.

import { loadTexts, notice } from "./base.js";
import { home } from "./home.js";
import { playMatch } from "./match.js";
import { playReplay } from "./replay.js";

const [, kind, name] = location.pathname.split("/");

try {
  await loadTexts();
  if (kind === "play") await playMatch(name);
  else if (kind === "replay") await playReplay(name);
  else await home();
} catch (error) {
  notice(error.message);
}
