// One time cursor: it moves the conversation, the panels, the outline and the head to a moment; the address holds it.
// Others follow by the event "caravan:moment", whose detail is { seq, playing }; seq is null at the newest event.

import { unfoldTo } from "./folds.js";
import { areKeysOff, chat, root, session } from "./page.js";
import { visit } from "./panels.js";
import { toEnd } from "./reader.js";

const SHORTEST_S = 0.12; // between two events of a replay, before the speed divides it
const SHORTEST_MESSAGE_S = 0.8;
const LONGEST_S = 2;
const SHORTEST_SHOWN_S = 0.1; // a message of a program takes less
const QUIET_MS = 1000; // between two questions for what is new

const NEAR_BLOCKS = 2; // those that may be in sight of the cursor
const IDLE_MS = 300;
const [whenIdle, stopIdle] = globalThis.requestIdleCallback
  ? [requestIdleCallback, cancelIdleCallback].map((call) => call.bind(globalThis))
  : [(work) => setTimeout(work, IDLE_MS / 3), clearTimeout.bind(globalThis)]; // Safari has none

const bar = document.getElementById("cursor");
const slider = document.getElementById("moment");
const clock = document.getElementById("clock");
const button = document.getElementById("play");
const newest = document.getElementById("to-end");
const speed = document.getElementById("speed");
const said = document.getElementById("cursor-said");
const canvas = bar.querySelector("canvas");

const { kinds, events } = JSON.parse(document.getElementById("timeline").content.textContent);
const [TURN, MESSAGE, FAILED] = ["turn", "message", "tool_error"].map((name) => kinds.findIndex((kind) => kind.name === name));

let at = seqIn(location);
let playing = null; // the timer of the next step

function seqIn({ search }) {
  const given = new URLSearchParams(search).get("at");
  return given && /^\d{1,9}$/.test(given) ? Number(given) : null;
}

// The place in `events` of the last one up to a number.
function placeOf(seq) {
  if (seq === null) return events.length - 1;
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle][0] <= seq) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

export function moveTo(seq) {
  const last = events.at(-1)?.[0];
  const wanted = seq === null || (seq >= last && session.ended && !playing) ? null : seq;
  if (wanted !== at) visit(wanted);
}

// Whatever changed the address, a panel's link or this module: everything follows.
document.addEventListener("caravan:moment", ({ detail }) => {
  at = detail.seq;
  show();
});

function show() {
  const place = placeOf(at);
  slider.max = Math.max(0, events.length - 1);
  slider.value = place;
  const [seq, seconds, own] = events[place] ?? [0, 0, []];
  const total = events.at(-1)?.[1] ?? 0;
  clock.textContent = `${timeWords(seconds)} / ${timeWords(total)}`;
  const labels = own.map((kind) => kinds[kind].label).join(", ");
  slider.setAttribute("aria-valuetext", [`${bar.dataset.event} ${seq}`, labels, timeWords(seconds)].filter(Boolean).join(", "));
  newest.hidden = at === null;
  chat.classList.toggle("at-moment", at !== null);
  chat.classList.toggle("playing", playing !== null);
  fade();
}

function timeWords(seconds) {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, n) => (n ? String(part).padStart(2, "0") : part)).join(":");
}

// What came later is dim, and hidden while playing: a block as one, the elements of the block that the cursor stands
// in one by one, and of what stands in no block only those between the old place and the new one. A line that belongs
// to an event, and a batch with its first one, are marked as it is: rules with :has() would be tried on every element
// again at each step. Blocks far away, which nobody sees yet, follow as soon as there is nothing else to do;
// not while playing, when what is later is hidden.
let marked = [];
let spans = []; // of `marked`, from one place to another: the elements of a block, or such as stand in none
let bound = 0;
let settling = 0;
let stale = true; // elements came or went
const watching = new MutationObserver(() => (stale = true));
watching.observe(chat, { childList: true, subtree: true });
function fade() {
  if (at === null && bound === marked.length) return;
  if (watching.takeRecords().length || stale) {
    stale = false;
    const found = chat.querySelectorAll('[id^="e"]');
    for (const node of chat.querySelectorAll(".later")) node.classList.remove("later");
    marked = [...found]
      .filter(({ id }) => /^e\d+$/.test(id))
      .flatMap((node) => withOwn(Number(node.id.slice(1)), node))
      .sort(([one], [other]) => one - other);
    bound = marked.length;
    spans = spansOf(marked);
  }
  const target = at === null ? marked.length : countUpTo(at);
  const here = spans.findIndex(({ to }) => to >= target);
  const far = playing === null ? spans.filter((span, n) => span.block && Math.abs(n - here) > NEAR_BLOCKS) : [];
  for (const span of spans) if (!far.includes(span)) dim(span, target);
  bound = target;
  stopIdle(settling);
  settling = far.length ? whenIdle(() => far.forEach((span) => dim(span, target)), { timeout: IDLE_MS }) : 0;
  if (at === null) return;
  const current = marked[target - 1]?.[1];
  if (playing) toEnd();
  else (current?.closest(".batch:not([open])") ?? current?.closest("details:not([open])") ?? current)?.scrollIntoView({ block: "nearest" });
}

