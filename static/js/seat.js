// The page of a seat: it follows what reaches this seat, says whose turn it is, and sends words when they can be sent.

import { place } from "./session/place.js";
import { nextWait, opened } from "./session/retry.js";

const main = document.getElementById("main");
const chat = document.getElementById("chat");
const live = document.getElementById("live");
const form = document.getElementById("say");
const words = document.getElementById("words");
const newest = document.getElementById("newest");
const KEPT = `caravan.seat.${main.dataset.guest}`;
const SLEPT_MS = 20000;
const AGAIN_MS = 1500;
const AWAY = [429, 502, 503, 504]; // the server can't answer just now
const DRAFT_MS = 600;
const LONGEST_SHARED = 20000; // characters of a draft that the server keeps

let last = Number(main.dataset.cursor);
let socket = null;
let retry = null;
let ended = "ended" in main.dataset;

// What is read.

// The newest stays in view, unless the reader has gone back: what makes the chat longer or its room smaller is no
// going back, even where the browser tells of an earlier move only after it.
let follows = true;
let stood = 0;
function toEnd() {
  follows = true;
  chat.scrollTop = chat.scrollHeight;
  stood = chat.scrollTop;
  newest.hidden = true;
}
newest.addEventListener("click", toEnd);
chat.addEventListener("scroll", () => {
  if (chat.scrollHeight - chat.scrollTop - chat.clientHeight < 80) follows = true;
  else if (chat.scrollTop < stood) follows = false;
  stood = chat.scrollTop;
  newest.hidden = follows;
}, { passive: true });
new ResizeObserver(() => follows && toEnd()).observe(chat);

