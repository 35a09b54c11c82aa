// A fold with data-from loads what it holds when it is first opened; a link with data-copy copies what it leads to.

document.addEventListener("toggle", ({ target }) => target.open && load(target), true); // toggle does not bubble

async function load(fold) {
  const { from } = fold.dataset;
  const into = fold.querySelector("[data-into]");
  if (!from || !into) return;
  delete fold.dataset.from; // once
  into.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(from, { headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const text = await answer.text();
    if (answer.headers.get("Content-Type").startsWith("text/html")) into.innerHTML = text;
    else into.textContent = text;
  } catch {
    fold.dataset.from = from; // the next opening tries again
    fold.open = false;
  }
  into.removeAttribute("aria-busy");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-copy]");
  if (!link || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  copy(link).catch(() => location.assign(link.href));
});

async function copy(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(answer.statusText);
  await navigator.clipboard.writeText(await answer.text());
  const told = link.parentElement.querySelector(".copied");
  told.textContent = told.dataset.done;
  setTimeout(() => (told.textContent = ""), 2000);
}
