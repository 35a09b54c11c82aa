// Three quiet lines in a row or more, tool calls, model calls, turns and passes, become one that tells how many of each.

import { chat } from "./page.js";

const FEWEST = 3;
const QUIET = ".tool:not(.withheld), .note";
const template = document.getElementById("batch");
const words = template.dataset;

function gather(within) {
  let run = [];
  for (const node of [...within.children, null]) {
    if (node?.matches(QUIET)) {
      run.push(node);
      continue;
    }
    if (node?.matches(".batch") && !run.length) {
      run.push(node);
      continue;
    }
    if (run.length) fold(run);
    run = node?.matches(".batch") ? [node] : [];
  }
}

// A batch that stands before the run takes it in, so that a session that is running keeps one line.
function fold(run) {
  const [first, ...rest] = run;
  if (first.matches(".batch")) {
    first.append(...rest);
    if (rest.length || !first.nextElementSibling) tell(first); // an answer may have come to its last call
    return;
  }
  if (run.length < FEWEST) return;
  const batch = template.content.firstElementChild.cloneNode(true);
  first.before(batch);
  batch.append(...run);
  tell(batch);
}

function tell(batch) {
  const inside = [...batch.children].slice(1);
  const tools = inside.filter((node) => node.dataset.tool !== undefined);
  const counts = new Map();
  for (const { dataset } of tools) counts.set(dataset.tool, (counts.get(dataset.tool) ?? 0) + 1);
  const named = [...counts].sort(([, one], [, other]) => other - one).map(([name, n]) => `${name} ${n}`);
  const number = (kind, nodes) => (nodes.length ? `${nodes.length} ${words[nodes.length > 1 ? plural(kind) : kind]}` : "");
  const of = (selector) => inside.filter((node) => node.matches(selector));
  const parts = [
    number("turn", of(".note.turn")),
    number("pass", of(".note.passed")),
    number("model", of(".called")),
    number("note", of(".noted")),
    tools.length ? `${number("call", tools)}: ${named.join(", ")}` : "",
  ];
  const others = of(".note:not(.turn, .passed, .called)");
  if (others.length) parts.unshift(others[0].textContent.replace(/\s+/g, " ").split(" · ")[0].trim().slice(0, 60) + (others.length > 1 ? ` +${others.length - 1}` : ""));
  const failed = of(".tool:has(.src .bad), .tool:has(> .out > .bad)");
  const [summary] = batch.children;
  summary.textContent = parts.filter(Boolean).join(" · ");
  if (failed.length) {
    const bad = document.createElement("b");
    bad.className = "bad";
    bad.textContent = ` · ${number("error", failed)}`;
    summary.append(bad);
  }
}

function plural(kind) {
  return kind === "pass" ? "passes" : `${kind}s`;
}

for (const block of chat.querySelectorAll(":scope > .block")) gather(block);
gather(chat);
document.addEventListener("caravan:events", () => gather(chat));

// All at once: batches alone, since every call inside stays as it is.
const all = document.getElementById("fold-all");
all.addEventListener("click", () => {
  const open = all.textContent === all.dataset.unfold;
  for (const batch of chat.querySelectorAll(".batch")) batch.open = open;
  all.textContent = open ? all.dataset.fold : all.dataset.unfold;
});

// What kinds are shown; the address keeps it.
const kinds = document.querySelectorAll("#shown-kinds input");
const hidden = new Set((new URLSearchParams(location.search).get("hide") ?? "").split(",").filter(Boolean));
for (const kind of kinds) {
  kind.checked = !hidden.has(kind.value);
  kind.addEventListener("change", () => {
    hidden[kind.checked ? "delete" : "add"](kind.value);
    hide();
    const url = new URL(location.href);
    if (hidden.size) url.searchParams.set("hide", [...hidden].join(","));
    else url.searchParams.delete("hide");
    history.replaceState(history.state, "", url);
  });
}
function hide() {
  chat.dataset.hide = [...hidden].join(" ");
}
hide();
