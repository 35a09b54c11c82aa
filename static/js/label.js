// The page of an item: keys, the draft that is kept, the time on screen, and answers that are sent until they arrive.

const answering = document.getElementById("answering");
const waits = document.querySelector("[data-waits]");
const RETRY_MS = [1000, 2000, 4000, 8000];
const AWAY = [429, 502, 503, 504]; // a proxy's or ours while the server is away, or is asked too often: it comes back
const ERRORS = 3;
const DRAFT_MS = 800;
const LOOK_MS = 10000;
const AHEAD_MS = 600;

// A page that waits looks again, and is drawn anew once something has changed.
if (waits) {
  setInterval(async () => {
    try {
      const answer = await fetch(waits.dataset.waits, { headers: { Accept: "application/json" } });
      if (!answer.ok) return location.reload();
      const { shut, left, waiting } = await answer.json();
      const more = "left" in waits.dataset && (left > Number(waits.dataset.left) || !(left || waiting));
      if (shut !== waits.dataset.shut || more) location.reload();
    } catch {
      // the server is away; it is asked again
    }
  }, LOOK_MS);
}

// The way back to where somebody came from is gone after some seconds, once, unless they stay.
const back = document.getElementById("back-to-panel");
if (back) lead();
function lead() {
  const LED = `caravan.led.${location.pathname}`;
  const leading = document.getElementById("leading");
  if (sessionStorage.getItem(LED)) return;
  let left = Number(back.dataset.after);
  const words = leading.querySelector("[data-words]");
  const tell = () => (words.textContent = words.dataset.words.replace("{n}", left));
  const ticking = setInterval(() => {
    if (document.hidden) return;
    left -= 1;
    tell();
    if (left > 0) return;
    stay();
    back.click(); // not location.assign: the link tells the other site no address of ours
  }, 1000);
  function stay() {
    clearInterval(ticking);
    leading.hidden = true;
    sessionStorage.setItem(LED, "1");
  }
  leading.querySelector("button").addEventListener("click", stay);
  document.getElementById("undo")?.addEventListener("submit", () => clearInterval(ticking));
  tell();
  leading.hidden = false;
}

if (answering) begin();
else {
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
    if (key.toLowerCase() === "u" && !(ctrlKey || metaKey || altKey)) document.getElementById("undo")?.requestSubmit();
  });
}

