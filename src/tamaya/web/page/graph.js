/**
 * The graph of a game: expected score turn by turn with its error, what could still be reached, losses and
 * their marks. Where a click lands is a turn; the slider below is for keys, and the same figures are in a table.
 */

import { isQuizzed, isWorking, LOSSES, MARKS, turnNow, valueAt } from "./study.js";
import { html, svg } from "./lit.js";

const [LEAST, MOST] = [132, 220]; // px high, as there is room
const [LEFT, RIGHT, TOP, BOTTOM] = [26, 12, 20, 20];
/** Shapes of marks around (0, 0), so that nobody needs their colours. */
const SHAPES = {
  "??": "M0-6.5L6.5 0 0 6.5-6.5 0Z",
  "?": "M0-5.5L5.5 4.5H-5.5Z",
  "?!": "M0-4A4 4 0 1 0 0 4A4 4 0 1 0 0-4Z",
};

/** The shape of a mark with its sign. @param {string} mark */
export const markSign = (mark) =>
  mark in SHAPES
    ? html`<span class="mark-sign ${MARKS[mark]}"><svg viewBox="-8 -8 16 16" aria-hidden="true"><path d=${SHAPES[mark]}/></svg><b
        aria-hidden="true">${mark}</b><span class="unseen">${MARKS[mark]}</span></span>`
    : mark
      ? html`<span class="mark-sign" title=${MARKS[mark]}><b aria-hidden="true">${mark}</b><span class="unseen">${MARKS[mark]}</span></span>`
      : "";

