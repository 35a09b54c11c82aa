// The desk of a person who has the agent's seat: tools, the plan and whatever else the benchmark puts beside the chat.
// On a phone one tab is shown at a time, the chat among them; on a wide screen the desk stands beside the chat.

const main = document.getElementById("main");
const chat = document.getElementById("chat");
const desk = document.getElementById("desk");
const wide = matchMedia("(min-width: 900px)");
const KEPT = `caravan.desk.${main.dataset.guest}`;

const tabs = () => [...desk.querySelectorAll("[role=tab]")];
const shownTabs = () => tabs().filter((tab) => !(wide.matches && tab.dataset.tab === "chat"));
const part = (name) => desk.querySelector(`[data-panel="${name}"]`);

// Tabs.

function show(name, { focus = false } = {}) {
  const known = shownTabs();
  if (!known.length) return;
  const chosen = known.find((tab) => tab.dataset.tab === name) ?? known[0];
  for (const tab of tabs()) {
    const on = tab === chosen;
    tab.setAttribute("aria-selected", on);
    tab.tabIndex = on ? 0 : -1;
  }
  for (const panel of desk.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== chosen.dataset.tab;
  main.dataset.shown = chosen.dataset.tab;
  if (chosen.dataset.tab === "chat") chosen.classList.remove("news");
  sessionStorage.setItem(KEPT, chosen.dataset.tab);
  if (focus) chosen.focus();
}

desk.addEventListener("click", ({ target }) => {
  const tab = target.closest("[role=tab]");
  if (tab) show(tab.dataset.tab);
});
desk.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || !event.target.matches("[role=tab]")) return;
  event.preventDefault();
  const known = shownTabs();
  const next = known[(known.indexOf(event.target) + step + known.length) % known.length];
  show(next.dataset.tab, { focus: true });
});
wide.addEventListener("change", () => show(main.dataset.shown));

// A button beside a result fills the field that was used last, if it takes such a thing, or the first that does.

let used = null;
desk.addEventListener("focusin", ({ target }) => {
  if (target.matches("input, textarea")) used = target;
});

const takes = (field, kind) => field.dataset.takes?.split(" ").includes(kind);
const named = (field) => field.list?.id === "place-names";

function fill(kind, value) {
  const inPlan = main.dataset.shown === "plan" && kind === "name";
  if (inPlan && used?.isConnected && named(used)) return put(used, value);
  show("tools");
  const fields = [...part("tools").querySelectorAll("[data-takes]")].filter((field) => takes(field, kind));
  const open = fields.filter((field) => field.closest(".tool-form").open);
  const empty = open.find((field) => !field.value && field.required);
  const last = used?.isConnected && takes(used, kind) ? used : null;
  const field = last ?? empty ?? open[0] ?? fields.find((each) => each.required) ?? fields[0];
  if (!field) return;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  put(field, value);
}

function put(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

chat.addEventListener("click", ({ target }) => {
  const button = target.closest("button.use");
  if (!button) return;
  const { use, value, plan } = button.dataset;
  if (use) return fill(use, value);
  show("plan");
  open(part("plan"), `?${plan}&near=${worked}`);
});

let worked = ""; // the day that was worked on last
function open(panel, query) {
  htmx.ajax("GET", panel.getAttribute("hx-get") + query, { target: `#${panel.id}` });
}

// Names that tools have returned complete the fields for places.

function names() {
  const list = document.getElementById("place-names");
  if (!list) return;
  const found = new Set([...chat.querySelectorAll("[data-use=name]")].map(({ dataset }) => dataset.value));
  if (found.size === list.children.length) return;
  list.replaceChildren(...[...found].map((name) => new Option(name, name)));
}
let counting = null;
new MutationObserver(() => {
  clearTimeout(counting);
  counting = setTimeout(names, 200);
  document.getElementById("tab-chat")?.classList.toggle("news", main.dataset.shown !== "chat");
}).observe(chat, { childList: true, subtree: true });

// What can be sent depends on the turn. A part in which nobody writes is drawn anew with it.

const state = () => {
  const { standing, asks = "" } = document.getElementById("now").dataset;
  return standing === "yours" ? asks : "";
};
let stood = null;

function follow() {
  const now = state();
  for (const button of desk.querySelectorAll("[data-when]")) button.disabled = button.dataset.when !== now;
  for (const words of desk.querySelectorAll("[data-unless]")) words.hidden = words.dataset.unless === now;
  const sent = document.querySelector("#say .send");
  if (sent) sent.disabled = now !== "words";
  if (now === stood) return;
  stood = now;
  for (const panel of desk.querySelectorAll("[data-part]")) if (!written(panel)) htmx.trigger(panel, "refresh");
  if (part(now)) show(now);
}

// Another window of this seat may have changed the plan.

function keepUp() {
  if (document.hasFocus()) return;
  for (const panel of desk.querySelectorAll("[data-part]")) if (!written(panel)) htmx.trigger(panel, "refresh");
}

const written = (panel) =>
  panel.querySelector("#plan-item") ||
  (document.hasFocus() && panel.contains(document.activeElement)) ||
  [...panel.querySelectorAll("input, textarea, select")].some(isWritten);

function isWritten({ type, checked, defaultChecked, options, value, defaultValue }) {
  if (type === "hidden") return false;
  if (type === "checkbox" || type === "radio") return checked !== defaultChecked;
  if (options) return [...options].some((option) => option.selected !== option.defaultSelected && option.defaultSelected);
  return value !== defaultValue;
}

// While something is drawn anew, the folds that were opened stay open, and the panel stays where it was.

let opened = new Map();
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target, requestConfig } = detail;
  if (!target.matches?.("[data-part]")) return;
  if (requestConfig.elt === target && written(target)) {
    detail.shouldSwap = false; // somebody began to write meanwhile
    return;
  }
  opened = new Map([...target.querySelectorAll("details[id]")].map((fold) => [fold.id, fold.open]));
});
document.addEventListener("htmx:afterSettle", ({ detail: { elt } }) => {
  if (elt === desk) {
    show(sessionStorage.getItem(KEPT) ?? (wide.matches ? "tools" : "chat"));
    names();
    stood = state();
    if (part(stood)) show(stood);
  }
  if (elt.id === "now") keepUp();
  if (elt.matches?.("[data-part]")) {
    const top = elt.querySelector("[data-top]");
    for (const [id, was] of opened) {
      const fold = document.getElementById(id);
      if (fold && was && !top) fold.open = true;
    }
    opened = new Map();
    const item = elt.querySelector("#plan-item");
    const wrong = item?.querySelector(".refused :is(input, select)");
    const first = wrong ?? item?.querySelector("input:not([type=hidden])");
    if (item && !item.contains(document.activeElement)) first?.focus();
    (top ?? elt.querySelector(".saved, [role=alert]"))?.scrollIntoView({ block: "nearest" });
    worked = item?.querySelector("[name=item-day]")?.value ?? worked;
  }
  follow();
});
document.body.addEventListener("seat:called", () => {
  htmx.trigger("#now", "refresh");
  if (main.dataset.shown === "tools" && !wide.matches) show("chat"); // the result comes there
});
