// What a model is writing stands at the end until its words, calls or failure are events; it may be lost.

import { chat, session } from "./page.js";
import { follow } from "./reader.js";

const written = document.getElementById("writing");
let draft = null;

export function write({ seat, kind, text, cut }) {
  if (session.ended) return;
  if (!draft) {
    draft = written.content.firstElementChild.cloneNode(true);
    chat.append(draft);
  }
  draft.querySelector(".who").textContent = seat;
  draft.querySelector(".kind").textContent = written.dataset[kind] ?? "";
  draft.querySelector(".words").textContent = kind === "hidden" ? "" : (cut ? "… " : "") + text;
  follow();
}

export function forget() {
  draft?.remove();
  draft = null;
}
