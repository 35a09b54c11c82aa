// Draws the charts of a report from the JSON beside them, in the colours of the theme, as they come into view.

const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false };
const drawn = new Set();

const style = getComputedStyle(document.documentElement);

function themed(value) {
  if (typeof value === "string") {
    const name = value.startsWith("var(--") && value.slice(4, -1);
    return name ? style.getPropertyValue(name).trim() : value;
  }
  if (Array.isArray(value)) return value.map(themed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, themed(inner)]));
}

function draw(place) {
  const { data, layout } = themed(JSON.parse(document.getElementById(place.dataset.chart).textContent));
  layout.font.family = getComputedStyle(document.body).fontFamily;
  drawn.add(place);
  return Plotly.react(place, data, layout, CONFIG);
}

const places = [...document.querySelectorAll("[data-chart]")];
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: "400px" },
);
for (const place of places) near.observe(place);

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => [...drawn].forEach(draw));
addEventListener("beforeprint", () => places.filter((place) => !drawn.has(place)).forEach(draw));
