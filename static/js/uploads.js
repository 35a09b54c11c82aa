// Says before it is sent that what was chosen is too large: the server takes data-most bytes of a form at most.

const FILES = "input[type=file][data-most]";

document.addEventListener("change", ({ target }) => target.matches(FILES) && check(target.form));

function check(form) {
  const inputs = [...form.querySelectorAll(FILES)];
  const size = inputs.flatMap((input) => [...input.files]).reduce((sum, file) => sum + file.size, 0);
  for (const input of inputs) {
    const over = input.files.length > 0 && size > Number(input.dataset.most);
    input.setCustomValidity(over ? input.dataset.refused : "");
    tell(input);
  }
}

function tell(input) {
  input.parentElement.querySelector(".too-large")?.remove();
  if (!input.validationMessage || !input.files.length) return;
  const told = document.createElement("p");
  told.className = "bad too-large";
  told.setAttribute("role", "alert");
  told.textContent = input.validationMessage;
  input.after(told);
}
