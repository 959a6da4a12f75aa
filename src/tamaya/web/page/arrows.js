/**
 * The arrows of a hint, drawn over the table: from who gives it to every card that it touches.
 *
 * A disc on each arrow shows what is named; it is filled if that is news for the card. The arrows leave
 * the giver's name, run along a rail above the hand and point down at the cards.
 */

import { hintDisc } from "./card.js";
import { arrowsOf } from "./state.js";
import { nothing, render, svg } from "./vendor/lit-html.js";

/**
 * @param {SVGSVGElement} layer
 * @param {HTMLElement} felt  the element that the layer covers
 * @param {import("./state.js").State} state
 */
export function drawArrows(layer, felt, state) {
  const hint = arrowsOf(state);
  render(hint ? arrows(felt, hint) : nothing, /** @type {any} */ (layer));
}

/**
 * @param {HTMLElement} felt
 * @param {NonNullable<ReturnType<typeof arrowsOf>>} hint
 */
function arrows(felt, hint) {
  const origin = felt.getBoundingClientRect();
  const plate = felt.querySelector(`[data-plate="${hint.from}"] h3`)?.getBoundingClientRect();
  const cards = hint.touched
    .map((order) => ({ order, box: felt.querySelector(`.card[data-order="${order}"]`)?.getBoundingClientRect() }))
    .filter((card) => card.box);
  if (!plate || !cards.length) return nothing;
  const places = cards.map(({ order, box }) => {
    const { left, top, width } = /** @type {DOMRect} */ (box);
    return { x: left + width / 2 - origin.left, y: top - origin.top, width, isNew: hint.newly.includes(order) };
  }).sort((a, b) => a.x - b.x);
  const scale = Math.max(0.9, Math.min(1.35, places[0].width / 62));
  const rail = Math.min(...places.map(({ y }) => y)) - 9 * scale;
  const isBelow = plate.top - origin.top > rail;
  const start = { x: plate.left - origin.left + 6, y: (isBelow ? plate.top : plate.bottom) - origin.top + (isBelow ? -3 : 3) };
  const ends = [places[0].x, places[places.length - 1].x];
  return svg`<g class="arrows ${hint.isPreview ? "preview" : ""}">
    <path class="rail" d=${`${lead(start, ends[0], rail)}H${ends[1]}`}/>
    ${places.map(({ x, y, isNew }) => svg`<g transform="translate(${x} ${y - 6 * scale}) scale(${scale})">
      <path class="tip ${isNew ? "new" : "again"}" d="M-4.6 6.5L0 13.5 4.6 6.5Z"/>${hintDisc(hint.kind, hint.value, isNew)}</g>`)}
  </g>`;
}

/**
 * A soft way from the giver's name to where the rail begins.
 * @param {{x: number, y: number}} start
 * @param {number} x
 * @param {number} y
 */
function lead(start, x, y) {
  const across = x - start.x;
  const reach = Math.min(60, Math.abs(y - start.y) / 2 + 12);
  return `M${start.x} ${start.y}C${start.x} ${start.y + (y < start.y ? -reach : reach)} ${start.x + Math.min(Math.max(across, 0), 30)} ${y} ${x} ${y}`;
}
