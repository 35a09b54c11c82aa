// A button with data-copies copies the field or output of that id.

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("button[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (field.select) field.select(); // no clipboard without HTTPS: the text is marked, to be copied by hand
    else getSelection().selectAllChildren(field);
    return;
  }
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = words), 2000);
});
