/** Time: the moves so far, newest on top, and the ways to go back to any of them. */

import { moveSign } from "./arrows.js";
import { icon } from "./card.js";
import { shown } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { eventWords } from "./words.js";

/** @param {Ui} ui */
export function log(ui) {
  const { state } = ui;
  const at = shown(state).turn;
  const line = (turn, sign, words, look = "") => html`<li class=${look}><button aria-current=${turn === at} @click=${() => ui.to.look(turn)}>
    <span class="n">${turn}</span><span class="sign-place">${sign}</span><span>${words}</span></button></li>`;
  return html`<section class="log" aria-label="Log">${time(ui)}<ol reversed class="moves">
    ${state.view.past.map((move) => line(move.turn + 1, moveSign(move), eventWords(ui, move), move.scored === false ? "failed" : "")).reverse()}
    ${line(0, nothing, "The cards are dealt")}</ol></section>`;
}

/** Buttons and a slider over all turns. */
function time({ state, to }) {
  const now = state.view.turn;
  const { turn } = shown(state);
  return html`<div class="time" role="group" aria-label="Turns">
    ${jump(to, "first", "To the deal (Home)", 0, turn === 0)}${jump(to, "back", "One turn back (left arrow)", turn - 1, turn === 0)}
    <input type="range" min="0" max=${now} .value=${String(turn)} aria-label="Turn" aria-valuetext="${turn} of ${now}"
      @input=${(event) => to.look(Number(event.target.value))}>
    ${jump(to, "next", "One turn on (right arrow)", turn + 1, turn >= now)}${jump(to, "last", "To now (End)", now, turn >= now)}</div>`;
}

const jump = (to, sign, words, turn, isOff) => html`<button class="icon" aria-disabled=${isOff} aria-label=${words} title=${words}
  @click=${() => to.look(turn)}>${icon(sign)}</button>`;

/** Says that the past is on the screen, and leads back. @param {Ui} ui */
export function pastBar({ state: { look, view }, to }) {
  return look ? html`<div class="bar past" role="group" aria-label="Looking back">
    ${jump(to, "back", "One turn back", look.turn - 1, look.turn === 0)}<span>after turn <b>${look.turn}</b> of ${view.turn}</span>
    ${jump(to, "next", "One turn on", look.turn + 1, false)}<button class="button" @click=${() => to.look(view.turn)}>Back to now</button></div>` : nothing;
}

/** Words that lead to a turn. @param {Ui} ui @param {number} turn @param {string} words */
export const turnLink = (ui, turn, words) => html`<button class="link" @click=${() => ui.to.look(turn)}>${words}</button>`;
