// Links to a panel open it in place; the address keeps the choice, so that a reload shows the same.

import { root } from "./page.js";

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-panel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  open_(new URL(link.href), true);
});

// Go to another moment of the session, or to its newest event (null), without a step in the history. What stands in
// the page follows at once; the address and the panel once that is painted, or, while the cursor keeps moving, when it
// rests and now and then before: dragging waits for neither.
const PAINTED_MS = 20;
const REST_MS = 100;
const LONGEST_MS = 500;
let settled = 0; // when it was
let unsettled = 0; // since when
let settling = 0;
export function visit(seq) {
  tell(seq);
  const now = Date.now();
  const rested = !unsettled && now - settled > LONGEST_MS;
  unsettled ||= now;
  clearTimeout(settling);
  settling = setTimeout(settle, rested ? PAINTED_MS : Math.min(REST_MS, Math.max(0, unsettled + LONGEST_MS - now)));
}

function settle() {
  settled = Date.now();
  const url = new URL(location.href);
  url.hash = "";
  if (moment === null) url.searchParams.delete("at");
  else url.searchParams.set("at", moment);
  history.replaceState(history.state, "", url);
  open_(url, false);
}

function tell(seq) {
  if (seq === moment) return;
  moment = seq;
  document.dispatchEvent(new CustomEvent("caravan:moment", { detail: { seq } }));
}

function momentOf({ search }) {
  const at = new URLSearchParams(search).get("at");
  return at && /^\d{1,9}$/.test(at) ? Number(at) : null;
}

let moment = momentOf(location);
let showing = location.search;
addEventListener("popstate", () => {
  if (location.search !== showing) open_(new URL(location.href), false); // else only the #event is another
});

let opening = false;
let wanted = null;

export function isOpening() {
  return opening;
}

async function open_(url, push) {
  showing = url.search;
  if (push) history.pushState(null, "", url.search || url.pathname);
  wanted = url;
  unsettled = 0;
  clearTimeout(settling);
  tell(momentOf(url));
  if (opening) return;
  opening = true;
  try {
    while (wanted) await load(wanted);
  } finally {
    opening = false;
  }
}

let headAt = new URLSearchParams(location.search).get("at");
function load(url) {
  wanted = null;
  const tab = url.searchParams.get("tab") ?? document.querySelector("#panel .tabs a").id.slice("tab-".length);
  const asked = new URLSearchParams(url.search);
  asked.delete("tab");
  if (asked.get("at") !== headAt) asked.set("head", "");
  headAt = asked.get("at");
  const source = `/sessions/${root.dataset.session}/panel/${tab}/?${asked}`;
  return htmx.ajax("GET", source, { target: "#panel", swap: "outerHTML" }).then(() => point(url.hash.slice(1)));
}

// Show the place in a panel that a link names, a stop of the plan for one.
function point(id) {
  const place = document.getElementById(id);
  if (!place?.closest("#panel")) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "center" });
}

// A refresh that was asked for before another panel was chosen must not replace the panel which that answer goes to.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (opening && detail.requestConfig.elt.id === "panel") detail.shouldSwap = false;
});

// Arrow keys move between the tabs and between the travellers.
document.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const row = step && event.target.closest?.(".tabs, .trav");
  if (!row) return;
  const links = [...row.querySelectorAll("a")];
  const next = links[(links.indexOf(event.target) + step + links.length) % links.length];
  event.preventDefault();
  next.focus();
  next.click();
});
