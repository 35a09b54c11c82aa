// What can be done from an event: a button beside the one under the pointer, in focus or in the address; key m opens it.

import { chat } from "./page.js";

const button = document.getElementById("event-menu");
const actions = document.getElementById("event-actions");
let event = null;

function eventAt(node) {
  return node?.closest?.('[id^="e"]');
}

function show(at) {
  if (!at || !chat.contains(at) || actions.matches(":popover-open")) return;
  event = at;
  const { top, right } = at.getBoundingClientRect();
  button.style.top = `${Math.max(top, chat.getBoundingClientRect().top)}px`;
  button.style.left = `${right + 1}px`;
  button.hidden = false;
}

function cited() {
  return /^#e\d+$/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
}

// Forking from the head starts at the event in the address.
document.addEventListener("click", ({ target }) => {
  const fork = target.closest?.("#fork");
  const seq = cited()?.id.slice(1) ?? new URLSearchParams(location.search).get("at");
  if (fork && seq) fork.search = `?at=${seq}`;
});

chat.addEventListener("pointerover", ({ target }) => show(eventAt(target)));
chat.addEventListener("focusin", ({ target }) => show(eventAt(target)));
for (const place of [chat, document]) {
  place.addEventListener("scroll", () => !actions.matches(":popover-open") && (button.hidden = true), { passive: true });
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

actions.addEventListener("click", ({ target }) => target.closest("a") && actions.hidePopover());

addEventListener("keydown", (pressed) => {
  if (pressed.key !== "m" || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
  if (pressed.target.closest("input, textarea, select")) return;
  show(eventAt(document.activeElement) ?? cited());
  if (button.hidden) return;
  pressed.preventDefault();
  actions.showPopover();
  actions.querySelector("a").focus();
});