function begin() {
  const form = document.getElementById("answer");
  const skipForm = document.getElementById("skip");
  const undoForm = document.getElementById("undo");
  const skipping = document.getElementById("skipping");
  const rationale = document.getElementById("rationale");
  const told = document.getElementById("told");
  const ratings = [...form.querySelectorAll(".rating")];
  const { assignment, annotator, draft, ahead, again, sending, lost, out, failed, none } = answering.dataset;
  const KEPT = `caravan.label.${annotator}.${assignment}`;
  let busy = false;
  let done = false;

  // How long the item has been on screen.

  let seconds = Number(answering.dataset.seconds) || 0;
  let since = document.hidden ? null : performance.now();
  function elapsed() {
    return seconds + (since === null ? 0 : (performance.now() - since) / 1000);
  }
  function watch() {
    seconds = elapsed();
    since = document.hidden ? null : performance.now();
  }

  function say(words, bad = false) {
    told.textContent = words;
    told.classList.toggle("bad", bad);
  }

  // What is chosen and written and not sent: kept in this browser at once, at the server a moment later.

  function state() {
    const fields = new FormData(form);
    fields.delete("csrfmiddlewaretoken");
    fields.delete("client_id");
    fields.delete("seconds");
    return Object.fromEntries(fields);
  }
  function restore(stored) {
    for (const [name, value] of Object.entries(stored)) {
      if (name === "assignment") continue;
      if (name === "rationale") rationale.value ||= value;
      else if (!form.querySelector(`[name="${CSS.escape(name)}"]:checked`)) {
        const found = [...form.elements].find((field) => field.name === name && field.value === value);
        if (found) found.checked = true;
      }
    }
  }
  try {
    restore(JSON.parse(localStorage.getItem(KEPT) ?? "{}"));
  } catch {
    localStorage.removeItem(KEPT);
  }

  function fields(of = form) {
    form.elements.seconds.value = elapsed().toFixed(1);
    return new URLSearchParams(new FormData(of));
  }
  let keeping = null;
  async function keep() {
    clearTimeout(keeping);
    keeping = null;
    if (done || busy) return;
    try {
      await fetch(draft, { method: "POST", body: fields(), headers: { "X-Caravan-Script": "1" } });
    } catch {
      // it is kept in this browser
    }
  }
  function changed() {
    localStorage.setItem(KEPT, JSON.stringify(state()));
    clearTimeout(keeping);
    keeping = setTimeout(keep, DRAFT_MS);
    grow();
  }
  function grow() {
    rationale.style.height = "auto";
    rationale.style.height = `${Math.min(rationale.scrollHeight + 2, innerHeight * 0.3)}px`;
  }
  form.addEventListener("input", changed);
  if (rationale.value) grow();
  addEventListener("pagehide", () => {
    if (!done && !busy) navigator.sendBeacon(draft, fields());
  });
  document.addEventListener("visibilitychange", () => {
    watch();
    if (document.hidden) keep();
  });
  const lease = Math.max(5, Math.min(60, Number(answering.dataset.lease) * 20)) * 1000;
  setInterval(() => document.hidden || keep(), lease);

  // The server draws the item that comes next while this one is looked at.

  setTimeout(() => fetch(ahead, { headers: { "HX-Request": "true" }, priority: "low" }).catch(() => {}), AHEAD_MS);

  // Sending: once, and again with the same id until it is known to have arrived. A server that fails is asked a few
  // times, then it is said.

  const waiting = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  async function posted(url, body) {
    let errors = 0;
    for (let at = 0; ; at++) {
      try {
        const answer = await fetch(url, { method: "POST", body, headers: { "X-Caravan-Script": "1" } });
        if (answer.status < 500 && !AWAY.includes(answer.status)) return answer;
        if (!AWAY.includes(answer.status) && ++errors === ERRORS) return answer;
      } catch {
        // the server is away
      }
      say(lost, true);
      await waiting(RETRY_MS[Math.min(at, RETRY_MS.length - 1)]);
    }
  }
  async function send(url, body) {
    if (busy || done) return;
    busy = true;
    clearTimeout(keeping);
    document.body.classList.add("sending");
    say(sending);
    const answer = await posted(url, body);
    busy = false;
    document.body.classList.remove("sending");
    if (answer.ok) return go((await answer.json()).next);
    if (answer.status !== 422) return say(answer.status < 500 ? out : failed, true);
    const { refused, gone } = await answer.json();
    say(refused, true);
    if (gone) end();
  }
  function go(next) {
    done = true;
    localStorage.removeItem(KEPT);
    location.assign(next);
  }
  // The item is not theirs any more: what they wrote stays to be read, and a button leads on.
  function end() {
    done = true;
    localStorage.removeItem(KEPT);
    const on = document.createElement("a");
    on.className = "button primary";
    on.href = again;
    on.id = "go-on";
    on.textContent = answering.dataset.on;
    document.getElementById("send").replaceWith(on);
    on.focus();
  }

  // A study may want both plans on screen to their ends. The server refuses too, by what is ticked here.

  const boxes = [...form.querySelectorAll("#seen [data-side]")];
  const toSee = document.getElementById("to-see");
  function unseen() {
    const left = boxes.filter((box) => !box.checked).map((box) => box.dataset.side.toLowerCase());
    return left.length ? toSee.dataset[left.length > 1 ? "both" : left[0]] : "";
  }
  function tellUnseen() {
    const words = unseen();
    if (toSee.textContent !== words) toSee.textContent = words;
    toSee.hidden = !words;
  }
  function watchEnds() {
    document.getElementById("seen").hidden = true;
    tellUnseen();
    const ends = boxes.map((box) => [box, [...document.querySelectorAll(`.plans .side-${box.dataset.side}`)].at(-1)]);
    const look = () => {
      if (document.hidden) return;
      const before = unseen();
      const bar = getComputedStyle(answering).position === "sticky" ? answering.getBoundingClientRect().top : innerHeight;
      for (const [box, end] of ends) {
        const { bottom, height } = end.getBoundingClientRect();
        if (height && bottom > 0 && bottom <= Math.max(bar, innerHeight / 2) + 2) box.checked = true;
      }
      if (unseen() === before) return;
      tellUnseen();
      if ([...Object.values(toSee.dataset)].includes(told.textContent)) say("");
      changed();
    };
    for (const [target, name] of [[window, "scroll"], [window, "resize"], [document, "change"], [document, "toggle"]])
      target.addEventListener(name, () => requestAnimationFrame(look), { capture: true, passive: true });
    document.addEventListener("visibilitychange", look);
    requestAnimationFrame(look);
  }
  if (boxes.length) watchEnds();

  // What an answer still lacks, in words, "" for nothing; its place is marked. The server asks for the same.
  let lacking = "";
  function missing() {
    if (boxes.length && unseen()) return unseen();
    if (form.querySelector(".choices") && !form.querySelector("[name=choice]:checked")) return none;
    const unrated = ratings.findIndex((rating) => !rating.querySelector(":checked"));
    if (unrated >= 0) {
      mark(unrated);
      ratings[unrated].scrollIntoView({ block: "nearest" });
      return ratings[unrated].dataset.missing;
    }
    if (rationale.dataset.required === undefined || rationale.value.trim()) return "";
    rationale.focus();
    return rationale.dataset.required;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    lacking = missing();
    if (lacking) return say(lacking, true);
    send(form.action, fields());
  });
  skipForm.addEventListener("submit", (event) => {
    event.preventDefault();
    send(skipForm.action, fields(skipForm));
  });
  undoForm?.addEventListener("submit", (event) => {
    event.preventDefault();
    send(undoForm.action, fields(undoForm));
  });

  // On a phone the travellers' wishes give way to the plans, which say what became of them.
  if (matchMedia("(max-width: 720px)").matches) document.querySelector(".travellers")?.removeAttribute("open");

  // Keys. They do nothing while somebody writes.

  let focused = 0;
  function mark(at) {
    focused = Math.max(0, Math.min(at, ratings.length - 1));
    ratings.forEach((rating, place) => rating.classList.toggle("marked", place === focused));
  }
  if (ratings.length) {
    mark(ratings.findIndex((rating) => !rating.querySelector(":checked")));
    ratings.forEach((rating, place) => rating.addEventListener("focusin", () => mark(place)));
    ratings.forEach((rating, place) => rating.addEventListener("change", () => place === focused && mark(place)));
  }
  function rate(digit) {
    const field = ratings[focused]?.querySelector(`[value="${digit}"]`);
    if (!field) return false;
    field.checked = true;
    changed();
    if (lacking) say("");
    mark(focused + 1);
    ratings[focused].scrollIntoView({ block: "nearest" });
    return true;
  }
  // A scale of two is answered by yes or no.
  const NO_YES = { n: "0", y: "1" };
  function affirm(key) {
    const two = ratings[focused]?.querySelectorAll("input").length === 2;
    return two && key in NO_YES && rate(NO_YES[key]);
  }
  function choose(key) {
    const field = form.querySelector(`[data-key="${key}"]`);
    if (!field) return false;
    field.checked = true;
    changed();
    say("");
    return true;
  }
  function writes(target) {
    return target.closest("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])");
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && writes(event.target)) return event.target.blur();
    if (writes(event.target) || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "enter") {
      if (event.target.closest("button, a, summary, [data-map]")) return;
      event.preventDefault();
      form.requestSubmit();
    } else if (key === "s") {
      event.preventDefault();
      skipping.open = true;
      document.getElementById("reason").focus();
    } else if (key === "u") {
      event.preventDefault();
      undoForm?.requestSubmit();
    } else if (/^[0-9]$/.test(key) && ratings.length) {
      event.preventDefault();
      rate(key);
    } else if (/^[a-z]$/.test(key) && (affirm(key) || choose(key))) {
      event.preventDefault();
    }
  });
  for (const name of ["change", "input"]) {
    form.addEventListener(name, () => lacking && told.textContent === lacking && say(""));
  }
}
