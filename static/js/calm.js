// What every page does: parts that refresh themselves wait for the reader, what can't be undone is asked about, and
// no button asks twice.

// A part that refreshes itself waits while the reader presses something in it or has marked text in it.

const AGAIN_MS = 300;

let pressed = null;
addEventListener("pointerdown", ({ target }) => (pressed = target));
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => setTimeout(() => (pressed = null))); // the click comes after this
}

function inUse(part) {
  const marked = getSelection();
  return part.contains(pressed) || (!marked.isCollapsed && part.contains(marked.anchorNode));
}

const waiting = new Set();
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, requestConfig } = detail;
  if (requestConfig.elt !== target || !inUse(target)) return;
  detail.shouldSwap = false;
  if (waiting.has(target.id)) return;
  waiting.add(target.id);
  later(target.id);
});

function later(id) {
  setTimeout(() => {
    const part = document.getElementById(id);
    if (part && inUse(part)) return later(id);
    waiting.delete(id);
    if (part) htmx.trigger(part, "refresh");
  }, AGAIN_MS);
}

// A part that is replaced keeps the focus: htmx gives it back to what has an id, else the part as a whole takes it.
let held = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
  if (shouldSwap && target.contains(document.activeElement)) held = target.id;
});
document.addEventListener("htmx:afterSettle", () => {
  if (held && document.activeElement === document.body) document.getElementById(held)?.focus({ preventScroll: true });
  held = null;
});

// What a reader has folded or unfolded stays so, on this page and the next time.
for (const fold of document.querySelectorAll("details[data-kept]")) {
  const key = `caravan fold ${fold.id}`;
  const before = localStorage.getItem(key);
  if (before) fold.open = before === "open";
  fold.addEventListener("toggle", () => localStorage.setItem(key, fold.open ? "open" : "closed"));
}

// htmx asks what hx-confirm says before its own requests; this asks it where the browser itself sends the form.
document.addEventListener("submit", (event) => {
  const { target } = event;
  const question = target.getAttribute("hx-confirm");
  if (question && !target.matches("[hx-post], [hx-boost]") && !confirm(question)) event.preventDefault();
});

// While the browser goes on to another page, a second press of the button that led there asks for nothing.
let leaving = false;
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  leaving ||= Boolean(detail.xhr.getResponseHeader("HX-Redirect"));
});
document.addEventListener("htmx:beforeRequest", (event) => leaving && event.preventDefault());
addEventListener("pageshow", () => (leaving = false));
