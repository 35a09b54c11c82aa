// A name that is chosen from a list is added to the field beside it.

document.addEventListener("change", ({ target }) => {
  const into = target.dataset.into && document.getElementById(target.dataset.into);
  if (!into || !target.value) return;
  into.value = [...into.value.split("\n").filter((line) => line.trim()), target.value].join("\n");
  target.value = "";
});
