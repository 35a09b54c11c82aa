// A list remembers where one was: its address with filters, order and page for the links that lead back to it, and the
// row that was opened, which is marked. Only this tab knows.

const PLACE = "caravan list ";
const list = document.querySelector("main table.list");
const here = location.pathname;

function remembered(path) {
  return JSON.parse(sessionStorage.getItem(PLACE + path) ?? "null");
}

// Links to a list from elsewhere lead to what was seen of it last.
for (const link of document.querySelectorAll("header.top nav a, #keys a[data-letter]")) {
  const { pathname, search } = new URL(link.href);
  if (pathname !== here && !search) link.search = remembered(pathname)?.search ?? "";
}

if (list) {
  addEventListener("pagehide", () => {
    const { row } = remembered(here) ?? {};
    sessionStorage.setItem(PLACE + here, JSON.stringify({ search: location.search, row }));
  });
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.("main table.list > tbody a[href]");
    if (!link) return;
    sessionStorage.setItem(PLACE + here, JSON.stringify({ search: location.search, row: link.getAttribute("href") }));
  });
  markRow();
  document.addEventListener("htmx:afterSettle", markRow);
  addEventListener("pageshow", ({ persisted }) => persisted && markRow());
}

function markRow(event) {
  const href = remembered(here)?.row;
  for (const row of document.querySelectorAll("tr.opened-last")) row.classList.remove("opened-last");
  const row = href && document.querySelector(`main table.list > tbody a[href="${CSS.escape(href)}"]`)?.closest("tr");
  if (!row) return;
  row.classList.add("opened-last");
  if (!event) row.scrollIntoView({ block: "nearest" });
}
