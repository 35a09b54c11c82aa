// A button with data-copies copies the field of that id.

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("button[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select(); // no clipboard without HTTPS: the text is marked, to be copied by hand
    return;
  }
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = words), 2000);
});