function connect() {
  clearTimeout(retry);
  if (ended) return;
  if (socket) {
    socket.onclose = socket.onmessage = null;
    socket.close();
  }
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}${main.dataset.socket}?after=${last}`);
  socket.onopen = () => {
    opened();
    show("on");
    tell({ visible: !document.hidden });
    if (untold) keep();
    refresh();
  };
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = closed;
}

function show(state) {
  live.className = `live ${state === "out" ? "lost" : state}`;
  live.textContent = live.dataset[state];
}

function closed({ code }) {
  socket = null;
  if (ended) return show("done");
  if (code === 4401 || code === 4403 || code === 4404) return location.reload(); // the page says why
  show("lost");
  retry = setTimeout(connect, nextWait());
}

function tell(message) {
  const open = socket?.readyState === WebSocket.OPEN;
  if (open) socket.send(JSON.stringify(message));
  return open;
}

function receive(told) {
  if ("draft" in told) return keeping || (words.value = told.draft); // what is being written here is newer
  if (told.now) return refresh();
  tell({ read: told.receipt });
  const follow = follows;
  for (const frame of told.events) {
    if (frame.seq <= last) continue;
    if (frame.prev !== last) return tell({ after: last });
    const shown = document.createDocumentFragment();
    place(frame.html, shown);
    chat.append(shown);
    last = frame.seq;
    if (frame.type === "session_finished") ended = true;
  }
  if (follow) toEnd();
  else newest.hidden = false;
  if (ended) return setTimeout(() => location.assign(location.pathname), 1200); // what came of it
  refresh();
}


// Drawn anew once it is quiet for a moment, and in any case after a little while of unrest; not by all pages of a
// session at the same moment.
const QUIET_MS = 120;
const APART_MS = 250;
const UNREST_MS = 400;
let asked = null;
let first = 0;
function refresh() {
  if (!asked) first = Date.now();
  clearTimeout(asked);
  const quiet = QUIET_MS + Math.random() * APART_MS;
  const wait = Math.max(0, Math.min(quiet, first + UNREST_MS - Date.now()));
  asked = setTimeout(() => {
    asked = null;
    htmx.trigger("#now", "refresh");
  }, wait);
}

// Whose turn it is, and for how long.

let wasYours = false;
function standing() {
  const now = document.getElementById("now");
  const state = now.dataset.standing;
  const yours = state === "yours";
  if (form) {
    const pass = form.querySelector("[name=pass]");
    if (pass) pass.disabled = !yours;
    form.classList.toggle("early", state === "others" || state === "gathering");
  }
  document.title = document.title.replace(/^● /, "");
  if (yours) document.title = `● ${document.title}`;
  if (yours && (!wasYours || "reminded" in now.dataset) && document.hidden) notify();
  wasYours = yours;
  if (state === "ended" && !ended) location.assign(location.pathname);
  tick();
}

function tick() {
  const now = document.getElementById("now");
  const clock = now.querySelector("[data-clock]");
  if (!clock) return;
  const goes = Math.max(0, Math.round(Number(now.dataset.ends) - Date.now() / 1000));
  const left = Number(now.dataset.left ?? goes); // it stands while a warning waits
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  clock.parentElement.classList.toggle("soon", left < 45);
}
setInterval(tick, 1000);

function notify() {
  if (window.Notification?.permission !== "granted") return;
  const note = new Notification(main.dataset.yourTurn, { tag: KEPT });
  note.onclick = () => window.focus();
}
const bell = document.getElementById("bell");
function ring() { // it shows whether this browser will remind
  const state = Notification.permission;
  bell.hidden = false;
  bell.disabled = state !== "default";
  bell.setAttribute("aria-pressed", String(state === "granted"));
  bell.textContent = bell.dataset[state];
}
if (bell && window.Notification) {
  ring();
  bell.addEventListener("click", () => Notification.requestPermission().then(ring));
}

// What is written: kept here and, for other tabs and devices, on the server.

let keeping = null;
let untold = false; // there was no connection when it was to be told
function keep() {
  clearTimeout(keeping);
  keeping = null;
  localStorage.setItem(KEPT, words.value);
  untold = words.value.length <= LONGEST_SHARED && !tell({ draft: words.value });
}
function write(text) {
  words.value = text;
  words.dispatchEvent(new Event("input", { bubbles: true }));
  words.focus();
}
function newId() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
}

if (form) {
  const id = form.elements.client_id;
  const { sure, only_words: onlyWords } = form.elements;
  const unsure = () => (sure.value = onlyWords.value = "");
  const send = () => form.querySelector(".send").click();
  id.value = newId();
  words.value ||= localStorage.getItem(KEPT) ?? "";
  // A warning is heeded by writing on: the clock, which stood for it, goes on.
  function heed() {
    const warning = document.querySelector("#now .warning");
    if (!warning) return;
    warning.remove();
    const values = { csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value };
    htmx.ajax("POST", document.getElementById("now").dataset.heed, { target: "#now", swap: "outerHTML", values }).catch(() => {});
  }
  words.addEventListener("input", () => {
    unsure();
    heed();
    clearTimeout(keeping);
    keeping = setTimeout(keep, DRAFT_MS);
  });
  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
  });
  document.getElementById("mention")?.addEventListener("click", () => {
    if (!words.value.includes("@Agent")) write(`@Agent ${words.value}`);
    else words.focus();
  });
  document.body.addEventListener("seat:sent", () => {
    toEnd();
    words.value = "";
    keep();
    id.value = newId();
    unsure();
  });
  document.body.addEventListener("click", ({ target }) => {
    if (target.dataset.reply) write(words.value.trim() ? `${words.value.trim()} ${target.dataset.reply}` : target.dataset.reply);
    if (target.dataset.send) {
      write(target.dataset.send);
      send();
    }
    if (target.dataset.give) {
      const offer = [...document.querySelectorAll("[name=offer]")].find(({ value }) => value === target.dataset.give);
      if (offer) offer.checked = true;
      if (!words.value.trim()) write(target.dataset.words);
      send();
    }
    if (target.id === "send-anyway") {
      sure.value = "1";
      send();
    }
    if (target.id === "only-words") {
      onlyWords.value = "1";
      send();
    }
    if (target.id === "change-words") {
      heed();
      words.focus();
    }
  });
  document.body.addEventListener("change", ({ target }) => {
    if (target.name === "offer" && target.dataset.words && !words.value.trim()) write(target.dataset.words);
  });
  document.body.addEventListener("seat:another", () => (id.value = newId())); // the words stay: others were sent
  // A lost request is sent again with the same id, by which the server knows it; a pass stays a pass.
  let again = null;
  let passes = false;
  function resend({ detail: { requestConfig: { formData } } }) {
    passes = formData.has("pass");
    show("lost");
    clearTimeout(again);
    again = setTimeout(() => {
      const over = passes && document.getElementById("now").dataset.standing !== "yours"; // the turn that it was for
      if (over) return socket?.readyState === WebSocket.OPEN && show("on");
      const values = passes ? { pass: "1" } : {};
      htmx.ajax("POST", form.action, { source: form, target: "#now", swap: "outerHTML", values }).catch(() => {}); // its events tell
    }, AGAIN_MS);
  }
  // htmx adds the button that has the focus, which need not be the one that sent it.
  form.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!detail.triggeringEvent && !passes) detail.formData.delete("pass");
  });
  form.addEventListener("htmx:sendError", resend);
  form.addEventListener("htmx:responseError", (event) => AWAY.includes(event.detail.xhr.status) && resend(event));
  form.addEventListener("htmx:beforeRequest", () => clearTimeout(again));
  form.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && socket?.readyState === WebSocket.OPEN && show("on"));
}

// A card or a list that was opened stays so while its part is drawn anew; so does what was chosen in it.

let open = {};
let chosen = null;
let ticked = []; // the boxes of the composer
let warning = null; // it waits for its answer, whatever is drawn anew
let read = null; // where the reader stands in this part, while it is the same turn
document.addEventListener("htmx:beforeSwap", ({ detail: { target, requestConfig: { verb } } }) => {
  if (target.id !== "now") return;
  read = verb === "get" ? { standing: target.dataset.standing, top: target.scrollTop } : null;
  warning = verb === "get" && target.querySelector(".warning");
  if (warning) warning.dataset.standing = target.dataset.standing;
  for (const part of target.querySelectorAll("[data-keep-open]")) open[part.id + part.dataset.keepOpen] = part.open;
  chosen = target.querySelector("[name=offer]:checked")?.value ?? null;
  ticked = verb === "get" ? [...target.querySelectorAll("[type=checkbox][form=say]:checked")].map(({ name }) => name) : [];
});
document.addEventListener("htmx:afterSettle", () => {
  const now = document.getElementById("now");
  for (const part of now.querySelectorAll("[data-keep-open]")) part.open = open[part.id + part.dataset.keepOpen] ?? part.open;
  const again = [...now.querySelectorAll("[name=offer]")].find(({ value }) => value === chosen);
  if (again) again.checked = true;
  for (const box of now.querySelectorAll("[type=checkbox][form=say]")) box.checked ||= ticked.includes(box.name);
  if (warning && warning.dataset.standing === now.dataset.standing) document.getElementById("standing").after(warning);
  warning = null;
  if (read?.standing === now.dataset.standing) now.scrollTop = read.top;
  read = null;
  if (now.dataset.takenBack) write(now.dataset.takenBack);
  standing();
});

document.addEventListener("visibilitychange", () => {
  if (!socket) connect();
  else tell({ visible: !document.hidden });
  if (!document.hidden) refresh();
});
addEventListener("online", connect);
addEventListener("offline", () => ended || show("lost")); // an open socket tells of it only much later
addEventListener("pageshow", (event) => event.persisted && connect());
let beat = Date.now();
setInterval(() => {
  if (Date.now() - beat > SLEPT_MS) connect(); // an open socket may be dead after a sleep
  beat = Date.now();
}, 5000);

// What is opened at the lower edge is brought into sight.
document.body.addEventListener("click", ({ target }) => {
  const part = target.closest?.("#now summary")?.parentElement;
  if (!part || part.open) return;
  requestAnimationFrame(() => {
    const now = document.getElementById("now");
    const shown = document.getElementById(part.id); // another one where the part was drawn anew meanwhile
    now.scrollTop += shown.getBoundingClientRect().top - now.getBoundingClientRect().top - 8;
  });
});

if (matchMedia("(min-width: 900px)").matches) open.card = true;
const card = document.getElementById("card");
if (card && open.card) card.open = true;
toEnd();
addEventListener("load", () => {
  if (ended) show("done");
  standing();
  connect();
});
