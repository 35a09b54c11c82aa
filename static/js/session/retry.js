// When a page whose connection is lost connects again: later each time, up to a minute, and no two pages at once, so that
// a server that comes back is not met by all of them together.

const WAITS_MS = [500, 60000];
const STEADY_MS = 5000; // a connection that has lasted this long was a good one

let wait = WAITS_MS[0];
let lasting = null;

export function opened() {
  clearTimeout(lasting);
  lasting = setTimeout(() => (wait = WAITS_MS[0]), STEADY_MS);
}

export function nextWait() {
  clearTimeout(lasting);
  const chosen = wait * (0.5 + Math.random() / 2);
  wait = Math.min(wait * 2, WAITS_MS[1]);
  return chosen;
}
