// What can be done from an event: a button beside the one under the pointer, in focus or in the address; key m opens it.

import { moveTo } from "./cursor.js";
import { areKeysOff, chat } from "./page.js";

const button = document.getElementById("event-menu");
const actions = document.getElementById("event-actions");
let event = null;

function eventAt(node) {
  const found = node?.closest?.('[id^="e"]');
  return !found || /^e\d+$/.test(found.id) ? found : eventAt(found.parentElement);
}

function show(at) {
  if (!at || !chat.contains(at) || actions.matches(":popover-open")) return;
  event = at;
  place();
}

// What is seen of the event: a batch that is folded stands for those in it.
function shown() {
  return event.parentElement.closest("details:not([open])") ?? event;
}

function place() {
  const { top, bottom, right } = shown().getBoundingClientRect();
  const seen = chat.getBoundingClientRect();
  button.hidden = bottom < seen.top || top > Math.min(seen.bottom, innerHeight);
  button.style.top = `${Math.max(top, seen.top)}px`;
  button.style.left = `${right + 1}px`;
}

// The number of the event that the address names, by its moment or by its place in the conversation.
function cited() {
  return /^#e(\d+)$/.exec(location.hash)?.[1] ?? new URLSearchParams(location.search).get("at");
}

// Forking from the head starts at the event in the address.
document.addEventListener("click", ({ target }) => {
  const fork = target.closest?.("#fork");
  if (fork && cited()) fork.search = `?at=${cited()}`;
});

chat.addEventListener("pointerover", ({ target }) => show(eventAt(target)));
chat.addEventListener("focusin", ({ target }) => show(eventAt(target)));
for (const scroller of [chat, document]) {
  scroller.addEventListener("scroll", moved, { passive: true });
}

let moving = 0;
function moved() {
  if (event) moving ||= requestAnimationFrame(() => {
    moving = 0;
    if (!actions.matches(":popover-open")) place();
  });
}

actions.addEventListener("beforetoggle", ({ newState }) => {
  if (newState !== "open") return;
  const seq = event.id.slice(1);
  for (const link of actions.querySelectorAll("a")) link.href = link.dataset.href.replace("SEQ", seq);
  actions.querySelector(".number").textContent = seq;
  const { bottom, right } = button.getBoundingClientRect();
  actions.style.top = `${bottom}px`;
  actions.style.right = `${innerWidth - right}px`;
});

actions.addEventListener("toggle", () => {
  const { bottom, height } = actions.getBoundingClientRect();
  if (bottom > innerHeight) actions.style.top = `${Math.max(0, innerHeight - height)}px`;
});

actions.addEventListener("click", ({ target }) => {
  if (target.closest("a, button")) actions.hidePopover();
  if (target.closest("button")) moveTo(Number(event.id.slice(1)));
});

addEventListener("keydown", (pressed) => {
  if (pressed.key !== "m" || pressed.ctrlKey || pressed.metaKey || pressed.altKey || areKeysOff()) return;
  if (pressed.target.closest("input, textarea, select")) return;
  show(eventAt(document.activeElement) ?? document.getElementById(`e${cited()}`) ?? event);
  if (!event?.isConnected) return;
  pressed.preventDefault();
  shown().scrollIntoView({ block: "nearest" });
  place();
  actions.showPopover();
  actions.querySelector("a").focus();
});
