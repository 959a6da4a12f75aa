/** Beliefs: what a seat takes its own cards for, by counting or as an agent there would, as heat maps. */

import { cardName, FIVE, LETTERS } from "./card.js";
import { chosen, labelled } from "./parts.js";
import { picker } from "./picker.js";
import { nameOf } from "./state.js";
import { asking, turnNow } from "./study.js";
import { html, svg } from "./lit.js";
import { slotNumber } from "./words.js";

const CELL = 20;
const percent = (p) => `${Math.round(100 * p)} %`;

/** @param {Reviewer} ui */
export function beliefs(ui) {
  const { state } = ui;
  const found = state.beliefs;
  const seat = state.holder ?? state.look.mover ?? 0;
  const isNow = found?.turn === turnNow(state) && found.seat === seat && (found.agent ?? "") === state.believer;
  const agents = state.reviewing.agents.map(({ name, code }) => ({ name, tags: code ? ["code"] : [] }));
  return html`<div class="fields">${labelled("Whose cards", html`<select @change=${chosen((value) => ui.believe({ holder: value === "" ? null : Number(value) }))}>
      <option value="" .selected=${state.holder === null}>who moves</option>${state.seats.map(({ seat: one, name }) => html`<option value=${one}
        .selected=${state.holder === one}>${name}</option>`)}</select>`)}
    ${picker({ label: "As seen by", agents, now: state.believer, others: [["", "counting alone"]], choose: (believer) => ui.believe({ believer }) })}</div>
    ${isNow ? maps(ui, found) : html`<p class="hush busy">${asking(state)}</p>`}
    <p class="hush">The stronger the blue, the likelier. A dot: excluded by hints. A stroke: hints allow it, but all copies are in sight. The ring: what it is.</p>`;
}

function maps(ui, { seat, slots, agent }) {
  const { state, values } = ui;
  const { colours, ranks } = state.welcome.rules;
  const rows = values.slots === "oldest-0" ? slots : [...slots].reverse();
  return html`<h2>${agent ? `${agent}, on the cards of ${nameOf(state, seat)}` : `What ${nameOf(state, seat)} can know by counting`}</h2>
    <div class="heats">${rows.map((slot) => heat(ui, seat, slot, colours, ranks))}</div>`;
}

/** The map of a slot: colours down, ranks across. */
function heat(ui, seat, { slot, p, hints, sight, truth }, colours, ranks) {
  const isOpen = ![ui.state.through, ui.shut].includes(seat);
  const cell = (card) => {
    const [x, y] = [CELL * (card % 5), CELL * Math.floor(card / 5)];
    const isHinted = (hints >> card) & 1;
    return svg`<g transform="translate(${x} ${y})"><rect class="cell" width=${CELL - 2} height=${CELL - 2} rx="3"/>
      ${p[card] > 0 ? svg`<rect class="heat" width=${CELL - 2} height=${CELL - 2} rx="3" fill-opacity=${(0.12 + 0.88 * Math.sqrt(p[card])).toFixed(2)}/>` : ""}
      ${!isHinted ? svg`<circle class="out" cx="9" cy="9" r="1.4"/>` : (sight >> card) & 1 ? "" : svg`<path class="out" d="M5 13l8-8"/>`}
      ${isOpen && card === truth ? svg`<rect class="truth" x="-1" y="-1" width=${CELL} height=${CELL} rx="4"/>` : ""}</g>`;
  };
  const cards = FIVE.slice(0, colours).flatMap((colour) => FIVE.slice(0, ranks).map((rank) => 5 * colour + rank));
  const likely = cards.filter((card) => p[card] >= 0.005).sort((a, b) => p[b] - p[a]);
  const words = `slot ${slotNumber(ui, seat, slot)}: ${likely.slice(0, 6).map((card) => `${cardName(card)} ${percent(p[card])}`).join(", ")}${
    likely.length > 6 ? " and others" : ""}${isOpen ? `; it is ${cardName(truth)}` : ""}`;
  return html`<figure><svg viewBox="-14 -14 ${CELL * ranks + 14} ${CELL * colours + 14}" role="img" aria-label=${words}>
      ${FIVE.slice(0, ranks).map((rank) => svg`<text x=${CELL * rank + 9} y="-4">${rank + 1}</text>`)}
      ${FIVE.slice(0, colours).map((colour) => svg`<text x="-7" y=${CELL * colour + 13}>${LETTERS[colour]}</text>`)}${cards.map(cell)}</svg>
    <figcaption>slot ${slotNumber(ui, seat, slot)}<b>${likely.length ? ` ${cardName(likely[0])}, ${percent(p[likely[0]])}` : ""}</b></figcaption></figure>`;
}
