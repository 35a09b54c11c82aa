// Names are completed as one types them: those that hold the words of the line where the cursor stands.

const MOST = 8;
const names = new Map(); // by field: what can be written there

function known(field) {
  if (!names.has(field.id)) {
    const list = document.querySelector(`[data-into="${field.id}"]`);
    names.set(field.id, list ? [...list.options].map(({ value }) => value).filter(Boolean) : []);
  }
  return names.get(field.id);
}

const SEPARATOR = /[\n,，、]/;

/** Where the name that is being written begins and ends. */
function span({ value, selectionStart }) {
  let start = selectionStart;
  let end = selectionStart;
  while (start > 0 && !SEPARATOR.test(value[start - 1])) start -= 1;
  while (end < value.length && !SEPARATOR.test(value[end])) end += 1;
  return [start, end];
}

function offered(field) {
  const [start, end] = span(field);
  const part = field.value.slice(start, end).trim().toLowerCase();
  if (!part) return [];
  const fits = known(field).filter((name) => name.toLowerCase().includes(part));
  const begin = fits.filter((name) => name.toLowerCase().startsWith(part));
  const found = [...new Set([...begin, ...fits])];
  return found.length === 1 && found[0].toLowerCase() === part ? [] : found.slice(0, MOST);
}

function offer(field) {
  let row = field.parentElement.querySelector(".completions");
  if (!row) {
    row = Object.assign(document.createElement("div"), { className: "completions" });
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", field.labels[0]?.textContent ?? "");
    field.after(row);
  }
  const buttons = offered(field).map((name) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.addEventListener("click", () => take(field, name));
    return button;
  });
  row.replaceChildren(...buttons);
}

function take(field, name) {
  const [start, end] = span(field);
  field.setRangeText(name, start, end, "end");
  field.focus();
  offer(field);
}

document.addEventListener("input", ({ target }) => {
  if (target.matches("textarea[data-names]")) offer(target);
});

// A name that is chosen from the list is added on a line of its own.

document.addEventListener("change", ({ target }) => {
  const into = target.dataset.into && document.getElementById(target.dataset.into);
  if (!into || !target.value) return;
  into.value = [...into.value.split("\n").filter((line) => line.trim()), target.value].join("\n");
  target.value = "";
});
