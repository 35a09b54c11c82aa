// The practice exchange: nothing of it is sent.

const form = document.getElementById("practice-form");
const text = document.getElementById("practice-text");

function add(name, words) {
  const made = document.getElementById(name).content.cloneNode(true);
  if (words) made.querySelector(".say").textContent = words;
  document.getElementById("practice").append(made);
}

function answer(words) {
  add("practice-said", words);
  setTimeout(() => add("practice-answer"), 700);
  form.hidden = true;
  document.getElementById("ready").focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (text.value.trim()) answer(text.value.trim());
});
form.querySelector("[data-pass]").addEventListener("click", ({ target }) => answer(target.textContent));
