// Keys of the page on which an item is decided.

const CHOICES = { a: "left", q: "slight_left", w: "slight_right", b: "right", t: "tie", y: "yes" };

function chosen(key) {
  const value = key === "n" ? "neither" : CHOICES[key];
  return document.querySelector(`input[name="choice"][value="${value}"]`) ?? (key === "n" && document.querySelector('input[name="choice"][value="no"]'));
}

document.addEventListener("keydown", (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || target.closest("textarea, input:not([type=radio]), select")) return;
  const pressed = key.toLowerCase();
  if (pressed === "s") document.getElementById("pass")?.click();
  if (key === "Enter" && !target.closest("a, button, summary, input")) {
    document.getElementById("decision").requestSubmit(document.getElementById("decide")); // says what is missing
  }
  const choice = pressed.length === 1 && chosen(pressed);
  if (!choice) return;
  event.preventDefault();
  choice.checked = true;
  choice.focus();
});
