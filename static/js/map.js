// Maps of our own geometry: points and paths from the data beside each one, drawn on a canvas, without a network unless
// an administrator has named a tile server. Every name goes in as text.

const COLOURS = { attraction: "--t4", restaurant: "--t2", hotel: "--t3", landmark: "--muted", train: "--accent", airport: "--accent", metro: "--edge", city: "--accent" };
const RADII = { metro: 2, landmark: 3, train: 6, airport: 6, city: 7, stop: 11 };
const DASHES = [null, "8 5", "2 5", "12 4 2 4", "5 3", "1 7"];
let loading = null;

function loaded({ leaflet, style }) {
  if (globalThis.L) return Promise.resolve();
  loading ??= new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
    document.head.append(Object.assign(document.createElement("script"), { src: leaflet, onload: resolve, onerror: reject }));
  });
  return loading;
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function words({ name, facts, href }) {
  const shown = document.createElement("div");
  const title = document.createElement(href ? "a" : "b");
  title.textContent = name;
  if (href) title.href = href;
  shown.append(title);
  for (const fact of facts ?? []) {
    const line = document.createElement("div");
    line.textContent = fact;
    shown.append(line);
  }
  return shown;
}

function drawn(place, told) {
  const { nearer, farther, close } = place.dataset;
  const map = L.map(place, { preferCanvas: true, attributionControl: Boolean(told.tiles), zoomSnap: 0.25, zoomControl: false });
  L.control.zoom({ zoomInTitle: nearer, zoomOutTitle: farther }).addTo(map);
  map.on("popupopen", ({ popup }) => popup.getElement().querySelector(".leaflet-popup-close-button")?.setAttribute("aria-label", close));
  if (told.tiles) {
    const credit = document.createElement("span");
    credit.textContent = told.credit ?? "";
    L.tileLayer(told.tiles, { attribution: credit.innerHTML }).addTo(map);
  }
  return map;
}

function apart(a, b) {
  return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}

// Labels of places close together stand beside one another: each takes the first of these shifts, in its own widths and
// heights, in which it is on the map and covers none that was placed before.
const NEAR = [-4, -3, -2, -1, 0, 1, 2, 3, 4];
const SHIFTS = NEAR.flatMap((x) => NEAR.map((y) => [x, y])).sort(([a, b], [c, d]) => Math.hypot(a, b) - Math.hypot(c, d));
function spread(map) {
  const taken = [], frame = map.getContainer().getBoundingClientRect();
  const within = (box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  for (const label of map.getPane("overlayPane").parentElement.querySelectorAll(".map-number span, .leaflet-tooltip.city")) {
    label.style.translate = "";
    const { left, top, width, height } = label.getBoundingClientRect();
    const boxes = SHIFTS.map(([x, y]) => new DOMRect(left + x * width, top + y * height, width, height));
    const free = Math.max(0, boxes.findIndex((box) => within(box) && taken.every((other) => apart(box, other))));
    label.style.translate = `${SHIFTS[free][0] * width}px ${SHIFTS[free][1] * height}px`;
    taken.push(boxes[free]);
  }
}

function fill(map, layer, told, day) {
  layer.clearLayers();
  const ofDay = ({ day: own }) => day === null || own === undefined || own === day;
  const all = [];
  told.paths.filter(ofDay).forEach(({ line, hue, rank, name }) => {
    all.push(...line);
    const path = L.polyline(line, { color: colour(`--t${hue}`), weight: 9 - 1.4 * rank, dashArray: DASHES[rank % DASHES.length], opacity: 0.85 });
    path.bindTooltip(words({ name }), { sticky: true }).addTo(layer);
  });
  for (const point of told.points.filter(ofDay)) {
    all.push(point.at);
    const hue = colour(point.hue ? `--t${point.hue}` : (COLOURS[point.kind] ?? "--accent"));
    const marker = L.circleMarker(point.at, { radius: RADII[point.kind] ?? 5, color: hue, fillColor: hue, fillOpacity: point.kind === "stop" ? 1 : 0.65, weight: 1 });
    marker.bindPopup(words(point)).bindTooltip(words({ name: point.name }), { permanent: point.kind === "city", className: point.kind }).addTo(layer);
    if (point.label) {
      const number = document.createElement("span");
      number.textContent = day === null && point.whole ? point.whole : point.label;
      if (point.hue) number.className = `t${point.hue}`;
      L.marker(point.at, { icon: L.divIcon({ className: "map-number", html: number, iconSize: [20, 20] }), keyboard: false, interactive: false }).addTo(layer);
    }
  }
  if (all.length) map.fitBounds(L.latLngBounds(all).pad(0.08), { animate: false, maxZoom: 15 });
  else map.setView([35, 105], 4);
  spread(map);
}

async function open(place) {
  place.removeAttribute("data-map-waits");
  const told = JSON.parse(document.getElementById(place.dataset.map).content.textContent);
  await loaded(place.dataset);
  if (!place.isConnected) return;
  const map = drawn(place, told);
  const layer = L.layerGroup().addTo(map);
  let day = told.day ?? null;
  fill(map, layer, told, day);
  map.on("zoomend", () => spread(map));
  for (const button of document.querySelectorAll(`[data-map-day][data-of="${place.dataset.map}"]`)) {
    button.addEventListener("click", () => {
      day = button.dataset.mapDay === "" ? null : Number(button.dataset.mapDay);
      for (const other of document.querySelectorAll(`[data-map-day][data-of="${place.dataset.map}"]`)) other.setAttribute("aria-pressed", other === button);
      for (const part of document.querySelectorAll(`[data-day-list][data-of="${place.dataset.map}"]`)) {
        part.hidden = day !== null && Number(part.dataset.dayList) !== day;
      }
      fill(map, layer, told, day);
    });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => fill(map, layer, told, day));
}

// A map in a part that is hidden is drawn once it is shown: before, it has no size to fit its places into.
const hidden = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    if (!contentRect.width) continue;
    hidden.unobserve(target);
    open(target);
  }
});

function look(within) {
  const undrawn = "[data-map]:not(.leaflet-container)";
  for (const place of [...(within.matches?.(undrawn) ? [within] : []), ...within.querySelectorAll(undrawn)]) {
    if (place.offsetParent) open(place);
    else hidden.observe(place);
  }
}
look(document);
document.addEventListener("htmx:afterSettle", ({ target }) => look(target)); // each part that came, by itself
