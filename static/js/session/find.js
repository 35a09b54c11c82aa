// Find in every event that the page holds, folded ones too: hits are counted, and one after another is shown.

import { chat } from "./page.js";

const field = document.getElementById("find");
const said = document.getElementById("find-said");
const previous = document.getElementById("find-previous");
const next = document.getElementById("find-next");
const PAUSE_MS = 150;
const MOST = 5000; // hits that are looked for; more than that says nothing

let hits = [];
let current = -1;
let waiting = 0;

field.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(look, PAUSE_MS);
});
field.addEventListener("keydown", (pressed) => {
  if (pressed.key === "Escape") {
    field.value = "";
    look();
    chat.focus({ preventScroll: true });
  }
  if (pressed.key !== "Enter") return;
  pressed.preventDefault();
  clearTimeout(waiting);
  if (field.dataset.looked !== field.value) look();
  else step(pressed.shiftKey ? -1 : 1);
});
previous.addEventListener("click", () => step(-1));
next.addEventListener("click", () => step(1));

function look() {
  const wanted = field.value.trim().toLowerCase();
  field.dataset.looked = field.value;
  hits = wanted ? found(wanted) : [];
  current = -1;
  // a highlight is styled on every element, marked or not: the rules hold while something is found alone
  chat.classList.toggle("with-hits", hits.length > 0);
  globalThis.CSS?.highlights?.set("found-all", new Highlight(...hits.slice(0, MOST)));
  globalThis.CSS?.highlights?.delete("found");
  previous.hidden = next.hidden = !hits.length;
  if (hits.length) step(1);
  else said.textContent = wanted ? said.dataset.none : "";
}

function found(wanted) {
  const ranges = [];
  const walker = document.createTreeWalker(chat, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < MOST; node = walker.nextNode()) {
    const text = node.data.toLowerCase();
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + wanted.length, node.data.length));
      ranges.push(range);
    }
  }
  return ranges;
}

function step(by) {
  if (!hits.length) return;
  current = (current + by + hits.length) % hits.length;
  const range = hits[current];
  const place = range.startContainer.parentElement;
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  globalThis.CSS?.highlights?.set("found", new Highlight(range));
  place.scrollIntoView({ block: "center" });
  said.textContent = said.dataset.hits.replace("{n}", current + 1).replace("{all}", hits.length);
}
