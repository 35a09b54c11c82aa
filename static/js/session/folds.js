// What is folded: it stays as the reader left it, and a link to something inside unfolds it.

import { chat } from "./page.js";
import { toEnd } from "./reader.js";

// Folds stay as they are when a part is refreshed.
let folds = [];
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  folds = [...detail.target.querySelectorAll("details[id]")].map(({ id, open }) => [id, open]);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, open] of folds) document.getElementById(id)?.toggleAttribute("open", open);
});

// On a narrow screen the outline stands above the conversation, folded away until it is asked for.
const wide = matchMedia("(min-width: 901px)");
function foldOutline() {
  document.getElementById("outline-fold").open = wide.matches;
}
wide.addEventListener("change", foldOutline);
foldOutline();

document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("a");
  if (link?.hash === "#outline") document.getElementById("outline-fold").open = true;
  if (link?.hash === "#chat-end") toEnd();
});

// A link to an event unfolds what holds it: a tool call with its answer, a note.
export function unfoldTo(id) {
  const cited = document.getElementById(id);
  if (!cited || !chat.contains(cited)) return;
  for (let fold = cited.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  cited.scrollIntoView();
}
const unfold = () => location.hash && unfoldTo(location.hash.slice(1));
addEventListener("hashchange", unfold);
unfold();
// The same link again is no change of the address, but what it names may have been folded since.
document.addEventListener("click", ({ target }) => {
  const hash = target.closest?.("a[href^='#e']")?.hash;
  if (hash && hash === location.hash) unfoldTo(hash.slice(1));
});