/** A table of figures. @param {unknown} caption @param {string[]} heads */
export const figures = (caption, heads, rows, look = "") => html`<table class="figures-of ${look}"><caption>${caption}</caption>
  <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;

/** @param {Reviewer} ui */
export function graph(ui) {
  const { state } = ui;
  const [most, last, now] = [state.look.max_score, state.view.turn, turnNow(state)];
  const wide = Math.max(200, ui.width || 600);
  const high = Math.round(Math.max(LEAST, Math.min(0.22 * innerHeight, MOST)));
  const x = (turn) => LEFT + ((wide - LEFT - RIGHT) * turn) / Math.max(1, last);
  const values = Array.from({ length: last }, (_, turn) => valueAt(state, turn)).filter(Boolean);
  const scores = values.map(({ expected, se }) => expected - 2 * se).concat(ui.views.get(last)?.mover === null ? ui.views.get(last).score : []);
  const least = scores.length && most > 10 ? Math.max(0, Math.min(most - 10, 5 * Math.floor(Math.min(...scores) / 5))) : 0; // what nobody fears needs no room
  const y = (score) => high - BOTTOM - ((high - TOP - BOTTOM) * (score - least)) / (most - least);
  const parts = unbroken(values);
  const end = ui.views.get(last)?.mover === null && values.length ? [[x(last), y(ui.views.get(last).score)]] : [];
  const hidden = isQuizzed(state) ? now : -1;
  const go = (event) => {
    if (event.type === "pointermove" && !(event.buttons & 1)) return;
    const { left } = event.currentTarget.getBoundingClientRect();
    const turn = Math.round(((event.clientX - left - LEFT) * last) / (wide - LEFT - RIGHT));
    ui.look(Math.max(0, Math.min(turn, last)));
  };
  return html`<figure class="graph" aria-label="Expected score over the turns">
    <svg width="100%" height=${high} role="img" aria-label=${words(state, values)} @pointerdown=${go} @pointermove=${go}>
      ${axes(x, y, [least, most], last, [wide, high])}
      <path class="reach" d=${steps(ui, x, y, last)}/>
      <path class="band" d=${parts.map((part) => band(part, x, y)).join("")}/>
      ${values.map(({ turn, expected, loss, mark }) => (SHAPES[mark] && turn !== hidden ? svg`<path class="loss ${MARKS[mark]}"
        d="M${x(turn)} ${y(expected)}V${y(Math.min(most, expected + loss))}"/>` : ""))}
      <path class="line" d=${parts.map((part) => line([...part.map(({ turn, expected }) => [x(turn), y(expected)]), ...(part.at(-1).turn === last - 1 ? end : [])])).join("")}/>
      <path class="now" d="M${x(now)} ${TOP - 4}V${high - BOTTOM + 4}"/>
      ${values.map(({ turn, expected, loss, mark }) => (SHAPES[mark] && turn !== hidden ? svg`<path class="shape ${MARKS[mark]}" d=${SHAPES[mark]}
        transform="translate(${x(turn)} ${Math.max(9, y(Math.min(most, expected + loss)) - 9)})"><title>turn ${turn + 1}: ${MARKS[mark]}</title></path>` : ""))}
    </svg>
    <figcaption><span class="key">expected score</span><span class="key dashed">in reach</span>${LOSSES.map((mark) => html`<span aria-hidden="true">${markSign(mark)} ${MARKS[mark]}</span>`)}${isWorking(state) ? html`<span class="busy">${state.progress?.of ? share(state.progress) : "analysing"}</span>` : ""}</figcaption></figure>`;
}

/** How far the analysis is; in the end more deals are imagined where it is too close to tell. */
export const share = ({ done, of }) => (done < of ? `analysing, ${Math.floor((100 * done) / of)} %` : "a closer look where it is open");

/** Values of turns that follow one another: between others nothing is known. */
function unbroken(values) {
  const parts = [];
  for (const value of values) {
    if (parts.at(-1)?.at(-1).turn === value.turn - 1) parts.at(-1).push(value);
    else parts.push([value]);
  }
  return parts;
}

/** A single point is a line of no length, which is drawn as a dot. */
const line = (points) => (points.length ? `M${points.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L")}${points[1] ? "" : "h0"}` : "");

/** Two standard errors up and down. */
const band = (values, x, y) => {
  const edge = (way) => values.map(({ turn, expected, se }) => [x(turn), y(expected + 2 * way * se)]);
  return `${line([...edge(1), ...edge(-1).reverse()])}Z`;
};

/** What all fireworks could still reach, as far as positions are known. */
function steps(ui, x, y, last) {
  const points = [];
  for (let turn = 0; turn <= last; turn++) {
    const reach = ui.views.get(turn)?.reach.reduce((sum, height) => sum + height);
    if (reach === undefined) continue;
    if (points.length) points.push([x(turn), points.at(-1)[1]]);
    points.push([x(turn), y(reach)]);
  }
  return line(points);
}

function axes(x, y, [least, most], last, [wide, high]) {
  const scores = most > 10 ? [0, 5, 10, 15, 20, 25].filter((score) => score >= least && score <= most) : [0, most];
  const gap = [1, 2, 5, 10, 20].find((step) => (last / step) * 34 < wide) ?? 20;
  const turns = Array.from({ length: Math.floor((last + 1) / gap) }, (_, k) => gap * (k + 1) - 1);
  return svg`<g class="axes">${scores.map((score) => svg`<path d="M${LEFT} ${y(score)}H${wide - RIGHT}"/>${
    svg`<text class="score" x=${LEFT - 6} y=${y(score) + 4}>${score}</text>`}`)}
    ${turns.map((turn) => svg`<text class="turn" x=${x(turn)} y=${high - 4}>${turn + 1}</text>`)}</g>`;
}

function words(state, values) {
  const marks = LOSSES.map((mark) => `${values.filter((value) => value.mark === mark).length} ${MARKS[mark]}s`);
  const [first, end] = [values[0], values.at(-1)];
  return first
    ? `Expected score from ${first.expected.toFixed(1)} at turn ${first.turn + 1} to ${end.expected.toFixed(1)} at turn ${end.turn + 1}: ${marks.join(", ")}`
    : "Expected score: no values yet";
}
