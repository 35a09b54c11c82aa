// Where the reader is: whoever stands at the end follows it, whoever has scrolled away is left alone.

import { chat, newest, session } from "./page.js";

const NEAR_PX = 60;
let following = !session.ended && !location.hash && !new URLSearchParams(location.search).has("at");
let moving = 0;

function atEnd() {
  if (getComputedStyle(chat).overflowY === "auto") {
    return chat.scrollHeight - chat.scrollTop - chat.clientHeight < NEAR_PX;
  }
  const { bottom } = chat.getBoundingClientRect();
  return bottom > 0 && bottom - innerHeight < NEAR_PX;
}

// Once a frame at most: measuring after every message would lay the whole page out again each time.
export function toEnd() {
  following = true;
  newest.hidden = true;
  moving ||= requestAnimationFrame(() => {
    moving = 0;
    if (getComputedStyle(chat).overflowY === "auto") chat.scrollTop = chat.scrollHeight;
    else chat.lastElementChild?.scrollIntoView({ block: "end" });
  });
}

export function follow() {
  if (following) toEnd();
}

export function followOrTell() {
  if (following) toEnd();
  else newest.hidden = false;
}

newest.addEventListener("click", toEnd);
for (const place of [chat, document]) {
  place.addEventListener("scroll", readerMoved, { passive: true });
}

let looked = 0;
function readerMoved() {
  looked ||= requestAnimationFrame(() => {
    looked = 0;
    if (moving) return;
    following = atEnd();
    if (following) newest.hidden = true;
  });
}
