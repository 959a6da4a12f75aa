/** Time: the moves so far, newest on top, and the ways to go back to any of them. */

import { button, moveSign, tool } from "./card.js";
import { shown } from "./state.js";
import { html, nothing } from "./vendor/lit-html.js";
import { eventWords } from "./words.js";

/** @param {Ui} ui */
export function log(ui) {
  const { state, to } = ui;
  const [{ turn: at }, { turn: now, past }] = [shown(state), state.view];
  const line = (
    turn,
    sign,
    words,
    look = "",
  ) => html`<li class=${look}><button aria-current=${turn === at} @click=${() => {
    to.put({ isOpen: false }); // a drawer would cover what was asked for
    to.look(turn);
  }}>
    <small>${turn}</small><span class="sign-place">${sign}</span><span>${words}</span></button></li>`;
  return html`<section class="log" aria-label="Log"><div class="time" role="group" aria-label="Turns">
    ${jump(to, "first", "To the deal (Home)", 0, at === 0)}${jump(to, "back", "One turn back (left arrow)", at - 1, at === 0)}
    <input type="range" min="0" max=${now} .value=${String(at)} aria-label="Turn" aria-valuetext="${at} of ${now}"
      @input=${(event) => to.look(Number(event.target.value))}>
    ${jump(to, "next", "One turn on (right arrow)", at + 1, at >= now)}${jump(to, "last", "To now (End)", now, at >= now)}</div>
    <ol reversed class="moves">${[...past]
      .reverse()
      .map((move) => line(move.turn + 1, moveSign(move), eventWords(ui, move), move.scored === false ? "failed" : ""))}
    ${line(0, nothing, "The cards are dealt")}</ol></section>`;
}

const jump = (to, sign, words, turn, isOff) => tool(sign, words, () => to.look(turn), { isOff });

/** Says that the past is on the screen, and leads back. @param {Ui} ui */
export const pastBar = ({ state: { look, view }, to }) =>
  html`<div class="notice past" role="group" aria-label="Looking back">
  ${jump(to, "back", "One turn back", look.turn - 1, look.turn === 0)}<span>after turn <b>${look.turn}</b> of ${view.turn}</span>
  ${jump(to, "next", "One turn on", look.turn + 1, false)}${button(
    view.phase === "over" ? "To the end" : "Back to now",
    () => to.look(view.turn),
    "main",
  )}</div>`;

/** Words that lead to a turn. @param {Ui} ui @param {number} turn @param {string} words */
export const turnLink = ({ to }, turn, words) => html`<button class="link" @click=${() => to.look(turn)}>${words}</button>`;
