// A session page follows its log: every event once, in order, from the number that the page was rendered with.

const root = document.querySelector("[data-session]");
const chat = document.getElementById("chat");
const live = document.getElementById("live");
const newest = document.getElementById("newest");

const QUIET_MS = 1000; // what is refreshed beside the chat is refreshed at most this often
const SLEPT_MS = 20000; // a clock that jumps this far means that the machine slept
const RETRY_MS = [500, 5000];

let last = Number(root.dataset.cursor);
let ended = "ended" in root.dataset;
let socket = null;
let delay = RETRY_MS[0];
let retry = null;
let askedFor = null;

// --- following -------------------------------------------------------------------------------------------------

function show(state, text) {
  live.className = `live ${state}`;
  live.textContent = live.dataset[text];
}

function connect() {
  clearTimeout(retry);
  if (ended) return show("done", "done");
  if (socket) {
    socket.onclose = socket.onmessage = null;
    socket.close();
  }
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  askedFor = null;
  socket = new WebSocket(`${scheme}//${location.host}/ws/sessions/${root.dataset.session}/?after=${last}`);
  socket.onopen = () => {
    delay = RETRY_MS[0];
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
  if (ended) return show("done", "done");
  if (code >= 4400 && code < 4500) return show("lost", "out");
  show("lost", "lost");
  retry = setTimeout(connect, delay * (0.75 + Math.random() / 2));
  delay = Math.min(delay * 2, RETRY_MS[1]);
}

const halt = document.getElementById("halt");
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
  draft?.remove();
  draft = null;
  chat.append(fragment);
  root.dataset.cursor = last;
  if (following) toEnd();
  else newest.hidden = false;
  if (types.has("session_finished")) finish();
  refresh(types);
}

// What a model is writing stands at the end until its words, calls or failure are events; it may be lost.
let draft = null;
const written = document.getElementById("writing");
function write({ seat, kind, text, cut }) {
  if (ended) return;
  if (!draft) {
    draft = written.content.firstElementChild.cloneNode(true);
    chat.append(draft);
  }
  draft.querySelector(".who").textContent = seat;
  draft.querySelector(".kind").textContent = written.dataset[kind] ?? "";
  draft.querySelector(".words").textContent = kind === "hidden" ? "" : (cut ? "… " : "") + text;
  if (following) toEnd();
}

function askAgain() {
  if (askedFor === last) return; // the answer is on its way
  askedFor = last;
  socket.send(JSON.stringify({ after: last }));
}

// A tool's answer goes into the fold of its call; everything else to the end. Markup comes from our own templates.
function place(html, fragment) {
  if (!html) return;
  const made = document.createElement("template");
  made.innerHTML = html;
  for (const node of [...made.content.childNodes]) {
    const into = node.dataset?.into;
    const slot = into && (fragment.getElementById(into) ?? document.getElementById(into));
    (slot || fragment).append(node);
  }
}

function finish() {
  ended = true;
  if (socket) socket.close();
  show("done", "done");
  const all = new Set(["session_finished"]);
  for (const wait of [1500, 4000]) setTimeout(refresh, wait, all); // scores follow the end
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

// --- what stands beside the chat -------------------------------------------------------------------------------

const due = new Map();

function refresh(types) {
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
    if (opening && id === "panel") return schedule(id); // both answers would go to the panel of now
    const part = document.getElementById(id);
    if (part?.classList.contains("htmx-request")) return schedule(id); // its answer takes away who would wait
    if (part) htmx.trigger(part, "refresh");
  }, Math.max(50, state.at + QUIET_MS - Date.now()));
}

// Links to a panel open it in place; the address keeps the choice, so that a reload shows the same.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-panel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  open_(new URL(link.href), true);
});
let showing = location.search;
addEventListener("popstate", () => {
  if (location.search !== showing) open_(new URL(location.href), false); // else only the #event is another
});

let opening = false;
let wanted = null;
async function open_(url, push) {
  showing = url.search;
  if (push) history.pushState(null, "", url.search || url.pathname);
  wanted = url;
  if (opening) return;
  opening = true;
  try {
    while (wanted) await load(wanted);
  } finally {
    opening = false;
  }
}

function load(url) {
  wanted = null;
  const tab = url.searchParams.get("tab") ?? "preferences";
  const asked = new URLSearchParams(url.search);
  asked.delete("tab");
  return htmx.ajax("GET", `/sessions/${root.dataset.session}/panel/${tab}/?${asked}`, { target: "#panel", swap: "outerHTML" });
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

// Folds stay as the reader left them when a part is refreshed.
let folds = [];
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  folds = [...detail.target.querySelectorAll("details[id]")].map(({ id, open }) => [id, open]);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, open] of folds) document.getElementById(id)?.toggleAttribute("open", open);
});

// On a narrow screen the outline stands above the conversation, folded away until it is asked for.
const wide = matchMedia("(min-width: 901px)");
function foldOutline() {
  document.getElementById("outline-fold").open = wide.matches;
}
wide.addEventListener("change", foldOutline);
foldOutline();

document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("a");
  if (link?.hash === "#outline") document.getElementById("outline-fold").open = true;
  if (link?.hash === "#chat-end") toEnd();
});

// A link to an event unfolds what holds it: a tool call with its answer, a note.
function unfold() {
  const cited = location.hash && document.getElementById(location.hash.slice(1));
  if (!cited || !chat.contains(cited)) return;
  cited.closest("details")?.setAttribute("open", "");
  cited.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// --- where the reader is ---------------------------------------------------------------------------------------

const NEAR_PX = 60;
let following = !ended && !location.hash;
let moving = 0;

function atEnd() {
  if (getComputedStyle(chat).overflowY === "auto") {
    return chat.scrollHeight - chat.scrollTop - chat.clientHeight < NEAR_PX;
  }
  const { bottom } = chat.getBoundingClientRect();
  return bottom > 0 && bottom - innerHeight < NEAR_PX;
}

// Once a frame at most: measuring after every message would lay the whole page out again each time.
function toEnd() {
  following = true;
  newest.hidden = true;
  moving ||= requestAnimationFrame(() => {
    moving = 0;
    if (getComputedStyle(chat).overflowY === "auto") chat.scrollTop = chat.scrollHeight;
    else chat.lastElementChild?.scrollIntoView({ block: "end" });
  });
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

if (following) toEnd();
connect();
