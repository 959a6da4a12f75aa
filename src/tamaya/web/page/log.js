/** Time: the moves so far, newest on top, and the ways to go back to any of them. */

import { hintDisc, smallCard } from "./card.js";
import { icon } from "./icons.js";
import { shown } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { eventWords } from "./words.js";

/**
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("./table.js").Ui} Ui
 */

/** @param {Ui} ui */
export function log(ui) {
  const { view } = ui.state;
  const turn = shown(ui.state)?.turn ?? 0;
  const past = view?.past ?? [];
  return html`<section class="log" aria-label="Log">
    ${time(ui)}
    <ol reversed class="moves">${[...past].reverse().map((event) => line(ui, event, event.turn + 1 === turn))}
      <li class="deal"><button aria-current=${turn === 0} @click=${() => ui.to.look(0)}><span class="n">0</span><span class="what"></span><span class="words">The cards are dealt</span></button></li></ol>
  </section>`;
}

/**
 * @param {Ui} ui
 * @param {Event} event
 * @param {boolean} isShown
 */
function line(ui, event, isShown) {
  const drawn = event.card !== undefined && event.card !== null ? smallCard(event.card)
    : html`<svg class="hint-disc" viewBox="-10 -10 20 20" aria-hidden="true">${
      hintDisc(/** @type {any} */ (event.kind), event.value ?? 0, (event.newly?.length ?? 0) > 0)}</svg>`;
  const failed = event.kind === "play" && !event.scored;
  return html`<li class="${failed ? "failed" : ""}"><button aria-current=${isShown} @click=${() => ui.to.look(event.turn + 1)}>
    <span class="n">${event.turn + 1}</span><span class="what">${drawn}</span>
    <span class="words">${eventWords(/** @type {any} */ (ui.state.view), event, ui.values.slots)}${event.blind && !/blind/.test(event.words) ? html` <em>blind</em>` : nothing}</span>
  </button></li>`;
}

/** Buttons and a slider over all turns. @param {Ui} ui */
export function time(ui) {
  const now = ui.state.view?.turn ?? 0;
  const turn = shown(ui.state)?.turn ?? 0;
  const { to } = ui;
  /** @param {string} sign @param {string} words @param {number} turn @param {boolean} isOff */
  const button = (sign, words, turn, isOff) => html`<button class="icon" ?disabled=${isOff} aria-label=${words} title=${words}
    @click=${() => to.look(turn)}>${icon(sign)}</button>`;
  return html`<div class="time" role="group" aria-label="Turns">
    ${button("first", "To the deal (Home)", 0, turn === 0)}
    ${button("back", "One turn back (left arrow)", turn - 1, turn === 0)}
    <input type="range" min="0" max=${now} .value=${String(turn)} aria-label="Turn" aria-valuetext="turn ${turn} of ${now}"
      @input=${(/** @type {any} */ event) => to.look(Number(event.target.value))}>
    ${button("next", "One turn on (right arrow)", turn + 1, turn >= now)}
    ${button("last", "To now (End)", now, turn >= now)}
  </div>`;
}

/** Says that the past is on the screen, and leads back. @param {Ui} ui */
export function pastBar(ui) {
  const { look, view } = ui.state;
  if (!look || !view) return nothing;
  const news = view.turn - look.turn;
  return html`<div class="bar past" role="group" aria-label="Looking back">
    <button class="icon" ?disabled=${look.turn === 0} @click=${() => ui.to.look(look.turn - 1)} aria-label="One turn back">${icon("back")}</button>
    <span>after turn <b>${look.turn}</b> of ${view.turn}</span>
    <button class="icon" @click=${() => ui.to.look(look.turn + 1)} aria-label="One turn on">${icon("next")}</button>
    <button class="button" @click=${() => ui.to.look(view.turn)}>Back to now${news > 1 ? html`<small>${news} turns</small>` : nothing}</button>
  </div>`;
}

/**
 * Words that lead to a turn.
 * @param {Ui} ui
 * @param {number} turn
 * @param {string} words
 */
export function turnLink(ui, turn, words) {
  return html`<button class="link" @click=${() => ui.to.look(turn)}>${words}</button>`;
}
