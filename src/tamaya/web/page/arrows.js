/** The arrows of a hint: one at every card that it touches, with a disc that shows what is named, filled if that is news. */

import { disc, smallCard } from "./card.js";
import { arrowsOf } from "./state.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

/** The arrow at a card, in the box of its face. @param {TableState} state @param {number} order */
export function arrow(state, order) {
  const hint = arrowsOf(state);
  if (!hint?.touched.includes(order)) return nothing;
  const isNew = hint.newly.includes(order);
  return svg`<g transform="translate(30 -4)"><path class=${isNew ? "tip new" : "tip"} d="M0 15L-5 6.5H5Z"/>${disc(hint.kind, hint.value, isNew)}</g>`;
}

/** A move in one sign: the card that was played or discarded, or what was told. @param {Move} move */
export const moveSign = ({ card, kind, value, newly }) => (newly
  ? html`<svg class="told-sign" viewBox="-10 -10 20 20" aria-hidden="true">${disc(kind, value, newly.length)}</svg>` : smallCard(card));
