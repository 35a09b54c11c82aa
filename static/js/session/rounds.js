// Which round one is in: by the cursor, else by what stands at the top of the conversation. The outline shows it.

import { chat } from "./page.js";

const now = document.getElementById("round-now");
const NEAR_PX = 80;
let seq = null;
let due = 0;

function links() {
  return [...document.querySelectorAll('#outline a[id^="round-"]')];
}

function visible(node) {
  const batch = node?.closest(".batch:not([open])");
  return batch ?? node;
}

function current(all) {
  if (seq !== null) return all.findLast((link) => Number(link.hash.slice(2)) <= seq);
  const scrolls = getComputedStyle(chat).overflowY === "auto";
  const top = scrolls ? chat.getBoundingClientRect().top : 0;
  return all.findLast((link) => {
    const node = visible(document.getElementById(link.hash.slice(1)));
    return node && node.getBoundingClientRect().top <= top + NEAR_PX;
  });
}

function follow() {
  due = 0;
  const all = links();
  const found = current(all) ?? all[0];
  for (const link of all) {
    link.closest("li").classList.toggle("on", link === found);
    if (link === found) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  now.textContent = found?.title ?? "";
}

function soon() {
  due ||= requestAnimationFrame(follow);
}

for (const place of [chat, document]) place.addEventListener("scroll", soon, { passive: true });
document.addEventListener("caravan:moment", ({ detail }) => {
  seq = detail.seq;
  soon();
});
document.addEventListener("caravan:events", soon);
document.addEventListener("htmx:afterSwap", ({ detail }) => detail.target.id === "outline" && soon());
const at = new URLSearchParams(location.search).get("at");
if (at && /^\d{1,9}$/.test(at)) seq = Number(at);
soon();