// An answer that came late stands in the block of its call: such a block is in pieces, and dimmed element by element.
function spansOf(nodes) {
  const made = [];
  nodes.forEach(([, node], n) => {
    const block = node.closest(".block");
    if (made.length && made.at(-1).block === block) made.at(-1).to = n + 1;
    else made.push({ block, from: n, to: n + 1, mixed: false });
  });
  const pieces = new Map();
  for (const { block } of made) pieces.set(block, (pieces.get(block) ?? 0) + 1);
  for (const span of made) if (pieces.get(span.block) > 1) span.block = null;
  return made;
}

function dim(span, target) {
  const { block, from, to } = span;
  const inside = from < target && target < to;
  if (block) block.classList.toggle("later", target <= from);
  const [low, high] = block ? [from, to] : [Math.max(from, Math.min(bound, target)), Math.min(to, Math.max(bound, target))];
  if (!block || inside || span.mixed) {
    for (let n = low; n < high; n++) marked[n][1].classList.toggle("later", n >= target && (inside || !block));
  }
  span.mixed = inside;
}

// An event's element, after what is dim as long as it is.
function withOwn(seq, node) {
  const before = node.previousElementSibling;
  const own = before?.matches(".note:not([id])") ? [[seq, before]] : [];
  if (before?.matches(".batch > summary")) own.push([seq, node.parentElement]);
  return [...own, [seq, node]];
}

