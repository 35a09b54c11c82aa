// What stands beside the chat is refreshed after the events that it names in data-refresh.

import { isOpening } from "./panels.js";

const QUIET_MS = 1000; // at most this often
const due = new Map();

export function refresh(types) {
  for (const part of document.querySelectorAll("[data-refresh]")) {
    const wanted = part.dataset.refresh.split(" ");
    if (wanted.some((type) => types.has(type))) schedule(part.id);
  }
}

function schedule(id) {
  const state = due.get(id) ?? { at: 0, timer: null };
  due.set(id, state);
  if (state.timer) return;
  state.timer = setTimeout(() => {
    state.timer = null;
    state.at = Date.now();
    if (isOpening() && id === "panel") return schedule(id); // both answers would go to the panel of now
    const part = document.getElementById(id);
    if (part?.classList.contains("htmx-request")) return schedule(id); // its answer takes away who would wait
    if (part) htmx.trigger(part, "refresh");
  }, Math.max(50, state.at + QUIET_MS - Date.now()));
}

// Scores follow the end: the head asks for them until they are there, and what shows them follows it.
const isScored = () => "scored" in (document.getElementById("head")?.dataset ?? {});
let scored = isScored();
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (scored || detail.target.id !== "head" || !isScored()) return;
  scored = true;
  refresh(new Set(["session_finished"]));
});
