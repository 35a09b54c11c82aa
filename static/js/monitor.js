// The monitor of seats: how long turns still last, and what a part that refreshes itself keeps:
// open folds and what was chosen in them.

import "./copying.js";

const TICK_MS = 500;

// Both times are the server's, so that a clock that is wrong here does not matter.
let ahead = 0;
function compare() {
  const part = document.querySelector("[data-now]");
  if (part) ahead = Date.now() / 1000 - Number(part.dataset.now);
}

function tick() {
  for (const clock of document.querySelectorAll("time[data-until]")) {
    const left = Math.max(0, Math.round(Number(clock.dataset.until) - (Date.now() / 1000 - ahead)));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.classList.toggle("stale", left <= 30);
  }
}

// A choice that is open would be closed by an answer: none is asked for meanwhile.
let choosing = null;
document.addEventListener("pointerdown", ({ target }) => (choosing = target.closest?.("select")));
for (const end of ["change", "focusout", "keydown"]) {
  document.addEventListener(end, ({ target }) => (choosing = target === choosing ? null : choosing));
}
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, verb } = event.detail.requestConfig;
  if (verb === "get" && choosing && elt.contains(choosing)) event.preventDefault();
});

let kept = null;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap) return;
  const { target, requestConfig } = detail;
  const folds = [...target.querySelectorAll("details[id]")].map(({ id, open }) => [id, open]);
  const chosen = [...target.querySelectorAll("select[id]")].map(({ id, value }) => [id, value]);
  kept = { folds: requestConfig.verb === "get" ? folds : folds.filter(([id]) => id === "lobby-link"), chosen };
});
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, open] of kept?.folds ?? []) {
    const fold = document.getElementById(id);
    if (fold) fold.open = open;
  }
  for (const [id, value] of kept?.chosen ?? []) {
    const field = document.getElementById(id);
    if (field && [...field.options].some((option) => option.value === value)) field.value = value;
  }
  kept = null;
  compare();
  tick();
});

compare();
tick();
setInterval(tick, TICK_MS);
