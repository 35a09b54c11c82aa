// Of a session's exported page, which has no server: opens and closes all folds, and opens those around a link's target.
const folds = document.querySelectorAll("details");
const all = (open) => () => folds.forEach((fold) => { fold.open = open; });
document.querySelector(".folds").hidden = false;
document.getElementById("open-all").addEventListener("click", all(true));
document.getElementById("close-all").addEventListener("click", all(false));

function openTo(hash) {
  const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
  for (let at = target; at; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
  }
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", () => openTo(location.hash));
openTo(location.hash);
