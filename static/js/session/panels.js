// Links to a panel open it in place; the address keeps the choice, so that a reload shows the same.

import { root } from "./page.js";

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-panel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  open_(new URL(link.href), true);
});

// Go to another moment of the session, or to its newest event, without a step in the history.
export function visit(url) {
  history.replaceState(history.state, "", url);
  open_(url, false);
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
  if (momentOf(url) !== moment) {
    moment = momentOf(url);
    document.dispatchEvent(new CustomEvent("caravan:moment", { detail: { seq: moment } }));
  }
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