function countUpTo(seq) {
  let [low, high] = [0, marked.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marked[middle][0] <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The marks: a line an event of a kind, what matters more taller and over the others.
const LOOKS = { turn: [0.25, "--line"], message: [0.45, "--muted"], tool: [0.25, "--edge"], tool_error: [1, "--bad"], error: [1, "--bad"] };
const OWN_LOOK = [0.8, "--warn"];
const PLAN_LOOK = [1, "--good"];
function draw() {
  const { clientWidth: wide, clientHeight: high } = canvas;
  const scale = devicePixelRatio || 1;
  canvas.width = wide * scale;
  canvas.height = high * scale;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  pen.scale(scale, scale);
  kinds.forEach(({ name, key }, kind) => {
    const [share, colour] = LOOKS[name] ?? (key === "p" ? PLAN_LOOK : OWN_LOOK);
    pen.fillStyle = style.getPropertyValue(colour);
    events.forEach(([, , own], place) => {
      if (own.includes(kind)) pen.fillRect(xOf(place, wide), high * (1 - share), Math.max(1, Math.min(3, wide / events.length - 1)), high * share);
    });
  });
}
const THUMB_PX = 14;
function xOf(place, wide) {
  return THUMB_PX / 2 + (place / Math.max(1, events.length - 1)) * (wide - THUMB_PX) - 1;
}
let drawn = 0;
new ResizeObserver(() => {
  cancelAnimationFrame(drawn);
  drawn = requestAnimationFrame(draw);
}).observe(canvas);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

// Dragging moves once a frame.
let pending = 0;
slider.addEventListener("input", () => {
  pause();
  pending ||= requestAnimationFrame(() => {
    pending = 0;
    const place = Number(slider.value);
    moveTo(place >= events.length - 1 ? null : events[place][0]);
  });
});

function play() {
  const ended = at === null || placeOf(at) >= events.length - 1;
  showPlaying(true);
  if (ended) moveTo(events[0][0]);
  else show();
  next();
}

function next() {
  const place = placeOf(at);
  const [, now, own] = events[place];
  if (place >= events.length - 1) {
    pause();
    return moveTo(null);
  }
  const [seq, then] = events[place + 1];
  const shortest = own.includes(MESSAGE) ? SHORTEST_MESSAGE_S : SHORTEST_S;
  const wait = Math.min(LONGEST_S, Math.max(shortest, then - now)) / Number(speed.value);
  playing = setTimeout(() => {
    moveTo(seq);
    next();
  }, wait * 1000);
}

function pause() {
  if (playing === null) return;
  clearTimeout(playing);
  playing = null;
  showPlaying(false);
  show();
}

function showPlaying(on) {
  if (on) playing = 0;
  button.setAttribute("aria-pressed", on);
  button.querySelector(".sign").textContent = on ? "❚❚" : "▶";
}

button.addEventListener("click", () => (playing === null ? play() : pause()));
newest.addEventListener("click", () => {
  pause();
  moveTo(null);
  if (!session.ended) toEnd();
});

// From where one stands to the next event of some kinds, or the one before; turns are steps through the rounds.
function jump(wanted, step) {
  pause();
  for (let place = placeOf(at) + step; events[place]; place += step) {
    if (!events[place][2].some((kind) => wanted.includes(kind))) continue;
    moveTo(events[place][0]);
    if (events[place][2].includes(FAILED)) unfoldTo(`e${events[place][0]}`);
    said.textContent = slider.getAttribute("aria-valuetext");
    return;
  }
  if (step > 0 && at === null) return jumpFromStart(wanted);
  said.textContent = bar.dataset.none;
}

// At the newest event there is nothing after: the first one is the next.
function jumpFromStart(wanted) {
  const first = events.find(([, , own]) => own.some((kind) => wanted.includes(kind)));
  if (first) moveTo(first[0]);
  if (first?.[2].includes(FAILED)) unfoldTo(`e${first[0]}`);
  said.textContent = first ? slider.getAttribute("aria-valuetext") : bar.dataset.none;
}

function keyed(letter) {
  return kinds.flatMap(({ key }, kind) => (key === letter ? [kind] : []));
}

const KEYS = {
  " ": () => button.click(),
  k: () => jump([TURN], -1),
  l: () => newest.click(),
  r: () => {
    const all = [...chat.querySelectorAll("details.json")];
    const open = !all.some((one) => one.open);
    for (const one of all) one.open = open;
  },
};
addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.defaultPrevented || areKeysOff()) return;
  if (pressed.target.closest("input:not([type=range]), textarea, select, [contenteditable]")) return;
  if (pressed.key === " " && pressed.target.closest("button, a, summary, [popover]")) return;
  const wanted = keyed(pressed.key.toLowerCase());
  const act = KEYS[pressed.key] ?? (wanted.length ? () => jump(wanted, pressed.key === pressed.key.toLowerCase() ? 1 : -1) : null);
  if (!act) return;
  pressed.preventDefault();
  act();
});

// A link to an event that is still to come moves there.
addEventListener("hashchange", () => {
  const seq = Number(/^#e(\d+)$/.exec(location.hash)?.[1]);
  if (at !== null && seq > at) moveTo(seq);
});

// While the session runs, its new events come to the line too.
let asking = 0;
document.addEventListener("caravan:events", () => {
  if (at !== null) fade();
  asking ||= setTimeout(grow, QUIET_MS);
});

async function grow() {
  const answer = await fetch(`${bar.dataset.from}?after=${events.at(-1)?.[0] ?? 0}`).catch(() => null);
  asking = 0;
  if (!answer?.ok || answer.redirected) return; // signed out: the page of signing in is no time line
  const last = events.at(-1)?.[0] ?? 0;
  events.push(...(await answer.json()).events.filter(([seq]) => seq > last));
  draw();
  showDurations();
  show();
  if ((events.at(-1)?.[0] ?? 0) < Number(root.dataset.cursor)) asking ||= setTimeout(grow, QUIET_MS);
}

// How long each message took, from the grant of the turn that it was said in.
let read = 0; // events that were looked at
let granted = null; // the second at which the turn was granted
function showDurations() {
  for (; read < events.length; read++) {
    const [seq, seconds, own] = events[read];
    if (own.includes(TURN)) granted = seconds;
    const took = granted === null ? 0 : seconds - granted;
    const link = own.includes(MESSAGE) && took >= SHORTEST_SHOWN_S ? document.querySelector(`#e${seq} > .no`) : null;
    if (link) link.dataset.took = took < 60 ? `${took.toFixed(1)} s` : timeWords(took);
  }
}

export function start() {
  showDurations();
  show();
  const url = new URL(location.href);
  if (!url.searchParams.has("play")) return;
  url.searchParams.delete("play");
  history.replaceState(history.state, "", url);
  play();
}
