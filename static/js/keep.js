// A form marked data-keep, with those that belong to it, comes back as it was left: what was picked stays with its entry
// of the history.

const TOKEN = "csrfmiddlewaretoken";
const forms = () => [...document.querySelectorAll("form[data-keep]")];

function keep() {
  const picked = forms().flatMap((form) => [...new FormData(form)]);
  const kept = Object.fromEntries(picked.filter(([name]) => name !== TOKEN));
  history.replaceState({ ...history.state, kept }, "");
}

for (const event of ["input", "change"]) {
  document.addEventListener(event, ({ target }) => forms().includes(target.form) && keep());
}

const { kept } = history.state ?? {};
if (kept) {
  const [{ action, [TOKEN]: token }] = forms();
  const values = { ...kept, look: "1", [TOKEN]: token.value };
  htmx.ajax("POST", action, { values, target: "#start", select: "#start", swap: "outerHTML" });
}
