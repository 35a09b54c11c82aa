// Draws the charts of a report from the data beside them, in the colours of the theme, as they come into view.

const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false };
const LINES = { gridcolor: "var(--line)", linecolor: "var(--line)", zerolinecolor: "var(--line)", tickcolor: "var(--line)" };
const AXIS = { automargin: true, fixedrange: true, ...LINES };
const TITLE = { standoff: 8 };
const ERRORS = { thickness: 1, width: 3 };
const ERRORS_OVER_BARS = { color: "var(--muted)", ...ERRORS }; // those of points take the colour of their run
const THEME = {
  autosize: true,
  margin: { l: 8, r: 16, t: 8, b: 8 },
  paper_bgcolor: "rgba(0,0,0,0)",
  plot_bgcolor: "rgba(0,0,0,0)",
  font: { color: "var(--text)", size: 12 },
  hoverlabel: { bgcolor: "var(--surface)", bordercolor: "var(--line)", font: { color: "var(--text)" } },
  legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", traceorder: "normal" },
  bargap: 0.15,
  dragmode: false,
};
const NARROW = 640;
const LEGEND_LINE = 18; // pixels that a line of a legend takes where its entries stand below each other
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

function axis(told) {
  return { ...themed(AXIS), ...told, title: { ...TITLE, ...told.title } };
}

function trace(told) {
  const kind = told.type === "scatter" && told.mode === "markers" ? { marker: { size: 9, opacity: 0.8, ...told.marker } } : {};
  const bars = told.type === "bar" ? ERRORS_OVER_BARS : ERRORS;
  const errors = ["error_x", "error_y"].filter((name) => told[name]).map((name) => [name, { ...bars, ...told[name] }]);
  return { ...told, ...kind, ...Object.fromEntries(errors) };
}

function legendLines(data) {
  return data.filter((one) => one.showlegend).reduce((sum, { name }) => sum + name.split("<br>").length, 0);
}

function draw(place) {
  const told = JSON.parse(document.getElementById(place.dataset.chart).content.textContent);
  const [data, layout] = [told.data.map(trace), { ...THEME, ...told.layout }].map(themed);
  for (const name of ["xaxis", "yaxis"]) layout[name] = axis(layout[name] ?? {});
  if (place.clientWidth < NARROW) layout.height += LEGEND_LINE * legendLines(data);
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
