// The page follows its log: every event once, in order, from the number that the page was rendered with.

import { forget, write } from "./draft.js";
import { chat, root, session } from "./page.js";
import { place } from "./place.js";
import { followOrTell } from "./reader.js";
import { refresh } from "./refresh.js";
import { nextWait, opened } from "./retry.js";

const live = document.getElementById("live");
const halt = document.getElementById("halt");

const SLEPT_MS = 20000; // a clock that jumps this far means that the machine slept

let last = Number(root.dataset.cursor);
let socket = null;
let retry = null;
let askedFor = null;

function show(state, text) {
  live.className = `live ${state}`;
  live.textContent = live.dataset[text];
}

export function connect() {
  clearTimeout(retry);
  if (session.ended) return show("done", "done");
  if (socket) {
    socket.onclose = socket.onmessage = null;
    socket.close();
  }
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  askedFor = null;
  socket = new WebSocket(`${scheme}//${location.host}/ws/sessions/${root.dataset.session}/?after=${last}`);
  socket.onopen = () => {
    opened();
    show("on", "following");
  };
  socket.onmessage = (message) => {
    const told = JSON.parse(message.data);
    if (told.writing) return write(told.writing);
    if (told.halted) return showHalt(told.halted);
    socket.send(JSON.stringify({ read: told.receipt }));
    receive(told);
  };
  socket.onclose = closed;
}

function closed({ code }) {
  socket = null;
  if (session.ended) return show("done", "done");
  if (code >= 4400 && code < 4500) return show("lost", "out");
  show("lost", "lost");
  retry = setTimeout(connect, nextWait());
}

function showHalt(words) {
  halt.textContent = words;
  halt.hidden = !words;
}

function receive({ events }) {
  const fragment = document.createDocumentFragment();
  const types = new Set();
  for (const frame of events) {
    if (frame.seq <= last) continue;
    if (frame.prev !== last) {
      askAgain();
      break;
    }
    place(frame.html, fragment);
    last = frame.seq;
    types.add(frame.type);
  }
  if (!types.size) return;
  showHalt("");
  forget();
  chat.append(fragment);
  root.dataset.cursor = last;
  document.dispatchEvent(new CustomEvent("caravan:events"));
  followOrTell();
  if (types.has("session_finished")) finish();
  refresh(types);
}

function askAgain() {
  if (askedFor === last) return; // the answer is on its way
  askedFor = last;
  socket.send(JSON.stringify({ after: last }));
}

function finish() {
  session.ended = true;
  if (socket) socket.close();
  show("done", "done");
}

addEventListener("online", connect);
addEventListener("pageshow", (event) => event.persisted && connect());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !socket) connect();
});
let tick = Date.now();
setInterval(() => {
  if (Date.now() - tick > SLEPT_MS) connect(); // an open socket may be dead after a sleep
  tick = Date.now();
}, 5000);
