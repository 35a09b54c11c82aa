// What the other modules share: the page's elements, and whether its session has ended.

export const root = document.querySelector("[data-session]");
export const chat = document.getElementById("chat");
export const newest = document.getElementById("newest");

export const session = { ended: "ended" in root.dataset };

// As keys.js of every page has it: their user may have turned keys of one letter off.
export function areKeysOff() {
  return document.documentElement.dataset.keys === "off";
}
