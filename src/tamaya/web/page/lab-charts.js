/** Drawings of the lab: curves with errors, and the map of styles. */

import { chosen, labelled } from "./parts.js";
import { html, svg } from "./lit.js";

const [WIDTH, NARROW, HEIGHT, LEFT, BOTTOM, TOP] = [560, 330, 260, 40, 34, 8];
const FLOOR = HEIGHT - BOTTOM;
const MOST_BARS = 30; // of error; more could not be told apart

/** Round numbers that cover a range. @param {number} low @param {number} high */
function ticks(low, high, n = 5) {
  const rough = (high - low) / n || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9) * step;
  return Array.from({ length: Math.max(1, Math.floor((high - first) / step + 1e-9) + 1) }, (_, k) => first + k * step);
}

const plain = (value) => String(Math.round(value * 1000) / 1000);

/** Lines by x with error bars of two standard errors, a legend, and the last values in words. @param {LabChart} found */
export function chart({ title, x: unit, series }) {
  const drawn = series.filter(({ points }) => points.length);
  const all = drawn.flatMap(({ points }) => points);
  if (!all.length) return "";
  const width = innerWidth < 480 ? NARROW : WIDTH; // on a phone, letters as large as elsewhere
  const right = width - 8;
  const xs = all.map(([x]) => x);
  const ys = all.flatMap(([, y, se]) => [y - 2 * (se ?? 0), y + 2 * (se ?? 0)]);
  const [x0, x1] = [Math.min(0, ...xs), Math.max(...xs)];
  const [y0, y1] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))];
  const place = (x) => LEFT + ((x - x0) / (x1 - x0 || 1)) * (right - LEFT);
  const height = (y) => FLOOR - ((y - y0) / (y1 - y0 || 1)) * (FLOOR - TOP);
  const words = drawn.map(({ name, points }) => `${name} ${points[points.length - 1][1].toFixed(2)}`).join(", ");
  return html`<figure><figcaption><strong>${title}</strong></figcaption>
    <svg class="chart" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="Score by ${unit}${title ? `, ${title}` : ""}. Last: ${words}.">
      ${ticks(y0, y1).map((y) => svg`<path class="grid" d="M${LEFT} ${height(y)}H${right}"/><text x=${LEFT - 6} y=${height(y) + 4}
        text-anchor="end">${plain(y)}</text>`)}
      ${ticks(x0, x1).filter((x) => unit !== "generation" || Number.isInteger(x)).map((x) => svg`<text x=${place(x)} y=${FLOOR + 16} text-anchor="middle">${plain(x)}</text>`)}
      <text x=${(LEFT + right) / 2} y=${HEIGHT - 3} text-anchor="middle">${unit}</text>
      ${drawn.map(({ style, points }, k) => svg`<g class="s${k % 8} ${style}">
        ${style === "dot" ? "" : svg`<path class="line" d="M${points.map(([x, y]) => `${place(x).toFixed(1)} ${height(y).toFixed(1)}`).join("L")}"/>`}
        ${bars(points, place, height)}
        ${style === "dot" ? points.map(([x, y]) => svg`<circle cx=${place(x)} cy=${height(y)} r="4"/>`) : ""}</g>`)}
    </svg>
    <ul class="legend">${drawn.map(({ name, style, points }, k) => html`<li><svg class="s${k % 8} ${style}" viewBox="0 0 26 10"
      aria-hidden="true">${style === "dot" ? svg`<circle cx="13" cy="5" r="4"/>` : svg`<path class="line" d="M1 5H25"/>`}</svg>
      ${name} <span class="note">${last(points)}</span></li>`)}</ul></figure>`;
}

/** Bars of two standard errors, some of them where there are many. */
function bars(points, place, height) {
  const known = points.filter(([, , se]) => se);
  const step = Math.ceil(known.length / MOST_BARS) || 1;
  return known.filter((_, k) => (known.length - 1 - k) % step === 0).map(([x, y, se]) => svg`<path class="bar"
    d="M${place(x)} ${height(y - 2 * se)}V${height(y + 2 * se)}"/>`);
}

function last(points) {
  const [, y, se] = points[points.length - 1];
  return `${y.toFixed(2)}${se ? ` ± ${se.toFixed(2)}` : ""}`;
}

/** The map of styles: a cell for each, and the same as a list. @param {LabRunDetails} run */
export function map({ cells, niches }, key, choose) {
  const means = niches.map(({ mean }) => mean);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const size = 400 / cells;
  const shown = niches.find((niche) => niche.key === key) ?? niches[0];
  if (!shown) return html`<p>Nothing is on it yet.</p>`;
  return html`<div class="styles"><svg class="map" viewBox="-4 -4 408 408" role="img" aria-label="${niches.length} styles of ${cells * cells};
      mean scores from ${low.toFixed(1)} to ${high.toFixed(1)}. The list has them all.">
      <rect class="ground" width="400" height="400"/>
      ${niches.map((niche) => svg`<rect class="cell ${niche === shown ? "chosen" : ""}" x=${niche.x * size} y=${400 - (niche.y + 1) * size} width=${size} height=${size}
        fill-opacity=${(0.12 + (0.88 * (niche.mean - low)) / (high - low || 1)).toFixed(2)} @click=${() => choose(niche.key)}><title>${says(niche)}</title></rect>`)}
    </svg>
    ${labelled("Style", html`<select @change=${chosen(choose)}>${niches.map((niche) => html`<option value=${niche.key}
      .selected=${niche === shown}>${says(niche)}</option>`)}</select>`)}</div>`;
}

const says = ({ mean, tells, caution }) => `${mean.toFixed(2)}: hints ${tells.toFixed(2)}, risk aversion ${caution.toFixed(2)}`;
