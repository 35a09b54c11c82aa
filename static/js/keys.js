// Keys of every page of a researcher: places after g, rows of a list, the search, and the list of all keys. A page with
// keys of its own lists them in the dialog, and turns the keys of lists off by that.

const LETTER_MS = 1500; // how long g waits for its letter
const OFF = "caravan keys off";

const dialog = document.getElementById("keys");
const used = document.getElementById("keys-on");
const html = document.documentElement;

// Whoever speaks to a computer, or types where no field is, turns keys of one letter off (WCAG 2.1.4).
function areOff() {
  return html.dataset.keys === "off";
}
if (localStorage.getItem(OFF)) html.dataset.keys = "off";
used.checked = !areOff();
used.addEventListener("change", () => {
  if (used.checked) {
    delete html.dataset.keys;
    localStorage.removeItem(OFF);
  } else {
    html.dataset.keys = "off";
    localStorage.setItem(OFF, "1");
  }
});

function isTyped({ target, ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey || target.closest?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]");
}

const ROWS = "main table.list > tbody > tr, main ol.found > li";

// What a page has for keys to act on.
const TARGETS = {
  rows: () => [...document.querySelectorAll(ROWS)].filter((row) => row.querySelector("a[href]") && row.getClientRects().length),
  marks: () => document.querySelectorAll("main table.list > tbody input[type=checkbox]"),
  pages: () => document.querySelectorAll("main .pages a"),
  search: () => document.querySelectorAll('main input[type=search], #filters input:not([type=hidden], [type=checkbox]), #filters select, main input[name="find"]'),
};
const listed = [...dialog.querySelectorAll("[data-for]")];
dialog.addEventListener("beforetoggle", () => {
  for (const entry of listed) entry.hidden = !TARGETS[entry.dataset.for]().length;
});

function currentRow() {
  return document.activeElement.closest(ROWS);
}

function moveRow(by) {
  const rows = TARGETS.rows();
  if (!rows.length) return false;
  const at = rows.indexOf(currentRow());
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
  rows[next].querySelector("a[href]").focus();
  rows[next].scrollIntoView({ block: "nearest" });
  return true;
}

function press(element) {
  element?.click();
  return Boolean(element);
}

function find() {
  const [field] = [...TARGETS.search()].filter((each) => each.getClientRects().length);
  field?.focus();
  field?.select?.();
  return Boolean(field);
}

const LIST_KEYS = {
  j: () => moveRow(1),
  k: () => moveRow(-1),
  x: () => press(currentRow()?.querySelector("input[type=checkbox]")),
  n: () => press(document.getElementById("next-page")),
  p: () => press(document.getElementById("first-page")),
};
const KEYS = {
  "?": () => {
    dialog.togglePopover();
    return true;
  },
  "/": find,
  ...(listed.length ? LIST_KEYS : {}),
};

// The letter after g is nobody else's, so that it is heard before the keys of the page.
let until = 0;
addEventListener(
  "keydown",
  (pressed) => {
    if (performance.now() > until || pressed.key === "Shift") return;
    until = 0;
    if (isTyped(pressed) || areOff()) return;
    const place = dialog.querySelector(`a[data-letter="${CSS.escape(pressed.key)}"]`);
    pressed.stopImmediatePropagation();
    if (!place) return;
    pressed.preventDefault();
    place.click();
  },
  { capture: true },
);

addEventListener("keydown", (pressed) => {
  if (pressed.defaultPrevented || areOff() || isTyped(pressed)) return;
  if (pressed.key === "g") until = performance.now() + LETTER_MS;
  else if (KEYS[pressed.key]?.()) pressed.preventDefault();
});
