// The forms that start sessions and runs, with what belongs to them (data-keep): what is picked decides what else is
// offered, so the server draws parts of the form anew ("a look"). Nothing that was picked is lost over that.

const TOKEN = "csrfmiddlewaretoken";
const forms = () => [...document.querySelectorAll("form[data-keep]")];
const picked = () => forms().flatMap((form) => [...new FormData(form)]);
const isLook = (elt) => elt.id === "look";

// A form comes back as it was left: what was picked stays with its entry of the history.
function keep() {
  const kept = Object.fromEntries(picked().filter(([name]) => name !== TOKEN));
  history.replaceState({ ...history.state, kept }, "");
}

for (const event of ["input", "change"]) {
  document.addEventListener(event, ({ target }) => forms().includes(target.form) && keep());
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "finder") return;
  event.preventDefault();
  htmx.trigger("#look", "look");
});

// An answer to a form that has changed meanwhile would undo the change: it is passed over, and asked for again.
let asked = "";
document.addEventListener("htmx:configRequest", ({ target }) => {
  if (isLook(target)) asked = JSON.stringify(picked());
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { elt } = detail.requestConfig;
  if (!isLook(elt)) return;
  const current = elt.isConnected && asked === JSON.stringify(picked());
  detail.shouldSwap &&= current;
  if (!current && elt.isConnected) htmx.trigger(elt, "look");
});

const { kept } = history.state ?? {};
if (kept) {
  const [{ action, [TOKEN]: token }] = forms();
  const values = { ...kept, look: "1", [TOKEN]: token.value };
  htmx.ajax("POST", action, { values, target: "#start", select: "#start", swap: "outerHTML" });
}

// Who was quicker than this script has picked something that nothing heard of.
function isPicked({ type, checked, defaultChecked, options, selectedIndex, value, defaultValue }) {
  if (type === "radio" || type === "checkbox") return checked !== defaultChecked;
  if (options) return selectedIndex !== Math.max(0, [...options].findIndex((option) => option.defaultSelected));
  return value !== defaultValue;
}

document.addEventListener("DOMContentLoaded", () => {
  if (kept || !forms().some((form) => [...form.elements].some(isPicked))) return;
  keep();
  htmx.trigger("#look", "look");
});
